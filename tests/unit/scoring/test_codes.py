"""Internal codes on a screen, and what only looks like one."""

from pathlib import Path

import pytest
from builder import NUMBER, Golden, made
from records import replied

from oracle_scoring.claims.codes import code_lines, codes_in


def codes(text: str, language: str = "en-GB") -> list[str]:
    """What is found."""
    return [what for what, _ in codes_in(text, language)]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Still open: other_vehicle", "a field's or reason's code"),
        ("Reason: LOSS_AT_LEAST_1000.", "a field's or reason's code"),
        ("motor.parked_hit", "a field's or reason's code"),
        ("Thank you, {{ customer.first_name }}.", "an unfilled template"),
        ("Dear ${name}", "an unfilled template"),
        ("Dear {first_name},", "an unfilled template"),
        ("Dear [Your Name],", "an unfilled template"),
        ("Ihre Nummer ist %(number)s", "an unfilled template"),
        ("Excess: undefined", "an empty value"),
        ("Hello undefined, how can I help?", "an empty value"),
        ("Your case number is null.", "an empty value"),
        ("您的案件号是 null", "an empty value"),
        ("Total: NaN GBP", "an empty value"),
        ("[object Object]", "an object in its raw form"),
        ('{"next": "plate"}', "data in the form of machines"),
        ("{'next': 'plate'}", "data in the form of machines"),
        ("Terms &amp; conditions", "data in the form of machines"),
        ("<div class='x'>Hello", "data in the form of machines"),
        ("Traceback (most recent call last):", "a program's error"),
        ("TypeError: x is not a function", "a program's error"),
        ("  at Object.run (/srv/app.js:10:5)", "a program's error"),
        ("Ref 550e8400-e29b-41d4-a716-446655440000", "a bare identifier"),
        ("507f1f77bcf86cd799439011", "a bare identifier"),
        ("Vui lòng nhập police_reference", "a field's or reason's code"),
    ],
)
def test_codes_are_seen(text: str, what: str) -> None:
    """Ids, templates, empty values, raw objects, data, stack traces and bare identifiers are no words for a customer."""
    assert what in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "I have noted null and void.",
        "The contract is null & void.",
        "The excess is an undefined amount.",
        "Police reference: None",
        "My nan lives there.",
        "Your case number is CLM-2026-000092.",
        "Reference HX/40772/26, plate JX24 RVB, policy FWM-204417",
        "photo_rear_1.jpg has arrived.",
        "IMG_20260309 (2).jpeg",
        "See https://harbour.example/claims/new_claim?id=507f1f77bcf86cd799439011",
        "Write to first_last@harbour.example.",
        "Date (day/month/year): 9/3/2026",
        "It costs < 500 and > 100 pounds.",
        "Total: £1,284.00 {incl. VAT}",
        "谢谢，已记录：车牌 京A12345。",
        "Cảm ơn bạn, biển số 51F-123.45 đã được ghi nhận.",
        "20260309162000123456789012",
        "[Continue]",
        "An error occurred, please try again.",
    ],
)
def test_words_are_let_be(text: str) -> None:
    """Plain language, numbers of claims, file names, addresses and figures are no codes."""
    assert codes(text) == []


def test_zero_is_a_word_in_german() -> None:
    """In languages in which "null" is a number it is no empty value."""
    assert codes("Das kostet null Euro.", "de-DE") == []


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("You wrote: my_old_car was hit. Was anyone hurt?", "pass"),
        (f"Your number is {NUMBER}. Was anyone hurt?", "pass"),
        ("You wrote: my_new_car was hit. Was anyone hurt?", "fail"),
    ],
)
def test_what_the_customer_wrote_is_no_code(reply: str, state: str, tmp_path: Path) -> None:
    """The customer's own words, shown again, are theirs."""
    golden = Golden()
    golden.facts["facts"][3]["say"] = "Somebody hit my_old_car."
    replied(reply)(golden)
    found = made(golden, tmp_path, code_lines, "journey.internal_codes")
    assert found.state == state, found.why
