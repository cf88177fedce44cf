"""Weighted kappa against published figures, and what its interval says of little data."""

import pytest

from oracle_scoring.sheets.kappa import Pair, kappa_interval, weighted_kappa

COUPLES = [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]]
"""Hout, Duncan and Sobel, Sociological Methodology 17 (1987): 91 couples, four ordered answers."""


def pairs(table: list[list[int]], packages: int = 91) -> list[Pair]:
    """The table as pairs, spread over so many packages."""
    found = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return [Pair(f"P-{at % packages}", i, j) for at, (i, j) in enumerate(found)]


def test_published_figure() -> None:
    """Linear weights give what R's vcd documents for the couples, 0.2374."""
    assert weighted_kappa(COUPLES, "linear") == pytest.approx(0.2374, abs=5e-5)


def test_quadratic_by_hand() -> None:
    """Quadratic weights give what a calculation on paper gives."""
    # one: 0 0 1 2, other: 0 2 1 2. Seen: one pair two apart, 4. By chance: rows 2, 1, 1, columns 1, 1, 2:
    # 2·(1·0 + 1·1 + 2·4) + 1·(1·1 + 1·0 + 2·1) + 1·(1·4 + 1·1 + 2·0) = 18 + 3 + 5 = 26; kappa = 1 - 4·4/26.
    assert weighted_kappa([[1, 0, 1], [0, 1, 0], [0, 0, 1]], "quadratic") == pytest.approx(1 - 16 / 26)


def test_full_agreement_is_one_and_reversal_is_below_zero() -> None:
    """Agreement in every case is 1; levels turned round are worse than chance."""
    assert weighted_kappa([[3, 0], [0, 3]], "linear") == 1
    value = weighted_kappa([[0, 3], [3, 0]], "linear")
    assert value is not None
    assert value < 0


def test_one_level_throughout_has_no_kappa() -> None:
    """Where both gave one level only, kappa is not known; it is neither zero nor one."""
    found = kappa_interval([Pair("A", 1, 1), Pair("B", 1, 1)], 4, "linear", 1)
    assert (found.value, found.low) == (None, None)
    assert found.note is not None


def test_interval_is_seeded_and_holds_the_value() -> None:
    """The same seed gives the same interval, another seed nearly the same; the value lies inside."""
    one, again, other = (kappa_interval(pairs(COUPLES), 4, "linear", seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert one.low is not None
    assert one.high is not None
    assert one.low < 0.2374 < one.high
    # Fleiss, Cohen and Everitt's standard error for these couples is 0.0783 (R's vcd).
    assert one.high - one.low == pytest.approx(2 * 1.96 * 0.0783, rel=0.35)


@pytest.mark.parametrize(
    "few", [[Pair("A", 0, 1), Pair("A", 1, 1), Pair("A", 2, 2)], [Pair("A", 0, 0), Pair("B", 1, 1), Pair("C", 2, 2)]]
)
def test_too_little_to_resample_is_said(few: list[Pair]) -> None:
    """One package, or no disagreement at all, gives no interval but a reason."""
    found = kappa_interval(few, 4, "linear", 1)
    assert found.value is not None
    assert found.low is None
    assert found.note is not None
