"""`rig triage-sheet …` and `rig human-sheet …`: sheets on which people grade a run blind."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import Corpus, Json, Results, Run
from harness.cli.out import one_line_errors, print_json, print_line, say

if TYPE_CHECKING:
    from harness.schema.human import Agreement, HumanVerdicts, SheetKind, TriageGrading

Sheets = Annotated[list[Path], typer.Argument(help="Sheets that came back: .xlsx, .ods or CSV.")]
Out = Annotated[Path | None, typer.Option("-o", "--out", help="Folder for what is handed out.")]
Seed = Annotated[int, typer.Option(help="Seed of the order, and of the sample.")]
Sample = Annotated[int | None, typer.Option(help="So many rows, chosen at random; none: all.")]
Partial = Annotated[
    bool, typer.Option("--partial", help="Take in sheets that are not filled to the end; what is missing is counted.")
]

triage_sheet_app = typer.Typer(
    help="Levels of urgency, graded blind by people.", rich_markup_mode=None, no_args_is_help=True
)
human_sheet_app = typer.Typer(
    help="Score lines that are left to a person.", rich_markup_mode=None, no_args_is_help=True
)


@triage_sheet_app.command("export")
def triage_export(
    run: Run, out: Out = None, rng_seed: Seed = 1, sample: Sample = None, results: Results = None,
    corpus: Corpus = Path("packages"), as_json: Json = False,
) -> None:  # fmt: skip
    """Write a workbook, a CSV and a page with the run's cases in random order, without anybody's grades."""
    _export("triage", run, out, rng_seed, sample, results, corpus, as_json)


@human_sheet_app.command("export")
def human_export(
    run: Run, out: Out = None, rng_seed: Seed = 1, sample: Sample = None, results: Results = None,
    corpus: Corpus = Path("packages"), as_json: Json = False,
) -> None:  # fmt: skip
    """Write a workbook, a CSV and a page with the questions that no rule can decide."""
    _export("human", run, out, rng_seed, sample, results, corpus, as_json)


@triage_sheet_app.command("import")
def triage_import(
    run: Run, sheets: Sheets, partial: Partial = False, results: Results = None,
    corpus: Corpus = Path("packages"), as_json: Json = False,
) -> None:  # fmt: skip
    """Check graded sheets, store them, and say how far people, product and oracle agree. Exit 2 with a line for each mistake."""
    with one_line_errors():
        from oracle_scoring.sheets.agree import grade_triage

        run_dir = _take_in("triage", run, sheets, partial, results)
        found = grade_triage(run_dir, corpus)
        if as_json:
            print_json(found.model_dump(mode="json", by_alias=True))
        else:
            for line in triage_lines(found):
                print_line(line)


@human_sheet_app.command("import")
def human_import(
    run: Run, sheets: Sheets, partial: Partial = False, results: Results = None, as_json: Json = False
) -> None:
    """Check sheets of verdicts and store them; `rig score` and `rig report` show them. Exit 2 with a line for each mistake."""
    with one_line_errors():
        from oracle_scoring.sheets.verdicts import write_verdicts

        found = write_verdicts(_take_in("human", run, sheets, partial, results))
        if as_json:
            print_json(found.model_dump(mode="json", by_alias=True))
        else:
            for line in verdict_lines(found):
                print_line(line)


def _export(
    kind: "SheetKind", run: str, out: Path | None, rng_seed: int, sample: int | None, results: Path | None, corpus: Path,
    as_json: bool,
) -> None:  # fmt: skip
    with one_line_errors():
        from harness.cli.runs import run_dir
        from harness.errors import InputError
        from oracle_scoring.sheets.export import export_sheet

        if out is not None and out.exists() and not out.is_dir():
            raise InputError(f"--out {out}", "is a file; name a folder")
        made = export_sheet(kind, run_dir(run, results), corpus, out, rng_seed, sample)
        key = made.key
        if as_json:
            names = [str(made.folder / name) for name in key.files]
            print_json({"sheet": key.sheet, "rows": len(key.items), "of": key.of, "hand_out": names,
                        "key": str(made.key_path), "words_left_out": key.words_left_out,
                        "files_not_shown": key.files_not_shown})  # fmt: skip
            return
        for name in key.files:
            print_line(str(made.folder / name))
        print_line(
            f"{len(key.items)} of {key.of} rows; “[…]” stands in {key.words_left_out} places; "
            f"{key.files_not_shown} files not shown; the key stays in {made.key_path}"
        )


def _take_in(kind: "SheetKind", run: str, sheets: list[Path], partial: bool, results: Path | None) -> Path:
    """The run's folder, with the sheets stored; ends with a line for each mistake and exit code 2 otherwise."""
    from harness.cli.runs import run_dir
    from oracle_scoring.sheets.take_in import take_in

    folder = run_dir(run, results)
    taken = take_in(kind, folder, sheets, partial)
    for problem in taken.problems:
        say(f"rig: {problem}")
    if taken.problems:
        raise SystemExit(2)
    for name in taken.known:
        say(f"rig: {name} had been taken in before; nothing new in it")
    return folder


def triage_lines(found: "TriageGrading") -> list[str]:
    """The gradings in words, one line each."""
    lines = [
        f"{found.graded} of {found.counting} counting attempts graded by {len(found.graders)} "
        f"{'person' if len(found.graders) == 1 else 'people'}; {found.cannot_say} “cannot say”, {found.missing} rows left empty",
        f"product as staff: {found.product_as_staff} of {found.decided} decided",
    ]
    for one in found.agreements:
        lines.append(_agreement_line(one))
        if one.one == "staff" and one.pairs:
            lines += _confusion_lines(one, list(found.levels))
    return lines


def _agreement_line(one: "Agreement") -> str:
    head = f"{one.one} – {one.other}: {one.same} of {one.pairs} equal"
    if one.same_low is not None and one.same_high is not None:
        head += f" (95 %: {one.same_low:.2f} to {one.same_high:.2f})"
    for kappa in one.kappas:
        if kappa.value is None:
            head += f"; {kappa.weights} kappa: none ({kappa.note})"
            continue
        span = "" if kappa.low is None or kappa.high is None else f" (95 %: {kappa.low:.2f} to {kappa.high:.2f})"
        head += f"; {kappa.weights} kappa {kappa.value:.2f}{span}" + (f" ({kappa.note})" if kappa.note else "")
    return head


def _confusion_lines(one: "Agreement", levels: list[str]) -> list[str]:
    width = max(len(level) for level in levels) + 2
    head = "".join(f"{level:>{width}}" for level in levels)
    rows = [
        f"  {level:<{width}}" + "".join(f"{n:>{width}}" for n in row)
        for level, row in zip(levels, one.confusion, strict=True)
    ]
    return [f"  {one.one + ' ↓':<{width}}{head}  → {one.other}", *rows]


def verdict_lines(found: "HumanVerdicts") -> list[str]:
    """The verdicts in words, one line each."""
    return [f"{len(found.verdicts)} lines judged by people; {found.missing} rows left empty"] + [
        f"{v.package}/t{v.trial:02d}/a{v.attempt:02d} {v.line}: {v.state.replace('_', ' ')} – {v.why}"
        for v in found.verdicts
    ]
