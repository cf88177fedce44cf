"""Characters that a person cannot see, or takes for others, in what the customer says or is shown.

They hide words from every other check and from the product. Chinese, Vietnamese (its marks composed or not), full-width
forms and emoji with their joiners are ordinary writing and stay.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from oracle_scoring.corpus.check_texts import visible_texts
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing."""
_JOINER, _TEXT_FORM, _EMOJI_FORM, _KEYCAP, _BLACK_FLAG = "\u200d", "\ufe0e", "\ufe0f", "\u20e3", "\U0001f3f4"
_HIDING = frozenset({"Cf", "Cc", "Co", "Cn", "Cs", "Zl", "Zp"})
"""Categories of which nothing can be seen: format and control characters, private and unassigned ones, separators of lines."""
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
_LOOKS_LATIN = frozenset("асеорхуіѕјһԁԛԝАВСЕНІЈКМОРЅТХУαοντρικυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
"""Cyrillic and Greek letters that are drawn as Latin ones."""


def _is_emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk", "Sm") or char in "#*0123456789‼⁉"


def _belongs(text: str, at: int) -> bool:
    """Whether an invisible character is part of an emoji, or the form of the sign before it."""
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if char in (_EMOJI_FORM, _TEXT_FORM):
        return bool(before) and _is_emoji(before)
    if char == _JOINER:
        return bool(before and after) and (_is_emoji(before) or before == _EMOJI_FORM) and _is_emoji(after)
    if 0xE0020 <= ord(char) <= 0xE007F:  # letters of a flag such as Wales's
        return text[:at].rstrip("".join(map(chr, range(0xE0020, 0xE0080)))).endswith(_BLACK_FLAG)
    if 0xE0100 <= ord(char) <= 0xE01EF:  # another form of a Chinese character
        return bool(before) and unicodedata.name(before, "").startswith("CJK")
    return False


def invisible(text: str) -> str | None:
    """The first character that nobody sees, as its number and name; None if there is none."""
    if text.isascii() and text.isprintable():
        return None
    for at, char in enumerate(text):
        hides = unicodedata.category(char) in _HIDING and char not in "\n\t"
        form = 0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF or 0x180B <= ord(char) <= 0x180F
        if (hides or form or char in _BLANK) and not _belongs(text, at):
            return f"U+{ord(char):04X} {unicodedata.name(char, 'without a name').lower()}"
    return None


@lru_cache(maxsize=4096)
def _script(char: str) -> str | None:
    name = unicodedata.name(char, "").partition(" ")[0]
    return name if name in _SCRIPTS else None


def mixed_word(text: str) -> str | None:
    """The first word of letters of two alphabets, or of foreign letters that pass for Latin ones; None if there is none."""
    if text.isascii():
        return None
    found: list[str] = _WORD.findall(unicodedata.normalize("NFC", text))
    latin = any(_script(c) == "LATIN" for word in found for c in word)
    for word in found:
        if word.isascii():
            continue
        scripts = {_script(c) for c in word} - {None}
        if len(scripts) > 1 or (latin and scripts and "LATIN" not in scripts and set(word) <= _LOOKS_LATIN):
            return word
    return None


def _spelled(word: str) -> str:
    return " ".join(f"{c} ({(_script(c) or 'other').lower()})" for c in word[:12])


def character_findings(package: Package) -> Iterator[Finding]:
    """No character that nobody sees, no word in letters of two alphabets."""
    for file, field, text in visible_texts(package):
        where = f"{package.id}/{file}"
        if (hidden := invisible(text)) is not None:
            yield Finding(
                code="invisible_character",
                file=where,
                field=field,
                what=f"holds {hidden}, which nobody sees",
                mend="take the character out",
            )
        if (word := mixed_word(text)) is not None:
            yield Finding(
                code="mixed_alphabets",
                file=where,
                field=field,
                what=f"writes a word in letters of two alphabets: {_spelled(word)}",
                mend="type the word again in one alphabet",
            )
