"""Routes for a test rig: runtime report, seed, state, usage, stored pictures. Loopback only, token-guarded, dev only."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from harness.devstack.bodies import body_of
from harness.devstack.inquiry import PRODUCT
from harness.devstack.inquiry.defects import report
from harness.devstack.inquiry.seed import plant, read_seed
from harness.devstack.inquiry.service import Inquiry
from harness.devstack.inquiry.talk import Talk
from harness.devstack.rig_access import SEED_LIMIT, SeedFault, admit, runtime_report


def _guard(request: Request) -> Inquiry:
    admit(request)
    inquiry: Inquiry = request.app.state.inquiry
    return inquiry


async def runtime(request: Request) -> Response:
    """Which runtime answers, and on what it stands."""
    inquiry: Inquiry = request.app.state.inquiry
    return JSONResponse(runtime_report(PRODUCT, inquiry.agents.name, inquiry.agents.model, request.app.state.stores))


async def seed(request: Request) -> Response:
    """Put the product into a state with a fresh visitor."""
    inquiry = _guard(request)
    raw = await body_of(request, SEED_LIMIT)
    if raw is None:
        return JSONResponse({"error": "body: too large"}, 413)
    try:
        return JSONResponse(await plant(inquiry.store, read_seed(raw), str(request.base_url).rstrip("/")))
    except SeedFault as exc:
        return JSONResponse({"error": str(exc)}, exc.status)


async def _talk(request: Request) -> Talk:
    talk = await run_in_threadpool(_guard(request).store.talk, request.path_params["case_ref"])
    if talk is None:
        raise HTTPException(404, "no such conversation")
    return talk


async def state(request: Request) -> Response:
    """The conversation of one seeded visitor, as stored."""
    talk = await _talk(request)
    base = str(request.base_url).rstrip("/")
    return JSONResponse(
        {"schema": "inquiry-state-read-v1", "request_id": talk.request_id, "cases": [talk_state(talk, base)]}
    )


def talk_state(talk: Talk, base_url: str) -> dict[str, Any]:
    """One conversation as the state read gives it."""
    world = talk.world
    return {
        "ref": talk.ref,
        "status": "handed_over" if talk.hand_over else "open",
        "lead_status": talk.lead_status,
        "form": dict(talk.form),
        "hand_over": talk.hand_over,
        "uploads": [
            {
                "name": p.name,
                "size": p.size,
                "sha256": p.sha256,
                "url": f"{base_url}/inquiry/rig/pictures/{talk.ref}/{p.id}",
                "kind": p.recognized,
            }
            for p in talk.pictures
        ],
        "catalog_context": {"categories": world.categories, "tags": world.tags},
        "media": {
            "posters": {k: list(v) for k, v in world.media.posters.items()},
            "poster_styles": list(world.media.poster_styles),
            "documents": [d.id for d in world.media.documents],
            "catalog_pdf": world.media.catalog_pdf,
            "products": world.images,
            "videos": [f"{talk.base_url}/inquiry/media/{video}" for video in world.videos],
            "kbvideos": list(world.media.kbvideos),
        },
        "turns": talk.turns,
    }


async def stored_bytes(request: Request) -> Response:
    """The bytes of one picture as they lie in the object store."""
    talk = await _talk(request)
    found = await _guard(request).picture_bytes(talk.ref, request.path_params["picture_id"])
    if found is None:
        raise HTTPException(404, "no such picture")
    return Response(found[1], media_type="application/octet-stream")


async def usage(request: Request) -> Response:
    """What the product's own models cost for one seeded visitor; it has no price list, so cost is null."""
    talk = await _talk(request)
    used = talk.usage
    return JSONResponse(
        {
            "schema": "usage-report-v1",
            "request_id": talk.request_id,
            "calls": used.calls,
            "tokens_in": used.tokens_in,
            "tokens_out": used.tokens_out,
            "cost": None,
        }
    )


async def switchable(request: Request) -> Response:
    """The faults that a seed can switch on: the metric that names each, where it shows, what fails with it."""
    _guard(request)
    return JSONResponse({"schema": "defect-report-v1", "product": PRODUCT, "defects": report()})


ROUTES = [
    Route("/inquiry/rig/runtime", runtime),
    Route("/inquiry/rig/defects", switchable),
    Route("/inquiry/rig/seed", seed, methods=["POST"]),
    Route("/inquiry/rig/state/{case_ref}", state),
    Route("/inquiry/rig/usage/{case_ref}", usage),
    Route("/inquiry/rig/pictures/{case_ref}/{picture_id}", stored_bytes),
]
