"""Cases of packages, stores and runs."""

import json
import subprocess
import threading
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from minio.error import S3Error
from pydantic import ValidationError

from harness.devstack.claims.case import to_ms
from harness.devstack.stores import Files, S3Settings
from harness.errors import InputError
from harness.journal import chain_problems, counting_attempts, open_run
from harness.record import Recorder, Redactor
from harness.run import RunResult, TrialResult
from harness.rundir import RunDirectory
from harness.schema.events import EVENT
from harness.schema.strict_json import parse_json
from harness.screen.adapter import parse_yaml
from harness.screen.reader import MAX_BLOCK_CHARS, make_screen
from tests.support.runs import manifest

ROOT = Path(__file__).parents[2]
PACKAGE = "CTL-T-001"


def finish(run: RunDirectory, path: Path, number: int, reason: Any = "completed") -> None:
    (path / "events.jsonl").write_text('{"kind":"x"}\n', encoding="utf-8")
    run.finish(
        path, package=PACKAGE, trial=1, attempt=number, request_id="r", started_at=datetime(2026, 1, 2, tzinfo=UTC),
        reason=reason, why="", final=None, rng_seed=1, slips={}, counts={}, costs=[],
    )  # fmt: skip


# C-010 ----------------------------------------------------------------------


def test_evidence_of_a_long_journey_is_not_held_in_memory(tmp_path: Path) -> None:
    """C-010: four hundred pictures and events go to disk as they come; memory stays flat."""
    record = Recorder(tmp_path, Redactor({}))
    picture = b"\x89PNG" + bytes(200_000)
    tracemalloc.start()
    for i in range(400):
        record.emit("page", what="console_error", detail="x" * 500, policy="recorded")
        record.picture(picture + i.to_bytes(4, "big"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    record.close()
    assert len(list((tmp_path / "screens").iterdir())) == 400
    assert peak < 5_000_000


def test_a_text_too_long_is_cut_and_says_so() -> None:
    """C-010: a reply of a megabyte is cut at the cap, and the Screen says that it was."""
    raw = {"blocks": [{"part": "reply", "text": "y" * 1_000_000}], "controls": [], "unreadable": [], "final": None}
    shown, _ = make_screen(1, raw, [])
    assert shown.truncated
    assert len(shown.blocks[0].text) == MAX_BLOCK_CHARS


# C-055, C-056 ---------------------------------------------------------------


@pytest.mark.parametrize("word", ["NO", "0107", "10:30", "09:30", "1e3", "~", "null", "yes", "1_000", "2026-03-09"])
def test_a_word_in_an_adapter_stays_the_word(word: str) -> None:
    """C-055: whatever looks like a boolean, number, time or nothing is the text that was written."""
    assert parse_yaml(f"a: {word}\n", "x.yaml") == {"a": word}


def test_a_key_twice_is_an_error_in_every_format() -> None:
    """C-055: the last one does not win, in JSON as in YAML, at any depth."""
    with pytest.raises(InputError, match="stands twice"):
        parse_json(b'{"a":{"b":1,"b":2}}', "x.json")
    with pytest.raises(InputError, match="stands twice"):
        parse_yaml("a:\n  b: 1\n  b: 2\n", "x.yaml")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_a_byte_order_mark_is_named(mark: bytes) -> None:
    """C-056: not a parser's riddle but one line that says what to do."""
    with pytest.raises(InputError, match="byte order mark"):
        parse_json(mark + b"{}", "facts.json")


# C-057 ----------------------------------------------------------------------


def test_a_checkout_changes_no_byte_of_a_package() -> None:
    """C-057: the repository pins every file of the corpus against conversion of line endings."""
    asked = "packages/claims/CTL-M-001/input/facts.json"
    done = subprocess.run(
        ["git", "check-attr", "text", "--", asked], cwd=ROOT, capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.strip() == f"{asked}: text: unset"


# C-062 ----------------------------------------------------------------------


def test_a_time_without_a_zone_is_no_event() -> None:
    """C-062: events carry UTC with offset; one without is refused when it is read."""
    plain = {"kind": "capture_failed", "n": 1, "t_ms": 0.0, "turn": 0, "what": "text", "why": "x"}
    assert EVENT.validate_python({**plain, "at": datetime(2026, 3, 9, tzinfo=UTC)})
    with pytest.raises(ValidationError, match="timezone"):
        EVENT.validate_python({**plain, "at": datetime(2026, 3, 9)})  # noqa: DTZ001


def test_what_is_recorded_reads_back_as_the_same_moment(tmp_path: Path) -> None:
    """C-062: written and read again, an event's time is aware and between before and after."""
    before = datetime.now(UTC)
    record = Recorder(tmp_path, Redactor({}))
    record.emit("capture_failed", what="text", why="x")
    record.close()
    at = datetime.fromisoformat(json.loads((tmp_path / "events.jsonl").read_text(encoding="utf-8"))["at"])
    assert at.utcoffset() == timedelta(0)
    assert before - timedelta(milliseconds=1) <= at <= datetime.now(UTC)


def test_the_reference_product_stores_whole_milliseconds() -> None:
    """C-062: what MongoDB would cut off is cut before, so that what is read back equals what was written."""
    moment = to_ms(datetime(2026, 3, 9, 16, 20, 1, 123_987, tzinfo=UTC))
    assert (moment.microsecond, moment.tzinfo) == (123_000, UTC)


# C-064 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "fine"), [("BucketAlreadyOwnedByYou", True), ("BucketAlreadyExists", True), ("AccessDenied", False)]
)
def test_a_bucket_that_is_ours_already_is_no_error(code: str, fine: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-064: two workers that make the bucket at the same time both go on; another refusal is told."""
    files = Files(S3Settings("http://127.0.0.1:9", "a", "b"))
    error = S3Error(None, code, "no", "", "", "")  # type: ignore[arg-type]

    def refuse(_bucket: str) -> None:
        raise error

    monkeypatch.setattr(files._client, "make_bucket", refuse)
    if fine:
        files._make("claims-uploads")
    else:
        with pytest.raises(S3Error):
            files._make("claims-uploads")


# C-067, C-069 ---------------------------------------------------------------


def test_a_doubled_and_a_cut_ledger_line_inflate_nothing(tmp_path: Path) -> None:
    """C-069: after a resume every attempt counts once, whatever an earlier crash left in the ledger."""
    run = RunDirectory.open(tmp_path, manifest())
    for reason in ("environment_error", "completed"):
        number, path = run.new_attempt(PACKAGE, 1)
        finish(run, path, number, reason)
    run.close()
    ledger = tmp_path / "r1/ledger.jsonl"
    whole = ledger.read_bytes()
    ledger.write_bytes(whole + whole.splitlines(keepends=True)[-1][:30])
    again = RunDirectory.open(tmp_path, manifest())
    counting = again.counting(PACKAGE, 1)
    assert [line.attempt for line in again.lines] == [1, 2]
    assert counting is not None and counting.attempt == 2
    again.close()
    assert ledger.read_bytes() == whole
    journal = open_run(tmp_path / "r1")
    assert chain_problems(journal) == []
    assert len(counting_attempts(journal.attempts)) == 1


def test_a_ledger_line_written_twice_is_not_counted_twice(tmp_path: Path) -> None:
    """C-069: a whole line that stands twice breaks the chain, is told, and is never a second result."""
    run = RunDirectory.open(tmp_path, manifest())
    number, path = run.new_attempt(PACKAGE, 1)
    finish(run, path, number)
    run.close()
    ledger = tmp_path / "r1/ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes() * 2)
    journal = open_run(tmp_path / "r1")
    assert chain_problems(journal)
    assert len(counting_attempts(journal.attempts)) == 1


def test_writers_of_one_record_cannot_interleave(tmp_path: Path) -> None:
    """C-067: many threads, one file: every line is whole, no number is missing or doubled, and each thread's lines keep their order."""
    record = Recorder(tmp_path, Redactor({}))

    def write(writer: int) -> None:
        for i in range(50):
            record.emit("capture_failed", what="text", why=f"{writer} {i} " + "w" * 300)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    record.close()
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sorted(event["n"] for event in events) == list(range(1, 201))
    said = [(*map(int, event["why"].split()[:2]), event["n"]) for event in events]
    for writer in range(4):
        own = [(i, n) for who, i, n in said if who == writer]
        assert [i for i, _ in own] == list(range(50))
        assert own == sorted(own, key=lambda line: line[1])


# C-071 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counting", "code"),
    [([1, 1], 0), ([1, None], 4), ([None, None], 4), ([], 4)],
    ids=["all", "some", "none", "nothing"],
)
def test_a_run_in_which_everything_errored_is_no_success(counting: list[int | None], code: int) -> None:
    """C-071: exit code 0 only if every trial has an attempt that counts; nothing played is no success either."""
    trials = [
        TrialResult(PACKAGE, i + 1, 1, c, "completed" if c else "environment_error", "", "")
        for i, c in enumerate(counting)
    ]
    assert RunResult("r1", "", "rehearsal", [], trials, 0).exit_code == code
