"""Reading a recorded attempt: every way to get it wrong is one line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from builder import PACKAGE, Golden

from harness.errors import InputError
from oracle_scoring.claims import score_attempt
from oracle_scoring.record import counting_attempt, read_record


def damaged(root: Path, name: str, change: Callable[[bytes], bytes | None]) -> Path:
    """The attempt folder with one file changed (None: removed)."""
    attempt, _ = Golden().write(root)
    path = (attempt / name).resolve()
    data = change(path.read_bytes())
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    return attempt


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("attempt.json", lambda d: None, "is missing"),
        ("attempt.json", lambda d: b"{", "is not JSON"),
        ("attempt.json", lambda d: d.replace(b'"trial": 1', b'"trial": "1"'), "trial"),
        ("attempt.json", lambda d: b"\xef\xbb\xbf" + d, "byte order mark"),
        ("attempt.json", lambda d: d.replace(b'"trial": 1', b'"trial": 1, "trial": 1'), "stands twice"),
        ("events.jsonl", lambda d: d[:-5], "torn"),
        ("events.jsonl", lambda d: d + b"{}\n", "line 57"),
        ("events.jsonl", lambda d: d.replace(b'"kind":"reply"', b'"kind":"rumour"', 1), "line"),
        ("staff.json", lambda d: d.replace(b'"found": true', b'"found": NaN'), "NaN"),
        ("state.json", lambda d: d.replace(b"state-file-v1", b"state-file-v9"), "schema"),
        ("../../../run.json", lambda d: None, "run.json"),
        ("../../../adapter.json", lambda d: None, "adapter.json"),
        (
            "../../../adapter.json",
            lambda d: b'{"staff": {"vocabulary": {"triage_level": {"Simple": 1}}}}',
            "triage_level",
        ),
        ("../../../adapter.json", lambda d: b'{"capabilities": {"unimplemented": []}}', "unimplemented"),
    ],
)
def test_a_damaged_record_is_one_line(
    name: str, change: Callable[[bytes], bytes | None], words: str, tmp_path: Path
) -> None:
    """File, field and why, in one line, exit code 2."""
    attempt = damaged(tmp_path, name, change)
    with pytest.raises(InputError) as caught:
        read_record(attempt)
    text = str(caught.value)
    assert words in text and "\n" not in text and Path(name).name in text
    assert caught.value.exit_code == 2


def test_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    """There is no attempt where there is no folder."""
    with pytest.raises(InputError, match="no such attempt"):
        read_record(tmp_path / "t01" / "a01")


@pytest.mark.parametrize("name", ["events.jsonl", "staff.json", "state.json", "network.jsonl", "seed.json"])
def test_missing_evidence_is_a_value(name: str, tmp_path: Path) -> None:
    """An attempt without one piece of evidence is read, and nothing that stood in it passes or fails unseen."""
    attempt = damaged(tmp_path, name, lambda d: None)
    record = read_record(attempt)
    assert record.chain_problem == f"{name} is missing"


def test_the_first_attempt_that_says_something_counts(tmp_path: Path) -> None:
    """Spoilt and unfinished attempts are passed over; after the counting one nothing counts."""
    for number, reason in ((1, "rig_error"), (2, "simulator_error"), (4, "product_error"), (5, "completed")):
        golden = Golden()
        golden.number, golden.reason = number, reason
        golden.write(tmp_path)
    trial = tmp_path / "results" / "r1" / PACKAGE / "t01"
    (trial / "a03").mkdir()
    assert counting_attempt(trial) == 4
    assert [read_record(trial / f"a{n:02d}").counting for n in (1, 2, 4, 5)] == [False, False, True, False]


def test_no_attempt_counts_if_all_were_spoilt(tmp_path: Path) -> None:
    """A trial may have no counting attempt."""
    golden = Golden()
    golden.reason = "aborted"
    attempt, _ = golden.write(tmp_path)
    assert counting_attempt(attempt.parent) is None


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../../../ledger.jsonl", "does not follow"),
        ("staff.json", "staff.json was changed"),
        ("attempt.json", "attempt.json is not the one in the ledger"),
    ],
)
def test_a_changed_record_does_not_verify(name: str, problem: str, tmp_path: Path) -> None:
    """A byte changed afterwards shows in the grade's reasons, and in no verdict."""
    attempt, package = Golden().write(tmp_path)
    before = score_attempt(attempt, package)
    path = (attempt / name).resolve()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"0" * 64, b"1" * 64) if "ledger" in name else data + b" ")
    after = score_attempt(attempt, package)
    assert any("does not verify" in r and problem in r for r in after.grade_reasons)
    assert not any("does not verify" in r for r in before.grade_reasons)
    assert after.lines == before.lines


def test_a_listed_file_outside_the_attempt_is_not_read(tmp_path: Path) -> None:
    """A path that leads out of the folder vouches for nothing."""
    attempt, _ = Golden().write(tmp_path)
    data = json.loads((attempt / "attempt.json").read_bytes())
    data["files"] = [{"path": "../../../run.json", "size": 1, "sha256": "0" * 64}]
    (attempt / "attempt.json").write_text(json.dumps(data), encoding="utf-8")
    problem = read_record(attempt).chain_problem
    assert problem == "attempt.json is not the one in the ledger"


def test_another_package_is_refused(tmp_path: Path) -> None:
    """A journey is scored against its own package."""
    attempt, package = Golden().write(tmp_path)
    other = package.with_name("TST-M-002")
    package.rename(other)
    with pytest.raises(InputError, match="not of TST-M-002"):
        score_attempt(attempt, other)


def test_a_package_whose_opening_changed_is_refused(tmp_path: Path) -> None:
    """If the visible half is not the one the journey ran with, nothing is scored."""
    attempt, package = Golden().write(tmp_path)
    (package / "input" / "initial_message.txt").write_text("Another story.\n", encoding="utf-8")
    with pytest.raises(InputError, match="changed after the run"):
        score_attempt(attempt, package)


def test_a_corrected_label_is_another_revision(tmp_path: Path) -> None:
    """An old run is scored by a corrected oracle; the verdict follows the label, and the hash tells them apart."""
    golden = Golden()
    attempt, package = golden.write(tmp_path)
    first = score_attempt(attempt, package)
    golden.labels["oracle_revision"] = 2
    golden.labels["triage"]["level"] = "complex"
    golden.write_package(tmp_path)
    second = score_attempt(attempt, package)
    assert (first.oracle_revision, second.oracle_revision) == (1, 2)
    assert first.oracle_sha256 != second.oracle_sha256
    assert [x.state for c in (first, second) for x in c.lines if x.id == "triage.level"] == ["pass", "fail"]
