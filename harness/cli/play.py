"""`rig run`: from options to a run, with the local stack where the product is the reference product."""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal, NoReturn

from harness.browser import find_browser, has_display
from harness.cli.out import print_json, print_line, say
from harness.config import Config, Endpoint, read_config
from harness.embedded_model import model_at_hand
from harness.errors import EnvironmentFault, InputError
from harness.lock import results_lock
from harness.person import Terminal
from harness.progress import console_reporter
from harness.run import Access, Run, RunOptions, RunResult, load_corpus, prepare
from harness.schema.run import CustomerKind, TraceKept
from harness.screen.adapter import Adapter, find_adapter, load_adapter
from harness.stack import for_run, status

Runtime = Literal["controlled", "model"]
TRACES: tuple[TraceKept, ...] = ("off", "on", "retain-on-failure")
CUSTOMERS: tuple[CustomerKind, ...] = ("model", "rule", "scripted", "recorded")
"""Who can play in `rig run`; replays and people have commands of their own."""
NO_MODEL = (
    "no model for the customer: set RIG_CUSTOMER_BASE_URL and RIG_CUSTOMER_MODEL, "
    "or fetch the embedded one (1.1 GB, once) with: rig stack up --model"
)


def check_runtime(value: str) -> Runtime:
    """`controlled` or `model`; InputError otherwise."""
    if value == "controlled":
        return "controlled"
    if value == "model":
        return "model"
    raise InputError("--runtime", "must be controlled or model")


@dataclass(frozen=True)
class RunRequest:
    """The options of `rig run`, as typed."""

    packages: tuple[str, ...]
    customer: str
    product: str
    url: str | None
    run: str | None
    rehearsal: bool
    defects: tuple[str, ...]
    runtime: str | None
    workers: int
    trials: int
    max_attempts: int
    turn_limit: int
    turn_timeout_s: float
    journey_timeout_s: float
    rng_seed: int
    script: Path | None
    recorded: Path | None
    max_cost: str | None
    """For the whole run."""
    headed: bool
    results: Path
    corpus: Path
    model_timeout_s: float = 300.0
    max_journey_cost: str | None = None
    alongside: bool = False
    slow_ms: int = 0
    pause_at: int | None = None
    trace: str = "off"

    @classmethod
    def of(cls, options: RunOptions, url: str | None, runtime: str | None) -> "RunRequest":
        """What `access_for` must know of a run whose options are made already."""
        o = options
        return cls(
            packages=o.packages, customer=o.customer, product=o.product, url=url, run=o.run, rehearsal=o.rehearsal, defects=o.defects,
            runtime=runtime, workers=o.workers, trials=o.trials, max_attempts=o.max_attempts, turn_limit=o.turn_limit,
            turn_timeout_s=o.turn_timeout_s, journey_timeout_s=o.journey_timeout_s, rng_seed=o.rng_seed, script=None, recorded=None,
            max_cost=None, headed=o.headed, results=o.results, corpus=o.corpus,
        )  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What is printed."""

    plain: dict[str, Any]
    lines: list[str]
    exit_code: int
    summary: str | None = None
    """The one line a scheduler keeps; None for a plan."""


def finish(outcome: Outcome, as_json: bool) -> NoReturn:
    """Print it, and end with its exit code."""
    if as_json:
        print_json(outcome.plain)
    else:
        for line in outcome.lines:
            print_line(line)
    if outcome.summary is not None:
        say(f"rig: {outcome.summary}")
    raise SystemExit(outcome.exit_code)


def _options(request: RunRequest) -> RunOptions:
    customer = next((kind for kind in CUSTOMERS if kind == request.customer), None)
    trace = next((kept for kept in TRACES if kept == request.trace), None)
    if customer is None:
        raise InputError("--customer", f"must be one of {', '.join(CUSTOMERS)}")
    if trace is None:
        raise InputError("--trace", f"must be one of {', '.join(TRACES)}")
    if request.pause_at is not None and request.workers != 1:
        raise InputError("--pause-at", "goes with one worker: a person is in one place")
    run = request.run or datetime.now(UTC).strftime("run-%Y%m%d-%H%M%S")
    return RunOptions(
        run=run, packages=request.packages, product=request.product, customer=customer,
        corpus=request.corpus, results=request.results, workers=request.workers, trials=request.trials, max_attempts=request.max_attempts,
        turn_limit=request.turn_limit, turn_timeout_s=request.turn_timeout_s, journey_timeout_s=request.journey_timeout_s,
        rng_seed=request.rng_seed, rehearsal=request.rehearsal, defects=request.defects, script=request.script, recorded=request.recorded,
        max_cost=_cap("--max-cost", request.max_cost), max_journey_cost=_cap("--max-journey-cost", request.max_journey_cost),
        headed=request.headed, model_timeout_s=request.model_timeout_s, slow_ms=request.slow_ms, pause_at=request.pause_at,
        trace=trace, person=Terminal.standard().ask if request.pause_at is not None else None,
    )  # fmt: skip


def _cap(option: str, text: str | None) -> Decimal | None:
    """An amount above 0."""
    try:
        cap = Decimal(text) if text is not None else None
    except InvalidOperation as exc:
        raise InputError(option, "is not a decimal number") from exc
    if cap is not None and not (cap.is_finite() and cap > 0):
        raise InputError(option, "must be an amount above 0")
    return cap


def _check_caps(options: RunOptions, adapter: Adapter) -> None:
    """A cap that nothing could reach is a mistake.

    Raises:
        InputError: there is nothing with a cost to cap.
    """
    if options.customer == "model":
        return
    if options.max_journey_cost is not None:
        raise InputError(
            "--max-journey-cost", f"caps the customer's model, and the {options.customer} customer is none"
        )
    if options.max_cost is not None and adapter.usage is None:
        raise InputError(
            "--max-cost", f"nothing here has a cost: the {options.customer} customer is no model, and {adapter.adapter} reports no usage"
        )  # fmt: skip


def _customer_model(
    config: Config, wanted: bool, capped: str | None, embedded: Endpoint | None = None
) -> Endpoint | None:
    if not wanted:
        return None
    found = config.endpoint("customer") or embedded
    if found is None:
        raise EnvironmentFault(NO_MODEL)
    if capped is not None and found.price is None:
        raise InputError(capped, "needs a price: set RIG_CUSTOMER_PRICE_IN and RIG_CUSTOMER_PRICE_OUT")
    return found


def _capped(request: RunRequest) -> str | None:
    """The option that caps cost, if one does."""
    given = {"--max-cost": request.max_cost, "--max-journey-cost": request.max_journey_cost}
    return next((option for option, value in given.items() if value is not None), None)


@contextmanager
def access_for(request: RunRequest, adapter: Adapter) -> Iterator[Access]:
    """Keys and addresses; the local stack is used, or started for this time, if the adapter is one of the reference product."""
    config = read_config()
    wants_model, capped = request.customer == "model", _capped(request)
    if adapter.embedded_stack == "true" and request.url is None:
        now = status(config)
        if request.runtime is not None and now.running and now.runtime != check_runtime(request.runtime):
            raise InputError(
                "--runtime",
                f"the local stack is running with runtime {now.runtime}; take it down first (rig stack down)",
            )
        runtime: Runtime = check_runtime(request.runtime or now.runtime or "controlled")
        needs_model = wants_model and config.endpoint("customer") is None
        if needs_model and model_at_hand(config) is None:
            raise EnvironmentFault(NO_MODEL)
        with for_run(runtime, with_model=needs_model, config=config, progress=console_reporter()) as stack:
            stores = stack.mongodb_state == "configured" and stack.s3_state == "configured"
            product = stack.endpoints.get("product")
            yield Access(
                stack.base_url, stack.seed_token, stack.staff_user, stack.staff_password,
                _customer_model(config, wants_model, capped, stack.customer), stores,
                product_model_embedded=runtime == "model" and product is not None and product.state == "embedded",
            )  # fmt: skip
        return
    token = config.seed_token
    if token is None:
        raise InputError("RIG_SEED_TOKEN", f"is not set; the seed route of {adapter.adapter} is guarded by it")
    for name, value in (("RIG_STAFF_USER", config.staff_user), ("RIG_STAFF_PASSWORD", config.staff_password)):
        if value is None and adapter.staff is not None and f"${{env.{name}}}" in adapter.staff.model_dump_json():
            raise InputError(name, f"is not set; the staff pages of {adapter.adapter} are signed in to with it")
    embedded: Endpoint | None = None
    if wants_model and config.endpoint("customer") is None:
        if model_at_hand(config) is None:
            raise EnvironmentFault(NO_MODEL)
        with for_run(None, with_model=True, config=config, progress=console_reporter()) as stack:
            embedded = stack.customer
            yield Access(
                request.url,
                token,
                config.staff_user or "",
                config.staff_password or "",
                _customer_model(config, True, capped, embedded),
                True,
            )
        return
    yield Access(
        request.url,
        token,
        config.staff_user or "",
        config.staff_password or "",
        _customer_model(config, wants_model, capped),
        True,
    )


def play(request: RunRequest, dry_run: bool = False) -> Outcome:
    """Do the run (or plan it)."""
    return _play(request, _options(request), dry_run)


def play_as_person(package: str, request: RunRequest, terminal: Terminal | None = None) -> Outcome:
    """One journey in which a person at the terminal plays the customer of a package; a rehearsal, recorded as any other.

    Args:
        package: its id.
        request: everything else.
        terminal: where the person sits; None: at this process's own.
    """
    adapter = load_adapter(find_adapter(request.product))
    (loaded,) = load_corpus(request.corpus, (package,), adapter.kind or "claims")
    here = terminal or Terminal.standard(loaded.view)
    options = _options(replace(request, packages=(package,), customer="rule", rehearsal=True, max_attempts=1))
    return _play(request, replace(options, customer="person", person=here.ask), dry_run=False)


def _play(request: RunRequest, options: RunOptions, dry_run: bool) -> Outcome:
    import asyncio

    ready = prepare(options)
    _check_caps(options, ready.adapter)
    check_browser(options.headed)
    started = time.monotonic()
    alone = nullcontext() if dry_run or request.alongside else results_lock(options.results, options.run)
    with alone, access_for(request, ready.adapter) as access:
        run = Run(options, access, console_reporter(), ready)
        if dry_run:
            plan = asyncio.run(run.plan())
            return Outcome(
                plan,
                [f"would play {len(plan['trials'])} trials, {plan['grade']}: {'; '.join(plan['grade_reasons'])}"],
                0,
            )
        result = asyncio.run(run.go())
    return Outcome(result.plain(), _lines(result), result.exit_code, summary(result, time.monotonic() - started))


def check_browser(headed: bool) -> None:
    """EnvironmentFault if the run will have no browser, or none that can be watched though it was asked for; starts nothing else."""
    if headed:
        watchable(headed)
    else:
        find_browser()


def watchable(headed: bool, environ: Mapping[str, str] = os.environ) -> None:
    """EnvironmentFault if a window was asked for and cannot be shown: for want of a display, or of a browser that has windows."""
    if not headed:
        return
    if not has_display(environ):
        raise EnvironmentFault("--headed: there is no display (DISPLAY and WAYLAND_DISPLAY are not set)")
    try:
        browser = find_browser(environ=environ, windows=True)
    except EnvironmentFault as exc:
        raise EnvironmentFault(f"--headed: {exc}") from exc
    if browser.headless_shell:
        raise EnvironmentFault(
            f"--headed: {browser.path} is a build without windows; set RIG_BROWSER to a whole Chromium, or leave --headed out"
        )


def summary(result: RunResult, took_s: float) -> str:
    """One line: what became of the trials, the grade, the cost, the time, the exit code, and why it stopped if it did."""
    counting = sum(trial.counting_attempt is not None for trial in result.trials)
    endings = ", ".join(f"{n} {reason}" for reason, n in result.endings.items()) or "none"
    parts = [
        f"{counting} of {len(result.trials)} trials count", f"attempts: {endings}", result.grade, f"cost {result.cost}",
        f"took {took_s:.0f} s", f"exit {result.exit_code}",
    ]  # fmt: skip
    return f"run {result.run}: {'; '.join(parts)}" + (f"; stopped: {result.stopped}" if result.stopped else "")


def _lines(result: RunResult) -> list[str]:
    lines = [
        f"run {result.run}: {result.grade}" + (f" ({'; '.join(result.grade_reasons)})" if result.grade_reasons else "")
    ]
    for trial in result.trials:
        counting = f"attempt {trial.counting_attempt}" if trial.counting_attempt else "no counting attempt"
        lines.append(
            f"  {trial.package} trial {trial.trial}: {trial.termination_reason} — {trial.why} ({counting} of {trial.attempts})"
        )
    if result.stopped is not None:
        lines.append(f"stopped: {result.stopped}")
    lines.append(f"record: {result.folder}")
    return lines
