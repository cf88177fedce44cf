"""Agreement of two graders on ordered levels: weighted kappa with an interval.

Cohen, Psychological Bulletin 70 (1968) 213-220; interval by percentile bootstrap over clusters (Efron and Tibshirani 1993,
chapter 13), since the attempts of one package are not independent.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Weights = Literal["linear", "quadratic", "nominal"]
"""`nominal`: the levels have no order, and every disagreement weighs the same (Cohen 1960)."""
Table = NDArray[np.float64]
RESAMPLES = 2000


@dataclass(frozen=True)
class Pair:
    """Two grades of one attempt, as places in the order of levels."""

    cluster: str
    """The package."""
    one: int
    other: int


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None
    note: str | None
    """Why there is no value or no interval."""


def confusion(pairs: Sequence[Pair], levels: int) -> Table:
    """Counts; rows: `one`, columns: `other`."""
    table = np.zeros((levels, levels))
    for pair in pairs:
        table[pair.one, pair.other] += 1
    return table


def _distance(levels: int, weights: Weights) -> Table:
    places = np.arange(levels)
    apart = np.abs(places[:, None] - places[None, :]).astype(np.float64)
    if weights == "nominal":
        return np.asarray(apart > 0, np.float64)
    return np.asarray(apart if weights == "linear" else apart**2, np.float64)


def _kappas(tables: NDArray[np.float64], weights: Weights) -> NDArray[np.float64]:
    """Kappa of each table (n, levels, levels); nan where both graders used one and the same level only."""
    distance = _distance(tables.shape[-1], weights)
    total = tables.sum(axis=(1, 2))
    seen = (tables * distance).sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    by_chance = np.einsum("ni,ij,nj->n", rows, distance, columns)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: NDArray[np.float64] = 1 - seen * total / by_chance
    return np.asarray(np.where(by_chance > 0, found, np.nan), np.float64)


def weighted_kappa(table: Any, weights: Weights) -> float | None:
    """Weighted kappa of a square table of counts; None where chance alone would give full agreement.

    The weight of a disagreement is its distance (linear) or the distance squared.
    """
    value = float(_kappas(np.asarray(table, np.float64)[None], weights)[0])
    return None if math.isnan(value) else value


def kappa_interval(pairs: Sequence[Pair], levels: int, weights: Weights, rng_seed: int) -> Interval:
    """Weighted kappa of the pairs with its interval, by resampling packages; the same seed gives the same interval."""
    if not pairs:
        return Interval(None, None, None, "there is nothing to compare")
    value = weighted_kappa(confusion(pairs, levels), weights)
    if value is None:
        return Interval(None, None, None, "both gave one and the same level throughout, so chance cannot be told apart")
    clusters = sorted({p.cluster for p in pairs})
    if len(clusters) < 2:
        return Interval(value, None, None, "one package only: there is nothing to resample")
    if all(p.one == p.other for p in pairs):
        return Interval(value, None, None, "no disagreement was seen, so resampling finds none; see the share instead")
    tables = np.stack([confusion([p for p in pairs if p.cluster == c], levels) for c in clusters])
    rng = random.Random(rng_seed)  # noqa: S311 - resampling, no secret
    drawn = np.array([rng.choices(range(len(clusters)), k=len(clusters)) for _ in range(RESAMPLES)])
    times = np.stack([np.bincount(row, minlength=len(clusters)) for row in drawn])
    found = _kappas(np.tensordot(times, tables, axes=(1, 0)), weights)
    known = found[~np.isnan(found)]
    low, high = np.percentile(known, [2.5, 97.5])
    lost = RESAMPLES - len(known)
    note = f"{lost} of {RESAMPLES} resamples have no kappa and were left out" if lost else None
    return Interval(value, float(low), float(high), note)
