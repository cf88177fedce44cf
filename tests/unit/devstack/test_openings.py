"""First messages in all six styles: the class is found, what is told is read, and nothing is made up."""

import json
from datetime import date
from pathlib import Path

import pytest

from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.understand import Context, Understanding, read
from harness.schema.package import read_visible
from oracle_scoring.compare import compare_value
from tests.support.growth import grows_too_fast

CLAIMS = Path(__file__).parents[3] / "packages" / "claims"
PACKAGES = sorted(folder.name for folder in CLAIMS.iterdir())


def heard(text: str, line: str | None = None) -> tuple[str | None, Understanding]:
    """The class and the reading of a first message."""
    name = catalogue().classify(text, line)
    wanted = tuple(catalogue().class_facts(name)) if name else tuple(catalogue().facts)
    context = Context(asked=(), wanted=wanted, held=frozenset(), today=date(2026, 11, 30), opening=True)
    return name, read(text, context)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_openings_of_the_corpus_are_read(package: str) -> None:
    """Class, date and place are right, and no value differs from what the customer knows."""
    visible = read_visible(CLAIMS / package)
    labels = json.loads((CLAIMS / package / "oracle/labels.json").read_bytes())
    name, got = heard(visible.initial_message)
    assert name == labels["scenario_class"]
    known = {f.id: f for f in visible.facts.facts}
    assert {"incident_date", "place", "what_happened"} <= set(got.values)
    for fact, value in got.values.items():
        assert compare_value(known[fact].kind, known[fact].value, value).same or fact == "what_happened", (fact, value)
    assert not got.explanations and not got.questions


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I was stopped at the lights on Hill Road, Wexley when a red lorry smashed into the back of me.", "motor.rear_end"),
        ("helo, my van was stolan from Mill Lane, Wexley", "motor.theft"),
        ("Somebody has take my motorbike in night, it stand before house.", "motor.theft"),
        ("My camera was stolen from my car!!", "property.theft_away"),
        ("hialstones al over my car in the car park", "motor.weather"),
        ("In the storm another car hit my parked car.", "motor.parked_hit"),
        ("Oh no, I swerved for a deer and the car is in the ditch, I could cry!", "motor.single_vehicle"),
        ("I want to claim on my car insurance: a pipe burst and the kitchen is flooded.", "home.escape_of_water"),
        ("Please, my flood insurance: the wind has take tiles from roof.", "home.storm"),
        ("They brok in, evrything is gone, we were burgeld!!", "home.burglary"),
        ("It is for my home insurance. I dropped my Kestrel K5 phone and the display is cracked.", "property.accidental_damage"),
        ("my laptp fell of teh table, screen brokn", "property.accidental_damage"),
        ("Someone snatched my bag on the train to Wexley.", "property.theft_away"),
    ],
)  # fmt: skip
def test_the_class_is_found_in_any_style(text: str, name: str) -> None:
    """Slips of the pen, odd grammar and a wrong name for the insurance do not hide what happened."""
    assert heard(text)[0] == name


def test_the_line_of_the_policy_decides_between_classes() -> None:
    """A notice that fits two classes is taken for the one the customer is insured for."""
    text = "The storm brought a branch down on the roof of my car and of the house."
    assert (heard(text, "motor")[0], heard(text, "home")[0]) == ("motor.weather", "home.storm")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The wind took slates off our cottage. Water dripped into the main bedroom and hallway. A roofer covered the gap. "
         "We cannot sleep there and it is still dangerous.",
         {"cause": "The wind", "rooms_affected": "the main bedroom and hallway", "emergency_work": "A roofer covered the gap", "habitable": "no", "ongoing_danger": "yes"}),
        ("A leak in our flat at 4 Dock Row, Wexley: the hose behind the washing machine had burst. Nobody was hurt.",
         {"place": "our flat at 4 Dock Row, Wexley", "cause": "the hose behind the washing machine had burst", "injuries": "no"}),
        ("My new Orlan Pro 14 laptop was stolen at the Gull Cafe, Pier Road, Wexley. I still have the invoice. I paid £1,100 for it.",
         {"item": "new Orlan Pro 14 laptop", "place": "the Gull Cafe, Pier Road, Wexley", "proof_of_purchase": "the invoice", "price": "1100.00 GBP"}),
    ],
)  # fmt: skip
def test_home_and_property_facts_are_taken_unasked(text: str, facts: dict[str, str]) -> None:
    """What the first message tells needs no question."""
    got = heard(text)[1].values
    assert {fact: got.get(fact) for fact in facts} == facts


@pytest.mark.parametrize(
    "text",
    [
        "the ",
        "at Bb, Aa",
        "into kitchen and ",
        "my Aaa ",
        "at A B ",
        "a plumber put ",
        "car took a b c ",
        " ",
        "hialstones ",
    ],
)
def test_long_messages_are_read_at_once(text: str) -> None:
    """No message makes a reader go over it again and again."""
    assert grows_too_fast(lambda size: heard((text * size)[:size]), 8000) == ""
