"""The case as it is stored: what a claim is from the first sentence to its number."""

from datetime import UTC, date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.parse import NONE, UNKNOWN, show_amount, show_date

Stage = Literal["collecting", "confirming", "correcting", "signing_in", "submitted"]
FileStage = Literal["asked", "later", "asked_again", "given_up", "done"]


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class Fact(_Stored):
    """One fact in canonical form."""

    value: str
    status: Literal["collected", "confirmed"] = "collected"


class Upload(_Stored):
    """One stored file. Size and sha256 are of the bytes as they arrived."""

    id: str
    name: str
    size: int
    sha256: str
    kind: str
    content_type: str
    document_date: str | None = None
    """YYYY-MM-DD as printed, None if it could not be read."""
    pages_missing: bool = False
    """The file prints `Page X of N` and does not hold all N pages."""


class Note(_Stored):
    """A question or contact request for staff."""

    kind: Literal["question", "contact"]
    text: str
    status: Literal["open", "answered"] = "open"
    at: datetime


class Entry(_Stored):
    """One bubble of the conversation."""

    id: str
    who: Literal["customer", "assistant"]
    text: str
    file: str | None = None
    tags: list[str] = []
    at: datetime


class Triage(_Stored):
    """Level and reasons."""

    level: str
    reasons: list[str]


class Review(_Stored):
    """Checks and what follows from them."""

    checks: dict[str, str]
    required: bool
    explanation: str | None
    why_not: dict[str, str] = {}
    """Check that was not made -> why, for staff."""


class TurnRecord(_Stored):
    """What one turn did; kept so that a turn sent twice is done once."""

    id: str
    kind: str
    entry: str | None
    """Id of the reply."""
    read: dict[str, str] = {}
    """Facts read in this turn."""
    step: str = ""


class Usage(_Stored):
    """What the product's own model cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    failures: int = 0


class Case(_Stored):
    """One claim."""

    ref: str
    request_id: str
    version: int = 0
    started: datetime
    status: Literal["draft", "submitted"] = "draft"
    stage: Stage = "collecting"
    number: str | None = None
    told_number: str | None = None
    """The number the customer is given: `number`, but for a fault."""
    submitted_at: datetime | None = None
    scenario_class: str | None = None
    facts: dict[str, Fact] = {}
    entries: list[Entry] = []
    uploads: list[Upload] = []
    notes: list[Note] = []
    asked: list[str] = []
    """Facts the newest question is about."""
    attempts: dict[str, int] = {}
    """How often each fact was asked for."""
    files: dict[str, FileStage] = {}
    card: str | None = None
    """The file whose upload card is shown."""
    choosing: bool = False
    """The choice of what happened is shown."""
    class_attempts: int = 0
    explaining: str | None = None
    """The review check whose explanation was just asked for."""
    explained: list[str] = []
    """Checks whose explanation was asked for."""
    explanations: dict[str, str] = {}
    """What the customer said, by review check."""
    corrections: int = 0
    questions_asked: int = 0
    idle: bool = False
    """The newest reply offers nothing to press (a fault; see defects)."""
    taken_up: str | None = None
    """Words with which a question was taken up last; kept for the fault that says them again."""
    defects: list[str] = []
    """Those of the customer, for pages that are not theirs."""
    marks: list[str] = []
    """Defects that have had their effect."""
    triage: Triage | None = None
    review: Review | None = None
    turns: list[TurnRecord] = []
    notice: str | None = None
    usage: Usage = Field(default_factory=Usage)

    def value(self, fact: str) -> str | None:
        """The fact's canonical value, None if it is not held."""
        held = self.facts.get(fact)
        return held.value if held else None

    def dump(self) -> dict[str, Any]:
        """The case as one document of the database."""
        return {"_id": self.ref, **self.model_dump()}

    @classmethod
    def load(cls, document: dict[str, Any]) -> "Case":
        """The case of a document."""
        return cls.model_validate({k: v for k, v in document.items() if k != "_id"})


class PolicyData(BaseModel):
    """Cover, as the lookups know it."""

    model_config = ConfigDict(extra="forbid")

    number: str
    product: str
    holder: str
    inception: str
    insured_item: str


class PriorClaimData(BaseModel):
    """Another claim of the same customer."""

    model_config = ConfigDict(extra="forbid")

    number: str
    reported: str
    kind: str


class Customer(BaseModel):
    """Who is claiming, and what the insurer's systems know about them."""

    model_config = ConfigDict(extra="forbid")

    request_id: str
    case_ref: str
    session: Literal["anonymous", "new_account", "anonymous_then_sign_in"]
    email: str | None
    password_hash: str | None
    signed_in: bool
    clock_offset_s: float
    """Added to the machine's clock gives the product's clock for this customer."""
    policy: PolicyData | None
    prior_claims: list[PriorClaimData]
    failed_lookups: list[str]
    defects: list[str]

    def now(self) -> datetime:
        """The product's clock for this customer, UTC, whole milliseconds."""
        return to_ms(datetime.fromtimestamp(datetime.now(UTC).timestamp() + self.clock_offset_s, UTC))

    def today(self) -> date:
        """The day of `now`."""
        return self.now().date()


def to_ms(moment: datetime) -> datetime:
    """The moment cut to whole milliseconds, as the database keeps it."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def show_value(fact: str, value: str) -> str:
    """A canonical value as people read it."""
    if value == UNKNOWN:
        return "Not known"
    if value == NONE:
        return "None"
    kind = catalogue().facts[fact].kind if fact in catalogue().facts else "text"
    if kind == "date":
        return show_date(value)
    if kind == "amount":
        return show_amount(value)
    if kind == "yes_no":
        return {"yes": "Yes", "no": "No"}.get(value, value)
    return value
