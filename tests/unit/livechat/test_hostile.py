"""Texts made to be slow, and texts of any kind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_scoring.livechat.grade import grade, line, row
from oracle_scoring.livechat.words import _NEVER, _alternatives, _part, library
from scripts.livechat_bench import nasty
from tests.support.growth import grows_too_fast
from tests.unit.livechat.samples import graded, sample

TEXTS = nasty()


@pytest.mark.parametrize("name", TEXTS)
def test_time_grows_with_the_length_alone(name: str) -> None:
    """Four times the text takes no sixteen times as long, whatever it holds."""
    text = TEXTS[name]
    words = library().of("electronics_ecom", "test")

    def work(size: int) -> None:
        cut = "x" + text[:size] + "y"
        grade(sample(query=cut, answer=cut, kb=cut, business_type="electronics_ecom"), words)

    assert grows_too_fast(work, 16_000) == ""


_ODD = st.text(
    alphabet=st.sampled_from(
        '亲哈。。，！,.?|【】《》<>{}"[]#*-1.2①②链接三号详情页更轻软首先其次  \n６ＡΣİ😊\u200b鲸苳6+去看我帮您'
    ),
    max_size=60,
)


@settings(max_examples=40, deadline=None)
@given(_ODD, _ODD)
def test_any_text_has_a_result_that_quotes_it(query: str, answer: str) -> None:
    """Quotes stand in their text, one score never exceeds its cap, and the row is text in UTF-8."""
    made = graded(query=query, answer=answer)
    for n, found in enumerate(made.found):
        assert found.quote in (query if n < 2 else made.answer)
        assert found.score is None or (found.quote and 1 <= found.score <= found.cap)
    line(row(made, "v")).decode("utf-8")


def test_words_are_cut_at_their_outer_bars() -> None:
    """Groups and classes stay whole; what is spread out over first characters matches the same."""
    assert _alternatives(r"(?:a|b)c|[|]d|e\|f") == ["(?:a|b)c", "[|]d", r"e\|f"]
    assert _part("~(?:去|到)看") == "去看|到看"
    assert _part("~(?:去|到)?看") == "去看|到看|看"
    assert _part("~(?:去|到)+看") == "(?:去|到)+看"
    assert _part("a.b") == r"a\.b"
    assert _NEVER.search("x") is None
