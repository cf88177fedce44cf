"""harness/processes.py: background processes are found again and ended only if they are provably ours."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from harness.errors import EnvironmentFault
from harness.processes import MARK, Started, end, find, last_line, need_free_port, port_is_free, start_detached

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
PATIENCE_S = 60.0


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[Started]:
    """A background process of ours; ended afterwards."""
    started = start_detached(SLEEPER, {}, tmp_path / "log", "mark-1", tmp_path)
    yield started
    end([started])


def wait_for(log: Path, text: str) -> None:
    """The log holds the text."""
    until = time.monotonic() + PATIENCE_S
    while text not in log.read_text(encoding="utf-8"):
        assert time.monotonic() < until, "the process said nothing"
        time.sleep(0.05)


def test_a_started_process_is_found_and_ended(sleeper: Started, tmp_path: Path) -> None:
    """What was started is found by its mark; ending it leaves nothing, and ending it twice does nothing."""
    wait_for(tmp_path / "log", "up")
    found = find(sleeper)
    assert found is not None and found.environ()[MARK] == "mark-1"
    end([sleeper])
    assert find(sleeper) is None and not psutil.pid_exists(sleeper.pid)
    end([sleeper])


def test_a_pid_with_another_mark_is_never_ended(sleeper: Started, tmp_path: Path) -> None:
    """A process that has a recorded pid but not its mark is somebody else's and lives on."""
    wait_for(tmp_path / "log", "up")
    impostor = Started(pid=sleeper.pid, created=sleeper.created, mark="mark-2")
    assert find(impostor) is None
    psutil_process = psutil.Process(sleeper.pid)
    end([impostor])
    assert psutil_process.is_running() and psutil_process.status() != psutil.STATUS_ZOMBIE


def test_an_unmarked_process_with_another_creation_time_is_never_ended() -> None:
    """A pid that was used again belongs to a process without mark and with another creation time."""
    with subprocess.Popen(SLEEPER, stdout=subprocess.DEVNULL, env={}) as stranger:
        try:
            end([Started(pid=stranger.pid, created=psutil.Process(stranger.pid).create_time() - 3600, mark="m")])
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_children_are_ended_with_their_parent(tmp_path: Path) -> None:
    """Nothing that a part started stays behind."""
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print('child', child.pid, flush=True)\ntime.sleep(600)\n"
    )
    started = start_detached([sys.executable, "-c", code], {}, tmp_path / "log", "m", tmp_path)
    try:
        wait_for(tmp_path / "log", "child")
        child = int((tmp_path / "log").read_text(encoding="utf-8").split()[1])
    finally:
        end([started])
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
def test_a_log_is_for_its_owner_only(sleeper: Started, tmp_path: Path) -> None:
    """Logs may hold what customers wrote; others cannot read them."""
    assert (tmp_path / "log").stat().st_mode & 0o077 == 0


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A part that cannot be started is a fault of the environment, in one line."""
    with pytest.raises(EnvironmentFault, match=r"/nowhere/program does not start"):
        start_detached(["/nowhere/program"], {}, tmp_path / "log", "m", tmp_path)


def test_a_taken_port_names_port_holder_and_way_round() -> None:
    """A busy port is one line with the port, the process where known, and the variable that moves it."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        assert not port_is_free(port)
        with pytest.raises(EnvironmentFault, match=rf"^port {port} for a thing is taken.*RIG_X_PORT$") as caught:
            need_free_port(port, "a thing", "RIG_X_PORT")
        assert "\n" not in str(caught.value)
    need_free_port(port, "a thing", "RIG_X_PORT")


def test_the_last_line_of_a_log_is_its_last_words(tmp_path: Path) -> None:
    """Empty lines at the end do not hide the last words; a log that is not there has none."""
    log = tmp_path / "log"
    log.write_text("first\nModuleNotFoundError: no module\n\n", encoding="utf-8")
    assert last_line(log) == "ModuleNotFoundError: no module"
    assert last_line(tmp_path / "none") == ""
