"""A buyer's journey in a real browser against the reference inquiry product."""

from pathlib import Path

import pytest

from harness.schema.session import CustomerTurn
from harness.verify import verify_run
from oracle_scoring.corpus.inquiry import load_inquiry
from oracle_scoring.inquiry.expected import expectations
from oracle_scoring.inquiry.from_record import session_of_record
from oracle_scoring.inquiry.grade import grade
from oracle_scoring.record import read_record
from tests.journeys.conftest import ROOT, Play

pytestmark = [pytest.mark.browser, pytest.mark.stack]


def test_from_a_burst_with_a_picture_to_the_hand_over(play: Play, tmp_path: Path) -> None:
    """The opening is several messages and a picture, the last second of working hours hands over, all answers hold and no metric fails."""
    result = play("i1", packages=("INQ-010",), product="reference-inquiry")
    (trial,) = result.trials
    assert (trial.termination_reason, trial.attempts, result.exit_code) == ("completed", 1, 0)
    assert verify_run(tmp_path / "results/i1", ROOT / "packages").problems == []
    record = read_record(Path(trial.folder))
    session = session_of_record(record, "beiyijia")
    opening = [turn for turn in session.turns if isinstance(turn, CustomerTurn)][:4]
    assert [bool(turn.images) for turn in opening] == [False, True, False, False]
    verdicts = grade(session)
    assert [m.metric_id for m in verdicts.metrics if m.result == "FAIL"] == []
    assert record.talks is not None and record.staff is not None and record.staff.found
    labels = load_inquiry(ROOT / "packages/inquiry/INQ-010").labels
    found = expectations(session, labels, record.talks.cases[0], verdicts)
    assert [(e.id, e.why) for e in found if e.state != "pass"] == []
