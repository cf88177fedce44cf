"""Assertions about the product's state against the state read's shape and the labels."""

from pathlib import Path
from typing import Any

import pytest

from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.check_assertions import leads_to
from oracle_scoring.corpus.synthetic import make_package


def codes(tmp_path: Path, path: str, op: str, value: Any = None) -> set[str]:
    """Codes of a package with that assertion more."""
    item = {"id": "zq_more", "referee": "state", "says": "Zq more.", "path": path, "op": op, "value": value}
    return {f.code for f in check(make_package(tmp_path / "SYN-P-001", {"labels.assertions.3": item}))}


@pytest.mark.parametrize(
    "path",
    [
        "cases", "cases.0", "cases.0.number", "cases.0.facts.place.value", "cases.0.uploads.0.sha256", "cases.0.triage.reasons.1",
        "cases.0.review.checks.prior_claims_within_year", "cases.0.notes.0.status", "schema", "request_id",
    ],
)  # fmt: skip
def test_places_that_a_state_has(path: str) -> None:
    """Keys of the published models, positions of lists, ids of facts, names of checks."""
    assert leads_to(path) is not None


@pytest.mark.parametrize(
    "path",
    [
        "nosuch.thing", "case.0", "cases.first", "cases.0.facts.place.value.x", "cases.0.facts.0", "cases.0.review.checks.nosuch",
        "cases.0.triage.0", "schema_", "cases.0.status.0",
    ],
)  # fmt: skip
def test_places_that_no_state_has(path: str) -> None:
    """A misspelt key, a key where a position stands, a step too far, a check that does not exist."""
    assert leads_to(path) is None


@pytest.mark.parametrize(
    ("path", "op", "value"),
    [
        ("cases.0.status", "equals", "submitted"),
        ("cases.0.scenario_class", "equals", "property.accidental_damage"),
        ("cases.0.triage.level", "equals", "complex"),
        ("cases.0.triage.reasons", "contains", "loss_at_least_1000"),
        ("cases.0.review.required", "equals", True),
        ("cases.0.review.checks.quote_before_incident", "equals", "hit"),
        ("cases.0.facts.place.value", "contains", "quillmere"),
        ("cases.0.facts.proof_of_purchase.value", "equals", "unknown"),
        ("cases.0.facts.place.status", "equals", "confirmed"),
        ("cases.0.facts.shoe_size", "absent", None),
        ("cases.0.review.explanation", "absent", None),
        ("cases.0.number", "present", None),
        ("cases.1", "absent", None),
        ("cases.0.uploads.0.name", "equals", "paper-two.pdf"),
    ],
)
def test_assertions_that_agree(path: str, op: str, value: Any, tmp_path: Path) -> None:
    """What labels and facts give, and what they say nothing of."""
    assert codes(tmp_path, path, op, value) == set()


@pytest.mark.parametrize(
    ("path", "op", "value", "code"),
    [
        ("cases.0.status", "equals", "draft", "assertion_differs"),
        ("cases.0.scenario_class", "equals", "motor.theft", "assertion_differs"),
        ("cases.0.triage.level", "equals", "simple", "assertion_differs"),
        ("cases.0.triage.reasons", "contains", "not_drivable", "assertion_differs"),
        ("cases.0.review.required", "equals", False, "assertion_differs"),
        ("cases.0.review.checks.quote_before_incident", "equals", "clear", "assertion_differs"),
        ("cases.0.facts.place.value", "contains", "Wexley", "assertion_differs"),
        ("cases.0.facts.place.value", "absent", None, "assertion_differs"),
        ("cases.0.facts.place.status", "equals", "collected", "assertion_differs"),
        ("cases.0.facts.shoe_size", "present", None, "assertion_differs"),
        ("cases.0", "absent", None, "assertion_differs"),
        ("cases.0.number", "absent", None, "assertion_differs"),
        ("cases.1.status", "equals", "submitted", "assertion_differs"),
        ("cases.0.status", "equals", "done", "assertion_impossible"),
        ("cases.0.review.required", "equals", "yes", "assertion_impossible"),
        ("cases.0.review.required", "contains", "t", "assertion_impossible"),
        ("cases.0.uploads.0.size", "equals", "12", "assertion_impossible"),
        ("cases.0.triage.reasons", "equals", "police_involved", "assertion_impossible"),
        ("cases.0.facts", "equals", "place", "assertion_impossible"),
        ("cases.0.verdict", "present", None, "assertion_impossible"),
    ],
)
def test_assertions_that_cannot_hold(path: str, op: str, value: Any, code: str, tmp_path: Path) -> None:
    """What contradicts the labels, and what no state can be."""
    assert codes(tmp_path, path, op, value) == {code}


@pytest.mark.parametrize(
    ("where", "op", "value", "found"),
    [
        ("staff", "contains", "knocked my camera", set()),
        ("staff", "contains", "Accidental damage", set()),
        ("staff", "contains", "priced an old scratch", {"assertion_differs"}),
        ("staff", "absent", "priced an old scratch", set()),
        ("screen", "contains", "priced an old scratch", set()),
        ("staff", "contains", "Referred", set()),
    ],
)
def test_staff_can_read_only_what_somebody_says(
    where: str, op: str, value: str, found: set[str], tmp_path: Path
) -> None:
    """Several words that no fact, answer or label has; one word may be the product's own."""
    item = {"id": "zq_more", "referee": "text", "says": "Zq more.", "where": where, "op": op, "value": value}
    assert {f.code for f in check(make_package(tmp_path / "SYN-P-001", {"labels.assertions.3": item}))} == found
