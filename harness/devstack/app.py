"""The product as one ASGI application."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from harness.devstack import rig_routes
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.runtime import Runtime
from harness.devstack.config import Settings
from harness.devstack.inquiry import rig_routes as inquiry_rig_routes
from harness.devstack.inquiry.service import Inquiry
from harness.devstack.service import Claims
from harness.devstack.stores import Database, Files
from harness.devstack.web import customer, inquiry_staff, staff
from harness.devstack.web import inquiry as inquiry_pages
from harness.devstack.web.templating import HERE, page

_HEADERS = {
    b"content-security-policy": b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
}
_WORDS = {
    404: ("This page does not exist", "The address may be mistyped, or the page has moved."),
    405: ("This does not work here", "The page cannot be used in this way."),
    500: ("Something went wrong on our side", "Please try again in a moment. Nothing you sent before is lost."),
}


class Guard:
    """Security headers on every answer; posts from other sites are refused."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS.items()]
            await send(message)

        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        foreign = origin is not None and urlsplit(origin.decode("latin-1")).netloc != headers.get(b"host", b"").decode(
            "latin-1"
        )
        if scope["method"] not in ("GET", "HEAD") and foreign:
            await JSONResponse({"error": "refused: another site"}, 403)(scope, receive, with_headers)
            return
        await self.app(scope, receive, with_headers)


async def _http_error(request: Request, exc: Exception) -> Response:
    status = exc.status_code if isinstance(exc, HTTPException) else 500
    headers = dict(exc.headers or {}) if isinstance(exc, HTTPException) else {}
    if request.url.path.startswith(("/rig/", "/inquiry/rig/")):
        detail = exc.detail if isinstance(exc, HTTPException) else "internal error"
        return JSONResponse({"error": detail}, status, headers=headers)
    if request.url.path.startswith(("/chat/", "/inquiry/chat/")):
        return JSONResponse({"error": _WORDS.get(status, _WORDS[500])[1]}, status, headers=headers)
    title, text = _WORDS.get(status, ("This did not work", "Please go back and try again."))
    template = "inquiry_error.html" if request.url.path.startswith("/inquiry") else "error.html"
    answer = page(template, status, title=title, text=text)
    answer.headers.update(headers)
    return answer


_Handler = Callable[[Request, Exception], Awaitable[Response]]


def create_app(
    settings: Settings,
    db: Database,
    files: Files,
    runtime: Runtime,
    stores: dict[str, str],
    inquiry: Inquiry | None = None,
) -> Starlette:
    """The application on stores that have been checked.

    Args:
        settings: tokens and staff account.
        db: cases.
        files: uploads.
        runtime: what reads and speaks.
        stores: what the runtime report says about the stores.
        inquiry: the inquiry app, served below `/inquiry`; None: claims alone.
    """
    catalogue()
    handlers: dict[int | type[Exception], _Handler] = {HTTPException: _http_error, 500: _http_error}
    app = Starlette(
        routes=[
            *customer.ROUTES,
            *staff.ROUTES,
            *rig_routes.ROUTES,
            *([*inquiry_pages.ROUTES, *inquiry_staff.ROUTES, *inquiry_rig_routes.ROUTES] if inquiry else []),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[
            Middleware(Guard),
            Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", "[::1]"]),
        ],
        exception_handlers=handlers,
    )
    app.state.settings = settings
    app.state.claims = Claims(db, files, runtime)
    app.state.inquiry = inquiry
    app.state.stores = stores
    return app
