"""The investigator's verbs: play a failure again, branch off from it, play the customer oneself, look at a trace, hand over."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Corpus, Headed, Json, Results, Slow, Url
from harness.cli.out import one_line_errors

Attempt = Annotated[str, typer.Argument(help="RUN/PACKAGE/t01/a01, an attempt's folder, or a run with one attempt.")]
Product = Annotated[str | None, typer.Option(help="Adapter: a name, or a YAML file (default: the parent's).")]
RunId = Annotated[str | None, typer.Option("--run", help="Id of the new run.")]
Line = Annotated[
    list[str] | None, typer.Option(help="Look for this failed line only; may be repeated (default: all that failed).")
]
Defect = Annotated[
    list[str] | None,
    typer.Option(help="Switch on these defects instead of those the parent ran with; may be repeated."),
]
NoDefects = Annotated[bool, typer.Option("--no-defects", help="Switch on none: the product as it is now.")]
Customer = Annotated[str | None, typer.Option(help="Who goes on: model or rule (default: whoever played the parent).")]


def add_to(app: typer.Typer) -> None:
    """Put the verbs into the command."""
    for verb in (replay, fork, play, trace, bundle, export):
        app.command()(verb)


def _defects(named: list[str] | None, none: bool) -> tuple[str, ...] | None:
    from harness.errors import InputError

    if named and none:
        raise InputError("--no-defects", "does not go with --defect")
    return () if none else tuple(named) if named else None


def replay(
    attempt: Attempt,
    continue_live: Annotated[
        bool,
        typer.Option(
            "--continue-live", help="Where the screen no longer offers a recorded move, let a customer go on."
        ),
    ] = False,
    customer: Customer = None,
    line: Line = None,
    defect: Defect = None,
    no_defects: NoDefects = False,
    run_id: RunId = None,
    product: Product = None,
    url: Url = None,
    headed: Headed = False,
    slow: Slow = 0,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Seed the product anew, send the recorded moves by what is visible, and see whether the same lines fail again.

    Exit 0: reproduced; 1: not, or the screen no longer offered a move; 4: that cannot be said.
    """
    with one_line_errors():
        from harness.cli.play import finish
        from harness.cli.replay import ReplayRequest
        from harness.cli.replay import replay as play_again

        request = ReplayRequest(
            attempt=attempt, run=run_id, customer=customer, continue_live=continue_live, turn=None, times=1,
            lines=tuple(line or ()), defects=_defects(defect, no_defects), product=product, url=url, headed=headed, slow_ms=slow,
            results=results, corpus=corpus,
        )  # fmt: skip
        finish(play_again(request), as_json)


def fork(
    attempt: Attempt,
    turn: Annotated[int, typer.Option("--turn", help="The last turn that is replayed; the customer decides the next.")],
    times: Annotated[int, typer.Option("--times", help="How often, each time from a fresh seed.")] = 1,
    customer: Customer = None,
    line: Line = None,
    defect: Defect = None,
    no_defects: NoDefects = False,
    run_id: RunId = None,
    product: Product = None,
    url: Url = None,
    headed: Headed = False,
    slow: Slow = 0,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Replay an attempt up to a turn, then let a customer go on; with --times, how often the failure comes again.

    Exit 0: it came again at least once; 1: never; 4: no trial could be judged.
    """
    with one_line_errors():
        from harness.cli.play import finish
        from harness.cli.replay import ReplayRequest
        from harness.cli.replay import replay as play_again

        request = ReplayRequest(
            attempt=attempt, run=run_id, customer=customer, continue_live=True, turn=turn, times=times,
            lines=tuple(line or ()), defects=_defects(defect, no_defects), product=product, url=url, headed=headed, slow_ms=slow,
            results=results, corpus=corpus,
        )  # fmt: skip
        finish(play_again(request), as_json)


def play(
    package: Annotated[str, typer.Argument(help="Id of the package whose customer you play.")],
    product: Annotated[str, typer.Option(help="Adapter: a name, or a YAML file.")] = "reference-claims",
    url: Url = None,
    run_id: RunId = None,
    defect: Annotated[list[str] | None, typer.Option(help="Switch on a defect of a calibration product.")] = None,
    runtime: Annotated[str | None, typer.Option(help="Runtime of the local stack: controlled or model.")] = None,
    turn_limit: Annotated[int, typer.Option(help="Turns of the journey.")] = 40,
    journey_timeout: Annotated[float, typer.Option(help="Seconds the journey may take, your own included.")] = 7200.0,
    headed: Headed = False,
    trace: Annotated[
        str, typer.Option("--trace", help="Keep Playwright's trace: on, off or retain-on-failure.")
    ] = "off",
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Play a package's customer yourself, in this terminal: what a model is shown, the moves it has, the record it leaves."""
    with one_line_errors():
        from harness.cli.play import RunRequest, finish, play_as_person
        from harness.cli.runs import results_dir

        request = RunRequest(
            packages=(package,), customer="person", product=product, url=url, run=run_id, rehearsal=True, defects=tuple(defect or ()),
            runtime=runtime, workers=1, trials=1, max_attempts=1, turn_limit=turn_limit, turn_timeout_s=120.0,
            journey_timeout_s=journey_timeout, rng_seed=1, script=None, recorded=None, max_cost=None, headed=headed,
            results=results_dir(results), corpus=corpus, trace=trace,
        )  # fmt: skip
        finish(play_as_person(package, request), as_json)


def trace(
    attempt: Attempt,
    serve: Annotated[bool, typer.Option("--serve", help="As a page on the loopback address, for any browser.")] = False,
    results: Results = None,
) -> None:
    """Open Playwright's viewer on the trace of an attempt (of a run with --trace). Without a display: say how to open it."""
    with one_line_errors():
        from harness.cli.out import print_line, say
        from harness.cli.runs import attempt_dir
        from harness.trace import show_trace

        line = show_trace(attempt_dir(attempt, results), say, serve)
        if line is not None:
            print_line(line)


def bundle(
    attempt: Attempt,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The zip (default: its name, in this folder).")
    ] = None,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """One zip of an attempt that opens without the rig: page, record, texts for a ticket. Secrets are redacted, and looked for."""
    with one_line_errors():
        from harness.cli.handover import bundle_attempt

        bundle_attempt(attempt, out, results, corpus, as_json)


def export(
    attempt: Attempt,
    form: Annotated[str, typer.Option("--as", help="playwright, har, junit or markdown.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file (default: standard output).")] = None,
    results: Results = None,
    corpus: Corpus = Path("packages"),
) -> None:
    """An attempt in another tool's form: a Playwright script that fails where it failed, a HAR, JUnit XML, Markdown. No secrets."""
    with one_line_errors():
        from harness.cli.handover import export_attempt

        export_attempt(attempt, form, out, results, corpus)
