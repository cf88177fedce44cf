"""Whole journeys in a real browser against the reference product."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import EnvironmentFault, InputError, Refused
from harness.journal import chain_problems, open_run
from harness.report import write_report
from harness.run import Access
from harness.schema.move import act, say
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from tests.journeys.conftest import ROOT, Play

pytestmark = [pytest.mark.browser, pytest.mark.stack]


def events(folder: str) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (Path(folder) / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def failed(run: Path) -> list[str]:
    (card,) = [c for c in score_run(run, ROOT / "packages") if c.counting]
    return [line.id for line in card.lines if line.state == "fail"]


def test_from_the_first_sentence_to_the_case_number(play: Play, tmp_path: Path) -> None:
    """The rule customer gets a case number; nothing fails, the record verifies, the report is written."""
    result = play("r1")
    (trial,) = result.trials
    assert (trial.termination_reason, trial.attempts, result.exit_code) == ("completed", 1, 0)
    run = tmp_path / "results/r1"
    assert failed(run) == []
    found = verify_run(run, ROOT / "packages")
    assert found.problems == []
    assert found.files > 20
    page = write_report(run).read_text(encoding="utf-8")
    assert "REHEARSAL" in page
    assert "CLM-2026-" in page
    first = next(e for e in events(trial.folder) if e["kind"] == "acted")
    assert first["text"] == (ROOT / "packages/claims/CTL-M-001/input/initial_message.txt").read_text(
        encoding="utf-8"
    ).rstrip("\n")
    network = [json.loads(x) for x in (Path(trial.folder) / "network.jsonl").read_text(encoding="utf-8").splitlines()]
    turns = [x for x in network if x["url"].endswith("/chat/turns")]
    assert turns
    assert all(x["response_body"] for x in turns), "the product's JSON is evidence, also where it was streamed"


def test_a_controlled_product_is_refused_without_rehearsal(play: Play, tmp_path: Path) -> None:
    """One line, exit code 3, nothing on disk."""
    with pytest.raises(Refused, match="controlled") as caught:
        play("r1", rehearsal=False)
    assert caught.value.exit_code == 3
    assert not (tmp_path / "results/r1").exists()


def test_a_second_call_plays_nothing_again(play: Play, tmp_path: Path) -> None:
    """A trial with a counting attempt is done: nobody can rerun until it passes."""
    play("r1")
    before = sorted(p.name for p in (tmp_path / "results/r1/CTL-M-001/t01").iterdir())
    assert play("r1").trials[0].attempts == 1
    assert sorted(p.name for p in (tmp_path / "results/r1/CTL-M-001/t01").iterdir()) == before
    with pytest.raises(InputError, match="another rng_seed"):
        play("r1", rng_seed=2)


def test_the_worker_never_holds_a_secret_or_an_answer(play: Play, access: Access, tmp_path: Path) -> None:
    """No canary, seed token or password stands anywhere in the record; hidden files were not staged."""
    trial = play("r1").trials[0]
    hidden = ("oracle/labels.json", "setup.json", "provenance.json", "review.json")
    words = [json.loads((ROOT / "packages/claims/CTL-M-001" / name).read_bytes())["canary"] for name in hidden]
    words += [access.seed_token, access.staff_password]
    for file in Path(trial.folder).rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert not [w for w in words if w.encode() in data], file


def test_a_scripted_customer_that_runs_out_of_moves_is_the_simulators_fault(play: Play, tmp_path: Path) -> None:
    """simulator_error does not count; the trial goes on with fresh customers and is then given up: exit code 4."""
    script = tmp_path / "moves.json"
    script.write_text(json.dumps([say("I don't know, sorry.").model_dump()]), encoding="utf-8")
    result = play("r1", customer="scripted", script=script, max_attempts=2)
    (trial,) = result.trials
    assert (trial.termination_reason, trial.attempts, trial.counting_attempt, result.exit_code) == (
        "simulator_error",
        2,
        None,
        4,
    )
    assert "script has no more moves" in trial.why


def test_a_scripted_customer_that_leaves_is_a_result(play: Play, tmp_path: Path) -> None:
    """customer_left counts, and the score says that there is no case number."""
    script = tmp_path / "moves.json"
    script.write_text(json.dumps([act("leave").model_dump()] * 5), encoding="utf-8")
    result = play("r1", customer="scripted", script=script)
    assert result.trials[0].termination_reason in ("customer_left", "simulator_error")


def test_an_ungrounded_scripted_message_never_reaches_the_product(play: Play, tmp_path: Path) -> None:
    """It is refused whole, logged with its text, counted as the simulator's slip; the next move is taken."""
    script = tmp_path / "moves.json"
    moves = [say("The other car was red and did 90 miles per hour."), say("The note says 16:20.")]
    script.write_text(json.dumps([m.model_dump() for m in moves]), encoding="utf-8")
    trial = play("r1", customer="scripted", script=script, max_attempts=1).trials[0]
    got = events(trial.folder)
    said = [e["text"] for e in got if e["kind"] == "acted"]
    assert not [t for t in said if "red" in t and "miles" in t]
    assert "The note says 16:20." in said
    (refused, *_) = [e for e in got if e["kind"] == "move_rejected"]
    assert refused["problem"] == "ungrounded"
    assert "miles per hour" in refused["raw"]
    slips = [e for e in got if e["kind"] == "slip"]
    assert (slips[0]["slip"], slips[0]["delivered"]) == ("hallucination", False)


def test_a_wrong_seed_token_is_the_environments_fault(play: Play, access: Access) -> None:
    """Nothing is blamed on the product; nothing counts; exit code 4."""
    result = play("r1", access=dataclasses.replace(access, seed_token="wrong-token"), max_attempts=1)
    assert (result.trials[0].termination_reason, result.exit_code) == ("environment_error", 4)


def test_an_unknown_defect_is_bad_input(play: Play, tmp_path: Path) -> None:
    """The product's refusal ends the run in one line that names the defect; the one attempt stays and is in the ledger."""
    with pytest.raises(ExceptionGroup) as caught:
        play("r1", defects=("repeated_question", "no_such_defect"))
    [wrong] = caught.value.exceptions
    assert isinstance(wrong, InputError)
    assert (wrong.where, wrong.exit_code) == ("--defect no_such_defect", 2)
    journal = open_run(tmp_path / "results" / "r1")
    [attempt] = [item.attempt for item in journal.attempts]
    assert attempt is not None
    assert attempt.termination_reason == "environment_error"
    assert "no_such_defect" in attempt.why
    assert chain_problems(journal) == []


def test_a_product_that_is_not_there_is_one_line(play: Play, access: Access) -> None:
    """Before any folder is made."""
    with pytest.raises(EnvironmentFault, match="does not answer"):
        play("r1", access=dataclasses.replace(access, base_url="http://127.0.0.1:9"))


def test_two_workers_share_a_run(play: Play) -> None:
    """Two trials at once, each with its own customer and case."""
    result = play("r1", workers=2, trials=2)
    assert [t.termination_reason for t in result.trials] == ["completed", "completed"]
    refs = {json.loads((Path(t.folder) / "seed.json").read_bytes())["receipt"]["case_ref"] for t in result.trials}
    assert len(refs) == 2
