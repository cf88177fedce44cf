"""The audit hook of a worker: after it is set, this process can reach its own folders and nothing else."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

try:
    import _posixsubprocess
except ImportError:  # not on Windows
    _posixsubprocess = None  # type: ignore[assignment]

FORBIDDEN_IMPORTS = (
    "oracle_scoring",
    "harness.budget",
    "harness.cli",
    "harness.devstack",
    "harness.doctor",
    "harness.embedded_model",
    "harness.gate",
    "harness.gate_render",
    "harness.handover",
    "harness.journal",
    "harness.judge_model",
    "harness.lock",
    "harness.observe",
    "harness.person",
    "harness.pool",
    "harness.product",
    "harness.replay",
    "harness.report",
    "harness.run",
    "harness.rundir",
    "harness.schema.inquiry",
    "harness.schema.package",
    "harness.schema.product",
    "harness.schema.scorecard",
    "harness.schema.session",
    "harness.schema.setup",
    "harness.seed",
    "harness.stack",
    "harness.stage",
    "harness.trace",
    "harness.verify",
    "harness.view",
    "harness.vision",
    "pymongo",
    "bson",
    "minio",
    "boto3",
    "openai",
    "httpx2",
    "xllamacpp",
    "importlib.resources",
)
"""All that the import contract keeps from the customer's side, and what reads package data by name."""
_REFUSED = frozenset(
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
        "socket.bind",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.getnameinfo",
    ]
)
"""Starting programs and reaching the network."""
_REFUSED_PREFIXES = ("ctypes.", "sqlite3.")
"""Whole libraries whose own C code opens files without an event."""
_READ = frozenset(
    [
        "os.listdir",
        "os.scandir",
        "os.walk",
        "os.fwalk",
        "os.getxattr",
        "os.listxattr",
        "glob.glob",
        "pathlib.Path.glob",
        "pathlib.Path.rglob",
    ]
)
_CHANGE: dict[str, tuple[int, ...]] = {
    "os.rename": (0, 1),
    "os.link": (0, 1),
    "os.symlink": (1,),
    "os.remove": (0,),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.setxattr": (0,),
    "os.removexattr": (0,),
    "shutil.copyfile": (1,),
    "shutil.move": (0, 1),
    "shutil.rmtree": (0,),
}
"""Event -> which of its arguments are paths that change."""
_KEEPS_CONTENT = frozenset(["os.rename", "os.link", "shutil.move"])
"""Events after which old content stands under a new name."""
_OFTEN = frozenset(["object.__getattr__", "sys._getframe", "builtins.id"])
"""Events of looking at the process's own objects, thousands in a journey: let through without a further look."""
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")


class SealBroken(PermissionError):
    """Code of a journey tried to leave its folder."""


@dataclass
class Seal:
    """What is allowed; set per journey.

    Attributes:
        read: folders that may be read.
        write: folders that may be written; what lies there already is not read back, under whatever name or mode.
        forbidden: folders that are neither read nor written, wherever they lie.
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
        if not self.active or event in _OFTEN:
            return
        if event == "open":
            self._check_open(*args)
        elif event == "import":
            self._check_import(str(args[0]), args[1] if len(args) > 1 else None)
        elif event in _READ:
            self._check_path(event, args[0] if args else None, self.read)
        elif event in _CHANGE:
            self._check_change(event, [args[i] for i in _CHANGE[event] if i < len(args)])
        elif event == "socket.connect":
            if not _is_local_socketpair(args):
                self.refuse(f"{event} {_short(args)}")
        elif event in _REFUSED or event.startswith(_REFUSED_PREFIXES):
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
        reads, writes = _access(mode, flags)
        if mode is None and not Path(text).is_absolute():
            self.refuse(f"open {text}, which may stand below any open folder")
        if writes:
            self._check_path("open for writing", path, self.write)
        if reads and (not writes or Path(_resolve(text)).exists()):
            self._check_path("open", path, self.read)

    def _check_change(self, event: str, paths: list[Any]) -> None:
        named = [p for p in paths if not isinstance(p, int)]
        for path in named:
            if not Path(_text(path)).is_absolute():
                self.refuse(f"{event} {_text(path)}, which may stand below any open folder")
            self._check_path(event, path, self.write)
        if event in _KEEPS_CONTENT and len(named) == 2 and self._may_read(named[1]):
            self._check_path(event, named[0], self.read)

    def _may_read(self, path: Any) -> bool:
        whole = _resolve(_text(path))
        return any(_inside(whole, f) for f in self.read)

    def _check_path(self, event: str, path: Any, folders: tuple[Path, ...]) -> None:
        if isinstance(path, int):
            self.refuse(f"{event} by descriptor {path}")
        text = "." if path is None else _text(path)
        whole = _resolve(text)
        if any(_inside(whole, f) for f in self.forbidden) or not any(_inside(whole, f) for f in folders):
            self.refuse(f"{event} {text}")


def _access(mode: Any, flags: Any) -> tuple[bool, bool]:
    """Whether an open gives old content to read, and whether it may write."""
    if isinstance(mode, str):
        writes = any(c in mode for c in "wax+")
        return "r" in mode or ("+" in mode and "a" in mode), writes
    bits = flags if isinstance(flags, int) else 0
    only_place = bool(bits & getattr(os, "O_PATH", 0))
    kind = bits & 0b11
    return only_place or kind == os.O_RDONLY or (kind == os.O_RDWR and not bits & os.O_TRUNC), kind != os.O_RDONLY


def _text(path: Any) -> str:
    """The path as the system takes it, whatever a class of its own says it is."""
    if isinstance(path, bytes):
        return bytes.decode(path, "utf-8", "replace")
    return str.__str__(path) if isinstance(path, str) else str(path)


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
    """Set the hook; it cannot be taken away again in this process.

    The one way to a new process that raises no event (`_posixsubprocess.fork_exec`, used by multiprocessing) is closed by hand.
    """

    def no_process(*args: object) -> int:
        seal.refuse(f"_posixsubprocess.fork_exec {_short(args)}")
        return -1

    if _posixsubprocess is not None:
        _posixsubprocess.fork_exec = no_process
    sys.addaudithook(seal.check)
    seal.active = True


def code_folders() -> tuple[Path, ...]:
    """Where Python and the installed libraries lie: may be read by a sealed worker."""
    roots = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    return tuple(Path(r) for r in sorted(roots))
