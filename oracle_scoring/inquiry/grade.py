"""A session's result: 58 verdicts and a conclusion."""

from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import Field

from harness.schema.base import Strict
from harness.schema.scorecard import LineState
from harness.schema.session import InquirySession
from oracle_scoring.inquiry.evaluate import Judge, Outcome, Plan, evaluate, plans
from oracle_scoring.inquiry.profile import DEFAULT, Profile, load_profile
from oracle_scoring.inquiry.talk import Conversation
from oracle_scoring.inquiry.version import SCORING_VERSION

Word = Literal["PASS", "FAIL", "N/A", "NOT_CHECKED", "SCORED"]
Conclusion = Literal["qualified", "unqualified", "undetermined"]
_WORDS: dict[LineState, Word] = {
    "pass": "PASS", "fail": "FAIL", "not_applicable": "N/A", "not_checked": "NOT_CHECKED",
    "unimplemented": "NOT_CHECKED", "needs_human": "NOT_CHECKED",
}  # fmt: skip


@dataclass(slots=True)
class MetricResult:
    """One metric's verdict."""

    metric_id: str
    result: Word
    score: int | None = None
    """1-5 for the scored metric, else None."""
    evidence: str = ""
    """For a FAIL: a verbatim quote or a field path."""
    reason: str = ""
    checks: dict[str, LineState] = field(default_factory=dict)


@dataclass(frozen=True)
class Expectation:
    """One thing that a package's answers expect of a journey."""

    id: str
    """`event.<id>`, `form.<key>`, `ends` or `applies.<metric>`."""
    state: LineState
    why: str
    where: str = ""
    """Path of what decided it, in the conversation (`turns.3.conversion.output`) or in what the product holds; empty: none."""


class SessionResult(Strict):
    """One session's verdicts."""

    session_id: str
    scoring_version: str
    conclusion: Conclusion
    improvements: list[str]
    """P1 metrics that failed."""
    metrics: list[MetricResult]
    answers: list[Expectation] | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of a journey: what its package's answers expect. Absent: the session is no journey, or its package is not at hand."""


def grade(session: InquirySession, profile: Profile | None = None, judge: Judge | None = None) -> SessionResult:
    """All metrics of one session. Without a profile, the one that the session names."""
    chosen = profile or load_profile(session.profile or DEFAULT)
    conversation = Conversation(session, chosen)
    outcomes = [(p, evaluate(p, conversation, judge)) for p in plans()]
    if judge is None:
        conversation.forget()
    return SessionResult.model_construct(
        session_id=session.session_id,
        scoring_version=SCORING_VERSION,
        conclusion=conclude(outcomes),
        improvements=[p.metric.id for p, o in outcomes if p.metric.level == "P1" and o.state == "fail"],
        metrics=[_result(p, o) for p, o in outcomes],
    )


def conclude(outcomes: list[tuple[Plan, Outcome]]) -> Conclusion:
    """Unqualified if a P0 failed; undetermined if one that may apply was not checked; else qualified. Scored metrics do not count."""
    red = [o.state for p, o in outcomes if p.metric.level == "P0" and not p.metric.scored]
    if "fail" in red:
        return "unqualified"
    return "qualified" if all(s in ("pass", "not_applicable") for s in red) else "undetermined"


def _result(plan: Plan, outcome: Outcome) -> MetricResult:
    word: Word = "SCORED" if outcome.points is not None else _WORDS[outcome.state]
    return MetricResult(plan.metric.id, word, outcome.points, outcome.evidence, outcome.reason, outcome.checks)


def strict_manual(result: SessionResult) -> SessionResult:
    """NOT_CHECKED written as the manual does: N/A. The conclusion stays."""
    return result.model_copy(
        update={"metrics": [replace(m, result="N/A") if m.result == "NOT_CHECKED" else m for m in result.metrics]}
    )
