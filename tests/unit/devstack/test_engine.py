"""Whole conversations with the controlled runtime, in process."""

import pytest

from tests.unit.devstack.talks import OPENING, WHOLE_CLAIM, Talk, customer


def test_a_whole_claim_ends_with_a_number_and_confirmed_facts() -> None:
    """From the first sentence to the case number, everything said is held and confirmed."""
    talk = Talk().play(WHOLE_CLAIM)
    case = talk.case
    assert case.status == "submitted" and case.number == "CLM-2026-000001"
    assert case.number in talk.reply
    assert {f: held.value for f, held in case.facts.items() if f != "what_happened"} == {
        "incident_date": "2026-03-09",
        "incident_time": "16:20",
        "place": "In the Greenfold car park, Mill Road, Wexley",
        "injuries": "no",
        "police_reference": "none",
        "plate": "AB12 CDE",
        "vehicle_location": "outside my home, 14 Larch Close",
        "drivable": "yes",
        "estimated_loss": "1240.00 GBP",
        "other_vehicle": "A silver Ford Focus",
        "other_driver": "unknown",
    }
    assert {held.status for held in case.facts.values()} == {"confirmed"}
    assert case.triage and (case.triage.level, case.triage.reasons) == (
        "standard",
        ["third_party_involved", "loss_at_least_1000"],
    )
    assert case.review and not case.review.required
    assert case.review.checks["loss_within_30_days_of_inception"] == "hit"


def test_every_reply_before_the_end_leaves_something_to_do() -> None:
    """Each reply asks or requests; nothing is asked twice."""
    talk = Talk().play(WHOLE_CLAIM)
    assert all("?" in reply or "Please" in reply for reply in talk.replies[:-1])
    asked = [reply.split(". ")[-1] for reply in talk.replies]
    assert len(set(asked)) == len(asked)


def test_what_the_opening_says_is_not_asked_again() -> None:
    """Date, time and place were given, so the first request is for the photo."""
    talk = Talk()
    talk.say("On 9 March 2026 at 4:20 pm someone hit my parked car in the Greenfold car park, Mill Road, Wexley.")
    assert talk.case.card == "photo"


def test_an_unclear_answer_is_asked_for_once_more_in_other_words_then_left() -> None:
    """At most two questions for a fact; then it counts as not known."""
    talk = Talk().play([OPENING])
    first = talk.reply
    second = talk.say("blue")
    assert "day" in second and second != first
    third = talk.say("blue again")
    assert talk.case.value("incident_date") == "unknown"
    assert "day" not in third


def test_not_knowing_is_accepted_at_once() -> None:
    """ "I don't know" is stored and not asked again."""
    talk = Talk().play([OPENING, "I don't know"])
    assert talk.case.value("incident_date") == "unknown"
    assert "Where did it happen?" in talk.reply


def test_a_question_is_passed_on_and_the_conversation_goes_on() -> None:
    """Staff get the customer's words; the product's own question stands."""
    talk = Talk().play([OPENING])
    reply = talk.say("Will this affect my no claims bonus?")
    assert [n.text for n in talk.case.notes] == ["Will this affect my no claims bonus?"]
    assert "colleague" in reply and "date" in reply
    talk.say("It was on 9 March 2026 at 4 pm.")
    assert talk.case.value("incident_date") == "2026-03-09"


def test_a_process_question_is_answered_and_leaves_nothing_open() -> None:
    """ "What happens next?" needs no colleague."""
    talk = Talk().play([OPENING])
    assert "summary" in talk.say("What happens next?")
    assert talk.case.notes == []


def test_contact_by_button_and_by_word() -> None:
    """Both are contact requests for staff; the same wish is kept once."""
    talk = Talk().play([OPENING, ("press", "contact"), ("press", "contact"), "Please call me back."])
    assert [(n.kind, n.text) for n in talk.case.notes] == [
        ("contact", "Asked to be contacted (button)."),
        ("contact", "Please call me back."),
    ]


def test_a_file_promised_for_later_is_asked_for_once_more_before_the_summary() -> None:
    """It stays on the list; without it the claim can still be sent."""
    moves = [m for m in WHOLE_CLAIM if m != ("upload", "quote", "2026-03-12") and m != ("press", "confirm")]
    talk = Talk().play(moves)
    assert talk.case.card == "quote"
    talk.say("I still don't have it.")
    assert talk.case.stage == "confirming" and talk.case.files["quote"] == "given_up"
    talk.play([("press", "confirm")])
    assert talk.case.status == "submitted"
    assert talk.case.review and talk.case.review.checks["quote_before_incident"] == "not_applicable"


def test_a_file_can_be_offered_before_it_is_asked_for_again() -> None:
    """ "I have the quote now" brings the card back."""
    talk = Talk().play([*WHOLE_CLAIM[:6], "I have the quote now."])
    assert talk.case.card == "quote"


def test_a_change_in_the_summary_is_made_and_shown_again() -> None:
    """No, change something: the right value replaces the wrong one, and the summary comes back."""
    talk = Talk().play([*WHOLE_CLAIM[:-1], ("press", "change"), "The date should be 8 March 2026."])
    assert talk.case.value("incident_date") == "2026-03-08"
    assert talk.case.stage == "confirming"


def test_a_summary_that_is_never_right_goes_to_staff() -> None:
    """After three refusals the claim is sent, unconfirmed, with a note; it does not go in circles."""
    talk = Talk().play(WHOLE_CLAIM[:-1])
    for _ in range(3):
        talk.play([("press", "change")])
        if talk.case.stage == "correcting":
            talk.say("Something is odd with it.")
    assert talk.case.status == "submitted"
    assert any("not right" in n.text for n in talk.case.notes)


def test_yes_in_words_confirms_the_summary() -> None:
    """The buttons are not the only way."""
    assert Talk().play([*WHOLE_CLAIM[:-1], "Yes, that is right."]).case.status == "submitted"


def test_sign_in_comes_before_sending_when_the_session_needs_it() -> None:
    """Anonymous first, signed in at the end; then the claim is sent without another question."""
    talk = Talk(customer(session="anonymous_then_sign_in", email="a@b.example")).play(WHOLE_CLAIM)
    assert talk.case.stage == "signing_in" and talk.case.number is None
    talk.say("What now?")
    assert talk.case.stage == "signing_in"
    talk.play([("sign_in",)])
    assert talk.case.status == "submitted" and talk.case.number is not None


def test_one_claim_gets_one_number() -> None:
    """Pressing, writing or signing in again after the end changes nothing."""
    talk = Talk().play([*WHOLE_CLAIM, ("press", "confirm"), "Yes, that is right.", ("sign_in",)])
    assert talk.case.number == "CLM-2026-000001" and talk.numbers == 1


def test_a_question_after_the_end_still_reaches_staff() -> None:
    """The chat stays open."""
    talk = Talk().play([*WHOLE_CLAIM, "How will you pay me?"])
    assert [n.text for n in talk.case.notes] == ["How will you pay me?"]


def test_an_opening_that_says_nothing_leads_to_a_choice() -> None:
    """Buttons help; a choice in words works too, and nobody is kept there."""
    talk = Talk().play(["Hello", ("press", "choose:motor.theft")])
    assert talk.case.scenario_class == "motor.theft"
    assert Talk().play(["Hello", "My parked vehicle was hit"]).case.scenario_class == "motor.parked_hit"
    lost = Talk().play(["Hello", "hm", "well"])
    assert lost.case.scenario_class == "motor.single_vehicle" and not lost.case.choosing


def test_a_press_that_does_not_fit_changes_nothing() -> None:
    """An old page's button cannot confirm or choose."""
    talk = Talk().play([OPENING, ("press", "confirm"), ("press", "choose:home.storm"), ("press", "nonsense")])
    assert talk.case.stage == "collecting" and talk.case.scenario_class == "motor.parked_hit"
    assert talk.case.attempts["incident_date"] == 1


def test_a_strong_signal_is_explained_by_the_customer_before_sending() -> None:
    """A quote older than the incident: the product asks how that came about, neutrally, and keeps the answer."""
    talk = Talk().play([*WHOLE_CLAIM[:-2], ("upload", "quote", "2026-03-05")])
    assert "5 March 2026" in talk.reply and "fraud" not in talk.reply.lower()
    talk.play(["The garage used an old form.", ("press", "confirm")])
    review = talk.case.review
    assert review and review.required and review.explanation == "The garage used an old form."


def test_someone_without_a_known_policy_is_asked_how_to_be_reached() -> None:
    """Name and number are only asked for where the insurer does not have them."""
    talk = Talk(customer(policy=None)).play([*WHOLE_CLAIM[:-2], ("upload", "quote", "2026-03-12")])
    assert talk.case.asked == ["contact_name", "contact_phone"]
    talk.say("My name is Nora Tidewell. My phone number is 07700 900142.")
    assert talk.case.value("contact_name") == "Nora Tidewell"
    assert talk.case.value("contact_phone") == "07700 900142"


@pytest.mark.parametrize(
    "text", ["撞了", "🙂🙂", "Xe của tôi bị đâm", "\n\n?", "a" * 8000, "<script>alert(1)</script>"]
)
def test_no_message_stops_the_conversation(text: str) -> None:
    """Any message gets a reply that goes on."""
    talk = Talk().play([text, text, OPENING, text])
    assert all(reply for reply in talk.replies) and len(talk.replies) == 4


def test_the_pieces_of_a_reply_make_the_reply() -> None:
    """What streams is what is stored."""
    talk = Talk().play([OPENING])
    assert len(talk.pieces) > 1 and "".join(talk.pieces) == talk.reply
