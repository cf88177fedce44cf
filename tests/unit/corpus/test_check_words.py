"""Characters nobody sees, codes and plans in plain words, answers that contradict their fact."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.schema.package import find_packages
from harness.schema.visible import Fact
from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.check_characters import invisible, mixed_word
from oracle_scoring.corpus.check_codes import named_by_answer, plan_in, plan_in_id, secret_words, spelled_out, words
from oracle_scoring.corpus.check_says import opposite, second_value
from oracle_scoring.corpus.load import load_package
from oracle_scoring.corpus.synthetic import make_package

CORPUS = Path(__file__).parents[3] / "packages"


@pytest.mark.parametrize(
    "text",
    [
        "plain words, £1,284.50 – “quoted” … it’s",
        "昨天我的车被撞了。ＡＢＣ１２３、（全角）",
        "Chuyện xảy ra ở Hà Nội",
        "Chuye\u0302\u0323n xa\u0309y ra",
        "help 😭 👩‍💻 ❤️ 👍🏽 🏳️‍🌈 1️⃣ 🇬🇧 🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
        "葛\U000e0100城",
        "Вчера машину ударили",
        "Χθες",
        "naïve café, 5 µm, 3 × 4, first line\nsecond\tline",
    ],
)
def test_ordinary_writing_of_any_language_stays(text: str) -> None:
    """Chinese, Vietnamese composed or not, full-width forms, emoji with joiners, whole words of another alphabet."""
    assert (invisible(text), mixed_word(text)) == (None, None)


@pytest.mark.parametrize(
    "char",
    "\u200b\u200c\u200d\u200e\u202a\u202e\u2060\u2066\u00ad\ufeff\ufe0f\u034f\u3164\u2800\u2028\u0007\ue000\U000e0061\U000e0101",
)
def test_what_nobody_sees_is_found(char: str) -> None:
    """Between letters, at the start and at the end; the answer names it."""
    for text in (f"it is so{char}me", f"{char}it is", f"it is{char}"):
        assert (invisible(text) or "").startswith(f"U+{ord(char):04X} ")


@pytest.mark.parametrize("word", ["d\u0435nted", "\u0420lease", "n\u03bft", "\u0441\u0430r", "\u0430\u0440"])
def test_letters_of_two_alphabets_are_found(word: str) -> None:
    """A Cyrillic or Greek letter among Latin ones, and a whole word of letters that look Latin."""
    assert mixed_word(f"It is {word} here") == word


def test_full_width_letters_are_read_as_plain_ones() -> None:
    """No code hides in them."""
    assert words("ＲＥＶＩＥＷ_required") == ["review", "required"]


@pytest.fixture(scope="module")
def secrets() -> dict[str, str]:
    """Of a package."""
    return secret_words(load_package(find_packages(CORPUS)["CTL-M-001"]))


@pytest.mark.parametrize(
    "base", ["clear", "weak-2", "HIT", "quoteBeforeIncident", "innocentControl01", "strong_signal"]
)
def test_file_names_that_are_an_answer(base: str, secrets: dict[str, str]) -> None:
    """An outcome and nothing else, or a code whose words are not parted."""
    assert named_by_answer(base, secrets)


@pytest.mark.parametrize(
    "base", ["clear-photo", "IMG_20260916", "20260309", "repair-quote", "hit-and-run-note", "weak-spot"]
)
def test_file_names_that_people_give(base: str, secrets: dict[str, str]) -> None:
    """Ordinary words beside others, numbers alone."""
    assert named_by_answer(base, secrets) is None


def test_letters_one_by_one_are_read(secrets: dict[str, str]) -> None:
    """Parted by blanks, dots or hyphens."""
    for said in ("u r g e n t", "U.R.G.E.N.T", "it is u-r-g-e-n-t now"):
        assert spelled_out(said, secrets) == "urgent"
    assert spelled_out("J X 2 4 R V B, a b c d", secrets) is None


ORDINARY = (
    "It is urgent, a clear case of a weak lock.", "My car is not drivable.", "The police were involved.", "I had no signal there.",
    "It was a standard tyre.", "The rear end is dented.", "An oracular saying, he was alerted.", "Minor damage, I would say.",
)  # fmt: skip


@pytest.mark.parametrize("said", ORDINARY)
def test_ordinary_words_may_be_said(said: str, tmp_path: Path) -> None:
    """What people say of their claim is no code, though codes are made of the same words."""
    folder = make_package(tmp_path / "SYN-P-001", {"facts.persona.manner": said})
    assert [f.line() for f in check(folder)] == []


def fact(kind: str, value: str, say: str, fact_id: str = "thing") -> Fact:
    """One fact."""
    return Fact.model_validate({"id": fact_id, "topic": "it", "kind": kind, "value": value, "say": say})


@pytest.mark.parametrize(
    ("fact_id", "value", "say"),
    [
        ("drivable", "yes", "No, it had to be towed."),
        ("drivable", "yes", "It had to be towed."),
        ("drivable", "yes", "yes but it wont start"),
        ("drivable", "no", "No, it drives fine."),
        ("injuries", "no", "My neck hurts."),
        ("injuries", "no", "No, well, I was taken to hospital."),
        ("injuries", "yes", "Nobody was hurt."),
        ("habitable", "yes", "I moved out, it is a ruin."),
        ("habitable", "yes", "Yes, but we can't live there."),
        ("habitable", "no", "No, we can still live there."),
        ("ongoing_danger", "no", "No, but it may still fall."),
        ("witnesses", "no", "Two people saw it."),
        ("witnesses", "yes", "There was nobody."),
    ],
)
def test_answers_that_say_the_opposite(fact_id: str, value: str, say: str) -> None:
    """A denial where the value is yes, none where it is no, and words that mean the opposite."""
    assert opposite(fact("yes_no", value, say, fact_id))


@pytest.mark.parametrize(
    ("fact_id", "value", "say"),
    [
        ("drivable", "yes", "yes it still drives fine"),
        ("drivable", "yes", "It drives, it did not have to be towed."),
        ("drivable", "no", "No, it cannot be driven, it had to be towed!"),
        ("injuries", "no", "Everybody is fine, only my pride."),
        ("injuries", "no", "no, nobody was hurt, only my pride"),
        ("injuries", "yes", "Yes, my wrist is hurt, I cannot move it."),
        ("habitable", "no", "No, we cannot live there, we sleep at my sister's."),
        ("ongoing_danger", "no", "No, nothing is dangerous any more."),
        ("ongoing_danger", "yes", "Yes, it is still dangerous, more tiles may come down."),
        ("witnesses", "yes", "Yes, but nobody gave a name."),
    ],
)
def test_answers_that_agree(fact_id: str, value: str, say: str) -> None:
    """What people say is long; only what a listener would take for the opposite is named."""
    assert opposite(fact("yes_no", value, say, fact_id)) is None


@pytest.mark.parametrize(
    ("kind", "value", "say", "other"),
    [
        ("date", "2026-03-09", "On 9 March 2026, no, 10 March 2026.", "10 March 2026"),
        ("time", "16:20", "At 16:20, or 4.50 pm.", "4.50 pm."),
        ("amount", "1284.00 GBP", "£1,284, or £1,300 with VAT.", "£1,300"),
        ("plate", "JX24 RVB", "JX24 RVB or TJ19 HNW.", "TJ19 HNW"),
        ("date", "2026-03-09", "On 9 March 2026 at 16:20, it cost £5.", None),
        ("time", "16:20", "About 16:20, that is 4.20 pm.", None),
        ("plate", "JX24 RVB", "JX24 RVB, on the A40.", None),
        ("text", "note", "Of 10 March 2026.", None),
    ],
)
def test_a_second_value_in_an_answer(kind: str, value: str, say: str, other: str | None) -> None:
    """Another of the same kind is named; other kinds and other ways to write it are not."""
    assert second_value(fact(kind, value, say)) == other


@pytest.mark.parametrize(
    ("overrides", "code"),
    [
        ({"facts.persona.mood": "ca\u200blm"}, "invisible_character"),
        ({"facts.does_not_know.0.topic": "n\u03bfthing"}, "mixed_alphabets"),
        ({"facts.wishes.0.say": "Is this an innocent control?"}, "code_in_words"),
        ({"facts.wishes.0.say": "Will there be an alert?"}, "code_in_words"),
        ({"facts.persona.manner": "not-drivable"}, "code_in_words"),
        ({"facts.facts.3.say": "Someone got hurt."}, "say_contradicts_value"),
        ({"facts.facts.0.say": "7 April 2026, or 8 April 2026."}, "say_has_another_value"),
    ],
)
def test_the_checker_says_so(overrides: dict[str, Any], code: str, tmp_path: Path) -> None:
    """Every visible text is looked at."""
    assert code in {f.code for f in check(make_package(tmp_path / "SYN-P-001", overrides))}


def test_answers_in_another_language_are_not_judged_by_english_words(tmp_path: Path) -> None:
    """Only English is read; a German no is not taken for a missing one."""
    made: Callable[[str], Path] = lambda language: make_package(  # noqa: E731
        tmp_path / language / "SYN-P-001", {"facts.persona.language": language, "facts.facts.3.say": "Keiner."}
    )
    assert "say_contradicts_value" not in {f.code for f in check(made("de"))}
    assert "say_contradicts_value" in {f.code for f in check(made("en"))}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("calm, but two weak hits call for a human look", "persona.mood"),
        ("it's a strong hit", "persona.mood"),
        ("will be flagged because of the quote date", "persona.manner"),
        ("the product should triage this as urgent", "persona.manner"),
        ("calm, must not alert", "persona.manner"),
        ("It must not be flagged.", "facts.0.say"),
        ("There is an innocent explanation.", "facts.0.say"),
        ("That was triaged as simple.", "facts.0.say"),
        ("suspicious quote", "materials.0.visible.label"),
        ("quote from before the accident", "materials.0.visible.label"),
        ("quote_older-than-my-accident.pdf", "materials.0.visible.file"),
        ("receipt dated after the theft", "materials.0.visible.label"),
        ("receipt whose date cannot be read", "materials.0.visible.label"),
        ("the receipt, date unreadable", "materials.0.visible.label"),
        ("The quote is dated after the accident so it is clear.", "materials.0.visible.available.promise"),
    ],
)
def test_words_of_the_plan_are_found(text: str, field: str) -> None:
    """What only someone says who knows what is to come out."""
    assert plan_in(text, field) is not None


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("suspicious of insurers, innocent look, in a strong mood", "persona.mood"),
        ("I was flagged down by a policeman, a suspicious man ran off.", "facts.0.say"),
        ("The truck I flagged brought the car home; it could be flagged down.", "facts.0.say"),
        ("In triage they said it is only a sprain, the triage nurse was kind.", "facts.0.say"),
        ("It was only a weak hit from behind, my phone had one bar.", "facts.0.say"),
        ("I got the quote before the accident, for another dent.", "facts.0.say"),
        ("The rain washed the line out, the date cannot be read.", "facts.0.say"),
        ("photo of the bonnet before the hail", "materials.0.visible.label"),
        ("invoice of the tow truck after the accident", "materials.0.visible.label"),
        ("quote the garage wrote after the accident", "materials.0.visible.label"),
        ("receipt for clothes bought after the fire", "materials.0.visible.label"),
        ("I will send it before the day is over.", "materials.0.visible.available.promise"),
    ],
)
def test_ordinary_words_are_no_plan(text: str, field: str) -> None:
    """The same words where a person might say them."""
    assert plan_in(text, field) is None


def test_ids_are_called_by_what_they_are_about() -> None:
    """The customer's model reads them."""
    for name in (
        "strong_hit_explanation",
        "review_hit_excuse",
        "flagged_quote",
        "triage",
        "quote_before_incident",
        "look_alike_receipt",
    ):
        assert plan_in_id(name) is not None
    for name in (
        "quote_explanation",
        "cover_explanation",
        "hit_and_run",
        "ongoing_danger",
        "police_reference",
        "alarm",
    ):
        assert plan_in_id(name) is None


def test_a_person_may_be_alert(tmp_path: Path) -> None:
    """An alert is the plan's in an answer, a state of mind in the persona."""
    alert = {"facts.persona.mood": "alert but clear"}
    assert check(make_package(tmp_path / "SYN-P-001", alert)) == []
    said = {"facts.facts.5.value": "an alert camera", "facts.facts.5.say": "An alert camera."}
    assert "code_in_words" in {f.code for f in check(make_package(tmp_path / "SYN-P-002", said))}
