"""Official or rehearsal."""

from datetime import UTC, datetime

import pytest

from harness.schema.grade import grade
from harness.schema.run import RunManifest
from tests.support.runs import manifest, settings


def official() -> RunManifest:
    """A run with nothing that makes it a rehearsal."""
    base = manifest(
        settings=settings(customer="model", customer_model="m", customer_endpoint="configured", rehearsal=False),
        stores_configured=True, corpus_frozen=True, git_clean=True, created_at=datetime(2026, 1, 2, tzinfo=UTC),
    )  # fmt: skip
    return base.model_copy(update={"runtime": base.runtime.model_copy(update={"runtime": "model", "model": "p"})})


def test_a_run_with_everything_real_is_official() -> None:
    """No reason is left."""
    assert grade(official()) == ("official", [])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"stores_configured": False}, "MongoDB or S3"),
        ({"corpus_frozen": False}, "not frozen"),
        ({"git_clean": False}, "work tree is not clean"),
        ({"git_clean": None}, "no work tree"),
        ({"product_model_embedded": True}, "product's model is the embedded one"),
        ({"settings": settings(customer="rule", rehearsal=False)}, "the customer is rule"),
        ({"settings": settings(customer="model", customer_endpoint="embedded", rehearsal=False)}, "customer's model is the embedded one"),
        ({"settings": settings(customer="model", customer_endpoint="configured", rehearsal=True)}, "--rehearsal"),
        ({"settings": settings(customer="model", customer_endpoint="configured", rehearsal=False, defects=["x"])}, "defects"),
    ],
)  # fmt: skip
def test_each_shortfall_makes_a_rehearsal_and_says_so(change: dict[str, object], reason: str) -> None:
    """One thing that is not real is enough, and it is named."""
    verdict, reasons = grade(official().model_copy(update=change))
    assert verdict == "rehearsal"
    assert [r for r in reasons if reason in r]


def test_a_controlled_product_or_a_broken_record_is_a_rehearsal() -> None:
    """Whatever else is real."""
    one = official()
    controlled = one.model_copy(update={"runtime": one.runtime.model_copy(update={"runtime": "controlled"})})
    assert grade(controlled)[0] == "rehearsal"
    assert grade(one, chain_ok=False)[0] == "rehearsal"
