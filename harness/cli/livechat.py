"""`rig grade livechat`: samples of a live room graded in six dimensions, as they are read; and labels from people's sheets."""

import gc
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import Answers, AskJudge, Concurrency, JudgeTimeout, PerMinute, Replay
from harness.cli.out import one_line_errors, print_line, say

if TYPE_CHECKING:
    from harness.cli.judge import JudgeOptions
    from oracle_scoring.livechat.batch import Batch, Watcher
    from oracle_scoring.livechat.before import Before
    from oracle_scoring.livechat.models import Sample
    from oracle_scoring.livechat.sheet import Draw
    from oracle_scoring.livechat.tally import Overview, Tally
    from oracle_scoring.livechat.written import Written


@dataclass(frozen=True)
class LivechatRequest:
    """What is to be graded, and what is to come of it.

    Attributes:
        business: files of further kinds of business.
        out: where results are written; `resume`: what it holds stays and is not graded again.
        skip_bad: wrong lines are left out and counted, instead of ending the command.
        report: page to write; `before`: earlier results it compares with.
        sheet: so many samples for people; `sheet_file`: where.
    """

    files: tuple[str, ...]
    business: tuple[Path, ...] = ()
    out: Path | None = None
    resume: bool = False
    skip_bad: bool = False
    report: Path | None = None
    before: Path | None = None
    sheet: int | None = None
    sheet_file: Path | None = None
    rng_seed: int = 1
    as_json: bool = False


def livechat(
    files: Annotated[list[str], typer.Argument(help="Samples: JSON lines, .csv or .tsv; - is standard input.")],
    out: Annotated[Path | None, typer.Option("-o", help="Write the results, one a line, into this file.")] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue the file of -o where it stopped; what it holds is not graded again."),
    ] = False,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="Leave wrong lines out and count them, instead of ending there. Exit 2 all the same."
        ),
    ] = False,
    business: Annotated[
        list[Path] | None,
        typer.Option(help="YAML file of a further kind of business, or in place of one; may be repeated."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page: distributions, worst samples, what moved.")] = None,
    before: Annotated[Path | None, typer.Option(help="Earlier results that the page compares with.")] = None,
    sheet: Annotated[int | None, typer.Option(min=1, help="Draw so many samples for people to grade.")] = None,
    sheet_file: Annotated[Path | None, typer.Option(help="Where the sheet is written, .xlsx or .csv.")] = None,
    rng_seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 1,
    judge: AskJudge = False,
    answers: Answers = None,
    replay: Replay = False,
    concurrency: Concurrency = 4,
    per_minute: PerMinute = None,
    judge_timeout: JudgeTimeout = 300.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON result a line on standard output.")] = False,
) -> None:
    """Six scores of 1 to 5 a sample, and whether to answer it. Exit 2: a line is wrong; 4: a judge was asked and judged nothing."""
    with one_line_errors():
        from harness.errors import InputError

        for given, name, needs, other in (
            (resume, "--resume", out, "-o"),
            (before is not None, "--before", report, "--report"),
            (sheet is not None, "--sheet", sheet_file, "--sheet-file"),
            (sheet_file is not None, "--sheet-file", sheet, "--sheet"),
        ):
            if given and needs is None:
                raise InputError(name, f"needs {other}")
        request = LivechatRequest(
            tuple(files),
            tuple(business or ()),
            out,
            resume,
            skip_bad,
            report,
            before,
            sheet,
            sheet_file,
            rng_seed,
            as_json,
        )
        options = None
        if judge or replay or answers is not None:  # what it needs is loaded only where a judge is asked
            from harness.cli.judge import judge_options

            options = judge_options(judge, answers, replay, concurrency, per_minute, judge_timeout)
        raise SystemExit(grade_livechat(request, options))


def livechat_labels(
    sheets: Annotated[list[Path], typer.Argument(help="Sheets that came back, .xlsx, .ods or .csv.")],
    samples: Annotated[list[str], typer.Option(help="Files of the samples they were drawn from; may be repeated.")],
    out: Annotated[Path, typer.Option("-o", help="Write the labelled questions into this file.")],
) -> None:
    """Turn people's sheets into labelled questions, by which `rig judge-check` measures the judge."""
    with one_line_errors():
        from harness.cli.judge import writable
        from oracle_scoring.livechat.read import Samples
        from oracle_scoring.livechat.sheet import labels
        from oracle_scoring.livechat.words import library

        found = [line.model_dump_json() for line in labels(sheets, Samples(samples, library()))]
        with writable(out) as file:
            file.writelines(line + "\n" for line in found)
        say(f"{len(found)} labels")


def grade_livechat(request: LivechatRequest, judge: "JudgeOptions | None" = None) -> int:
    """Grades, writes and prints as it reads; the exit code.

    Raises:
        InputError: a file or sample is not what it should be; results of samples before it are written.
    """
    from harness.errors import InputError
    from harness.progress import console_reporter
    from oracle_scoring.livechat.batch import Batch
    from oracle_scoring.livechat.grade import scoring_version
    from oracle_scoring.livechat.read import Samples
    from oracle_scoring.livechat.tally import Tally
    from oracle_scoring.livechat.words import library

    known = library(request.business)
    version, tally = scoring_version(known.given), Tally()
    with ExitStack() as stack:
        samples = Samples(request.files, known)
        draw, page = _draw(request), _Page.of(request, stack)
        watchers: list[Watcher] = [tally.add, *([draw.add] if draw else []), *([page.add] if page else [])]
        written = _written(request, stack)
        told = stack.enter_context(console_reporter().count("samples", samples.total))
        batch = Batch(samples, version, judge is not None, written, request.skip_bad, watchers, say, told)
        gc.freeze()  # words and models are loaded now and stay: no later collection walks through them
        asked = judged = 0
        for sample, result in _results(batch, version, judge):
            batch.show(sample, result)
            _write(result, written, request.as_json, judge is not None)
            asked += len(rows := result.get("judge", ()))
            judged += sum(row["answer"] is not None for row in rows)
        if tally.samples and page:
            page.write(request, version, tally, batch.bad)
        if tally.samples and draw:
            _write_sheet(request, draw, tally.samples)
    if not tally.samples and not batch.bad:
        raise InputError(", ".join(request.files), "holds no sample")
    if batch.kept:
        say(f"rig: {batch.kept} results were there already")
    for text in tally.lines():
        say(text)
    if batch.bad:
        say(f"rig: {batch.bad} {'line was' if batch.bad == 1 else 'lines were'} wrong and left out")
        return 2
    return 4 if asked and not judged else 0


def _results(batch: "Batch", version: str, judge: "JudgeOptions | None") -> "Iterator[tuple[Sample, dict[str, Any]]]":
    """Each new result with its sample, in order."""
    from oracle_scoring.livechat.grade import row

    if judge is None:
        for _, graded, _ in batch.graded():
            yield graded.sample, row(graded, version)
        return
    from harness.cli.judge import judged
    from oracle_scoring.judge.batch import in_order
    from oracle_scoring.judge.livechat import opened

    for done in judged(judge, lambda client: in_order(opened(batch.graded()), client), lambda one: len(one.rows)):
        yield done.graded.sample, row(done.graded, version, done.judged, done.rows)


def _written(request: LivechatRequest, stack: ExitStack) -> "Written | None":
    if request.out is None:
        return None
    from harness.errors import InputError
    from oracle_scoring.livechat.written import Written

    for name in request.files:
        if Path(name).exists() and request.out.exists() and request.out.samefile(name):
            raise InputError(str(request.out), "is one of the files to be read")
    written = stack.enter_context(Written(request.out, request.resume))
    if written.torn:
        say(f"rig: {request.out} ended in half a line ({written.torn} bytes), which was taken off")
    return written


def _write(result: dict[str, Any], written: "Written | None", as_json: bool, now: bool) -> None:
    if written is None and not as_json:
        _show(result)
        return
    from oracle_scoring.livechat.grade import line

    text = line(result)
    if written is not None:
        written.write(text, now)
    if as_json:
        sys.stdout.write(text.decode("utf-8"))


def _draw(request: LivechatRequest) -> "Draw | None":
    if request.sheet is None or request.sheet_file is None:
        return None
    from oracle_scoring.livechat.sheet import Draw, sheet_bytes

    sheet_bytes([], request.sheet_file.suffix)  # a wrong ending is said before the work, not after it
    return Draw(request.sheet, request.rng_seed)


def _write_sheet(request: LivechatRequest, draw: "Draw", samples: int) -> None:
    from harness.record import write_whole
    from oracle_scoring.livechat.sheet import sheet_bytes

    if request.sheet_file is not None:
        drawn = draw.shuffled()
        write_whole(request.sheet_file, sheet_bytes(drawn, request.sheet_file.suffix))
        say(f"sheet: {request.sheet_file}, {len(drawn)} of {samples} samples")


@dataclass(frozen=True)
class _Page:
    """What is gathered for the page."""

    target: Path
    overview: "Overview"
    before: "Before | None"

    @classmethod
    def of(cls, request: LivechatRequest, stack: ExitStack) -> "_Page | None":
        """None where no page is wanted."""
        if request.report is None:
            return None
        from oracle_scoring.livechat.tally import Overview

        if request.before is None:
            return cls(request.report, Overview(), None)
        from oracle_scoring.livechat.before import Before

        before = Before(request.before)
        stack.callback(before.close)
        return cls(request.report, Overview(), before)

    def add(self, sample: "Sample", result: dict[str, Any]) -> None:
        """One result more."""
        self.overview.add(sample, result, self.before.of(sample.id) if self.before is not None else None)

    def write(self, request: LivechatRequest, version: str, tally: "Tally", bad: int) -> None:
        """The page."""
        from harness.report.livechat import write_livechat

        write_livechat(self.target, request.files, version, tally, self.overview, self.before, bad)
        say(f"page: {self.target}")


def _show(result: dict[str, Any]) -> None:
    from harness.errors import one_line

    scores = result["scores"]
    print_line(
        f"{one_line(result['id'], 60)}: "
        + ", ".join(f"{name} {_points(one)}" for name, one in scores.items())
        + (f"; {result['decision']}" if result["decision"] else "")
    )
    for name, one in scores.items():
        if one["score"] is not None and one["score"] < 5:
            print_line(f"  {name} {one['score']} ({one['by']})  {one_line(one['reason'], 160)}")


def _points(one: dict[str, Any]) -> str:
    if one["score"] is not None:
        return str(one["score"])
    return "-" if one["cap"] == 5 else f"- (at most {one['cap']})"
