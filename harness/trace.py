"""Playwright's trace of a journey: taken over from the worker, cleared of the run's secrets, kept or not."""

import contextlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.errors import EnvironmentFault, InputError
from harness.record import Redactor
from harness.schema.run import TraceKept

TRACE = "trace.zip"
_WHEN = (1980, 1, 1, 0, 0, 0)


def keep_trace(
    made: Path, attempt_dir: Path, kept: TraceKept, ended: str, redactors: Sequence[Redactor]
) -> Path | None:
    """Move a trace into the attempt's folder, every part of it without the secrets; the worker's copy is gone afterwards.

    Args:
        made: what the worker left; nothing happens if there is none (the record says so).
        kept: `retain-on-failure` keeps it only where the journey did not complete; what scoring says comes later.
        ended: how the journey ended.
        redactors: whose secrets are taken out.

    Returns:
        Where it is; None if it was not kept, or was no whole trace.
    """
    try:
        if not made.is_file() or (kept == "retain-on-failure" and ended == "completed"):
            return None
        target = attempt_dir / TRACE
        part = attempt_dir / f"{TRACE}.tmp"
        with zipfile.ZipFile(made) as old, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                data = old.read(name)
                for redactor in redactors:
                    data = redactor.data(data)
                new.writestr(zipfile.ZipInfo(name, _WHEN), data, zipfile.ZIP_DEFLATED)
        part.replace(target)
        return target
    except zipfile.BadZipFile:
        return None
    finally:
        with contextlib.suppress(OSError):
            made.unlink(missing_ok=True)


def show_trace(attempt_dir: Path, environ: Mapping[str, str] = os.environ) -> str | None:
    """Open Playwright's own viewer on an attempt's trace and wait until it is closed.

    Returns:
        Where there is no display, the line that says how to open it elsewhere; nothing was started then.

    Raises:
        InputError: the attempt has no trace.
        EnvironmentFault: the viewer does not start.
    """
    path = attempt_dir / TRACE
    if not path.is_file():
        raise InputError(f"attempt {attempt_dir.name}", f"has no {TRACE}; play it with rig run --trace on")
    if sys.platform.startswith("linux") and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        return f"no display; open it where there is one: playwright show-trace {path}"
    done = subprocess.run([sys.executable, "-m", "playwright", "show-trace", str(path)], check=False)
    if done.returncode != 0:
        raise EnvironmentFault(f"playwright show-trace ended with exit code {done.returncode}")
    return None
