"""A disk that fills up: the run ends with one line and exit code 4, and goes on when there is space again.

A small file system can be mounted by root only. Beside it, and everywhere, a process is forbidden to let its files grow,
which the system answers at the same place with another error.
"""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from harness.errors import EnvironmentFault
from harness.journal import chain_problems, open_run
from harness.record import AppendFile, Recorder, Redactor, write_whole
from harness.run import Access
from harness.rundir import RunDirectory
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from tests.journeys.conftest import ROOT, Play
from tests.proofs.test_kills import rig_run, until_events
from tests.proofs.test_torn import PACKAGE, finish, write_attempt
from tests.support.runs import manifest


def mount(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Mount a small file system, or change its size."""
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KB."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("a small file system can be mounted on Linux as root only")
    folder = tmp_path / "small"
    folder.mkdir()
    done = mount(folder, "size=256k")
    if done.returncode != 0:
        pytest.skip(f"no small file system can be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True, timeout=20)


def fill(folder: Path, leave: int) -> Path:
    """Take all space but about `leave` bytes (whole pages)."""
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    path = folder / "filler"
    path.write_bytes(b"x" * max(0, free - leave))
    return path


def test_a_line_is_written_whole_or_not_at_all(small: Path) -> None:
    """What does not fit leaves no half line, and the next one that fits stands alone."""
    file = AppendFile(small / "x.jsonl")
    file.append(b'{"a":1}')
    filler = fill(small, 0)
    with pytest.raises(OSError, match="No space left"):
        file.append(b'{"b":"' + b"y" * 10_000 + b'"}')
    assert (small / "x.jsonl").read_bytes() == b'{"a":1}\n'
    filler.unlink()
    file.append(b'{"c":3}')
    file.close()
    assert (small / "x.jsonl").read_bytes() == b'{"a":1}\n{"c":3}\n'


def test_a_whole_file_is_replaced_or_left(small: Path) -> None:
    """The old content stays, and no temporary file is left behind."""
    write_whole(small / "x.json", b"old")
    filler = fill(small, 0)
    with pytest.raises(OSError, match="No space left"):
        write_whole(small / "x.json", b"new" * 10_000)
    filler.unlink()
    assert [p.name for p in small.iterdir()] == ["x.json"]
    assert (small / "x.json").read_bytes() == b"old"


def test_a_recorder_remembers_that_something_could_not_be_kept(small: Path) -> None:
    """Whoever swallowed the error: the record says that it is broken, and no half picture stays."""
    record = Recorder(small, Redactor({}))
    fill(small, 4096)
    with pytest.raises(OSError, match="No space left"):
        record.picture(b"p" * 50_000)
    assert record.broken is not None
    assert list((small / "screens").iterdir()) == []
    record.close()


@pytest.mark.parametrize("leave", [0, 4096, 8192, 16384, 32768])
def test_a_run_whose_disk_fills_up_is_whole_again_later(leave: int, small: Path) -> None:
    """Wherever it stopped: afterwards each attempt has one line, and the chain holds."""
    run = RunDirectory.open(small, manifest())
    filler = fill(small, leave)
    number = 0
    try:
        for _ in range(20):
            number, path = run.new_attempt(PACKAGE, 1)
            write_attempt(path)
            finish(run, path, number, "environment_error")
    except OSError as exc:
        assert "No space left" in str(exc)
    else:
        pytest.fail("the disk did not fill up")
    run.close()
    filler.unlink()
    again = RunDirectory.open(small, manifest())
    folders = len(list((small / "r1").glob(f"{PACKAGE}/t01/a*")))
    assert [x.attempt for x in again.lines] == list(range(1, folders + 1))
    again.close()
    assert chain_problems(open_run(small / "r1")) == []


def test_a_run_that_cannot_even_begin_is_one_line(small: Path) -> None:
    """No space for run.json: an error of the system, which `rig run` shows as one line; with space it begins."""
    filler = fill(small, 0)
    with pytest.raises(OSError, match="No space left"):
        RunDirectory.open(small, manifest())
    filler.unlink()
    RunDirectory.open(small, manifest()).close()


@pytest.mark.browser
@pytest.mark.stack
@pytest.mark.parametrize("size", [pytest.param("64k", marks=pytest.mark.proof), "400k"])
def test_a_journey_on_a_full_disk(size: str, small: Path, play: Play, access: Access) -> None:
    """The run ends with one line and exit code 4; with space again the same run goes on, and one attempt counts."""
    assert mount(small, "remount", f"size={size}").returncode == 0
    with pytest.raises((EnvironmentFault, BaseExceptionGroup)) as caught:
        play("r1", results=small)
    faults: list[BaseException] = [caught.value]
    while isinstance(faults[0], BaseExceptionGroup):
        faults = list(faults[0].exceptions)
    assert isinstance(faults[0], EnvironmentFault), faults
    assert faults[0].exit_code == 4
    assert "No space left" in str(faults[0])
    assert "\n" not in str(faults[0])
    assert mount(small, "remount", "size=64m").returncode == 0
    result = play("r1", results=small)
    assert (result.trials[0].termination_reason, result.exit_code) == ("completed", 0)
    assert verify_run(small / "r1", ROOT / "packages").problems == []
    (card,) = [c for c in score_run(small / "r1", ROOT / "packages") if c.counting]
    assert [line.id for line in card.lines if line.state == "fail"] == []


# ------------------------------------------------------------------ without a file system of one's own

limits = pytest.mark.skipif(not hasattr(psutil, "RLIMIT_FSIZE"), reason="this system has no limit on the size of files")
FILLS_UP = """
import contextlib, resource, sys
from pathlib import Path
from harness.record import Recorder, Redactor, disk_fault, write_whole
from harness.rundir import RunDirectory
from tests.proofs.test_torn import PACKAGE, finish, write_attempt
from tests.support.runs import manifest

folder, limit = Path(sys.argv[1]), int(sys.argv[2])
write_whole(folder / "old.json", b"old")
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
said = []
try:
    write_whole(folder / "old.json", b"new" * limit)
except OSError as exc:
    said.append(disk_fault(exc))
(folder / "alone").mkdir()
record = Recorder(folder / "alone", Redactor({}))
try:
    record.picture(b"p" * (limit + 1))
except OSError as exc:
    said.append(disk_fault(exc) and record.broken is exc)
with contextlib.suppress(OSError):
    run = RunDirectory.open(folder, manifest())
    for _ in range(40):
        number, path = run.new_attempt(PACKAGE, 1)
        write_attempt(path)
        finish(run, path, number, "environment_error")
    said.append("the limit was never met")
print(said)
"""


@limits
@pytest.mark.parametrize("limit", [600, 1000, 1500, 2500, 4000])
def test_files_that_may_grow_no_further_leave_nothing_half(limit: int, tmp_path: Path) -> None:
    """As on a full disk: old content stays, the recorder knows, and the run is whole again once files may grow."""
    done = subprocess.run(
        [sys.executable, "-c", FILLS_UP, str(tmp_path), str(limit)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout == "[True, True]\n", done.stderr
    assert (tmp_path / "old.json").read_bytes() == b"old"
    assert list((tmp_path / "alone/screens").iterdir()) == []
    run = RunDirectory.open(tmp_path, manifest())
    folders = len(list((tmp_path / "r1").glob(f"{PACKAGE}/t01/a*")))
    assert [x.attempt for x in run.lines] == list(range(1, folders + 1))
    run.close()
    assert chain_problems(open_run(tmp_path / "r1")) == []
    assert not list(tmp_path.rglob("*.tmp"))


@limits
@pytest.mark.short_proof
@pytest.mark.browser
@pytest.mark.stack
@pytest.mark.parametrize("whose", ["worker", pytest.param("parent", marks=pytest.mark.proof)])
def test_a_journey_whose_files_may_grow_no_further(whose: str, access: Access, tmp_path: Path) -> None:
    """One line on standard error and exit code 4; once files may grow, the same run goes on and one attempt counts."""
    results = tmp_path / "results"
    first = rig_run(access, results, None)
    until_events(results, 1, 8, first)
    victim = psutil.Process(first.pid)
    if whose == "worker":
        (victim,) = [p for p in victim.children(recursive=True) if "harness.worker" in p.cmdline()]
    victim.rlimit(psutil.RLIMIT_FSIZE, (0, 0))
    out, err = first.communicate(timeout=240)
    assert (first.returncode, out) == (4, "")
    said = err.splitlines()[-1]
    assert said.startswith("rig: ")
    assert os.strerror(errno.EFBIG) in said
    assert "Traceback" not in err
    out, err = rig_run(access, results, None).communicate(timeout=240)
    trial = json.loads(out)["trials"][0]
    assert (trial["termination_reason"], trial["counting_attempt"]) == ("completed", 2), err
    ledger = [json.loads(line) for line in (results / "r1/ledger.jsonl").read_bytes().splitlines()]
    assert ledger[0]["termination_reason"] in ("environment_error", "aborted")
    assert verify_run(results / "r1", ROOT / "packages").problems == []
