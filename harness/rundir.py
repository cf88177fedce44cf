"""A run's folder: created or continued, locked, with its chained ledger. Nothing in it is deleted or rewritten."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from harness.errors import EnvironmentFault, InputError
from harness.record import AppendFile, write_whole
from harness.schema.events import TerminationReason
from harness.schema.run import (
    NOT_COUNTING,
    Attempt,
    Cost,
    FileHash,
    LedgerLine,
    RunManifest,
    RunSettings,
    attempt_number,
    trial_number,
)
from harness.schema.strict_json import canonical, read_model, sha256_hex

RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
ZERO = "0" * 64


def check_run_id(run: str) -> str:
    """The id, if it can be a folder's name everywhere; InputError otherwise."""
    if not RUN_ID.fullmatch(run) or run.endswith("."):
        raise InputError(
            "--run", "use up to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit"
        )
    return run


@dataclass
class RunDirectory:
    """One run on disk, held by one process.

    Attributes:
        folder: results/<run>.
        manifest: run.json.
        lines: the ledger as it stands.
        recovered: attempts found without an end, which now have one (`aborted`).
    """

    folder: Path
    manifest: RunManifest
    lock: FileLock
    lines: list[LedgerLine] = field(default_factory=list)
    recovered: int = 0

    @classmethod
    def open(cls, results: Path, manifest: RunManifest) -> "RunDirectory":
        """Create the run, or continue one of the same settings.

        Raises:
            InputError: run.json differs in a setting (named), or the folder holds something else.
            EnvironmentFault: another process holds the run.
        """
        folder = results / check_run_id(manifest.run)
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as exc:
            raise EnvironmentFault(f"run {manifest.run}: another rig process works on it") from exc
        try:
            path = folder / "run.json"
            if path.exists():
                there = read_model(RunManifest, path, f"{manifest.run}/run.json")
                _same_settings(there.settings, manifest.settings, manifest.run)
                if not there.settings.rehearsal:
                    _same_ground(there, manifest)
                manifest = there
            else:
                others = [p.name for p in folder.iterdir() if p.name != ".lock" and not p.name.endswith(".tmp")]
                if others:
                    raise InputError(
                        f"--run {manifest.run}", f"{folder} holds {others[0]} but no run.json; use another id"
                    )
                write_whole(path, canonical(manifest.model_dump(mode="json", by_alias=True)) + b"\n")
            run = cls(folder, manifest, lock)
            run._read_ledger()
            run._recover()
        except BaseException:
            lock.release()
            raise
        return run

    def close(self) -> None:
        """Give the run back."""
        self.lock.release()

    def _read_ledger(self) -> None:
        path = self.folder / "ledger.jsonl"
        AppendFile(path).close()
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            try:
                self.lines.append(LedgerLine.model_validate_json(line))
            except ValueError as exc:
                raise InputError(f"{self.manifest.run}/ledger.jsonl: line {number}", "is not a ledger line") from exc
        keys = [(x.package, x.trial, x.attempt) for x in self.lines]
        if len(keys) != len(set(keys)):
            raise InputError(f"{self.manifest.run}/ledger.jsonl", "names an attempt twice")

    def _recover(self) -> None:
        """End what a crash left open: attempts without attempt.json are aborted; ended ones without a line get theirs.

        Folders with other names than an attempt's, a person's copies for instance, are none of the run's.
        """
        known = {(x.package, x.trial, x.attempt) for x in self.lines}
        for path in sorted(self.folder.glob("*/t*/a*")):
            package, trial, number = path.parts[-3], trial_number(path.parts[-2]), attempt_number(path.parts[-1])
            if trial is None or number is None or not path.is_dir() or (package, trial, number) in known:
                continue
            if package not in self.manifest.settings.packages:
                raise InputError(f"{self.manifest.run}/{package}", "is not a package of this run")
            if not _whole_attempt(path / "attempt.json"):
                for name in ("events.jsonl", "prompts.jsonl", "network.jsonl"):
                    if (path / name).exists():
                        AppendFile(path / name).close()
                self._abort(path, package, trial, number)
                self.recovered += 1
            self._append(path)

    def _abort(self, path: Path, package: str, trial: int, number: int) -> None:
        started = datetime.fromtimestamp(path.stat().st_ctime, UTC)
        calls = _open_calls(path / "prompts.jsonl")
        self.finish(
            path, package=package, trial=trial, attempt=number, request_id=_request_id(path / "seed.json"), started_at=started,
            reason="aborted", why="the rig died during this attempt", final=None, rng_seed=0, slips={}, counts={},
            costs=[Cost(role="customer", calls=calls[0], tokens_in=None, tokens_out=None, cost=None, complete=False, why_incomplete=f"the rig died; {calls[1]} calls were under way")],
            append=False,
        )  # fmt: skip

    def attempt_numbers(self, package: str, trial: int) -> list[LedgerLine]:
        """The finished attempts of a trial, in order."""
        return sorted((x for x in self.lines if (x.package, x.trial) == (package, trial)), key=lambda x: x.attempt)

    def attempts(self) -> Iterator[Attempt]:
        """What is written of every finished attempt, in the order of the ledger."""
        for line in self.lines:
            path = self.folder / line.package / f"t{line.trial:02d}" / f"a{line.attempt:02d}" / "attempt.json"
            yield read_model(Attempt, path, f"{line.package}/t{line.trial:02d}/a{line.attempt:02d}/attempt.json")

    def counting(self, package: str, trial: int) -> LedgerLine | None:
        """The trial's counting attempt: the first that ended by the product's or the customer's doing."""
        return next((x for x in self.attempt_numbers(package, trial) if x.termination_reason not in NOT_COUNTING), None)

    def new_attempt(self, package: str, trial: int) -> tuple[int, Path]:
        """Number and empty folder of the trial's next attempt."""
        number = max((x.attempt for x in self.attempt_numbers(package, trial)), default=0) + 1
        path = self.folder / package / f"t{trial:02d}" / f"a{number:02d}"
        path.mkdir(parents=True)
        return number, path

    def finish(
        self, path: Path, *, package: str, trial: int, attempt: int, request_id: str, started_at: datetime,
        reason: TerminationReason, why: str, final: str | None, rng_seed: int, slips: dict[str, int], counts: dict[str, int],
        costs: list[Cost], parent_attempt: str | None = None, append: bool = True,
    ) -> Attempt:  # fmt: skip
        """Write attempt.json, last of all its files, then the ledger's line."""
        files = [
            FileHash(path=p.relative_to(path).as_posix(), size=p.stat().st_size, sha256=sha256_hex(p.read_bytes()))
            for p in sorted(path.rglob("*"))
            if p.is_file() and not p.name.endswith(".tmp")
        ]
        done = Attempt(
            schema="attempt-v1", run=self.manifest.run, package=package, package_sha256=self.manifest.settings.packages[package],
            trial=trial, attempt=attempt, parent_attempt=parent_attempt, request_id=request_id, started_at=started_at,
            ended_at=datetime.now(UTC), termination_reason=reason, why=why, final=final, customer=self.manifest.settings.customer,
            rng_seed=rng_seed, slips=slips, counts=counts, costs=costs, files=files,
        )  # fmt: skip
        write_whole(path / "attempt.json", canonical(done.model_dump(mode="json", by_alias=True)) + b"\n")
        if append:
            self._append(path)
        return done

    def _append(self, path: Path) -> None:
        data = (path / "attempt.json").read_bytes()
        done = Attempt.model_validate_json(data)
        previous = sha256_hex(canonical(self.lines[-1].model_dump(mode="json"))) if self.lines else ZERO
        line = LedgerLine(
            seq=len(self.lines) + 1, at=datetime.now(UTC), package=done.package, trial=done.trial, attempt=done.attempt,
            termination_reason=done.termination_reason, attempt_sha256=sha256_hex(data), previous=previous,
        )  # fmt: skip
        file = AppendFile(self.folder / "ledger.jsonl")
        try:
            file.append(canonical(line.model_dump(mode="json")))
        finally:
            file.close()
        self.lines.append(line)


def _same_settings(there: RunSettings, asked: RunSettings, run: str) -> None:
    old, new = there.model_dump(mode="json"), asked.model_dump(mode="json")
    for name in old:
        if old[name] != new[name]:
            raise InputError(
                f"--run {run}",
                f"exists with another {name} ({_short(old[name])}, now {_short(new[name])}); use another id",
            )


def _same_ground(there: RunManifest, now: RunManifest) -> None:
    """A run that may be official goes on only on what it began on: code, corpus, product, stores."""
    for name in (
        "rig_version",
        "git_commit",
        "git_clean",
        "corpus_version",
        "corpus_frozen",
        "runtime",
        "stores_configured",
        "product_model_embedded",
    ):
        old, new = getattr(there, name), getattr(now, name)
        if old != new:
            raise InputError(f"--run {there.run}", f"began with another {name}; use another id")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def _request_id(path: Path) -> str:
    try:
        return str(json.loads(path.read_bytes())["request"]["request_id"])
    except (OSError, ValueError, KeyError, TypeError):
        return "unknown"


def _open_calls(path: Path) -> tuple[int, int]:
    """(calls started, calls without an end) of a prompts file; (0, 0) if there is none. Unreadable lines end no call."""
    started: set[str] = set()
    ended: set[str] = set()
    if path.exists():
        for line in path.read_bytes().splitlines():
            try:
                entry = json.loads(line)
                (started if entry["kind"] == "model_call_started" else ended).add(str(entry["call"]))
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
    return len(started), len(started - ended)


def _whole_attempt(path: Path) -> bool:
    """Whether there is an `attempt.json` to go by; one that cannot be read is moved to `attempt.json.torn`."""
    if not path.exists():
        return False
    try:
        Attempt.model_validate_json(path.read_bytes())
    except ValueError:
        path.replace(path.with_name("attempt.json.torn"))
        return False
    return True
