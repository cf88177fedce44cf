"""Numbers beside the verdicts: messages, questions, times, costs, and the simulated customer's own slips."""

from harness.errors import one_line
from harness.schema.events import (
    ReplySettled,
)
from harness.schema.scorecard import Measure
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.person import PRESS_S, WORDS_READ_PER_MINUTE, WORDS_TYPED_PER_MINUTE, person_time
from oracle_scoring.claims.review import shown_result
from oracle_scoring.claims.stuck import stuck
from oracle_scoring.compare import parse_amount
from oracle_scoring.corpus.models import CHECKS
from oracle_scoring.numbers import count_measure, customers_faults, times, turn_times


def measures(ctx: Context) -> list[Measure]:
    """All measures, in a fixed order; without events their values are None."""
    if not ctx.record.events:
        return [
            Measure(id="messages_sent", title="Messages sent", value=None, unit="messages", note="no events recorded")
        ]
    events = ctx.record.events
    waited = list(turn_times(events).values())
    return [
        *_conversation(ctx),
        *times(events),
        *_person(ctx, sum(waited) if waited else None),
        *_review(ctx),
        *customers_faults(events),
        *_costs(ctx),
    ]


def _conversation(ctx: Context) -> list[Measure]:
    attempt, talk = ctx.record.attempt, ctx.talk
    sent = [a for a in ctx.acts if a.act == "said" and a.confirmed]
    unsettled = [e for e in ctx.record.events if isinstance(e, ReplySettled) and not e.settled]
    retried = [a for a in ctx.acts if a.retries]
    last = ctx.record.events[-1]
    counted = "a sentence with a question mark or asking for facts counts once, or once per fact asked for"
    errors = [line for line in ctx.record.network or () if line.status is not None and line.status >= 500]
    return [
        count_measure("messages_sent", "Messages the customer sent", len(sent), "messages"),
        count_measure("questions_asked", "Questions the product asked", talk.questions, "questions", counted),
        count_measure(
            "repeated_questions",
            "Questions asked again after a right answer",
            len(talk.repeats),
            "questions",
            where=[r.ask.n for r in talk.repeats],
        ),
        count_measure(
            "nothing_to_do_replies",
            "Screens that left the customer nothing to do",
            len(talk.idle),
            "screens",
            "those at the very end of a submitted claim included" if any(i.last for i in talk.idle) else None,
            [i.n for i in talk.idle],
        ),
        count_measure(
            "retries", "Acts tried again", sum(a.retries for a in retried), "retries", where=[a.n for a in retried]
        ),
        count_measure(
            "unsettled_turns", "Replies that did not settle", len(unsettled), "replies", where=[e.n for e in unsettled]
        ),
        count_measure(
            "ended_in_turn",
            "Where the journey ended",
            max(e.turn for e in ctx.record.events),
            "turn",
            f"{attempt.termination_reason}: {attempt.why}",
            [last.n],
        ),
        _stuck(ctx),
        Measure(
            id="server_errors",
            title="Answers of the product's server with a status of 500 or more",
            value=None if ctx.record.network is None else float(len(errors)),
            unit="answers",
            note="network.jsonl was not recorded" if ctx.record.network is None else None,
        ),
    ]


def _stuck(ctx: Context) -> Measure:
    end = stuck(ctx)
    return Measure(
        id="stuck_in_turn",
        title="Where the journey stuck",
        value=float(end.turn) if end else None,
        unit="turn",
        note=one_line(end.why, 1000) if end else "it did not: it ended on a final state",
        evidence=end.evidence if end else [],
    )


def _person(ctx: Context, waited_ms: float | None) -> list[Measure]:
    """What the journey would take a person of ordinary skill; thinking and looking things up is not in it."""
    person = person_time(ctx)
    sources = {
        "reading": f"{WORDS_READ_PER_MINUTE:g} words a minute (Brysbaert 2019)",
        "typing": f"{WORDS_TYPED_PER_MINUTE:g} words a minute of five strokes (Dhakal and others 2018)",
        "pointing": f"{PRESS_S:g} s a press (Card, Moran and Newell 1980)",
    }
    parts = {"reading": person.reading_s, "typing": person.typing_s, "pointing": person.pointing_s}
    found = [
        Measure(
            id=f"person_{name}_ms",
            title=f"A person {name}, modelled",
            value=round(seconds * 1000, 3),
            unit="ms",
            note=sources[name],
        )
        for name, seconds in parts.items()
    ]
    total = None if waited_ms is None else round(waited_ms + person.all_s * 1000, 3)
    note = (
        "no reply was recorded" if total is None else "waiting for the product, reading, typing, pointing; no thinking"
    )
    title = "The journey with a person, modelled"
    return [*found, Measure(id="person_journey_ms", title=title, value=total, unit="ms", note=note)]


def _review(ctx: Context) -> list[Measure]:
    name, title = "review_not_checked", "Review checks the product says it did not make"
    results = {check: shown_result(ctx, check)[0] for check in CHECKS}
    unread = [check for check, result in results.items() if result is None]
    if unread:
        return [
            Measure(id=name, title=title, value=None, unit="checks", note=f"could not be read: {', '.join(unread)}")
        ]
    unchecked = [check for check, result in results.items() if result == "not_checked"]
    return [count_measure(name, title, len(unchecked), "checks", ", ".join(unchecked) or None)]


def _costs(ctx: Context) -> list[Measure]:
    found: list[Measure] = []
    file = ctx.record.usage
    usage = file.read if file else None
    if file and usage is None:
        found += _cost_lines("product", None, None, None, None, f"could not be read: {file.why}")
    if usage:
        found += _cost_lines("product", usage.calls, usage.tokens_in, usage.tokens_out, usage.cost, None)
    for cost in ctx.record.attempt.costs:
        if cost.role == "product" and file:
            continue
        why = None if cost.complete else f"incomplete: {cost.why_incomplete or 'no reason recorded'}"
        found += _cost_lines(cost.role, cost.calls, cost.tokens_in, cost.tokens_out, cost.cost, why)
    return found


def _cost_lines(
    role: str, calls: int | None, tokens_in: int | None, tokens_out: int | None, cost: str | None, note: str | None
) -> list[Measure]:
    def number(name: str, title: str, value: int | None, unit: str) -> Measure:
        why = note or ("not reported" if value is None else None)
        return Measure(
            id=f"{role}_{name}", title=title, value=None if value is None else float(value), unit=unit, note=why
        )

    amount = parse_amount(cost) if cost else None
    whose = f"{role.capitalize()}'s model"
    return [
        number("calls", f"{whose}: calls", calls, "calls"),
        number("tokens_in", f"{whose}: tokens in", tokens_in, "tokens"),
        number("tokens_out", f"{whose}: tokens out", tokens_out, "tokens"),
        Measure(
            id=f"{role}_cost",
            title=f"{whose}: cost",
            value=float(amount.number) if amount else None,
            unit=(amount.currency if amount else None) or "money",
            note=note or (None if amount else "not priced, which is not zero"),
        ),
    ]
