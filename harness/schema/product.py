"""What a product offers to the rig: seed route, runtime report, state read. Published as JSON Schema (`rig schema`)."""

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from harness.schema.base import Strict
from harness.schema.setup import Policy, PriorClaim
from harness.schema.ticket import ClaimantSession, Login
from harness.schema.visible import Identifier, Text

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
LinePattern = Annotated[str, Field(pattern=r"^[a-z_]+(\.[a-z0-9_*-]+)+$")]
ReviewResult = Literal["hit", "clear", "not_checked", "not_applicable"]
TriageLevel = Literal["urgent", "complex", "standard", "simple"]


class RuntimeReport(Strict):
    """`GET runtime report`. `controlled` is a stand-in that answers by keyword."""

    schema_: Literal["runtime-report-v1"] = Field(alias="schema")
    product: str
    version: str
    runtime: Literal["model", "controlled"]
    model: str | None
    """Name of the configured model, None for controlled."""
    stores: dict[str, str]
    """Which stores it stands on, e.g. {"mongodb": "embedded", "s3": "configured"}."""


class SeedRequest(Strict):
    """`POST seed route`, header `Authorization: Bearer <seed token>`. Dev only, loopback only.

    Puts the product into this state with a fresh customer. Nothing of an oracle is in it.
    """

    schema_: Literal["seed-request-v1"] = Field(alias="schema")
    request_id: str
    """Random; the product files everything of this journey under it."""
    claimant_session: ClaimantSession
    now: AwareDatetime
    policy: Policy | None
    prior_claims: list[PriorClaim]
    failed_lookups: list[str]
    defects: list[str]
    """Switchable defects of a calibration product; empty for real ones."""


class SeedReceipt(Strict):
    """The answer. Every field of the request comes back as it was stored; a difference makes the environment dirty."""

    schema_: Literal["seed-receipt-v1"] = Field(alias="schema")
    stored: SeedRequest
    start_url: str
    """Where the customer starts, absolute; carries no meaning a person could read."""
    login: Login | None
    """For `new_account` and `anonymous_then_sign_in`."""
    case_ref: str
    """What to ask the state read for."""


class FactState(Strict):
    """One fact as the product holds it."""

    value: str
    """Canonical: date YYYY-MM-DD, time HH:MM, amount "1240.00 GBP", yes_no, else text."""
    status: Literal["collected", "confirmed"]


class UploadState(Strict):
    """One stored file."""

    name: str
    size: int
    sha256: Sha256
    """As the product says; the rig downloads and hashes by itself."""
    url: str
    """Loopback address of the stored bytes, valid for the state read's token."""
    kind: str | None


class TriageState(Strict):
    level: TriageLevel
    reasons: list[str]


class ReviewState(Strict):
    checks: dict[str, ReviewResult]
    required: bool
    explanation: str | None
    """What the customer said about an alert."""


class NoteState(Strict):
    """A question or contact request of the customer's."""

    kind: Literal["question", "contact"]
    text: str
    status: Literal["open", "answered"]


class CaseState(Strict):
    number: str | None
    """None until submitted."""
    status: Literal["draft", "submitted"]
    scenario_class: str | None
    facts: dict[str, FactState]
    uploads: list[UploadState]
    triage: TriageState | None
    review: ReviewState | None
    notes: list[NoteState]


class StateRead(Strict):
    """`GET state read`: all cases that exist for one seeded customer."""

    schema_: Literal["state-read-v1"] = Field(alias="schema")
    request_id: str
    cases: list[CaseState]


class StaffRow(Strict):
    """Cells of one row of a staff page, by the adapter's names, as visible text."""

    cells: dict[str, str]


class StaffRead(Strict):
    """`staff.json`: what the staff pages showed after the journey, read by the same eyes as the customer's screen."""

    schema_: Literal["staff-read-v1"] = Field(alias="schema")
    found: bool
    """The case (or draft) was in the work list."""
    why_not: str | None
    fields: dict[str, str]
    """Single values: triage_level, triage_reasons, review_required, explanation, case_number, …"""
    lists: dict[str, list[StaffRow]]
    """review_checks, facts, questions, contact_requests, files."""
    pages: list[str]
    """Visible text of each page that was read."""
    pictures: list[str]


class UsageReport(Strict):
    """`GET usage`, optional: what the product's own models cost for one seeded customer."""

    schema_: Literal["usage-report-v1"] = Field(alias="schema")
    request_id: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: str | None
    """Decimal with currency, None if not priced."""


class SwitchableDefect(Strict):
    """One fault of a calibration product that a seed request can switch on, and what it moves on a scorecard."""

    name: Identifier
    """What stands in the seed request's `defects`."""
    seen: Text
    """What a customer or a member of staff meets."""
    lines: Annotated[list[LinePattern], Field(min_length=1)]
    """The score line that names it; a pattern (`files.*`) names the one line of it that fails. Of several the first that a
    package has."""
    follows: dict[LinePattern, Text]
    """Lines that rightly move with it -> why."""
    needs: list[Text]
    """Conditions of a package in which it can show, all of them: see docs/calibration.md."""
    waits_s: float | None = None
    """How long it makes the customer wait, in seconds; another wait can be asked for after a colon (`slow_turn:5`)."""


class DefectReport(Strict):
    """`GET defects`, of calibration products only, with the state read's token: the faults that can be switched on."""

    schema_: Literal["defect-report-v1"] = Field(alias="schema")
    product: str
    defects: list[SwitchableDefect]


PUBLISHED: dict[str, Any] = {
    "runtime-report": RuntimeReport,
    "seed-request": SeedRequest,
    "seed-receipt": SeedReceipt,
    "state-read": StateRead,
    "usage-report": UsageReport,
    "defect-report": DefectReport,
}
