"""Measures the rig beside an ordinary Playwright script, side by side in one run, with the rule customer.

    scripts/bench --json [--rounds N] [--only NAME …]

Prints `[{name, ours, reference, unit, ratio, n}]`; `ratio` is ours / reference. What is measured and how:

- `turn`: wall time of a journey (from before its browser context is made until it is closed and its evidence written) over
  its acts. Reference: scripts/bench_bare.py plays the same acts. Rounds alternate; median journey of each side.
- `journeys_W`: journeys a minute with W workers, beside W bare scripts with a browser each. Both sides seed each journey,
  look the case up on the staff page and read the product's state, with more than one worker while the next journey runs.
  From the first seed to the last piece of evidence, browsers already running (the rig's own for staff pages is not).
- `own_time`: the rig's own milliseconds per turn without browser and model: prompt, gate, parse, guard, record, in one
  process, over the screens and moves of a journey just recorded. Reference: the aim of 3 ms.
- `reading`: reading a screen in a talk with 120 replies. Reference: the same with 6 replies, interleaved.
- `evidence`: bytes on disk per act, pictures and bodies included. Reference: the bare script's.
- `memory`: proportional set size of one worker with its browser, at its peak. Reference: a bare script with its browser.
- `start_up`: `rig --help`, whole process. Reference: `python -c pass`; the aim is 150 ms.

Nothing depends on these figures: the exit code is 0 whatever they are.
"""

import argparse
import asyncio
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil
from playwright.async_api import async_playwright

from harness.browser import Browser, find_browser, launch_args
from harness.config import read_config
from harness.customer.conduct import Conduct
from harness.customer.players import ModelPlayer
from harness.gate import Caps
from harness.progress import Quiet
from harness.run import Access, RunOptions, execute
from harness.schema.move import Move
from harness.schema.order import FROM_WORKER, TO_WORKER, JourneyOrder, ModelReply, ModelRequest, line_of
from harness.schema.screen import Screen
from harness.screen.adapter import find_adapter, load_adapter
from harness.screen.surface import Surface
from harness.stack import StackConnection, for_run
from scripts.bench_bare import Plan, Step, plan_json
from tests.support.gates import FakeSource, bench
from tests.support.ports import stack_ports

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "CTL-M-001"
CORPUS = ROOT / "packages"
WORKERS = (1, 2, 4)
FEW, MANY = 6, 120
VIEWPORT: tuple[int, int] = JourneyOrder.model_fields["viewport"].default
"""Of both sides, in pixels."""
NAMES = ("turn", "journeys_1", "journeys_2", "journeys_4", "own_time", "reading", "evidence", "memory", "start_up")
"""Figures, by the names that `--only` takes."""


@dataclass(frozen=True)
class Figure:
    """One line of the result."""

    name: str
    ours: float
    reference: float
    unit: str
    n: int
    """Measurements of ours."""

    def plain(self) -> dict[str, Any]:
        """As it is printed."""
        return {
            "name": self.name, "ours": round(self.ours, 3), "reference": round(self.reference, 3), "unit": self.unit,
            "ratio": round(self.ours / self.reference, 3), "n": self.n,
        }  # fmt: skip


@dataclass(frozen=True)
class Played:
    """Journeys of one side."""

    ms: list[float]
    """Wall time of each journey."""
    size: list[float]
    """Bytes of evidence of each."""
    seconds: float
    """From the first seed to the last piece of evidence."""
    pss: float
    """Peak of proportional set size of one worker with its browser, bytes."""


def say(text: str) -> None:
    """Progress, on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def tree_pss(pid: int) -> float:
    """Proportional set size of a process and all below it, bytes; what ends meanwhile counts nothing."""
    total = 0.0
    try:
        root = psutil.Process(pid)
        for process in [root, *root.children(recursive=True)]:
            try:
                total += process.memory_full_info().pss
            except psutil.Error:
                continue
    except psutil.Error:
        return total
    return total


@contextmanager
def watch_memory(find: Callable[[], Sequence[int]]) -> Iterator[list[float]]:
    """Samples the trees of what `find` gives, four times a second; the list holds the highest value of one tree."""
    peak, over = [0.0], threading.Event()

    def sample() -> None:
        while not over.wait(0.25):
            peak[0] = max([peak[0], *(tree_pss(pid) for pid in find())])

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def own_workers() -> list[int]:
    """Worker processes that this process's run started."""
    found = []
    for process in psutil.Process().children():
        try:
            if "harness.worker" in process.cmdline():
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


class Sides:
    """Both sides against one product."""

    def __init__(self, stack: StackConnection, browser: Browser, folder: Path) -> None:
        self.stack = stack
        self.browser = browser
        self.folder = folder
        self.steps: list[Step] = []
        self.attempt: Path | None = None
        """The journey the bare script repeats."""

    def ours(self, journeys: int, workers: int, memory: bool = False) -> Played:
        """A run of the rig."""
        stack, run = self.stack, f"b{secrets.token_hex(4)}"
        access = Access(
            stack.base_url, stack.seed_token, stack.staff_user, stack.staff_password, None, stores_configured=False
        )
        options = RunOptions(
            run=run, packages=(PACKAGE,), customer="rule", rehearsal=True, corpus=CORPUS, results=self.folder / "results",
            trials=journeys, workers=workers,
        )  # fmt: skip
        with watch_memory(own_workers if memory else list) as peak:
            execute(options, access)
        attempts = sorted((self.folder / "results" / run / PACKAGE).glob("t*/a*"))
        for attempt in attempts:
            ended = json.loads((attempt / "attempt.json").read_bytes())
            if ended["termination_reason"] != "completed":
                raise RuntimeError(f"{attempt}: {ended['termination_reason']}: {ended['why']}: nothing can be compared")
        spans = [_span(a) for a in attempts]
        self.attempt = self.attempt or attempts[0]
        began = sorted(_begun(a) for a in attempts)[0]
        ended = max((a / "attempt.json").stat().st_mtime for a in attempts)
        return Played([(b - a) * 1000 for a, b in spans], [_size(a) for a in attempts], ended - began, peak[0])

    def bare(self, journeys: int, workers: int, staff: bool, memory: bool = False) -> Played:
        """So many bare scripts at once, `journeys` over all of them."""
        if self.attempt is None:
            raise RuntimeError("the rig plays first: the script repeats its acts")
        self.steps = self.steps or list(_steps(self.attempt))
        share = [journeys // workers + (i < journeys % workers) for i in range(workers)]
        scripts = [self._start(n, staff, overlap=workers > 1) for n in share if n]
        try:
            for script in scripts:
                _line(script)
            with watch_memory(lambda: [s.pid for s in scripts] if memory else []) as peak:
                for script in scripts:
                    _go(script)
                done = [json.loads(_line(script)) for script in scripts]
            for script in scripts:
                _go(script)
        finally:
            for script in scripts:
                script.communicate(timeout=60)  # also lets go of it where another one broke
        played = [j for d in done for j in d["journeys"]]
        seconds = max(d["ended"] for d in done) - min(d["began"] for d in done)
        return Played(
            [(j["ended"] - j["started"]) * 1000 for j in played], [j["bytes"] for j in played], seconds, peak[0]
        )

    def _start(self, journeys: int, staff: bool, overlap: bool) -> subprocess.Popen[str]:
        out = self.folder / f"bare-{secrets.token_hex(4)}"
        setup = json.loads((CORPUS / "claims" / PACKAGE / "setup.json").read_text(encoding="utf-8"))
        seed = {k: setup[k] for k in ("claimant_session", "now", "policy", "prior_claims", "failed_lookups")}
        plan = Plan(
            self.stack.base_url, self.stack.seed_token, self.stack.staff_user, self.stack.staff_password,
            str(self.browser.path), launch_args(self.browser.sandbox), self.browser.sandbox, VIEWPORT,
            {"schema": "seed-request-v1", "defects": [], **seed}, self.steps, journeys, str(out), staff, overlap,
        )  # fmt: skip
        path = self.folder / f"{out.name}.json"
        path.write_text(plan_json(plan), encoding="utf-8")
        return subprocess.Popen(
            [sys.executable, "-m", "scripts.bench_bare", str(path)], cwd=ROOT, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )  # fmt: skip


def _line(script: subprocess.Popen[str]) -> str:
    line = script.stdout.readline() if script.stdout else ""
    if not line:
        raise RuntimeError(f"the bare script ended with {script.wait()}")
    return line


def _go(script: subprocess.Popen[str]) -> None:
    if script.stdin:
        script.stdin.write("\n")
        script.stdin.flush()


def _events(attempt: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (attempt / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def _span(attempt: Path) -> tuple[float, float]:
    events = _events(attempt)
    if events[-1].get("reason") != "completed":
        raise RuntimeError(f"a journey ended {events[-1].get('reason')}: {events[-1].get('why')}")
    first, last = (datetime.fromisoformat(e["at"]).timestamp() for e in (events[0], events[-1]))
    return first, last


def _begun(attempt: Path) -> float:
    """When the worker was there and the seed was sent: the seed's receipt is the first thing of an attempt on disk."""
    return (attempt / "seed.json").stat().st_mtime


def _size(attempt: Path) -> float:
    """Bytes of what the journey itself recorded; the bare script has nothing like the rest."""
    after = {"staff.json", "state.json", "usage.json", "attempt.json", "seed.json"}
    return float(sum(f.stat().st_size for f in attempt.rglob("*") if f.is_file() and f.name not in after))


def _steps(attempt: Path) -> Iterator[Step]:
    materials = CORPUS / "claims" / PACKAGE / "input" / "materials"
    for event in _events(attempt):
        if event["kind"] == "acted" and event["act"] != "waited":
            file = str(materials / event["file"]) if event["file"] else None
            yield Step(event["act"], event["text"], file)


# ---------------------------------------------------------------------- the rig's own time


def memories() -> list[Any]:
    """The bounded caches of the customer's code: what they hold depends on texts of a journey."""
    modules = [
        m
        for name, m in sys.modules.items()
        if name.startswith(("harness.customer.", "harness.schema.wording", "harness.schema.words."))
    ]
    found = {id(f): f for m in modules for f in vars(m).values() if hasattr(f, "cache_parameters")}
    return [f for f in found.values() if f.cache_parameters()["maxsize"] is not None]


class GatePipe:
    """The pipe between worker and gate in one process: every message is written out and read back as between processes."""

    def __init__(self, ask: Callable[[ModelRequest], Any]) -> None:
        self._ask = ask

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """One request, there and back."""
        sent = ModelRequest(messages=messages, schema=schema, screen=screen, note=note)
        request = FROM_WORKER.validate_json(line_of(sent))
        reply = await self._ask(request)
        back: ModelReply = TO_WORKER.validate_json(line_of(reply))
        return back


async def own_time(attempt: Path, folder: Path, rounds: int) -> list[float]:
    """Milliseconds per turn of each round over the screens of a recorded journey, the rule customer's moves as replies."""
    turns: list[tuple[Screen, Move | None, list[str]]] = []
    for event in _events(attempt):
        if event["kind"] == "screen":
            turns.append((Screen.model_validate(event["screen"]), None, []))
        elif event["kind"] == "move" and event["by"] == "rule" and turns:
            turns[-1] = (turns[-1][0], Move.model_validate(event["move"]), turns[-1][2])
        elif event["kind"] == "acted" and event["act"] == "said" and turns:
            turns[-1][2].append(event["text"])
    spent = []
    for number in range(rounds):
        home = folder / f"own-{number}"
        home.mkdir()
        for cached in memories():
            cached.cache_clear()  # each round is a customer of its own
        bed = bench(home, package=CORPUS / "claims" / PACKAGE, caps=Caps())
        source: FakeSource = bed.source
        conduct = Conduct(
            ModelPlayer(GatePipe(bed.gate.ask), "model"), bed.ledger, bed.record, tries=3, stand_in_limit=3
        )
        decided, took = 0, 0.0
        for screen, move, said in turns:
            if move is not None:
                source.answers.append(move.model_dump_json())
            before = time.perf_counter()
            bed.show(screen)
            if move is not None:
                got = await conduct.decide(screen)
                if got is None or got[1] != "model" or got[0] != move:
                    raise RuntimeError(f"the move of screen {screen.seq} was not taken: {got}")
                bed.record.emit("move", move=move.model_dump(), by="model", call=got[2], decide_ms=1.0)
                decided += 1
            for text in said:
                acted = {"act": "said", "text": text, "file": None, "sha256": None}
                bed.record.emit("acted", **acted, confirmed=True, retries=0, act_ms=1.0)
                conduct.took_opening(text) if decided == 0 else conduct.took_message(text, screen)
            if move is not None and move.move == "upload":
                file = conduct.ledger.file_called(move.file)
                if file is not None:
                    conduct.took_file(file.file)
            took += (time.perf_counter() - before) * 1000
        bed.gate.close()
        bed.record.close()
        spent.append(took / decided)
    return spent


# ---------------------------------------------------------------------- reading

TALK = """<!doctype html><meta charset="utf-8"><style>
[role=log] { height: 520px; overflow-y: auto } article { margin: 8px; padding: 8px; max-width: 60ch }
</style><main><section role="log" aria-label="Conversation">%s</section>
<aside aria-label="Your claim so far"><dl><dt>Date</dt><dd>9 March 2026</dd></dl></aside>
<form><label>Your message <textarea></textarea></label><button>Send</button></form></main>
<script>document.querySelector("[role=log]").scrollTop = 1e9</script>"""


async def reading(browser: Browser, folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of reading the screen after a new reply, with MANY and with FEW replies in the talk.

    As at the end of a turn, the page has shown the reply by then: laying it out is the page's own work.
    """
    adapter = load_adapter(find_adapter("reference-claims"))
    times: dict[int, list[float]] = {FEW: [], MANY: []}
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=str(browser.path), args=launch_args(browser.sandbox), chromium_sandbox=browser.sandbox
        )
        surfaces = {}
        for replies in times:
            path = folder / f"talk-{replies}.html"
            said = "".join(_exchange(i) for i in range(replies))
            path.write_text(TALK % said, encoding="utf-8")
            context = await chromium.new_context(
                viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]}, service_workers="block"
            )
            surfaces[replies] = await Surface.open(context, adapter, path.as_uri(), _Nowhere())
        for number in range(rounds):
            for replies, surface in surfaces.items():
                await surface.page.evaluate(ADD, _exchange(1000 + number))
                before = time.perf_counter()
                screen = await surface.read(number + 1)
                times[replies].append((time.perf_counter() - before) * 1000)
                if not any(f"number {1000 + number} " in b.text for b in screen.blocks):
                    raise RuntimeError("the newest reply was not read")
        await chromium.close()
    return times[MANY], times[FEW]


ADD = """html => new Promise((shown) => {
  document.querySelector('[role=log]').insertAdjacentHTML('beforeend', html);
  requestAnimationFrame(() => setTimeout(shown));
})"""
"""Adds to the talk and gives the page a frame."""


def _exchange(number: int) -> str:
    return (
        f'<article data-from="customer"><p>My answer number {number} is that the bumper was hit.</p></article>'
        f'<article data-from="assistant"><p>Thank you, number {number} is noted. What is your registration number, '
        "and where is your car now?</p><ul class='tags'><li>Date noted</li></ul></article>"
    )


class _Nowhere:
    """Keeps nothing."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Dropped."""
        return 0

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Dropped."""
        return name, "0" * 64


def start_up(rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of `rig --help` and of `python -c pass`, taken in turn, after one of each that compiles what is new.

    Read through a pipe, since a wait with a time limit and no pipe polls in steps that grow to 50 ms.
    """
    rig, python = Path(sys.executable).with_name("rig"), sys.executable
    ours, reference = [], []
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for number in range(rounds + 1):
        for command, times in (([str(rig), "--help"], ours), ([python, "-c", "pass"], reference)):
            before = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True, timeout=60, env=env)
            if number:
                times.append((time.perf_counter() - before) * 1000)
    return ours, reference


# ---------------------------------------------------------------------- all of it


def measure(only: Sequence[str], rounds: int, journeys: int) -> Iterator[Figure]:
    """The figures asked for, as they come."""
    browser = find_browser()
    with tempfile.TemporaryDirectory(prefix="rig-bench-") as name:
        folder = Path(name)
        if "start_up" in only:
            ours, reference = start_up(rounds * 4)
            yield Figure("start_up", statistics.median(ours), statistics.median(reference), "ms", len(ours))
        if "reading" in only:
            many, few = asyncio.run(reading(browser, folder, rounds * 10))
            yield Figure("reading", statistics.median(many), statistics.median(few), "ms", len(many))
        if not set(only) - {"start_up", "reading"}:
            return
        env = {k: v for k, v in os.environ.items() if not k.startswith(("RIG_", "OPENAI_"))}
        env |= {"RIG_STATE_DIR": str(folder / "stack"), **stack_ports()}
        with for_run("controlled", config=read_config(env), progress=Quiet()) as stack:
            yield from _with_product(Sides(stack, browser, folder), only, rounds, journeys)


def _with_product(sides: Sides, only: Sequence[str], rounds: int, journeys: int) -> Iterator[Figure]:
    first = sides.ours(1, 1)
    sides.bare(1, 1, staff=False)
    acts = len(sides.steps)
    say(f"one journey is {acts} acts; the first took {first.ms[0]:.0f} ms")
    if "own_time" in only and sides.attempt is not None:
        spent = asyncio.run(own_time(sides.attempt, sides.folder, rounds * 15))
        yield Figure("own_time", statistics.median(spent), 3.0, "ms per turn, the reference is an aim", len(spent))
    if "memory" in only:  # on its own: to look at it takes time
        peaks = [(sides.ours(1, 1, memory=True).pss, sides.bare(1, 1, False, memory=True).pss) for _ in range(rounds)]
        yield Figure("memory", _mid([a for a, _ in peaks]) / 1e6, _mid([b for _, b in peaks]) / 1e6, "MB", rounds)
    if {"turn", "evidence"} & set(only):
        ours: list[Played] = []
        bare: list[Played] = []
        for number in range(rounds):
            ours.append(sides.ours(3, 1))
            bare.append(sides.bare(3, 1, staff=False))
            say(f"round {number + 1} of {rounds}: {_mid(ours[-1].ms):.0f} ms a journey, bare {_mid(bare[-1].ms):.0f}")
        if "turn" in only:
            a, b = ([ms for p in side for ms in p.ms] for side in (ours, bare))
            yield Figure("turn", _mid(a) / acts, _mid(b) / acts, "ms", len(a))
        if "evidence" in only:
            a, b = ([size for p in side for size in p.size] for side in (ours, bare))
            yield Figure("evidence", _mid(a) / acts, _mid(b) / acts, "bytes per turn", len(a))
    for workers in WORKERS:
        if f"journeys_{workers}" in only:
            rates: tuple[list[float], list[float]] = ([], [])
            for _ in range(rounds):
                rates[0].append(60 * journeys / sides.ours(journeys, workers).seconds)
                rates[1].append(60 * journeys / sides.bare(journeys, workers, staff=True).seconds)
                say(f"{workers} workers: {rates[0][-1]:.1f} journeys a minute, bare {rates[1][-1]:.1f}")
            yield Figure(f"journeys_{workers}", _mid(rates[0]), _mid(rates[1]), "journeys a minute", len(rates[0]))


def _mid(values: Sequence[float]) -> float:
    return statistics.median(values)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON on standard output, nothing else")
    parser.add_argument("--rounds", type=int, default=4, help="alternations of the two sides (default 4)")
    parser.add_argument("--journeys", type=int, default=12, help="journeys of one throughput measurement (default 12)")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES), help="these figures only")
    options = parser.parse_args()
    if options.rounds < 1 or options.journeys < max(WORKERS):
        parser.error(f"--rounds must be at least 1, --journeys at least {max(WORKERS)}")
    figures = []
    for figure in measure(options.only, options.rounds, options.journeys):
        figures.append(figure.plain())
        if not options.json:
            sys.stdout.write(
                "{name:<12} {ours:>12} {reference:>12}  x{ratio:<7} n={n:<4} {unit}\n".format(**figures[-1])
            )
            sys.stdout.flush()
    if options.json:
        sys.stdout.write(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
