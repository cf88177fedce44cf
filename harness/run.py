"""The parent of a run: queue, seeds, gate, observation afterwards, ledger."""

import asyncio
import contextlib
import hashlib
import platform
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import ValidationError

import harness
from harness.browser import Browser, find_browser
from harness.budget import Budget
from harness.config import Endpoint
from harness.customer.template import template_sha256
from harness.errors import (
    DirtyEnvironment,
    EnvironmentFault,
    InputError,
    PersonGone,
    Refused,
    RigError,
    SeedError,
    SeedRefused,
    one_line,
)
from harness.gate import TIMEOUT_S, Caps, EndpointSource, Gate, ModelSource, RecordedSource
from harness.observe import Observer
from harness.pool import CannotRecord, Worker, WorkerDied
from harness.product import ProductClient, plain
from harness.progress import Quiet, Reporter
from harness.record import Redactor, write_whole
from harness.rundir import RunDirectory, check_run_id
from harness.schema.events import TerminationReason
from harness.schema.grade import grade
from harness.schema.move import Move
from harness.schema.order import (
    Done,
    JourneyOrder,
    Limits,
    ModelReply,
    ModelRequest,
    PersonReply,
    PersonRequest,
    Replay,
)
from harness.schema.package import Kind, file_hashes, find_packages, read_manifest
from harness.schema.run import NOT_COUNTING, Cost, CustomerKind, RunManifest, RunSettings, TraceKept
from harness.schema.strict_json import canonical, first_problem, parse_json, read_bytes, sha256_hex, validate
from harness.screen.adapter import Adapter, find_adapter, load_adapter
from harness.seed import Seeded, seed, seed_request
from harness.stage import LoadedPackage, load_package, stage, unstage
from harness.trace import TRACE, keep_trace

RETURN_S = 10.0
"""A product that a supervisor starts again is there again within this, after the end of the journey."""
RETURN_STEP_S = 0.5


@dataclass(frozen=True)
class Access:
    """Keys and addresses of one run; never written to disk."""

    base_url: str | None
    """Where the product is; None: the adapter's own address."""
    seed_token: str
    staff_user: str
    staff_password: str
    model: Endpoint | None
    """The customer's model; None if the customer is none."""
    stores_configured: bool
    product_model_embedded: bool = False
    secrets: dict[str, str] = field(default_factory=dict)
    """Further values to redact."""


AskPerson = Callable[[PersonRequest], Awaitable[PersonReply]]
"""Shows a person the screen and gives back their move."""


@dataclass(frozen=True)
class Parent:
    """An earlier attempt whose moves are sent again."""

    name: str
    """`run/package/t01/a01`."""
    replay: Replay
    fork_turn: int | None = None
    """The last turn that is replayed; None: all of them."""


@dataclass(frozen=True)
class RunOptions:
    """What a person asked for."""

    run: str
    packages: tuple[str, ...] = ()
    """Ids; empty: all."""
    product: str = "reference-claims"
    customer: CustomerKind = "model"
    corpus: Path = Path("packages")
    results: Path = Path("results")
    workers: int = 1
    trials: int = 1
    max_attempts: int = 3
    turn_limit: int = 40
    turn_timeout_s: float = 120.0
    journey_timeout_s: float = 1800.0
    model_timeout_s: float = TIMEOUT_S
    """For one call of the customer's model."""
    rng_seed: int = 1
    rehearsal: bool = False
    defects: tuple[str, ...] = ()
    script: Path | None = None
    recorded: Path | None = None
    max_cost: Decimal | None = None
    """Cap on the whole run: no journey begins once its attempts have cost so much."""
    max_journey_cost: Decimal | None = None
    """Cap on the customer's model in one journey."""
    headed: bool = False
    slow_ms: int = 0
    pause_at: int | None = None
    trace: TraceKept = "off"
    parent: Parent | None = None
    """A replay or fork."""
    person: AskPerson | None = None
    """Who moves for the customer `person`, and at `pause_at`."""


@dataclass(frozen=True)
class TrialResult:
    """Where a trial stands after a run."""

    package: str
    trial: int
    attempts: int
    counting_attempt: int | None
    termination_reason: str
    """Of the counting attempt, else of the last one."""
    why: str
    folder: str

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class RunResult:
    """What `rig run` prints."""

    run: str
    folder: str
    grade: str
    grade_reasons: list[str]
    trials: list[TrialResult]
    recovered: int
    endings: dict[str, int] = field(default_factory=dict)
    """Termination reason -> attempts, those of earlier processes included."""
    cost: str = "not known"
    """What they cost, in words."""
    stopped: str | None = None
    """Why trials were left for later; None if none was."""

    @property
    def exit_code(self) -> int:
        """0 if every trial has a counting attempt; 3 if the cap on cost left some for later; else 4."""
        if self.trials and all(t.counting_attempt is not None for t in self.trials):
            return 0
        return 3 if self.stopped is not None else 4

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {**self.__dict__, "trials": [t.plain() for t in self.trials]}


def load_corpus(corpus: Path, ids: Sequence[str], kind: Kind = "claims") -> list[LoadedPackage]:
    """The named packages (all of the kind if none is named), read and checked."""
    there = find_packages(corpus, kind)
    others = find_packages(corpus, None)
    for wanted in ids:
        if wanted in others and wanted not in there:
            raise InputError(
                f"package {wanted}",
                f"is of kind {others[wanted].parent.name}; this product takes packages of kind {kind}",
            )
        if wanted not in there:
            raise InputError(f"package {wanted}", f"is not in {corpus}; there are {', '.join(sorted(there)) or 'none'}")
    chosen = list(dict.fromkeys(ids)) or sorted(there)
    if not chosen:
        raise InputError(str(corpus), f"holds no package of kind {kind}")
    return [load_package(there[i]) for i in chosen]


def read_script(path: Path) -> list[Move]:
    """Moves of the scripted customer from a JSON list."""
    shown = str(path)
    data = parse_json(read_bytes(path, shown), shown)
    if not isinstance(data, list):
        raise InputError(shown, "must be a list of moves")
    return [validate(Move, item, f"{shown}: {number}") for number, item in enumerate(data)]


def _git(*args: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", *args], cwd=Path(harness.__file__).parent, capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def attempt_seed(rng_seed: int, package: str, trial: int, attempt: int) -> int:
    """The seed of one attempt: 31 bits from the run's seed and the attempt's name, so that no two share a generator."""
    return int.from_bytes(hashlib.sha256(f"{rng_seed}/{package}/{trial}/{attempt}".encode()).digest()[:4], "big") >> 1


def customer_half(adapter: Adapter) -> dict[str, Any]:
    """The adapter without seed, state, usage and staff parts: all of it that a worker gets."""
    hidden = dict.fromkeys(("seed", "state", "usage", "defects", "limits", "runtime_report", "staff", "kind"))
    return adapter.model_copy(update=hidden).model_dump(mode="json")


def at_address(adapter: Adapter, url: str | None) -> Adapter:
    """The adapter at another address. InputError if the address cannot be one of a local product."""
    if url is None:
        return adapter
    try:
        return adapter.with_base_url(url.rstrip("/"))
    except ValidationError as exc:
        raise InputError(f"--url {url}", first_problem(exc, "").why) from exc


@dataclass(frozen=True)
class Prepared:
    """All input of a run, read and checked before anything is started."""

    packages: list[LoadedPackage]
    adapter: Adapter
    script: list[Move] | None


def check_frozen(corpus: Path, packages: Sequence[LoadedPackage]) -> None:
    """A frozen corpus whose files are not those of its manifest is an InputError that names the first one."""
    manifest = read_manifest(corpus)
    if not manifest.frozen:
        return
    for package in packages:
        base = package.folder.relative_to(corpus).as_posix()
        listed = {k: v for k, v in manifest.files.items() if k.startswith(base + "/")}
        there = {f"{base}/{name}": digest for name, digest in file_hashes(package.folder).items()}
        for name in sorted(listed.keys() | there.keys()):
            if listed.get(name) != there.get(name):
                raise InputError(
                    name,
                    f"is not the file that was frozen as {manifest.version}; a change needs a new version with a reason",
                )


def prepare(options: RunOptions) -> Prepared:
    """Read and check packages, adapter, script and numbers; every mistake is an InputError."""
    check_run_id(options.run)
    adapter = load_adapter(find_adapter(options.product))
    packages = load_corpus(options.corpus, options.packages, adapter.kind or "claims")
    check_frozen(options.corpus, packages)
    script = read_script(options.script) if options.script else None
    if (options.customer == "scripted") != (script is not None):
        raise InputError("--script", "goes with --customer scripted, and is needed there")
    if (options.customer == "recorded") != (options.recorded is not None):
        raise InputError("--recorded", "goes with --customer recorded, and is needed there")
    if options.recorded is not None:
        RecordedSource(options.recorded)
    if options.customer == "replayed" and options.parent is None:
        raise InputError("--customer", "replayed is the customer of `rig replay`")
    if options.person is None and (options.customer == "person" or options.pause_at is not None):
        raise InputError("--customer", "a person needs a terminal: rig play, or rig run --pause-at")
    for name, low, high in (("workers", 1, 64), ("trials", 1, 99), ("max_attempts", 1, 99), ("turn_limit", 1, 500)):
        if not low <= getattr(options, name) <= high:
            raise InputError(f"--{name.replace('_', '-')}", f"must be from {low} to {high}")
    if not 0 <= options.slow_ms <= 60_000:
        raise InputError("--slow", "must be from 0 to 60000 milliseconds")
    if options.pause_at is not None and not 2 <= options.pause_at <= 500:
        raise InputError("--pause-at", "must be from 2 to 500; turn 1 is the first message")
    for name in ("turn_timeout_s", "journey_timeout_s", "model_timeout_s"):
        if not 1 <= getattr(options, name) <= 86_400:
            raise InputError(f"--{name.removesuffix('_s').replace('_', '-')}", "must be from 1 to 86400 seconds")
    return Prepared(packages, adapter, script)


@dataclass
class Crew:
    """Browsers that serve several runs of one product and corpus, one after the other or side by side.

    Attributes:
        browser: what all of them are.
        observer: looks at the staff side for every run.
        home: folder below which the workers live.
    """

    browser: Browser
    observer: Observer
    home: Path
    _idle: list[Worker] = field(default_factory=list)
    _made: int = 0

    def next_home(self) -> Path:
        """A folder for one more worker."""
        self._made += 1
        return self.home / f"w{self._made}"

    def take(self) -> Worker | None:
        """A worker that is at rest."""
        return self._idle.pop() if self._idle else None

    def put(self, worker: Worker) -> None:
        """A sound worker has nothing to do."""
        self._idle.append(worker)

    async def stop(self) -> None:
        """End all that are at rest."""
        while self._idle:
            await self._idle.pop().stop()


class Run:
    """One `rig run`. `go` does all of it.

    Args:
        options: what a person asked for.
        access: keys and addresses.
        reporter: where progress is told.
        prepared: the input, if it was read before.
        crew: browsers to work with; None: the run's own.
    """

    def __init__(
        self,
        options: RunOptions,
        access: Access,
        reporter: Reporter | None = None,
        prepared: Prepared | None = None,
        crew: Crew | None = None,
    ) -> None:
        ready = prepared or prepare(options)
        self.crew = crew
        self.options = options
        self.access = access
        self.say = (reporter or Quiet()).say
        self.packages, self.script = ready.packages, ready.script
        self.adapter_sha256 = sha256_hex(canonical(ready.adapter))
        self.adapter = at_address(ready.adapter, access.base_url)
        self.base_url = self.adapter.base_url
        if options.customer == "model" and access.model is None:
            raise EnvironmentFault("no model for the customer")
        self.browser: Browser = crew.browser if crew else find_browser(windows=options.headed)
        self.redactor = Redactor(
            {
                "seed_token": access.seed_token, "staff_password": access.staff_password,
                **({"customer_api_key": access.model.api_key} if access.model else {}), **access.secrets,
            }
        )  # fmt: skip

    def _settings(self) -> RunSettings:
        o, model = self.options, self.access.model
        source = o.script or o.recorded
        return RunSettings(
            packages={p.id: p.sha256 for p in self.packages}, adapter=self.adapter.adapter, adapter_sha256=self.adapter_sha256,
            base_url=self.base_url, customer=o.customer, customer_model=model.model if model and o.customer == "model" else None,
            customer_endpoint=(model.state if model and o.customer == "model" else "none"),
            customer_source=sha256_hex(read_bytes(source)) if source else None, customer_sees_files=False, trials=o.trials, max_cost=None if o.max_journey_cost is None else str(o.max_journey_cost),
            max_attempts=o.max_attempts, turn_limit=o.turn_limit, turn_timeout_s=o.turn_timeout_s, journey_timeout_s=o.journey_timeout_s,
            rng_seed=o.rng_seed, rehearsal=o.rehearsal, defects=sorted(set(o.defects)), template_sha256=template_sha256(),
            parent_attempt=o.parent.name if o.parent else None, fork_turn=o.parent.fork_turn if o.parent else None,
            trace=o.trace, slow_ms=o.slow_ms, pause_at=o.pause_at,
        )  # fmt: skip

    async def _manifest(self, client: ProductClient) -> RunManifest:
        runtime = await client.runtime()
        if runtime.runtime == "controlled" and not self.options.rehearsal:
            raise Refused(
                f"the product at {self.base_url} reports the controlled runtime, a keyword stand-in; start it with a model, or rehearse with --rehearsal"
            )
        corpus = read_manifest(self.options.corpus)
        status = _git("status", "--porcelain")
        return RunManifest(
            schema="run-v1", run=self.options.run, created_at=datetime.now(UTC), rig_version=harness.__version__,
            git_commit=_git("rev-parse", "HEAD"), git_clean=None if status is None else status == "", corpus_version=corpus.version,
            corpus_frozen=corpus.frozen, runtime=runtime, stores_configured=self.access.stores_configured and bool(runtime.stores) and set(runtime.stores.values()) == {"configured"}, product_model_embedded=self.access.product_model_embedded,
            browser=f"{self.browser.version} ({self.browser.source})", python=platform.python_version(), platform=platform.platform(),
            settings=self._settings(),
        )  # fmt: skip

    async def plan(self) -> dict[str, Any]:
        """What a run would do, nothing done: `--dry-run`."""
        client = ProductClient(self.adapter, self.access.seed_token)
        try:
            manifest = await self._manifest(client)
        finally:
            await client.aclose()
        verdict, reasons = grade(manifest)
        return {
            "run": self.options.run,
            "grade": verdict,
            "grade_reasons": reasons,
            "manifest": plain(manifest),
            "trials": [[p.id, t] for p in self.packages for t in range(1, self.options.trials + 1)],
        }

    async def go(self) -> RunResult:
        """Create or continue the run, play every trial that has no counting attempt, and say where each stands."""
        client = ProductClient(self.adapter, self.access.seed_token)
        try:
            manifest = await self._manifest(client)
            directory = RunDirectory.open(self.options.results, manifest)
            try:
                return await self._play_all(directory, client)
            finally:
                directory.close()
        except OSError as exc:
            raise _cannot_record(self.options.results, exc) from exc
        finally:
            await client.aclose()

    async def _play_all(self, directory: RunDirectory, client: ProductClient) -> RunResult:
        adapter_file = directory.folder / "adapter.json"
        if not adapter_file.exists():
            write_whole(adapter_file, canonical(self.adapter) + b"\n")
        if directory.recovered:
            self.say(f"{directory.recovered} attempts of an earlier process had no end; they are kept as aborted")
        queue: asyncio.Queue[tuple[LoadedPackage, int]] = asyncio.Queue()
        for trial in range(1, self.options.trials + 1):
            for package in self.packages:
                if directory.counting(package.id, trial) is None:
                    queue.put_nowait((package, trial))
        todo = queue.qsize()
        budget = Budget(self.options.max_cost, self._currency())
        budget.add(directory.attempts())
        self.say(f"run {directory.manifest.run}: {todo} of {len(self.packages) * self.options.trials} trials to play")
        staging = Path(tempfile.mkdtemp(prefix="rig-stage-"))
        try:
            async with self._observer(client) as observer:
                slots = [
                    _Slot(self, directory, client, observer, queue, staging / f"w{i}", budget)
                    for i in range(min(self.options.workers, max(todo, 1)))
                ]
                async with asyncio.TaskGroup() as group:
                    for slot in slots:
                        group.create_task(slot.work())
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        verdict, reasons = grade(directory.manifest)
        trials = [self._result(directory, p, t) for t in range(1, self.options.trials + 1) for p in self.packages]
        return RunResult(
            directory.manifest.run, str(directory.folder), verdict, reasons, trials, directory.recovered,
            dict(sorted(budget.endings.items())), budget.words, _stopped(directory.manifest.run, budget, trials),
        )  # fmt: skip

    def _currency(self) -> str | None:
        """Of the customer's price, in which the cap on cost is meant."""
        price = self.access.model.price if self.access.model else None
        return price.currency if price else None

    @contextlib.asynccontextmanager
    async def _observer(self, client: ProductClient) -> AsyncIterator[Observer]:
        """The crew's, or one for this run."""
        if self.crew is not None:
            yield self.crew.observer
            return
        async with Observer(
            self.browser, self.adapter, client, self.access.staff_user, self.access.staff_password
        ) as observer:
            yield observer

    def _result(self, directory: RunDirectory, package: LoadedPackage, trial: int) -> TrialResult:
        lines = directory.attempt_numbers(package.id, trial)
        counting = directory.counting(package.id, trial)
        shown = counting or (lines[-1] if lines else None)
        if shown is None:
            return TrialResult(package.id, trial, 0, None, "not played", "", "")
        path = directory.folder / package.id / f"t{trial:02d}" / f"a{shown.attempt:02d}"
        why = str(parse_json((path / "attempt.json").read_bytes(), "attempt.json")["why"])
        return TrialResult(
            package.id,
            trial,
            len(lines),
            counting.attempt if counting else None,
            shown.termination_reason,
            why,
            str(path),
        )


@dataclass
class _Slot:
    """One worker's place: takes trials from the queue, one journey at a time.

    Where journeys run side by side anyway (more than one worker), the next one may begin while the one before, if it
    completed, is still looked at from the staff's side: that look concerns the parent and the product only. At most one
    such look is open. With one worker a product serves one customer at a time.
    """

    run: Run
    directory: RunDirectory
    client: ProductClient
    observer: Observer
    queue: asyncio.Queue[tuple[LoadedPackage, int]]
    staging: Path
    budget: Budget = field(default_factory=Budget)
    worker: Worker | None = None
    journeys: int = 0
    concluding: asyncio.Task[None] | None = None

    async def work(self) -> None:
        """Until the queue is empty."""
        try:
            while True:
                try:
                    package, trial = self.queue.get_nowait()
                except asyncio.QueueEmpty:
                    break
                await self._trial(package, trial)
            await self._concluded()
        except OSError as exc:
            raise _cannot_record(self.directory.folder, exc) from exc
        finally:
            try:
                if self.concluding is not None:  # the slot was stopped; the task writes its result all the same
                    self.concluding.cancel()
                    await asyncio.wait({self.concluding})
            finally:
                if self.worker is not None:
                    if self.run.crew is not None:
                        self.run.crew.put(self.worker)
                    else:
                        await self.worker.stop()

    async def _concluded(self) -> None:
        """Wait for the look at the journey before; raises what it raised."""
        if self.concluding is not None:
            task = self.concluding
            await asyncio.wait({task})
            self.concluding = None
            task.result()

    async def _trial(self, package: LoadedPackage, trial: int) -> None:
        for _ in range(self.run.options.max_attempts):
            if await self._may_not_spend():
                return
            try:
                reason = await self._attempt(package, trial)
            except SeedRefused as exc:
                if (option := _defect_refused(self.run.options.defects, str(exc))) is not None:
                    raise InputError(option, str(exc)) from exc
                self.run.say(f"{package.id} trial {trial}: given up, the product refuses its seed request")
                return
            if reason != "completed":
                await self._end_worker()  # whatever state it and its browser are in, the next journey has fresh ones
            if reason not in NOT_COUNTING:
                return
        self.run.say(f"{package.id} trial {trial}: given up after {self.run.options.max_attempts} attempts")

    async def _may_not_spend(self) -> bool:
        """The run has cost what it may; what the journey before cost is waited for, other slots' journeys are not."""
        if self.budget.cap is None:
            return False
        await self._concluded()
        return self.budget.exhausted

    async def _end_worker(self) -> None:
        if self.worker is not None:
            await self.worker.kill()
            self.worker = None

    async def _ready_worker(self) -> Worker:
        crew = self.run.crew
        if self.worker is None and crew is not None:
            self.worker = crew.take()
        if self.worker is None:
            home = crew.next_home() if crew else self.staging / "home"
            worker = Worker(
                home, self.run.browser, [self.run.options.corpus.resolve()], self.run.options.headed,
                self.run.adapter.hosts,
            )  # fmt: skip
            await worker.start()
            self.worker = worker
        return self.worker

    async def _attempt(self, package: LoadedPackage, trial: int) -> TerminationReason:
        """One attempt, to its end in the ledger. A SeedRefused is raised after that."""
        refused: SeedRefused | None = None
        number, path = self.directory.new_attempt(package.id, trial)
        started_at, started = datetime.now(UTC), time.monotonic()
        self.journeys += 1
        one = _Attempt(self, package, trial, number, path, self.staging / f"j{self.journeys:05d}")
        self.run.say(f"{package.id} trial {trial} attempt {number}: started")
        try:
            done = await one.play()
        except (CannotRecord, OSError) as exc:
            await self._end_worker()
            with contextlib.suppress(OSError):
                one.finish(_ended("environment_error", str(_cannot_record(path, exc))), started_at)
            raise
        except (SeedError, DirtyEnvironment, EnvironmentFault) as exc:
            refused = exc if isinstance(exc, SeedRefused) else None
            done = _ended("environment_error", str(exc))
        except (WorkerDied, PersonGone) as exc:
            done = _ended("aborted", str(exc))
        except RigError as exc:
            done = _ended("rig_error", str(exc))
        except asyncio.CancelledError:
            await self._end_worker()  # it writes to the attempt until it is gone
            one.finish(_ended("aborted", "the run was stopped"), started_at)
            raise
        try:
            reason = await self._after(one, done, started_at, time.monotonic() - started)
        except BaseException:
            if not one.finished:  # stopped between its end and the look at it; what it ended with stays
                with contextlib.suppress(OSError):
                    one.finish(done, started_at)
            raise
        if refused is not None:
            raise refused
        return reason

    async def _after(self, one: "_Attempt", done: Done, started_at: datetime, took_s: float) -> TerminationReason:
        """What follows a journey that has ended; by the time this raises or returns, or soon after, it is written down."""
        if done.counts.get("page_not_closed"):
            await self._end_worker()
        if done.reason != "completed" and done.reason not in NOT_COUNTING:
            if (why := await one.product_gone()) is not None:
                done = _relabelled(done, "environment_error", f"{why}; {done.reason}: {done.why}")
            elif one.was_away():
                done = _relabelled(
                    done, done.reason, f"{done.why} (the product was away for a while, and is there again)"
                )
        await self._concluded()
        self.concluding = asyncio.create_task(self._conclude(one, done, started_at, took_s))
        if done.reason != "completed" or self.run.options.workers == 1:
            await self._concluded()
        return done.reason

    async def _conclude(self, one: "_Attempt", done: Done, started_at: datetime, took_s: float) -> None:
        observed = False
        try:
            observed = await one.observe()
        finally:  # the journey has ended; what comes after it cannot take its result away
            if not one.finished:
                one.finish(done, started_at)
        self.run.say(
            f"{one.package.id} trial {one.trial} attempt {one.number}: {done.reason} ({done.why}) after {took_s:.0f} s, "
            f"{done.counts.get('messages_sent', 0)} messages{'' if observed else ', staff side not read'}"
        )


def _stopped(run: str, budget: Budget, trials: Sequence[TrialResult]) -> str | None:
    """Why trials were left for later, and how the run goes on; None if the cap left none."""
    left = sum(trial.counting_attempt is None for trial in trials)
    if not budget.exhausted or not left:
        return None
    return f"--max-cost {budget.cap} is reached: {budget.words}; {left} of {len(trials)} trials are left, --run {run} goes on with them"


def _cannot_record(where: Path, exc: OSError | EnvironmentFault) -> EnvironmentFault:
    """One line for a disk that does not take the record, or another thing the system refuses."""
    if isinstance(exc, EnvironmentFault):
        return exc
    return EnvironmentFault(f"{exc.filename or where}: {exc.strerror or type(exc).__name__}")


def _defect_refused(defects: Sequence[str], answer: str) -> str | None:
    """The option that a product's refusal of a seed request is about; None if it is not about the asked defects.

    A product's answer names the defect that it does not know, or at least speaks of defects.
    """
    named = next((d for d in defects if re.search(rf"(?<![\w-]){re.escape(one_line(d))}(?![\w-])", answer)), None)
    return f"--defect {named}" if named else "--defect" if defects and "defect" in answer.casefold() else None


def _relabelled(done: Done, reason: TerminationReason, why: str) -> Done:
    return done.model_copy(update={"reason": reason, "why": one_line(why, 1000)})


def _ended(reason: TerminationReason, why: str) -> Done:
    return Done(reason=reason, why=one_line(why, 1000), final=None, slips={}, counts={})


@dataclass
class _Attempt:
    """One attempt, from the empty folder to attempt.json."""

    slot: _Slot
    package: LoadedPackage
    trial: int
    number: int
    path: Path
    staging: Path
    seeded: Seeded | None = None
    gate: Gate | None = None
    request_id: str = "none"
    product_cost: Cost | None = None
    finished: bool = False
    """attempt.json is written, or was tried to be."""

    @property
    def rng_seed(self) -> int:
        return attempt_seed(self.slot.run.options.rng_seed, self.package.id, self.trial, self.number)

    async def play(self) -> Done:
        """Stage, seed, play."""
        run, options = self.slot.run, self.slot.run.options
        staged = stage(self.package, self.staging)
        try:
            worker = await self.slot._ready_worker()
            request = seed_request(self.package.setup, list(options.defects))
            self.request_id = request.request_id
            self.seeded = await seed(self.slot.client, request)
            self.slot.observer.start_ahead()
            login = self.seeded.receipt.login
            redactor = Redactor({"login_password": login.password}) if login else Redactor({})
            write_whole(
                self.path / "seed.json",
                canonical(
                    run.redactor.json(redactor.json({"request": plain(request), "receipt": plain(self.seeded.receipt)}))
                )
                + b"\n",
            )
            source = self._source()
            if source is not None:
                self.gate = Gate(
                    model=run.access.model.model if run.access.model else "recorded", source=source, staged=staged, attempt_dir=self.path,
                    redactor=run.redactor, rng_seed=self.rng_seed, canaries=self.package.canaries, caps=Caps(cost=options.max_journey_cost),
                )  # fmt: skip
                if isinstance(source, EndpointSource):
                    source.inspect = self.gate.inspect
            order = JourneyOrder(
                ticket=self.seeded.ticket, adapter=customer_half(run.adapter), attempt_dir=str(self.path.resolve()),
                staging_dir=str(self.staging.resolve()), customer=options.customer, script=run.script,
                limits=Limits(turn_limit=options.turn_limit, turn_timeout_s=options.turn_timeout_s, journey_timeout_s=options.journey_timeout_s, slow_ms=options.slow_ms),
                rng_seed=self.rng_seed, replay=options.parent.replay if options.parent else None, pause_at=options.pause_at,
                trace_file=str(worker.root.resolve() / TRACE) if options.trace != "off" else None,
            )  # fmt: skip
            done = await worker.journey(order, self._answer, options.person)
            if order.trace_file is not None:
                kept = keep_trace(
                    Path(order.trace_file), self.path, options.trace, done.reason, (redactor, run.redactor)
                )
                if kept is None and options.trace == "on":
                    done = done.model_copy(update={"counts": {**done.counts, "trace_missing": 1}})
            return done
        finally:
            if self.gate is not None:
                self.gate.close()
                if isinstance(self.gate.source, EndpointSource):
                    await self.gate.source.close()
            unstage(staged)

    def _source(self) -> ModelSource | None:
        options, access = self.slot.run.options, self.slot.run.access
        if options.customer == "model" and access.model is not None:
            return EndpointSource(access.model, options.model_timeout_s)
        if options.customer == "recorded" and options.recorded is not None:
            return RecordedSource(options.recorded)
        return None

    async def _answer(self, request: ModelRequest) -> ModelReply:
        if self.gate is None:
            return ModelReply(call="", outcome="gate_closed", text="", why="this customer has no model")
        return await self.gate.ask(request)

    async def product_gone(self) -> str | None:
        """Why this journey says nothing of the product: it is down for good; None if it answers.

        A product that answers again within RETURN_S stays answerable for what the customer met, although it was away:
        a crash that the customer's words have caused, after which a supervisor starts the product again, looks from here
        like any other restart, and a result that is played again whenever the product crashed would be a product's to
        choose. One that stays away is not there to be judged; the attempt is `environment_error`, and says how it ended.
        """
        until = time.monotonic() + RETURN_S
        while True:
            try:
                await self.slot.client.runtime()
            except SeedError:  # an answer, if a bad one
                return None
            except EnvironmentFault as exc:
                if time.monotonic() > until:
                    return str(exc)
                await asyncio.sleep(RETURN_STEP_S)
            else:
                return None

    def was_away(self) -> bool:
        """Whether the journey's requests once met nobody at the product's address; for the reader of `why`, no verdict."""
        refused = f'"url":"{self.slot.run.base_url}/'.encode()
        network = self.path / "network.jsonl"
        lines = network.read_bytes().splitlines() if network.exists() else []
        return any(b"net::ERR_CONNECTION_REFUSED" in line and refused in line for line in lines)

    async def observe(self) -> bool:
        """Staff pages, state, stored files, usage; whether the staff side could be read."""
        if self.seeded is None:
            return False
        return await self.slot.observer.observe(self.seeded, self.path, self.slot.run.redactor)

    def finish(self, done: Done, started_at: datetime) -> None:
        """attempt.json and the ledger's line, once."""
        self.finished = True
        costs = [self.gate.cost()] if self.gate else []
        usage = self.path / "usage.json"
        if usage.exists():
            costs.append(_product_cost(usage))
        ended = self.slot.directory.finish(
            self.path, package=self.package.id, trial=self.trial, attempt=self.number, request_id=self.request_id, started_at=started_at,
            reason=done.reason, why=done.why, final=done.final, rng_seed=self.rng_seed, slips=done.slips, counts=done.counts, costs=costs,
            parent_attempt=parent.name if (parent := self.slot.run.options.parent) else None,
        )  # fmt: skip
        self.slot.budget.add([ended])


def _product_cost(path: Path) -> Cost:
    data = parse_json(path.read_bytes(), "usage.json")
    read = data.get("read")
    if read is None:
        return Cost(
            role="product",
            calls=None,
            tokens_in=None,
            tokens_out=None,
            cost=None,
            complete=False,
            why_incomplete=str(data.get("why")),
        )
    priced = read["cost"] is not None or read["calls"] == 0
    return Cost(
        role="product", calls=read["calls"], tokens_in=read["tokens_in"], tokens_out=read["tokens_out"], cost=read["cost"],
        complete=priced, why_incomplete=None if priced else "the product reports no price",
    )  # fmt: skip


def execute(options: RunOptions, access: Access, reporter: Reporter | None = None) -> RunResult:
    """Do a whole run; the function behind `rig run`, for notebooks too."""
    return asyncio.run(Run(options, access, reporter).go())
