"""The hidden half of a package: answers, how files were made, and who looked at them."""

import re
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, JsonValue, model_validator

from harness.schema.base import Strict
from harness.schema.product import ReviewResult, Sha256, TriageLevel
from harness.schema.setup import Canary
from harness.schema.visible import FactKind, FileName, Identifier, Text

Check = Literal[
    "receipt_after_incident", "quote_before_incident", "prior_claims_within_year", "loss_within_30_days_of_inception"
]
CHECKS: tuple[Check, ...] = (
    "receipt_after_incident",
    "quote_before_incident",
    "prior_claims_within_year",
    "loss_within_30_days_of_inception",
)
STRONG: frozenset[Check] = frozenset({"receipt_after_incident", "quote_before_incident"})
WEAK: frozenset[Check] = frozenset({"prior_claims_within_year", "loss_within_30_days_of_inception"})
NotCheckedReason = Literal["unreadable", "missing_page", "lookup_failed", "no_data"]
ScenarioClass = Literal[
    "motor.parked_hit",
    "motor.rear_end",
    "motor.single_vehicle",
    "motor.theft",
    "motor.weather",
    "home.escape_of_water",
    "home.storm",
    "home.burglary",
    "property.accidental_damage",
    "property.theft_away",
]
TriageReason = Literal[
    "injury_reported",
    "uninhabitable",
    "ongoing_danger",
    "vehicle_stolen",
    "not_drivable",
    "liability_disputed",
    "loss_at_least_10000",
    "third_party_involved",
    "loss_at_least_1000",
    "police_involved",
    "minor_damage",
]
InnocentControl = Literal["no_signal", "one_weak_signal", "look_alike"]
Compare = Literal["exact", "date", "time", "amount", "plate", "text", "yes_no", "unknown"]


class TriageLabel(Strict):
    """The right triage."""

    level: TriageLevel
    required_reasons: list[TriageReason]
    """Every reason that applies at the level; each must be shown."""
    allowed_reasons: list[TriageReason]
    """Reasons that may stand beside the required ones: true, but of a lower level. Any other reason is wrong."""

    @model_validator(mode="after")
    def _apart(self) -> "TriageLabel":
        both = [*self.required_reasons, *self.allowed_reasons]
        twice = sorted({r for r in both if both.count(r) > 1})
        if twice:
            raise ValueError(f"the reason {twice[0]} stands twice")
        return self


class CheckLabel(Strict):
    """The right result of one review check."""

    result: ReviewResult
    reason: NotCheckedReason | None = None
    """Why it could not be checked; with `not_checked`, and only with it."""

    @model_validator(mode="after")
    def _reason_goes_with_not_checked(self) -> "CheckLabel":
        if (self.result == "not_checked") != (self.reason is not None):
            raise ValueError("`reason` goes with `not_checked`, and only with it")
        return self


class ReviewChecks(Strict):
    """All four checks; none may be left out."""

    receipt_after_incident: CheckLabel
    quote_before_incident: CheckLabel
    prior_claims_within_year: CheckLabel
    loss_within_30_days_of_inception: CheckLabel

    def by_name(self) -> dict[Check, CheckLabel]:
        """Check -> label, in the fixed order."""
        return {
            "receipt_after_incident": self.receipt_after_incident,
            "quote_before_incident": self.quote_before_incident,
            "prior_claims_within_year": self.prior_claims_within_year,
            "loss_within_30_days_of_inception": self.loss_within_30_days_of_inception,
        }


class OracleFact(Strict):
    """A fact the product holds at the end, if it did its work."""

    id: Identifier
    """Of the product's field, the same as the customer's fact id."""
    field: Text
    """What the field is called by people: heads the score line."""
    kind: FactKind
    value: Text
    """Canonical. "unknown" where the customer does not know; "none" where there is no such thing."""
    compare: Compare
    """How the product's value is held against this one."""
    confirmed: Literal[True]
    """The value counts only once the customer has confirmed it."""


class StateAssertion(Strict):
    """Decided by what the state read says."""

    id: Identifier
    referee: Literal["state"]
    says: Text
    """The assertion in a sentence."""
    path: Annotated[str, Field(pattern=r"^[a-z_]+(\.([a-z][a-z0-9_]*|\d+))*$")]
    """Into the state read, dots between keys and list positions: `cases.0.status`."""
    op: Literal["equals", "contains", "present", "absent"]
    """`contains`: of a text a part, of a list a member. `absent`: the path leads nowhere or to null."""
    value: str | int | bool | None = None

    @model_validator(mode="after")
    def _value_goes_with_op(self) -> "StateAssertion":
        if (self.op in ("equals", "contains")) != (self.value is not None):
            raise ValueError("`value` goes with `equals` and `contains`, and only with them")
        return self


class TextAssertion(Strict):
    """Decided by visible text."""

    id: Identifier
    referee: Literal["text"]
    says: Text
    where: Literal["screen", "reply", "final", "staff"]
    """All the customer saw; the product's replies; the final state; the staff pages."""
    op: Literal["contains", "absent", "matches"]
    """Case and white space do not count. `matches`: `value` is a regular expression found somewhere."""
    value: Text

    @model_validator(mode="after")
    def _is_a_pattern(self) -> "TextAssertion":
        if self.op == "matches":
            try:
                re.compile(self.value)
            except re.error as exc:
                raise ValueError(f"the regular expression is wrong: {exc}") from exc
        return self


class HumanAssertion(Strict):
    """Left to a person."""

    id: Identifier
    referee: Literal["human"]
    says: Text
    question: Text
    """To be answered with yes (good) or no."""


Assertion = Annotated[StateAssertion | TextAssertion | HumanAssertion, Field(discriminator="referee")]


class Labels(Strict):
    """`oracle/labels.json`: the answers."""

    format: Literal["0.2"]
    canary: Canary
    oracle_revision: Annotated[int, Field(ge=1)]
    """Moves with every correction; old runs are scored by both revisions."""
    scenario_class: ScenarioClass
    triage: TriageLabel
    review_checks: ReviewChecks
    review_required: bool
    innocent_control: InnocentControl | None
    """Looks suspicious, and by the rules must not be flagged."""
    expected_facts: Annotated[list[OracleFact], Field(min_length=1)]
    """Must end confirmed with the right value."""
    optional_facts: list[OracleFact]
    """Right if the product asked for them."""
    assertions: list[Assertion]

    @model_validator(mode="after")
    def _ids_once(self) -> "Labels":
        facts = [f.id for f in (*self.expected_facts, *self.optional_facts)]
        for ids in (facts, [a.id for a in self.assertions]):
            twice = sorted({i for i in ids if ids.count(i) > 1})
            if twice:
                raise ValueError(f"the id {twice[0]} stands twice")
        return self


class PrintedField(Strict):
    """One thing that stands on a document or can be read in a picture."""

    page: Annotated[int, Field(ge=1)]
    """Page of the whole document, whether or not the package holds that page."""
    printed: Text
    """As it stands there: "10 March 2026"."""
    kind: FactKind
    value: Text
    """Canonical, as facts are."""
    legible: bool = True
    """False: it is there but cannot be read (blurred, torn, covered)."""


DocumentKind = Literal["photo", "quote", "receipt", "invoice", "letter", "other"]


class FileProvenance(Strict):
    """How one material was made."""

    how: Literal["drawn", "generated", "photographed", "scanned"]
    """drawn: by a recipe of this project from `content`; generated: by an image model from `prompt`."""
    document: DocumentKind
    """What it is; review checks look at quotes and at receipts."""
    recipe: Identifier | None
    content: dict[str, JsonValue]
    """What the recipe draws from, beside the printed fields."""
    prompt: Text | None
    purpose: Text
    """What the file is for in this package."""
    printed_fields: dict[Identifier, PrintedField]
    pages_total: Annotated[int, Field(ge=1, le=200)] | None
    """Pages of the whole document; None for a picture."""
    pages_present: list[Annotated[int, Field(ge=1)]] | None
    """The pages the file holds, ascending; a page left out on purpose is missing here."""
    rng_seed: int | None
    source_images: list[Text]
    """Pictures that were used to make this one and are no material themselves."""
    shows: list[Annotated[list[Text], Field(min_length=1)]] = []
    """What someone who knows nothing must see in a picture: of each group at least one word. Empty: the recipe's own."""

    @model_validator(mode="after")
    def _consistent(self) -> "FileProvenance":
        if (self.how == "drawn") != (self.recipe is not None and self.rng_seed is not None):
            raise ValueError("`recipe` and `rng_seed` go with `drawn`, and only with it")
        if (self.how == "generated") != (self.prompt is not None):
            raise ValueError("`prompt` goes with `generated`, and only with it")
        if (self.pages_total is None) != (self.pages_present is None):
            raise ValueError("`pages_total` and `pages_present` go together")
        if self.pages_total is not None and self.pages_present is not None:
            wrong = [p for p in self.pages_present if p > self.pages_total]
            if wrong or not self.pages_present or sorted(set(self.pages_present)) != self.pages_present:
                raise ValueError("`pages_present` must be ascending pages of `pages_total`, at least one")
        return self


class Provenance(Strict):
    """`provenance.json`: for checker and scorer only."""

    format: Literal["0.2"]
    canary: Canary
    plain_opening: Text
    """The first message in plain wording; a style changes its wording, never a fact."""
    wording: list[Text] = []
    """What, so the author judges, carries no fact: words that only the opening or only the plain wording has, and turns of
    phrase of several words ("not a patch on"), of which no word turns anything round."""
    files: dict[FileName, FileProvenance]


class AssistantCheck(Strict):
    """What an assistant (a program or a model) saw in a file. Never a person's signature."""

    file: FileName
    sha256: Sha256
    by: Text
    saw: Text
    agrees: bool
    """What it saw is what the package assumes."""


class HumanSignature(Strict):
    """A named person looked at this very file."""

    file: FileName
    sha256: Sha256
    name: Text
    signed_at: AwareDatetime


class Contradiction(Strict):
    """One thing in which a blind look and the package differ; found by comparing, not said by the one who looked."""

    code: Identifier
    field: str
    """Of the file's provenance: `document`, `printed_fields.total`, `shows.0`, …"""
    what: Text


class Look(Strict):
    """What a model that was given nothing but the image saw."""

    file: FileName
    sha256: Sha256
    model: Text
    saw: Text
    """Its description. A model's words are data."""
    contradicts: bool
    stub: bool = False
    """The endpoint says of itself that it is a stand-in: nobody looked, and nothing can be frozen on it."""
    kind: DocumentKind | None = None
    """What it took the picture for."""
    things: list[Text] = []
    """What it named as seen."""
    texts: list[Text] = []
    """What it could read."""
    contradictions: list[Contradiction] = []

    @model_validator(mode="after")
    def _says_so(self) -> "Look":
        if self.contradictions and not self.contradicts:
            raise ValueError("a look with contradictions contradicts")
        return self


class Reading(Strict):
    """What optical character recognition read in a document that it was given without a word."""

    file: FileName
    sha256: Sha256
    engine: Text
    """Name and version."""
    text: Annotated[str, Field(max_length=20_000)]
    """As it was read, pages one after the other."""
    contradictions: list[Contradiction]
    against: Sha256 | None = None
    """Hash of the provenance it was held against."""


class BlindLook(Strict):
    """The blind look as a whole."""

    done: bool
    """The vision model looked at every picture of the package."""
    why_not: Text | None
    looks: list[Look]
    readings: list[Reading] = []
    """Of documents, whether or not a vision model was there."""

    @model_validator(mode="after")
    def _said_why(self) -> "BlindLook":
        if self.done != (self.why_not is None) or (self.looks and not self.done):
            raise ValueError(
                "a blind look that is not done says `why_not` and has no looks; a done one has no `why_not`"
            )
        return self


class Review(Strict):
    """`review.json`: assistant checks and human signatures, kept apart."""

    format: Literal["0.2"]
    canary: Canary
    assistant_checks: list[AssistantCheck]
    human_signatures: list[HumanSignature]
    blind_look: BlindLook
