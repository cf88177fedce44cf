"""A limit that the product broke by itself stays broken, whatever the customer did not answer."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.fidelity.apart import _made_longer


def line(name: str, got: str, expected: str) -> ScoreLine:
    """A line that failed its limit."""
    return ScoreLine(
        id=name, group="journey", title="t", state="fail", referee="rule", expected=expected, got=got, why="w",
        evidence=[Evidence(file="events.jsonl")],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "got", "expected", "open_"),
    [
        ("journey.question_count", "10", "fewer than 10", True),
        ("journey.question_count", "11", "fewer than 10", False),
        ("journey.under_five_minutes", "310 s", "under 300 s", True),
        ("journey.under_five_minutes", "900 s", "under 300 s", False),
    ],
)
def test_one_question_put_again_explains_one_question_and_one_turn(
    name: str, got: str, expected: str, open_: bool
) -> None:
    """Of ten turns one was asked again: what is over the limit without it is the product's."""
    judged: Any = SimpleNamespace(
        asked_again=lambda: 1, turns=lambda: 10, unanswered=lambda: [SimpleNamespace(event=7)]
    )
    assert (_made_longer(cast(Any, judged), line(name, got, expected)) is not None) is open_
