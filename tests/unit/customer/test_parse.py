"""From reply to move."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.customer.parse import Malformed, parse_move

GOOD = '{"asked":[],"asked_unknown":false,"used":[],"move":"say","messages":["Hi {there} ```x```"],"control":"","value":"","file":""}'


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f'<think>maybe {{"move":"leave"}}</think>\n{GOOD}',
        f"```json\n{GOOD}\n```",
        f"Here is my move: {GOOD}",
        '{"move":"say","messages":["Hi {there} ```x```"],"extra":1}',
    ],
)
def test_the_one_object_is_found(reply: str) -> None:
    """Bare, after a reasoning block, in a fence, in prose, with missing or extra fields."""
    assert parse_move(reply).messages == ["Hi {there} ```x```"]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I will wait.",
        "[1]",
        "{}",
        '{"move":"dance"}',
        f"{GOOD} {GOOD}",
        '{"move":"say","messages":"text"}',
        '{"move": NaN}',
        "{" * 5000,
    ],
)
def test_anything_else_is_malformed(reply: str) -> None:
    """No object, several objects, wrong types, not JSON: one error, no guess."""
    with pytest.raises(Malformed):
        parse_move(reply)


@given(st.text(max_size=400))
def test_any_text_gives_a_move_or_malformed(reply: str) -> None:
    """No other exception escapes."""
    with contextlib.suppress(Malformed):
        parse_move(reply)
