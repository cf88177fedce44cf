"""What model calls cost, per role and per package: every attempt counts, also those that no other figure counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from harness.schema.run import COST_ROLES, Attempt, Cost, attempt_number, trial_number, unreported_costs
from harness.schema.strict_json import read_model
from oracle_scoring.publish.models import RoleCost

UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Spent:
    """The costs of one attempt."""

    package: str
    ended: str
    """Termination reason; `unfinished` where attempt.json was never written."""
    costs: tuple[Cost, ...]
    unreported: tuple[str, ...]
    """Roles of which it says nothing."""


def spent(run_dir: Path) -> list[Spent]:
    """The costs of every attempt of a run.

    Raises:
        InputError: an attempt.json is not what it should be.
    """
    found: list[Spent] = []
    for folder in sorted(run_dir.glob("*/t*/a*")):
        if trial_number(folder.parent.name) is None or attempt_number(folder.name) is None:
            continue
        package, path = folder.parts[-3], folder / "attempt.json"
        if not path.is_file():
            found.append(Spent(package, UNFINISHED, (), COST_ROLES))
            continue
        name = "/".join((*folder.parts[-3:], "attempt.json"))
        attempt = read_model(Attempt, path, name)
        unreported = tuple(unreported_costs(attempt))
        found.append(Spent(package, attempt.termination_reason, tuple(attempt.costs), unreported))
    return found


def by_role(attempts: Iterable[Spent]) -> list[RoleCost]:
    """Sums per role, in the order of the roles."""
    held = list(attempts)
    return [_sum(role, held) for role in COST_ROLES]


def by_package(attempts: Iterable[Spent]) -> dict[str, list[RoleCost]]:
    """Package -> sums per role."""
    held = list(attempts)
    return {
        package: by_role([s for s in held if s.package == package]) for package in sorted({s.package for s in held})
    }


def _sum(role: str, attempts: list[Spent]) -> RoleCost:
    why: Counter[str] = Counter()
    money: dict[str, Decimal] = {}
    found: list[Cost] = []
    for attempt in attempts:
        own = [cost for cost in attempt.costs if cost.role == role]
        found += own
        if role in attempt.unreported:
            why["the attempt never finished" if attempt.ended == UNFINISHED else "not reported"] += 1
        for cost in own:
            if not cost.complete:
                why[cost.why_incomplete or "incomplete, no reason recorded"] += 1
            elif cost.cost is None and cost.calls:
                why["unpriced, which is not zero"] += 1
    for cost in found:
        amount = parse_money(cost.cost)
        if amount is not None:
            money[amount[1]] = money.get(amount[1], Decimal(0)) + amount[0]
    return RoleCost(
        role=role,
        attempts=len(attempts),
        calls=_known(cost.calls for cost in found),
        tokens_in=_known(cost.tokens_in for cost in found),
        tokens_out=_known(cost.tokens_out for cost in found),
        cost=[f"{amount:f} {currency}" for currency, amount in sorted(money.items())],
        complete=not why,
        why_incomplete=[f"{reason}: {n} of {len(attempts)} attempts" for reason, n in sorted(why.items())],
    )


def _known(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def parse_money(text: str | None) -> tuple[Decimal, str] | None:
    """Amount and currency of `0.42 USD`; None for anything else."""
    number, _, currency = (text or "").partition(" ")
    try:
        amount = Decimal(number)
    except InvalidOperation:
        return None
    return (amount, currency) if amount.is_finite() and currency else None
