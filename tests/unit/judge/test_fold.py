"""Quotes held against their sources."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_scoring.judge.fold import FOLDS, find_quote, fold


@pytest.mark.parametrize(
    ("quote", "source", "passage"),
    [
        ("the MOQ is 500 pcs", "Yes, the MOQ is 500 pcs.", "the MOQ is 500 pcs"),
        ('say "yes"', "they say “yes” now", "say “yes”"),
        ("don't worry", "Please don’t worry!", "don’t worry"),
        ("USB-C to USB-C", "a USB‑C to USB–C cable", "USB‑C to USB–C"),
        ("two lines here", "two\r\n   lines\u00a0here", "two\r\n   lines\u00a0here"),
        ("MOQ 500,ok", "ＭＯＱ　５００，ok 吗", "ＭＯＱ　５００，ok"),
        ("我们的起订量是五百", "您好，我们的起订\n量是五百。", "我们的起订\n量是五百"),
        ("起订量：500", "起订量:500 条", "起订量:500"),
        ("Số lượng tối thiểu", "Số lượng tối thiểu là 500", "Số lượng tối thiểu"),
        ("Great 👍", "Great 👍🏻".replace("🏻", ""), "Great 👍"),
        ("thank you ❤", "thank you ❤️!", "thank you ❤"),
        ("hidden", "hid\u200bden\u202e", "hid\u200bden"),
        ("wait...", "wait… please", "wait…"),
        ("👍", " 👍 ", "👍"),
    ],
)
def test_typography_is_folded_and_the_source_is_what_is_quoted(quote: str, source: str, passage: str) -> None:
    """Quotes, hyphens, blanks, wraps, full width, composed letters and unseen marks do not matter; evidence is the source's own."""
    assert find_quote(quote, source) == passage


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("the MOQ is 500", "the MOQ is about 500"),  # a word left out
        ("the MOQ … 500", "the MOQ is 500"),  # an omission
        ("MOQ is 500. Best price", "MOQ is 500. We say: Best price"),
        ("500 is the MOQ", "the MOQ is 500"),  # another order
        ("The moq is", "the MOQ is 500"),  # another case
        ("no thing", "nothing"),
        ("thing", "nothing"),  # cut out of a word
        ("50", "the MOQ is 500"),
        ("", "anything"),
        ("   ", "anything"),
        (".", "It is. So."),
        ("a", "a b c a"),
        ("words", ""),
        ("", ""),
        ("words", " \n\u200b"),
        ("您好", "你好"),
        ("x" * 5000, "x"),
    ],
)
def test_anything_else_is_no_quote(quote: str, source: str) -> None:
    """Left-out words, other order or case, parts of words, nothing at all, and empty sources fail."""
    assert find_quote(quote, source) is None


def test_the_table_is_explicit_and_stable() -> None:
    """Every folded character is in the table, none folds to what is folded again, and folding twice changes nothing."""
    for char, folded in FOLDS.items():
        assert len(char) == 1
        assert all(FOLDS.get(c, c) == c for c in folded)
    once = fold("“Ｈｅｌｌｏ”  –  wörld…\n你 好").text
    assert fold(once).text == once == "'Hello' - wörld...你好".replace("...你", "... 你")


@given(st.text(max_size=60), st.integers(0, 60), st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_whatever_is_found_stands_in_the_source(source: str, at: int, length: int) -> None:
    """A passage is a piece of the source that folds to the same as the quote."""
    quote = source[at : at + length]
    passage = find_quote(quote, source)
    if passage is not None:
        assert passage in source
        assert fold(passage).text == fold(quote).text


def test_a_long_source_takes_no_time() -> None:
    """A quote that nearly occurs thousands of times is refused at once."""
    assert find_quote("aa " * 600 + "b", "aa " * 5_000) is None
