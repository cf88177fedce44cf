"""What a predicate says, and the registry that joins names in the metrics' files to functions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from harness.errors import InputError
from harness.schema.scorecard import LineState
from oracle_scoring.inquiry.talk import Conversation, Decision, Exchange, Reply


class Finding(NamedTuple):
    """A state with its evidence."""

    state: LineState
    evidence: str = ""
    """Verbatim quote or field path; never empty for a fail."""
    reason: str = ""


class Moment(NamedTuple):
    """One occasion on which a metric applies."""

    exchange: Exchange
    reply: Reply | None = None
    decision: Decision | None = None

    @property
    def said(self) -> Reply:
        """The reply; only for occasions that have one."""
        if self.reply is None:
            raise ValueError("this occasion has no reply")
        return self.reply

    @property
    def decided(self) -> Decision:
        """The decision; only for occasions that have one."""
        if self.decision is None:
            raise ValueError("this occasion has no decision")
        return self.decision


@dataclass(frozen=True)
class Occasions:
    """Where a metric applies; `unknown` says why that could not be told."""

    moments: list[Moment]
    unknown: str = ""


PASS = Finding("pass")
Predicate = Callable[[Conversation, Moment], Finding]
Trigger = Callable[[Conversation], Occasions]


def ok(evidence: str = "", reason: str = "") -> Finding:
    """Pass."""
    return Finding("pass", evidence, reason) if evidence or reason else PASS


def fail(evidence: str, reason: str) -> Finding:
    """Fail."""
    return Finding("fail", evidence, reason)


def absent(reason: str) -> Finding:
    """The check does not apply here."""
    return Finding("not_applicable", "", reason)


def unknown(reason: str) -> Finding:
    """Rules cannot say, or what they need is not recorded."""
    return Finding("not_checked", "", reason)


def holds(condition: bool) -> Finding:
    """Pass or fail of a condition or an edge, which needs no evidence."""
    return PASS if condition else Finding("fail", "-", "")


PREDICATES: dict[str, Predicate] = {}
TRIGGERS: dict[str, Trigger] = {}


def predicate(function: Predicate) -> Predicate:
    """Makes a check's, condition's or edge's function known by its name."""
    _known_once(function.__name__)
    PREDICATES[function.__name__] = function
    return function


def trigger(function: Trigger) -> Trigger:
    """Makes a trigger known by its name."""
    _known_once(function.__name__)
    TRIGGERS[function.__name__] = function
    return function


def _known_once(name: str) -> None:
    if name in PREDICATES or name in TRIGGERS:
        raise InputError(f"predicate {name}", "is defined twice")
