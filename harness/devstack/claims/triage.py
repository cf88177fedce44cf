"""Triage: level and reasons by the product's rule. The first level with a reason that applies is the level."""

from decimal import Decimal, InvalidOperation

from harness.devstack.claims.case import Case, Triage
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.parse import NONE, UNKNOWN

LEVELS = ("urgent", "complex", "standard", "simple")
REASONS = {
    "urgent": ("injury_reported", "uninhabitable", "ongoing_danger"),
    "complex": ("vehicle_stolen", "not_drivable", "liability_disputed", "loss_at_least_10000"),
    "standard": ("third_party_involved", "loss_at_least_1000", "police_involved"),
    "simple": ("minor_damage",),
}


def triage(case: Case) -> Triage:
    """Level and all true reasons, those of the level first. "unknown" is never a reason."""
    true = _true_reasons(case)
    for level in LEVELS:
        if any(reason in true for reason in REASONS[level]):
            below = LEVELS[LEVELS.index(level) :]
            return Triage(level=level, reasons=[r for each in below for r in REASONS[each] if r in true])
    return Triage(level="simple", reasons=["minor_damage"])


def _true_reasons(case: Case) -> set[str]:
    loss = _figure(case.value("estimated_loss"))
    spec = catalogue().classes.get(case.scenario_class or "")
    said = {None, UNKNOWN, NONE}
    other = case.value("other_vehicle")
    third_party = other != NONE and (other not in said or bool(spec and spec.third_party))
    reasons = {
        "injury_reported": case.value("injuries") == "yes",
        "uninhabitable": case.value("habitable") == "no",
        "ongoing_danger": case.value("ongoing_danger") == "yes",
        "vehicle_stolen": case.scenario_class == "motor.theft",
        "not_drivable": case.value("drivable") == "no",
        "liability_disputed": case.value("liability_disputed") == "yes",
        "loss_at_least_10000": loss >= 10_000,
        "third_party_involved": third_party,
        "loss_at_least_1000": loss >= 1_000,
        "police_involved": case.value("police_reference") not in said,
    }
    return {name for name, applies in reasons.items() if applies}


def _figure(value: str | None) -> Decimal:
    try:
        return Decimal((value or "0").split(" ")[0])
    except InvalidOperation:
        return Decimal(0)
