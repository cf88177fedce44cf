"""The rig's own script world in a page: reads what the page shows, shares no variable with it, writes nothing to it."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from harness.errors import InputError, one_line
from harness.schema.base import Strict
from harness.screen.errors import PageCrashed, SurfaceUnreachable

WORLD = "rig"
BEGIN_S = 1.0
"""Within this a navigation that was asked for begins."""
ANSWER_S = 30.0
"""Within this a page answers a question that takes it no time, on a slow machine too."""
SCRIPTS = ("locate.js", "reader.js", "parts.js", "watch.js")
_LOST = (
    "context was destroyed",
    "Cannot find context",
    "navigated or closed",
    "Cannot find default execution context",
    "uniqueContextId not found",
)


class ContextLost(Exception):
    """The document that was asked has gone; another one takes its place."""


class Reading(Strict):
    """What a call of the page scripts gave back: `ok` or `error`."""

    ok: Any = None
    error: str | None = None


def source(config: dict[str, Any] | None) -> str:
    """The page scripts as one program, with the adapter's locators in it."""
    here = Path(__file__).resolve().parent
    parts = [(here / name).read_text(encoding="utf-8") for name in SCRIPTS]
    parts.append(f"globalThis.__rig.configure({json.dumps(config or {})});")
    return "\n".join(parts)


class World:
    """The isolated world of a page's top frame; it comes back by itself after every navigation.

    Args:
        page: a page that has not been navigated yet.
        config: locators by part, as plain data.
        notify: called with the method and parameters of DevTools events the surface wants.
    """

    def __init__(self, page: Page, config: dict[str, Any] | None, notify: Callable[[str], None] | None = None) -> None:
        self.page = page
        self.config = config
        self.notify = notify
        self.crashed = False
        self._session: CDPSession | None = None
        self._main_frame = ""
        self._context: int | None = None
        self._here = asyncio.Event()
        self._died = asyncio.Event()
        self._asked = False
        self._begun = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def session(self) -> CDPSession:
        """The DevTools session; the world must have been started."""
        if self._session is None:
            raise SurfaceUnreachable("the page has not been opened")
        return self._session

    @property
    def document(self) -> int | None:
        """A number of the document that is there now; None between two."""
        return self._context

    async def start(self) -> None:
        """Attaches; from now on every document of the page has the world before its own scripts run."""
        self._session = session = await self.page.context.new_cdp_session(self.page)
        session.on("Runtime.executionContextCreated", self._created)
        session.on("Runtime.executionContextDestroyed", self._destroyed)
        session.on("Runtime.executionContextsCleared", lambda *_: self._gone())
        session.on("Page.frameRequestedNavigation", self._requested)
        session.on("Page.frameStartedLoading", self._started)
        session.on("Page.frameStoppedLoading", self._stopped)
        session.on("Page.domContentEventFired", lambda *_: self._parsed())
        session.on("Page.frameNavigated", self._navigated)
        session.on("Inspector.targetCrashed", lambda *_: self.crash())
        script = {"source": source(self.config), "worldName": WORLD, "runImmediately": True}
        got = await asyncio.gather(session.send("Page.enable"), session.send("Page.getFrameTree"))
        self._main_frame = got[1]["frameTree"]["frame"]["id"]
        await asyncio.gather(  # carried out in this order
            session.send("Inspector.enable"),
            session.send("Runtime.enable"),
            session.send("Page.addScriptToEvaluateOnNewDocument", script),
        )

    def crash(self) -> None:
        """Marks the page as dead and wakes whoever waits for it."""
        self.crashed = True
        self._died.set()
        self._here.set()
        self._idle.set()

    def _created(self, event: dict[str, Any]) -> None:
        context = event["context"]
        aux = context.get("auxData") or {}
        if context.get("name") == WORLD and aux.get("frameId") == self._main_frame:
            self._context = int(context["id"])
            self._here.set()

    def _destroyed(self, event: dict[str, Any]) -> None:
        if event.get("executionContextId") == self._context:
            self._gone()

    def _gone(self) -> None:
        self._context = None
        if not self.crashed:
            self._here.clear()

    def _requested(self, event: dict[str, Any]) -> None:
        if event.get("frameId") == self._main_frame and event.get("disposition", "currentTab") == "currentTab":
            self._asked = True
            self._begun.clear()

    def _started(self, event: dict[str, Any]) -> None:
        if event.get("frameId") == self._main_frame and not self.crashed:
            self._begun.set()
            self._idle.clear()

    def _stopped(self, event: dict[str, Any]) -> None:
        if event.get("frameId") == self._main_frame:
            self._parsed()

    def _parsed(self) -> None:
        self._asked = False
        self._idle.set()

    def _navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        if not frame.get("parentId"):
            self._main_frame = frame["id"]
            if self.notify:
                self.notify(str(frame.get("url", "")))

    async def loaded(self, timeout_s: float) -> bool:
        """True once no navigation of the top frame is under way: its new document has been parsed.

        A navigation that was asked for but does not begin (a download, for instance) is not waited for.
        """
        with suppress(TimeoutError):
            if self._asked:
                await asyncio.wait_for(self._begun.wait(), BEGIN_S)
            await asyncio.wait_for(self._idle.wait(), timeout_s)
            return True
        self._asked = False
        return self._idle.is_set()

    async def call(self, function: str, *args: Any, timeout_s: float = ANSWER_S) -> Any:
        """Calls one function of the page scripts and returns its (awaited) value.

        Raises:
            ContextLost: the document went away meanwhile.
            TimeoutError: no answer, for instance because the page's own script blocks it.
            InputError: a locator of the adapter is not a valid selector.
            PageCrashed: the page's process died.
        """
        return await asyncio.wait_for(self._call(function, args), timeout_s)

    async def again(self, function: str, *args: Any, timeout_s: float = ANSWER_S) -> Any:
        """`call`, repeated in the next document whenever the document goes away."""
        async with asyncio.timeout(timeout_s):
            while True:
                with suppress(ContextLost):
                    return await self._call(function, args)

    async def _call(self, function: str, args: tuple[Any, ...]) -> Any:
        given = ",".join(json.dumps(a) for a in args)
        expression = (
            f"(async()=>{{try{{return{{ok:(await __rig.{function}({given}))??null}}}}"
            "catch(e){return{error:String(e&&e.stack||e)}}})()"
        )
        result = await self._evaluate(expression, by_value=True)
        reading = Reading.model_validate(result.get("value") or {"error": "no answer"})
        if reading.error is not None:
            if "is not a valid selector" in reading.error:
                raise InputError("adapter", reading.error.split("\n")[0])
            raise RuntimeError(f"page script {function}: {reading.error}")
        return reading.ok

    async def _evaluate(self, expression: str, by_value: bool) -> dict[str, Any]:
        await self._here.wait()
        if self.crashed:
            raise PageCrashed("the page crashed")
        context = self._context
        if context is None:
            raise ContextLost
        try:
            answer = await self._unless_dead(
                "Runtime.evaluate",
                {"expression": expression, "contextId": context, "returnByValue": by_value, "awaitPromise": True},
            )
        except PlaywrightError as exc:
            if any(mark in exc.message for mark in _LOST):
                if self._context == context:
                    self._gone()
                raise ContextLost from exc
            if self.crashed or "crash" in exc.message.lower():
                self.crash()
                raise PageCrashed("the page crashed") from exc
            raise SurfaceUnreachable(f"the browser does not answer: {one_line(exc.message)}") from exc
        if "exceptionDetails" in answer:
            raise RuntimeError(f"page script: {answer['exceptionDetails'].get('text')}")
        result: dict[str, Any] = answer["result"]
        return result

    async def _unless_dead(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Sends one DevTools command; a crash of the page ends the wait (its answer would never come)."""
        sending = asyncio.ensure_future(self.session.send(method, params))
        dying = asyncio.ensure_future(self._died.wait())
        try:
            await asyncio.wait((sending, dying), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                answer: dict[str, Any] = sending.result()
                return answer
            raise PageCrashed("the page crashed")
        finally:
            dying.cancel()
            if not sending.done():
                sending.cancel()
                with suppress(asyncio.CancelledError, PlaywrightError):
                    await asyncio.wait((sending,), timeout=0)

    async def closed_roots(self, suspects: int) -> int:
        """How many of the suspects of the last reading really have a closed shadow root."""
        found = 0
        for i in range(min(suspects, 60)):
            try:
                result = await self._evaluate(f"__rig.suspects[{i}]", by_value=False)
                object_id = result.get("objectId")
                if object_id is None:
                    continue
                node = await self.session.send("DOM.describeNode", {"objectId": object_id, "depth": 0, "pierce": True})
            except (ContextLost, PlaywrightError):
                break
            roots = node["node"].get("shadowRoots", [])
            found += any(root.get("shadowRootType") == "closed" for root in roots)
        return found
