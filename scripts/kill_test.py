"""Kills worker, browser, parent and product of runs at random events, continues each run, and checks what is left.

    scripts/kill_test --n 200 --json [--seed N] [--minutes M] [--keep DIR]

Afterwards every trial must have exactly one counting attempt, every attempt folder one line in the ledger, nothing may be
counted twice or played again, `rig verify` must find nothing, a killed part of the rig must not be held against the product,
the cost of an attempt in which a model call was under way must be marked incomplete, and no process may be left over. Where
the product itself was killed and came back, its attempt may count (see harness.run), completed, as product_error or time_limit:
how often is told. The product, its
stores and the model's stub endpoint are this script's own, on free ports, in a folder of its own; only processes that it or
its `rig run` started are ended. Every part is killed once before chance decides. Exit 1 on any problem.
"""

import argparse
import contextlib
import hashlib
import json
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.support.ports import free_ports
from tests.support.stub_endpoint import KEY, StubEndpoint, slow

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "CTL-M-001"
VICTIMS = ("worker", "browser", "page", "network", "parent", "product")
"""`page` is the process of a page, `network` the one of a browser's requests; in the summary's `by_victim` they count as a
browser, with a line of their own."""
BROWSERS = ("browser", "page", "network")
WEIGHTS = (25, 13, 10, 4, 29, 19)
NOT_COUNTING = ("aborted", "rig_error", "environment_error", "simulator_error")
READY_S = 90.0
STALL_S = 600.0
"""Without a sign of life for this long, a run is taken for hung."""
RERUNS = 12
"""A run that is left alone must be whole after so many calls at most."""
PROBLEM_LIMIT = 30
"""After so many problems the test stops."""
GONE_S = 60.0
"""For processes of a killed run to be gone."""


def say(text: str) -> None:
    """Progress, on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


class Stack:
    """Product and stores as children of this script. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mongodb, self.s3, self.port = free_ports(3)
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.secrets = {
            "RIG_SEED_TOKEN": secrets.token_urlsafe(24),
            "RIG_STAFF_USER": "staff",
            "RIG_STAFF_PASSWORD": secrets.token_urlsafe(18),
        }
        self._children: list[subprocess.Popen[bytes]] = []
        self.product: subprocess.Popen[bytes] | None = None

    def _start(self, name: str, arguments: Sequence[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env, cwd=ROOT
            )

    def _env(self) -> dict[str, str]:
        return {k: v for k, v in os.environ.items() if not k.startswith(("RIG_", "OPENAI_"))}

    def start_product(self) -> None:
        """Start the product (again) and wait until it answers."""
        env = self._env() | self.secrets
        env |= {
            "RIG_MONGODB_URI": f"mongodb://127.0.0.1:{self.mongodb}", "RIG_S3_ENDPOINT": f"http://127.0.0.1:{self.s3}",
            "RIG_S3_ACCESS_KEY": "kill-test", "RIG_S3_SECRET_KEY": "kill-test-secret",
        }  # fmt: skip
        arguments = ["harness.devstack", "serve", "--runtime", "controlled", "--port", str(self.port)]
        self.product = self._start("product", arguments, env)
        _until_answers(f"{self.base_url}/rig/runtime", self.product)

    def kill_product(self) -> None:
        """kill -9."""
        if self.product is not None:
            self.product.kill()
            self.product.wait()
            self.product = None

    def __enter__(self) -> "Stack":
        data = self.folder / "mongodb"
        data.mkdir()
        engine = ["nx_27017.nx_27017", "--host", "127.0.0.1", "--port", str(self.mongodb), "--data-dir", str(data)]
        engine += ["--log-file", str(self.folder / "nx.log"), "--pid-file", str(self.folder / "nx.pid")]
        try:
            self._children.append(self._start("mongodb", engine, self._env()))
            moto = self._start("s3", ["moto.server", "--host", "127.0.0.1", "--port", str(self.s3)], self._env())
            self._children.append(moto)
            _until_answers(f"http://127.0.0.1:{self.s3}/moto-api/", moto)
            _until_listens(self.mongodb, self._children[0])
            self.start_product()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill_product()
        for child in self._children:
            child.kill()
            child.wait()


def _until_answers(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(url, timeout=5.0, trust_env=False).status_code == httpx.codes.OK:
                return
        time.sleep(0.1)
    raise RuntimeError(f"{url} does not answer; see the logs beside it")


def _until_listens(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise RuntimeError(f"nothing listens on port {port}")


@dataclass
class Plan:
    """One run that will be disturbed."""

    run: str
    customer: str
    workers: int
    trials: int
    kills: int


@dataclass
class Rig:
    """One `rig run` command and everything it started."""

    process: subprocess.Popen[bytes]
    stdout: Path
    stderr: Path
    family: dict[int, float] = field(default_factory=dict)
    """pid -> creation time of every process seen below it."""
    looked: float = 0.0

    def look(self) -> list[psutil.Process]:
        """Its living descendants now; they are remembered."""
        try:
            found = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        for one in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                self.family[one.pid] = one.create_time()
        return found

    def look_sometimes(self) -> None:
        """`look`, at most thrice a second: it reads the whole process table."""
        if time.monotonic() > self.looked + 0.3:
            self.look()
            self.looked = time.monotonic()

    def left_over(self) -> list[psutil.Process]:
        """Processes of the family that still live."""
        alive = []
        for pid, created in self.family.items():
            with contextlib.suppress(psutil.NoSuchProcess):
                one = psutil.Process(pid)
                if abs(one.create_time() - created) < 0.01 and one.status() != psutil.STATUS_ZOMBIE:
                    alive.append(one)
        return alive

    def victim(self, kind: str) -> psutil.Process | None:
        """A process of that kind, the newest of several."""
        found = [one for one in self.look() if _kind(one) == kind]
        return found[-1] if found else None


def _kind(process: psutil.Process) -> str:
    try:
        command = process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return "gone"
    if "harness.worker" in command:
        return "worker"
    if command and ("chrom" in Path(command[0]).name or "headless" in Path(command[0]).name):
        types = [c for c in command if c.startswith("--type=")]
        if any(c.endswith("network.mojom.NetworkService") for c in command):
            return "network"
        return "browser" if not types else "page" if types == ["--type=renderer"] else "helper"
    return "other"


@dataclass
class Moment:
    """When to strike: after `events` more lines of events.jsonl, or after a mark in the files; then `delay_s` later."""

    mark: str
    """`events`, `attempt` (a new attempt folder), `ended` (a journey_ended line), `ledger` (a new ledger line), `call` (a call of
    the model begins; struck at once)."""
    events: int
    delay_s: float

    @classmethod
    def choose(cls, rng: random.Random, calls: bool) -> "Moment":
        """At random: mostly in the middle of a journey, sometimes where one thing becomes another, or in a call if there are any."""
        mark = rng.choices(("events", "attempt", "ended", "ledger", "call"), (60, 15, 17, 8, 40 if calls else 0))[0]
        delay_s = rng.choice((0.0, rng.uniform(0, 0.3), rng.uniform(0, 1.5)))
        return cls(mark, rng.randint(1, rng.choice((30, 30, 100))), 0.0 if mark == "call" else delay_s)

    def __str__(self) -> str:
        return f"{self.events} events" if self.mark == "events" else f"{self.mark} + {self.delay_s:.2f} s"


class Watch:
    """What has been written in a run's folder, by size; nothing is parsed but line ends."""

    def __init__(self, run: Path) -> None:
        self.run = run
        self._read: dict[Path, int] = {}
        self.lines = 0
        self.ended = 0
        self.calls = 0

    def look(self) -> dict[str, int]:
        """Counts so far."""
        for path in self.run.glob(f"{PACKAGE}/t*/a*/*.jsonl"):
            if path.name not in ("events.jsonl", "prompts.jsonl"):
                continue
            at = self._read.get(path, 0)
            with contextlib.suppress(OSError), path.open("rb") as file:
                file.seek(at)
                data = file.read()
                whole = data[: data.rfind(b"\n") + 1]
                self._read[path] = at + len(whole)
                self.calls += whole.count(b'"kind":"model_call_started"')
                if path.name == "events.jsonl":
                    self.lines += whole.count(b"\n")
                    self.ended += whole.count(b'"kind":"journey_ended"')
        ledger = self.run / "ledger.jsonl"
        lines = ledger.read_bytes().count(b"\n") if ledger.exists() else 0
        attempts = len(list(self.run.glob(f"{PACKAGE}/t*/a*")))
        return {"events": self.lines, "ended": self.ended, "ledger": lines, "attempt": attempts, "call": self.calls}


class KillTest:
    """All of it. `go` returns the summary."""

    def __init__(self, n: int, seed: int, minutes: float, folder: Path) -> None:
        self.n, self.seed = n, seed
        self.until = time.monotonic() + minutes * 60
        self.rng = random.Random(seed)
        self.folder = folder
        self.results = folder / "results"
        self.kills: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self.endings: Counter[str] = Counter()
        self.trials = 0
        self.runs = 0
        self.rerun = 0
        self.open_calls = 0
        self.not_checked = 0
        self.product_killed: set[str] = set()
        self.after_product_kill: Counter[str] = Counter()
        """How the counting attempts ended in which the product was killed."""
        self.first = self.rng.sample(VICTIMS, len(VICTIMS))
        self.stack: Stack
        self.stub: StubEndpoint

    def go(self) -> dict[str, Any]:
        """Disturb runs until `n` kills are done, or the time is over."""
        started = time.monotonic()
        stack_folder = self.folder / "stack"
        stack_folder.mkdir()
        try:
            with Stack(stack_folder) as self.stack, StubEndpoint(slow(0.4)) as self.stub:
                while len(self.kills) < self.n and time.monotonic() < self.until and len(self.problems) < PROBLEM_LIMIT:
                    self._next_run()
        except KeyboardInterrupt:
            self.problems.append("stopped by a signal")
        if len(self.kills) < self.n:
            self.problems.append(f"only {len(self.kills)} of {self.n} kills were done")
        victims = Counter(k["victim"] for k in self.kills)
        return {
            "n": len(self.kills), "seed": self.seed,
            "by_victim": {
                "worker": victims["worker"], "browser": sum(victims[b] for b in BROWSERS), "parent": victims["parent"],
                "product": victims["product"],
            },
            "of_browser_page_process": victims["page"], "of_browser_network_process": victims["network"], "by_moment": dict(Counter(k["mark"] for k in self.kills)),
            "runs": self.runs, "calls_of_rig_run": self.rerun, "trials": self.trials, "attempts": sum(self.endings.values()),
            "aborted_attempts": self.endings["aborted"], "endings": dict(self.endings), "attempts_with_an_open_call": self.open_calls,
            "counting_where_the_product_was_killed": dict(self.after_product_kill), "lines_not_checked": self.not_checked, "seconds": round(time.monotonic() - started), "problems": self.problems,
        }  # fmt: skip

    def _next_run(self) -> None:
        left = self.n - len(self.kills)
        number = self.runs
        self.runs += 1
        short = self.n <= 12
        plan = Plan(
            run=f"k{number:03d}", customer="model" if short or number % 3 == 1 else "rule", workers=1 if number % 4 == 0 else 2,
            trials=2 if short else 2 + number % 2, kills=min(left, 3 if short else 12),
        )  # fmt: skip
        self._play(plan)
        self._check(plan)

    # ------------------------------------------------------------------ playing

    def _rig(self, *arguments: str, name: str) -> Rig:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("RIG_", "OPENAI_"))}
        env |= {k: os.environ[k] for k in ("RIG_BROWSER", "RIG_BROWSER_SANDBOX") if k in os.environ}
        env |= self.stack.secrets
        env |= {
            "RIG_STATE_DIR": str(self.folder / "state"), "RIG_CUSTOMER_BASE_URL": self.stub.base_url, "RIG_CUSTOMER_MODEL": "stub",
            "RIG_CUSTOMER_API_KEY": KEY, "RIG_CUSTOMER_PRICE_IN": "1", "RIG_CUSTOMER_PRICE_OUT": "2", "TMPDIR": str(self.folder / "tmp"),
        }  # fmt: skip
        (self.folder / "tmp").mkdir(exist_ok=True)
        out, err = self.folder / f"{name}.out", self.folder / f"{name}.err"
        with out.open("ab") as stdout, err.open("ab") as stderr:
            process = subprocess.Popen(
                [str(Path(sys.executable).with_name("rig")), *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, env=env, cwd=ROOT
            )  # fmt: skip
        return Rig(process, out, err)

    def _run_command(self, plan: Plan) -> Rig:
        self.rerun += 1
        return self._rig(
            "run", PACKAGE, "--customer", plan.customer, "--rehearsal", "--url", self.stack.base_url, "--run", plan.run, "--workers",
            str(plan.workers), "--trials", str(plan.trials), "--max-attempts", "4", "--turn-timeout", "60", "--journey-timeout", "1800",
            "--results", str(self.results), "--corpus", str(ROOT / "packages"), "--json", name=f"{plan.run}-{self.rerun:04d}",
        )  # fmt: skip

    def _play(self, plan: Plan) -> None:
        """The run with its kills, then again and again until it is whole."""
        say(
            f"run {plan.run}: {plan.customer}, {plan.workers} workers, {plan.trials} trials, {plan.kills} kills to come"
        )
        done, calm = 0, 0
        while calm < RERUNS:
            rig = self._run_command(plan)
            try:
                done += self._disturb(rig, plan, done)
                code = self._wait(rig, plan)
            finally:
                self._clear(rig, plan)
            if self.stack.product is None:
                self.stack.start_product()
            calm += done >= plan.kills
            if code == 0:
                return
            words = rig.stderr.read_text(errors="replace")
            if "Traceback" in words:
                self._problem(plan, f"a traceback: {words.strip().splitlines()[-1][:300]}")
                return
            if code not in (4, -9):
                self._problem(plan, f"exit {code}: {words.strip()[-300:]}")
                return
        self._problem(plan, f"still not whole after {RERUNS} calls that nobody disturbed")

    def _wait(self, rig: Rig, plan: Plan) -> int:
        watch, since = Watch(self.results / plan.run), time.monotonic()
        seen: dict[str, int] = {}
        while (code := rig.process.poll()) is None:
            rig.look_sometimes()
            now = watch.look()
            if now != seen:
                seen, since = now, time.monotonic()
            if time.monotonic() - since > STALL_S:
                self._problem(plan, f"no sign of life for {STALL_S:g} s")
                rig.process.kill()
            time.sleep(0.25)
        return code

    def _disturb(self, rig: Rig, plan: Plan, done: int) -> int:
        """Kill until the plan is carried out or the command ends; the number of kills."""
        count = 0
        while done + count < plan.kills and rig.process.poll() is None:
            kind = self.first[0] if self.first else self.rng.choices(VICTIMS, WEIGHTS)[0]
            moment = Moment.choose(self.rng, plan.customer == "model")
            if kind == "parent" and kind in self.first and plan.customer == "model":
                moment = Moment("call", 1, 0.0)  # at least once, whatever chance says
            down_s = self.rng.choice((0.0, self.rng.uniform(0.0, 4.0)))
            if not self._await(moment, rig, plan):
                break
            if not self._kill(kind, rig, plan, moment):
                continue
            count += 1
            self.first = [k for k in self.first if k != kind]
            if kind == "parent":
                break
            if kind == "product":
                time.sleep(down_s)
                self.stack.start_product()
        return count

    def _await(self, moment: Moment, rig: Rig, plan: Plan) -> bool:
        """Wait for the moment; False if the command ended before it came."""
        watch = Watch(self.results / plan.run)
        first = watch.look()
        wanted = moment.events if moment.mark == "events" else 1
        since = time.monotonic()
        while watch.look()[moment.mark] - first[moment.mark] < wanted:
            rig.look_sometimes()
            if rig.process.poll() is not None or time.monotonic() - since > STALL_S:
                return False
            time.sleep(0.02)
        if moment.mark != "events":
            time.sleep(moment.delay_s)
        return rig.process.poll() is None

    def _kill(self, kind: str, rig: Rig, plan: Plan, moment: Moment) -> bool:
        if kind == "product":
            self.product_killed |= self._open_attempts(plan)
            self.stack.kill_product()
        else:
            victim = psutil.Process(rig.process.pid) if kind == "parent" else rig.victim(kind)
            if victim is None:
                return False
            rig.look()
            try:
                victim.kill()
            except psutil.NoSuchProcess:
                return False
        self.kills.append({"run": plan.run, "victim": kind, "mark": moment.mark, "when": str(moment)})
        say(f"  {len(self.kills)}/{self.n} killed the {kind} at {moment}")
        return True

    def _open_attempts(self, plan: Plan) -> set[str]:
        folders = (self.results / plan.run).glob(f"{PACKAGE}/t*/a*")
        return {str(p) for p in folders if not (p / "attempt.json").exists()}

    def _clear(self, rig: Rig, plan: Plan) -> None:
        """Nothing of the command's family may live on; what does is a problem, and is ended."""
        if rig.process.poll() is None:
            rig.process.kill()
        rig.process.wait()
        until = time.monotonic() + GONE_S
        while (left := rig.left_over()) and time.monotonic() < until:
            time.sleep(0.1)
        for one in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                self._problem(plan, f"left over after {GONE_S:g} s: {' '.join(one.cmdline())[:120]}")
                one.kill()

    # ------------------------------------------------------------------ checking

    def _problem(self, plan: Plan, what: str) -> None:
        self.problems.append(f"{plan.run}: {what}")
        say(f"  PROBLEM {plan.run}: {what}")

    def _check(self, plan: Plan) -> None:
        """By this script's own reading of the files, and by `rig verify` and `rig score`."""
        run = self.results / plan.run
        folders = sorted(run.glob(f"{PACKAGE}/t*/a*"))
        if not (run / "ledger.jsonl").exists():
            self._problem(plan, "there is no ledger")
            return
        rows = [json.loads(line) for line in (run / "ledger.jsonl").read_bytes().splitlines()]
        self.trials += plan.trials
        self._check_ledger(plan, rows, folders)
        for trial in range(1, plan.trials + 1):
            self._check_trial(plan, trial, [r for r in rows if r["trial"] == trial])
        for folder in folders:
            self._check_cost(plan, folder)
        verified = self._ask(plan, "verify")
        if verified is not None and (not verified["ok"] or verified["attempts"] != len(folders)):
            self._problem(
                plan, f"verify: {verified['attempts']} of {len(folders)} attempts, {verified['problems'][:3]}"
            )
        self._check_score(plan)

    def _check_ledger(self, plan: Plan, rows: list[dict[str, Any]], folders: list[Path]) -> None:
        keys = [(r["package"], r["trial"], r["attempt"]) for r in rows]
        there = [(p.parts[-3], int(p.parts[-2][1:]), int(p.parts[-1][1:])) for p in folders]
        if sorted(keys) != sorted(there):
            self._problem(plan, f"ledger and folders differ: {sorted(set(keys) ^ set(there))}, {len(keys)} lines")
        if [r["seq"] for r in rows] != list(range(1, len(rows) + 1)):
            self._problem(plan, "the ledger's numbers have a gap")
        previous = "0" * 64
        for line, row in zip((self.results / plan.run / "ledger.jsonl").read_bytes().splitlines(), rows, strict=True):
            if row["previous"] != previous:
                self._problem(plan, f"ledger line {row['seq']} does not follow from the one before")
            previous = hashlib.sha256(line).hexdigest()

    def _check_trial(self, plan: Plan, trial: int, rows: list[dict[str, Any]]) -> None:
        rows = sorted(rows, key=lambda r: int(r["attempt"]))
        self.endings.update(r["termination_reason"] for r in rows)
        numbers = [r["attempt"] for r in rows]
        if numbers != list(range(1, len(rows) + 1)):
            self._problem(plan, f"trial {trial}: attempts {numbers}")
        counting = [r for r in rows if r["termination_reason"] not in NOT_COUNTING]
        if len(counting) != 1:
            self._problem(plan, f"trial {trial}: {len(counting)} counting attempts")
            return
        if rows[-1] != counting[0]:
            self._problem(plan, f"trial {trial}: played again after its counting attempt")
        folder = self._folder(plan, counting[0])
        allowed = {"completed"}
        if str(folder) in self.product_killed:
            self.after_product_kill[counting[0]["termination_reason"]] += 1
            allowed |= {"product_error", "time_limit"}
        if counting[0]["termination_reason"] not in allowed:
            why = json.loads((folder / "attempt.json").read_bytes())["why"]
            self._problem(plan, f"trial {trial}: a kill counts as {counting[0]['termination_reason']}: {why}")

    def _folder(self, plan: Plan, row: dict[str, Any]) -> Path:
        return self.results / plan.run / str(row["package"]) / f"t{row['trial']:02d}" / f"a{row['attempt']:02d}"

    def _check_cost(self, plan: Plan, folder: Path) -> None:
        prompts = folder / "prompts.jsonl"
        if not prompts.exists() or not (folder / "attempt.json").exists():
            return
        entries = [json.loads(x) for x in prompts.read_bytes().splitlines()]
        started = {e["call"] for e in entries if e["kind"] == "model_call_started"}
        ended = {e["call"] for e in entries if e["kind"] == "model_call_ended"}
        attempt = json.loads((folder / "attempt.json").read_bytes())
        costs = [c for c in attempt["costs"] if c["role"] == "customer"]
        name = "/".join(folder.parts[-2:])
        if len(costs) != 1:
            self._problem(plan, f"{name}: {len(costs)} costs of the customer")
            return
        if started - ended:
            self.open_calls += 1
            if costs[0]["complete"] or not costs[0]["why_incomplete"]:
                self._problem(plan, f"{name}: a call was under way, yet the cost is called complete")
        elif attempt["termination_reason"] == "completed" and not costs[0]["complete"]:
            self._problem(plan, f"{name}: every call ended, yet the cost is incomplete: {costs[0]['why_incomplete']}")

    def _check_score(self, plan: Plan) -> None:
        scored = self._ask(plan, "score")
        for card in scored["cards"] if scored else []:
            if not card["counting"]:
                continue
            self.not_checked += sum(1 for line in card["lines"] if line["state"] == "not_checked")
            failed = [line["id"] for line in card["lines"] if line["state"] == "fail"]
            folder = self.results / plan.run / card["package"] / f"t{card['trial']:02d}" / f"a{card['attempt']:02d}"
            if failed and str(folder) not in self.product_killed:
                self._problem(plan, f"trial {card['trial']}: the product is held to account for a kill: {failed[:5]}")

    def _ask(self, plan: Plan, verb: str) -> dict[str, Any] | None:
        arguments = [verb, plan.run, "--results", str(self.results), "--corpus", str(ROOT / "packages"), "--json"]
        rig = self._rig(*arguments, name=f"{plan.run}-{verb}")
        code = rig.process.wait(timeout=STALL_S)
        try:
            value: dict[str, Any] = json.loads(rig.stdout.read_bytes())
        except ValueError:
            self._problem(plan, f"rig {verb}: exit {code}, {rig.stderr.read_text(errors='replace').strip()[-300:]}")
            return None
        return value


@contextlib.contextmanager
def working_folder(keep: Path | None) -> Iterator[Path]:
    """A folder for everything; removed afterwards unless it was asked for."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=False)
        yield keep.resolve()
        return
    folder = Path(tempfile.mkdtemp(prefix="rig-kill-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/kill_test", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--n", type=int, default=200, help="kills")
    parser.add_argument("--seed", type=int, default=None, help="of victims and moments; drawn and printed if not given")
    parser.add_argument("--minutes", type=float, default=120.0, help="bound of the whole test")
    parser.add_argument("--keep", type=Path, default=None, help="new folder in which records and logs are kept")
    parser.add_argument("--json", action="store_true", help="print JSON on standard output")
    got = parser.parse_args()
    if not 1 <= got.n <= 10_000 or not 0 < got.minutes <= 1440:
        parser.error("--n must be from 1 to 10000, --minutes up to 1440")
    seed = got.seed if got.seed is not None else secrets.randbelow(1_000_000)
    say(f"seed {seed}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with working_folder(got.keep) as folder:
        summary = KillTest(got.n, seed, got.minutes, folder).go()
    if got.json:
        print(json.dumps(summary, indent=2))
    else:
        for name, value in summary.items():
            print(f"{name}: {value}")
    return 1 if summary["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
