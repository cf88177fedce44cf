"""The record reader: says what is missing and returns the rest."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "report"))

from record_builder import RunBuilder, Talk, line, motor_run, motor_talk

from harness.errors import InputError
from harness.journal import chain_problems, counting_attempts, inside, open_run, read_attempt, stored_scores


def plain_run(tmp_path: Path) -> RunBuilder:
    """A scored run without pictures."""
    builder = RunBuilder(tmp_path)
    builder.attempt(motor_talk(builder.folder(), pictures=False))
    return builder


def test_whole_record_has_no_problems(tmp_path: Path) -> None:
    """A finished attempt is read with all its events, calls and network lines, and verifies."""
    journal = open_run(motor_run(tmp_path).dir)
    record = read_attempt(journal.attempts[0])
    assert journal.problems == ()
    assert record.problems == ()
    assert record.events.items[-1].kind == "journey_ended"
    assert len(record.prompts.items) == 14
    assert len(record.network.items) == 7
    assert record.staff is not None
    assert chain_problems(journal) == []


def test_no_run_folder_is_an_error(tmp_path: Path) -> None:
    """A run folder that is not there is one clear line."""
    with pytest.raises(InputError, match="is not a folder with a run"):
        open_run(tmp_path / "none")


def test_empty_folder_is_read(tmp_path: Path) -> None:
    """A folder without anything gives an empty journal that says so."""
    journal = open_run(tmp_path)
    assert journal.manifest is None
    assert journal.attempts == ()
    assert journal.problems == ("run.json is missing", "ledger.jsonl is missing")


def test_torn_tail_is_counted_and_left_out(tmp_path: Path) -> None:
    """A last line without its line break is left out; the lines before it are read."""
    builder = plain_run(tmp_path)
    path = builder.folder() / "events.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    record = read_attempt(open_run(builder.dir).attempts[0])
    assert record.events.torn
    assert len(record.events.items) == whole.count(b"\n") - 1
    assert "events.jsonl: the last line is torn and was left out" in record.problems
    assert any("does not end with journey_ended" in p for p in record.problems)


def test_unreadable_lines_are_counted(tmp_path: Path) -> None:
    """Lines that are not events are counted with the first reason, wherever they stand."""
    builder = plain_run(tmp_path)
    path = builder.folder() / "events.jsonl"
    rows = path.read_bytes().split(b"\n")
    rows[2:2] = [b"not json", b'{"kind":"surprise"}', b"\xff\xfe"]
    path.write_bytes(b"\n".join(rows))
    events = read_attempt(open_run(builder.dir).attempts[0]).events
    assert events.unreadable == 3
    assert events.first_problem is not None
    assert events.first_problem.startswith("line 3")
    assert events.items[-1].kind == "journey_ended"


def test_torn_bytes_set_aside_are_said(tmp_path: Path) -> None:
    """A `.torn` file beside a line file is named with its size."""
    builder = plain_run(tmp_path)
    (builder.folder() / "network.jsonl.torn").write_bytes(b'{"at"')
    problems = read_attempt(open_run(builder.dir).attempts[0]).problems
    assert "network.jsonl: 5 bytes of a torn line stand in network.jsonl.torn" in problems


@pytest.mark.parametrize(
    "name", ["events.jsonl", "prompts.jsonl", "network.jsonl", "state.json", "staff.json", "seed.json", "attempt.json"]
)
def test_each_missing_file_is_named(tmp_path: Path, name: str) -> None:
    """Any file may be missing; its name is in the problems and the rest is read."""
    builder = plain_run(tmp_path)
    (builder.folder() / name).unlink()
    record = read_attempt(open_run(builder.dir).attempts[0])
    assert f"{name} is missing" in record.problems


@pytest.mark.parametrize("name", ["state.json", "staff.json", "seed.json", "attempt.json"])
@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"\xff\xff", b'{"a": 1}'])
def test_damaged_files_do_not_raise(tmp_path: Path, name: str, data: bytes) -> None:
    """Rubbish in a file is a problem in words, never an exception."""
    builder = plain_run(tmp_path)
    (builder.folder() / name).write_bytes(data)
    journal = open_run(builder.dir)
    record = read_attempt(journal.attempts[0])
    assert chain_problems(journal)
    if name in ("staff.json", "attempt.json") or data != b'{"a": 1}':
        assert any(p.startswith(name) for p in record.problems)


def test_changed_file_breaks_the_chain(tmp_path: Path) -> None:
    """A file that changed after the attempt ended is named."""
    builder = plain_run(tmp_path)
    path = builder.folder() / "state.json"
    path.write_text("{}")
    assert chain_problems(open_run(builder.dir)) == [
        "CTL-M-001/t01/a01: state.json was changed after the attempt ended"
    ]


def test_changed_attempt_and_ledger_break_the_chain(tmp_path: Path) -> None:
    """An attempt.json other than the ledger's, a line taken out of the ledger, an attempt put in: each is named."""
    builder = plain_run(tmp_path)
    builder.attempt(motor_talk(builder.folder(trial=2), pictures=False), trial=2)
    attempt = builder.folder() / "attempt.json"
    whole = attempt.read_bytes()
    attempt.write_bytes(whole + b"\n")
    assert chain_problems(open_run(builder.dir)) == ["CTL-M-001/t01/a01: attempt.json is not the one in the ledger"]
    attempt.write_bytes(whole)
    ledger = builder.dir / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().split(b"\n", 1)[1])
    problems = chain_problems(open_run(builder.dir))
    assert "CTL-M-001/t01/a01: not in the ledger" in problems
    assert any("does not follow from the line before it" in p for p in problems)


def test_unfinished_attempt_breaks_nothing(tmp_path: Path) -> None:
    """A folder without attempt.json and ledger line is listed as unfinished; the rest still verifies."""
    builder = plain_run(tmp_path)
    builder.folder(trial=2)
    journal = open_run(builder.dir)
    assert journal.attempts[1].attempt is None
    assert chain_problems(journal) == []


def test_ledger_without_folder_is_listed(tmp_path: Path) -> None:
    """An attempt whose folder is gone stays in the list, and the record does not verify."""
    builder = plain_run(tmp_path)
    builder.ledger("CTL-M-009", 1, 1, "completed", "ab" * 32)
    journal = open_run(builder.dir)
    assert journal.attempts[1].problems == ("the attempt's folder is missing",)
    assert chain_problems(journal)
    assert "events.jsonl is missing" in read_attempt(journal.attempts[1]).problems


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Neither a linked attempt folder nor a linked file is read, and names never lead outside."""
    builder = plain_run(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (builder.dir / "CTL-M-002").symlink_to(outside)
    (builder.folder() / "linked").symlink_to(outside / "secret")
    assert "CTL-M-002 is a link and was not followed" in open_run(builder.dir).problems
    folder = builder.folder()
    for name in ("linked", "../../../../outside/secret", str(outside / "secret"), "", "a\x00b", "x" * 2000):
        assert inside(folder, name) is None


def test_first_attempt_that_ended_counts(tmp_path: Path) -> None:
    """A trial's counting attempt is the first not ended by rig, simulator or environment; a later pass changes nothing."""
    builder = RunBuilder(tmp_path)
    endings = ["rig_error", "turn_limit", "completed"]
    for number, reason in enumerate(endings, 1):
        builder.attempt(Talk(builder.folder(attempt=number)), reason=reason, attempt=number)
    builder.attempt(Talk(builder.folder(trial=2)), reason="simulator_error", trial=2)
    assert counting_attempts(open_run(builder.dir).attempts) == {("CTL-M-001", 1, 2)}


def test_newest_scoring_comes_first(tmp_path: Path) -> None:
    """Of several scorecards the one of the highest scoring version is first; an unreadable one is last, with its problem."""
    builder = plain_run(tmp_path)
    for version in ("2", "10", "9"):
        builder.score([line("facts.plate", "pass")], version=version)
    builder.score([], version="11").write_text("{")
    scores = stored_scores(builder.dir)["CTL-M-001", 1, 1]
    assert [s.card.scoring_version if s.card else None for s in scores] == ["10", "9", "2", None]
    assert scores[-1].problem is not None
