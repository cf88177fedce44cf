"""What the product said and asked, heard from screens by rule."""

from pathlib import Path

import pytest
from builder import OPENING, Golden, Journey
from hypothesis import given
from hypothesis import strategies as st

from harness.schema.events import Slip
from harness.schema.package import read_visible
from oracle_scoring.claims.talk import Talk, count_questions, heard, listen


def talk(journey: Journey, root: Path) -> Talk:
    """The conversation of a journey with the builder's customer."""
    return listen(journey.events, read_visible(Golden().write_package(root)))


def started() -> Journey:
    """A journey whose customer has told date, place and account in the first message."""
    j = Journey()
    j.start()
    j.screen("Hello. What happened?")
    j.say(OPENING, told=("incident_date", "place", "what_happened"), by="opening")
    return j


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("See https://example.org/?q=1 for help. Is that ok?? 可以吗？", 2),
        ("Was anyone hurt?", 1),
        ("On what date did it happen, and about what time?", 2),
        ("Please tell me your registration number.", 1),
        ("Please upload a photo of the damage.", 0),
        ("Thank you, I have noted that.", 0),
        ("", 0),
        ("Really?!? Yes?", 2),
        ("It cost £1.50. Is that right?", 1),
    ],
)
def test_questions_are_counted_as_people_count_them(text: str, count: int) -> None:
    """Hand-labelled: addresses are not read, runs of marks are one, full-width marks count, two facts asked are two."""
    assert count_questions(text) == count


@given(st.text())
def test_counting_never_fails(text: str) -> None:
    """Any text has a number of questions, and none without letters or marks."""
    assert count_questions(text) >= 0


def test_an_item_is_heard_once() -> None:
    """A second look at the same screen, with or without more below, hears only what is new."""
    j = started()
    j.reply("Thank you.", "Was anyone hurt?")
    j.screen("Thank you.", "Was anyone hurt?")
    j.screen("Thank you.", "Was anyone hurt?", "Take your time.")
    assert [s.text for s in heard(j.events)][1:] == ["Thank you.", "Was anyone hurt?", "Take your time."]


def test_a_growing_item_is_kept_whole() -> None:
    """An item that was read while it was still growing is one item, in its longest form."""
    j = started()
    j.reply("Was any")
    j.screen("Was anyone hurt?", "Please say.")
    assert [s.text for s in heard(j.events)][1:] == ["Was anyone hurt?", "Please say."]


def test_the_same_words_after_a_message_are_said_again() -> None:
    """After the customer's next message, equal words are a new item."""
    j = started()
    j.reply("Was anyone hurt?")
    j.say("No, nobody was hurt.")
    j.reply("Was anyone hurt?")
    assert [s.text for s in heard(j.events)][1:] == ["Was anyone hurt?"] * 2


def test_asking_again_in_other_words_is_a_repeat(tmp_path: Path) -> None:
    """A fact told in an answer and asked for again, however worded, is a repeat that names both places."""
    j = started()
    j.reply("Was anyone hurt?")
    j.say("No, nobody was hurt.", told=("injuries",))
    j.reply("Is there anybody with an injury?")
    (found,) = talk(j, tmp_path).repeats
    assert (found.ask.fact, found.ask.sentence) == ("injuries", "Is there anybody with an injury?")
    assert found.told.id == "injuries" and found.told.n < found.ask.n


def test_asking_what_the_opening_told_is_a_repeat(tmp_path: Path) -> None:
    """What the first message told need not be asked for."""
    j = started()
    j.reply("On what date did it happen?")
    assert [r.ask.fact for r in talk(j, tmp_path).repeats] == ["incident_date"]


@pytest.mark.parametrize(
    "question",
    [
        "So it happened on 9 March 2026, is that correct?",
        "Was the date 9 March 2026?",
        "Please confirm that the date of the accident is right.",
        "About what time did it happen?",
        "Is everything correct?",
    ],
)
def test_asking_whether_a_value_is_right_is_no_repeat(question: str, tmp_path: Path) -> None:
    """A question that shows the value, or only asks for confirmation, does not ask for it again."""
    j = started()
    j.reply(question)
    assert talk(j, tmp_path).repeats == []


def test_asking_after_no_answer_is_no_repeat(tmp_path: Path) -> None:
    """The customer told it, was asked again (a repeat), failed to answer, and is asked once more: one repeat, not two."""
    j = started()
    j.reply("On what date did it happen?")
    j.say("Sorry, I don't know that.", by="stand_in")
    j.reply("On what date did it happen?")
    assert len(talk(j, tmp_path).repeats) == 1


def test_asking_after_not_knowing_is_no_repeat(tmp_path: Path) -> None:
    """A customer who said not to know may be asked again."""
    j = started()
    j.say("I don't know the date any more.", unknown=("incident_date",))
    j.reply("On what date did it happen?")
    assert talk(j, tmp_path).repeats == []


def test_what_did_not_arrive_was_not_told(tmp_path: Path) -> None:
    """A message the page never showed tells nothing."""
    j = started()
    j.reply("Was anyone hurt?")
    j.say("No, nobody was hurt.", told=("injuries",), confirmed=False)
    j.reply("Was anyone hurt?")
    assert talk(j, tmp_path).repeats == []


def test_what_was_told_with_a_slip_was_not_told_rightly(tmp_path: Path) -> None:
    """An answer that came with a delivered invention is no right answer; one that was stopped changes nothing."""
    for delivered, repeats in ((True, 0), (False, 1)):
        j = started()
        j.reply("Was anyone hurt?")
        j.say("No, nobody was hurt.", told=("injuries",))
        j.add(Slip, slip="hallucination", severity="hindered", why="said a name nobody knows", delivered=delivered)
        j.reply("Was anyone hurt?")
        assert len(talk(j, tmp_path).repeats) == repeats


def test_naming_a_known_thing_is_not_asking_for_it(tmp_path: Path) -> None:
    """A clause that asks for something new may name what is known; a clause of its own for the known one is a repeat."""
    j = started()
    j.reply("Who was driving the car on that date?")
    j.say("Sorry, I don't know that.", unknown=("other_driver",))
    j.reply("On what date did it happen, and about what time?")
    assert [r.ask.fact for r in talk(j, tmp_path).repeats] == ["incident_date"]


def test_asking_for_a_promised_file_is_no_repeat(tmp_path: Path) -> None:
    """A file promised for later may be asked for again, though the request names what was told."""
    j = started()
    j.say("The garage says £1,284.00. I get the quote soon.", told=("estimated_loss",), promised=("quote.pdf",))
    j.reply("Do you have the repair estimate from the garage ready?")
    assert talk(j, tmp_path).repeats == []


def test_idle_screens_are_those_that_stood(tmp_path: Path) -> None:
    """Only the last screen before the customer's next act is judged: a late question is a question."""
    j = started()
    j.reply("One moment.")
    j.screen("One moment.", "Was anyone hurt?")
    j.say("No, nobody was hurt.")
    j.reply("Thank you, noted.")
    j.say("And now?")
    j.reply("Was anyone hurt?")
    found = talk(j, tmp_path)
    assert [(i.turn, i.reply, i.last) for i in found.idle] == [(2, "Thank you, noted.", False)]
    assert found.judged_screens == 3


def test_a_final_state_is_not_idle(tmp_path: Path) -> None:
    """At the end there is nothing to do, rightly."""
    j = started()
    j.reply("Thank you. Your case number is 7.", final="Case number 7")
    assert talk(j, tmp_path).idle == []


def test_an_unsettled_reply_is_not_idle_but_silence_is(tmp_path: Path) -> None:
    """A reply still under way at the cap is not judged; a product that showed nothing at all left nothing to do."""
    j = started()
    j.settled(60_000.0, settled=False)
    j.screen("Let me")
    j.say("Hello?")
    j.settled(60_000.0, settled=False, first_ms=None)
    j.screen()
    found = talk(j, tmp_path)
    assert [i.turn for i in found.idle] == [2] and found.judged_screens == 1


def test_a_cut_screen_is_not_judged(tmp_path: Path) -> None:
    """What could not be read whole is neither idle nor fine."""
    j = started()
    j.settled()
    j.screen("Thank you, noted.", truncated=True)
    found = talk(j, tmp_path)
    assert (found.idle, found.judged_screens, len(found.unclear_screens)) == ([], 0, 1)
