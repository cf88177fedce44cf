"""The words by which scoring hears."""

import re

import pytest

from oracle_scoring.claims.lines import MOST_EVIDENCE, Head, at_event, line
from oracle_scoring.claims.words import file_kinds, patterns, word_list

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


def test_places_are_capped_and_counted() -> None:
    """A line of very many places keeps the first ones and says how many there were."""
    head = Head("journey.internal_codes", "journey", "No code")
    found = line(head, "fail", "codes", [at_event(n) for n in range(1, 1001)])
    assert len(found.evidence) == MOST_EVIDENCE and "50 of 1000 places" in found.why
