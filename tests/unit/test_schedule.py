"""scripts/schedule/: what a scheduler starts, and the entries for cron, systemd and the Task Scheduler of Windows."""

import configparser
import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEDULE = ROOT / "scripts" / "schedule"
PLACE = "/opt/simcustomer-rig"
STUB = """#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$0.calls"
case $1 in
  run) printf '%s' "$STUB_OUT"; exit "$STUB_RUN" ;;
  score) exit "$STUB_SCORE" ;;
esac
"""


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    """A command in the place of rig, which writes down how it was called."""
    path = tmp_path / "rig"
    path.write_text(STUB, encoding="utf-8")
    path.chmod(0o755)
    return path


def calls(rig: Path) -> list[str]:
    return rig.with_name("rig.calls").read_text(encoding="utf-8").splitlines()


def nightly(rig: Path, *args: str, out: str = "{}", run: int = 0, score: int = 0) -> "subprocess.CompletedProcess[str]":
    """The script with a rig that ends so."""
    env = {
        "PATH": os.environ["PATH"],
        "RIG_COMMAND": str(rig),
        "STUB_OUT": out,
        "STUB_RUN": str(run),
        "STUB_SCORE": str(score),
    }
    return subprocess.run(
        [SCHEDULE / "nightly.sh", *args], env=env, capture_output=True, text=True, timeout=60, cwd=rig.parent
    )


@pytest.mark.parametrize(
    ("run", "score", "code"),
    [(0, 0, 0), (0, 1, 1), (0, 4, 4), (3, 0, 3), (4, 1, 4)],
    ids=["all-well", "a-line-failed", "nothing-scored", "cap-reached", "a-trial-without-an-attempt"],
)
def test_what_was_played_is_scored_and_reported(run: int, score: int, code: int, rig: Path) -> None:
    """Also where the cap or a broken environment left trials for later; the run's own exit code comes first."""
    done = nightly(rig, "--workers", "2", run=run, score=score)
    assert done.returncode == code
    today = f"nightly-{datetime.now(UTC):%Y%m%d}"
    assert calls(rig) == [f"run --run {today} --json --workers 2", f"score {today} --json", f"report {today}"]
    assert (
        done.stderr.splitlines()[-1]
        == f"nightly: {today}: played (exit {run}), scored (exit {score}), reported (exit 0)"
    )


@pytest.mark.parametrize("code", [2, 3, 4], ids=["bad-input", "refused", "another-run-at-work"])
def test_without_a_result_nothing_is_scored(code: int, rig: Path) -> None:
    """rig printed no result: its exit code is the script's, and the last line says so."""
    done = nightly(rig, out="", run=code)
    assert done.returncode == code and len(calls(rig)) == 1
    assert f"no result (exit {code}), nothing was scored" in done.stderr.splitlines()[-1]


def test_arguments_arrive_as_they_were_given(rig: Path) -> None:
    """Blanks, quotes and other scripts are no matter for a shell in between."""
    rig.write_text(STUB.replace('"$*"', '"$@"'), encoding="utf-8")
    nightly(rig, "--results", "re sults/夜 間", "--defect", "$(touch x);'")
    assert calls(rig)[4:8] == ["--results", "re sults/夜 間", "--defect", "$(touch x);'"]
    assert not (ROOT / "x").exists()


# Entries ---------------------------------------------------------------------------------------------------------------


def crontab() -> list[tuple[str, str]]:
    """(five fields, command) of each entry."""
    rows = (SCHEDULE / "crontab.example").read_text(encoding="utf-8").splitlines()
    entries = [r for r in rows if r and not r.startswith("#") and not re.match(r"[A-Z]+=", r)]
    return [(" ".join(e.split(None, 5)[:5]), e.split(None, 5)[5]) for e in entries]


def test_the_crontabs_command_works_in_crons_poor_environment(rig: Path, tmp_path: Path) -> None:
    """With nothing but HOME and a short PATH, keys from their file, and the log where it says."""
    ((when, command),) = crontab()
    limits = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
    for field, (low, high) in zip(when.split(), limits, strict=True):
        assert field == "*" or low <= int(field) <= high
    assert "%" not in command, "cron takes a percent sign for a line break"
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "simcustomer-rig.env").write_text(
        f"RIG_COMMAND={rig}\nSTUB_OUT='{{}}'\nSTUB_RUN=0\nSTUB_SCORE=1\n", encoding="utf-8"
    )
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["/bin/bash", "-c", command.replace(PLACE, str(ROOT))], env=env, timeout=60, check=False)
    assert done.returncode == 1
    assert calls(rig)[0].endswith("--workers 2 --max-cost 20")
    assert "played (exit 0), scored (exit 1)" in (tmp_path / "rig-nightly.log").read_text(encoding="utf-8")


UNITS = ("rig-nightly.service", "rig-nightly.timer")


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    """`systemd-analyze verify`, with the place of this checkout put in; it notices a wrong one."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not here")
    for name in UNITS:
        text = (SCHEDULE / name).read_text(encoding="utf-8").replace(PLACE, str(ROOT))
        (tmp_path / name).write_text(text, encoding="utf-8")

    def verify() -> str:
        command = [analyze, "verify", *(tmp_path / name for name in UNITS)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return done.stdout + done.stderr

    assert verify() == ""
    service = tmp_path / UNITS[0]
    service.write_text(service.read_text(encoding="utf-8").replace("SIGINT", "SIGNO"), encoding="utf-8")
    assert "SIGNO" in verify()


def test_the_service_starts_the_script_and_stops_it_as_a_person_would() -> None:
    """An interrupt lets the rig write down what it was at; a fail of the product is no failure of the unit."""
    unit = configparser.RawConfigParser(strict=True)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((SCHEDULE / UNITS[0]).read_text(encoding="utf-8"))
    script, *_ = unit["Service"]["ExecStart"].split()
    assert Path(script.replace(PLACE, str(ROOT))) == SCHEDULE / "nightly.sh" and os.access(
        SCHEDULE / "nightly.sh", os.X_OK
    )
    assert (unit["Service"]["KillSignal"], unit["Service"]["SuccessExitStatus"]) == ("SIGINT", "1")


def test_the_entry_for_windows_is_well_formed_and_names_the_script() -> None:
    """Parsed as XML of the Task Scheduler; a second start while one is at work is ignored."""
    root = ElementTree.fromstring((SCHEDULE / "rig-nightly.xml").read_bytes())
    space = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    assert root.tag == f"{space}Task" and {e.tag.removeprefix(space) for e in root} == {
        "RegistrationInfo", "Triggers", "Settings", "Actions",
    }  # fmt: skip
    assert root.findtext(f"{space}Settings/{space}MultipleInstancesPolicy") == "IgnoreNew"
    named = re.search(
        r'"C:\\simcustomer-rig\\([^"]+)"', root.findtext(f"{space}Actions/{space}Exec/{space}Arguments") or ""
    )
    assert named is not None and (ROOT / named[1].replace("\\", "/")).is_file()
    datetime.fromisoformat(root.findtext(f"{space}Triggers/{space}CalendarTrigger/{space}StartBoundary") or "")
