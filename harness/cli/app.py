"""All verbs of `rig`."""

import gc
import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any

import typer

import harness
from harness.cli import desk
from harness.cli.agent_rules import agent_rules
from harness.cli.corpus import corpus_app
from harness.cli.grade import grade_app
from harness.cli.gsb import grade_gsb, gsb_app
from harness.cli.options import (
    Answers,
    Concurrency,
    Corpus,
    Headed,
    Json,
    JudgeTimeout,
    PerMinute,
    Replay,
    Results,
    Run,
    Slow,
    Url,
)
from harness.cli.out import end_on_terminate, one_line_errors, print_json, print_line, say
from harness.cli.runs import results_dir as _results
from harness.cli.runs import run_dir as _run_dir
from harness.cli.sheets import human_sheet_app, triage_sheet_app

app = typer.Typer(
    name="rig",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
)
stack_app = typer.Typer(
    help="The local stack: reference product, embedded stores, embedded model.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(stack_app, name="stack")
app.add_typer(corpus_app, name="corpus")
app.add_typer(triage_sheet_app, name="triage-sheet")
app.add_typer(human_sheet_app, name="human-sheet")
app.add_typer(grade_app, name="grade")
grade_app.command("agent-rules")(agent_rules)
grade_app.command("gsb")(grade_gsb)
app.add_typer(gsb_app, name="gsb")
desk.add_to(app)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"rig {harness.__version__}")
        raise typer.Exit


@app.callback()
def rig(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Sends a simulated customer through a product that talks, records everything, and scores the record by rules."""


@app.command()
def run(
    packages: Annotated[list[str] | None, typer.Argument(help="Package ids; none: all of the corpus.")] = None,
    customer: Annotated[str, typer.Option(help="model, rule, scripted or recorded.")] = "model",
    product: Annotated[str, typer.Option(help="Adapter: a name, or a YAML file.")] = "reference-claims",
    url: Url = None,
    run_id: Annotated[str | None, typer.Option("--run", help="Id of the run to create or continue.")] = None,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Allow a controlled product; the run is never official.")
    ] = False,
    defect: Annotated[
        list[str] | None, typer.Option(help="Switch on a defect of a calibration product; may be repeated.")
    ] = None,
    runtime: Annotated[
        str | None, typer.Option(help="Runtime of the local stack if it is started for this run: controlled or model.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Worker processes, each with a browser.")] = 1,
    trials: Annotated[int, typer.Option(help="How often each package is played.")] = 1,
    max_attempts: Annotated[int, typer.Option(help="Attempts of a trial before it is given up.")] = 3,
    turn_limit: Annotated[int, typer.Option(help="Turns of a journey.")] = 40,
    turn_timeout: Annotated[float, typer.Option(help="Seconds a product may take to settle.")] = 120.0,
    journey_timeout: Annotated[float, typer.Option(help="Seconds a journey may take.")] = 1800.0,
    model_timeout: Annotated[
        float,
        typer.Option(
            help="Seconds one call of the customer's model may take; a hung endpoint is not waited for longer."
        ),
    ] = 300.0,
    rng_seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 1,
    script: Annotated[Path | None, typer.Option(help="scripted: JSON list of moves.")] = None,
    recorded: Annotated[Path | None, typer.Option(help="recorded: prompts.jsonl of an attempt.")] = None,
    max_cost: Annotated[
        str | None,
        typer.Option(
            help="Cap on the whole run, e.g. 20: once it is spent no journey begins, running ones end. Exit 3."
        ),
    ] = None,
    max_journey_cost: Annotated[
        str | None, typer.Option(help="Cap on the customer's model in one journey, e.g. 0.50.")
    ] = None,
    alongside: Annotated[
        bool, typer.Option("--alongside", help="Do not mind another run at work in the same folder of results.")
    ] = False,
    headed: Headed = False,
    slow: Slow = 0,
    pause_at: Annotated[
        int | None,
        typer.Option("--pause-at", help="Stop before the move of this turn until Enter; you may move instead."),
    ] = None,
    trace: Annotated[
        str, typer.Option("--trace", help="Keep Playwright's trace: on, off or retain-on-failure; never official.")
    ] = "off",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything, say what would run, run nothing.")
    ] = False,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Play packages: seed the product, send the customer, record. Scores nothing."""
    with one_line_errors():
        from harness.cli.play import RunRequest, finish, play

        request = RunRequest(
            packages=tuple(packages or ()), customer=customer, product=product, url=url, run=run_id, rehearsal=rehearsal,
            defects=tuple(defect or ()), runtime=runtime, workers=workers, trials=trials, max_attempts=max_attempts,
            turn_limit=turn_limit, turn_timeout_s=turn_timeout, journey_timeout_s=journey_timeout, model_timeout_s=model_timeout, rng_seed=rng_seed, script=script,
            recorded=recorded, max_cost=max_cost, headed=headed, results=_results(results), corpus=corpus,
            max_journey_cost=max_journey_cost, alongside=alongside, slow_ms=slow, pause_at=pause_at, trace=trace,
        )  # fmt: skip
        finish(play(request, dry_run=dry_run), as_json)


@app.command()
def verify(
    run: Run,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Check a record: hashes, ledger chain, and every prompt against the record it must come from."""
    with one_line_errors():
        from harness.verify import verify_run

        found = verify_run(_run_dir(run, results), corpus)
        if as_json:
            print_json(found.plain())
        else:
            for line in found.lines():
                print_line(line)
        raise SystemExit(0 if found.ok else 4)


@app.command()
def score(
    run: Run,
    against: Annotated[
        str | None,
        typer.Option(help="Earlier scoring to hold it against (a folder of scores/), default: the newest earlier one."),
    ] = None,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Score a record by rules against the packages' answers. Exit 1 if anything failed, 4 if nothing could be scored.

    Conversations of buyers are graded by the 58 metrics, as `rig grade inquiry --run` does; their scorecards hold these verdicts
    and what the packages' answers expect.

    Packages whose answers were corrected are scored by their earlier revisions too; what the correction moved is listed. A run
    that was scored before is held against that scoring: every line that is decided otherwise now.
    """
    with one_line_errors():
        from harness.cli.grade import show_apart, show_result
        from harness.verify import planned_trials
        from oracle_scoring.claims.batch import left_out
        from oracle_scoring.claims.rescored import against_earlier, earlier_key, rescored_lines
        from oracle_scoring.claims.revisions import moved, score_revisions
        from oracle_scoring.claims.show import format_scorecard
        from oracle_scoring.inquiry.card import score_buyers
        from oracle_scoring.inquiry.version import RUBRIC as BUYERS
        from oracle_scoring.sheets.verdicts import shown_cards

        run_dir = _run_dir(run, results)
        earlier = earlier_key(run_dir, against)
        talked = earlier_key(run_dir, against, BUYERS)
        scores = score_revisions(run_dir, corpus)
        # A correction of the visible half makes a run of before unscorable by today's package; then an earlier one decides.
        deciding = next(one for one in scores if one.problem is None)
        others = left_out(run_dir, corpus) if deciding is scores[0] else []
        buyers, talks = score_buyers(run_dir, corpus) if others else ([], [])
        claims = shown_cards(run_dir, deciding.cards)
        cards = [*claims, *shown_cards(run_dir, buyers)]
        planned = planned_trials(run_dir)
        again = against_earlier(run_dir, earlier, deciding.cards)
        talked_again = against_earlier(run_dir, talked, buyers) if buyers else None
        counting = [c for c in cards if c.counting]
        failed = sum(1 for c in counting for line in c.lines if line.state == "fail")
        unscored = [package for package in others if package not in {c.package for c in buyers}]
        if as_json:
            print_json(
                {
                    "run": run,
                    "planned": planned,
                    "counting": len(counting),
                    "failed_lines": failed,
                    "left_out": unscored,
                    "conversations": [talk.model_dump(mode="json") for talk in talks],
                    "cards": [c.model_dump(mode="json", by_alias=True) for c in cards],
                    "revisions": [{"packages": one.revisions, "problem": one.problem} for one in scores],
                    "moved_by_corrections": [vars(line) for line in moved(scores)],
                    "against": None if again is None else again.plain(),
                    "against_conversations": None if talked_again is None else talked_again.plain(),
                }
            )
        else:
            for card in claims:
                print_line(format_scorecard(card, _width()))
            for card, talk in zip([c for c in buyers if c.counting], talks, strict=True):
                show_result(talk)
                show_apart(card, talk)
            print_line(f"{len(counting)} of {planned} planned trials have a counting attempt")
            for one in scores:
                if one.problem is not None:
                    print_line(f"not scored by revision {_revisions(one.revisions)}: {one.problem}")
            if len(scores) > 1:
                print_line(f"scored by {len(scores)} revisions of the answers; lines that a correction moved:")
            for line in moved(scores):
                print_line(
                    f"  {line.package}/t{line.trial:02d}/a{line.attempt:02d} {line.line}: {line.earlier or 'no line'} by revision "
                    f"{line.earlier_revision}, {line.now or 'no line'} by revision {line.revision}"
                )
            for one_again in (again, talked_again):
                for row in rescored_lines(one_again) if one_again is not None else ():
                    print_line(row)
        scored = any(line.state in ("pass", "fail") for c in counting for line in c.lines)
        if unscored:
            say(
                f"rig: run {run}: {len(unscored)} packages of conversations hold no journey to score ({', '.join(unscored)})"
            )
        if not scored and (cards or not others):
            say(f"rig: run {run}: nothing could be scored ({len(cards)} attempts, {len(counting)} of them count)")
        raise SystemExit(4 if not scored else 1 if failed else 0)


def _revisions(packages: dict[str, int]) -> str:
    return ", ".join(f"{revision} of {package}" for package, revision in packages.items())


def _width() -> int:
    try:
        return max(60, os.get_terminal_size().columns)
    except OSError:
        return 120


@app.command()
def fidelity(
    run: Run,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Say what the simulated customer itself did wrong: kind, whether it reached the product, where, what cannot be decided."""
    with one_line_errors():
        from harness.cli.fidelity import show_fidelity

        show_fidelity(_run_dir(run, results), corpus, as_json, _width())


@app.command()
def report(
    run: Run,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Where to write the page.")] = None,
    pages: Annotated[
        int, typer.Option(min=0, help="Attempts shown in full, at most; some of each kind of failure first.")
    ] = 40,
    results: Results = None,
    as_json: Json = False,
) -> None:
    """Write a run's report: a self-contained page, and for a run of more than twelve attempts pages of single ones beside it."""
    with one_line_errors():
        from harness.report import Limits, write_report

        path = write_report(_run_dir(run, results), out, Limits(detail_attempts=pages))
        print_json({"report": str(path)}) if as_json else print_line(str(path))


@app.command()
def view(
    folder: Annotated[Path | None, typer.Argument(metavar="RESULTS", help="Folder of all runs, or one run.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on loopback; 0: a free one.")] = 0,
    corpus: Corpus = Path("packages"),
) -> None:
    """Look at runs in the browser: lists, search, a run's matrix, a journey's timeline. Only reads; Ctrl-C ends it."""
    with one_line_errors():
        from harness.cli.view import view as serve
        from harness.config import read_config

        serve(_results(folder), corpus, read_config().cache_dir, port)


@app.command()
def summary(
    run: Run,
    journeys: Annotated[
        int, typer.Option(help="So many journeys are put into words, those with most failures first.")
    ] = 5,
    answers: Answers = None,
    replay: Replay = False,
    concurrency: Concurrency = 4,
    per_minute: PerMinute = None,
    judge_timeout: JudgeTimeout = 300.0,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """A run in short, in the judge's words: marked as a model's, with quotes; no figure is taken from them."""
    with one_line_errors():
        from harness.cli.judge import JudgeOptions
        from harness.cli.summary import lines, summarised

        options = JudgeOptions(answers, replay, concurrency, per_minute, judge_timeout)
        found = summarised(_run_dir(run, results), corpus, journeys, options)
        if as_json:
            print_json(found.model_dump(mode="json"))
        else:
            for line in lines(found):
                print_line(line)
        raise SystemExit(4 if found.whole is None and not any(j.words for j in found.journeys) else 0)


@app.command()
def publish(
    runs: Annotated[list[str], typer.Argument(help="Run ids or folders; several stand in one table.")],
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Print the table of a run that is not official, marked as what it is.")
    ] = False,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Figures of official runs, each with numerator, denominator, what is outside, and interval. Exit 1: a target is not met."""
    with one_line_errors():
        from harness.cli.publish import publish_runs

        folders = [_run_dir(run, results) for run in runs]
        raise SystemExit(publish_runs(folders, corpus, rehearsal, as_json, _width()))


@app.command()
def explain(
    attempt: Annotated[
        str, typer.Argument(help="RUN/PACKAGE/t01/a01, an attempt's folder, or a run: its newest failing attempt.")
    ],
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Say in a few lines why a journey failed: what came first, what follows from it, whose doing it was, where to look."""
    with one_line_errors():
        from harness.cli.explain import print_explanation

        print_explanation(attempt, _results(results), corpus, lambda run: _run_dir(run, results), as_json)


@app.command()
def compare(
    before: Run,
    now: Run,
    rescore: Annotated[
        bool,
        typer.Option("--rescore", help="Score both anew, by the answers at hand, instead of taking their scorecards."),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write a page with the journeys side by side, too.")
    ] = None,
    package: Annotated[
        list[str] | None, typer.Option(help="Only these packages side by side; may be repeated.")
    ] = None,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Two runs package by package, line by line, with exact tests. Exit 1: a line that passed fails now."""
    with one_line_errors():
        from harness.cli.compare import compare_runs

        sides = (_run_dir(before, results), _run_dir(now, results))
        raise SystemExit(compare_runs(sides, corpus, rescore, out, package or [], as_json, _width()))


@app.command("judge-check")
def judge_check(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Questions with people's labels, one a line; with --make-sheet: inquiry sessions."),
    ] = None,
    repeats: Annotated[int, typer.Option(help="How often each question is asked in the same words.")] = 3,
    answers: Annotated[
        Path | None,
        typer.Option(help="File of the judge's answers: what it holds is not asked again, new ones are added."),
    ] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Ask nobody: take every answer from --answers.")] = False,
    concurrency: Annotated[int, typer.Option(help="Calls at once.")] = 4,
    per_minute: Annotated[float | None, typer.Option(help="Calls begun in a minute, retries among them.")] = None,
    judge_timeout: Annotated[float, typer.Option(help="Seconds one call may take.")] = 300.0,
    rng_seed: Annotated[int, typer.Option(help="Seed of the resampling behind kappa's interval.")] = 1,
    make_sheet: Annotated[
        bool,
        typer.Option("--make-sheet", help="Write what a judge would be asked about these sessions, to be labelled."),
    ] = False,
    profile: Annotated[str | None, typer.Option(help="--make-sheet: profile of all sessions.")] = None,
    rubrics: Annotated[bool, typer.Option("--rubrics", help="List the rubrics and the hash of each prompt.")] = False,
    out: Annotated[Path | None, typer.Option("-o", help="Write every verdict (or the sheet) into this file.")] = None,
    as_json: Json = False,
) -> None:
    """Measure the judge against people: rates, kappa, flips, intervals. Exit 4 if nothing was judged."""
    with one_line_errors():
        from harness.cli.judge import JudgeOptions, measured, run_sheet, show_check, show_rubrics

        if rubrics:
            show_rubrics(as_json)
            return
        if make_sheet:
            say(f"{run_sheet(list(files or ()), profile, out)} questions")
            return
        report = measured(
            list(files or ()),
            JudgeOptions(answers, replay, concurrency, per_minute, judge_timeout),
            repeats,
            rng_seed,
            out,
        )
        print_json(report.model_dump(mode="json")) if as_json else show_check(report)
        raise SystemExit(0 if report.judge.judged else 4)


@app.command()
def demo(
    results: Results = None,
    run_id: Annotated[str | None, typer.Option("--run", help="Id of the demo's run.")] = None,
    corpus: Corpus = Path("packages"),
) -> None:
    """One motor claim with a model on both sides, recorded, scored and reported. Exit 0 once scored, whatever the score."""
    with one_line_errors():
        from harness.cli.demo import run_demo

        raise SystemExit(run_demo(_results(results), run_id, corpus))


@app.command()
def calibrate(
    product: Annotated[str, typer.Option(help="A reference product by its short name, or an adapter.")] = "claims",
    package: Annotated[list[str] | None, typer.Option(help="Only this package; may be repeated.")] = None,
    defect: Annotated[list[str] | None, typer.Option(help="Only this defect; may be repeated.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Every defect in every package, and the sound product three times.")
    ] = False,
    workers: Annotated[int, typer.Option(help="Worker processes, each with a browser.")] = 2,
    run_id: Annotated[str | None, typer.Option("--run", help="Id of the calibration to create or continue.")] = None,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Plant every fault of a calibration product and see whether its own line, and no other, names it. Exit 1 if not."""
    with one_line_errors():
        from rich.console import Console

        from harness.cli.calibrate import CalibrateRequest, show
        from harness.cli.calibrate import calibrate as play_matrix

        found = play_matrix(
            CalibrateRequest(
                product, tuple(package or ()), tuple(defect or ()), full, workers, run_id, _results(results), corpus
            )
        )
        if as_json:
            print_json(found.plain)
        else:
            show(found.matrix, Console(width=_width()))
        raise SystemExit(found.exit_code)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what is there, what is missing, and the command that mends it."""
    with one_line_errors():
        from harness.doctor import as_json as findings_json
        from harness.doctor import diagnose, exit_code, print_table

        findings = diagnose()
        if as_json:
            print_json(findings_json(findings))
        else:
            print_table(findings)
        raise SystemExit(exit_code(findings))


@app.command()
def screen(
    url: Annotated[str, typer.Argument(help="Address (http, https, file).")],
    product: Annotated[str | None, typer.Option(help="Adapter; without one the whole page is read.")] = None,
    as_json: Json = False,
) -> None:
    """Print what a customer would see there."""
    with one_line_errors():
        import asyncio
        from urllib.parse import urlsplit

        from harness.errors import InputError, one_line
        from harness.screen.look import look

        try:
            urlsplit(url)
        except ValueError as exc:
            raise InputError(f"address {url}", str(exc)) from exc

        seen = asyncio.run(look(url, product))
        if as_json:
            print_json(seen)
        else:
            for block in seen["text"]:
                for line in str(block).splitlines():
                    print_line(one_line(line, 2000))
            for control in seen["controls"]:
                print_line(
                    f"[{control['kind']}] {one_line(control['name'])}{'' if control['enabled'] else ' (disabled)'}"
                )
            for hidden in seen["unreadable"]:
                print_line(f"(unreadable: {hidden['where']}, {hidden['why']})")


@app.command()
def schema(
    name: Annotated[str | None, typer.Argument(help="Which; none: list them.")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write all of them into this folder, with settings for an editor.")
    ] = None,
) -> None:
    """Print a JSON Schema: package files, product routes, record files."""
    with one_line_errors():
        from harness.cli.schemas import names, schema_of, write_schemas

        if write is not None:
            for path in write_schemas(write):
                print_line(str(path))
        elif name is None:
            for known in names():
                print_line(known)
        else:
            print_json(schema_of(name))


@stack_app.command("up")
def stack_up(
    runtime: Annotated[str, typer.Option(help="controlled or model.")] = "controlled",
    with_model: Annotated[
        bool, typer.Option("--model", help="Start the embedded model too (fetches it once, 1.1 GB).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Start the reference product and what it stands on; it stays until `rig stack down`."""
    with one_line_errors():
        from harness.cli.play import check_runtime
        from harness.stack import up

        _print_stack(up(check_runtime(runtime), with_model=with_model), as_json)


@stack_app.command("down")
def stack_down(as_json: Json = False) -> None:
    """Stop the local stack; its data go with it."""
    with one_line_errors():
        from harness.stack import down

        ended = down()
        print_json({"ended": ended}) if as_json else print_line(f"ended: {', '.join(ended) or 'nothing was running'}")


@stack_app.command("status")
def stack_status(as_json: Json = False) -> None:
    """What of the local stack is running. Exit 4 if it is not up."""
    with one_line_errors():
        from harness.stack import status

        now = status()
        _print_stack(now, as_json)
        raise SystemExit(0 if now.running else 4)


def _print_stack(now: Any, as_json: bool) -> None:
    parts = [{k: str(v) if isinstance(v, Path) else v for k, v in vars(p).items()} for p in now.parts]
    if as_json:
        print_json({"running": now.running, "runtime": now.runtime, "base_url": now.base_url, "parts": parts})
        return
    print_line(f"{'up' if now.running else 'down'}: {now.base_url or 'no product'} ({now.runtime or 'no runtime'})")
    for part in parts:
        print_line(f"  {part['name']:10} {part['state']:11} {part['address'] or '-'}")


def main() -> None:
    """Entry point. Typer's own usage errors end with code 2."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    end_on_terminate()
    try:
        command = typer.main.get_command(app)
        gc.enable()
        command()
    except KeyboardInterrupt:
        say("rig: stopped")
        raise SystemExit(4) from None
    except OSError as exc:
        say(f"rig: {exc.filename or 'the system'}: {exc.strerror or exc}")
        raise SystemExit(4) from None
    except Exception:  # noqa: BLE001 - a bug of the rig: the traceback is wanted, exit code 1 would say that something scored `fail`
        traceback.print_exc()
        raise SystemExit(4) from None
