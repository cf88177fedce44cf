"""The words that rules look for, by name: the common ones, and what a business adds to them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.strict_json import canonical, read_bytes, sha256_hex, validate
from oracle_scoring.livechat.models import Dimension

HERE = Path(__file__).parent
COMMON = HERE / "words.yaml"
BUSINESSES = HERE / "business"
_NEVER = re.compile(r"(?!)")
WHOLE = ("flood", "vague", "nothing", "shop", "courtesy")
"""Names whose words are held against a whole text or clause, never looked for inside one."""


class Example(Strict):
    """One case that a judge is shown."""

    dimension: Dimension
    query: str | None = None
    answer: str | None = None
    score: int


class Business(Strict):
    """One kind of business: words and examples, no code. A YAML file."""

    business: str
    about: str
    """What a judge is told it is."""
    long_answers: bool
    """A question of this business may be answered at length (leads are won by explaining)."""
    words: dict[str, list[str]]
    """Added to the common words of the same name."""
    judge: dict[Dimension, str]
    """Added to what a judge is told about that dimension."""
    examples: list[Example]


@dataclass(frozen=True)
class Words:
    """Everything rules know about one kind of business.

    Attributes:
        patterns: name -> pattern, of every name of `words.yaml`.
    """

    business: Business
    patterns: dict[str, re.Pattern[str]]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return self.patterns[name]


@dataclass(frozen=True)
class Library:
    """All kinds of business by name.

    Attributes:
        given: hash of the business files that were given; empty if there were none.
    """

    words: dict[str, Words]
    given: str

    def of(self, business: str, where: str) -> Words:
        """The words of a business; InputError names those there are."""
        found = self.words.get(business)
        if found is None:
            known = ", ".join(sorted(self.words))
            raise InputError(f"{where}: business_type", f"is {business!r}; there are {known}")
        return found


@cache
def library(given: tuple[Path, ...] = ()) -> Library:
    """The businesses that come with the rig, and those of the files given, which may also stand in for one of them.

    Raises:
        InputError: a file is not what it should be.
    """
    common = {name: tuple(entries) for name, entries in _common().items()}
    patterns = {name: _compile(name, entries, str(COMMON)) for name, entries in common.items()}
    files = [*sorted(BUSINESSES.glob("*.yaml")), *given]
    words: dict[str, Words] = {}
    for path in files:
        business = _business(path)
        own = dict(patterns)
        for name, entries in business.words.items():
            if name not in common:
                raise InputError(f"{path}: words.{name}", f"is not known; there are {', '.join(sorted(common))}")
            own[name] = _compile(name, (*common[name], *entries), str(path))
        words[business.business] = Words(business, own)
    return Library(
        words, sha256_hex(canonical([_business(p).model_dump(mode="json") for p in given]))[:12] if given else ""
    )


def _common() -> dict[str, list[str]]:
    data = _yaml(COMMON)
    if not isinstance(data, dict) or not all(isinstance(v, list) for v in data.values()):
        raise InputError(str(COMMON), "is not a list of words for each name")
    return data


def _business(path: Path) -> Business:
    return validate(Business, _yaml(path), str(path))


def _yaml(path: Path) -> Any:
    try:
        return YAML(typ="safe", pure=True).load(read_bytes(path).decode("utf-8"))
    except (UnicodeDecodeError, YAMLError) as exc:
        raise InputError(str(path), f"is not YAML that can be read ({exc})") from exc


def _compile(name: str, entries: Sequence[str], where: str) -> re.Pattern[str]:
    if not entries:
        return _NEVER
    try:
        joined = "|".join(_part(entry) for entry in sorted(entries, key=lambda e: (e[:1] != "~", -len(e))))
        return re.compile(_WHOLE_FORMS.get(name, "{}").replace("{}", f"(?:{joined})"), re.MULTILINE)
    except (re.error, TypeError) as exc:
        raise InputError(f"{where}: words.{name}", f"holds an entry that cannot be read ({exc})") from exc


def _part(entry: str) -> str:
    return "|".join(_spread(part) for part in _alternatives(entry[1:])) if entry.startswith("~") else re.escape(entry)


_LEAD = re.compile(r"\(\?:([\u3400-\u9fff|]+)\)(\?(?![?+]))?(?![?*+{])|\[([\u3400-\u9fff]+)\](?![?*+{])")


def _spread(part: str) -> str:
    """The part as alternatives that begin with a character each, where it begins with a group of plain words.

    A search skips every position that none of the first characters stands at, if all alternatives begin with one.
    """
    lead = _LEAD.match(part)
    if lead is None:
        return part
    rest = part[lead.end() :]
    words = list(lead[3]) if lead[3] else lead[1].split("|")
    return "|".join([*(word + rest for word in words), *([_spread(rest)] if lead[2] else [])])


def _alternatives(pattern: str) -> list[str]:
    """The pattern, cut at the bars that stand outside of groups and classes."""
    parts, depth, in_class, start, at = [], 0, False, 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "|" and depth == 0:
            parts.append(pattern[start:at])
            start = at + 1
        else:
            depth += (char == "(") - (char == ")")
        at += 1
    return [*parts, pattern[start:]]


_TAIL = r"(?:[哦哈呢啊呀哟啦的了嘛吧噢咯滴]|\W)*+"
_WHOLE_FORMS = {
    "flood": r"(?:{}|\W)++",
    "vague": r"\W*+{}" + _TAIL,
    "nothing": r"(?:\W*+{}" + _TAIL + ")++",
    "shop": r"\W*+(?:(?:亲亲?|您好|宝宝)\W*+)?{}" + _TAIL,
    "courtesy": r"\W*+(?:{}" + _TAIL + ")++",
}
"""How the words of `WHOLE` make up a whole: possessive, so that no text takes more than linear time."""
