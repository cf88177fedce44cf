"""A session's result: verdicts, what is not recorded, edges, the conclusion, evidence."""

import json

import pytest

from harness.schema.session import InquirySession
from oracle_scoring.inquiry.evaluate import evaluate, plans
from oracle_scoring.inquiry.finding import Finding, Moment
from oracle_scoring.inquiry.grade import grade, strict_manual
from oracle_scoring.inquiry.metric import Check, Metric
from oracle_scoring.inquiry.profile import load_profile
from oracle_scoring.inquiry.talk import Conversation
from tests.unit.inquiry.sessions import (
    INTRODUCTION,
    OFF_HOURS,
    POSTER_SEARCH,
    POSTERS,
    WORKING,
    graded,
    metric,
    replied,
    said,
    session,
)  # fmt: skip

HELLO = (said("Hi"), replied(INTRODUCTION))
CLOSING = "We have received your choice. It is outside our working hours now; tomorrow we will confirm specifications and quotation."


def test_58_results_in_the_manuals_order() -> None:
    """Every metric has one result, and only the scored one may be SCORED."""
    result = graded(*HELLO)
    assert [m.metric_id for m in result.metrics] == [p.metric.id for p in plans()]
    assert len(result.metrics) == 58
    assert {m.result for m in result.metrics} <= {"PASS", "FAIL", "N/A", "NOT_CHECKED"}


def test_a_p0_that_fails_makes_the_session_unqualified() -> None:
    """One red line is enough, whatever was not checked besides."""
    result = graded(*HELLO, said("Thanks"), replied("It is our best seller."))
    assert result.conclusion == "unqualified"
    assert "M-040" in [m.metric_id for m in result.metrics if m.result == "FAIL"]


def test_a_p0_that_was_not_checked_leaves_the_session_undetermined() -> None:
    """Nothing failed, but something that may apply was not recorded."""
    reply = replied(INTRODUCTION)
    del reply["tool_calls"]
    result = graded(said("Hi"), reply)
    assert not [m for m in result.metrics if m.result == "FAIL"]
    assert result.conclusion == "undetermined"


def test_all_that_applies_passed_is_qualified_and_the_scored_metric_does_not_count() -> None:
    """M-028 stays NOT_CHECKED and outside the conclusion."""
    result = graded(*HELLO)
    assert {m.metric_id for m in result.metrics if m.result == "NOT_CHECKED"} == {"M-028"}
    assert result.conclusion == "qualified"


def test_a_p1_that_fails_is_an_improvement_and_no_more() -> None:
    """The reply's language is P1."""
    result = graded(*HELLO, said("谢谢您的介绍"), replied("You are welcome, it was my pleasure."))
    assert result.improvements == ["M-017"]
    assert result.conclusion == "qualified"


def test_strict_manual_writes_na_and_keeps_the_conclusion() -> None:
    """NOT_CHECKED is a word of this rig; the manual has none for it."""
    reply = replied(INTRODUCTION)
    del reply["conversion"]
    result = strict_manual(graded(said("Hi"), reply))
    assert "NOT_CHECKED" not in {m.result for m in result.metrics}
    assert result.conclusion == "undetermined"


@pytest.mark.parametrize(
    ("missing", "metrics"),
    [("conversion", ("M-101", "M-110", "M-111", "M-201")), ("context", ("M-027", "M-203")), ("tool_calls", ("M-022",)), ("next_pending_field", ("M-006",))],
)  # fmt: skip
def test_what_is_absent_is_not_checked_and_what_is_empty_does_not_apply(missing: str, metrics: tuple[str, ...]) -> None:
    """The same session with the field known to be empty passes or does not apply."""
    full, lacking = replied(INTRODUCTION), replied(INTRODUCTION)
    del lacking[missing]
    for name in metrics:
        assert metric(name, said("Hi"), full).result in ("PASS", "N/A"), name
        assert metric(name, said("Hi"), lacking).result == "NOT_CHECKED", name


def test_pictures_that_were_not_recorded_are_not_none() -> None:
    """Without `images` on any message nobody knows whether a picture came; an empty list says that none did."""
    message = said("Hi")
    decided = replied(INTRODUCTION, (False, False, "business"))
    assert metric("M-101", message, decided).result == "N/A"
    del message["images"]
    assert metric("M-101", message, decided).result == "NOT_CHECKED"


@pytest.mark.parametrize(
    ("at", "force", "result"),
    [
        ("2026-01-05T11:59:59Z", True, "PASS"), ("2026-01-05T11:59:59Z", False, "FAIL"), ("2026-01-05T12:00:00Z", False, "PASS"),
        ("2026-01-05T12:00:00Z", True, "FAIL"), ("2026-01-05T00:59:59Z", True, "FAIL"), ("2026-01-05T01:00:00Z", True, "PASS"),
        (None, True, "FAIL"), ("soon", False, "PASS"), ("2026-01-05T10:00:00", True, "FAIL"),
    ],
)  # fmt: skip
def test_the_border_minutes_decide_who_takes_over(at: str | None, force: bool, result: str) -> None:
    """19:59:59 is working time and 20:00:00 is not; a time that cannot be read is not."""
    message = said("this one", at=at, images=[{"id": "c-1", "recognized": "cable", "clear": True}])
    decided = replied(INTRODUCTION, (True, force, "business"))
    name = "M-104" if at in ("2026-01-05T11:59:59Z", "2026-01-05T01:00:00Z") else "M-105"
    assert metric(name, message, decided).result == result


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ('{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"business"}', "PASS"),
        (' {"conversationIntent":"off_topic","shouldAutoConvert":false,"shouldForceHumanTakeover":true}\n', "PASS"),
        ('```json\n{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"business"}\n```', "FAIL"),
        ('{"shouldAutoConvert":"false","shouldForceHumanTakeover":false,"conversationIntent":"business"}', "FAIL"),
        ('{"shouldAutoConvert":0,"shouldForceHumanTakeover":false,"conversationIntent":"business"}', "FAIL"),
        ('{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"sales"}', "FAIL"),
        ('{"shouldAutoConvert":false,"shouldForceHumanTakeover":false}', "FAIL"),
        ('{"shouldAutoConvert":false,"shouldAutoConvert":true,"shouldForceHumanTakeover":false,"conversationIntent":"business"}', "FAIL"),
        ('[{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"business"}]', "FAIL"),
        ('{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"business"} done', "FAIL"),
        ("", "FAIL"),
        ("{" * 100_000, "FAIL"),
    ],
)  # fmt: skip
def test_the_decisions_json_is_held_to_the_letter(output: str, result: str) -> None:
    """One object, two booleans and an intent, nothing twice and nothing beside."""
    assert metric("M-110", said("Hi"), replied(INTRODUCTION, output)).result == result


def test_a_poster_that_failed_to_send_is_no_complete_set() -> None:
    """What media_sent says was not sent does not open the way of M-102 and M-201."""
    turns = (
        *HELLO, said("I need cables"),
        replied(POSTERS, (False, False, "business"), tool_calls=[POSTER_SEARCH], media_sent=[{"id": "img-en-1", "ok": True}, {"id": "img-en-2", "ok": False}]),
        said("500 pcs"), replied("Noted.", (True, True, "business")),
    )  # fmt: skip
    assert metric("M-201", *turns).result == "FAIL"
    turns[3]["media_sent"][1]["ok"] = True
    assert metric("M-201", *turns).result == "PASS"


def test_an_edge_turns_a_failing_first_turn_into_one_that_does_not_apply() -> None:
    """M-001 is N/A where the off-hours closing had to be sent."""
    context = {
        "leadToOpportunityStatus": "converted",
        "replyPublished": None,
        "actualLastAiReply": None,
        "inquiry_form_snapshot": {},
    }
    assert metric("M-001", said("Hi", at=OFF_HOURS), replied(CLOSING, context=context)).result == "N/A"
    assert metric("M-001", said("Hi", at=WORKING), replied(CLOSING, context=context)).result == "FAIL"
    unknown = replied(CLOSING)
    del unknown["context"]
    assert metric("M-001", said("Hi", at=OFF_HOURS), unknown).result == "NOT_CHECKED"


def test_a_language_without_a_word_list_is_not_judged_by_words() -> None:
    """Spanish questions on prices are not taken for "no price asked", and marks of questions still count."""
    turns = (
        *HELLO,
        said("¿Cuánto cuestan los cables para mi tienda, por favor?"),
        replied("Claro, son muy baratos. ¿Cuántos? ¿Para cuándo?"),
    )
    assert metric("M-031", *turns).result == "NOT_CHECKED"
    assert metric("M-004", *turns).result == "FAIL"


def test_a_judge_is_asked_only_where_the_rule_abstains_and_never_overrules_it() -> None:
    """A judge that fails everything changes no check that a rule decided."""

    class Harsh:
        asked: list[str] = []

        def check(self, metric: Metric, check: Check, conversation: Conversation, moment: Moment) -> Finding:
            self.asked.append(f"{metric.id} {check.id}")
            return Finding("fail", "the judge's quote", "the judge's reason")

        def points(self, metric: Metric, conversation: Conversation) -> tuple[int | None, str, str]:
            return 4, "a quote", "a reason"

    judge = Harsh()
    talk = InquirySession.model_validate(
        session(
            *HELLO,
            said("How are your cables tested, do you know?"),
            replied("They are tested with great care by people."),
        )
    )
    alone, judged = grade(talk), grade(talk, judge=judge)
    assert judge.asked
    for before, after in zip(alone.metrics, judged.metrics, strict=True):
        decided = {k: v for k, v in before.checks.items() if v != "not_checked"}
        assert decided.items() <= after.checks.items(), before.metric_id
    assert next(m for m in judged.metrics if m.metric_id == "M-028").score == 4


def test_a_judge_may_say_nothing() -> None:
    """A judge that cannot say leaves NOT_CHECKED."""

    class Silent:
        def check(self, metric: Metric, check: Check, conversation: Conversation, moment: Moment) -> Finding:
            return Finding("not_checked", "", "no answer")

        def points(self, metric: Metric, conversation: Conversation) -> tuple[int | None, str, str]:
            return None, "", "no answer"

    talk = Conversation(InquirySession.model_validate(session(*HELLO)), load_profile("beiyijia"))
    scored = next(p for p in plans() if p.metric.id == "M-028")
    assert evaluate(scored, talk, Silent()).state == "not_checked"


def test_the_same_session_gives_the_same_bytes() -> None:
    """Grading is deterministic."""
    turns = (*HELLO, said("Price and MOQ?"), replied("About $2 each, MOQ 500 pcs. Why? Where?"))
    assert graded(*turns).model_dump_json() == graded(*turns).model_dump_json()
    assert json.loads(graded(*turns).model_dump_json())["metrics"][0]["checks"]["check_1"] == "pass"
