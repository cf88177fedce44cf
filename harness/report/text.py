"""Text of products, models and packages, made safe to look at.

The page shows what a text holds, not what it does: characters that hide, reorder or overprint others are written out
by their number, terminal sequences are taken out with a mark in their place, and long texts are folded. Nothing here makes HTML;
the templates escape every piece.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

HEAD_CHARS = 900
HEAD_LINES = 24
FOLD_SLACK = 300
"""A text this little longer than the head is shown whole."""
MAX_CHARS = 20_000
PRINTED_CHARS = 4_000
"""Folded rests up to this length are opened on paper."""
MAX_COMBINING = 4
MAX_MARKS = 12
"""Places at which one quote is marked in one text."""

_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,300}(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]"
)
_INVISIBLE = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE1000),
    )
)
"""Code points that show nothing although their category says otherwise."""
_LONG_WORD = re.compile(r"\S{160}")
_ZWJ, _EMOJI_LOOK, _TEXT_LOOK = "\u200d", "\ufe0f", "\ufe0e"


@dataclass(frozen=True)
class Piece:
    """A run of characters that are shown alike."""

    text: str
    hidden: bool = False
    """Stands for characters that cannot be seen; shown as a box."""
    marked: bool = False
    """Part of a quote that a score line rests on."""
    failed: bool = False
    """The score line is a failed one."""
    anchor: str | None = None
    """Set on the first piece of a quote's first occurrence."""
    may_break: bool = False
    """A line may break after it: a browser needs minutes to lay out words of many thousand letters without such places."""


@dataclass(frozen=True)
class Shown:
    """One text, ready for the templates."""

    head: tuple[Piece, ...]
    rest: tuple[Piece, ...] = ()
    rest_chars: int = 0
    """Characters behind the fold."""
    cut_chars: int = 0
    """Characters that are not in the page at all."""

    @property
    def printed(self) -> bool:
        """The folded rest is short enough to be opened on paper."""
        return self.rest_chars <= PRINTED_CHARS


@dataclass(frozen=True)
class Quote:
    """A verbatim quote to be marked, and the anchor its first occurrence gets."""

    text: str
    anchor: str
    failed: bool = False
    """A failed score line rests on it."""


@lru_cache(maxsize=65536)
def _class(char: str) -> str:
    """`plain`, `hidden` or `combining`."""
    if char in "\n\t":
        return "plain"
    category = unicodedata.category(char)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or ord(char) in _INVISIBLE:
        return "hidden"
    return "combining" if category in ("Mn", "Me") else "plain"


def _is_emoji(char: str) -> bool:
    return bool(char) and (unicodedata.category(char) in ("So", "Sk") or char in (_EMOJI_LOOK, "\u20e3"))


def _harmless(text: str, at: int) -> bool:
    """A joiner or variation selector that does its ordinary work inside an emoji or after an ideograph."""
    char, before, after = text[at], text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if char == _ZWJ:
        return _is_emoji(before) and _is_emoji(after)
    if char in (_EMOJI_LOOK, _TEXT_LOOK):
        return bool(before) and (_is_emoji(before) or before in "0123456789#*\u203c\u2049\u2194\u2195\u3030\u303d")
    if 0xE0100 <= ord(char) <= 0xE01EF:
        return bool(before) and unicodedata.name(before, "").startswith("CJK ")
    return False


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """(shown text, stands for hidden characters) in order."""
    position = 0
    for match in _ANSI.finditer(text):
        yield from _plain_runs(text[position : match.start()])
        yield "\u27e6ANSI\u27e7", True
        position = match.end()
    yield from _plain_runs(text[position:])


def _plain_runs(text: str) -> Iterator[tuple[str, bool]]:
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        if text:
            yield text, False
        return
    plain: list[str] = []
    combining = 0
    dropped = 0

    def flush() -> Iterator[tuple[str, bool]]:
        nonlocal dropped
        if plain:
            yield "".join(plain), False
            plain.clear()
        if dropped:
            yield f"\u27e6+{dropped} combining marks\u27e7", True
            dropped = 0

    for at, char in enumerate(text):
        kind = _class(char)
        combining = combining + 1 if kind == "combining" else 0
        if combining > MAX_COMBINING:
            dropped += 1
            continue
        if dropped:
            yield from flush()
        if kind != "hidden" or _harmless(text, at):
            plain.append(char)
            continue
        yield from flush()
        yield ("\n" if char in "\u2028\u2029" else "") + f"\u27e6U+{ord(char):04X}\u27e7", True
    yield from flush()


def _merged(text: str) -> list[tuple[str, bool]]:
    """Runs with equal hidden neighbours counted instead of repeated."""
    merged: list[tuple[str, bool]] = []
    repeats = 1
    for shown, hidden in _runs(text):
        if hidden and merged and merged[-1] == (shown, True):
            repeats += 1
            continue
        if repeats > 1:
            merged[-1] = (f"{merged[-1][0][:-1]} \u00d7{repeats}\u27e7", True)
            repeats = 1
        merged.append((shown, hidden))
    if repeats > 1:
        merged[-1] = (f"{merged[-1][0][:-1]} \u00d7{repeats}\u27e7", True)
    return merged


def _breakable(runs: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool, bool]]:
    """(shown text, stands for hidden characters, a line may break after it): long words are cut into such pieces."""
    for shown, hidden in runs:
        start = 0
        for match in _LONG_WORD.finditer(shown):
            yield shown[start : match.end()], hidden, True
            start = match.end()
        if start < len(shown):
            yield shown[start:], hidden, False


def _spans(text: str, quotes: Sequence[Quote]) -> list[tuple[int, int, Quote]]:
    """Places of quotes that do not overlap, in order: (start, end, quote)."""
    spans: list[tuple[int, int, Quote]] = []
    for quote in quotes:
        start = text.find(quote.text) if quote.text else -1
        marked = 0
        while start >= 0 and marked < MAX_MARKS:
            marked += 1
            end = start + len(quote.text)
            if all(end <= s or start >= e for s, e, _ in spans):
                spans.append((start, end, quote))
            start = text.find(quote.text, end)
    return sorted(spans, key=lambda span: span[0])


class Marker:
    """Shows texts of one attempt and knows which quotes found their place."""

    def __init__(self) -> None:
        self.placed: dict[str, str] = {}
        """Anchor of a quote that stands in the page -> the anchor it has there: another's, whose words hold its own."""
        self.cut_chars = 0
        """Characters left out of the page, all texts together."""

    def show(self, text: str, quotes: Sequence[Quote] = (), whole: bool = False) -> Shown:
        """`text` as pieces, folded if long.

        Args:
            text: anything.
            quotes: what is marked in it; overlapping later quotes are not marked twice.
            whole: never fold (for short fields that stand in a line).
        """
        cut = max(0, len(text) - MAX_CHARS)
        self.cut_chars += cut
        text = text[:MAX_CHARS] if cut else text
        split = len(text) if whole and not cut else _fold_at(text)
        pieces: list[Piece] = []
        rest: list[Piece] = []
        position = 0
        spans = _spans(text, quotes)
        for start, end, quote in spans:
            self._add(pieces, rest, text, (position, start), split, None)
            self._add(pieces, rest, text, (start, end), split, quote)
            position = end
        self._add(pieces, rest, text, (position, len(text)), split, None)
        for quote in quotes:
            if quote.anchor not in self.placed and (at := text.find(quote.text)) >= 0:
                over = next((o for s, e, o in spans if s <= at and at + len(quote.text) <= e), None)
                if over is not None:
                    self.placed[quote.anchor] = self.placed[over.anchor]
        return Shown(tuple(pieces), tuple(rest), len(text) - split, cut)

    def _add(
        self, head: list[Piece], rest: list[Piece], text: str, span: tuple[int, int], split: int, quote: Quote | None
    ) -> None:
        start, end = span
        for target, low, high in ((head, start, min(end, split)), (rest, max(start, split), end)):
            if low >= high:
                continue
            for shown, hidden, may_break in _breakable(_merged(text[low:high])):
                if quote is None:
                    target.append(Piece(shown, hidden, may_break=may_break))
                    continue
                place = None if quote.anchor in self.placed else quote.anchor
                self.placed.setdefault(quote.anchor, quote.anchor)
                target.append(Piece(shown, hidden, True, quote.failed, place, may_break))


def _fold_at(text: str) -> int:
    """Where the head of a text ends."""
    lines = text.split("\n", HEAD_LINES)
    by_lines = len(text) if len(lines) <= HEAD_LINES else len(text) - len(lines[-1]) - 1
    if by_lines == len(text) and len(text) <= HEAD_CHARS + FOLD_SLACK:
        return len(text)
    return min(by_lines, HEAD_CHARS)


def plain(text: str, limit: int = 200) -> str:
    """One line without anything hidden, cut at `limit`; for titles and labels."""
    flat = " ".join("".join(shown for shown, _ in _merged(text[: limit * 4])).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "\u2026"
