"""Routes for a test rig: runtime report, seed, state, usage, stored bytes. Loopback only, token-guarded, dev only."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from harness.devstack.bodies import body_of
from harness.devstack.claims.case import Case
from harness.devstack.claims.defects import DEFECTS, triage
from harness.devstack.rig_access import SEED_LIMIT, SeedFault, admit, runtime_report
from harness.devstack.seed import plant, read_seed
from harness.devstack.service import Claims, file_key
from harness.devstack.stores import StoreFault


def _guard(request: Request) -> Claims:
    admit(request)
    claims: Claims = request.app.state.claims
    return claims


async def runtime(request: Request) -> Response:
    """Which runtime answers, and on what it stands."""
    claims: Claims = request.app.state.claims
    return JSONResponse(
        runtime_report("reference claims", claims.runtime.name, claims.runtime.model, request.app.state.stores)
    )


async def seed(request: Request) -> Response:
    """Put the product into a state with a fresh customer."""
    claims = _guard(request)
    raw = await body_of(request, SEED_LIMIT)
    if raw is None:
        return JSONResponse({"error": "body: too large"}, 413)
    try:
        return JSONResponse(await plant(claims.db, read_seed(raw), str(request.base_url).rstrip("/")))
    except SeedFault as exc:
        return JSONResponse({"error": str(exc)}, exc.status)


async def state(request: Request) -> Response:
    """All cases of one seeded customer, as stored."""
    claims = _guard(request)
    ref = request.path_params["case_ref"]
    customer = await run_in_threadpool(claims.db.customer_of_case, ref)
    if customer is None:
        raise HTTPException(404, "no such case")
    base = str(request.base_url).rstrip("/")
    cases = [case_state(case, base) for case in await claims.cases(customer)]
    return JSONResponse({"schema": "state-read-v1", "request_id": customer.request_id, "cases": cases})


def case_state(case: Case, base_url: str) -> dict[str, Any]:
    """One case as the state read gives it."""
    return {
        "number": case.number,
        "status": case.status,
        "scenario_class": case.scenario_class,
        "facts": {f: held.model_dump() for f, held in case.facts.items()},
        "uploads": [
            {
                "name": u.name,
                "size": u.size,
                "sha256": u.sha256,
                "url": f"{base_url}/rig/uploads/{case.ref}/{u.id}",
                "kind": u.kind,
            }
            for u in case.uploads
        ],
        "triage": held.model_dump() if (held := triage.as_handed_on(case.triage, case.defects)) else None,
        "review": case.review.model_dump(exclude={"why_not"}) if case.review else None,
        "notes": [{"kind": n.kind, "text": n.text, "status": n.status} for n in case.notes],
    }


async def stored_bytes(request: Request) -> Response:
    """The bytes of one upload as they lie in the object store."""
    claims = _guard(request)
    ref, upload_id = request.path_params["case_ref"], request.path_params["upload_id"]
    case = await run_in_threadpool(claims.db.case, ref)
    upload = next((u for u in case.uploads if u.id == upload_id), None) if case else None
    if upload is None:
        raise HTTPException(404, "no such file")
    try:
        data = await run_in_threadpool(claims.files.get, file_key(ref, upload_id))
    except StoreFault as exc:
        raise HTTPException(502, "the object store does not give the file") from exc
    return Response(data, media_type="application/octet-stream")


async def usage(request: Request) -> Response:
    """What the product's own model cost for one seeded customer; it has no price list, so cost is null."""
    claims = _guard(request)
    ref = request.path_params["case_ref"]
    customer = await run_in_threadpool(claims.db.customer_of_case, ref)
    if customer is None:
        raise HTTPException(404, "no such case")
    used = (await claims.case(customer)).usage
    return JSONResponse(
        {
            "schema": "usage-report-v1",
            "request_id": customer.request_id,
            "calls": used.calls,
            "tokens_in": used.tokens_in,
            "tokens_out": used.tokens_out,
            "cost": None,
        }
    )


async def switchable(request: Request) -> Response:
    """The faults that a seed can switch on, and what each of them moves."""
    _guard(request)
    declared = [
        {
            "name": d.name,
            "seen": d.seen,
            "lines": list(d.lines),
            "follows": dict(d.follows),
            "needs": list(d.needs),
            "waits_s": d.waits_s,
        }
        for d in DEFECTS.values()
    ]
    return JSONResponse({"schema": "defect-report-v1", "product": "reference claims", "defects": declared})


ROUTES = [
    Route("/rig/runtime", runtime),
    Route("/rig/defects", switchable),
    Route("/rig/seed", seed, methods=["POST"]),
    Route("/rig/state/{case_ref}", state),
    Route("/rig/usage/{case_ref}", usage),
    Route("/rig/uploads/{case_ref}/{upload_id}", stored_bytes),
]
