"""Three-valued combination of line states.

`pass` is true, `fail` is false, `not_applicable` is absent, and everything else is unknown. Nothing unknown ever becomes a
pass by being combined, and only pass and fail enter a rate.
"""

from collections.abc import Iterable

from harness.schema.scorecard import LineState

UNKNOWN: tuple[LineState, ...] = ("not_checked", "unimplemented", "needs_human")
"""Unknown states, the one that names a combination of several first."""
STATES: tuple[LineState, ...] = ("pass", "fail", "not_applicable", "not_checked", "unimplemented", "needs_human")


def all_of(states: Iterable[LineState]) -> LineState:
    """AND: fail beats unknown beats pass; `not_applicable` drops out, and is the result if nothing is left."""
    return _combine(states, decisive="fail", otherwise="pass")


def any_of(states: Iterable[LineState]) -> LineState:
    """OR: pass beats unknown beats fail; `not_applicable` drops out, and is the result if nothing is left."""
    return _combine(states, decisive="pass", otherwise="fail")


def opposite(state: LineState) -> LineState:
    """NOT: pass and fail change places, everything else stays."""
    swapped: dict[LineState, LineState] = {"pass": "fail", "fail": "pass"}
    return swapped.get(state, state)


def in_rate(state: LineState) -> bool:
    """Whether the state counts in a rate's numerator or denominator."""
    return state in ("pass", "fail")


def count(states: Iterable[LineState]) -> dict[LineState, int]:
    """How often each state occurs; every state is a key."""
    seen = list(states)
    return {state: seen.count(state) for state in STATES}


def _combine(states: Iterable[LineState], decisive: LineState, otherwise: LineState) -> LineState:
    left = {s for s in states if s != "not_applicable"}
    if not left:
        return "not_applicable"
    if decisive in left:
        return decisive
    return next((u for u in UNKNOWN if u in left), otherwise)
