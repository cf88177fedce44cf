"""What documents tell beside their declared fields."""

from datetime import date
from pathlib import Path

import pytest

from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.check_declared import tells_date
from oracle_scoring.corpus.synthetic import PAPER, document_bytes, make_package

DAY = date(2026, 7, 9)


@pytest.mark.parametrize(
    "text",
    [
        "seen on 9/7/26", "09.07.2026", "SQ/090726/14", "20260709", "on 9 July", "the 9th of July", "July 9", "9 Jul 2026", "2026-07-09",
        "This quote holds until 7 September 2026, 60 days from its date.",
    ],
)  # fmt: skip
def test_ways_in_which_a_day_is_told(text: str) -> None:
    """Figures, compact figures, words with and without the year, and days counted from another date."""
    assert tells_date(DAY, text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "SQ/0726/14", "9 July 2025", "7/9/26", "19 July 2026", "This quote holds for 60 days.", "29 July", "01632 960709", "9 joists",
        "Seen on 7 September 2026, valid for 30 days.",
    ],
)  # fmt: skip
def test_what_tells_no_day(text: str) -> None:
    """Another day, month or year, a number of its own, days counted from nothing."""
    assert tells_date(DAY, text) is None


def codes(tmp_path: Path, *lines: str) -> set[str]:
    """Codes of a package whose scanned paper prints these lines too."""
    page = ["Quillmere Optics", "Date: 5 April 2026", "Total: £15,300.00", *lines, "Page 1 of 1"]
    return {f.code for f in check(make_package(tmp_path / "SYN-P-001", {f"files.{PAPER}": document_bytes([page])}))}


@pytest.mark.parametrize(
    "lines",
    [
        ("Seen by Mr Harker, who works for us.",),
        ("For Ms Brackwater",),
        ("Damage of 7 April 2026, parts 14,000.00",),
        ("Labour £1,300.00, parts £14,000.00",),
        ("We review our prices each spring.",),
        ("The accident of 7 April broke it.",),
    ],
)
def test_ordinary_lines_are_left_alone(tmp_path: Path, lines: tuple[str, ...]) -> None:
    """The trade's own people, the customer, the day of the incident, the lines of a paper that no recipe drew."""
    assert codes(tmp_path, *lines) == set()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Looked at on 17 March 2026", "undeclared_in_document"),
        ("Vehicle JB69 MTQ", "undeclared_in_document"),
        ("The camera of Mrs Nora Tidewell", "document_of_other_matter"),
        ("Dear Mr Zwicker", "document_of_other_matter"),
        ("This precedes the incident", "document_of_other_matter"),
        ("This claim needs a review", "document_of_other_matter"),
        ("The accident of 2 April", "document_of_other_matter"),
    ],
)
def test_lines_that_nothing_declares(tmp_path: Path, line: str, code: str) -> None:
    """Another day, a plate, somebody else, the author's plan."""
    assert code in codes(tmp_path, line)
