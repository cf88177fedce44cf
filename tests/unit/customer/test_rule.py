"""The rule customer."""

from harness.customer import rule
from tests.support.views import button, ledger, screen, upload


def test_answers_all_that_is_asked_and_nothing_else() -> None:
    """Two questions get two facts, in the order asked."""
    move = rule.next_move(ledger(), screen("Thanks. When did it happen, and what is the registration number?"))
    assert move.messages == ["It was on 9 March 2026. It's LK21 ABO."]
    assert move.used == ["incident_date", "plate"]


def test_says_i_dont_know_to_what_it_does_not_know() -> None:
    """A question outside the facts gets the persona's own words."""
    for question in ("What is the other driver's name?", "What is your shoe size?"):
        move = rule.next_move(ledger(), screen(question))
        assert move.messages == ["I don't know, sorry."]
        assert move.asked_unknown


def test_a_later_file_is_promised_then_uploaded() -> None:
    """First the promise; when its time has come, the file."""
    one = ledger()
    shown = screen("Please upload the repair quote.", upload("Upload repair quote"))
    one.asked_for["quote.pdf"] = 0
    assert rule.next_move(one, shown).messages == ["The garage is still writing it, I'll have it soon."]
    one.messages += ["a", "b"]
    move = rule.next_move(one, shown)
    assert (move.move, move.file, move.control) == ("upload", "repair quote from the garage", "Upload repair quote")


def test_takes_the_upload_that_fits_the_file() -> None:
    """With two upload controls the photo goes to the photo's."""
    move = rule.next_move(
        ledger(), screen("Please upload both.", upload("Upload repair quote"), upload("Upload photo of the damage"))
    )
    assert (move.move, move.control) == ("upload", "Upload photo of the damage")


def test_confirms_what_is_right_and_refuses_what_is_wrong() -> None:
    """Asked whether shown values are right, it compares them with what it knows."""
    yes, no = button("Yes, that is right"), button("No, change something")
    right = screen("", yes, no, dialog="Date: 9 March 2026. Registration: LK21 ABO.")
    wrong = screen("", yes, no, dialog="Date: 3 September 2026. Registration: LK21 ABO.")
    assert rule.next_move(ledger(), right).control == "Yes, that is right"
    assert rule.next_move(ledger(), wrong).control == "No, change something"


def test_same_screen_same_move() -> None:
    """Nothing but view, ledger and screen decides."""
    shown = screen("Where did it happen, and was anyone hurt?")
    assert rule.next_move(ledger(), shown) == rule.next_move(ledger(), shown)
