"""The page about graded samples of a live room: distributions, the worst of them, and what moved. One file that loads and runs nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from harness.record import write_whole
from harness.report.templates import environment
from oracle_scoring.livechat.before import Before
from oracle_scoring.livechat.models import DECISIONS, DIMENSIONS, Dimension
from oracle_scoring.livechat.tally import NO_DAY, OTHER_DAYS, Overview, Scores, Shown, Tally, mean
from oracle_scoring.templates import content_hash

POINTS = (5, 4, 3, 2, 1)
_COLOURS: dict[int | None, str] = {
    5: "#1d6b3a", 4: "#7bb58d", 3: "#e0c26b", 2: "#d98a5b", 1: "#b0201a", None: "#d9dee6",
}  # fmt: skip
_SIGNALS = 12
"""Signals shown for a dimension."""


@dataclass(frozen=True)
class Spread:
    """The scores of one dimension in one group."""

    name: str
    counts: tuple[int, ...]
    """By points, 5 first."""
    scored: int
    open: int
    mean: str
    bar: Markup


@dataclass(frozen=True)
class Group:
    """One business or day, with the spread of each dimension."""

    name: str
    samples: int
    spreads: tuple[Spread, ...]


@dataclass(frozen=True)
class Moved:
    """What became of one dimension since the earlier file, in samples."""

    name: str
    up: int
    down: int
    same: int
    scored_now: int
    """Without a score before."""
    open_now: int
    """With a score before only."""
    mean_before: str
    mean_now: str
    """Both of the samples that have a score in both."""


@dataclass(frozen=True)
class Part:
    """One dimension of the page."""

    name: str
    spread: Spread
    by_rule: int
    by_judge: int
    caps: tuple[tuple[int, int], ...]
    """(cap, samples), below 5 only."""
    signals: tuple[tuple[str, int], ...]
    worst: Sequence[Shown]
    fallen: Sequence[Shown]


def write_livechat(
    target: Path, files: Sequence[str], version: str, tally: Tally, overview: Overview, before: Before | None, bad: int
) -> None:  # fmt: skip
    """Writes the page; the same results give the same bytes.

    Args:
        files: names of what was graded.
        before: the earlier results that `overview` was compared with.
        bad: wrong lines that were left out.
    """
    css = environment().get_template("report.css").render() + environment().get_template("livechat.css").render()
    page = (
        environment()
        .get_template("livechat.html.j2")
        .render(
            css=Markup(css),  # noqa: S704 -- the package's own style sheets
            css_hash=content_hash(css),
            files=files,
            version=version,
            tally=tally,
            bad=bad,
            points=POINTS,
            parts=[_part(d, tally, overview) for d in DIMENSIONS],
            dimensions=DIMENSIONS,
            decisions=[(name, tally.decisions[name]) for name in (*DECISIONS, None)],
            businesses=_groups(overview.by_business, sorted(overview.by_business)),
            days=_groups(overview.by_day, sorted(overview.by_day, key=lambda day: (day in (NO_DAY, OTHER_DAYS), day))),
            before=before,
            other_version=before is not None and before.versions != {version},
            matched=overview.matched,
            moved=[_moved(d, overview) for d in DIMENSIONS],
        )
    )
    write_whole(target, page.encode("utf-8"))


def _part(dimension: Dimension, tally: Tally, overview: Overview) -> Part:
    signals = sorted(overview.signals[dimension].items(), key=lambda kv: (-kv[1], kv[0]))
    by = tally.by[dimension]
    return Part(
        dimension, _spread(dimension, tally.scores[dimension]), by["rule"], by["judge"],
        tuple((cap, n) for cap, n in sorted(overview.caps[dimension].items()) if cap < 5),
        tuple((name, n) for name, n in signals if name not in ("length", "flaws"))[:_SIGNALS],
        overview.worst(dimension), overview.fallen(dimension),
    )  # fmt: skip


def _spread(name: str, scores: Scores) -> Spread:
    scored = sum(scores[p] for p in POINTS)
    return Spread(
        name,
        tuple(scores[p] for p in POINTS),
        scored,
        scores[None],
        f"{mean(scores):.2f}" if scored else "–",
        _bar(scores),
    )


def _bar(scores: Scores) -> Markup:
    """A row of coloured parts; numbers and own words only."""
    total = scores.total()
    parts, at = [], 0.0
    for points in (*POINTS, None):
        width = 100 * scores[points] / total if total else 0.0
        if width:
            parts.append(f'<rect x="{at:.3f}" y="0" width="{width:.3f}" height="10" fill="{_COLOURS[points]}"/>')
        at += width
    said = ", ".join(f"{scores[p]} of {p} points" for p in POINTS) + f", {scores[None]} not scored"
    body = f'<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{said}">{"".join(parts)}</svg>'
    return Markup(body)  # noqa: S704 -- numbers and own words


def _groups(found: Mapping[str, Mapping[Dimension, Scores]], names: Iterable[str]) -> list[Group]:
    return [
        Group(name, found[name][DIMENSIONS[0]].total(), tuple(_spread(d, found[name][d]) for d in DIMENSIONS))
        for name in names
    ]


def _moved(dimension: Dimension, overview: Overview) -> Moved:
    moves = overview.moves[dimension]
    both = [(a, b, n) for (a, b), n in moves.items() if a is not None and b is not None]
    total = sum(n for *_, n in both)
    return Moved(
        dimension,
        sum(n for a, b, n in both if b > a),
        sum(n for a, b, n in both if b < a),
        sum(n for a, b, n in both if b == a),
        sum(n for (a, b), n in moves.items() if a is None and b is not None),
        sum(n for (a, b), n in moves.items() if a is not None and b is None),
        f"{sum(a * n for a, _, n in both) / total:.2f}" if total else "–",
        f"{sum(b * n for _, b, n in both) / total:.2f}" if total else "–",
    )
