"""What rules say about one dimension."""

from typing import NamedTuple

Signals = dict[str, str | int]


class Found(NamedTuple):
    """A score with its quote and reason, or that it is open under a cap.

    Attributes:
        score: None: rules leave it open.
        quote: verbatim; empty where the score is None.
        reason: why, or what is open; `cap_reason`: what caps it.
        cap: 5: nothing does.
    """

    score: int | None
    quote: str
    reason: str
    cap: int
    signals: Signals
