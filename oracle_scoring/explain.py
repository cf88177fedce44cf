"""Why a journey went wrong, by rule: what came first, what follows from it, and whose doing it was.

First means earliest in the record among the failed lines that follow from no other failed line. What follows from what is
the table `FOLLOWS`; nothing here judges anew, it orders what scoring found.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from pydantic import Field

from harness.errors import InputError, one_line
from harness.schema.base import Strict
from harness.schema.events import Acted, ReplySettled, ScreenSeen, Slip
from harness.schema.package import VisiblePackage, find_packages
from harness.schema.run import NOT_COUNTING
from harness.schema.scorecard import Evidence, Scorecard, ScoreLine
from oracle_scoring.claims.context import Context, open_context
from oracle_scoring.claims.facts import INCIDENT_TIME
from oracle_scoring.claims.score import score_attempt
from oracle_scoring.compare import contains_words, mentions
from oracle_scoring.corpus.models import OracleFact
from oracle_scoring.fidelity.judge import judge
from oracle_scoring.lines import NETWORK
from oracle_scoring.record import Record, run_folder
from oracle_scoring.sheets.verdicts import shown_cards

Doing = Literal["product", "simulator", "rig", "environment", "stopped", "nobody"]
FOLLOWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("journey.case_number", ("journey.completed",)),
    ("journey.questions_answered", ("journey.completed",)),
    (
        "journey.nothing_to_do",
        ("journey.replies_complete", "journey.dialog", "journey.sign_in", "journey.server_errors"),
    ),
    ("journey.question_count", ("journey.repeated_questions", "files.asked_again")),
    ("journey.under_five_minutes", ("journey.slow_turn", "journey.repeated_questions", "journey.question_count")),
    ("facts.*", ("journey.completed",)),
    ("incident_time.*", ("journey.completed",)),
    ("files.*", ("journey.completed",)),
    ("triage.*", ("journey.completed", "facts.*", "incident_time.*")),
    ("review.required", ("review.*", "journey.completed", "incident_time.date")),
    ("review.*", ("journey.completed", "incident_time.date", "files.*")),
    ("staff.case_listed", ("journey.completed",)),
    ("staff.nothing_open", ("journey.completed", "staff.case_listed", "facts.*", "incident_time.*", "files.*")),
    ("staff.explanation_beside_alert", ("journey.completed", "staff.case_listed", "review.*")),
    ("staff.uploads", ("journey.completed", "staff.case_listed", "files.*")),
    ("staff.*", ("journey.completed", "staff.case_listed")),
    ("assertions.*", ("journey.completed",)),
)
"""Failed line -> failed lines that it can follow from; the first fitting entry holds."""
STOPPERS = (
    "journey.server_errors", "journey.dialog", "journey.sign_in", "journey.replies_complete", "journey.nothing_to_do",
    "journey.slow_turn", "journey.repeated_questions", "files.asked_again",
)  # fmt: skip
"""What can keep a journey from being completed, if it is seen in its last turns."""
LAST_TURNS = 2
"""A journey counts as stopped by what was seen in its last turn or one of so many before it."""
SAME_REPLY = 3
"""So many equal replies in a row at the end are a loop."""
_DOING: dict[str, tuple[Doing, str]] = {
    "simulator_error": ("simulator", "the simulated customer failed; the attempt does not count"),
    "rig_error": ("rig", "the rig failed; the attempt does not count"),
    "environment_error": ("environment", "something the run stands on failed; the attempt does not count"),
    "aborted": ("stopped", "the run was stopped or died; the attempt does not count"),
}


class Place(Strict):
    """Where something can be seen."""

    file: str
    """Below the attempt's folder."""
    event: int | None
    path: str | None
    quote: str | None


class Cause(Strict):
    """One failed line."""

    line: str
    title: str
    why: str
    since: str
    """In words, when it went wrong."""
    event: int | None
    """Event at or after which it went wrong; None: it shows only in what product and staff hold afterwards."""
    turn: int | None
    picture: str | None
    """Screenshot of that moment, below the attempt's folder."""
    follows: list[str]
    """Failed lines that it follows from."""
    places: list[Place]


class Ending(Strict):
    """Where and why the journey stopped short."""

    turn: int
    event: int | None
    why: str
    picture: str | None


class Explanation(Strict):
    """`rig explain --json`."""

    schema_: Literal["explanation-v1"] = Field(alias="schema")
    run: str
    package: str
    trial: int
    attempt: int
    counting: bool
    termination_reason: str
    doing: Doing
    """Whose doing the failure is; `nobody` where nothing failed."""
    doing_why: str
    stuck: Ending | None
    """None where the journey reached its end."""
    first: Cause | None
    """The first cause among the failed lines; None where no line failed."""
    following: list[Cause]
    """Failed lines that follow from another one."""
    others: list[Cause]
    """Failed lines that stand by themselves, in order of time."""
    undecided: int
    """Lines that could not be decided."""
    notes: list[str]
    """What else bears on it: slips of the customer's, evidence that is missing."""


def explain(attempt_dir: Path, corpus: Path) -> Explanation:
    """Why the attempt failed, if it did; scores it, writes nothing.

    Raises:
        InputError: record or package is not what it should be, or the package is not in the corpus.
    """
    package = package_of(attempt_dir, corpus)
    if package.parent.name == "inquiry":
        from oracle_scoring.inquiry.explain import explain_buyer

        return explain_buyer(attempt_dir, package)
    (card,) = shown_cards(run_folder(attempt_dir), [score_attempt(attempt_dir, package)])
    return explain_card(open_context(attempt_dir, package), card)


def package_of(attempt_dir: Path, corpus: Path) -> Path:
    """Folder of the attempt's package.

    Raises:
        InputError: it is not in the corpus.
    """
    name = attempt_dir.absolute().parts[-3]
    package = find_packages(corpus, None).get(name)
    if package is None:
        raise InputError(f"{corpus.name}/{name}", "the attempt's package is not in this corpus")
    return package


def explain_card(ctx: Context, card: Scorecard) -> Explanation:
    """The explanation of a scored attempt."""
    failed = [line for line in card.lines if line.state == "fail"]
    stuck = _ending(ctx)
    since = {line.id: _since(ctx, line, stuck) for line in failed}
    follows = {line.id: _follows(ctx, line, failed) for line in failed}
    causes = [_cause(ctx, line, since[line.id], follows[line.id]) for line in failed]
    causes.sort(key=lambda cause: (cause.event is None, cause.event or 0))
    roots = [cause for cause in causes if not cause.follows]
    undecided = sum(line.state in ("not_checked", "needs_human") for line in card.lines)
    doing, doing_why = whose_doing(ctx.record, ctx.visible, bool(failed), undecided)
    return Explanation(
        schema="explanation-v1", run=card.run, package=card.package, trial=card.trial, attempt=card.attempt, counting=card.counting,
        termination_reason=card.termination_reason, doing=doing, doing_why=doing_why, stuck=stuck, first=roots[0] if roots else None,
        following=[cause for cause in causes if cause.follows], others=roots[1:],
        undecided=undecided, notes=notes_on(ctx.record, ctx.no_state, roots[0] if roots else None),
    )  # fmt: skip


def whose_doing(record: Record, visible: VisiblePackage, failed: bool, undecided: int) -> tuple[Doing, str]:
    """Whose doing the failure is, and why that is said."""
    reason = record.attempt.termination_reason
    if reason in NOT_COUNTING:
        return _DOING[reason]
    if failed:
        return "product", "the journey counts, and these lines are about the product"
    spoilt = judge(record.events, visible.view()).spoilt
    if spoilt is not None:
        return "simulator", f"the simulated customer spoilt the journey, so that no line is a verdict: {spoilt}"
    return "nobody", f"no line failed; {undecided} could not be decided" if undecided else "no line failed"


# Where it stopped ------------------------------------------------------------------------------------------------------


def _ending(ctx: Context) -> Ending | None:
    attempt = ctx.record.attempt
    if attempt.termination_reason == "completed":
        return None
    events = ctx.record.events
    turn = max((e.turn for e in events), default=0)
    seen = ctx.screens[-1] if ctx.screens else None
    parts = [f"the journey ended {attempt.termination_reason.replace('_', ' ')} in turn {turn}: {attempt.why}"]
    parts += [part for part in (_unsettled(ctx, turn), _loop(ctx), _server(ctx), _open_dialog(seen)) if part]
    if len(parts) == 1 and seen is not None and (reply := seen.screen.reply_text()):
        parts.append(f"the last reply was “{one_line(reply, 160)}”")
    return Ending(turn=turn, event=seen.n if seen else None, why="; ".join(parts), picture=picture_of(seen))


def _unsettled(ctx: Context, turn: int) -> str | None:
    """The last turn's reply was not whole."""
    replies = [e for e in ctx.record.events if isinstance(e, ReplySettled) and e.turn == turn]
    if not replies or replies[-1].settled:
        return None
    last = replies[-1]
    began = "it never began" if last.first_ms is None else "it began and did not end"
    return f"the reply of turn {turn} was waited for {last.waited_ms / 1000:.0f} s, {began} (event {last.n})"


def _loop(ctx: Context) -> str | None:
    """The product said the same at the end, over and over, or asked for one thing again and again."""
    spoken = ctx.talk.spoken
    tail = 0
    while tail < len(spoken) and spoken[-1 - tail].text == spoken[-1].text:
        tail += 1
    if tail >= SAME_REPLY:
        return f"the product said the same {tail} times from turn {spoken[-tail].turn} on: “{one_line(spoken[-1].text, 120)}”"
    asked = Counter(ask.fact for ask in ctx.talk.asks if not ask.confirm)
    if asked and asked.most_common(1)[0][1] >= SAME_REPLY:
        fact, times = asked.most_common(1)[0]
        first = next(ask for ask in ctx.talk.asks if ask.fact == fact)
        return f"the product asked for {fact.replace('_', ' ')} {times} times, first in turn {first.turn}"
    return None


def _server(ctx: Context) -> str | None:
    """The last failure of the product's server."""
    bad = [line for line in ctx.record.network or () if line.status is not None and line.status >= 500]
    return f"{len(bad)} answers of the server were errors, the last HTTP {bad[-1].status}" if bad else None


def _open_dialog(seen: ScreenSeen | None) -> str | None:
    text = next((b.text for b in seen.screen.blocks if b.part == "dialog"), None) if seen else None
    return f"a dialog stood open: “{one_line(text, 120)}”" if text else None


# Since when ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Moment:
    """When a line went wrong."""

    event: int | None
    words: str


AFTERWARDS = _Moment(None, "seen only in what product and staff hold afterwards")


def _since(ctx: Context, line: ScoreLine, stuck: Ending | None) -> _Moment:
    if line.id == "journey.completed" and stuck is not None:
        return _at(ctx, stuck.event)
    if (fact := _fact_of(ctx, line)) is not None:
        return _wrong_since(ctx, fact, line)
    moments = (_event_of(ctx, evidence) for evidence in line.evidence)
    return _at(ctx, next((n for n in moments if n is not None), None))


def _at(ctx: Context, event: int | None, words: str = "") -> _Moment:
    turn = next((e.turn for e in ctx.record.events if e.n == event), None)
    return AFTERWARDS if event is None else _Moment(event, f"event {event}, turn {turn}{words}")


def _event_of(ctx: Context, evidence: Evidence) -> int | None:
    """The event itself; for an answer of the server, the first event of its turn."""
    if evidence.event is not None:
        return evidence.event
    network = ctx.record.network or ()
    place = (evidence.path or "").partition(".")[0]
    if evidence.file == NETWORK and place.isdigit() and int(place) < len(network):
        turn: int | None = network[int(place)].turn
    else:
        body = (evidence.file or "").removeprefix("bodies/")
        turn = next((item.turn for item in network if item.response_body == body), None)
    return next((e.n for e in ctx.record.events if e.turn == turn), None)


def _fact_of(ctx: Context, line: ScoreLine) -> OracleFact | None:
    by_line = {INCIDENT_TIME.get(f.id, f"facts.{f.id}"): f for f in ctx.labels.expected_facts}
    by_line |= {f"facts.optional.{f.id}": f for f in ctx.labels.optional_facts}
    return by_line.get(line.id)


def _wrong_since(ctx: Context, fact: OracleFact, line: ScoreLine) -> _Moment:
    """The first screen that shows the wrong value; else where the customer told the fact."""
    if line.got and _holds_wrong_value(line):
        locale = ctx.visible.facts.persona.language
        for seen in ctx.screens:
            texts = [b.text for b in seen.screen.blocks if b.part != "customer"]
            if any(mentions(fact.kind, line.got, text, locale) or contains_words(text, line.got) for text in texts):
                return _at(ctx, seen.n, ", where a screen first shows it")
    told = next((e for e in ctx.ledger if e.entry in ("fact_told", "unknown_told") and e.id == fact.id), None)
    return _at(ctx, told.n if told else None, ", where the customer told it, or later; no screen shows it")


def _holds_wrong_value(line: ScoreLine) -> bool:
    """The product holds another value, not none and not merely an unconfirmed one."""
    return bool(line.got) and bool(line.evidence) and (line.evidence[0].path or "").endswith(".value")


# What follows from what ------------------------------------------------------------------------------------------------


def _follows(ctx: Context, line: ScoreLine, failed: Sequence[ScoreLine]) -> list[str]:
    others = [other for other in failed if other.id != line.id]
    if line.id == "journey.completed":
        return [other.id for other in others if other.id in STOPPERS and _at_the_end(ctx, other)]
    if line.group in ("facts", "incident_time") and (_holds_wrong_value(line) or line.id == "facts.invented"):
        return []
    patterns = next((causes for effect, causes in FOLLOWS if fnmatchcase(line.id, effect)), ())
    return [other.id for other in others if _one_of(other.id, patterns)]


def _one_of(line_id: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(line_id, pattern) for pattern in patterns)


def _at_the_end(ctx: Context, line: ScoreLine) -> bool:
    """Something that the line rests on is in one of the last turns."""
    shown = {_event_of(ctx, evidence) for evidence in line.evidence}
    last = max((e.turn for e in ctx.record.events), default=0)
    return any(e.turn >= last - LAST_TURNS for e in ctx.record.events if e.n in shown)


# Telling it ------------------------------------------------------------------------------------------------------------


def _cause(ctx: Context, line: ScoreLine, since: _Moment, follows: list[str]) -> Cause:
    event = since.event
    turn = next((e.turn for e in ctx.record.events if e.n == event), None)
    seen = None
    if event is not None:
        seen = next((s for s in reversed(ctx.screens) if s.n <= event), None)
    return Cause(
        line=line.id, title=line.title, why=line.why, since=since.words, event=event, turn=turn, picture=picture_of(seen), follows=follows,
        places=[_place(e) for e in line.evidence],
    )  # fmt: skip


def _place(evidence: Evidence) -> Place:
    return Place(file=evidence.file or "events.jsonl", event=evidence.event, path=evidence.path, quote=evidence.quote)


def picture_of(seen: ScreenSeen | None) -> str | None:
    """The first picture of a screen, below the attempt's folder."""
    return seen.pictures[0] if seen is not None and seen.pictures else None


def notes_on(record: Record, no_state: str | None, first: Cause | None) -> list[str]:
    """What else bears on it; `no_state` says why nothing is known of what the product holds."""
    notes: list[str] = []
    slips = [e for e in record.events if isinstance(e, Slip) and e.delivered and e.severity != "minor"]
    for slip in slips:
        when = (
            "before it" if first is not None and first.event is not None and slip.n < first.event else "in this journey"
        )
        kind = slip.slip.replace("_", " ")
        notes.append(
            f"the customer's own slip {when}: {kind} at event {slip.n} (turn {slip.turn}), it {slip.severity} the product"
        )
    lost = [a for a in record.events if isinstance(a, Acted) and not a.confirmed]
    if lost:
        notes.append(
            f"{len(lost)} acts of the customer were never confirmed by the page, the first at event {lost[0].n}"
        )
    if record.chain_problem:
        notes.append(f"the record does not verify: {record.chain_problem}")
    if no_state:
        notes.append(no_state)
    return notes
