"""`rig compare`: which scorecards are held against each other, and what is printed."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.cli.out import print_json, print_line
from harness.errors import InputError, Refused, one_line
from harness.journal import open_run, stored_scores
from harness.report.side_by_side import write_comparison
from harness.schema.run import RunManifest
from harness.schema.scorecard import Scorecard
from harness.schema.strict_json import read_model
from oracle_scoring.inquiry.card import score_every
from oracle_scoring.publish.pairs import Comparison, PairTest, compare
from oracle_scoring.publish.show import plain_table, shown
from oracle_scoring.sheets.verdicts import shown_cards


def compare_runs(
    sides: tuple[Path, Path],
    corpus: Path,
    rescore: bool,
    out: Path | None,
    packages: Sequence[str],
    as_json: bool,
    width: int,
) -> int:
    """Print the comparison, write its page if wanted; 1 if a line that passed fails now, else 0.

    Raises:
        InputError: both are the same run, a file is not what it should be, or a package to show is not in both.
        Refused: the runs were not scored, or by unlike versions or answers, and `rescore` is not set.
        EnvironmentFault: no package has a counting journey in both.
    """
    if sides[0].resolve() == sides[1].resolve():
        raise InputError(f"run {sides[0].name}", "is named twice; a run is compared with another one")
    if packages and out is None:
        raise InputError("--package", "goes with -o: it says whose journeys the page shows")
    manifests = [read_model(RunManifest, run / "run.json", f"{run.name}/run.json") for run in sides]
    cards = [score_every(run, corpus) if rescore else _stored(run) for run in sides]
    found = compare(
        manifests[0], manifests[1], shown_cards(sides[0], cards[0]), shown_cards(sides[1], cards[1]), rescore
    )
    page = write_comparison(found, sides[0], sides[1], out, packages) if out is not None else None
    if as_json:
        print_json({**found.model_dump(mode="json", by_alias=True), "page": None if page is None else str(page)})
    else:
        print_line(format_comparison(found, width))
        if page is not None:
            print_line(f"page: {page}")
    return 1 if found.moved("down") else 0


def _stored(run: Path) -> list[Scorecard]:
    """The newest scorecard of each attempt."""
    newest = [scores[0] for scores in stored_scores(run).values()]
    for score in newest:
        if score.card is None:
            raise InputError(str(score.path), score.problem or "cannot be read")
    cards = [score.card for score in newest if score.card is not None]
    if not cards:
        raise Refused(f"run {open_run(run).run} was not scored; score it (rig score), or compare with --rescore")
    return cards


def format_comparison(found: Comparison, width: int) -> str:
    """The comparison as plain text of at most `width` columns."""
    out = Console(file=StringIO(), width=max(60, width), color_system=None, highlight=False, force_terminal=False)
    official = found.before.grade == found.now.grade == "official"
    reasons = "; ".join(f"run {s.run}: {', '.join(s.reasons)}" for s in (found.before, found.now) if s.reasons)
    out.print(Text(one_line("OFFICIAL runs" if official else f"REHEARSAL: {reasons}", 2000)))
    for word, side in (("before", found.before), ("now", found.now)):
        model = side.product_model or "none"
        defects = f", defects {', '.join(side.defects)}" if side.defects else ""
        out.print(
            Text(
                one_line(f"{word}: run {side.run}, {side.product} {side.product_version}, model {model}{defects}", 400)
            )
        )
    up, down, other = (found.moved(way) for way in ("up", "down", "other"))
    out.print(
        Text(
            f"{len(found.packages)} packages in both: {up} lines up, {down} down, {other} to or from what is not decided"
        )
    )
    for package in found.packages:
        for move in package.moves:
            sign = {"up": "+", "down": "-", "other": "~"}[move.direction]
            row = f"{sign} {package.package} {move.line}: {move.before or 'no line'} -> {move.now or 'no line'}"
            out.print(Text(f"  {one_line(row, 300)}"))
    for title, tests in (
        ("criteria", found.criteria if any(test.pairs for test in found.criteria) else []),
        (f"lines with a pair that moved, of {found.lines_tested}", found.lines),
    ):
        if tests:
            out.print(Text(f"\n{title}"))
            out.print(_tests(tests))
    if found.differences:
        out.print(Text("\nmeasures, now minus before, per package"))
        out.print(_differences(found))
    for which, names in (("before", found.only_before), ("now", found.only_now)):
        if names:
            out.print(Text(f"in the run {which} only, and in no number: {', '.join(names)}"))
    for caveat in found.caveats:
        out.print(Text(f"note: {one_line(caveat, 400)}"))
    text = out.file.getvalue() if isinstance(out.file, StringIO) else ""
    return "\n".join(row.rstrip() for row in text.splitlines())


def _tests(tests: Sequence[PairTest]) -> Table:
    table = plain_table("what", "passed before", "now", "up", "down", "McNemar")
    for test in tests:
        row = (
            test.id, f"{test.passed_before} of {test.pairs}", f"{test.passed_now} of {test.pairs}", str(test.up), str(test.down),
            test.words,
        )  # fmt: skip
        table.add_row(*(Text(cell) for cell in row))
    return table


def _differences(found: Comparison) -> Table:
    table = plain_table("measure", "before", "now", "difference", "95 %", "packages")
    for item in found.differences:
        between = "no interval"
        if item.interval is not None:
            between = f"{shown(item.interval.low, item.unit)} to {shown(item.interval.high, item.unit)}"
        numbers = (shown(value, item.unit) for value in (item.before, item.now, item.mean))
        table.add_row(*(Text(one_line(cell)) for cell in (item.title, *numbers, between, str(item.packages))))
    return table
