"""Tiny products on loopback, one page each, and surfaces on them."""

import asyncio
import base64
import contextlib
import hashlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from playwright.async_api import Browser
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Route

from harness.screen.surface import Limits, Surface
from tests.browser.screen.products import adapter_for

LIMITS = Limits(open_s=20, turn_timeout_s=20, nothing_ms=400, confirm_s=8, picture_s=8)


@dataclass
class Kept:
    """A sink that keeps what a surface records."""

    events: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def emit(self, kind: str, **fields: Any) -> int:
        """Keeps an event."""
        self.events.append({"kind": kind, **fields})
        return len(self.events)

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Keeps a download."""
        self.files[name] = data
        return f"downloads/{name}", hashlib.sha256(data).hexdigest()

    def happened(self, what: str) -> list[dict[str, Any]]:
        """Page events of one sort."""
        return [e for e in self.events if e.get("what") == what]


@contextlib.asynccontextmanager
async def serving(html: str, routes: Sequence[BaseRoute] = ()) -> AsyncIterator[str]:
    """The page at `/`, and more routes, at the address that is given."""

    async def page(_request: object) -> HTMLResponse:
        return HTMLResponse(html)

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = Starlette(routes=[Route("/", page), *routes])
    config = uvicorn.Config(app, log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            await asyncio.sleep(0.005)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


@contextlib.asynccontextmanager
async def opened(
    browser: Browser,
    html: str,
    routes: Sequence[BaseRoute] = (),
    limits: Limits = LIMITS,
    prepare: Callable[[Any, Any], Awaitable[None]] | None = None,
    **parts: Any,
) -> AsyncIterator[tuple[Surface, Kept]]:
    """A settled surface on a page; `parts` change the adapter's customer page, `prepare` gets context and adapter first."""
    kept = Kept()
    async with serving(html, routes) as base:
        context = await browser.new_context(viewport={"width": 900, "height": 700}, service_workers="block")
        try:
            adapter = adapter_for(base, **parts)
            if prepare is not None:
                await prepare(context, adapter)
            surface = await Surface.open(context, adapter, f"{base}/", kept, limits)
            await surface.settle()
            yield surface, kept
            await surface.close()
        finally:
            await context.close()


@contextlib.asynccontextmanager
async def greeting_socket(words: str) -> AsyncIterator[str]:
    """A web socket that says `words` the moment somebody connects; gives its address."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = next(line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
        writer.write(
            f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        data = words.encode()
        writer.write(bytes([0x81, len(data)]) + data)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
            await reader.read(64)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
