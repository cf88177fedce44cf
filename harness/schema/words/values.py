"""Values inside free text: dates, times, amounts, numbers, codes. Used to see what a message tells and where it comes from."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from harness.schema.visible import Fact
from harness.schema.wording import asked as asked_about
from harness.schema.wording import fold, sentences
from harness.schema.words.lexicon import finds

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_SHORT = frozenset(name[:3] for name in MONTHS)
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_EITHER_FIRST = re.compile(r"\b(?P<d>\d{1,2})[/.](?P<m>\d{1,2})[/.](?P<y>\d{4})\b")
_DATES: dict[re.Pattern[str], Collection[str]] = {
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b"): "-",
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<mn>{_MONTH})\b\.?,?(?: (?P<y>\d{{4}}))?"): _SHORT,
    re.compile(rf"\b(?P<mn>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y>\d{{4}}))?"): _SHORT,
    re.compile(r"(?:(?P<y>\d{4}) ?年 ?)?(?P<m>\d{1,2}) ?月 ?(?P<d>\d{1,2}) ?[日号]"): "月",
    re.compile(r"(?:ngày )?(?P<d>\d{1,2}) tháng (?P<m>\d{1,2})(?: năm (?P<y>\d{4}))?"): ("tháng",),
    _EITHER_FIRST: "/.",
}
"""Pattern -> signs, one of which stands in every date of that form: the others need no look."""
_TIMES = [
    re.compile(r"\b(?P<h>[01]?\d|2[0-3])[:.](?P<m>[0-5]\d)(?::[0-5]\d)? ?(?P<ap>[ap]\.?m\b)?"),
    re.compile(r"\b(?P<h>1[0-2]|0?\d) ?(?P<ap>[ap]\.?m)\b"),
    re.compile(r"(?P<cn>上午|下午|晚上|早上|中午)?(?P<h>\d{1,2}) ?[点時时](?P<m>[0-5]?\d)?(?:分)?"),
]
_NUMBER = re.compile(r"\d[\d,.]*")
_RUN = re.compile(r"[a-z0-9][a-z0-9-]*")
"""A code is such a run with a digit and a letter in it; looked at afterwards, so that long runs cost no more than short."""
_MIXED = re.compile(r"[a-z]-*[0-9]|[0-9]-*[a-z]")
"""Stands in every code."""
_GB_PLATE = re.compile(r"\b[a-z]{2}\d{2} ?[a-z]{3}\b")
NUMBER_WORDS = {
    w: str(i)
    for i, w in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}


@dataclass(frozen=True)
class Values:
    """What a text holds, canonical."""

    dates: frozenset[tuple[int | None, int, int]]
    """(year or None, month, day)."""
    times: frozenset[str]
    """HH:MM."""
    numbers: frozenset[Decimal]
    """Every other number, amounts included."""
    codes: frozenset[str]
    """Plates, references: letters and digits without separators, upper case."""


NO_VALUES = Values(frozenset(), frozenset(), frozenset(), frozenset())
_DIGIT = re.compile(r"\d")


def decimal(text: str) -> Decimal | None:
    """`1,240.00` as a number; a trailing point or comma is punctuation."""
    try:
        return Decimal(text.rstrip(".,").replace(",", "")).normalize()
    except InvalidOperation:
        return None


@lru_cache(maxsize=1024)
def values(text: str) -> Values:
    """All values of a text. Each character belongs to one value at most; dates win over times, times over numbers."""
    flat = fold(text)
    if not _DIGIT.search(flat):
        return NO_VALUES
    dates: set[tuple[int | None, int, int]] = set()
    times: set[str] = set()
    for pattern, signs in _DATES.items():
        if not any(sign in flat for sign in signs):
            continue
        for match in pattern.finditer(flat):
            got = match.groupdict()
            month = MONTHS[got["mn"]] if got.get("mn") else int(got["m"])
            day = int(got["d"])
            year = int(got["y"]) if got.get("y") else None
            if 1 <= month <= 12 and 1 <= day <= 31:
                dates.add((year, month, day))
            elif pattern is _EITHER_FIRST and 1 <= day <= 12:
                dates.add((year, day, month))
            flat = flat[: match.start()] + " " * (match.end() - match.start()) + flat[match.end() :]
    for pattern in _TIMES:
        for match in pattern.finditer(flat):
            got = match.groupdict()
            if pattern is _TIMES[0] and not got["ap"] and re.match(r"\d", flat[match.end() : match.end() + 1] or " "):
                continue
            if pattern is _TIMES[0] and "." in match.group() and not got["ap"]:
                continue
            hour, minute = int(got["h"]), int(got.get("m") or 0)
            late = (got.get("ap") or "").startswith("p") or got.get("cn") in ("下午", "晚上")
            early = (got.get("ap") or "").startswith("a")
            hour = hour + 12 if late and hour < 12 else 0 if early and hour == 12 else hour
            times.add(f"{hour:02d}:{minute:02d}")
            flat = flat[: match.start()] + " " * (match.end() - match.start()) + flat[match.end() :]
    codes: set[str] = set()

    def take(match: re.Match[str]) -> str:
        found = match.group()
        if not (any("0" <= c <= "9" for c in found) and any("a" <= c <= "z" for c in found)):
            return found
        codes.add(_bare(found))
        return " " * len(found)

    if _MIXED.search(flat):
        for pattern in (_GB_PLATE, _RUN):
            flat = pattern.sub(take, flat)
    numbers = {n for m in _NUMBER.finditer(flat) if (n := decimal(m.group())) is not None}
    return Values(frozenset(dates), frozenset(times), frozenset(numbers), frozenset(codes))


def _bare(text: str) -> str:
    return "".join(c for c in text if c.isalnum()).upper()


def same_date(a: tuple[int | None, int, int], b: tuple[int | None, int, int]) -> bool:
    """Month and day agree, and the year where both have one."""
    return a[1:] == b[1:] and (a[0] is None or b[0] is None or a[0] == b[0])


@lru_cache(maxsize=1024)
def words(text: str) -> frozenset[str]:
    """Folded words of three letters or more, without marks; Chinese as pairs of characters."""
    flat = fold(unicodedata.normalize("NFC", text))
    latin = {w for w in re.findall(r"[^\W\d_]{3,}", flat) if not _is_cjk(w[0])}
    runs = re.findall(r"[\u3400-\u9fff]+", flat)
    return frozenset(latin | {run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))})


def _is_cjk(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff"


_WEAK = frozenset(
    [
        "the",
        "and",
        "was",
        "were",
        "that",
        "this",
        "with",
        "for",
        "from",
        "but",
        "not",
        "have",
        "has",
        "had",
        "its",
        "it's",
        "they",
        "them",
        "there",
        "their",
        "about",
        "into",
        "just",
        "very",
    ]
)


@lru_cache(maxsize=4096)
def tells(fact: Fact, message: str, asked: bool) -> bool:
    """The message tells this fact.

    A value of its own (date, time, amount, plate, code) is recognised anywhere. Words and yes/no are recognised by the
    fact's own wording, or, where the fact was asked for in this turn, by most of its words.
    """
    own, found = values(f"{fact.value}"), values(message)
    if fact.kind == "date":
        return any(same_date(a, b) for a in own.dates for b in found.dates)
    if fact.kind == "time":
        return bool(own.times & found.times)
    if fact.kind == "amount":
        return bool(own.numbers & found.numbers)
    if fact.kind in ("plate", "reference") and own.codes:
        return bool(own.codes & found.codes)
    if fact.kind == "email":
        return fact.value.casefold() in message.casefold()
    if fact.kind == "phone":
        return _bare(fact.value) in _bare(message)
    flat = fold(message)
    if fold(fact.say).rstrip(".!。") in flat:
        return True
    if fact.value == "none" and _says_none(fact, message):
        return True
    if fact.kind == "yes_no":
        start = {"yes": r"^(yes|yeah|yep|是|有|对)", "no": r"^(no|nope|没|不|否)"}.get(fact.value, "^$")
        return asked and (bool(re.search(start, flat)) or _overlap(fact.say, message) >= 0.6)
    return fold(fact.value) in flat or _overlap(fact.value, message) >= (0.5 if asked else 0.8)


_NEGATED = re.compile(r"\b(no|none|not|never|nothing)\b|n't\b|没|不|\bkhông\b")


def _says_none(fact: Fact, message: str) -> bool:
    """A sentence that names the fact and says no, other than by not knowing: "I did not call the police."."""
    return any(
        _NEGATED.search(fold(sentence)) and not finds("dont_know", sentence) and fact.id in named_facts(sentence)
        for sentence in sentences(message)
    )


def named_facts(sentence: str) -> list[str]:
    """Ids of the facts that a statement is about, by the words with which they are asked for."""
    return list(dict.fromkeys(a.fact for a in asked_about(f"{sentence.rstrip('.!。！ ')}?")))


def in_own_words(fact: Fact, message: str) -> bool:
    """The message tells the fact by more than a yes or no at its head: by its wording, or most of its words."""
    return fold(fact.say).rstrip(".!。") in fold(message) or _overlap(fact.say, message) >= 0.6


def told_by(facts: Sequence[Fact], message: str, asked: Collection[str]) -> list[str]:
    """Ids of the facts a message tells.

    A day (a time, an amount) that several facts share tells those that were asked for; if none was, the first of them.
    A yes or no at the head of a message that answers one of two questions in its own words ("No, nobody was hurt.") does
    not answer the other.
    """
    told = [f for f in facts if tells(f, message, f.id in asked)]
    sides = [f for f in told if f.kind == "yes_no" and f.id in asked]
    worded = [f for f in sides if in_own_words(f, message)]
    told = [f for f in told if not worded or f not in sides or f in worded]
    shared: dict[tuple[str, str], list[str]] = {}
    for fact in told:
        if fact.kind in ("date", "time", "amount"):
            shared.setdefault((fact.kind, fact.value), []).append(fact.id)
    kept = {i for ids in shared.values() for i in ([f for f in ids if f in asked] or ids[:1])}
    return [f.id for f in told if f.id in kept or f.kind not in ("date", "time", "amount")]


def _overlap(part: str, whole: str) -> float:
    own = words(part) - _WEAK
    return len(own & words(whole)) / len(own) if own else 0.0
