"""A recorded claim: its checklist and what a script sees, from the lines of its scorecard and the record behind them."""

from pathlib import Path

from harness.schema.scorecard import Evidence, LineState, Scorecard, ScoreLine
from oracle_scoring.agent_rules.looks import (
    Look,
    broken_off,
    finding,
    found,
    place,
    same_reply_again,
)
from oracle_scoring.agent_rules.models import ChecklistItem, Finding, Said
from oracle_scoring.agent_rules.parts import Parts
from oracle_scoring.agent_rules.wishes import Ban, Thing, bans, polarity
from oracle_scoring.claims.context import Context, open_context
from oracle_scoring.claims.score import score_attempt
from oracle_scoring.transcript import transcript

RESULT_GROUPS = frozenset({"triage", "review", "facts", "incident_time", "assertions"})
"""Groups of score lines that are about the result; the others are about the way to it."""
RESULT_LINES = frozenset({"journey.completed", "journey.case_number", "journey.one_case", "staff.case_listed"})
_PASSED: dict[LineState, bool | None] = {
    "pass": True, "fail": False, "not_checked": None, "needs_human": None, "unimplemented": None,
}  # fmt: skip


def claims_parts(attempt_dir: Path, package_dir: Path) -> Parts:
    """Checklist, looks and transcript of an attempt at a claims package."""
    ctx = open_context(attempt_dir, package_dir)
    card = score_attempt(attempt_dir, package_dir)
    lines = {line.id: line for line in card.lines}
    said = [
        Said(role="customer" if line.speaker == "customer" else "agent", text=line.text)
        for line in transcript(ctx.record.events)
    ]
    asked = {r.ask.n for r in ctx.talk.repeats} | {e.event for e in _requests(lines) if e.event is not None}
    looks = [
        same_reply_again(ctx.record, asked),
        _broken_off(ctx, lines["journey.completed"]),
        _asked_again(ctx, lines),
        _files(card),
        Look("EXE-04", "not_checked", "the record of a claim shows no call of a tool"),
        *_wishes(ctx),
    ]
    return Parts(_checklist(card), looks, said)


def _checklist(card: Scorecard) -> list[ChecklistItem]:
    """Lines about the result; what does not apply is no item, what is unknown is an item without a word."""
    return [
        ChecklistItem(
            id=line.id, desc=line.title, referee="human" if line.referee == "human" else "script",
            passed=_PASSED[line.state],
        )
        for line in card.lines
        if (line.group in RESULT_GROUPS or line.id in RESULT_LINES) and line.state in _PASSED
    ]  # fmt: skip


def _broken_off(ctx: Context, completed: ScoreLine) -> Look:
    done = {"pass": True, "fail": False}.get(completed.state)
    spoilt = completed.why if completed.state == "not_checked" and ctx.no_state is None else None
    return broken_off(ctx.record, done, spoilt)


def _asked_again(ctx: Context, lines: dict[str, ScoreLine]) -> Look:
    """A fact after a right answer, a file after it had arrived."""
    facts, files = lines["journey.repeated_questions"], lines["files.asked_again"]
    findings: list[Finding] = []
    if facts.state == "fail":
        findings += [
            finding("INS-06", place(r.ask.n, r.ask.sentence), note=f"{r.ask.fact} was told at event {r.told.n}")
            for r in ctx.talk.repeats
        ]
    if files.state == "fail":
        findings += [finding("INS-06", place(e.event or 0, e.quote or ""), note=files.why) for e in _requests(lines)]
    if findings:
        return found("INS-06", findings, "")
    states = {facts.state, files.state}
    unknown = [line for line in (facts, files) if line.state in ("not_checked", "needs_human", "unimplemented")]
    if unknown:
        return Look("INS-06", "not_checked", "; ".join(line.why for line in unknown))
    if states == {"not_applicable"}:
        return Look("INS-06", "nothing_to_check", "the product asked for nothing")
    return Look("INS-06", "clear", "no fact was asked for again after a right answer, no file after it had arrived")


def _requests(lines: dict[str, ScoreLine]) -> list[Evidence]:
    """Where files were asked for again; the line names each request and then the upload before it."""
    line = lines["files.asked_again"]
    return [e for e in line.evidence[::2] if e.event is not None] if line.state == "fail" else []


def _files(card: Scorecard) -> Look:
    lines = [line for line in card.lines if line.group == "files" and line.id != "files.asked_again"]
    failed = [line for line in lines if line.state == "fail"]
    findings = [
        finding("OUT-08", f"{line.evidence[0].file or 'state.json'}: {line.title}", note=line.why) for line in failed
    ]
    unknown = [line for line in lines if line.state in ("not_checked", "unimplemented", "needs_human")]
    if not findings and unknown:
        return Look("OUT-08", "not_checked", "; ".join(f"{line.id}: {line.why}" for line in unknown))
    if not findings and not any(line.state == "pass" for line in lines):
        return Look("OUT-08", "nothing_to_check", "no file was handed over")
    return found("OUT-08", findings, "each file that was handed over is stored as it was, once")


def _wishes(ctx: Context) -> list[Look]:
    """INS-03 for what was forbidden from the start, MT-02 for what was taken back."""
    all_bans = bans(ctx.record.events, ctx.visible)
    return [
        _banned(ctx, "INS-03", [b for b in all_bans if not b.withdrawn], "forbade nothing"),
        _banned(ctx, "MT-02", [b for b in all_bans if b.withdrawn], "took nothing back"),
    ]


_SEEN: frozenset[Thing] = frozenset({"contact", "submission"})
"""What a claims product's state shows."""


def _banned(ctx: Context, code: str, given: list[Ban], nothing: str) -> Look:
    if not given:
        return Look(
            code, "nothing_to_check", f"the package's words that reached the product {nothing} that is looked for"
        )
    if ctx.no_state is not None:
        return Look(code, "not_checked", ctx.no_state)
    findings = [f for ban in given for f in _done(ctx, code, ban)]
    unseen = [b.thing for b in given if b.thing not in _SEEN]
    if unseen and not findings:
        return Look(code, "not_checked", f"the record does not show what became of: {', '.join(unseen)}")
    return found(code, findings, f"{'; '.join(b.words for b in given)}: the product's state shows nothing of it done")


def _done(ctx: Context, code: str, ban: Ban) -> list[Finding]:
    """What the product's state shows of a thing that was not wanted."""
    case = ctx.case
    if case is None:
        return []
    said = f"{place(ban.n, ban.words)}; "
    if ban.thing == "contact":
        open_ones = [(n, x) for n, x in enumerate(case.notes) if x.kind == "contact" and x.status == "open"]
        return [
            finding(
                code, f"{said}state.json {ctx.case_path}.notes.{n}: “{note.text}”",
                certain=polarity("contact", note.text) in (None, "asks"),
                note="an open request to contact the customer",
            )
            for n, note in open_ones
        ]  # fmt: skip
    if ban.thing == "submission" and case.status == "submitted":
        pressed = [e for e in ctx.acts if e.act == "pressed" and e.confirmed and e.n > ban.n]
        note = "the customer pressed a button afterwards" if pressed else "it was submitted"
        return [finding(code, f"{said}state.json {ctx.case_path}.status: submitted", not pressed, note)]
    return []
