"""Checks on moves before they are carried out."""

import pytest

from harness.customer import guard
from harness.schema.move import act, say
from harness.schema.visible import Available, MaterialVisible
from harness.schema.words.grounding import ungrounded
from tests.support.views import button, ledger, screen, upload


@pytest.mark.parametrize(
    ("message", "stray"),
    [
        ("It was on 10 March 2026.", "date"),
        ("It was about 5 pm.", "time"),
        ("About £1,500.", "number 1500"),
        ("The plate is LK21 ABX.", "code LK21ABX"),
        ("The other car was red.", "word red"),
        ("My wife saw it.", "word wife"),
        ("The driver was called Peter.", "name Peter"),
        ("There were two cars.", "number two"),
        ("It happened yesterday.", "word yesterday"),
        ("Write to joe@example.com please.", "address joe@example.com"),
        ("All of it is on www.mysite.com.", "address mysite.com"),
        ("My e-mail is joe＠example．com.", "address joe@example.com"),
    ],
)
def test_a_particular_that_is_nowhere_is_refused(message: str, stray: str) -> None:
    """A date, time, number, plate, colour, relation, name or place from nowhere makes the move ungrounded."""
    problem = guard.check(say(message), ledger(), screen("When did it happen?"))
    assert problem is not None
    assert problem.problem == "ungrounded"
    assert problem.slip == "hallucination"
    assert stray in problem.why


def test_a_place_in_chinese_from_nowhere_is_refused() -> None:
    """A Chinese-speaking customer may not invent a street or a person either."""
    one = ledger()
    one = ledger(persona=one.view.persona.model_copy(update={"language": "zh"}))
    for message in ("发生在人民路。", "我跟王先生说过。", "是3月10日。", "对方的车是红色的。"):
        found = guard.check(say(message), one, screen("请问发生在哪里？"))
        assert found is not None
        assert found.problem == "ungrounded"
    assert guard.check(say("是2026年3月9日。"), one, screen("请问是哪天？")) is None


@pytest.mark.parametrize(
    "message",
    [
        "It was on 9 March 2026 at about 4:20 pm.",
        "On March 9, 2026.",
        "In the Oakfield car park in Barnet.",
        "It's LK21 ABO and the quote says 1240 pounds.",
        "No, nobody was hurt.",
        "I don't know, sorry.",
    ],
)
def test_own_facts_in_other_forms_pass(message: str) -> None:
    """The same value in another form of writing is the customer's own."""
    assert guard.check(say(message), ledger(), screen("Can you tell me more?")) is None


def test_addresses_of_screen_facts_and_own_words_pass() -> None:
    """An e-mail or web address that the customer was shown, knows or has said is no invention."""
    shown = screen("Write to help@claims.example or see https://www.claims.example/help.")
    said = ledger()
    said.messages.append("Mine is sam@home.example.")
    for message in ("Is help@claims.example right", "I looked at www.claims.example", "Yes, sam@home.example it is"):
        assert guard.check(say(message), said, shown) is None
    chinese = ledger(persona=said.view.persona.model_copy(update={"language": "zh"}))
    asks = screen("请写信到ｈｅｌｐ＠ｃｌａｉｍｓ．ｅｘａｍｐｌｅ。")
    assert guard.check(say("好的，我写信到help@claims.example。"), chinese, asks) is None
    found = guard.check(say("我的邮箱是sam@home.example，谢谢。"), chinese, asks)
    assert found is not None
    assert "address sam@home.example" in found.why


def test_what_the_screen_shows_may_be_repeated() -> None:
    """A value on the screen is grounded, though it is not in the facts."""
    assert guard.check(say("Yes, CLM-4711 is right."), ledger(), screen("Is CLM-4711 your case?")) is None


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("How can I help you today?", "role_flip"),
        ("Assistant: It was on 9 March 2026.", "role_flip"),
        ("As the customer, I should say the date.", "reasoning"),
        ("<think>the date</think> 9 March 2026", "reasoning"),
        ("*thinks* It was on 9 March 2026.", "reasoning"),
        ("[internal] It was on 9 March 2026.", "reasoning"),
        ("As a customer, I would say it was on 9 March 2026.", "reasoning"),
        ("It was on 9 March 2026. Let me know if you need anything else!", "role_flip"),
        ("It was on 9 March 2026.\nAgent: Thank you.", "role_flip"),
        ("Could you tell me the registration number?", "role_flip"),
        ("事故发生在三月九日。", "language"),
        ("   ", "empty"),
    ],
)
def test_words_that_are_no_customers_words_are_refused(message: str, problem: str) -> None:
    """Speaking as the company, thinking aloud, asking the company's question, another language, no words."""
    found = guard.check(say(message), ledger(), screen("When did it happen?"))
    assert found is not None
    assert found.problem == problem


def test_the_companys_own_words_are_not_sent_back() -> None:
    """An echo of the newest reply is no answer."""
    found = guard.check(
        say("Thank you. At about what time was that?"), ledger(), screen("Thank you. At about what time was that?")
    )
    assert found is not None
    assert (found.problem, found.slip) == ("role_flip", "role_flip")


def test_a_request_for_a_file_said_back_is_told_how_to_give_it() -> None:
    """The retry note speaks of the file, where the customer has one that is asked for."""
    words = "Please upload a photo of the damage, or tell me if it comes later."
    asked = screen(words, upload("Upload photo of the damage"))
    found = guard.check(say(words), ledger(), asked)
    assert found is not None
    assert (found.problem, found.note) == ("role_flip", "file")
    found = guard.check(say(words), ledger(files=[]), asked)
    assert found is not None
    assert found.note == "role_flip"


def test_a_promise_may_be_given_again() -> None:
    """Asked once more for a file that is still not there, the same promise is no loop."""
    one = ledger()
    one.asked_for["quote.pdf"] = 1
    promise = "The garage is still writing it, I'll have it soon."
    one.messages += ["first", promise]
    shown = screen("May I ask once more for the repair quote?", upload("Upload repair quote"))
    assert guard.check(say(promise), one, shown) is None


@pytest.mark.parametrize(
    ("label", "control", "refused"),
    [
        ("photo of the receipt for the television", "Upload repair quote", True),
        ("invoice of the car dealer", "Upload letter from the police", True),
        ("photo of the receipt for the television", "Upload receipt, invoice or other proof of purchase", False),
        ("letter from the shop", "Upload proof of purchase", False),
        ("till receipt from the shop", "Attach a document", False),
        ("till receipt from the shop", "Add file", False),
        ("photo of what the garage wrote", "Upload repair quote", False),
        ("estimate of the dent man", "Upload repair quote", False),
        ("维修报价单", "上传收据", False),
    ],
)
def test_a_paper_of_another_kind_is_not_handed_over(label: str, control: str, refused: bool) -> None:
    """A receipt where a quote is asked for would be held against the product; what may fit is let through."""
    files = [MaterialVisible(file="a.jpg", label=label, available=Available(when="now"))]
    found = guard.check(
        act("upload", file="a.jpg"), ledger(files=files), screen("One more thing, please.", upload(control))
    )
    assert (found is not None) == refused
    if found is not None:
        assert (found.problem, found.severity) == ("not_asked", "hindered")


def test_a_file_that_is_not_there_yet_is_refused() -> None:
    """A later file cannot be uploaded before its time."""
    one = ledger()
    shown = screen("Please upload the repair quote.", upload("Upload repair quote"))
    found = guard.check(act("upload", file="repair quote from the garage"), one, shown)
    assert found is not None
    assert found.problem == "not_available"
    one.asked_for["quote.pdf"] = 0
    one.messages += ["a", "b"]
    assert guard.check(act("upload", file="repair quote from the garage"), one, shown) is None


def test_controls_and_files_must_be_visible() -> None:
    """A move that names what is not on the screen is refused."""
    shown = screen("Is this right?", button("Yes, that is right"), button("Grey", enabled=False))
    for move in (
        act("press", control="Submit"),
        act("press", control="Grey"),
        act("upload", file="receipt"),
        act("upload", file="photo.jpg"),
    ):
        assert guard.check(move, ledger(), shown) is not None
    assert guard.check(act("press", control="Yes, that is right"), ledger(), shown) is None


def test_leaving_while_asked_is_premature() -> None:
    """The customer does not leave in the middle of a question."""
    found = guard.check(act("leave"), ledger(), screen("Where did it happen?"))
    assert found is not None
    assert found.slip == "premature_end"


def test_telling_unasked_is_a_slip_of_the_simulator() -> None:
    """A plate told when only the date was asked is counted as revealed early, and is no reason to refuse."""
    shown = screen("When did it happen?")
    move = say("It was on 9 March 2026. It's LK21 ABO.")
    assert guard.check(move, ledger(), shown) is None
    assert ("revealed_early", "helped", "told plate without being asked", ("plate",)) in guard.slips(
        move, ledger(), shown
    )


def test_not_knowing_what_one_knows_is_a_slip() -> None:
    """“I don't know” to a question about a known fact hinders the product."""
    kinds = [
        s[0] for s in guard.slips(say("I don't know, sorry."), ledger(), screen("What is the registration number?"))
    ]
    assert kinds == ["denied"]


def test_a_word_inside_an_own_fact_is_grounded() -> None:
    """ "My sister's" holds the sister."""
    assert ungrounded("We sleep at my sister's.", "No, we cannot live there, we sleep at my sister's.") == []


@pytest.mark.parametrize(
    ("message", "asked", "problem", "note"),
    [
        ("I don't know, sorry.", "What is the registration number?", "denied", "denied"),
        ("Yes, they were hurt badly.", "Was anyone hurt?", "inconsistent", "ungrounded"),
        ("It was in the car park.", "What is the registration number?", "passed_over", "denied"),
        ("It's LK21 ABO. You misread it before.", "What is the registration number?", "corrected", "advice"),
        (
            "It's LK21 ABO. You should also ask about the garage.",
            "What is the registration number?",
            "hinted",
            "advice",
        ),
        ("I have to go now.", "Where did it happen?", "premature_end", "premature_end"),
        ("Das ist nicht mein Auto.", "Where did it happen?", "language", "language"),
    ],
)
def test_what_does_not_answer_as_a_customer_would_is_refused(message: str, asked: str, problem: str, note: str) -> None:
    """Denying, contradicting, passing over what one knows, correcting, hinting, leaving, another language: each with its note."""
    found = guard.check(say(message), ledger(), screen(asked))
    assert found is not None
    assert (found.problem, found.note) == (problem, note)


def test_a_file_that_is_asked_for_alone_is_neither_passed_over_nor_denied() -> None:
    """A file at hand is uploaded, one that comes later promised; anything else said instead is refused."""
    photo = screen("Please upload a photo of the damage.", upload("Upload photo of the damage"))
    quote = screen("Please upload the repair quote.", upload("Upload repair quote"))
    for shown, said in ((photo, "I don't know, sorry."), (photo, "Here it is."), (quote, "I don't know, sorry.")):
        found = guard.check(say(said), ledger(), shown)
        assert found is not None
        assert (found.problem, found.slip, found.note) == ("file_ignored", "missed_action", "file")
    assert guard.check(say("The garage is still writing it, I'll have it soon."), ledger(), quote) is None
    assert guard.check(say("I will send it later."), ledger(), quote) is None


def test_what_is_shown_to_be_checked_may_be_put_right() -> None:
    """A question whether it is right, or a summary with buttons, is answered truthfully."""
    wrong = say("That is wrong, it's LK21 ABO.")
    assert guard.check(wrong, ledger(), screen("Your plate is LK21 AB0. Is that right?")) is None
    assert guard.check(wrong, ledger(), screen("", button("Yes"), dialog="Plate LK21 AB0")) is None


def test_a_story_told_before_is_no_answer_to_a_summary() -> None:
    """A shown summary is said to be right or wrong; telling everything once more is a loop."""
    one = ledger()
    one.messages += [
        "Yes, that is right.",
        "It was on 9 March 2026. It's LK21 ABO.",
        "In the Oakfield car park in Barnet.",
        "Hm.",
    ]
    asks = screen(
        "Please check the summary below and tell me whether it is right.", button("Yes"), dialog="Plate LK21 ABO"
    )
    found = guard.check(say("In the Oakfield car park in Barnet. It was on 9 March 2026."), one, asks)
    assert found is not None
    assert (found.problem, found.slip) == ("repeated", "looping")
    for answer in ("Yes, that is right.", "The plate LK21 ABO is right, yes."):
        assert guard.check(say(answer), one, asks) is None
    one.told |= dict.fromkeys(("incident_date", "plate", "place", "injuries", "estimated_loss"), 1)
    story = "Well, it was on 9 March 2026 in the Oakfield car park in Barnet, my LK21 ABO, and the quote says £1,240."
    ask = "Please check the summary below and tell me whether it is right."
    shown = "Date 9 March 2026\nPlate LK21 ABO\nPlace the Oakfield car park in Barnet\nCost 1240.00 GBP"
    found = guard.check(say(story), one, screen(ask, button("Yes"), dialog=shown))
    assert found is not None
    assert found.why == "its story once more"
    wrong = "Date 3 September 2026\nPlate LK21 AB0\nPlace Barnet\nCost 1.24 GBP"
    assert guard.check(say(story), one, screen(ask, button("Yes"), dialog=wrong)) is None
    plate = screen("So your registration number is LK21 ABO, is that right?")
    assert guard.check(say("It's LK21 ABO."), one, plate) is None
    assert guard.check(say("In the Oakfield car park in Barnet."), one, screen("Where did it happen?")) is None
    assert guard.check(say("In the Oakfield car park in Barnet."), one, screen("And what was the spot?")) is None


def test_the_same_words_a_third_time_are_a_loop() -> None:
    """Also with others between them; not knowing may be said as often as it is asked."""
    one = ledger()
    one.messages += ["Hello.", "It is bad.", "Well.", "It is bad.", "Well, well."]
    found = guard.check(say("It is bad."), one, screen("Can you tell me more?"))
    assert found is not None
    assert found.slip == "looping"
    one.messages += ["I really don't know."] * 3
    assert guard.check(say("I really don't know."), one, screen("Who was driving the other car?")) is None
