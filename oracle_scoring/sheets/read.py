"""Reading a sheet that came back: a workbook or CSV, its columns as they were handed out."""

import csv
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook

from harness.errors import InputError
from harness.schema.strict_json import read_bytes
from oracle_scoring.sheets.form import Form
from oracle_scoring.sheets.workbook import GRADES

MAX_UNPACKED = 200 * 1024 * 1024
MAX_ROWS = 100_000
_DELIMITERS = (",", ";", "\t")
"""Spreadsheets write the one that goes with the machine's language."""


@dataclass(frozen=True)
class FilledRow:
    """One row as it came back; texts as they stand in the cells."""

    where: str
    """File and row, for a message."""
    item: str
    grade: str
    grader: str
    comment: str


@dataclass(frozen=True)
class Filled:
    """One sheet that came back."""

    name: str
    data: bytes
    rows: tuple[FilledRow, ...]


def read_filled(path: Path, form: Form) -> Filled:
    """The rows of a returned sheet; rows without any text are left out.

    Raises:
        InputError: no workbook and no CSV in UTF-8, or other columns than those handed out.
    """
    data = read_bytes(path, path.name, 50 * 1024 * 1024)
    rows = [FilledRow(where, *cells[:4]) for where, cells in _table(data, path.name, form.columns)]
    return Filled(path.name, data, tuple(rows))


def read_table(path: Path, columns: Sequence[str]) -> list[tuple[str, list[str]]]:
    """File and row, and the cells of each row that has any text, as many as there are columns.

    Raises:
        InputError: no workbook and no CSV in UTF-8, or other columns than those handed out.
    """
    return _table(read_bytes(path, path.name, 50 * 1024 * 1024), path.name, columns)


def _table(data: bytes, name: str, columns: Sequence[str]) -> list[tuple[str, list[str]]]:
    table = _workbook(data, name) if data[:2] == b"PK" else _csv(data, name)
    if len(table) > MAX_ROWS:
        raise InputError(name, f"has {len(table)} rows; the limit is {MAX_ROWS}")
    _check_columns(table[0] if table else [], columns, name)
    return [
        (f"{name} row {number}", [_text(cells, at) for at in range(len(columns))])
        for number, cells in enumerate(table[1:], 2)
        if any(cell.strip() for cell in cells)
    ]


def _text(cells: Sequence[str], at: int) -> str:
    text = cells[at].strip() if at < len(cells) else ""
    return text[1:] if text[:1] == "'" else text


def _check_columns(head: Sequence[str], columns: Sequence[str], name: str) -> None:
    there = [cell.strip() for cell in head]
    while there and not there[-1]:
        there.pop()
    for at, column in enumerate(columns):
        found = there[at] if at < len(there) else ""
        if found != column:
            shown = f"is “{found}”" if found else "is missing"
            raise InputError(
                f"{name}: column {at + 1}", f"{shown}, “{column}” was handed out; columns stay as they are"
            )
    if len(there) > len(columns):
        raise InputError(
            f"{name}: column {len(columns) + 1}",
            f"“{there[len(columns)]}” was added; columns stay as they are",
        )


def _workbook(data: bytes, name: str) -> list[list[str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(entry.file_size for entry in packed.infolist()) > MAX_UNPACKED:
                raise InputError(name, "unpacks to more than a sheet of grades can hold")
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            if GRADES not in book.sheet_names:
                raise InputError(name, f"has no sheet named “{GRADES}”")
            rows = book.get_sheet_by_name(GRADES).to_python(skip_empty_area=False)
    except (zipfile.BadZipFile, CalamineError, OSError) as exc:
        raise InputError(name, f"is not a workbook that can be read ({type(exc).__name__})") from exc
    return [[str(cell) for cell in row] for row in rows]


def _csv(data: bytes, name: str) -> list[list[str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise InputError(name, "is neither a workbook nor UTF-8; save it as “CSV UTF-8” or .xlsx") from exc
    first = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as exc:
        raise InputError(name, f"is not CSV that can be read ({exc})") from exc
