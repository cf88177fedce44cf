"""Background processes that outlive the command that started them, and the proof that one is ours before it is ended.

A process is ours if its environment carries the mark it was started with; where the environment cannot be read, its
creation time must be the recorded one. A pid alone proves nothing: pids are used again.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import psutil

from harness.config import LOOPBACK
from harness.errors import EnvironmentFault
from harness.schema.base import Strict

MARK = "RIG_STACK_ID"
"""Environment variable that carries the mark."""
CREATED_TOLERANCE_S = 2.0
END_TIMEOUT_S = 10.0
"""Between asking a process to end and making it."""

_started: dict[int, "subprocess.Popen[bytes]"] = {}
"""Children of this very process: kept so that they are waited for when they end."""


class Started(Strict):
    """A process that was started, enough to find exactly it again."""

    pid: int
    created: float
    """Creation time as the system tells it, seconds since 1970."""
    mark: str


def start_detached(command: Sequence[str], env: Mapping[str, str], log: Path, mark: str, cwd: Path) -> Started:
    """Starts a process that goes on when this one ends; it reads nothing and writes to `log` (mode 0600, appended).

    Raises:
        EnvironmentFault: it could not be started.
    """
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            env={**env, MARK: mark},
            cwd=cwd,
            start_new_session=sys.platform != "win32",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
            | getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as exc:
        raise EnvironmentFault(f"{command[0]} does not start: {exc.strerror}") from exc
    finally:
        os.close(descriptor)
    _started[process.pid] = process
    try:
        created = psutil.Process(process.pid).create_time()
    except psutil.NoSuchProcess:
        created = 0.0
    return Started(pid=process.pid, created=created, mark=mark)


def find(started: Started) -> psutil.Process | None:
    """The process if it is alive and provably the one that was started."""
    child = _started.get(started.pid)
    if child is not None and child.poll() is not None:
        return None
    try:
        process = psutil.Process(started.pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        try:
            marked = process.environ().get(MARK)
        except (psutil.AccessDenied, OSError):
            marked = None
        if marked is not None:
            return process if marked == started.mark else None
        return process if abs(process.create_time() - started.created) < CREATED_TOLERANCE_S else None
    except psutil.NoSuchProcess:
        return None


def end(started: Iterable[Started]) -> None:
    """Ends those of the processes that live and are ours, with their children: asked first, made after a while."""
    for one in started:
        process = find(one)
        if process is not None:
            end_tree(process)
        child = _started.get(one.pid)
        if child is not None and child.poll() is not None:
            del _started[one.pid]


def end_tree(process: psutil.Process) -> None:
    """Ends a process with its children: asked first, made after a while."""
    try:
        family = [*process.children(recursive=True), process]
    except psutil.NoSuchProcess:
        return
    for member in family:
        _quietly(member.terminate)
    _, alive = psutil.wait_procs(family, timeout=END_TIMEOUT_S)
    for member in alive:
        _quietly(member.kill)
    psutil.wait_procs(alive, timeout=END_TIMEOUT_S)


def _quietly(act: Callable[[], None]) -> None:
    try:
        act()
    except psutil.NoSuchProcess:
        return


def port_is_free(port: int) -> bool:
    """Whether nothing listens on the loopback port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def who_listens(port: int) -> str | None:
    """Name and pid of the process that listens on the port, if the system tells; None otherwise."""
    try:
        connections = psutil.net_connections(kind="tcp")
    except (psutil.AccessDenied, OSError):
        return None
    for connection in connections:
        local = connection.laddr
        if local and local.port == port and connection.status == psutil.CONN_LISTEN and connection.pid:
            try:
                return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
            except psutil.NoSuchProcess:
                return None
    return None


def need_free_port(port: int, what: str, variable: str) -> None:
    """Nothing listens on the port.

    Raises:
        EnvironmentFault: something does; the message names the port, who holds it if known, and the way round.
    """
    if not port_is_free(port):
        holder = who_listens(port)
        raise EnvironmentFault(
            f"port {port} for {what} is taken{f' by {holder}' if holder else ''}; free it or set {variable}"
        )


def last_line(log: Path) -> str:
    """The last line of a log that holds anything, cut; empty if there is none."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - 4096))
            text = stream.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
