"""Wishes of the package that forbid something or take it back, and whether the record shows it done all the same."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from ruamel.yaml import YAML

from harness.schema import wording
from harness.schema.events import Acted, Event, LedgerEntry
from harness.schema.package import VisiblePackage

Thing = Literal["contact", "submission", "person", "media"]
"""What may be wished: to be called; that the claim is sent; to be handed to a person; pictures and documents."""
THINGS: tuple[Thing, ...] = get_args(Thing)
Polarity = Literal["asks", "forbids", "takes_back"]
_DATA = Path(__file__).with_name("wishes.yaml")


@dataclass(frozen=True)
class Ban:
    """Something that the customer does not want, or no longer wants."""

    thing: Thing
    withdrawn: bool
    """It had been asked for before."""
    n: int
    """Event at which the words reached the product."""
    words: str


@cache
def _patterns() -> dict[tuple[Thing, Polarity], re.Pattern[str]]:
    data = YAML(typ="safe", pure=True).load(_DATA.read_text(encoding="utf-8"))
    return {
        (thing, polarity): re.compile("|".join(f"(?:{p})" for p in data[thing][polarity]))
        for thing in THINGS
        for polarity in get_args(Polarity)
    }


def polarity(thing: Thing, sentence: str) -> Polarity | None:
    """What the sentence says of the thing; None if nothing."""
    flat = wording.fold(sentence)
    for kind in ("takes_back", "forbids", "asks"):
        if _patterns()[thing, kind].search(flat):
            return kind
    return None


def bans(events: Sequence[Event], visible: VisiblePackage) -> list[Ban]:
    """Bans that stand at the end, one for each thing; a wish that asks for it again lifts the ban.

    Heard are the package's own words that reached the product: its first messages and the wishes that were put.
    """
    standing: dict[Thing, Ban] = {}
    asked: set[Thing] = set()
    for n, text, contact in _words(events, visible):
        for thing in THINGS:
            kinds = [(s, p) for s in wording.sentences(text) if (p := polarity(thing, s)) is not None]
            if not kinds and contact and thing == "contact":
                kinds = [(text, "asks")]
            for sentence, kind in kinds:
                if kind == "asks":
                    standing.pop(thing, None)
                    asked.add(thing)
                else:
                    withdrawn = kind == "takes_back" or thing in asked
                    standing[thing] = Ban(thing, withdrawn, n, sentence.strip())
    return list(standing.values())


def _words(events: Sequence[Event], visible: VisiblePackage) -> list[tuple[int, str, bool]]:
    """Event, text, and whether it is a wish to be contacted."""
    wishes = {w.id: w for w in visible.facts.wishes}
    put = [e for e in events if isinstance(e, LedgerEntry) and e.entry == "wish_put" and e.id in wishes]
    said = [e for e in events if isinstance(e, Acted) and e.act == "said" and e.confirmed]
    first = {wording.fold(text) for text in [visible.initial_message, *visible.initial_message.splitlines()]}
    found = [(e.n, e.text, False) for e in said if wording.fold(e.text) in first and e.text.strip()]
    for entry in put:
        wish = wishes[entry.id]
        if any(wording.fold(wish.say) in wording.fold(e.text) for e in said if e.turn == entry.turn):
            found.append((entry.n, wish.say, wish.kind == "contact"))
    return sorted(found)
