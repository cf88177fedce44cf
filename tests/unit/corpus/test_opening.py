"""Openings against plain wording and facts."""

import pytest

from harness.schema.visible import Facts, OpeningStyle
from oracle_scoring.corpus.opening import content_stems, exact_values, opening_problems, stem

PLAIN = (
    "Hello, I need to report damage to my kitchen. On 9 March 2026 water came through the ceiling. It dripped on the oak table "
    "at 14 Larch Close, Wexley."
)
ROWS = [
    ("incident_date", "date of it", "date", "2026-03-09", "On 9 March 2026."),
    ("incident_time", "time of it", "time", "16:20", "At 4.20 pm."),
    ("place", "where", "place", "14 Larch Close, Wexley", "At 14 Larch Close, Wexley."),
    (
        "what_happened",
        "what happened",
        "text",
        "water came through the ceiling",
        "Water came through the ceiling of the kitchen.",
    ),
    ("damage", "damage", "text", "oak table stained", "It dripped on the oak table, the table is stained."),
    ("injuries", "anyone hurt", "yes_no", "no", "No, nobody was hurt."),
    ("estimated_loss", "cost", "amount", "1284.50 GBP", "About £1,284.50."),
    ("contact_phone", "my phone", "phone", "07700 900142", "It is 07700 900142."),
]


def facts(style: OpeningStyle) -> Facts:
    """A customer with a kitchen."""
    keys = ("id", "topic", "kind", "value", "say")
    return Facts.model_validate(
        {
            "format": "0.2",
            "opening_style": style,
            "persona": {
                "name": "Nora Tidewell", "language": "en-GB", "mood": "calm", "manner": "short", "patience": 3, "dont_know": ["No idea."],
            },
            "facts": [dict(zip(keys, row, strict=True)) for row in ROWS],
        }
    )  # fmt: skip


def codes(style: OpeningStyle, opening: str, wording: tuple[str, ...] = ()) -> set[str]:
    """Codes of what is wrong with an opening."""
    return {moved.code for moved in opening_problems(facts(style), PLAIN, opening, wording=wording)}


TAIL = "On 9 March 2026 water came through the ceiling. It dripped on the oak table at 14 Larch Close, Wexley."


@pytest.mark.parametrize(
    ("style", "opening"),
    [
        ("plain", PLAIN),
        ("emotional", "Oh my god, I can't believe this!! I'm so upset, my kitchen! On 9 March 2026 water started coming through my ceiling!! "
         "It dripped on the oak table, at 14 Larch Close, Wexley."),
        ("typos", "Helo, i ned to reprot damge to my kichen. On 9 March 2026 watr came thruogh teh celing. It driped on the oak tabel at "
         "14 Larch Close, Wexley."),
        ("many_facts", f"I need to report damage to my kitchen. {TAIL} It was 16:20, nobody was hurt, the table is stained, £1,284.50."),
        ("non_native", f"Good day, excuse my English, I must to declare the damage of kitchen. {TAIL}"),
        ("wrong_product_term", f"Hello, I want to claim on my travel insurance for my kitchen. {TAIL}"),
    ],
)  # fmt: skip
def test_styles_that_change_words_only(style: OpeningStyle, opening: str) -> None:
    """Feeling, slips of the hand, known facts, clumsy grammar and a wrong name for the cover are no facts."""
    assert opening_problems(facts(style), PLAIN, opening) == []


@pytest.mark.parametrize(
    ("style", "opening", "code"),
    [
        ("emotional", PLAIN.replace("came", "was pouring"), "opening_fact_added"),
        ("emotional", PLAIN.replace("9 March", "10 March"), "opening_says_no_fact"),
        ("emotional", PLAIN.replace("9 March", "10 March"), "opening_fact_lost"),
        ("emotional", PLAIN.replace("On 9 March 2026 w", "W"), "opening_fact_lost"),
        ("emotional", PLAIN.replace("oak ", "antique "), "opening_fact_added"),
        ("emotional", f"{PLAIN} Nobody was hurt!", "opening_fact_added"),
        ("emotional", f"{PLAIN} My number is 07700 900142.", "opening_fact_added"),
        ("emotional", PLAIN.replace("came", "never came"), "opening_fact_changed"),
        ("emotional", f"{PLAIN} There were three of them.", "opening_says_no_fact"),
        ("typos", PLAIN.replace("Wexley", "Wexly"), "opening_fact_changed"),
        ("typos", PLAIN.replace("14 Larch", "41 Larch"), "opening_says_no_fact"),
        ("many_facts", f"{PLAIN} It was £1,300.", "opening_says_no_fact"),
        ("many_facts", PLAIN.replace("the oak table", "the floor"), "opening_fact_added"),
        ("non_native", PLAIN.replace(" at 14 Larch Close, Wexley", ""), "opening_fact_lost"),
        ("wrong_product_term", PLAIN.replace("kitchen", "garage"), "opening_fact_added"),
        ("plain", PLAIN.replace("kitchen", "garage"), "opening_says_no_fact"),
    ],
)
def test_styles_that_move_a_fact(style: OpeningStyle, opening: str, code: str) -> None:
    """Something added, lost, made worse or turned round is named."""
    assert code in codes(style, opening)


def test_an_author_can_judge_a_word_harmless() -> None:
    """A word of the list carries no fact; others still do."""
    opening = PLAIN.replace("Hello", "Howdy")
    assert codes("emotional", opening) == {"opening_fact_added"}
    assert codes("emotional", opening, wording=("howdy",)) == set()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("9 March 2026, March 9th, 2026 and 2026-03-09", {"date 2026-03-09"}),
        ("at 4.20 pm, 16:20, 4:20pm", {"time 16:20"}),
        ("£1,284.50, 1284.5 pounds", {"amount 1284.5"}),
        ("JX24 RVB, jx24rvb", {"code JX24RVB"}),
        ("two cars and 3 vans", {"number 2", "number 3"}),
        ("31 February 2026", {"number 31", "number 2026"}),
        ("none at all", set()),
    ],
)
def test_exact_values(text: str, values: set[str]) -> None:
    """Forms of one thing are one value."""
    assert set(exact_values(text)) == values


def test_a_row_of_digits_is_a_number_however_long() -> None:
    """What no computer would count with is compared by its digits."""
    (value,) = exact_values("I pressed " + "0" * 3 + "9" * 5000)
    assert value == "number " + "9" * 5000


def test_stems_join_forms_of_a_word() -> None:
    """Endings and irregular forms do not count; words without a fact are left out."""
    assert len({stem(w) for w in ("crack", "cracks", "cracked", "cracking")}) == 1
    assert stem("broken") == stem("broke") == stem("break")
    assert set(content_stems("I am so very sorry, the bumper is dented!")) == {stem("bumper"), stem("dented")}
