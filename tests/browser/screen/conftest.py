"""One browser and one event loop for all browser tests of the screen."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from playwright.async_api import Browser, Playwright, async_playwright

from harness.browser import find_browser, launch_args

T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, T]], T]


@pytest.fixture(scope="session")
def run() -> Iterator[Run[Any]]:
    """Runs a coroutine to its end in the loop that the browser belongs to."""
    with asyncio.Runner() as runner:
        yield lambda work: runner.run(asyncio.wait_for(work, 120))


@pytest.fixture(scope="session")
def browser(run: Run[Any]) -> Iterator[Browser]:
    """A Chromium that all tests share; each makes its own context."""
    found = find_browser()

    async def start() -> tuple[Playwright, Browser]:
        playwright = await async_playwright().start()
        launched = await playwright.chromium.launch(
            executable_path=found.path, args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
        )
        return playwright, launched

    async def stop(playwright: Playwright, launched: Browser) -> None:
        await launched.close()
        await playwright.stop()

    playwright, launched = run(start())
    yield launched
    run(stop(playwright, launched))
