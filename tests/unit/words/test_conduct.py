"""What a customer's sentence does, by rule, told from what it does not."""

from pathlib import Path

import pytest

from harness.schema.package import find_packages, read_visible
from harness.schema.visible import CustomerView, Fact, customer_view
from harness.schema.wording import asked_facts
from harness.schema.words import conduct
from tests.support.views import view

CORPUS = Path(__file__).parents[3] / "packages"
POLICE = Fact(
    id="police_reference",
    topic="police",
    kind="reference",
    value="none",
    say="There is none, I did not call the police.",
)
REFERENCE = POLICE.model_copy(update={"value": "WX/4711/26", "say": "The reference is WX/4711/26."})
DRIVABLE = Fact(id="drivable", topic="can it be driven", kind="yes_no", value="yes", say="Yes, it can still be driven.")


def knows(*facts: Fact, **changes: object) -> CustomerView:
    """The example customer, who knows this too."""
    return view(facts=[*view().facts, *facts], **changes)


@pytest.mark.parametrize(
    ("said", "asked", "false"),
    [
        (
            "I'm afraid I don't know the police reference.",
            "Was anyone hurt, and is there a police reference?",
            ["police_reference"],
        ),
        (
            "No, nobody was hurt. I don't know the police reference.",
            "Was anyone hurt, and is there a police reference?",
            ["police_reference"],
        ),
        ("I don't know, sorry.", "What is the registration number of your vehicle?", ["plate"]),
        ("I have no idea.", "When did it happen, and at what time?", ["incident_date", "incident_time"]),
        ("I can't remember.", "When did it happen?", ["incident_date"]),
        ("不知道。", "什么时候发生的？", ["incident_date"]),
        ("Tôi không biết.", "Chuyện xảy ra ngày nào?", ["incident_date"]),
        ("I am not sure.", "About how much will it cost to repair?", ["estimated_loss"]),
    ],
)
def test_not_knowing_what_one_knows_is_denied(said: str, asked: str, false: list[str]) -> None:
    """In any words, for the fact that is named, or for all that was asked where none is."""
    assert list(conduct.denial(said, asked, knows(POLICE)).false) == false


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("There is none, I did not call the police.", "Is there a police reference?"),
        ("I don't have a police reference.", "Is there a police reference?"),
        ("I don't know who was driving.", "Who was driving the other car, and when was it?"),
        ("It's LK21 ABO. I don't know, sorry.", "What is the plate, and the other driver's name?"),
        ("I don't know the name of the other driver.", "What is the registration number?"),
        ("It was on 9 March 2026, I don't know more.", "When did it happen?"),
        ("I don't know, sorry.", "Why did you choose us?"),
        ("I don't know, sorry.", "Did you see a doctor? And what is the plate?"),
    ],
)
def test_what_one_does_not_know_is_not_denied(said: str, asked: str) -> None:
    """The truth, an unknown thing beside known ones, and a question that no rule hears."""
    assert conduct.denial(said, asked, knows(POLICE)).false == ()


def test_having_none_is_false_only_of_what_one_has() -> None:
    """ "I don't have one" is true of what is not there, and denies a reference that is."""
    said, asked = "I don't have a police reference.", "Is there a police reference?"
    assert conduct.denial(said, asked, knows(REFERENCE)).false == ("police_reference",)


def test_a_bare_dont_know_to_two_questions_is_undecided() -> None:
    """One of them is about something unknown: which of them it answers cannot be said."""
    found = conduct.denial("I don't know, sorry.", "What is the plate, and who was driving the other car?", knows())
    assert (found.false, found.undecided) == ((), ("plate",))


@pytest.mark.parametrize(
    ("said", "asked", "about"),
    [
        ("Yes, somebody was hurt.", "Was anyone hurt, and is there a police reference?", ["injuries"]),
        ("Yes.", "Was anyone hurt?", ["injuries"]),
        ("No, it can't be driven any more.", "Can it still be driven?", ["drivable"]),
        ("By the way, it is not drivable.", "When did it happen?", ["drivable"]),
    ],
)
def test_the_opposite_of_what_one_knows_is_seen(said: str, asked: str, about: list[str]) -> None:
    """A wrong yes or no, at the head of an answer or in a sentence about it, asked for or not."""
    assert conduct.contradicted(said, asked, knows(DRIVABLE)) == about


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("No, nobody was hurt.", "Was anyone hurt, and can it still be driven?"),
        ("Yes, it can still be driven. No, nobody was hurt.", "Can it still be driven, and was anyone hurt?"),
        ("I don't know whether anyone was hurt.", "Was anyone hurt?"),
        ("No.", "Was anyone hurt?"),
    ],
)
def test_the_truth_contradicts_nothing(said: str, asked: str) -> None:
    """Also where one head answers one of two questions."""
    assert conduct.contradicted(said, asked, knows(DRIVABLE)) == []


def test_a_value_of_ones_own_at_the_wrong_place_contradicts() -> None:
    """Another of the customer's days, given for the day of the incident."""
    bought = Fact(id="purchase_date", topic="when bought", kind="date", value="2025-11-02", say="On 2 November 2025.")
    assert conduct.contradicted("It was on 2 November 2025.", "When did it happen?", knows(bought)) == ["incident_date"]
    assert conduct.contradicted("It was on 9 March 2026.", "When did it happen?", knows(bought)) == []


@pytest.mark.parametrize(
    "said",
    ["That is wrong.", "You misread what I wrote.", "It is 1,240, not 1,420.", "你写错了。", "You got the date wrong."],
)
def test_putting_right_unasked_corrects(said: str) -> None:
    """Unless the company has asked whether it is right."""
    assert conduct.corrects(said, "Thank you. Where did it happen?")
    assert not conduct.corrects(said, "Is that right?")
    assert not conduct.corrects(said, "What should I change?")


def test_mild_words_correct_only_where_nothing_is_asked() -> None:
    """ "Actually" is how people begin an answer, too."""
    assert conduct.corrects("Actually it was a Monday.", "Thank you, that is noted.")
    assert not conduct.corrects("Actually I did not call them.", "Is there a police reference?")
    assert not conduct.corrects("As I said, I get it soon.", "Please upload the repair quote.")


@pytest.mark.parametrize(
    "said",
    [
        "You should also ask about the police.",
        "Don't you need my plate?",
        "You haven't asked about the garage.",
        "What about my photo?",
        "要不要我发照片？",
    ],
)
def test_telling_the_company_what_to_ask_hints(said: str) -> None:
    """As a statement or as a question."""
    assert conduct.hints(said)


@pytest.mark.parametrize(
    "said", ["I have to go now.", "Never mind.", "Goodbye!", "I'll do this later.", "再见。", "Please end this chat."]
)
def test_taking_leave_is_heard(said: str) -> None:
    """In several languages."""
    assert conduct.takes_leave(said, view())


def test_a_personas_own_words_for_not_knowing_are_no_leave() -> None:
    """Beside them, leave is leave."""
    short = view(persona=view().persona.model_copy(update={"dont_know": ["Never mind that."]}))
    assert not conduct.takes_leave("Never mind that.", short)
    assert not conduct.takes_leave("What is your price? never mind  that.", short)
    assert conduct.takes_leave("Never mind that. Goodbye!", short)
    assert conduct.takes_leave("Never mind that.", view())


@pytest.mark.parametrize(
    ("text", "own", "other"),
    [
        ("Das ist nicht mein Auto.", "en-GB", "de"),
        ("Je ne sais pas, ma voiture est dans la rue.", "en", "fr"),
        ("Tôi không biết, xe của tôi bị hỏng.", "en", "vi"),
        ("我不知道。", "en", "zh"),
        ("It was on the street.", "zh", "en"),
        ("Это моя машина.", "en", "ru"),
        ("It was in the Rue de la Paix.", "en", None),
        ("JX24 RVB", "zh", None),
        ("Tôi không biết.", "vi", None),
        ("I do not know, it is the one by the door.", "en", None),
        ("Está bien.", "sv", None),
    ],
)
def test_another_language_is_told_by_script_and_small_words(text: str, own: str, other: str | None) -> None:
    """Names and numbers are of no language; a language without a list is told from no other."""
    assert conduct.other_language(text, own, "") == other


def test_a_name_in_its_own_script_is_no_other_language() -> None:
    """Letters that the customer was shown or knows may be said again."""
    assert conduct.other_language("It was at 大明酒店.", "en", "the hotel 大明酒店") is None


def test_no_fact_of_the_corpus_does_anything_but_tell() -> None:
    """The authors' own words are neither denials nor corrections, hints, leave-taking, contradictions or foreign."""
    found = []
    for folder in find_packages(CORPUS).values():
        if folder.parent.name != "claims":
            continue
        visible = read_visible(folder)
        one = customer_view(visible.initial_message, visible.facts, visible.materials)
        for fact in one.facts:
            live = f"{fact.topic}?" if asked_facts(f"{fact.topic}?") == [fact.id] else ""
            wrong = [
                conduct.denial(fact.say, live, one).false, conduct.contradicted(fact.say, live, one), conduct.corrects(fact.say, live),
                conduct.hints(fact.say), conduct.takes_leave(fact.say, one), conduct.other_language(fact.say, one.persona.language, ""),
            ]  # fmt: skip
            found += [(folder.name, fact.id, wrong)] if any(wrong) else []
    assert found == []
