"""Simplified and traditional characters."""

from functools import cache

import opencc

_FIRST, _LAST = 0x4E00, 0x9FFF


@cache
def _marks() -> tuple[frozenset[str], frozenset[str]]:
    """Characters that only simplified, and that only traditional text has: in GB 2312 and not in Big5, and the reverse."""
    simple, traditional = set(), set()
    for code in range(_FIRST, _LAST + 1):
        char = chr(code)
        in_gb, in_big5 = _in(char, "gb2312"), _in(char, "big5")
        if in_gb and not in_big5:
            simple.add(char)
        elif in_big5 and not in_gb:
            traditional.add(char)
    return frozenset(simple), frozenset(traditional)


def _in(char: str, encoding: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@cache
def _converter() -> "opencc.OpenCC":
    return opencc.OpenCC("t2s")


def has_traditional(text: str) -> bool:
    """Whether the text holds a character that only traditional text has."""
    return not _marks()[1].isdisjoint(text)


def simplified(text: str) -> str:
    """The text with traditional characters made simplified."""
    if not has_traditional(text):
        return text
    converted: str = _converter().convert(text)
    return converted


def script_counts(text: str) -> tuple[int, int]:
    """How many characters only simplified, and how many only traditional text has."""
    simple, traditional = _marks()
    return sum(map(simple.__contains__, text)), sum(map(traditional.__contains__, text))
