"""Files cut at any byte: what a kill or a power cut can leave behind is taken up again, nothing lost, nothing doubled."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from harness import rundir
from harness.errors import InputError
from harness.journal import chain_problems, open_run
from harness.record import AppendFile, Recorder, Redactor
from harness.rundir import RunDirectory
from harness.schema.run import PromptLine
from harness.schema.strict_json import canonical
from harness.verify import verify_run
from tests.support.runs import manifest

PACKAGE = "CTL-T-001"
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def prompt(call: str, kind: str, **fields: Any) -> bytes:
    """A line of prompts.jsonl."""
    line = PromptLine.model_validate({"kind": kind, "call": call, "at": WHEN, **fields})
    return canonical(line.model_dump(mode="json"))


def write_attempt(path: Path, open_call: bool = False) -> None:
    """What a worker and a gate leave of a short journey."""
    record = Recorder(path, Redactor({}))
    try:
        record.emit(
            "journey_started", url="http://127.0.0.1/", customer="model", browser="x", sandbox=False, rng_seed=1
        )
        record.emit("acted", act="said", text="Guten Tag, 你好 😀", confirmed=True, act_ms=1.0)
        record.emit("journey_ended", reason="completed", why="", final="CLM-1")
        prompts = AppendFile(path / "prompts.jsonl")
        try:
            prompts.append(prompt("c0001", "model_call_started", screen=1))
            prompts.append(prompt("c0001", "model_call_ended", outcome="ok"))
            prompts.append(prompt("c0002", "model_call_started", screen=2))
            if not open_call:
                prompts.append(prompt("c0002", "model_call_ended", outcome="ok"))
        finally:
            prompts.close()
    finally:
        record.close()


def finish(run: RunDirectory, path: Path, number: int, reason: str = "completed") -> None:
    """End an attempt as the parent does."""
    run.finish(
        path, package=PACKAGE, trial=1, attempt=number, request_id="r", started_at=WHEN, reason=reason, why="", final=None,  # type: ignore[arg-type]
        rng_seed=1, slips={}, counts={}, costs=[],
    )  # fmt: skip


@pytest.fixture
def two_attempts(tmp_path: Path) -> Path:
    """A run with one ended attempt (not counting) and one that a crash left open."""
    run = RunDirectory.open(tmp_path / "whole", manifest())
    _, first = run.new_attempt(PACKAGE, 1)
    write_attempt(first)
    finish(run, first, 1, "simulator_error")
    _, second = run.new_attempt(PACKAGE, 1)
    write_attempt(second, open_call=True)
    run.close()
    return tmp_path / "whole"


def again(results: Path) -> list[tuple[int, str]]:
    """(attempt, reason) of the ledger after the run was opened twice more; it must hold together."""
    lines: list[tuple[int, str]] = []
    for _ in range(2):
        run = RunDirectory.open(results, manifest())
        lines = [(x.attempt, x.termination_reason) for x in run.lines]
        assert [x.seq for x in run.lines] == list(range(1, len(run.lines) + 1))
        run.close()
    assert chain_problems(open_run(results / "r1")) == []
    assert verify_run(results / "r1", results / "no-corpus").problems == []
    return lines


def cuts(data: bytes) -> list[int]:
    """Where to cut: nothing, everything, each byte near each line's ends, and every ninth byte besides."""
    ends = [0, *(at + 1 for at, byte in enumerate(data) if byte == 0x0A), len(data)]
    near = {at + step for at in ends for step in range(-3, 4)}
    return sorted(at for at in near | set(range(0, len(data), 9)) if 0 <= at <= len(data))


@pytest.fixture(autouse=True)
def no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of small runs need not reach the disk."""
    monkeypatch.setattr("harness.record.os.fsync", lambda _fd: None)


def copy(results: Path, to: Path) -> Path:
    """A copy that may be cut."""
    shutil.copytree(results, to)
    return to


def test_the_ledger_cut_at_any_byte_gets_its_lines_back(two_attempts: Path, tmp_path: Path) -> None:
    """Whatever of the ledger is lost, each attempt has one line again, and no half line fuses with the next."""
    for keep in cuts((two_attempts / "r1/ledger.jsonl").read_bytes()):
        results = copy(two_attempts, tmp_path / f"l{keep}")
        ledger = results / "r1/ledger.jsonl"
        ledger.write_bytes(ledger.read_bytes()[:keep])
        assert again(results) == [(1, "simulator_error"), (2, "aborted")]
        shutil.rmtree(results)


@pytest.mark.parametrize("name", ["events.jsonl", "prompts.jsonl", "network.jsonl"])
def test_an_open_attempts_file_cut_at_any_byte_ends_as_aborted(name: str, two_attempts: Path, tmp_path: Path) -> None:
    """Whole lines stay, the torn one stands aside, the attempt is aborted once, its cost incomplete."""
    whole = (two_attempts / f"r1/{PACKAGE}/t01/a02/{name}").read_bytes()
    for keep in cuts(whole):
        results = copy(two_attempts, tmp_path / f"c{keep}")
        path = results / f"r1/{PACKAGE}/t01/a02"
        (path / name).write_bytes(whole[:keep])
        assert again(results) == [(1, "simulator_error"), (2, "aborted")]
        left = (path / name).read_bytes()
        assert whole.startswith(left)
        assert left == b"" or left.endswith(b"\n")
        aside = (path / f"{name}.torn").read_bytes() if (path / f"{name}.torn").exists() else b""
        assert left + aside.removesuffix(b"\n") == whole[:keep], "not a byte is lost"
        (cost,) = json.loads((path / "attempt.json").read_bytes())["costs"]
        assert cost["complete"] is False
        started = left.count(b"model_call_started") if name == "prompts.jsonl" else 2
        assert cost["calls"] == started
        shutil.rmtree(results)


def test_attempt_json_cut_before_the_ledger_took_it_is_no_end(two_attempts: Path, tmp_path: Path) -> None:
    """Half an attempt.json (a disk that lost it) stands aside, and the attempt is aborted; a whole one is taken in."""
    run = RunDirectory.open(two_attempts, manifest())
    path = two_attempts / f"r1/{PACKAGE}/t01/a03"
    run.new_attempt(PACKAGE, 1)
    write_attempt(path)
    before = (two_attempts / "r1/ledger.jsonl").read_bytes()
    finish(run, path, 3)
    run.close()
    (two_attempts / "r1/ledger.jsonl").write_bytes(before)
    whole = (path / "attempt.json").read_bytes()
    for keep in [*range(0, len(whole), 23), len(whole) - 2, len(whole)]:
        results = copy(two_attempts, tmp_path / f"a{keep}")
        cut = results / f"r1/{PACKAGE}/t01/a03"
        (cut / "attempt.json").write_bytes(whole[:keep])
        ended = "completed" if keep == len(whole) else "aborted"
        assert again(results) == [(1, "simulator_error"), (2, "aborted"), (3, ended)]
        assert (cut / "attempt.json.torn").exists() == (ended == "aborted")
        shutil.rmtree(results)


def test_an_ended_attempt_that_was_damaged_is_named_and_not_played_again(two_attempts: Path) -> None:
    """The ledger holds its hash: verify names it, the run neither replaces it nor counts it twice."""
    path = two_attempts / f"r1/{PACKAGE}/t01/a01"
    (path / "attempt.json").write_bytes((path / "attempt.json").read_bytes()[:50])
    (path / "events.jsonl").write_bytes(b"")
    RunDirectory.open(two_attempts, manifest()).close()
    problems = verify_run(two_attempts / "r1", two_attempts / "no-corpus").problems
    assert [p for p in problems if "a01: attempt.json is not the one in the ledger" in p]


def test_a_line_that_is_no_line_of_the_ledger_stops_the_run(two_attempts: Path) -> None:
    """A whole line of rubbish is damage, not a torn tail: one line that names it, nothing guessed."""
    with (two_attempts / "r1/ledger.jsonl").open("ab") as file:
        file.write(b"\x00" * 40 + b"\n")
    with pytest.raises(InputError, match="ledger"):
        RunDirectory.open(two_attempts, manifest())


@pytest.mark.parametrize("content", [b"", b"\x00" * 100, b"\n\n", b"{", b'"x"\n[]\n{}\n{"kind":1}\n', b"\xff\xfe"])
def test_rubbish_in_the_prompts_of_an_open_attempt_is_survived(content: bytes, two_attempts: Path) -> None:
    """A recovery reads what it can and never raises over evidence."""
    (two_attempts / f"r1/{PACKAGE}/t01/a02/prompts.jsonl").write_bytes(content)
    run = RunDirectory.open(two_attempts, manifest())
    assert run.lines[-1].termination_reason == "aborted"
    run.close()


def test_a_call_whose_start_was_cut_was_never_sent(two_attempts: Path) -> None:
    """The start is on disk before anything is sent: a torn start is no call, a torn end is a call under way."""
    path = two_attempts / f"r1/{PACKAGE}/t01/a02/prompts.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:-5])
    RunDirectory.open(two_attempts, manifest()).close()
    (cost,) = json.loads((path.parent / "attempt.json").read_bytes())["costs"]
    assert (cost["calls"], cost["complete"]) == (1, False)
    assert "1 calls were under way" in cost["why_incomplete"]


def test_a_writer_that_still_lives_is_waited_for_and_then_named(
    two_attempts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that outlived its parent holds its file: the attempt is not closed under its hands."""
    monkeypatch.setattr("harness.record.WRITER_TIMEOUT_S", 0.2)
    path = two_attempts / f"r1/{PACKAGE}/t01/a02/events.jsonl"
    orphan = AppendFile(path)
    with pytest.raises(Exception, match=r"events\.jsonl: another process still writes to it"):
        RunDirectory.open(two_attempts, manifest())
    assert not (path.parent / "attempt.json").exists()
    orphan.close()
    assert again(two_attempts) == [(1, "simulator_error"), (2, "aborted")]


class _Jumping(datetime):
    """A wall clock that runs backwards, a day at each look."""

    looks = 0

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """A day earlier than at the look before."""
        cls.looks += 1
        return datetime(2026, 6, 1, tzinfo=UTC) - timedelta(days=cls.looks)


def test_a_clock_that_jumps_changes_no_order_and_no_duration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts stand by their number in the ledger, events by theirs; durations come from the monotonic clock."""
    monkeypatch.setattr(rundir, "datetime", _Jumping)
    monkeypatch.setattr("harness.record.datetime", _Jumping)
    run = RunDirectory.open(tmp_path, manifest())
    for number, reason in enumerate(["environment_error", "completed"], 1):
        _, path = run.new_attempt(PACKAGE, 1)
        write_attempt(path)
        finish(run, path, number, reason)
    counting = run.counting(PACKAGE, 1)
    run.close()
    assert counting is not None
    assert counting.attempt == 2
    again_open = RunDirectory.open(tmp_path, manifest())
    assert [(x.seq, x.attempt) for x in again_open.lines] == [(1, 1), (2, 2)]
    assert again_open.lines[0].at > again_open.lines[1].at, "the clock did jump"
    again_open.close()
    assert chain_problems(open_run(tmp_path / "r1")) == []
    events = [json.loads(x) for x in (path / "events.jsonl").read_bytes().splitlines()]
    assert [e["n"] for e in events] == [1, 2, 3]
    assert [e["t_ms"] for e in events] == sorted(e["t_ms"] for e in events)
    assert events[-1]["t_ms"] < 60_000
