"""The fidelity report: what the simulated customer did wrong, found from the record by rule."""

from typing import Literal

from pydantic import Field

from harness.schema.base import Strict
from harness.schema.events import Severity, SlipKind

FactCoverage = Literal[
    "opening", "told_when_asked", "told_unasked", "denied", "asked_not_told", "not_recognised", "never_came_up"
]
"""`asked_not_told`: a value that would be recognised in any words was asked for and never told. `not_recognised`: asked for,
and no rule can say whether it was told in other words."""
FileCoverage = Literal["handed_over", "promised", "asked_not_given", "never_asked_for"]


class Finding(Strict):
    """One slip."""

    kind: SlipKind
    severity: Severity
    delivered: bool
    """False: stopped before it reached the product."""
    event: int
    """`n` of the move, or of its refusal."""
    turn: int
    by: str
    """Who made the move; `stand_in` is the persona's "I don't know" that the rig puts in the place of refused moves."""
    why: str
    quote: str
    about: list[str]
    """Ids of facts, and files."""
    made_good: list[str]
    """Of what was kept back, what was given later."""
    flagged: bool
    """The guard noted it too, under the same kind."""


class Undecided(Strict):
    """Something that may be a slip, where no rule can say."""

    kind: SlipKind
    delivered: bool
    event: int
    turn: int
    why: str
    about: list[str]


class GuardOnly(Strict):
    """A slip that the guard noted and no detector found under that kind."""

    kind: SlipKind
    event: int
    turn: int
    delivered: bool
    why: str


class Coverage(Strict):
    """How much of the package's customer was put to use."""

    facts: dict[str, FactCoverage]
    unknown: dict[str, bool]
    """Things known not to be known -> whether they were asked for."""
    files: dict[str, FileCoverage]
    wishes: dict[str, bool]
    """Wish -> whether it was put."""
    dont_know_own_words: int
    """Messages that say not to know in the persona's own words."""
    dont_know_other_words: int


class AttemptFidelity(Strict):
    """One attempt."""

    package: str
    trial: int
    attempt: int
    counting: bool
    customer: str
    termination_reason: str
    moves: int
    """Moves carried out, without those the rig made in the author's words."""
    messages: int
    rejected: dict[str, int]
    """Refused moves by the guard's problem."""
    stand_ins: list[int]
    """Event numbers."""
    findings: list[Finding]
    undecided: list[Undecided]
    guard_only: list[GuardOnly]
    spoilt: str | None
    """Why, by the rule of docs/fidelity.md, the journey says nothing of the product; None: it does."""
    missed_by_guard: bool
    """Spoilt, and yet it did not end `simulator_error`: every line of its score is set apart."""
    coverage: Coverage


class KindCount(Strict):
    """Slips of one kind over a run."""

    delivered: dict[Severity, int]
    stopped: dict[Severity, int]
    undecided: int
    flagged: int
    """Of the slips found, those the guard noted too."""


class RunFidelity(Strict):
    """`rig fidelity RUN --json`."""

    schema_: Literal["fidelity-v1"] = Field(alias="schema")
    run: str
    attempts: list[AttemptFidelity]
    unfinished: list[str]
    """Attempts without attempt.json; nothing is said of them."""
    skipped: dict[str, str]
    """Package -> why it was not looked at."""
    kinds: dict[SlipKind, KindCount]
    """Every kind, those that did not occur with zeros."""
    not_looked_for: dict[SlipKind, str]
    """Kinds for which there is no detector, and why."""
    simulator_errors: int
    """Attempts that ended `simulator_error`."""
    spoilt: int
    """Attempts that are spoilt by the rule, however they ended."""
    missed_by_guard: int
