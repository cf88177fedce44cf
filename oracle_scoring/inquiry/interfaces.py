"""Interfaces of a cable in a text: `c-lightning`, `a-c`, …; both ends, or none is known."""

import re

_END = r"(?P<{0}>(?>usb-?\s?type-?c|usb-?\s?c|type-?\s?c|tc|c口|usb-?\s?a|type-?a|a口|usb|lightning|iphone|苹果|8-?pin|micro(?:-?usb)?|安卓|c|a|l))"
_JOIN = r"(?:口|头|接口)?\s{0,2}(?:to|2|转|对|-|–|/|→|>|sang|ra|到|和)\s{0,2}"
_PAIR = re.compile(rf"(?<![a-z]){_END.format('one')}{_JOIN}{_END.format('two')}(?![a-z0-9])")
_CANONICAL = {"c": "c", "a": "a", "l": "lightning"}


def _name(word: str) -> str:
    word = re.sub(r"[\s-]", "", word)
    if word in ("usbtypec", "usbc", "typec", "tc", "c口", "c"):
        return "c"
    if word in ("usba", "typea", "a口", "usb", "a"):
        return "a"
    if word in ("lightning", "iphone", "苹果", "8pin", "l"):
        return "lightning"
    return "micro"


def interfaces(folded: str) -> frozenset[str]:
    """All pairs of ends that the folded text names, each in one order."""
    return frozenset("-".join(sorted((_name(m["one"]), _name(m["two"])))) for m in _PAIR.finditer(folded))
