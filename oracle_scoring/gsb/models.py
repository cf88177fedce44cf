"""Pairs, keys, choices, and what is said of them."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, model_validator

from harness.schema.base import Strict
from harness.schema.product import Sha256
from oracle_scoring.agent_rules.rules import Choice
from oracle_scoring.publish.intervals import Interval

Text = Annotated[str, Field(min_length=1)]
Outcome = Choice | Literal["order_tie"]
"""`order_tie`: whoever chose chose otherwise when the sides were swapped; a tie of its own kind."""
JUDGE = "judge"
"""How `by` begins where a model chose."""
SWAPPED: dict[Choice, Choice] = {
    "left": "right", "right": "left", "both_good": "both_good", "both_bad": "both_bad",
}  # fmt: skip


def by_judge(by: str) -> bool:
    """A model chose, not a person."""
    return by == JUDGE or by.startswith(f"{JUDGE}:")


class BlindLine(Strict):
    """One message or act of a journey."""

    speaker: Literal["customer", "agent", "record"]
    """`record`: how the journey ended, in the rig's words."""
    text: str
    deed: bool
    """The text says what was done, in words of the rig around those of the screen."""


class BlindPair(Strict):
    """Two journeys of one package; nothing says whose they are."""

    pair: Annotated[str, Field(pattern=r"^P[0-9]{4,6}$")]
    task_id: Text
    left: list[BlindLine]
    right: list[BlindLine]


class KeyPair(Strict):
    """Whose the sides of a pair are."""

    pair: str
    left: Text
    right: Text
    left_attempt: str
    """Run, package, trial and attempt."""
    right_attempt: str


class Key(Strict):
    """The key of a folder of pairs; it lies beside the folder, not in it."""

    schema_: Literal["gsb-key-v1"] = Field(alias="schema")
    rng_seed: int
    pairs_sha256: Sha256
    """Of the pairs' file."""
    agents: list[str]
    hidden_words: list[str]
    """Names that were struck out of the journeys."""
    left_out: list[str]
    """Journeys without a partner, and why."""
    pairs: list[KeyPair]


class ChoiceLine(Strict):
    """One choice; a later line of the same pair and `by` replaces an earlier one."""

    pair: str
    choice: Outcome
    by: Text
    at: AwareDatetime
    orders: list[Choice] | None = None
    """Of a judge: what it said of the pair as it is and, turned back, of the pair with its sides swapped."""


class PairLine(Strict):
    """One comparison, with names."""

    task_id: Text
    left: Text
    right: Text
    choice: Outcome
    by: Text
    pair_id: str | None = None
    """Tells comparisons of one task apart."""
    orders: list[Choice] | None = None
    """Where both orders were asked: what was said of the pair as it stands here and, turned back, of the swapped one."""

    @model_validator(mode="after")
    def _sides(self) -> "PairLine":
        if self.left == self.right:
            raise ValueError("left and right are the same agent")
        if self.orders is not None:
            if len(self.orders) != 2:
                raise ValueError("orders: two choices, one for each order")
            said = self.orders[0] if self.orders[0] == self.orders[1] else "order_tie"
            if said != self.choice:
                raise ValueError(f"choice: is {self.choice}, but the two orders say {said}")
        return self


class Flips(Strict):
    """How often the order of the sides changed the choice."""

    value: float | None
    pairs: int
    """Comparisons asked in both orders."""
    interval: Interval | None


class AgentLine(Strict):
    """One agent, against all others or against one."""

    agent: str
    against: str | None
    """Null: all of them."""
    by: Literal["people", "judge"]
    wins: int
    losses: int
    both_good: int
    both_bad: int
    order_ties: int
    """Outside wins, losses and both kinds of ties."""
    comparisons: int
    """All of the above."""
    effective_win_rate: float | None
    """wins / (wins + losses)."""
    interval: Interval | None
    """Wilson, of the effective win rate; takes comparisons as independent."""
    sign_test_p: float | None
    """Exact, two-sided, over wins and losses; null without any."""
    can_decide: bool
    """So many decisive comparisons that the test could reach 5 % if all went one way."""
    net: float | None
    """(good - bad) / N: wins less losses over all comparisons."""
    flip_rate: Flips
