"""Options that several verbs have."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, nothing else.")]
Results = Annotated[Path | None, typer.Option("--results", help="Folder of all runs (RIG_RESULTS; default: results).")]
Corpus = Annotated[Path, typer.Option("--corpus", help="Folder of the packages.")]
Run = Annotated[str, typer.Argument(help="Run id or folder.")]
Url = Annotated[str | None, typer.Option(help="Where the product is, if not at the adapter's address.")]
Headed = Annotated[bool, typer.Option("--headed", help="Show the browser.")]
Slow = Annotated[int, typer.Option("--slow", help="Milliseconds waited before each act, to be watched.")]
AskJudge = Annotated[
    bool, typer.Option("--judge", help="Ask the judge what rules leave open; its verdicts stand in a column apart.")
]
Answers = Annotated[
    Path | None, typer.Option(help="File of the judge's answers: what it holds is not asked again, new ones are added.")
]
Replay = Annotated[bool, typer.Option("--replay", help="Ask nobody: take every answer from --answers.")]
Concurrency = Annotated[int, typer.Option(help="Calls of the judge at once.")]
PerMinute = Annotated[float | None, typer.Option(help="Calls of the judge begun in a minute.")]
JudgeTimeout = Annotated[float, typer.Option(help="Seconds one call of the judge may take.")]
