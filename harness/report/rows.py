"""One attempt in a run's list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.journal import AttemptFolder, StoredScore
from harness.report.scores import UNKNOWN
from harness.report.text import plain
from harness.schema.scorecard import Scorecard

NO_STORED_SCORE: tuple[StoredScore, ...] = ()
AttemptKey = tuple[str, int, int]
UNFINISHED = "unfinished"
"""Ending of an attempt without a readable attempt.json."""


@dataclass(frozen=True)
class ListRow:
    """One attempt in the run's list."""

    name: str
    prefix: str
    folder: AttemptFolder
    card: Scorecard | None
    score_problem: str | None
    counting: bool
    href: str | None
    """Where it is shown in full; None if nowhere."""
    failed: tuple[str, ...]
    unknown: int
    passed: int

    @property
    def tone(self) -> str:
        """`fail`, `unknown`, `pass` or `void`, for symbol and colour."""
        if not self.counting:
            return "void"
        if self.failed:
            return "fail"
        return "unknown" if self.card is None or self.unknown or not self.passed else "pass"

    @property
    def ending(self) -> str:
        """How it ended."""
        return self.folder.attempt.termination_reason if self.folder.attempt else UNFINISHED

    def measure(self, name: str) -> float | None:
        """A number of its scorecard; None if there is none."""
        return next((m.value for m in self.card.measures if m.id == name), None) if self.card else None


def list_row(
    at: int, folder: AttemptFolder, scores: Mapping[AttemptKey, Sequence[StoredScore]], counting: set[AttemptKey]
) -> ListRow:
    """The row of an attempt; `at` makes its anchors differ from those of others."""
    key = (folder.package, folder.trial, folder.number)
    best = next(iter(scores.get(key, NO_STORED_SCORE)), None)
    card = best.card if best else None
    lines = card.lines if card else []
    return ListRow(
        plain(folder.name),
        f"a{at}",
        folder,
        card,
        best.problem if best else None,
        key in counting,
        None,
        tuple(line.id for line in lines if line.state == "fail"),
        sum(line.state in UNKNOWN for line in lines),
        sum(line.state == "pass" for line in lines),
    )


def failures_first(row: ListRow) -> tuple[int, int, int, str]:
    """Order of the list."""
    order = {"fail": 0, "unknown": 1, "pass": 2, "void": 3}[row.tone]
    return order, -len(row.failed), -row.unknown, row.folder.name
