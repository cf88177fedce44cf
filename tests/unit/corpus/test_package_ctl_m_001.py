"""The first package: complete, consistent, terse, and what a journey needs."""

import re
from pathlib import Path

import pytest

from harness.schema.package import read_manifest
from oracle_scoring.corpus.check import check, check_corpus
from oracle_scoring.corpus.load import Package, load_package
from oracle_scoring.corpus.rules import derive

ROOT = Path(__file__).parents[3] / "packages"


@pytest.fixture(scope="module")
def package() -> Package:
    """CTL-M-001, read whole."""
    return load_package(ROOT / "claims" / "CTL-M-001")


def test_the_checker_has_nothing_to_say() -> None:
    """Neither on the package nor on the corpus and its manifest."""
    assert check(ROOT / "claims" / "CTL-M-001") == []
    assert check_corpus(ROOT) == []


def test_the_corpus_is_a_draft_that_nobody_signed(package: Package) -> None:
    """No signature is invented, and the blind look says that it was not done."""
    manifest = read_manifest(ROOT)
    assert not manifest.frozen and manifest.version.startswith("draft")
    assert package.review.human_signatures == []
    assert not package.review.blind_look.done and package.review.blind_look.why_not


def test_the_labels_are_those_of_one_weak_signal(package: Package) -> None:
    """Standard by third party and loss; cover began 17 days before, which alone raises no alert."""
    derived = derive(package)
    assert derived.triage.level == "standard"
    assert set(derived.triage.required) == {"third_party_involved", "loss_at_least_1000"}
    assert {check: label.result for check, label in derived.checks.items()} == {
        "receipt_after_incident": "not_applicable",
        "quote_before_incident": "clear",
        "prior_claims_within_year": "clear",
        "loss_within_30_days_of_inception": "hit",
    }
    assert package.labels.review_required is False and package.labels.innocent_control == "one_weak_signal"


def test_a_swapped_day_and_month_would_show(package: Package) -> None:
    """The day could be a month, and is not the same number."""
    value = next(f.value for f in package.visible.facts.facts if f.id == "incident_date")
    _, month, day = (int(part) for part in value.split("-"))
    assert day <= 12 and day != month


def test_all_three_referees_have_something_to_decide(package: Package) -> None:
    """State, text and human."""
    assert {a.referee for a in package.labels.assertions} == {"state", "text", "human"}
    assert len(package.labels.expected_facts) >= 10


def test_one_file_is_there_now_and_one_later(package: Package) -> None:
    """The quote is promised first."""
    shown = {f.file: f.available for f in package.visible.view().files}
    assert shown["photo-rear-bumper.jpg"].when == "now"
    later = shown["repair-quote.pdf"]
    assert (later.when, later.after_customer_messages) == ("later", 3) and later.promise


def test_the_view_is_terse(package: Package) -> None:
    """Topics and words of all facts, unknowns, wishes and files stay within about 450 tokens of four letters."""
    view = package.visible.view()
    lines = [f"{f.id}: {f.topic}: {f.say}" for f in view.facts]
    lines += [f"{u.id}: {u.topic}" for u in view.does_not_know] + [w.say for w in view.wishes]
    lines += [f"{f.file}: {f.label}: {f.available.promise or ''}" for f in view.files]
    assert len("\n".join(lines)) / 4 < 450


def test_the_opening_says_only_what_facts_say(package: Package) -> None:
    """Every number and name in the opening stands in a fact."""
    facts = " ".join(f.say for f in package.visible.facts.facts)
    known = set(re.findall(r"\w+", facts))
    said = re.findall(r"\b(?:\d+|[A-Z]\w+)\b", package.visible.initial_message)
    assert set(said) - known <= {"Hello", "I", "On", "It", "The"}
