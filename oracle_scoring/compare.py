"""Comparing values, each kind by its own explicit rule. Nothing is guessed: what no format fits is not a value.

Formats that are read:

- dates: `YYYY-MM-DD`, `YYYY-MM`, `YYYY`, a day or month written with the month's name, `YYYY年M月D日`; numeric dates with
  `/` or `.` only where the locale is given. A partial date stays partial.
- times: `HH:MM` and `HH:MM:SS`, 24 hours.
- amounts: `1240.00 GBP`, `GBP 1,240.00`, `£1,240.00`; without a currency it is a number, not an amount.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from harness.schema.visible import FactKind

UNKNOWN = "unknown"
"""The customer does not know: a legitimate answer."""
NONE = "none"
"""There is none, for instance no police reference."""


@dataclass(frozen=True)
class Comparison:
    """Whether two values are the same, and how they differ."""

    same: bool | None
    """None: the rule cannot say; a person has to."""
    why: str
    """Ends a sentence that begins with the value's name; empty if they are the same."""


SAME = Comparison(True, "")


def fold_text(text: str) -> str:
    """Composed form (NFC), case and white space folded. Tones and other marks are kept, and đ is not d."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def no_value(text: str) -> bool:
    """The text says that there is nothing to say: `unknown` or `none`, in any case."""
    return fold_text(text) in (UNKNOWN, NONE)


# Dates -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PartialDate:
    """A date as far as it was given; a part that was not given is None and is never filled in."""

    year: int | None
    month: int | None
    day: int | None

    def __str__(self) -> str:
        year = f"{self.year:04d}" if self.year is not None else "????"
        month = f"-{self.month:02d}" if self.month is not None else ""
        day = f"-{self.day:02d}" if self.day is not None else ""
        return f"{year}{month}{day}"

    def missing(self) -> list[str]:
        """Names of the parts that were not given."""
        return [name for name in ("year", "month", "day") if getattr(self, name) is None]

    def full(self) -> date | None:
        """The day, if all parts were given."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)


_MONTH_NAMES = (
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
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names}
_MN = rf"(?P<mn>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"
_D, _M, _Y = r"(?P<d>\d{1,2})", r"(?P<m>\d{1,2})", r"(?P<y>\d{4})"
_DAY_WORD = rf"{_D}(?:st|nd|rd|th)?"
_ANYWHERE = (
    rf"{_Y}-(?P<m>\d{{2}})-(?P<d>\d{{2}})",
    rf"{_DAY_WORD}(?: of)? {_MN}\.?,? {_Y}",
    rf"{_MN}\.? {_DAY_WORD},? {_Y}",
    rf"{_Y} ?年 ?{_M} ?月 ?{_D} ?[日号]",
    rf"ngày {_D} tháng {_M} năm {_Y}",
    rf"{_DAY_WORD}(?: of)? {_MN}",
    rf"{_MN} {_DAY_WORD}",
    rf"{_MN}\.? {_Y}",
)
_PARTIAL_ISO = (rf"{_Y}-(?P<m>\d{{2}})", _Y)
_BY_LOCALE: dict[str, tuple[str, ...]] = {
    "en-GB": (rf"{_D}[/.]{_M}[/.]{_Y}",),
    "en-US": (rf"{_M}/{_D}/{_Y}",),
    "de": (rf"{_D}\.{_M}\.{_Y}",),
    "vi": (rf"{_D}/{_M}/{_Y}",),
    "zh": (rf"{_Y}/{_M}/{_D}",),
}
LOCALES = tuple(_BY_LOCALE)


def _partial(match: re.Match[str]) -> PartialDate | None:
    got = match.groupdict()
    month = _MONTHS[got["mn"]] if got.get("mn") else int(got["m"]) if got.get("m") else None
    day = int(got["d"]) if got.get("d") else None
    year = int(got["y"]) if got.get("y") else None
    try:
        date(year if year else 2000, month or 1, day or 1)  # 2000: a leap year, so that 29 February may stand alone
    except ValueError:
        return None
    return PartialDate(year, month, day)


def parse_date(text: str, locale: str | None = None) -> PartialDate | None:
    """The date that the whole text is, or None if no format fits. Numeric day-month orders need a locale."""
    flat = fold_text(text)
    for pattern in (*_ANYWHERE, *_PARTIAL_ISO, *_BY_LOCALE.get(locale or "", ())):
        match = re.fullmatch(pattern, flat)
        if match:
            return _partial(match)
    return None


def dates_in(text: str, locale: str | None = None) -> list[PartialDate]:
    """All dates a running text shows, in the formats of `parse_date`; a bare year or year-month is not one."""
    flat, found = fold_text(text), []
    for pattern in (*_ANYWHERE, *_BY_LOCALE.get(locale or "", ())):
        for match in re.finditer(rf"(?<![\w-]){pattern}(?![\w-])", flat):
            got = _partial(match)
            if got:
                found.append((match.start(), got))
        flat = re.sub(rf"(?<![\w-]){pattern}(?![\w-])", lambda m: "\x00" * len(m.group()), flat)
    return [d for _, d in sorted(found, key=lambda pair: pair[0])]


def compare_date(expected: str, got: str) -> Comparison:
    """Same day (or the same partial date). Says so if day and month changed places or the day moved by one."""
    want, have = parse_date(expected), parse_date(got)
    if want is None or have is None:
        return Comparison(False, f"is “{got}”, which is not a date in any of the agreed formats")
    if want == have:
        return SAME
    if have.missing() and not want.missing():
        return Comparison(False, f"is only partly there: {have} lacks {' and '.join(have.missing())}; right is {want}")
    if (want.year, want.month, want.day) == (have.year, have.day, have.month):
        return Comparison(False, f"has day and month swapped: {have} instead of {want}")
    one, other = want.full(), have.full()
    if one and other and abs(one - other) == timedelta(days=1):
        return Comparison(False, f"is off by one day: {have} instead of {want}")
    return Comparison(False, f"is {have} instead of {want}")


# Times -----------------------------------------------------------------------------------------------------------------

_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")


def parse_time(text: str) -> tuple[int, int, int] | None:
    """(hour, minute, second) of `HH:MM` or `HH:MM:SS`; None for anything else."""
    match = _TIME.fullmatch(text.strip())
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def compare_time(expected: str, got: str) -> Comparison:
    """Same minute and second. Says so if they are twelve hours apart."""
    want, have = parse_time(expected), parse_time(got)
    if want is None or have is None:
        return Comparison(False, f"is “{got}”, which is not a time HH:MM")
    if want == have:
        return SAME
    if want[1:] == have[1:] and abs(want[0] - have[0]) == 12:
        return Comparison(False, f"is twelve hours off: {got} instead of {expected}")
    return Comparison(False, f"is {got} instead of {expected}")


# Amounts ---------------------------------------------------------------------------------------------------------------

_SIGNS = {"£": "GBP", "$": "USD", "€": "EUR", "¥": "CNY"}
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"(?:(?P<sign>[£$€¥])|(?P<before>[A-Z]{{3}}))? ?(?P<number>{_NUMBER})(?: ?(?P<after>[A-Z]{{3}}))?"
)


@dataclass(frozen=True)
class Amount:
    """Money; `currency` is None where none was given."""

    number: Decimal
    currency: str | None


def _amount(match: re.Match[str]) -> Amount | None:
    sign, before, after = match["sign"], match["before"], match["after"]
    named = {c for c in (_SIGNS.get(sign or ""), before, after) if c}
    if len(named) > 1:
        return None
    return Amount(Decimal(match["number"].replace(",", "")), next(iter(named), None))


def parse_amount(text: str) -> Amount | None:
    """The amount that the whole text is. A comma is a thousands mark only before three digits; otherwise no amount."""
    match = _AMOUNT.fullmatch(" ".join(text.split()))
    return _amount(match) if match else None


def amounts_in(text: str) -> list[Amount]:
    """All numbers of a running text, with their currency where it stands beside them."""
    flat = " ".join(text.split())
    found = [_amount(m) for m in re.finditer(rf"(?<![\w.,]){_AMOUNT.pattern}(?![\w])", flat)]
    return [a for a in found if a is not None]


def compare_amount(expected: str, got: str) -> Comparison:
    """Same number, exactly, in the same currency."""
    want, have = parse_amount(expected), parse_amount(got)
    if want is None or have is None:
        return Comparison(False, f"is “{got}”, which is not an amount with its currency")
    if want == have:
        return SAME
    if want.number == have.number:
        return Comparison(False, f"is in {have.currency or 'no currency'} instead of {want.currency}")
    return Comparison(False, f"is {got} instead of {expected}")


# Plates and references -------------------------------------------------------------------------------------------------

_ASCII_UPPER = {ord(c): ord(c.upper()) for c in "abcdefghijklmnopqrstuvwxyz"}
_LOOKALIKE = str.maketrans("OQISZBАВЕКМНОРСТУХІ", "001528A8EKMH0PCTYX1")


def _joined(text: str) -> str:
    return "".join(text.split())


def _separated(text: str) -> str:
    return re.sub(r"[\s\-·]+", "-", text.strip())


def _spaced(text: str) -> str:
    return " ".join(text.split())


PLATE_RULES: dict[str, Callable[[str], str]] = {"GB": _joined, "DE": _separated}
"""Country -> what is folded beside ASCII case. GB: spaces carry no meaning. DE: they part district from letters."""


def fold_plate(text: str, country: str = "GB") -> str:
    """The plate by its country's rule. Characters that look alike stay different; an unknown country keeps separators."""
    flat = unicodedata.normalize("NFC", text).translate(_ASCII_UPPER)
    return PLATE_RULES.get(country, _spaced)(flat)


def compare_plate(expected: str, got: str, country: str = "GB") -> Comparison:
    """Same plate by the country's rule. Says so if the difference is one of characters that look alike."""
    want, have = fold_plate(expected, country), fold_plate(got, country)
    if want == have:
        return SAME
    if want.translate(_LOOKALIKE) == have.translate(_LOOKALIKE):
        return Comparison(False, f"is {got} instead of {expected}: characters that look alike were exchanged")
    return Comparison(False, f"is {got} instead of {expected}")


def compare_reference(expected: str, got: str) -> Comparison:
    """Same reference number: case and spaces fold, separators and characters count."""
    return compare_plate(expected, got, "GB")


# Other kinds -----------------------------------------------------------------------------------------------------------


def fold_phone(text: str) -> str:
    """Digits, with a British national 0 written as +44; spaces, brackets, points and hyphens carry no meaning."""
    digits = re.sub(r"[\s().\-]", "", text).replace("+440", "+44", 1)
    digits = "+" + digits[2:] if digits.startswith("00") else digits
    return "+44" + digits[1:] if re.fullmatch(r"0\d{9,10}", digits) else digits


def compare_text(expected: str, got: str) -> Comparison:
    """Same text after `fold_text`."""
    if fold_text(expected) == fold_text(got):
        return SAME
    return Comparison(False, f"is “{got}” instead of “{expected}”")


MORE_WORDS = 8
"""So many words a value may have beyond twice the expected ones and still be a fuller way to say the same."""
LIKELY_SAME = 0.5
"""At this share of the expected words, a differing account may mean the same, which a person has to say."""


def compare_words(expected: str, got: str) -> Comparison:
    """The expected words stand in the value, in order and unbroken, and it is not much longer; punctuation is no word.

    "In the car park, Mill Road." holds "car park, Mill Road". Case is folded; tones and other marks count.
    """
    want, have = _word_list(expected), _word_list(got)
    held = any(have[i : i + len(want)] == want for i in range(len(have) - len(want) + 1))
    if want and held and len(have) <= 2 * len(want) + MORE_WORDS:
        return SAME
    return Comparison(False, f"is “{got}” instead of “{expected}”")


def compare_account(expected: str, got: str) -> Comparison:
    """As `compare_words`; an account in other words that shares at least half of the telling ones is left to a person."""
    result = compare_words(expected, got)
    want, have = _telling(expected), _telling(got)
    if not result.same and want and len(want & have) / len(want) >= LIKELY_SAME:
        return Comparison(None, f"is “{got}”, in other words than “{expected}”")
    return result


def _telling(text: str) -> set[str]:
    """Words that carry meaning: of four letters or more, with a digit, or beyond ASCII."""
    return {w for w in _word_list(text) if len(w) > 3 or not w.isascii() or any(c.isdigit() for c in w)}


def _word_list(text: str) -> list[str]:
    return re.findall(r"\w+", fold_text(text).replace("'", "").replace("’", ""))


def contains_words(text: str, part: str) -> bool:
    """`part` stands in `text`, both folded, not inside a longer word or number."""
    flat = fold_text(part)
    return bool(flat) and re.search(rf"(?<!\w){re.escape(flat)}(?!\w)", fold_text(text)) is not None


def compare_yes_no(expected: str, got: str) -> Comparison:
    """`yes`, `no` or `unknown`, nothing else."""
    if fold_text(got) not in ("yes", "no", UNKNOWN):
        return Comparison(False, f"is “{got}”, which is neither yes nor no")
    return SAME if fold_text(expected) == fold_text(got) else Comparison(False, f"is {got} instead of {expected}")


def compare_phone(expected: str, got: str) -> Comparison:
    """Same number after `fold_phone`."""
    return SAME if fold_phone(expected) == fold_phone(got) else Comparison(False, f"is {got} instead of {expected}")


def compare_exact(expected: str, got: str) -> Comparison:
    """Same characters in composed form (NFC); case counts, white space is folded."""
    want, have = (" ".join(unicodedata.normalize("NFC", t).split()) for t in (expected, got))
    return SAME if want == have else Comparison(False, f"is “{got}” instead of “{expected}”")


_BY_KIND: dict[str, Callable[[str, str], Comparison]] = {
    "date": compare_date,
    "time": compare_time,
    "amount": compare_amount,
    "plate": compare_plate,
    "yes_no": compare_yes_no,
    "reference": compare_reference,
    "phone": compare_phone,
    "place": compare_words,
    "name": compare_words,
    "text": compare_account,
}
_BY_RULE: dict[str, Callable[[str, str], Comparison]] = {
    "exact": compare_exact,
    "date": compare_date,
    "time": compare_time,
    "amount": compare_amount,
    "plate": compare_plate,
    "yes_no": compare_yes_no,
    "unknown": compare_text,
}


def compare_value(kind: FactKind, expected: str, got: str, rule: str | None = None) -> Comparison:
    """Whether a stored value is the expected one.

    Args:
        kind: the fact's kind; its own rule decides where `rule` is None or `text` (e-mails: as text).
        rule: `compare` of the oracle's fact; any rule but `text` takes the kind's place.
    """
    if no_value(expected) or no_value(got):
        if fold_text(expected) == fold_text(got):
            return SAME
        held = "as unknown" if fold_text(got) == UNKNOWN else "as none" if fold_text(got) == NONE else f"as “{got}”"
        return Comparison(False, f"is held {held}; right is “{expected}”")
    if rule is None or rule == "text":
        return _BY_KIND.get(kind, compare_text)(expected, got)
    return _BY_RULE[rule](expected, got)


def mentions(kind: FactKind, value: str, text: str, locale: str | None = "en-GB") -> bool:
    """A running text shows the value, in any of the formats of its kind."""
    if no_value(value):
        return False
    if kind == "date":
        want = parse_date(value)
        return want is not None and any(_agree(want, shown) for shown in dates_in(text, locale))
    if kind == "amount":
        wanted = parse_amount(value)
        return wanted is not None and any(
            shown.number == wanted.number and shown.currency in (None, wanted.currency) for shown in amounts_in(text)
        )
    if kind in ("plate", "reference"):
        return fold_plate(value) in fold_plate(text)
    if kind == "phone":
        return fold_phone(value) in fold_phone(text)
    if kind == "yes_no":
        return False
    return contains_words(text, value)


def _agree(want: PartialDate, shown: PartialDate) -> bool:
    return (want.month, want.day) == (shown.month, shown.day) and shown.year in (None, want.year)
