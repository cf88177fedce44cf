"""What verbs with a judge share, and `rig judge-check`."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from harness.cli.out import print_json, print_line, say
from harness.errors import InputError, one_line

if TYPE_CHECKING:
    from harness.schema.session import InquirySession
    from oracle_scoring.inquiry.grade import SessionResult
    from oracle_scoring.inquiry.profile import Profile
    from oracle_scoring.judge import JudgeClient, Judged, JudgeSummary, Question
    from oracle_scoring.judge.check import CheckReport, Share
    from oracle_scoring.judge.inquiry import JudgedSession
    from oracle_scoring.judge.labelled import Item

T = TypeVar("T")
_PROGRESS_EVERY = 100


@dataclass(frozen=True)
class JudgeOptions:
    """How a judge is asked.

    Attributes:
        answers: file of earlier answers, read and added to.
        replay: answer from that file alone; no endpoint is needed, nothing is sent.
        concurrency: calls at once.
        per_minute: calls begun in a minute.
        timeout_s: for one call.
    """

    answers: Path | None = None
    replay: bool = False
    concurrency: int = 4
    per_minute: float | None = None
    timeout_s: float = 300.0


@asynccontextmanager
async def open_judge(options: JudgeOptions) -> AsyncIterator["JudgeClient"]:
    """A client for the configured judge, or for a file of answers.

    Raises:
        InputError: options or file cannot be used, or the judge is configured only in part.
        EnvironmentFault: there is no judge.
    """
    from oracle_scoring.judge import Answers, Bounds, JudgeClient, Replay

    if options.concurrency < 1:
        raise InputError("--concurrency", "must be 1 or more")
    if options.per_minute is not None and not options.per_minute > 0:
        raise InputError("--per-minute", "must be above 0")
    if not options.timeout_s > 0:
        raise InputError("--judge-timeout", "must be above 0")
    bounds = Bounds(concurrency=options.concurrency, per_minute=options.per_minute)
    if options.replay:
        if options.answers is None:
            raise InputError("--replay", "needs --answers, the file to replay")
        answers = Answers(options.answers, read_only=True)
        yield JudgeClient(Replay(_replayed_model(answers.models, options.answers)), answers, bounds)
        return
    from harness.config import read_config
    from harness.judge_model import JudgeModel, judge_endpoint

    answers = Answers(options.answers)
    if answers.torn:
        say(f"rig: {options.answers} ended in half a line, which is left out")
    model = JudgeModel(judge_endpoint(read_config()), options.timeout_s)
    if model.weak:
        say("rig: the small local model judges; measure it with rig judge-check before you believe it")
    try:
        yield JudgeClient(model, answers, bounds)
    finally:
        await model.close()


def _replayed_model(models: set[str], path: Path) -> str:
    from harness.config import read_config

    configured = read_config().endpoints.get("judge")
    if configured is not None and configured.model in models:
        return configured.model
    if len(models) != 1:
        what = f"holds answers of {len(models)} models; name one with RIG_JUDGE_MODEL" if models else "holds no answer"
        raise InputError(str(path), what)
    return next(iter(models))


def summary_lines(summary: "JudgeSummary") -> list[str]:
    """What judging came to, for people."""
    spent, behind = summary.spent, summary.stands_for
    calls = ", ".join(f"{n} {kind}" for kind, n in summary.calls.items()) or "none"
    lines = [
        f"judge {one_line(summary.model)}: {summary.questions} questions, {summary.judged} judged; answers and calls: {calls}"
    ]
    if summary.answered_as and summary.answered_as != [summary.model]:
        lines.append(f"  answered as {one_line(', '.join(summary.answered_as))}")
    if summary.weak:
        lines.append(f"  weak: {summary.weak} answers are the small local model's")
    if summary.not_judged:
        lines.append("  not judged: " + ", ".join(f"{n} {kind}" for kind, n in summary.not_judged.items()))
    if summary.remarks or summary.schema_refused:
        remarks = {**summary.remarks, **({"schema_refused": summary.schema_refused} if summary.schema_refused else {})}
        lines.append("  remarks: " + ", ".join(f"{n} {kind}" for kind, n in remarks.items()))
    lines.append(
        f"  spent now: {spent.answers} answers, {spent.tokens_in} tokens in, {spent.tokens_out} out, "
        f"{spent.cost or 'unpriced'}" + (f"; incomplete: {spent.why_incomplete}" if spent.why_incomplete else "")
    )
    if summary.replayed:
        lines.append(
            f"  {summary.replayed} answers replayed; all answers together: {behind.tokens_in} tokens in, "
            f"{behind.tokens_out} out, {behind.cost or 'unpriced'}"
        )
    return lines


def judged_inquiry(
    sessions: Iterator[tuple[str, "InquirySession"]], options: JudgeOptions, profile: "Profile | None"
) -> Iterator[tuple[str, "JudgedSession"]]:
    """Each session with the judge's column, in order; ends by saying what judging came to."""
    from oracle_scoring.judge.inquiry import judged_sessions

    return judged(options, lambda client: judged_sessions(sessions, client, profile), lambda x: len(x[1].judge.rows))


def judged(
    options: JudgeOptions, ask: "Callable[[JudgeClient], AsyncIterator[T]]", asked_in: "Callable[[T], int]"
) -> "Iterator[T]":
    """What a judge makes of many things, in order; says how far it is, and in the end what judging came to.

    Args:
        ask: the results, by a client.
        asked_in: how many questions a result stands on.
    """

    async def results() -> "AsyncIterator[T]":
        async with open_judge(options) as client:
            asked = 0
            async for item in ask(client):
                before, asked = asked, asked + asked_in(item)
                if asked // _PROGRESS_EVERY > before // _PROGRESS_EVERY:
                    say(f"{asked} questions")
                yield item
            for line in summary_lines(client.summary()):
                say(line)

    with asyncio.Runner() as runner:
        stream = results()

        async def following() -> "T | None":
            return await anext(stream, None)

        try:
            while (item := runner.run(following())) is not None:
                yield item
        finally:
            runner.run(stream.aclose())  # type: ignore[attr-defined]  # an async generator has it


def judge_options(
    judge: bool, answers: Path | None, replay: bool, concurrency: int, per_minute: float | None, timeout_s: float
) -> JudgeOptions | None:
    """The options of a verb that may ask a judge; None if it is not to.

    Raises:
        InputError: options of a judge without one.
    """
    if (answers is not None or replay) and not judge:
        raise InputError("--answers" if answers is not None else "--replay", "is for --judge")
    return JudgeOptions(answers, replay, concurrency, per_minute, timeout_s) if judge else None


def measured(files: list[str], options: JudgeOptions, repeats: int, rng_seed: int, out: Path | None) -> "CheckReport":
    """Measures the judge against people's labels.

    Raises:
        InputError: the file of labels or an option cannot be used.
        EnvironmentFault: there is no judge.
    """
    from oracle_scoring.judge.check import check
    from oracle_scoring.judge.labelled import read_labelled

    if repeats < 1:
        raise InputError("--repeats", "must be 1 or more")
    if len(files) != 1:
        raise InputError("rig judge-check", "wants one file of labels")
    read = read_labelled(Path(files[0]))
    if not read.items:
        raise InputError(files[0], "holds no item with a label that people agree on")

    async def measure() -> "CheckReport":
        async with open_judge(options) as client:
            with _rows(out) as on_row:
                return await check(read, client, repeats, rng_seed, on_row)

    return asyncio.run(measure())


@contextmanager
def _rows(out: Path | None) -> "Iterator[_Rows]":
    with ExitStack() as stack:
        yield _Rows(stack.enter_context(writable(out)) if out is not None else None)


def writable(path: Path) -> TextIO:
    """The file, opened to be written anew.

    Raises:
        InputError: it cannot be.
    """
    try:
        return path.open("w", encoding="utf-8")
    except OSError as exc:
        raise InputError(str(path), f"cannot be written ({exc.strerror})") from exc


class _Rows:
    """Writes rows as they come, and says how far it is."""

    def __init__(self, file: TextIO | None) -> None:
        self._file = file
        self._count = 0

    def __call__(self, item: "Item", question: "Question", row: "Judged") -> None:
        from oracle_scoring.judge.labelled import MeasuredRow

        self._count += 1
        if self._file is not None:
            measured = MeasuredRow(label=item.label, repeat=question.repeat, order=question.order, judged=row)
            self._file.write(measured.model_dump_json() + "\n")
        if self._count % _PROGRESS_EVERY == 0:
            say(f"{self._count} answers")


def show_column(result: "SessionResult") -> None:
    """The judge's column of a session that has one, for people."""
    from oracle_scoring.judge.inquiry import JudgedSession

    if not isinstance(result, JudgedSession):
        return
    column = result.judge
    print_line(f"  with the judge: {column.conclusion}; {len(column.rows)} questions")
    for m in column.metrics:
        points = f" {m.score}" if m.score is not None else ""
        print_line(f"  {m.metric_id} {m.result}{points} (judge)  {one_line(m.reason)}")
        for row in column.rows:
            if row.rubric.split("/")[1] == m.metric_id:
                said = f"{row.answer}: {row.quote}" if row.answer is not None else f"not judged: {row.not_judged}"
                print_line(f"        {one_line(row.question)}  {one_line(said, 200)}")


def make_sheet(files: list[str], profile_name: str | None, out: TextIO) -> int:
    """Writes what a judge would be asked about these sessions, for people to label; how many lines."""
    from oracle_scoring.inquiry.load import read_sessions
    from oracle_scoring.inquiry.profile import chosen_profile
    from oracle_scoring.judge.labelled import sheet

    profile = chosen_profile(profile_name) if profile_name else None
    count = 0
    for line in sheet((item for name in files for item in read_sessions(name)), profile):
        out.write(line.model_dump_json() + "\n")
        count += 1
    return count


def run_sheet(files: list[str], profile_name: str | None, out: Path | None) -> int:
    """`make_sheet` into a file or standard output."""
    if not files:
        raise InputError("rig judge-check --make-sheet", "wants files of sessions")
    if out is None:
        return make_sheet(files, profile_name, sys.stdout)
    with writable(out) as file:
        return make_sheet(files, profile_name, file)


def show_rubrics(as_json: bool) -> None:
    """Every rubric a judge can be measured on."""
    from oracle_scoring.judge.registry import all_rubrics

    if as_json:
        print_json(
            [
                {"rubric": r.id, "prompt_sha256": r.prompt_sha256, "question": r.question, "answers": list(r.values)}
                for r in all_rubrics()
            ]
        )
        return
    for r in all_rubrics():
        print_line(f"{r.id:24} {r.prompt_sha256[:12]}  {r.question}")


def show_check(report: "CheckReport") -> None:
    """The report for people."""
    for r in report.rubrics:
        print_line(f"{r.rubric}  (prompt {r.prompt_sha256[:12]})")
        left = [f"{n} {what}" for n, what in ((r.unlabelled, "unlabelled"), (r.disputed, "disputed by people")) if n]
        labels = ", ".join(f"{n} {label}" for label, n in r.labels.items())
        print_line(f"  {r.items} items ({labels}) by {one_line(', '.join(r.people))}" + _also(left))
        print_line(f"  judged               {_share(r.judged)}" + _also([f"{n} {k}" for k, n in r.not_judged.items()]))
        print_line(f"  true positive rate   {_share(r.true_positive_rate)}")
        print_line(f"  true negative rate   {_share(r.true_negative_rate)}")
        kappa = "-" if r.kappa.value is None else f"{r.kappa.value:.2f}"
        if r.kappa.low is not None and r.kappa.high is not None:
            kappa += f" ({r.kappa.low:.2f} to {r.kappa.high:.2f})"
        print_line(f"  kappa                {kappa}" + (f"; {r.kappa.note}" if r.kappa.note else ""))
        print_line(f"  flips when repeated  {_share(r.repeat_flips)}")
        print_line(f"  flips when reordered {_share(r.order_flips)}")
    for line in summary_lines(report.judge):
        print_line(line)


def _share(s: "Share") -> str:
    if s.value is None or s.low is None or s.high is None:
        return "-  (0 items)"
    return f"{s.value:6.1%} ({s.low:.1%} to {s.high:.1%}), {s.part} of {s.whole}"


def _also(parts: list[str]) -> str:
    return f"; {', '.join(parts)}" if parts else ""
