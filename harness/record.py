"""The write-only sink of a journey. Nothing here reads back what was written."""

import contextlib
import errno
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from harness.errors import EnvironmentFault
from harness.schema.events import EVENT
from harness.schema.network import NetworkLine
from harness.schema.strict_json import canonical

if sys.platform != "win32":
    import fcntl

WRITER_TIMEOUT_S = 30.0
"""How long a file may still be held by a process that is about to end."""
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.ENODEV})


def disk_fault(exc: BaseException) -> bool:
    """The disk is full, read-only or broken: no fault of product or customer, and nothing more can be recorded."""
    return isinstance(exc, OSError) and exc.errno in _DISK


class Redactor:
    """Replaces known secrets before anything reaches disk.

    Args:
        secrets: name -> value, searched for as it is and as forms and JSON write it; values shorter than six characters
            are not searched for.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secrets = [
            (name, form) for name, value in secrets.items() if len(value) >= 6 for form in self.forms(value)
        ]

    @staticmethod
    def forms(value: str) -> list[str]:
        """A value as it is, and as forms and JSON write it; each once."""
        return list(dict.fromkeys((value, quote(value, safe=""), quote_plus(value), json.dumps(value)[1:-1])))

    def text(self, text: str) -> str:
        """The text with every secret replaced by `[redacted:name]`."""
        for name, value in self._secrets:
            text = text.replace(value, f"[redacted:{name}]")
        return text

    def data(self, data: bytes) -> bytes:
        """Bytes, likewise."""
        for name, value in self._secrets:
            data = data.replace(value.encode(), f"[redacted:{name}]".encode())
        return data

    def json(self, value: Any) -> Any:
        """A JSON value with every string redacted."""
        if not self._secrets:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.json(v) for v in value]
        if isinstance(value, dict):
            return {k: self.json(v) for k, v in value.items()}
        return value


class AppendFile:
    """One JSON object a line, each line written by one call, so that a kill tears at most the last one.

    A torn last line of an earlier writer is moved to `<name>.torn` before the first append. There is one writer at a
    time: where the system has file locks, the file is held until it is closed or the process ends.

    Raises:
        EnvironmentFault: another process still writes to the file.
    """

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            _hold(self._fd, path.name)
            if os.fstat(self._fd).st_size:
                repair_tail(path)
        except BaseException:
            self.close()
            raise

    def append(self, data: bytes) -> None:
        """Write `data` (no line break inside) as one line; where that fails (a full disk), nothing of it stays."""
        line = data + b"\n"
        done = 0
        try:
            while done < len(line):
                done += os.write(self._fd, line[done:])
        except OSError:
            if done:
                os.ftruncate(self._fd, os.fstat(self._fd).st_size - done)
            raise

    def close(self) -> None:
        """Close; a second call does nothing."""
        with contextlib.suppress(OSError):
            os.close(self._fd)


def _hold(fd: int, name: str) -> None:
    """Waits for the file's lock, bounded; a file system without locks has none to wait for."""
    if sys.platform == "win32":
        return
    until = time.monotonic() + WRITER_TIMEOUT_S
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            if time.monotonic() > until:
                raise EnvironmentFault(f"{name}: another process still writes to it") from exc
            time.sleep(0.02)
        except OSError:
            return
        else:
            return


def repair_tail(path: Path) -> int:
    """Move an incomplete last line to `<name>.torn`; the number of bytes moved."""
    try:
        fd = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return 0
    with os.fdopen(fd, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        step, tail = 65536, b""
        at = size
        while at > 0 and b"\n" not in tail:
            at = max(0, at - step)
            file.seek(at)
            tail = file.read(size - at)
        keep = at + tail.rfind(b"\n") + 1
        torn = tail[tail.rfind(b"\n") + 1 :]
        if torn:
            with path.with_name(path.name + ".torn").open("ab") as out:
                out.write(torn + b"\n")
            file.truncate(keep)
        return len(torn)


def write_whole(path: Path, data: bytes) -> None:
    """The whole file or none of it: temporary name in the same folder, flushed, then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def _write_new(path: Path, data: bytes) -> None:
    """A new file; where that fails, no half of it stays. Without the flush of `write_whole`, for speed."""
    try:
        path.write_bytes(data)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise


class Recorder:
    """Evidence of one attempt, written as it happens.

    Args:
        folder: the attempt folder; exists and is empty.
        redactor: applied to everything.
        event_counts: after the journey, how many events of each kind were written.
        broken: the first fault of the disk; once there is one, the record is not whole, whoever swallowed the error.
    """

    def __init__(self, folder: Path, redactor: Redactor) -> None:
        self.folder = folder
        self._redact = redactor
        (folder / "screens").mkdir(exist_ok=True)
        (folder / "bodies").mkdir(exist_ok=True)
        (folder / "downloads").mkdir(exist_ok=True)
        self._events = AppendFile(folder / "events.jsonl")
        self._network = AppendFile(folder / "network.jsonl")
        self._start = time.monotonic()
        self._n = 0
        self._pictures = 0
        self._bodies: set[str] = set()
        self.turn = 0
        self.event_counts: dict[str, int] = {}
        self.broken: OSError | None = None

    @contextlib.contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            self.broken = self.broken or exc
            raise

    def now_ms(self) -> float:
        """Milliseconds of the journey's monotonic clock."""
        return round((time.monotonic() - self._start) * 1000, 3)

    def emit(self, kind: str, **fields: Any) -> int:
        """Write one event; its number. A field that does not fit the event's model is a bug and raises."""
        self._n += 1
        raw = {"n": self._n, "at": datetime.now(UTC), "t_ms": self.now_ms(), "turn": self.turn, "kind": kind, **fields}
        event = EVENT.validate_python(raw)
        with self._noted():
            self._events.append(canonical(self._redact.json(event.model_dump(mode="json"))))
        self.event_counts[kind] = self.event_counts.get(kind, 0) + 1
        return self._n

    def picture(self, data: bytes) -> str:
        """Store a PNG; its name below the attempt folder."""
        self._pictures += 1
        name = f"screens/{self._pictures:04d}.png"
        with self._noted():
            _write_new(self.folder / name, data)
        return name

    def body(self, data: bytes) -> str:
        """Store a body by its hash; the hash (of the redacted bytes)."""
        clean = self._redact.data(data)
        digest = hashlib.sha256(clean).hexdigest()
        if digest not in self._bodies:
            with self._noted():
                _write_new(self.folder / "bodies" / digest, clean)
            self._bodies.add(digest)
        return digest

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Store a download under a name of our own; (name below the folder, sha256)."""
        digest = hashlib.sha256(data).hexdigest()
        suffix = "".join(c for c in Path(name).suffix[:8] if c.isalnum() or c == ".")
        file = f"downloads/{digest[:16]}{suffix}"
        with self._noted():
            _write_new(self.folder / file, data)
        return file, digest

    def network(self, line: NetworkLine) -> None:
        """Write one network line."""
        with self._noted():
            self._network.append(canonical(self._redact.json(line.model_dump(mode="json"))))

    def close(self) -> None:
        """Close both files."""
        self._events.close()
        self._network.close()
