"""Reading a recorded attempt for scoring, with the models of `harness.schema` only.

A record that is damaged is an InputError with file, field and why; evidence that was not taken is a value (None and a
reason), because missing evidence is evidence.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from harness.errors import InputError, one_line
from harness.schema.base import Strict
from harness.schema.events import EVENT, Event
from harness.schema.inquiry import InquiryStateRead
from harness.schema.product import Sha256, StaffRead, StateRead, UsageReport
from harness.schema.run import NOT_COUNTING, Attempt, LedgerLine, NetworkLine, RunManifest, attempt_number
from harness.schema.strict_json import first_problem, parse_json, read_bytes, read_model, sha256_hex

M = TypeVar("M", bound=BaseModel)
MAX_RECORD_BYTES = 512 * 1024 * 1024
FIRST_PREVIOUS = "0" * 64


class StoredFile(Strict):
    """One file the product stores, as the rig downloaded it."""

    name: str
    url: str
    sha256: Sha256 | None
    """Computed by the rig from the downloaded bytes; None if they could not be had."""
    size: int | None
    why: str | None = None
    """Why there is no hash."""


class StateFile(Strict):
    """`state.json`."""

    schema_: Literal["state-file-v1"] = Field(alias="schema")
    read: StateRead | InquiryStateRead | None
    why: str | None
    """Why there is no state read."""
    stored: list[StoredFile]


class UsageFile(Strict):
    """`usage.json`: there only where the product has a usage endpoint."""

    schema_: Literal["usage-file-v1"] = Field(alias="schema")
    read: UsageReport | None
    why: str | None
    """Why it could not be read."""


@dataclass(frozen=True)
class Adapter:
    """What scoring needs of the adapter the run used."""

    vocabulary: dict[str, dict[str, str]]
    """Field -> visible word -> code."""
    unimplemented: dict[str, str]
    """Line id, group or pattern (`review.*`) -> why: what the product has not built."""
    slow_reply_s: float | None = None
    """A stricter limit than the rule's for a single reply (`limits.slow_reply_s`); None: the rule's own."""


@dataclass(frozen=True)
class Record:
    """One attempt, read whole."""

    folder: Path
    manifest: RunManifest
    adapter: Adapter
    attempt: Attempt
    counting: bool
    """No earlier attempt of the trial counts, and this one does."""
    events: tuple[Event, ...]
    staff: StaffRead | None
    staff_why: str | None
    state: StateRead | None
    """Of a claims product."""
    state_why: str | None
    stored: tuple[StoredFile, ...] | None
    """None if there is no state file."""
    login_texts: tuple[str, ...]
    """What the product was given at the seed about the account: address of the login, never a password."""
    network: tuple[NetworkLine, ...] | None
    usage: UsageFile | None
    """None if the product reports no usage."""
    chain_problem: str | None
    """Why ledger and hashes do not vouch for this attempt; None if they do."""
    talks: InquiryStateRead | None = None
    """What an inquiry product holds."""


def run_folder(attempt_dir: Path) -> Path:
    """`results/<run>` of `results/<run>/<package>/t01/a01`."""
    return attempt_dir.absolute().parents[2]


def read_record(attempt_dir: Path) -> Record:
    """The attempt in `attempt_dir`.

    Raises:
        InputError: a file that must be there is not, or a file is not what it should be.
    """
    if not attempt_dir.is_dir():
        raise InputError(str(attempt_dir), "there is no such attempt folder")
    attempt = read_model(Attempt, attempt_dir / "attempt.json", _shown(attempt_dir, "attempt.json"))
    run = run_folder(attempt_dir)
    manifest = read_model(RunManifest, run / "run.json", f"{run.name}/run.json")
    staff = _optional(StaffRead, attempt_dir, "staff.json")
    state = _optional(StateFile, attempt_dir, "state.json")
    return Record(
        folder=attempt_dir,
        manifest=manifest,
        adapter=read_adapter(run),
        attempt=attempt,
        counting=counting_attempt(attempt_dir.parent) == attempt.attempt,
        events=tuple(_lines(attempt_dir, "events.jsonl", _event) or ()),
        staff=staff,
        staff_why=None if staff else "staff.json was not recorded",
        state=state.read if state and isinstance(state.read, StateRead) else None,
        talks=state.read if state and isinstance(state.read, InquiryStateRead) else None,
        state_why=None if state and state.read else (state.why if state else "state.json was not recorded"),
        stored=tuple(state.stored) if state else None,
        login_texts=_login_texts(attempt_dir),
        network=_network(attempt_dir),
        usage=_optional(UsageFile, attempt_dir, "usage.json"),
        chain_problem=chain_problem(attempt_dir, attempt),
    )


def read_adapter(run: Path) -> Adapter:
    """Vocabulary and missing abilities from `adapter.json` of the run."""
    shown = f"{run.name}/adapter.json"
    data = parse_json(read_bytes(run / "adapter.json", shown), shown)
    vocabulary = _table(_below(data, "staff", "vocabulary"), f"{shown}: staff.vocabulary")
    words = {field: _texts(table, f"{shown}: staff.vocabulary.{field}") for field, table in vocabulary.items()}
    missing = _below(data, "capabilities", "unimplemented")
    slow = _table(_below(data, "limits"), f"{shown}: limits").get("slow_reply_s")
    return Adapter(
        words, _texts(missing, f"{shown}: capabilities.unimplemented"), _seconds(slow, f"{shown}: limits.slow_reply_s")
    )


def _seconds(value: Any, shown: str) -> float | None:
    """A positive number of seconds, written as a number or, as everything in an adapter, as a text."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InputError(shown, "is not a number of seconds")
    return seconds


def _below(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return {} if data is None else data


def _table(data: Any, shown: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(shown, "is not a table")
    return data


def _texts(data: Any, shown: str) -> dict[str, str]:
    table = _table(data, shown)
    for key, value in table.items():
        if not isinstance(value, str):
            raise InputError(f"{shown}.{key}", "is not a text")
    return table


def counting_attempt(trial_dir: Path) -> int | None:
    """Number of the trial's counting attempt: the first that did not end aborted or by a fault that is not the product's.

    An attempt without attempt.json never finished, so it does not count.
    """
    for folder in attempts_of(trial_dir):
        path = folder / "attempt.json"
        if path.is_file():
            attempt = read_model(Attempt, path, _shown(folder, "attempt.json"))
            if attempt.termination_reason not in NOT_COUNTING:
                return attempt.attempt
    return None


def attempts_of(trial_dir: Path) -> list[Path]:
    """The trial's attempt folders, a01 first."""
    found = {n: p for p in trial_dir.iterdir() if p.is_dir() and (n := attempt_number(p.name)) is not None}
    return [found[n] for n in sorted(found)]


def _shown(folder: Path, name: str) -> str:
    return "/".join((*folder.absolute().parts[-3:], name))


def _optional(model: type[M], folder: Path, name: str) -> M | None:
    path = folder / name
    if not path.exists() and not path.is_symlink():
        return None
    shown = _shown(folder, name)
    return _validated(model, read_bytes(path, shown, MAX_RECORD_BYTES), shown)


def _validated(model: type[M], data: bytes, shown: str) -> M:
    value = parse_json(data, shown)
    try:
        return model.model_validate_json(json.dumps(value, ensure_ascii=False))
    except ValidationError as exc:
        raise first_problem(exc, shown) from exc


def _event(row: bytes, shown: str) -> Event:
    try:
        return EVENT.validate_json(row)
    except ValidationError as exc:
        raise first_problem(exc, shown) from exc


def _network_line(row: bytes, shown: str) -> NetworkLine:
    return _validated(NetworkLine, row, shown)


def _lines(folder: Path, name: str, parse: Any) -> list[Any] | None:
    path = folder / name
    if not path.exists() and not path.is_symlink():
        return None
    data = read_bytes(path, _shown(folder, name), MAX_RECORD_BYTES)
    rows = data.split(b"\n")
    if rows.pop():
        raise InputError(_shown(folder, name), "the last line is torn")
    return [parse(row, f"{_shown(folder, name)} line {n}") for n, row in enumerate(rows, 1)]


def _network(folder: Path) -> tuple[NetworkLine, ...] | None:
    lines = _lines(folder, "network.jsonl", _network_line)
    return None if lines is None else tuple(lines)


def _login_texts(folder: Path) -> tuple[str, ...]:
    path = folder / "seed.json"
    if not path.is_file():
        return ()
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                if key == "email" and isinstance(item, str):
                    found.append(item)
                else:
                    walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    shown = _shown(folder, "seed.json")
    walk(parse_json(read_bytes(path, shown), shown))
    return tuple(found)


def ledger_rows(path: Path) -> Iterator[tuple[int, bytes, LedgerLine | None]]:
    """Every row of a ledger that is not empty: its number, its bytes, and what it says; None if it cannot be read."""
    for number, row in enumerate(path.read_bytes().split(b"\n"), 1):
        if not row:
            continue
        try:
            yield number, row, LedgerLine.model_validate_json(row)
        except ValidationError:
            yield number, row, None


def chain_problem(attempt_dir: Path, attempt: Attempt) -> str | None:
    """Why the ledger and the hashes do not vouch for this attempt; None if they do.

    Checked are the ledger's chain up to the attempt's line, the hash of attempt.json and the hash of every file in it.
    """
    path = run_folder(attempt_dir) / "ledger.jsonl"
    if not path.is_file():
        return "there is no ledger"
    previous = FIRST_PREVIOUS
    for number, row, line in ledger_rows(path):
        if line is None:
            return f"line {number} of the ledger is unreadable"
        if line.previous != previous:
            return f"line {number} of the ledger does not follow the line before it"
        previous = sha256_hex(row)
        if (line.package, line.trial, line.attempt) == (attempt.package, attempt.trial, attempt.attempt):
            if line.attempt_sha256 != sha256_hex((attempt_dir / "attempt.json").read_bytes()):
                return "attempt.json is not the one in the ledger"
            return _changed_file(attempt_dir, attempt)
    return "the attempt does not stand in the ledger"


def _changed_file(folder: Path, attempt: Attempt) -> str | None:
    for entry in attempt.files:
        path = folder / entry.path
        if path.is_symlink() or not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            return f"{one_line(entry.path)} is missing"
        if sha256_hex(path.read_bytes()) != entry.sha256:
            return f"{one_line(entry.path)} was changed"
    return None
