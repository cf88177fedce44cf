"""What could tell a grader how product or oracle graded a case is left out, and whatever slips through stops the export."""

import re
import unicodedata
from collections.abc import Iterable

from harness.errors import InputError
from oracle_scoring.corpus.rules import LEVELS

GAP = "[…]"
"""Stands where words were left out."""
TELLING = ("triage_level", "triage_reason", "review_check", "review_required")
"""Fields of the adapter's vocabulary whose words on a screen tell a verdict."""
_ENDING = r"[^\W_]{0,3}"
"""Endings of a level's word: urgently, standards, simplest, complexity."""


class Blinder:
    """Leaves words out of the product's texts and counts them.

    Args:
        vocabulary: the adapter's: field -> visible word -> code.
    """

    def __init__(self, vocabulary: dict[str, dict[str, str]]) -> None:
        levels = {*LEVELS, *vocabulary.get("triage_level", {})}
        phrases: set[str] = {reason for reasons in LEVELS.values() for reason in reasons}
        for field in TELLING:
            table = vocabulary.get(field, {})
            phrases |= {word for pair in table.items() for word in pair if field != "review_required" or " " in word}
        patterns = [_pattern(word, _ENDING) for word in levels] + [_pattern(w, "") for w in phrases - levels]
        self._words = re.compile("|".join(sorted(patterns, key=lambda p: (-len(p), p))), re.IGNORECASE)
        self.left_out = 0

    def __call__(self, text: str) -> str:
        """The text without the words, and without characters that show nothing."""
        flat = without_invisible(text)
        wide = unicodedata.normalize("NFKC", flat)
        if not self._words.search(flat) and self._words.search(wide):
            flat = wide
        blinded, found = self._words.subn(GAP, flat)
        self.left_out += found
        return blinded


def _pattern(word: str, ending: str) -> str:
    """The word however it is spaced; letters that are written with spaces between words end at a boundary."""
    parts = [re.escape(part) for part in re.split(r"[\s_-]+", word) if part]
    first, last = word[:1], word[-1:]
    before = "" if _joined(first) else r"(?<![^\W_])"
    after = "" if _joined(last) else rf"{ending}(?![^\W_])"
    return before + r"[\s_-]+".join(parts) + after


def _joined(char: str) -> bool:
    """A letter of a script that puts no spaces between words."""
    return unicodedata.east_asian_width(char) in ("W", "F") if char else False


def without_invisible(text: str) -> str:
    """The text without control and format characters (line breaks and tabs stay, an emoji's joiner too)."""
    return "".join(
        c for c in text if c in "\n\t\u200d" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )


def require_blind(texts: dict[str, str], secrets: Iterable[str]) -> None:
    """Nothing of `secrets` stands in what is handed out.

    Args:
        texts: name of what is handed out -> all its text.
        secrets: package ids, canaries, codes of reasons.

    Raises:
        InputError: it names what would be handed out and the kind of word, not the word's meaning.
    """
    for secret in secrets:
        for name, text in texts.items():
            if secret and re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", text, re.IGNORECASE):
                raise InputError(
                    name, f"would hold “{secret}”, which tells what a grader must not know; nothing was written"
                )
