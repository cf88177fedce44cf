"""What the worker makes of a browser of its own that was killed, hangs, or lives."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import psutil
import pytest
from playwright.async_api import Browser, Page, async_playwright

from harness.browser import find_browser, launch_args
from harness.screen import liveness
from harness.screen.errors import PageCrashed, SurfaceUnreachable
from harness.screen.liveness import Pulse

pytestmark = pytest.mark.browser
Run = Callable[[Coroutine[Any, Any, Any]], Any]
FOREVER = 600.0


@contextlib.asynccontextmanager
async def a_browser() -> AsyncIterator[tuple[Pulse, Page, psutil.Process]]:
    """A browser of one's own under watch, with one empty page, and its main process."""
    found = find_browser()
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=found.path, args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
        )
        pulse = await Pulse.of(browser)
        page = await (await browser.new_context()).new_page()
        new = [p for p in psutil.Process().children(recursive=True) if p.pid not in before]
        (main,) = [p for p in new if _is_main(p)]
        try:
            yield pulse, page, main
        finally:
            for one in (main, *_children(main)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.kill()
            await _closed(browser)


async def _closed(browser: Browser) -> None:
    with contextlib.suppress(Exception):
        await asyncio.wait_for(browser.close(), 10)


def _is_main(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        command = process.cmdline()
        named = bool(command) and ("chrom" in command[0] or "headless" in command[0])
        return named and not any(c.startswith("--type=") for c in command)
    return False


def _children(main: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return main.children(recursive=True)
    return []


def end_pages(main: psutil.Process, how: signal.Signals) -> None:
    """Send a signal to every page's process."""
    for one in _children(main):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "--type=renderer" in one.cmdline():
                one.send_signal(how)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """What dies here is given up soon. The probe stays long: it must not fail on a slow machine."""
    monkeypatch.setattr(liveness, "GRACE_S", 3.0)


def test_a_command_to_a_killed_page_is_given_up(run: Run) -> None:
    """The answer would never come; the journey ends as crashed, and the fault names the kill from outside."""

    async def go() -> str | None:
        async with a_browser() as (pulse, _, main):
            pulse.begin()

            async def never_answered() -> None:
                end_pages(main, signal.SIGKILL)
                await asyncio.sleep(FOREVER)

            with pytest.raises(PageCrashed):
                await pulse.unless_dead(never_answered())
            return await pulse.fault(crashed=True)

    assert run(go()) == "the page's process was killed from outside (signal 9)"


def test_a_page_that_crashes_by_itself_is_no_fault_of_the_browser(run: Run) -> None:
    """Given up in the same way, and left with the product."""

    async def go() -> str | None:
        async with a_browser() as (pulse, _, main):
            pulse.begin()

            async def never_answered() -> None:
                end_pages(main, signal.SIGSEGV)
                await asyncio.sleep(FOREVER)

            with pytest.raises(PageCrashed):
                await pulse.unless_dead(never_answered())
            return await pulse.fault(crashed=True)

    assert run(go()) is None


def test_an_ending_before_the_browsers_word_waits_for_it(run: Run) -> None:
    """The page's end may be seen before the browser has said how it came: the word is waited for, not guessed."""

    async def go() -> str | None:
        async with a_browser() as (pulse, _, main):
            pulse.begin()
            verdict = asyncio.ensure_future(pulse.fault(crashed=True))
            await asyncio.sleep(0)
            end_pages(main, signal.SIGKILL)
            return await verdict

    assert run(go()) == "the page's process was killed from outside (signal 9)"


def test_a_killed_browser_is_gone(run: Run) -> None:
    """Whatever the journey waited for: it is given up as unreachable."""

    async def go() -> str | None:
        async with a_browser() as (pulse, _, main):
            pulse.begin()

            async def never_answered() -> None:
                main.kill()
                await asyncio.sleep(FOREVER)

            with pytest.raises(SurfaceUnreachable):
                await pulse.unless_dead(never_answered())
            return await pulse.fault(crashed=False)

    assert run(go()) == "the rig's own browser is gone"


def test_a_browser_that_hangs_is_a_fault_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there and answers nothing: no word on the product."""
    monkeypatch.setattr(liveness, "PROBE_S", 3.0)

    async def go() -> str | None:
        async with a_browser() as (pulse, _, main):
            pulse.begin()
            main.send_signal(signal.SIGSTOP)
            return await pulse.fault(crashed=False)

    assert run(go()) == "the rig's own browser does not answer"


def test_a_network_process_that_was_killed_is_no_word_on_the_product(run: Run) -> None:
    """The browser starts another one, but requests under way are lost, and a page may never get over it."""

    async def go() -> list[str | None]:
        async with a_browser() as (pulse, _, main):
            pulse.begin()
            await pulse.opened()
            said = [await pulse.fault(crashed=False)]
            for one in _children(main):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if any("NetworkService" in part for part in one.cmdline()):
                        one.kill()
                        one.wait(30)
            return [*said, await pulse.fault(crashed=False)]

    assert run(go()) == [None, "the browser's network process has died"]


def test_a_page_that_blocks_itself_is_the_products(run: Run) -> None:
    """Its script runs for ever, while the browser makes and reads other pages: no fault of the browser."""

    async def go() -> str | None:
        async with a_browser() as (pulse, page, _):
            pulse.begin()
            blocked = asyncio.ensure_future(page.evaluate("for (;;) {}"))
            try:
                return await pulse.fault(crashed=False)
            finally:
                blocked.cancel()

    assert run(go()) is None


def test_a_popup_that_is_killed_ends_no_journey(run: Run) -> None:
    """The page still answers, so the journey goes on, and its result is its own."""

    async def go() -> tuple[str, str | None]:
        async with a_browser() as (pulse, page, _):
            pulse.begin()
            await pulse.watch(page)

            async def talk() -> str:
                popup = await page.context.new_page()
                killing = asyncio.ensure_future(popup.goto("chrome://kill"))
                await asyncio.wait_for(pulse._died.wait(), 60)
                await asyncio.sleep(2 * liveness.GRACE_S)
                killing.cancel()
                await asyncio.wait((killing,))
                return str(await page.evaluate("'still here'"))

            said = str(await pulse.unless_dead(talk()))
            assert pulse.killed, "the browser has told of the popup's end"
            return said, await pulse.fault(crashed=False)

    assert run(go()) == ("still here", None)


def test_the_journeys_own_page_that_was_killed_is_told_apart_from_others(run: Run) -> None:
    """An ending that came before the page's end was noticed says nothing of the product all the same."""

    async def go() -> str | None:
        async with a_browser() as (pulse, page, main):
            pulse.begin()
            await pulse.watch(page)
            end_pages(main, signal.SIGKILL)
            await asyncio.wait_for(pulse._died.wait(), 60)
            return await pulse.fault(crashed=False)

    assert run(go()) == "the page's process was killed from outside (signal 9)"


def test_a_journey_that_ends_by_itself_is_left_alone(run: Run) -> None:
    """With nothing dead, its result and its errors are handed through, and there is no fault."""

    async def go() -> str | None:
        async with a_browser() as (pulse, page, _):
            pulse.begin()
            assert await pulse.unless_dead(page.evaluate("1 + 1")) == 2
            with pytest.raises(ZeroDivisionError):
                await pulse.unless_dead(_divides())
            return await pulse.fault(crashed=False)

    async def _divides() -> None:
        raise ZeroDivisionError

    assert run(go()) is None
