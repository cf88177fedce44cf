"""Drawings of matplotlib as SVG inside a page: the same text for the same numbers, and nothing a strict policy blocks."""

import io
import re
from collections.abc import Callable
from typing import Any

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

_STYLE = re.compile(r' style="([^"]*)"')
_FONT = re.compile(r"^(?:\w+ )*?(?P<size>[\d.]+)px (?P<family>.+)$")


def inline_svg(size: tuple[float, float], salt: str, label: str, draw: Callable[[Figure], None]) -> str:
    """An inline `<svg>` with presentation attributes only (a strict content security policy blocks style attributes).

    Args:
        size: width and height, inches.
        salt: makes the ids inside the drawing differ from those of other drawings of the page.
        label: what it shows, in the rig's own words; it is not escaped.
        draw: draws on the figure.
    """
    settings: dict[Any, Any] = {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",
        "font.size": 8.0,
        "font.family": "sans-serif",
    }
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        figure = Figure(figsize=size)
        draw(figure)
        sink = io.BytesIO()
        empty = {"Date": None, "Creator": None, "Format": None, "Type": None}
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(sink, metadata=empty)
    return _inline(sink.getvalue().decode("utf-8"), label)


def plain_axes(ax: matplotlib.axes.Axes, label: str) -> None:
    """Two thin axes, light lines across."""
    ax.set_ylabel(label)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color("#8a93a3")
    ax.tick_params(colors="#3a4250", length=2)
    ax.yaxis.set_major_locator(MaxNLocator(nbins=4))
    ax.grid(axis="y", color="#e3e6eb", linewidth=0.6)
    ax.set_axisbelow(True)


def _inline(svg: str, label: str) -> str:
    """Without prolog, metadata and style sheet; style attributes become presentation attributes."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\s*<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*</defs>\s*", "", svg)
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
    svg = re.sub(r"\s*\n\s*", " ", svg)
    svg = _STYLE.sub(lambda match: _attributes(match[1]), svg)
    opening = '<svg stroke-linejoin="round" stroke-linecap="butt" class="chart" role="img" aria-label="' + label + '" '
    svg = re.sub(r'(<svg[^>]*?) width="[\d.]+pt" height="[\d.]+pt"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[\d.]+pt"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) width="[\d.]+pt"', r"\1", svg, count=1)
    return svg.replace("<svg ", opening, 1).strip()


def _attributes(style: str) -> str:
    pairs: list[tuple[str, str]] = []
    for part in style.split(";"):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        if not value:
            continue
        font = _FONT.match(value) if name == "font" else None
        if font:
            pairs += [("font-size", font["size"]), ("font-family", "sans-serif")]
        elif name != "font":
            pairs.append((name, value.replace("&quot;", "")))
    return "".join(f' {name}="{value}"' for name, value in pairs)
