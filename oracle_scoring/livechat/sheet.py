"""A sample of answers for people to grade: drawn by a seed as they go by, as a table to fill in; and the labels that come back."""

import csv
import io
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.errors import InputError
from oracle_scoring.judge.labelled import LabelledLine, LabelledMessage
from oracle_scoring.judge.livechat import AREA, messages
from oracle_scoring.livechat.models import DIMENSIONS, Sample
from oracle_scoring.livechat.read import Samples
from oracle_scoring.livechat.text import judged_part
from oracle_scoring.sheets.form import cut, inert
from oracle_scoring.sheets.read import read_table
from oracle_scoring.sheets.workbook import table_bytes

GRADES = ("5", "4", "3", "2", "1")
COLUMNS = (
    "Sample", *DIMENSIONS, "Grader", "Comment", "Query", "Answer", "Business", "Industry", "Platform", "Room", "Knowledge base",
)  # fmt: skip
_FILLED = len(DIMENSIONS) + 3
TITLE = "Answers of a host, to be graded in six dimensions"
TASK = (
    "Give each of the six dimensions 1 to 5 points; 5 is best. Leave empty what you cannot say.",
    "necessity and answerability are about the query alone: is it worth an answer, and could a host answer it.",
    "The other four are about the answer: does it meet the query (relevance), is it true or honest (correctness), does it keep "
    "viewers or move them to act (retention), would a host say it so (naturalness).",
    "Write your name or initials into “Grader”; one row is enough where the sheet is yours alone.",
    "Grade alone. Leave the columns as they are; the order of the rows does not matter.",
)


class Draw:
    """So many samples, each as likely as any other, drawn in one pass.

    Args:
        size: how many.
        rng_seed: the same samples and seed give the same draw.
    """

    def __init__(self, size: int, rng_seed: int) -> None:
        self._size = size
        self._random = random.Random(rng_seed)  # noqa: S311 -- a sample that can be drawn again
        self._seen = 0
        self._drawn: list[Sample] = []

    def add(self, sample: Sample, _: object) -> None:
        """One more goes by; its scores are not looked at."""
        self._seen += 1
        if len(self._drawn) < self._size:
            self._drawn.append(sample)
        elif (place := self._random.randrange(self._seen)) < self._size:
            self._drawn[place] = sample

    def shuffled(self) -> list[Sample]:
        """What was drawn, in random order."""
        found = list(self._drawn)
        self._random.shuffle(found)
        return found


def sheet_bytes(samples: Sequence[Sample], ending: str) -> bytes:
    """The sheet as `.xlsx` or `.csv`. It holds nobody's scores.

    Raises:
        InputError: another ending, or two of the samples have one id, so that grades could not be told apart.
    """
    ids = [s.id for s in samples]
    if len(set(ids)) < len(ids):
        raise InputError("--sheet", f"drew {next(i for i in ids if ids.count(i) > 1)!r} twice; ids must differ")
    rows = [_cells(sample) for sample in samples]
    if ending == ".xlsx":
        choices = {n: GRADES for n in range(1, len(DIMENSIONS) + 1)}
        return table_bytes(TITLE, TASK, COLUMNS, rows, choices, set(range(1, _FILLED)))
    if ending == ".csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(COLUMNS)
        writer.writerows([inert(cut(cell)) for cell in row] for row in rows)
        return out.getvalue().encode("utf-8-sig")
    raise InputError("--sheet-file", "ends in .xlsx or .csv")


def _cells(sample: Sample) -> list[str]:
    blank = [""] * (_FILLED - 1)
    return [
        sample.id, *blank, sample.query, judged_part(sample.answer), sample.business_type, sample.industry_kg, sample.platform,
        sample.room_density or "", sample.kb or "",
    ]  # fmt: skip


def labels(sheets: Sequence[Path], samples: Samples) -> Iterator[LabelledLine]:
    """People's grades as labelled questions, one for each dimension and person; the words are taken from the samples, not the sheets.

    Raises:
        InputError: a grade is none, a row names no grader or a sample that is not there.
    """
    wanted = _grades(sheets)
    for read in samples:
        if read.problem is not None:
            raise read.problem
        if read.sample is None:
            continue
        for where, given, grader in wanted.pop(read.sample.id, ()):
            answer = judged_part(read.sample.answer)
            for dimension, grade in zip(DIMENSIONS, given, strict=True):
                if not grade:
                    continue
                shown = messages(dimension, read.sample, answer)
                if not shown[-1].text.strip():
                    raise InputError(f"{where}: {dimension}", "is graded, though there is nothing to grade")
                yield LabelledLine(
                    id=f"{read.sample.id} {dimension}", rubric=f"{AREA}/{dimension}/{read.sample.business_type}",
                    cluster=read.sample.id, label=grade, by=grader,
                    messages=[LabelledMessage(id=m.id, speaker=m.speaker, text=m.text) for m in shown],
                )  # fmt: skip
    if wanted:
        name, rows = next(iter(wanted.items()))
        raise InputError(rows[0][0], f"grades {name!r}, which is none of the samples")


def _grades(sheets: Sequence[Path]) -> dict[str, list[tuple[str, list[str], str]]]:
    """Sample -> (place, grades in the order of the dimensions, who), of all sheets."""
    found: dict[str, list[tuple[str, list[str], str]]] = {}
    for path in sheets:
        table = read_table(path, COLUMNS)
        graders = {row[_FILLED - 2] for _, row in table} - {""}
        for where, row in table:
            grades = [cell.removesuffix(".0") for cell in row[1 : len(DIMENSIONS) + 1]]
            for dimension, grade in zip(DIMENSIONS, grades, strict=True):
                if grade and grade not in GRADES:
                    raise InputError(f"{where}: {dimension}", f"“{grade}” is none of {', '.join(GRADES)}")
            grader = row[_FILLED - 2] or (next(iter(graders)) if len(graders) == 1 else "")
            if any(grades) and not grader:
                raise InputError(f"{where}: Grader", "is empty; a grade names the person who gave it")
            if any(grades):
                found.setdefault(row[0], []).append((where, grades, grader))
    return found
