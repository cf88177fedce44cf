"""What a message says in its context."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.understand import Context, Understanding, read

WANTED = (*catalogue().class_facts("motor.parked_hit"), "contact_name", "contact_phone")


def understood(text: str, *asked: str, held: tuple[str, ...] = (), **more: Any) -> Understanding:
    """The reading of a message in a parked-car claim."""
    context = Context(asked=asked, wanted=WANTED, held=frozenset(held), today=date(2026, 3, 20), **more)
    return read(text, context)


def test_an_opening_gives_all_the_facts_it_holds() -> None:
    """Date, place and account are taken from the first message."""
    text = (
        "Hello, I need to report damage to my car. On 9 March 2026 another car hit my parked car from behind. "
        "It happened in the Greenfold supermarket car park, Mill Road, Wexley. The rear bumper is dented."
    )
    got = understood(text, opening=True)
    assert got.values == {
        "what_happened": text,
        "incident_date": "2026-03-09",
        "place": "the Greenfold supermarket car park, Mill Road, Wexley",
    }


def test_a_message_with_many_facts_gives_them_all() -> None:
    """Nothing that was said needs to be asked for."""
    got = understood(
        "My parked car AB12 CDE was hit by a silver Ford Focus in the supermarket car park at Mill Road in Wexley, on 9 March "
        "2026 at about 4:20 pm. Nobody was hurt and I can still drive it. The driver's name is Daniel Price. "
        "I did not call the police. The repair will be about £1,240.",
        opening=True,
    )
    del got.values["what_happened"]
    assert got.values == {
        "incident_date": "2026-03-09",
        "incident_time": "16:20",
        "place": "the supermarket car park at Mill Road in Wexley",
        "plate": "AB12 CDE",
        "injuries": "no",
        "drivable": "yes",
        "police_reference": "none",
        "estimated_loss": "1240.00 GBP",
        "other_vehicle": "a silver Ford Focus",
        "other_driver": "Daniel Price",
    }
    assert not got.unknown


def test_a_vague_place_is_not_taken_unasked() -> None:
    """ "The supermarket car park" could be any; the product asks."""
    assert "place" not in understood("Someone hit my parked car in the supermarket car park.", opening=True).values


@pytest.mark.parametrize(
    ("text", "injuries", "police"),
    [
        ("No, nobody was hurt. I did not call the police.", "no", "none"),
        ("No.", "no", "none"),
        ("No to both", "no", "none"),
        ("no injuries and no police reference", "no", "none"),
        ("Nobody was hurt. Yes, the reference is CR/1234/26.", "no", "CR/1234/26"),
        ("Yes, my neck hurts. I told the police, ref 44/12345/26", "yes", "44/12345/26"),
        ("No, nobody was hurt.", "no", None),
    ],
)
def test_two_yes_no_questions_in_one(text: str, injuries: str, police: str | None) -> None:
    """Each answer goes to its question; what was not answered stays open."""
    got = understood(text, "injuries", "police_reference")
    assert (got.values.get("injuries"), got.values.get("police_reference")) == (injuries, police)


@pytest.mark.parametrize(
    ("text", "drivable", "loss"),
    [
        ("Yes, it can still be driven. The garage says £1,284.00 with VAT.", "yes", "1284.00 GBP"),
        ("No, it had to be towed. around 3,500", "no", "3500.00 GBP"),
        ("Yes. 1240", "yes", "1240.00 GBP"),
        ("It's not drivable and I have no idea what it costs", "no", None),
    ],
)
def test_drivable_and_loss(text: str, drivable: str, loss: str | None) -> None:
    """Yes or no and a figure in one answer."""
    got = understood(text, "drivable", "estimated_loss")
    assert (got.values.get("drivable"), got.values.get("estimated_loss")) == (drivable, loss)
    assert (loss is None) == ("estimated_loss" in got.unknown)


@pytest.mark.parametrize(
    ("text", "vehicle", "driver"),
    [
        ("I don't know", "unknown", "unknown"),
        ("A silver Focus but I don't know who was driving.", "A silver Focus", "unknown"),
        ("The note gives the other car's plate, TJ19 HNW. Sorry, I don't know that.", "TJ19 HNW", "unknown"),
        ("A blue van. I don't know the driver's name.", "A blue van", "unknown"),
        ("It was a silver Focus. The driver is called Jane Moss.", "a silver Focus", "Jane Moss"),
    ],
)
def test_other_vehicle_and_driver_are_told_apart(text: str, vehicle: str, driver: str) -> None:
    """What belongs to the car and what to its driver; not knowing one does not touch the other."""
    got = understood(text, "other_vehicle", "other_driver")
    both = {**dict.fromkeys(got.unknown, "unknown"), **got.values}
    assert vehicle in both["other_vehicle"]
    assert driver in both["other_driver"]
    assert "plate" not in got.values


def test_a_plate_and_a_place_in_one_answer() -> None:
    """ "On my drive" is where the car is, and says nothing about driving."""
    got = understood("It's AB12 CDE and it is at home on my drive.", "plate", "vehicle_location")
    assert got.values == {"plate": "AB12 CDE", "vehicle_location": "at home on my drive"}


@pytest.mark.parametrize(
    "text", ["Will this affect my no claims bonus?", "One more thing. Will this affect my no claims bonus?"]
)
def test_a_question_is_for_staff_and_no_answer(text: str) -> None:
    """The customer's question is kept whole and is no value of what was asked."""
    got = understood(text, "place")
    assert got.questions == [text] and not got.values


def test_answer_and_question_in_one_message() -> None:
    """Both are heard."""
    got = understood("In the car park on Mill Road. Will this affect my no claims bonus?", "place")
    assert got.values == {"place": "In the car park on Mill Road"}
    assert got.questions == ["Will this affect my no claims bonus?"]


@pytest.mark.parametrize("text", ["Please have someone call me tomorrow after 5 pm.", "Can I speak to a person?"])
def test_a_wish_to_be_contacted_is_kept(text: str) -> None:
    """It is a contact request, its time is not the incident's."""
    got = understood(text, "incident_date", "incident_time")
    assert got.contacts == [text] and not got.values


@pytest.mark.parametrize(
    "text",
    [
        "The garage is emailing me the quote, I will send it in a moment.",
        "I will have it on Thursday 12 March.",
        "not yet",
        "I don't have one",
    ],
)
def test_a_promise_of_a_file_is_no_fact(text: str) -> None:
    """The file comes later; a day that is named with it is not the incident's."""
    got = understood(text, card="quote")
    assert got.later == ["quote"] and not got.values


def test_a_promised_file_that_has_come_is_noticed() -> None:
    """The card can be shown again."""
    assert understood("I have the quote now", promised=("quote",)).ready == ["quote"]


def test_a_correction_replaces_what_is_held() -> None:
    """The right value is read, not the one that is denied."""
    got = understood("The date is wrong. It was 9 March 2026, not 3 September 2026.", held=WANTED, correcting=True)
    assert got.values == {"incident_date": "2026-03-09"}


def test_what_is_held_is_not_replaced_by_chance() -> None:
    """A date in passing does not move the date of the incident."""
    assert not understood("We were there on 1 March 2026 as well.", "place", held=("incident_date",)).values.get(
        "incident_date"
    )


def test_an_explanation_of_early_cover_is_heard() -> None:
    """What the customer says about the cover stays with the check it explains; the police are no policy."""
    got = understood("I switched to you in February because my old insurer left.", "place")
    assert "loss_within_30_days_of_inception" in got.explanations
    assert not understood("No police.", "police_reference").explanations


@pytest.mark.parametrize("text", ["在超市停车场", "ở bãi đậu xe siêu thị"])
def test_other_languages_are_kept_as_they_are(text: str) -> None:
    """An answer in any language is an answer."""
    assert understood(text, "place").values == {"place": text}


def test_a_smiley_is_no_place() -> None:
    """An answer without a word is none."""
    assert understood("🙂", "place").values == {}


@given(st.text(max_size=300), st.sampled_from(sorted(WANTED)))
def test_any_message_is_safe(text: str, asked: str) -> None:
    """Reading never fails and never gives an empty value."""
    got = understood(text, asked, opening=True)
    assert all(v for v in got.values.values())
    assert not set(got.values) & set(got.unknown)
