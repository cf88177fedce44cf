"""Which facts a talkative customer adds to a plain opening, in which words and in which order.

A sentence is added only if it can stand alone: it has a verb, and nothing in it points to what has not been spoken of. What a
sentence speaks of as known ("the note") comes after the sentence that brings it up ("a note"); costs come after the
damage, and name and number come last.
"""

import re
from collections.abc import Iterator

from harness.schema.visible import Fact, Facts
from oracle_scoring.corpus.opening_lexis import MONTHS, content_stems, exact_values, slip, words

ORDER = {"text": 0, "plate": 1, "yes_no": 2, "place": 3, "reference": 4, "amount": 5, "name": 6, "phone": 7}
"""Kinds in the order in which people tell them."""
CONTACT = frozenset({"contact_name", "contact_phone"})
_VERBS = frozenset(
    [
        "is", "are", "was", "were", "am", "has", "have", "had", "can", "cannot", "could", "will", "would", "must", "do", "does", "did",
        "says", "said", "gives", "gave", "wants", "asks", "costs", "cost", "reckons", "thinks", "came", "comes", "went", "took", "saw",
        "left", "looks", "needs", "found", "broke", "ran", "hit", "drives", "works",
    ]
)  # fmt: skip
_DANGLING = re.compile(
    r"\b(?:it|its|it's|that|thats|that's|this|they|them|he|she|him|her|one|there's|theres|then|so)\b", re.IGNORECASE
)
"""What points to something said before."""
_GENERIC = re.compile(r",? (?:so )?they (?:say|said|told me)\b|\bit (?:is|was) (?=only|just)", re.IGNORECASE)
"""Where "they" is nobody in particular."""
_ONLY_ANSWERS = re.compile(r"(?:At|In|On|By|About|None|There is none|Sorry)\b")
_DATE = re.compile(rf"\b\d{{1,2}} (?:{'|'.join(m.capitalize() for m in MONTHS)}) \d{{4}}\b")
_KNOWN = re.compile(r"\b(?:the|that|this|both|these|those) ((?:[a-z]+ )?[a-z]+)\b", re.IGNORECASE)
_NEW = re.compile(r"\b(?:an?|some|two|three|my|our) ((?:[a-z]+ )?[a-z]+)\b", re.IGNORECASE)


def with_time(plain: str, facts: Facts) -> str:
    """The plain wording with the time of the incident behind its date, if both are known and the time is not told yet."""
    told = exact_values(plain)
    day = next((f for f in facts.facts if f.id == "incident_date"), None)
    time = next((f for f in facts.facts if f.id == "incident_time" and f.kind == "time"), None)
    if day is None or time is None or f"date {day.value}" not in told or f"time {time.value}" in told:
        return plain
    written = told[f"date {day.value}"]
    if not _DATE.fullmatch(written):
        return plain
    about = "about " if re.match(r"(?:it was )?about\b", time.say, re.IGNORECASE) else ""
    return plain.replace(written, f"{written} at {about}{time.value}", 1)


def sentence(fact: Fact, thing: str | None) -> str | None:
    """What the customer says of a fact as a sentence that can stand alone; None if it only answers a question.

    Args:
        fact: the customer's.
        thing: what "it" is where the fact is about the insured thing ("the car").
    """
    said = re.sub(r"^(?:Yes|No)[,.!]? +", "", fact.say, flags=re.IGNORECASE).strip().rstrip("!.").strip()
    if thing and fact.id in ("drivable", "vehicle_location"):
        said = re.sub(r"^it('s| is|s)?\b", lambda m: f"{thing}{' is' if m[1] else ''}", said, flags=re.IGNORECASE)
        said = re.sub(r", it\b", " and", said)
    if _ONLY_ANSWERS.match(said) or _DANGLING.search(_GENERIC.sub("", said)):
        return None
    if len(said.split()) < 3 or not _has_verb(said):
        return None
    return f"{said[:1].upper()}{said[1:]}."


def tells(text: str, said: str) -> bool:
    """Whether the text tells already all that the sentence says, be it mistyped in one of them."""
    there, written = content_stems(text), {w.casefold() for w in words(text)}
    return set(exact_values(said)) <= set(exact_values(text)) and all(
        s in there or any(slip(word.casefold(), w) for w in written) for s, word in content_stems(said).items()
    )


def _has_verb(said: str) -> bool:
    spoken = re.findall(r"[a-z']+", said.casefold())
    return any(w in _VERBS or (n and w.endswith("ed") and len(w) > 4) for n, w in enumerate(spoken)) or bool(
        re.match(r"(?:I|we|you|please)\b", said, re.IGNORECASE)
    )


def _heads(pattern: re.Pattern[str], text: str) -> set[str]:
    """What the text speaks of in that manner, in words of one form: of "the crime reference" both words."""
    return _forms(" ".join(pattern.findall(text))) - _NO_THINGS


def _forms(text: str) -> set[str]:
    """The words in small letters, plural or not."""
    return {word.casefold().removesuffix("s") for word in re.findall(r"[A-Za-z]+", text)}


_NO_THINGS = _forms(" ".join(_VERBS)) | {
    "and",
    "of",
    "on",
    "in",
    "at",
    "from",
    "with",
    "to",
    "that",
    "for",
    "left",
    "gave",
}
"""What may stand behind the name of a thing and is none."""


def ordered(sentences: dict[str, str], facts: Facts, told: str) -> Iterator[str]:
    """Fact ids in an order in which nothing is spoken of as known before it was brought up; those left for which it never is
    do not come.

    Args:
        sentences: by fact id, in the author's order.
        facts: all that the customer knows; what one of them brings up ("a note") must have been told before another
            speaks of it ("the note").
        told: what stands before them.
    """
    kinds = {f.id: f.kind for f in facts.facts}
    rest = sorted(sentences, key=lambda i: (i in CONTACT, ORDER.get(kinds[i], len(ORDER))))
    brought = {f.id: _heads(_NEW, f.say) for f in facts.facts}
    while rest:
        known = _forms(told)
        free = [i for i in rest if not _heads(_KNOWN, sentences[i]) & _others(brought, i) - known]
        if not free:
            return
        rest.remove(free[0])
        told = f"{told} {sentences[free[0]]}"
        yield free[0]


def _others(brought: dict[str, set[str]], fact: str) -> set[str]:
    """What facts other than this one bring up."""
    return {head for name, heads in brought.items() if name != fact for head in heads} - brought[fact]


def joined(told: list[tuple[str, str, str]]) -> str:
    """The sentences (id, kind, words) as running text; two short answers to yes or no become one sentence."""
    out: list[str] = []
    before: str | None = None
    for _, kind, said in told:
        last = out[-1] if out else ""
        short = len(last.split()) <= 7 and len(said.split()) <= 7 and " and " not in last + said
        if kind == "yes_no" == before and short:
            first = said if re.match(r"I\b|I'", said) else said[:1].lower() + said[1:]
            out[-1] = f"{last.rstrip('.')}, and {first}"
            before = None
        else:
            out.append(said)
            before = kind
    return " ".join(out)
