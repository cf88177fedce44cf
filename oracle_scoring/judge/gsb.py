"""A judge that chooses between two journeys, each pair in both orders; where the orders differ it is a tie of its own kind."""

from collections.abc import AsyncIterator, Iterable, Iterator
from functools import cache, partial

from harness.schema.base import Strict
from oracle_scoring.agent_rules.rules import Choice, load_rules
from oracle_scoring.gsb.models import SWAPPED, BlindLine, BlindPair, Outcome
from oracle_scoring.judge.batch import Opened, in_order
from oracle_scoring.judge.client import JudgeClient
from oracle_scoring.judge.rubric import Message, Open, Option, Question, Rubric
from oracle_scoring.judge.verdict import Judged, settle

AREA = "gsb"
CHOICE = f"{AREA}/choice"
_MEANINGS: dict[Choice, str] = {
    "left": "the left product served its customer better",
    "right": "the right product served its customer better",
    "both_good": "both served well, neither clearly better",
    "both_bad": "both served badly, neither clearly better",
}


class JudgedPair(Strict):
    """What a judge made of one pair."""

    pair: str
    choice: Outcome | None
    """Null: not judged in one order or both."""
    orders: list[Choice] | None
    """As it is, and turned back with the sides swapped."""
    rows: list[Judged]


@cache
def rubrics() -> dict[str, Rubric]:
    """The one rubric. Good, where rates are measured: the left side is."""
    labels = load_rules().file.choice_labels
    options = tuple(Option(choice, f"{labels[choice]}: {meaning}") for choice, meaning in _MEANINGS.items())
    rule = (
        "Two products, left and right, each talked with the same customer about the same task. What counts is how the customer was served: "
        "whether the task got done, rightly and completely, without needless questions, errors, detours or waiting. Length, "
        "courtesy and the side on which a product stands do not count."
    )
    return {
        CHOICE: Rubric(
            CHOICE, rule, "Which product served its customer better?", options, frozenset({"left", "both_good"})
        )
    }


def questions(pair: BlindPair) -> list[Question]:
    """The pair as it is, and with its sides swapped."""
    rubric = rubrics()[CHOICE]
    sides = {"as_is": (pair.left, pair.right), "swapped": (pair.right, pair.left)}
    return [
        Question(
            f"{pair.pair} {name}", rubric, (*_messages("left", "l", left), *_messages("right", "r", right)),
            Open("nobody has chosen"),
        )
        for name, (left, right) in sides.items()
    ]  # fmt: skip


def _messages(side: str, letter: str, lines: list[BlindLine]) -> Iterator[Message]:
    for n, line in enumerate(lines):
        speaker = "product" if line.speaker == "agent" else line.speaker
        yield Message(f"{letter}{n}", f"{side} {speaker}", line.text)


def settled(pair: BlindPair, rows: list[Judged]) -> JudgedPair:
    """Both orders together."""
    said = [settle(Open("nobody has chosen"), row).value for row in rows]
    names: dict[str, Choice] = {c: c for c in SWAPPED}
    orders = [names[value] for value in said if value is not None]
    if len(orders) < len(rows):
        return JudgedPair(pair=pair.pair, choice=None, orders=None, rows=rows)
    orders[1] = SWAPPED[orders[1]]
    choice: Outcome = orders[0] if orders[0] == orders[1] else "order_tie"
    return JudgedPair(pair=pair.pair, choice=choice, orders=orders, rows=rows)


async def judged_pairs(pairs: Iterable[BlindPair], client: JudgeClient) -> AsyncIterator[JudgedPair]:
    """Each pair in order, both its questions asked."""
    opened = (Opened(questions(pair), partial(settled, pair)) for pair in pairs)
    async for item in in_order(opened, client):
        yield item
