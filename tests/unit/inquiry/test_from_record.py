"""A recorded journey as a session."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[2] / "golden"))

from builder import Golden

from harness.cli.app import app
from oracle_scoring.inquiry.batch import grade_run, lines_awaiting_judge
from oracle_scoring.inquiry.from_record import session_of_record, sessions_of_run
from oracle_scoring.inquiry.grade import grade
from oracle_scoring.record import read_record, run_folder


@pytest.fixture(scope="module")
def attempt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded attempt."""
    return Golden().write(tmp_path_factory.mktemp("record"))[0]


def test_what_was_said_is_in_order_and_nothing_is_added(attempt: Path) -> None:
    """Customer and product take turns as on the screen; the first message is the journey's first."""
    record = read_record(attempt)
    made = session_of_record(record, "beiyijia")
    first = next(e for e in record.events if e.kind == "acted" and e.act == "said")
    spoken = [t for t in made.turns if t.role == "customer" and t.text]
    assert spoken[0].text == first.text
    assert spoken[0].created_at == first.at.isoformat()
    assert {t.role for t in made.turns} == {"customer", "assistant"}
    assert all(t.reply_text for t in made.turns if t.role == "assistant")


def test_what_a_screen_does_not_show_is_not_recorded(attempt: Path) -> None:
    """Tools and decisions of the background are unknown: their metrics are NOT_CHECKED, never PASS or N/A."""
    result = grade(session_of_record(read_record(attempt), "beiyijia"))
    by_id = {m.metric_id: m.result for m in result.metrics}
    assert {by_id[m] for m in ("M-022", "M-027", "M-103", "M-110", "M-201")} <= {"NOT_CHECKED", "FAIL"}
    assert by_id["M-110"] == "NOT_CHECKED"


def test_an_uploaded_picture_is_a_picture_of_the_customers(attempt: Path) -> None:
    """Its file name stands in the session; what it shows is not recorded."""
    record = read_record(attempt)
    uploads = [
        e.file
        for e in record.events
        if e.kind == "acted" and e.act == "uploaded" and e.file and e.file.endswith(".jpg")
    ]
    made = session_of_record(record, "beiyijia")
    shown = [i for t in made.turns if t.role == "customer" for i in t.images or []]
    assert [i.id for i in shown] == uploads
    assert all(i.recognized is None for i in shown)


def test_the_journeys_of_a_run_are_graded_by_the_same_command(attempt: Path) -> None:
    """`--run` gives one result for each attempt that counts."""
    run = run_folder(attempt)
    assert len(list(sessions_of_run(run, "beiyijia"))) == 1
    result = CliRunner().invoke(app, ["grade", "inquiry", "--run", str(run), "--json"])
    assert result.exit_code in (0, 1)
    assert len(result.stdout.splitlines()) == 1


def test_the_metrics_of_a_run_are_lines_of_its_attempts(attempt: Path) -> None:
    """One line a metric, as the session's verdicts are; which of them no rule decides is read off the metrics."""
    (graded,) = grade_run(run_folder(attempt))
    assert (graded.package, graded.trial, graded.attempt) == (attempt.parts[-3], 1, 1)
    verdicts = grade(session_of_record(read_record(attempt), "beiyijia")).metrics
    words = {"PASS": "pass", "FAIL": "fail", "N/A": "not_applicable"}
    assert {line.id: line.state for line in graded.lines} == {
        f"inquiry.{m.metric_id.lower()}": words.get(m.result, "not_checked") for m in verdicts
    }
    assert lines_awaiting_judge() == {"inquiry.m-028"}
