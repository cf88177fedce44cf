"""`rig grade agent-rules`: runs of an agent, or recorded journeys, graded by a file of rules."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import Answers, AskJudge, Concurrency, Corpus, Json, JudgeTimeout, PerMinute, Replay, Results
from harness.cli.out import one_line_errors, print_line, say

if TYPE_CHECKING:
    from harness.cli.judge import JudgeOptions
    from oracle_scoring.agent_rules import AgentRun, AgentSummary, Rules, RunResult, Tally
    from oracle_scoring.agent_rules.summary import Rate
    from oracle_scoring.judge.agent_rules import JudgedRun

_PROGRESS_EVERY = 1000


def agent_rules(
    files: Annotated[list[str] | None, typer.Argument(help="Runs, .jsonl, one a line; - is standard input.")] = None,
    journey: Annotated[
        list[str] | None,
        typer.Option("--journey", help="A recorded run, or one attempt (RUN/PACKAGE/t01/a01); may be repeated."),
    ] = None,
    rules: Annotated[Path | None, typer.Option(help="Another file of rules of the same form.")] = None,
    runs_out: Annotated[
        Path | None, typer.Option("--runs-out", help="--journey: write the runs made of the journeys into this file.")
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", help="Write the results, one a line, into this file.")] = None,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", help="Write what the runs come to, agent by agent, as JSON into this file."),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--sheet", help="Grade nothing: write what a judge would be asked, for people to label, into this file."
        ),
    ] = None,
    results: Results = None,
    corpus: Corpus = Path("packages"),
    judge: AskJudge = False,
    answers: Answers = None,
    replay: Replay = False,
    concurrency: Concurrency = 4,
    per_minute: PerMinute = None,
    judge_timeout: JudgeTimeout = 300.0,
    as_json: Json = False,
) -> None:
    """Checklist, deductions by module, red lines; then rates with intervals, agent by agent. Exit 1: a red line was crossed."""
    with one_line_errors():
        from harness.cli.judge import judge_options
        from harness.errors import InputError
        from oracle_scoring.agent_rules import load_rules

        if bool(files) == bool(journey):
            raise InputError("rig grade agent-rules", "wants files of runs or --journey, one of the two")
        if runs_out is not None and not journey:
            raise InputError("--runs-out", "is for --journey")
        chosen = load_rules(rules)
        options = judge_options(judge, answers, replay, concurrency, per_minute, judge_timeout)
        runs = _journeys(journey or [], results, corpus, chosen) if journey else _read(files or [])
        if sheet is not None:
            say(f"{write_sheet(runs, chosen, sheet)} questions")
            return
        tally = grade_runs(runs, chosen, options, out, runs_out, as_json)
        if not tally.runs:
            raise InputError(", ".join(files or journey or []), "holds no run")
        found = tally.summaries()
        if summary is not None:
            from harness.record import write_whole
            from harness.schema.strict_json import canonical

            write_whole(summary, canonical([one.model_dump(mode="json") for one in found]) + b"\n")
        for line in summary_lines(found):
            say(line) if as_json else print_line(line)
        raise SystemExit(1 if tally.violated else 0)


def _read(files: list[str]) -> "Iterator[tuple[str, AgentRun]]":
    from oracle_scoring.agent_rules import AgentRun
    from oracle_scoring.rows import read_rows

    for name in files:
        yield from read_rows(AgentRun, name)


def _journeys(named: list[str], results: Path | None, corpus: Path, rules: "Rules") -> "Iterator[tuple[str, AgentRun]]":
    from harness.cli.runs import results_dir, run_dir
    from oracle_scoring.agent_rules.journey import is_attempt, runs_of

    for name in named:
        attempt = next((p for p in (Path(name), results_dir(results) / name) if is_attempt(p) and p.is_dir()), None)
        yield from runs_of(attempt or run_dir(name, results), corpus, rules)


def write_sheet(runs: "Iterator[tuple[str, AgentRun]]", rules: "Rules", path: Path) -> int:
    """Writes the questions a judge would be asked about the runs; how many.

    Raises:
        InputError: a run is not what it should be, or the file cannot be written.
    """
    from harness.cli.judge import writable
    from oracle_scoring.judge.agent_rules import open_questions
    from oracle_scoring.judge.labelled import sheet_line

    count = 0
    with writable(path) as file:
        for _, run in runs:
            for question in open_questions(run, rules):
                line = sheet_line(question, f"{run.agent} {run.run_id} {question.id}", run.task_id)
                file.write(line.model_dump_json() + "\n")
                count += 1
    return count


def grade_runs(
    runs: "Iterator[tuple[str, AgentRun]]", rules: "Rules", judge: "JudgeOptions | None", out: Path | None,
    runs_out: Path | None, as_json: bool,
) -> "Tally":  # fmt: skip
    """Grades, writes and prints run by run; what they come to without a judge.

    Raises:
        InputError: a run is not what it should be, or a run id stands twice; results of runs before it are written.
    """
    from harness.cli.judge import judged, writable
    from harness.errors import InputError
    from oracle_scoring.agent_rules import Tally, grade_run
    from oracle_scoring.judge.agent_rules import judged_runs

    tally = Tally()
    with ExitStack() as stack:
        written = stack.enter_context(writable(out)) if out is not None else None
        made = stack.enter_context(writable(runs_out)) if runs_out is not None else None

        def each() -> "Iterator[tuple[str, AgentRun]]":
            seen: set[int] = set()
            for where, run in runs:
                if (key := hash((run.agent, run.run_id))) in seen:
                    raise InputError(f"{where}: run_id", f"{run.run_id!r} of {run.agent!r} stands there twice")
                seen.add(key)
                if made is not None:
                    made.write(run.model_dump_json() + "\n")
                yield where, run

        graded: Iterator[RunResult]
        if judge is None:
            graded = (grade_run(run, rules, where) for where, run in each())
        else:
            column: Iterator[JudgedRun] = judged(judge, lambda client: judged_runs(each(), client, rules), _asked)
            graded = column
        for result in graded:
            tally.add(result)
            line = result.model_dump_json() + "\n"
            if written is not None:
                written.write(line)
            if as_json:
                sys.stdout.write(line)
            elif written is None:
                for text in run_lines(result):
                    print_line(text)
            if tally.runs % _PROGRESS_EVERY == 0:
                say(f"{tally.runs} runs")
    return tally


def _asked(result: "JudgedRun") -> int:
    return len(result.judge.rows)


def run_lines(result: "RunResult") -> list[str]:
    """One result for people."""
    from harness.errors import one_line
    from oracle_scoring.judge.agent_rules import JudgedRun

    done = result.completion
    rate = "-" if done.rate is None else f"{done.rate:.0%}"
    lines = [
        f"{one_line(result.run_id)} ({one_line(result.agent)}): completion {rate} ({done.passed} passed, {done.failed} failed, "
        f"{done.unknown} unknown), {result.total:g} points, {result.deducted:g} deducted, {result.safety}"
    ]
    if result.red_lines:
        lines.append(f"  red lines: {', '.join(result.red_lines)}")
    lines += [f"  -{d.points:g} {d.code} ({d.by}) {one_line(d.evidence, 160)}" for d in result.deductions]
    lines += [f"  note: {one_line(note, 200)}" for note in result.notes]
    if result.not_checked:
        lines.append(f"  not checked: {' '.join(c.code for c in result.not_checked)}")
    if isinstance(result, JudgedRun):
        column = result.judge
        shown = [d for d in column.deductions if d.by == "judge"]
        lines.append(f"  with the judge: {column.total:g} points, {column.safety}; {len(column.rows)} questions")
        lines += [f"    -{d.points:g} {d.code} (judge) {one_line(d.evidence, 160)}" for d in shown]
        lines += [f"    red line: {code} (judge)" for code in column.red_lines if code not in result.red_lines]
        missing = [row.question for row in column.rows if row.answer is None]
        if missing:
            lines.append(f"    not judged: {one_line(' '.join(missing), 300)}")
    return lines


def summary_lines(agents: "list[AgentSummary]") -> list[str]:
    """What the runs come to, for people."""
    from harness.errors import one_line

    lines = []
    for a in agents:
        lines.append(
            f"{one_line(a.agent)}: {a.runs} runs, {a.violated} crossed a red line ({_share(a.violation_rate)}); mean {a.mean_total:.2f} "
            "points"
        )
        lines.append(f"  completion {_share(a.completion_rate)}; every item passed {_share(a.fully_passed)}")
        lines.append("  " + ", ".join(f"{name} {points:.2f}" for name, points in a.mean_modules.items()))
        if a.codes or a.red_lines:
            lines.append("  " + ", ".join(f"{n} {code}" for code, n in {**a.codes, **a.red_lines}.items()))
        if a.not_checked:
            lines.append(
                f"  not checked in {max(a.not_checked.values())} runs or fewer: {' '.join(a.not_checked)}; points are at most these"
            )
    return lines


def _share(rate: "Rate") -> str:
    if rate.value is None or rate.interval is None:
        return "-, no run"
    return f"{rate.value:.1%}, {rate.interval.low:.1%} to {rate.interval.high:.1%}, {rate.runs} runs"
