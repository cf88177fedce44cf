"""An opening against its plain wording and the facts: a style changes words, never a fact.

Exact things (dates, times, amounts, numbers, plates, references) are compared as values, everything else word by word:
a word that neither the plain wording nor a fact has, and that is not known to carry no fact, is named. Words that turn a
fact round and counts are compared in `opening_sense`, who did what in `opening_deeds`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from harness.schema.visible import Fact, Facts
from oracle_scoring.corpus.opening_deeds import other_doer, other_owner, turned_about, unsaid_doers, unsaid_owners
from oracle_scoring.corpus.opening_hedges import bounded, hedged, unsaid_bounds, unsaid_hedges
from oracle_scoring.corpus.opening_lexis import (
    BARE_NEGATIONS,
    CLAUSE,
    MONTHS,
    NEGATIONS,
    TOKEN,
    Moved,
    clauses,
    content_stems,
    exact_values,
    neutral_stems,
    plain_number,
    slip,
    stem,
    words,
)
from oracle_scoring.corpus.opening_sense import (
    counted_words,
    miscounted,
    turned,
    unsaid_counts,
    unsaid_places,
    untyped,
)
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_amount

__all__ = ["Moved", "content_stems", "exact_values", "neutral_stems", "opening_problems", "stem", "words"]
_MONTHS = frozenset(stem(name) for month in MONTHS for name in (month, month[:3]))
"""Of dates, which are compared as dates."""
NEGATION_REACH = 6
"""A word so many words behind a negation is no longer denied by it."""

_THINKING = frozenset(
    stem(w)
    for w in (
        "believe", "know", "think", "understand", "sleep", "cope", "stop", "bear", "sure", "happy", "idea", "fault", "imagine", "expect",
        "wish", "want", "mind", "sense",
    )
)  # fmt: skip


def _fact_texts(facts: Facts) -> Iterable[str]:
    for fact in facts.facts:
        yield from (fact.topic, fact.value, fact.say)
    for unknown in facts.does_not_know:
        yield unknown.topic
    yield facts.persona.name


def _told(fact: Fact, exact: Mapping[str, str], there: set[str]) -> bool:
    """Whether a text with these exact things and word stems tells the fact."""
    if fact.value == UNKNOWN:
        return False
    if fact.value == NONE or fact.kind == "yes_no":
        keys = set(content_stems(fact.say))
        return bool(keys) and keys <= there
    values = exact_values(fact.value)
    if fact.kind == "amount":
        amount = parse_amount(fact.value)
        values = {f"amount {plain_number(str(amount[0]))}": ""} if amount else {}
    elif fact.kind == "date":
        values = {f"date {fact.value}": ""}
    elif fact.kind == "time":
        values = {f"time {fact.value}": ""}
    elif fact.kind == "plate":
        values = {f"code {re.sub('[^A-Z0-9]', '', fact.value.upper())}": ""}
    stems = set() if fact.kind in ("amount", "date", "time", "plate") else set(content_stems(fact.value))
    return bool(values or stems) and set(values) <= set(exact) and stems <= there


def _known_values(facts: Facts) -> set[str]:
    known = set(exact_values("\n".join(_fact_texts(facts))))
    for fact in facts.facts:
        if fact.kind == "amount" and (amount := parse_amount(fact.value)):
            known.add(f"amount {plain_number(str(amount[0]))}")
    return known | {f"number {key.split()[1]}" for key in known if key.startswith("amount")}


def _proper(facts: Facts) -> dict[str, str]:
    """Stem -> word, for names of people and places."""
    texts = [facts.persona.name, *(f.value for f in facts.facts if f.kind in ("place", "name"))]
    return {stem(w): w for text in texts for w in words(text) if w[0].isupper()}


def _negated(text: str) -> dict[str, bool]:
    """Stem of a word that may carry a fact -> whether a negation stands a few words before it in its clause.

    A negation that goes with a word of thinking or feeling ("I can't believe", "not sure") is used up by it.
    """
    found: dict[str, bool] = {}
    for clause in CLAUSE.split(text.replace("’", "'")):
        since = NEGATION_REACH
        for word in TOKEN.findall(clause):
            folded, s = word.casefold(), stem(word)
            if folded in NEGATIONS or folded.endswith("n't") or folded in BARE_NEGATIONS:
                since = 0
                continue
            since = NEGATION_REACH if s in _THINKING else since + 1
            if s not in neutral_stems():
                found[s] = found.get(s, False) or since <= NEGATION_REACH - 1
    return found


def _denied(facts: Facts, plain: str) -> Iterator[Moved]:
    """Words of a plain wording that it denies and every answer affirms, or the other way round.

    "The police were not called" affirms nothing of the police, though the denial stands behind them.
    """
    answers = [_negated(fact.say) for fact in facts.facts]
    for s, denied in _negated(plain).items():
        said = {answer[s] for answer in answers if s in answer}
        if said == {not denied} and _affirms((fact.say for fact in facts.facts) if denied else (plain,), s):
            word = content_stems(plain).get(s, s)
            yield Moved(
                "opening_fact_changed", f"{'denies' if denied else 'affirms'} {word!r}; the facts say the opposite"
            )
    there = set(content_stems(plain))
    for fact in facts.facts:
        told = set(content_stems(fact.say)) if fact.value in (NONE, "no") else set()
        if told and told <= there and not any(_denies(clause, told) for clause in clauses(plain)):
            yield Moved("opening_fact_changed", f"tells of {fact.id} without a denial; its value is {fact.value!r}")


def _affirms(texts: Iterable[str], s: str) -> bool:
    """Whether a text has the stem in a clause that denies nothing."""
    return any(
        any(stem(w) == s for w in clause) and not _denies(clause, {s}) for text in texts for clause in clauses(text)
    )


def _denies(clause: Iterable[str], told: set[str]) -> bool:
    """Whether a clause speaks of one of these stems and denies something."""
    said = list(clause)
    return any(stem(w) in told for w in said) and any(w in NEGATIONS for w in said)


def opening_problems(
    facts: Facts, plain: str, opening: str, labels: Iterable[str] = (), wording: Iterable[str] = ()
) -> list[Moved]:
    """All ways in which `opening` says something else than its plain wording and the facts.

    Args:
        facts: the customer's, with the style.
        plain: the plain wording.
        opening: the first message as it is sent; the plain wording itself when the style is plain.
        labels: what the customer calls their files.
        wording: words and turns of phrase that the author has judged to carry no fact.
    """
    wording = tuple(wording)
    found = [*_unsaid(facts, plain, opening, labels, wording), *_against_plain(facts, plain, opening, wording)]
    return list(dict.fromkeys(found))


def _unsaid(facts: Facts, plain: str, opening: str, labels: Iterable[str], wording: tuple[str, ...]) -> list[Moved]:
    """Exact things and words that no fact has."""
    found: list[Moved] = []
    known = _known_values(facts)
    exact = exact_values(opening)
    for key, written in exact.items():
        if key not in known:
            found.append(Moved("opening_says_no_fact", f"says {written!r}, which no fact of the customer's has"))
    style = facts.opening_style
    spoken = content_stems("\n".join([*_fact_texts(facts), *labels]))
    allowed = {*spoken, *(stem(w) for phrase in wording for w in words(phrase))}
    if style != "plain":
        allowed |= set(content_stems(plain))
    if style == "plain":
        found += unsaid_places(opening, [*_fact_texts(facts), *labels], wording)
        found += _denied(facts, opening)
        found += _against_facts(facts, opening)
    proper = _proper(facts)
    for s, word in content_stems(opening).items():
        if s in allowed or (style != "plain" and word.casefold() in counted_words()):
            continue  # turning words are counted against the plain wording
        if style == "typos":
            if any(slip(s, name) or slip(word.casefold(), w.casefold()) for name, w in proper.items()):
                near = next(w for name, w in proper.items() if slip(s, name) or slip(word.casefold(), w.casefold()))
                if not any(slip(s, a) for a in allowed - set(proper)):
                    found.append(Moved("opening_fact_changed", f"writes {word!r} for {near!r}; names stay as they are"))
                continue
            if any(slip(s, a) for a in allowed | neutral_stems()) or any(
                slip(word.casefold(), w.casefold()) for w in (*spoken.values(), *content_stems(plain).values())
            ):
                continue
        code = "opening_says_no_fact" if style == "plain" else "opening_fact_added"
        found.append(Moved(code, f"says {word!r}, which neither the plain wording nor a fact says"))
    return found


def _against_facts(facts: Facts, plain: str) -> Iterator[Moved]:
    """Who did what, whose it is, how many and how sure: what a plain wording says of it and the facts say otherwise."""
    known = (text for f in facts.facts if f.value not in (NONE, UNKNOWN) for text in (f.say, f.value))
    told = "\n".join([*known, *(f.say for f in facts.facts if f.value in (NONE, UNKNOWN))])
    yield from unsaid_doers(told, plain)
    yield from unsaid_owners(told, plain)
    yield from unsaid_counts(told, plain)
    yield from unsaid_hedges(told, plain)
    yield from unsaid_bounds(told, plain)
    for thing, between, other in turned_about(told, plain):
        yield Moved("opening_says_no_fact", f"says {thing!r} {between} {other!r}; the facts say it the other way round")


def _against_plain(facts: Facts, plain: str, opening: str, wording: tuple[str, ...]) -> Iterator[Moved]:
    style = facts.opening_style
    if style == "plain" or plain == opening:
        return
    before, after = exact_values(plain), exact_values(opening)
    for key, written in before.items():
        if key not in after:
            yield Moved("opening_fact_lost", f"leaves out {written!r} of the plain wording")
    if style != "many_facts":
        for key, written in after.items():
            if key not in before:
                yield Moved("opening_fact_added", f"says {written!r}, which the plain wording does not")
    plain_stems, open_stems = set(content_stems(plain)), set(content_stems(opening))
    if style == "typos":
        written_now = content_stems(opening)
        open_stems |= {
            p
            for p, word in content_stems(plain).items()
            if any(slip(s, p) or slip(w.casefold(), word.casefold()) for s, w in written_now.items())
        }
    declared = {stem(w) for phrase in wording for w in words(phrase)}
    for s, word in content_stems(plain).items():
        if s not in open_stems and s not in declared and s not in _MONTHS:
            yield Moved("opening_fact_lost", f"leaves out {word!r} of the plain wording")
    for fact in facts.facts:
        was, now = _told(fact, before, plain_stems), _told(fact, after, open_stems | declared)
        if was and not now:
            yield Moved("opening_fact_lost", f"no longer tells {fact.id} ({fact.value!r}) as the plain wording does")
        elif now and not was and style != "many_facts":
            yield Moved("opening_fact_added", f"tells {fact.id} ({fact.value!r}), which the plain wording does not")
    was_not, is_not = _negated(plain), _negated(opening)
    for s in sorted(set(was_not) & set(is_not)):
        if was_not[s] != is_not[s]:
            yield Moved("opening_fact_changed", f"turns round what is said of {content_stems(opening).get(s, s)!r}")
    if style == "typos":
        opening = untyped(plain, opening)
    whole = set(content_stems(_compounds(opening)))
    for s, word in content_stems(_compounds(plain)).items():
        if s in open_stems and s not in whole and s not in declared:
            yield Moved("opening_fact_lost", f"leaves out {word!r} of the plain wording")
    says = [fact.say for fact in facts.facts]
    more = says if style == "many_facts" else []
    yield from turned(plain, opening, style, says, wording)
    yield from miscounted(plain, opening, more)
    yield from other_doer(plain, opening)
    yield from other_owner(plain, opening)
    yield from hedged(plain, opening)
    yield from bounded(plain, opening, more)
    for thing, between, other in turned_about(plain, opening):
        yield Moved("opening_fact_changed", f"says {thing!r} {between} {other!r}, the other way round")


def _compounds(text: str) -> str:
    """The text with words of two parts as one, so that a car park is nothing parked."""
    return re.sub(r"\b(car) (park)(s?)\b", r"\1\2\3", text, flags=re.IGNORECASE)
