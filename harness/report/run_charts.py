"""Drawings about many attempts."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from harness.report.svg import inline_svg, plain_axes

BAR, LIMIT = "#2b6cb0", "#a61b1b"
BINS = 30
ROOM = 0.08
"""A part of a bar at least this long, as a share of the longest bar, has room for its number."""
MANY_TURNS = 60
"""Whole numbers up to this range get a bar each."""
OUTCOMES: dict[str, tuple[str, str]] = {
    "right": ("#3a8f5c", ""),
    "false alarm": ("#b0201a", "///"),
    "missed": ("#d9822b", "..."),
    "otherwise wrong": ("#7d3c98", "xx"),
    "not known": ("#b8bec8", ""),
}
"""Outcome of a review check -> colour and hatch (readable without colours)."""


@dataclass(frozen=True)
class Spread:
    """One number of a scorecard, drawn over all attempts."""

    measure: str
    title: str
    unit: str
    scale: float
    """The measure is divided by this."""
    limit: tuple[float, str] | None
    """Where a line is drawn, and what it says."""


def spread_chart(spread: Spread, values: Sequence[float]) -> str:
    """How often each value occurs; the median and the limit are drawn in.

    Args:
        spread: what is drawn.
        values: at least one, none negative.
    """
    whole = spread.scale == 1.0 and all(v == int(v) for v in values)

    def draw(figure: Figure) -> None:
        ax = figure.subplots()
        figure.subplots_adjust(0.12, 0.22, 0.985, 0.86)
        edges = _edges(values, whole)
        ax.hist(values, bins=edges, color=BAR, rwidth=0.86 if whole else 0.94)
        plain_axes(ax, "attempts")
        ax.set_xlabel(spread.unit)
        ax.xaxis.set_major_locator(MaxNLocator(integer=whole, nbins=10, min_n_ticks=1))
        ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4, min_n_ticks=1))
        middle = median(values)
        ax.axvline(middle, color="#1b2230", linewidth=1.2, linestyle=(0, (4, 2)))
        words = [f"median {_number(middle, whole)}", f"up to {_number(max(values), whole)}"]
        if spread.limit is not None and edges[0] <= spread.limit[0] <= edges[-1]:
            ax.axvline(spread.limit[0], color=LIMIT, linewidth=1.2)
            words.append(f"red line: {spread.limit[1]}")
        ax.set_title(", ".join(words), loc="left", fontsize=8, color="#3a4250")

    return inline_svg((4.6, 1.9), spread.measure, spread.title, draw)


def _number(value: float, whole: bool) -> str:
    return f"{value:,.0f}" if whole and value == int(value) else f"{value:,.1f}" if whole else f"{value:,.1f} s"


def _edges(values: Sequence[float], whole: bool) -> list[float]:
    """Borders of the bars: one for each whole number where there are few, else equal parts of the range."""
    low, high = min(values), max(values)
    if whole and high - low <= MANY_TURNS:
        return [n - 0.5 for n in range(int(low), int(high) + 2)]
    start = math.floor(low)
    width = max((high - start) / BINS, 1e-6)
    return [start + n * width for n in range(BINS)] + [max(high, start + BINS * width)]


def review_chart(checks: Mapping[str, Counter[str]]) -> str:
    """For each review check, how often the product was right, gave a false alarm, missed.

    Args:
        checks: words for the check -> outcome -> how often; at least one.
    """
    names = list(checks)
    most = max(counts.total() for counts in checks.values())

    def draw(figure: Figure) -> None:
        ax = figure.subplots()
        figure.subplots_adjust(0.37, 0.12, 0.985, 0.84)
        left = [0.0] * len(names)
        for outcome, (colour, hatch) in OUTCOMES.items():
            counts = [float(checks[name][outcome]) for name in names]
            if not any(counts):
                continue
            told = f"{outcome} {sum(counts):,.0f}"
            bars = ax.barh(
                names, counts, 0.66, left=left, color=colour, label=told, hatch=hatch, edgecolor="white", lw=0
            )
            words = [f"{n:,.0f}" if n >= ROOM * most else "" for n in counts]
            ax.bar_label(bars, words, label_type="center", fontsize=7, color="white")
            left = [a + b for a, b in zip(left, counts, strict=True)]
        plain_axes(ax, "")
        ax.grid(axis="y", visible=False)
        ax.set_yticks(range(len(names)), names)
        ax.invert_yaxis()
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6, min_n_ticks=1))
        ax.legend(
            loc="lower left",
            bbox_to_anchor=(-0.58, 1.0),
            ncols=5,
            frameon=False,
            fontsize=7,
            borderaxespad=0.2,
            columnspacing=1.0,
            handlelength=1.4,
        )

    return inline_svg((5.4, 0.62 + 0.3 * len(names)), "review", "Review checks", draw)
