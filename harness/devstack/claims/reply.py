"""A reply of the product in the making."""

from dataclasses import dataclass, field


@dataclass
class Reply:
    """What one reply will say, and what comes with it."""

    said: list[str] = field(default_factory=list)
    """Sentences before the question: thanks, answers, what was passed on."""
    taken_up: list[str] = field(default_factory=list)
    """Those of `said` that answer or take up a question of the customer's."""
    tags: list[str] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)
    ask: str = ""
    step: str = ""
    send: bool = False
    """The claim is ready to be sent in this turn."""
    exact: bool = False
    """Wording that must not be changed: case numbers, sign-in, summaries."""
