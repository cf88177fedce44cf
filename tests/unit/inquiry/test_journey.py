"""A recorded inquiry journey as a session, and what a package's answers expect of it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from harness.errors import InputError
from harness.schema.events import Acted, Event, ScreenSeen
from harness.schema.inquiry import TalkState
from harness.schema.screen import Block, Screen
from oracle_scoring.corpus.inquiry import InquiryLabels
from oracle_scoring.inquiry.expected import expectations
from oracle_scoring.inquiry.grade import grade
from oracle_scoring.inquiry.journey import session_of_state, unseen
from oracle_scoring.record import Record

HELLO = "Hi, I'm Tom Jasper from Shenzhen Beiyijia, a factory for PD fast-charging data cables. Are you in wholesale import, online sales, own brand or custom gifts?"
POSTERS = "Data cables are exactly what our factory makes. Please have a look at these two groups.\n[IMAGE:img-1|Style direction 1]\n[IMAGE:img-2|Style direction 2]"
NOBODY = '{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"business"}'
PERSON = '{"shouldAutoConvert":true,"shouldForceHumanTakeover":true,"conversationIntent":"business"}'

SEARCH = {
    "name": "knowledge_search",
    "arguments": {"query": "英文快速选品海报"},
    "result": {"hit": True, "documents": [{"title": "英文快速选品海报", "text": "", "media": ["img-1", "img-2"]}]},
}


def customer(text: str) -> dict[str, Any]:
    return {"role": "customer", "text": text, "created_at": "2026-01-05T03:00:00Z", "images": []}


def assistant(reply: str | None, output: str, sent: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "role": "assistant", "reply_text": reply, "published": True, "tool_calls": [], "asked_field_keys": [],
        "media_sent": [{"id": i, "ok": True} for i in sent], "conversion": {"phase": "inbound", "output": output},
    }  # fmt: skip


def held(last: str = PERSON) -> TalkState:
    """Introduction, posters, a style with a quantity, hand-over."""
    turns = [
        customer("Hi"), assistant(HELLO, NOBODY), customer("I need cables"),
        {**assistant(POSTERS, NOBODY, ("img-1", "img-2")), "tool_calls": [SEARCH]}, customer("A-03, 2000 pieces"), assistant(None, last),
    ]  # fmt: skip
    state = {
        "ref": "t1", "status": "handed_over", "lead_status": "converted", "form": {"quantity": "2000"},
        "hand_over": "working_hours", "uploads": [], "catalog_context": {"categories": ["cable"], "tags": []},
        "media": {"posters": {"en": ["img-1", "img-2"]}, "poster_styles": ["A-03"]}, "turns": turns,
    }  # fmt: skip
    return TalkState.model_validate_json(json.dumps(state))


def record(shown: str, said: tuple[str, ...] = ("Hi", "I need cables", "A-03, 2000 pieces")) -> Record:
    """A record whose screens showed `shown`, and whose customer said this."""
    base: dict[str, Any] = {"at": datetime.now(UTC), "t_ms": 0.0, "turn": 1}
    screen = Screen(seq=1, blocks=[Block(part="reply", text=shown)], controls=[])
    events: list[Event] = [
        Acted(n=n, act="said", text=text, confirmed=True, act_ms=1.0, **base) for n, text in enumerate(said)
    ]
    events.append(ScreenSeen(n=9, screen=screen, pictures=[], read_ms=1.0, **base))
    return cast(Record, SimpleNamespace(folder=Path("/r1/INQ-001/t01/a01"), events=tuple(events)))


SHOWN = f"{HELLO}\nData cables are exactly what our factory makes.  Please have a look at these two groups.\nStyle direction 1"


def test_the_session_is_what_the_product_holds_where_the_screens_showed_it() -> None:
    """Name, media, turns and decisions are taken over; white space does not count."""
    session = session_of_state(record(SHOWN), held(), "beiyijia")
    assert session.session_id == "r1/INQ-001/t01/a01" and len(session.turns) == 6
    assert unseen(record(SHOWN), held()) == []
    assert [m.metric_id for m in grade(session).metrics if m.result == "FAIL"] == []


def test_a_reply_that_no_screen_showed_is_not_published() -> None:
    """Whatever the product says of it."""
    only_hello = record(HELLO)
    assert unseen(only_hello, held()) == [3]
    assert [getattr(t, "published", None) for t in session_of_state(only_hello, held(), "beiyijia").turns][3] is False


def test_a_message_that_the_product_lost_is_an_error() -> None:
    """A state read without it says nothing of the journey."""
    with pytest.raises(InputError, match="not in the state read"):
        session_of_state(record(SHOWN, ("Hi", "I need cables", "one more")), held(), "beiyijia")


def labels(**changes: Any) -> InquiryLabels:
    """Answers for that conversation."""
    right: dict[str, Any] = {
        "format": "0.2", "canary": "0" * 32, "kind": "inquiry", "oracle_revision": 1,
        "buyer": {"type": None, "role": None, "language": "en"}, "form": {"quantity": "2000"}, "ends": "working_hours",
        "applies": ["M-001", "M-102"],
        "events": [{"id": "hit", "after": ["posters_sent", "quantity_given"], "auto_convert": True, "hand_over": True}],
    }  # fmt: skip
    return InquiryLabels.model_validate_json(json.dumps({**right, **changes}))


def failing(given: InquiryLabels, state: TalkState) -> list[str]:
    session = session_of_state(record(SHOWN), state, "beiyijia")
    return [e.id for e in expectations(session, given, state, grade(session)) if e.state != "pass"]


def test_answers_hold_for_a_conversation_that_is_right() -> None:
    """Events, form, ending and metrics."""
    assert failing(labels(), held()) == []


@pytest.mark.parametrize(
    ("changes", "last", "fails"),
    [
        ({}, NOBODY, "event.hit"),
        ({"events": [{"id": "hit", "after": ["insulted"], "intent": "harassment"}]}, PERSON, "event.hit"),
        ({"form": {"quantity": "3000"}}, PERSON, "form.quantity"),
        ({"ends": "after_closing"}, PERSON, "ends"),
        ({"applies": ["M-039"]}, PERSON, "applies.M-039"),
    ],
)
def test_each_answer_that_does_not_hold_is_named(changes: dict[str, Any], last: str, fails: str) -> None:
    """By its own id."""
    assert fails in failing(labels(**changes), held(last))


def test_without_a_state_read_form_and_ending_are_not_checked() -> None:
    """They are neither right nor wrong."""
    session = session_of_state(record(SHOWN), held(), "beiyijia")
    states = {e.id: e.state for e in expectations(session, labels(), None, grade(session))}
    assert states["ends"] == states["form.quantity"] == "not_checked"
