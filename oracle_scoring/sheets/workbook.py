"""A sheet as a workbook and as CSV: the same rows, the same bytes for the same rows, and no cell that is computed."""

import csv
import io
from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime

import xlsxwriter

from oracle_scoring.sheets.form import Form, cut, inert, width_of

GRADES = "Grades"
"""Name of the workbook's sheet that is read back."""
HOW_TO = "How to"
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""Fixed, so that the same rows give the same bytes."""
_WIDEST = 60
_HANDED_IN = ("Grader", "Comment")
"""Columns a person fills beside the grade, and how wide they are at least."""
_LEAST = 14


def csv_bytes(form: Form, rows: Sequence[Sequence[str]]) -> bytes:
    """The rows as CSV in UTF-8 with a byte order mark, as spreadsheets expect it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(form.columns)
    writer.writerows([inert(cut(cell)) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def xlsx_bytes(form: Form, rows: Sequence[Sequence[str]], page: str) -> bytes:
    """The rows as a workbook: a sheet to fill in, where grades are chosen from a list, and one that says how.

    Args:
        form: what kind of sheet it is.
        rows: one cell for each column.
        page: file name of the page that shows the cases.
    """
    choices = {1: form.words}
    to_fill = {1, *(form.columns.index(name) for name in _HANDED_IN)}
    sentences = (f"The cases stand in {page}; open it in a browser.", *form.task)
    return table_bytes(form.title, sentences, form.columns, rows, choices, to_fill)


def table_bytes(
    title: str, task: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[str]],
    choices: Mapping[int, Sequence[str]], to_fill: Set[int],
) -> bytes:  # fmt: skip
    """A workbook with a sheet to fill in and one that says how.

    Args:
        task: what the person is asked to do, one sentence each.
        rows: one cell for each column.
        choices: column -> what may be chosen there, from a list.
        to_fill: columns that a person fills where they are empty.
    """
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"title": title, "created": _CREATED})
        text = book.add_format({"text_wrap": True, "valign": "top", "num_format": "@", "quote_prefix": True})
        fill = book.add_format(
            {"text_wrap": True, "valign": "top", "num_format": "@", "bg_color": "#FFF8DC", "border": 1}
        )
        head = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bg_color": "#E7ECF3", "border": 1})
        sheet = book.add_worksheet(GRADES)
        sheet.write_row(0, 0, columns, head)
        for at, row in enumerate(rows, 1):
            for column, cell in enumerate(row):
                if column in to_fill and not cell:
                    sheet.write_blank(at, column, None, fill)
                else:
                    sheet.write_string(at, column, cut(cell), text)
        for column, name in enumerate(columns):
            needed = max((width_of(row[column]) for row in rows), default=0)
            least = _LEAST if column in to_fill else width_of(name) + 2
            sheet.set_column(column, column, min(_WIDEST, max(least, needed + 2)))
        sheet.freeze_panes(1, 2)
        if rows:
            sheet.autofilter(0, 0, len(rows), len(columns) - 1)
            for column, words in choices.items():
                choice = {
                    "validate": "list", "source": list(words), "error_title": columns[column],
                    "error_message": f"Choose one of: {', '.join(words)}",
                }  # fmt: skip
                sheet.data_validation(1, column, len(rows), column, choice)
        how = book.add_worksheet(HOW_TO)
        how.set_column(0, 0, 110)
        for at, sentence in enumerate([title, *task]):
            how.write_string(at, 0, sentence, head if at == 0 else text)
    return out.getvalue()
