"""A recorded inquiry: its checklist from the package's answers, and what a script sees in talk, tools and media."""

from pathlib import Path
from typing import Literal

from harness.schema import wording
from harness.schema.package import LABELS, read_visible
from harness.schema.session import AssistantTurn, CustomerTurn, InquirySession
from oracle_scoring.agent_rules.looks import Look, broken_off, finding, found, same_reply_again, uploads
from oracle_scoring.agent_rules.models import ChecklistItem, Finding, Looked, Said
from oracle_scoring.agent_rules.parts import Parts
from oracle_scoring.agent_rules.tools import tool_order
from oracle_scoring.agent_rules.wishes import Ban, Thing, bans
from oracle_scoring.corpus.inquiry import InquiryLabels
from oracle_scoring.corpus.load import read_part
from oracle_scoring.inquiry.expected import expectations
from oracle_scoring.inquiry.from_record import session_of_record
from oracle_scoring.inquiry.grade import SessionResult, grade
from oracle_scoring.inquiry.profile import DEFAULT, load_profile
from oracle_scoring.inquiry.talk import Conversation
from oracle_scoring.judge.inquiry import messages
from oracle_scoring.record import Record, read_record

KNOWN_AGAIN = "M-005"
"""The metric: nothing known is asked again."""
_SEEN: frozenset[Thing] = frozenset({"person", "media"})
"""What the record of an inquiry shows as done or not done."""


def inquiry_parts(attempt_dir: Path, package_dir: Path) -> Parts:
    """Checklist, looks and transcript of an attempt at an inquiry package."""
    record = read_record(attempt_dir)
    session = session_of_record(record, DEFAULT)
    result = grade(session)
    looks = [
        same_reply_again(record),
        broken_off(record, _done(record)),
        _asked_again(result),
        _files(record, session),
        tool_order(session, load_profile(session.profile or DEFAULT)),
        *_wishes(record, session, package_dir),
    ]
    said = [Said(role=_role(m.speaker), text=m.text) for m in messages(session)]
    return Parts(_checklist(record, session, result, package_dir), looks, said)


def _role(speaker: str) -> Literal["customer", "agent", "tool", "system"]:
    if speaker.startswith("assistant"):
        return "agent"
    if speaker.endswith("customer"):
        return "customer"
    return "tool" if speaker == "tool" else "system"


def _done(record: Record) -> bool | None:
    """A buyer who leads leaves when nothing is left to ask; whether that was enough, the checklist says."""
    reason = record.attempt.termination_reason
    handed_over = bool(record.talks and record.talks.cases and record.talks.cases[0].hand_over)
    return True if reason in ("completed", "customer_left") or (reason == "nothing_to_do" and handed_over) else None


def _checklist(
    record: Record, session: InquirySession, result: SessionResult, package_dir: Path
) -> list[ChecklistItem]:
    labels = read_part(InquiryLabels, package_dir, LABELS)
    held = record.talks.cases[0] if record.talks and record.talks.cases else None
    return [
        ChecklistItem(id=e.id, desc=e.id, referee="script", passed={"pass": True, "fail": False}.get(e.state))
        for e in expectations(session, labels, held, result)
        if not e.id.startswith("applies.")
    ]


def _asked_again(result: SessionResult) -> Look:
    metric = next(m for m in result.metrics if m.metric_id == KNOWN_AGAIN)
    if metric.result == "FAIL":
        return found("INS-06", [finding("INS-06", metric.evidence, note=metric.reason)], "")
    if metric.result == "N/A":
        return Look("INS-06", "nothing_to_check", metric.reason or "the customer had told nothing")
    state: Looked = "clear" if metric.result == "PASS" else "not_checked"
    return Look("INS-06", state, metric.reason or f"{KNOWN_AGAIN} is {metric.result}")


def _files(record: Record, session: InquirySession) -> Look:
    """Pictures of the customer's that are not stored as they were, and media of a reply that were not sent."""
    look = uploads(record)
    sent = [
        (n, k, m)
        for n, turn in enumerate(session.turns)
        if isinstance(turn, AssistantTurn) and turn.published is not False
        for k, m in enumerate(turn.media_sent or [])
    ]
    lost = [
        finding("OUT-08", f"turns.{n}.media_sent.{k}: {m.id}", note="was in the reply and could not be sent")
        for n, k, m in sent
        if not m.ok
    ]
    if lost:
        return found("OUT-08", [*look.findings, *lost], "")
    if look.state == "nothing_to_check" and sent:
        return Look("OUT-08", "clear", f"each of {len(sent)} media of the replies was sent")
    return look


def _wishes(record: Record, session: InquirySession, package_dir: Path) -> list[Look]:
    given = bans(record.events, read_visible(package_dir))
    return [
        _banned(session, "INS-03", [b for b in given if not b.withdrawn], "forbade nothing"),
        _banned(session, "MT-02", [b for b in given if b.withdrawn], "took nothing back"),
    ]


def _banned(session: InquirySession, code: str, given: list[Ban], nothing: str) -> Look:
    if not given:
        return Look(
            code, "nothing_to_check", f"the package's words that reached the product {nothing} that is looked for"
        )
    findings: list[Finding] = []
    unseen: list[str] = []
    for ban in given:
        after = _turn_of(session, ban)
        if ban.thing not in _SEEN or after is None:
            unseen.append(ban.thing)
        elif ban.thing == "person":
            findings += _handed_over(session, code, ban, after)
        else:
            findings += _media(session, code, ban, after)
    if unseen and not findings:
        return Look(code, "not_checked", f"the record does not show what became of: {', '.join(unseen)}")
    return found(code, findings, f"{'; '.join(b.words for b in given)}: nothing of it was done afterwards")


def _turn_of(session: InquirySession, ban: Ban) -> int | None:
    """The last turn in which the customer said it."""
    words = wording.fold(ban.words)
    said = [
        n for n, t in enumerate(session.turns) if isinstance(t, CustomerTurn) and words in wording.fold(t.text or "")
    ]
    return said[-1] if said else None


def _handed_over(session: InquirySession, code: str, ban: Ban, after: int) -> list[Finding]:
    conversation = Conversation(session, load_profile(session.profile or DEFAULT))
    return [
        finding(code, f"“{ban.words}”; {decision.where}: shouldForceHumanTakeover is true")
        for decision in conversation.decisions
        if decision.turn > after and decision.force
    ][:1]


def _media(session: InquirySession, code: str, ban: Ban, after: int) -> list[Finding]:
    return [
        finding(code, f"“{ban.words}”; turns.{n}.media_sent: {', '.join(m.id for m in turn.media_sent or [] if m.ok)}")
        for n, turn in enumerate(session.turns)
        if n > after and isinstance(turn, AssistantTurn) and any(m.ok for m in turn.media_sent or [])
    ]
