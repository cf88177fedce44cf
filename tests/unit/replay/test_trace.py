"""Playwright's trace: without the run's secrets, kept when asked for, and opened where there is a display."""

import signal
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

import pytest

from harness import trace as tracing
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

    def popen(command: list[str], **_: object) -> subprocess.Popen[bytes]:
        began.append(command)
        return honest([sys.executable, "-c", ""], start_new_session=True)

    honest = subprocess.Popen
    monkeypatch.setattr(tracing, "playwright_browser", lambda *_, windows: tmp_path if own and windows else None)
    monkeypatch.setattr(tracing.subprocess, "Popen", popen)
    (tmp_path / TRACE).write_bytes(b"x")
    assert show_trace(tmp_path, said.append, serve, {"DISPLAY": ":0"}) is None
    (command,) = began
    assert Path(command[-1]).name == TRACE and not Path(command[-1]).exists()  # a copy that lay alone, and is gone
    assert (command[4:-1] == ["--host", "127.0.0.1", "--port", "0"]) == page == bool(said)


@pytest.mark.skipif(sys.platform == "win32", reason="ends by a signal")
@pytest.mark.parametrize("ends_by", [signal.SIGINT, signal.SIGTERM])
def test_a_page_is_served_until_it_is_interrupted(ends_by: int, tmp_path: Path) -> None:
    """Playwright's own viewer answers without any browser of its own, gives out nothing but the trace, and ends with the command."""
    results = tmp_path / "results"
    attempt = results / "r1/CTL-M-001/t01/a01"
    attempt.mkdir(parents=True)
    (attempt / "seed.json").write_text('{"secret": 1}', encoding="utf-8")
    with zipfile.ZipFile(attempt / TRACE, "w") as file:
        file.writestr("trace.trace", "{}")
    command = [
        str(Path(sys.executable).with_name("rig")),
        "trace",
        "r1/CTL-M-001/t01/a01",
        "--serve",
        "--results",
        str(results),
    ]
    # In the background of a shell a signal may be ignored, and a child inherits that.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    viewer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, heard)
    try:
        assert viewer.stdout is not None
        lines = (viewer.stdout.readline() for _ in range(10))
        address = next(line.split()[-1] for line in lines if "Listening on" in line)
        with urllib.request.urlopen(address, timeout=30) as page:
            assert page.status == 200 and b"Playwright" in page.read()
            prefix = page.url.partition("/trace/index.html")[0]
        beside = f"{prefix}/trace/file?path={urllib.parse.quote(str(attempt / 'seed.json'))}"
        with pytest.raises(urllib.error.HTTPError, match=r"403|404"):
            urllib.request.urlopen(beside, timeout=30)
    finally:
        viewer.send_signal(ends_by)
        viewer.communicate(timeout=60)
    assert viewer.returncode in (0, 128 + ends_by)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=30)


def test_a_window_is_asked_for_only_where_there_can_be_one(tmp_path: Path) -> None:
    """A machine without a display and a browser without windows are told apart, before anything is started."""
    shell = tmp_path / "headless-shell"
    shell.write_text("#!/bin/sh\necho Chromium 1.0\n", encoding="utf-8")
    shell.chmod(0o755)
    env = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    watchable(False, env)
    with pytest.raises(EnvironmentFault, match="--headed: there is no display"):
        watchable(True, env)
    with pytest.raises(EnvironmentFault, match="--headed: no Chromium that shows windows found"):
        watchable(True, {**env, "DISPLAY": ":0"})
    named = {**env, "DISPLAY": ":0", "RIG_BROWSER": str(shell), "RIG_BROWSER_SANDBOX": "off"}
    with pytest.raises(EnvironmentFault, match="without windows"):
        watchable(True, named)
    whole = shell.rename(tmp_path / "chromium")
    watchable(True, {**named, "RIG_BROWSER": str(whole)})
