"""docs/calibration.md says what the product declares."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from harness.devstack.__main__ import main
from harness.devstack.claims.defects import DEFECTS
from harness.devstack.claims.defects.table import table
from oracle_scoring.calibrate.conditions import CONDITIONS, INQUIRY_CONDITIONS

PAGE = (Path(__file__).parents[3] / "docs" / "calibration.md").read_text(encoding="utf-8")
SCORING = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text(encoding="utf-8")
GROUPS = "triage|review|facts|incident_time|journey|staff|files|assertions"
LINES = sorted(set(re.findall(rf"`((?:{GROUPS})\.[a-z_.<>]+)`", SCORING)) - {"staff.json"})
UNNAMED = {"incident_time.time": "no package of the corpus expects a time to be asked for"}


def test_the_table_of_defects_is_the_list_of_the_product(capsys: pytest.CaptureFixture[str]) -> None:
    """Row for row, as the command prints it."""
    assert PAGE.endswith(table())
    assert main(["defects"]) == 0
    assert capsys.readouterr().out == table()


@pytest.mark.parametrize("name", sorted({**CONDITIONS, **INQUIRY_CONDITIONS}))
def test_every_condition_is_explained(name: str) -> None:
    """A product team can look up what it may ask for."""
    conditions = PAGE[: -len(table())]
    rows = [line for line in conditions.splitlines() if re.match(rf"\| `{name}[:`]", line)]
    assert len(rows) == 1


@pytest.mark.parametrize("line", LINES)
def test_every_line_of_the_score_is_named_by_a_defect(line: str) -> None:
    """A line that no defect moves might as well not be there."""
    example = line.replace("<id>", "place" if line.startswith("facts.<") else "*").replace("<name>", "*")
    named = [d.name for d in DEFECTS.values() if any(fnmatchcase(i, example) or i == example for i in d.lines)]
    assert bool(named) != (line in UNNAMED), named
