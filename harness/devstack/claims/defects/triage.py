"""Faults of triage: level and reasons as staff see them and as they are stored."""

from collections.abc import Iterable

from harness.devstack.claims import triage
from harness.devstack.claims.case import Triage
from harness.devstack.claims.defects.registry import Defect, on

UNTRUE = "liability_disputed"
"""A reason that is given although nobody disputes anything."""

DEFECTS = (
    Defect(
        "triage_one_level_off",
        "Staff see the level below the right one (for the lowest the one above); reasons are right.",
        ("triage.level",),
    ),
    Defect(
        "triage_one_level_up",
        "Staff see the level above the right one; reasons are right.",
        ("triage.level",),
        needs=("!triage:urgent",),
    ),
    Defect(
        "triage_reason_missing",
        "The first reason of the level is not given.",
        ("triage.required_reasons",),
        {
            "triage.allowed_reasons": "where no reason is left, none can be wrong",
            "staff.triage_matches_state": "where no reason is left, the staff page has none to read",
        },
    ),
    Defect("triage_reason_untrue", "A reason is given that is not true of the claim.", ("triage.allowed_reasons",)),
    Defect(
        "triage_stored_differs",
        "The level handed to other systems is not the one staff see.",
        ("staff.triage_matches_state",),
    ),
)


def bend_triage(sound: Triage, defects: Iterable[str]) -> Triage:
    """The triage that is stored and that staff see."""
    level, reasons = sound.level, list(sound.reasons)
    if on(defects, "triage_one_level_off"):
        level = _beside(level)
    if on(defects, "triage_one_level_up"):
        level = triage.LEVELS[max(0, triage.LEVELS.index(level) - 1)]
    if on(defects, "triage_reason_missing"):
        reasons = reasons[1:]
    if on(defects, "triage_reason_untrue"):
        reasons = [*reasons, UNTRUE]
    return Triage(level=level, reasons=reasons)


def as_handed_on(held: Triage | None, defects: Iterable[str]) -> Triage | None:
    """triage_stored_differs: the triage that other systems are given."""
    if held is None or not on(defects, "triage_stored_differs"):
        return held
    return Triage(level=_beside(held.level), reasons=held.reasons)


def _beside(level: str) -> str:
    """The level below, for the lowest the one above."""
    at = triage.LEVELS.index(level)
    return triage.LEVELS[at + 1 if at + 1 < len(triage.LEVELS) else at - 1]
