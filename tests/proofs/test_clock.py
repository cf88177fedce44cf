"""A whole run under a wall clock that jumps: its order, its result and its scores are those of any other."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from tests.journeys.conftest import ROOT, Play

pytestmark = [pytest.mark.browser, pytest.mark.stack]


class _Jumping(datetime):
    """A wall clock that goes back a day at one look, and forth two at the next."""

    looks = 0

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Another time than a clock would say."""
        cls.looks += 1
        return datetime(2026, 6, 1, tzinfo=UTC) + timedelta(days=cls.looks if cls.looks % 2 else -cls.looks)


def test_a_run_under_a_jumping_clock_is_like_any_other(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two trials: both completed at the first attempt, the ledger in its order, no line fails, the record verifies."""
    for module in ("harness.run", "harness.rundir", "harness.gate"):
        monkeypatch.setattr(f"{module}.datetime", _Jumping)
    result = play("r1", trials=2)
    assert [(t.termination_reason, t.attempts) for t in result.trials] == [("completed", 1), ("completed", 1)]
    assert _Jumping.looks > 4, "the clock was looked at"
    run = tmp_path / "results/r1"
    ledger = [json.loads(line) for line in (run / "ledger.jsonl").read_bytes().splitlines()]
    assert [(row["seq"], row["trial"]) for row in ledger] == [(1, 1), (2, 2)]
    assert verify_run(run, ROOT / "packages").problems == []
    cards = [c for c in score_run(run, ROOT / "packages") if c.counting]
    assert [line.id for card in cards for line in card.lines if line.state == "fail"] == []
    times = {m.id: m.value for card in cards for m in card.measures if m.unit in ("ms", "s", "minutes")}
    assert times
    assert all(value is None or 0 <= value < 600_000 for value in times.values()), times
