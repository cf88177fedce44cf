"""docs/calibration.md says what the product declares."""

import re
from pathlib import Path

import pytest

from harness.devstack.__main__ import main
from harness.devstack.claims.defects.table import table
from oracle_scoring.calibrate.conditions import CONDITIONS

PAGE = (Path(__file__).parents[3] / "docs" / "calibration.md").read_text(encoding="utf-8")


def test_the_table_of_defects_is_the_list_of_the_product(capsys: pytest.CaptureFixture[str]) -> None:
    """Row for row, as the command prints it."""
    assert PAGE.endswith(table())
    assert main(["defects"]) == 0
    assert capsys.readouterr().out == table()


@pytest.mark.parametrize("name", sorted(CONDITIONS))
def test_every_condition_is_explained(name: str) -> None:
    """A product team can look up what it may ask for."""
    conditions = PAGE[: -len(table())]
    rows = [line for line in conditions.splitlines() if re.match(rf"\| `{name}[:`]", line)]
    assert len(rows) == 1
