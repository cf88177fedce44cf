"""Playwright's trace of a journey: taken over from the worker, cleared of the run's secrets, kept or not."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

from harness.browser import has_display, playwright_browser
from harness.errors import EnvironmentFault, InputError
from harness.processes import end_tree
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


def show_trace(
    attempt_dir: Path, say: Callable[[str], None], serve: bool = False, environ: Mapping[str, str] = os.environ
) -> str | None:
    """Open Playwright's own viewer on an attempt's trace and wait until it is closed or interrupted.

    It has a window of its own where Playwright's whole Chromium is installed, else it is a page on the loopback address, which it
    opens in the system's browser where there is a display. While it runs, that page has no secret in its address.

    Args:
        say: told what a person should know before it starts.
        serve: a page in any case.

    Returns:
        Where there is no display and no page is wanted, the line that says how to look at it; nothing was started then.

    Raises:
        InputError: the attempt has no trace.
        EnvironmentFault: the viewer does not start.
    """
    path = attempt_dir / TRACE
    if not path.is_file():
        raise InputError(f"attempt {attempt_dir.name}", f"has no {TRACE}; play it with rig run --trace on")
    if not has_display(environ) and not serve:
        return f"no display; look at it in any browser by rig trace --serve, or elsewhere: playwright show-trace {path}"
    command = [sys.executable, "-m", "playwright", "show-trace"]
    if serve or playwright_browser(environ, windows=True) is None:
        say("rig: everyone on this machine can look at the trace while this runs; Ctrl-C ends it")
        command += ["--host", "127.0.0.1", "--port", "0"]
    # A copy alone in its folder: the viewer gives out what lies beside a trace, too.
    with tempfile.TemporaryDirectory(prefix="rig-trace-") as alone:
        copy = shutil.copy(path, Path(alone) / TRACE)
        viewer = subprocess.Popen([*command, str(copy)], env=dict(environ), start_new_session=True)
        try:
            code = viewer.wait()
        except KeyboardInterrupt:
            return None
        finally:
            if viewer.poll() is None:
                end_tree(psutil.Process(viewer.pid))
    if code != 0:
        raise EnvironmentFault(f"playwright show-trace ended with exit code {code}")
    return None
