"""One run at a time in a folder of results."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli import play as playing
from harness.errors import EnvironmentFault
from harness.lock import HOLDER, results_lock

HOLDS = """
import sys, time
from pathlib import Path
from harness.lock import results_lock
with results_lock(Path(sys.argv[1]), "nightly"):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def held(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A folder of results in which another process has begun a run, and that process."""
    results = tmp_path / "results"
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(results)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield results, process
        process.kill()


def test_a_second_run_is_told_who_is_at_work_and_a_dead_one_is_in_nobodys_way(
    held: tuple[Path, "subprocess.Popen[str]"],
) -> None:
    """While it lives the folder is taken, one line says by whom; killed without a chance to tidy up, it is free at once."""
    results, process = held
    with pytest.raises(EnvironmentFault) as caught, results_lock(results, "second"):
        pass
    line = str(caught.value)
    assert "run nightly has been at work there since" in line and str(process.pid) in line and "--alongside" in line
    process.kill()
    process.wait(timeout=30)
    assert (results / HOLDER).exists(), "nobody tidied up"
    with results_lock(results, "third"):
        assert json.loads((results / HOLDER).read_text(encoding="utf-8"))["run"] == "third"
    assert not (results / HOLDER).exists()


def test_other_folders_are_not_locked(tmp_path: Path) -> None:
    """Two runs in two folders go on side by side."""
    with results_lock(tmp_path / "a", "one"), results_lock(tmp_path / "b", "two"):
        pass


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """The file that is in the way is named."""
    (tmp_path / "results").write_text("a file", encoding="utf-8")
    with pytest.raises(EnvironmentFault, match="results: "), results_lock(tmp_path / "results", "one"):
        pass


@pytest.mark.parametrize("note", ["", "{}", "[1]", '{"run": "x\\u001b[2J\\ny", "pid": 1, "since": "now"}'])
def test_a_strange_note_costs_its_words_only(note: str, tmp_path: Path) -> None:
    """Whatever stands in the note, the lock decides and the line is one line."""
    with results_lock(tmp_path, "one"):
        (tmp_path / HOLDER).write_text(note, encoding="utf-8")
        with pytest.raises(EnvironmentFault) as caught, results_lock(tmp_path, "two"):
            pass
        assert "at work there" in str(caught.value)
        assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)


def test_rig_run_takes_the_lock_before_it_starts_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run touches neither stack nor product; --alongside lets it through to them, --dry-run needs no lock."""

    class Reached(Exception):
        pass

    def reached(*_: object) -> None:
        raise Reached

    monkeypatch.setattr(playing, "access_for", reached)
    monkeypatch.setattr(playing, "find_browser", lambda **_: None)
    base = {
        "packages": ("CTL-M-001",), "customer": "rule", "product": "reference-claims", "url": None, "run": "second", "rehearsal": True,
        "defects": (), "runtime": None, "workers": 1, "trials": 1, "max_attempts": 1, "turn_limit": 40, "turn_timeout_s": 60.0,
        "journey_timeout_s": 60.0, "rng_seed": 1, "script": None, "recorded": None, "max_cost": None, "headed": False,
        "results": tmp_path, "corpus": Path(__file__).parents[2] / "packages",
    }  # fmt: skip
    with results_lock(tmp_path, "first"):
        with pytest.raises(EnvironmentFault, match="run first has been at work"):
            playing.play(playing.RunRequest(**base))  # type: ignore[arg-type]
        with pytest.raises(Reached):
            playing.play(playing.RunRequest(**base, alongside=True))  # type: ignore[arg-type]
        with pytest.raises(Reached):
            playing.play(playing.RunRequest(**base), dry_run=True)  # type: ignore[arg-type]

    def missing(**_: object) -> None:
        raise EnvironmentFault("no Chromium found")

    monkeypatch.setattr(playing, "find_browser", missing)
    # A browser that is missing is said before anything starts, too.
    with pytest.raises(EnvironmentFault, match="no Chromium found"):
        playing.play(playing.RunRequest(**base))  # type: ignore[arg-type]
