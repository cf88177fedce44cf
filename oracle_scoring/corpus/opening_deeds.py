"""Who did it in an opening, and whose it is.

Nobody's deed becomes the customer's own or the other way round, nothing is done to the customer that was not done to them
before, and what is theirs does not become another's. A word counts as a deed where somebody or something stands before it;
words that are no deeds stand alike in both texts and give nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from oracle_scoring.corpus.opening_lexis import RECENT, Moved, past, stem
from oracle_scoring.corpus.opening_sense import BE, BETWEEN, FUNCTION, bare_clauses, word_set

_SELF = frozenset({"i", "we"})
_OWN = frozenset({"my", "our"})
_UPON_SELF = frozenset({"me", "us"})
_OWN_OF_OTHERS = frozenset({"his", "her", "their"})
_OTHERS = frozenset(
    {"he", "she", "they", "it", "you", "who", "which", "that", "somebody", "someone", "another", "nobody", "others"}
)


_DETERMINERS = frozenset(
    {"a", "an", "the", "another", "my", "our", "his", "her", "their", "its", "me", "us", "them", "this", "that"}
)
_PERSONS = frozenset({"he", "she", "they", "somebody", "someone", "another", "others", "nobody"})
_STANDS = word_set(
    "off on onto into under over above below behind inside outside through against from in at beneath beside"
)
_INTO = frozenset({"into", "over", "at", "onto"})
_SIDES = frozenset({"back", "front", "rear", "side", "door", "bumper", "bonnet", "boot", "wing", "roof", "wall"})


_KIN = word_set(
    """wife husband partner son daughter boy girl child brother sister mother father mum dad uncle aunt cousin friend neighbour
    boyfriend girlfriend flatmate colleague boss guest visitor tenant lodger"""
)
"""My neighbour is nobody's own, and what they do the customer does not."""
_PARTS = frozenset({*_SIDES - {"wall"}, "tyre", "tyres", "wheel", "wheels", "brakes", "vehicle"})
"""What does something where the whole thing does."""
_PARTY = frozenset(stem(w) for w in ("driver", "rider", "cyclist", "thief", "thieves", "burglar", "robber"))
"""People who become the customer's own by a word."""
_A = frozenset({"a", "an", "another", "other", "his", "her", "their", "some"})
_HARM = frozenset(stem(w) for w in ("stole", "took", "robbed", "burgled", "forced", "vandalised", "looted"))
"""What nobody does to their own things; of other deeds the doer may be left out and told elsewhere."""


@dataclass(frozen=True)
class Deed:
    """A word that may be a deed where it stands."""

    stem: str
    word: str
    by_self: bool
    """I or we do it."""
    by_own: bool
    """My or our something does it."""
    by_other: bool
    """Something or somebody does it, or has it done to them."""
    passive: bool
    going_on: bool
    """Somebody was or is doing it."""
    subject: str
    """The word before it that is more than grammar; empty where there is none."""
    lead: tuple[str, ...]
    """The three words before the subject."""
    upon_self: bool
    """Done to me or us."""
    upon_own: bool
    """Done to my or our something."""
    upon: bool
    """Done to something."""
    near: frozenset[str]
    """Stems of the other words of the clause that are more than grammar."""
    carried: bool = False
    """Who does it stands before an earlier deed: a lorry pulled out and hit it."""


def _between(word: str) -> bool:
    return word in BETWEEN or (word.endswith("ly") and len(word) > 5)


@lru_cache(maxsize=RECENT)
def deeds(text: str) -> tuple[Deed, ...]:
    """Every word that may be a deed, in its order."""
    found = []
    for clause in bare_clauses(text):
        more = [
            (at, stem(w)) for at, w in enumerate(clause) if not (w in BETWEEN or w in FUNCTION or w in _SELF or w in _OTHERS)
        ]  # fmt: skip
        last: Deed | None = None
        for at, s in more:
            word = clause[at]
            who = at - 1
            being = False
            while who >= 0 and (clause[who] in BETWEEN or (who > 0 and _between(clause[who]))):
                being = being or clause[who] in BE
                who -= 1
            passive = being and not word.endswith("ing")
            subject = clause[who] if who >= 0 and (clause[who] in _OTHERS or clause[who] not in FUNCTION) else ""
            by_self = subject in _SELF
            lead = clause[max(0, who - 3) : max(0, who)]
            behind = clause[at + 1 : at + 6]
            if behind and behind[0] in _INTO:
                behind = behind[1:]
                upon_own = (
                    len(behind) > 3
                    and behind[0] == "the"
                    and behind[1] in _SIDES
                    and behind[2] == "of"
                    and behind[3] in _OWN
                )
                upon = bool(behind)
            else:
                upon_own = bool(behind and behind[0] in _OWN)
                upon = bool(behind) and (behind[0] in _DETERMINERS or behind[0] not in FUNCTION | BETWEEN)
            deed = Deed(
                s,
                word,
                by_self=by_self and not passive,
                by_own=bool(subject) and not by_self and not passive and any(w in _OWN for w in lead),
                by_other=bool(subject) and not by_self,
                passive=passive,
                going_on=being and not passive,
                subject=subject,
                lead=lead,
                upon_self=bool(behind and behind[0] in _UPON_SELF),
                upon_own=upon_own,
                upon=upon,
                near=frozenset(other for n, other in more if n != at and other != s),
            )
            if last is not None and past(word) and who >= 0 and clause[who] == "and":
                deed = replace(
                    deed,
                    by_self=last.by_self,
                    by_own=last.by_own,
                    by_other=last.by_other,
                    passive=last.passive,
                    subject=last.subject,
                    lead=last.lead,
                    carried=True,
                )
            elif deed.subject and _done(deed):
                last = deed
            found.append(deed)
    return tuple(found)


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
    """What a text says of each word that may be a deed."""
    found: dict[str, _Deed] = {}
    for one in deeds(text):
        deed = found.setdefault(one.stem, _Deed(one.word))
        deed.by_self = deed.by_self or (one.by_self and not one.carried)
        deed.by_own = deed.by_own or (one.by_own and not one.carried)
        deed.by_other = deed.by_other or (one.by_other and not one.carried)
        deed.upon_self = deed.upon_self or one.upon_self
        deed.upon_own = deed.upon_own or one.upon_own
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


def _done(deed: Deed) -> bool:
    """Whether the word has the form of something that was or is being done."""
    return past(deed.word) or deed.going_on


def _mine(deed: Deed, own: Collection[str]) -> bool:
    """Whether the customer does it, or something of theirs, by whichever name."""
    if deed.by_self:
        return True
    if not deed.by_other or deed.passive or _KIN & {*deed.lead, deed.subject}:
        return False
    if deed.by_own:
        return True
    return deed.subject in _PARTS or (stem(deed.subject) in own and not _A & set(deed.lead))


def unsaid_doers(told: str, plain: str) -> Iterator[Moved]:
    """Deeds of a plain wording that the facts say of somebody else.

    Deeds are the same where the word is, and another word of the clause. Nothing is said of a deed whose doer the facts leave
    out, unless nobody does it to their own things.

    Args:
        told: what the customer says of the facts, and their values, a line each.
        plain: the plain wording.
    """
    own = _owned(told)[0]
    known = [deed for deed in deeds(told) if _done(deed)]
    for now in deeds(plain):
        same = [was for was in known if was.stem == now.stem and was.near & now.near]
        if not same or not _done(now) or now.passive or not (now.by_self or now.by_other):
            continue
        ours = [was for was in same if _mine(was, own)]
        theirs = [was for was in same if was.by_other and not was.passive and was not in ours]
        if _mine(now, own):
            if (
                now.upon_self
                and not now.by_self
                and any(w.by_self for w in ours)
                and not any(w.upon_self for w in same)
            ):
                yield Moved(
                    "opening_says_no_fact", f"says that {now.subject!r} {now.word!r} the customer; no fact does"
                )
            harmed = now.by_self and now.stem in _HARM and any(was.passive for was in same)
            does = now.by_self or now.upon  # a windscreen that cracked did nothing
            if does and not ours and (any(was.upon for was in theirs) or harmed):
                yield Moved(
                    "opening_says_no_fact", f"says {now.word!r} of the customer; the facts say it of somebody else"
                )
        elif ours and not theirs and _is_another(now, any(was.by_self for was in ours)):
            yield Moved("opening_says_no_fact", f"says {now.word!r} of somebody else; the facts say it of the customer")


def _is_another(now: Deed, by_self: bool) -> bool:
    """Whether somebody else does it: by a pronoun, as a thing or person with an article, upon what is the customer's."""
    if now.subject in _OTHERS:
        return now.subject in _PERSONS
    if not by_self:
        return bool(_A & set(now.lead)) or now.upon_own or now.upon_self
    return bool((_DETERMINERS | _A) & set(now.lead))


def turned_about(plain: str, opening: str) -> Iterator[tuple[str, str, str]]:
    """What stands off, on, under, … another thing in one text and the other way round in the other: thing, word, thing."""
    before, after = _relations(plain), _relations(opening)
    for thing, between, other in sorted(after - before):
        if (other, between, thing) in before:
            yield thing, between, other


@lru_cache(maxsize=RECENT)
def _relations(text: str) -> frozenset[tuple[str, str, str]]:
    found = set()
    for clause in bare_clauses(text):
        grammar = [w in FUNCTION or w in BETWEEN or w in _SELF or w in _OTHERS for w in clause]
        for at in range(1, len(clause)):
            if clause[at] not in _STANDS or grammar[at - 1]:
                continue
            things = clause[at - 1 : at]
            if past(clause[at - 1]) and at > 1 and not grammar[at - 2]:
                things = clause[at - 2 : at]  # a rake stood under the ladder
            behind = at + 1 + (at + 1 < len(clause) and clause[at + 1] in _DETERMINERS)
            while behind < len(clause) and not grammar[behind]:
                found |= {(stem(thing), clause[at], stem(clause[behind])) for thing in things}
                behind += 1
    return frozenset(found)


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
    for said in _owners(plain, opening):
        yield Moved("opening_fact_changed", f"{said}; the plain wording does not")


def unsaid_owners(told: str, plain: str) -> Iterator[Moved]:
    """Things that are the customer's in the facts and another's in a plain wording, or the other way round."""
    for said in _owners(told, plain):
        yield Moved("opening_says_no_fact", f"{said}; the facts do not")


def _owners(before: str, after: str) -> Iterator[str]:
    own, others = _owned(before)
    own_now, others_now = _owned(after)
    for s in sorted((own & others_now) - others - own_now - _anothers(before)):
        yield f"says {s!r} of another's"
    people = {s for s in (own_now - own) & _PARTY if s in {stem(w) for clause in bare_clauses(before) for w in clause}}
    for s in sorted(((others & own_now) - own - others_now) | people):
        yield f"says {s!r} of the customer's own"


def _anothers(text: str) -> set[str]:
    """Stems of the two words behind another or other."""
    return {
        stem(w)
        for clause in bare_clauses(text)
        for at, word in enumerate(clause)
        if word in ("another", "other")
        for w in clause[at + 1 : at + 3]
    }
