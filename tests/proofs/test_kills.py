"""Parts killed, parents doubled: through the real command, as separate processes."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from harness.browser import find_browser
from harness.observe import Observer
from harness.product import ProductClient
from harness.run import Access
from harness.screen.adapter import load_adapter
from harness.verify import verify_run
from scripts.kill_test import Stack
from tests.journeys.conftest import ROOT

ADAPTER = ROOT / "harness/adapters/reference-claims.yaml"
pytestmark = [pytest.mark.browser, pytest.mark.stack]


def rig_run(access: Access, results: Path, log: Path | None, *options: str) -> "subprocess.Popen[str]":
    """`rig run` of one rule journey against the stack; what it says goes to `log`, or to a pipe."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("RIG_", "OPENAI_")) or k.startswith("RIG_BROWSER")}
    env |= {"RIG_SEED_TOKEN": access.seed_token, "RIG_STAFF_USER": access.staff_user}
    env |= {"RIG_STAFF_PASSWORD": access.staff_password, "RIG_STATE_DIR": str(results.parent / "state")}
    with contextlib.ExitStack() as stack:
        err = subprocess.PIPE if log is None else stack.enter_context(log.open("w"))
        return subprocess.Popen(
            [
                str(Path(sys.executable).with_name("rig")), "run", "CTL-M-001", "--customer", "rule", "--rehearsal", "--url", str(access.base_url),
                "--run", "r1", "--results", str(results), "--corpus", str(ROOT / "packages"), "--json", *options,
            ],
            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, text=True, start_new_session=True,
        )  # fmt: skip


def until_events(results: Path, attempt: int, count: int, process: "subprocess.Popen[str]") -> Path:
    """Wait until the attempt's events.jsonl has so many lines; its folder."""
    path = results / f"r1/CTL-M-001/t01/a{attempt:02d}"
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        events = path / "events.jsonl"
        if events.exists() and events.read_bytes().count(b"\n") >= count:
            return path
        time.sleep(0.02)
    raise AssertionError("the journey did not get so far")


def test_a_second_parent_is_one_line_and_the_first_goes_on(access: Access, tmp_path: Path) -> None:
    """In the folder of results, and on the run itself: exit code 4, one line on standard error, nothing on standard output.

    The first run ends as if alone.
    """
    results = tmp_path / "results"
    first = rig_run(access, results, tmp_path / "first.err")
    until_events(results, 1, 5, first)
    first.send_signal(signal.SIGSTOP)  # it must not be through before the second comes
    seconds = [
        rig_run(access, results, tmp_path / f"second{number}.err", *options)
        for number, options in enumerate(((), ("--alongside",)))
    ]
    outs = [second.communicate(timeout=120)[0] for second in seconds]
    first.send_signal(signal.SIGCONT)
    assert ([s.returncode for s in seconds], outs) == ([4, 4], ["", ""])
    (busy,) = (tmp_path / "second0.err").read_text().splitlines()
    assert busy.startswith(f"rig: {results}: run r1 has been at work there since ") and f"(process {first.pid})" in busy
    assert (tmp_path / "second1.err").read_text().splitlines() == ["rig: run r1: another rig process works on it"]
    out, _ = first.communicate(timeout=120)
    assert first.returncode == 0, (tmp_path / "first.err").read_text()
    assert json.loads(out)["trials"][0]["attempts"] == 1
    assert verify_run(results / "r1", ROOT / "packages").problems == []


def test_a_worker_that_was_stopped_when_its_parent_died_spoils_nothing(access: Access, tmp_path: Path) -> None:
    """A worker that slept through the kill writes no more when it wakes up: the attempt was closed only after it had gone."""
    results = tmp_path / "results"
    first = rig_run(access, results, tmp_path / "first.err")
    path = until_events(results, 1, 8, first)
    family = psutil.Process(first.pid).children(recursive=True)
    (worker,) = [p for p in family if "harness.worker" in p.cmdline()]
    worker.send_signal(signal.SIGSTOP)
    first.kill()
    first.communicate(timeout=30)
    second = rig_run(access, results, tmp_path / "second.err")
    time.sleep(6)
    assert not (path / "attempt.json").exists(), "its file is held by the sleeping worker"
    worker.send_signal(signal.SIGCONT)
    out, _ = second.communicate(timeout=180)
    assert second.returncode == 0, (tmp_path / "second.err").read_text()
    trial = json.loads(out)["trials"][0]
    assert (trial["attempts"], trial["counting_attempt"], trial["termination_reason"]) == (2, 2, "completed")
    assert json.loads((path / "attempt.json").read_bytes())["termination_reason"] == "aborted"
    assert verify_run(results / "r1", ROOT / "packages").problems == []
    _, alive = psutil.wait_procs(family, timeout=20)
    assert alive == [], "worker, driver and browser ended with their parent"


@pytest.mark.short_proof
@pytest.mark.timeout(1800)
def test_one_kill_of_each_part_loses_and_doubles_nothing() -> None:
    """The short form of `scripts/kill_test`: every trial has one counting attempt, records verify, nothing is left over."""
    done = subprocess.run(
        [str(ROOT / "scripts/kill_test"), "--n", "6", "--seed", "2209", "--minutes", "28", "--json"], capture_output=True, text=True, timeout=1780,
        check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr[-2000:]
    summary = json.loads(done.stdout)
    assert summary["problems"] == [], done.stderr[-4000:]
    assert (done.returncode, summary["n"]) == (0, 6)
    assert min(summary["by_victim"].values()) == 1
    assert summary["by_victim"]["browser"] == 3
    assert summary["attempts_with_an_open_call"] >= 1, (
        "a call was under way at a kill, and its cost is called incomplete"
    )


def test_the_observers_browser_and_its_driver_may_die(access: Access) -> None:
    """Whichever was killed, the next look at the staff pages has a browser again."""

    async def look_again() -> list[bool]:
        adapter = load_adapter(ADAPTER).with_base_url(str(access.base_url))
        client = ProductClient(adapter, access.seed_token)
        alive: list[bool] = []
        async with Observer(find_browser(), adapter, client, access.staff_user, access.staff_password) as observer:
            for victim in ("chrom", "node"):
                await observer._running()
                children = psutil.Process().children(recursive=True)
                for one in [p for p in children if victim in p.name()]:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        one.kill()
                alive.append(await observer._alive())
                await observer._forget()
                await observer._running()
                alive.append(await observer._alive())
        await client.aclose()
        return alive

    assert asyncio.run(look_again()) == [False, True, False, True]


def page_process(process: "subprocess.Popen[str]") -> psutil.Process:
    """The renderer of the worker's page."""
    family = psutil.Process(process.pid).children(recursive=True)
    (worker,) = [p for p in family if "harness.worker" in p.cmdline()]
    pages = [p for p in worker.children(recursive=True) if "--type=renderer" in p.cmdline()]
    return pages[-1]


@pytest.mark.proof
@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGSEGV])
def test_a_page_that_is_killed_is_told_from_one_that_crashes(
    signal_: signal.Signals, access: Access, tmp_path: Path
) -> None:
    """The browser says how the page's process ended: by a kill (nobody's result, played again) or by itself (the product's).

    At times Chromium goes down with its page; then there is nobody to say it, and it is nobody's result: tried again here.
    """
    for number in range(4):
        results = tmp_path / f"results-{number}"
        process = rig_run(access, results, tmp_path / f"{number}.err")
        path = until_events(results, 1, 10, process)
        page_process(process).send_signal(signal_)
        process.communicate(timeout=180)
        ledger = [json.loads(line) for line in (results / "r1/ledger.jsonl").read_bytes().splitlines()]
        reasons = [row["termination_reason"] for row in ledger]
        why = json.loads((path / "attempt.json").read_bytes())["why"]
        assert verify_run(results / "r1", ROOT / "packages").problems == []
        if "browser" not in why:
            break
        assert reasons == ["environment_error", "completed"]
    if signal_ == signal.SIGKILL:
        assert (reasons, "killed from outside" in why) == (["environment_error", "completed"], True)
    else:
        assert (reasons, "crash" in why) == (["product_error"], True)


@pytest.mark.proof
def test_a_product_that_is_started_again_keeps_its_result(tmp_path: Path) -> None:
    """Killed in the middle of a journey and there again at once: whatever the customer met stands, played once."""
    (tmp_path / "stack").mkdir()
    results = tmp_path / "results"
    with Stack(tmp_path / "stack") as stack:
        access = Access(
            stack.base_url, stack.secrets["RIG_SEED_TOKEN"], "staff", stack.secrets["RIG_STAFF_PASSWORD"], None, False
        )
        first = rig_run(access, results, tmp_path / "first.err")
        until_events(results, 1, 10, first)
        stack.kill_product()
        stack.start_product()
        out, _ = first.communicate(timeout=280)
    trial = json.loads(out)["trials"][0]
    assert (first.returncode, trial["attempts"], trial["counting_attempt"]) == (0, 1, 1), trial
    assert verify_run(results / "r1", ROOT / "packages").problems == []


@pytest.mark.proof
def test_a_network_process_that_is_killed_is_held_against_nobody(access: Access, tmp_path: Path) -> None:
    """Requests under way are lost with it: the page gets over that, or the attempt is the environment's and played again."""
    results = tmp_path / "results"
    process = rig_run(access, results, tmp_path / "first.err")
    until_events(results, 1, 10, process)
    (worker,) = [p for p in psutil.Process(process.pid).children(recursive=True) if "harness.worker" in p.cmdline()]
    for one in worker.children(recursive=True):
        if any("NetworkService" in part for part in one.cmdline()):
            one.kill()
    process.communicate(timeout=280)
    ledger = [json.loads(line) for line in (results / "r1/ledger.jsonl").read_bytes().splitlines()]
    assert [row["termination_reason"] for row in ledger] in (["completed"], ["environment_error", "completed"])
    assert verify_run(results / "r1", ROOT / "packages").problems == []


@pytest.mark.proof
def test_a_product_that_goes_away_is_nobodys_result(tmp_path: Path) -> None:
    """Killed in the middle of a journey: environment_error, exit code 4; with the product back, the same run is completed."""
    (tmp_path / "stack").mkdir()
    results = tmp_path / "results"
    with Stack(tmp_path / "stack") as stack:
        access = Access(
            stack.base_url, stack.secrets["RIG_SEED_TOKEN"], "staff", stack.secrets["RIG_STAFF_PASSWORD"], None, False
        )
        first = rig_run(access, results, tmp_path / "first.err")
        until_events(results, 1, 10, first)
        stack.kill_product()
        out, _ = first.communicate(timeout=280)
        assert first.returncode == 4, (tmp_path / "first.err").read_text()
        trial = json.loads(out)["trials"][0]
        assert (trial["termination_reason"], trial["counting_attempt"]) == ("environment_error", None)
        stack.start_product()
        out, _ = rig_run(access, results, tmp_path / "second.err").communicate(timeout=180)
        trial = json.loads(out)["trials"][0]
        assert (trial["termination_reason"], trial["attempts"], trial["counting_attempt"]) == ("completed", 4, 4)
    assert verify_run(results / "r1", ROOT / "packages").problems == []
