"""A quote held against the text it claims to come from: the same words in the same order, whatever the typography."""

import re
import unicodedata
from dataclasses import dataclass

QUOTES = "\"'`´‘’‚‛“”„‟′″‹›«»「」『』〝〞＂＇｀"
HYPHENS = "-‐‑‒–—―−﹘﹣－"
SPACES = " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
DROPPED = (
    "\u00ad\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)
"""Soft hyphen, zero-width and direction marks, variation selectors: nothing of them can be seen."""

FOLDS: dict[str, str] = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # full-width forms of ASCII
    "…": "...",
    **dict.fromkeys(QUOTES, "'"),
    **dict.fromkeys(HYPHENS, "-"),
    **dict.fromkeys(SPACES, " "),
    **dict.fromkeys(DROPPED, ""),
}
"""The whole table: one character -> what it is compared as. Case, punctuation, words and their order are not folded."""

_JOINED = re.compile("[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3]")
"""Scripts written without blanks between words: a line wrap there is nothing at all."""
_LONGEST_QUOTE = 2000


@dataclass(frozen=True)
class Folded:
    """A text as it is compared.

    Attributes:
        text: the folded characters.
        starts: per folded character, where its source begins; `ends`: where it ends.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def fold(source: str) -> Folded:
    """The source by the table, composed (NFC), with runs of blanks as one and none at the ends or between two Chinese characters."""
    chars: list[tuple[str, int, int]] = []
    at = 0
    while at < len(source):
        end = at + 1
        while end < len(source) and unicodedata.combining(source[end]):
            end += 1
        composed = unicodedata.normalize("NFC", source[at:end])
        for char in composed:
            chars.extend((folded, at, end) for folded in FOLDS.get(char, char))
        at = end
    kept: list[tuple[str, int, int]] = []
    for n, item in enumerate(chars):
        if item[0] != " " or (kept and kept[-1][0] != " " and not _between_joined(chars, kept[-1][0], n)):
            kept.append(item)
    if kept and kept[-1][0] == " ":
        kept.pop()
    return Folded("".join(c for c, _, _ in kept), tuple(a for _, a, _ in kept), tuple(b for _, _, b in kept))


def _between_joined(chars: list[tuple[str, int, int]], before: str, n: int) -> bool:
    if not _JOINED.match(before):
        return False
    after = n + 1
    while after < len(chars) and chars[after][0] == " ":
        after += 1
    return after < len(chars) and _JOINED.match(chars[after][0]) is not None


def says_nothing(quote: str) -> bool:
    """Fewer than two letters or digits: such a quote occurs everywhere and shows nothing."""
    return sum(c.isalnum() for c in fold(quote[:_LONGEST_QUOTE]).text) < 2


def find_quote(quote: str, source: str) -> str | None:
    """The passage of the source that the quote copies, as the source has it; None if it occurs nowhere in one piece.

    A quote that begins or ends in the middle of a word (of a script with blanks between words) does not count, nor one that
    says nothing, nor any in an empty source. The one exception: a source of less than two letters may be quoted whole.
    """
    if len(quote) > max(_LONGEST_QUOTE, 2 * len(source)):
        return None
    wanted, text = fold(quote).text, fold(source)
    if not wanted or not text.text or (says_nothing(quote) and wanted != text.text):
        return None
    at = text.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not _cuts_word(text.text, at) and not _cuts_word(text.text, end):
            return source[text.starts[at] : text.ends[end - 1]]
        at = text.text.find(wanted, at + 1)
    return None


def _cuts_word(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    a, b = text[at - 1], text[at]
    return a.isalnum() and b.isalnum() and not _JOINED.match(a) and not _JOINED.match(b)
