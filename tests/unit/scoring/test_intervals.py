"""Intervals and exact tests, against published figures and against brute force."""

import math
import random

import pytest
from scipy.stats import binomtest

from oracle_scoring.publish.intervals import bootstrap, mcnemar, pass_hat_k, wilson


@pytest.mark.parametrize(
    ("passed", "of", "low", "high"),
    [(0, 13, 0.0, 22.8), (0, 20, 0.0, 16.1), (0, 50, 0.0, 7.1), (90, 100, 82.6, 94.5)],
)
def test_wilsons_interval_gives_the_published_figures(passed: int, of: int, low: float, high: float) -> None:
    """No false alarm in 13 controls still allows for about 23 %; 90 of 100 means 82.6 to 94.5 %."""
    found = wilson(passed / of, of)
    assert found is not None
    assert (round(100 * found.low, 1), round(100 * found.high, 1)) == (low, high)


def test_wilsons_interval_is_that_of_the_library_for_whole_counts() -> None:
    """Every share of up to 40 units, to the last digits."""
    for of in (1, 2, 7, 40):
        for passed in range(of + 1):
            found, known = wilson(passed / of, of), binomtest(passed, of).proportion_ci(0.95, method="wilson")
            assert found is not None
            assert found.low == pytest.approx(known.low, abs=1e-12)
            assert found.high == pytest.approx(known.high, abs=1e-12)


def test_nothing_has_no_interval() -> None:
    """A share of nothing, a mean of one package: no interval is made up."""
    assert wilson(0.0, 0) is None
    assert bootstrap([], "mean") is None
    assert bootstrap([3.0], "median") is None


@pytest.mark.parametrize(("k", "chance"), [(4, 0.66), (8, 0.43)])
def test_repeats_of_a_product_that_passes_nine_of_ten(k: int, chance: float) -> None:
    """pass^4 is 0.66 and pass^8 0.43 at a chance of 0.9, to which C(c, k) / C(n, k) comes close for many tries."""
    assert pass_hat_k(9_000, 10_000, k) == pytest.approx(0.9**k, abs=0.001)
    assert round(0.9**k, 2) == chance


def test_repeats_are_counted_without_putting_back() -> None:
    """The chance is that of drawing k of the n tries at hand; drawing them all gives the same."""
    rng = random.Random(1)
    tries = [True] * 4 + [False] * 2
    drawn = sum(all(rng.sample(tries, 3)) for _ in range(20_000)) / 20_000
    assert pass_hat_k(4, 6, 3) == math.comb(4, 3) / math.comb(6, 3)
    assert pass_hat_k(4, 6, 3) == pytest.approx(drawn, abs=0.02)
    assert pass_hat_k(2, 6, 3) == 0.0
    for passed, of, k in ((1, 2, 3), (3, 2, 1), (1, 2, 0)):
        with pytest.raises(ValueError, match="tries"):
            pass_hat_k(passed, of, k)


def test_mcnemars_test_needs_six_pairs_that_all_go_one_way() -> None:
    """Five of five give 6.25 %, six of six 3.1 %; fewer than six say so instead of a verdict."""
    five, six = mcnemar(5, 0), mcnemar(0, 6)
    assert five.p == pytest.approx(0.0625)
    assert not five.can_decide and "fewer than 6 cannot decide" in five.words
    assert six.p == pytest.approx(0.03125)
    assert six.can_decide and "differ" in six.words
    assert "no difference shown" in mcnemar(4, 4).words
    assert mcnemar(0, 0).p is None and mcnemar(0, 0).words == "no discordant pair"


def test_mcnemars_test_is_the_binomial_one() -> None:
    """Twice the smaller tail of a fair coin, never above one."""
    for up, down in ((7, 2), (9, 8), (3, 3), (1, 12)):
        n, low = up + down, min(up, down)
        tail = sum(math.comb(n, i) for i in range(low + 1)) / 2**n
        assert mcnemar(up, down).p == pytest.approx(min(1.0, 2 * tail))


def test_the_bootstrap_is_seeded_and_about_right() -> None:
    """The same values give the same interval; that of a mean is near the one of the normal law."""
    values = [float(n % 17) for n in range(120)]
    first, again = bootstrap(values, "mean"), bootstrap(values, "mean")
    assert first is not None and first == again
    mean = sum(values) / len(values)
    error = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values) / len(values))
    assert first.low == pytest.approx(mean - 1.96 * error, abs=0.25)
    assert first.high == pytest.approx(mean + 1.96 * error, abs=0.25)
    middle = bootstrap(values, "median")
    assert middle is not None and middle.low <= 8.0 <= middle.high
    assert bootstrap([2.0, 2.0], "mean") is not None
