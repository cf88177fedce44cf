"""A run's folder: created, continued, recovered; nothing lost, nothing counted twice."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from harness.errors import EnvironmentFault, InputError
from harness.journal import chain_problems, open_run
from harness.record import AppendFile
from harness.rundir import RunDirectory, check_run_id
from tests.support.runs import manifest, settings

PACKAGE = "CTL-T-001"


def finish(run: RunDirectory, path: Path, number: int, reason: str = "completed") -> None:
    (path / "events.jsonl").write_text('{"kind":"x"}\n', encoding="utf-8")
    common: dict[str, Any] = {
        "request_id": "r",
        "started_at": datetime(2026, 1, 2, tzinfo=UTC),
        "why": "",
        "final": None,
        "rng_seed": 1,
    }
    run.finish(path, package=PACKAGE, trial=1, attempt=number, reason=reason, slips={}, counts={}, costs=[], **common)  # type: ignore[arg-type]


def test_the_counting_attempt_is_the_first_that_is_the_products_doing(tmp_path: Path) -> None:
    """Attempts ended by rig, environment or simulator do not count; the first other one does, whatever its outcome."""
    run = RunDirectory.open(tmp_path, manifest())
    for number, reason in enumerate(["environment_error", "simulator_error", "nothing_to_do", "completed"], start=1):
        got, path = run.new_attempt(PACKAGE, 1)
        assert got == number
        finish(run, path, number, reason)
    counting = run.counting(PACKAGE, 1)
    run.close()
    assert counting is not None
    assert counting.attempt == 3
    assert chain_problems(open_run(tmp_path / "r1")) == []


def test_a_run_continues_only_with_its_own_settings(tmp_path: Path) -> None:
    """The first setting that differs is named; equal ones continue."""
    RunDirectory.open(tmp_path, manifest()).close()
    RunDirectory.open(tmp_path, manifest()).close()
    with pytest.raises(InputError, match="exists with another rng_seed"):
        RunDirectory.open(tmp_path, manifest(settings=settings(rng_seed=2)))


def test_a_folder_that_is_no_run_is_left_alone(tmp_path: Path) -> None:
    """A folder with other things in it is refused, not filled."""
    (tmp_path / "r1").mkdir()
    (tmp_path / "r1/notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds notes\.txt"):
        RunDirectory.open(tmp_path, manifest())


def test_two_parents_cannot_hold_one_run(tmp_path: Path) -> None:
    """The second is told; the first goes on."""
    first = RunDirectory.open(tmp_path, manifest())
    with pytest.raises(EnvironmentFault, match="another rig process"):
        RunDirectory.open(tmp_path, manifest())
    first.close()


def test_a_crash_leaves_an_aborted_attempt_and_the_next_number(tmp_path: Path) -> None:
    """An attempt without an end is closed as aborted with its cost incomplete; torn tails stand aside; the trial goes on."""
    run = RunDirectory.open(tmp_path, manifest())
    _, path = run.new_attempt(PACKAGE, 1)
    (path / "events.jsonl").write_bytes(b'{"kind":"a"}\n{"kind":"b')
    (path / "prompts.jsonl").write_text('{"kind":"model_call_started","call":"c0001"}\n', encoding="utf-8")
    run.close()
    again = RunDirectory.open(tmp_path, manifest())
    assert again.recovered == 1
    assert (path / "events.jsonl").read_bytes() == b'{"kind":"a"}\n'
    assert (path / "events.jsonl.torn").read_bytes() == b'{"kind":"b\n'
    attempt = json.loads((path / "attempt.json").read_bytes())
    assert attempt["termination_reason"] == "aborted"
    assert attempt["costs"][0]["complete"] is False
    assert "1 calls were under way" in attempt["costs"][0]["why_incomplete"]
    assert again.new_attempt(PACKAGE, 1)[0] == 2
    again.close()


def test_a_persons_folders_in_a_run_are_none_of_its_attempts(tmp_path: Path) -> None:
    """Copies and notes beside attempts, under any other name, are neither ended, counted nor in the ledger, and stay."""
    run = RunDirectory.open(tmp_path, manifest())
    number, path = run.new_attempt(PACKAGE, 1)
    finish(run, path, number)
    run.close()
    for stray in ("a01-copy", "a01.bak", "a001", "a1", "a", "a0x", "a٠٢", "../t01-old/a01", "../t1/a01", "../t0x/a01"):
        shutil.copytree(path, path.parent / stray)
        (path.parent / stray / "attempt.json").unlink()
    (path.parent / "a02").write_text("a note", encoding="utf-8")
    again = RunDirectory.open(tmp_path, manifest())
    again.close()
    assert (again.recovered, [x.attempt for x in again.lines]) == (0, [1])
    assert len(list((tmp_path / "r1" / PACKAGE).glob("*/*/events.jsonl"))) == 11
    assert not list((tmp_path / "r1" / PACKAGE / "t01").glob("a01-copy/attempt.json"))
    journal = open_run(tmp_path / "r1")
    assert [item.name for item in journal.attempts] == [f"{PACKAGE}/t01/a01"]
    assert chain_problems(journal) == []


def test_an_attempt_that_ended_but_missed_the_ledger_is_taken_in_once(tmp_path: Path) -> None:
    """Killed between attempt.json and the ledger: the line is written on the next start, and only once."""
    run = RunDirectory.open(tmp_path, manifest())
    number, path = run.new_attempt(PACKAGE, 1)
    finish(run, path, number)
    run.close()
    ledger = tmp_path / "r1/ledger.jsonl"
    ledger.write_bytes(b"")
    for _ in range(2):
        again = RunDirectory.open(tmp_path, manifest())
        assert [x.attempt for x in again.lines] == [1]
        again.close()
    assert len(ledger.read_bytes().splitlines()) == 1


def test_a_torn_ledger_line_is_set_aside_before_the_next_is_appended(tmp_path: Path) -> None:
    """Half a line never fuses with the next one (the attempt is taken in again from its own file)."""
    run = RunDirectory.open(tmp_path, manifest())
    number, path = run.new_attempt(PACKAGE, 1)
    finish(run, path, number)
    run.close()
    ledger = tmp_path / "r1/ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes()[:-20])
    again = RunDirectory.open(tmp_path, manifest())
    assert [x.attempt for x in again.lines] == [1]
    again.close()
    assert (tmp_path / "r1/ledger.jsonl.torn").exists()
    assert chain_problems(open_run(tmp_path / "r1")) == []


@pytest.mark.parametrize("run", ["", "..", "../x", "a/b", "-x", "x" * 65, "a b", "näher", "x."])
def test_a_run_id_is_a_safe_folder_name(run: str) -> None:
    """Nothing that could leave the results folder or confuse a shell."""
    with pytest.raises(InputError, match="--run"):
        check_run_id(run)


def test_appending_after_a_cut_line_loses_neither(tmp_path: Path) -> None:
    """The torn tail goes to its own file, the new line stands alone."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":')
    file = AppendFile(path)
    file.append(b'{"c":3}')
    file.close()
    assert path.read_bytes() == b'{"a":1}\n{"c":3}\n'
    assert (tmp_path / "x.jsonl.torn").read_bytes() == b'{"b":\n'
