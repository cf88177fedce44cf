"""What a run has cost so far, and whether another journey may begin."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from harness.schema.run import Attempt, unreported_costs


@dataclass
class Budget:
    """The costs of a run's attempts, retries and attempts that do not count included.

    Attributes:
        cap: no journey begins once so much is spent; None: no cap.
        currency: of the cap; None: that of whatever is priced.
        money: currency -> spent.
        endings: termination reason -> attempts.
        not_whole: attempts of which some cost is not known: the sum is a lower bound then.
    """

    cap: Decimal | None = None
    currency: str | None = None
    money: dict[str, Decimal] = field(default_factory=dict)
    endings: Counter[str] = field(default_factory=Counter)
    not_whole: int = 0

    def add(self, attempts: Iterable[Attempt]) -> None:
        """Takes in attempts that have ended."""
        for attempt in attempts:
            self.endings[attempt.termination_reason] += 1
            self.not_whole += bool(unreported_costs(attempt)) or any(not cost.complete for cost in attempt.costs)
            for cost in attempt.costs:
                if cost.cost is not None:
                    amount, currency = cost.cost.split(" ")
                    self.money[currency] = self.money.get(currency, Decimal(0)) + Decimal(amount)

    @property
    def exhausted(self) -> bool:
        """The cap is reached."""
        return self.cap is not None and self.spent >= self.cap

    @property
    def spent(self) -> Decimal:
        """In the cap's currency; where that is not known and several are, the largest sum."""
        if self.currency is None:
            return max(self.money.values(), default=Decimal(0))
        return self.money.get(self.currency, Decimal(0))

    @property
    def words(self) -> str:
        """What was spent, in words: a sum per currency, and how far it is a lower bound."""
        sums = (
            " + ".join(f"{amount:f} {currency}" for currency, amount in sorted(self.money.items())) or "nothing priced"
        )
        if not self.not_whole:
            return sums
        return (
            f"{sums} (incomplete: the cost of {self.not_whole} of {self.endings.total()} attempts is not wholly known)"
        )
