"""Values in free text."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.schema.words.values import values
from tests.support.growth import grows_too_fast


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-09",
        "9 March 2026",
        "9th of March, 2026",
        "March 9, 2026",
        "2026年3月9日",
        "ngày 9 tháng 3 năm 2026",
        "on ９ March ２０２６",
    ],
)
def test_one_date_in_many_forms(text: str) -> None:
    """English, Chinese, Vietnamese and full-width forms are the same date."""
    assert (2026, 3, 9) in values(text).dates


@pytest.mark.parametrize("text", ["16:20", "4:20 pm", "4:20pm", "下午4点20分", "4.20 p.m."])
def test_one_time_in_many_forms(text: str) -> None:
    """Twelve and twenty-four hours."""
    assert values(text).times == {"16:20"}


def test_parts_of_a_date_are_no_numbers() -> None:
    """Each character belongs to one value."""
    got = values("On 9 March 2026 at 16:20 it cost £1,240.00, plate LK21 ABO")
    assert got.numbers == {Decimal("1240").normalize()}
    assert got.codes == {"LK21ABO"}


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    """No text raises."""
    values(text)


@pytest.mark.parametrize("token", ["a", "-", "9", "a-", "1/", "£1,", "16:"])
def test_an_endless_word_costs_no_more_than_its_length(token: str) -> None:
    """Thousands of characters without a space are looked through once."""
    assert grows_too_fast(lambda size: values(token * size), 40_000 // len(token)) == ""
