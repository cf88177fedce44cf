"""How the end of a turn is looked for: seldom, yet at the right times and with nothing missed."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from playwright.async_api import Browser

from harness.screen import world
from tests.browser.screen.products import FORM, LOG, SEND, page
from tests.cases.local import opened

pytestmark = pytest.mark.browser
Run = Callable[[Coroutine[Any, Any, Any]], Any]
LATE_MS = 400
"""By how much timers of the rig's world are made late."""
MANY_LOOKS = 12

ONE_CHANGE = page(
    "let pressed = 0, came = 0; s.addEventListener('click', (e) => { pressed = e.timeStamp; });"
    "const answer = async () => { const busy = bubble('', '…', 'typing'); await later(1);"
    "came = performance.now(); bubble('assistant', 'Noted.'); await later(1200); busy.remove(); };" + SEND
)
"""A reply that comes soon after the message and whose busy mark stays."""
TWO_CHANGES = page(
    "const answer = async () => { await later(400); const d = bubble('assistant', 'Noted,'); await later(0);"
    "const end = performance.now() + 300; while (performance.now() < end); await later(40); d.textContent += ' and more.'; };"
    + SEND
)
"""A reply in two parts, between which the page is held up."""
LATE_PANEL = page(
    "const answer = async () => { await reply(['Noted.']);"
    "for (let i = 1; i <= 4; i++) { await later(150); panel.textContent = `Step ${i} of 4`; } };" + SEND,
    LOG + FORM + '<aside id="panel">Nothing yet</aside>',
)
"""What the product has understood comes after the reply."""
SLIDES_IN = page(
    "const answer = async () => { const d = await reply(['Noted.']); d.className = 'in'; };" + SEND,
    head="<style>.in { animation: in 900ms linear } @keyframes in { from { margin-left: 40px } to { margin-left: 0 } }</style>",
)
"""A reply that moves into its place for a while."""


def prefixed(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Runs a script in the rig's world before the rig's own."""
    honest = world.source
    monkeypatch.setattr(world, "source", lambda config: script + honest(config))


def test_a_look_that_comes_late_gives_the_time_of_the_change(
    run: Run, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looks are put off; the first word still counts from when it came, not from when it was looked at."""
    prefixed(
        monkeypatch, f"{{ const real = setTimeout; globalThis.setTimeout = (f, ms) => real(f, ms + {LATE_MS}); }}\n"
    )

    async def go() -> None:
        async with opened(browser, ONE_CHANGE) as (surface, _):
            assert (await surface.send("My car was hit.")).confirmed
            await asyncio.sleep(LATE_MS * 1.5 / 1000)  # settling looks by itself: the look before it is meant
            settled = await surface.settle()
            took = await surface.page.evaluate("came - pressed")
            assert settled.settled and settled.first_ms is not None
            assert abs(settled.first_ms - took) < LATE_MS / 2

    run(go())


def test_a_change_that_is_noticed_late_does_not_end_a_turn_at_once(
    run: Run, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a look was put off, the page gets a moment after it, however long ago the change came: more may be waiting."""
    prefixed(monkeypatch, "globalThis.queueMicrotask = (f) => setTimeout(f, 30);\n")

    async def go() -> None:
        async with opened(browser, TWO_CHANGES, quiet_unmarked_ms="60") as (surface, _):
            assert (await surface.send("My car was hit.")).confirmed
            assert (await surface.settle()).settled
            assert (await surface.read(1)).reply_text() == "Noted, and more."

    run(go())


def test_what_comes_beside_a_reply_is_waited_for(run: Run, browser: Browser) -> None:
    """A panel that is written step by step after the busy mark has gone is read as it is in the end."""

    async def go() -> None:
        async with opened(browser, LATE_PANEL, quiet_ms="300") as (surface, _):
            assert (await surface.send("My car was hit.")).confirmed
            assert (await surface.settle()).settled
            screen = await surface.read(1)
            assert "Step 4 of 4" in [b.text for b in screen.blocks]

    run(go())


def test_an_animation_is_waited_for_not_looked_at_all_the_time(
    run: Run, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply that slides in ends its turn when it has arrived, after a handful of looks."""
    prefixed(
        monkeypatch,
        "{ const real = Document.prototype.getAnimations; globalThis.__asked = 0;"
        "Document.prototype.getAnimations = function () { globalThis.__asked++; return real.call(this); }; }\n",
    )

    async def go() -> None:
        async with opened(browser, SLIDES_IN) as (surface, _):
            assert (await surface.send("My car was hit.")).confirmed
            assert (await surface.settle()).settled
            assert await surface.page.evaluate("document.getAnimations().length") == 0
            asked = await surface.world._evaluate("__asked", by_value=True)
            assert 1 < asked["value"] < MANY_LOOKS

    run(go())
