"""Whether the particulars of a message come from somewhere: a pool of text that its writer knows or was shown."""

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from harness.schema.visible import CustomerView
from harness.schema.wording import fold
from harness.schema.words.addresses import addresses, stray_addresses
from harness.schema.words.values import NO_VALUES, NUMBER_WORDS, Values, same_date, values

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_NAME = re.compile(r"[\u3400-\u9fff]{1,3}?(?:先生|女士|小姐|路|街|市|区|镇|村|大厦|医院)")
_CAPITAL = re.compile(r"(?<![.!?。！？\n:;\"'(-])(?<=[^\s]) ([A-ZÀ-ÞĐ][\w'’-]*[^\W\d_])")
_WHOLE_WORDS = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_COMMON_CAPITALS = frozenset(
    [
        "i",
        "ok",
        "okay",
        "english",
        "chinese",
        "vietnamese",
        "yes",
        "no",
        "thanks",
        "thank",
        "hello",
        "hi",
        "dear",
        "sorry",
        "please",
        "pdf",
        "faq",
        "i'm",
        "i've",
        "i'll",
        "i'd",
        "mr",
        "mrs",
        "ms",
    ]
)


@cache
def _sensitive() -> frozenset[str]:
    lines = Path(__file__).with_name("sensitive.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(w for line in lines if not line.startswith("#") for w in line.split())


@cache
def _sensitive_cjk() -> tuple[str, ...]:
    """Those of them that no space parts from their neighbours."""
    return tuple(w for w in _sensitive() if _CJK.search(w))


@dataclass
class _Known:
    """A text that particulars may come from, read once: what a customer knows and wrote comes again at every turn."""

    lines: list[str]

    @cached_property
    def flat(self) -> str:
        return " ".join(flat for line in self.lines if (flat := fold(line)))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WHOLE_WORDS.findall(self.flat))

    @cached_property
    def parted(self) -> frozenset[str]:
        """Words parted at hyphens and apostrophes ("sister's" holds "sister") too."""
        return self.words | frozenset(_LETTERS.findall(self.flat))

    @cached_property
    def values(self) -> Values:
        return _joined([values(line) for line in self.lines])

    @cached_property
    def broken(self) -> Values:
        """Values that stand on two lines: a page may break one anywhere."""
        return _joined([values("\n".join(two)) for two in pairwise(self.lines)])

    @cached_property
    def addresses(self) -> frozenset[str]:
        return frozenset().union(*map(addresses, self.lines))


@lru_cache(maxsize=256)
def _known(text: str) -> _Known:
    return _Known(text.split("\n"))


def view_pool(view: CustomerView) -> str:
    """All text of a view: what the customer may draw from besides the screen and their own words."""
    parts = [view.initial_message, view.persona.name, *view.persona.dont_know]
    parts += [t for f in view.facts for t in (f.topic, f.value, f.say)]
    parts += [u.topic for u in view.does_not_know] + [w.say for w in view.wishes]
    parts += [t for f in view.files for t in (f.label, f.available.promise or "")]
    return "\n".join(parts)


def ungrounded(message: str, *pool: str) -> list[str]:
    """The particulars of a message that no text of the pool holds: dates, times, numbers, codes, addresses, names, words."""
    own = values(message)
    flat = fold(message)
    said = set(_LETTERS.findall(flat))
    counted = said & NUMBER_WORDS.keys() - {"one", "zero"}
    texts = [_known(text) for text in pool]
    known = NO_VALUES if own is NO_VALUES and not counted else _joined([text.values for text in texts])
    if not _all_known(own, known):
        known = _joined([known, *(text.broken for text in texts)])
    flat_pool = " ".join([text.flat for text in texts])
    pool_words = frozenset().union(*[text.words for text in texts])
    stray: list[str] = []
    stray += [f"date {d}" for d in sorted(own.dates, key=str) if not any(same_date(d, k) for k in known.dates)]
    stray += [f"time {t}" for t in sorted(own.times - known.times)]
    stray += [
        f"number {n:f}"
        for n in sorted(own.numbers - known.numbers)
        if not _year_of(int(n) if n == int(n) else -1, known.dates)
    ]
    if own.codes - known.codes:
        pool_bare = "".join(c for c in flat_pool if c.isalnum()).upper()
        stray += [f"code {c}" for c in sorted(own.codes - known.codes) if c not in pool_bare]
    stray += [f"address {a}" for a in stray_addresses(message, (text.addresses for text in texts))]
    stray += [f"name {w}" for w in _names(message) if w.casefold() not in pool_words and fold(w) not in flat_pool]
    stray += [f"number {w}" for w in sorted(counted) if not _number_known(w, pool_words, known.numbers)]
    words = said & _sensitive()
    if words:
        words -= frozenset().union(*[text.parted for text in texts])
    words -= {*_sensitive_cjk()}
    words |= {w for w in _sensitive_cjk() if w in flat and w not in flat_pool}
    stray += [f"word {w}" for w in sorted(words)]
    stray += [f"name {m}" for m in _CJK_NAME.findall(flat) if m not in flat_pool]
    return stray


def _all_known(own: Values, known: Values) -> bool:
    return (
        own.dates <= known.dates
        and own.times <= known.times
        and own.numbers <= known.numbers
        and own.codes <= known.codes
    )


def _joined(parts: list[Values]) -> Values:
    holding = [v for v in parts if v is not NO_VALUES]
    return Values(
        dates=frozenset().union(*[v.dates for v in holding]),
        times=frozenset().union(*[v.times for v in holding]),
        numbers=frozenset().union(*[v.numbers for v in holding]),
        codes=frozenset().union(*[v.codes for v in holding]),
    )


def _year_of(number: int, dates: frozenset[tuple[int | None, int, int]]) -> bool:
    return any(number == y for y, _, _ in dates)


def _number_known(word: str, pool_words: frozenset[str], numbers: frozenset[object]) -> bool:
    return word in pool_words or any(str(n) == NUMBER_WORDS[word] for n in numbers)


def _names(message: str) -> list[str]:
    found = [m.group(1) for m in _CAPITAL.finditer(message)]
    return [w for w in found if fold(w) not in _COMMON_CAPITALS and fold(w) not in _sensitive()]
