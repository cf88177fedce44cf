"""How sure an opening is of what it tells, and how exactly it gives an amount.

What was done is not what will, would or may be done, and an amount is not more or less than that amount.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from oracle_scoring.corpus.opening_lexis import COUNTS, RECENT, Moved, neutral_stems, past, stem
from oracle_scoring.corpus.opening_sense import BETWEEN, FUNCTION, bare_clauses

_HEDGES = frozenset({"will", "would", "may", "might"})
_OF_MONTHS = frozenset({"in", "of", "since", "until", "by", "during", "from", "to"})
"""May behind one of these is a month."""
_FIGURE = rf"(?:[£€$] ?)?\d|(?:{'|'.join(COUNTS)})\b"
_BOUNDS = (
    ("more", re.compile(rf"\bmore +than +(?:about +|around +)?(?={_FIGURE})|\b(?:over|above) +(?=[£€$])", re.I)),
    ("less", re.compile(rf"\b(?:less|fewer) +than +(?:about +|around +)?(?={_FIGURE})|\b(?:under|below) +(?=[£€$])", re.I)),
    ("up to", re.compile(r"\bup +to +(?=[£€$])|\bat +most +(?=[£€$]|\d)", re.I)),
    ("at least", re.compile(rf"\bat +least +(?={_FIGURE})", re.I)),
)  # fmt: skip


@dataclass(frozen=True)
class _Said:
    stem: str
    word: str
    hedge: str
    """Will, would, may or might; empty where it is told as it is."""
    near: frozenset[str]


@lru_cache(maxsize=RECENT)
def _said(text: str) -> tuple[_Said, ...]:
    """Every word that is more than grammar; what the customer does in reporting ("I will tell you") is left out."""
    found = []
    for clause in bare_clauses(text):
        more = [(at, stem(w)) for at, w in enumerate(clause) if w not in FUNCTION and w not in BETWEEN]
        for at, s in more:
            who, hedge = at - 1, ""
            while who >= 0 and clause[who] in BETWEEN:
                if clause[who] in _HEDGES and not (clause[who] == "may" and who and clause[who - 1] in _OF_MONTHS):
                    hedge = clause[who]
                who -= 1
            if who >= 0 and clause[who] in ("i", "we") and s in neutral_stems():
                continue
            found.append(_Said(s, clause[at], hedge, frozenset(other for n, other in more if n != at)))
    return tuple(found)


def hedged(plain: str, opening: str) -> Iterator[Moved]:
    """Words that the opening says of what may or will be and the plain wording of what is, or the other way round."""
    before, after = _said(plain), _said(opening)
    sure, sure_now = Counter(w.stem for w in before if not w.hedge), Counter(w.stem for w in after if not w.hedge)
    unsure, unsure_now = Counter(w.stem for w in before if w.hedge), Counter(w.stem for w in after if w.hedge)
    for s in sorted(set(unsure) | set(unsure_now)):
        if unsure_now[s] > unsure[s] and sure_now[s] < sure[s]:
            now = next(w for w in after if w.stem == s and w.hedge)
            yield Moved("opening_fact_changed", f"says {now.hedge!r} of {now.word!r}; the plain wording does not")
        elif unsure_now[s] < unsure[s] and sure_now[s] > sure[s]:
            was = next(w for w in before if w.stem == s and w.hedge)
            yield Moved("opening_fact_changed", f"does not say {was.hedge!r} of {was.word!r} as the plain wording does")


def unsaid_hedges(told: str, plain: str) -> Iterator[Moved]:
    """Words of a plain wording of what may or will be, where the facts tell what was done: in a clause about the same if any is."""
    known = _said(told)
    for now in _said(plain):
        if not now.hedge:
            continue
        same = [was for was in known if was.stem == now.stem]
        same = [was for was in same if was.near & now.near] or same
        if any(past(was.word) for was in same) and not any(was.hedge for was in same):
            yield Moved("opening_says_no_fact", f"says {now.hedge!r} of {now.word!r}; the facts do not")


def _bounds(text: str) -> Counter[str]:
    return Counter({name: n for name, pattern in _BOUNDS if (n := len(pattern.findall(text)))})


def bounded(plain: str, opening: str, says: Iterable[str] = ()) -> Iterator[Moved]:
    """More than, less than and their like before a figure, oftener or less often than in the plain wording.

    Args:
        plain: the plain wording.
        opening: the first message.
        says: what the customer says of each fact, where the opening may tell more than the plain wording.
    """
    before, after = _bounds(plain), _bounds(opening)
    more = sum((_bounds(said) for said in says), Counter[str]())
    for name in sorted(set(before) | set(after)):
        if not before[name] <= after[name] <= max(before[name], more[name]):
            yield Moved("opening_fact_changed", f"says {name!r} of a figure {after[name]} times, not {before[name]}")


def unsaid_bounds(told: str, plain: str) -> Iterator[Moved]:
    """More than, less than and their like before a figure of a plain wording, where no fact says it."""
    known = _bounds(told)
    for name in sorted(set(_bounds(plain)) - set(known)):
        yield Moved("opening_says_no_fact", f"says {name!r} of a figure; the facts do not")
