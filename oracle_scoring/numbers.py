"""Numbers of a journey that do not depend on what it is about: times, counts, and the simulated customer's own slips."""

import math
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import get_args

from harness.schema.events import (
    Acted,
    CaptureFailed,
    Event,
    MoveDecided,
    MoveRejected,
    ReplySettled,
    ScreenSeen,
    Slip,
    SlipKind,
)
from harness.schema.scorecard import Evidence, Measure
from oracle_scoring.lines import at_event


def count_measure(
    name: str, title: str, value: int, unit: str, note: str | None = None, where: list[int] | None = None
) -> Measure:
    """A number that was counted, and the events it was counted at."""
    evidence: list[Evidence] = [at_event(n) for n in where or []]
    return Measure(id=name, title=title, value=float(value), unit=unit, note=note, evidence=evidence)


def percentile(values: list[float], share: float) -> float:
    """Nearest-rank percentile: the smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def turn_times(events: Sequence[Event]) -> dict[int, float]:
    """Turn -> milliseconds the customer waited for the product in it; an unsettled reply counts up to the cap.

    Turn 0, the opening of the page, is none.
    """
    times: dict[int, float] = {}
    for event in events:
        if isinstance(event, ReplySettled) and event.turn > 0:
            times[event.turn] = times.get(event.turn, 0.0) + event.total_ms
    return times


def times(events: Sequence[Event]) -> list[Measure]:
    """How long turns took and who was waited for; the record holds at least one event."""
    by_turn = turn_times(events)
    open_ended = sum(1 for e in events if isinstance(e, ReplySettled) and not e.settled)
    note = f"{open_ended} unsettled replies count up to the cap, so this is a lower bound" if open_ended else None
    values = list(by_turn.values())
    longest = max(by_turn, key=lambda t: (by_turn[t], -t)) if by_turn else None

    def timed(name: str, title: str, value: float | None, why: str | None = note) -> Measure:
        missing = "no reply was recorded" if value is None else why
        return Measure(id=name, title=title, value=None if value is None else round(value, 3), unit="ms", note=missing)

    decided = [e.decide_ms for e in events if isinstance(e, MoveDecided)]
    rig = sum(
        e.read_ms
        if isinstance(e, ScreenSeen)
        else e.act_ms
        if isinstance(e, Acted)
        else max(0.0, e.waited_ms - e.total_ms)
        if isinstance(e, ReplySettled)
        else 0.0
        for e in events
    )
    return [
        timed("turn_median_ms", "Median turn", median(values) if values else None),
        timed("turn_p95_ms", "95th percentile of turns", percentile(values, 0.95) if values else None),
        timed(
            "turn_longest_ms",
            "Longest turn",
            max(values) if values else None,
            f"turn {longest}" + (f"; {note}" if note else ""),
        ),
        timed("wait_product_ms", "Waiting for the product", sum(values) if values else None),
        timed("wait_customer_ms", "The customer deciding", sum(decided), "of the moves that were carried out"),
        timed("wait_rig_ms", "The rig acting, reading and making sure that a reply is over", rig, None),
        timed("wall_ms", "The whole journey by the clock", events[-1].t_ms - events[0].t_ms, None),
    ]


def customers_faults(events: Sequence[Event]) -> list[Measure]:
    """The simulator's own faults; no line of the product is decided by them."""
    slips = [e for e in events if isinstance(e, Slip)]
    kinds = Counter(e.slip for e in slips)
    severity = Counter(e.severity for e in slips)
    rejected = [e for e in events if isinstance(e, MoveRejected)]
    stand_ins = [e for e in events if isinstance(e, MoveDecided) and e.by == "stand_in"]
    lost = [e for e in events if isinstance(e, CaptureFailed)]
    summary = ", ".join(f"{n} {word}" for word, n in sorted(severity.items())) or None
    return [
        count_measure("slips", "Slips of the simulated customer", len(slips), "slips", summary, [e.n for e in slips]),
        *(
            count_measure(
                f"slips_{kind}",
                f"Slips: {kind.replace('_', ' ')}",
                kinds[kind],
                "slips",
                f"{sum(e.delivered for e in slips if e.slip == kind)} reached the product",
                [e.n for e in slips if e.slip == kind],
            )
            for kind in get_args(SlipKind)
            if kinds[kind]
        ),
        count_measure(
            "moves_rejected", "Moves refused before sending", len(rejected), "moves", where=[e.n for e in rejected]
        ),
        count_measure(
            "stand_ins", "Moves replaced by “I don't know”", len(stand_ins), "moves", where=[e.n for e in stand_ins]
        ),
        count_measure(
            "capture_failed", "Evidence that could not be taken", len(lost), "pieces", where=[e.n for e in lost]
        ),
    ]
