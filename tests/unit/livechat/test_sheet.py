"""Samples for people: drawn by a seed, without scores, and their grades as labels of the judge's questions."""

import csv
import io
from pathlib import Path

import pytest

from harness.errors import InputError
from oracle_scoring.judge.labelled import read_labelled
from oracle_scoring.livechat.read import Samples
from oracle_scoring.livechat.sheet import COLUMNS, Draw, labels, sheet_bytes
from oracle_scoring.livechat.words import library
from oracle_scoring.sheets.read import read_table
from tests.unit.livechat.samples import lines, sample


def drawn(size: int, seed: int, of: int = 50) -> list[str]:
    """Ids of a draw."""
    draw = Draw(size, seed)
    for n in range(of):
        draw.add(sample(n), None)
    return [s.id for s in draw.shuffled()]


def test_a_draw_can_be_drawn_again() -> None:
    """The same seed gives the same samples in the same order, another seed others; never one twice, never more than there are."""
    assert drawn(10, 1) == drawn(10, 1) != drawn(10, 2)
    assert len(set(drawn(10, 1))) == 10 and sorted(drawn(10, 1, of=4)) == [f"S-{n}" for n in range(4)]
    often = [drawn(1, seed, of=4)[0] for seed in range(400)]
    assert all(70 <= often.count(f"S-{n}") <= 130 for n in range(4))


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_a_sheet_shows_no_scores_and_computes_nothing(tmp_path: Path, ending: str) -> None:
    """Both forms hold the judged part of the answer, and a text that looks like a formula is text; the same bytes each time."""
    samples = [sample(1, query="=1+1", answer="重述|有的哈"), sample(2, answer="@SUM(A1)")]
    path = tmp_path / f"sheet{ending}"
    path.write_bytes(sheet_bytes(samples, ending))
    assert path.read_bytes() == sheet_bytes(samples, ending)
    (_, first), (_, second) = read_table(path, COLUMNS)
    assert (
        first[0] == "S-1" and first[1:9] == [""] * 8 and first[9:11] == ["=1+1", "有的哈"] and second[10] == "@SUM(A1)"
    )
    with pytest.raises(InputError, match="ends in"):
        sheet_bytes(samples, ".pdf")
    with pytest.raises(InputError, match="twice"):
        sheet_bytes([*samples, samples[0]], ending)


def filled(path: Path, *rows: tuple[str, str, str]) -> Path:
    """A sheet that came back: sample, its six grades as one word (`-` for none), grader."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for name, grades, grader in rows:
        writer.writerow([name, *("" if g == "-" else g for g in grades), grader, *[""] * (len(COLUMNS) - 8)])
    path.write_text(out.getvalue(), "utf-8")
    return path


def test_grades_become_labels_of_the_judges_questions(tmp_path: Path) -> None:
    """Each grade is a label of the very question a judge is asked, by the person who gave it; an empty cell is none."""
    source = lines(tmp_path / "s.jsonl", {"query": "几点发货", "answer": "重述|下午五点"}, {}, {})
    sheets = [
        filled(tmp_path / "a.csv", ("S-0", "545-44", "first"), ("S-2", "1----5", "")),
        filled(tmp_path / "b.csv", ("S-0", "5-----", "second")),
    ]
    found = list(labels(sheets, Samples([str(source)], library())))
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(line.model_dump_json() + "\n" for line in found), "utf-8")
    read = read_labelled(path)
    assert len(found) == 8 and len(read.items) == 7 and read.people["livechat/necessity/other"] == ["first", "second"]
    relevance = next(i for i in read.items if i.id == "S-0 relevance")
    assert relevance.label == "5" and [m.text for m in relevance.question.quotable] == ["下午五点"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (("S-0", "6-----", "a"), "none of 5"),
        (("S-0", "5-----", ""), "Grader"),
        (("S-7", "5-----", "a"), "none of the samples"),
    ],
)
def test_a_grade_that_cannot_count_is_named(tmp_path: Path, row: tuple[str, str, str], why: str) -> None:
    """File, row and why."""
    source = lines(tmp_path / "s.jsonl", {})
    with pytest.raises(InputError, match=f"a.csv row 2.*{why}"):
        list(labels([filled(tmp_path / "a.csv", row)], Samples([str(source)], library())))
