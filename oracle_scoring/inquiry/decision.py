"""The decision of a metric: AND, OR, NOT, IF over the states of its checks, three-valued.

pass: IF only_type THEN check_1 AND check_3 ELIF role_said THEN check_4 ELSE check_3
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.errors import InputError
from harness.schema.scorecard import LineState
from oracle_scoring.kleene import all_of, any_of, opposite

StateOf = Callable[[str], LineState]
_WORDS = ("IF", "THEN", "ELIF", "ELSE", "AND", "OR", "NOT", "(", ")")


@dataclass(frozen=True)
class Name:
    """The state of a check or of a condition."""

    name: str

    def value(self, state_of: StateOf) -> LineState:
        """The state."""
        return state_of(self.name)

    def names(self) -> Iterator[str]:
        """Itself."""
        yield self.name


@dataclass(frozen=True)
class Not:
    """NOT."""

    part: "Node"

    def value(self, state_of: StateOf) -> LineState:
        """Pass and fail change places."""
        return opposite(self.part.value(state_of))

    def names(self) -> Iterator[str]:
        """Names inside."""
        yield from self.part.names()


@dataclass(frozen=True)
class All:
    """AND."""

    parts: tuple["Node", ...]

    def value(self, state_of: StateOf) -> LineState:
        """Fail beats not checked beats pass; what does not apply drops out."""
        return all_of([p.value(state_of) for p in self.parts])

    def names(self) -> Iterator[str]:
        """Names inside."""
        for part in self.parts:
            yield from part.names()


@dataclass(frozen=True)
class Any:
    """OR."""

    parts: tuple["Node", ...]

    def value(self, state_of: StateOf) -> LineState:
        """Pass beats not checked beats fail; what does not apply drops out."""
        return any_of([p.value(state_of) for p in self.parts])

    def names(self) -> Iterator[str]:
        """Names inside."""
        for part in self.parts:
            yield from part.names()


@dataclass(frozen=True)
class If:
    """IF condition THEN node, otherwise the rest; without a rest, `not_applicable`."""

    condition: "Node"
    then: "Node"
    otherwise: "Node | None"

    def value(self, state_of: StateOf) -> LineState:
        """The branch's state; where the condition is unknown, the state both branches share, else `not_checked`."""
        condition = self.condition.value(state_of)
        if condition == "pass":
            return self.then.value(state_of)
        rest: LineState = self.otherwise.value(state_of) if self.otherwise else "not_applicable"
        if condition in ("fail", "not_applicable"):
            return rest
        return rest if self.then.value(state_of) == rest else "not_checked"

    def names(self) -> Iterator[str]:
        """Names inside."""
        yield from self.condition.names()
        yield from self.then.names()
        if self.otherwise:
            yield from self.otherwise.names()


Node = Name | Not | All | Any | If


def parse_decision(text: str, where: str) -> Node:
    """The decision that the text says; an InputError naming `where` if it is not one."""
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    node, rest = _choice(words, where)
    if rest:
        raise InputError(where, f"goes on after the decision: {' '.join(rest)}")
    return node


def _choice(words: list[str], where: str) -> tuple[Node, list[str]]:
    if not words or words[0] not in ("IF", "ELIF"):
        return _either(words, where)
    condition, words = _either(words[1:], where)
    if not words or words[0] != "THEN":
        raise InputError(where, "has IF without THEN")
    then, words = _either(words[1:], where)
    if words and words[0] == "ELIF":
        otherwise, words = _choice(words, where)
        return If(condition, then, otherwise), words
    if words and words[0] == "ELSE":
        otherwise, words = _either(words[1:], where)
        return If(condition, then, otherwise), words
    return If(condition, then, None), words


def _either(words: list[str], where: str) -> tuple[Node, list[str]]:
    part, words = _both(words, where)
    parts = [part]
    while words and words[0] == "OR":
        part, words = _both(words[1:], where)
        parts.append(part)
    return (parts[0] if len(parts) == 1 else Any(tuple(parts))), words


def _both(words: list[str], where: str) -> tuple[Node, list[str]]:
    part, words = _one(words, where)
    parts = [part]
    while words and words[0] == "AND":
        part, words = _one(words[1:], where)
        parts.append(part)
    return (parts[0] if len(parts) == 1 else All(tuple(parts))), words


def _one(words: list[str], where: str) -> tuple[Node, list[str]]:
    if not words:
        raise InputError(where, "ends where a check is expected")
    word, rest = words[0], words[1:]
    if word == "NOT":
        part, rest = _one(rest, where)
        return Not(part), rest
    if word == "(":
        part, rest = _choice(rest, where)
        if not rest or rest[0] != ")":
            raise InputError(where, "has ( without )")
        return part, rest[1:]
    if word in _WORDS:
        raise InputError(where, f"has {word} where a check is expected")
    return Name(word), rest
