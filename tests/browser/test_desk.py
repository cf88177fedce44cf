"""The investigator's desk on one local stack: failures are replayed, branched off, handed over, and played by a person."""

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "report"))

from record_builder import RunBuilder, Talk

from harness.browser import find_browser, launch_args
from harness.cli.handover import export_attempt
from harness.cli.play import Outcome
from harness.cli.replay import ReplayRequest, replay
from harness.config import read_config
from harness.handover.bundle import bundle
from harness.journal import open_run
from harness.progress import Quiet
from harness.run import Access, RunOptions, execute
from harness.schema import events as ev
from harness.schema.grade import grade
from harness.schema.screen import Block, Screen
from harness.stack import StackConnection, for_run
from harness.verify import verify_run
from tests.support.ports import stack_ports

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]
ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "packages"
PACKAGE = "CTL-M-001"


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackConnection]:
    """The reference product, controlled, on a stack of its own that commands of this process find running."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"RIG_STATE_DIR": str(tmp_path_factory.mktemp("stack")), **stack_ports()}.items():
            patch.setenv(name, value)
        with for_run("controlled", config=read_config(), progress=Quiet()) as connection:
            yield connection


@pytest.fixture(scope="module")
def results(stack: StackConnection, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two failed journeys: one fails on the customer's page, one on the staff's."""
    folder = tmp_path_factory.mktemp("results")
    access = Access(stack.base_url, stack.seed_token, stack.staff_user, stack.staff_password, None, False)
    for run, defect in (("asks", "repeated_question"), ("alarms", "review_false_alarm")):
        options = RunOptions(
            run=run, packages=(PACKAGE,), customer="rule", corpus=PACKAGES, results=folder, rehearsal=True, defects=(defect,),
            trace="on" if run == "asks" else "off",
        )  # fmt: skip
        assert execute(options, access, Quiet()).exit_code == 0
    return folder


@pytest.fixture
def again(results: Path) -> Callable[..., Outcome]:
    """Replay or fork one of them."""

    def run(name: str, new: str, **changes: Any) -> Outcome:
        given: dict[str, Any] = {
            "attempt": f"{name}/{PACKAGE}/t01/a01", "run": new, "customer": None, "continue_live": False, "turn": None, "times": 1,
            "lines": (), "defects": None, "product": None, "url": None, "headed": False, "slow_ms": 0, "results": results,
            "corpus": PACKAGES,
        }  # fmt: skip
        return replay(ReplayRequest(**{**given, **changes}))

    return run


@pytest.mark.stack
@pytest.mark.parametrize(
    ("name", "line"),
    [("asks", "journey.repeated_questions"), pytest.param("alarms", "review.", marks=pytest.mark.short_proof)],
)
def test_a_deterministic_failure_comes_again(
    name: str, line: str, results: Path, again: Callable[..., Outcome]
) -> None:
    """The same moves, the same screens but for the case number, the same line fails; the new attempt names its parent."""
    got = again(name, f"{name}-again")
    assert got.exit_code == 0, got.lines
    assert got.plain["reproduced"] is True and got.plain["differences"] == []
    assert got.plain["lines"][0]["line"].startswith(line) and got.plain["lines"][0]["now"] == "fail"
    journal = open_run(results / f"{name}-again")
    assert journal.manifest is not None and journal.attempts[0].attempt is not None
    parent = f"{name}/{PACKAGE}/t01/a01"
    assert journal.manifest.settings.parent_attempt == journal.attempts[0].attempt.parent_attempt == parent
    verdict, reasons = grade(journal.manifest)
    assert verdict == "rehearsal" and f"a replay or fork of {parent}" in reasons
    assert verify_run(journal.path, PACKAGES).ok


@pytest.mark.stack
@pytest.mark.short_proof
def test_a_failure_of_a_limit_is_held_against_the_limit_it_failed(results: Path, again: Callable[..., Outcome]) -> None:
    """A run may have had a stricter limit than its adapter's file: the new attempt is held against that one, too."""
    shutil.copytree(results / "alarms", results / "strict")
    path = results / "strict" / "adapter.json"
    path.write_text(
        json.dumps({**json.loads(path.read_bytes()), "limits": {"slow_reply_s": "0.001"}}), encoding="utf-8"
    )
    got = again("strict", "strict-again", lines=("journey.slow_turn",))
    assert (got.exit_code, [(row["line"], row["now"]) for row in got.plain["lines"]]) == (
        0,
        [("journey.slow_turn", "fail")],
    )


@pytest.mark.stack
def test_a_failure_that_was_fixed_did_not_reproduce(again: Callable[..., Outcome]) -> None:
    """Seen to the end where the talk is the same; where it is not, the replay stops, says where, and a customer may go on."""
    same = again("alarms", "alarms-fixed", defects=())
    assert (same.exit_code, same.plain["verdict"], same.plain["stopped"]) == (1, "did_not_reproduce", False)
    other = again("asks", "asks-fixed", defects=())
    assert (other.exit_code, other.plain["reproduced"], other.plain["stopped"]) == (1, False, True)
    assert "the recorded screen wanted" in other.plain["difference"]["why"]
    assert other.plain["difference"]["screen"]["part"] == "reply" and other.plain["difference"]["turn"] >= 1


@pytest.mark.stack
@pytest.mark.short_proof
def test_a_fork_says_how_often_the_failure_repeats(again: Callable[..., Outcome], results: Path) -> None:
    """From a turn on the customer decides again, each time from a fresh seed; the share has an interval."""
    got = again("asks", "asks-fork", turn=3, times=2)
    assert (got.exit_code, got.plain["repeated"], got.plain["of"]) == (0, 2, 2), got.lines
    assert got.plain["interval"]["low"] < 1.0 == got.plain["interval"]["high"]
    for item in open_run(results / "asks-fork").attempts:
        assert '"what":"handed_over"' in (item.path / "events.jsonl").read_text(encoding="utf-8")


@pytest.mark.stack
@pytest.mark.parametrize("name", ["asks", pytest.param("alarms", marks=pytest.mark.short_proof)])
def test_the_exported_script_fails_where_the_journey_failed(
    name: str, results: Path, stack: StackConnection, tmp_path: Path
) -> None:
    """Run by itself, without the rig on its path: it fails by the line's own words, and passes on the mended product."""
    script = tmp_path / "journey.py"
    export_attempt(f"{name}/{PACKAGE}/t01/a01", "playwright", script, results, PACKAGES)
    browser = find_browser()
    env = {
        **os.environ, "RIG_SEED_TOKEN": stack.seed_token, "RIG_STAFF_USER": stack.staff_user,
        "RIG_STAFF_PASSWORD": stack.staff_password, "BASE_URL": stack.base_url, "BROWSER_PATH": str(browser.path),
    }  # fmt: skip
    text = script.read_text(encoding="utf-8")
    assert stack.seed_token not in text and stack.staff_password not in text
    broken = _run(script, env)
    assert broken.returncode == 1 and "the journey fails: " in broken.stderr, broken.stderr
    defect = {"asks": "repeated_question", "alarms": "review_false_alarm"}[name]
    script.write_text(text.replace(f"'defects': ['{defect}']", "'defects': []"), encoding="utf-8")
    mended = _run(script, env)
    assert (mended.returncode, mended.stdout) == (0, "the journey does not fail\n"), mended.stderr


def _run(script: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", script.name]
    return subprocess.run(command, cwd=script.parent, env=env, capture_output=True, text=True, timeout=200, check=False)


@pytest.mark.stack
def test_the_bundle_and_the_trace_hold_no_key_of_the_stack(
    results: Path, stack: StackConnection, tmp_path: Path
) -> None:
    """Whatever the record's network log carried; the trace stays with the record, and is part of what verifies."""
    attempt = results / "asks" / PACKAGE / "t01" / "a01"
    cookies = [
        line.split("=", 1)[1].split(";")[0]
        for row in (attempt / "network.jsonl").read_text(encoding="utf-8").splitlines()
        for line in [json.loads(row)["response_headers"].get("set-cookie", "")]
        if "=" in line
    ]
    made = bundle(attempt, PACKAGES, tmp_path / "b.zip")
    assert cookies and list(made.left_out) == ["trace.zip"]
    with zipfile.ZipFile(made.path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    for secret in (stack.seed_token, stack.staff_password, *cookies):
        assert not [name for name, data in parts.items() if secret.encode() in data]
    with zipfile.ZipFile(attempt / "trace.zip") as trace:
        held = {name: trace.read(name) for name in trace.namelist()}
    assert "trace.trace" in held and not any(stack.seed_token.encode() in data for data in held.values())
    assert verify_run(results / "asks", PACKAGES).ok


@pytest.mark.stack
def test_a_person_plays_the_customer_at_a_terminal(results: Path, stack: StackConnection) -> None:
    """Typed lines become the moves of the record; who leaves ends the attempt, which counts for nothing."""
    command = [str(Path(sys.executable).parent / "rig"), "play", PACKAGE, "--run", "person", "--results", str(results)]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*command, "--corpus", str(PACKAGES), "--json"], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT
    )
    os.close(theirs)
    try:
        shown = _until(ours, "> ", "")
        assert "You are Nora Tidewell" in shown and "company: " in shown
        os.write(ours, b"/press 9\n")
        assert "nothing numbered" in _until(ours, "> ", "nothing numbered")
        os.write(ours, "It was about 16:20 – 下午 🚗\n".encode())
        assert "turn 2" in _until(ours, "> ", "turn 2")
        os.write(ours, b"\x04")
        out, _ = process.communicate(timeout=100)
    finally:
        process.kill()
        os.close(ours)
    assert process.returncode == 4 and json.loads(out)["trials"][0]["termination_reason"] == "aborted"
    (item,) = open_run(results / "person").attempts
    assert item.attempt is not None and item.attempt.customer == "person"
    rows = [json.loads(row) for row in (item.path / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    moves = [row for row in rows if row["kind"] == "move" and row["by"] == "person"]
    assert [m["move"]["messages"] for m in moves] == [["It was about 16:20 – 下午 🚗"]]


def _until(terminal: int, end: str, words: str, seconds: float = 120.0) -> str:
    """What the terminal shows until it has shown `words` and then ends in `end`; fails when that takes too long."""
    shown, stop = "", time.monotonic() + seconds
    while not (words in shown and shown.endswith(end)):
        assert time.monotonic() < stop, shown
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
    return shown


# The bundle's page, hostile ----------------------------------------------------------------------------------------------


def test_hostile_text_is_inert_in_the_bundles_page(tmp_path: Path) -> None:
    """Every payload as product, customer and page text, opened from the zip: no request, no dialog, no script; a page that
    does load something is noticed by the same watch."""
    payloads = json.loads((ROOT / "tests" / "browser" / "payloads.json").read_text(encoding="utf-8"))["payloads"]
    attempt = _hostile(tmp_path / "results", [p["text"] * min(p["times"], 2000) for p in payloads])
    made = bundle(attempt, PACKAGES, tmp_path / "b.zip", {"RIG_STATE_DIR": str(tmp_path)})
    with zipfile.ZipFile(made.path) as file:
        file.extractall(tmp_path / "open")
    (tmp_path / "broken.html").write_text("<img src='http://127.0.0.1:9/seen' onerror='alert(1)'>", encoding="utf-8")
    assert len(payloads) >= 40
    assert _watched(tmp_path / "broken.html") == (["http://127.0.0.1:9/seen"], ["1"])
    assert _watched(tmp_path / "open" / "index.html") == ([], [])


def _hostile(results: Path, payloads: list[str]) -> Path:
    builder = RunBuilder(results, "hostile", packages={"EVIL": "ab" * 32})
    talk = Talk(builder.folder("EVIL"))
    talk.add(ev.JourneyStarted, url="http://127.0.0.1/", customer="model", browser="b", sandbox=False, rng_seed=1)
    for n, text in enumerate(payloads, 1):
        talk.turn = n
        talk.add(ev.Acted, act="said", text=text, confirmed=True, act_ms=1.0)
        blocks = [Block(part=part, text=text) for part in ("reply", "panel", "notice")]
        talk.add(ev.ScreenSeen, screen=Screen(seq=n, blocks=blocks, controls=[]), pictures=[], read_ms=1.0)
        talk.add(ev.PageEvent, what="console_error", detail=text, policy="recorded")
    everything = " ".join(text[:300] for text in payloads)
    talk.add(ev.JourneyEnded, reason="completed", why=everything, final=None)
    builder.attempt(talk, why=everything, package="EVIL")
    return builder.folder("EVIL")


def _watched(page_file: Path) -> tuple[list[str], list[str]]:
    """(requests beside the page itself, dialogs) of a page that is opened, unfolded and hovered."""
    requests: list[str] = []
    dialogs: list[str] = []
    found = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(found.path), args=launch_args(found.sandbox))
        page = browser.new_page()
        page.on("request", lambda r: requests.append(r.url) if not r.url.startswith(("file:", "data:")) else None)
        page.on("dialog", lambda d: (dialogs.append(d.message), d.dismiss()))
        page.goto(page_file.as_uri())
        page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true; })")
        page.mouse.move(300, 300)
        page.keyboard.press("Tab")
        assert page.evaluate("() => [...document.scripts].length") == 0
        browser.close()
    return requests, dialogs
