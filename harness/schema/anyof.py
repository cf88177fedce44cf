"""Lists of patterns that are searched for at once, quickly in the many texts that hold none of them."""

import re
from collections.abc import Iterable, Sequence
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

_GROUPS = (_constants.SUBPATTERN, _constants.BRANCH)


class AnyOf:
    """The first match of any of some patterns; the same as of all of them joined by `|`.

    A text that holds none of the strings one of which stands in every match is not searched. They are read off the
    patterns as Python's own compiler parses them; what that does not show (a class, something optional) is searched for.

    Raises:
        ValueError: there are no patterns.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        if not patterns:
            raise ValueError("a list without patterns")
        self._joined = re.compile("|".join(f"(?:{p})" for p in patterns))
        found = [signs_of(p) for p in patterns]
        self._signs = tuple(dict.fromkeys(s for signs in found for s in signs)) if all(found) else ("",)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, or None."""
        for sign in self._signs:
            if sign in text:
                return self._joined.search(text)
        return None


def signs_of(pattern: str) -> tuple[str, ...]:
    """Strings of which every match of a pattern holds at least one; none where that cannot be said."""
    parsed = _parser.parse(pattern)
    return () if parsed.state.flags & re.IGNORECASE else _signs(parsed)


def _signs(sequence: Iterable[Any]) -> tuple[str, ...]:
    choices: list[tuple[str, ...]] = []
    run = ""
    for kind, value in sequence:
        if kind is _constants.LITERAL:
            run += chr(value)
        elif kind is not _constants.AT:  # a boundary parts no letters
            choices += [(run,), _group_signs(kind, value)]
            run = ""
    best = max([*choices, (run,)], key=_worth)
    return best if _worth(best) else ()


def _group_signs(kind: Any, value: Any) -> tuple[str, ...]:
    """Of a group that must match, one sign for each of its branches."""
    if kind not in _GROUPS:
        return ()
    if kind is _constants.SUBPATTERN:
        _, more_flags, _, inner = value
        return () if more_flags & re.IGNORECASE else _signs(inner)
    branches = [_signs(branch) for branch in value[1]]
    return tuple(sign for signs in branches for sign in signs) if all(map(_worth, branches)) else ()


def _worth(signs: tuple[str, ...]) -> int:
    return min(map(len, signs), default=0)
