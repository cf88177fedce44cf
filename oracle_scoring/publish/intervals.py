"""How sure a figure is: intervals of shares, means and medians, repeats, and pairs of two versions.

Every function that draws has a fixed seed: the same figures give the same interval.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from harness.schema.base import Strict

LEVEL = 0.95
RESAMPLES = 9_999
RNG_SEED = 5
DECISIVE_PAIRS = 6
"""Fewer discordant pairs than this cannot reach 5 % in McNemar's exact test, even if all go one way (2 · 0.5⁵ = 6.25 %)."""
Statistic = Literal["mean", "median"]


class Interval(Strict):
    """A 95 % interval."""

    low: float
    high: float
    method: Literal["wilson", "bootstrap over packages"]


def wilson(share: float, n: int) -> Interval | None:
    """Wilson's score interval of a share of `n` independent units; None without a unit.

    `share` may lie between two counts: where each unit is a package with a value from 0 to 1 (its share of passed
    repeats), such values scatter at most as much as yes and no of the same mean, so the interval is not too narrow.
    For whole counts it is what `scipy.stats.binomtest(k, n).proportion_ci(method="wilson")` gives.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Interval(low=low if share > 0 else 0.0, high=high if share < 1 else 1.0, method="wilson")


def bootstrap(values: Sequence[float], statistic: Statistic) -> Interval | None:
    """Percentile bootstrap of the mean or median of one value per package; None for fewer than two packages."""
    if len(values) < 2:
        return None
    if min(values) == max(values):
        return Interval(low=values[0], high=values[0], method="bootstrap over packages")
    import numpy as np
    from scipy.stats import bootstrap as resample

    found = resample(
        (np.asarray(values, dtype=float),), np.mean if statistic == "mean" else np.median,
        confidence_level=LEVEL, n_resamples=RESAMPLES, method="percentile", rng=np.random.default_rng(RNG_SEED),
    ).confidence_interval  # fmt: skip
    return Interval(low=float(found.low), high=float(found.high), method="bootstrap over packages")


def pass_hat_k(passed: int, tries: int, k: int) -> float:
    """Chance that `k` tries drawn from these all passed: C(passed, k) / C(tries, k).

    Raises:
        ValueError: there are fewer than `k` tries.
    """
    if not 1 <= k <= tries or not 0 <= passed <= tries:
        raise ValueError(f"pass^{k} of {passed} of {tries} tries")
    return math.comb(passed, k) / math.comb(tries, k)


@dataclass(frozen=True)
class McNemar:
    """Pairs of which one side passed and the other failed."""

    up: int
    """Failed before, passed now."""
    down: int
    p: float | None
    """Two-sided and exact; None without a discordant pair."""

    @property
    def can_decide(self) -> bool:
        """So many discordant pairs that the test could reach 5 % if all went one way."""
        return self.up + self.down >= DECISIVE_PAIRS

    @property
    def words(self) -> str:
        """The result in words."""
        pairs = self.up + self.down
        if not pairs:
            return "no discordant pair"
        if not self.can_decide:
            return f"{pairs} discordant, fewer than {DECISIVE_PAIRS} cannot decide (exact p = {self.p:.3g})"
        verdict = "differ" if self.p is not None and self.p < 1 - LEVEL else "no difference shown"
        return f"{pairs} discordant, {verdict} (exact p = {self.p:.3g})"


def mcnemar(up: int, down: int) -> McNemar:
    """McNemar's exact test: under no difference a discordant pair goes either way with the same chance."""
    pairs = up + down
    if pairs == 0:
        return McNemar(up, down, None)
    tail = ways = 1
    for k in range(min(up, down)):
        ways = ways * (pairs - k) // (k + 1)  # C(pairs, k + 1)
        tail += ways
    return McNemar(up, down, min(1.0, 2 * tail / 2**pairs))
