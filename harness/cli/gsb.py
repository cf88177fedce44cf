"""`rig gsb`: blinded pairs of journeys, chosen between by people or a judge; `rig grade gsb`: what the choices come to."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import Answers, Concurrency, Json, JudgeTimeout, PerMinute, Replay, Results
from harness.cli.out import one_line_errors, print_json, print_line, say

if TYPE_CHECKING:
    from harness.cli.judge import JudgeOptions
    from oracle_scoring.gsb.models import AgentLine, PairLine
    from oracle_scoring.gsb.store import Choices
    from oracle_scoring.judge.gsb import JudgedPair

gsb_app = typer.Typer(
    help="Two journeys side by side: blinded pairs, chosen between by people or a judge.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
Folder = Annotated[Path, typer.Argument(help="Folder of pairs, made by rig gsb make.")]


@gsb_app.command("make")
def make(
    runs: Annotated[list[str], typer.Argument(help="Two runs or more; each is one agent, named by the run.")],
    out: Annotated[Path, typer.Option("-o", help="Folder for the pairs; their key is written beside it.")],
    rng_seed: Annotated[int, typer.Option(help="Seed of order and sides.")] = 1,
    hide: Annotated[
        list[str] | None, typer.Option("--hide", help="A word that would tell which product it is; may be repeated.")
    ] = None,
    results: Results = None,
    as_json: Json = False,
) -> None:
    """Blinded pairs of all journeys that two runs have of the same package, in random order."""
    with one_line_errors():
        from harness.cli.runs import run_dir
        from harness.errors import one_line
        from oracle_scoring.gsb.make import make_pairs
        from oracle_scoring.gsb.store import write_pairs

        made = make_pairs([run_dir(run, results) for run in runs], rng_seed, hide or [])
        key = write_pairs(made, out)
        if as_json:
            print_json({"folder": str(out), "key": str(key), "pairs": len(made.pairs), "left_out": made.key.left_out})
            return
        print_line(f"{len(made.pairs)} pairs in {out}; who is who stands in {key}, keep it from those who choose")
        print_line(f"struck out: {one_line(', '.join(made.key.hidden_words)) or 'nothing'}")
        for text in made.key.left_out:
            print_line(f"left out: {one_line(text)}")


@gsb_app.command("choose")
def choose(
    folder: Folder,
    by: Annotated[str, typer.Option("--by", help="Who chooses; stands beside every choice.")],
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0: a free one.")] = 0,
) -> None:
    """A page on loopback on which a person chooses, with keys 1 to 4; what was chosen is kept, and it goes on where it stopped."""
    with one_line_errors():
        from oracle_scoring.gsb.page import serve

        serve(folder, by, port, print_line)


@gsb_app.command("judge")
def judge(
    folder: Folder,
    answers: Answers = None,
    replay: Replay = False,
    concurrency: Concurrency = 4,
    per_minute: PerMinute = None,
    judge_timeout: JudgeTimeout = 300.0,
    rows: Annotated[Path | None, typer.Option("-o", help="Write every verdict into this file.")] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--sheet", help="Ask nobody: write what the judge would be asked, for people to label, into this file."
        ),
    ] = None,
) -> None:
    """The judge chooses in each pair in both orders; what it says otherwise when swapped is a tie of its own kind."""
    with one_line_errors():
        from harness.cli.judge import JudgeOptions
        from oracle_scoring.gsb.store import Choices

        choices = Choices(folder)
        if sheet is not None:
            say(f"{_write_sheet(choices, sheet)} questions")
            return
        options = JudgeOptions(answers, replay, concurrency, per_minute, judge_timeout)
        judged, missing, ties = _judge(choices, options, rows)
        print_line(f"{judged} pairs chosen in, {ties} of them otherwise when swapped; {missing} not judged")
        raise SystemExit(4 if not judged else 0)


def _write_sheet(choices: "Choices", path: Path) -> int:
    from harness.cli.judge import writable
    from oracle_scoring.judge.gsb import questions
    from oracle_scoring.judge.labelled import sheet_line

    with writable(path) as file:
        for pair in choices.pairs.values():
            question = questions(pair)[0]  # as it is: `rig judge-check` turns the answers round, not the sides
            file.write(sheet_line(question, pair.pair, pair.task_id).model_dump_json() + "\n")
    return len(choices.pairs)


def _judge(choices: "Choices", options: "JudgeOptions", rows: Path | None) -> tuple[int, int, int]:
    """How many pairs were judged, how many not, and in how many the order mattered."""
    from harness.cli.judge import judged, writable
    from oracle_scoring.gsb.models import JUDGE
    from oracle_scoring.judge.gsb import judged_pairs

    chosen = missing = ties = 0
    with ExitStack() as stack:
        file = stack.enter_context(writable(rows)) if rows is not None else None
        found: Iterator[JudgedPair] = judged(
            options, lambda client: judged_pairs(choices.pairs.values(), client), _asked
        )
        for pair in found:
            if file is not None:
                file.write(pair.model_dump_json() + "\n")
            if pair.choice is None:
                missing += 1
                continue
            chosen += 1
            ties += pair.choice == "order_tie"
            choices.choose(pair.pair, pair.choice, f"{JUDGE}:{pair.rows[0].model}", pair.orders)
    return chosen, missing, ties


def _asked(pair: "JudgedPair") -> int:
    return len(pair.rows)


@gsb_app.command("reveal")
def reveal(
    folder: Folder,
    out: Annotated[Path | None, typer.Option("-o", help="Write into this file instead of standard output.")] = None,
) -> None:
    """All choices with the names of the agents, one a line, for rig grade gsb."""
    with one_line_errors():
        from harness.cli.judge import writable
        from harness.errors import InputError
        from oracle_scoring.gsb.store import reveal as revealed

        lines = revealed(folder)
        if not lines:
            raise InputError(str(folder), "holds no choice yet")
        with ExitStack() as stack:
            file = sys.stdout if out is None else stack.enter_context(writable(out))
            for line in lines:
                file.write(line.model_dump_json() + "\n")


def grade_gsb(
    files: Annotated[list[str], typer.Argument(help="Comparisons, .jsonl, one a line; - is standard input.")],
    by: Annotated[str | None, typer.Option("--by", help="Only the choices of this person or judge.")] = None,
    out: Annotated[Path | None, typer.Option("-o", help="Write the results, one a line, into this file.")] = None,
    as_json: Json = False,
) -> None:
    """Wins, losses, both kinds of ties, effective win rate with interval, sign test, net, flips; people and judges apart."""
    with one_line_errors():
        from harness.cli.judge import writable
        from harness.errors import InputError, one_line
        from oracle_scoring.gsb.grade import grade_pairs

        graded = grade_pairs(_comparisons(files), by)
        if not graded.lines:
            raise InputError(", ".join(files), f"holds no comparison{f' by {by}' if by else ''}")
        with ExitStack() as stack:
            file = stack.enter_context(writable(out)) if out is not None else None
            for line in graded.lines:
                text = line.model_dump_json() + "\n"
                if file is not None:
                    file.write(text)
                if as_json:
                    sys.stdout.write(text)
        if not as_json and out is None:
            for text in table(graded.lines):
                print_line(text)
        for text in graded.unclear:
            say(f"counted line by line: {one_line(text)}; give each comparison a pair_id")


def _comparisons(files: list[str]) -> "Iterator[tuple[str, PairLine]]":
    from oracle_scoring.gsb.models import PairLine
    from oracle_scoring.rows import read_rows

    for name in files:
        yield from read_rows(PairLine, name)


def table(lines: "list[AgentLine]") -> list[str]:
    """The results for people."""
    from harness.errors import one_line

    said = []
    for x in lines:
        name = one_line(x.agent) + (f" against {one_line(x.against)}" if x.against else "")
        rate = "-"
        if x.effective_win_rate is not None and x.interval is not None:
            rate = f"{x.effective_win_rate:.1%} ({x.interval.low:.1%} to {x.interval.high:.1%})"
        test = "no decisive comparison" if x.sign_test_p is None else f"p = {x.sign_test_p:.3g}"
        if x.sign_test_p is not None and not x.can_decide:
            test += ", too few decisive comparisons to decide"
        flips = f"; {x.flip_rate.value:.1%} of {x.flip_rate.pairs} flipped" if x.flip_rate.value is not None else ""
        said.append(
            f"{name} ({x.by}): {x.wins} wins, {x.losses} losses, {x.both_good} both good, {x.both_bad} both bad, {x.order_ties} order ties"
        )
        said.append(
            f"  effective win rate {rate}; sign test {test}; (good - bad)/N {x.net:+.3f} of {x.comparisons}{flips}"
        )
    return said
