"""The audit hook of a worker: after it is set, this process can reach its own folders and nothing else."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORBIDDEN_IMPORTS = (
    "oracle_scoring",
    "harness.seed",
    "harness.observe",
    "harness.gate",
    "harness.run",
    "harness.stage",
    "harness.journal",
    "harness.schema.setup",
    "harness.devstack",
    "pymongo",
    "bson",
    "minio",
    "boto3",
    "openai",
    "importlib.resources",
)
_SPAWN = frozenset(
    [
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.fork",
        "os.forkpty",
        "os.startfile",
        "pty.spawn",
    ]
)
_CONNECT = frozenset(["socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"])
_LIST = frozenset(["os.listdir", "os.scandir", "glob.glob", "os.walk", "pathlib.Path.glob", "pathlib.Path.rglob"])
_CHANGE = frozenset(
    [
        "os.rename",
        "os.remove",
        "os.rmdir",
        "os.link",
        "os.symlink",
        "os.truncate",
        "os.chmod",
        "os.chown",
        "shutil.copyfile",
        "shutil.move",
        "shutil.rmtree",
        "os.mkdir",
    ]
)
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")


class SealBroken(PermissionError):
    """Code of a journey tried to leave its folder."""


@dataclass
class Seal:
    """What is allowed; set per journey.

    Attributes:
        read: folders that may be read.
        write: folders that may be written (and read never, save through a file opened for writing).
        broken: what was refused so far, in order.
    """

    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()
    forbidden: tuple[Path, ...] = ()
    broken: list[str] = field(default_factory=list)
    on_broken: Callable[[str], None] | None = None
    active: bool = False

    def refuse(self, what: str) -> None:
        """Record and raise."""
        self.broken.append(what)
        if self.on_broken is not None:
            self.on_broken(what)
        raise SealBroken(what)

    def check(self, event: str, args: tuple[Any, ...]) -> None:
        """The hook's body; raises SealBroken for what is not allowed."""
        if not self.active:
            return
        if event == "open":
            self._check_open(*args)
        elif event == "import":
            self._check_import(str(args[0]), args[1] if len(args) > 1 else None)
        elif event in _LIST:
            self._check_path(event, args[0] if args else ".", self.read)
        elif event in _CHANGE:
            self._check_path(event, args[0], self.write)
        elif (
            event in _SPAWN
            or event in ("ctypes.dlopen", "ctypes.dlsym/handle")
            or (event in _CONNECT and not (event == "socket.connect" and _is_local_socketpair(args)))
        ):
            self.refuse(f"{event} {_short(args)}")

    def _check_import(self, name: str, file: Any) -> None:
        if any(name == f or name.startswith(f + ".") for f in FORBIDDEN_IMPORTS):
            self.refuse(f"import {name}")
        if file:
            self._check_path("import", file, self.read)

    def _check_open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int) or path is None:
            return
        text = _text(path)
        if text in _DEVICES:
            return
        writing = isinstance(mode, str) and any(c in mode for c in "wax+")
        if mode is None and isinstance(flags, int):
            writing = bool(flags & 0b11)
        self._check_path("open for writing" if writing else "open", path, self.write if writing else self.read)

    def _check_path(self, event: str, path: Any, folders: tuple[Path, ...]) -> None:
        if isinstance(path, int):
            return
        text = _text(path)
        whole = _resolve(text)
        if any(_inside(whole, f) for f in self.forbidden) or not any(_inside(whole, f) for f in folders):
            self.refuse(f"{event} {text}")


def _text(path: Any) -> str:
    return path.decode(errors="replace") if isinstance(path, bytes) else str(path)


def _resolve(text: str) -> str:
    return os.path.realpath(text or ".")


def _inside(path: str, folder: Path) -> bool:
    base = str(folder)
    return path == base or path.startswith(base.rstrip("/\\") + os.sep)


def _short(args: tuple[Any, ...]) -> str:
    return " ".join(str(a) for a in args)[:200]


def _is_local_socketpair(args: tuple[Any, ...]) -> bool:
    return sys.platform == "win32" and len(args) > 1 and isinstance(args[1], tuple) and args[1][0] == "127.0.0.1"


def install(seal: Seal) -> None:
    """Set the hook; it cannot be taken away again in this process."""
    sys.addaudithook(seal.check)
    seal.active = True


def code_folders() -> tuple[Path, ...]:
    """Where Python and the installed libraries lie: may be read by a sealed worker."""
    roots = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    return tuple(Path(r) for r in sorted(roots))
