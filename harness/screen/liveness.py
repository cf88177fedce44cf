"""Whether the rig's own browser lives: what keeps a part that was killed, or hangs, from being held against the product.

A command to a page whose process has died is never answered, and a browser that hangs answers nothing at all. So a journey
is played beside a watch on the browser itself, and an ending that would count against the product is taken for one only
after that browser has shown that it still makes and reads a page.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from playwright.async_api import Browser, CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from harness.screen.errors import PageCrashed, SurfaceUnreachable

T = TypeVar("T")
GRACE_S = 15.0
"""What a journey gets to end by itself after a part of the browser has died."""
WORD_S = 15.0
"""For the browser to say how the process of a page that is gone has ended."""
NETWORK = "network.mojom.NetworkService"
PROBE_S = 60.0
"""For the browser to make and read an empty page. Generous: a slow machine is no dead browser."""


class Pulse:
    """What becomes of one browser's parts. Make it with `of`, and call `begin` before each journey."""

    def __init__(self, browser: Browser, session: CDPSession) -> None:
        self.browser = browser
        self._session = session
        self._network: set[int] = set()
        """The process through which all pages' requests go, as it was when the journey's page had opened."""
        self.killed: dict[str, int] = {}
        """Target -> signal of every page's process that was killed from outside since `begin`; one that crashes is not in it."""
        self._page: str | None = None
        self._died = asyncio.Event()

    @classmethod
    async def of(cls, browser: Browser) -> "Pulse":
        """A watch on the browser, from now on."""
        session = await browser.new_browser_cdp_session()
        pulse = cls(browser, session)
        session.on("Target.targetCrashed", pulse._crashed)
        browser.on("disconnected", lambda _: pulse._died.set())
        await session.send("Target.setDiscoverTargets", {"discover": True})
        return pulse

    async def opened(self) -> None:
        """The journey's page has opened: by now the browser has all its processes."""
        self._network = await self._network_now()

    async def _network_now(self) -> set[int]:
        got = await self._session.send("SystemInfo.getProcessInfo")
        return {int(one["id"]) for one in got["processInfo"] if one["type"] == NETWORK}

    def begin(self) -> None:
        """Forget what became of the pages of earlier journeys."""
        self.killed.clear()
        self._page = None
        self._network.clear()
        if self.browser.is_connected():
            self._died.clear()

    async def watch(self, page: Page) -> None:
        """This is the journey's page: what becomes of popups and frames beside it is no fault of this journey's."""
        session = await page.context.new_cdp_session(page)
        info = await session.send("Target.getTargetInfo")
        self._page = info["targetInfo"]["targetId"]
        await session.detach()

    def _crashed(self, event: dict[str, Any]) -> None:
        if event.get("status") == "killed":
            self.killed[str(event.get("targetId"))] = int(event.get("errorCode", 0))
        self._died.set()

    async def unless_dead(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, which is given up once nothing can answer it any more.

        Raises:
            PageCrashed: a page's process died, and `work` had not ended `GRACE_S` later although no page answered.
            SurfaceUnreachable: the same of the whole browser.
        """
        task = asyncio.ensure_future(work)
        death = asyncio.ensure_future(self._died.wait())
        try:
            while True:
                await asyncio.wait((task, death), return_when=asyncio.FIRST_COMPLETED)
                if not task.done():
                    await asyncio.wait((task,), timeout=GRACE_S)
                if task.done():
                    return task.result()
                if not self.browser.is_connected():
                    raise SurfaceUnreachable("the browser is gone")
                if not await self._page_answers():
                    raise PageCrashed("the page crashed")
                self._died.clear()  # what died was a frame or a popup
                death = asyncio.ensure_future(self._died.wait())
        finally:
            death.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=GRACE_S)

    async def _page_answers(self) -> bool:
        """Whether the first page of every context still runs script."""
        pages = [context.pages[0] for context in self.browser.contexts if context.pages]
        try:
            async with asyncio.timeout(GRACE_S):
                for page in pages:
                    await page.evaluate("1")
        except (PlaywrightError, TimeoutError):
            return False
        return bool(pages)

    async def fault(self, crashed: bool) -> str | None:
        """Why an ending says nothing of the product: the rig's own browser, or a page's process, was killed or hangs.

        Args:
            crashed: the journey ended because its page's process died; the browser is asked how.
        """
        if crashed and self._page not in self.killed:
            try:
                async with asyncio.timeout(WORD_S):
                    await self._died.wait()
            except TimeoutError:
                return "the page's process is gone, and the browser does not say how"
        signals = [s for target, s in self.killed.items() if self._page in (None, target)]
        if signals:
            return f"the page's process was killed from outside (signal {signals[0]})"
        if not self.browser.is_connected():
            return "the rig's own browser is gone"
        try:
            async with asyncio.timeout(PROBE_S):
                context = await self.browser.new_context()
                page = await context.new_page()
                await page.evaluate("1")
                await context.close()
                if not self._network <= await self._network_now():
                    return "the browser's network process has died"
        except (PlaywrightError, TimeoutError):
            return "the rig's own browser does not answer"
        return None
