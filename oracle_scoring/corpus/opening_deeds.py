"""Who did it in an opening, and whose it is.

Nobody's deed becomes the customer's own or the other way round, nothing is done to the customer that was not done to them
before, and what is theirs does not become another's. A word counts as a deed where somebody or something stands before it;
words that are no deeds stand alike in both texts and give nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from oracle_scoring.corpus.opening_lexis import RECENT, Moved, stem
from oracle_scoring.corpus.opening_sense import BE, BETWEEN, FUNCTION, bare_clauses

_SELF = frozenset({"i", "we"})
_OWN = frozenset({"my", "our"})
_UPON_SELF = frozenset({"me", "us"})
_OWN_OF_OTHERS = frozenset({"his", "her", "their"})
_OTHERS = frozenset(
    {"he", "she", "they", "it", "you", "who", "which", "that", "somebody", "someone", "another", "nobody", "others"}
)


_INTO = frozenset({"into", "over", "at", "onto"})
_SIDES = frozenset({"back", "front", "rear", "side", "door", "bumper", "bonnet", "boot", "wing", "roof", "wall"})


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
    for clause in bare_clauses(text):
        for at, word in enumerate(clause):
            if word in BETWEEN or word in FUNCTION or word in _SELF or word in _OTHERS:
                continue
            deed = found.setdefault(stem(word), _Deed(word))
            who = at - 1
            passive = False
            while who >= 0 and clause[who] in BETWEEN:
                passive = passive or (clause[who] in BE and not word.endswith("ing"))
                who -= 1
            if who >= 0 and clause[who] in _SELF:
                deed.by_self = deed.by_self or not passive
            elif who >= 0 and (clause[who] in _OTHERS or clause[who] not in FUNCTION):
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
    for clause in bare_clauses(text):
        for at, word in enumerate(clause):
            if word in _OWN or word in _OWN_OF_OTHERS:
                things = [stem(w) for w in clause[at + 1 : at + 3] if w not in FUNCTION and w not in BETWEEN]
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
