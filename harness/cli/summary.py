"""`rig summary`: a run in a model's words, each line marked as the rig's or the model's."""

import asyncio
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from harness.cli.out import say

if TYPE_CHECKING:
    from harness.cli.judge import JudgeOptions
    from oracle_scoring.judge.summary import RunSummary, Words

MODEL = "  model | "
QUOTE = "  quote | "
"""Every line with words of a model, or quoted ones, begins so; a line break in them is a blank."""
WIDTH = 100
"""Columns; no such line is longer: a terminal that wraps it would show the rest without its mark."""


def summarised(run_dir: Path, corpus: Path, limit: int, options: "JudgeOptions") -> "RunSummary":
    """The run in short; what judging came to is said.

    Raises:
        InputError: run, corpus or options are not what they should be.
        EnvironmentFault: there is no judge.
    """
    from harness.cli.judge import open_judge, summary_lines
    from harness.errors import InputError
    from oracle_scoring.judge.summary import summarise

    if limit < 0:
        raise InputError("--journeys", "must be 0 or more")

    async def ask() -> "RunSummary":
        async with open_judge(options) as client:
            found = await summarise(run_dir, corpus, client, limit)
            for line in summary_lines(client.summary()):
                say(line)
            return found

    return asyncio.run(ask())


def lines(summary: "RunSummary") -> list[str]:
    """For people: what the rig counted, and below it, marked, what a model says."""
    from harness.errors import one_line

    said = [
        f"run {one_line(summary.run)}: {summary.counting} attempts count, in {summary.with_failures} something failed by rule",
        f"Lines that begin with “{MODEL.strip()}” are a model's words, for reading; no figure is taken from them.",
        *_model(summary.whole, summary.whole_not_summarised),
    ]
    for j in summary.journeys:
        names = ", ".join(one_line(f.split(":")[0], 60) for f in j.failed[:6])
        more = f" and {len(j.failed) - 6} more" if len(j.failed) > 6 else ""
        said.append(f"{one_line(j.attempt)}: ended {j.ended}; failed: {names or 'nothing'}{more}")
        said += _model(j.words, j.not_summarised)
    if summary.left_out:
        said.append(f"{summary.left_out} journeys were not put into words (--journeys)")
    return said


def _model(words: "Words | None", why: str | None) -> list[str]:
    from harness.errors import one_line

    if words is None:
        return [f"  ({why})"]
    sentence = (
        one_line(words.sentence, 400) if words.sentence else "(not shown: it names a figure that is not in the record)"
    )
    who = one_line(words.model, 60) + (", weak" if words.weak else "")
    said = f"{words.answer.replace('_', ' ')}: {sentence} [{who}]"
    return [*_marked(MODEL, said), *_marked(QUOTE, f"{words.said_by}: “{one_line(words.quote, 200)}”")]


def _marked(mark: str, text: str) -> list[str]:
    from rich.cells import cell_len

    width = (WIDTH - len(mark)) // (2 if cell_len(text) > len(text) else 1)  # characters that take two columns
    return [f"{mark}{row}" for row in wrap(text, width)]
