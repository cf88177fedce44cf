"""The inquiry product's own reading of a seed request, and what comes of it. Dev only."""

import json
import secrets
from typing import Any, Literal

from pydantic import Field
from starlette.concurrency import run_in_threadpool

from harness.devstack.inquiry import defects
from harness.devstack.inquiry.store import TalkStore
from harness.devstack.inquiry.talk import Talk
from harness.devstack.inquiry.world import EMPTY, World
from harness.devstack.rig_access import SeedFault, check_seed, parse_seed
from harness.devstack.stores import AlreadyThere


class SeedBody(World):
    """What a seed request holds."""

    schema_: Literal["inquiry-seed-request-v1"] = Field(alias="schema")
    request_id: str
    claimant_session: Literal["anonymous"]
    defects: list[str]


def read_seed(raw: bytes) -> SeedBody:
    """The request in a body. Raises SeedFault with one line that says which field and why."""
    body = parse_seed(SeedBody, raw)
    check_seed(body.request_id, defects.wrong(body.defects))
    _check(body)
    return body


def _check(body: SeedBody) -> None:
    """Ids that stand for one thing each, versions with names, media that exist."""
    known: dict[str, str] = {}

    def name(medium: str, where: str) -> None:
        if medium in known:
            raise SeedFault(f"{where}: the id {medium} stands twice, in {known[medium]} too")
        known[medium] = where

    for n, product in enumerate(body.products):
        if not all(row.get("Version", "").strip(f"{EMPTY} ") for row in product.specifications):
            raise SeedFault(f"products.{n}.specifications: every row needs a Version")
        for medium in product.media:
            name(medium.id, f"products.{n}.media")
    for language, ids in body.media.posters.items():
        for poster in ids:
            name(poster, f"media.posters.{language}")
    for document in body.media.documents:
        name(document.id, "media.documents")
    for video in body.media.kbvideos:
        name(video, "media.kbvideos")
    if body.media.catalog_pdf is not None and known.get(body.media.catalog_pdf) != "media.documents":
        raise SeedFault(f"media.catalog_pdf: {body.media.catalog_pdf} is not one of media.documents")
    for n, page in enumerate(body.knowledge):
        if strange := next((m for m in page.media if m not in known), None):
            raise SeedFault(f"knowledge.{n}.media: {strange} is no medium of this product")


async def plant(store: TalkStore, body: SeedBody, base_url: str) -> dict[str, Any]:
    """Put the product into the asked state with a fresh visitor; gives the receipt as plain data.

    `stored` is read back from the database. A request id is used once (409).
    """
    fields = {name: getattr(body, name) for name in World.model_fields}
    talk = Talk(
        ref=new_ref(),
        request_id=body.request_id,
        world=World(**fields),
        base_url=base_url,
        defects=list(body.defects),
        lead_status=body.lead_status,
    )
    link = secrets.token_urlsafe(24)
    try:
        held = await run_in_threadpool(store.plant, body.request_id, body.model_dump_json(by_alias=True), talk, link)
    except AlreadyThere as exc:
        raise SeedFault("request_id: was used before", 409) from exc
    return {
        "schema": "inquiry-seed-receipt-v1",
        "stored": json.loads(held),
        "start_url": f"{base_url}/inquiry/s/{link}",
        "login": None,
        "case_ref": talk.ref,
    }


def new_ref() -> str:
    """A fresh reference; says nothing."""
    return f"t{secrets.token_hex(8)}"
