"""What grading came to: scores by dimension, and for the report by business and day, the worst samples, and what moved."""

import heapq
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from oracle_scoring.livechat.models import DIMENSIONS, Dimension, Sample

Scores = Counter[int | None]
"""Score -> samples; None: not scored."""
MOST_DAYS = 400
"""Days that are told apart; samples of further days are counted together."""
OTHER_DAYS = "other days"
NO_DAY = "no day"
WORST = 10
"""Samples shown as the worst of a dimension."""
SHOWN = 600
"""Characters of a text that are kept for the page."""


@dataclass(frozen=True)
class Shown:
    """One sample for the page; texts cut at `SHOWN` characters."""

    id: str
    business: str
    query: str
    answer: str
    score: int | None
    quote: str
    reason: str
    by: str | None
    before: int | None = None
    """Its score in the earlier file."""


class _Worst:
    """The lowest few, in constant memory; among equals the earlier ones."""

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[float, ...], int, Shown]] = []

    def wants(self, rank: tuple[float, ...], at: int) -> bool:
        """Whether a sample of this rank would be among them."""
        return len(self._kept) < WORST or (_up(rank), -at) > self._kept[0][:2]

    def add(self, rank: tuple[float, ...], at: int, shown: Shown) -> None:
        """One more."""
        item = (_up(rank), -at, shown)
        if len(self._kept) < WORST:
            heapq.heappush(self._kept, item)
        else:
            heapq.heappushpop(self._kept, item)

    def listed(self) -> list[Shown]:
        """The lowest first."""
        return [shown for *_, shown in sorted(self._kept, key=lambda k: k[:2], reverse=True)]


def _up(rank: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(-r for r in rank)


@dataclass
class Tally:
    """Counts by dimension, and of decisions."""

    samples: int = 0
    scores: dict[Dimension, Scores] = field(default_factory=lambda: {d: Counter() for d in DIMENSIONS})
    by: dict[Dimension, Counter[str | None]] = field(default_factory=lambda: {d: Counter() for d in DIMENSIONS})
    decisions: Counter[str | None] = field(default_factory=Counter)

    def add(self, sample: Sample, result: dict[str, Any]) -> None:
        """One result more."""
        self.samples += 1
        self.decisions[result["decision"]] += 1
        for dimension, score in result["scores"].items():
            self.scores[dimension][score["score"]] += 1
            self.by[dimension][score["by"]] += 1

    def lines(self) -> list[str]:
        """The counts for people."""
        found = [f"{self.samples} samples"]
        for d in DIMENSIONS:
            by = self.by[d]
            scored = ", ".join(
                f"{n} {s}" for s, n in sorted((s, n) for s, n in self.scores[d].items() if s is not None)
            )
            found.append(
                f"  {d:14} {by['rule']} by rule, {by['judge']} by the judge, {by[None]} not judged"
                + (
                    f"; mean {mean(self.scores[d]):.2f} of those scored; points x samples: {_pairs(self.scores[d])}"
                    if scored
                    else ""
                )
            )
        return found


def _pairs(scores: Scores) -> str:
    return ", ".join(f"{s} x {scores[s]}" for s in range(5, 0, -1) if scores[s])


def mean(scores: Scores) -> float:
    """Mean of what was scored; 0 of nothing."""
    scored = sum(n for s, n in scores.items() if s is not None)
    return sum(s * n for s, n in scores.items() if s is not None) / scored if scored else 0.0


class Overview:
    """What the page shows, gathered as results come, in memory that does not grow with them.

    Attributes:
        by_business, by_day: name -> dimension -> scores.
        signals: dimension -> signal -> samples.
        moves: dimension -> (before, now) -> samples; filled where an earlier file is given.
    """

    def __init__(self) -> None:
        self.by_business: dict[str, dict[Dimension, Scores]] = defaultdict(lambda: {d: Counter() for d in DIMENSIONS})
        self.by_day: dict[str, dict[Dimension, Scores]] = defaultdict(lambda: {d: Counter() for d in DIMENSIONS})
        self.signals: dict[Dimension, Counter[str]] = {d: Counter() for d in DIMENSIONS}
        self.caps: dict[Dimension, Counter[int]] = {d: Counter() for d in DIMENSIONS}
        self.moves: dict[Dimension, Counter[tuple[int | None, int | None]]] = {d: Counter() for d in DIMENSIONS}
        self.matched = 0
        self._worst = {d: _Worst() for d in DIMENSIONS}
        self._fallen = {d: _Worst() for d in DIMENSIONS}
        self._at = 0

    def add(self, sample: Sample, result: dict[str, Any], before: tuple[int | None, ...] | None) -> None:
        """One result more; `before`: the scores of the same sample in the earlier file, in the order of `DIMENSIONS`."""
        self._at += 1
        self.matched += before is not None
        scores = result["scores"]
        business, day = self.by_business[sample.business_type], self.by_day[self._day(sample.day)]
        known = [scores[d]["score"] for d in DIMENSIONS if scores[d]["score"] is not None]
        average = sum(known) / len(known) if known else 5.0
        for n, d in enumerate(DIMENSIONS):
            one = scores[d]
            score = one["score"]
            business[d][score] += 1
            day[d][score] += 1
            self.caps[d][one["cap"]] += 1
            for name in one["signals"]:
                self.signals[d][name] += 1
            if score is not None and score <= 3:
                rank = (score, average)
                if self._worst[d].wants(rank, self._at):
                    self._worst[d].add(rank, self._at, _shown(sample, one, None))
            if before is not None:
                self.moves[d][before[n], score] += 1
                earlier = before[n]
                if earlier is not None and score is not None and score < earlier:
                    rank = (score - earlier, score)
                    if self._fallen[d].wants(rank, self._at):
                        self._fallen[d].add(rank, self._at, _shown(sample, one, earlier))

    def worst(self, dimension: Dimension) -> list[Shown]:
        """Samples of at most 3 points, the lowest first."""
        return self._worst[dimension].listed()

    def fallen(self, dimension: Dimension) -> list[Shown]:
        """Samples that lost points against the earlier file, the greatest loss first."""
        return self._fallen[dimension].listed()

    def _day(self, day: str | None) -> str:
        if day is None:
            return NO_DAY
        return day if day in self.by_day or len(self.by_day) < MOST_DAYS else OTHER_DAYS


def _shown(sample: Sample, score: dict[str, Any], before: int | None) -> Shown:
    return Shown(
        sample.id, sample.business_type, sample.query[:SHOWN], sample.answer[:SHOWN], score["score"],
        score["evidence_quote"][:SHOWN], score["reason"][:SHOWN], score["by"], before,
    )  # fmt: skip
