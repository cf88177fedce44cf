"""The staff pages: sign-in, work list, case."""

import secrets
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from harness.devstack.claims import review
from harness.devstack.claims.case import Case, show_value
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.defects import staff as bends
from harness.devstack.service import Claims, file_key
from harness.devstack.stores import StoreFault
from harness.devstack.web.sign_in import staff_name
from harness.devstack.web.templating import page

COOKIE = "staff_session"
LEVELS = {"urgent": "Urgent", "complex": "Complex", "standard": "Standard", "simple": "Simple"}
RESULTS = {"hit": "Alert", "clear": "Clear", "not_checked": "Not checked", "not_applicable": "Not applicable"}
CHECKS = {
    "receipt_after_incident": "Receipt dated after the incident",
    "quote_before_incident": "Quote dated before the incident",
    "prior_claims_within_year": "Other claims within a year",
    "loss_within_30_days_of_inception": "Loss soon after cover began",
}
REASONS = {
    "injury_reported": "Injury reported",
    "uninhabitable": "Home uninhabitable",
    "ongoing_danger": "Danger continuing",
    "vehicle_stolen": "Vehicle stolen",
    "not_drivable": "Vehicle not drivable",
    "liability_disputed": "Liability disputed",
    "loss_at_least_10000": "Loss of 10,000 or more",
    "third_party_involved": "Third party involved",
    "loss_at_least_1000": "Loss of 1,000 or more",
    "police_involved": "Police involved",
    "minor_damage": "Minor damage",
}
NOT_YET = "Not submitted yet"


def _claims(request: Request) -> Claims:
    claims: Claims = request.app.state.claims
    return claims


async def _signed_in(request: Request) -> bool:
    data = await run_in_threadpool(_claims(request).db.session, request.cookies.get(COOKIE))
    return bool(data and data.get("kind") == "staff")


async def work_list(request: Request) -> Response:
    """The work list, or the sign-in for those who are not signed in."""
    if not await _signed_in(request):
        return page("staff_sign_in.html", wrong=False)
    query = request.query_params.get("q", "").strip()[:100]
    cases = bends.in_work_list(await run_in_threadpool(_claims(request).db.cases, query))
    return page("staff_list.html", rows=[_row(c) for c in cases], query=query)


async def sign_in(request: Request) -> Response:
    """Check name and password."""
    name = await staff_name(request)
    if name is None:
        return page("staff_sign_in.html", 401, wrong=True)
    session = secrets.token_urlsafe(32)
    await run_in_threadpool(_claims(request).db.add_session, session, {"kind": "staff", "name": name})
    answer = RedirectResponse("/staff", 303)
    answer.set_cookie(COOKIE, session, httponly=True, samesite="lax", path="/staff")
    return answer


async def sign_out(request: Request) -> Response:
    """End the session."""
    if session := request.cookies.get(COOKIE):
        await run_in_threadpool(_claims(request).db.end_session, session)
    answer = RedirectResponse("/staff", 303)
    answer.delete_cookie(COOKIE, path="/staff")
    return answer


async def _case(request: Request) -> Case | None:
    if not await _signed_in(request):
        return None
    case = await run_in_threadpool(_claims(request).db.case, request.path_params["ref"])
    if case is None:
        raise HTTPException(404)
    return case


async def case_page(request: Request) -> Response:
    """One case with everything staff need."""
    case = await _case(request)
    if case is None:
        return RedirectResponse("/staff", 303)
    return page("staff_case.html", **bends.bend_page(case, _case_view(case)))


async def case_file(request: Request) -> Response:
    """A file of a case, for looking at."""
    case = await _case(request)
    if case is None:
        return RedirectResponse("/staff", 303)
    upload = next((u for u in case.uploads if u.id == request.path_params["upload_id"]), None)
    if upload is None:
        raise HTTPException(404)
    try:
        data = await run_in_threadpool(_claims(request).files.get, file_key(case.ref, upload.id))
    except StoreFault as exc:
        raise HTTPException(502) from exc
    return Response(data, media_type=upload.content_type, headers={"Content-Disposition": "inline"})


async def answered(request: Request) -> Response:
    """A question or contact request is dealt with."""
    case = await _case(request)
    if case is None:
        return RedirectResponse("/staff", 303)
    if not await _claims(request).answer_note(case.ref, request.path_params["index"]):
        raise HTTPException(404)
    return RedirectResponse(f"/staff/cases/{case.ref}", 303)


def _row(case: Case) -> dict[str, Any]:
    return {
        "ref": case.ref,
        "name": case.number or "Draft",
        "status": case.status.capitalize(),
        "kind": _class_title(case),
        "level": LEVELS[case.triage.level] if case.triage else "",
        "level_code": case.triage.level if case.triage else "",
        "reasons": _reasons(case),
        "review": ("Review needed" if case.review.required else "No review needed") if case.review else "",
        "open": sum(n.status == "open" for n in case.notes),
        "at": (case.submitted_at or case.started).strftime("%d %b %Y, %H:%M"),
    }


def _reasons(case: Case) -> str:
    return "; ".join(REASONS[r] for r in case.triage.reasons) if case.triage else ""


def _class_title(case: Case) -> str:
    spec = catalogue().classes.get(case.scenario_class or "")
    return spec.title if spec else "Not known yet"


def _case_view(case: Case) -> dict[str, Any]:
    specs = catalogue().facts
    order = {f: n for n, f in enumerate(specs)}
    facts = [
        {
            "id": fact,
            "label": specs[fact].label if fact in specs else fact,
            "value": show_value(fact, held.value),
            "status": held.status.capitalize(),
        }
        for fact, held in sorted(case.facts.items(), key=lambda i: order.get(i[0], len(order)))
    ]
    notes = [
        {"index": n, "kind": note.kind, "text": note.text, "status": note.status.capitalize()}
        for n, note in enumerate(case.notes)
    ]
    return {
        "row": _row(case),
        "scenario_class": case.scenario_class or "",
        "not_yet": NOT_YET,
        "checks": _checks(case),
        "explanation": case.review.explanation if case.review else None,
        "facts": facts,
        "files": [
            {
                "id": u.id,
                "name": u.name,
                "size": f"{u.size:,} bytes",
                "kind": catalogue().files[u.kind].label if u.kind in catalogue().files else u.kind.capitalize(),
                "date": _paper_date(case, u.id),
            }
            for u in case.uploads
        ],
        "questions": [n for n in notes if n["kind"] == "question"],
        "contacts": [n for n in notes if n["kind"] == "contact"],
        "entries": case.entries,
    }


def _paper_date(case: Case, upload_id: str) -> str:
    upload = next(u for u in case.uploads if u.id == upload_id)
    shown = show_value("incident_date", upload.document_date) if upload.document_date else ""
    return f"{shown} (pages missing)".strip() if upload.pages_missing else shown


def _checks(case: Case) -> list[dict[str, str]]:
    if case.review is None:
        return []
    return [
        {
            "check": CHECKS[check],
            "code": case.review.checks[check],
            "result": RESULTS[case.review.checks[check]],
            "explanation": _beside(case, check),
            "why_not": case.review.why_not.get(check, ""),
        }
        for check in review.CHECKS
    ]


def _beside(case: Case, check: str) -> str:
    if case.review is None or case.review.checks[check] != "hit":
        return ""
    return case.explanations.get(check) or "The customer has not explained this."


ROUTES = [
    Route("/staff", work_list),
    Route("/staff/sign-in", sign_in, methods=["POST"]),
    Route("/staff/sign-out", sign_out, methods=["POST"]),
    Route("/staff/cases/{ref}", case_page),
    Route("/staff/cases/{ref}/files/{upload_id}", case_file),
    Route("/staff/cases/{ref}/notes/{index:int}", answered, methods=["POST"]),
]
