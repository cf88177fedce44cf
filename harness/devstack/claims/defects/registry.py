"""What a defect is, and the few questions every bend asks about the ones that are switched on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from harness.devstack.claims.case import Case

REST_OF_THE_CLAIM = "the journey stops there, so the rest of the claim is not told, stored or sent"
STOPS: Mapping[str, str] = {
    group: REST_OF_THE_CLAIM
    for group in (
        "journey.*", "facts.*", "incident_time.*", "triage.*", "review.*", "files.*", "staff.*", "assertions.*",
    )
}  # fmt: skip
"""What moves with a fault after which the customer cannot go on."""


@dataclass(frozen=True)
class Defect:
    """One named fault.

    Args:
        name: what a seed switches on.
        seen: what a customer or a member of staff meets.
        lines: the score line that names it, as a pattern (`*`); of several the first that a package has.
        follows: pattern of lines that rightly move with it -> why.
        needs: conditions of a package in which it can show, all of them (see docs/calibration.md).
        waits_s: how long it makes the customer wait, in seconds; another wait may stand after a colon (`slow_turn:5`).
    """

    name: str
    seen: str
    lines: tuple[str, ...]
    follows: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    waits_s: float | None = None


def on(defects: Iterable[str], name: str) -> bool:
    """Whether a defect is switched on, with or without a wait of its own."""
    return any(given.split(":")[0] == name for given in defects)


def wait_s(defects: Iterable[str], defect: Defect) -> float:
    """How long a switched-on defect makes the customer wait: what was asked for, else its own wait."""
    given = next((d for d in defects if d.split(":")[0] == defect.name), "")
    return float(given.partition(":")[2] or defect.waits_s or 0)


def once(case: Case, defects: Iterable[str], name: str) -> bool:
    """True the first time a switched-on defect comes up in a case, and never again."""
    if not on(defects, name) or name in case.marks:
        return False
    case.marks = [*case.marks, name]
    return True
