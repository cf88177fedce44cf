"""Workers that serve several runs: one that is sound goes back to its crew, one that is not is ended."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness import run as running
from harness.run import Crew
from harness.schema.order import Done
from tests.unit.test_slots import Attempt, Directory


class Worker:
    """Remembers what became of it."""

    made: list["Worker"] = []

    def __init__(self, home: Path, *_: Any) -> None:
        self.home = home
        self.became = "made"
        self.made.append(self)

    async def start(self) -> None:
        self.became = "started"

    async def stop(self) -> None:
        self.became = "stopped"

    async def kill(self) -> None:
        self.became = "killed"


class Playing(Attempt):
    """An attempt that needs a worker."""

    async def play(self) -> Done:
        await self.slot._ready_worker()
        return await super().play()


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process, no browser."""
    monkeypatch.setattr(running, "_Attempt", Playing)
    monkeypatch.setattr(running, "Worker", Worker)
    monkeypatch.setattr(Worker, "made", [])
    monkeypatch.setattr(Attempt, "looks_for", {})


def slot(crew: Crew | None, *trials: int) -> Any:
    """One worker's place in a run of these trials."""
    queue: asyncio.Queue[tuple[Any, int]] = asyncio.Queue()
    for trial in trials:
        queue.put_nowait((SimpleNamespace(id="CTL-X-001"), trial))
    options = SimpleNamespace(max_attempts=1, workers=1, corpus=Path(), headed=False)
    run: Any = SimpleNamespace(
        options=options, say=lambda _: None, crew=crew, browser=None, adapter=SimpleNamespace(hosts=[])
    )
    directory: Any = Directory()
    return running._Slot(run, directory, SimpleNamespace(), SimpleNamespace(), queue, Path("own"))  # type: ignore[arg-type]


def crew() -> Crew:
    """A crew with nobody in it yet."""
    return Crew(browser=SimpleNamespace(), observer=SimpleNamespace(), home=Path("crew"))  # type: ignore[arg-type]


async def go(*slots: Any) -> None:
    for one in slots:
        await one.work()


def test_the_next_run_takes_the_worker_of_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker, in the crew's folder, for both runs; it ends with the crew."""
    monkeypatch.setattr(Attempt, "ends", {})
    hands = crew()
    asyncio.run(go(slot(hands, 1, 2), slot(hands, 3)))
    (worker,) = Worker.made
    assert worker.became == "started" and worker.home.parts[0] == "crew"
    asyncio.run(hands.stop())
    assert worker.became == "stopped"


def test_a_worker_whose_journey_did_not_end_well_is_no_longer_of_the_crew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever state it and its browser are in, the next run has another one, elsewhere."""
    monkeypatch.setattr(Attempt, "ends", {1: "product_error"})
    hands = crew()
    asyncio.run(go(slot(hands, 1), slot(hands, 2)))
    assert [w.became for w in Worker.made] == ["killed", "started"]
    assert Worker.made[0].home != Worker.made[1].home


def test_a_run_of_its_own_ends_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a crew nothing is left behind."""
    monkeypatch.setattr(Attempt, "ends", {})
    asyncio.run(go(slot(None, 1)))
    (worker,) = Worker.made
    assert worker.became == "stopped" and worker.home.parts[0] == "own"
