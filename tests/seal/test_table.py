"""The table of planted leaks says what the tests do."""

from collections import Counter
from pathlib import Path

import pytest

from tests.seal.catalogue import PLACES
from tests.seal.table import FILE, page, rows

HERE = Path(__file__).parent


def test_the_page_is_in_step_with_the_tests() -> None:
    """`python -m tests.seal.table` would change nothing."""
    assert FILE.read_text(encoding="utf-8") == page()


def test_every_place_has_several_leaks() -> None:
    """More than 25 in all, three or more at each place that can leak to the customer; a name stands once in its place."""
    counts = Counter(row.place for row in rows())
    assert sum(counts.values()) > 25
    assert {place: counts[place] for place in PLACES if counts[place] < 3} == {}
    assert [key for key, n in Counter((r.place, r.leak) for r in rows()).items() if n > 1] == []


def test_every_line_names_a_test_that_is_there(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> None:
    """The function stands in its file, and its parameters hold the leak where the whole folder is collected."""
    for row in rows():
        file, _, function = row.test.split("[")[0].partition("::")
        assert f"def {function}(" in (HERE / file).read_text(encoding="utf-8"), row.test
    collected = {item.nodeid.rpartition("tests/seal/")[2] for item in request.session.items}
    for file in {row.test.split("::")[0] for row in rows()}:
        there = {i for i in collected if i.startswith(f"{file}::")}
        named = {row.test for row in rows() if row.test.startswith(f"{file}::")}
        if len(there) >= len(named):
            assert named - there == set()
