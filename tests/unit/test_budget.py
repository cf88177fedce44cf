"""What a run has cost, and that it stops cleanly once that is enough."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness import run as running
from harness.budget import Budget
from harness.cli.play import _check_caps, summary
from harness.errors import InputError
from harness.run import RunOptions, RunResult, TrialResult
from harness.schema.order import Done
from harness.schema.run import Attempt, Cost
from harness.screen.adapter import find_adapter, load_adapter

AT = datetime(2026, 3, 11, 9, 0, tzinfo=UTC)


def cost(role: Any, amount: str | None, complete: bool = True) -> Cost:
    why = None if complete else "a call was under way"
    return Cost(role=role, calls=3, tokens_in=30, tokens_out=3, cost=amount, complete=complete, why_incomplete=why)


def attempt(*costs: Cost, reason: Any = "completed", customer: Any = "model") -> Attempt:
    return Attempt(
        schema="attempt-v1", run="r1", package="CTL-X-001", package_sha256="0" * 64, trial=1, attempt=1, parent_attempt=None,
        request_id="q", started_at=AT, ended_at=AT, termination_reason=reason, why="w", final=None, customer=customer, rng_seed=1,
        slips={}, counts={}, costs=list(costs), files=[],
    )  # fmt: skip


def test_every_attempt_and_every_role_is_in_the_sum() -> None:
    """Retries and attempts that do not count cost too, and so does the product's model."""
    budget = Budget(Decimal("1"), "USD")
    budget.add([attempt(cost("customer", "0.40 USD"), cost("product", "0.50 USD"), reason="simulator_error")])
    assert budget.spent == Decimal("0.90") and not budget.exhausted
    budget.add([attempt(cost("customer", "0.10 USD"), cost("product", None, complete=False))])
    assert budget.exhausted
    assert "1.00 USD (incomplete: the cost of 1 of 2 attempts is not wholly known)" in budget.words
    assert budget.endings == {"simulator_error": 1, "completed": 1}


@pytest.mark.parametrize(
    ("costs", "customer", "whole"),
    [
        ((cost("customer", "0.1 USD"), cost("product", "0.1 USD")), "model", True),
        ((cost("customer", "0.1 USD"),), "model", False),
        ((cost("product", "0.1 USD"),), "model", False),
        ((cost("product", "0.1 USD"),), "rule", True),
        ((), "rule", False),
        ((cost("customer", None, complete=False), cost("product", "0.1 USD")), "model", False),
    ],
)
def test_what_is_not_reported_makes_the_sum_a_lower_bound(costs: tuple[Cost, ...], customer: str, whole: bool) -> None:
    """A role of which an attempt says nothing is not free; a customer that is no model is."""
    budget = Budget()
    budget.add([attempt(*costs, customer=customer)])
    assert (budget.not_whole == 0) is whole
    assert ("incomplete" in budget.words) is not whole


def test_other_currencies_are_told_and_not_counted_against_the_cap() -> None:
    """Amounts of two currencies are not added."""
    budget = Budget(Decimal("1"), "USD")
    budget.add([attempt(cost("customer", "0.40 USD"), cost("product", "9.00 EUR"))])
    assert not budget.exhausted and budget.words == "9.00 EUR + 0.40 USD"
    unpriced_customer = Budget(Decimal("1"), None, dict(budget.money))
    assert unpriced_customer.exhausted, "with no price of its own the cap is held against what the product reports"


class Journey:
    """An attempt that costs 0.40 and takes a moment; it may end in a way that calls for another attempt."""

    ends = "completed"
    begun = 0
    running = 0

    def __init__(self, slot: Any, package: Any, trial: int, number: int, *_: Any) -> None:
        self.slot, self.package, self.trial, self.number, self.finished = slot, package, trial, number, False

    async def play(self) -> Done:
        Journey.begun += 1
        Journey.running += 1
        await asyncio.sleep(0.01)
        Journey.running -= 1
        return Done(reason=self.ends, why="w", final=None, slips={}, counts={})  # type: ignore[arg-type]

    async def product_gone(self) -> str | None:
        return None

    def was_away(self) -> bool:
        return False

    async def observe(self) -> bool:
        return True

    def finish(self, done: Done, _: Any) -> None:
        self.finished = True
        self.slot.budget.add([attempt(cost("customer", "0.40 USD"), cost("product", "0 USD"), reason=done.reason)])


def spend(monkeypatch: pytest.MonkeyPatch, cap: str | None, workers: int, ends: str = "completed") -> int:
    """How many journeys of ten begin under this cap."""
    monkeypatch.setattr(running, "_Attempt", Journey)
    monkeypatch.setattr(Journey, "ends", ends)
    monkeypatch.setattr(Journey, "begun", 0)
    queue: asyncio.Queue[tuple[Any, int]] = asyncio.Queue()
    for trial in range(1, 11):
        queue.put_nowait((SimpleNamespace(id="CTL-X-001"), trial))
    run: Any = SimpleNamespace(options=SimpleNamespace(max_attempts=3, workers=workers), say=lambda _: None, crew=None)
    directory: Any = SimpleNamespace(folder=Path(), new_attempt=lambda *_: (1, Path()))
    budget = Budget(None if cap is None else Decimal(cap), "USD")

    async def go() -> None:
        slots = [
            running._Slot(run, directory, SimpleNamespace(), SimpleNamespace(), queue, Path(), budget)  # type: ignore[arg-type]
            for _ in range(workers)
        ]
        async with asyncio.TaskGroup() as group:
            for slot in slots:
                group.create_task(slot.work())

    asyncio.run(go())
    assert Journey.running == 0, "what began has ended"
    return Journey.begun


def test_no_journey_begins_once_the_cap_is_spent_and_what_runs_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 0.40 each, a cap of 1.00 allows for three; two workers may have one more under way; without a cap all are played."""
    assert spend(monkeypatch, "1.00", 1) == 3
    assert spend(monkeypatch, "1.00", 2) in (3, 4)
    assert spend(monkeypatch, None, 1) == 10


def test_the_next_attempt_of_a_trial_is_a_journey_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulator that spoils every attempt does not spend beyond the cap."""
    assert spend(monkeypatch, "1.00", 1, "simulator_error") == 3


def result(counting: int, of: int, budget: Budget) -> RunResult:
    trials = [
        TrialResult("CTL-X-001", n, 1, 1 if n <= counting else None, "completed", "w", "f") for n in range(1, of + 1)
    ]
    stopped = running._stopped("r1", budget, trials)
    return RunResult("r1", "f", "rehearsal", [], trials, 0, dict(budget.endings), budget.words, stopped)


def test_a_run_that_its_cap_stopped_says_so_and_how_it_goes_on() -> None:
    """Exit 3 and the reason; a run that was done before its cap is done; one that broke is 4 as ever."""
    spent = Budget(Decimal("0.30"), "USD")
    spent.add([attempt(cost("customer", "0.40 USD"), cost("product", "0 USD"))])
    left = result(1, 4, spent)
    assert left.exit_code == 3 and left.stopped is not None
    assert "--max-cost 0.30 is reached: 0.40 USD; 3 of 4 trials are left, --run r1 goes on with them" in left.stopped
    line = summary(left, 12.4)
    assert line.startswith(
        "run r1: 1 of 4 trials count; attempts: 1 completed; rehearsal; cost 0.40 USD; took 12 s; exit 3"
    )
    assert "stopped: --max-cost 0.30" in line and "\n" not in line
    assert result(4, 4, spent).exit_code == 0 and result(4, 4, spent).stopped is None
    assert result(1, 4, Budget()).exit_code == 4
    assert left.plain()["stopped"] == left.stopped


def test_a_cap_that_nothing_could_reach_is_refused() -> None:
    """A customer that is no model, and a product that reports no usage: there is nothing to cap."""
    adapter = load_adapter(find_adapter("reference-claims"))
    options = RunOptions("r", customer="rule", max_cost=Decimal(1))
    _check_caps(options, adapter)
    with pytest.raises(InputError, match="--max-cost: nothing here has a cost"):
        _check_caps(options, adapter.model_copy(update={"usage": None}))
    _check_caps(replace(options, customer="model"), adapter.model_copy(update={"usage": None}))
