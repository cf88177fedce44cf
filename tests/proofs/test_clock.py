"""A whole run under a wall clock that jumps: its order, its result and its scores are those of any other."""

import itertools
import json
from datetime import datetime
from pathlib import Path

import pytest

from harness.pool import Worker
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from tests.journeys.conftest import ROOT, Play
from tests.support.jumping_clock import Jumping

pytestmark = [pytest.mark.browser, pytest.mark.stack, pytest.mark.short_proof]


def test_a_run_under_a_jumping_clock_is_like_any_other(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two trials: both completed at the first attempt, the ledger in its order, no line fails, the record verifies.

    The clock jumps for the parent and for its worker.
    """
    for module in ("harness.run", "harness.rundir", "harness.gate"):
        monkeypatch.setattr(f"{module}.datetime", Jumping)
    monkeypatch.setattr(Worker, "program", (str(ROOT / "tests/support/jumping_clock.py"),))
    result = play("r1", trials=2)
    assert [(t.termination_reason, t.attempts) for t in result.trials] == [("completed", 1), ("completed", 1)]
    assert Jumping.looks > 4, "the clock was looked at"
    run = tmp_path / "results/r1"
    for name in ("events", "network"):
        lines = (run / f"CTL-M-001/t01/a01/{name}.jsonl").read_bytes().splitlines()
        told = [datetime.fromisoformat(json.loads(line)["at"]) for line in lines]
        back = sum(1 for a, b in itertools.pairwise(told) if b < a)
        assert back > len(told) // 3, f"the worker's clock jumped back in {name}"
    ledger = [json.loads(line) for line in (run / "ledger.jsonl").read_bytes().splitlines()]
    assert [(row["seq"], row["trial"]) for row in ledger] == [(1, 1), (2, 2)]
    assert verify_run(run, ROOT / "packages").problems == []
    cards = [c for c in score_run(run, ROOT / "packages") if c.counting]
    assert [line.id for card in cards for line in card.lines if line.state == "fail"] == []
    times = {m.id: m.value for card in cards for m in card.measures if m.unit in ("ms", "s", "minutes")}
    assert times
    assert all(value is None or 0 <= value < 600_000 for value in times.values()), times
