"""Words that no customer writes, told from those that one does."""

from pathlib import Path

import pytest

from harness.schema.package import find_packages
from harness.schema.words.voice import speaks_as_another, thinks_aloud
from harness.stage import load_package
from tests.support.growth import grows_too_fast

CORPUS = Path(__file__).parents[3] / "packages"


@pytest.mark.parametrize(
    "text",
    [
        "*thinks* It was on 9 March 2026.",
        "*thinking about the date* It was on 9 March 2026.",
        "**sighs** It was on 9 March.",
        "_pauses_ It was on 9 March.",
        "It was on 9 March. *sighs deeply*",
        "It was on 9 March. *uploads the photo* Here it is.",
        "[internal] It was on 9 March 2026.",
        "(internal) It was on 9 March 2026.",
        "[Internal monologue: they want the date] 9 March 2026",
        "[thinking about what to say] It was on 9 March.",
        "【思考】是三月九日。",
        "（思考）是三月九日。",
        "(thinking) It was on 9 March.",
        "(Thinking to myself: the date) It was on 9 March.",
        "( internal thoughts ) It was on 9 March.",
        "(sighs) It was on 9 March.",
        "(checks the papers) It was on 9 March.",
        "It was (thinks for a moment) on 9 March.",
        "(out of character) It was on 9 March.",
        "*suy nghĩ* Ngày 9 tháng 3.",
        "<internal>the date</internal> It was on 9 March.",
        "As a customer, I would say it was on 9 March.",
        "As a customer I'd say it was on 9 March.",
        "As the policyholder, I should just answer that it was on 9 March.",
        "As a simulated customer, I would reply: on 9 March.",
        "The customer would say that it was on 9 March.",
        "Here is the customer's reply: on 9 March.",
        "I stay in character: it was on 9 March.",
        "作为客户，我会说是三月九日。",
    ],
)
def test_thoughts_and_stage_directions(text: str) -> None:
    """In asterisks, in any brackets, as a preface; at the head, in the middle and at the end of a message."""
    assert thinks_aloud(text)


@pytest.mark.parametrize(
    "text",
    [
        "It was on 9 March 2026. Let me know if you need anything else!",
        "Let us know if there is anything further.",
        "Is there anything else I can help you with",
        "Anything else we can do for you?",
        "Please don't hesitate to contact us.",
        "I'd be happy to assist.",
        "**Customer:** It was on 9 March.",
        "[User]: It was on 9 March.",
        "It was on 9 March.\nAgent: Thank you.",
        "是三月九日。\n客服：谢谢您。",
    ],
)
def test_anothers_words(text: str) -> None:
    """The company's set phrases, and the label of a speaker at the head of any line."""
    assert speaks_as_another(text)


@pytest.mark.parametrize(
    "text",
    [
        "The car (a Farrow) was parked.",
        "I was *thinking* of selling it. It was *not* my fault.",
        "*Not* my fault. I *never* said so.",
        "Two doors (internal) and a wall (inner) are wet.",
        "The bus (takes a while) was late. *Really* late, _very_ late.",
        "I think (but I am not sure) it was raining.",
        "(I think it was at about four.)",
        "There is damage inside (internal panels too) [internal damage as well].",
        "Please let me know what you need.",
        "Please feel free to contact me on this number.",
        "Do not hesitate to reach out to me.",
        "Let me know if you need anything else from me.",
        "As a customer, I would expect better than this.",
        "As a customer I need to know when the car is repaired.",
        "The other customer said nothing, the user manual is lost.",
        "The shop's agent: a tall person. My note to the garage is gone.",
        "I was waiting (waiting for an hour) in the car park.",
        "The garage (takes cards only) looks at it (checks of the brakes included).",
        "I sighed and thought about it, he nods a lot.",
        "Is there anything else you need from me?",
        "我心里想，这不是我的错（真的）。",
    ],
)
def test_a_customers_own_words(text: str) -> None:
    """Brackets, stressed words, and sentences that only resemble the company's."""
    assert not thinks_aloud(text)
    assert not speaks_as_another(text)


def test_no_customer_of_the_corpus_writes_so() -> None:
    """Every word that a view gives its customer to say passes."""
    for folder in find_packages(CORPUS).values():
        view = load_package(folder).view
        said = [
            view.initial_message,
            *view.persona.dont_know,
            *(f.say for f in view.facts),
            *(w.say for w in view.wishes),
        ]
        said += [f.available.promise for f in view.files if f.available.promise]
        assert [text for text in said if thinks_aloud(text) or speaks_as_another(text)] == []


@pytest.mark.parametrize("part", ["*", "(", "[", "* ", "(sighs ", "*thinks ", "(checks the ", "_", "as a ", "\n>"])
def test_long_runs_take_no_long_time(part: str) -> None:
    """Time grows with the length of a message, not with its square."""
    assert grows_too_fast(lambda size: (thinks_aloud(part * size), speaks_as_another(part * size)), 5_000) == ""
