"""One attempt's verdicts as they are shown: stored scorecards, with what people said about lines left to them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import InputError
from harness.journal import RunJournal, StoredScore, read_scores
from harness.report.rows import AttemptKey
from harness.schema.human import HumanVerdicts
from oracle_scoring.sheets.verdicts import read_verdicts, with_people


def verdicts_of(run: Path) -> tuple[HumanVerdicts | None, str | None]:
    """(what people said about the run's lines, what is wrong with their file)."""
    try:
        return read_verdicts(run), None
    except InputError as exc:
        return None, str(exc)


def scores_of(
    journal: RunJournal, paths: Mapping[int, Sequence[Path]], verdicts: HumanVerdicts | None
) -> dict[AttemptKey, list[StoredScore]]:
    """By attempt of a trial, its scorecards, the one to show first."""
    return {
        (item.package, item.trial, item.number): [
            replace(s, card=with_people(s.card, verdicts, item.attempt_sha256)) if s.card else s
            for s in read_scores(paths.get(item.number, ()))
        ]
        for item in journal.attempts
    }
