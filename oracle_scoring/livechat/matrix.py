"""Whether an answer should be given at all: necessity by answerability, as the rubric's table has it."""

from oracle_scoring.livechat.models import Decision

_TABLE: tuple[tuple[Decision, Decision, Decision], ...] = (
    ("must_answer", "fallback_answer", "hand_to_human"),
    ("may_answer", "depends", "skip"),
    ("greet", "skip", "skip"),
)
"""Rows: necessity of 4 and more, 3, 2 and less; columns: answerability likewise."""


def _place(score: int) -> int:
    return 0 if score >= 4 else 1 if score == 3 else 2


def decide(necessity: int | None, answerability: int | None) -> Decision | None:
    """The table's word; None where one of the scores is missing."""
    if necessity is None or answerability is None:
        return None
    return _TABLE[_place(necessity)][_place(answerability)]
