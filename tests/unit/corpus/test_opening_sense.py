"""Openings that keep the words of their plain wording and not its sense."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schema.visible import Fact, Facts, OpeningStyle
from oracle_scoring.corpus.check_says import opposite
from oracle_scoring.corpus.opening import Moved, opening_problems
from oracle_scoring.corpus.opening_deeds import other_doer, other_owner
from oracle_scoring.corpus.opening_lexis import clauses
from oracle_scoring.corpus.opening_sense import miscounted, turned, turning_words, turns, untyped

PLAIN = (
    "A van ran into me on 9 March 2026. The dent is on the left. There are lots of scratches. The paint is ok. The police were not called. "
    "The car still drives. They took two rings and three watches."
)


def facts(style: OpeningStyle) -> Facts:
    """A customer who knows all that, and that the lamp does not work."""
    says = [*PLAIN.split(". "), "The lamp does not work."]
    return Facts.model_validate(
        {
            "format": "0.2",
            "opening_style": style,
            "persona": {
                "name": "Nora Tidewell", "language": "en-GB", "mood": "calm", "manner": "short", "patience": 3, "dont_know": ["No idea."],
            },
            "facts": [{"id": f"f{n}", "topic": "it", "kind": "text", "value": said, "say": said} for n, said in enumerate(says)],
        }
    )  # fmt: skip


def problems(opening: str, style: OpeningStyle = "emotional", wording: tuple[str, ...] = ()) -> list[Moved]:
    """What is wrong with an opening."""
    return opening_problems(facts(style), PLAIN, opening, wording=wording)


@pytest.mark.parametrize(
    "opening",
    [
        f"I can't believe it, I don't know what to do!! {PLAIN} I'm still shaking, please call me right away, I have no idea...",
        f"{PLAIN} All right?! I cannot sleep, I am not sure what to do, please get back to me!",
        PLAIN.replace("lots of", "many").replace("is ok", "is fine"),
        PLAIN.replace("The police were not called", "The police weren't called"),
    ],
)
def test_feeling_and_other_words_for_the_same_turn_nothing(opening: str) -> None:
    """Turns of phrase of feeling, thinking and asking are taken out; words of one line are one word."""
    assert problems(opening) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("on the left", "on the right"),
        ("lots of", "few"),
        ("is ok", "is not ok"),
        ("were not called", "were called"),
        ("still drives", "drives"),
        ("ran into me", "never ran into me"),
        ("A van ran into me", "I ran into a van"),
        ("two rings and three watches", "three rings and two watches"),
        ("two rings", "rings"),
    ],
)
@pytest.mark.parametrize("style", ["emotional", "typos", "many_facts", "non_native", "wrong_product_term"])
def test_a_turned_word_is_named_in_every_style(style: OpeningStyle, old: str, new: str) -> None:
    """Left for right, few for lots, with and without not, other counts, another doer."""
    assert "opening_fact_changed" in {p.code for p in problems(PLAIN.replace(old, new), style)}


@pytest.mark.parametrize("style", ["emotional", "typos", "many_facts", "non_native", "wrong_product_term"])
def test_a_sentence_left_out_is_named_in_every_style(style: OpeningStyle) -> None:
    """Whatever the sentence tells, and be it that there is none."""
    for sentence in ("There are lots of scratches. ", "The police were not called. ", "The paint is ok. "):
        found = {p.code for p in problems(PLAIN.replace(sentence, ""), style)}
        assert found & {"opening_fact_lost", "opening_fact_changed"}


def test_many_facts_may_add_a_denial_only_as_a_fact_says_it() -> None:
    """The lamp does not work, so says a fact; that the paint is not ok, none says."""
    assert problems(f"{PLAIN} The lamp does not work.", "many_facts") == []
    assert problems(f"{PLAIN} The rings do not work.", "many_facts") != []


def test_an_author_declares_words_and_turns_of_phrase() -> None:
    """A word left out, and a phrase of several words; a single turning word is never declared away."""
    left_out = PLAIN.replace("There are lots of scratches. ", "There are lots. ")
    assert {p.code for p in problems(left_out)} == {"opening_fact_lost"}
    assert [p for p in problems(left_out, wording=("scratches",)) if "scratches" in p.what] == []
    phrase = f"{PLAIN} No way, no how!"
    assert problems(phrase) != []
    assert problems(phrase, wording=("no way", "no how")) == []
    assert problems(PLAIN.replace("not ", ""), wording=("not",)) != []


def test_a_plain_wording_says_no_place_that_no_fact_says() -> None:
    """Left is in a fact, upstairs is not."""
    assert problems(PLAIN, "plain") == []
    plain = f"{PLAIN} Upstairs."
    found = opening_problems(facts("plain"), plain, plain)
    assert [p.code for p in found] == ["opening_says_no_fact"] * 2  # as a word, and as a place


@pytest.mark.parametrize(
    ("plain", "changed"),
    [
        ("Nobody was hurt.", False),
        ("I was hurt.", True),
        ("The police were not called.", False),
        ("The police were called.", True),
        ("The gate is bent.", False),
        ("The gate is not bent.", True),
        ("The lamp works.", False),
    ],
)
def test_a_plain_wording_denies_what_the_facts_deny(plain: str, changed: bool) -> None:
    """And affirms what they affirm; where answers differ among themselves, nothing is said."""
    rows = [
        ("injuries", "yes_no", "no", "No, nobody was hurt."),
        ("police_reference", "text", "none", "There is none, the police were not called."),
        ("damage", "text", "gate bent", "The gate is bent."),
        ("lamp", "text", "lamp", "The lamp works at times."),
        ("more", "text", "lamp", "It never works at night."),
    ]
    keys = ("id", "kind", "value", "say")
    known = facts("plain").model_dump()
    known["facts"] = [{"topic": "it", **dict(zip(keys, row, strict=True))} for row in rows]
    found = opening_problems(Facts.model_validate(known), plain, plain)
    assert ("opening_fact_changed" in {m.code for m in found}) is changed


def test_words_are_compared_in_one_form() -> None:
    """Short forms are written out, possessives fall off, exact things are a mark."""
    assert clauses("I can't, it's Nora's; we dont") == (("i", "can", "not"), ("it", "is", "nora"), ("we", "do", "not"))
    assert clauses("On 9 March 2026 at 16:20 two cars") == (("on", "~", "at", "~", "two", "cars"),)
    assert [t.name for t in turns("all right, the left one is not fine")] == ["left", "not", "ok"]


def test_every_turn_has_a_line_of_its_own() -> None:
    """No word is in two lines, and each line has a word."""
    assert set(turning_words().values()) >= {
        "not",
        "left",
        "right",
        "front",
        "rear",
        "few",
        "many",
        "still",
        "ok",
        "called",
    }


def test_slips_of_the_hand_are_mended_before_the_comparison() -> None:
    """A mistyped word stands for the one it is nearest to; words of their own stand for themselves."""
    assert untyped("the police were not called", "teh polce were nto calld") == "the police were not called"
    assert untyped("not called", "now called") == "now called"


@pytest.mark.parametrize(
    ("plain", "opening"),
    [
        ("A van hit the wall.", "I hit the wall."),
        ("I hit the wall.", "A van hit the wall."),
        ("I dropped it.", "It was dropped."),
        ("My car was stolen.", "I stole the car."),
        ("My car scraped the gate.", "The gate scraped my car."),
        ("A van scraped my car.", "My car scraped a van."),
        ("A van hit the wall.", "A van hit me."),
    ],
)
def test_who_did_it_is_kept(plain: str, opening: str) -> None:
    """Nobody's deed becomes another's."""
    assert [m.code for m in other_doer(plain, opening)] == ["opening_fact_changed"]


@pytest.mark.parametrize(
    ("plain", "opening"),
    [
        ("I need to report damage.", "I report damage."),
        ("I dropped the vase.", "I just dropped the vase!"),
        ("Somebody took it.", "Someone has take it."),
        ("Water came through the ceiling.", "Water started coming through my ceiling!"),
        ("A van ran into the back of my car.", "My God, a van ran into the back of my car!"),
    ],
)
def test_other_words_for_the_same_deed(plain: str, opening: str) -> None:
    """Tenses, adverbs and a possessive more change nobody's deed."""
    assert list(other_doer(plain, opening)) == []


def test_whose_it_is_is_kept() -> None:
    """Mine does not become theirs; a pronoun less is no other owner."""
    assert len(list(other_owner("It hit my car.", "It hit his car."))) == 1
    assert len(list(other_owner("It hit his car.", "It hit my car."))) == 1
    assert list(other_owner("It hit my car.", "It hit car.")) == []


def test_counts_stay_with_what_they_count() -> None:
    """In figures or words; words between number and thing do not matter."""
    assert list(miscounted("two rings", "2 lovely rings")) == []
    assert len(list(miscounted("two rings, two clocks", "two rings, clocks"))) == 1
    assert len(list(miscounted("two rings", "two clocks"))) == 1


def test_more_and_fewer_are_both_named() -> None:
    """A turning word too many and one too few."""
    assert len(list(turned("It is not left.", "It is left.", "emotional", [], []))) == 1
    assert len(list(turned("It is left.", "It is not left.", "emotional", [], []))) == 1


@settings(max_examples=60, deadline=None)
@given(plain=st.text(max_size=80), opening=st.text(max_size=80), said=st.text(min_size=1, max_size=40))
def test_no_text_is_too_odd_to_compare(plain: str, opening: str, said: str) -> None:
    """Whatever stands in two texts and an answer, there is a comparison and not an error."""
    for style in ("plain", "typos", "many_facts"):
        assert isinstance(opening_problems(facts(style), plain, opening, wording=(said,)), list)
    for value in ("yes", "no"):
        opposite(Fact.model_validate({"id": "drivable", "topic": "it", "kind": "yes_no", "value": value, "say": said}))


def test_raised_figures_are_no_counts() -> None:
    """A figure that no number can be made of is left alone."""
    assert list(miscounted("12 m² of carpet", "12 m² of carpet")) == []
    assert list(miscounted("² of carpet", "of carpet")) == []
