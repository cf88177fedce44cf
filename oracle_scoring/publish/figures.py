"""Figures from scorecards: every share with its numerator, denominator, what is outside, and how sure it is."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from harness.schema.scorecard import LineState, Scorecard
from oracle_scoring.kleene import count
from oracle_scoring.publish.criteria import Criterion
from oracle_scoring.publish.intervals import Interval, Statistic, bootstrap, pass_hat_k, wilson
from oracle_scoring.publish.models import Met, Number, Outside, Repeats, Share

MAX_NAMED = 1_000
"""Journeys named under a figure; a larger run is read in its report."""


@dataclass(frozen=True)
class Journey:
    """One counting journey."""

    name: str
    """`run/package/t01/a01`."""
    card: Scorecard


def share(criterion: Criterion, journeys: Sequence[Journey]) -> Share:
    """The share of journeys for which the criterion holds.

    Where packages were played once each the interval is Wilson's over journeys. Repeats of one package are not
    independent: with repeats it is Wilson's over packages, each with its own share.
    """
    states = [(journey, criterion.state(journey.card)) for journey in journeys]
    passed = sum(state == "pass" for _, state in states)
    decided = [(journey, state) for journey, state in states if state in ("pass", "fail")]
    outside = _outside(state for _, state in states)
    value = passed / len(decided) if decided else None
    units = len({journey.card.package for journey, _ in decided})
    interval = wilson(value, units) if value is not None else None
    reach = len(decided) + outside.unknown
    met, why = _met(criterion, value, len(decided), outside, interval)
    return Share(
        id=criterion.id, title=criterion.title, counts=criterion.counts, numerator=passed, denominator=len(decided), value=value,
        interval=interval, outside=outside, if_unknown_failed=passed / reach if reach else None,
        if_unknown_passed=(passed + outside.unknown) / reach if reach else None, target=_target(criterion), met=met, met_why=why,
        failed=[journey.name for journey, state in states if state == "fail"][:MAX_NAMED],
        unknown=[j.name for j, s in states if s not in ("pass", "fail", "not_applicable")][:MAX_NAMED],
    )  # fmt: skip


def _outside(states: Iterable[LineState]) -> Outside:
    found = count(states)
    return Outside(
        not_applicable=found["not_applicable"], not_checked=found["not_checked"],
        unimplemented=found["unimplemented"], needs_human=found["needs_human"],
    )  # fmt: skip


def _target(criterion: Criterion) -> str | None:
    if criterion.at_least is None:
        return None
    return "every journey" if criterion.at_least == 1.0 else f"at least {criterion.at_least:.0%}"


def _met(
    criterion: Criterion, value: float | None, n: int, outside: Outside, interval: Interval | None
) -> tuple[Met | None, str | None]:
    """Whether the target is met, and why it is not said more surely.

    Journeys that are outside for want of knowledge can turn a figure: it is decided only if they could not.
    """
    target = criterion.at_least
    if target is None:
        return None, None
    if value is None or interval is None:
        return "not decided", "no journey was decided"
    low, high = value * n / (n + outside.unknown), (value * n + outside.unknown) / (n + outside.unknown)
    if low < target <= high and outside.unknown:
        return "not decided", f"{outside.unknown} journeys are outside for want of knowledge and could turn it"
    if value < target:
        reaches = target < 1.0 and interval.high >= target
        return "not met", "the interval reaches above the target" if reaches else None
    if target == 1.0:
        return "met", f"up to {1 - interval.low:.0%} may still fail of journeys like these"
    return "met", "the interval reaches below the target" if interval.low < target else None


def number(
    measure_id: str, statistic: Statistic, journeys: Sequence[Journey], pick: Callable[[Scorecard], float | None]
) -> Number | None:
    """Mean or median over packages of a measure; None if no scorecard has such a measure."""
    kinds = [m for journey in journeys for m in journey.card.measures if m.id == measure_id]
    if not kinds:
        return None
    values = per_package(journeys, pick)
    held = list(values.values())
    packages = len({journey.card.package for journey in journeys})
    shown = None if not held else fmean(held) if statistic == "mean" else median(held)
    notes = Counter(m.note for m in kinds if m.value is None and m.note)
    return Number(
        id=measure_id, title=kinds[0].title, unit=kinds[0].unit, statistic=statistic, value=shown,
        interval=bootstrap(held, statistic) if held else None, packages=len(held), without=packages - len(held),
        note=notes.most_common(1)[0][0] if notes else None,
    )  # fmt: skip


def per_package(journeys: Iterable[Journey], pick: Callable[[Scorecard], float | None]) -> dict[str, float]:
    """Package -> mean of its repeats; a package none of whose repeats has a value is left out."""
    found: dict[str, list[float]] = {}
    for journey in journeys:
        value = pick(journey.card)
        if value is not None:
            found.setdefault(journey.card.package, []).append(value)
    return {package: fmean(values) for package, values in sorted(found.items())}


def measure(measure_id: str) -> Callable[[Scorecard], float | None]:
    """Reads one measure of a scorecard."""
    return lambda card: next((m.value for m in card.measures if m.id == measure_id), None)


def repeats(criterion: Criterion, journeys: Sequence[Journey], k: int) -> Repeats:
    """pass^k: the mean over packages of C(c, k) / C(n, k), for c passed of n decided repeats of a package."""
    tries = decided(criterion, journeys)
    values = [pass_hat_k(passed, of, k) for passed, of in tries.values() if of >= k]
    value = fmean(values) if values else None
    return Repeats(
        id=criterion.id, title=criterion.title, k=k, value=value, interval=wilson(value, len(values)) if value is not None else None,
        packages=len(values), too_few=len({j.card.package for j in journeys}) - len(values),
    )  # fmt: skip


def decided(criterion: Criterion, journeys: Iterable[Journey]) -> Mapping[str, tuple[int, int]]:
    """Package -> repeats that passed, repeats that were decided."""
    found: dict[str, tuple[int, int]] = {}
    for journey in journeys:
        state = criterion.state(journey.card)
        if state in ("pass", "fail"):
            passed, of = found.get(journey.card.package, (0, 0))
            found[journey.card.package] = (passed + (state == "pass"), of + 1)
    return found
