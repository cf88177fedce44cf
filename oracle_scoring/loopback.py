"""A page on loopback for one person: who may ask it, with which headers it answers, and how it is served."""

import secrets
import socket
from collections.abc import Callable

import uvicorn
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from harness.errors import EnvironmentFault

LOOPBACK = "127.0.0.1"
BODY_LIMIT = 20_000
_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_OWN_SCRIPT = "; script-src 'self'"
_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


class Guard:
    """Only the page's own address and token, security headers on every answer, no posts from elsewhere, no large bodies.

    Args:
        app: the page.
        token: first part of every path; whoever does not know it sees nothing.
        port: of the address at which it answers.
        command: the verb that said the address, for who has lost it.
        script: the page brings a script of its own; none of another origin and none in the page is ever run.
    """

    def __init__(self, app: ASGIApp, token: str, port: int, command: str, script: bool = False) -> None:
        self.app = app
        self._token = token
        self._command = command
        self._hosts = {f"{LOOPBACK}:{port}".encode(), f"localhost:{port}".encode()}
        policy = _POLICY + _OWN_SCRIPT if script else _POLICY
        self._headers = {b"content-security-policy": policy.encode(), **_HEADERS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(k, v) for k, v in message["headers"] if k.lower() not in self._headers]
                message["headers"] = [*kept, *self._headers.items()]
            await send(message)

        problem = self._problem(scope)
        if problem is not None:
            await Response(problem[1], problem[0], media_type="text/plain")(scope, receive, with_headers)
            return
        await self.app(scope, receive, with_headers)

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        hosts = [v for k, v in scope["headers"] if k == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421, "This page has another address."
        first = scope["path"].lstrip("/").partition("/")[0]
        if not secrets.compare_digest(first.encode("utf-8", "replace"), self._token.encode()):
            return 404, f"There is nothing here. The address that `{self._command}` printed has the token in it."
        if scope["method"] in ("GET", "HEAD"):
            return None
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is not None and origin.removeprefix(b"http://") != hosts[0]:
            return 403, "Refused: this came from another site."
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            return 403, "Refused: this came from another site."
        length = headers.get(b"content-length", b"")
        if not length.isdigit() or int(length) > BODY_LIMIT:
            return 413, "Refused: too long."
        return None


def listen(port: int = 0) -> socket.socket:
    """A socket on loopback; with port 0 on a free one.

    Raises:
        EnvironmentFault: the port cannot be had.
    """
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        held.bind((LOOPBACK, port))
        held.listen(64)
    except (OSError, OverflowError) as exc:
        held.close()
        raise EnvironmentFault(f"port {port} of {LOOPBACK} cannot be had ({exc})") from exc
    return held


def serve_page(make: Callable[[str, int], ASGIApp], port: int, say: Callable[[str], None]) -> None:
    """The page until it is interrupted; its address, with the token, is said first.

    Args:
        make: makes the page for a token and a port.
        port: 0 for a free one.

    Raises:
        EnvironmentFault: the port cannot be had.
    """
    with listen(port) as held:
        token = secrets.token_urlsafe(24)
        own = held.getsockname()[1]
        config = uvicorn.Config(
            make(token, own), log_level="warning", access_log=False, server_header=False, date_header=False,
            lifespan="off", ws="none",
        )  # fmt: skip
        say(f"http://{LOOPBACK}:{own}/{token}/")
        try:
            uvicorn.Server(config).run(sockets=[held])
        except KeyboardInterrupt:
            return
