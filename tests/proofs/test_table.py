"""docs/faults.md names only tests that exist, and every test of the files that are about faults."""

import re
from pathlib import Path

import pytest

from tests.cases.test_table import functions_in

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
FILES = ("test_kills.py", "test_torn.py", "test_full_disk.py", "test_clock.py", "test_model_faults.py")
TESTS = sorted(set(re.findall(r"`(tests/[^`]+\.py::[^`]+)`", PAGE)))


@pytest.mark.parametrize("named", TESTS)
def test_every_test_on_the_page_exists(named: str) -> None:
    """A test function in that file."""
    path, _, name = named.partition("::")
    assert name in functions_in(ROOT / path)


@pytest.mark.parametrize("file", FILES)
def test_every_proof_is_on_the_page(file: str) -> None:
    """No test of these files is left out."""
    names = functions_in(Path(__file__).parent / file)
    there = {f"tests/proofs/{file}::{name}" for name in names if name.startswith("test_")}
    assert there - set(TESTS) == set()


def test_every_line_has_a_test() -> None:
    """A claim without a test is no line of a table."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and "what happens" not in line]
    assert lines
    assert [line for line in lines if "`tests/" not in line] == []
