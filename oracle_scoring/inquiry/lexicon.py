r"""Words that rules look for, by name, and which of them a text holds.

A phrase is looked for, by an RE2 automaton of its own, only in texts that hold letters it cannot do without (`anchors`); those
are found by their first three letters, so that the time does not depend on how many phrases there are. (One automaton for all
phrases has a state for each set of names found so far: texts that nobody wrote before then cost a millisecond each.) All of it
is linear in the length of the text. The notation of a phrase: `…` anything inside the same sentence, `*` the rest of the word, a space any white space
or hyphen, `( | )`, `[ ]`, `?` and `\` as in regular expressions; a phrase that begins with `^` or `~` is a regular
expression (without the `~`).
Latin words match whole words. Texts are compared folded (`fold`).
"""

import re as pyre
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import re2
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from harness.errors import InputError
from oracle_scoring.inquiry.anchors import anchors
from oracle_scoring.inquiry.chinese import has_traditional, simplified

FOLDER = Path(__file__).parent / "lexicon"
_MEMORY_BYTES = 64 << 20
_CACHED_TEXTS = 512
_KEPT_LENGTH = 2_000
_IDEOGRAPHS = "\u2e80"
"""From here on."""
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
    start, end = _bounds(phrase)
    return f"{start}(?:{body}){end}"


def _bounds(phrase: str) -> tuple[str, str]:
    """What has to stand before and behind a phrase that begins or ends with a Latin letter: no letter."""
    first = phrase.lstrip("( ")[:1]
    last = phrase.rstrip(")? ")[-1:]
    latin = _latin(first) and first.isalnum()
    start = "" if not latin else r"\b" if phrase.isascii() else rf"(?:^|{_NO_LETTER})"
    end = rf"(?:{_NO_LETTER}|$)" if _latin(last) and not phrase.endswith(("*", "…")) else ""
    return start, end


def _latin(char: str) -> bool:
    return bool(char) and (char.isalnum() and ord(char) < 0x2E80)


def options() -> "re2.Options":
    """Options of every pattern here: room for a large automaton, nothing printed."""
    chosen = re2.Options()
    chosen.max_mem = _MEMORY_BYTES
    chosen.log_errors = False
    return chosen


_Looker = Callable[[bytes], list[int] | None]
"""Numbers of the patterns that a text holds; empty or None: of none."""


def _looker(where: str, *patterns: str) -> _Looker:
    chosen = re2.Set.SearchSet(options())
    for pattern in patterns:
        try:
            chosen.Add(pattern)
        except re2.error as exc:
            raise InputError(where, f"holds a phrase that cannot be read ({exc})") from exc
    chosen.Compile()
    looker: _Looker = chosen.Match
    return looker


def _key(anchor: str) -> str:
    """The letters by which the anchor is found: three, or as many as it has; of two that are no ideographs the first."""
    return anchor[:1] if len(anchor) == 2 and max(anchor) < _IDEOGRAPHS else anchor[:3]


class Lexicon:
    """Named phrases, ready to be looked for."""

    def __init__(self, phrases: dict[str, list[str]], where: str) -> None:
        self._phrases = phrases
        self._single: dict[str, re2._Regexp] = {}
        lettered: dict[str, list[str]] = {}
        rest: dict[str, list[str]] = {}
        found: dict[tuple[str, str], bool] = {}
        for name, entries in phrases.items():
            for phrase in entries:
                told = anchors(phrase)
                (rest if told is None else lettered).setdefault(name, []).append(phrase_pattern(phrase))
                if told is not None:
                    alone = told[1] and _bounds(phrase) == ("", "")
                    found.update({(text, name): alone or found.get((text, name), False) for text in told[0]})
        self._by_letters: dict[str, list[tuple[str, str, bool]]] = {}
        """First letters of an anchor -> the anchor, the name, and whether the anchor alone is a phrase of it."""
        for (text, name), alone in found.items():
            self._by_letters.setdefault(_key(text), []).append((text, name, alone))
        self._lookers = {name: _looker(f"{where}: {name}", "|".join(patterns)) for name, patterns in lettered.items()}
        """Name -> what tells whether any of its phrases that have an anchor is there."""
        self._rest = {name: "|".join(patterns) for name, patterns in rest.items()}
        """Patterns that every text is read for, as nothing can be said of their letters."""
        self._rest_names = ("", *self._rest)
        self._read_for_rest = _looker(where, "", *self._rest.values())
        self._kept = lru_cache(maxsize=_CACHED_TEXTS)(self._search)

    def signals(self, folded: str) -> frozenset[str]:
        """Names of all that the folded text holds; from memory if it was read lately and is not long."""
        return self._kept(folded) if len(folded) <= _KEPT_LENGTH else self._search(folded)

    def looked_up(self) -> tuple[int, int]:
        """How often a text's names were in memory, and how often the text had to be read."""
        info = self._kept.cache_info()
        return info.hits, info.misses

    def _search(self, folded: str) -> frozenset[str]:
        found: set[str] = set()
        letters = {folded[at : at + 3] for at in range(len(folded) - 2)}
        letters.update(folded)
        if not folded.isascii() and max(folded) >= _IDEOGRAPHS:
            letters.update([folded[at : at + 2] for at in range(len(folded) - 1)])
        settled: set[str] = set()
        data = folded.encode()
        for key in self._by_letters.keys() & letters:
            for text, name, alone in self._by_letters[key]:
                if name not in settled and text in folded:
                    settled.add(name)
                    if alone or self._lookers[name](data):
                        found.add(name)
        found.update(self._of_rest(data))
        return frozenset(found)

    def signals_of_part(self, part: str, whole: frozenset[str]) -> frozenset[str]:
        """As `signals` of a part of a folded text that begins and ends where words do, given the names that the text holds."""
        data = part.encode()
        lookers = self._lookers
        found = {name for name in whole if name in lookers and lookers[name](data)}
        return frozenset(found.union(self._of_rest(data)))

    def _of_rest(self, data: bytes) -> list[str]:
        if not (rest := self._read_for_rest(data)):  # the first pattern is in every text: it ran out of memory
            rest = [n for n, name in enumerate(self._rest_names) if n and _looker(name, self._rest[name])(data)]
        return [self._rest_names[n] for n in rest if n]

    def texts(self, name: str, folded: str) -> list[str]:
        """What the folded text holds of one name, in order."""
        return [m.group().strip(" \n\t.,;:!?-()") for m in self._pattern(name).finditer(folded)]

    def _pattern(self, name: str) -> "re2._Regexp":
        if name not in self._single:
            self._single[name] = re2.compile("|".join(phrase_pattern(p) for p in self._phrases[name]), options())
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
