"""Answers kept by the hash of their request: asked once, replayed for ever. One JSON line each, only ever appended."""

import os
from pathlib import Path

from pydantic import ValidationError

from harness.errors import InputError
from harness.schema.base import Strict
from oracle_scoring.judge.reply import Completion


class Kept(Strict):
    """One line of the file."""

    request_sha256: str
    model: str
    """Name the request asked for."""
    completion: Completion


class Answers:
    """Answers of earlier calls, and a place for new ones.

    Attributes:
        path: the file; None: kept in memory only.
        torn: whether the file ended in half a line, which is left out (its question is asked again).
        models: names of the models that were asked.
    """

    def __init__(self, path: Path | None = None, read_only: bool = False) -> None:
        self.path = path
        self.torn = False
        self.models: set[str] = set()
        self._read_only = read_only
        self._kept: dict[str, Completion] = {}
        if path is not None and path.exists():
            self._read(path)
        elif path is not None and read_only:
            raise InputError(str(path), "is missing", "file_missing")

    def _read(self, path: Path) -> None:
        if not path.is_file():
            raise InputError(str(path), "is not a plain file", "not_a_plain_file")
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if not line.endswith(b"\n"):
                    self.torn = True
                    break
                try:
                    kept = Kept.model_validate_json(line)
                except ValidationError as exc:
                    raise InputError(f"{path}: line {number}", "is not a kept answer of a judge") from exc
                self.models.add(kept.model)
                self._kept.setdefault(kept.request_sha256, kept.completion)

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, request_sha256: str) -> Completion | None:
        """The answer to this request, if there is one."""
        return self._kept.get(request_sha256)

    def put(self, request_sha256: str, model: str, completion: Completion) -> None:
        """Keeps an answer, on disk before it is used. A line is one write, so that commands at once do not mix theirs."""
        if self._read_only or request_sha256 in self._kept:
            return
        self._kept[request_sha256] = completion
        if self.path is None:
            return
        line = (
            Kept(request_sha256=request_sha256, model=model, completion=completion).model_dump_json().encode() + b"\n"
        )
        if self.torn:
            line, self.torn = b"\n" + line, False
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line)
        finally:
            os.close(file)
