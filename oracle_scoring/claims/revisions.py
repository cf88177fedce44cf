"""A run scored by every revision of its packages' answers: old scores stay, new ones stand beside them."""

import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from harness.errors import InputError
from harness.schema.package import LABELS, find_packages
from harness.schema.run import RunManifest
from harness.schema.scorecard import Scorecard
from harness.schema.strict_json import parse_json, read_bytes, read_model
from oracle_scoring.claims.batch import score_run
from oracle_scoring.corpus.ledger import package_at, revisions
from oracle_scoring.corpus.load import is_corpus


@dataclass(frozen=True)
class RevisionScores:
    """A run scored by one state of the answers."""

    revisions: dict[str, int]
    """Package -> revision of its answers."""
    cards: list[Scorecard]
    """Empty if it could not be scored by these."""
    problem: str | None
    """Why not; None if it was."""


@dataclass(frozen=True)
class Moved:
    """A score line that two revisions decide otherwise."""

    package: str
    trial: int
    attempt: int
    line: str
    earlier_revision: int
    earlier: str | None
    """State by the earlier revision; None if it has no such line."""
    revision: int
    now: str | None


def score_revisions(run_dir: Path, packages_root: Path) -> list[RevisionScores]:
    """Scores the run by the packages as they are and, if some were corrected, by their earlier revisions.

    The first item is that of today. Each further one takes every package one revision further back, down to its first, so
    that every revision of every package has scored the run once.

    Raises:
        InputError: the run cannot be scored by any of them; the reason is that of today's.
    """
    manifest = read_model(RunManifest, run_dir / "run.json", f"{run_dir.name}/run.json")
    wanted = sorted(manifest.settings.packages)
    folders = _folders(wanted, packages_root)
    root = packages_root if is_corpus(packages_root) else packages_root.parent
    now = {name: _revision(folder) for name, folder in folders.items()}
    earlier = {name: [r for r in revisions(root, name) if r < now[name]] for name in folders}
    found = [_scored(run_dir, packages_root, now)]
    for back in range(1, 1 + max((len(known) for known in earlier.values()), default=0)):
        with tempfile.TemporaryDirectory() as held:
            state: dict[str, int] = {}
            for name, folder in folders.items():
                ladder = [now[name], *reversed(earlier[name])]
                state[name] = ladder[min(back, len(ladder) - 1)]
                package_at(root, folder, state[name], Path(held))
            found.append(_scored(run_dir, Path(held), state))
    if all(one.problem for one in found):
        score_run(run_dir, packages_root)
    return found


def _folders(wanted: list[str], root: Path) -> dict[str, Path]:
    if not root.is_dir():
        return {}
    below = find_packages(root) if is_corpus(root) else {p.name: p for p in root.iterdir() if p.is_dir()}
    return {name: below[name] for name in wanted if name in below and (below[name] / LABELS).is_file()}


def _revision(folder: Path) -> int:
    labels = parse_json(read_bytes(folder / LABELS, f"{folder.name}/{LABELS}"), f"{folder.name}/{LABELS}")
    number = labels.get("oracle_revision") if isinstance(labels, dict) else None
    return number if isinstance(number, int) else 1


def _scored(run_dir: Path, root: Path, state: dict[str, int]) -> RevisionScores:
    try:
        return RevisionScores(state, score_run(run_dir, root), None)
    except InputError as exc:
        return RevisionScores(state, [], str(exc))


def moved(scores: list[RevisionScores]) -> list[Moved]:
    """Every line of the counting attempts that an earlier revision decides otherwise than the next one."""
    found: list[Moved] = []
    for newer, older in pairwise(scores):
        before = {(c.package, c.trial, c.attempt): c for c in older.cards if c.counting}
        for card in newer.cards:
            old = before.get((card.package, card.trial, card.attempt))
            if old is None or not card.counting or old.oracle_revision == card.oracle_revision:
                continue
            was, is_ = ({line.id: str(line.state) for line in c.lines} for c in (old, card))
            found += [
                Moved(
                    card.package, card.trial, card.attempt, line,
                    old.oracle_revision, was.get(line), card.oracle_revision, is_.get(line),
                )
                for line in dict.fromkeys([*was, *is_])
                if was.get(line) != is_.get(line)
            ]  # fmt: skip
    return found
