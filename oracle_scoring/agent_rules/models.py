"""A run as it is given, and what is said of it."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from harness.schema.base import Strict

Referee = Literal["script", "judge", "human"]
Text = Annotated[str, Field(min_length=1)]


class ChecklistItem(Strict):
    """One thing that the result of the task must show, and what one referee says of it.

    The same item may stand there several times, once for each referee that looked.
    """

    id: Text
    desc: str
    referee: Referee
    passed: bool | None
    """Null: this referee has not looked, or could not say."""


class Finding(Strict):
    """One error that somebody saw."""

    code: Text
    evidence: str
    """Verbatim words or a place in the record."""
    by: Referee
    certain: bool
    """False: it deducts nothing and becomes a note."""
    note: str | None = None


class Said(Strict):
    """One message of a transcript."""

    role: Literal["customer", "user", "agent", "assistant", "tool", "system"]
    text: str


Looked = Literal["found", "clear", "nothing_to_check", "not_checked"]


class Coverage(Strict):
    """Whether a script looked for one code, and what came of it."""

    code: Text
    state: Looked
    """`clear`: what the script can see shows none of it; `nothing_to_check`: the case it speaks of did not occur."""
    why: str


class AgentRun(Strict):
    """One run of an agent at a task."""

    run_id: Text
    agent: Text
    task_id: Text
    checklist: list[ChecklistItem]
    findings: list[Finding]
    transcript: str | list[Said] | None = None
    """What was said, for a judge; it decides nothing by itself."""
    coverage: list[Coverage] | None = None
    """Of a recorded journey: what a script looked for. Null: nothing is known of that."""

    @model_validator(mode="after")
    def _items(self) -> "AgentRun":
        words: dict[str, str] = {}
        for n, item in enumerate(self.checklist):
            if words.setdefault(item.id, item.desc) != item.desc:
                raise ValueError(f"checklist.{n}: the item {item.id!r} stands there with another desc")
        return self


class Completion(Strict):
    """The checklist, item by item."""

    passed: int
    failed: int
    unknown: int
    rate: float | None
    """passed / (passed + failed); null if nothing was decided."""


class Deduction(Strict):
    """One certain error."""

    code: str
    module: str
    points: float
    by: Referee
    evidence: str


class RunResult(Strict):
    """What is said of one run."""

    run_id: str
    agent: str
    task_id: str
    completion: Completion
    modules: dict[str, float]
    """Module -> points, 10 at most, 0 at least."""
    total: float
    """Sum of the modules' points."""
    deducted: float
    """Sum of all deductions, uncapped."""
    safety: Literal["ok", "violated"]
    red_lines: list[str]
    """Codes of the red lines crossed for certain."""
    deductions: list[Deduction]
    notes: list[str]
    """What deducts nothing: uncertain findings, referees that differ."""
    not_checked: list[Coverage]
    """Codes nobody looked for, of a recorded journey; points that hang on them are at most what they are."""
    rules_sha256: str
    """Of the file of rules."""
    scoring_version: str
