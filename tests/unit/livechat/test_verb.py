"""The verb: order, stop and go on, wrong lines, the page, exit codes."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.grade import grade_app
from harness.cli.livechat import LivechatRequest, grade_livechat
from harness.errors import InputError
from harness.progress import PlainLines, TerminalBars
from oracle_scoring.livechat.before import Before
from oracle_scoring.livechat.grade import row
from oracle_scoring.livechat.tally import MOST_DAYS, OTHER_DAYS, WORST, Overview
from tests.unit.livechat.samples import graded, lines

NAMES = [
    "是的没错",
    "有的哈，三号链接",
    "【亮点】好",
    "详情页都很清楚",
    "这款面料是纯棉。。",
    "点小风车下单",
    "亲，我帮您看下",
]
SAMPLES: list[dict[str, Any]] = [
    {"answer": f"{NAMES[n % len(NAMES)]}，{n}" if n % 3 else NAMES[n % len(NAMES)], "day": f"2026-01-0{n % 3 + 1}"}
    for n in range(40)
]


def run(tmp_path: Path, source: Path, **more: Any) -> int:
    """Grades into `out.jsonl`; the exit code."""
    return grade_livechat(LivechatRequest((str(source),), out=tmp_path / "out.jsonl", **more))


def results(tmp_path: Path) -> list[dict[str, Any]]:
    """What was written."""
    return [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]


def test_results_come_in_the_order_of_the_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One result a sample; with --json the same lines stand on standard output; what was not judged is counted."""
    source = lines(tmp_path / "s.jsonl", *SAMPLES)
    assert run(tmp_path, source, as_json=True) == 0
    said = capsys.readouterr()
    assert [r["id"] for r in results(tmp_path)] == [f"S-{n}" for n in range(40)]
    assert said.out == (tmp_path / "out.jsonl").read_text("utf-8")
    assert "40 samples" in said.err and re.search(r"answerability +0 by rule, 0 by the judge, 40 not judged", said.err)


def test_a_stop_anywhere_leaves_what_one_run_would_have_written(tmp_path: Path) -> None:
    """Cut after any byte, the file is continued to the same bytes; half a line is taken off."""
    source = lines(tmp_path / "s.jsonl", *SAMPLES[:6])
    assert run(tmp_path, source) == 0
    whole = (tmp_path / "out.jsonl").read_bytes()
    ends = [n for n, byte in enumerate(whole) if byte == 10]
    for cut in (0, 1, 100, ends[0], ends[0] + 1, ends[2] + 7, ends[4] - 1, ends[-1], len(whole)):
        (tmp_path / "out.jsonl").write_bytes(whole[:cut])
        assert run(tmp_path, source, resume=True) == 0
        assert (tmp_path / "out.jsonl").read_bytes() == whole, cut


def test_what_belongs_to_other_samples_is_not_continued(tmp_path: Path) -> None:
    """Other ids, more results than samples, another version or a judge's results: exit 2, and the file stays as it was."""
    source = lines(tmp_path / "s.jsonl", *SAMPLES[:3])
    run(tmp_path, source)
    whole = (tmp_path / "out.jsonl").read_text("utf-8")
    for change, why in (
        (whole.replace("S-1", "S-9"), "where .* has 'S-1'"),
        (whole + whole, "more results"),
        (whole.replace('"scoring_version":"', '"scoring_version":"0.'), "was scored by"),
        (whole.replace('"decision":null', '"judge":[],"decision":null'), "with a judge"),
        ("{}\n", "is not a result"),
    ):
        (tmp_path / "out.jsonl").write_text(change, "utf-8")
        with pytest.raises(InputError, match=why):
            run(tmp_path, source, resume=True)
        assert (tmp_path / "out.jsonl").read_text("utf-8") == change


def test_a_wrong_line_ends_it_or_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Results before it are written; with --skip-bad those after it too, and the exit code is 2 all the same."""
    source = lines(tmp_path / "s.jsonl", *SAMPLES[:2], {"business_type": "?"}, *SAMPLES[2:4])
    with pytest.raises(InputError, match="line 3"):
        run(tmp_path, source)
    assert [r["id"] for r in results(tmp_path)] == ["S-0", "S-1"]
    assert run(tmp_path, source, skip_bad=True, resume=True) == 2
    assert [r["id"] for r in results(tmp_path)] == ["S-0", "S-1", "S-3", "S-4"]
    assert "1 line was wrong and left out" in capsys.readouterr().err


def test_input_that_cannot_be(tmp_path: Path) -> None:
    """No sample at all, and results into the file of the samples, are bad input; the samples stay."""
    source = lines(tmp_path / "out.jsonl", {})
    before = source.read_bytes()
    with pytest.raises(InputError, match="one of the files"):
        run(tmp_path, source)
    assert source.read_bytes() == before
    with pytest.raises(InputError, match="holds no sample"):
        run(tmp_path, lines(tmp_path / "none.jsonl"))


def test_the_page_escapes_and_compares(tmp_path: Path) -> None:
    """Texts of product and model are text on the page; distributions by business and day, worst samples and moves are there."""
    evil = "<script>alert(1)</script>"
    first = lines(tmp_path / "a.jsonl", {"answer": "有的哈。。"}, *SAMPLES[1:6], {"query": evil, "answer": f"【{evil}"})
    run(tmp_path, first)
    old = (tmp_path / "out.jsonl").rename(tmp_path / "old.jsonl")
    now = lines(tmp_path / "b.jsonl", {"answer": "【好"}, *SAMPLES[2:7], {"query": evil, "answer": f"【{evil}"}, {})
    page = tmp_path / "page.html"
    assert run(tmp_path, now, report=page, before=old) == 0
    html = page.read_text("utf-8")
    assert "<script" not in html and "&lt;script&gt;alert(1)" in html
    assert "content=\"default-src 'none'; style-src" in html
    for text in (
        "By business",
        "2026-01-03",
        "no day",
        "Since old.jsonl",
        "Fallen furthest",
        "7 samples stand in both",
        "1 are new",
    ):
        assert text in html, text
    again = tmp_path / "again.html"
    run(tmp_path, now, report=again, before=old, resume=True)
    assert again.read_bytes() == html.encode()


def test_what_the_page_gathers_does_not_grow(tmp_path: Path) -> None:
    """Days beyond the limit are counted together, and of the worst only a few are kept, the lowest first."""
    overview = Overview()
    for n in range(MOST_DAYS + 50):
        made = graded(
            number=n,
            answer="【好" if n % 2 else "有的哈。。好。！啊,啊",
            day=f"20{n // 300 + 10}-{n % 300 // 28 + 1:02d}-{n % 28 + 1:02d}",
        )
        overview.add(made.sample, row(made, "v"), None)
    assert len(overview.by_day) == MOST_DAYS + 1 and sum(overview.by_day[OTHER_DAYS]["necessity"].values()) == 50
    worst = overview.worst("naturalness")
    assert len(worst) == WORST and [w.score for w in worst] == [1] * WORST and worst[0].id == "S-1"


def test_earlier_results_are_looked_up_by_sample(tmp_path: Path) -> None:
    """In any order; an id that stands twice counts as it stood last; what is no result is named with its line."""
    run(tmp_path, lines(tmp_path / "s.jsonl", {"answer": "是的没错"}, {"answer": "【好"}))
    path = tmp_path / "out.jsonl"
    rows = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*reversed(rows), rows[0]]), "utf-8")
    before = Before(path)
    found = before.of("S-0")
    assert found is not None and found[4:] == (1, 3) and before.of("S-2") is None
    assert (before.samples, before.again, before.versions) == (2, 1, {"1.0.0"})
    before.close()
    path.write_text('{"id": "x"}\n', "utf-8")
    with pytest.raises(InputError, match=r"line 1.*is not a result"):
        Before(path)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--resume"], "--resume: needs -o"), (["--before", "x"], "--before: needs --report"), (["--sheet", "3"], "--sheet: needs"),
        (["--replay"], "--replay: is for --judge"), (["--sheet", "3", "--sheet-file", "a.pdf"], "ends in .xlsx or .csv"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together(tmp_path: Path, options: list[str], why: str) -> None:
    """Exit 2 and one line, before anything is read or written."""
    source = lines(tmp_path / "s.jsonl", {})
    ended = CliRunner().invoke(grade_app, ["livechat", str(source), *options])
    assert ended.exit_code == 2 and why in ended.output


def test_how_far_it_is_is_told_in_plain_lines() -> None:
    """At every tenth of the bytes: samples, speed, share, time left; without an end in sight nothing is foretold."""
    said = io.StringIO()
    with PlainLines(said).count("samples", 1000) as told:
        for n in range(0, 1001, 50):
            told(n, n)
    rows = said.getvalue().splitlines()
    assert len(rows) == 10 and re.fullmatch(r"500 samples, [\d,]+ a second, 50 %, [\d,]+ s left", rows[4])
    with PlainLines(said).count("samples", None) as told:
        told(5, 5)
    assert said.getvalue().splitlines() == rows


def test_a_terminal_gets_a_bar() -> None:
    """With the number of samples and the share."""
    said = io.StringIO()
    with TerminalBars(said).count("samples", 1000) as told:
        told(1234, 1000)
    assert "1,234 samples" in said.getvalue() and "100%" in said.getvalue()
