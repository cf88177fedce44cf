"""Letters that a phrase of the lexicon cannot do without: where none of them stands in a text, the phrase does not either.

The notation is that of `lexicon`. For a part of a phrase two things are known: all texts that it can be (if they are few), or
some texts of which one stands in whatever it matches.
"""

from dataclasses import dataclass
from itertools import product

_FEW = 32
_LONG = 5
_COMMON = frozenset(
    ["you", "your", "the", "our", "for", "have", "what", "which", "can", "with", "this", "that", "look", "anh", "chị", "các", "không"]
)  # fmt: skip
"""Stand in so many texts that another part of the phrase tells more."""
_REGULAR = "+{}^$."
"""Signs of regular expressions that only phrases with other notation hold."""
_OPENS_NOTHING = "*…"


@dataclass(frozen=True)
class _Part:
    whole: frozenset[str] | None
    """Every text that it can be; None: too many."""
    holds: frozenset[str] | None
    """One of these is in every text that it can be; None: nothing is known."""


_ANYTHING = _Part(None, None)
_NOTHING = _Part(frozenset([""]), None)


def anchors(phrase: str) -> tuple[frozenset[str], bool] | None:
    """Texts of which one stands in all that the phrase matches, and whether each of them alone makes a match of it.

    None: the phrase can do without any letters, or it is not in the notation that is understood here.
    """
    if phrase.startswith(("^", "~")) or any(sign in _REGULAR for sign in phrase.replace("\\.", "").replace("\\+", "")):
        return None
    part, at = _choice(phrase, 0)
    if at != len(phrase):
        return None
    best = _better(part.whole, part.holds)
    return None if best is None else (best, best == part.whole)


def _choice(text: str, at: int) -> tuple[_Part, int]:
    """What stands between `|`, up to a closing bracket or the end."""
    parts = []
    while True:
        part, at = _sequence(text, at)
        parts.append(part)
        if at == len(text) or text[at] != "|":
            break
        at += 1
    wholes = [part.whole for part in parts]
    if all(whole is not None for whole in wholes):
        return _Part(frozenset().union(*(w for w in wholes if w is not None)), None), at
    holds = [_better(part.whole, part.holds) for part in parts]
    if any(one is None for one in holds):
        return _ANYTHING, at
    return _Part(None, frozenset().union(*(one for one in holds if one is not None))), at


def _sequence(text: str, at: int) -> tuple[_Part, int]:
    run: frozenset[str] = frozenset([""])
    best: frozenset[str] | None = None
    broken = False
    while at < len(text) and text[at] not in "|)":
        part, at = _item(text, at)
        if part.whole is not None and len(run) * len(part.whole) <= _FEW:
            run = frozenset(a + b for a, b in product(run, part.whole))
            continue
        broken = True
        best = _better(_better(best, run), part.holds)
        run = part.whole or frozenset([""])
    if not broken:
        return _Part(run, None), at
    return _Part(None, _better(best, run)), at


def _item(text: str, at: int) -> tuple[_Part, int]:
    """One letter, class or bracket, with a `?` behind it."""
    sign = text[at]
    if sign == "(":
        part, at = _choice(text, at + 1)
    elif sign == "[":
        end = text.index("]", at)
        part, at = _letters(text[at + 1 : end]), end
        if text[at + 1 : at + 2] == "*":
            return _ANYTHING, at + 2
    elif sign == "\\":
        at += 1
        part = _Part(frozenset([text[at]]), None) if not text[at].isalnum() else _ANYTHING
    else:
        part = _ANYTHING if sign in _OPENS_NOTHING or sign == " " else _Part(frozenset([sign]), None)
    at += 1
    if text[at : at + 1] == "?":
        return (_ANYTHING if part.whole is None else _Part(part.whole | {""}, None)), at + 1
    return part, at


def _letters(inside: str) -> _Part:
    return _ANYTHING if inside.startswith("^") or "-" in inside or "\\" in inside else _Part(frozenset(inside), None)


def _better(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The set that is met by fewer texts: rarer and longer ones, then fewer of them."""
    return max((one, other), key=_worth) if _worth(one) or _worth(other) else None


def _worth(texts: frozenset[str] | None) -> tuple[int, ...]:
    """Empty where the texts say nothing: below any other."""
    if not texts or "" in texts:
        return ()
    return min(2 if text in _COMMON else min(_weight(text), _LONG) for text in texts), -len(texts)


def _weight(text: str) -> int:
    """Letters; an ideograph counts as two."""
    return sum(1 if char < "\u2e80" else 2 for char in text)
