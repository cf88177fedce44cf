"""The classes as data."""

import pytest

from harness.devstack.claims.catalogue import catalogue

CLASSES = {
    "motor.parked_hit", "motor.rear_end", "motor.single_vehicle", "motor.theft", "motor.weather",
    "home.escape_of_water", "home.storm", "home.burglary", "property.accidental_damage", "property.theft_away",
}  # fmt: skip


def test_all_ten_classes_are_there() -> None:
    """Motor, home and property."""
    assert set(catalogue().classes) == CLASSES


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_a_class_asks_fewer_than_ten_times_and_for_what_every_claim_needs(name: str) -> None:
    """At most nine groups, one or two facts in each, and the facts common to all claims."""
    plan = catalogue().plan(name)
    assert len(plan) <= 10 and len([g for g in plan if g.facts != ["what_happened"]]) <= 9
    assert all(len(g.facts) <= 2 for g in plan)
    assert {"incident_date", "place", "what_happened", "injuries", "estimated_loss"} <= set(
        catalogue().class_facts(name)
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Another car hit my parked car from behind.", "motor.parked_hit"),
        ("Someone rear-ended me at the lights.", "motor.rear_end"),
        ("My car was stolen from the street.", "motor.theft"),
        ("Hail damaged my car last week.", "motor.weather"),
        ("I skidded and my car hit a wall.", "motor.single_vehicle"),
        ("Water came through the ceiling of my kitchen.", "home.escape_of_water"),
        ("The storm took tiles off my roof.", "home.storm"),
        ("We were burgled.", "home.burglary"),
        ("I dropped my phone and the screen cracked.", "property.accidental_damage"),
        ("My bag was stolen on the train.", "property.theft_away"),
        ("Hello", None),
    ],
)
def test_the_first_words_tell_the_class(text: str, name: str | None) -> None:
    """A plain opening is enough; a greeting is not."""
    assert catalogue().classify(text) == name
