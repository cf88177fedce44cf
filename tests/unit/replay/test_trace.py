"""Playwright's trace: without the run's secrets, kept when asked for, and opened where there is a display."""

import zipfile
from pathlib import Path

import pytest

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
        show_trace(tmp_path, {})
    (tmp_path / TRACE).write_bytes(b"x")
    assert str(tmp_path / TRACE) in str(show_trace(tmp_path, {}))


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
