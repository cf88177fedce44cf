"""`rig calibrate`: every planted fault of a calibration product is played, and must be named by its own line alone."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table

from harness.browser import find_browser
from harness.cli.play import RunRequest, access_for
from harness.errors import InputError
from harness.observe import Observer
from harness.product import ProductClient
from harness.progress import Quiet, Reporter, console_reporter
from harness.record import write_whole
from harness.run import Access, Crew, Prepared, Run, RunOptions, at_address
from harness.rundir import check_run_id
from harness.schema.package import Kind, find_packages
from harness.schema.product import SwitchableDefect
from harness.schema.scorecard import Scorecard
from harness.schema.strict_json import canonical
from harness.screen.adapter import ADAPTERS, Adapter, Limits, find_adapter, load_adapter
from harness.stage import load_package
from oracle_scoring.calibrate import Card, Looked, Matrix, effort, holds, judge, read_package
from oracle_scoring.claims.batch import score_run
from oracle_scoring.inquiry.batch import GradedAttempt, grade_run, lines_awaiting_judge

SOUND = "sound"
"""Name of the run of the well-behaved product."""
SOUND_TRIALS = 3
"""How often it is played in the full form."""
SHORT_WAIT_S, SHORT_LIMIT_S = "3", "2"
"""In the short form a fault that makes the customer wait does so for this long, against the stricter limit, in its own run."""
TURN_LIMIT = 30
"""More turns than any package of the corpus needs, so that a journey that goes round in circles ends soon."""


@dataclass(frozen=True)
class CalibrateRequest:
    """The options of `rig calibrate`, as typed."""

    product: str
    packages: tuple[str, ...]
    defects: tuple[str, ...]
    full: bool
    workers: int
    run: str | None
    results: Path
    corpus: Path


@dataclass(frozen=True)
class Calibrated:
    """What is printed."""

    matrix: Matrix
    plain: dict[str, Any]

    @property
    def exit_code(self) -> int:
        """0 clean, 1 a miss or a false alarm, 4 not all could be played."""
        return self.matrix.exit_code


@dataclass(frozen=True)
class Job:
    """One run: the well-behaved product, or one fault, through some packages."""

    name: str
    defects: tuple[str, ...]
    packages: tuple[str, ...]
    trials: int
    adapter: Adapter


@dataclass
class _Found:
    """What was played so far."""

    sound: dict[str, list[Card]] = field(default_factory=dict)
    played: dict[tuple[str, str], tuple[Card, str]] = field(default_factory=dict)


def product_adapter(product: str) -> Adapter:
    """The adapter of a product: a reference product by its short name, or any adapter by name or file.

    Raises:
        InputError: there is none, or it has no faults to switch on.
    """
    short = f"reference-{product}"
    name = short if (ADAPTERS / f"{short}.yaml").is_file() else product
    adapter = load_adapter(find_adapter(name))
    if adapter.defects is None:
        raise InputError(f"--product {product}", "its adapter names no defects route, so it has no faults to switch on")
    return adapter


def read_corpus(corpus: Path, wanted: Sequence[str], kind: Kind = "claims") -> dict[str, Looked]:
    """All packages of the kind by id, in order. InputError if one that is wanted is not there."""
    there = dict(sorted(find_packages(corpus, kind).items()))
    for package in wanted:
        if package not in there:
            raise InputError(f"package {package}", f"is no {kind} package of {corpus}; there are {', '.join(there)}")
    if not there:
        raise InputError(str(corpus), f"holds no {kind} package")
    return {i: read_package(folder) for i, folder in there.items()}


def choose(defects: Sequence[SwitchableDefect], wanted: Sequence[str]) -> list[SwitchableDefect]:
    """The named faults (all if none is named). InputError for one that the product does not have."""
    names = {d.name for d in defects}
    for name in wanted:
        if name not in names:
            raise InputError(
                f"--defect {name}", f"the product has no such defect; there are {', '.join(sorted(names))}"
            )
    return [d for d in defects if not wanted or d.name in wanted]


def plan(
    defects: Sequence[SwitchableDefect], applies: dict[str, list[str]], looked_at: dict[str, Looked], full: bool
) -> dict[str, list[str]]:
    """Fault -> packages in which it is played: all in which it can show, or the one with the shortest journey."""
    efforts = {i: effort(package) for i, package in looked_at.items()}
    planned: dict[str, list[str]] = {}
    for defect in defects:
        fit = [p for p in applies[defect.name] if p in looked_at]
        planned[defect.name] = fit if full else sorted(fit, key=efforts.__getitem__)[:1]
    return planned


def jobs(
    defects: Sequence[SwitchableDefect], planned: dict[str, list[str]], adapter: Adapter, full: bool
) -> Iterator[Job]:
    """The runs of a calibration: the well-behaved product through every package that is needed, then fault by fault."""
    needed = sorted({p for packages in planned.values() for p in packages})
    strict = adapter.model_copy(update={"limits": Limits(slow_reply_s=SHORT_LIMIT_S)})
    for defect in sorted(defects, key=lambda d: d.waits_s is None):  # those that wait begin first
        if not planned[defect.name]:
            continue
        short = defect.waits_s is not None and not full
        given = f"{defect.name}:{SHORT_WAIT_S}" if short else defect.name
        yield Job(defect.name, (given,), tuple(planned[defect.name]), 1, strict if short else adapter)
        if needed:
            yield Job(SOUND, (), tuple(needed), SOUND_TRIALS if full else 1, adapter)
            needed = []


class Calibration:
    """One calibration, from the product's list of faults to the matrix."""

    def __init__(self, request: CalibrateRequest, adapter: Adapter, access: Access, say: Reporter) -> None:
        self.request = request
        self.adapter = at_address(adapter, access.base_url)
        self.access = access
        self.say = say.say
        run = request.run or datetime.now(UTC).strftime("calibrate-%Y%m%d-%H%M%S")
        self.talks = adapter.kind == "inquiry"
        self.folder = request.results / check_run_id(run)
        self.loaded: dict[str, Any] = {}

    async def go(self) -> Matrix:
        """Play, score, compare; the matrix is written to `calibration.json` in the calibration's folder."""
        corpus = read_corpus(self.request.corpus, self.request.packages, self.adapter.kind or "claims")
        looked_at = {i: p for i, p in corpus.items() if not self.request.packages or i in self.request.packages}
        defects = choose(await self._declared(), self.request.defects)
        applies = {d.name: [i for i, p in corpus.items() if holds(p, d.needs, f"defect {d.name}")] for d in defects}
        awaiting = lines_awaiting_judge() if self.talks else frozenset[str]()
        played = {d.name: [] if awaiting.issuperset(d.lines) else applies[d.name] for d in defects}
        planned = plan(defects, played, looked_at, self.request.full)
        self.loaded = {i: load_package(p.visible.folder) for i, p in looked_at.items()}
        found = await self._play(list(jobs(defects, planned, self.adapter, self.request.full)))
        matrix = judge(
            planned, applies, defects, list(looked_at), found.played, found.sound, awaiting, fails_only=self.talks
        )
        write_whole(self.folder / "calibration.json", canonical(self.plain(matrix)) + b"\n")
        return matrix

    def plain(self, matrix: Matrix) -> dict[str, Any]:
        """JSON data of the matrix, with where it was found."""
        return {
            "schema": "calibration-v1",
            "product": self.adapter.product,
            "form": "full" if self.request.full else "short",
            "folder": str(self.folder),
            "exit_code": matrix.exit_code,
            **matrix.model_dump(mode="json"),
        }

    async def _declared(self) -> list[SwitchableDefect]:
        client = ProductClient(self.adapter, self.access.seed_token)
        try:
            return await client.defects()
        finally:
            await client.aclose()

    async def _play(self, todo: list[Job]) -> _Found:
        found = _Found()
        waiting = list(reversed(todo))
        client = ProductClient(self.adapter, self.access.seed_token)
        browser = find_browser()
        try:
            with tempfile.TemporaryDirectory(prefix="rig-crew-", ignore_cleanup_errors=True) as home:
                access = self.access
                async with Observer(
                    browser, self.adapter, client, access.staff_user, access.staff_password
                ) as observer:
                    crew = Crew(browser, observer, Path(home))

                    async def lane() -> None:
                        while waiting:
                            await self._one(waiting.pop(), crew, found, len(todo) - len(waiting), len(todo))

                    try:
                        async with asyncio.TaskGroup() as group:
                            for _ in range(min(self.request.workers, max(len(todo), 1))):
                                group.create_task(lane())
                    finally:
                        await crew.stop()
        finally:
            await client.aclose()
        return found

    def _scored(self, run: Path) -> Sequence[GradedAttempt | Scorecard]:
        """Attempts that count: score lines of claims, metrics of conversations."""
        if self.talks:
            return grade_run(run)
        return [card for card in score_run(run, self.request.corpus) if card.counting]

    async def _one(self, job: Job, crew: Crew, found: _Found, number: int, of: int) -> None:
        """Play and score one run; an attempt that does not count is not in `found`."""
        options = RunOptions(
            run=job.name, packages=job.packages, product=self.adapter.adapter, customer="rule", corpus=self.request.corpus,
            results=self.folder, trials=job.trials, turn_limit=TURN_LIMIT, rehearsal=True, defects=job.defects,
        )  # fmt: skip
        ready = Prepared([self.loaded[p] for p in job.packages], job.adapter, None)
        began = datetime.now(UTC)
        await Run(options, self.access, Quiet(), ready, crew).go()
        cards = await asyncio.to_thread(self._scored, self.folder / job.name)
        for card in cards:
            if job.name == SOUND:
                found.sound.setdefault(card.package, []).append(card)
            else:
                folder = f"{job.name}/{card.package}/t{card.trial:02d}/a{card.attempt:02d}"
                found.played[job.name, card.package] = card, folder
        took = (datetime.now(UTC) - began).total_seconds()
        self.say(f"{number} of {of}: {job.name} in {', '.join(job.packages)}, {took:.0f} s")


def calibrate(request: CalibrateRequest) -> Calibrated:
    """Play the matrix of packages and faults with the rule customer, and say what each fault moved."""
    if not 1 <= request.workers <= 64:
        raise InputError("--workers", "must be from 1 to 64")
    adapter = product_adapter(request.product)
    read_corpus(request.corpus, request.packages, adapter.kind or "claims")
    reporter = console_reporter()
    run_request = RunRequest(
        packages=request.packages, customer="rule", product=adapter.adapter, url=None, run=None, rehearsal=True, defects=(),
        runtime="controlled", workers=request.workers, trials=1, max_attempts=3, turn_limit=TURN_LIMIT, turn_timeout_s=120.0,
        journey_timeout_s=1800.0, rng_seed=1, script=None, recorded=None, max_cost=None, headed=False, results=request.results,
        corpus=request.corpus,
    )  # fmt: skip
    with access_for(run_request, adapter) as access:
        calibration = Calibration(request, adapter, access, reporter)
        matrix = asyncio.run(calibration.go())
    return Calibrated(matrix, calibration.plain(matrix))


MOST_NAMED = 4
"""Of more declared lines that moved with a fault the table gives the number."""
Shade = Literal["green", "red", "yellow", "dim"]
_SHADES: dict[str, Shade] = {"found": "green", "missed": "red", "not_played": "yellow", "not_applicable": "dim"}


def show(matrix: Matrix, console: Console) -> None:
    """The matrix as a table: a row for each fault and package played, then what is wrong."""
    table = Table(box=None, pad_edge=False)
    for head in ("defect", "package", "expected line", "found"):
        table.add_column(head, no_wrap=True)
    table.add_column("also moved", overflow="fold")
    for row in matrix.rows:
        if row.verdict not in ("found", "missed"):
            continue
        declared = [m.line for m in row.also_moved if m.declared]
        moved = [f"{m.line} (NOT DECLARED)" for m in row.undeclared]
        moved += declared if len(declared) <= MOST_NAMED else [f"{len(declared)} declared lines"]
        shade = "red" if row.undeclared else _SHADES[row.verdict]
        table.add_row(row.defect, row.package, row.expected_line, row.verdict, ", ".join(moved), style=shade)
    console.print(table)
    for text in problems(matrix):
        console.print(text, markup=False, highlight=False, soft_wrap=True)


def problems(matrix: Matrix) -> list[str]:
    """What is wrong, line by line, and what was not looked at; last the summary."""
    said = [f"missed: {r.defect} in {r.package}: {r.expected_line}: {r.why}" for r in matrix.missed]
    for row in matrix.false_alarms:
        for m in row.undeclared:
            said.append(f"false alarm: {row.defect} in {row.package}: {m.line} is {m.now}, without the fault {m.sound}")
    said += [f"the well-behaved product: {text}" for text in matrix.sound]
    said += [f"cannot show in any package: {name}" for name in matrix.nowhere]
    said += [f"not played: {text}" for text in matrix.unplayed]
    said += [f"awaits a judge: {name}: {line}" for name, line in matrix.awaiting]
    count = {v: sum(r.verdict == v for r in matrix.rows) for v in _SHADES}
    defects = len({r.defect for r in matrix.rows})
    packages = len({r.package for r in matrix.rows})
    said.append(
        f"{defects} defects, {packages} packages: {count['found']} found, {count['missed']} missed, "
        f"{sum(len(r.undeclared) for r in matrix.rows)} false alarms, {count['not_applicable']} not applicable, "
        f"{count['not_played']} not played"
        + (f", {len(matrix.awaiting)} defects await a judge" if matrix.awaiting else "")
    )
    return said
