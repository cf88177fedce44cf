"""The golden samples, and what holds for every result."""

from collections import Counter
from functools import cache
from itertools import product

import pytest

from harness.schema.strict_json import parse_line
from oracle_scoring.livechat.grade import Graded, grade, line, row
from oracle_scoring.livechat.matrix import decide
from oracle_scoring.livechat.models import DIMENSIONS, Dimension, Result
from oracle_scoring.livechat.naturalness import flaw_cap, length_cap
from oracle_scoring.livechat.words import library
from tests.golden.livechat.build import Golden, load
from tests.unit.livechat.samples import graded


@cache
def golden() -> tuple[tuple[Golden, Graded], ...]:
    """Every golden sample with what rules say about it."""
    return tuple((g, grade(g.sample, library().of(g.sample.business_type, "golden"))) for g in load())


def says(g: Golden, found: Graded) -> tuple[int | None, int, str | None]:
    """Score, cap and tag of the dimension that a golden sample is about."""
    one = found.found[DIMENSIONS.index(g.dimension)]
    return one.score, one.cap, one.reason[1:].split("]")[0] if g.tag else None


def test_the_rules_say_what_the_rubric_says() -> None:
    """Score, cap and tag of each golden sample are exactly those written from the rubric."""
    wrong = [
        f"{g.sample.id}: {says(g, found)}, not {(g.score, g.cap, g.tag)}"
        for g, found in golden()
        if says(g, found) != (g.score, g.cap, g.tag)
    ]
    assert wrong == []


def test_the_golden_samples_cover_the_rubric() -> None:
    """There are at least 200 with ids of their own, each dimension among them, and each score that rules can give."""
    ids = Counter(g.sample.id for g, _ in golden())
    assert len(ids) >= 200 and max(ids.values()) == 1
    scores = {d: {g.score for g, _ in golden() if g.dimension == d} for d in DIMENSIONS}
    assert scores == {
        "necessity": {1, 2, 3, 4, 5, None}, "answerability": {None}, "relevance": {None}, "correctness": {2, 3, None},
        "retention": {1, 2, 3, 4, None}, "naturalness": {1, 2, 3, 4, None},
    }  # fmt: skip
    lengths = {len("".join(g.sample.answer.split())) for g, _ in golden() if g.file == "length.yaml"}
    assert {30, 31, 80, 81, 150, 151, 200, 201, 300, 301} <= lengths


def test_every_result_is_in_its_published_form_and_quotes_verbatim() -> None:
    """A quote stands in the query, or in what comes after the first bar; a score has a quote, and nothing scored has none."""
    for g, found in golden():
        result = Result.model_validate(parse_line(line(row(found, "v")), "result"))
        assert list(result.scores) == list(DIMENSIONS)
        for dimension, score in result.scores.items():
            source = g.sample.query if dimension in ("necessity", "answerability") else g.sample.answer.partition("|")
            text = source if isinstance(source, str) else source[2] if source[1] else source[0]
            assert score.evidence_quote in text, (g.sample.id, dimension)
            assert (score.score is None) == (score.by is None) == (score.evidence_quote == ""), (g.sample.id, dimension)
            assert score.score is None or score.score <= score.cap
            assert all(q in text for k, q in score.signals.items() if isinstance(q, str) and k != "exception")


def test_a_result_depends_on_its_sample_alone() -> None:
    """Graded in another order, each sample has the same bytes."""
    for g, found in reversed(golden()):
        again = grade(g.sample, library().of(g.sample.business_type, "golden"))
        assert line(row(again, "v")) == line(row(found, "v"))


def test_the_table_of_decisions() -> None:
    """All 25 pairs of scores, and none where a score is missing."""
    table = {
        (n, a): decide(n, a) for n, a in product(range(1, 6), repeat=2)
    }  # fmt: skip
    assert {table[n, a] for n in (4, 5) for a in (4, 5)} == {"must_answer"}
    assert {table[n, 3] for n in (4, 5)} == {"fallback_answer"}
    assert {table[n, a] for n in (4, 5) for a in (1, 2)} == {"hand_to_human"}
    assert {table[3, a] for a in (4, 5)} == {"may_answer"} and table[3, 3] == "depends"
    assert {table[3, a] for a in (1, 2)} == {"skip"}
    assert {table[n, a] for n in (1, 2) for a in (4, 5)} == {"greet"}
    assert {table[n, a] for n in (1, 2) for a in (1, 2, 3)} == {"skip"}
    assert decide(None, 5) is None and decide(5, None) is None


@pytest.mark.parametrize(
    ("length", "cap"), [(0, 5), (80, 5), (81, 4), (150, 4), (151, 3), (200, 3), (201, 2), (300, 2), (301, 1)]
)
def test_bands_of_length(length: int, cap: int) -> None:
    """The last character of a band is in it."""
    assert length_cap(length) == cap


def test_flaws_cap() -> None:
    """None 5, one 4, two 3, more 2."""
    assert [flaw_cap(n) for n in range(6)] == [5, 4, 3, 2, 2, 2]


def test_only_the_first_bar_splits_an_answer() -> None:
    """What the restated question holds is no signal of any dimension of the answer."""
    told = "【问】去详情页看。。1. 一 2. 二"
    for dimension in ("correctness", "retention", "naturalness"):
        at = DIMENSIONS.index(dimension)
        assert graded(answer=f"{told}|有的哈，三号链接").found[at] == graded(answer="有的哈，三号链接").found[at]
        assert graded(answer=f"有的哈|{told}").found[at] != graded(answer="有的哈").found[at]


def test_an_empty_answer_is_not_scored() -> None:
    """Without words there is no evidence: no score in the four dimensions of the answer."""
    found = graded(query="有黑色吗", answer="问有没有黑色|  ").found
    names: list[Dimension] = ["relevance", "correctness", "retention", "naturalness"]
    assert [found[DIMENSIONS.index(d)].score for d in names] == [None] * 4
    assert found[0].score == 5
