"""What was said in a journey, and how it is compared when somebody looks for words."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.schema.events import Acted, Event, JourneyEnded
from oracle_scoring.claims.talk import heard

SHORT = 3
"""Words of fewer characters have no trigram and are looked for in the plain text."""
MOST_CHARS = 20_000


@dataclass(frozen=True)
class Utterance:
    """One thing that customer or product said."""

    event: int
    turn: int
    who: str
    """`customer`, `product` or `end`."""
    text: str


def spoken(events: Sequence[Event]) -> Iterator[Utterance]:
    """All messages and values of the customer's, all replies, and the final state, in order."""
    found = [Utterance(s.n, s.turn, "product", s.text) for s in heard(events)]
    for event in events:
        if isinstance(event, Acted) and event.act in ("said", "filled", "uploaded"):
            found.append(Utterance(event.n, event.turn, "customer", event.text))
        elif isinstance(event, JourneyEnded) and event.final:
            found.append(Utterance(event.n, event.turn, "end", event.final))
    return iter(sorted(found, key=lambda one: one.event))


def folded(text: str) -> str:
    """The text as it is compared: full-width forms, composed letters and case make no difference."""
    return unicodedata.normalize("NFKC", text).casefold()


def wanted_words(asked: str) -> list[str]:
    """Words that one utterance must hold; what stands in quotation marks is one of them."""
    words: list[str] = []
    for at, part in enumerate(asked.replace("“", '"').replace("”", '"').split('"')):
        words += [part.strip()] if at % 2 else part.split()
    return [folded(word) for word in words if word.strip()]


def around(text: str, words: Sequence[str], chars: int = 160) -> str:
    """The part of a text where the first of the words stands."""
    low = folded(text)
    places = [at for word in words if (at := low.find(word)) >= 0]
    at = min(places, default=0)
    start = max(0, at - chars // 3) if len(low) == len(text) else 0
    cut = text[start : start + chars]
    return ("…" if start else "") + cut + ("…" if start + chars < len(text) else "")
