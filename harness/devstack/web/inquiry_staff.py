"""The staff pages of the inquiry app: sign-in, conversations, and one conversation with what the two agents did."""

import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from harness.devstack.inquiry.talk import FIELDS, Talk
from harness.devstack.web.inquiry import service
from harness.devstack.web.sign_in import staff_name
from harness.devstack.web.templating import page

COOKIE = "inquiry_staff"
PATH = "/inquiry/staff"
_HAND_OVER = {
    None: "With the assistant",
    "working_hours": "Taken over in working hours",
    "asked_for_person": "Taken over: the customer asked for a person",
    "after_closing": "Taken over after the closing",
}
_LABELS = {
    "buyer_type": "Type of buyer", "buyer_role": "Role", "product": "Product", "appearance": "Look",
    "interface": "Connector", "quantity": "Quantity", "power": "Power",
}  # fmt: skip


async def _signed_in(request: Request) -> bool:
    return await service(request).is_staff(request.cookies.get(COOKIE))


async def work_list(request: Request) -> Response:
    """The conversations, or the sign-in for those who are not signed in."""
    if not await _signed_in(request):
        return page("inquiry_staff_sign_in.html", wrong=False)
    query = request.query_params.get("q", "").strip()[:100]
    store = service(request).store
    if query:
        found = await run_in_threadpool(store.talk, query.casefold())
        talks = [found] if found is not None else []
    else:
        talks = await run_in_threadpool(store.talks)
    return page("inquiry_staff_list.html", rows=[_row(t) for t in talks], query=query)


def _row(talk: Talk) -> dict[str, Any]:
    first = next((t["text"] for t in talk.turns if t["role"] == "customer" and t["text"]), "(no words yet)")
    return {
        "ref": talk.ref,
        "first": first if len(first) <= 80 else first[:79] + "…",
        "lead": talk.lead_status or "none",
        "hand_over": _HAND_OVER[talk.hand_over],
        "messages": talk.messages,
        "intent": talk.intent,
    }


async def sign_in(request: Request) -> Response:
    """Check name and password."""
    name = await staff_name(request)
    if name is None:
        return page("inquiry_staff_sign_in.html", 401, wrong=True)
    answer = RedirectResponse(PATH, 303)
    session = await service(request).staff_session(name)
    answer.set_cookie(COOKIE, session, httponly=True, samesite="lax", path=PATH)
    return answer


async def sign_out(request: Request) -> Response:
    """End the session."""
    if session := request.cookies.get(COOKIE):
        await run_in_threadpool(service(request).store.end_session, session)
    answer = RedirectResponse(PATH, 303)
    answer.delete_cookie(COOKIE, path=PATH)
    return answer


async def talk_page(request: Request) -> Response:
    """One conversation with form, tools, decisions and hand-over."""
    if not await _signed_in(request):
        return RedirectResponse(PATH, 303)
    talk = await run_in_threadpool(service(request).store.talk, request.path_params["ref"])
    if talk is None:
        raise HTTPException(404)
    return page("inquiry_staff_talk.html", **_view(talk))


def _view(talk: Talk) -> dict[str, Any]:
    tools, decisions, said = [], [], []
    for number, turn in enumerate(talk.turns):
        who = "Customer" if turn["role"] == "customer" else "Assistant"
        text = turn.get("text") if turn["role"] == "customer" else turn["reply_text"]
        pictures = [f"{i['id']} ({i['recognized'] or 'not recognised'})" for i in turn["images"]]
        if text or pictures:
            said.append({"number": number, "who": who, "text": text or "", "pictures": ", ".join(pictures)})
        for call in turn.get("tool_calls", []):
            tools.append(
                {
                    "number": number,
                    "name": call["name"],
                    "arguments": _json(call["arguments"]),
                    "result": _json(call["result"]),
                }
            )
        if turn.get("conversion"):
            made = turn["conversion"]
            decisions.append({"number": number, "phase": made["phase"], "output": made["output"]})
    return {
        "row": _row(talk),
        "form": [{"field": _LABELS.get(k, k), "value": v} for k, v in sorted(talk.form.items(), key=_order)],
        "tools": tools,
        "decisions": decisions,
        "said": said,
    }


def _order(item: tuple[str, str]) -> tuple[int, str]:
    name = item[0]
    return (FIELDS.index(name) if name in FIELDS else len(FIELDS), name)


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 600 else text[:599] + "…"


ROUTES = [
    Route("/inquiry/staff", work_list),
    Route("/inquiry/staff/sign-in", sign_in, methods=["POST"]),
    Route("/inquiry/staff/sign-out", sign_out, methods=["POST"]),
    Route("/inquiry/staff/talks/{ref}", talk_page),
]
