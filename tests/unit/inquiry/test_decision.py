"""The decision's words, three-valued."""

from typing import get_args

import pytest

from harness.errors import InputError
from harness.schema.scorecard import LineState
from oracle_scoring.inquiry.decision import parse_decision

P, F, N, U = "pass", "fail", "not_applicable", "not_checked"


@pytest.mark.parametrize(
    ("text", "states", "wanted"),
    [
        ("a AND b", {"a": P, "b": P}, P),
        ("a AND b", {"a": P, "b": F}, F),
        ("a AND b", {"a": U, "b": F}, F),
        ("a AND b", {"a": U, "b": P}, U),
        ("a AND b", {"a": N, "b": P}, P),
        ("a AND b", {"a": N, "b": N}, N),
        ("a OR b", {"a": F, "b": P}, P),
        ("a OR b", {"a": U, "b": F}, U),
        ("NOT a", {"a": P}, F),
        ("NOT a", {"a": U}, U),
        ("a AND NOT (b OR c)", {"a": P, "b": F, "c": F}, P),
        ("IF a THEN b", {"a": P, "b": F}, F),
        ("IF a THEN b", {"a": F, "b": F}, N),
        ("IF a THEN b ELSE c", {"a": F, "b": F, "c": P}, P),
        ("IF a THEN b ELIF c THEN d ELSE e", {"a": F, "b": F, "c": P, "d": P, "e": F}, P),
        ("IF a THEN b ELSE c", {"a": U, "b": P, "c": P}, P),
        ("IF a THEN b ELSE c", {"a": U, "b": P, "c": F}, U),
        ("IF a THEN b", {"a": U, "b": P}, U),
    ],
)
def test_a_decision_never_makes_a_pass_of_what_is_unknown(
    text: str, states: dict[str, LineState], wanted: LineState
) -> None:
    """AND, OR, NOT and IF combine pass, fail, not applicable and not checked as the manual's words say."""
    assert parse_decision(text, "here").value(states.__getitem__) == wanted
    assert all(s in get_args(LineState) for s in states.values())


@pytest.mark.parametrize("text", ["", "a AND", "IF a", "IF a THEN", "(a", "a b", "a AND OR b", "ELSE a", "NOT"])
def test_a_decision_that_is_none_is_one_line(text: str) -> None:
    """Words in a wrong place are an error that names the metric."""
    with pytest.raises(InputError, match=r"^M-001: decision: "):
        parse_decision(text, "M-001: decision")
