"""What a sentence of a product asks for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from harness.schema.screen import Control
from harness.schema.wording import (
    asked,
    asked_facts,
    button_kind,
    count_questions,
    has_question,
    has_request,
    is_confirmation,
    nothing_to_do,
    sentences,
)
from tests.support.views import button, screen

CLASSES = YAML(typ="safe").load(
    (Path(__file__).parents[2] / "harness/devstack/claims/classes.yaml").read_text(encoding="utf-8")
)
QUESTIONS = [(fact, spec[key]) for fact, spec in CLASSES["facts"].items() for key in ("ask", "again")]


@pytest.mark.parametrize(("fact", "question"), QUESTIONS)
def test_each_question_of_the_reference_product_is_understood(fact: str, question: str) -> None:
    """Both wordings of every fact name that fact."""
    assert fact in asked_facts(question), asked(question)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("When did it happen, and at about what time?", ["incident_date", "incident_time"]),
        ("When was the tablet purchased?", ["purchase_date"]),
        ("When was the bag taken?", ["incident_date"]),
        ("When was the photo taken?", []),
        ("When did you report it?", []),
        ("Where did you buy it?", []),
        ("What is the registration number of your vehicle, and where is it now?", ["plate", "vehicle_location"]),
        ("Do you know the other car's registration?", ["other_vehicle"]),
        ("Thank you. I have noted the registration number.", []),
        ("Your plate is on file. See https://example.com/?plate=1 for more.", []),
        ("About how much will it cost to put right?", ["estimated_loss"]),
        ("Please upload the repair estimate.", []),
        ("请问车牌号是多少？", ["plate"]),
        ("有人受伤吗？什么时候发生的？", ["injuries", "incident_date"]),
        ("Biển số xe của bạn là gì?", ["plate"]),
        ("When did you buy it?", ["purchase_date"]),
        ("What did you pay for it?", ["price"]),
        ("How did they get in, and which rooms are affected?", ["cause", "rooms_affected"]),
        ("What proof of purchase do you have?", ["proof_of_purchase"]),
        ("Please upload a receipt, an invoice or another proof of purchase.", []),
        ("Please upload the letter from the police, or tell me if it comes later.", []),
        ("Can you tell us why your repair quote is dated 9 April 2026, before the incident?", ["quote_explanation"]),
        (
            "Is there anything about your cover or about earlier claims you would like us to know?",
            ["cover_explanation"],
        ),
    ],
)
def test_asked_facts(text: str, facts: list[str]) -> None:
    """The facts asked for, in order; statements and addresses ask for nothing."""
    assert asked_facts(text) == facts


def test_asking_whether_a_value_is_right_is_no_question_for_it() -> None:
    """A confirmation is told apart."""
    assert [(a.fact, a.confirm) for a in asked("The registration is LK21 ABO, is that right?")] == [("plate", True)]
    assert asked_facts("The registration is LK21 ABO, is that right?") == []


@pytest.mark.parametrize(
    ("text", "count"), [("https://x.example/?a=1 ok?? 真的吗？", 2), ("No.", 0), ("A? B? C?", 3), ("Hmm??!", 1)]
)
def test_questions_are_counted_once_per_run_of_marks(text: str, count: int) -> None:
    """Addresses do not count, runs of marks count once, full-width marks count."""
    assert count_questions(text) == count


def test_nothing_to_do() -> None:
    """No question, no request, no usable control but the composer and side links, no final state."""
    assert nothing_to_do(screen("Thank you, I have noted that."))
    assert not nothing_to_do(screen("Thank you. Where did it happen?"))
    assert not nothing_to_do(screen("Please sign in."))
    assert not nothing_to_do(screen("Thank you.", button("Continue", part="card")))
    assert nothing_to_do(screen("Thank you.", button("Continue", part="card", enabled=False)))
    assert nothing_to_do(screen("Thank you.", Control(kind="link", name="Help", part="page", enabled=True)))
    assert not nothing_to_do(screen("Thank you.", final="Case number 1"))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Yes, that is right", "yes"),
        ("No, change something", "no"),
        ("Try again", "retry"),
        ("Continue", "yes"),
        ("Help", "other"),
        ("提交", "yes"),
        ("取消", "no"),
    ],
)
def test_buttons(name: str, kind: str) -> None:
    """Buttons that go on, go back, or try again."""
    assert button_kind(name) == kind


@given(st.text(max_size=500))
def test_any_text_is_heard(text: str) -> None:
    """No text raises; sentences lose no question mark outside addresses."""
    sentences(text)
    asked(text)
    has_question(text)
    has_request(text)


@pytest.mark.parametrize(
    ("sentence", "confirms"),
    [
        ("Is the date 5 September right?", True),
        ("Is the plate AB12 CDE correct?", True),
        ("Was the other car on the right?", False),
        ("When did it happen?", False),
    ],
)
def test_a_confirmation_is_heard(sentence: str, confirms: bool) -> None:
    """Whichever words stand between."""
    assert is_confirmation(sentence) is confirms
