"""`rig corpus …`: the author's bench. Each verb calls one library function of `oracle_scoring.corpus`."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.out import one_line_errors, print_json, print_line, say

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, nothing else.")]

corpus_app = typer.Typer(help="The corpus of packages.", rich_markup_mode=None, no_args_is_help=True)


@corpus_app.callback()
def _corpus() -> None:
    """The corpus of packages."""


@corpus_app.command("check")
def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Corpora or packages; none: packages.")] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Lay files out anew first; content is never touched.")] = False,
    quotas: Annotated[
        bool, typer.Option("--quotas", help="Quotas that are off are findings, as when freezing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check packages and manifest: answers that do not follow from the rules, answers that shine through, files. Exit 2 on a finding."""
    with one_line_errors():
        from oracle_scoring.corpus import check_show
        from oracle_scoring.corpus.check import check_paths

        report = check_paths(paths or [Path("packages")], fix=fix, freezing=quotas)
        if as_json:
            print_json(check_show.as_json(report))
        else:
            for line in check_show.as_lines(report):
                print_line(line)
        raise SystemExit(check_show.exit_code(report))


Corpus = Annotated[Path, typer.Option("--corpus", help="Folder of the packages.")]


@corpus_app.command("blind-look")
def blind_look(
    packages: Annotated[list[str] | None, typer.Argument(help="Package ids; none: all of the corpus.")] = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Show each picture alone to the vision model, read each document by OCR, and hold what was seen against the package."""
    with one_line_errors():
        from harness.config import read_config
        from harness.vision import vision_model
        from oracle_scoring.corpus.look import blind_look_corpus, plain

        model = vision_model(read_config())
        looked = blind_look_corpus(
            corpus, packages or [], model.ask if model else None, lambda line: None if as_json else say(line)
        )
        findings = [finding for one in looked for finding in one.findings]
        if as_json:
            print_json([plain(one) for one in looked])
        else:
            for one in looked:
                seen = f"pictures not looked at: {one.not_done}" if one.not_done else f"{one.looks} pictures looked at"
                print_line(f"{one.package}: {seen}; {one.readings} documents read")
            for finding in findings:
                print_line(finding.line())
            print_line(f"{len(findings)} findings")
        raise SystemExit(2 if findings else 0)
