"""Somebody else's data on a screen."""

from pathlib import Path

import pytest
from builder import Golden, made
from records import fact, no_state, replied

from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.privacy import privacy_lines, values_in


def foreign(golden: Golden, root: Path) -> ScoreLine:
    """The line of the record's scorecard."""
    return made(golden, root, privacy_lines, "journey.foreign_data")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("LK21 XZB", "plate"),
        ("京A·12345", "plate"),
        ("51F-123.45", "plate"),
        ("h.brinsley@example.com", "e-mail address"),
        ("07700 900931", "phone number"),
        ("+44 7700 900931", "phone number"),
        ("138 0013 8000", "phone number"),
        ("0912 345 678", "phone number"),
        ("FWM-118203", "number"),
        ("CLM-2026-000091", "number"),
        ("HX/40772/26", "reference"),
        ("Dear Mr Hale, thank you.", "name"),
        ("Welcome back, Martin Hale!", "name"),
        ("Policyholder\nMartin Hale", "name"),
        ("姓名：王小明", "name"),
    ],
)
def test_identifying_values_are_heard(text: str, kind: str) -> None:
    """Plates, numbers, addresses and names of three countries are heard in a text."""
    assert [v.kind for v in values_in(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Write to claims@harbour.example or call 0800 123 4567.",
        "Text us on 07700 900931, or write to our colleague at anna.smith@harbour.example.",
        "请拨打我们的电话 138 0013 8000。",
        "We are ISO-27001 certified.",
        "Hello, how can I help?",
        "Dear Customer, thank you.",
        "Hi Nora, thank you.",
        "It happened on 9 March 2026 at 16:20 and costs £1,284.00.",
        "WX0 7QQ",
        "A4 paper, ISO-9001, COVID-19",
        "Your name\nnot known",
        "谢谢，金额是 12345678 元。",
        "Please give the registration, e.g. LK21 XZB.",
        "For example: name@mail.example",
        "Your policy number in the form FWM-118203",
        "车牌号，例如 京A·12345",
        "Biển số, ví dụ 51F-123.45",
    ],
)
def test_what_identifies_nobody_is_let_be(text: str) -> None:
    """Offices' addresses, free numbers, dates, amounts, postcodes, standards and bare greetings identify no customer."""
    assert list(values_in(text)) == []


@pytest.mark.parametrize(
    "reply",
    [
        "I noted jx24rvb and policy FWM-1.",
        "I noted JX24 RV8.",
        "I noted JX42 RVB.",
        "Your case number is CLM-2026-000091.",
        "Is 07700 900142 the number to reach you?",
        "Is +44 7700 900142 the number to reach you?",
        "Hello Nora Tidewell, thank you.",
        "Police reference WX/4711/26 is stored.",
        "The quote is HL-2026-0318.",
    ],
)
def test_the_customers_own_is_let_be(reply: str, tmp_path: Path) -> None:
    """What the customer knows, in any form or with a slip, this claim's number, stored facts and the files' texts are own."""
    golden = Golden()
    phone = {"id": "contact_phone", "topic": "phone", "kind": "phone", "value": "07700 900142", "say": "07700 900142."}
    golden.facts["facts"].append(phone)
    golden.provenance = {"files": {"quote.pdf": {"printed_fields": {"number": "HL-2026-0318"}}}}
    fact("police_reference", "WX/4711/26")(golden)
    replied(f"{reply} Was anyone hurt?")(golden)
    found = foreign(golden, tmp_path)
    assert found.state == "pass", found.why


@pytest.mark.parametrize(
    "reply",
    [
        "I noted LK21 XZB.",
        "Your policy FWM-118203 covers this.",
        "Your earlier claim CLM-2026-000091 is closed.",
        "Is 07700 900931 the number to reach you?",
        "I wrote to h.brinsley@example.com.",
        "Hello Martin Hale, thank you.",
        "Police reference HX/40772/26 is noted.",
    ],
)
def test_somebody_elses_is_seen(reply: str, tmp_path: Path) -> None:
    """A plate, number, address or name that is neither the customer's nor this claim's is shown with its place."""
    golden = Golden()
    replied(f"{reply} Was anyone hurt?")(golden)
    found = foreign(golden, tmp_path)
    assert found.state == "fail" and found.evidence[0].event and found.evidence[0].quote


def test_a_hint_in_an_empty_field_is_left_to_a_person(tmp_path: Path) -> None:
    """It is most often an example, and nothing says that it is one."""
    golden = Golden()
    events = golden.journey.events
    for at, event in enumerate(events):
        if event.kind == "screen":
            shown = [c.model_copy(update={"placeholder": "LK21 XZB"}) for c in event.screen.controls]
            events[at] = event.model_copy(update={"screen": event.screen.model_copy(update={"controls": shown})})
    found = foreign(golden, tmp_path)
    assert found.state == "needs_human" and "LK21 XZB" in found.why


def test_without_the_state_nobody_is_accused(tmp_path: Path) -> None:
    """Whose a value is cannot be said where it is not known what this claim holds."""
    golden = Golden()
    replied("I noted LK21 XZB. Was anyone hurt?")(golden)
    no_state(golden)
    assert foreign(golden, tmp_path).state == "not_checked"
