"""What judging came to: every call by how it ended, every question without a verdict by why, and the complete cost."""

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from pydantic import Field

from harness.schema.base import Strict
from oracle_scoring.judge.faults import MAY_HAVE_COST, Fault, Remark, TransportFault
from oracle_scoring.judge.reply import Completion


class Spend(Strict):
    """Tokens and money of a number of answers, retries among them."""

    answers: int
    tokens_in: int
    tokens_out: int
    cost: str | None
    """Decimal with currency; None: unpriced, or partly so, which is not zero."""
    complete: bool
    why_incomplete: str | None


class JudgeSummary(Strict):
    """Counts of one use of a judge."""

    model: str
    answered_as: list[str]
    """Names the endpoint reported for itself."""
    weak: int
    """Answers of the small local model, which stands in where no judge is configured."""
    questions: int
    judged: int
    not_judged: dict[str, int] = Field(description="Kind of fault -> questions that ended without a verdict for it.")
    calls: dict[str, int] = Field(description="How a call ended -> calls, retries among them; `ok`: a verdict.")
    replayed: int
    """Answers taken from earlier ones, in place of a call: of the file, or of the same request made now."""
    remarks: dict[str, int]
    schema_refused: int
    """Calls turned down because of the form of answer asked for; asked again in another form."""
    spent: Spend
    """Of the calls made now."""
    stands_for: Spend
    """Of all answers behind the verdicts, replayed ones too, each once: what it costs to come by them."""


@dataclass
class _Sum:
    answers: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unreported: int = 0
    unpriced: int = 0
    lost: int = 0
    costs: dict[str, Decimal] = field(default_factory=dict)

    def add(self, completion: Completion) -> None:
        self.answers += 1
        if completion.tokens_in is None or completion.tokens_out is None:
            self.unreported += 1
        self.tokens_in += completion.tokens_in or 0
        self.tokens_out += completion.tokens_out or 0
        if completion.cost is None:
            self.unpriced += 1
        else:
            amount, currency = completion.cost.split(" ")
            self.costs[currency] = self.costs.get(currency, Decimal(0)) + Decimal(amount)

    def spend(self) -> Spend:
        why = [
            f"{n} {what}"
            for n, what in (
                (self.unreported, "answers without token counts"),
                (self.unpriced, "answers without a price"),
                (self.lost, "calls that broke and may have been charged"),
            )
            if n
        ]
        priced = bool(self.costs) and not self.unpriced
        cost = " + ".join(f"{v:f} {k}" for k, v in sorted(self.costs.items())) if priced else None
        return Spend(
            answers=self.answers, tokens_in=self.tokens_in, tokens_out=self.tokens_out, cost=cost, complete=not why,
            why_incomplete="; ".join(why) or None,
        )  # fmt: skip


class Tally:
    """Counts as they come."""

    def __init__(self, model: str) -> None:
        self.model = model
        self._names: set[str] = set()
        self._counted: set[str] = set()
        self._weak = 0
        self._questions = 0
        self._judged = 0
        self._not_judged: Counter[Fault] = Counter()
        self._calls: Counter[str] = Counter()
        self._remarks: Counter[Remark] = Counter()
        self._now, self._behind = _Sum(), _Sum()
        self.replayed = 0
        self.schema_refused = 0

    def call_broke(self, kind: TransportFault) -> None:
        """A call brought no answer."""
        self._calls[kind] += 1
        if kind in MAY_HAVE_COST:
            self._now.lost += 1
            self._behind.lost += 1

    def answered(self, completion: Completion) -> None:
        """A call brought an answer."""
        self._now.add(completion)

    def read(self, request_sha256: str, completion: Completion, outcome: str, remarks: list[Remark]) -> None:
        """An answer, new or replayed, was read."""
        if request_sha256 not in self._counted:  # an answer to several questions was paid for once
            self._counted.add(request_sha256)
            self._behind.add(completion)
        self._calls[outcome] += 1
        self._remarks.update(remarks)
        self._weak += completion.weak
        if completion.model:
            self._names.add(completion.model)

    def ended(self, fault: Fault | None) -> None:
        """A question came to its end."""
        self._questions += 1
        if fault is None:
            self._judged += 1
        else:
            self._not_judged[fault] += 1

    def summary(self) -> JudgeSummary:
        """The counts."""
        return JudgeSummary(
            model=self.model, answered_as=sorted(self._names), weak=self._weak, questions=self._questions, judged=self._judged,
            not_judged=_sorted(self._not_judged), calls=_sorted(self._calls), replayed=self.replayed,
            remarks=_sorted(self._remarks), schema_refused=self.schema_refused,
            spent=self._now.spend(), stands_for=self._behind.spend(),
        )  # fmt: skip


def _sorted(counter: Counter[Fault] | Counter[Remark] | Counter[str]) -> dict[str, int]:
    return {str(k): n for k, n in sorted(counter.items())}
