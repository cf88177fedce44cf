"""`rig replay` and `rig fork`: the product is seeded anew, the recorded moves are sent, and the failure is looked for again."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from harness.cli.play import Outcome, RunRequest, access_for, check_browser
from harness.cli.runs import attempt_dir, attempt_name, run_of
from harness.errors import InputError, one_line
from harness.lock import results_lock
from harness.progress import console_reporter
from harness.replay import Difference, Left, events_of, left_at, read_parent, screen_differences
from harness.run import Prepared, Run, RunOptions, load_corpus
from harness.schema.run import NOT_COUNTING, Attempt, CustomerKind, RunManifest
from harness.schema.strict_json import canonical, read_model, sha256_hex
from harness.screen.adapter import Adapter, find_adapter, load_adapter
from oracle_scoring.inquiry.card import score_every
from oracle_scoring.reproduce import Line, LineAgain, Reproduction, failed_lines, judge_again, repeats, scored_lines

SHOWN = 12
"""Differences of screens that are printed; `--json` has all of them."""
CAN_GO_ON: tuple[CustomerKind, ...] = ("model", "rule")


@dataclass(frozen=True)
class ReplayRequest:
    """The options of `rig replay` and `rig fork`, as typed."""

    attempt: str
    run: str | None
    customer: str | None
    """Who goes on; None: whoever played the parent."""
    continue_live: bool
    turn: int | None
    """rig fork: the last turn that is replayed."""
    times: int
    lines: tuple[str, ...]
    """Only these failed lines are looked for; empty: all."""
    defects: tuple[str, ...] | None
    """None: those the parent ran with."""
    product: str | None
    url: str | None
    headed: bool
    slow_ms: int
    results: Path | None
    """None: the folder in which the parent's run lies."""
    corpus: Path

    @property
    def verb(self) -> Literal["replay", "fork"]:
        """Which of the two commands it is."""
        return "replay" if self.turn is None else "fork"


@dataclass(frozen=True)
class Replayed:
    """One new attempt beside its parent."""

    attempt: str
    folder: Path
    ended: Attempt
    found: Reproduction
    left: Left | None
    differences: list[Difference]

    @property
    def stopped(self) -> bool:
        """The replay left its record and did not go on."""
        return self.left is not None and self.ended.termination_reason == "simulator_error"

    @property
    def difference(self) -> dict[str, Any] | None:
        """The first that differs: the screen at which the record was left, or else the first screen that reads otherwise."""
        if self.stopped and self.left is not None:
            at = next((d for d in self.differences if d.turn >= self.left.turn), None)
            return {"turn": self.left.turn, "why": self.left.why, **({"screen": at.plain()} if at else {})}
        if not self.differences:
            return None
        first = self.differences[0]
        return {"turn": first.turn, "why": f"{first.part} of screen {first.screen} differs", "screen": first.plain()}

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {
            "reproduced": self.found.reproduced, "at_turn": self.found.at_turn, "difference": self.difference,
            "verdict": self.found.verdict, "why": self.found.why, "stopped": self.stopped, "attempt": self.attempt,
            "termination_reason": self.ended.termination_reason, "ended_why": self.ended.why,
            "lines": [line.model_dump(mode="json") for line in self.found.lines],
            "differences": [d.plain() for d in self.differences],
        }  # fmt: skip


def replay(request: ReplayRequest) -> Outcome:
    """Make the new attempts in a run of their own, score them, and compare each with its parent."""
    folder = attempt_dir(request.attempt, request.results)
    parent_run = run_of(folder)
    parent_name = attempt_name(folder)
    manifest = read_model(RunManifest, parent_run / "run.json", f"{parent_run.name}/run.json")
    then = read_model(Attempt, folder / "attempt.json", f"{parent_name}/attempt.json")
    failed = failed_lines(scored_lines(folder, request.corpus), request.lines)
    options, ready, notes = _planned(request, folder, parent_name, manifest, then)
    check_browser(options.headed)
    wants = RunRequest.of(options, request.url, manifest.runtime.runtime)
    with results_lock(options.results, options.run), access_for(wants, ready.adapter) as access:
        result = asyncio.run(Run(options, access, console_reporter(), ready).go())
    made = [_compared(folder, Path(trial.folder), failed, request.corpus) for trial in result.trials if trial.folder]
    score_every(options.results / options.run, request.corpus)
    head = {"parent": parent_name, "run": options.run, "failed_in_parent": [line.id for line in failed], "notes": notes}
    if request.verb == "replay":
        return _replay_outcome(head, made[0], failed)
    return _fork_outcome(head, made, request)


def _planned(
    request: ReplayRequest, folder: Path, name: str, manifest: RunManifest, then: Attempt
) -> tuple[RunOptions, Prepared, list[str]]:
    """The new run's options and input, and what is not as it was."""
    settings = manifest.settings
    adapter = load_adapter(find_adapter(request.product or settings.adapter))
    before = read_model(Adapter, folder.parents[2] / "adapter.json", f"{name}: adapter.json")
    # What the parent was held against, the new attempt is, too.
    adapter = adapter.model_copy(update={"limits": before.limits})
    packages = load_corpus(request.corpus, (then.package,), adapter.kind or "claims")
    (package,) = packages
    goes_on = request.continue_live or request.verb == "fork"
    parent = read_parent(folder, name, package.view.files, goes_on, request.turn)
    defects = tuple(settings.defects) if request.defects is None else request.defects
    notes: list[str] = []
    if package.sha256 != then.package_sha256:
        notes.append(f"the package {package.id} has changed since; the product is seeded as it says now")
    if sha256_hex(canonical(adapter)) != settings.adapter_sha256:
        notes.append(f"the adapter {adapter.adapter} has changed since")
    if sorted(defects) != settings.defects:
        words = [", ".join(some) or "none" for some in (settings.defects, sorted(defects))]
        notes.append(f"switched-on defects: {words[0]} then, {words[1]} now")
    if not 1 <= request.times <= 99:
        raise InputError("--times", "must be from 1 to 99")
    options = RunOptions(
        run=request.run or datetime.now(UTC).strftime(f"{request.verb}-%Y%m%d-%H%M%S"), packages=(package.id,),
        product=request.product or settings.adapter, customer=_customer(request, settings.customer) if goes_on else "replayed",
        corpus=request.corpus, results=request.results or run_of(folder).parent, trials=request.times, max_attempts=1,
        turn_limit=settings.turn_limit, turn_timeout_s=settings.turn_timeout_s, journey_timeout_s=settings.journey_timeout_s,
        rng_seed=settings.rng_seed, rehearsal=True, defects=defects, headed=request.headed, slow_ms=request.slow_ms, parent=parent,
    )  # fmt: skip
    if (options.results / options.run).exists():
        raise InputError(
            f"--run {options.run}", f"is there already in {options.results}; a {request.verb} has a run of its own"
        )
    return options, Prepared(packages, adapter, None), notes


def _customer(request: ReplayRequest, before: CustomerKind) -> CustomerKind:
    """Who decides after the recorded moves."""
    wanted = request.customer or before
    found = next((kind for kind in CAN_GO_ON if kind == wanted), None)
    if found is None:
        played = "" if request.customer else f"the parent was played by {before}; "
        raise InputError("--customer", f"{played}use {' or '.join(CAN_GO_ON)}")
    return found


def _compared(parent: Path, child: Path, failed: list[Line], corpus: Path) -> Replayed:
    """A new attempt, scored and held against its parent."""
    name = attempt_name(child)
    ended = read_model(Attempt, child / "attempt.json", f"{name}/attempt.json")
    events = child / "events.jsonl"
    left = left_at(events_of(child)) if events.is_file() else None
    stopped = left is not None and ended.termination_reason == "simulator_error"
    broken = ended.termination_reason in NOT_COUNTING and not stopped
    now = [] if broken else scored_lines(child, corpus, void=not stopped)
    found = judge_again(failed, now, left.turn if stopped and left else None)
    if broken:
        why = f"the new attempt ended {ended.termination_reason}: {ended.why}"
        found = found.model_copy(update={"why": why})
    differences = screen_differences(parent, child) if events.is_file() else []
    if left is not None:  # what another way through the product shows is compared with nothing
        differences = [d for d in differences if d.turn <= left.turn]
    return Replayed(name, child, ended, found, left, differences)


def _replay_outcome(head: dict[str, Any], one: Replayed, failed: list[Line]) -> Outcome:
    plain = {**one.plain(), **head}
    if one.stopped:
        code = 1
    elif one.found.verdict == "nothing_failed":
        code = 1 if one.differences else 0
    else:
        code = {True: 0, False: 1, None: 4}[one.found.reproduced]
    word = one.found.verdict.replace("_", " ")
    at = f" in turn {one.found.at_turn}" if one.found.reproduced and one.found.at_turn is not None else ""
    lines = [one_line(f"replay of {head['parent']}: {word}{at}; {one.found.why}", 600)]
    lines += [f"note: {one_line(note)}" for note in head["notes"]]
    lines += [_row(line) for line in one.found.lines]
    if one.stopped and one.left is not None:
        lines.append(one_line(f"stopped in turn {one.left.turn}: {one.left.why}", 600))
        lines.append("  --continue-live lets a customer go on from there")
    elif one.left is not None:
        lines.append(one_line(f"the record led up to turn {one.left.turn}: {one.left.why}", 600))
    lines += _difference_lines(one.differences)
    lines.append(f"record: {one.folder}")
    return Outcome(plain, lines, code)


def _row(line: LineAgain) -> str:
    before = "failed" + (f" (turn {line.turn_before})" if line.turn_before is not None else "")
    consequence = ", a consequence" if line.follows else ""
    return "  " + one_line(f"{line.line}{consequence}: {before} then, {line.now or 'no line'} now: {line.why}", 300)


def _difference_lines(differences: list[Difference]) -> list[str]:
    if not differences:
        return ["the screens read alike"]
    lines = [f"where screens read otherwise ({len(differences)}):"]
    for d in differences[:SHOWN]:
        before, now = (_part(text) for text in (d.before, d.now))
        lines.append("  " + one_line(f"turn {d.turn}, screen {d.screen}, {d.part}: {before} then, {now} now", 400))
    return lines + ([f"  {len(differences) - SHOWN} more"] if len(differences) > SHOWN else [])


def _part(text: str | None) -> str:
    return "nothing" if text is None else f"“{one_line(text, 150)}”"


def _fork_outcome(head: dict[str, Any], made: list[Replayed], request: ReplayRequest) -> Outcome:
    found = repeats([one.found for one in made])
    plain = {
        **head, "turn": request.turn, "times": request.times, **found.model_dump(mode="json"),
        "reproduced": None if not found.of else found.repeated > 0, "trials": [one.plain() for one in made],
    }  # fmt: skip
    between = f", 95 % interval {found.interval.low:.0%} to {found.interval.high:.0%}" if found.interval else ""
    share = f"{found.repeated} of {found.of} trials{between}" if found.of else "no trial that could be judged"
    lines = [f"fork of {head['parent']} after turn {request.turn}: the failure came again in {share}"]
    if found.unjudged:
        lines.append(f"{found.unjudged} trials could not be judged and are in no figure")
    lines += [f"note: {one_line(note)}" for note in head["notes"]]
    for one in made:
        word = one.found.verdict.replace("_", " ")
        lines.append("  " + one_line(f"{one.attempt}: {word}, {one.ended.termination_reason}; {one.found.why}", 300))
    code = 4 if not found.of else 0 if found.repeated else 1
    return Outcome(plain, lines, code)
