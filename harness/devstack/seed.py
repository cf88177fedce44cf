"""The product's own reading of a seed request, and what comes of it. Dev only."""

import secrets
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from harness.devstack import accounts
from harness.devstack.claims import defects
from harness.devstack.claims.case import Customer, PolicyData, PriorClaimData, to_ms
from harness.devstack.rig_access import SeedFault, check_seed, parse_seed
from harness.devstack.service import new_case_ref
from harness.devstack.stores import AlreadyThere, Database

_Text = Annotated[str, Field(min_length=1, max_length=4000)]
_Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Policy(_Body):
    number: _Text
    product: Literal["motor", "home", "property"]
    holder: _Text
    inception: _Day
    insured_item: _Text


class _PriorClaim(_Body):
    number: _Text
    reported: _Day
    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]


class SeedBody(_Body):
    """What a seed request holds."""

    schema_: Literal["seed-request-v1"] = Field(alias="schema")
    request_id: str
    claimant_session: Literal["anonymous", "new_account", "anonymous_then_sign_in"]
    now: AwareDatetime
    policy: _Policy | None
    prior_claims: list[_PriorClaim]
    failed_lookups: list[str]
    defects: list[str]


def read_seed(raw: bytes) -> SeedBody:
    """The request in a body. Raises SeedFault with one line that says which field and why."""
    body = parse_seed(SeedBody, raw)
    check_seed(body.request_id, defects.wrong(body.defects))
    return body


async def plant(db: Database, body: SeedBody, base_url: str) -> dict[str, Any]:
    """Put the product into the asked state with a fresh customer; gives the receipt as plain data.

    `stored` is read back from the database. A request id is used once (409).
    """
    document = body.model_dump(by_alias=True)
    document["now"] = to_ms(body.now.astimezone(UTC))
    try:
        stored = await run_in_threadpool(db.add_seed, body.request_id, document)
    except AlreadyThere as exc:
        raise SeedFault("request_id: was used before", 409) from exc
    account = body.claimant_session != "anonymous"
    login = (
        {"email": f"{secrets.token_hex(5)}@customer.example", "password": accounts.new_password()} if account else None
    )
    customer = Customer(
        request_id=body.request_id,
        case_ref=new_case_ref(),
        session=body.claimant_session,
        email=login["email"] if login else None,
        password_hash=accounts.hash_password(login["password"]) if login else None,
        signed_in=body.claimant_session == "new_account",
        clock_offset_s=(body.now - datetime.now(UTC)).total_seconds(),
        policy=PolicyData(**body.policy.model_dump()) if body.policy else None,
        prior_claims=[PriorClaimData(**p.model_dump()) for p in body.prior_claims],
        failed_lookups=list(body.failed_lookups),
        defects=list(body.defects),
    )
    link = secrets.token_urlsafe(24)
    await run_in_threadpool(db.add_customer, customer, link)
    stored["now"] = stored["now"].isoformat()
    return {
        "schema": "seed-receipt-v1",
        "stored": stored,
        "start_url": f"{base_url}/s/{link}",
        "login": login,
        "case_ref": customer.case_ref,
    }
