"""Samples from files, one after the other: JSON lines or CSV, in constant memory, each with the place to name in an error."""

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pydantic import ValidationError

from harness.errors import InputError
from harness.schema.strict_json import MAX_BYTES, first_problem, parse_line, read_lines
from oracle_scoring.livechat.models import Sample
from oracle_scoring.livechat.words import Library, Words

STANDARD_INPUT = "-"
CSV_ENDINGS = (".csv", ".tsv")
_FIELDS = tuple(Sample.model_fields)
_REQUIRED = tuple(name for name, field in Sample.model_fields.items() if field.is_required())
_DELIMITERS = ",;\t"


class Read(NamedTuple):
    """One record of a file: a sample with the words of its business, or what is wrong with it."""

    where: str
    sample: Sample | None
    words: Words | None
    problem: InputError | None


class Samples:
    """The records of some files.

    Attributes:
        total: bytes of all files; None where one is not a plain file, so that no end can be foreseen.
    """

    def __init__(self, names: Sequence[str], library: Library) -> None:
        self._names = names
        self._library = library
        self._before = 0
        self._stream: BinaryIO | None = None
        paths = [Path(name) for name in names if name != STANDARD_INPUT]
        for path in paths:
            if not path.exists():
                raise InputError(str(path), "is missing", "file_missing")
            if path.is_dir():
                raise InputError(str(path), "is a folder", "not_a_plain_file")
        plain = len(paths) == len(names) and all(path.is_file() for path in paths)
        self.total = sum(path.stat().st_size for path in paths) if plain else None

    def done(self) -> int:
        """Bytes read so far, of the files that can tell."""
        if self.total is None or self._stream is None:
            return self._before
        return self._before + self._stream.tell()

    def __iter__(self) -> Iterator[Read]:
        """Each record in order.

        Raises:
            InputError: a file cannot be read any further.
        """
        for name in self._names:
            if name == STANDARD_INPUT:
                yield from self._json_lines(sys.stdin.buffer, "standard input")
                continue
            with _opened(name) as stream:
                self._stream = stream
                is_csv = name.lower().endswith(CSV_ENDINGS)
                yield from self._csv(stream, name) if is_csv else self._json_lines(stream, name)
                self._before, self._stream = self.done(), None

    def _json_lines(self, stream: BinaryIO, shown: str) -> Iterator[Read]:
        for where, line in read_lines(stream, f"{shown}: line"):
            try:
                value = parse_line(line, where)
            except InputError as exc:
                yield Read(where, None, None, exc)
            else:
                yield self._read(where, value)

    def _csv(self, stream: BinaryIO, shown: str) -> Iterator[Read]:
        csv.field_size_limit(MAX_BYTES)
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        number = 1
        try:
            head = text.readline(MAX_BYTES)
            delimiter = max(_DELIMITERS, key=head.count)
            columns = _columns(next(csv.reader([head], delimiter=delimiter, strict=True), []), shown)
            rows = csv.reader(_short_lines(text, shown), delimiter=delimiter, strict=True)
            for cells in rows:
                where, number = f"{shown}: line {number + 1}", rows.line_num + 1
                if cells:
                    yield self._cells(where, columns, cells)
        except UnicodeDecodeError as exc:
            raise InputError(f"{shown}: after line {number}", "is not UTF-8", "not_utf8") from exc
        except csv.Error as exc:
            raise InputError(f"{shown}: after line {number}", f"is not CSV that can be read ({exc})") from exc
        finally:
            text.detach()

    def _cells(self, where: str, columns: list[str], cells: list[str]) -> Read:
        if len(cells) != len(columns):
            why = f"has {len(cells)} cells, the first line names {len(columns)}"
            return Read(where, None, None, InputError(where, why))
        if any("\x00" in cell for cell in cells):
            return Read(where, None, None, InputError(where, "holds a NUL character", "control_character"))
        value = {
            name: cell for name, cell in zip(columns, cells, strict=True) if cell or name in _REQUIRED
        }  # an empty cell of an optional field is one that is not there
        return self._read(where, value)

    def _read(self, where: str, value: Any) -> Read:
        try:
            sample = Sample.model_validate(value)
            return Read(where, sample, self._library.of(sample.business_type, where), None)
        except ValidationError as exc:
            return Read(where, None, None, first_problem(exc, where))
        except InputError as exc:
            return Read(where, None, None, exc)


def _opened(name: str) -> BinaryIO:
    try:
        return Path(name).open("rb")
    except OSError as exc:
        raise InputError(name, f"cannot be read ({exc.strerror})", "unreadable") from exc


def _columns(head: list[str], shown: str) -> list[str]:
    columns = [cell.strip() for cell in head]
    for name in columns:
        if name not in _FIELDS:
            raise InputError(f"{shown}: line 1", f"column {name!r} is not known; there are {', '.join(_FIELDS)}")
        if columns.count(name) > 1:
            raise InputError(f"{shown}: line 1", f"column {name!r} stands twice")
    if missing := [name for name in _REQUIRED if name not in columns]:
        raise InputError(f"{shown}: line 1", f"has no column {', '.join(missing)}")
    return columns


def _short_lines(text: io.TextIOWrapper, shown: str) -> Iterator[str]:
    number = 1
    while line := text.readline(MAX_BYTES):
        number += 1
        if len(line) == MAX_BYTES:
            raise InputError(f"{shown}: line {number}", f"has {MAX_BYTES} characters or more", "too_large")
        yield line
