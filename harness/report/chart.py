"""Time and tokens per turn as a small drawing: SVG text that is the same for the same numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from harness.report.svg import inline_svg, plain_axes

PRODUCT, CUSTOMER, RIG = "#2b6cb0", "#8a63b8", "#b8bec8"


@dataclass(frozen=True)
class TurnTime:
    """Where the time of one turn went, and what its model calls used."""

    turn: int
    product_s: float
    """Waiting for the product, from the act to its last visible change."""
    customer_s: float
    """Deciding the move, refused tries included."""
    rig_s: float
    """All else: typing, reading the screen, pictures, waiting for quiet."""
    unsettled: bool
    calls: int
    tokens_in: int | None
    """None: not reported, which is not zero."""
    tokens_out: int | None
    cost: str | None
    """Sum of the customer's priced calls in this turn; None where a call has no price."""


def time_chart(turns: Sequence[TurnTime], salt: str) -> str:
    """An inline `<svg>` of time and tokens.

    Args:
        turns: at least one.
        salt: makes the ids inside the drawing differ from those of other drawings of the page.
    """
    with_tokens = any(t.tokens_in or t.tokens_out for t in turns)

    def draw(figure: Figure) -> None:
        axes = figure.subplots(
            2 if with_tokens else 1, 1, sharex=True, squeeze=False, height_ratios=[3, 2] if with_tokens else [1]
        )
        figure.subplots_adjust(0.09, 0.17 if with_tokens else 0.25, 0.995, 0.9 if with_tokens else 0.86, hspace=0.42)
        _times(axes[0][0], turns)
        if with_tokens:
            _tokens(axes[1][0], turns)
        last = axes[-1][0]
        last.set_xlabel("turn")
        last.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=24, min_n_ticks=1))
        last.set_xlim(min(t.turn for t in turns) - 0.6, max(t.turn for t in turns) + 0.6)

    return inline_svg((7.4, 2.7 if with_tokens else 1.8), salt, "Time per turn", draw)


def _times(ax: matplotlib.axes.Axes, turns: Sequence[TurnTime]) -> None:
    x = [t.turn for t in turns]
    product, customer, rig = ([getattr(t, k) for t in turns] for k in ("product_s", "customer_s", "rig_s"))
    ax.bar(x, product, 0.72, color=PRODUCT, label="product wait")
    ax.bar(
        x,
        customer,
        0.72,
        bottom=product,
        color=CUSTOMER,
        label="customer thinking",
        hatch="///",
        edgecolor="white",
        lw=0,
    )
    base = [p + c for p, c in zip(product, customer, strict=True)]
    ax.bar(x, rig, 0.72, bottom=base, color=RIG, label="rig (typing, reading, pictures)")
    totals = [b + r for b, r in zip(base, rig, strict=True)]
    top = _top(totals)
    for turn, total in zip(turns, totals, strict=True):
        words = [f"{total:.0f} s \u2191"] if total > top else []
        words += ["unsettled"] if turn.unsettled else []
        if words:
            at, low = min(total, top), total > top
            ax.annotate(
                "\n".join(words),
                (turn.turn, at),
                (0, -3 if low else 2),
                textcoords="offset points",
                ha="center",
                va="top" if low else "bottom",
                fontsize=7,
                color="#ffffff" if low else "#a61b1b",
                fontweight="bold",
            )
    plain_axes(ax, "seconds")
    ax.set_ylim(0, top * (1.0 if max(totals) > top else 1.14))
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False, fontsize=8, borderaxespad=0.2)


def _top(totals: Sequence[float]) -> float:
    """Where the time axis ends: at the longest turn, or, where few turns dwarf the rest, at thrice the others' longest.

    Bars that are cut there carry their length in words.
    """
    ordered = sorted(totals)
    usual = ordered[int(len(ordered) * 0.8)] if len(ordered) > 4 else ordered[-1]
    longest = ordered[-1] or 1.0
    return usual * 3 if 0 < usual * 6 < longest else longest


def _tokens(ax: matplotlib.axes.Axes, turns: Sequence[TurnTime]) -> None:
    x = [t.turn for t in turns]
    tokens_in = [t.tokens_in or 0 for t in turns]
    ax.bar(x, tokens_in, 0.72, color="#c9b8e0", label="tokens in")
    ax.bar(x, [t.tokens_out or 0 for t in turns], 0.72, bottom=tokens_in, color="#5b3a8c", label="tokens out")
    plain_axes(ax, "customer's\ntokens")
    ax.margins(y=0.14)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, frameon=False, fontsize=8, borderaxespad=0.2)
