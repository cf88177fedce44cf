"""The patterns and word lists of `conduct.yaml`."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from harness.schema.anyof import AnyOf
from harness.schema.wording import fold

_DATA = Path(__file__).with_name("conduct.yaml")


@dataclass(frozen=True)
class _Lists:
    patterns: dict[str, AnyOf]
    languages: dict[str, frozenset[str]]
    plain: frozenset[str]


@cache
def _lists() -> _Lists:
    data: dict[str, Any] = YAML(typ="safe", pure=True).load(_DATA.read_text(encoding="utf-8"))
    words, plain = data.pop("function_words"), frozenset(data.pop("plain_words"))
    joined = {name: AnyOf(patterns) for name, patterns in data.items()}
    return _Lists(joined, {language: frozenset(map(fold, listed)) for language, listed in words.items()}, plain)


def finds(name: str, text: str) -> bool:
    """Any pattern of the list of that name stands in the text."""
    return bool(_lists().patterns[name].search(fold(text)))


def function_words() -> dict[str, frozenset[str]]:
    """Language -> its short words."""
    return _lists().languages


def plain_words() -> frozenset[str]:
    """Words that state nothing of their own."""
    return _lists().plain
