"""Where runs and attempts lie below a folder of results. Links are never followed: what is found lies inside."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from harness.journal import RESERVED, scored_attempt
from harness.schema.human import HUMAN_DIR, VERDICTS_FILE
from harness.schema.run import attempt_number, trial_number
from harness.schema.strict_json import sha256_hex

JOIN = "~"
"""Between the folders of a run that lies in another one, as those of a calibration; no run's id holds it."""


@dataclass(frozen=True)
class RunPlace:
    """One run's folder."""

    key: str
    """How addresses name it: the folders below the results, joined."""
    path: Path
    sig: str
    """Changes if run.json or what people said does."""


@dataclass(frozen=True)
class TrialPlace:
    """All attempts of one trial, and their scorecards."""

    package: str
    trial: int
    attempts: dict[int, Path]
    scores: dict[int, list[Path]]
    sig: str
    """Changes if a file of it does that the list is made from."""


@dataclass
class Skipped:
    """What was passed over, and why."""

    reasons: list[str] = field(default_factory=list)

    def add(self, what: str, why: str) -> None:
        """Count one."""
        self.reasons.append(f"{what}: {why}")


def find_runs(results: Path, skipped: Skipped) -> Iterator[RunPlace]:
    """Every run of a folder of results, also those that lie one folder deeper; the folder may be a run itself."""
    root = results.resolve()
    if (root / "run.json").is_file():
        yield _run(root, (root.name,))
        return
    for outer in _folders(root, skipped):
        if (outer / "run.json").is_file():
            yield _run(outer, (outer.name,))
            continue
        for inner in _folders(outer, skipped):
            if (inner / "run.json").is_file():
                yield _run(inner, (outer.name, inner.name))


def find_trials(run: RunPlace, skipped: Skipped) -> Iterator[TrialPlace]:
    """The trials of a run that have a folder, by package and number."""
    for package in _folders(run.path, skipped):
        if package.name in RESERVED | {HUMAN_DIR}:
            continue
        scores, stats = _scores(run.path, package.name, skipped)
        for folder in _folders(package, skipped):
            trial = trial_number(folder.name)
            if trial is None:
                continue
            attempts = {n: p for p in _folders(folder, skipped) if (n := attempt_number(p.name)) is not None}
            if not attempts:
                continue
            own = {n: scores[trial, n] for n in attempts if (trial, n) in scores}
            marks = [
                run.sig,
                *(f"{n} {_stat(p / f)}" for n, p in attempts.items() for f in ("attempt.json", "events.jsonl")),
            ]
            marks += [stats[path] for paths in own.values() for path in paths]
            yield TrialPlace(package.name, trial, attempts, own, sha256_hex("\n".join(marks).encode())[:24])


def lies_inside(results: Path, path: Path) -> bool:
    """The path is what it was found as: below the results, with no link on the way there."""
    try:
        return path.is_relative_to(results.resolve()) and path.resolve(strict=True) == path
    except OSError:
        return False


def _run(path: Path, names: tuple[str, ...]) -> RunPlace:
    sig = f"{_stat(path / 'run.json')} {_stat(path / HUMAN_DIR / VERDICTS_FILE)}"
    return RunPlace(JOIN.join(names), path, sig)


def _folders(parent: Path, skipped: Skipped) -> list[Path]:
    found: list[Path] = []
    try:
        with os.scandir(parent) as entries:
            for entry in entries:
                if entry.is_symlink():
                    skipped.add(entry.name, "is a link and was not followed")
                elif entry.is_dir(follow_symlinks=False):
                    if _utf8(entry.name):
                        found.append(Path(entry.path))
                    else:
                        skipped.add(ascii(entry.name), "has a name that is no text")
    except OSError as exc:
        skipped.add(parent.name, f"cannot be listed ({exc.strerror})")
    return sorted(found)


def _utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _scores(run: Path, package: str, skipped: Skipped) -> tuple[dict[tuple[int, int], list[Path]], dict[Path, str]]:
    """(scorecards by trial and attempt, what tells one state of each from another) of one package."""
    found: dict[tuple[int, int], list[Path]] = {}
    stats: dict[Path, str] = {}
    for key in _folders(run / "scores", skipped) if (run / "scores").is_dir() else []:
        folder = key / package
        if folder.is_symlink() or not folder.is_dir():
            continue
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                numbers = scored_attempt(key.name, entry.name)
                if numbers is not None and entry.is_file(follow_symlinks=False):
                    path, stat = Path(entry.path), entry.stat(follow_symlinks=False)
                    found.setdefault(numbers, []).append(path)
                    stats[path] = f"{key.name} {stat.st_mtime_ns} {stat.st_size}"
    return found, stats


def _stat(path: Path) -> str:
    try:
        stat = path.lstat()
    except OSError:
        return "-"
    return f"{stat.st_mtime_ns} {stat.st_size}"
