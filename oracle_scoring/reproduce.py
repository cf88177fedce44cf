"""Whether a failure came again when a journey was replayed, by the score lines that failed in its parent."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.context import open_context
from oracle_scoring.claims.score import score_attempt
from oracle_scoring.explain import explain_card, package_of
from oracle_scoring.inquiry.attempt import journey_of
from oracle_scoring.inquiry.card import card_of
from oracle_scoring.inquiry.explain import explain_journey
from oracle_scoring.publish.intervals import Interval, wilson
from oracle_scoring.record import read_record

Verdict = Literal["reproduced", "partly", "did_not_reproduce", "not_reached", "not_scored", "nothing_failed"]


class Line(Strict):
    """One score line of one attempt."""

    id: str
    title: str
    state: str
    why: str
    turn: int | None
    """When it went wrong, as far as the record tells; only of failed lines."""
    follows: bool = False
    """Its failure follows from that of another line."""
    detail: ScoreLine | None = None
    """With evidence, expected and got."""


class LineAgain(Strict):
    """A line that failed in the parent."""

    line: str
    title: str
    before: str
    now: str | None
    """None: there is no such line now."""
    why: str
    """Of the line as it is now."""
    turn_before: int | None
    turn_now: int | None
    follows: bool
    """In the parent it followed from another failed line: it is shown, and decides nothing."""


class Reproduction(Strict):
    """What became of the failure."""

    reproduced: bool | None
    """None: that cannot be said."""
    verdict: Verdict
    at_turn: int | None
    """Where the failure is seen again; where it is not, the turn in which it was to be seen."""
    why: str
    lines: list[LineAgain]


class Repeats(Strict):
    """How often a failure came again in several trials."""

    repeated: int
    of: int
    """Trials that could be judged."""
    unjudged: int
    share: float | None
    interval: Interval | None
    """95 %, Wilson."""


def scored_lines(attempt_dir: Path, corpus: Path, void: bool = True) -> list[Line]:
    """All lines of an attempt, scored now; nothing is written. Of a conversation: its metrics, and what the answers expect.

    Args:
        attempt_dir: `results/<run>/<package>/t01/a01`.
        corpus: folder of the packages.
        void: no line of an attempt that does not count is decided; without it, lines are as far as the attempt came.

    Raises:
        InputError: record or package is not what it should be, or the package is not in the corpus.
    """
    package = package_of(attempt_dir, corpus)
    if package.parent.name == "inquiry":
        journey = journey_of(read_record(attempt_dir), package)
        card = card_of(journey, package, void)
        told = explain_journey(journey, card, package)
    else:
        card = score_attempt(attempt_dir, package, void)
        told = explain_card(open_context(attempt_dir, package), card)
    causes = {cause.line: cause for cause in [*([told.first] if told.first else []), *told.following, *told.others]}
    return [
        Line(
            id=line.id, title=line.title, state=line.state, why=line.why,
            turn=causes[line.id].turn if line.id in causes else None,
            follows=line.id in causes and bool(causes[line.id].follows), detail=line,
        )
        for line in card.lines
    ]  # fmt: skip


def failed_lines(lines: Sequence[Line], wanted: Sequence[str] = ()) -> list[Line]:
    """The failed lines, or those of them that are named; a line that is named decides, whatever it follows from.

    Raises:
        InputError: a named line did not fail.
    """
    failed = {line.id: line for line in lines if line.state == "fail"}
    for name in wanted:
        if name not in failed:
            raise InputError(f"--line {name}", f"did not fail; failed: {', '.join(failed) or 'nothing'}")
    if wanted:
        return [line.model_copy(update={"follows": False}) for line in failed.values() if line.id in wanted]
    return list(failed.values())


def judge_again(failed: Sequence[Line], now: Sequence[Line], stopped: int | None) -> Reproduction:
    """Whether the lines that failed in the parent, and followed from no other, fail again.

    Args:
        failed: lines of the parent.
        now: all lines of the replay; empty if it could not be scored.
        stopped: the turn in which the replay left its record and stopped; None if it did not. A failure of a turn that was
            played otherwise, or as far as that, did not come again; one that only shows later was not reached.
    """
    there: Mapping[str, Line] = {line.id: line for line in now}
    lines = [_again(line, there.get(line.id)) for line in failed]
    deciding = [line for line in lines if not line.follows] or lines
    again = [line for line in deciding if line.now == "fail"]
    first = min((line.turn_before for line in deciding if line.turn_before is not None), default=None)
    if not failed:
        return Reproduction(
            reproduced=None, verdict="nothing_failed", at_turn=None, why="no line failed in the parent", lines=[]
        )
    if not now:
        why = "the new attempt could not be scored"
        return Reproduction(reproduced=None, verdict="not_scored", at_turn=None, why=why, lines=lines)
    if len(again) == len(deciding):
        turn = min((line.turn_now for line in again if line.turn_now is not None), default=None)
        return Reproduction(
            reproduced=True, verdict="reproduced", at_turn=turn, why=f"{_listed(again)} failed again", lines=lines
        )
    gone = [line for line in deciding if line.now != "fail"]
    if stopped is not None:
        open_ = [line for line in gone if line.turn_before is None or line.turn_before > stopped]
    else:
        open_ = [line for line in gone if line.now not in ("pass", "not_applicable", None)]
    if open_ and not again:
        because = "the replay stopped before it could show" if stopped is not None else "it could not be decided"
        why = f"{_listed(open_)}: {because}"
        verdict: Verdict = "not_reached" if stopped is not None else "not_scored"
        return Reproduction(reproduced=None, verdict=verdict, at_turn=stopped, why=why, lines=lines)
    if again:
        why = f"{_listed(again)} failed again, {_listed(gone)} did not"
        return Reproduction(reproduced=False, verdict="partly", at_turn=first, why=why, lines=lines)
    why = f"{_listed(gone)} did not fail again"
    return Reproduction(reproduced=False, verdict="did_not_reproduce", at_turn=first, why=why, lines=lines)


def _again(before: Line, now: Line | None) -> LineAgain:
    return LineAgain(
        line=before.id, title=before.title, before=before.state, now=now.state if now else None,
        why=now.why if now else "there is no such line now", turn_before=before.turn, turn_now=now.turn if now else None, follows=before.follows,
    )  # fmt: skip


def _listed(lines: Sequence[LineAgain]) -> str:
    return ", ".join(line.line for line in lines)


def repeats(found: Sequence[Reproduction]) -> Repeats:
    """How often a failure came again: whole, or in part."""
    judged = [one for one in found if one.reproduced is not None]
    count = sum(one.verdict in ("reproduced", "partly") for one in judged)
    share = count / len(judged) if judged else None
    interval = wilson(share, len(judged)) if share is not None else None
    return Repeats(repeated=count, of=len(judged), unjudged=len(found) - len(judged), share=share, interval=interval)
