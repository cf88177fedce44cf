"""What a package's answers expect of a conversation, keyed on what has happened in it."""

import re
from collections.abc import Callable, Iterable

from harness.schema.inquiry import TalkState
from harness.schema.scorecard import LineState
from harness.schema.session import AssistantTurn, InquirySession
from oracle_scoring.corpus.inquiry import Event, EventLabel, InquiryLabels
from oracle_scoring.inquiry.grade import Expectation, SessionResult
from oracle_scoring.inquiry.profile import DEFAULT, load_profile
from oracle_scoring.inquiry.talk import HITS, Conversation, Decision, Exchange

_QUANTITY = re.compile(r"\d{2,7}\s{0,2}(?:pcs|pieces|units|cables|条|條|个|個|件|chiếc|cái|sợi)", re.IGNORECASE)


def expectations(
    session: InquirySession, labels: InquiryLabels, held: TalkState | None, result: SessionResult
) -> list[Expectation]:
    """Every expectation of a package's answers, decided.

    Args:
        session: the conversation.
        labels: the package's answers.
        held: what the product holds at the end; None: not known.
        result: the session's verdicts.
    """
    conversation = Conversation(session, load_profile(session.profile or DEFAULT))
    return [
        *(_event(conversation, label) for label in labels.events),
        *_held(labels, held),
        *_applies(labels, result),
    ]


def _applies(labels: InquiryLabels, result: SessionResult) -> Iterable[Expectation]:
    verdicts = {m.metric_id: m.result for m in result.metrics}
    for metric in labels.applies:
        came = verdicts.get(metric, "missing")
        good = came not in ("N/A", "missing")
        why = f"came out as {came}" if good else "its trigger never came about"
        yield Expectation(f"applies.{metric}", "pass" if good else "not_checked", why)


def _held(labels: InquiryLabels, held: TalkState | None) -> Iterable[Expectation]:
    if held is None:
        yield Expectation("ends", "not_checked", "there is no state read")
        yield from (Expectation(f"form.{key}", "not_checked", "there is no state read") for key in labels.form)
        return
    ends = held.hand_over or "not_handed_over"
    yield Expectation(
        "ends", "pass" if ends == labels.ends else "fail", f"ended {ends}, right is {labels.ends}", "hand_over"
    )
    for key, value in labels.form.items():
        there = held.form.get(key)
        state: LineState = "pass" if there == value else "fail"
        yield Expectation(f"form.{key}", state, f"holds {there!r}, right is {value!r}", f"form.{key}")


def _event(conversation: Conversation, label: EventLabel) -> Expectation:
    """The first decision that is made once everything in `after` has happened; not checked if it never came to that."""
    decision = _first_decision(conversation, label.after)
    name = f"event.{label.id}"
    if decision is None:
        return Expectation(name, "not_checked", f"there was no decision after {' and '.join(label.after)}")
    wrong = [
        f"{what} is {came}, right is {right}"
        for what, came, right in (
            ("shouldAutoConvert", decision.auto, label.auto_convert),
            ("shouldForceHumanTakeover", decision.force, label.hand_over),
            ("conversationIntent", decision.intent, label.intent),
        )
        if right is not None and came != right
    ]
    return Expectation(
        name, "fail" if wrong else "pass", "; ".join(wrong) or f"decided in {decision.where}", decision.where
    )


def _first_decision(conversation: Conversation, after: list[Event]) -> Decision | None:
    happened: set[Event] = set()
    for exchange in conversation.utterances:
        happened |= {event for event in after if _in_utterance(conversation, exchange, event)}
        for decision in exchange.decisions:
            late: set[Event] = {e for e in ("closing_published",) if _before(conversation, decision, e)}
            if set(after) <= happened | late:
                return decision
    return None


def _before(conversation: Conversation, decision: Decision, event: Event) -> bool:
    return event == "closing_published" and conversation.closing_published(decision.before)


def _in_utterance(conversation: Conversation, exchange: Exchange, event: Event) -> bool:
    return _HAPPENED[event](conversation, exchange)


def _pictures(exchange: Exchange) -> list[str | None]:
    return [i.recognized if i.clear is not False or i.recognized == "qr" else None for i in exchange.images or []]


def _first_turn(exchange: Exchange) -> int:
    return exchange.messages[0].turn if exchange.messages else exchange.turn


def _signal(name: str) -> Callable[[Conversation, Exchange], bool]:
    return lambda _, exchange: name in exchange.signals


def _staff_picture(conversation: Conversation, exchange: Exchange) -> bool:
    turns = conversation.session.turns[exchange.turn :]
    nearest = next((t for t in turns if isinstance(t, AssistantTurn)), None)
    return nearest is not None and any(i.sender == "human" for i in nearest.images or [])


_HAPPENED: dict[Event, Callable[[Conversation, Exchange], bool]] = {
    "posters_sent": lambda c, e: c.posters_complete(_first_turn(e)),
    "style_picked": lambda c, e: bool(c.named_styles(e)) or "picks_style" in e.signals,
    "quantity_given": lambda _, e: _QUANTITY.search(e.raw) is not None,
    "interface_named": lambda _, e: bool(e.interfaces),
    "evidence_picture": lambda _, e: any(p in HITS for p in _pictures(e)),
    "other_picture": lambda _, e: any(p not in HITS for p in _pictures(e)),
    "price_asked": _signal("price"),
    "moq_asked": _signal("moq"),
    "sample_asked": _signal("sample"),
    "person_asked": _signal("asks_person"),
    "catalog_asked": _signal("catalog"),
    "rules_asked": _signal("persona_attack"),
    "insulted": _signal("abuse"),
    "closing_published": lambda c, e: c.closing_published(_first_turn(e)),
    "own_picture_by_staff": _staff_picture,
}
"""Event -> whether it happens in this utterance, or (posters, closing) had happened before it."""
