"""docs/cases.md names every case, and only tests that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")
CASES = [
    *(1, 3, 5, 7, 8, 10, 12, 14, 15, 17, 19, 20, 22),
    *(23, 24),
    *(27, 28, 30, 31, 33, 35, 37),
    *(40, 41, 43, 45, 48, 50, 52),
    *(55, 56, 57, 58, 60),
    *(62, 64, 65),
    *(67, 69, 71),
]
"""Every case that has been collected."""
LATER = {"C-040", "C-041"}
ROWS = {row.split("|")[1].strip(): row for row in TABLE.splitlines() if row.startswith("| C-")}
TESTS = sorted(set(re.findall(r"`(tests/[^`]+)`", TABLE)) - {"tests/cases/test_table.py"})


def functions_in(path: Path) -> set[str]:
    """Names of the test functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_case_is_in_the_table_once() -> None:
    """No case is left out, none stands twice, and only cases of parts that are not there have no test."""
    assert sorted(ROWS) == [f"C-{number:03d}" for number in CASES]
    assert TABLE.count("\n| C-") == len(CASES)
    assert {case for case, row in ROWS.items() if "`tests/" not in row} == LATER


@pytest.mark.parametrize("named", TESTS)
def test_every_test_in_the_table_exists(named: str) -> None:
    """A file of tests, or one test in it."""
    path, _, name = named.partition("::")
    assert (ROOT / path).is_file()
    there = functions_in(ROOT / path)
    assert name in there if name else any(n.startswith("test_") for n in there)
