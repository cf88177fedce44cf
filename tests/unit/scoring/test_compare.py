"""Comparing values by explicit rules."""

import unicodedata
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_scoring.compare import (
    Amount,
    PartialDate,
    amounts_in,
    compare_account,
    compare_amount,
    compare_date,
    compare_exact,
    compare_phone,
    compare_plate,
    compare_reference,
    compare_text,
    compare_time,
    compare_value,
    compare_words,
    compare_yes_no,
    contains_words,
    dates_in,
    fold_phone,
    fold_plate,
    fold_text,
    mentions,
    parse_amount,
    parse_date,
    parse_time,
)

days = st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 12, 31))


@given(days)
def test_a_canonical_date_is_itself(day: date) -> None:
    """YYYY-MM-DD is read as that very day and equals itself."""
    assert parse_date(day.isoformat()) == PartialDate(day.year, day.month, day.day)
    assert compare_date(day.isoformat(), day.isoformat()).same


@given(days)
def test_a_date_in_words_is_the_same_day(day: date) -> None:
    """A month written by name leaves nothing to guess, in either order of day and month."""
    for text in (
        f"{day.day} {day:%B} {day.year}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        assert compare_date(day.isoformat(), text).same


@given(days, days)
def test_two_days_are_the_same_only_if_they_are(one: date, other: date) -> None:
    """No two different days compare equal."""
    assert compare_date(one.isoformat(), other.isoformat()).same == (one == other)


@given(days.filter(lambda d: d.day <= 12 and d.day != d.month))
def test_swapped_day_and_month_are_named(day: date) -> None:
    """Day and month that changed places are said to have."""
    result = compare_date(day.isoformat(), f"{day.year:04d}-{day.day:02d}-{day.month:02d}")
    assert not result.same and "swapped" in result.why


def test_a_shift_of_one_day_is_named() -> None:
    """A neighbouring day is said to be off by one."""
    assert "off by one day" in compare_date("2026-03-09", "2026-03-08").why


@pytest.mark.parametrize("text", ["05.03.2024", "25.03.2024", "3/4/2024", "last night", "2024-02-30", "2024-3-5", ""])
def test_nothing_is_guessed_without_a_locale(text: str) -> None:
    """A numeric order that is not ISO, an impossible day and a relative word are no dates."""
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("text", "locale", "day"),
    [
        ("05.03.2024", "de", PartialDate(2024, 3, 5)),
        ("05/03/2024", "en-GB", PartialDate(2024, 3, 5)),
        ("05/03/2024", "en-US", PartialDate(2024, 5, 3)),
        ("2024/3/5", "zh", PartialDate(2024, 3, 5)),
        ("2024-03-05", "en-GB", PartialDate(2024, 3, 5)),
        ("2024-03-05", "de", PartialDate(2024, 3, 5)),
        ("ngày 5 tháng 3 năm 2024", None, PartialDate(2024, 3, 5)),
    ],
)
def test_a_locale_settles_the_order(text: str, locale: str | None, day: PartialDate) -> None:
    """With a locale its own order is read, ISO stays ISO."""
    assert parse_date(text, locale) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03", PartialDate(2026, 3, None)),
        ("March 2026", PartialDate(2026, 3, None)),
        ("9 March", PartialDate(None, 3, 9)),
        ("29 February", PartialDate(None, 2, 29)),
        ("2026", PartialDate(2026, None, None)),
    ],
)
def test_a_partial_date_stays_partial(text: str, day: PartialDate) -> None:
    """What was not given is not filled in, and a full date is wanted where one is expected."""
    assert parse_date(text) == day
    result = compare_date("2026-03-09", text)
    assert not result.same and "lacks" in result.why


def test_dates_in_running_text() -> None:
    """All dates a text shows are found in order, each once."""
    found = dates_in("On 9 March 2026, quoted 2026-03-10 (see 11/03/2026), valid to 30 April", "en-GB")
    assert [str(d) for d in found] == ["2026-03-09", "2026-03-10", "2026-03-11", "????-04-30"]
    assert dates_in("see 11/03/2026") == []


@given(st.times())
def test_times_are_exact(moment: object) -> None:
    """HH:MM and HH:MM:SS are read, and equal only themselves."""
    text = f"{moment:%H:%M}"
    assert parse_time(text) is not None and compare_time(text, f"{text}:00").same


@pytest.mark.parametrize("text", ["9:30", "24:00", "12:60", "4 pm", "1630", "16.20"])
def test_other_writings_are_no_times(text: str) -> None:
    """Only the canonical writing is a time."""
    assert parse_time(text) is None


def test_twelve_hours_are_named() -> None:
    """A mix-up of morning and afternoon is said to be one."""
    assert "twelve hours" in compare_time("16:20", "04:20").why


@given(st.decimals(min_value=0, max_value=10_000_000, places=2))
def test_amounts_are_numbers_with_a_currency(number: Decimal) -> None:
    """Writings of one amount are the same; the currency counts."""
    plain = f"{number} GBP"
    for text in (plain, f"GBP {number}", f"£{number:,}", f"{number}0 GBP"):
        assert compare_amount(plain, text).same
    assert not compare_amount(plain, f"{number} EUR").same
    assert not compare_amount(plain, str(number)).same


@given(st.decimals(min_value=0, max_value=10**6, places=2), st.decimals(min_value=0, max_value=10**6, places=2))
def test_two_amounts_are_the_same_only_if_they_are(one: Decimal, other: Decimal) -> None:
    """Not a penny is rounded away."""
    assert compare_amount(f"{one} GBP", f"{other} GBP").same == (one == other)


@pytest.mark.parametrize(
    "text", ["12,40 GBP", "1.284,00 EUR", "NaN GBP", "Infinity GBP", "1,28 GBP", "£12 EUR", "about 12 GBP", ""]
)
def test_doubtful_amounts_are_none(text: str) -> None:
    """A comma that is no thousands mark, words, two currencies and non-numbers are no amounts."""
    assert parse_amount(text) is None


def test_amounts_in_running_text() -> None:
    """Numbers of a text with the currency beside them."""
    assert amounts_in("it is £1,284.00 or 1284 GBP") == [
        Amount(Decimal("1284.00"), "GBP"),
        Amount(Decimal(1284), "GBP"),
    ]


plates = st.text("ABCDEFGHJKLMNOPRSTUVWXYZ0123456789", min_size=2, max_size=8)


@given(plates, st.integers(0, 8))
def test_british_plates_fold_case_and_spaces(plate: str, at: int) -> None:
    """Where the space stands and how letters are cased says nothing on a British plate."""
    assert compare_plate(plate, f" {plate[:at]} {plate[at:]}".lower()).same


@given(plates, plates)
def test_plates_are_the_same_only_if_their_characters_are(one: str, other: str) -> None:
    """No character stands for another."""
    assert compare_plate(one, other).same == (one == other)


@pytest.mark.parametrize(
    ("one", "other"), [("AB10 CDE", "AB1O CDE"), ("JX24 RVB", "JX24 RV8"), ("AB12 CDE", "АB12 CDE")]
)
def test_look_alikes_differ_and_are_named(one: str, other: str) -> None:
    """O and 0, B and 8, Latin and Cyrillic A are different, and the reason says that they look alike."""
    result = compare_plate(one, other)
    assert not result.same and "look alike" in result.why


def test_separators_count_where_they_carry_meaning() -> None:
    """A German plate's parts are its meaning; which mark parts them is not."""
    assert not compare_plate("B NO 12", "BN O 12", "DE").same
    assert compare_plate("B-NO 12", "b no 12", "DE").same
    assert compare_plate("B NO 12", "BN O 12", "GB").same
    assert not compare_plate("B NO 12", "BNO12", "unknown country").same


def test_a_hyphen_is_no_space_on_a_british_plate() -> None:
    """Only case and spaces fold."""
    assert not compare_plate("AB12 CDE", "AB12-CDE").same


@given(st.text())
def test_folding_is_stable(text: str) -> None:
    """Folding a folded text changes nothing; composed and decomposed writings fold alike."""
    assert fold_text(fold_text(text)) == fold_text(text)
    assert fold_text(unicodedata.normalize("NFD", text)) == fold_text(unicodedata.normalize("NFC", text))


def test_vietnamese_names() -> None:
    """Composed and decomposed forms are one name; tones count, and đ is not d."""
    name = "Đặng Thị Hồng"
    assert compare_text(name, unicodedata.normalize("NFD", name).upper()).same
    assert not compare_text(name, "Đăng Thị Hồng").same
    assert not compare_text(name, "Dặng Thị Hồng").same
    assert not compare_words("Hoa", "Hòa").same


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ("Mill Road car park", "In the Mill Road car park.", True),
        ("Greenfold supermarket car park, Mill Road, Wexley", "greenfold supermarket car park Mill Road, Wexley", True),
        ("14 Larch Close, Wexley", "114 Larch Close, Wexley", False),
        ("14 Larch Close, Wexley", "Larch Close 14, Wexley", False),
        ("Mill Road", "Hill Road", False),
        ("Mill Road", " ".join(["I was at home"] * 9) + " Mill Road", False),
        ("Mill Road", "Mill", False),
        ("O'Brien", "O’Brien", True),
    ],
)
def test_places_hold_the_expected_words(expected: str, got: str, same: bool) -> None:
    """The expected words have to stand there in order and unbroken; a few more around them do no harm."""
    assert compare_words(expected, got).same is same


def test_accounts_in_other_words_are_left_to_people() -> None:
    """A rule cannot say whether two tellings mean the same; with too few words in common it can say that they do not."""
    told = "another car hit my parked car from behind"
    assert compare_account(told, "Another car hit my parked car from behind, in the car park").same is True
    assert compare_account(told, "my parked car was hit from behind by a car").same is None
    assert compare_account(told, "a tree fell on the roof").same is False
    assert compare_account(told, "").same is False


def test_exact_means_exact() -> None:
    """Case counts, white space and composition do not."""
    assert compare_exact("a@b.c", "a@b.c ").same
    assert not compare_exact("a@b.c", "A@b.c").same


@pytest.mark.parametrize("text", ["y", "true", "maybe", ""])
def test_only_yes_no_and_unknown_are_answers(text: str) -> None:
    """Another word is not a yes and not a no."""
    assert not compare_yes_no("yes", text).same and not compare_yes_no("no", text).same


def test_phones() -> None:
    """Writings of one number are the same; another number is not."""
    assert fold_phone("07700 900142") == fold_phone("+44 (0)7700 900-142") == fold_phone("0044 7700 900142")
    assert not compare_phone("07700 900142", "07700 900143").same


def test_references_keep_their_separators() -> None:
    """Case and spaces fold, a slash does not."""
    assert compare_reference("WX/4711/26", "wx/4711/26 ").same
    assert not compare_reference("WX/4711/26", "WX471126").same


@pytest.mark.parametrize(
    ("kind", "expected", "got", "same"),
    [
        ("name", "unknown", "Unknown", True),
        ("name", "unknown", "Martin Hale", False),
        ("plate", "TJ19 HNW", "unknown", False),
        ("reference", "none", "unknown", False),
        ("reference", "none", "None", True),
    ],
)
def test_not_knowing_is_a_value_of_its_own(kind: str, expected: str, got: str, same: bool) -> None:
    """`unknown` and `none` equal only themselves."""
    assert compare_value(kind, expected, got).same is same  # type: ignore[arg-type]


def test_the_oracles_rule_takes_the_place_of_the_kinds() -> None:
    """`exact` on an e-mail counts case, and a plate in another field is compared as a plate."""
    assert not compare_value("email", "a@b.c", "A@b.c", "exact").same
    assert compare_value("text", "TJ19 HNW", "tj19hnw", "plate").same
    assert compare_value("phone", "07700 900142", "+447700900142", "text").same


@pytest.mark.parametrize(
    ("kind", "value", "text", "shown"),
    [
        ("date", "2026-03-09", "Was it on 9 March?", True),
        ("date", "2026-03-09", "Was it on 9 March 2025?", False),
        ("date", "2026-03-09", "Was it on 09/03/2026?", True),
        ("amount", "1284.00 GBP", "Is £1,284 right?", True),
        ("amount", "1284.00 GBP", "Is £1,2840 right?", False),
        ("plate", "JX24 RVB", "Is it jx24rvb?", True),
        ("phone", "07700 900142", "Is it +44 7700 900142?", True),
        ("place", "Mill Road", "Was it in Mill Road?", True),
        ("place", "Mill Road", "Was it in Sawmill Road?", False),
        ("name", "unknown", "unknown", False),
        ("yes_no", "no", "no", False),
    ],
)
def test_what_a_text_shows(kind: str, value: str, text: str, shown: bool) -> None:
    """A value is shown in any writing of its kind, and not by chance inside another."""
    assert mentions(kind, value, text) is shown  # type: ignore[arg-type]


@given(st.text(min_size=1), st.text())
def test_words_are_found_whole(part: str, around: str) -> None:
    """What stands in a text by itself is found; an empty part is found nowhere."""
    flat = fold_text(part)
    if flat and (flat[0].isalnum() and flat[-1].isalnum()):
        assert contains_words(f"{around} {part} {around}", part)
    assert not contains_words(around, "")


def test_plates_fold_as_a_whole() -> None:
    """Folding keeps every character but spaces."""
    assert fold_plate("jx24 rvb") == "JX24RVB"
