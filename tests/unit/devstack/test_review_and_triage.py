"""Review checks and triage, by the rules of the product."""

from datetime import date

import pytest

from harness.devstack.claims import review
from harness.devstack.claims.case import Case, Fact, PolicyData
from harness.devstack.claims.triage import triage
from tests.unit.devstack.talks import NOW, prior, upload

INCIDENT = date(2026, 3, 9)


def policy(inception: str) -> PolicyData:
    """A motor policy that began on a day."""
    return PolicyData(number="P", product="motor", holder="N", inception=inception, insured_item="AB12 CDE")


@pytest.mark.parametrize(
    ("kind", "printed", "result"),
    [
        ("quote", "2026-03-08", "hit"), ("quote", "2026-03-09", "clear"), ("quote", "2026-03-10", "clear"),
        ("quote", None, "not_checked"), ("receipt", "2026-03-10", "hit"), ("receipt", "2026-03-09", "clear"),
        ("receipt", "2026-03-01", "clear"), ("receipt", None, "not_checked"),
    ],
)  # fmt: skip
def test_papers_are_compared_with_the_day_of_the_incident(kind: str, printed: str | None, result: str) -> None:
    """The same day is clear for both; a date that could not be read is not checked, never clear."""
    checks = review.run_checks(INCIDENT, [upload(kind, printed)], policy("2020-01-01"), [], [])
    name = "quote_before_incident" if kind == "quote" else "receipt_after_incident"
    assert checks[name] == result


def test_no_paper_means_not_applicable_and_a_hit_beats_an_unreadable_one() -> None:
    """One bad date is enough, whatever else could not be read."""
    checks = review.run_checks(INCIDENT, [upload("quote", None), upload("quote", "2026-03-01")], None, [], [])
    assert (checks["quote_before_incident"], checks["receipt_after_incident"]) == ("hit", "not_applicable")


@pytest.mark.parametrize(
    ("inception", "result"),
    [("2026-03-09", "hit"), ("2026-02-07", "hit"), ("2026-02-06", "clear"), ("2020-01-01", "clear")],
)
def test_day_thirty_of_cover_still_hits(inception: str, result: str) -> None:
    """7 February to 9 March are thirty days."""
    assert review.run_checks(INCIDENT, [], policy(inception), [], [])["loss_within_30_days_of_inception"] == result


@pytest.mark.parametrize(
    ("reported", "result"),
    [
        ([], "clear"),
        (["2026-01-01"], "clear"),
        (["2026-01-01", "2025-03-09"], "hit"),
        (["2026-01-01", "2025-03-08"], "clear"),
        (["2026-01-01", "2026-03-10"], "clear"),
    ],
)
def test_two_other_claims_in_the_year_before_hit(reported: list[str], result: str) -> None:
    """365 days up to the incident count; what was reported after it does not."""
    assert (
        review.run_checks(INCIDENT, [], policy("2020-01-01"), prior(*reported), [])["prior_claims_within_year"]
        == result
    )


def test_what_could_not_be_looked_up_is_not_checked() -> None:
    """A failed lookup, no policy and an unknown day never mean clear."""
    failed = review.run_checks(INCIDENT, [], policy("2026-03-01"), prior("2026-01-01"), ["policy", "prior_claims"])
    assert {failed["loss_within_30_days_of_inception"], failed["prior_claims_within_year"]} == {"not_checked"}
    unknown = review.run_checks(INCIDENT, [], None, [], [])
    assert {unknown["loss_within_30_days_of_inception"], unknown["prior_claims_within_year"]} == {"not_checked"}
    no_day = review.run_checks(None, [upload("quote", "2026-03-01")], policy("2026-03-01"), [], [])
    assert no_day["quote_before_incident"] == no_day["loss_within_30_days_of_inception"] == "not_checked"


@pytest.mark.parametrize(
    ("hits", "required"),
    [
        ((), False), (("quote_before_incident",), True), (("receipt_after_incident",), True),
        (("prior_claims_within_year",), False), (("loss_within_30_days_of_inception",), False),
        (("prior_claims_within_year", "loss_within_30_days_of_inception"), True),
    ],
)  # fmt: skip
def test_one_strong_or_two_weak_signals_need_a_review(hits: tuple[str, ...], required: bool) -> None:
    """Nothing else does."""
    checks = {c: "hit" if c in hits else "not_checked" for c in review.CHECKS}
    assert review.required(checks) is required


def test_an_explanation_stands_beside_the_alert_only() -> None:
    """What was said about a check that is clear is no explanation of an alert."""
    said = {"quote_before_incident": "old form", "prior_claims_within_year": "both windscreens"}
    assert review.explanation({"quote_before_incident": "hit", "prior_claims_within_year": "clear"}, said) == "old form"


def case(scenario_class: str = "motor.parked_hit", **facts: str) -> Case:
    """A case that holds these facts."""
    held = {f: Fact(value=v) for f, v in facts.items()}
    return Case(ref="c", request_id="r", started=NOW, scenario_class=scenario_class, facts=held)


@pytest.mark.parametrize(
    ("given", "level", "reasons"),
    [
        (case(injuries="yes", estimated_loss="20000.00 GBP"), "urgent", ["injury_reported", "loss_at_least_10000", "third_party_involved", "loss_at_least_1000"]),
        (case("home.storm", habitable="no"), "urgent", ["uninhabitable"]),
        (case("motor.theft"), "complex", ["vehicle_stolen"]),
        (case("motor.weather", drivable="no"), "complex", ["not_drivable"]),
        (case("motor.weather", estimated_loss="10000.00 GBP"), "complex", ["loss_at_least_10000", "loss_at_least_1000"]),
        (case("motor.weather", estimated_loss="9999.99 GBP"), "standard", ["loss_at_least_1000"]),
        (case(other_vehicle="unknown"), "standard", ["third_party_involved"]),
        (case("motor.weather", police_reference="CR/1"), "standard", ["police_involved"]),
        (case("motor.weather", police_reference="none", estimated_loss="unknown"), "simple", ["minor_damage"]),
    ],
)  # fmt: skip
def test_the_first_level_with_a_reason_is_the_level(given: Case, level: str, reasons: list[str]) -> None:
    """Reasons of the level come first, true ones of lower levels after; "unknown" is no reason."""
    found = triage(given)
    assert (found.level, found.reasons) == (level, reasons)


def test_staff_read_why_a_check_was_not_made() -> None:
    """A page that is missing, a date nobody can read, a lookup that failed, a policy nobody knows; nothing for the rest."""
    uploads = [upload("quote", None, pages_missing=True), upload("receipt", None)]
    checks = review.run_checks(INCIDENT, uploads, None, [], ["prior_claims"])
    assert review.why_not(checks, INCIDENT, uploads, ["prior_claims"]) == {
        "receipt_after_incident": "The date on the document could not be read.",
        "quote_before_incident": "A page of the document is missing.",
        "prior_claims_within_year": "The lookup failed.",
        "loss_within_30_days_of_inception": "No policy is known.",
    }
    clear = review.run_checks(INCIDENT, [upload("quote", "2026-12-01")], policy("2020-01-01"), [], [])
    assert review.why_not(clear, INCIDENT, [], []) == {}
