"""A scorecard as text for a terminal."""

from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.errors import one_line
from harness.schema.scorecard import Scorecard, ScoreLine
from oracle_scoring.kleene import STATES, all_of

_MARKS = {
    "pass": "pass",
    "fail": "FAIL",
    "not_applicable": "n/a",
    "not_checked": "not checked",
    "unimplemented": "not built",
    "needs_human": "for a person",
}


def format_scorecard(card: Scorecard, width: int = 100) -> str:
    """The scorecard as plain text of at most `width` columns: what it is, one row per line, measures, totals."""
    out = Console(file=StringIO(), width=max(40, width), color_system=None, highlight=False, force_terminal=False)
    counting = "counts" if card.counting else "does not count"
    head = (
        f"{card.package} t{card.trial:02d}/a{card.attempt:02d} of run {card.run}: {card.termination_reason}, {counting}"
    )
    version = f"{card.rubric} {card.scoring_version}, oracle revision {card.oracle_revision} ({card.oracle_sha256[:8]})"
    why = f": {'; '.join(card.grade_reasons)}" if card.grade_reasons else ""
    for row in (head, version, f"{card.grade}{why}"):
        out.print(Text(one_line(row, 1000)))
    for group in dict.fromkeys(line.group for line in card.lines):
        lines = [line for line in card.lines if line.group == group]
        title = f"\n{group.replace('_', ' ')}: {_MARKS[all_of(line.state for line in lines)]}"
        out.print(Text(title))
        _print_lines(out, lines)
    out.print(Text("\nmeasures"))
    table = _table(("value", 14), ("what", None), ("note", None))
    for measure in card.measures:
        value = "–" if measure.value is None else f"{measure.value:g} {measure.unit}"
        if measure.value is not None and measure.unit == "ms":
            value = f"{measure.value / 1000:.2f} s"
        table.add_row(Text(value), Text(measure.title), Text(one_line(measure.note or "", 300)))
    out.print(table)
    totals = ", ".join(f"{card.totals.get(state, 0)} {_MARKS[state]}" for state in STATES)
    out.print(Text(f"\n{totals}"))
    text = out.file.getvalue() if isinstance(out.file, StringIO) else ""
    return "\n".join(row.rstrip() for row in text.splitlines())


NARROW = 100
"""Below so many columns a line's reason stands under its name, not beside it."""


def _print_lines(out: Console, lines: list[ScoreLine]) -> None:
    if out.width < NARROW:
        for line in lines:
            out.print(Text(f"{_MARKS[line.state]:12} {line.id}"))
            out.print(Padding(Text(one_line(line.why, 600)), (0, 0, 0, 4)))
        return
    table = _table(("state", 12), ("line", max(len(line.id) for line in lines)), ("why", None))
    for line in lines:
        table.add_row(Text(_MARKS[line.state]), Text(line.id), Text(one_line(line.why, 600)))
    out.print(table)


def _table(*columns: tuple[str, int | None]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for name, width in columns:
        table.add_column(name, width=width, overflow="fold")
    return table
