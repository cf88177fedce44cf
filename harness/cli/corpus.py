"""`rig corpus …`: the author's bench. Each verb calls one library function of `oracle_scoring.corpus`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Corpus, Json
from harness.cli.out import one_line_errors, print_json, print_line, say

corpus_app = typer.Typer(help="The corpus of packages.", rich_markup_mode=None, no_args_is_help=True)


@corpus_app.callback()
def _corpus() -> None:
    """The corpus of packages."""


@corpus_app.command("check")
def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Corpora or packages; none: packages.")] = None,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help="Lay files out anew first and take changed files into a draft's manifest; content is never touched.",
        ),
    ] = False,
    quotas: Annotated[
        bool, typer.Option("--quotas", help="Quotas that are off are findings, as when freezing.")
    ] = False,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Draw every drawn file again and compare; minutes for each picture.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check packages and manifest: answers that do not follow from the rules, answers that shine through, files. Exit 2 on a finding."""
    with one_line_errors():
        from oracle_scoring.corpus import check_show
        from oracle_scoring.corpus.check import check_paths

        report = check_paths(paths or [Path("packages")], fix=fix, freezing=quotas, redraw=redraw, say=say)
        if as_json:
            print_json(check_show.as_json(report))
        else:
            for line in check_show.as_lines(report):
                print_line(line)
        raise SystemExit(check_show.exit_code(report))


@corpus_app.command("new")
def new(
    scenario_class: Annotated[str, typer.Argument(metavar="CLASS", help="For instance motor.rear_end.")],
    package: Annotated[
        str, typer.Argument(metavar="ID", help="For instance CTL-M-042; the letter goes with the class.")
    ],
    session: Annotated[str, typer.Option(help="anonymous, new_account or anonymous_then_sign_in.")] = "anonymous",
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Lay out a package: every file in form, fresh canaries, a mark at each place that only an author can fill."""
    with one_line_errors():
        from oracle_scoring.corpus.new import new_package

        made = new_package(corpus, scenario_class, package, session)
        if as_json:
            print_json(
                {
                    "folder": str(made.folder),
                    "to_write": [{"what": w.what, "places": list(w.places)} for w in made.to_write],
                    "findings": [f.model_dump(mode="json") for f in made.findings],
                }
            )
        else:
            print_line(f"{made.folder}: laid out. Left to write (a mark [[write: …]] stands at each place):")
            for one in made.to_write:
                print_line(f"  {one.what}: {'; '.join(one.places)}")
            for finding in made.findings:
                print_line(finding.line())
        if made.frozen is not None:
            say(
                f"{corpus} is frozen as {made.frozen}: {package} is no part of it until the next version is frozen with a reason"
            )
        raise SystemExit(2 if made.findings else 0)


@corpus_app.command("style")
def style(
    package: Annotated[str, typer.Argument(help="Package id.")],
    styles: Annotated[list[str] | None, typer.Option("--style", help="Which styles; none: all five.")] = None,
    rng_seed: Annotated[int, typer.Option("--seed", help="Another number, another draft.")] = 0,
    write: Annotated[
        bool, typer.Option("--write", help="With one --style: make the draft the package's first message.")
    ] = False,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Draft the plain opening of a package in other styles, by rules, and check that no fact moved. Exit 2 if one did."""
    with one_line_errors():
        from harness.errors import InputError
        from harness.schema.package import find_packages
        from oracle_scoring.corpus.style import DRAFTED, draft_openings, write_opening

        folder = find_packages(corpus).get(package)
        if folder is None:
            raise InputError("PACKAGE", f"there is no package {package} in {corpus}")
        if write and len(styles or []) != 1:
            raise InputError("--write", "goes with exactly one --style")
        drafts = draft_openings(folder, styles or DRAFTED, rng_seed)
        written = write_opening(folder, drafts[0]) if write else []
        if as_json:
            shown = [{"style": d.style, "text": d.text, "problems": [vars(m) for m in d.problems]} for d in drafts]
            print_json({"package": package, "drafts": shown, "written": written})
        else:
            for draft in drafts:
                print_line(f"{draft.style}: {draft.text}")
                for moved in draft.problems:
                    print_line(f"  the draft {moved.what} [{moved.code}]")
            for name in written:
                print_line(f"{package}/{name}: written")
        raise SystemExit(2 if any(d.problems for d in drafts) else 0)


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
        from oracle_scoring.corpus.load import require_packages
        from oracle_scoring.corpus.look import blind_look_corpus, plain

        require_packages(corpus, corpus_only=True)
        model = vision_model(read_config())
        looked = blind_look_corpus(
            corpus, packages or [], model.ask if model else None, lambda line: None if as_json else say(line)
        )
        findings = [finding for one in looked for finding in one.findings]
        if as_json:
            print_json([plain(one) for one in looked])
        else:
            for one in looked:
                seen = one.not_done or f"{one.looks} pictures looked at."
                print_line(f"{one.package}: {one.readings} documents read. {seen}")
            for finding in findings:
                print_line(finding.line())
            print_line(f"{len(findings)} findings")
        raise SystemExit(2 if findings else 0)


def _say_at_once(line: str) -> None:
    print_line(line)
    sys.stdout.flush()


@corpus_app.command("review")
def review(
    corpus: Corpus = Path("packages"),
    port: Annotated[int, typer.Option(help="Port on loopback; 0: a free one.")] = 0,
) -> None:
    """Serve the page on which a person looks at every picture and signs by name. Its address, with a token, is printed."""
    with one_line_errors():
        from oracle_scoring.corpus.load import require_packages
        from oracle_scoring.corpus.review_page import serve

        require_packages(corpus, corpus_only=True)
        if not 0 <= port <= 65535:
            from harness.errors import InputError

            raise InputError("--port", "must be from 0 to 65535")
        serve(corpus, port, _say_at_once)


@corpus_app.command("freeze")
def freeze(
    version: Annotated[str, typer.Argument(help="v1, v2, …")],
    reason: Annotated[str | None, typer.Option(help="What changed and why; needed from the second version on.")] = None,
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Freeze the corpus: refused (exit 3) with any finding, unsigned picture, missing look, or quota that is off."""
    with one_line_errors():
        from oracle_scoring.corpus.freeze import FreezeRefused
        from oracle_scoring.corpus.freeze import freeze as do_freeze
        from oracle_scoring.corpus.load import require_packages

        require_packages(corpus, corpus_only=True)
        try:
            manifest = do_freeze(corpus, version, reason, say)
        except FreezeRefused as exc:
            if as_json:
                print_json([vars(f) for f in exc.findings])
            else:
                for finding in exc.findings:
                    print_line(finding.line())
            raise
        if as_json:
            print_json(
                {
                    "version": manifest.version,
                    "files": len(manifest.files),
                    "change": manifest.changes[-1].model_dump(mode="json"),
                }
            )


@corpus_app.command("correct")
def correct(
    package: Annotated[str, typer.Argument(help="Package id.")],
    file: Annotated[str, typer.Argument(help="File below the package, e.g. oracle/labels.json.")],
    field: Annotated[str, typer.Option(help="Dotted path of the value, e.g. triage.level.")] = "",
    to: Annotated[str | None, typer.Option(help="With --field: the right value, as JSON.")] = None,
    replace: Annotated[
        Path | None, typer.Option("--with", help="Without --field: the file that takes its place.")
    ] = None,
    why: Annotated[str, typer.Option(help="What was wrong.")] = "",
    by: Annotated[str, typer.Option(help="Who says so.")] = "",
    corpus: Corpus = Path("packages"),
    as_json: Json = False,
) -> None:
    """Correct a package of a frozen corpus: into the ledger, with the old revision kept so that runs can be scored by both."""
    with one_line_errors():
        from harness.errors import InputError, one_line
        from harness.schema.package import MAX_MATERIAL_BYTES
        from harness.schema.strict_json import parse_json, read_bytes
        from oracle_scoring.corpus.ledger import Edit
        from oracle_scoring.corpus.ledger import correct as do_correct

        if bool(field) != (to is not None) or bool(field) == (replace is not None):
            raise InputError("--field, --to, --with", "give --field with --to, or --with alone")
        if replace is not None:
            edit = Edit(file=file, data=read_bytes(replace, limit=MAX_MATERIAL_BYTES))
        else:
            edit = Edit(file=file, field=field, value=parse_json((to or "").encode("utf-8", "replace"), "--to"))
        entry = do_correct(corpus, package, [edit], why, by)
        if as_json:
            print_json(entry.model_dump(mode="json"))
        else:
            for change in entry.changes:
                print_line(
                    one_line(f"{change.file}: {change.field or 'the file'}: {change.before!r} -> {change.after!r}")
                )
            print_line(
                f"{package}: revision {entry.revision_after}; freeze the next version with a reason to take it in"
            )
