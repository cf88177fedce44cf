"""The words by which scoring hears."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_scoring.claims.asked_files import kinds_of
from oracle_scoring.claims.codes import codes_in
from oracle_scoring.claims.endings import broken_off
from oracle_scoring.claims.hidden import page_texts
from oracle_scoring.claims.person import reading_s, typing_s
from oracle_scoring.claims.privacy import values_in
from oracle_scoring.claims.words import file_kinds, patterns, word_list
from oracle_scoring.lines import MOST_EVIDENCE, Head, at_event, line

PIECES = (
    "<![", "<!--", "<p ", ">", "</", "&#x110000;", "{{", "}}", "${", "[{", '"a":', "\x00", "\u202e", "字", "ệ", "\n", " at ", "@x.y",
    "Dear ", "Mr ", "A-", "07700 900", "the", ",", "data: ", "🙂", "\u0301", "_", "\u00a0", "www.x.example", "null", "%(",
)  # fmt: skip
SPOKEN = (
    "errors", "cut_words", "cut_words_unmarked", "question_openings", "closings", "taken_up", "acknowledgements", "hand_over",
    "another_file", "once_more", "picture_of", "unknown_cells", "open_status", "open_headings", "nothing_listed",
    "reader_instructions", "closing_buttons",
)  # fmt: skip


@pytest.mark.parametrize("name", SPOKEN)
def test_every_list_hears_three_languages(name: str) -> None:
    """English, Chinese and Vietnamese stand side by side, each expression compiles, and none matches everything."""
    text = " ".join(p.pattern for p in patterns(name))
    assert (
        re.search(r"[a-z]{3}", text)
        and re.search(r"[\u4e00-\u9fff]", text)
        and re.search(r"[àáảãạăâđêôơưếệốộớợứựểổởửầấậằắặ]", text)
    )
    assert all(not p.search("the harbour lies in the morning sun") for p in patterns(name))


def test_kinds_of_file_have_three_languages() -> None:
    """Each kind has a Chinese name; lists of plain words are lower case."""
    assert all(re.search(r"[\u4e00-\u9fff]", p.pattern) for p in file_kinds().values())
    assert all(w == w.casefold() for name in ("common_words", "request_fillers") for w in word_list(name))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_can_be_judged(text: str) -> None:
    """Whatever a product writes, every rule of text gives an answer."""
    assert all(what and match.group() for what, match in codes_in(text))
    assert all(value.text == text[value.start : value.end] for value in values_in(text))
    assert isinstance(page_texts(text), list)
    assert broken_off(text, True) is None or text.strip()
    assert reading_s(text) >= 0 and typing_s(text) >= 0
    assert kinds_of(text) <= set(file_kinds())


def test_places_are_capped_and_counted() -> None:
    """A line of very many places keeps the first ones and says how many there were."""
    head = Head("journey.internal_codes", "journey", "No code")
    found = line(head, "fail", "codes", [at_event(n) for n in range(1, 1001)])
    assert len(found.evidence) == MOST_EVIDENCE and "50 of 1000 places" in found.why
