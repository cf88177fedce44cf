"""The test of growth: linear work passes, quadratic work is found."""

import re

from tests.support.growth import grows_too_fast


def test_linear_work_passes() -> None:
    """One pass over the input, long enough to be measured."""
    assert grows_too_fast(lambda n: sum(range(n)), 8_000_000) == ""


def test_quadratic_work_is_found() -> None:
    """A pattern that starts again at every letter, as in the readers that this guards."""
    assert "took" in grows_too_fast(lambda n: re.findall(r"a+b", "a" * n), 16_000, tries=2)
