"""What a customer's sentence does: says not to know, corrects, hints, takes leave, or is in another language."""

import re
from dataclasses import dataclass

from harness.schema.visible import CustomerView, Fact, FactKind
from harness.schema.wording import (
    asked,
    asked_facts,
    fold,
    has_question,
    has_request,
    is_confirmation,
    is_question,
    is_request,
    sentences,
    topic_words,
)
from harness.schema.words.lexicon import finds, function_words
from harness.schema.words.values import in_own_words, named_facts, tells, values

NONE_VALUES = frozenset({"none", "no", "unknown"})
"""Values that say that there is nothing: "I have none" is the truth about them."""
_SURE: tuple[FactKind, ...] = ("date", "time", "amount", "plate", "phone", "email")
"""Kinds whose value is recognised in any words; of the others an answer may be put in words that no rule knows."""
_HEAD = {
    "yes": re.compile(r"^(yes|yeah|yep|certainly|of course|是的?|有的?|对)(?![^\W_])"),
    "no": re.compile(r"^(no|nope|not at all|没有?|不是?|否)(?![^\W_])"),
}


# Not knowing -----------------------------------------------------------------------------------------------------------

_NEGATED = re.compile(r"\b(no|not|none|nobody|nothing|never|neither|without|cannot)\b|n't\b|没|不|\bkhông\b|\bchưa\b")


@dataclass(frozen=True)
class Denial:
    """A message says that its writer does not know (or have) something.

    Attributes:
        false: ids of facts the writer knows all the same.
        undecided: ids of known facts that it may be about, where no rule can say.
    """

    false: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()


def says_unknown(text: str, view: CustomerView) -> bool:
    """The text says "I don't know", in the persona's words or in usual ones."""
    return any(fold(p) in fold(text) for p in view.persona.dont_know) or finds("dont_know", text)


def denial(message: str, live: str, view: CustomerView) -> Denial:
    """Which facts a message denies knowing although the view holds them.

    Args:
        message: what is said.
        live: the newest visible text that it answers.
        view: what its writer knows.

    A sentence that names what it does not know is about that; one that names nothing is about what was asked. Whatever
    the message tells elsewhere is not denied, and where the question is (also) about something unknown, or about what no
    rule hears, a bare "I don't know" is no false one.
    """
    known = {f.id: f for f in view.facts}
    wanted = asked_facts(live)
    untold = [i for i in wanted if i in known and not tells(known[i], message, True)]
    false: dict[str, None] = {}
    undecided: dict[str, None] = {}
    for sentence in sentences(message):
        unknown = says_unknown(sentence, view)
        if not unknown and not finds("have_none", sentence):
            continue
        named = _speaks_of(sentence, view)
        if any(i not in known for i in named):
            continue
        denied = [i for i in named if not tells(known[i], message, i in wanted)]
        if not unknown:
            denied = [i for i in denied if known[i].value not in NONE_VALUES and known[i].kind in (*_SURE, "reference")]
            false |= dict.fromkeys(denied)
        elif named:
            false |= dict.fromkeys(denied)
        elif all(i in known for i in wanted) and not _asks_more(live):
            false |= dict.fromkeys(untold)
        elif untold and len(untold) == sum(i in known for i in wanted):
            undecided |= dict.fromkeys(untold)
    return Denial(tuple(false), tuple(i for i in undecided if i not in false))


def _asks_more(live: str) -> bool:
    """A question that is about no fact that a rule hears."""
    return any(is_question(s) and not asked(s) and not is_confirmation(s) for s in sentences(live))


def _speaks_of(sentence: str, view: CustomerView) -> list[str]:
    """Ids of known and unknown things that a statement names; what is known not to be known goes first."""
    said = topic_words(sentence)
    for unknown in view.does_not_know:
        words = topic_words(unknown.topic) - {"name", "number"}
        if words and words <= said:
            return [unknown.id]
    return named_facts(sentence)


# Contradicting what one knows ------------------------------------------------------------------------------------------


def contradicted(message: str, live: str, view: CustomerView) -> list[str]:
    """Ids of facts of which the message says something else than the view holds.

    Seen are: the opposite yes or no, at the head of an answer to the one question there is or in a sentence that names what
    it is about, asked for or not; and another value of the same kind (a date for a date) where it is the one value of that
    kind that was asked for and is given.
    """
    facts = {f.id: f for f in view.facts}
    wanted = asked_facts(live)
    sides = [f for f in view.facts if f.kind == "yes_no" and not in_own_words(f, message)]
    own = [fold(f.say) for f in view.facts]
    strange = [s for s in sentences(message) if not any(fold(s).rstrip(".!。") in say for say in own)]
    found = [f.id for f in sides if (wanted == [f.id] and _wrong_head(f, message)) or _opposite(f, strange)]
    for kind in ("date", "time", "plate"):
        same = [facts[i] for i in wanted if i in facts and facts[i].kind == kind]
        if len(same) == 1 and _given(message, kind) == 1 and not tells(same[0], message, True):
            others = [f for f in view.facts if f.id != same[0].id and f.kind == kind and tells(f, message, True)]
            found += [same[0].id] if others else []
    return found


def _wrong_head(fact: Fact, message: str) -> bool:
    other = _HEAD.get({"yes": "no", "no": "yes"}.get(fact.value, ""))
    return other is not None and bool(other.search(fold(message)))


def _opposite(fact: Fact, said: list[str]) -> bool:
    told = [s for s in said if fact.id in named_facts(s) and not is_question(s) and not finds("dont_know", s)]
    return {bool(_NEGATED.search(fold(s))) for s in told} == {fact.value == "yes"}


def _given(message: str, kind: str) -> int:
    got = values(message)
    return len({"date": got.dates, "time": got.times, "plate": got.codes}[kind])


# Answering -------------------------------------------------------------------------------------------------------------


def unanswered(message: str, live: str, view: CustomerView) -> tuple[list[str], list[str]]:
    """Ids of asked facts that the writer knows and the message does not tell: (for sure, perhaps).

    For sure are those whose value is recognised in any words, and all of them where the message says nothing but not to know;
    an answer of another kind may be there unrecognised.
    """
    facts = {f.id: f for f in view.facts}
    silent = [facts[i] for i in asked_facts(live) if i in facts and not tells(facts[i], message, True)]
    nothing = all(says_unknown(s, view) for s in sentences(message))
    sure = [f.id for f in silent if nothing or _is_sure(f)]
    return sure, [f.id for f in silent if f.id not in sure]


def _is_sure(fact: Fact) -> bool:
    return fact.kind in _SURE or (fact.kind == "reference" and bool(values(fact.value).codes))


# Speaking out of turn --------------------------------------------------------------------------------------------------

_CHECKING = re.compile(
    r"\b(right|correct|wrong|chang(e|ing|ed)|check|checking|mistakes?|amend)\b|对吗|正确|修改|不对|\b(đúng|sai|sửa)\b"
)


def asks_to_check(live: str) -> bool:
    """A text asks whether something is right, or what is to be changed: then whoever says what is wrong only answers."""
    return any((is_question(s) or is_request(s)) and _CHECKING.search(fold(s)) for s in sentences(live))


def corrects(message: str, live: str) -> bool:
    """Puts something right that nobody asked to be checked.

    Mild words ("actually", "it should be") correct only where nothing was asked that they could be the answer to.
    """
    if asks_to_check(live):
        return False
    return finds("corrections", message) or (
        not has_question(live) and not has_request(live) and finds("mild_corrections", message)
    )


def hints(message: str) -> bool:
    """Tells the company what to ask or do next."""
    return any(finds("hints", s) for s in sentences(message))


def takes_leave(message: str, view: CustomerView) -> bool:
    """Says that the talk is over for its writer, beside the persona's own words for not knowing ("Never mind that.")."""
    said = fold(message)
    for own in view.persona.dont_know:
        said = said.replace(fold(own), " ")
    return finds("leave_taking", said)


def speaks_of_later(message: str) -> bool:
    """Says that something comes later."""
    return finds("later", message)


# Language --------------------------------------------------------------------------------------------------------------

SCRIPTS = {
    "zh": re.compile(r"[\u3400-\u9fff]"),
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
}
"""Language -> a letter that shows it, whatever else a text holds; of languages that share a script, the commonest."""
ENOUGH = 2
"""So many letters of a script, or function words, make a text one of another language."""


def other_language(text: str, own: str, pool: str) -> str | None:
    """The language of a text if it is another than `own`; None if it is the same or cannot be told.

    A name, a number or a word alone is of no language; letters that the pool holds too (a name in its own script) tell
    nothing. Languages without script or list are not told apart.

    Args:
        own: language tag of its writer.
        pool: what the writer knows and was shown.
    """
    mine = own.split("-")[0]
    for language, letter in SCRIPTS.items():
        family = {"ja", "zh"} if language in ("ja", "zh") else {language}
        if mine not in family and len(letter.findall(text)) >= ENOUGH and not letter.search(pool):
            return language
    if mine not in function_words() and mine not in SCRIPTS:
        return None
    said = re.findall(r"[^\W\d_]+", fold(text).replace("'", " "))
    counts = {language: sum(map(words.__contains__, said)) for language, words in function_words().items()}
    home = counts.pop(mine, 0)
    best = max(counts, key=lambda language: counts[language])
    foreign = counts[best] >= ENOUGH and counts[best] > 2 * home
    return best if foreign and not (mine in SCRIPTS and SCRIPTS[mine].search(text)) else None
