"""One attempt, read whole, with what scoring says of it now: what every way of handing over starts from."""

from dataclasses import dataclass
from pathlib import Path

from harness.errors import InputError, RigError
from harness.journal import AttemptRecord, RunJournal, StoredScore, open_run, read_attempt, stored_scores
from harness.schema.run import Attempt, RunManifest
from harness.schema.scorecard import ScoreLine
from oracle_scoring.reproduce import Line, scored_lines

MOST_QUOTES = 3


@dataclass(frozen=True)
class Row:
    """A score line as a ticket needs it."""

    id: str
    title: str
    state: str
    why: str
    turn: int | None
    follows: bool
    line: ScoreLine | None
    """With evidence, expected and got."""

    @property
    def quotes(self) -> list[str]:
        """What can be read at its evidence; the same words at two places once."""
        return list(dict.fromkeys(e.quote for e in self.line.evidence if e.quote))[:MOST_QUOTES] if self.line else []


@dataclass(frozen=True)
class Handed:
    """An attempt that is to be handed over."""

    folder: Path
    name: str
    """`run/package/t01/a01`."""
    journal: RunJournal
    manifest: RunManifest
    record: AttemptRecord
    attempt: Attempt
    rows: list[Row]
    """Failed ones first; empty if it could not be scored."""
    unscored: str | None
    """Why there are no rows."""
    stored: StoredScore | None
    """The newest stored scorecard."""

    @property
    def failed(self) -> list[Row]:
        """Failed lines, causes before consequences, then in order of time."""
        return [row for row in self.rows if row.state == "fail"]


def read_handed(folder: Path, corpus: Path) -> Handed:
    """The attempt in `results/<run>/<package>/t01/a01`, scored by today's rules where package and record let it.

    Raises:
        InputError: run.json or attempt.json cannot be read.
    """
    run = folder.parents[2]
    name = "/".join(folder.parts[-4:])
    journal = open_run(run)
    found = next(
        (item for item in journal.attempts if item.path == folder or item.path.resolve() == folder.resolve()), None
    )
    if journal.manifest is None or found is None or found.attempt is None:
        raise InputError(f"attempt {name}", "run.json or attempt.json is missing or cannot be read")
    stored = next(iter(stored_scores(run).get((found.package, found.trial, found.number), [])), None)
    lines: list[Line] = []
    unscored: str | None = None
    try:
        lines = scored_lines(folder, corpus)
    except RigError as exc:
        unscored = str(exc)
    rows = [Row(x.id, x.title, x.state, x.why, x.turn, x.follows, x.detail) for x in lines]
    rows.sort(key=lambda row: (row.state != "fail", row.follows, row.turn is None, row.turn or 0))
    return Handed(folder, name, journal, journal.manifest, read_attempt(found), found.attempt, rows, unscored, stored)
