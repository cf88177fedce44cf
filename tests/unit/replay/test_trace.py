"""Playwright's trace: without the run's secrets, kept when asked for, and opened where there is a display."""

import os
import signal
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from harness import trace as tracing
from harness.browser import Browser
from harness.cli.play import watchable
from harness.errors import EnvironmentFault, InputError
from harness.record import Redactor
from harness.trace import TRACE, keep_trace, show_trace

SECRET = "hunter2 & co"


def made(folder: Path) -> Path:
    path = folder / "made.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("trace.trace", f'{{"value": "{SECRET}"}}')
        file.writestr("resources/a1.txt", "password=hunter2%20%26%20co&x=hunter2+%26+co")
        file.writestr("screencast/p.jpeg", b"\xff\xd8\x00\xff")
    return path


def test_secrets_are_taken_out_of_every_part(tmp_path: Path) -> None:
    """In whatever form a page wrote them; pictures stay as they are; the same trace gives the same bytes."""
    redactor = Redactor({"login_password": SECRET})
    kept = keep_trace(made(tmp_path), tmp_path, "on", "completed", (redactor,))
    assert kept == tmp_path / TRACE
    with zipfile.ZipFile(kept) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    assert not any(b"hunter2" in data for data in parts.values())
    assert parts["trace.trace"] == b'{"value": "[redacted:login_password]"}'
    assert parts["screencast/p.jpeg"] == b"\xff\xd8\x00\xff"
    first = kept.read_bytes()
    keep_trace(made(tmp_path), tmp_path, "on", "completed", (redactor,))
    assert kept.read_bytes() == first and sorted(p.name for p in tmp_path.iterdir()) == [TRACE]


@pytest.mark.parametrize(("ended", "there"), [("completed", False), ("nothing_to_do", True), ("rig_error", True)])
def test_a_trace_may_be_kept_of_what_did_not_complete_only(ended: str, there: bool, tmp_path: Path) -> None:
    """Either way the worker's copy, which nobody has cleared, is gone."""
    keep_trace(made(tmp_path), tmp_path, "retain-on-failure", ended, ())
    assert (tmp_path / TRACE).exists() == there and not (tmp_path / "made.zip").exists()


def test_a_trace_that_is_damaged_leaves_nothing_uncleared(tmp_path: Path) -> None:
    """It is no evidence; the copy goes."""
    (tmp_path / "made.zip").write_bytes(b"no zip")
    assert keep_trace(tmp_path / "made.zip", tmp_path, "on", "completed", ()) is None
    assert list(tmp_path.iterdir()) == []


def test_without_a_display_the_viewer_is_named_and_not_started(tmp_path: Path) -> None:
    """One line that holds the path; without a trace it says how to get one."""
    with pytest.raises(InputError, match="--trace on"):
        show_trace(tmp_path, print, environ={})
    (tmp_path / TRACE).write_bytes(b"x")
    assert str(tmp_path / TRACE) in str(show_trace(tmp_path, print, environ={}))


@pytest.mark.parametrize(("own", "serve", "page"), [(True, False, False), (True, True, True), (False, False, True)])
def test_the_viewer_is_a_page_where_playwright_has_no_window_of_its_own(
    own: bool, serve: bool, page: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then on the loopback address, and it is said who can read it; else in Playwright's own window, and nothing is said."""
    began: list[list[str]] = []
    said: list[str] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        began.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(tracing, "playwright_browser", lambda *_, windows: tmp_path if own and windows else None)
    monkeypatch.setattr(tracing.subprocess, "run", run)
    (tmp_path / TRACE).write_bytes(b"x")
    assert show_trace(tmp_path, said.append, serve, {"DISPLAY": ":0"}) is None
    (command,) = began
    assert command[-1] == str(tmp_path / TRACE)
    assert (command[4:-1] == ["--host", "127.0.0.1", "--port", "0"]) == page == bool(said)


@pytest.mark.skipif(sys.platform == "win32", reason="ends by a signal")
def test_a_page_is_served_until_it_is_interrupted(tmp_path: Path) -> None:
    """Playwright's own viewer answers on the loopback address without any browser of its own; Ctrl-C is no error."""
    code = "import sys; from pathlib import Path; from harness.trace import show_trace; show_trace(Path(sys.argv[1]), print, True)"
    with zipfile.ZipFile(tmp_path / TRACE, "w") as file:
        file.writestr("trace.trace", "{}")
    viewer = subprocess.Popen(
        [sys.executable, "-u", "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert viewer.stdout is not None
        lines = (viewer.stdout.readline() for _ in range(10))
        address = next(line.split()[-1] for line in lines if "Listening on" in line)
        with urllib.request.urlopen(address, timeout=30) as page:
            assert page.status == 200 and b"Playwright" in page.read()
    finally:
        os.killpg(viewer.pid, signal.SIGINT)
        viewer.communicate(timeout=60)
    assert viewer.returncode == 0


def test_a_window_is_asked_for_only_where_there_can_be_one() -> None:
    """A build without windows and a machine without a display are told apart, before anything is started."""
    shell = Browser(Path("b"), "path", "Chromium 1.0", headless_shell=True, sandbox=False)
    whole = Browser(Path("b"), "path", "Chromium 1.0", headless_shell=False, sandbox=False)
    watchable(shell, headed=False, environ={})
    with pytest.raises(EnvironmentFault, match="without windows"):
        watchable(shell, headed=True, environ={"DISPLAY": ":0"})
    with pytest.raises(EnvironmentFault, match="no display"):
        watchable(whole, headed=True, environ={})
    watchable(whole, headed=True, environ={"DISPLAY": ":0"})
