"""One run at a time in a folder of results, for schedulers that start the next one whatever became of the last."""

import contextlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from harness.errors import EnvironmentFault, one_line

LOCK = ".rig-run.lock"
HOLDER = ".rig-run.json"
"""Who holds the lock; only for the one line that a second run prints, nothing is decided by it."""


@contextmanager
def results_lock(results: Path, run: str) -> Iterator[None]:
    """While this context is open no other run begins in `results`.

    The lock is the operating system's: it goes with the process that holds it, however that ends, so a dead run is in
    nobody's way and there is nothing to clean up.

    Raises:
        EnvironmentFault: another process works there, or the folder cannot be written.
    """
    try:
        results.mkdir(parents=True, exist_ok=True)
        lock = FileLock(results / LOCK)
        lock.acquire(timeout=0)
    except Timeout as exc:
        raise EnvironmentFault(f"{results}: {_holder(results)}; wait for it, or start with --alongside") from exc
    except OSError as exc:
        raise EnvironmentFault(f"{exc.filename or results}: {exc.strerror or type(exc).__name__}") from exc
    note = results / HOLDER
    try:
        with contextlib.suppress(OSError):  # a note that cannot be written costs its words only
            said = {"run": run, "pid": os.getpid(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
            note.write_text(json.dumps(said) + "\n", encoding="utf-8")
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        lock.release()


def _holder(results: Path) -> str:
    """What is known of the run that holds the lock."""
    try:
        said = json.loads((results / HOLDER).read_text(encoding="utf-8"))
        return one_line(f"run {said['run']} has been at work there since {said['since']} (process {said['pid']})", 200)
    except (OSError, ValueError, KeyError, TypeError):
        return "another run is at work there"
