"""One attempt scored: record and package in, scorecard out. The same input gives the same scorecard."""

from pathlib import Path

from harness.errors import InputError
from harness.schema.events import MoveDecided
from harness.schema.package import INITIAL_MESSAGE
from harness.schema.scorecard import Scorecard
from oracle_scoring.claims.answers import answer_lines
from oracle_scoring.claims.asked_files import asked_again_lines
from oracle_scoring.claims.assertions import assertion_lines
from oracle_scoring.claims.codes import code_lines
from oracle_scoring.claims.context import Context, open_context
from oracle_scoring.claims.endings import ending_lines
from oracle_scoring.claims.facts import fact_lines
from oracle_scoring.claims.faults import fault_lines
from oracle_scoring.claims.files import file_lines
from oracle_scoring.claims.handover import handover_lines
from oracle_scoring.claims.hidden import hidden_lines
from oracle_scoring.claims.journey import journey_lines
from oracle_scoring.claims.measures import measures
from oracle_scoring.claims.pace import pace_lines
from oracle_scoring.claims.privacy import privacy_lines
from oracle_scoring.claims.review import review_lines
from oracle_scoring.claims.staff import staff_lines
from oracle_scoring.claims.triage import triage_lines
from oracle_scoring.claims.version import RUBRIC, SCORING_VERSION
from oracle_scoring.fidelity.apart import set_apart
from oracle_scoring.fidelity.judge import judge
from oracle_scoring.kleene import count
from oracle_scoring.lines import ATTEMPT
from oracle_scoring.settled import grade_of, settled


def score_attempt(attempt_dir: Path, package_dir: Path, void: bool = True) -> Scorecard:
    """The scorecard of the attempt in `attempt_dir` against the package in `package_dir`. Writes nothing.

    Args:
        attempt_dir: `results/<run>/<package>/t01/a01`.
        package_dir: the package it was played with.
        void: no line of an attempt that does not count is decided; without it, lines are as far as the attempt came.

    Raises:
        InputError: record or package is not what it should be, or the journey was not one of this package.
    """
    ctx = open_context(attempt_dir, package_dir)
    _check_same_package(ctx)
    lines = [
        *triage_lines(ctx),
        *review_lines(ctx),
        *fact_lines(ctx),
        *journey_lines(ctx),
        *pace_lines(ctx),
        *ending_lines(ctx),
        *fault_lines(ctx),
        *code_lines(ctx),
        *privacy_lines(ctx),
        *hidden_lines(ctx),
        *answer_lines(ctx),
        *staff_lines(ctx),
        *handover_lines(ctx),
        *file_lines(ctx),
        *asked_again_lines(ctx),
        *assertion_lines(ctx),
    ]
    judged = judge(ctx.record.events, ctx.visible.view())
    lines = [settled(ctx.record, set_apart(judged, item), void) for item in lines]
    attempt, labels = ctx.record.attempt, ctx.labels
    verdict, reasons = grade_of(ctx.record)
    return Scorecard(
        schema="scorecard-v1",
        rubric=RUBRIC,
        scoring_version=SCORING_VERSION,
        oracle_sha256=ctx.oracle_sha256,
        oracle_revision=labels.oracle_revision,
        run=attempt.run,
        package=attempt.package,
        scenario_class=labels.scenario_class,
        opening_style=ctx.visible.facts.opening_style,
        innocent_control=labels.innocent_control,
        trial=attempt.trial,
        attempt=attempt.attempt,
        counting=ctx.record.counting,
        termination_reason=attempt.termination_reason,
        grade=verdict,
        grade_reasons=reasons,
        lines=lines,
        measures=measures(ctx),
        totals=count(item.state for item in lines),
    )


def _check_same_package(ctx: Context) -> None:
    attempt = ctx.record.attempt
    if attempt.package != ctx.visible.id:
        where = f"{ctx.record.folder.name}/{ATTEMPT}: package"
        raise InputError(where, f"the journey was one of {attempt.package}, not of {ctx.visible.id}")
    opening = next((e for e in ctx.record.events if isinstance(e, MoveDecided) and e.by == "opening"), None)
    if opening and "\n".join(opening.move.messages).strip() != ctx.visible.initial_message.strip():
        why = "is not the message the journey began with: the visible half was changed after the run"
        raise InputError(f"{ctx.visible.id}/{INITIAL_MESSAGE}", why)
