"""How the customer meets the product; all that a worker learns of the product's state."""

from typing import Literal

from harness.schema.base import Strict

ClaimantSession = Literal["anonymous", "new_account", "anonymous_then_sign_in"]


class Login(Strict):
    """An account made for this journey alone."""

    email: str
    password: str


class StartTicket(Strict):
    """Where a journey starts."""

    start_url: str
    claimant_session: ClaimantSession
    login: Login | None
