"""The customer's pages: home, start link, chat, turns as a stream of JSON lines."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from harness.devstack.bodies import body_of
from harness.devstack.claims.case import Customer
from harness.devstack.claims.defects.talk import in_a_word
from harness.devstack.config import UPLOAD_LIMIT
from harness.devstack.service import Bubble, Claims, Done, Event, Failed, Piece, Rejected
from harness.devstack.web.templating import fragment, page
from harness.devstack.web.view import beyond_the_screen, chat_view, regions

COOKIE = "claim_session"
_BODY_LIMIT = 256 * 1024
_TURN_ID = re.compile(r"^[A-Za-z0-9-]{8,64}$")
_SIGNED_OUT = "Your session has ended. Please open your link again."


def _claims(request: Request) -> Claims:
    claims: Claims = request.app.state.claims
    return claims


async def _customer(request: Request) -> Customer | None:
    return await _claims(request).customer(request.cookies.get(COOKIE))


def _into_chat(session: str) -> Response:
    answer = RedirectResponse("/chat", 303)
    answer.set_cookie(COOKIE, session, httponly=True, samesite="lax", path="/")
    return answer


async def home(request: Request) -> Response:
    """The front page."""
    return page("home.html", in_progress=await _customer(request) is not None)


async def start_link(request: Request) -> Response:
    """A one-time link becomes a session."""
    session = await _claims(request).start(request.path_params["link"])
    if session is None:
        return page(
            "error.html",
            410,
            title="This link has been used",
            text="Each link opens once. Please go back to the page you came from, or start a new claim.",
        )
    return _into_chat(session)


async def walk_in(request: Request) -> Response:
    """Somebody starts a claim from the front page."""
    return _into_chat(await _claims(request).walk_in())


async def chat(request: Request) -> Response:
    """The conversation as it stands."""
    customer = await _customer(request)
    if customer is None:
        return RedirectResponse("/", 303)
    return page("chat.html", **chat_view(await _claims(request).case(customer), customer))


async def claim(request: Request) -> Response:
    """The claim as data, as the page's script and the apps use it."""
    customer = await _customer(request)
    if customer is None:
        return JSONResponse({"error": _SIGNED_OUT}, 401)
    case = await _claims(request).case(customer)
    return JSONResponse(_plain(beyond_the_screen(case, customer, case.turns[-1] if case.turns else None)))


async def turns(request: Request) -> Response:
    """A message, a button or a sign-in; answers with the reply as a stream."""
    customer = await _customer(request)
    if customer is None:
        return JSONResponse({"error": _SIGNED_OUT}, 401)
    raw = await body_of(request, _BODY_LIMIT)
    if raw is None:
        return JSONResponse({"error": "This message is too long."}, 413)
    try:
        body = json.loads(raw)
        turn_id, kind = str(body["turn_id"]), str(body["kind"])
    except (ValueError, KeyError, TypeError):
        return JSONResponse({"error": "This was not understood."}, 400)
    if not _TURN_ID.match(turn_id):
        return JSONResponse({"error": "This was not understood."}, 400)
    claims = _claims(request)
    if kind == "message" and await claims.breaks(customer, "fails"):
        raise HTTPException(500)
    stops = kind == "message" and await claims.breaks(customer, "stops")
    try:
        if kind == "message":
            events = claims.message(customer, turn_id, str(body.get("text", "")))
        elif kind == "press":
            events = claims.press(customer, turn_id, str(body.get("action", "")))
        elif kind == "sign_in":
            events = claims.sign_in(customer, turn_id, str(body.get("email", "")), str(body.get("password", "")))
        else:
            return JSONResponse({"error": "This was not understood."}, 400)
    except Rejected as exc:
        return JSONResponse({"error": str(exc)}, 422)
    return _stream(_half(events) if stops else events)


async def uploads(request: Request) -> Response:
    """A file from an upload card."""
    customer = await _customer(request)
    if customer is None:
        return JSONResponse({"error": _SIGNED_OUT}, 401)
    too_large = JSONResponse(
        {"error": f"The file is too large: at most {UPLOAD_LIMIT // 1024 // 1024} MB, please."}, 413
    )
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > UPLOAD_LIMIT + 64 * 1024:
        return too_large
    async with request.form(max_files=1, max_fields=5) as form:
        turn_id, card, file = form.get("turn_id"), form.get("card"), form.get("file")
        if not isinstance(turn_id, str) or not _TURN_ID.match(turn_id) or not isinstance(file, UploadFile):
            return JSONResponse({"error": "This was not understood."}, 400)
        data = await file.read(UPLOAD_LIMIT + 1)
        name = file.filename or "file"
    try:
        return _stream(_claims(request).upload(customer, turn_id, str(card), name, data))
    except Rejected as exc:
        return JSONResponse({"error": str(exc)}, 422)


def _stream(events: AsyncIterator[Event]) -> Response:
    return StreamingResponse(_lines(events), media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


async def _lines(events: AsyncIterator[Event]) -> AsyncIterator[str]:
    async for event in events:
        yield json.dumps(_line(event), ensure_ascii=False) + "\n"


async def _half(events: AsyncIterator[Event]) -> AsyncIterator[Event]:
    """A turn whose stream ends in the middle of the last word of its reply."""
    held: Piece | None = None
    async for event in events:
        if held is not None:
            ends = not isinstance(event, Piece)
            yield Piece(in_a_word(held.text)) if ends else held
            if ends:
                return
        held = event if isinstance(event, Piece) else None
        if held is None:
            yield event


def _line(event: Event) -> dict[str, Any]:
    match event:
        case Bubble(entry):
            return {"type": "bubble", "html": fragment("_entry.html", entry=entry)}
        case Piece(text):
            return {"type": "piece", "text": text}
        case Failed(message):
            return {"type": "failed", "message": message}
        case Done(case, customer, record):
            reply = next((e for e in case.entries if e.id == record.entry), None)
            return {
                "type": "done",
                "reply": fragment("_entry.html", entry=reply) if reply else "",
                "regions": regions(case, customer),
                "contact": not case.idle,
                "signed_in": customer.email if customer.signed_in else None,
                "notice": case.notice,
                **_plain(beyond_the_screen(case, customer, record)),
            }


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(data, default=str))
    return plain


ROUTES = [
    Route("/", home),
    Route("/s/{link}", start_link),
    Route("/start", walk_in, methods=["POST"]),
    Route("/chat", chat),
    Route("/chat/claim", claim),
    Route("/chat/turns", turns, methods=["POST"]),
    Route("/chat/uploads", uploads, methods=["POST"]),
]
