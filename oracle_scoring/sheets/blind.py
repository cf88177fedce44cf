"""What could tell a grader how product or oracle graded a case is left out, and whatever slips through stops the export."""

import re
import unicodedata
from collections.abc import Iterable

from harness.errors import InputError
from oracle_scoring.corpus.rules import LEVELS

GAP = "[…]"
"""Stands where words were left out."""
REVIEW_FIELDS = ("review_check", "review_required")
"""Fields of the adapter's vocabulary whose words on a screen tell a verdict about review."""
_ENDING = r"[^\W_]{0,3}"
"""Endings of a level's word: urgently, standards, simplest, complexity."""


class Blinder:
    """Leaves words out of the product's texts and counts them.

    Args:
        vocabulary: the adapter's: field -> visible word -> code.
        review_too: what the product says of review signals is left out as well.
    """

    def __init__(self, vocabulary: dict[str, dict[str, str]], review_too: bool = True) -> None:
        levels = {*LEVELS, *vocabulary.get("triage_level", {})}
        reasons = {reason for of_level in LEVELS.values() for reason in of_level}
        codes = {code for code in {*reasons, *vocabulary.get("triage_reason", {}).values()} if "_" in code}
        words = set(vocabulary.get("triage_reason", {}))
        for field in REVIEW_FIELDS if review_too else ():
            # The codes of review_required are yes and no.
            words |= {word for pair in vocabulary.get(field, {}).items() for word in pair if re.search(r"[ _]", word)}
        graded = [_pattern(word, _ENDING) for word in levels]
        self._all = _any([*graded, *(_pattern(word, "") for word in (codes | words) - levels)])
        self._names = _any([*graded, *(_pattern(word, "", spaced=False) for word in codes - levels)])
        self.left_out = 0

    def __call__(self, text: str) -> str:
        """The text without the words, and without characters that show nothing."""
        return self._without(self._all, text)

    def name(self, text: str) -> str:
        """Name of a fact. Some are called as a reason is, for instance “Danger continuing”; those stay, with their value."""
        return self._without(self._names, text)

    def _without(self, words: re.Pattern[str], text: str) -> str:
        flat = without_invisible(text)
        wide = unicodedata.normalize("NFKC", flat)
        if not words.search(flat) and words.search(wide):
            flat = wide
        blinded, found = words.subn(GAP, flat)
        self.left_out += found
        return blinded


def _any(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(patterns, key=lambda p: (-len(p), p))), re.IGNORECASE)


def _pattern(word: str, ending: str, spaced: bool = True) -> str:
    """The word, `spaced` in any way; letters that are written with spaces between words end at a boundary."""
    parts = [re.escape(part) for part in re.split(r"[\s_-]+", word) if part]
    first, last = word[:1], word[-1:]
    before = "" if _joined(first) else r"(?<![^\W_])"
    after = "" if _joined(last) else rf"{ending}(?![^\W_])"
    return before + (r"[\s_-]+" if spaced else "_").join(parts) + after


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
