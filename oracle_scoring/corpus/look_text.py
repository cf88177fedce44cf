"""Comparing what was read in a picture with what should stand there: letters are mistaken for one another, words seldom."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date

import numpy as np

from harness.schema.visible import FactKind
from oracle_scoring.corpus.values import parse_date

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
ALIKE = {"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b"}
"""Letters that readers of pictures take for one another."""
EXACT: frozenset[FactKind] = frozenset({"date", "time", "amount", "plate", "reference", "phone", "email"})
"""Kinds of which a single other character makes another value."""
SLACK = 8
"""One wrong letter is forgiven for every so many of any other text."""
BETWEEN = r"[\W_]{0,3}"
"""What may stand between two characters of a value: blanks, a comma, a line break."""
_FORMS = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%d %m %Y", "%m %d %Y", "%Y %m %d", "%d %m %y")
_TRANSLATE = str.maketrans(ALIKE)


def squeeze(text: str) -> str:
    """Letters and digits only, case and width folded, letters that look alike made one."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in flat if c.isalnum()).translate(_TRANSLATE)


def words(text: str) -> list[str]:
    """Latin words and runs of Chinese, squeezed."""
    return [squeeze(w) for w in WORD.findall(unicodedata.normalize("NFKC", text).casefold()) if squeeze(w)]


def distance(needle: str, hay: str) -> int:
    """Fewest wrong, missing or extra characters with which `needle` stands somewhere in `hay` (Sellers 1980)."""
    if not needle or needle in hay:
        return 0
    if not hay:
        return len(needle)
    codes = np.frombuffer(hay.encode("utf-32-le"), dtype=np.uint32)
    steps = np.arange(len(hay) + 1)
    row = np.zeros(len(hay) + 1, dtype=np.int64)
    for number, char in enumerate(needle, 1):
        fresh = np.empty_like(row)
        fresh[0] = number
        fresh[1:] = np.minimum(row[:-1] + (codes != ord(char)), row[1:] + 1)
        row = np.minimum.accumulate(fresh - steps) + steps
    return int(row.min())


def _pattern(value: str) -> re.Pattern[str] | None:
    """Finds the value's letters and digits in a row, look-alikes allowed, not as a part of a longer number."""
    flat = unicodedata.normalize("NFKC", value).casefold()
    alike: dict[str, str] = {}
    for char, other in ALIKE.items():
        alike[other] = alike.get(other, re.escape(other)) + re.escape(char)
    chars = [c for c in flat if c.isalnum()]
    if not chars:
        return None
    parts = [f"[{alike[s]}]" if (s := c.translate(_TRANSLATE)) in alike else re.escape(c) for c in chars]
    before = r"(?<![0-9])(?<![0-9][.,])" if chars[0].isdigit() else r"(?<![^\W_])"
    after = r"(?![0-9])" if chars[-1].isdigit() else r"(?![^\W_])"
    return re.compile(before + BETWEEN.join(parts) + after)


def stands_in(kind: FactKind, printed: str, texts: Iterable[str]) -> bool:
    """Whether a printed value was read in one of the texts.

    Of numbers, dates, plates and the like every character must be right, save for look-alikes; of names and sentences one
    in eight may be wrong.
    """
    folded = [unicodedata.normalize("NFKC", text).casefold() for text in texts]
    pattern = _pattern(printed)
    if pattern is None:
        return True
    if any(pattern.search(text) for text in folded):
        return True
    needle = squeeze(printed)
    slack = len(needle) // SLACK
    return kind not in EXACT and slack > 0 and any(distance(needle, squeeze(text)) <= slack for text in folded)


def date_forms(day: date) -> list[str]:
    """The ways in which documents write a day."""
    forms = [day.strftime(form) for form in _FORMS]
    return [*forms, *(re.sub(r"\b0(\d)\b", r"\1", form) for form in forms)]


def gives_away(kind: FactKind, printed: str, value: str, texts: Iterable[str]) -> bool:
    """Whether a value that nobody should be able to read can be read, in its printed or, for a date, in another form."""
    read = list(texts)
    day = parse_date(value) if kind == "date" else None
    return any(stands_in("date" if day else kind, form, read) for form in [printed, *(date_forms(day) if day else [])])
