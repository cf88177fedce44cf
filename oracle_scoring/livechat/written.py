"""The file of results: written as they come, and continued after a stop, so that its bytes are those of one run."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from harness.errors import InputError
from harness.schema.strict_json import parse_line, read_lines

_BLOCK = 1 << 16


class Written:
    """Results in a file. Use it as a context; lines are appended, whole lines of an earlier run stay as they are.

    Attributes:
        torn: bytes of half a line that a stop had left at the end and that were taken off.
    """

    def __init__(self, path: Path, resume: bool) -> None:
        self.path = path
        self.torn = 0
        try:
            self._file = path.open("r+b" if resume and path.exists() else "wb", buffering=_BLOCK)
        except OSError as exc:
            raise InputError(str(path), f"cannot be written ({exc.strerror})") from exc
        self._kept = _end_of_last_line(self._file.fileno()) if resume else 0
        if resume:
            self.torn = self._file.seek(0, os.SEEK_END) - self._kept
            self._file.truncate(self._kept)
            self._file.seek(self._kept)

    def __enter__(self) -> "Written":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def earlier(self) -> Iterator[dict[str, Any]]:
        """The results of the earlier run, in order.

        Raises:
            InputError: a line is no result.
        """
        if not self._kept:
            return
        with self.path.open("rb") as stream:
            for where, line in read_lines(stream, f"{self.path}: line"):
                value = parse_line(line, where)
                if not isinstance(value, dict) or not isinstance(value.get("scores"), dict) or "id" not in value:
                    raise InputError(where, "is not a result of rig grade livechat")
                yield value
                if stream.tell() >= self._kept:
                    return

    def write(self, line: bytes, now: bool) -> None:
        """One line more; `now`: on disk before the next one is made."""
        self._file.write(line)
        if now:
            self._file.flush()


def _end_of_last_line(file: int) -> int:
    """Where the last whole line ends."""
    at = os.lseek(file, 0, os.SEEK_END)
    while at:
        start = max(0, at - _BLOCK)
        os.lseek(file, start, os.SEEK_SET)
        found = os.read(file, at - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        at = start
    return 0


def check_same(earlier: dict[str, Any], where: str, sample_id: str, version: str, judged: bool, path: Path) -> None:
    """An earlier result belongs to this sample and was made in the way that is asked for now.

    Raises:
        InputError: it does not, so that the file cannot be continued.
    """
    if earlier["id"] != sample_id:
        raise InputError(str(path), f"cannot be continued: it holds {earlier['id']!r} where {where} has {sample_id!r}")
    if earlier.get("scoring_version") != version:
        raise InputError(
            str(path),
            f"cannot be continued: {sample_id!r} was scored by {earlier.get('scoring_version')!r}, not {version!r}",
        )
    if ("judge" in earlier) != judged:
        raise InputError(
            str(path), f"cannot be continued: it was made {'with' if 'judge' in earlier else 'without'} a judge"
        )
