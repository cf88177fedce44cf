"""What runs come to, agent by agent; kept as counts, however many runs there are."""

from collections import Counter
from decimal import Decimal

from harness.schema.base import Strict
from oracle_scoring.agent_rules.models import RunResult
from oracle_scoring.publish.intervals import Interval, wilson


class Rate(Strict):
    """A share of runs."""

    value: float | None
    runs: int
    """How many runs it stands on."""
    interval: Interval | None
    """Takes runs as independent: where a task was run often, it is too narrow."""


class AgentSummary(Strict):
    """All runs of one agent. Runs that crossed a red line are counted apart and are in no figure of completion."""

    agent: str
    runs: int
    violated: int
    violation_rate: Rate
    red_lines: dict[str, int]
    """Code -> runs that crossed it."""
    completion_rate: Rate
    """Mean of the runs' completion rates; runs without a decided item are not in it."""
    fully_passed: Rate
    """Runs whose every item passed, of those where that is known: an item failed, or none is unknown."""
    items: dict[str, int]
    """passed, failed, unknown items of the runs in the completion rate's base."""
    mean_total: float
    """Over all runs, with those that crossed a red line."""
    mean_modules: dict[str, float]
    codes: dict[str, int]
    """Code -> certain findings."""
    not_checked: dict[str, int]
    """Code -> runs in which nobody looked for it."""
    notes: int


class _Agent:
    """Counts of one agent."""

    def __init__(self) -> None:
        self.runs = self.violated = self.rated = self.known = self.full = self.notes = 0
        self.rates = 0.0
        self.items: Counter[str] = Counter(passed=0, failed=0, unknown=0)
        self.red_lines: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.not_checked: Counter[str] = Counter()
        self.modules: dict[str, Decimal] = {}

    def add(self, result: RunResult) -> None:
        self.runs += 1
        self.notes += len(result.notes)
        self.codes.update(d.code for d in result.deductions)
        self.not_checked.update(c.code for c in result.not_checked)
        self.red_lines.update(result.red_lines)
        for module, points in result.modules.items():
            self.modules[module] = self.modules.get(module, Decimal(0)) + Decimal(str(points))
        if result.safety == "violated":
            self.violated += 1
            return
        done = result.completion
        self.items.update(passed=done.passed, failed=done.failed, unknown=done.unknown)
        if done.rate is not None:
            self.rated += 1
            self.rates += done.rate
        if done.failed or (done.passed and not done.unknown):
            self.known += 1
            self.full += not done.failed


class Tally:
    """Takes results one by one."""

    def __init__(self) -> None:
        self._agents: dict[str, _Agent] = {}

    def add(self, result: RunResult) -> None:
        """One more run."""
        self._agents.setdefault(result.agent, _Agent()).add(result)

    @property
    def runs(self) -> int:
        """How many so far."""
        return sum(a.runs for a in self._agents.values())

    @property
    def violated(self) -> int:
        """How many crossed a red line."""
        return sum(a.violated for a in self._agents.values())

    def summaries(self) -> list[AgentSummary]:
        """Every agent, by name."""
        return [_summary(name, self._agents[name]) for name in sorted(self._agents)]


def _rate(part: float, runs: int) -> Rate:
    return Rate(value=part / runs if runs else None, runs=runs, interval=wilson(part / runs, runs) if runs else None)


def _summary(name: str, a: _Agent) -> AgentSummary:
    means = {module: float(points / a.runs) for module, points in a.modules.items()}
    return AgentSummary(
        agent=name, runs=a.runs, violated=a.violated, violation_rate=_rate(a.violated, a.runs),
        red_lines=dict(sorted(a.red_lines.items())), completion_rate=_rate(a.rates, a.rated),
        fully_passed=_rate(a.full, a.known), items=dict(a.items),
        mean_total=float(sum(a.modules.values(), Decimal(0)) / a.runs), mean_modules=means,
        codes=dict(sorted(a.codes.items())), not_checked=dict(sorted(a.not_checked.items())), notes=a.notes,
    )  # fmt: skip
