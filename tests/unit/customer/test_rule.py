"""The rule customer."""

from harness.customer import rule
from harness.schema.visible import Available, Fact, MaterialVisible
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


def test_a_photographed_receipt_is_a_receipt_and_no_photo_of_the_damage() -> None:
    """It waits for its own card, however the picture of the damage is called; the words of thanks ask for nothing."""
    now = Available(when="now")
    one = ledger(
        files=[
            MaterialVisible(file="till.jpg", label="photo of the till receipt", available=now),
            MaterialVisible(file="roof.jpg", label="pic of the roof", available=now),
        ]
    )
    assert (
        rule.next_move(one, screen("Please send it.", upload("Upload photo of the damage"))).file == "pic of the roof"
    )
    one.handed.add("roof.jpg")
    thanks = "Thank you, the photo of the damage has arrived. Please upload the repair quote."
    assert rule.next_move(one, screen(thanks, upload("Upload repair quote"))).move == "say"
    ask = "Please upload a receipt, an invoice or another proof of purchase."
    assert rule.next_move(one, screen(ask, upload("Upload proof of purchase"))).file == "photo of the till receipt"


def test_the_name_of_an_own_file_in_a_summary_is_nothing_strange() -> None:
    """A phone names its pictures with numbers."""
    file = MaterialVisible(file="IMG_4471.jpg", label="picture of my car", available=Available(when="now"))
    shown = screen("", button("Yes, that is right"), button("No, change something"), dialog="Files: IMG_4471.jpg")
    assert rule.next_move(ledger(files=[file]), shown).control == "Yes, that is right"


def test_a_day_that_two_facts_share_tells_the_one_that_was_asked_for() -> None:
    """Bought and broken on one day: the opening tells when it broke, the answer when it was bought."""
    facts = [
        Fact(id="incident_date", topic="day", kind="date", value="2026-05-09", say="It broke on 9 May 2026."),
        Fact(id="purchase_date", topic="buying", kind="date", value="2026-05-09", say="I bought it on 9 May 2026."),
    ]
    one = ledger(facts=facts)
    assert one.newly_told("It broke on 9 May 2026.", []) == ["incident_date"]
    assert one.newly_told("I bought it on 9 May 2026.", ["purchase_date"]) == ["purchase_date"]
    assert one.newly_told("Both on 9 May 2026.", ["incident_date", "purchase_date"]) == [
        "incident_date",
        "purchase_date",
    ]


def test_one_no_does_not_answer_two_questions_when_it_says_which() -> None:
    """ "No, nobody was hurt." leaves open whether it is still dangerous; a bare "No." answers both."""
    facts = [
        Fact(id="injuries", topic="anyone hurt", kind="yes_no", value="no", say="No, nobody was hurt."),
        Fact(id="ongoing_danger", topic="danger", kind="yes_no", value="no", say="No, nothing is dangerous any more."),
    ]
    one, both = ledger(facts=facts), ["injuries", "ongoing_danger"]
    assert one.newly_told("No, nobody was hurt.", both) == ["injuries"]
    assert one.newly_told("No, nobody was hurt. No, nothing is dangerous any more.", both) == both
    assert one.newly_told("No.", both) == both
