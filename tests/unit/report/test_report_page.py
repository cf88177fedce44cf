"""The report as a file: what it says, and that the same record gives the same bytes."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from record_builder import RunBuilder, Talk, line, motor_lines, motor_run, motor_talk

from harness.errors import InputError
from harness.report import Limits, write_report
from harness.report.turns import seconds, summed_cost
from harness.schema.run import Cost


def words(path: Path) -> str:
    """The page's text without its markup, white space folded."""
    html = re.sub(r"<style>.*?</style>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", " ", html)
    return " ".join(text.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&").split())


def test_first_line_is_the_grade(tmp_path: Path) -> None:
    """The body starts with REHEARSAL and its reasons."""
    html = write_report(motor_run(tmp_path).dir).read_text(encoding="utf-8")
    body = html[html.index("<body>") :]
    assert re.match(r'<body>\s*<p class="grade g-rehearsal"><b>REHEARSAL</b>', body)


def test_report_lies_where_asked(tmp_path: Path) -> None:
    """By default it is report.html in the run's folder; another place can be named; no half-written file is left."""
    builder = motor_run(tmp_path)
    assert write_report(builder.dir) == builder.dir / "report.html"
    out = tmp_path / "elsewhere.html"
    assert write_report(builder.dir, out) == out
    assert out.read_bytes() == (builder.dir / "report.html").read_bytes()
    assert not list(tmp_path.rglob("*.part"))


def test_no_run_is_an_error(tmp_path: Path) -> None:
    """A run that does not exist is one clear line."""
    with pytest.raises(InputError):
        write_report(tmp_path / "none")


def test_same_record_same_bytes(tmp_path: Path) -> None:
    """Another process with another hash seed, and a copy elsewhere, give the same bytes."""
    builder = motor_run(tmp_path / "one")
    here = write_report(builder.dir).read_bytes()
    (builder.dir / "report.html").unlink()
    copy = tmp_path / "two" / "r1"
    shutil.copytree(builder.dir, copy)
    code = "import sys,pathlib;from harness.report import write_report;write_report(pathlib.Path(sys.argv[1]))"
    env = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Shanghai"}
    subprocess.run([sys.executable, "-c", code, str(copy)], check=True, env=env, timeout=300)
    assert (copy / "report.html").read_bytes() == here


def test_fails_come_first(tmp_path: Path) -> None:
    """Failed lines stand before unknown ones, those before passed ones; every state is said in words."""
    text = words(write_report(motor_run(tmp_path).dir))
    places = [text.index(w) for w in ("✘ FAIL", "? NOT CHECKED", "? NEEDS A PERSON", "? NOT BUILT YET", "✔ pass")]
    assert places == sorted(places)
    assert "3 failed — 12 passed, 3 not known, 1 not applicable" in text


def test_turns_name_the_lines_that_fail_on_them(tmp_path: Path) -> None:
    """A turn's heading names the failed lines whose evidence it holds."""
    html = write_report(motor_run(tmp_path).dir).read_text(encoding="utf-8")
    heading = re.search(r"<h4><a class=\"self\"[^>]*>Turn 3</a>.*?</h4>", html, re.DOTALL)
    assert heading is not None
    assert "incident_time.date" in heading[0]
    assert "journey.repeated_questions" in heading[0]


def test_evidence_that_is_not_there_is_said(tmp_path: Path) -> None:
    """A line that points to an event the record does not have gets no link, and says so."""
    text = words(write_report(motor_run(tmp_path).dir))
    assert re.search(r"event 999 .{0,30}never said.{0,30}this event is not in the record", text)


def test_words_that_are_not_there_are_said(tmp_path: Path) -> None:
    """A quote that does not occur at its place is not marked anywhere, and the line says so."""
    builder = RunBuilder(tmp_path)
    talk = motor_talk(builder.folder(), pictures=False)
    builder.attempt(talk)
    lines = motor_lines(talk)
    wrong = lines[4].evidence[0].model_copy(update={"quote": "Date: 1 May 1999"})
    builder.score([lines[4].model_copy(update={"evidence": [wrong]})])
    assert "these words are not marked there" in words(write_report(builder.dir))


def test_slips_are_the_simulators(tmp_path: Path) -> None:
    """Slips are listed with kind, severity and whether they reached the product, delivered ones first."""
    text = words(write_report(motor_run(tmp_path).dir))
    assert "2 slips of the simulated customer itself (1 reached the product)" in text
    assert text.index("revealed early hindered the product yes, delivered") < text.index(
        "hallucination helped the product no, stopped"
    )


def test_unpriced_is_not_zero(tmp_path: Path) -> None:
    """A cost that is not known is called unpriced or not reported, and incomplete with its reason."""
    text = words(write_report(motor_run(tmp_path).dir))
    assert "customer 8 7,300 in, 352 out unpriced (not zero) incomplete: the endpoint has no price" in text
    assert "product not reported not reported not reported incomplete: the product reports no usage" in text


def test_priced_costs_are_shown(tmp_path: Path) -> None:
    """A complete, priced cost is shown as it was recorded."""
    builder = RunBuilder(tmp_path)
    cost = Cost(
        role="customer", calls=3, tokens_in=10, tokens_out=2, cost="0.0130 USD", complete=True, why_incomplete=None
    )
    builder.attempt(motor_talk(builder.folder(), pictures=False), costs=[cost])
    assert "customer 3 10 in, 2 out 0.0130 USD complete" in words(write_report(builder.dir))


def test_a_clock_that_was_set_back_gives_no_length(tmp_path: Path) -> None:
    """An attempt that ended before it began took nobody knows how long."""
    builder = motor_run(tmp_path)
    path = next(builder.dir.rglob("attempt.json"))
    attempt = json.loads(path.read_bytes())
    attempt["started_at"], attempt["ended_at"] = attempt["ended_at"], attempt["started_at"]
    path.write_text(json.dumps(attempt), encoding="utf-8")
    assert "took not known: the clock was set back" in words(write_report(builder.dir))


def test_unscored_run_says_so(tmp_path: Path) -> None:
    """Without scorecards the page says that nothing is known about how the product did."""
    builder = RunBuilder(tmp_path)
    builder.attempt(motor_talk(builder.folder(), pictures=False))
    text = words(write_report(builder.dir))
    assert "This run has not been scored. Nothing here says how the product did." in text
    assert "Not scored" in text


def test_unreadable_scorecard_says_so(tmp_path: Path) -> None:
    """A damaged scorecard is not taken for a good one."""
    builder = RunBuilder(tmp_path)
    builder.attempt(motor_talk(builder.folder(), pictures=False))
    builder.score([line("facts.plate", "pass")]).write_text("{}")
    assert "There is a scorecard, but t01-a01.json is not what it should be" in words(write_report(builder.dir))


@pytest.mark.parametrize(
    "name", ["events.jsonl", "state.json", "staff.json", "attempt.json", "screens", "network.jsonl"]
)
def test_missing_evidence_is_said(tmp_path: Path, name: str) -> None:
    """Whatever file is gone, the page is written and names it, and the record does not verify."""
    builder = motor_run(tmp_path)
    path = builder.folder() / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    text = words(write_report(builder.dir))
    assert "the record does not verify" in text
    assert ("the file is missing" if name == "screens" else f"{name} is missing") in text


def test_run_without_run_json(tmp_path: Path) -> None:
    """Without run.json the page is a rehearsal because nothing shows what ran."""
    builder = motor_run(tmp_path)
    (builder.dir / "run.json").unlink()
    assert "REHEARSAL : run.json is missing or unreadable" in words(write_report(builder.dir))


def test_empty_run(tmp_path: Path) -> None:
    """A run folder without attempts gives a page that says so."""
    assert "The run has no attempts." in words(write_report(RunBuilder(tmp_path).dir))


def test_what_was_not_done_is_counted(tmp_path: Path) -> None:
    """Captures that failed, unsettled turns, blocked requests and undecided lines are counted."""
    text = words(write_report(motor_run(tmp_path).dir))
    for said in (
        "captures failed: screenshot : 1",
        "turns still unsettled when the cap came : 1",
        "requests blocked : 1",
        "score lines not checked : 1",
        "score lines that need a person : 1",
    ):
        assert said in text
    assert "A pass shows only that the product follows these rules" in text


def test_attempts_that_do_not_count_are_listed(tmp_path: Path) -> None:
    """A void attempt is listed with its reason, after the counting ones, and is in no count of failures."""
    builder = RunBuilder(tmp_path)
    builder.attempt(Talk(builder.folder()), reason="rig_error", why="the pipe broke")
    builder.attempt(motor_talk(builder.folder(attempt=2), pictures=False), attempt=2)
    builder.score([line("facts.plate", "fail")], attempt=2)
    text = words(write_report(builder.dir))
    assert "CTL-M-001/t01/a01 : rig error — the pipe broke" in text
    assert "2 attempts, 1 counting: ✘ 1 with a failed line" in text
    assert text.index("✘ FAIL CTL-M-001/t01/a02") < text.index("∅ void CTL-M-001/t01/a01")


def test_picture_budget_is_kept_and_said(tmp_path: Path) -> None:
    """Pictures beyond the budget are left out, and the page says how many."""
    builder = motor_run(tmp_path)
    html = write_report(builder.dir, limits=Limits(picture_bytes=20_000)).read_text(encoding="utf-8")
    embedded = sum(len(uri) for uri in re.findall(r"data:image/[^\"]+", html))
    assert 0 < embedded <= 20_000
    assert re.search(r"<b>[1-9]\d*</b> pictures over the page's budget", html.replace("&#39;", "'"))


def test_broken_picture_is_said(tmp_path: Path) -> None:
    """A file that is no picture is named in its place."""
    builder = motor_run(tmp_path)
    (builder.folder() / "screens" / "0002.png").write_bytes(b"<svg onload=alert(1)>")
    assert "the file cannot be read as a picture" in words(write_report(builder.dir))


def test_two_hundred_attempts(tmp_path: Path) -> None:
    """A run of 200 attempts is listed whole, failures first, in a page of a few megabytes; the rest is said to be left out."""
    builder = RunBuilder(tmp_path)
    for at in range(200):
        package = f"CTL-M-{at:03d}"
        talk = motor_talk(builder.folder(package), pictures=False)
        builder.attempt(talk, package=package)
        builder.score(motor_lines(talk) if at >= 197 else [line("facts.plate", "pass")], package=package)
    report = write_report(builder.dir, limits=Limits(detail_attempts=5))
    assert report.stat().st_size < 3_000_000
    text = words(report)
    listed = re.findall(r"(?:✘ FAIL|✔ no fail) (CTL-M-\d+)/t01/a01", text)
    assert len(listed) == 200
    assert listed[:4] == ["CTL-M-197", "CTL-M-198", "CTL-M-199", "CTL-M-000"]
    assert "195 of 200 attempts stand in the list only" in text


def test_half_a_surrogate_does_not_break_the_page(tmp_path: Path) -> None:
    """Text that is not text is shown by its number."""
    builder = RunBuilder(tmp_path)
    builder.attempt(motor_talk(builder.folder(), pictures=False))
    (builder.folder() / "state.json").write_text(json.dumps({"a": "\ud800x"}))
    assert "⟦U+D800⟧" in write_report(builder.dir).read_text(encoding="utf-8")


def test_policy_allows_nothing_but_the_style_and_pictures(tmp_path: Path) -> None:
    """The page forbids itself everything but its own style sheet (by hash) and embedded pictures; it has no script."""
    html = write_report(motor_run(tmp_path).dir).read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    assert re.fullmatch(
        r"default-src 'none'; img-src data:; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'",
        policy[1].replace("&#39;", "'"),
    )
    assert "<script" not in html
    assert " style=" not in html


def test_durations_are_readable() -> None:
    """Short times have tenths, long ones minutes."""
    assert [seconds(ms) for ms in (0, 440, 12_300, 123_000)] == ["0.0 s", "0.4 s", "12 s", "2 min 3 s"]


def test_cost_sums_are_exact_or_nothing() -> None:
    """Prices add up without rounding; one missing price or another currency makes the sum unknown."""
    assert summed_cost(["0.1 USD", "0.2 USD"], 2) == "0.3 USD"
    assert summed_cost(["0.1 USD", None], 2) is None
    assert summed_cost(["0.1 USD"], 2) is None
    assert summed_cost(["0.1 USD", "0.1 EUR"], 2) is None
    assert summed_cost([], 0) is None
