"""Mistakes in openings whose style turns what the plain wording says: its words stay, its sense does not."""

import re
from collections.abc import Callable

from harness.schema.package import FACTS, PROVENANCE
from oracle_scoring.corpus.opening_lexis import content_stems, stem
from oracle_scoring.corpus.opening_sense import turns
from scripts.mistakes.draft import Draft, mistake

GROUP = "openings"


def _emotional(draft: Draft) -> None:
    """A plain opening becomes an emotional one that says the same."""
    facts = draft.facts
    if facts["opening_style"] == "plain":
        facts["opening_style"] = "emotional"
        draft.put(FACTS, facts)
        draft.say(f"{draft.message} I can't believe it!!")


def _all_told(sentence: str, old: str, new: str, code: str = "opening_fact_changed") -> Callable[[Draft], str | None]:
    """A sentence that fact, plain wording and opening have; in the opening it is turned."""

    def spoil(draft: Draft) -> str:
        _emotional(draft)
        facts, provenance = draft.facts, draft.provenance
        facts["facts"].append(
            {"id": "added", "topic": "more", "kind": "text", "value": sentence, "say": f"{sentence}."}
        )
        provenance["plain_opening"] += f" {sentence}."
        draft.put(FACTS, facts)
        draft.put(PROVENANCE, provenance)
        draft.say(f"{draft.message} {sentence.replace(old, new)}.")
        return code

    return spoil


SAID: list[tuple[str, str, str, str]] = [
    ("left becomes right", "The dent is on the left side", "left", "right"),
    ("front becomes rear", "It struck the front of the shed", "front", "rear"),
    ("above becomes below", "The crack is above the window", "above", "below"),
    ("outside becomes inside", "The ladder stood outside", "outside", "inside"),
    ("before becomes after", "The alarm rang before the bang", "before", "after"),
    ("lots become few", "There are lots of scratches", "lots of", "few"),
    ("few become many", "There are few scratches", "few", "many"),
    ("ok becomes not ok", "The paint is ok", "is ok", "is not ok"),
    ("not called becomes called", "The police were not called", "were not called", "were called"),
    ("nobody becomes somebody", "Nobody was in the shed", "Nobody", "Somebody"),
    ("still becomes no longer", "We can still use the shed", "can still", "can"),
    ("can becomes can't", "We can use the shed", "can use", "can't use"),
    ("both becomes one", "Both doors were bent", "Both doors were", "One door was"),
    ("and becomes or", "The frame and the hinge were bent", "frame and the", "frame or the"),
    ("it nearly broke", "The pane broke in two", "broke in", "nearly broke in"),
    ("only becomes all", "It broke only one pane", "only one pane", "all one pane"),
    ("another ran into me becomes I ran into another", "A van ran into me", "A van ran into me", "I ran into a van"),
    ("I did it becomes another did it", "I dropped the vase", "I dropped", "Somebody dropped"),
    ("my thing hit another becomes another hit mine", "My trailer scraped the gate", "My trailer scraped the gate", "The gate scraped my trailer"),
    ("mine becomes theirs", "It tore my curtain", "my curtain", "their curtain"),
    ("a denial changes its place", "The gate was not bent, the fence was torn", "was not bent, the fence was torn", "was bent, the fence was not torn"),
    ("a thing becomes two", "They took a rope and two rakes", "a rope", "two ropes"),
    ("nobody becomes nobody badly", "Nobody was cut", "was cut", "was badly cut"),
    ("day becomes night", "It was taken in the day", "in the day", "in the night"),
    ("little becomes big", "There are little scratches", "little", "big"),
    ("what is so is perhaps so", "The hinge is bent", "The hinge", "Maybe the hinge"),
    ("through becomes partly through", "The pane was cut through", "was cut", "was partly cut"),
    ("still becomes hardly", "The mower works", "works", "hardly works"),
    ("what was done will be done", "A joiner secured the shed", "secured", "will secure"),
    ("what was done might be done", "The hinge was bent", "was bent", "might be bent"),
    ("an amount becomes more than it", "The gate cost £80.00", "cost", "cost more than"),
    ("a thing changes places with another", "The rake stood under the ladder", "rake stood under the ladder", "ladder stood under the rake"),
    ("the driver becomes my driver", "The driver was in a hurry", "The driver", "My driver"),
    ("counts change places", "They took two rings and three watches", "two rings and three watches", "three rings and two watches"),
]  # fmt: skip
for _name, _sentence, _old, _new in SAID:
    mistake(GROUP, f"the opening turns it: {_name}")(_all_told(_sentence, _old, _new))
mistake(GROUP, "the opening leaves a word out")(
    _all_told("The hasp was sawn through", " sawn through", " there", "opening_fact_lost")
)
mistake(GROUP, "the opening leaves a sentence out")(
    _all_told("The hasp was sawn", "The hasp was sawn", "Please help", "opening_fact_lost")
)
mistake(GROUP, "the opening leaves out that there is none")(
    _all_told("The coastguard was not called", "The coastguard was not called", "Please help", "opening_fact_lost")
)


@mistake(GROUP, "the opening leaves out that it was parked, not the car park")
def _(draft: Draft) -> str | None:
    if re.search(r"\bparked\b", f"{draft.provenance['plain_opening']} {draft.message}"):
        return None
    leave_out = _all_told("The van was parked in the car park", "was parked in", "was in", "opening_fact_lost")
    return leave_out(draft)


@mistake(GROUP, "the opening denies the first thing it tells")
def _(draft: Draft) -> str | None:
    _emotional(draft)
    found = re.search(r"\b(was|were|is|are) ", draft.message)
    if found is None:
        return None
    draft.say(draft.message.replace(found[0], f"{found[0]}not ", 1))
    return "opening_fact_changed"


@mistake(GROUP, "the opening loses the first word that turns")
def _(draft: Draft) -> str | None:
    _emotional(draft)
    found = turns(draft.provenance["plain_opening"])
    word = next((t.word for t in found if re.search(rf"\b{t.word}\b", draft.message, re.IGNORECASE)), None)
    if word is None:
        return None
    draft.say(re.sub(rf"\b{word}\b ?", "", draft.message, flags=re.IGNORECASE))
    return "opening_fact_changed"


@mistake(GROUP, "the opening ends a sentence early")
def _(draft: Draft) -> str | None:
    _emotional(draft)
    plain, message = content_stems(draft.provenance["plain_opening"]), draft.message
    last = next((w for w in reversed(re.findall(r"[^\W\d_]+", message)) if stem(w) in plain), None)
    if last is None or len(re.findall(rf"\b{last}\b", message)) != 1:
        return None
    draft.say(re.sub(rf"\b{last}\b", "it", message))
    return "opening_fact_lost"


@mistake(GROUP, "the plain wording says a place that no fact says")
def _(draft: Draft) -> str | None:
    facts = draft.facts
    told = " ".join(f"{f['topic']} {f['say']} {f['value']}" for f in facts["facts"])
    if any(t.name == "left" for t in turns(told)):
        return None
    provenance = draft.provenance
    provenance["plain_opening"] += " It was on the left."
    draft.put(PROVENANCE, provenance)
    draft.say(f"{draft.message} It was on the left.")
    return "opening_says_no_fact"


@mistake(GROUP, "the plain wording denies what the facts affirm")
def _(draft: Draft) -> str:
    facts, provenance = draft.facts, draft.provenance
    facts["facts"].append(
        {"id": "added", "topic": "gate", "kind": "text", "value": "the gate is bent", "say": "The gate is bent."}
    )
    draft.put(FACTS, facts)
    provenance["plain_opening"] += " The gate is not bent."
    draft.put(PROVENANCE, provenance)
    draft.say(f"{draft.message} The gate is not bent.")
    return "opening_fact_changed"


@mistake(GROUP, "the plain wording tells of what there is none of")
def _(draft: Draft) -> str:
    facts, provenance = draft.facts, draft.provenance
    facts["facts"].append(
        {
            "id": "added",
            "topic": "coastguard",
            "kind": "text",
            "value": "none",
            "say": "There is none, the coastguard was not called.",
        }
    )
    draft.put(FACTS, facts)
    provenance["plain_opening"] += " The coastguard was called."
    draft.put(PROVENANCE, provenance)
    draft.say(f"{draft.message} The coastguard was called.")
    return "opening_fact_changed"


def _unlike_the_facts(sentence: str, old: str, new: str) -> Callable[[Draft], str]:
    """A fact says the sentence; plain wording and opening have it turned, with words that facts have."""

    def spoil(draft: Draft) -> str:
        facts, provenance = draft.facts, draft.provenance
        facts["facts"].append(
            {"id": "added", "topic": "more", "kind": "text", "value": sentence, "say": f"{sentence}."}
        )
        draft.put(FACTS, facts)
        turned = f" {sentence.replace(old, new)}."
        provenance["plain_opening"] += turned
        draft.put(PROVENANCE, provenance)
        draft.say(f"{draft.message}{turned}")
        return "opening_says_no_fact"

    return spoil


UNLIKE: list[tuple[str, str, str, str]] = [
    ("I did it, not another", "The gale tore slates off the shed", "The gale", "We"),
    ("I ran into it, not it into me", "A lorry ran into my trailer", "A lorry ran into my trailer", "I ran into a lorry with my trailer"),
    ("another did it, not I", "I dropped the vase", "I dropped", "Somebody dropped"),
    ("I stole what was stolen from me", "My trailer was stolen", "My trailer was stolen", "I have stolen a trailer"),
    ("mine, not theirs", "The ladder was in their greenhouse", "their", "my"),
    ("two of what is one", "They took a rope and two rakes", "a rope", "two ropes"),
    ("it may be done, not it was", "The hinge was bent", "was bent", "may be bent"),
    ("more than the amount", "The gate cost £80.00", "cost", "cost more than"),
    ("a thing changes places with another", "The rake stood under the ladder", "rake stood under the ladder", "ladder stood under the rake"),
    ("perhaps", "The hinge is bent", "The hinge", "Maybe the hinge"),
]  # fmt: skip
for _name, _sentence, _old, _new in UNLIKE:
    mistake(GROUP, f"the plain wording says it unlike the facts: {_name}")(_unlike_the_facts(_sentence, _old, _new))
