"""`setup.json`: what the product must hold before a journey starts. Hidden from whatever speaks for the customer."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from harness.schema.base import Strict
from harness.schema.ticket import ClaimantSession
from harness.schema.visible import Identifier, Text

Canary = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
IsoDate = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class Policy(Strict):
    """The customer's cover as the insurer's systems know it."""

    number: Text
    product: Literal["motor", "home", "property"]
    holder: Text
    inception: IsoDate
    """First day of cover; a renewal keeps the first inception."""
    insured_item: Text
    """Plate, address or item."""


class PriorClaim(Strict):
    """Another claim of the same customer."""

    number: Text
    reported: IsoDate
    kind: Identifier


class ClaimsSetup(Strict):
    """State of the claims product for one package."""

    format: Literal["0.2"]
    canary: Canary
    kind: Literal["claims"]
    claimant_session: ClaimantSession
    now: AwareDatetime
    """The product's clock at the start of the journey, UTC."""
    policy: Policy | None
    prior_claims: list[PriorClaim]
    failed_lookups: list[Literal["policy", "prior_claims"]] = []
    """Systems the product cannot reach: checks that need them are not_checked."""
