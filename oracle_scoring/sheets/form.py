"""The form of a sheet: its columns, what may stand in the grade's column, and texts as cells that no program computes."""

import unicodedata
from dataclasses import dataclass

from harness.errors import InputError
from harness.schema.human import LEVELS, Grade, SheetKind
from harness.schema.scorecard import ScoreLine

CELL_LIMIT = 32_000
"""Characters; a cell of a workbook holds 32,767."""
CUT = " … (the page has it whole)"
_COMPUTED = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings that make a spreadsheet compute a cell of a CSV file (OWASP, CSV injection)."""


@dataclass(frozen=True)
class Form:
    """One kind of sheet."""

    kind: SheetKind
    columns: tuple[str, ...]
    """The first four are read back; the rest is for the reader."""
    grades: tuple[Grade, ...]
    """What may be chosen, worst last."""
    title: str
    task: tuple[str, ...]
    """What the person is asked to do, one sentence each."""

    @property
    def words(self) -> list[str]:
        """The grades as a person reads and writes them."""
        return [g.replace("_", " ") for g in self.grades]


_COMMON = (
    "Grade alone, and do not talk about a case before everybody has handed in.",
    "Write your name or initials into “Grader”; one row is enough where the sheet is yours alone.",
    "“cannot say” is an answer: it is counted apart. An empty row is not.",
    "Leave the columns as they are; the order of the rows does not matter.",
)
FORMS: dict[SheetKind, Form] = {
    "triage": Form(
        "triage",
        ("Case", "Level", "Grader", "Comment", "First message", "Facts", "Files"),
        (*reversed(LEVELS), "cannot_say"),
        "How urgent is each claim?",
        (
            "Read each case on the page and give it the level that your own practice would give it: "
            "urgent, complex, standard or simple, in this order.",
            "Nothing here says how anybody else graded it.",
            *_COMMON,
        ),
    ),
    "human": Form(
        "human",
        ("Case", "Verdict", "Grader", "Comment", "Statement", "Question", "First message"),
        ("pass", "fail", "cannot_say"),
        "Questions that no rule can decide",
        (
            "Read each case on the page and say whether the statement holds: pass if it does, fail if it does not.",
            *_COMMON,
        ),
    ),
}


def question_of(line: ScoreLine) -> str:
    """What a person is asked about a score line, whole; a verdict counts only for a line that still asks the same."""
    return f"{line.title}\n{line.why}"


def read_grade(form: Form, text: str) -> Grade | None:
    """The grade a person wrote (case, width and spaces do not count); None for an empty cell.

    Raises:
        InputError: it is none of the form's.
    """
    flat = " ".join(unicodedata.normalize("NFKC", text).casefold().replace("_", " ").split())
    if not flat:
        return None
    for grade in form.grades:
        if flat == grade.replace("_", " "):
            return grade
    raise InputError(form.columns[1], f"“{text.strip()}” is none of {', '.join(form.words)}")


def same_person(name: str) -> str:
    """What two writings of one person's name have in common."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def cut(text: str) -> str:
    """The text, short enough for a cell."""
    return text if len(text) <= CELL_LIMIT else text[: CELL_LIMIT - len(CUT)] + CUT


def inert(text: str) -> str:
    """The text as a cell of a CSV file that no spreadsheet takes for a formula: an apostrophe stands before it."""
    return f"'{text}" if text.lstrip(" \u00a0\u3000").startswith(_COMPUTED) else text


def width_of(text: str) -> int:
    """Columns the widest line needs; letters of full width need two."""
    return max(
        (sum(2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in row) for row in text.splitlines()),
        default=0,
    )
