"""The table of figures as text for a terminal. Its first line says whether it may be quoted."""

from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import one_line
from harness.schema.human import Agreement
from oracle_scoring.publish.intervals import Interval
from oracle_scoring.publish.models import Number, Outside, Publication, Repeats, RoleCost, RunPart, Share

NAMED = 5
"""Journeys named under a figure; `--json` has them all."""
_OUTSIDE = (
    ("not_applicable", "not applicable"), ("not_checked", "not checked"), ("unimplemented", "not built by the product"),
    ("needs_human", "for a person"),
)  # fmt: skip


def format_publication(table: Publication, width: int = 100) -> str:
    """The table as plain text of at most `width` columns."""
    out = Console(file=StringIO(), width=max(60, width), color_system=None, highlight=False, force_terminal=False)
    for row in _head(table):
        out.print(Text(one_line(row, 4000)))
    out.print(Text("\nacceptance"))
    blind = table.blind_triage.share
    out.print(_shares([*table.acceptance, *([blind] if blind else [])]))
    out.print(Text(f"  triage graded blind by staff: {_blind(table)}"))
    for share in table.acceptance:
        _named(out, share)
    out.print(Text("\nfurther shares"))
    out.print(_shares(table.further))
    if table.repeats:
        out.print(Text("\nrepeats: pass^k, the chance that k plays of one package all pass"))
        out.print(_repeats(table.repeats))
    out.print(Text("\nmeasures, one value per package"))
    out.print(_numbers(table.numbers))
    out.print(Text("\ncost of the models, every attempt counted"))
    out.print(_costs(table.cost))
    for cost in table.cost:
        for why in cost.why_incomplete:
            out.print(Text(f"  {cost.role} is incomplete: {one_line(why)}"))
    for title, lines in (("of these runs", table.caveats), ("what the figures do not say", table.says_not)):
        if lines:
            out.print(Text(f"\n{title}"))
        for line in lines:
            out.print(Text(f"  - {one_line(line, 1000)}"))
    text = out.file.getvalue() if isinstance(out.file, StringIO) else ""
    return "\n".join(row.rstrip() for row in text.splitlines())


def _head(table: Publication) -> list[str]:
    runs = ", ".join(part.run for part in table.runs)
    if table.published:
        first = f"OFFICIAL: figures of run {runs}"
    else:
        first = f"REHEARSAL, no figures to be quoted of run {runs}: {'; '.join(table.reasons)}"
    product = f"{table.product} {table.product_version}, model {table.product_model or 'none'}"
    customer = f"{table.customer}, model {table.customer_model or 'none'}"
    revisions = sorted(set(table.oracle_revisions.values()))
    return [
        first,
        f"product {product}; customer {customer}",
        f"{table.packages} of {table.packages_in_corpus} packages of corpus {table.corpus_version} "
        f"({table.corpus_sha256[:12]}), {table.journeys} counting journeys",
        f"rubric {table.rubric}, scoring version {table.scoring_version}, answers in revision {', '.join(map(str, revisions))}",
        *(_run(part) for part in table.runs),
    ]


def _run(part: RunPart) -> str:
    void = ", ".join(f"{n} {reason}" for reason, n in part.not_counting.items())
    return (
        f"run {part.run} of {part.created_at:%Y-%m-%d}, rig {part.rig_version} {(part.git_commit or 'no commit')[:12]}: "
        f"{part.counting} of {part.planned_trials} trials count, {part.attempts} attempts"
        + (f" ({void})" if void else "")
    )


def percent(value: float | None) -> str:
    """A share in percent; a dash for none."""
    return "–" if value is None else f"{100 * value:.1f} %"


def _interval(interval: Interval | None) -> str:
    if interval is None:
        return "no interval"
    return f"{100 * interval.low:.1f}–{100 * interval.high:.1f} %"


def outside_words(outside: Outside) -> str:
    """What is outside a share, in words; empty if nothing is."""
    return ", ".join(f"{getattr(outside, name)} {word}" for name, word in _OUTSIDE if getattr(outside, name))


def _outside(share: Share) -> str:
    words = outside_words(share.outside)
    if not share.outside.unknown:
        return words
    return f"{words} ({percent(share.if_unknown_failed)} to {percent(share.if_unknown_passed)} were they known)"


def _shares(shares: list[Share]) -> Table:
    table = plain_table("figure", "n", "share", "95 %", "outside", "target")
    for share in shares:
        target = (
            ""
            if share.target is None
            else f"{share.target}: {share.met}" + (f" ({share.met_why})" if share.met_why else "")
        )
        row = (
            share.title, f"{share.numerator} of {share.denominator}", percent(share.value), _interval(share.interval),
            _outside(share), target,
        )  # fmt: skip
        table.add_row(*(Text(cell) for cell in row))
    return table


def _named(out: Console, share: Share) -> None:
    for what, names in (("failed", share.failed), ("not known", share.unknown)):
        if names:
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            out.print(Text(f"  {what}, {share.title.lower()}: {', '.join(one_line(n) for n in names[:NAMED])}{more}"))


def _blind(table: Publication) -> str:
    blind = table.blind_triage
    if blind.share is None:
        return f"not graded: {blind.why_not}"
    kappas = [
        f"{one.one} and {one.other} (run {run}): {one.same} of {one.pairs} the same, {_kappas(one)}"
        for run, agreements in blind.agreements.items()
        for one in agreements
    ]
    return one_line(f"{blind.graders} graders; {'; '.join(kappas)}", 2000)


def _kappas(agreement: Agreement) -> str:
    return ", ".join(f"{k.weights} kappa {'–' if k.value is None else f'{k.value:.2f}'}" for k in agreement.kappas)


def _repeats(repeats: list[Repeats]) -> Table:
    table = plain_table("figure", "k", "pass^k", "95 %", "packages")
    for item in repeats:
        few = f", {item.too_few} with fewer repeats" if item.too_few else ""
        row = (item.title, str(item.k), percent(item.value), _interval(item.interval), f"{item.packages}{few}")
        table.add_row(*(Text(cell) for cell in row))
    return table


def shown(value: float | None, unit: str) -> str:
    """A measure's value; milliseconds as seconds."""
    if value is None:
        return "–"
    return f"{value / 1000:.2f} s" if unit == "ms" else f"{value:.4g}"


def _numbers(numbers: list[Number]) -> Table:
    table = plain_table("measure", "value", "95 %", "packages")
    for item in numbers:
        low_high = "no interval"
        if item.interval is not None:
            low_high = f"{shown(item.interval.low, item.unit)} – {shown(item.interval.high, item.unit)}"
        without = f", {item.without} without a value" if item.without else ""
        row = (f"{item.title} ({item.statistic})", shown(item.value, item.unit), low_high, f"{item.packages}{without}")
        table.add_row(*(Text(one_line(cell)) for cell in row))
    return table


def _costs(costs: list[RoleCost]) -> Table:
    table = plain_table("role", "calls", "tokens in", "tokens out", "cost", "")
    for cost in costs:
        amounts = [cost.calls, cost.tokens_in, cost.tokens_out]
        money = " + ".join(cost.cost) or ("unpriced" if cost.calls else "no calls")
        word = "complete" if cost.complete else "incomplete: at least this"
        cells = (cost.role, *("–" if n is None else f"{n:,}" for n in amounts), money, word)
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    return table


def plain_table(*columns: str) -> Table:
    """A table without lines, its columns named in the first row."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    for name in columns:
        table.add_column(Text(name), overflow="fold")
    return table
