"""The ten packages of the corpus, one for each scenario class, against the well-behaved product, and with faults."""

import dataclasses
from pathlib import Path

import pytest

from harness.run import Access
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from oracle_scoring.fidelity import fidelity_of_run
from tests.journeys.conftest import ROOT, Play
from tests.support.stub_endpoint import stub

pytestmark = [pytest.mark.browser, pytest.mark.stack]

TEN = (
    "CTL-H-001", "CTL-H-002", "CTL-H-003", "CTL-M-001", "CTL-M-002",
    "CTL-M-003", "CTL-M-004", "CTL-M-005", "CTL-P-001", "CTL-P-002",
)  # fmt: skip
OWN_LINE = {
    "triage_one_level_off": "triage.level",
    "review_false_alarm": "review.",
    "case_number_only_in_json": "journey.case_number",
    "upload_damaged": "files.",
    "fact_lost": "facts.",
}
"""Faults that every one of the packages can show, and the line that names each.

Not among them: a reply that leaves nothing to do, where the customer has a question of their own ready just then.
"""


def failed(run: Path) -> dict[str, list[str]]:
    """Package -> ids of the lines that failed in its counting attempt."""
    cards = [card for card in score_run(run, ROOT / "packages") if card.counting]
    return {card.package: [line.id for line in card.lines if line.state == "fail"] for card in cards}


def test_all_ten_get_a_case_number_and_score_clean(play: Play, tmp_path: Path) -> None:
    """Every file is handed over and arrives, every fact ends right and confirmed, the record verifies."""
    result = play("r1", packages=TEN, workers=2)
    ended = {trial.package: (trial.termination_reason, trial.attempts) for trial in result.trials}
    assert ended == dict.fromkeys(TEN, ("completed", 1))
    run = tmp_path / "results/r1"
    assert failed(run) == {package: [] for package in TEN}
    assert verify_run(run, ROOT / "packages").problems == []
    fidelity = fidelity_of_run(run, ROOT / "packages")
    assert [(a.package, a.findings, a.undecided) for a in fidelity.attempts if a.findings or a.undecided] == []
    for card in score_run(run, ROOT / "packages"):
        states = {line.id: line.state for line in card.lines if line.group in ("facts", "incident_time", "files")}
        wanting = {i: s for i, s in states.items() if s != "pass" and not i.startswith(("facts.optional.", "facts.un"))}
        assert wanting == {}, card.package
        measures = {measure.id: measure.value for measure in card.measures}
        assert measures["slips"] == 0 and (measures["questions_asked"] or 0) < 10, card.package


@pytest.mark.proof
def test_a_model_customer_gets_through_all_ten(play: Play, access: Access, tmp_path: Path) -> None:
    """A language model's requests pass the gate in every package, the record verifies, and nothing fails."""
    with stub() as running:
        model = dataclasses.replace(access, model=running.endpoint())
        result = play("r1", packages=TEN, workers=2, customer="model", access=model, max_attempts=1)
    assert {trial.package: trial.termination_reason for trial in result.trials} == dict.fromkeys(TEN, "completed")
    run = tmp_path / "results/r1"
    assert verify_run(run, ROOT / "packages").problems == []
    assert failed(run) == {package: [] for package in TEN}


@pytest.mark.proof
@pytest.mark.parametrize("defect", OWN_LINE)
def test_a_fault_is_named_whatever_the_class(defect: str, play: Play, tmp_path: Path) -> None:
    """With one fault switched on, the line meant for it fails in each of the ten packages."""
    play(defect, packages=TEN, workers=2, defects=(defect,))
    silent = {
        p
        for p, lines in failed(tmp_path / "results" / defect).items()
        if not any(i.startswith(OWN_LINE[defect]) for i in lines)
    }
    assert silent == set()
