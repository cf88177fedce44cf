"""What an opening says beside its words: turned round or not, and how many of what.

Words are compared as sets elsewhere. Here the opening is held against its plain wording for what a set does not show:

- *turning words* (`opening_turns.txt`: negations, left and right, front and rear, few and many, …) stand as often in both,
  once the turns of phrase of `opening_idioms.txt` and those the author declares are taken out;
- *counts* stay with what they count: the number, and the next word that may carry a fact.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from oracle_scoring.corpus.opening_lexis import (
    BARE_NEGATIONS,
    COUNTS,
    LETTERS,
    RECENT,
    Moved,
    clauses,
    neutral_stems,
    slip,
    stem,
)

_TURNS_FILE = Path(__file__).parent / "opening_turns.txt"
_IDIOMS_FILE = Path(__file__).parent / "opening_idioms.txt"
PLACES = frozenset({"left", "right", "front", "rear", "above", "below", "inside", "outside", "upstairs", "downstairs"})
QUALIFIERS = frozenset({"maybe", "badly", "partly", "hardly", "nearly", "day", "night"})
"""Turns that say where, when, how sure and how much: a plain wording says none of both that no fact has."""
_IN_A_PLACE = frozenset({"day", "night", "badly"})
"""Turns that are no turns wherever they stand."""
_WHEN = frozenset({"in", "at", "by", "during", "on"})
_POINTING = frozenset({"the", "that", "this", "same"})
_SPOILT = frozenset({stem("damaged"), stem("broken")})
"""Words that carry no fact by themselves, but a degree of them does."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


BE = frozenset({"am", "is", "are", "was", "were", "be", "been", "being", "got", "get"})
BETWEEN = word_set(
    """have has had do did does will would shall should can could may might must need needed want wanted like wish try tried to
    not just also then only even really suddenly still already again never ever always simply actually"""
) | BE  # fmt: skip
"""What may stand between who and what they do."""
FUNCTION = word_set(
    """a an the this that these those and or but so because since as if than though although while when where whereas until of in on
    at by for from to into onto out off over under up down with within about against through during before after around across near
    next above below behind beside between toward towards via inside outside my our your his her its their me us him them mine ~"""
)  # fmt: skip
"""Words that are nobody who does something."""


def _lines(path: Path) -> Iterator[str]:
    return (line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#"))


@cache
def turning_words() -> Mapping[str, str]:
    """Word -> the name of its turn."""
    rows = (line.partition(":") for line in _lines(_TURNS_FILE))
    return {word: name for name, _, said in rows for word in said.split()}


def counted_words() -> frozenset[str]:
    """Turning words that count wherever they stand."""
    return frozenset(word for word, name in turning_words().items() if name not in _IN_A_PLACE)


def _turns_there(name: str, left: Sequence[str], at: int) -> bool:
    """Whether a turning word turns something where it stands in a clause."""
    if name not in _IN_A_PLACE:
        return True
    if name == "badly":
        behind = stem(left[at + 1]) if at + 1 < len(left) else ""
        return behind in _SPOILT or bool(
            behind and left[at + 1] not in FUNCTION | BETWEEN and behind not in neutral_stems()
        )
    before = left[at - 2 : at] if at > 1 else left[:at]
    when = before[-1:] if not before or before[-1] not in _POINTING else before[:1]
    return bool(when) and when[0] in _WHEN and (name == "night" or when[0] != "on")


Phrase = tuple[frozenset[str], ...]
"""A turn of phrase: at each place the words of which one stands there."""


@cache
def _idioms() -> Mapping[str, tuple[Phrase, ...]]:
    """Turns of phrase by the words they may begin with, the longest first."""
    return _by_first(tuple(frozenset(place.split("|")) for place in line.split()) for line in _lines(_IDIOMS_FILE))


def _by_first(phrases: Iterable[Phrase]) -> dict[str, tuple[Phrase, ...]]:
    found: dict[str, tuple[Phrase, ...]] = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        for word in phrase[0]:
            found[word] = (*found.get(word, ()), phrase)
    return found


def _without(said: Sequence[str], phrases: Mapping[str, tuple[Phrase, ...]]) -> list[str]:
    """The words of a clause without those in turns of phrase."""
    left: list[str] = []
    at = 0
    while at < len(said):
        size = next((len(p) for p in phrases.get(said[at], ()) if _stands(p, said, at)), 0)
        if size == 0:
            left.append(said[at])
        at += size or 1
    return left


def _stands(phrase: Phrase, said: Sequence[str], at: int) -> bool:
    there = said[at : at + len(phrase)]
    return len(there) == len(phrase) and all(word in place for word, place in zip(there, phrase, strict=True))


@lru_cache(maxsize=RECENT)
def bare_clauses(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each clause without those in known turns of phrase."""
    return tuple(tuple(_without(clause, _idioms())) for clause in clauses(text))


@dataclass(frozen=True)
class Turn:
    """A turning word where it stands."""

    name: str
    word: str
    between: tuple[str, str]
    """The words before and behind it in its clause that are more than grammar; empty where there is none."""


def turns(text: str, phrases: Iterable[str] = ()) -> list[Turn]:
    """Every turning word of a text, without those in turns of phrase.

    Args:
        text: any.
        phrases: turns of phrase of several words that the author declares.
    """
    known = _idioms()
    for clause in (clause for phrase in phrases if " " in phrase.strip() for clause in clauses(phrase)):
        own = tuple(frozenset({word}) for word in clause)
        known = {**known, clause[0]: (own, *known.get(clause[0], ()))}
    names = turning_words()
    found = []
    for clause in clauses(text):
        left = _without(clause, known)
        for at, word in enumerate(left):
            if word in names and _turns_there(names[word], left, at):
                found.append(Turn(names[word], word, (_first(left[:at][::-1]), _first(left[at + 1 :]))))
    return found


def _first(said: Sequence[str]) -> str:
    return next((stem(w) for w in said if w not in FUNCTION and w not in BETWEEN), "")


def untyped(plain: str, opening: str) -> str:
    """The opening with mistyped words as the plain wording has them: words of neither text's own that are a slip away."""
    known = sorted({w.casefold() for w in LETTERS.findall(plain)})

    def mended(found: re.Match[str]) -> str:
        word = found[0].casefold()
        if word in known or word in turning_words() or word in BARE_NEGATIONS or stem(word) in neutral_stems():
            return found[0]
        near = [k for k in known if slip(word, k)]
        return min(near, key=lambda k: abs(len(k) - len(word))) if near else found[0]

    return LETTERS.sub(mended, opening)


def turned(plain: str, opening: str, style: str, says: Iterable[str], phrases: Iterable[str]) -> Iterator[Moved]:
    """Turning words that stand more or less often than in the plain wording.

    Args:
        plain: the plain wording.
        opening: the first message.
        style: of the opening; many_facts may tell more than the plain wording, as the facts say it.
        says: what the customer says of each fact.
        phrases: turns of phrase that the author declares.
    """
    phrases = tuple(phrases)
    was, now = turns(plain, phrases), turns(opening, phrases)
    before, after = Counter(t.name for t in was), Counter(t.name for t in now)
    if style == "typos" and before["off"] != after["off"] and _of_or_off(plain) == _of_or_off(opening):
        after["off"] = before["off"]
    for name, count in sorted((before - after).items()):
        word = next(t.word for t in was if t.name == name)
        yield Moved("opening_fact_changed", f"says {word!r} or its like {count} fewer times than the plain wording")
    spare = Counter[tuple[str, tuple[str, str]]]()
    if style == "many_facts":
        more = _places(now) - _places(was)
        spare = more & _places(turns("\n".join(says), phrases))
    for name, count in sorted((after - before).items()):
        word = next(t.word for t in now if t.name == name)
        if count > sum(n for (told, _), n in spare.items() if told == name):
            yield Moved("opening_fact_changed", f"says {word!r} or its like {count} more times than the plain wording")


def _of_or_off(text: str) -> int:
    """How often a text writes of or off, which haste takes for each other."""
    return sum(word in ("of", "off") for clause in clauses(text) for word in clause)


def _places(found: Iterable[Turn]) -> Counter[tuple[str, tuple[str, str]]]:
    return Counter((t.name, t.between) for t in found)


def unsaid_places(text: str, facts: Iterable[str], phrases: Iterable[str]) -> Iterator[Moved]:
    """Words of place, degree and doubt (left, upstairs, badly, maybe, …) of a plain wording that no fact has."""
    found = [t for t in turns(text, tuple(phrases)) if t.name in PLACES | QUALIFIERS]
    known = {t.name for t in turns("\n".join(facts))} if found else set()
    for t in found:
        if t.name not in known:
            yield Moved("opening_says_no_fact", f"says {t.word!r}, which no fact says")


_MANY = 1000
"""Numbers from here on are parts of telephone numbers, not counts."""


def _counted(text: str) -> list[tuple[int, list[str]]]:
    """Number and the next two words that may carry a fact, for each count of a text."""
    found = []
    for clause in clauses(text):
        for at, word in enumerate(clause):
            number = COUNTS.get(word) if not word.isdecimal() else int(word[:18])
            if number is not None:
                behind = (
                    w for w in clause[at + 1 :] if not w.isdecimal() and w != "~" and stem(w) not in neutral_stems()
                )
                found.append((number, [w for w, _ in zip(behind, range(2), strict=False)]))
    return found


def miscounted(plain: str, opening: str, says: Iterable[str] = ()) -> Iterator[Moved]:
    """Counts of one text that the other gives of another thing, or not at all.

    Args:
        plain: the plain wording.
        opening: the first message.
        says: what the customer says of each fact, where the opening may tell more than the plain wording.
    """
    now = _counted(opening)
    after = list(now)
    for number, things in _counted(plain):
        if not things:
            continue
        thing = things[0]
        same = [n for n, (m, others) in enumerate(after) if m == number and any(stem(w) == stem(thing) for w in others)]
        if same:
            after.pop(same[0])
        else:
            yield Moved("opening_fact_changed", f"does not count {number} {thing!r} as the plain wording does")
    for number, thing in _uncounted("\n".join([plain, *says]), plain, now):
        yield Moved("opening_fact_changed", f"counts {number} {thing!r}, which the plain wording does not")


def unsaid_counts(told: str, plain: str) -> Iterator[Moved]:
    """Counts that a plain wording gives of things that the facts name and do not count so."""
    for number, thing in _uncounted(told, told, _counted(plain)):
        yield Moved("opening_says_no_fact", f"counts {number} {thing!r}; the facts do not")


def _uncounted(told: str, named: str, counts: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, str]]:
    """Counts of a thing that `named` names and of which `told` counts no such number."""
    known = {(number, stem(w)) for number, things in _counted(told) for w in things}
    known |= {
        (2, stem(w)) for clause in clauses(told) if "both" in clause for w in clause[clause.index("both") + 1 :][:3]
    }
    there = {stem(w) for clause in clauses(named) for w in clause}
    for number, things in counts:
        if things and number < _MANY and stem(things[0]) in there and not known & {(number, stem(w)) for w in things}:
            yield number, things[0]
