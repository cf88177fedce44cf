"""How a journey ends, without a browser: the surface and the watch on the browser are stand-ins."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError

from harness import worker
from harness.errors import DirtyEnvironment, ProductFault
from harness.schema.order import Done, JourneyOrder, Limits
from harness.schema.strict_json import canonical
from harness.schema.ticket import StartTicket
from harness.screen.errors import PageCrashed
from harness.worker import Ending
from tests.support.views import view

FOREVER = 600.0


class Context:
    """A browser context that does nothing, or never closes."""

    def __init__(self, closes: bool) -> None:
        self.closes = closes

    async def close(self) -> None:
        if not self.closes:
            await asyncio.sleep(FOREVER)

    def on(self, *_: Any) -> None:
        """Nobody listens."""

    async def route(self, *_: Any) -> None:
        """Nothing is routed."""


class Browser:
    """A browser that makes such contexts."""

    version = "0"

    def __init__(self, closes: bool) -> None:
        self.closes = closes

    async def new_context(self, **_: Any) -> Context:
        return Context(self.closes)


class Watch:
    """A watch on the browser that knows what it was told."""

    def __init__(self, fault: str | None, closes: bool = True) -> None:
        self.browser = Browser(closes)
        self.told = fault
        self.asked: list[bool] = []

    def begin(self) -> None:
        """Nothing to forget."""

    async def watch(self, _: Any) -> None:
        """Any page."""

    async def opened(self) -> None:
        """Nothing to look at."""

    async def unless_dead(self, work: Coroutine[Any, Any, Any]) -> Any:
        return await work

    async def fault(self, crashed: bool) -> str | None:
        self.asked.append(crashed)
        return self.told


class Page:
    """A surface that is opened and closed, and otherwise not used."""

    page = None

    def __init__(self, crashed: bool) -> None:
        self.crashed = crashed

    async def close(self) -> None:
        """Closed."""


class PipeStub:
    """A pipe over which no model is asked."""

    model_s = 0.0

    def __init__(self, model_s: float = 0.0) -> None:
        self.waited = model_s

    def waited_for_model_s(self) -> float:
        return self.waited


def play(
    folder: Path, patch: pytest.MonkeyPatch, ends: Any, watch: Watch, crashed: bool = False, model_s: float = 0.0
) -> Done:
    """A journey whose talk is `ends`: an ending, an error, or a coroutine function."""

    class Surfaces:
        @staticmethod
        async def open(*_: Any, **__: Any) -> Page:
            return Page(crashed)

    async def run(_: Any) -> Ending:
        if isinstance(ends, Exception):
            raise ends
        return ends if isinstance(ends, Ending) else await ends()

    patch.setattr(worker, "surface_class", lambda _: Surfaces)
    patch.setattr(worker.Journey, "run", run)
    (folder / "staging").mkdir()
    (folder / "attempt").mkdir()
    (folder / "staging/view.json").write_bytes(canonical(view().model_dump(mode="json", by_alias=True)))
    adapter = {
        "adapter": "t", "version": "1", "product": "t", "base_url": "http://127.0.0.1:1", "origins": ["${base_url}"],
        "customer": {
            "ready": [{"css": "body"}], "transcript": [{"css": "body"}], "customer_bubble": [{"css": "p"}], "reply": [{"css": "p"}],
            "composer": [{"css": "textarea"}], "send": {"key": "Enter"}, "final": [{"css": "h1"}],
        },
    }  # fmt: skip
    order = JourneyOrder(
        ticket=StartTicket(start_url="http://127.0.0.1:1/", claimant_session="new_account", login=None), adapter=adapter,
        attempt_dir=str(folder / "attempt"), staging_dir=str(folder / "staging"), customer="rule", script=None,
        limits=Limits(turn_limit=9, turn_timeout_s=1.0, journey_timeout_s=0.05), rng_seed=1,
    )  # fmt: skip
    pipe: Any = PipeStub(model_s)
    pulse: Any = watch
    return asyncio.run(asyncio.wait_for(worker.journey(order, pipe, False, pulse), 60))


COUNTING = [
    ("product_error", ProductFault("the page does not take what the customer does")),
    ("product_error", TimeoutError()),
    ("time_limit", Ending("time_limit", "no final state")),
    ("turn_limit", Ending("turn_limit", "40 turns")),
    ("nothing_to_do", Ending("nothing_to_do", "two replies in a row")),
    ("customer_left", Ending("customer_left", "gave up")),
]


@pytest.mark.parametrize(("reason", "ends"), COUNTING)
def test_an_ending_stands_while_the_browser_lives(
    reason: str, ends: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser is asked, and the ending is the product's or the customer's."""
    watch = Watch(None)
    assert play(tmp_path, monkeypatch, ends, watch).reason == reason
    assert watch.asked == [False]


@pytest.mark.parametrize(("reason", "ends"), COUNTING)
def test_a_browser_that_was_killed_takes_the_ending_away(
    reason: str, ends: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """environment_error, and the reason says how the journey had ended."""
    done = play(tmp_path, monkeypatch, ends, Watch("the rig's own browser is gone"))
    assert done.reason == "environment_error"
    assert done.why.startswith(f"the rig's own browser is gone; {reason}: ")


@pytest.mark.parametrize(
    "ends",
    [PageCrashed("the page crashed"), PlaywrightError("Target crashed"), PlaywrightError("Protocol error: gone")],
)
def test_a_crash_of_the_page_is_asked_about(ends: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whatever command it was met first: the watch is told of the crash, so that it waits for the browser's word on how."""
    watch = Watch(None)
    done = play(tmp_path, monkeypatch, ends, watch, crashed=True)
    assert (done.reason, done.why, watch.asked) == ("product_error", "the page crashed", [True])


def test_an_error_of_the_browser_that_is_no_crash_is_the_environments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that closed, with a page that did not crash."""
    done = play(tmp_path, monkeypatch, PlaywrightError("Target page, context or browser has been closed"), Watch(None))
    assert done.reason == "environment_error"


def test_a_final_state_that_was_seen_was_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is killed after the end of the talk cannot take it away."""
    watch = Watch("the rig's own browser is gone")
    done = play(tmp_path, monkeypatch, Ending("completed", "seen", "CLM-1"), watch)
    assert (done.reason, done.final, watch.asked) == ("completed", "CLM-1", [])


def test_a_context_that_never_closes_changes_no_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journey is over before its context is closed; a close that hangs is lost evidence and no time limit."""
    monkeypatch.setattr(worker, "CLOSE_S", 0.05)
    monkeypatch.setattr(worker, "HARD_S", 0.05)
    done = play(tmp_path, monkeypatch, Ending("completed", "seen", "CLM-1"), Watch(None, closes=False))
    assert (done.reason, done.counts["capture_failed"]) == ("completed", 1)


@pytest.mark.parametrize(
    ("fault", "model_s", "reason"),
    [(None, 0.0, "time_limit"), (None, FOREVER, "environment_error"), ("gone", 0.0, "environment_error")],
)
def test_the_hard_limit_asks_who_was_at_fault(
    fault: str | None, model_s: float, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The product, if the browser lives and the model did not take the time; else the environment."""
    monkeypatch.setattr(worker, "HARD_S", 0.05)

    async def never() -> Ending:
        await asyncio.sleep(FOREVER)
        raise AssertionError

    done = play(tmp_path, monkeypatch, never, Watch(fault), model_s=model_s)
    assert done.reason == reason
    assert "hard time limit" in done.why


def test_a_page_that_does_not_answer_one_question_is_no_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One wait that ran out is named as that, and not as the end of the journey's time."""
    done = play(tmp_path, monkeypatch, TimeoutError(), Watch(None))
    assert (done.reason, done.why) == ("product_error", "the page does not answer")


def test_a_dirty_start_needs_no_browser_to_speak_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An ending that does not count is not looked into."""
    watch = Watch("gone")
    assert play(tmp_path, monkeypatch, DirtyEnvironment("a conversation"), watch).reason == "environment_error"
    assert watch.asked == []
