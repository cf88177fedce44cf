"""Searching for many patterns at once finds what searching for them one by one finds."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.schema import wording
from harness.schema.anyof import AnyOf, signs_of
from harness.schema.words import lexicon, values

LISTS = {
    **wording._words().ask,
    **{f"unless {k}": v for k, v in wording._words().unless.items()},
    **wording._words().lists,
    **lexicon._lists().patterns,
}
PIECES = st.sampled_from(
    ["what ", "day ", "was", "when ", "did ", "it", "car", " other ", "driv", "able", "e", "-", "mail", "名字", "对方", "的", "车",
     "多少钱", "tên ", "của bạn", "khi nào", "12", ":", "30", " may ", "月", "3", "日", "/", "2026", "ab", " tháng ", "don't ", "know",
     "n't", "sure", "please ", "upload", " is ", "right", "?", "．", "１", "é"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=8).map("".join)


@pytest.mark.parametrize(
    ("pattern", "signs"),
    [
        (r"\bwhat (date|day)\b", ("what ",)),
        (r"\b(hurt|injur(y|ies|ed))\b", ("hurt", "injur")),
        (r"colou?r", ("colo",)),
        (r"(late|soon)?er", ("er",)),
        (r"[ab]c|de", ("c", "de")),
        (r"a*", ()),
        (r"(?i)what", ()),
        (r"(?i:what)", ()),
        (r"what|\d", ()),
        (r"(?<=x)yz", ("yz",)),
        (r"(abc)+", ()),
    ],
)
def test_signs_stand_in_every_match(pattern: str, signs: tuple[str, ...]) -> None:
    """Only what must be there counts; where nothing must, every text is searched."""
    assert signs_of(pattern) == signs


@given(TEXTS)
def test_a_list_finds_what_its_patterns_find(text: str) -> None:
    """Every list of the rig, on texts made of words that its patterns speak of."""
    for name, listed in LISTS.items():
        plain = listed._joined.search(text)
        quick = listed.search(text)
        assert (quick and quick.span()) == (plain and plain.span()), name


def test_most_lists_are_quick() -> None:
    """Signs are read off the patterns as they are written today: a list that is always searched would go unnoticed."""
    assert [name for name, listed in LISTS.items() if listed._signs == ("",)] == []
    assert AnyOf([r"\d"]).search("1") is not None


@given(TEXTS)
def test_values_are_those_of_all_patterns(text: str) -> None:
    """A pattern that is passed over for want of its signs would have found nothing."""
    with pytest.MonkeyPatch.context() as patch:
        quick = values.values.__wrapped__(text)
        patch.setattr(values, "_DATES", dict.fromkeys(values._DATES, ("",)))
        patch.setattr(values, "_MIXED", re.compile(""))
        assert values.values.__wrapped__(text) == quick
