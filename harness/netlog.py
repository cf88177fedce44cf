"""Network evidence of a browser context: every request and body to disk, requests to other origins aborted.

A reply that is streamed with `Cache-Control: no-store` is reported by Chromium as failed (ERR_ABORTED) and its body is
thrown away, unless `enableDurableMessages` lets the browser's own process keep it.
"""

import asyncio
import base64
import contextlib
import re
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, CDPSession, Page, Request, Route, WebSocket
from playwright.async_api import Error as PlaywrightError

from harness.record import Recorder
from harness.schema.network import NetworkLine

BODY_LIMIT = 5_000_000
DRAIN_S = 5.0
BODY_S = 1.0
"""For the browser to hand out what has come of a body that is still coming."""
_OWN_SCHEMES = ("data:", "blob:", "about:")


class _Streams:
    """Bodies of a page's fetches, kept by the browser's own process until they are asked for."""

    def __init__(self) -> None:
        self._sent: dict[tuple[str, str], list[tuple[CDPSession, str]]] = {}
        """Method and address -> where each fetch of that name can be asked for, in the order in which they were sent."""

    async def watch(self, page: Page) -> None:
        """Listen to a page for as long as it lives."""
        session = await page.context.new_cdp_session(page)

        def sent(event: dict[str, Any]) -> None:
            if event.get("type") in ("Fetch", "XHR"):
                name = (event["request"]["method"], event["request"]["url"])
                self._sent.setdefault(name, []).append((session, event["requestId"]))

        session.on("Network.requestWillBeSent", sent)
        await session.send(
            "Network.enable",
            {
                "enableDurableMessages": True,
                "maxTotalBufferSize": 20 * BODY_LIMIT,
                "maxResourceBufferSize": 2 * BODY_LIMIT,
            },
        )

    async def body(self, name: tuple[str, str], number: int | None) -> bytes | None:
        """The body of the fetch of that name with that number, from 0; while it is under way, what has come of it.

        None if the browser has nothing of it.
        """
        sent = self._sent.get(name, [])
        if number is None or number >= len(sent):
            return None
        session, request_id = sent[number]
        try:
            got = await session.send("Network.getResponseBody", {"requestId": request_id})
        except PlaywrightError:
            try:
                got = await session.send("Network.streamResourceContent", {"requestId": request_id})
            except PlaywrightError:
                return None
            return base64.b64decode(got["bufferedData"]) or None
        body = str(got["body"])
        return (base64.b64decode(body) if got["base64Encoded"] else body.encode()) or None


def _elsewhere(origins: Iterable[str]) -> re.Pattern[str]:
    """Addresses that need a look: all but those that begin with an allowed origin as a browser writes it.

    The browser's driver applies it, so that a request to the product is not held up by a way to this process and back.
    """
    mine = [f"{re.escape(origin)}(?:[/?#]|$)" for origin in origins]
    return re.compile(f"^(?!{'|'.join([*map(re.escape, _OWN_SCHEMES), *mine])})")


@dataclass(frozen=True)
class _Under:
    """A request under way."""

    since: float
    turn: int
    number: int | None
    """Among the fetches of its name, from 0; None for what is no fetch."""


class NetLog:
    """Attach before the first navigation; `drain` before the context closes.

    Args:
        allowed: whether a context may request an address.
        origins: what `allowed` allows, as scheme://host[:port] without a default port; only saves time.
    """

    def __init__(self, recorder: Recorder, allowed: Callable[[str], bool], origins: Iterable[str] = ()) -> None:
        self._rec = recorder
        self._allowed = allowed
        self._origins = tuple(origins)
        self._tasks: set[asyncio.Task[None]] = set()
        self._started: dict[Request, _Under] = {}
        self._fetches: Counter[tuple[str, str]] = Counter()
        self._streams = _Streams()
        self.blocked = 0

    async def attach(self, context: BrowserContext) -> None:
        """Listen to all pages of the context and refuse what is not the product."""
        context.on("request", self._request)
        context.on("requestfinished", lambda r: self._spawn(self._finished(r)))
        context.on("requestfailed", lambda r: self._spawn(self._failed(r)))
        context.on("page", self._page)
        await context.route(_elsewhere(self._origins), self._decide)

    def _page(self, page: Page) -> None:
        page.on("websocket", self._websocket)
        self._spawn(self._watch(page))

    async def _watch(self, page: Page) -> None:
        try:
            await self._streams.watch(page)
        except PlaywrightError as exc:
            self._rec.emit(
                "capture_failed", what="network", why=f"streamed bodies are not seen: {str(exc).splitlines()[0]}"[:300]
            )

    def _may(self, url: str) -> bool:
        return url.startswith(_OWN_SCHEMES) or self._allowed(url)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _request(self, request: Request) -> None:
        number: int | None = None
        if request.resource_type in ("fetch", "xhr"):
            name = (request.method, request.url)
            number = self._fetches[name]
            self._fetches[name] += 1
        self._started[request] = _Under(time.monotonic(), self._rec.turn, number)

    async def _decide(self, route: Route) -> None:
        """Of a request that is plainly not the product's, or is written in an unusual way."""
        if self._may(route.request.url):
            with contextlib.suppress(PlaywrightError):
                await route.continue_()
            return
        self.blocked += 1
        parts = urlsplit(route.request.url)
        self._rec.emit(
            "page",
            what="request_blocked",
            detail=f"{parts.scheme}://{parts.netloc}{parts.path}"[:500],
            policy="aborted",
        )
        with contextlib.suppress(PlaywrightError):
            await route.abort("blockedbyclient")

    def _websocket(self, socket: WebSocket) -> None:
        def frame(way: str) -> Callable[[str | bytes], None]:
            def keep(payload: str | bytes) -> None:
                data = payload.encode() if isinstance(payload, str) else payload
                self._write_line(
                    "WS",
                    socket.url,
                    "websocket",
                    None,
                    {},
                    {},
                    data if way == "sent" else None,
                    data if way == "received" else None,
                    None,
                    None,
                )

            return keep

        socket.on("framesent", frame("sent"))
        socket.on("framereceived", frame("received"))

    def _write_line(
        self,
        method: str,
        url: str,
        resource: str,
        status: int | None,
        sent: dict[str, str],
        got: dict[str, str],
        request_body: bytes | None,
        response_body: bytes | None,
        note: str | None,
        duration_ms: float | None,
        turn: int | None = None,
    ) -> None:
        self._rec.network(
            NetworkLine(
                at=datetime.now(UTC),
                t_ms=self._rec.now_ms(),
                turn=self._rec.turn if turn is None else turn,
                method=method,
                url=url,
                resource=resource,
                status=status,
                request_headers=sent,
                response_headers=got,
                request_body=self._rec.body(request_body) if request_body else None,
                response_body=self._rec.body(response_body) if response_body else None,
                body_note=note,
                duration_ms=duration_ms,
            )
        )

    async def _finished(self, request: Request) -> None:
        await self._ended(request, None)

    async def _failed(self, request: Request) -> None:
        await self._ended(request, request.failure or "failed")

    async def _ended(self, request: Request, failure: str | None) -> None:
        under = self._started.get(request)
        if under is None:  # written down by `drain` already
            return
        duration = round((time.monotonic() - under.since) * 1000, 1)
        status: int | None = None
        body: bytes | None = None
        note = f"failed: {failure}" if failure else None
        sent: dict[str, str] = dict(request.headers)
        got: dict[str, str] = {}
        try:
            response = await request.response()
            sent = await request.all_headers()
            if response is not None:
                status, got = response.status, await response.all_headers()
                if 300 <= status < 400:
                    note = "redirect"
                elif failure is None:
                    body = await response.body()
        except PlaywrightError as exc:
            note = note or str(exc).splitlines()[0][:200]
        streamed: bytes | None = None
        if body is None and note != "redirect":
            streamed = await self._streams.body((request.method, request.url), under.number)
        if streamed is not None:
            whole = failure in (None, "net::ERR_ABORTED")  # Chromium's word for a stream read to its end, too
            body, note = streamed, "streamed: as far as it was read" if whole else f"cut off: {failure}"
        elif failure and status is None and "blockedbyclient" not in failure.lower().replace("_", ""):
            self._rec.emit(
                "page",
                what="request_failed",
                detail=f"{request.method} {request.url}: {failure}"[:500],
                policy="recorded",
            )
        elif failure and status is not None:
            self._rec.emit("capture_failed", what="body", why=f"{request.method} {request.url}: {failure}"[:500])
        if body is not None and len(body) > BODY_LIMIT:
            note, body = f"too_large: {len(body)} bytes", None
        self._write_line(
            request.method,
            request.url,
            request.resource_type,
            status,
            sent,
            got,
            _post(request),
            body,
            note,
            duration,
            under.turn,
        )
        self._started.pop(request, None)

    async def drain(self) -> None:
        """Wait, bounded, for bodies under way; what did not come is an event. What comes later can be drained again."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=DRAIN_S)
        for task in self._tasks:
            task.cancel()
        left = dict(self._started)
        self._started.clear()
        for request, under in left.items():
            body: bytes | None = None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BODY_S):
                    body = await self._streams.body((request.method, request.url), under.number)
            self._write_line(
                request.method,
                request.url,
                request.resource_type,
                None,
                dict(request.headers),
                {},
                _post(request),
                body[:BODY_LIMIT] if body else None,
                "unfinished at the end",
                None,
                under.turn,
            )
        if left:
            self._rec.emit("capture_failed", what="network", why=f"{len(left)} requests were still open at the end")


def _post(request: Request) -> bytes | None:
    try:
        return request.post_data_buffer
    except (PlaywrightError, UnicodeDecodeError):
        return None
