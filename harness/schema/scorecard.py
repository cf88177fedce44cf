"""What scoring writes and report, viewer and publishing read."""

from typing import Literal

from pydantic import Field

from harness.schema.base import Strict
from harness.schema.product import Sha256

LineState = Literal["pass", "fail", "not_applicable", "not_checked", "unimplemented", "needs_human"]
Referee = Literal["rule", "state", "text", "human"]
Group = Literal[
    "triage", "review", "facts", "incident_time", "journey", "staff", "files", "assertions", "metrics", "answers"
]
"""The last two are those of a buyer's journey: the metrics of the manual, and what the package's answers expect."""


class Evidence(Strict):
    """Where a verdict can be seen. At least one of the fields is set."""

    file: str | None = None
    """Below the attempt folder, e.g. `state.json`, `staff.json`, `events.jsonl`."""
    event: int | None = None
    """`n` of an event in events.jsonl."""
    path: str | None = None
    """Field inside the file, e.g. `cases.0.facts.plate.value`."""
    quote: str | None = None
    """Verbatim text."""


class ScoreLine(Strict):
    """One line of a scorecard."""

    id: str
    """e.g. `triage.level`, `review.quote_before_incident`, `facts.plate`, `journey.repeated_questions`."""
    group: Group
    title: str
    state: LineState
    referee: Referee
    expected: str | None
    got: str | None
    why: str
    """One sentence that a person can follow; for a fail: what is wrong; for unknown states: why it could not be said."""
    evidence: list[Evidence]
    alarm: Literal["false_alarm", "miss"] | None = None
    """review lines that failed: in which direction."""


class Measure(Strict):
    """A number beside the verdicts."""

    id: str
    """e.g. `messages_sent`, `questions_asked`, `turn_median_ms`."""
    title: str
    value: float | None
    unit: str
    note: str | None = None
    """Why there is no value, or what it does not contain."""
    evidence: list[Evidence] = []


class Scorecard(Strict):
    """One attempt, scored by one rubric version against one oracle revision."""

    schema_: Literal["scorecard-v1"] = Field(alias="schema")
    rubric: str
    scoring_version: str
    oracle_sha256: Sha256
    oracle_revision: int
    run: str
    package: str
    scenario_class: str
    opening_style: str
    innocent_control: str | None
    trial: int
    attempt: int
    counting: bool
    """This is the attempt that counts for its trial."""
    termination_reason: str
    grade: Literal["official", "rehearsal"]
    grade_reasons: list[str]
    lines: list[ScoreLine]
    measures: list[Measure]
    totals: dict[LineState, int]
