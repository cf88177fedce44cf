"""The words of `words.yaml`, compiled: what scoring hears beyond questions."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

_DATA = Path(__file__).with_name("words.yaml")


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = YAML(typ="safe", pure=True).load(_DATA.read_text(encoding="utf-8"))
    return data


@cache
def pattern(name: str) -> re.Pattern[str]:
    """What any of the list's expressions finds; to be used on folded text."""
    return re.compile("|".join(f"(?:{p})" for p in _data()[name]))


@cache
def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """The list's expressions one by one, for those with named groups."""
    return tuple(re.compile(p) for p in _data()[name])


@cache
def word_list(name: str) -> frozenset[str]:
    """Plain words, lower case."""
    return frozenset(word for row in _data()[name] for word in str(row).split())


@cache
def file_kinds() -> dict[str, re.Pattern[str]]:
    """Kind of file -> the words people use for it."""
    return {kind: re.compile(words) for kind, words in _data()["file_kinds"].items()}
