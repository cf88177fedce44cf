"""Why a buyer's journey went wrong, by rule: the metrics that failed and the answers that do not hold, in order of time."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from harness.schema.package import read_visible
from harness.schema.scorecard import Scorecard, ScoreLine
from oracle_scoring.explain import Cause, Ending, Explanation, Place, notes_on, picture_of, whose_doing
from oracle_scoring.inquiry.attempt import BuyersJourney, journey_of
from oracle_scoring.inquiry.card import card_of
from oracle_scoring.inquiry.places import screens_of
from oracle_scoring.record import read_record, run_folder

_DECISIONS = tuple(f"inquiry.m-10{n}" for n in range(1, 9))
FOLLOWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("answers.event.*", (*_DECISIONS, "inquiry.m-109")),
    ("answers.ends", ("answers.event.*", *_DECISIONS)),
    ("inquiry.m-111", _DECISIONS),
    ("inquiry.m-201", ("inquiry.m-102", "inquiry.m-007")),
    ("inquiry.m-202", ("inquiry.m-105", "inquiry.m-107", "inquiry.m-027")),
    ("inquiry.m-203", ("inquiry.m-103", "inquiry.m-027")),
    ("inquiry.m-204", ("inquiry.m-101", "inquiry.m-001")),
)
"""Failed line -> failed lines that it can follow from; the first fitting entry holds."""


def explain_buyer(attempt_dir: Path, package_dir: Path) -> Explanation:
    """Why the attempt failed, if it did; writes nothing.

    Raises:
        InputError: record or package is not what it should be.
    """
    journey = journey_of(read_record(attempt_dir), package_dir)
    return explain_journey(journey, card_of(journey, package_dir), package_dir)


def explain_journey(journey: BuyersJourney, card: Scorecard, package_dir: Path) -> Explanation:
    """Why a scored journey failed, if it did: the lines that failed in its scorecard."""
    record = journey.record
    attempt = record.attempt
    found = [_cause(journey, line) for line in card.lines if line.state == "fail"]
    found.sort(key=lambda cause: (cause.event is None, cause.event or 0))
    causes = [cause.model_copy(update={"follows": _follows(cause.line, found)}) for cause in found]
    roots = [cause for cause in causes if not cause.follows]
    undecided = sum(line.state in ("not_checked", "needs_human") for line in card.lines)
    doing, why = whose_doing(record, read_visible(package_dir), bool(causes), undecided)
    no_state = None if record.talks is not None else record.state_why or "the product's state read is of another kind"
    return Explanation(
        schema="explanation-v1", run=run_folder(record.folder).name, package=attempt.package, trial=attempt.trial, attempt=attempt.attempt,
        counting=record.counting, termination_reason=attempt.termination_reason, doing=doing, doing_why=why, stuck=_ending(journey),
        first=roots[0] if roots else None, following=[cause for cause in causes if cause.follows], others=roots[1:],
        undecided=undecided, notes=notes_on(record, no_state, roots[0] if roots else None),
    )  # fmt: skip


def _cause(journey: BuyersJourney, line: ScoreLine) -> Cause:
    event = next((place.event for place in line.evidence if place.event is not None), None)
    at = next((e.turn for e in journey.record.events if e.n == event), None)
    seen = [s for s in screens_of(journey) if event is not None and s.n <= event]
    return Cause(
        line=line.id, title=line.title, why=line.why, event=event, turn=at, follows=[],
        picture=picture_of(seen[-1] if seen else None),
        since=f"event {event}, turn {at}" if event is not None else "seen only in what the product holds",
        places=[Place(**place.model_dump()) for place in line.evidence],
    )  # fmt: skip


def _follows(line: str, failed: Iterable[Cause]) -> list[str]:
    patterns = next((causes for effect, causes in FOLLOWS if fnmatchcase(line, effect)), ())
    return [c.line for c in failed if c.line != line and any(fnmatchcase(c.line, p) for p in patterns)]


def _ending(journey: BuyersJourney) -> Ending | None:
    attempt = journey.record.attempt
    if attempt.termination_reason == "completed":
        return None
    turn = max((e.turn for e in journey.record.events), default=0)
    screens = screens_of(journey)
    seen = screens[-1] if screens else None
    why = f"the journey ended {attempt.termination_reason.replace('_', ' ')} in turn {turn}: {attempt.why}"
    return Ending(turn=turn, event=seen.n if seen else None, why=why, picture=picture_of(seen))
