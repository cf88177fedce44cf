"""The fidelity report as text for a terminal."""

from collections import Counter
from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import one_line
from oracle_scoring.fidelity.models import AttemptFidelity, Coverage, KindCount, RunFidelity


def format_fidelity(report: RunFidelity, width: int = 100) -> str:
    """What the simulated customer did in each attempt, then over the run; plain text of at most `width` columns."""
    out = Console(file=StringIO(), width=max(60, width), color_system=None, highlight=False, force_terminal=False)
    for attempt in report.attempts:
        _attempt(out, attempt)
    _kinds(out, report)
    out.print(Text(_sum(report)))
    for name in report.unfinished:
        out.print(Text(f"not looked at: {one_line(name)} has no end"))
    for name, why in report.skipped.items():
        out.print(Text(f"not looked at: {one_line(name)} {one_line(why)}"))
    for kind, why in report.not_looked_for.items():
        out.print(Text(f"not looked for: {kind.replace('_', ' ')}: {why}"))
    text = out.file.getvalue() if isinstance(out.file, StringIO) else ""
    return "\n".join(row.rstrip() for row in text.splitlines())


def _table(*columns: tuple[int | None, str]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for width, overflow in columns:
        table.add_column(width=width, overflow=overflow)  # type: ignore[arg-type]
    return table


def _attempt(out: Console, one: AttemptFidelity) -> None:
    counts = "counts" if one.counting else "does not count"
    out.print(
        Text(
            f"{one.package} t{one.trial:02d}/a{one.attempt:02d}: {one.termination_reason}, {counts}; played by {one.customer}"
        )
    )
    refused = ", ".join(f"{n} {problem.replace('_', ' ')}" for problem, n in one.rejected.items()) or "none"
    out.print(
        Text(f"  {one.moves} moves, {one.messages} messages; refused: {refused}; stand-ins: {len(one.stand_ins)}")
    )
    if one.spoilt:
        missed = ", seen only afterwards: every line is set apart" if one.missed_by_guard else ""
        out.print(Text(f"  spoilt{missed}: {one_line(one.spoilt)}"))
    table = _table((4, "fold"), (9, "fold"), (18, "fold"), (9, "fold"), (None, "fold"))
    for f in one.findings:
        note = f"{f.why}; given later: {', '.join(f.made_good)}" if f.made_good else f.why
        row = (f"e{f.event}", "delivered" if f.delivered else "stopped", f.kind.replace("_", " "), f.severity)
        table.add_row(
            *map(Text, row),
            Text(one_line(note if f.flagged or not f.delivered else f"{note} [the guard did not note it]", 300)),
        )
    for u in one.undecided:
        table.add_row(
            Text(f"e{u.event}"),
            Text("?"),
            Text(u.kind.replace("_", " ")),
            Text("undecided"),
            Text(one_line(u.why, 300)),
        )
    for g in one.guard_only:
        how = "delivered" if g.delivered else "stopped"
        table.add_row(
            Text(f"e{g.event}"),
            Text(how),
            Text(g.kind.replace("_", " ")),
            Text("guard"),
            Text(one_line(f"noted by the guard alone: {g.why}", 300)),
        )
    if table.row_count:
        out.print(table)
    out.print(Text(f"  {_covered(one.coverage)}\n"))


def _covered(coverage: Coverage) -> str:
    """One line: facts by how they came up, files, wishes, don't-know words."""
    facts = ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in sorted(Counter(coverage.facts.values()).items()))
    files = ", ".join(f"{one_line(name)} {state.replace('_', ' ')}" for name, state in coverage.files.items()) or "none"
    wishes = f"{sum(coverage.wishes.values())} of {len(coverage.wishes)} wishes put"
    unknown = f"“don't know” {coverage.dont_know_own_words} times in the persona's words, {coverage.dont_know_other_words} in others"
    return f"facts: {facts}; files: {files}; {wishes}; {unknown}"


def _kinds(out: Console, report: RunFidelity) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="")
    for name in ("slips", "delivered", "helped", "hindered", "minor", "stopped", "undecided", "noted by the guard"):
        table.add_column(name, justify="left" if name == "slips" else "right")
    for kind, count in report.kinds.items():
        if _any(count):
            cells = [
                sum(count.delivered.values()),
                *count.delivered.values(),
                sum(count.stopped.values()),
                count.undecided,
                count.flagged,
            ]
            table.add_row(Text(kind.replace("_", " ")), *(Text(str(n)) for n in cells))
    if table.row_count:
        out.print(table)
    else:
        out.print(Text("no slip was found"))


def _any(count: KindCount) -> bool:
    return bool(sum(count.delivered.values()) + sum(count.stopped.values()) + count.undecided)


def _sum(report: RunFidelity) -> str:
    return (
        f"\n{len(report.attempts)} attempts: {report.simulator_errors} ended simulator_error; {report.spoilt} are spoilt, of them "
        f"{report.missed_by_guard} seen only afterwards"
    )
