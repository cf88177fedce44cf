"""Severity as staff graded it blind, from imported sheets, beside the product's level."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.schema.human import HUMAN_DIR, TRIAGE_FILE, TriageGrading
from harness.schema.scorecard import LineState, Scorecard
from harness.schema.strict_json import read_model
from oracle_scoring.publish.criteria import Criterion
from oracle_scoring.publish.figures import Journey, share
from oracle_scoring.publish.models import BlindTriage
from oracle_scoring.sheets.verdicts import attempt_sha256

NOT_GRADED = "no sheet of staff's own grades was imported (rig triage-sheet)"


def blind_triage(runs: Mapping[str, Path], journeys: Sequence[Journey]) -> BlindTriage:
    """How often the product's level is the one that staff gave without seeing it.

    A grade stands for the very attempt that was graded; journeys that nobody graded, or on which staff do not agree, are
    outside as a person's to decide.

    Args:
        runs: run id -> folder.
        journeys: the counting journeys of these runs.

    Raises:
        InputError: a file of grades is not what it should be.
    """
    gradings = {run: found for run, folder in runs.items() if (found := _read(run, folder)) is not None}
    if not any(grading.graded for grading in gradings.values()):
        return BlindTriage(share=None, why_not=NOT_GRADED, graders=0, agreements={})

    def state(card: Scorecard) -> LineState:
        return _state(card, gradings.get(card.run), runs[card.run])

    criterion = Criterion(
        "triage_blind", "Triage level as staff gave it blind",
        "the product's level is the one that more than half of the staff gave who graded without seeing it", state,
    )  # fmt: skip
    graders = len({grader for grading in gradings.values() for grader in grading.graders})
    agreements = {run: grading.agreements for run, grading in gradings.items()}
    return BlindTriage(share=share(criterion, journeys), why_not=None, graders=graders, agreements=agreements)


def _read(run: str, folder: Path) -> TriageGrading | None:
    path = folder / HUMAN_DIR / TRIAGE_FILE
    return read_model(TriageGrading, path, f"{run}/{HUMAN_DIR}/{TRIAGE_FILE}") if path.is_file() else None


def _state(card: Scorecard, grading: TriageGrading | None, run_dir: Path) -> LineState:
    key = (card.package, card.trial, card.attempt)
    item = next((i for i in grading.attempts if (i.package, i.trial, i.attempt) == key), None) if grading else None
    if item is None or item.staff_level is None:
        return "needs_human"
    if item.attempt_sha256 != attempt_sha256(run_dir, card) or item.product_level is None:
        return "not_checked"
    return "pass" if item.staff_level == item.product_level else "fail"
