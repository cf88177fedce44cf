"""How far a judge can be trusted: its verdicts beside people's, per rubric.

Agreement alone flatters a judge that always says the same, so both rates are given: of what people call good, how much the
judge calls good (true positives), and of what they do not, how much it does not (true negatives). Every item is asked several
times in the same words, and once with the answers listed in the opposite order.
"""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.schema.base import Strict
from oracle_scoring.judge.client import JudgeClient
from oracle_scoring.judge.labelled import Item, Labelled
from oracle_scoring.judge.rubric import Question, Rubric
from oracle_scoring.judge.tally import JudgeSummary
from oracle_scoring.judge.verdict import Judged
from oracle_scoring.publish.intervals import wilson


class Share(Strict):
    """A share with its 95 % Wilson interval; no value of nothing."""

    part: int
    whole: int
    value: float | None
    low: float | None
    high: float | None


class Kappa(Strict):
    """Cohen's kappa (quadratic weights on a scale), 95 % interval by resampling clusters."""

    value: float | None
    low: float | None
    high: float | None
    note: str | None


class RubricCheck(Strict):
    """One rubric's figures."""

    rubric: str
    prompt_sha256: str
    people: list[str]
    items: int
    """With a label that people agree on."""
    unlabelled: int
    disputed: int
    """People differ; left out."""
    clusters: int
    labels: dict[str, int]
    judged: Share
    """Of the items; the others are in no figure below but `not_judged`."""
    not_judged: dict[str, int]
    true_positive_rate: Share
    true_negative_rate: Share
    agreement: Share
    kappa: Kappa
    repeat_flips: Share
    """Of items judged twice or more in the same words: those whose verdicts were not all the same."""
    order_flips: Share
    """Of items judged with the answers listed both ways: those whose verdicts differ."""
    confusion: dict[str, dict[str, int]]
    """Label -> verdict (or `not_judged`) -> items."""


class CheckReport(Strict):
    """All rubrics, and what the measuring took."""

    repeats: int
    rubrics: list[RubricCheck]
    judge: JudgeSummary


def share(part: int, whole: int) -> Share:
    """The share with its interval."""
    if whole == 0:
        return Share(part=0, whole=0, value=None, low=None, high=None)
    interval = wilson(part / whole, whole)
    return Share(
        part=part, whole=whole, value=part / whole,
        low=interval.low if interval else None, high=interval.high if interval else None,
    )  # fmt: skip


@dataclass
class _Seen:
    item: Item
    repeats: list[str | None] = field(default_factory=list)
    reversed: str | None = None
    fault: str | None = None
    """Of the first time of asking."""


async def check(
    labelled: Labelled,
    client: JudgeClient,
    repeats: int,
    rng_seed: int = 1,
    on_row: Callable[[Item, Question, Judged], None] | None = None,
) -> CheckReport:
    """Asks everything and measures.

    Args:
        repeats: how often each item is asked in the same words, at least 1.
        rng_seed: for the intervals of kappa.
        on_row: told of each verdict as it comes.
    """
    seen = {id(item): _Seen(item) for item in labelled.items}
    async for item, question, row in _asked(labelled.items, client, repeats):
        if on_row is not None:
            on_row(item, question, row)
        got = seen[id(item)]
        if question.order == "reversed":
            got.reversed = row.answer
            continue
        got.repeats.append(row.answer)
        if question.repeat == 0:
            got.fault = row.not_judged
    by_rubric: dict[str, list[_Seen]] = defaultdict(list)
    for got in seen.values():
        by_rubric[got.item.question.rubric.id].append(got)
    return CheckReport(
        repeats=repeats,
        rubrics=[_measure(by_rubric[name], labelled, rng_seed) for name in sorted(by_rubric)],
        judge=client.summary(),
    )


async def _asked(
    items: Sequence[Item], client: JudgeClient, repeats: int
) -> AsyncIterator[tuple[Item, Question, Judged]]:
    order: list[tuple[Item, Question]] = []

    def questions() -> Iterator[Question]:
        for item in items:
            ways = [replace(item.question, repeat=n) for n in range(repeats)]
            for question in (*ways, replace(item.question, order="reversed")):
                order.append((item, question))
                yield question

    n = 0
    async for row in client.stream(questions()):
        yield (*order[n], row)
        n += 1


def _measure(seen: list[_Seen], labelled: Labelled, rng_seed: int) -> RubricCheck:
    rubric = seen[0].item.question.rubric
    pairs = [(s.item, first) for s in seen if (first := s.repeats[0]) is not None]
    good = [v in rubric.good for item, v in pairs if item.label in rubric.good]
    bad = [v not in rubric.good for item, v in pairs if item.label not in rubric.good]
    often = [answers for s in seen if len(answers := [v for v in s.repeats if v is not None]) > 1]
    both = [(s.repeats[0], s.reversed) for s in seen if s.repeats[0] is not None and s.reversed is not None]
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for s in seen:
        confusion[s.item.label][s.repeats[0] or "not_judged"] += 1
    return RubricCheck(
        rubric=rubric.id,
        prompt_sha256=rubric.prompt_sha256,
        people=labelled.people.get(rubric.id, []),
        items=len(seen),
        unlabelled=labelled.unlabelled.get(rubric.id, 0),
        disputed=labelled.disputed.get(rubric.id, 0),
        clusters=len({s.item.cluster for s in seen}),
        labels={v: n for v in rubric.values if (n := sum(s.item.label == v for s in seen))},
        judged=share(len(pairs), len(seen)),
        not_judged=dict(sorted(Counter(s.fault for s in seen if s.fault is not None).items())),
        true_positive_rate=share(sum(good), len(good)),
        true_negative_rate=share(sum(bad), len(bad)),
        agreement=share(sum(item.label == v for item, v in pairs), len(pairs)),
        kappa=_kappa(rubric, pairs, rng_seed),
        repeat_flips=share(sum(len(set(answers)) > 1 for answers in often), len(often)),
        order_flips=share(sum(a != b for a, b in both), len(both)),
        confusion={label: dict(sorted(confusion[label].items())) for label in rubric.values if label in confusion},
    )


def _kappa(rubric: Rubric, pairs: list[tuple[Item, str]], rng_seed: int) -> Kappa:
    from oracle_scoring.sheets.kappa import Pair, kappa_interval  # needs scipy; the forms do not

    place = {value: n for n, value in enumerate(rubric.values)}
    found = kappa_interval(
        [Pair(item.cluster, place[item.label], place[v]) for item, v in pairs], len(place),
        "quadratic" if rubric.ordered else "nominal", rng_seed,
    )  # fmt: skip
    return Kappa(value=found.value, low=found.low, high=found.high, note=found.note)
