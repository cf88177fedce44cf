"""`rig corpus …`: the author's bench. Each verb calls one library function of `oracle_scoring.corpus`."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.out import one_line_errors, print_json, print_line

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, nothing else.")]

corpus_app = typer.Typer(help="The corpus of packages.", rich_markup_mode=None, no_args_is_help=True)


@corpus_app.callback()
def _corpus() -> None:
    """The corpus of packages."""


@corpus_app.command("check")
def check(path: Annotated[Path, typer.Argument(help="The corpus.")] = Path("packages"), as_json: Json = False) -> None:
    """Check every package and the manifest: answers that do not follow from the rules, answers that shine through, files."""
    with one_line_errors():
        from oracle_scoring.corpus.check import check_corpus

        findings = check_corpus(path)
        if as_json:
            print_json([vars(f) for f in findings])
        else:
            for finding in findings:
                print_line(finding.line())
            print_line(f"{len(findings)} findings")
        raise SystemExit(2 if findings else 0)
