"""What choices come to, agent by agent and pair by pair. People's and a judge's are never added together."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from harness.errors import InputError
from oracle_scoring.gsb.models import SWAPPED, AgentLine, Flips, PairLine, by_judge
from oracle_scoring.publish.intervals import mcnemar, wilson

Kind = Literal["people", "judge"]
Result = Literal["first", "second", "both_good", "both_bad", "order_tie"]


@dataclass(frozen=True)
class Comparison:
    """One outcome between two agents, in the order of their names."""

    kind: Kind
    first: str
    second: str
    outcome: Result
    both_orders: bool


@dataclass
class Graded:
    """All lines, and what could not be told."""

    lines: list[AgentLine]
    unclear: list[str] = field(default_factory=list)
    """Groups of lines that might be two orders of one comparison or several comparisons; they count line by line."""


def grade_pairs(given: Iterable[tuple[str, PairLine]], only: str | None = None) -> Graded:
    """Every agent's line, then every agent against every other where there are more than two.

    Args:
        given: comparisons with their places.
        only: whose choices count; None: everybody's.

    Raises:
        InputError: a comparison stands there twice.
    """
    groups: dict[tuple[str, ...], list[tuple[str, PairLine]]] = defaultdict(list)
    for where, line in given:
        if only is None or line.by == only:
            sides = sorted((line.left, line.right))
            groups[line.by, line.task_id, line.pair_id or "", *sides].append((where, line))
    graded = Graded([])
    comparisons: list[Comparison] = []
    for key, lines in groups.items():
        comparisons += _group(key, lines, graded.unclear)
    for kind in ("people", "judge"):
        graded.lines += _lines(kind, [c for c in comparisons if c.kind == kind])
    return graded


def _group(key: tuple[str, ...], given: list[tuple[str, PairLine]], unclear: list[str]) -> list[Comparison]:
    """Comparisons of one task, two agents and one who chose."""
    lines = [line for _, line in given]
    if key[2]:
        for position in {line.left for line in lines}:
            twice = [where for where, line in given if line.left == position]
            if len(twice) > 1:
                raise InputError(f"{twice[1]}: pair_id", f"{key[2]!r} by {key[0]!r} stands there twice")
    swapped = len({line.left for line in lines}) == 2
    if len(lines) == 2 and swapped and all(line.orders is None for line in lines):
        one, other = lines
        same = other.choice == "order_tie" or one.choice == "order_tie" or one.choice != SWAPPED[other.choice]
        return [_comparison(one.model_copy(update={"choice": "order_tie"}) if same else one, True)]
    if len(lines) > 2 and swapped and not key[2]:
        unclear.append(f"{key[1]}: {len(lines)} comparisons of {key[3]} and {key[4]} by {key[0]}, in both orders")
    return [_comparison(line, line.orders is not None) for line in lines]


def _comparison(line: PairLine, both_orders: bool) -> Comparison:
    first, second = sorted((line.left, line.right))
    outcome: Result
    if line.choice == "left" or line.choice == "right":
        outcome = "first" if (line.left if line.choice == "left" else line.right) == first else "second"
    else:
        outcome = line.choice
    return Comparison("judge" if by_judge(line.by) else "people", first, second, outcome, both_orders)


def _lines(kind: Kind, comparisons: list[Comparison]) -> list[AgentLine]:
    agents = sorted({name for c in comparisons for name in (c.first, c.second)})
    lines = [_line(kind, name, None, comparisons) for name in agents]
    if len(agents) > 2:
        met = {(c.first, c.second) for c in comparisons}
        for name in agents:
            lines += [_line(kind, name, o, comparisons) for o in agents if (min(name, o), max(name, o)) in met]
    return lines


def _line(kind: Kind, agent: str, against: str | None, comparisons: list[Comparison]) -> AgentLine:
    mine = [
        c for c in comparisons if agent in (c.first, c.second) and (against is None or against in (c.first, c.second))
    ]
    count = Counter(_seen_from(agent, c) for c in mine)
    wins, losses = count["win"], count["loss"]
    decisive = wins + losses
    test = mcnemar(wins, losses)
    both = [c for c in mine if c.both_orders]
    flipped = sum(c.outcome == "order_tie" for c in both)
    return AgentLine(
        agent=agent, against=against, by=kind, wins=wins, losses=losses, both_good=count["both_good"],
        both_bad=count["both_bad"], order_ties=count["order_tie"], comparisons=len(mine),
        effective_win_rate=wins / decisive if decisive else None,
        interval=wilson(wins / decisive, decisive) if decisive else None,
        sign_test_p=test.p, can_decide=test.can_decide, net=(wins - losses) / len(mine) if mine else None,
        flip_rate=Flips(
            value=flipped / len(both) if both else None, pairs=len(both),
            interval=wilson(flipped / len(both), len(both)) if both else None,
        ),
    )  # fmt: skip


def _seen_from(agent: str, c: Comparison) -> str:
    if c.outcome in ("first", "second"):
        return "win" if (c.outcome == "first") == (c.first == agent) else "loss"
    return c.outcome
