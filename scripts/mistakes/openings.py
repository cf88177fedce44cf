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
