"""What happens between the end of a journey and its line in the ledger, without a browser."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness import run as running
from harness.schema.order import Done

FOREVER = 600.0


class Directory:
    """Remembers which attempts were finished, and how."""

    folder = Path()

    def __init__(self) -> None:
        self.finished: list[tuple[int, str]] = []

    def new_attempt(self, package: str, trial: int) -> tuple[int, Path]:
        return 1, Path()


class Attempt:
    """An attempt whose journey has ended as told; the look at it may take for ever."""

    looks_for: dict[int, float] = {}
    ends: dict[int, str] = {}

    def __init__(self, slot: Any, package: Any, trial: int, number: int, *_: Any) -> None:
        self.slot, self.package, self.trial, self.number = slot, package, trial, number
        self.finished = False

    async def play(self) -> Done:
        return Done(reason=self.ends.get(self.trial, "completed"), why="w", final=None, slips={}, counts={})  # type: ignore[arg-type]

    async def product_gone(self) -> str | None:
        return None

    def was_away(self) -> bool:
        return False

    async def observe(self) -> bool:
        await asyncio.sleep(self.looks_for.get(self.trial, 0.0))
        return True

    def finish(self, done: Done, _: Any) -> None:
        self.finished = True
        self.slot.directory.finished.append((self.trial, done.reason))


def slot(trials: int, workers: int) -> Any:
    queue: asyncio.Queue[tuple[Any, int]] = asyncio.Queue()
    for trial in range(1, trials + 1):
        queue.put_nowait((SimpleNamespace(id="CTL-X-001"), trial))
    options = SimpleNamespace(max_attempts=1, workers=workers)
    run: Any = SimpleNamespace(options=options, say=lambda _: None)
    directory: Any = Directory()
    return running._Slot(run, directory, SimpleNamespace(), SimpleNamespace(), queue, Path())  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("second", ["completed", "turn_limit"])
def test_a_journey_that_has_ended_is_written_down_whatever_stops_the_run(
    workers: int, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is stopped while the staff side of an earlier journey is looked at: every ending stays, once."""
    monkeypatch.setattr(running, "_Attempt", Attempt)
    monkeypatch.setattr(Attempt, "looks_for", {1: FOREVER})
    monkeypatch.setattr(Attempt, "ends", {2: second})

    async def go() -> list[tuple[int, str]]:
        one = slot(3, workers)
        task = asyncio.create_task(one.work())
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait({task})
        return sorted(one.directory.finished)

    ended = [(1, "completed"), (2, second)] if workers > 1 else [(1, "completed")]
    assert asyncio.run(go()) == ended


def test_the_next_journey_begins_while_the_last_is_looked_at_where_several_run_anyway(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With one worker the product serves one customer at a time; with more, a look does not hold up the next journey."""
    monkeypatch.setattr(running, "_Attempt", Attempt)
    begun: list[tuple[int, int]] = []

    async def play(self: Attempt) -> Done:
        begun.append((self.trial, len(self.slot.directory.finished)))
        return Done(reason="completed", why="w", final=None, slips={}, counts={})

    monkeypatch.setattr(Attempt, "play", play)
    for workers, before in ((1, [0, 1, 2]), (2, [0, 0, 1])):
        begun.clear()

        async def go(count: int = workers) -> list[tuple[int, str]]:
            one = slot(3, count)
            await one.work()
            return list(one.directory.finished)

        assert asyncio.run(go()) == [(1, "completed"), (2, "completed"), (3, "completed")]
        assert begun == list(zip([1, 2, 3], before, strict=True))
