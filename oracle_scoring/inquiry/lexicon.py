r"""Words that rules look for, by name, and which of them a text holds.

All phrases of all names are compiled into one RE2 set, so that a text is read once, in time linear in its length whatever
it holds. The notation of a phrase: `…` anything inside the same sentence, `*` the rest of the word, a space any white space
or hyphen, `( | )`, `[ ]`, `?` and `\` as in regular expressions; a phrase that begins with `^` or `~` is a regular
expression (without the `~`).
Latin words match whole words. Texts are compared folded (`fold`).
"""

import re as pyre
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

import re2
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from harness.errors import InputError
from oracle_scoring.inquiry.chinese import has_traditional, simplified

FOLDER = Path(__file__).parent / "lexicon"
_MEMORY_BYTES = 256 << 20
_CACHED_TEXTS = 512
_KEPT_LENGTH = 2_000
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_EMOJI = pyre.compile("[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]")
_ODD = pyre.compile("[’‘“”–—\u2011\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]")
"""What folding replaces: quotes, hyphens, emoji."""
_NO_LETTER = r"[^a-z0-9\x{c0}-\x{1ef9}]"
_GAP = r"[^.!?。！？\n]*"


def fold(text: str) -> str:
    """Compatibility form, lower case, straight quotes and hyphens, simplified characters, no emoji."""
    if text.isascii():
        return text.lower()
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    if _ODD.search(text):
        text = _EMOJI.sub(" ", text.translate(_QUOTES))
    return simplified(text.lower())


def folds_by_character(text: str, folded: str) -> bool:
    """Whether every piece of the text folds to the same piece of the folded text."""
    return text.isascii() or (
        len(text) == len(folded)
        and "Σ" not in text
        and unicodedata.is_normalized("NFKC", text)
        and not has_traditional(text)
    )


def phrase_pattern(phrase: str) -> str:
    """The RE2 pattern of a phrase."""
    if phrase.startswith(("^", "~")):
        return phrase.removeprefix("~")
    body = phrase.replace("…", _GAP)
    body = pyre.sub(r"(?<![\\\]])\*", r"[^\\s.,;:!?()]*", body) if "*" in body else body
    body = body.replace(" ?", r"[\s-]*").replace(" ", r"[\s-]+") if " " in body else body
    first = phrase.lstrip("( ")[:1]
    last = phrase.rstrip(")? ")[-1:]
    latin = _latin(first) and first.isalnum()
    start = "" if not latin else r"\b" if phrase.isascii() else rf"(?:^|{_NO_LETTER})"
    end = rf"(?:{_NO_LETTER}|$)" if _latin(last) and not phrase.endswith(("*", "…")) else ""
    return f"{start}(?:{body}){end}"


def _latin(char: str) -> bool:
    return bool(char) and (char.isalnum() and ord(char) < 0x2E80)


def options() -> "re2.Options":
    """Options of every pattern here: room for a large automaton, nothing printed."""
    chosen = re2.Options()
    chosen.max_mem = _MEMORY_BYTES
    chosen.log_errors = False
    return chosen


class Lexicon:
    """Named phrases, ready to be looked for."""

    def __init__(self, phrases: dict[str, list[str]], where: str) -> None:
        self._names = list(phrases)
        self._phrases = phrases
        self._single: dict[str, re2._Regexp] = {}
        self._set = re2.Set.SearchSet(options())
        self._set.Add("")  # found in every text: if it is not, the automaton ran out of memory
        for name, entries in phrases.items():
            try:
                self._set.Add(self._joined(name, entries))
            except re2.error as exc:
                raise InputError(f"{where}: {name}", f"holds a phrase that cannot be read ({exc})") from exc
        self._set.Compile()
        self._numbered = tuple(["", *self._names])
        self._kept = lru_cache(maxsize=_CACHED_TEXTS)(self._search)

    @staticmethod
    def _joined(name: str, entries: list[str]) -> str:
        return "|".join(phrase_pattern(p) for p in entries)

    def signals(self, folded: str) -> frozenset[str]:
        """Names of all that the folded text holds; from memory if it was read lately and is not long."""
        return self._kept(folded) if len(folded) <= _KEPT_LENGTH else self._search(folded)

    def looked_up(self) -> tuple[int, int]:
        """How often a text's names were in memory, and how often the text had to be read."""
        info = self._kept.cache_info()
        return info.hits, info.misses

    def _search(self, folded: str) -> frozenset[str]:
        found = self._set.Match(folded)
        if not found:
            return frozenset(name for name in self._names if self._pattern(name).search(folded))
        numbered = self._numbered
        return frozenset([numbered[n] for n in found if n])

    def texts(self, name: str, folded: str) -> list[str]:
        """What the folded text holds of one name, in order."""
        return [m.group().strip(" \n\t.,;:!?-()") for m in self._pattern(name).finditer(folded)]

    def _pattern(self, name: str) -> "re2._Regexp":
        if name not in self._single:
            self._single[name] = re2.compile(self._joined(name, self._phrases[name]), options())
        return self._single[name]


def read_phrases(path: Path) -> dict[str, list[str]]:
    """The phrases of one file."""
    try:
        data = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError) as exc:
        raise InputError(str(path), f"is not YAML that can be read ({exc})") from exc
    if not isinstance(data, dict) or not all(
        isinstance(v, list) and all(isinstance(p, str) for p in v) for v in data.values()
    ):
        raise InputError(str(path), "is not a list of phrases for each name")
    return data


@cache
def common_phrases() -> dict[str, list[str]]:
    """The phrases of all files beside this module; a name may stand in one file only."""
    found: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        for name, entries in read_phrases(path).items():
            if name in found:
                raise InputError(f"{path}: {name}", "stands in another file already")
            found[name] = entries
    return found
