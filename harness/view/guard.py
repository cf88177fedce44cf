"""Who may ask the viewer, and with which headers it answers."""

import re
import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oracle_scoring.loopback import LOOPBACK

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"clipboard-read=(), camera=(), microphone=(), geolocation=()",
    b"cache-control": b"no-store",
}
_PATH = re.compile(r"(?!/)[A-Za-z0-9%._~!$&'()*+,;=:@/-]*")
"""What may follow the token: a path on this server, none that a browser would read as another one's address."""


class Guard:
    """Lets through reads of who has the token, at the viewer's own address; everything else gets a refusal without content.

    The token stands once in an address. Whoever brings it there gets a cookie of another secret that no script can read and
    that no other site can make the browser send, and goes on at an address without the token.

    Args:
        app: the viewer.
        token: what the first address has in its path.
        port: of the address at which it answers.
    """

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._token = token.encode()
        self._session = secrets.token_urlsafe(32)
        self._cookie = f"rig_view_{port}"
        self._hosts = {f"{LOOPBACK}:{port}".encode(), f"localhost:{port}".encode()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(k, v) for k, v in message["headers"] if k.lower() not in HEADERS]
                message["headers"] = [*kept, *HEADERS.items()]
            await send(message)

        answer = self._answer(scope)
        await (self._app if answer is None else answer)(scope, receive, with_headers)

    def _answer(self, scope: Scope) -> Response | None:
        """What is said instead of the page; None: the page may be seen."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return PlainTextResponse("This page has another address.\n", 421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("The viewer only reads.\n", 405, {"allow": "GET, HEAD"})
        first = scope["path"].lstrip("/").partition("/")[0]
        if secrets.compare_digest(first.encode("utf-8", "replace"), self._token):
            return self._welcome(scope)
        if not self._known(scope):
            return PlainTextResponse("Refused. The address that `rig view` printed has the token in it.\n", 403)
        return None

    def _welcome(self, scope: Scope) -> Response:
        rest = scope.get("raw_path", b"").lstrip(b"/").partition(b"/")[2].decode("ascii", "replace")
        answer = Response(status_code=303, headers={"location": f"/{rest}" if _PATH.fullmatch(rest) else "/"})
        answer.set_cookie(self._cookie, self._session, path="/", httponly=True, samesite="strict")
        return answer

    def _known(self, scope: Scope) -> bool:
        for name, value in scope["headers"]:
            if name != b"cookie":
                continue
            try:
                brought = SimpleCookie(value.decode("latin-1")).get(self._cookie)
            except CookieError:
                continue
            if brought is not None and secrets.compare_digest(brought.value.encode(), self._session.encode()):
                return True
        return False
