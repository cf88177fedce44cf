"""`rig grade inquiry`: conversations that were not driven by the rig, or were, graded by the same rules."""

import gc
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from harness.cli.livechat import livechat, livechat_labels
from harness.cli.options import Corpus
from harness.cli.out import one_line_errors, print_line, say
from harness.cli.runs import run_dir

if TYPE_CHECKING:
    from harness.cli.judge import JudgeOptions
    from harness.schema.scorecard import Scorecard
    from oracle_scoring.inquiry.attempt import BuyersJourney
    from oracle_scoring.inquiry.grade import Expectation, SessionResult

grade_app = typer.Typer(
    help="Conversations graded by rules, recorded journeys or not.", rich_markup_mode=None, no_args_is_help=True
)
grade_app.command()(livechat)
grade_app.command("livechat-labels")(livechat_labels)
_PROGRESS_EVERY = 1000
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""A graded session leaves no cycles behind, so that there is hardly anything to collect."""


@grade_app.command()
def inquiry(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Sessions: .json (one or a list), .jsonl (one a line), - (standard input)."),
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="Profile for all sessions, by name or as a YAML file; else the one each names.")
    ] = None,
    run: Annotated[str | None, typer.Option("--run", help="Grade the journeys of this run.")] = None,
    strict_manual: Annotated[
        bool, typer.Option("--strict-manual", help="Write NOT_CHECKED as N/A, as the manual does.")
    ] = False,
    corpus: Corpus = Path("packages"),
    out: Annotated[Path | None, typer.Option("-o", help="Write the results, one a line, into this file.")] = None,
    results: Annotated[Path | None, typer.Option("--results", help="Folder of all runs (RIG_RESULTS).")] = None,
    judge: Annotated[
        bool, typer.Option("--judge", help="Ask the judge what rules leave open; its verdicts stand in a column apart.")
    ] = False,
    answers: Annotated[
        Path | None,
        typer.Option(help="File of the judge's answers: what it holds is not asked again, new ones are added."),
    ] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Ask nobody: take every answer from --answers.")] = False,
    concurrency: Annotated[int, typer.Option(help="Calls of the judge at once.")] = 4,
    per_minute: Annotated[float | None, typer.Option(help="Calls of the judge begun in a minute.")] = None,
    judge_timeout: Annotated[float, typer.Option(help="Seconds one call of the judge may take.")] = 300.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON result a line on standard output.")] = False,
) -> None:
    """58 verdicts a session, and a conclusion; of a journey also what its package's answers expect.

    Exit 1: a session is unqualified by the rules, or an answer does not hold.
    """
    with one_line_errors():
        from harness.cli.judge import JudgeOptions
        from harness.errors import InputError

        if bool(files) == (run is not None):
            raise InputError("rig grade inquiry", "wants files or --run, one of the two")
        if (answers is not None or replay) and not judge:
            raise InputError("--answers" if answers is not None else "--replay", "is for --judge")
        options = JudgeOptions(answers, replay, concurrency, per_minute, judge_timeout) if judge else None
        journeys = None if run is None else (run_dir(run, results), corpus)
        counts = grade_inquiry(list(files or ()), journeys, profile, strict_manual, out, as_json, options)
        raise SystemExit(1 if counts.conclusions["unqualified"] or counts.broken else 0)


@dataclass
class Counts:
    """What came out of the sessions graded."""

    conclusions: Counter[str] = field(default_factory=Counter)
    """The rules' conclusions."""
    broken: int = 0
    """Answers that do not hold."""
    without_answers: int = 0
    """Journeys whose package is not in the corpus."""

    def __str__(self) -> str:
        said = ", ".join(f"{n} {name}" for name, n in sorted(self.conclusions.items()))
        said = f"{self.conclusions.total()} sessions: {said}"
        if self.broken:
            said += f"; {self.broken} answers do not hold"
        if self.without_answers:
            said += f"; {self.without_answers} not held against answers, as their package is not in the corpus"
        return said


def grade_inquiry(
    files: list[str],
    run: tuple[Path, Path] | None,
    profile: str | None,
    strict: bool,
    out: Path | None,
    as_json: bool,
    judge: "JudgeOptions | None" = None,
) -> Counts:
    """Grades and prints as it reads.

    Args:
        files: files of sessions.
        run: a run's folder and the corpus with its packages.
        profile: for all sessions; None: the one each names.
        strict: NOT_CHECKED is written N/A.
        out: file for the results.
        as_json: results on standard output, one a line.
        judge: asks what rules leave open.

    Raises:
        InputError: a file, session or profile is not what it should be; results of sessions before it are printed.
    """
    from harness.cli.judge import JudgeOptions, judged_inquiry, show_column
    from harness.errors import InputError
    from harness.schema.session import InquirySession
    from oracle_scoring.inquiry.grade import SessionResult, grade, strict_manual
    from oracle_scoring.inquiry.load import read_sessions
    from oracle_scoring.inquiry.profile import chosen_profile

    fixed = chosen_profile(profile) if profile else None
    waiting: dict[str, BuyersJourney] = {}
    counts = Counts()

    def sessions() -> Iterator[tuple[str, InquirySession]]:
        if run is not None:
            from oracle_scoring.inquiry.attempt import journeys_of_run

            for journey in journeys_of_run(*run):
                waiting[journey.session.session_id] = journey
                yield str(journey.record.folder), journey.session
        for name in files:
            yield from read_sessions(name)

    def ruled(given: Iterator[tuple[str, InquirySession]]) -> Iterator[SessionResult]:
        for where, session in given:
            try:
                yield grade(session, fixed)
            except InputError as exc:
                raise InputError(f"{where}: {exc.where}", exc.why, exc.code) from exc

    def judged(given: Iterator[tuple[str, InquirySession]]) -> Iterator[SessionResult]:
        return (result for _, result in judged_inquiry(given, judge or JudgeOptions(), fixed))

    def held(result: SessionResult) -> SessionResult:
        journey = waiting.pop(result.session_id, None)
        if journey is None:
            return result
        result = journey.held_against(result)
        counts.without_answers += result.answers is None
        counts.broken += sum(answer.state == "fail" for answer in result.answers or ())
        return result

    with ExitStack() as stack:
        written: TextIO | None = None
        if out is not None:
            try:
                written = stack.enter_context(out.open("w", encoding="utf-8"))
            except OSError as exc:
                raise InputError(str(out), f"cannot be written ({exc.strerror})") from exc
        for result in map(held, judged(sessions()) if judge else ruled(sessions())):
            if not counts.conclusions:
                gc.freeze()  # metrics, lexicon and profile are loaded now and stay: no later collection walks through them
                gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
            counts.conclusions[result.conclusion] += 1
            shown = strict_manual(result) if strict else result
            line = shown.model_dump_json() + "\n"
            if written is not None:
                written.write(line)
            if as_json:
                sys.stdout.write(line)
            elif written is None:
                show_result(shown)
                if judge is not None:
                    show_column(shown)
            if counts.conclusions.total() % _PROGRESS_EVERY == 0:
                say(f"{counts.conclusions.total()} sessions")
    if not counts.conclusions:
        raise InputError(", ".join(files) or f"run {run[0] if run else ''}", "holds no session")
    say(str(counts))
    return counts


def show_result(result: "SessionResult") -> None:
    """A session's result for people: what failed, what is open, and the answers of a journey's package."""
    from harness.errors import one_line

    counts = Counter(m.result for m in result.metrics)
    print_line(
        f"{one_line(result.session_id)}: {result.conclusion} ("
        + ", ".join(
            f"{counts[word]} {word}" for word in ("PASS", "FAIL", "N/A", "NOT_CHECKED", "SCORED") if counts[word]
        )
        + ")"
    )
    for m in result.metrics:
        if m.result == "FAIL":
            print_line(f"  {m.metric_id} FAIL  {one_line(m.reason)}")
            print_line(f"        {one_line(m.evidence, 200)}")
    open_ones = [m.metric_id for m in result.metrics if m.result == "NOT_CHECKED"]
    if open_ones:
        print_line(f"  not checked: {' '.join(open_ones)}")
    if result.answers is not None:
        _show_answers(result.answers)


def show_apart(card: "Scorecard", result: "SessionResult") -> None:
    """What failed by the rules and is not held against the product all the same: what it has not built, or the customer's doing."""
    from harness.errors import one_line
    from oracle_scoring.inquiry.batch import line_id
    from oracle_scoring.inquiry.card import ANSWERS

    failed = {line_id(m.metric_id) for m in result.metrics if m.result == "FAIL"}
    failed |= {f"{ANSWERS}.{a.id}" for a in result.answers or () if a.state == "fail"}
    for line in card.lines:
        if line.id in failed and line.state != "fail":
            print_line(f"  not held against the product: {line.id} {line.state}  {one_line(line.why, 200)}")


def _show_answers(answers: "list[Expectation]") -> None:
    """How many of the package's answers hold, and each that does not or could not be told."""
    from harness.errors import one_line

    holding = sum(answer.state == "pass" for answer in answers)
    print_line(f"  answers: {holding} of {len(answers)} hold")
    for answer in answers:
        if answer.state != "pass":
            word = "FAIL" if answer.state == "fail" else "NOT_CHECKED"
            print_line(f"  {answer.id} {word}  {one_line(answer.why, 200)}")
