"""Readers of plain words: dates, times, amounts, plates, yes and no, references. All of them are pure.

Every finder returns `Found` items with the place where they stand, so that what was read can be taken out of a text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Literal

UNKNOWN = "unknown"
NONE = "none"


@dataclass(frozen=True)
class Found:
    """A value and the half-open span of the text it was read from."""

    value: str
    start: int
    end: int


_MONTHS = {
    m: n
    for n, names in enumerate(
        [
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ],
        start=1,
    )
    for m in names
}
_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?)?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_DATES: list[tuple[re.Pattern[str], tuple[int, int, int]]] = [
    # (pattern, which group is year, month, day); 0 means: not in the pattern
    (re.compile(r"(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])"), (1, 2, 3)),
    (re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?"), (1, 2, 3)),
    (re.compile(rf"{_WEEKDAY}\b{_DAY}(?: of)?[ -]+{_MONTH}(?:,? ?-?(\d{{4}}))?(?!\d)", re.I), (3, 2, 1)),
    (re.compile(rf"\b{_MONTH} (?:the )?{_DAY}\b(?!:)(?:,? (\d{{4}}))?(?!\d)", re.I), (3, 1, 2)),
    (re.compile(r"(?<![\d/.£$€])(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?![\d/])"), (3, 2, 1)),
    (re.compile(r"ngày (\d{1,2}) tháng (\d{1,2})(?: năm (\d{4}))?", re.I), (3, 2, 1)),
]
_RELATIVE = re.compile(r"\b(the day before yesterday|yesterday|last night|today|this morning|this afternoon)\b", re.I)
_DAYS_AGO = {"the day before yesterday": 2, "yesterday": 1, "last night": 1}


def find_dates(text: str, today: date) -> list[Found]:
    """Dates as YYYY-MM-DD in reading order. All-number dates are read day first; a missing year is the latest past one."""
    found: list[Found] = []
    for pattern, (year_at, month_at, day_at) in _DATES:
        for m in pattern.finditer(text):
            if _overlaps(found, m.start(), m.end()):
                continue
            if m.group(month_at) == "may" and not m.group(year_at):
                continue  # the verb
            month_word = m.group(month_at).lower()
            month = _MONTHS.get(month_word) or (int(month_word) if month_word.isdigit() else 0)
            year_word = m.group(year_at)
            value = _make_date(year_word, month, int(m.group(day_at)), today)
            if value:
                found.append(Found(value.isoformat(), m.start(), m.end()))
    for m in _RELATIVE.finditer(text):
        value = today - timedelta(days=_DAYS_AGO.get(m.group(1).lower(), 0))
        found.append(Found(value.isoformat(), m.start(), m.end()))
    return sorted(found, key=lambda f: f.start)


def _make_date(year_word: str | None, month: int, day: int, today: date) -> date | None:
    try:
        if year_word is None:
            this_year = date(today.year, month, day)
            return this_year if this_year <= today else date(today.year - 1, month, day)
        year = int(year_word)
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        return None


_NUMBER_WORDS = {
    w: n
    for n, w in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_SMALL = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_HALF = r"(?:(am|pm|a\.m\.?|p\.m\.?)(?![a-z]))"
_PART = r"(?: (?:in the )?(morning|afternoon|evening|at night))"
_CLOCK = re.compile(rf"(?<![\d.:£$€,])(\d{{1,2}})[:h](\d{{2}})(?::\d{{2}})?(?!\d)\s*{_HALF}?{_PART}?", re.I)
_DOTTED = re.compile(
    rf"(?:(?<=at )|(?<=about )|(?<=around )|(?<=circa )|(?<=time ))(\d{{1,2}})\.(\d{{2}})(?![\d.])\s*{_HALF}?{_PART}?",
    re.I,
)
_DOTTED_HALF = re.compile(rf"(?<![\d.:£$€,])(\d{{1,2}})\.(\d{{2}})\s*{_HALF}", re.I)
_HOUR = re.compile(rf"(?<![\d.:£$€,])(\d{{1,2}})(?:\s*{_HALF}|(?: o'?clock)?{_PART}| o'?clock)", re.I)
_MILITARY = re.compile(r"(?<!\d)([01]\d|2[0-3])([0-5]\d) ?(?:hours|hrs)\b", re.I)
_SPOKEN = re.compile(
    rf"\b(half|quarter|\d{{1,2}}|{_SMALL})(?: minutes?)? (past|to) (\d{{1,2}}|{_SMALL})\b\s*{_HALF}?{_PART}?", re.I
)
_NAMED = re.compile(r"\b(noon|midday|midnight)\b", re.I)
_CHINESE = re.compile(r"(上午|早上|下午|晚上|中午)?\s*(\d{1,2})\s*[点點时時](?:\s*(\d{1,2})\s*分|(半))?")


def find_times(text: str) -> list[Found]:
    """Times of day as HH:MM in reading order. "4:20" alone is taken as written unless the text says afternoon or evening."""
    later = re.search(r"\b(afternoon|evening|tonight|last night)\b", text, re.I) is not None
    found: list[Found] = []
    for start, end, hour, minute, half in _time_matches(text):
        if _overlaps(found, start, end):
            continue
        half = half or ("pm" if later and 1 <= hour < 12 else "")
        if half.startswith("p") and hour < 12:
            hour += 12
        if half.startswith("a") and hour == 12:
            hour = 0
        if 0 <= hour < 24 and 0 <= minute < 60:
            found.append(Found(f"{hour:02d}:{minute:02d}", start, end))
    return sorted(found, key=lambda f: f.start)


def _time_matches(text: str) -> Iterator[tuple[int, int, int, int, str]]:
    for m in _SPOKEN.finditer(text):
        minutes = {"half": 30, "quarter": 15}.get(m.group(1).lower()) or _small_number(m.group(1))
        hour = _small_number(m.group(3))
        if m.group(2).lower() == "to":
            hour, minutes = (hour or 24) - 1, 60 - minutes
        yield m.start(), m.end(), hour, minutes, _half(m.group(4), m.group(5))
    for pattern in (_CLOCK, _DOTTED, _DOTTED_HALF):
        for m in pattern.finditer(text):
            part = m.group(4) if pattern is not _DOTTED_HALF else None
            yield m.start(), m.end(), int(m.group(1)), int(m.group(2)), _half(m.group(3), part)
    for m in _MILITARY.finditer(text):
        yield m.start(), m.end(), int(m.group(1)), int(m.group(2)), "-"
    for m in _HOUR.finditer(text):
        yield m.start(), m.end(), int(m.group(1)), 0, _half(m.group(2), m.group(3))
    for m in _NAMED.finditer(text):
        yield m.start(), m.end(), 0 if m.group(1).lower() == "midnight" else 12, 0, "-"
    for m in _CHINESE.finditer(text):
        half = {"上午": "am", "早上": "am", "下午": "pm", "晚上": "pm", "中午": "pm"}.get(m.group(1) or "", "")
        yield m.start(), m.end(), int(m.group(2)), 30 if m.group(4) else int(m.group(3) or 0), half


def _half(marker: str | None, part: str | None) -> str:
    if marker:
        return marker[0].lower() + "m"
    return {"morning": "am", "afternoon": "pm", "evening": "pm", "at night": "pm"}.get((part or "").lower(), "")


def _small_number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBER_WORDS[word.lower()]


_CURRENCY = {
    "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "quid": "GBP", "sterling": "GBP",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "usd": "USD", "dollars": "USD",
}  # fmt: skip
_FIGURE = r"(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)\s?(k\b|thousand\b|grand\b|hundred\b)?"
_LED = re.compile(rf"(£|€|\$|\bGBP|\bEUR|\bUSD)\s?{_FIGURE}", re.I)
_TRAILED = re.compile(
    rf"(?<![\w.,])~?{_FIGURE}\s?(£|€|\$|gbp|eur|usd|pounds?|quid|euros?|dollars|sterling)(?!\w)", re.I
)
_BARE = re.compile(rf"(?<![\w.,:/-]){_FIGURE}(?![\w:/-]|\.\d)", re.I)
_WORD_AMOUNT = re.compile(rf"\b((?:(?:{_SMALL}|hundred|thousand|and|a)[ -])+)(pounds?|quid|euros?|dollars)\b", re.I)
_SCALE = {"k": 1000, "thousand": 1000, "grand": 1000, "hundred": 100}


def find_amounts(text: str, bare: bool = False) -> list[Found]:
    """Amounts as "1240.00 GBP" in reading order.

    Args:
        text: where to look.
        bare: figures without a currency count as pounds; for answers to a question about money.
    """
    found: list[Found] = []
    for m in _LED.finditer(text):
        _add_amount(found, m, m.group(1), m.group(2), m.group(3))
    for m in _TRAILED.finditer(text):
        _add_amount(found, m, m.group(3), m.group(1), m.group(2))
    for m in _WORD_AMOUNT.finditer(text):
        total = _words_to_number(m.group(1))
        if total:
            _add_amount(found, m, m.group(2), str(total), None)
    if bare and not found:
        for m in _BARE.finditer(text):
            _add_amount(found, m, "gbp", m.group(1), m.group(2))
    return sorted(found, key=lambda f: f.start)


def _add_amount(found: list[Found], m: re.Match[str], currency: str, figure: str, scale: str | None) -> None:
    if _overlaps(found, m.start(), m.end()):
        return
    try:
        value = Decimal(figure.replace(",", "")) * _SCALE.get((scale or "").lower(), 1)
    except InvalidOperation:
        return
    found.append(Found(f"{value:.2f} {_CURRENCY[currency.lower()]}", m.start(), m.end()))


def _words_to_number(words: str) -> int:
    total = current = 0
    for word in re.split(r"[ -]+", words.lower().strip()):
        if word in ("and", ""):
            continue
        if word == "a":
            current = current or 1
        elif word == "hundred":
            current = (current or 1) * 100
        elif word == "thousand":
            total, current = total + (current or 1) * 1000, 0
        else:
            current += _NUMBER_WORDS[word]
    return total + current


_UK_PLATE = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{2}\d{2})\s?([A-Za-z]{3})(?![A-Za-z0-9])")
_OLD_PLATE = re.compile(r"(?<![A-Za-z0-9])([A-Z]\d{1,3}|[A-Z]{3})\s?([A-Z]{3}|\d{1,3}[A-Z])(?![A-Za-z0-9])")
_ANY_PLATE = re.compile(
    r"(?<![\w-])(?=[A-Z0-9\u4e00-\u9fff -]{0,8}\d)[A-Z\u4e00-\u9fff][A-Z0-9]{0,3}[ -]?[A-Z0-9]{1,5}(?:[ -][A-Z0-9]{1,4})?(?![\w-])"
)


def find_plates(text: str, asked: bool = False) -> list[Found]:
    """Registration numbers, upper case with one space ("AB12 CDE").

    Args:
        text: where to look.
        asked: the customer was asked for a plate, so that forms of other countries count too.
    """
    found = [Found(f"{m[1]} {m[2]}".upper(), m.start(), m.end()) for m in _UK_PLATE.finditer(text)]
    if not found:
        found = [
            Found(f"{m[1]} {m[2]}", m.start(), m.end()) for m in _OLD_PLATE.finditer(text) if re.search(r"\d", m[0])
        ]
    if not found and asked:
        found = [Found(m[0], m.start(), m.end()) for m in _ANY_PLATE.finditer(text) if re.search(r"\d", m[0])]
    return found


_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w£$€.])(\+?\d[\d ()-]{7,17}\d)(?!\w)")


def find_emails(text: str) -> list[Found]:
    """Email addresses."""
    return [Found(m[0].rstrip("."), m.start(), m.end()) for m in _EMAIL.finditer(text)]


def find_phones(text: str) -> list[Found]:
    """Telephone numbers of nine digits or more."""
    return [
        Found(" ".join(m[1].split()), m.start(), m.end())
        for m in _PHONE.finditer(text)
        if sum(c.isdigit() for c in m[1]) >= 9
    ]


_REFERENCE = re.compile(
    r"(?:\breference|\bref\b\.?|\bcrime|\bincident|\bcad\b|\bnumber|\blog)[^.?!\n]{0,30}?(?<![\w£])((?=[\w/.-]*\d)[A-Z0-9][A-Z0-9/.-]{2,}[A-Z0-9])",
    re.I,
)
_REFERENCE_ALONE = re.compile(
    r"(?<![\w£])((?=[A-Z0-9/.-]*\d)(?=[A-Z0-9/.-]*[A-Z/])[A-Z0-9][A-Z0-9/.-]{3,}[A-Z0-9])(?!\w)"
)


def find_references(text: str) -> list[Found]:
    """Reference numbers as the customer wrote them."""
    found = [Found(m[1], m.start(1), m.end(1)) for m in _REFERENCE.finditer(text)]
    return found or [Found(m[1], m.start(1), m.end(1)) for m in _REFERENCE_ALONE.finditer(text)]


_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|certainly|of course|correct|right|indeed|it (?:is|can|does)(?=\W*(?:,|;|$))|是|对|可以|能|có)(?!\w)",
    re.I,
)
_NO = re.compile(
    r"^\W*(?:no|nope|nah|none|nobody|no[- ]one|not|neither|nothing|luckily no\w*|thankfully no\w*|fortunately no\w*|没有|没|不|không)(?!\w)",
    re.I,
)
_NEGATION = re.compile(
    r"\b(?:no|not|none|nobody|no[- ]one|never|neither|without|nothing|cannot|can't|cant|won't|wont|isn't|isnt|wasn't|"
    r"wasnt|weren't|werent|didn't|didnt|doesn't|doesnt|haven't|havent|hasn't|hasnt|don't|dont|unable|couldn't|n't)\b|"
    r"n[’']t\b|没|不",
    re.I,
)


def polarity(text: str) -> Literal["yes", "no"] | None:
    """How a text that begins with yes or no begins; None if with neither."""
    if _NO.search(text):
        return "no"
    return "yes" if _YES.search(text) else None


def negated(text: str) -> bool:
    """True if the text holds a word that denies."""
    return _NEGATION.search(text) is not None


_DONT_KNOW = re.compile(
    r"\b(?:don[’']?t|do not|didn[’']?t|did not|doesn[’']?t|wouldn[’']?t|couldn[’']?t|could not|can[’']?t|cannot|can not)"
    r" (?:really |actually |quite |honestly |even )*"
    r"(?:know|remember|recall|say|tell(?: you)?(?! the (?:police))|see (?:it|him|her|them|who|what|the|any)|catch|get (?:his|her|their|the)|have (?:that|it|any|a name|the name)|think so know)"
    r"|\b(?:i|we) not (?:really )?(?:know|remember|sure)\b|\bi am not knowing\b"
    r"|\b(?:not|un)\s?-?(?:sure|certain)\b|\bno idea\b|\bno clue\b|\bhaven[’']?t (?:a clue|got that|the faintest)\b"
    r"|\bunknown\b|\bidk\b|\bdunno\b|\bwho knows\b|\bnot that i know\b|\bno (?:name|details)\b|\bbeats me\b|\bno details\b|不知道|不清楚|không biết",
    re.I,
)


def says_unknown(text: str) -> bool:
    """True if the text says that something is not known."""
    return _DONT_KNOW.search(text) is not None


def _overlaps(found: list[Found], start: int, end: int) -> bool:
    return any(f.start < end and start < f.end for f in found)


def show_date(value: str) -> str:
    """YYYY-MM-DD as "9 March 2026"; anything else unchanged."""
    try:
        d = date.fromisoformat(value)
    except ValueError:
        return value
    name = next(m for m, n in _MONTHS.items() if n == d.month)
    return f"{d.day} {name.capitalize()} {d.year}"


def show_amount(value: str) -> str:
    """ "1240.00 GBP" as "£1,240.00"; anything else unchanged."""
    figure, _, currency = value.partition(" ")
    try:
        amount = Decimal(figure)
    except InvalidOperation:
        return value
    sign = {"GBP": "£", "EUR": "€", "USD": "$"}.get(currency, "")
    return f"{sign}{amount:,.2f}" if sign else f"{amount:,.2f} {currency}"


def swap_day_month(value: str) -> str:
    """YYYY-MM-DD with day and month exchanged where both readings are dates; anything else unchanged."""
    try:
        d = date.fromisoformat(value)
        return date(d.year, d.day, d.month).isoformat()
    except ValueError:
        return value
