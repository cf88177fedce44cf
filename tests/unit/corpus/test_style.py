"""Drafts of openings in the other styles."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from harness.errors import InputError
from harness.schema.package import FACTS, INITIAL_MESSAGE, PROVENANCE
from harness.schema.visible import Facts
from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.opening import exact_values
from oracle_scoring.corpus.style import _SIGHS, DRAFTED, Draft, _slips, draft_opening, draft_openings, write_opening
from oracle_scoring.corpus.synthetic import make_package

PLAIN = (
    "Hello, I want to claim on my home insurance. On 4 February 2026 at 07:30 water came through the ceiling of the dining "
    "room at 3 Alder Row, Harrowmere. A joint under the bath leaked. The repair costs £1,164.60. Nobody was hurt."
)
FACTS_OF = [
    ("incident_date", "date", "2026-02-04", "It was on 4 February 2026."),
    ("incident_time", "time", "07:30", "At 07:30."),
    ("place", "place", "3 Alder Row, Harrowmere", "At 3 Alder Row, Harrowmere."),
    (
        "what_happened",
        "text",
        "water came through the dining room ceiling",
        "Water came through the dining room ceiling.",
    ),
    ("cause", "text", "a joint under the bath leaked", "A joint under the bath leaked."),
    ("estimated_loss", "amount", "1164.60 GBP", "The repair costs £1,164.60."),
    ("injuries", "yes_no", "no", "No, nobody was hurt."),
    ("habitable", "yes_no", "yes", "Yes, we can still live there."),
    ("plumber", "name", "Sam Oakley", "Sam Oakley looked at it."),
    ("policy_number", "reference", "FWH-204417", "My policy number is FWH-204417."),
    ("contact_phone", "phone", "07700 900451", "My phone number is 07700 900451."),
]
SEEDS = range(6)


def facts() -> Facts:
    """A customer with a wet ceiling."""
    persona = {
        "name": "Basil Quennell",
        "language": "en-GB",
        "mood": "calm",
        "manner": "short",
        "patience": 3,
        "dont_know": ["I do not know."],
    }
    known = [{"id": i, "topic": i.replace("_", " "), "kind": k, "value": v, "say": s} for i, k, v, s in FACTS_OF]
    return Facts.model_validate({"format": "0.2", "opening_style": "plain", "persona": persona, "facts": known})


def draft(style: Any, rng_seed: int = 0, plain: str = PLAIN) -> Draft:
    """One draft."""
    return draft_opening(facts(), plain, style, "home", rng_seed)


@pytest.mark.parametrize("style", DRAFTED)
def test_no_fact_moves(style: Any) -> None:
    """Whatever the seed: dates, times, amounts, names and places stand as they stood, and the checker's comparison agrees."""
    for seed in SEEDS:
        made = draft(style, seed)
        assert made.problems == []
        assert set(exact_values(PLAIN)) <= set(exact_values(made.text))
        for kept in ("4 February 2026", "07:30", "£1,164.60", "3 Alder Row, Harrowmere"):
            assert kept in made.text
        if style != "many_facts":
            assert set(exact_values(made.text)) == set(exact_values(PLAIN))


@pytest.mark.parametrize("style", DRAFTED)
def test_a_draft_is_in_its_style(style: Any) -> None:
    """It differs from the plain wording, is the same for the same seed, and seeds differ."""
    assert draft(style).text != PLAIN
    assert draft(style).text == draft(style).text
    assert len({draft(style, seed).text for seed in SEEDS}) > 1


def test_a_slip_of_the_hand_is_no_other_word() -> None:
    """No tile is tied, no wall good as god: what a slip makes is no word of English."""
    made = {
        word: {slip for seed in range(200) for slip in _slips(word, random.Random(seed))}
        for word in re.findall(
            r"\w+", "tiles roof form quiet later dinner stain signed good planned scared tired happened water little"
        )
    }
    assert {
        "ties",
        "from",
        "quite",
        "latter",
        "diner",
        "satin",
        "singed",
        "god",
        "planed",
        "scarred",
        "tried",
    }.isdisjoint(set().union(*made.values()))
    assert "hapened" in made["happened"] and all(made[word] for word in ("tiles", "roof", "water", "little"))


def test_what_each_style_does() -> None:
    """More facts; exclamation marks; slips of the hand; an excuse and missing articles; another name for the product."""
    assert len(exact_values(draft("many_facts").text)) > len(exact_values(PLAIN))
    assert draft("emotional").text.count("!") >= 4 and "came through" in draft("emotional").text
    slips = set(draft("typos").text.casefold().split()) - set(PLAIN.casefold().split())
    assert len(slips) >= 3
    assert "English" in draft("non_native").text
    assert draft("non_native").text.count("the ") < PLAIN.count("the ")
    assert "home insurance" not in draft("wrong_product_term").text


def test_a_product_that_is_not_named_gets_a_wrong_name() -> None:
    """The term is added behind the greeting."""
    made = draft("wrong_product_term", plain=PLAIN.replace("I want to claim on my home insurance. ", ""))
    assert made.problems == [] and made.text.startswith("Hello, ") and made.text != PLAIN


PARKED = "Hello, I need to report damage to my car. On 9 March 2026 another car hit my parked car. It happened in Mill Road, Wexley."
PARKED_FACTS = [
    ("incident_date", "date", "2026-03-09", "It was on 9 March 2026."),
    ("incident_time", "time", "16:20", "About 16:20."),
    ("other_vehicle", "text", "TJ19 HNW", "The note gives the plate TJ19 HNW."),
    ("note", "text", "a note on my windscreen", "I found a note on my windscreen."),
    ("rooms_affected", "text", "the boot and the back seat", "The boot and the back seat."),
    ("estimated_loss", "amount", "1284.00 GBP", "The garage asks £1,284.00 for it."),
    ("contact_name", "name", "Nora Tidewell", "My name is Nora Tidewell."),
    ("plate", "plate", "JX24 RVB", "My registration is JX24 RVB."),
]


def parked(style: Any, rng_seed: int, note: str = "I found a note on my windscreen.") -> str:
    """A draft for the owner of a parked car."""
    known = [
        {"id": i, "topic": i.replace("_", " "), "kind": k, "value": v, "say": note if i == "note" else s}
        for i, k, v, s in PARKED_FACTS
    ]
    of = Facts.model_validate({**facts().model_dump(mode="json"), "facts": known})
    return draft_opening(of, PARKED, style, "motor", rng_seed).text


def test_added_facts_come_where_they_make_sense() -> None:
    """The time stands behind the date, a note is brought up before it is cited, the name comes last; answers that need
    their question are left out.
    """
    drafts = [parked("many_facts", seed) for seed in range(12)]
    assert all("On 9 March 2026 at about 16:20 another car" in text for text in drafts)
    cited = [text for text in drafts if "The note gives" in text]
    assert cited and all(text.index("a note on") < text.index("The note gives") for text in cited)
    named = [text for text in drafts if "Nora" in text]
    assert named and all(text.endswith("My name is Nora Tidewell.") for text in named)
    assert not any("back seat" in text or "for it" in text for text in drafts)


def test_what_was_never_brought_up_is_not_cited() -> None:
    """Where the note itself is only an answer and stays out, nothing says what "the note" gives."""
    drafts = [parked("many_facts", seed, note="It was a note on my windscreen.") for seed in range(6)]
    assert not any("The note gives" in text for text in drafts) and any("JX24 RVB" in text for text in drafts)


def test_a_sigh_comes_after_what_happened() -> None:
    """Not before it was told, and never between a sentence and the "it" that points to it."""
    for seed in range(12):
        text = parked("emotional", seed)
        sighs = [s for s in _SIGHS if s in text]
        assert len(sighs) == 1 and text.index(sighs[0]) > text.index("hit my parked car")
        assert text.index(sighs[0]) > text.index("It happened in Mill Road")


def package(tmp_path: Path) -> Path:
    """A package in order, in plain style."""
    return make_package(tmp_path / "SYN-P-001")


def test_drafts_of_a_package_change_nothing(tmp_path: Path) -> None:
    """Drafting reads only."""
    folder = package(tmp_path)
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    drafts = draft_openings(folder)
    assert [d.style for d in drafts] == list(DRAFTED)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


def test_a_written_draft_passes_the_checker(tmp_path: Path) -> None:
    """Message and style are written, the plain wording stays, and the package is still in order."""
    folder = package(tmp_path)
    assert check(folder) == []
    plain = json.loads((folder / PROVENANCE).read_bytes())["plain_opening"]
    (made,) = draft_openings(folder, ["emotional"])
    assert write_opening(folder, made) == [INITIAL_MESSAGE, FACTS]
    assert (folder / INITIAL_MESSAGE).read_text("utf-8") == made.text + "\n"
    assert json.loads((folder / FACTS).read_bytes())["opening_style"] == "emotional"
    assert json.loads((folder / PROVENANCE).read_bytes())["plain_opening"] == plain
    assert check(folder) == []


def test_nothing_is_written_that_moves_a_fact_or_changes_nothing(tmp_path: Path) -> None:
    """A draft with a problem, and one that is the plain wording, are refused."""
    folder = package(tmp_path)
    before = (folder / INITIAL_MESSAGE).read_bytes()
    wrong = draft("emotional")
    bad = draft_opening(facts(), PLAIN, "emotional", "home").problems or draft_wrong()
    with pytest.raises(InputError, match="nothing was written"):
        write_opening(folder, Draft("emotional", wrong.text, bad))
    plain = json.loads((folder / PROVENANCE).read_bytes())["plain_opening"]
    with pytest.raises(InputError, match="write it by hand"):
        write_opening(folder, Draft("emotional", plain, []))
    assert (folder / INITIAL_MESSAGE).read_bytes() == before


def draft_wrong() -> list[Any]:
    """Problems of an opening whose date has moved."""
    from oracle_scoring.corpus.opening import opening_problems

    moved = PLAIN.replace("4 February", "5 February")
    return opening_problems(facts().model_copy(update={"opening_style": "emotional"}), PLAIN, moved)


def test_unknown_styles_and_unwritten_openings_are_refused(tmp_path: Path) -> None:
    """The plain style is not drafted; a mark is no plain wording."""
    folder = package(tmp_path)
    with pytest.raises(InputError, match="there is no style plain to draft"):
        draft_openings(folder, ["plain"])
    provenance = json.loads((folder / PROVENANCE).read_bytes())
    provenance["plain_opening"] = "[[write: first message]]"
    (folder / PROVENANCE).write_text(json.dumps(provenance, indent=2) + "\n", "utf-8")
    with pytest.raises(InputError, match="is not written yet"):
        draft_openings(folder)
