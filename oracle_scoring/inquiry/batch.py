"""All counting attempts of a run of buyers, each metric of each as a line."""

from dataclasses import dataclass
from pathlib import Path

from harness.errors import InputError
from harness.schema.run import trial_number
from harness.schema.scorecard import LineState
from harness.schema.session import InquirySession
from oracle_scoring.inquiry.from_record import sessions_of_run
from oracle_scoring.inquiry.grade import MetricResult, grade
from oracle_scoring.inquiry.metric import metrics
from oracle_scoring.inquiry.profile import DEFAULT

_STATES: dict[str, LineState] = {
    "PASS": "pass", "FAIL": "fail", "N/A": "not_applicable", "NOT_CHECKED": "not_checked", "SCORED": "not_checked",
}  # fmt: skip


@dataclass(frozen=True)
class MetricLine:
    """One metric's verdict as a score line."""

    id: str
    """`inquiry.m-004`."""
    state: LineState
    why: str


@dataclass(frozen=True)
class GradedAttempt:
    """One attempt that counts."""

    package: str
    trial: int
    attempt: int
    lines: list[MetricLine]
    counting: bool = True


def line_id(metric: str) -> str:
    """How a metric is named among score lines."""
    return f"inquiry.{metric.lower()}"


def lines_awaiting_judge() -> frozenset[str]:
    """Lines of the metrics that no rule decides."""
    return frozenset(
        line_id(m.id) for m in metrics() if m.scored or not any(check.predicate for check in m.criteria.checks)
    )


def grade_run(run_dir: Path, profile: str = DEFAULT) -> list[GradedAttempt]:
    """Grades every finished attempt of the run that counts; nothing is written.

    Raises:
        InputError: something is not what it should be.
    """
    graded = []
    for place, session in sessions_of_run(run_dir, profile):
        package, trial, attempt = Path(place).parts[-3:]
        number = trial_number(trial)
        if number is None:
            raise InputError(place, "is no attempt of a trial")
        lines = metric_lines(session)
        graded.append(GradedAttempt(package, number, int(attempt.removeprefix("a")), lines))
    return graded


def metric_lines(session: InquirySession) -> list[MetricLine]:
    """Each metric of a session as a line."""
    return [_line(metric) for metric in grade(session).metrics]


def line_state(metric: MetricResult) -> LineState:
    """A metric's verdict as the state of a score line; a scored one waits for the judge."""
    return _STATES[metric.result]


def _line(metric: MetricResult) -> MetricLine:
    return MetricLine(line_id(metric.metric_id), line_state(metric), metric.reason or metric.result)
