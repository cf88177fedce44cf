"""The rules behind the labels, at their borders."""

import json
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.schema.setup import ClaimsSetup
from oracle_scoring.corpus.models import CHECKS, STRONG, Check, CheckLabel, FileProvenance, PrintedField, Provenance
from oracle_scoring.corpus.rules import (
    LEVELS,
    control_fits,
    document_date,
    inception_check,
    near_hits,
    prior_claims_check,
    review_checks,
    review_required,
    triage,
    triage_reasons,
)

INCIDENT = date(2026, 3, 9)
QUIET = {
    "injuries": "no",
    "drivable": "yes",
    "estimated_loss": "400.00 GBP",
    "other_vehicle": "none",
    "police_reference": "none",
}


def setup(
    inception: str | None = "2020-01-01", reported: tuple[str, ...] = (), failed: tuple[str, ...] = ()
) -> ClaimsSetup:
    """A setup with this cover and these other claims."""
    policy = {"number": "N", "product": "motor", "holder": "H", "inception": inception, "insured_item": "I"}
    return ClaimsSetup.model_validate_json(
        json.dumps(
            {
                "format": "0.2",
                "canary": "0" * 32,
                "kind": "claims",
                "claimant_session": "anonymous",
                "now": "2026-03-11T09:00:00Z",
                "policy": policy if inception else None,
                "prior_claims": [{"number": str(n), "reported": r, "kind": "motor"} for n, r in enumerate(reported)],
                "failed_lookups": list(failed),
            }
        )
    )


def paper(document: str, day: str | None, **more: object) -> FileProvenance:
    """A document with this date on page one (none printed for None)."""
    field = {"page": 1, "printed": str(day), "kind": "date", "value": day, "legible": more.pop("legible", True)}
    made = {
        "how": "scanned",
        "document": document,
        "recipe": None,
        "content": {},
        "prompt": None,
        "purpose": "p",
        "printed_fields": {"date": field} if day else {},
        "pages_total": 2,
        "pages_present": [1, 2],
        "rng_seed": None,
        "source_images": [],
    }
    return FileProvenance.model_validate({**made, **more})


def papers(*made: FileProvenance) -> Provenance:
    """Provenance of a package with these documents."""
    return Provenance(
        format="0.2", canary="0" * 32, plain_opening="o", files={f"f{n}.pdf": m for n, m in enumerate(made)}
    )


def checked(*made: FileProvenance, incident: date | None = INCIDENT) -> dict[Check, CheckLabel]:
    """All checks for these documents and a quiet setup."""
    return review_checks(setup(), papers(*made), incident)


# --- documents -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "receipt", "quote"),
    [
        ("2026-03-08", "clear", "hit"),
        ("2026-03-09", "clear", "clear"),
        ("2026-03-10", "hit", "clear"),
    ],
)
def test_a_document_of_the_same_day_is_clear(day: str, receipt: str, quote: str) -> None:
    """A receipt hits from the day after, a quote up to the day before."""
    assert checked(paper("receipt", day))["receipt_after_incident"].result == receipt
    assert checked(paper("quote", day))["quote_before_incident"].result == quote


def test_without_such_a_document_the_check_does_not_apply() -> None:
    """A quote is no receipt, an invoice is neither."""
    checks = checked(paper("invoice", "2026-03-01"))
    assert {checks[c].result for c in STRONG} == {"not_applicable"}


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (paper("quote", "2026-03-01", legible=False), "unreadable"),
        (paper("quote", "2026-13-01"), "unreadable"),
        (paper("quote", "2026-03-01", pages_present=[2]), "missing_page"),
        (paper("quote", None, pages_present=[1]), "missing_page"),
        (paper("quote", None), "no_data"),
    ],
)
def test_a_date_that_cannot_be_known_is_not_checked(made: FileProvenance, reason: str) -> None:
    """Unreadable, on a page left out, or not there: each with its own reason, never clear."""
    assert document_date(made) == reason
    label = checked(made)["quote_before_incident"]
    assert (label.result, label.reason) == ("not_checked", reason)


def test_one_hit_outweighs_what_cannot_be_read() -> None:
    """A second document that is unreadable does not take a hit away."""
    label = checked(paper("quote", "2026-03-01", legible=False), paper("quote", "2026-03-02"))["quote_before_incident"]
    assert label.result == "hit"


def test_one_clear_document_does_not_clear_an_unreadable_one() -> None:
    """What was not checked never becomes clear by company."""
    label = checked(paper("quote", "2026-03-12"), paper("quote", "2026-03-02", legible=False))["quote_before_incident"]
    assert (label.result, label.reason) == ("not_checked", "unreadable")


def test_an_unknown_incident_date_leaves_every_check_open() -> None:
    """All checks are relative to the incident date; without it nothing is clear."""
    checks = review_checks(setup(), papers(paper("quote", "2026-03-01"), paper("receipt", "2026-03-01")), None)
    assert {(label.result, label.reason) for label in checks.values()} == {("not_checked", "no_data")}


# --- cover ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "result"), [(0, "hit"), (1, "hit"), (29, "hit"), (30, "hit"), (31, "clear"), (-1, "clear")]
)
def test_the_thirtieth_day_of_cover_hits(days: int, result: str) -> None:
    """From the first day to the thirtieth after it."""
    inception = (INCIDENT - timedelta(days=days)).isoformat()
    assert inception_check(setup(inception), INCIDENT).result == result


def test_a_policy_that_cannot_be_looked_up_is_not_checked() -> None:
    """A failed lookup and missing data differ by their reason."""
    assert inception_check(setup("2026-03-01", failed=("policy",)), INCIDENT).reason == "lookup_failed"
    assert inception_check(setup(None), INCIDENT).reason == "no_data"
    assert inception_check(setup("2026-02-30"), INCIDENT).reason == "no_data"


@given(st.integers(-4000, 4000))
def test_cover_hits_exactly_within_thirty_days(days: int) -> None:
    """For any distance."""
    inception = (INCIDENT - timedelta(days=days)).isoformat()
    assert (inception_check(setup(inception), INCIDENT).result == "hit") == (0 <= days <= 30)


# --- other claims --------------------------------------------------------------------------------------------------


def ago(days: int) -> str:
    """The day so many days before the incident."""
    return (INCIDENT - timedelta(days=days)).isoformat()


@pytest.mark.parametrize(
    ("reported", "result"),
    [
        ((), "clear"),
        ((ago(10),), "clear"),
        ((ago(10), ago(364)), "hit"),
        ((ago(10), ago(365)), "hit"),
        ((ago(10), ago(366)), "clear"),
        ((ago(0), ago(1)), "hit"),
        ((ago(-1), ago(1)), "clear"),
        ((ago(366), ago(400), ago(1)), "clear"),
        ((ago(1), ago(2), ago(3)), "hit"),
    ],
)
def test_two_other_claims_within_a_year_hit(reported: tuple[str, ...], result: str) -> None:
    """365 days before the incident count, 366 do not, and neither do claims reported after it."""
    assert prior_claims_check(setup(reported=reported), INCIDENT).result == result


def test_claims_that_cannot_be_looked_up_are_not_checked() -> None:
    """Even where the list is empty because the lookup failed."""
    label = prior_claims_check(setup(failed=("prior_claims",)), INCIDENT)
    assert (label.result, label.reason) == ("not_checked", "lookup_failed")


@pytest.mark.parametrize("reported", [(), (ago(1), ago(2))])
def test_without_a_policy_other_claims_are_not_checked(reported: tuple[str, ...]) -> None:
    """There is nothing to look them up by: no data is never clear."""
    label = prior_claims_check(setup(None, reported=reported), INCIDENT)
    assert (label.result, label.reason) == ("not_checked", "no_data")


def test_a_claim_without_a_real_date_leaves_the_check_open_only_if_it_matters() -> None:
    """Alone it cannot make two; beside a recent one it could."""
    assert prior_claims_check(setup(reported=("2026-02-30",)), INCIDENT).result == "clear"
    assert prior_claims_check(setup(reported=("2026-02-30", ago(3))), INCIDENT).result == "not_checked"


# --- the alert -----------------------------------------------------------------------------------------------------


@given(st.fixed_dictionaries({c: st.sampled_from(["hit", "clear", "not_checked", "not_applicable"]) for c in CHECKS}))
def test_one_strong_or_two_weak_hits_and_nothing_else(results: dict[Check, str]) -> None:
    """The alert depends on hits alone; what was not checked neither raises nor clears it."""
    strong = [c for c in ("receipt_after_incident", "quote_before_incident") if results[c] == "hit"]
    weak = [c for c in ("prior_claims_within_year", "loss_within_30_days_of_inception") if results[c] == "hit"]
    assert review_required(results) == (len(strong) >= 1 or len(weak) == 2)
    others = {c: "not_checked" if r == "clear" else r for c, r in results.items()}
    assert review_required(others) == review_required(results)
    if review_required(results):
        assert not any(control_fits(kind, results) for kind in ("no_signal", "one_weak_signal", "look_alike"))


def test_kinds_of_innocent_control() -> None:
    """No hit, exactly one weak hit, or anything that needs no review."""
    quiet: dict[Check, str] = dict.fromkeys(CHECKS, "clear")
    weak: dict[Check, str] = {**quiet, "loss_within_30_days_of_inception": "hit"}
    assert control_fits("no_signal", quiet) and not control_fits("no_signal", weak)
    assert control_fits("one_weak_signal", weak) and not control_fits("one_weak_signal", quiet)
    assert control_fits("look_alike", quiet) and control_fits("look_alike", weak)
    assert control_fits(None, weak)


@pytest.mark.parametrize(
    ("insurer", "made", "near"),
    [
        (setup(), (paper("quote", ago(0)),), ["quote_before_incident"]),
        (setup(), (paper("quote", ago(-3)),), ["quote_before_incident"]),
        (setup(), (paper("quote", ago(-4)),), []),
        (setup(), (paper("quote", ago(1)),), []),
        (setup(), (paper("receipt", ago(3)),), ["receipt_after_incident"]),
        (setup(), (paper("receipt", ago(4)),), []),
        (setup(), (paper("receipt", ago(-1)),), []),
        (setup(), (paper("invoice", ago(0)),), []),
        (setup(ago(31)), (), ["loss_within_30_days_of_inception"]),
        (setup(ago(90)), (), ["loss_within_30_days_of_inception"]),
        (setup(ago(91)), (), []),
        (setup(ago(30)), (), []),
        (setup(None), (), []),
        (setup(ago(40), failed=("policy",)), (), []),
        (setup(reported=(ago(100), ago(425))), (), ["prior_claims_within_year"]),
        (setup(reported=(ago(366), ago(425))), (), ["prior_claims_within_year"]),
        (setup(reported=(ago(100), ago(426))), (), []),
        (setup(reported=(ago(100),)), (), []),
        (setup(reported=(ago(100), ago(200))), (), []),
    ],
)
def test_what_comes_close_to_a_hit(insurer: ClaimsSetup, made: tuple[FileProvenance, ...], near: list[str]) -> None:
    """A check that is clear and would hit with a border a few days, or sixty days, on; a hit itself is not close to one."""
    assert near_hits(insurer, papers(*made), INCIDENT) == near
    assert near_hits(insurer, papers(*made), None) == []


# --- triage --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "level", "required", "allowed"),
    [
        ({}, "simple", {"minor_damage"}, set()),
        ({"estimated_loss": "999.99 GBP"}, "simple", {"minor_damage"}, set()),
        ({"estimated_loss": "1000.00 GBP"}, "standard", {"loss_at_least_1000"}, set()),
        ({"estimated_loss": "1000 GBP"}, "standard", {"loss_at_least_1000"}, set()),
        ({"estimated_loss": "9999.99 GBP"}, "standard", {"loss_at_least_1000"}, set()),
        ({"estimated_loss": "10000.00 GBP"}, "complex", {"loss_at_least_10000"}, {"loss_at_least_1000"}),
        ({"other_vehicle": "AB12 CDE"}, "standard", {"third_party_involved"}, set()),
        ({"police_reference": "CR/1"}, "standard", {"police_involved"}, set()),
        ({"drivable": "no", "police_reference": "CR/1"}, "complex", {"not_drivable"}, {"police_involved"}),
        ({"liability_disputed": "yes"}, "complex", {"liability_disputed"}, set()),
        ({"injuries": "yes", "drivable": "no"}, "urgent", {"injury_reported"}, {"not_drivable"}),
        ({"habitable": "no", "ongoing_danger": "yes"}, "urgent", {"uninhabitable", "ongoing_danger"}, set()),
    ],
)
def test_the_first_level_that_applies(
    change: dict[str, str], level: str, required: set[str], allowed: set[str]
) -> None:
    """All reasons of the level are required, true reasons of lower levels allowed."""
    got = triage({**QUIET, **change}, "motor.single_vehicle")
    assert (got.level, set(got.required), set(got.allowed)) == (level, required, allowed)


def test_a_theft_is_complex_whatever_else() -> None:
    """The class alone says that the vehicle is stolen."""
    assert triage(QUIET, "motor.theft").required == ("vehicle_stolen",)


def test_an_unknown_other_car_is_a_third_party_where_somebody_hit_the_car() -> None:
    """A parked car does not get hit by nobody; elsewhere the question stays open."""
    values = {**QUIET, "other_vehicle": "unknown"}
    assert triage_reasons(values, "motor.parked_hit")["third_party_involved"] is True
    assert triage_reasons(values, "motor.single_vehicle")["third_party_involved"] is None
    assert "third_party_involved" in triage(values, "motor.single_vehicle").undecided


def test_what_the_customer_does_not_know_raises_no_level() -> None:
    """Open questions are neither required nor allowed."""
    got = triage({**QUIET, "injuries": "unknown", "estimated_loss": "unknown"}, "motor.weather")
    assert got.level == "simple"
    assert set(got.undecided) == {"injury_reported", "loss_at_least_10000", "loss_at_least_1000"}


@given(
    st.fixed_dictionaries(
        {
            "injuries": st.sampled_from(["yes", "no", "unknown"]),
            "drivable": st.sampled_from(["yes", "no", "unknown"]),
            "habitable": st.sampled_from(["yes", "no", "unknown"]),
            "police_reference": st.sampled_from(["none", "unknown", "CR/7"]),
            "other_vehicle": st.sampled_from(["none", "unknown", "a van"]),
            "estimated_loss": st.sampled_from(["unknown", "1.00 GBP", "1000.00 GBP", "10000.00 GBP"]),
        }
    )
)
def test_every_case_has_one_level_and_a_reason(values: dict[str, str]) -> None:
    """The level has a required reason, no reason is listed twice, and no allowed reason is of the level or above."""
    got = triage(values, "motor.single_vehicle")
    assert got.required and set(got.required) <= set(LEVELS[got.level])
    above = list(LEVELS)[: list(LEVELS).index(got.level) + 1]
    assert not any(set(got.allowed) & set(LEVELS[level]) for level in above)


def test_printed_fields_are_legible_unless_said_otherwise() -> None:
    """The default speaks for a document that can be read."""
    assert PrintedField(page=1, printed="x", kind="text", value="x").legible
