"""What an opening says beside its words: turned round or not, how many of what, and who did it.

Words are compared as sets elsewhere. Here the opening is held against its plain wording for what a set does not show:

- *turning words* (`opening_turns.txt`: negations, left and right, front and rear, few and many, …) stand as often in both,
  once the turns of phrase of `opening_idioms.txt` and those the author declares are taken out;
- *counts* stay with what they count: the number, and the next word that may carry a fact;
- *who did it, and whose it is*: nobody's deed becomes the customer's own or the other way round, nothing is done to the
  customer that was not done to them before, and what is theirs does not become another's.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from oracle_scoring.corpus.opening_lexis import (
    BARE_NEGATIONS,
    CLAUSE,
    COUNTS,
    LETTERS,
    RECENT,
    TOKEN,
    neutral_stems,
    slip,
    stem,
    without_exact,
)

_TURNS_FILE = Path(__file__).parent / "opening_turns.txt"
_IDIOMS_FILE = Path(__file__).parent / "opening_idioms.txt"
PLACES = frozenset({"left", "right", "front", "rear", "above", "below", "inside", "outside", "upstairs", "downstairs"})
"""Turns that say where: a plain wording says none that no fact has."""
_SHORT = {
    "i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have", "i'd": "i would", "i'll": "i will", "we're": "we are", "we've": "we have",
    "we'd": "we would", "we'll": "we will", "it's": "it is", "that's": "that is", "thats": "that is", "there's": "there is", "he's": "he is",
    "she's": "she is", "they're": "they are", "they've": "they have", "cannot": "can not", "can't": "can not", "cant": "can not",
    "won't": "will not", "wont": "will not",
}  # fmt: skip
_SELF = frozenset({"i", "we"})
_OWN = frozenset({"my", "our"})
_UPON_SELF = frozenset({"me", "us"})
_OWN_OF_OTHERS = frozenset({"his", "her", "their"})
_OTHERS = frozenset(
    {"he", "she", "they", "it", "you", "who", "which", "that", "somebody", "someone", "another", "nobody", "others"}
)


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BE = frozenset({"am", "is", "are", "was", "were", "be", "been", "being", "got", "get"})
_BETWEEN = _set(
    """have has had do did does will would shall should can could may might must need needed want wanted like wish try tried to
    not just also then only even really suddenly still already again never ever always simply actually"""
) | _BE  # fmt: skip
"""What may stand between who and what they do."""
_FUNCTION = _set(
    """a an the this that these those and or but so because since as if than though although while when where whereas until of in on
    at by for from to into onto out off over under up down with within about against through during before after around across near
    next above below behind beside between toward towards via inside outside my our your his her its their me us him them mine ~"""
)  # fmt: skip
"""Words that are nobody who does something."""
_INTO = frozenset({"into", "over", "at", "onto"})
_SIDES = frozenset({"back", "front", "rear", "side", "door", "bumper", "bonnet", "boot", "wing", "roof", "wall"})


@dataclass(frozen=True)
class Moved:
    """One way in which an opening says something else than it should."""

    code: str
    """`opening_says_no_fact`, `opening_fact_added`, `opening_fact_lost`, `opening_fact_changed`."""
    what: str


def _lines(path: Path) -> Iterator[str]:
    return (line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#"))


@cache
def turning_words() -> Mapping[str, str]:
    """Word -> the name of its turn."""
    rows = (line.partition(":") for line in _lines(_TURNS_FILE))
    return {word: name for name, _, said in rows for word in said.split()}


@cache
def _idioms() -> tuple[tuple[frozenset[str], ...], ...]:
    """Turns of phrase, the longest first; at each place the words of which one stands there."""
    return _longest_first(tuple(frozenset(place.split("|")) for place in line.split()) for line in _lines(_IDIOMS_FILE))


def _longest_first(phrases: Iterable[tuple[frozenset[str], ...]]) -> tuple[tuple[frozenset[str], ...], ...]:
    return tuple(sorted(phrases, key=len, reverse=True))


def _normal(word: str) -> list[str]:
    """One written word as the words that are compared."""
    if word in _SHORT:
        return _SHORT[word].split()
    if word.endswith("n't"):
        return [word.removesuffix("n't"), "not"]
    if word in BARE_NEGATIONS:
        return [word.removesuffix("nt"), "not"]
    return [word.partition("'")[0]]


@lru_cache(maxsize=RECENT)
def clauses(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each clause in their order, numbers among them, exact things as a tilde."""
    found = []
    for clause in CLAUSE.split(without_exact(text).replace("’", "'").casefold()):
        said = [n for word in TOKEN.findall(clause) for n in _normal(word)]
        if said:
            found.append(tuple(said))
    return tuple(found)


def _without_idioms(said: Sequence[str], phrases: tuple[tuple[frozenset[str], ...], ...]) -> list[str]:
    left: list[str] = []
    at = 0
    while at < len(said):
        size = next(
            (len(p) for p in phrases if len(said) - at >= len(p) and all(w in p[n] for n, w in enumerate(said[at : at + len(p)]))),
            0,
        )  # fmt: skip
        if size == 0:
            left.append(said[at])
        at += size or 1
    return left


@dataclass(frozen=True)
class Turn:
    """A turning word where it stands."""

    name: str
    word: str
    of: str
    """The next word that is more than grammar; at the end of a clause the one before."""


def turns(text: str, phrases: Iterable[str] = ()) -> list[Turn]:
    """Every turning word of a text, without those in turns of phrase.

    Args:
        text: any.
        phrases: turns of phrase of several words that the author declares.
    """
    declared = [
        tuple(frozenset({w}) for clause in clauses(phrase) for w in clause)
        for phrase in phrases
        if " " in phrase.strip()
    ]
    known = _longest_first([*declared, *_idioms()]) if declared else _idioms()
    names = turning_words()
    found = []
    for clause in clauses(text):
        left = _without_idioms(clause, known)
        for at, word in enumerate(left):
            if word in names:
                of = next(
                    (w for w in (*left[at + 1 :], *left[:at][::-1]) if w not in _FUNCTION and w not in _BETWEEN), ""
                )
                found.append(Turn(names[word], word, stem(of)))
    return found


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
    for name, count in sorted((before - after).items()):
        word = next(t.word for t in was if t.name == name)
        yield Moved("opening_fact_changed", f"says {word!r} or its like {count} fewer times than the plain wording")
    spare = Counter[tuple[str, str]]()
    if style == "many_facts":
        more = _places(now) - _places(was)
        spare = more & _places(t for said in says for t in turns(said, phrases))
    for name, count in sorted((after - before).items()):
        word = next(t.word for t in now if t.name == name)
        if count > sum(n for (told, _), n in spare.items() if told == name):
            yield Moved("opening_fact_changed", f"says {word!r} or its like {count} more times than the plain wording")


def _places(found: Iterable[Turn]) -> Counter[tuple[str, str]]:
    return Counter((t.name, t.of) for t in found)


def unsaid_places(text: str, facts: Iterable[str], phrases: Iterable[str]) -> Iterator[Moved]:
    """Words of place (left, rear, upstairs, …) of a plain wording that no fact has."""
    phrases = tuple(phrases)
    known = {t.name for said in facts for t in turns(said)}
    for t in turns(text, phrases):
        if t.name in PLACES and t.name not in known:
            yield Moved("opening_says_no_fact", f"says {t.word!r}, which no fact says")


def _counted(text: str) -> list[tuple[int, list[str]]]:
    """Number and the next two words that may carry a fact, for each count of a text."""
    found = []
    for clause in clauses(text):
        for at, word in enumerate(clause):
            number = COUNTS.get(word) if not word.isdigit() else int(word[:18])
            if number is not None:
                behind = (
                    w for w in clause[at + 1 :] if not w.isdigit() and w != "~" and stem(w) not in neutral_stems()
                )
                found.append((number, [w for w, _ in zip(behind, range(2), strict=False)]))
    return found


def miscounted(plain: str, opening: str) -> Iterator[Moved]:
    """Counts that the opening gives of another thing than the plain wording."""
    after = _counted(opening)
    for number, things in _counted(plain):
        if not things:
            continue
        thing = things[0]
        same = [n for n, (m, others) in enumerate(after) if m == number and any(stem(w) == stem(thing) for w in others)]
        if same:
            after.pop(same[0])
        else:
            yield Moved("opening_fact_changed", f"does not count {number} {thing!r} as the plain wording does")


@dataclass
class _Deed:
    """What one text says of one word that may be a deed."""

    word: str
    by_self: bool = False
    """I or we do it."""
    by_own: bool = False
    """My or our something does it."""
    by_other: bool = False
    """Something or somebody does it, or has it done to them."""
    upon_self: bool = False
    """Done to me or us."""
    upon_own: bool = False
    """Done to my or our something."""


@lru_cache(maxsize=RECENT)
def _deeds(text: str) -> Mapping[str, _Deed]:
    found: dict[str, _Deed] = {}
    for clause in clauses(text):
        for at, word in enumerate(clause):
            if word in _BETWEEN or word in _FUNCTION or word in _SELF or word in _OTHERS:
                continue
            deed = found.setdefault(stem(word), _Deed(word))
            who = at - 1
            passive = False
            while who >= 0 and clause[who] in _BETWEEN:
                passive = passive or (clause[who] in _BE and not word.endswith("ing"))
                who -= 1
            if who >= 0 and clause[who] in _SELF:
                deed.by_self = deed.by_self or not passive
            elif who >= 0 and (clause[who] in _OTHERS or clause[who] not in _FUNCTION):
                deed.by_other = True
                deed.by_own = deed.by_own or (not passive and any(w in _OWN for w in clause[max(0, who - 3) : who]))
            behind = clause[at + 1 : at + 6]
            if behind and behind[0] in _INTO:
                behind = behind[1:]
                deed.upon_own = deed.upon_own or (
                    len(behind) > 3 and behind[0] == "the" and behind[1] in _SIDES and behind[2] == "of" and behind[3] in _OWN
                )  # fmt: skip
            else:
                deed.upon_own = deed.upon_own or bool(behind and behind[0] in _OWN)
            deed.upon_self = deed.upon_self or bool(behind and behind[0] in _UPON_SELF)
    return found


def other_doer(plain: str, opening: str) -> Iterator[Moved]:
    """Deeds that the opening says of somebody else than the plain wording."""
    before, after = _deeds(plain), _deeds(opening)
    for s, now in after.items():
        was = before.get(s)
        if was is None:
            continue
        if now.by_self and not was.by_self and was.by_other:
            yield Moved(
                "opening_fact_changed", f"says that the customer did it ({now.word!r}); the plain wording does not"
            )
        elif was.by_self and not now.by_self and now.by_other:
            yield Moved("opening_fact_changed", f"says {now.word!r} of somebody else than the customer")
        elif (now.upon_self and not (was.upon_self or was.upon_own)) or (
            now.upon_own and not (was.upon_own or was.upon_self) and (was.by_own or was.by_self)
        ):
            yield Moved(
                "opening_fact_changed",
                f"says that it was done to the customer ({now.word!r}); the plain wording does not",
            )
        elif now.by_own and not was.by_own and was.upon_own and not now.upon_own:
            yield Moved("opening_fact_changed", f"says {now.word!r} of the customer's own; the plain wording does not")


@lru_cache(maxsize=RECENT)
def _owned(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a text calls the customer's own, and what it calls another's: stems of the two words behind my, his, …"""
    own: set[str] = set()
    others: set[str] = set()
    for clause in clauses(text):
        for at, word in enumerate(clause):
            if word in _OWN or word in _OWN_OF_OTHERS:
                things = [stem(w) for w in clause[at + 1 : at + 3] if w not in _FUNCTION and w not in _BETWEEN]
                (own if word in _OWN else others).update(things)
    return frozenset(own), frozenset(others)


def other_owner(plain: str, opening: str) -> Iterator[Moved]:
    """Things that are the customer's in one text and another's in the other."""
    own, others = _owned(plain)
    own_now, others_now = _owned(opening)
    for s in sorted((own & others_now) - others - own_now):
        yield Moved("opening_fact_changed", f"says {s!r} of another's; in the plain wording it is the customer's own")
    for s in sorted((others & own_now) - own - others_now):
        yield Moved("opening_fact_changed", f"says {s!r} of the customer's own; in the plain wording it is another's")
