"""The page on scoring names every line and measure that the code makes, and its limits."""

import re
from pathlib import Path

from builder import Golden

from harness.schema.scorecard import Scorecard
from oracle_scoring.claims import score_attempt
from oracle_scoring.claims.pace import JOURNEY_LIMIT_S, MOST_QUESTIONS, SLOW_REPLY_S
from oracle_scoring.claims.person import (
    CHARACTERS_READ_PER_MINUTE,
    PRESS_S,
    WORDS_READ_PER_MINUTE,
    WORDS_TYPED_PER_MINUTE,
)

PAGE = Path(__file__).parents[3] / "docs" / "scoring.md"


def rows(title: str) -> list[list[str]]:
    """Cells of the first table below a heading, without its head."""
    part = PAGE.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    table = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def names(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def general(line_id: str) -> str:
    """The name under which the page lists a line."""
    for prefix in ("facts.optional.", "assertions.", "files.", "facts."):
        if line_id.startswith(prefix) and line_id not in ("files.asked_again", "facts.invented", "facts.unconfirmed"):
            return f"{prefix}<{'name' if prefix == 'files.' else 'id'}>"
    return line_id


def card(root: Path) -> Scorecard:
    """A scorecard with every kind of line and measure but costs."""
    golden = Golden()
    report = {"schema": "usage-report-v1", "request_id": "r", "calls": 1, "tokens_in": 1, "tokens_out": 1, "cost": None}
    golden.usage = {"schema": "usage-file-v1", "read": report, "why": None}
    return score_attempt(*golden.write(root))


def test_the_page_lists_every_line(tmp_path: Path) -> None:
    """Every line has one row with all its columns, the row names its referees, and no row is of a line that is not made."""
    listed = {name: row for row in rows("Lines") for name in names(row[0])}
    lines = card(tmp_path).lines
    assert set(listed) == {general(line.id) for line in lines}
    assert all(len(row) == 6 and all(row) for row in listed.values())
    for line in lines:
        assert line.referee in listed[general(line.id)][4].split(", ")


def test_the_page_lists_every_measure(tmp_path: Path) -> None:
    """Every measure stands in the table, costs by role."""
    listed = {name for row in rows("Measures") for name in names(row[0])}
    made = {re.sub(r"^(product|customer)_(?=calls|tokens|cost)", "<role>_", m.id) for m in card(tmp_path).measures}
    assert listed == made


def test_the_page_tells_the_limits() -> None:
    """Limits and rates stand on the page as the code has them."""
    text = PAGE.read_text(encoding="utf-8")
    for limit in (f"fewer than {MOST_QUESTIONS} ", f"under {JOURNEY_LIMIT_S:g} s", f"longer than {SLOW_REPLY_S:g} s"):
        assert limit in text
    for rate in (WORDS_READ_PER_MINUTE, CHARACTERS_READ_PER_MINUTE, WORDS_TYPED_PER_MINUTE, PRESS_S):
        assert f"{rate:g}" in text
