"""Plain wordings and openings that say who did it, how many and how sure otherwise than the facts; and harmless wording."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.schema.visible import Facts, OpeningStyle
from oracle_scoring.corpus import opening as module
from oracle_scoring.corpus.opening import content_stems, opening_problems
from oracle_scoring.corpus.opening_deeds import turned_about, unsaid_doers, unsaid_owners
from oracle_scoring.corpus.opening_hedges import bounded, hedged, unsaid_bounds, unsaid_hedges
from oracle_scoring.corpus.opening_sense import miscounted, turns, unsaid_counts
from scripts.mistakes.openings import UNLIKE


def facts(style: OpeningStyle, *says: str) -> Facts:
    """A customer who says these things."""
    return Facts.model_validate(
        {
            "format": "0.2",
            "opening_style": style,
            "persona": {
                "name": "Nora Tidewell", "language": "en-GB", "mood": "calm", "manner": "short", "patience": 3, "dont_know": ["No idea."],
            },
            "facts": [{"id": f"f{n}", "topic": "it", "kind": "text", "value": said, "say": f"{said}."} for n, said in enumerate(says)],
        }
    )  # fmt: skip


def plain_problems(says: list[str], plain: str) -> set[str]:
    """Codes of what is wrong with a plain wording."""
    return {m.code for m in opening_problems(facts("plain", *says), plain, plain)}


def styled_problems(style: OpeningStyle, plain: str, opening: str) -> set[str]:
    """Codes of what is wrong with an opening whose facts say the plain wording."""
    return {m.code for m in opening_problems(facts(style, plain), plain, opening)}


HIT = "Another car hit my parked car from behind"
TORE = "The storm tore tiles off the roof of Gull Cottage"
KNOCKED = "I knocked my tablet off the table"
SKIDDED = "I skidded on ice and my car hit the stone wall"
STOLEN = "My Halden Tourer bicycle was stolen"
RAN = "I was waiting at a red light and a white van ran into the back of my car"


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (HIT, "I hit another parked car from behind."),
        (HIT, "My parked car hit another car from behind."),
        (TORE, "We tore tiles off the roof of Gull Cottage."),
        (RAN, "I ran into the back of a white van."),
        (RAN, "The van was waiting at a red light."),
        (KNOCKED, "Somebody knocked my tablet off the table."),
        (KNOCKED, "My tablet knocked me off the table."),
        (SKIDDED, "The stone wall hit my car."),
        (STOLEN, "I have stolen a Halden Tourer bicycle."),
        ("A lorry pulled out and hit my van", "I pulled out and hit a lorry with my van."),
        ("My son dropped the vase", "I dropped the vase."),
        ("I dropped the vase", "My son dropped the vase."),
    ],
)
def test_a_plain_wording_gives_a_deed_to_whom_the_facts_give_it(said: str, plain: str) -> None:
    """The customer's deed is nobody else's, and nobody else's is the customer's."""
    assert plain_problems([said], plain) == {"opening_says_no_fact"}


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (HIT, "My car was parked and was hit from behind by another car."),
        (HIT, "I parked my car and another car hit it from behind."),
        (SKIDDED, "My car skidded on ice. I hit the stone wall."),
        (SKIDDED, "The car hit the stone wall."),
        (KNOCKED, "My tablet was knocked off the table."),
        (KNOCKED, "I knocked the tablet off the table."),
        ("The screen of my tablet cracked", "I cracked the screen of my tablet."),
        ("The car was parked in the road", "I parked my car in the road."),
        ("The police were not called", "I did not call the police."),
        ("I did not call the police", "The police were not called."),
        ("There was a note left on my windscreen", "I left my car. There was a note on my windscreen."),
        ("The kitchen ceiling came down", "My kitchen ceiling came down."),
        ("Both bedrooms are wet, and two doors", "Two bedrooms and two doors are wet."),
        ("My neighbour's tree fell on our garage", "A tree fell on our garage. It is my neighbour's tree."),
        ("A lorry pulled out and hit my van", "I pulled out and a lorry hit my van."),
        ("The bumper is dented and cracked", "The bumper is cracked and dented."),
        ("A stone hit my windscreen and cracked it", "My windscreen has cracked, a stone hit it."),
        ("A plumber capped the pipe", "A plumber capped our pipe."),
    ],
)
def test_other_words_for_what_the_facts_say(said: str, plain: str) -> None:
    """Passive, tense, article, possessive and the thing for its owner are no other story."""
    assert plain_problems([said], plain) == set()


@pytest.mark.parametrize(
    ("check", "told", "plain"),
    [
        (unsaid_doers, HIT, "I hit another car."),
        (unsaid_owners, "It was her mistake", "It was my mistake"),
        (unsaid_owners, "The driver is Mel", "My driver is Mel"),
        (unsaid_counts, "a laptop and two rings", "two laptops and two rings"),
        (unsaid_hedges, "Rain came in", "Rain may come in"),
        (unsaid_bounds, "It costs £80", "It costs more than £80"),
        (turned_about, KNOCKED, "I knocked my table off the tablet"),
    ],
)
def test_each_comparison_by_itself(check: Callable[[str, str], Any], told: str, plain: str) -> None:
    """One thing each, and nothing of a text against itself."""
    assert len(list(check(told, plain))) == 1
    assert list(check(told, told)) == []


@pytest.mark.parametrize(
    ("told", "plain"),
    [("The garage offers a repair", "The garage would repair it"), ("It was in May 2026", "In May 2026 hail came"),
     ("Rain came in, more may come", "More may come")],
)  # fmt: skip
def test_what_is_no_hedge(told: str, plain: str) -> None:
    """A noun, a month, and what the facts themselves are not sure of."""
    assert list(unsaid_hedges(told, plain)) == []


@pytest.mark.parametrize(
    ("plain", "opening"),
    [
        ("The lock was cut through.", "The lock was partly cut through."),
        ("The lock was cut through.", "The lock would be cut through."),
        ("A locksmith secured the door.", "A locksmith will secure the door."),
        ("Water came in. The plaster has come down.", "Water came in. The plaster might come down."),
        ("Nobody was hurt.", "Nobody was badly hurt."),
        ("Nobody was hurt.", "Nobody was seriously hurt."),
        ("It is damaged.", "It is badly damaged."),
        ("The garage wants £1,746.00.", "The garage wants more than £1,746.00."),
        ("The garage wants £1,746.00.", "The garage wants up to £1,746.00."),
        ("The driver's name is Mel.", "My driver's name is Mel."),
        ("Somebody took it in the day.", "Somebody took it in the night."),
        ("My car is stolen.", "Maybe my car is stolen."),
        ("There are little dents.", "There are big dents."),
        ("There are little dents.", "There are dents."),
        ("The car drives.", "The car hardly drives."),
        ("It was parked at the station car park.", "I was at the station car park."),
        ("I knocked my tablet off the table.", "I knocked my table off the tablet."),
        ("They took a laptop and two rings.", "They took two laptops and two rings."),
    ],
)
@pytest.mark.parametrize("style", ["emotional", "typos", "many_facts", "non_native", "wrong_product_term"])
def test_a_style_keeps_degree_number_time_and_certainty(style: OpeningStyle, plain: str, opening: str) -> None:
    """What was is not what may be, all is not a part, one is not two, day is not night."""
    assert styled_problems(style, plain, f"Oh! {plain}") == set()
    assert styled_problems(style, plain, opening) & {"opening_fact_changed", "opening_fact_lost"}


@pytest.mark.parametrize(
    "more",
    [
        "Good morning!", "Good afternoon.", "Good evening,", "Hiya!", "My hands won't stop shaking!", "I've been crying all night!",
        "my hands are still shaking", "I badly need help!", "Seriously, this is a nightmare!", "I can hardly believe it!",
        "Perhaps someone can help me?", "I would be grateful for any help.", "Would you please call me?", "i wud like help pls",
        "I am a little upset.", "It is a big shock!", "Worst day of my life!", "I can't sleep at night!", "gd morning",
    ],
)  # fmt: skip
@pytest.mark.parametrize("style", ["emotional", "typos", "non_native"])
def test_greeting_feeling_and_asking_are_free(style: OpeningStyle, more: str) -> None:
    """They carry no fact, whatever words they are made of."""
    plain = "A van ran into my car on 9 March 2026. Nobody was hurt."
    assert styled_problems(style, plain, f"{more} {plain}") == set()


@pytest.mark.parametrize("greeting", ["Good morning.", "Good evening!", "Good afternoon,"])
def test_a_plain_wording_may_greet(greeting: str) -> None:
    """At any hour; the evening by itself is told by a fact or not at all."""
    assert plain_problems([HIT], f"{greeting} {HIT}.") == set()
    assert plain_problems([HIT], f"{HIT} in the evening.") == {"opening_says_no_fact"}
    assert set(content_stems(greeting)) == set()


def test_haste_takes_of_for_off() -> None:
    """In an opening with slips of the hand, and in no other."""
    plain = "I knocked it off the table, a corner of it broke."
    for opening in (plain.replace("off", "of"), plain.replace(" of ", " off ")):
        assert styled_problems("typos", plain, opening) == set()
        assert styled_problems("emotional", plain, opening) == {"opening_fact_changed"}


def test_turns_that_turn_only_in_their_place() -> None:
    """Day and night behind in, at, by or during; badly and its like before what may be a fact."""
    assert [t.name for t in turns("In the day, at night, by day, on the night")] == ["day", "night", "day", "night"]
    assert turns("What a day, a night, the other day, on that day") == []
    assert [t.name for t in turns("badly dented, severely broken, terribly sad, badly")] == ["badly", "badly"]


def test_more_is_told_as_the_facts_tell_it() -> None:
    """Talkative customers may count and bound as their facts do."""
    assert list(miscounted("a laptop", "two laptops", ["They took two laptops"])) == []
    assert list(miscounted("My number is 07700 900142.", "Please ring me on 07700 900142 about my number")) == []
    assert list(bounded("It cost £80", "It cost over £80", ["It cost over £80"])) == []
    assert list(hedged("I report it", "I will report it")) == []


@pytest.mark.parametrize(
    ("guard", "name"),
    [
        ("unsaid_doers", "I did it, not another"),
        ("unsaid_doers", "I ran into it, not it into me"),
        ("unsaid_doers", "another did it, not I"),
        ("unsaid_doers", "I stole what was stolen from me"),
        ("unsaid_owners", "mine, not theirs"),
        ("unsaid_counts", "two of what is one"),
        ("unsaid_hedges", "it may be done, not it was"),
        ("unsaid_bounds", "more than the amount"),
        ("turned_about", "a thing changes places with another"),
        ("unsaid_places", "perhaps"),
    ],
)
def test_a_comparison_with_the_facts_that_is_taken_out_is_missed(
    monkeypatch: pytest.MonkeyPatch, guard: str, name: str
) -> None:
    """Each kind of mistake is named by the one comparison meant for it."""
    sentence, old, new = next(row[1:] for row in UNLIKE if row[0] == name)
    plain = f"{sentence.replace(old, new)}."
    assert plain_problems([sentence], plain) == {"opening_says_no_fact"}
    monkeypatch.setattr(module, guard, lambda *_: iter(()))
    assert plain_problems([sentence], plain) == set()


@pytest.mark.parametrize(
    ("guard", "nothing", "plain", "opening"),
    [
        ("hedged", lambda *_: (), "A joiner secured the shed.", "A joiner will secure the shed."),
        ("bounded", lambda *_: (), "The gate cost £80.00.", "The gate cost more than £80.00."),
        ("turned_about", lambda *_: (), "The rake stood under the ladder.", "The ladder stood under the rake."),
        ("miscounted", lambda *_: (), "They took a rope and two rakes.", "They took two ropes and two rakes."),
        ("other_owner", lambda *_: (), "The driver was in a hurry.", "My driver was in a hurry."),
        ("turned", lambda *_: (), "Nobody was cut.", "Nobody was badly cut."),
        ("_compounds", str, "The van was parked in the car park.", "The van was in the car park."),
    ],
)
def test_a_comparison_with_the_plain_wording_that_is_taken_out_is_missed(
    monkeypatch: pytest.MonkeyPatch, guard: str, nothing: Callable[..., Any], plain: str, opening: str
) -> None:
    """Each of them is what names it."""
    assert styled_problems("emotional", plain, opening)
    monkeypatch.setattr(module, guard, nothing)
    assert styled_problems("emotional", plain, opening) == set()
