"""The ten packages together: what the corpus needs of each kind is among them, and no two are alike."""

from pathlib import Path

import pytest

from harness.schema.package import find_packages
from harness.schema.visible import OPENING_STYLES
from oracle_scoring.corpus.load import Package, load_package
from oracle_scoring.corpus.models import STRONG, WEAK
from oracle_scoring.corpus.rules import derive

ROOT = Path(__file__).parents[3] / "packages"


@pytest.fixture(scope="module")
def packages() -> list[Package]:
    """All packages of the corpus."""
    return [load_package(folder) for folder in find_packages(ROOT).values()]


def results(package: Package) -> dict[str, str]:
    """Check -> result."""
    return {check: label.result for check, label in package.labels.review_checks.by_name().items()}


def test_each_scenario_class_has_one_package(packages: list[Package]) -> None:
    """Five of motor, three of home, two of property."""
    classes = [p.labels.scenario_class for p in packages]
    assert len(set(classes)) == len(classes) == 10
    assert [sum(c.startswith(line) for c in classes) for line in ("motor.", "home.", "property.")] == [5, 3, 2]


def test_all_styles_and_all_sessions_occur(packages: list[Package]) -> None:
    """Six ways to open, three ways to be known to the product."""
    assert {p.visible.facts.opening_style for p in packages} == set(OPENING_STYLES)
    assert {p.setup.claimant_session for p in packages} == {"anonymous", "new_account", "anonymous_then_sign_in"}


def test_the_labels_follow_from_the_rules(packages: list[Package]) -> None:
    """Triage, checks and review of each package, computed again."""
    for package in packages:
        right = derive(package)
        label = package.labels
        assert (label.triage.level, set(label.triage.required_reasons)) == (
            right.triage.level,
            set(right.triage.required),
        )
        assert results(package) == {check: found.result for check, found in right.checks.items()}
        assert label.review_required == right.review_required


def test_all_levels_and_all_reasons_not_to_check_occur(packages: list[Package]) -> None:
    """Unreadable, a missing page, a lookup that failed, no data; urgent to simple."""
    labels = [label for p in packages for label in p.labels.review_checks.by_name().values()]
    assert {label.reason for label in labels} - {None} == {"unreadable", "missing_page", "lookup_failed", "no_data"}
    assert {label.result for label in labels} == {"hit", "clear", "not_checked", "not_applicable"}
    assert {p.labels.triage.level for p in packages} == {"urgent", "complex", "standard", "simple"}


def test_one_strong_and_two_weak_signals_need_a_look_and_are_explained(packages: list[Package]) -> None:
    """The innocent explanation is something the customer can say when asked."""
    reviewed = [p for p in packages if p.labels.review_required]
    hits = [{check for check, result in results(p).items() if result == "hit"} for p in reviewed]
    assert sorted(hits, key=len) == [{"quote_before_incident"}, set(WEAK)] and hits[0] & STRONG
    for package in reviewed:
        assert [f for f in package.visible.facts.facts if f.id.endswith("_explanation")]


def test_three_kinds_of_innocent_controls_occur(packages: list[Package]) -> None:
    """No signal at all, one weak signal, and what merely looks odd."""
    assert {p.labels.innocent_control for p in packages} == {None, "no_signal", "one_weak_signal", "look_alike"}


def test_files_come_late_or_in_part_and_facts_are_not_known(packages: list[Package]) -> None:
    """A promise, a page left out, a date nobody can read, and at least four customers who do not know what is asked."""
    files = [f for p in packages for f in p.visible.view().files]
    assert sum(f.available.when == "later" for f in files) >= 2
    made = [m for p in packages for m in p.provenance.files.values()]
    assert sum(len(m.pages_present or []) < (m.pages_total or 0) for m in made) == 1
    assert sum(not field.legible for m in made for field in m.printed_fields.values()) == 1
    wanted = [
        {f.id for f in (*p.labels.expected_facts, *p.labels.optional_facts)} | {"incident_time"} for p in packages
    ]
    unknown = [{u.id for u in p.visible.facts.does_not_know} & asked for p, asked in zip(packages, wanted, strict=True)]
    assert sum(bool(ids) for ids in unknown) >= 4


def test_no_two_customers_are_alike(packages: list[Package]) -> None:
    """Names, moods, manners, plates, amounts and references are each one package's own; patience spans the scale."""
    personas = [p.visible.facts.persona for p in packages]
    for attribute in ("name", "mood", "manner"):
        assert len({getattr(persona, attribute) for persona in personas}) == len(personas)
    assert len({persona.patience for persona in personas}) >= 4
    for kind in ("plate", "reference", "email", "phone"):
        values = [f.value for p in packages for f in p.visible.facts.facts if f.kind == kind and f.value != "none"]
        assert len(set(values)) == len(values)
    losses = [f.value for p in packages for f in p.visible.facts.facts if f.id == "estimated_loss"]
    assert len(set(losses)) == len(losses)


def test_nobody_signed_and_every_file_was_looked_at(packages: list[Package]) -> None:
    """An assistant wrote down what it saw in each file; signatures and the blind look are left to those who can give them."""
    for package in packages:
        assert {c.file for c in package.review.assistant_checks} == set(package.visible.files)
        assert not package.review.human_signatures and package.review.blind_look.why_not


def test_files_stay_small(packages: list[Package]) -> None:
    """A clone stays quick."""
    assert max(len(data) for p in packages for data in p.visible.files.values()) < 300_000
