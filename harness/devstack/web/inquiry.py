"""The buyer's pages: start link, chat, messages and pictures, and what is new."""

import json
import re
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from harness.devstack.bodies import body_of
from harness.devstack.config import UPLOAD_LIMIT
from harness.devstack.inquiry.phrases import phrase
from harness.devstack.inquiry.service import UPLOAD_S, Inquiry, Rejected
from harness.devstack.inquiry.talk import Entry, Talk
from harness.devstack.service import clean_name
from harness.devstack.web.inquiry_media import document, picture
from harness.devstack.web.templating import fragment, page

COOKIE = "inquiry_session"
_BODY_LIMIT = 256 * 1024
_MESSAGE_ID = re.compile(r"^[A-Za-z0-9-]{8,64}$")
_NOT_UNDERSTOOD = {"error": "This was not understood."}
_SIGNED_OUT = {"error": "Your session has ended. Please open your link again."}


def service(request: Request) -> Inquiry:
    """The inquiry service of this application."""
    inquiry: Inquiry = request.app.state.inquiry
    return inquiry


async def _talk(request: Request) -> Talk | None:
    return await service(request).talk(request.cookies.get(COOKIE))


def _into_chat(session: str) -> Response:
    answer = RedirectResponse("/inquiry/chat", 303)
    answer.set_cookie(COOKIE, session, httponly=True, samesite="lax", path="/inquiry")
    return answer


async def home(request: Request) -> Response:
    """The front page."""
    return page("inquiry_home.html")


async def start_link(request: Request) -> Response:
    """A one-time link becomes a session."""
    session = await service(request).start(request.path_params["link"])
    if session is None:
        return page(
            "inquiry_error.html", 410, title="This link has been used", text="Each link opens once. Please go back."
        )
    return _into_chat(session)


async def walk_in(request: Request) -> Response:
    """Somebody starts a chat from the front page."""
    return _into_chat(await service(request).walk_in(str(request.base_url).rstrip("/")))


async def chat(request: Request) -> Response:
    """The conversation as it stands."""
    talk = await _talk(request)
    if talk is None:
        return RedirectResponse("/inquiry", 303)
    return page("inquiry_chat.html", entries=shown(talk), count=len(talk.entries), final=_final(talk))


def shown(talk: Talk) -> list[dict[str, Any]]:
    """Bubbles for the templates."""
    return [_bubble(entry) for entry in talk.entries]


def _bubble(entry: Entry) -> dict[str, Any]:
    return {**entry.model_dump(), "address": _address(entry)}


def _address(entry: Entry) -> str:
    if entry.kind in ("image", "kbvideo", "document"):
        return f"/inquiry/media/{entry.target}"
    if entry.kind == "file":
        return f"/inquiry/chat/pictures/{entry.target}"
    return entry.target


def _final(talk: Talk) -> str:
    return phrase("handed_over", talk.language) if talk.hand_over else ""


async def messages(request: Request) -> Response:
    """A message of the customer's; answers with its bubble. The reply comes by `updates`."""
    talk = await _talk(request)
    if talk is None:
        return JSONResponse(_SIGNED_OUT, 401)
    raw = await body_of(request, _BODY_LIMIT)
    if raw is None:
        return JSONResponse({"error": "This message is too long."}, 413)
    try:
        body = json.loads(raw)
        message_id, text = body["id"], body["text"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return JSONResponse(_NOT_UNDERSTOOD, 400)
    if not isinstance(text, str) or not isinstance(message_id, str) or not _MESSAGE_ID.match(message_id):
        return JSONResponse(_NOT_UNDERSTOOD, 400)
    if any("\ud800" <= c <= "\udfff" for c in text):
        return JSONResponse(_NOT_UNDERSTOOD, 400)
    try:
        entry = await service(request).message(talk.ref, message_id, text)
    except Rejected as exc:
        return JSONResponse({"error": str(exc)}, 422)
    return JSONResponse({"html": fragment("inquiry_entry.html", entry=_bubble(entry))})


async def pictures(request: Request) -> Response:
    """A picture of the customer's; answers with its bubble."""
    talk = await _talk(request)
    if talk is None:
        return JSONResponse(_SIGNED_OUT, 401)
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > UPLOAD_LIMIT + 64 * 1024:
        return JSONResponse({"error": "Please send a picture of at most 20 MB."}, 413)
    await service(request).typing(talk.ref, hold_s=UPLOAD_S)
    try:
        return await _take_picture(request, talk.ref)
    finally:
        await service(request).typing(talk.ref)


async def _take_picture(request: Request, ref: str) -> Response:
    async with request.form(max_files=1, max_fields=3) as form:
        message_id, file = form.get("id"), form.get("file")
        if not isinstance(message_id, str) or not _MESSAGE_ID.match(message_id) or not isinstance(file, UploadFile):
            return JSONResponse(_NOT_UNDERSTOOD, 400)
        data, name = await file.read(UPLOAD_LIMIT + 1), clean_name(file.filename or "picture")
    try:
        entry = await service(request).picture(ref, message_id, name, data)
    except Rejected as exc:
        return JSONResponse({"error": str(exc)}, 422)
    return JSONResponse({"html": fragment("inquiry_entry.html", entry=_bubble(entry))})


async def typing(request: Request) -> Response:
    """The customer is typing."""
    talk = await _talk(request)
    if talk is not None:
        await service(request).typing(talk.ref)
    return Response(status_code=204)


async def updates(request: Request) -> Response:
    """What the page does not show yet, as soon as there is something or nobody writes any more."""
    talk = await _talk(request)
    if talk is None:
        return JSONResponse(_SIGNED_OUT, 401)
    after = request.query_params.get("after", "")
    count = int(after) if after.isdigit() and len(after) < 7 else 0
    now, busy = await service(request).listen(talk.ref, count)
    if now is None:
        return JSONResponse(_SIGNED_OUT, 401)
    fresh = [
        fragment("inquiry_entry.html", entry=_bubble(e)) if e.who != "customer" else "" for e in now.entries[count:]
    ]
    return JSONResponse(
        {"entries": fresh, "count": len(now.entries), "busy": busy, "final": _final(now), "notice": now.notice}
    )


async def own_picture(request: Request) -> Response:
    """A picture that this customer sent."""
    talk = await _talk(request)
    found = await service(request).picture_bytes(talk.ref, request.path_params["id"]) if talk else None
    if found is None:
        raise HTTPException(404)
    kept, data = found
    return Response(data, media_type=kept.content_type, headers={"Cache-Control": "no-store"})


async def media(request: Request) -> Response:
    """A medium of the seeded world, drawn."""
    talk = await _talk(request)
    if talk is None:
        raise HTTPException(404)
    target = request.path_params["id"]
    world = talk.world
    if any(d.id == target for d in world.media.documents):
        return Response(await run_in_threadpool(document, world), media_type="application/pdf")
    drawn = picture(world, target)
    if drawn is None:
        raise HTTPException(404)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=300"})


ROUTES = [
    Route("/inquiry", home),
    Route("/inquiry/s/{link}", start_link),
    Route("/inquiry/start", walk_in, methods=["POST"]),
    Route("/inquiry/chat", chat),
    Route("/inquiry/chat/messages", messages, methods=["POST"]),
    Route("/inquiry/chat/pictures", pictures, methods=["POST"]),
    Route("/inquiry/chat/pictures/{id}", own_picture),
    Route("/inquiry/chat/typing", typing, methods=["POST"]),
    Route("/inquiry/chat/updates", updates),
    Route("/inquiry/media/{id}", media),
]
