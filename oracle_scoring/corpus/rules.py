"""The rules behind the labels: triage, the four review checks, and whether a person should look.

Everything is three-valued: what cannot be known is None or `not_checked` with its reason, and never counts as clear.
All day counts are relative to the incident date, in whole calendar days.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from harness.schema.product import TriageLevel
from harness.schema.setup import ClaimsSetup
from harness.schema.visible import Facts
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import (
    STRONG,
    WEAK,
    Check,
    CheckLabel,
    DocumentKind,
    FileProvenance,
    InnocentControl,
    NotCheckedReason,
    Provenance,
    TriageReason,
)
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_amount, parse_date, parse_yes_no

LEVELS: dict[TriageLevel, tuple[TriageReason, ...]] = {
    "urgent": ("injury_reported", "uninhabitable", "ongoing_danger"),
    "complex": ("vehicle_stolen", "not_drivable", "liability_disputed", "loss_at_least_10000"),
    "standard": ("third_party_involved", "loss_at_least_1000", "police_involved"),
    "simple": ("minor_damage",),
}
"""Level -> its reasons, the first level that has a true reason applies."""
REASON_FACTS: dict[TriageReason, str] = {
    "injury_reported": "injuries",
    "uninhabitable": "habitable",
    "ongoing_danger": "ongoing_danger",
    "vehicle_stolen": "vehicle_stolen",
    "not_drivable": "drivable",
    "liability_disputed": "liability_disputed",
    "loss_at_least_10000": "estimated_loss",
    "third_party_involved": "other_vehicle",
    "loss_at_least_1000": "estimated_loss",
    "police_involved": "police_reference",
}
"""Reason -> the fact it rests on. A stolen vehicle follows from the class motor.theft without a fact."""
THIRD_PARTY_CLASSES = frozenset({"motor.parked_hit", "motor.rear_end"})
"""Classes in which somebody else was there even if the customer cannot say who."""
YEAR_DAYS = 365
NEW_COVER_DAYS = 30
MANY_PRIOR_CLAIMS = 2
NEAR_DOCUMENT_DAYS = 3
NEAR_COVER_DAYS = 60
NEAR_CLAIM_DAYS = 60
"""What makes a look-alike: a check is clear, and would hit if a document were dated so many days to the other side, if cover
counted as new for so many days longer, or if claims counted for so many days longer than a year."""
DATE_FIELD = "date"
"""Name of the printed field that holds a document's date."""

Tri = bool | None


@dataclass(frozen=True)
class Triage:
    """What the triage rule says."""

    level: TriageLevel
    required: tuple[TriageReason, ...]
    """True reasons of the level."""
    allowed: tuple[TriageReason, ...]
    """True reasons of lower levels."""
    undecided: tuple[TriageReason, ...]
    """Reasons that the facts leave open; they are neither required nor allowed."""


def fact_values(facts: Facts) -> dict[str, str]:
    """Fact id -> canonical value; "unknown" for what the customer is known not to know."""
    known = {f.id: f.value for f in facts.facts}
    return {**{u.id: UNKNOWN for u in facts.does_not_know}, **known}


def _answer(values: Mapping[str, str], fact: str, wanted: bool) -> Tri:
    """Is the yes/no fact `wanted`? False where it is no fact of this package, None where it is unknown."""
    if fact not in values:
        return False
    said = parse_yes_no(values[fact])
    return None if said is None else said is wanted


def _loss_at_least(values: Mapping[str, str], limit: int) -> Tri:
    amount = parse_amount(values.get("estimated_loss", UNKNOWN))
    return None if amount is None else amount[0] >= Decimal(limit)


def _named(values: Mapping[str, str], fact: str) -> Tri:
    """Is there such a thing? None if unknown, False if it is "none" or no fact of this package."""
    value = values.get(fact, NONE)
    return None if value == UNKNOWN else value != NONE


def triage_reasons(values: Mapping[str, str], scenario_class: str) -> dict[TriageReason, Tri]:
    """Every reason with whether it is true."""
    third_party = _named(values, "other_vehicle")
    if third_party is None and scenario_class in THIRD_PARTY_CLASSES:
        third_party = True
    stolen = True if scenario_class == "motor.theft" else _answer(values, "vehicle_stolen", True)
    reasons: dict[TriageReason, Tri] = {
        "injury_reported": _answer(values, "injuries", True),
        "uninhabitable": _answer(values, "habitable", False),
        "ongoing_danger": _answer(values, "ongoing_danger", True),
        "vehicle_stolen": stolen,
        "not_drivable": _answer(values, "drivable", False),
        "liability_disputed": _answer(values, "liability_disputed", True),
        "loss_at_least_10000": _loss_at_least(values, 10_000),
        "third_party_involved": third_party,
        "loss_at_least_1000": _loss_at_least(values, 1_000),
        "police_involved": _named(values, "police_reference"),
    }
    reasons["minor_damage"] = not any(reasons.values())
    return reasons


def triage(values: Mapping[str, str], scenario_class: str) -> Triage:
    """The level, with required and allowed reasons; open questions do not raise the level."""
    reasons = triage_reasons(values, scenario_class)
    order = list(LEVELS)
    level = next(name for name in order if any(reasons[r] for r in LEVELS[name]))
    lower = [r for name in order[order.index(level) + 1 :] for r in LEVELS[name]]
    return Triage(
        level,
        tuple(r for r in LEVELS[level] if reasons[r]),
        tuple(r for r in lower if reasons[r]),
        tuple(r for r, value in reasons.items() if value is None),
    )


def _not_checked(reason: NotCheckedReason) -> CheckLabel:
    return CheckLabel(result="not_checked", reason=reason)


def _result(hit: bool) -> CheckLabel:
    return CheckLabel(result="hit" if hit else "clear")


def document_date(made: FileProvenance) -> date | NotCheckedReason:
    """The date printed on a document, or why it cannot be known."""
    field = made.printed_fields.get(DATE_FIELD)
    if made.pages_present is not None and field is not None and field.page not in made.pages_present:
        return "missing_page"
    if field is None:
        pages_left_out = made.pages_total is not None and len(made.pages_present or []) < made.pages_total
        return "missing_page" if pages_left_out else "no_data"
    if not field.legible:
        return "unreadable"
    return parse_date(field.value) or "unreadable"


def _documents(provenance: Provenance, kind: Literal["quote", "receipt"]) -> list[FileProvenance]:
    return [made for _, made in sorted(provenance.files.items()) if made.document == kind]


def _document_check(documents: Iterable[FileProvenance], incident: date | None, after: bool) -> CheckLabel:
    """One hit is a hit; else one document that could not be read leaves the check open; the same day is clear."""
    dates = [document_date(d) for d in documents]
    if not dates:
        return CheckLabel(result="not_applicable")
    if incident is None:
        return _not_checked("no_data")
    known = [d for d in dates if isinstance(d, date)]
    if any(d > incident if after else d < incident for d in known):
        return _result(True)
    for found in dates:
        if not isinstance(found, date):
            return _not_checked(found)
    return _result(False)


def prior_claims_check(setup: ClaimsSetup, incident: date | None) -> CheckLabel:
    """A hit for two or more other claims reported in the 365 days up to and including the incident date.

    Other claims are looked up by the policy: without one there is no data, whatever the list says.
    """
    if "prior_claims" in setup.failed_lookups:
        return _not_checked("lookup_failed")
    if incident is None or setup.policy is None:
        return _not_checked("no_data")
    reported = [parse_date(claim.reported) for claim in setup.prior_claims]
    recent = [d for d in reported if d is not None and 0 <= (incident - d).days <= YEAR_DAYS]
    if len(recent) >= MANY_PRIOR_CLAIMS:
        return _result(True)
    if len(recent) + sum(d is None for d in reported) >= MANY_PRIOR_CLAIMS:
        return _not_checked("unreadable")
    return _result(False)


def inception_check(setup: ClaimsSetup, incident: date | None) -> CheckLabel:
    """A hit for an incident on the first day of cover or one of the thirty days after it; day 30 counts."""
    if "policy" in setup.failed_lookups:
        return _not_checked("lookup_failed")
    inception = parse_date(setup.policy.inception) if setup.policy else None
    if incident is None or inception is None:
        return _not_checked("no_data")
    return _result(0 <= (incident - inception).days <= NEW_COVER_DAYS)


def review_checks(setup: ClaimsSetup, provenance: Provenance, incident: date | None) -> dict[Check, CheckLabel]:
    """All four checks."""
    return {
        "receipt_after_incident": _document_check(_documents(provenance, "receipt"), incident, after=True),
        "quote_before_incident": _document_check(_documents(provenance, "quote"), incident, after=False),
        "prior_claims_within_year": prior_claims_check(setup, incident),
        "loss_within_30_days_of_inception": inception_check(setup, incident),
    }


def review_required(results: Mapping[Check, str]) -> bool:
    """One strong hit or two weak ones; nothing else."""
    hits = {check for check, result in results.items() if result == "hit"}
    return bool(hits & STRONG) or len(hits & WEAK) >= 2


def control_fits(control: InnocentControl | None, results: Mapping[Check, str]) -> bool:
    """Whether a package with these results can be this kind of innocent control."""
    hits = {check for check, result in results.items() if result == "hit"}
    if control is None:
        return True
    if review_required(results):
        return False
    return {"no_signal": not hits, "one_weak_signal": len(hits & WEAK) == 1, "look_alike": True}[control]


def near_hits(setup: ClaimsSetup, provenance: Provenance, incident: date | None) -> list[Check]:
    """Checks that come so close to a hit that a hasty product takes them for one.

    A quote of the day of the incident or of the few days after it; a receipt of that day or of the few days before it; an
    incident in the sixty days behind the first thirty of cover; claims that are two or more only if the sixty days before
    the year are counted in.
    """
    if incident is None:
        return []
    checks = review_checks(setup, provenance, incident)
    near: list[Check] = []
    sides: list[tuple[Check, DocumentKind, int]] = [
        ("quote_before_incident", "quote", 1),
        ("receipt_after_incident", "receipt", -1),
    ]
    for check, kind, side in sides:
        dates = [document_date(made) for made in provenance.files.values() if made.document == kind]
        days = [side * (found - incident).days for found in dates if isinstance(found, date)]
        if any(0 <= n <= NEAR_DOCUMENT_DAYS for n in days):
            near.append(check)
    reported = [day for claim in setup.prior_claims if (day := parse_date(claim.reported)) is not None]
    if sum(0 <= (incident - day).days <= YEAR_DAYS + NEAR_CLAIM_DAYS for day in reported) >= MANY_PRIOR_CLAIMS:
        near.append("prior_claims_within_year")
    inception = parse_date(setup.policy.inception) if setup.policy else None
    if inception is not None and 0 <= (incident - inception).days <= NEW_COVER_DAYS + NEAR_COVER_DAYS:
        near.append("loss_within_30_days_of_inception")
    return [check for check in near if checks[check].result == "clear"]


def incident_date(values: Mapping[str, str]) -> date | None:
    """The date of the incident, None if the customer does not know it."""
    return parse_date(values.get("incident_date", UNKNOWN))


@dataclass(frozen=True)
class Derived:
    """All labels as the rules give them."""

    triage: Triage
    checks: dict[Check, CheckLabel]
    review_required: bool


def derive(package: Package) -> Derived:
    """The labels of a package from its facts, printed fields and setup."""
    values = fact_values(package.visible.facts)
    checks = review_checks(package.setup, package.provenance, incident_date(values))
    required = review_required({check: label.result for check, label in checks.items()})
    return Derived(triage(values, package.labels.scenario_class), checks, required)
