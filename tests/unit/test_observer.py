"""The parent's browser for staff pages is there when it is needed, and a failure to start it early is nobody's fault."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.async_api import Error as PlaywrightError

from harness.browser import Browser
from harness.observe import Observer
from harness.product import ProductClient
from harness.screen.adapter import find_adapter, load_adapter


class _Counting(Observer):
    """Counts starts instead of starting."""

    starts = 0
    wrong: Exception | None = None

    async def _running(self) -> Any:
        self.starts += 1
        if self.wrong is not None:
            raise self.wrong


def _observer(staff: bool = True) -> _Counting:
    adapter = load_adapter(find_adapter("reference-claims"))
    if not staff:
        adapter = adapter.model_copy(update={"staff": None})
    browser = Browser(Path("/nowhere/browser"), "RIG_BROWSER", "Chromium 0", headless_shell=True, sandbox=True)
    return _Counting(browser, adapter, cast(ProductClient, None), "staff", "secret")


@pytest.mark.parametrize("wrong", [None, PlaywrightError("no browser"), OSError("no memory")])
def test_the_browser_is_started_ahead_once(wrong: Exception | None) -> None:
    """However often it is asked for; what fails then is not raised, since the look at the staff pages tries again."""

    async def go() -> int:
        async with _observer() as observer:
            observer.wrong = wrong
            observer.start_ahead()
            observer.start_ahead()
            await asyncio.sleep(0)
        return observer.starts

    assert asyncio.run(go()) == 1


def test_without_staff_pages_no_browser_is_started() -> None:
    """An adapter that names no staff pages needs none."""

    async def go() -> int:
        async with _observer(staff=False) as observer:
            observer.start_ahead()
        return observer.starts

    assert asyncio.run(go()) == 0
