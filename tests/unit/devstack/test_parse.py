"""Readers of plain words."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.devstack.claims import parse

TODAY = date(2026, 3, 20)


@pytest.mark.parametrize(
    "text",
    [
        "9 March 2026", "March 9, 2026", "2026-03-09", "on the 9th of March", "09/03/2026", "9.3.2026", "9/3/26",
        "Monday 9 March 2026 at about 4:20 pm", "9 Mar 2026", "2026年3月9日", "ngày 9 tháng 3 năm 2026",
        "It was the 9th of March, 2026.", "9-Mar-2026",
    ],
)  # fmt: skip
def test_dates_in_words_and_figures_are_one_date(text: str) -> None:
    """However it is written, the ninth of March 2026 is read; figures are read day first."""
    assert [f.value for f in parse.find_dates(text, TODAY)] == ["2026-03-09"]


@pytest.mark.parametrize(
    ("text", "value"), [("yesterday", "2026-03-19"), ("last night", "2026-03-19"), ("today", "2026-03-20")]
)
def test_relative_days_count_from_the_products_clock(text: str, value: str) -> None:
    """ "Yesterday" is the day before the product's today."""
    assert [f.value for f in parse.find_dates(text, TODAY)] == [value]


@pytest.mark.parametrize("text", ["I may 3 times", "31 February 2026", "ring 2026-13-40", "version 1.2.3", "£9.03", ""])
def test_what_is_no_date_is_not_read_as_one(text: str) -> None:
    """Verbs, impossible days, versions and prices are no dates."""
    assert parse.find_dates(text, TODAY) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4:20 pm", "16:20"), ("about 16:20", "16:20"), ("at 4.20pm", "16:20"), ("4.20 p.m.", "16:20"),
        ("twenty past four in the afternoon", "16:20"), ("half past four pm", "16:30"), ("quarter to five pm", "16:45"),
        ("around 4pm", "16:00"), ("1620 hours", "16:20"), ("12 am", "00:00"), ("12:05 pm", "12:05"), ("noon", "12:00"),
        ("midnight", "00:00"), ("下午4点20分", "16:20"), ("4:20 in the afternoon", "16:20"), ("16h20", "16:20"),
    ],
)  # fmt: skip
def test_times_of_day(text: str, value: str) -> None:
    """Clock times and spoken times come out as HH:MM."""
    assert [f.value for f in parse.find_times(text)] == [value]


@pytest.mark.parametrize("text", ["£12.40", "25:70", "1240 pounds", "AB12 CDE", "2026-03-09"])
def test_what_is_no_time_is_not_read_as_one(text: str) -> None:
    """Prices, plates and dates are no times."""
    assert parse.find_times(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("£1,240", "1240.00 GBP"), ("about 1240 pounds", "1240.00 GBP"), ("1240 GBP", "1240.00 GBP"),
        ("£1,284.00 with VAT", "1284.00 GBP"), ("1.2k pounds", "1200.00 GBP"), ("twelve hundred pounds", "1200.00 GBP"),
        ("one thousand two hundred and forty pounds", "1240.00 GBP"), ("€1,200.50", "1200.50 EUR"), ("$90", "90.00 USD"),
    ],
)  # fmt: skip
def test_amounts(text: str, value: str) -> None:
    """Amounts keep their currency and have two decimals."""
    assert [f.value for f in parse.find_amounts(text)] == [value]


def test_a_bare_figure_is_an_amount_only_when_money_was_asked_for() -> None:
    """ "1240" alone is pounds in answer to a question about money, and nothing otherwise."""
    assert parse.find_amounts("about 1240") == []
    assert [f.value for f in parse.find_amounts("about 1240", bare=True)] == ["1240.00 GBP"]


@pytest.mark.parametrize("text", ["AB12 CDE", "ab12cde", "My reg is AB12CDE, thanks"])
def test_plates_have_one_form(text: str) -> None:
    """Spacing and case do not matter."""
    assert [f.value for f in parse.find_plates(text)] == ["AB12 CDE"]


def test_road_numbers_are_no_plates_and_foreign_plates_count_when_asked() -> None:
    """ "the M25 and" is no plate; "M-AB 1234" is one in answer to the question."""
    assert parse.find_plates("on the M25 and then") == []
    assert parse.find_plates("It is M-AB 1234.") == []
    assert [f.value for f in parse.find_plates("It is M-AB 1234.", asked=True)] == ["M-AB 1234"]


@pytest.mark.parametrize(
    "text",
    [
        "I don't know",
        "Sorry, I don’t know that.",
        "I'm not sure",
        "no idea",
        "I couldn't say",
        "unknown",
        "I can't remember",
        "不知道",
    ],
)
def test_not_knowing_is_understood(text: str) -> None:
    """The usual ways to say "I don't know"."""
    assert parse.says_unknown(text)


def test_values_are_shown_as_people_write_them() -> None:
    """Dates in words, amounts with sign and separators; the unreadable unchanged."""
    assert parse.show_date("2026-03-09") == "9 March 2026"
    assert parse.show_amount("1240.00 GBP") == "£1,240.00"
    assert parse.show_date("unknown") == "unknown"


def test_swapping_day_and_month_needs_a_day_of_twelve_or_less() -> None:
    """9 March becomes 3 September; 19 March stays."""
    assert parse.swap_day_month("2026-03-09") == "2026-09-03"
    assert parse.swap_day_month("2026-03-19") == "2026-03-19"


@given(st.text(max_size=200))
def test_any_text_is_safe_to_read(text: str) -> None:
    """No reader fails, whatever the text, and every span lies in it."""
    finders = [
        lambda t: parse.find_dates(t, TODAY), parse.find_times, lambda t: parse.find_amounts(t, True),
        lambda t: parse.find_plates(t, True), parse.find_emails, parse.find_phones, parse.find_references,
    ]  # fmt: skip
    for find in finders:
        assert all(0 <= f.start <= f.end <= len(text) for f in find(text))
