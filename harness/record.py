"""The write-only sink of a journey. Nothing here reads back what was written."""

import contextlib
import hashlib
import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.schema.events import EVENT
from harness.schema.network import NetworkLine
from harness.schema.strict_json import canonical


class Redactor:
    """Replaces known secrets before anything reaches disk.

    Args:
        secrets: name -> value; values shorter than six characters are not searched for.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secrets = [(name, value) for name, value in secrets.items() if len(value) >= 6]

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
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.json(v) for v in value]
        if isinstance(value, dict):
            return {k: self.json(v) for k, v in value.items()}
        return value


class AppendFile:
    """One JSON object a line, each line written by one call, so that a kill tears at most the last one.

    A torn last line of an earlier writer is moved to `<name>.torn` before the first append.
    """

    def __init__(self, path: Path) -> None:
        repair_tail(path)
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def append(self, data: bytes) -> None:
        """Write `data` (no line break inside) as one line."""
        line = data + b"\n"
        while line:
            line = line[os.write(self._fd, line) :]

    def close(self) -> None:
        """Close; a second call does nothing."""
        with contextlib.suppress(OSError):
            os.close(self._fd)


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
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


class Recorder:
    """Evidence of one attempt, written as it happens.

    Args:
        folder: the attempt folder; exists and is empty.
        redactor: applied to everything.
        event_counts: after the journey, how many events of each kind were written.
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

    def now_ms(self) -> float:
        """Milliseconds of the journey's monotonic clock."""
        return round((time.monotonic() - self._start) * 1000, 3)

    def emit(self, kind: str, **fields: Any) -> int:
        """Write one event; its number. A field that does not fit the event's model is a bug and raises."""
        self._n += 1
        raw = {"n": self._n, "at": datetime.now(UTC), "t_ms": self.now_ms(), "turn": self.turn, "kind": kind, **fields}
        event = EVENT.validate_python(raw)
        self._events.append(canonical(self._redact.json(event.model_dump(mode="json"))))
        self.event_counts[kind] = self.event_counts.get(kind, 0) + 1
        return self._n

    def picture(self, data: bytes) -> str:
        """Store a PNG; its name below the attempt folder."""
        self._pictures += 1
        name = f"screens/{self._pictures:04d}.png"
        (self.folder / name).write_bytes(data)
        return name

    def body(self, data: bytes) -> str:
        """Store a body by its hash; the hash (of the redacted bytes)."""
        clean = self._redact.data(data)
        digest = hashlib.sha256(clean).hexdigest()
        if digest not in self._bodies:
            (self.folder / "bodies" / digest).write_bytes(clean)
            self._bodies.add(digest)
        return digest

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Store a download under a name of our own; (name below the folder, sha256)."""
        digest = hashlib.sha256(data).hexdigest()
        suffix = "".join(c for c in Path(name).suffix[:8] if c.isalnum() or c == ".")
        file = f"downloads/{digest[:16]}{suffix}"
        (self.folder / file).write_bytes(data)
        return file, digest

    def network(self, line: NetworkLine) -> None:
        """Write one network line."""
        self._network.append(canonical(self._redact.json(line.model_dump(mode="json"))))

    def close(self) -> None:
        """Close both files."""
        self._events.close()
        self._network.close()
