"""Reading a record back, for the parent's side only.

Nothing here raises on partial evidence: what is missing, torn or unreadable is named in `problems`, and the rest is
returned. Only a run folder that does not exist is an error.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from harness.errors import InputError, one_line
from harness.schema.events import EVENT, Event
from harness.schema.product import StaffRead
from harness.schema.run import (
    NOT_COUNTING,
    WITHOUT_MODEL,
    Attempt,
    LedgerLine,
    NetworkLine,
    PromptLine,
    RunManifest,
    attempt_number,
    trial_number,
)
from harness.schema.scorecard import Scorecard
from harness.schema.strict_json import sha256_hex

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

RESERVED = frozenset({"scores"})
"""Folders of a run that hold no attempts."""
FIRST_PREVIOUS = "0" * 64
_SCORE_DIR = re.compile(r"^(?P<rubric>[a-z0-9_]+)-(?P<version>.+)-(?P<oracle>[0-9a-f]{8})$")
_SCORE_FILE = re.compile(r"^t(\d{2,6})-a(\d{2,6})\.json$")

PROMPT: TypeAdapter[PromptLine] = TypeAdapter(PromptLine)
_NETWORK: TypeAdapter[NetworkLine] = TypeAdapter(NetworkLine)
_LEDGER: TypeAdapter[LedgerLine] = TypeAdapter(LedgerLine)


@dataclass(frozen=True)
class Lines(Generic[T]):
    """What could be read of one line file."""

    name: str
    items: tuple[T, ...]
    missing: bool
    """The file is not there (or is a link, or cannot be opened)."""
    unreadable: int
    """Whole lines that are not what they should be."""
    torn: bool
    """The last line has no line break: it was being written when something died. It is not in `items`."""
    torn_aside: int
    """Bytes of a torn tail that was moved to `<name>.torn`."""
    first_problem: str | None

    @property
    def problems(self) -> list[str]:
        """One line per thing that is wrong; empty for a whole file."""
        found: list[str] = []
        if self.missing:
            found.append(f"{self.name} is missing")
        if self.unreadable:
            found.append(f"{self.name}: {self.unreadable} unreadable lines left out (first: {self.first_problem})")
        if self.torn:
            found.append(f"{self.name}: the last line is torn and was left out")
        if self.torn_aside:
            found.append(f"{self.name}: {self.torn_aside} bytes of a torn line stand in {self.name}.torn")
        return found


@dataclass(frozen=True)
class AttemptFolder:
    """One attempt as the run's list shows it; `read_attempt` reads the rest."""

    path: Path
    package: str
    trial: int
    number: int
    attempt: Attempt | None
    """None: `attempt.json` is missing or unreadable (the attempt never finished, or was damaged)."""
    attempt_sha256: str | None
    """Of the bytes of `attempt.json` as they are now."""
    ledger: LedgerLine | None
    problems: tuple[str, ...]

    @property
    def name(self) -> str:
        """`<package>/t01/a01`."""
        return f"{self.package}/t{self.trial:02d}/a{self.number:02d}"


@dataclass(frozen=True)
class AttemptRecord:
    """Everything of one attempt that can be read."""

    folder: AttemptFolder
    events: Lines[Event]
    prompts: Lines[PromptLine]
    network: Lines[NetworkLine]
    seed: Any
    """Parsed `seed.json`; None if it cannot be read."""
    state: Any
    """Parsed `state.json`; None if it cannot be read."""
    staff: StaffRead | None
    problems: tuple[str, ...]
    """What is missing or damaged, the folder's own problems included."""


@dataclass(frozen=True)
class RunJournal:
    """One run."""

    path: Path
    manifest: RunManifest | None
    ledger: Lines[LedgerLine]
    attempts: tuple[AttemptFolder, ...]
    """By package, trial, attempt; those that stand in the ledger or have a folder."""
    problems: tuple[str, ...]

    @property
    def run(self) -> str:
        """The run's id, or the folder's name where run.json cannot be read."""
        return self.manifest.run if self.manifest else self.path.name


@dataclass(frozen=True)
class StoredScore:
    """One scorecard file."""

    path: Path
    key: str
    """`<rubric>-<scoring version>-<oracle sha8>`."""
    card: Scorecard | None
    problem: str | None


def inside(folder: Path, relative: str) -> Path | None:
    """The plain file `relative` below `folder`; None if it is absent, a link, or would lie outside."""
    if not relative or "\x00" in relative or len(relative) > 1000:
        return None
    root = folder.resolve()
    try:
        path = folder / relative
        if path.is_symlink() or not path.is_file() or not path.resolve().is_relative_to(root):
            return None
    except OSError:
        return None
    return path


def read_lines(folder: Path, name: str, adapter: TypeAdapter[T]) -> Lines[T]:
    """All whole lines of `folder/name` that are what they should be, with a count of the others."""
    torn_path = inside(folder, f"{name}.torn")
    torn_aside = torn_path.stat().st_size if torn_path else 0
    path = inside(folder, name)
    try:
        data = path.read_bytes() if path else None
    except OSError:
        data = None
    if data is None:
        return Lines(name, (), True, 0, False, torn_aside, None)
    rows = data.split(b"\n")
    torn = rows.pop() != b""
    items: list[T] = []
    unreadable, first = 0, None
    for number, row in enumerate(rows, 1):
        try:
            items.append(adapter.validate_json(row))
        except ValidationError as exc:
            unreadable += 1
            first = first or f"line {number}: {_reason(exc)}"
    return Lines(name, tuple(items), False, unreadable, torn, torn_aside, first)


def _reason(exc: ValidationError) -> str:
    problem = exc.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in problem["loc"])
    return one_line(f"{field}: {problem['msg']}" if field else problem["msg"], 160)


def _read_model(model: type[M], folder: Path, name: str) -> tuple[M | None, str | None, str | None]:
    """(value, sha256 of the bytes, problem)."""
    path = inside(folder, name)
    if path is None:
        return None, None, f"{name} is missing"
    try:
        data = path.read_bytes()
    except OSError as exc:
        return None, None, f"{name} cannot be read ({exc.strerror})"
    try:
        return model.model_validate_json(data), sha256_hex(data), None
    except ValidationError as exc:
        return None, sha256_hex(data), f"{name} is not what it should be ({_reason(exc)})"


def read_json(folder: Path, name: str) -> tuple[Any, str | None]:
    """(parsed value or None, problem or None)."""
    path = inside(folder, name)
    if path is None:
        return None, f"{name} is missing"
    try:
        return json.loads(path.read_bytes()), None
    except OSError as exc:
        return None, f"{name} cannot be read ({exc.strerror})"
    except (ValueError, RecursionError) as exc:
        return None, f"{name} is not JSON ({one_line(str(exc), 120)})"


def open_run(run_dir: Path) -> RunJournal:
    """The run's manifest, ledger and list of attempts.

    Raises:
        InputError: there is no such folder.
    """
    if not run_dir.is_dir():
        raise InputError(str(run_dir), "is not a folder with a run")
    manifest, _, problem = _read_model(RunManifest, run_dir, "run.json")
    problems = [problem] if problem else []
    ledger = read_lines(run_dir, "ledger.jsonl", _LEDGER)
    problems += ledger.problems
    in_ledger = {(line.package, line.trial, line.attempt): line for line in ledger.items}
    found, skipped = _attempt_folders(run_dir)
    problems += skipped
    attempts = [
        _attempt_folder(run_dir, key, found.get(key), in_ledger.get(key)) for key in sorted({*found, *in_ledger})
    ]
    return RunJournal(run_dir, manifest, ledger, tuple(attempts), tuple(problems))


def _attempt_folders(run_dir: Path) -> tuple[dict[tuple[str, int, int], Path], list[str]]:
    found: dict[tuple[str, int, int], Path] = {}
    skipped: list[str] = []
    for package in _folders(run_dir, skipped):
        if package.name in RESERVED:
            continue
        for trial in _folders(package, skipped):
            trial_no = trial_number(trial.name)
            if trial_no is None:
                continue
            for attempt in _folders(trial, skipped):
                attempt_no = attempt_number(attempt.name)
                if attempt_no is not None:
                    found[package.name, trial_no, attempt_no] = attempt
    return found, skipped


def _folders(parent: Path, skipped: list[str]) -> Iterable[Path]:
    try:
        children = sorted(parent.iterdir())
    except OSError as exc:
        skipped.append(f"{parent.name} cannot be listed ({exc.strerror})")
        return
    for child in children:
        if child.is_symlink():
            skipped.append(f"{child.name} is a link and was not followed")
        elif child.is_dir():
            yield child


def open_trial(run_dir: Path, package: str, trial: int, attempts: Mapping[int, Path]) -> RunJournal:
    """The run as far as one trial goes: its manifest, and these attempts alone. The ledger is not read.

    Args:
        run_dir: `results/<run>`.
        package: the trial's package.
        trial: its number.
        attempts: number of an attempt -> its folder.

    Raises:
        InputError: there is no such run folder.
    """
    if not run_dir.is_dir():
        raise InputError(str(run_dir), "is not a folder with a run")
    manifest, _, problem = _read_model(RunManifest, run_dir, "run.json")
    folders = tuple(_attempt_folder(run_dir, (package, trial, n), attempts[n], None) for n in sorted(attempts))
    unread: Lines[LedgerLine] = Lines("ledger.jsonl", (), False, 0, False, 0, None)
    return RunJournal(run_dir, manifest, unread, folders, (problem,) if problem else ())


def _attempt_folder(
    run_dir: Path, key: tuple[str, int, int], path: Path | None, ledger: LedgerLine | None
) -> AttemptFolder:
    package, trial, number = key
    if path is None:
        where = run_dir / "?"
        return AttemptFolder(where, package, trial, number, None, None, ledger, ("the attempt's folder is missing",))
    attempt, digest, problem = _read_model(Attempt, path, "attempt.json")
    problems = [problem] if problem else []
    if attempt and (attempt.package, attempt.trial, attempt.attempt) != key:
        problems.append("attempt.json names another attempt than its folder")
    return AttemptFolder(path, package, trial, number, attempt, digest, ledger, tuple(problems))


def read_attempt(folder: AttemptFolder) -> AttemptRecord:
    """All of one attempt."""
    events = read_lines(folder.path, "events.jsonl", EVENT)
    prompts = read_lines(folder.path, "prompts.jsonl", PROMPT)
    network = read_lines(folder.path, "network.jsonl", _NETWORK)
    seed, seed_problem = read_json(folder.path, "seed.json")
    state, state_problem = read_json(folder.path, "state.json")
    staff, _, staff_problem = _read_model(StaffRead, folder.path, "staff.json")
    no_calls_expected = folder.attempt is not None and folder.attempt.customer in WITHOUT_MODEL
    problems = [
        *folder.problems,
        *events.problems,
        *([] if prompts.missing and no_calls_expected else prompts.problems),
        *network.problems,
        *(p for p in (seed_problem, state_problem, staff_problem) if p),
    ]
    if events.items and events.items[-1].kind != "journey_ended":
        problems.append("events.jsonl does not end with journey_ended: the journey was cut off")
    return AttemptRecord(folder, events, prompts, network, seed, state, staff, tuple(problems))


def counting_attempts(attempts: Iterable[AttemptFolder]) -> set[tuple[str, int, int]]:
    """For each trial the first attempt that ended by the product's or the customer's doing; none where all were void."""
    counting: dict[tuple[str, int], int] = {}
    for item in sorted(attempts, key=lambda a: (a.package, a.trial, a.number)):
        ended = item.attempt is not None and item.attempt.termination_reason not in NOT_COUNTING
        if ended:
            counting.setdefault((item.package, item.trial), item.number)
    return {(package, trial, number) for (package, trial), number in counting.items()}


def chain_problems(journal: RunJournal) -> list[str]:
    """Every way in which ledger, `attempt.json` files and the files they list do not agree; empty if all do.

    An attempt that has neither `attempt.json` nor a ledger line never finished; that breaks nothing.
    """
    problems: list[str] = []
    if journal.ledger.unreadable or journal.ledger.torn:
        problems.append("ledger.jsonl has lines that cannot be read")
    problems += _ledger_chain(journal)
    for item in journal.attempts:
        if item.ledger is None and item.attempt_sha256 is not None:
            problems.append(f"{item.name}: not in the ledger")
        elif item.ledger is not None and item.attempt_sha256 != item.ledger.attempt_sha256:
            problems.append(f"{item.name}: attempt.json is not the one in the ledger")
        problems += [f"{item.name}: {why}" for why in changed_files(item)]
    return problems


def _ledger_chain(journal: RunJournal) -> list[str]:
    path = inside(journal.path, "ledger.jsonl")
    if path is None:
        return ["ledger.jsonl is missing"] if journal.attempts else []
    previous, problems = FIRST_PREVIOUS, []
    rows = path.read_bytes().split(b"\n")[:-1]
    for number, row in enumerate(rows, 1):
        try:
            line = _LEDGER.validate_json(row)
        except ValidationError:
            line = None
        if line is not None and line.previous != previous:
            problems.append(f"ledger.jsonl: line {number} does not follow from the line before it")
        if line is not None and line.seq not in (number, number - 1):
            problems.append(f"ledger.jsonl: line {number} has the number {line.seq}")
        previous = sha256_hex(row)
    return problems


def changed_files(item: AttemptFolder) -> list[str]:
    """Files of the attempt that are not what they were when it ended."""
    problems = []
    for listed in item.attempt.files if item.attempt else []:
        path = inside(item.path, listed.path)
        if path is None:
            problems.append(f"{one_line(listed.path, 120)} is missing")
        elif sha256_hex(path.read_bytes()) != listed.sha256:
            problems.append(f"{one_line(listed.path, 120)} was changed after the attempt ended")
    return problems


def stored_scores(run_dir: Path) -> dict[tuple[str, int, int], list[StoredScore]]:
    """Scorecards by (package, trial, attempt), newest scoring version and oracle revision first."""
    found: dict[tuple[str, int, int], list[StoredScore]] = {}
    for path in sorted(run_dir.glob("scores/*/*/t*-a*.json")):
        numbers = scored_attempt(path.parent.parent.name, path.name)
        if numbers is not None:
            found.setdefault((path.parent.name, *numbers), []).append(_stored(path))
    return {key: _newest_first(scores) for key, scores in found.items()}


def scored_attempt(key: str, name: str) -> tuple[int, int] | None:
    """(trial, attempt) that the file `scores/<key>/<package>/<name>` is a scorecard of; None if it is none."""
    match = _SCORE_FILE.match(name)
    return (int(match[1]), int(match[2])) if match and _SCORE_DIR.match(key) else None


def read_scores(paths: Iterable[Path]) -> list[StoredScore]:
    """These scorecards of one attempt, newest scoring version and oracle revision first."""
    return _newest_first([_stored(path) for path in paths])


def _stored(path: Path) -> StoredScore:
    card, _, problem = _read_model(Scorecard, path.parent, path.name)
    return StoredScore(path, path.parent.parent.name, card, problem)


def _newest_first(scores: list[StoredScore]) -> list[StoredScore]:
    """The scorecards of one attempt in the order they are shown in."""
    return sorted(scores, key=_newest, reverse=True)


def _newest(score: StoredScore) -> tuple[bool, tuple[int, ...], int, str]:
    version = tuple(int(part) for part in re.findall(r"\d+", score.card.scoring_version)) if score.card else ()
    return score.card is not None, version, score.card.oracle_revision if score.card else 0, score.key
