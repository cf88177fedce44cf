"""Why a buyer's journey went wrong, by rule: the metrics that failed and the answers that do not hold, in order of time."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from harness.schema.events import Acted, ScreenSeen
from harness.schema.package import read_visible
from harness.schema.session import AssistantTurn, CustomerTurn
from oracle_scoring.explain import Cause, Ending, Explanation, Place, notes_on, picture_of, whose_doing
from oracle_scoring.inquiry.attempt import BuyersJourney, journey_of
from oracle_scoring.inquiry.batch import line_id
from oracle_scoring.inquiry.grade import Expectation, MetricResult
from oracle_scoring.inquiry.journey import shown_on, squeeze
from oracle_scoring.inquiry.metric import metrics
from oracle_scoring.record import read_record, run_folder

STATE = "state.json"
_HELD = "read.cases.0"
_TURN = re.compile(r"turns\.(\d{1,5})")
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
    record = read_record(attempt_dir)
    journey = journey_of(record, package_dir)
    attempt, result = record.attempt, journey.result
    found = [*_of_metrics(journey, result.metrics), *_of_answers(journey, result.answers or [])]
    found.sort(key=lambda cause: (cause.event is None, cause.event or 0))
    causes = [cause.model_copy(update={"follows": _follows(cause.line, found)}) for cause in found]
    roots = [cause for cause in causes if not cause.follows]
    undecided = sum(m.result == "NOT_CHECKED" for m in result.metrics)
    undecided += sum(answer.state == "not_checked" for answer in result.answers or [])
    doing, why = whose_doing(record, read_visible(package_dir), bool(causes), undecided)
    no_state = None if record.talks is not None else record.state_why or "the product's state read is of another kind"
    return Explanation(
        schema="explanation-v1", run=run_folder(attempt_dir).name, package=attempt.package, trial=attempt.trial, attempt=attempt.attempt,
        counting=record.counting, termination_reason=attempt.termination_reason, doing=doing, doing_why=why, stuck=_ending(journey),
        first=roots[0] if roots else None, following=[cause for cause in causes if cause.follows], others=roots[1:],
        undecided=undecided, notes=notes_on(record, no_state, roots[0] if roots else None),
    )  # fmt: skip


def _of_metrics(journey: BuyersJourney, results: Iterable[MetricResult]) -> list[Cause]:
    names = {metric.id: metric.name for metric in metrics()}
    return [
        _cause(journey, line_id(m.metric_id), names[m.metric_id], m.reason, _turn_of(journey, m.evidence), m.evidence)
        for m in results
        if m.result == "FAIL"
    ]


def _of_answers(journey: BuyersJourney, answers: Iterable[Expectation]) -> list[Cause]:
    return [
        _cause(
            journey, f"answers.{a.id}", "What the package's answers expect", a.why, _turn_of(journey, a.where), a.where
        )
        for a in answers
        if a.state == "fail"
    ]


def _cause(journey: BuyersJourney, line: str, title: str, why: str, turn: int | None, evidence: str) -> Cause:
    event = None if turn is None else _event_of(journey, turn)
    at = next((e.turn for e in journey.record.events if e.n == event), None)
    seen = [s for s in _screens(journey) if event is not None and s.n <= event]
    return Cause(
        line=line, title=title, why=why, event=event, turn=at, follows=[], picture=picture_of(seen[-1] if seen else None),
        since=f"event {event}, turn {at}" if event is not None else "seen only in what the product holds",
        places=_places(journey, turn, event, evidence),
    )  # fmt: skip


def _places(journey: BuyersJourney, turn: int | None, event: int | None, evidence: str) -> list[Place]:
    """In what the product holds, and on the screen or in the message."""
    is_path = evidence == "hand_over" or evidence.startswith(("turns.", "form."))
    quote = None if is_path else evidence or None
    places = []
    if journey.record.talks is not None and (is_path or turn is not None):
        path = f"{_HELD}.{evidence if is_path else f'turns.{turn}'}"
        places.append(Place(file=STATE, event=None, path=path, quote=quote))
    if event is not None:
        places.append(Place(file="events.jsonl", event=event, path=None, quote=quote))
    return places


def _turn_of(journey: BuyersJourney, evidence: str) -> int | None:
    """Number of the turn that a field path names or that holds the quote first."""
    if named := _TURN.match(evidence):
        return int(named[1])
    wanted = squeeze(evidence)
    for number, turn in enumerate(journey.session.turns):
        decided = turn.conversion.output if isinstance(turn, AssistantTurn) and turn.conversion else None
        said = turn.reply_text if isinstance(turn, AssistantTurn) else turn.text
        if wanted and any(wanted in squeeze(text or "") for text in (said, decided)):
            return number
    return None


def _event_of(journey: BuyersJourney, number: int) -> int | None:
    """The first screen that shows the turn's reply; for what no screen shows, the customer's message before it."""
    turns = journey.session.turns[: number + 1]
    turn = turns[-1]
    if isinstance(turn, AssistantTurn) and turn.reply_text:
        for seen in _screens(journey):
            if shown_on(turn, squeeze("\n".join(block.text for block in seen.screen.blocks))):
                return seen.n
    said = next((squeeze(t.text) for t in reversed(turns) if isinstance(t, CustomerTurn) and t.text), None)
    acts = (e for e in journey.record.events if isinstance(e, Acted) and e.act == "said")
    return next((e.n for e in acts if squeeze(e.text) == said), None)


def _screens(journey: BuyersJourney) -> list[ScreenSeen]:
    return [e for e in journey.record.events if isinstance(e, ScreenSeen)]


def _follows(line: str, failed: Iterable[Cause]) -> list[str]:
    patterns = next((causes for effect, causes in FOLLOWS if fnmatchcase(line, effect)), ())
    return [c.line for c in failed if c.line != line and any(fnmatchcase(c.line, p) for p in patterns)]


def _ending(journey: BuyersJourney) -> Ending | None:
    attempt = journey.record.attempt
    if attempt.termination_reason == "completed":
        return None
    turn = max((e.turn for e in journey.record.events), default=0)
    screens = _screens(journey)
    seen = screens[-1] if screens else None
    why = f"the journey ended {attempt.termination_reason.replace('_', ' ')} in turn {turn}: {attempt.why}"
    return Ending(turn=turn, event=seen.n if seen else None, why=why, picture=picture_of(seen))
