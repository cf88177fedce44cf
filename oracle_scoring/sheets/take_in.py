"""Taking sheets in: every mistake is found before anything is written, and nothing that came back is lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness.errors import InputError, one_line
from harness.schema.human import Answer, ReturnedSheet, SheetItem, SheetKey, SheetKind
from harness.schema.strict_json import canonical, sha256_hex
from oracle_scoring.files import write_atomically
from oracle_scoring.sheets.form import FORMS, Form, read_grade, same_person
from oracle_scoring.sheets.read import Filled, FilledRow, read_filled
from oracle_scoring.sheets.store import RETURNED, read_keys, read_returned

GRADER_LIMIT = 60
COMMENT_LIMIT = 4000
SUFFIXES = (".xlsx", ".ods", ".csv")
"""Endings under which a returned file is kept."""
_KINDS = {"triage": "triage-sheet", "human": "human-sheet"}


@dataclass(frozen=True)
class TakenIn:
    """What an import came to."""

    sheets: list[ReturnedSheet]
    """Stored now; what had been stored before is not among them."""
    known: list[str]
    """Names of files that had been taken in already, byte for byte."""
    problems: list[str]
    """One line each; nothing was stored if there are any."""


@dataclass
class _Seen:
    """Grades known so far: (attempt and line, person) -> (grade, where)."""

    grades: dict[tuple[tuple[str, int, int, str | None], str], tuple[str, str]] = field(default_factory=dict)


def take_in(kind: SheetKind, run_dir: Path, sheets: Sequence[Path], partial: bool = False) -> TakenIn:
    """Checks returned sheets and stores them below the run, all of them or none.

    Args:
        kind: what kind of sheet they are.
        run_dir: `results/<run>`.
        sheets: the files, workbooks or CSV.
        partial: rows without a grade are counted, not refused.

    Raises:
        InputError: no sheet of the kind was exported from this run, or a file cannot be read at all.
    """
    form = FORMS[kind]
    keys = read_keys(run_dir, kind)
    if not keys:
        raise InputError(
            f"run {run_dir.name}", f"no sheet was handed out for it; begin with `rig {_KINDS[kind]} export`"
        )
    homes = {item.item: (home, item) for home, key in keys.items() for item in key.items}
    before = read_returned(run_dir, kind)
    seen = _Seen()
    for _, old in before:
        for answer in old.answers:
            _note(seen, homes[answer.item][1], answer.grader, answer.grade, f"{old.source}, imported before")
    stored = {old.sha256 for _, old in before}
    ready: list[tuple[Path, ReturnedSheet, bytes]] = []
    known: list[str] = []
    problems: list[str] = []
    for path in sheets:
        try:
            filled = read_filled(path, form)
        except InputError as exc:
            problems.append(str(exc))
            continue
        if sha256_hex(filled.data) in stored:
            known.append(filled.name)
            continue
        stored.add(sha256_hex(filled.data))
        home, made, wrong = _check(form, filled, homes, keys, seen, partial)
        problems += wrong
        if home is not None and made is not None:
            ready.append((home, made, filled.data))
    if not problems:
        for home, made, data in ready:
            folder = home / RETURNED
            folder.mkdir(parents=True, exist_ok=True)
            own = Path(made.source).suffix.lower()
            suffix = own if own in SUFFIXES else ".xlsx" if data[:2] == b"PK" else ".csv"
            write_atomically(folder / f"{made.sha256[:16]}{suffix}", data)
            write_atomically(folder / f"{made.sha256[:16]}.json", canonical(made) + b"\n")
    return TakenIn([made for _, made, _ in ready] if not problems else [], known, problems)


def _note(seen: _Seen, item: SheetItem, grader: str, grade: str, where: str) -> str | None:
    """Why this grade cannot stand beside an earlier one of the same person; None if it can."""
    key = ((item.package, item.trial, item.attempt, item.line), same_person(grader))
    earlier = seen.grades.setdefault(key, (grade, where))
    if earlier[0] != grade:
        return f"{grader} gave “{_words(grade)}” here and “{_words(earlier[0])}” in {earlier[1]}"
    return None


def _words(grade: str) -> str:
    return grade.replace("_", " ")


def _check(
    form: Form, filled: Filled, homes: Mapping[str, tuple[Path, SheetItem]], keys: Mapping[Path, SheetKey], seen: _Seen, partial: bool
) -> tuple[Path | None, ReturnedSheet | None, list[str]]:  # fmt: skip
    """(folder of the key, the sheet, what is wrong)."""
    problems: list[str] = []
    names = {same_person(row.grader): row.grader for row in filled.rows if row.grader}
    only = next(iter(names.values())) if len(names) == 1 else None
    answers: list[Answer] = []
    there: dict[str, bool] = {}
    home: Path | None = None
    for row in filled.rows:
        where = f"{row.where}, case {one_line(row.item, 40)}" if row.item else row.where
        if row.item not in homes:
            why = "no case stands here" if not row.item else "no such case was handed out for this run"
            problems.append(f"{where}: {why}")
            continue
        itself, item = homes[row.item]
        if home is not None and itself != home:
            problems.append(f"{where}: it belongs to another sheet than the rows before it")
            continue
        home = itself
        there.setdefault(row.item, False)
        try:
            answer = _answer(form, row, only)
        except InputError as exc:
            problems.append(f"{where}: {exc}")
            there[row.item] = True
            continue
        if answer is None:
            continue
        there[row.item] = True
        clash = _note(seen, item, answer.grader, answer.grade, row.where)
        if clash is not None:
            problems.append(f"{where}: {clash}")
        elif answer not in answers:
            answers.append(answer)
    if home is None:
        return None, None, problems or [f"{filled.name}: has no row"]
    missing = [item.item for item in keys[home].items if not there.get(item.item)]
    if not partial:
        problems += [_missing(filled, form, item, item in there) for item in missing]
    sheet = ReturnedSheet(
        schema="returned-sheet-v1", kind=form.kind, source=one_line(filled.name, 120), sha256=sha256_hex(filled.data),
        imported_at=datetime.now(UTC), missing=missing, answers=answers,
    )  # fmt: skip
    return home, sheet, problems


def _missing(filled: Filled, form: Form, item: str, there: bool) -> str:
    why = f"has no {form.columns[1].lower()}" if there else "is not in the sheet any more"
    return f"{filled.name}, case {item}: {why} (--partial takes in what is there)"


def _answer(form: Form, row: FilledRow, only: str | None) -> Answer | None:
    """The row's answer; None for a row that is still empty."""
    grade = read_grade(form, row.grade)
    if grade is None:
        return None
    grader = one_line(row.grader or only or "", GRADER_LIMIT + 1)
    if not grader:
        raise InputError("Grader", "is empty; it may be left out only where one person filled the whole sheet")
    if len(grader) > GRADER_LIMIT:
        raise InputError("Grader", f"is longer than {GRADER_LIMIT} characters")
    if len(row.comment) > COMMENT_LIMIT:
        raise InputError("Comment", f"is longer than {COMMENT_LIMIT} characters")
    return Answer(item=row.item, grader=grader, grade=grade, comment=row.comment or None)
