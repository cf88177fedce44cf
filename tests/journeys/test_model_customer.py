"""A language model plays the customer: the whole way through worker, pipe, gate and a real HTTP endpoint."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.config import Endpoint
from harness.run import Access
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from oracle_scoring.fidelity import fidelity_of_run
from tests.journeys.conftest import ROOT, Play
from tests.support.stand_ins import STAND_INS
from tests.support.stub_endpoint import KEY, Say, good, stub

pytestmark = [pytest.mark.browser, pytest.mark.stack]


@pytest.fixture
def endpoint() -> Iterator[tuple[Endpoint, list[dict[str, Any]]]]:
    """A stub endpoint on loopback and the bodies it got."""
    with stub() as running:
        yield running.endpoint(), running.bodies


def test_a_model_gets_the_case_number(
    play: Play, access: Access, endpoint: tuple[Endpoint, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """The gate lets every request through, the journey completes, the record verifies, the key is nowhere on disk."""
    model, bodies = endpoint
    result = play("r1", customer="model", access=dataclasses.replace(access, model=model), max_attempts=1)
    (trial,) = result.trials
    assert trial.termination_reason == "completed", trial.why
    found = verify_run(tmp_path / "results/r1", ROOT / "packages")
    assert found.problems == []
    assert found.prompts == len(bodies) > 5
    order = list(bodies[0]["response_format"]["json_schema"]["schema"]["properties"])
    assert order == ["asked", "asked_unknown", "used", "move", "messages", "control", "value", "file"], (
        "a small model writes in this order"
    )
    assert len({b["messages"][0]["content"] for b in bodies}) == 1, (
        "the part that never changes is the same bytes all journey"
    )
    for file in (tmp_path / "results/r1").rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
    attempt = json.loads((Path(trial.folder) / "attempt.json").read_bytes())
    (cost,) = [c for c in attempt["costs"] if c["role"] == "customer"]
    assert (cost["calls"], cost["tokens_in"], cost["cost"]) == (len(bodies), 1000 * len(bodies), None)
    assert "unpriced" in cost["why_incomplete"]
    (card,) = score_run(tmp_path / "results/r1", ROOT / "packages")
    assert [x.id for x in card.lines if x.state == "fail"] == []


def test_a_wrong_key_is_the_environments_fault(
    play: Play, access: Access, endpoint: tuple[Endpoint, list[dict[str, Any]]]
) -> None:
    """Everything errored is not a result: nothing counts, exit code 4, and the product is not blamed."""
    model, _ = endpoint
    bad = dataclasses.replace(model, api_key="some-wrong-key")
    result = play("r1", customer="model", access=dataclasses.replace(access, model=bad), max_attempts=1)
    assert (result.trials[0].termination_reason, result.exit_code) == ("environment_error", 4)
    assert "401" in result.trials[0].why


def test_a_customer_that_denies_what_it_knows_spoils_one_attempt_and_the_trial_goes_on(
    play: Play, access: Access, tmp_path: Path
) -> None:
    """It insists on knowing nothing: `simulator_error`, kept and set apart; the model behaves, and the next attempt counts."""
    (denies,) = [s for s in STAND_INS if s.kind == "denied"]
    bad = denies.always()

    def behaviour(number: int, body: dict[str, Any]) -> Say:
        spoilt = (tmp_path / "results/r1/CTL-M-001/t01/a02").exists()
        return good(number, body) if spoilt else Say(bad(number, body))

    with stub(behaviour) as running:
        model = dataclasses.replace(access, model=running.endpoint())
        result = play("r1", customer="model", access=model, max_attempts=2)
    run = tmp_path / "results/r1"
    assert (result.trials[0].counting_attempt, result.trials[0].termination_reason) == (2, "completed")
    first, second = fidelity_of_run(run, ROOT / "packages").attempts
    assert (first.termination_reason, second.termination_reason) == ("simulator_error", "completed")
    assert {f.kind for f in first.findings if not f.delivered} == {"denied", "missed_action"}
    assert second.findings == []
    spoilt, counting = score_run(run, ROOT / "packages")
    assert {line.state for line in spoilt.lines} == {"not_checked"} and not spoilt.counting
    assert counting.counting and [line.id for line in counting.lines if line.state == "fail"] == []
    assert verify_run(run, ROOT / "packages").problems == []
