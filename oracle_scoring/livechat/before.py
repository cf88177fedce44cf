"""An earlier file of results, held so that each sample's scores can be looked up without keeping the file in memory."""

import sqlite3
from pathlib import Path
from typing import Any

from harness.errors import InputError
from harness.schema.strict_json import parse_line, read_lines
from oracle_scoring.livechat.models import DIMENSIONS

_NONE = "-"


class Before:
    """The scores of an earlier file by sample.

    Attributes:
        samples: how many it holds; `again`: ids that stand twice, of which the last counts.
        versions: scoring versions that occur in it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.samples = 0
        self.again = 0
        self.versions: set[str] = set()
        self._table = sqlite3.connect("")  # a file of its own that goes with the connection
        self._table.execute("CREATE TABLE result (id TEXT PRIMARY KEY, scores TEXT NOT NULL) WITHOUT ROWID")
        if not path.is_file():
            raise InputError(str(path), "is missing" if not path.exists() else "is not a plain file", "file_missing")
        with path.open("rb") as stream:
            for where, line in read_lines(stream, f"{path}: line"):
                self._add(where, parse_line(line, where))

    def _add(self, where: str, value: Any) -> None:
        try:
            scores = "".join(_mark(value["scores"][d]["score"]) for d in DIMENSIONS)
            key, version = value["id"], value["scoring_version"]
        except (KeyError, TypeError, ValueError) as exc:
            raise InputError(where, "is not a result of rig grade livechat") from exc
        if not isinstance(key, str) or not isinstance(version, str):
            raise InputError(where, "is not a result of rig grade livechat")
        self.versions.add(version)
        if self._table.execute("UPDATE result SET scores = ? WHERE id = ?", (scores, key)).rowcount:
            self.again += 1
            return
        self._table.execute("INSERT INTO result VALUES (?, ?)", (key, scores))
        self.samples += 1

    def of(self, sample_id: str) -> tuple[int | None, ...] | None:
        """The scores of a sample in the order of `DIMENSIONS`; None if the file does not hold it."""
        row = self._table.execute("SELECT scores FROM result WHERE id = ?", (sample_id,)).fetchone()
        return None if row is None else tuple(None if mark == _NONE else int(mark) for mark in row[0])

    def close(self) -> None:
        """The table goes."""
        self._table.close()


def _mark(score: Any) -> str:
    if score is None:
        return _NONE
    if score not in (1, 2, 3, 4, 5):
        raise ValueError("not a score")
    return str(score)
