"""Options that several verbs have."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, nothing else.")]
Results = Annotated[Path | None, typer.Option("--results", help="Folder of all runs (RIG_RESULTS; default: results).")]
Corpus = Annotated[Path, typer.Option("--corpus", help="Folder of the packages.")]
Run = Annotated[str, typer.Argument(help="Run id or folder.")]
