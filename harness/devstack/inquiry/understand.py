"""What the assistants hear in a customer's utterance, by rule."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from opencc import OpenCC
from ruamel.yaml import YAML

from harness.devstack.inquiry.tools import fold
from harness.devstack.inquiry.world import World

_ADDRESS = re.compile(r"(?:https?://|www\.)\S{1,500}", re.IGNORECASE)
_END = r"(?:usb-?\s?type-?c|usb-?\s?c|type-?\s?c|usb-?\s?a|type-?a|usb|lightning|iphone|苹果|micro(?:-?usb)?)"
_PAIR = re.compile(rf"(?<![a-z])({_END})\s{{0,2}}(?:to|2|转|对|-|/|sang)\s{{0,2}}({_END})(?![a-z])")
_ENDS = {"lightning": "Lightning", "iphone": "Lightning", "苹果": "Lightning", "usb": "USB-A"}
_PRETTY = re.compile(r"[\s-]")
SHOWS_LOOK = frozenset({"cable", "connector", "plug", "charger", "style_code"})
"""What a clear picture must show to make the look clear."""


@dataclass(frozen=True)
class _Words:
    groups: dict[str, dict[str, re.Pattern[str]]]
    lists: dict[str, re.Pattern[str]]
    single: dict[str, re.Pattern[str]]


@cache
def _words() -> _Words:
    data: dict[str, Any] = YAML(typ="safe", pure=True).load(
        Path(__file__).with_name("words.yaml").read_text(encoding="utf-8")
    )

    def join(patterns: Iterable[str]) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{p})" for p in patterns))

    groups = {k: {n: join(p) for n, p in v.items()} for k, v in data.items() if isinstance(v, dict)}
    lists = {k: join(v) for k, v in data.items() if isinstance(v, list)}
    single = {k: re.compile(v) for k, v in data.items() if isinstance(v, str)}
    return _Words(groups, lists, single)


@cache
def _simplified() -> OpenCC:
    return OpenCC("t2s")


@dataclass
class Heard:
    """One utterance: messages in a row, with the pictures in them."""

    topics: list[str] = field(default_factory=list)
    """What is asked about: policies, price, catalogue, pictures."""
    facts: list[str] = field(default_factory=list)
    """Columns of a specification asked about."""
    values: dict[str, str] = field(default_factory=dict)
    """What was told, by form key."""
    models: list[str] = field(default_factory=list)
    """Article numbers that the catalogue knows."""
    unknown_models: list[str] = field(default_factory=list)
    style: str | None = None
    """A style on the posters."""
    flags: frozenset[str] = frozenset()
    """`product`, `asks_person`, `asks_what_you_are`, `attack`, `insult`, `off_topic`, `wechat`, `own_use`, `picks_style`."""
    question: bool = False
    nods: bool = False
    """Nothing but a greeting, thanks or OK."""
    pictures: list[dict[str, Any]] = field(default_factory=list)
    """Pictures of the customer, as recognition saw them."""

    @property
    def clear_picture(self) -> bool:
        """A picture shows the look."""
        return any(p["recognized"] in SHOWS_LOOK and p["clear"] is not False for p in self.pictures)

    @property
    def about_product(self) -> bool:
        """It is about products in any way."""
        return bool(
            "product" in self.flags or self.topics or self.facts or self.models or self.unknown_models or self.style
            or self.clear_picture or {"interface", "power", "quantity"} & set(self.values)
        )  # fmt: skip


def hear(messages: list[str], pictures: list[dict[str, Any]], world: World) -> Heard:
    """Read an utterance.

    Args:
        messages: its texts, in order.
        pictures: `{"id", "recognized", "clear"}` of the pictures in it.
        world: for article numbers and styles.
    """
    words = _words()
    flat = _simplified().convert(fold(_ADDRESS.sub(" ", "\n".join(messages))))
    heard = Heard(pictures=pictures)
    hits = [(m.start(), t) for t, p in words.groups["topics"].items() if (m := p.search(flat))]
    heard.topics = [topic for _, topic in sorted(hits)]
    hits = [(m.start(), f) for f, p in words.groups["facts"].items() if (m := p.search(flat))]
    heard.question = words.lists["asks"].search(flat) is not None
    heard.facts = [fact for _, fact in sorted(hits)] if heard.question else []
    heard.flags = frozenset(n for n, pattern in words.lists.items() if n != "asks" and pattern.search(flat))
    for key in ("buyer_type", "buyer_role"):
        found = [(m.start(), v) for v, p in words.groups[key].items() if (m := p.search(flat))]
        if found:
            heard.values[key] = min(found)[1]
    if pair := _PAIR.search(flat):
        heard.values["interface"] = f"{_end(pair[1])} to {_end(pair[2])}"
    if amount := words.single["quantity"].search(flat):
        heard.values["quantity"] = re.sub(r"[,.]", "", amount[1])
    if watts := words.single["wattage"].search(flat):
        heard.values["power"] = f"{watts[1]}W"
    _name_things(heard, flat, world)
    bare = flat.strip(" .!~,。！，、👍🙏😊\n")
    heard.nods = not pictures and bool(words.single["only_nods"].match(bare))
    return heard


def _name_things(heard: Heard, flat: str, world: World) -> None:
    known = {fold(p.model): p.model for p in world.products}
    heard.models = [
        model for low, model in known.items() if re.search(rf"(?<![a-z0-9-]){re.escape(low)}(?![a-z0-9])", flat)
    ]
    words = _words()
    articles = [m[1] for m in words.single["article"].finditer(flat)]
    heard.unknown_models = [a.upper() for a in dict.fromkeys(articles) if a not in known and not _is_jargon(a)]
    styles = [m[1].upper() for m in words.single["style"].finditer(flat)]
    heard.style = next((s for s in styles if s in world.media.poster_styles), None)
    if heard.style:
        heard.values["appearance"] = heard.style
    elif heard.models:
        heard.values["appearance"] = heard.models[0]
    elif heard.clear_picture:
        heard.values["appearance"] = "picture"


def _is_jargon(article: str) -> bool:
    return re.fullmatch(r"(usb|type|pd|qc|iso|ce|ul|en|iec|rj|mp|cat|ip)-?.*", article) is not None


def _end(word: str) -> str:
    if word in _ENDS:
        return _ENDS[word]
    squeezed = _PRETTY.sub("", word)
    return "Micro-USB" if squeezed.startswith("micro") else "USB-C" if squeezed.endswith("c") else "USB-A"
