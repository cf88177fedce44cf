"""Setup to receipt and start ticket."""

import secrets
from dataclasses import dataclass

from harness.errors import DirtyEnvironment
from harness.product import ProductClient, plain
from harness.schema.inquiry import InquirySeedReceipt, InquirySeedRequest, InquirySetup, InquiryState
from harness.schema.product import SeedReceipt, SeedRequest
from harness.schema.setup import ClaimsSetup
from harness.schema.strict_json import canonical
from harness.schema.ticket import StartTicket


@dataclass(frozen=True)
class Seeded:
    """A product in a known state."""

    request: SeedRequest | InquirySeedRequest
    receipt: SeedReceipt | InquirySeedReceipt

    @property
    def ticket(self) -> StartTicket:
        """All that a worker learns of it."""
        return StartTicket(
            start_url=self.receipt.start_url, claimant_session=self.request.claimant_session, login=self.receipt.login
        )


def seed_request(setup: ClaimsSetup | InquirySetup, defects: list[str]) -> SeedRequest | InquirySeedRequest:
    """The request for a package's setup, under a fresh random id; the canary and everything of an oracle stay out."""
    if isinstance(setup, InquirySetup):
        state = {name: getattr(setup, name) for name in InquiryState.model_fields}
        return InquirySeedRequest(
            schema="inquiry-seed-request-v1", request_id=secrets.token_hex(16),
            claimant_session=setup.claimant_session, defects=sorted(defects), **state,
        )  # fmt: skip
    return SeedRequest(
        schema="seed-request-v1", request_id=secrets.token_hex(16), claimant_session=setup.claimant_session, now=setup.now,
        policy=setup.policy, prior_claims=setup.prior_claims, failed_lookups=list(setup.failed_lookups), defects=sorted(defects),
    )  # fmt: skip


async def seed(client: ProductClient, request: SeedRequest | InquirySeedRequest) -> Seeded:
    """Seed and compare. Raises SeedError (SeedRefused among them), or DirtyEnvironment naming the first field that differs."""
    receipt = await client.seed(request)
    asked, stored = plain(request), plain(receipt.stored)
    for name in asked:
        if canonical(asked[name]) != canonical(stored.get(name)):
            raise DirtyEnvironment(f"the seed receipt differs from the request in {name}")
    if not client.adapter.allowed(receipt.start_url):
        raise DirtyEnvironment(f"the start address {receipt.start_url} is not one of the adapter's origins")
    wants_login = request.claimant_session != "anonymous"
    if wants_login != (receipt.login is not None):
        raise DirtyEnvironment(f"claimant_session {request.claimant_session} and the receipt's login do not agree")
    return Seeded(request, receipt)
