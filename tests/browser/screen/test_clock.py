"""A wall clock that jumps while a page is driven: no turn ends by it, and no duration comes from it."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from playwright.async_api import Browser

from harness.screen import world
from tests.browser.screen.products import page
from tests.cases.local import opened

pytestmark = pytest.mark.browser
Run = Callable[[Coroutine[Any, Any, Any]], Any]
HOUR_MS = 3_600_000
RELOADS = page(
    "const told = sessionStorage.getItem('told'); if (told) { bubble('customer', told); bubble('assistant', 'Noted.'); }"
    "f.onsubmit = (e) => { e.preventDefault(); sessionStorage.setItem('told', t.value); location.href = '/?again'; };"
)
"""A message brings another document."""


@pytest.mark.parametrize("jump_ms", [HOUR_MS, -HOUR_MS])
def test_a_turn_over_two_documents_is_timed_by_neither_wall_clock(
    jump_ms: int, run: Run, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second document's clock is an hour off: the turn settles all the same, and took what it took."""
    honest = world.source
    shift = (
        "{ const origin = performance.timeOrigin + (location.search === '?again' ? JUMP : 0);"
        "Object.defineProperty(performance, 'timeOrigin', { get: () => origin }); }\n"
    ).replace("JUMP", str(jump_ms))
    monkeypatch.setattr(world, "source", lambda config: shift + honest(config))

    async def go() -> None:
        async with opened(browser, RELOADS) as (surface, _):
            sent = await surface.send("My car was hit.")
            assert sent.confirmed, sent.why
            settled = await surface.settle()
            assert (settled.settled, settled.why) == (True, "navigated")
            assert 0 <= settled.total_ms < 60_000
            assert settled.first_ms is not None
            assert 0 <= settled.first_ms < 60_000
            screen = await surface.read(1)
            assert "Noted." in [b.text for b in screen.blocks]

    run(go())
