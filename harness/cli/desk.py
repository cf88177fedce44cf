"""The investigator's verbs: play a failure again, branch off from it, play the customer oneself, look at a trace, hand over."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Corpus, Json, Results
from harness.cli.out import one_line_errors

Attempt = Annotated[str, typer.Argument(help="RUN/PACKAGE/t01/a01, an attempt's folder, or a run with one attempt.")]
Url = Annotated[str | None, typer.Option(help="Where the product is, if not at the adapter's address.")]
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
Headed = Annotated[bool, typer.Option("--headed", help="Show the browser.")]
Slow = Annotated[int, typer.Option("--slow", help="Milliseconds waited before each act, to be watched.")]
Customer = Annotated[str | None, typer.Option(help="Who goes on: model or rule (default: whoever played the parent).")]


def add_to(app: typer.Typer) -> None:
    """Put the verbs into the command."""
    for verb in (replay, fork):
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
        from harness.cli.replay import ReplayRequest, show
        from harness.cli.replay import replay as play_again

        outcome = play_again(
            ReplayRequest(
                attempt=attempt, run=run_id, customer=customer, continue_live=continue_live, turn=None, times=1,
                lines=tuple(line or ()), defects=_defects(defect, no_defects), product=product, url=url, headed=headed, slow_ms=slow,
                results=results, corpus=corpus,
            )
        )  # fmt: skip
        show(outcome, as_json)
        raise SystemExit(outcome.exit_code)


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
        from harness.cli.replay import ReplayRequest, show
        from harness.cli.replay import replay as play_again

        outcome = play_again(
            ReplayRequest(
                attempt=attempt, run=run_id, customer=customer, continue_live=True, turn=turn, times=times,
                lines=tuple(line or ()), defects=_defects(defect, no_defects), product=product, url=url, headed=headed, slow_ms=slow,
                results=results, corpus=corpus,
            )
        )  # fmt: skip
        show(outcome, as_json)
        raise SystemExit(outcome.exit_code)
