"""How much the product asks of a customer: questions, and time."""

from harness.schema.events import ReplySettled
from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.person import person_time
from oracle_scoring.lines import ATTEMPT, EVENTS, Head, at_event, in_file, line, listed

MOST_QUESTIONS = 10
"""A claim takes fewer questions than this: the acceptance rule of the product."""
JOURNEY_LIMIT_S = 300.0
"""A claim takes less time than this, "under five minutes": the acceptance rule of the product."""
SLOW_REPLY_S = 30.0
"""No single reply may take longer. Beyond ten seconds people turn to something else (J. Nielsen, "Usability engineering",
1993, ch. 5); three times that is beyond doubt, and leaves a model that thinks before it answers its time."""


def pace_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.question_count`, `.under_five_minutes`, `.slow_turn`."""
    return [_question_count(ctx), _under_five_minutes(ctx), _slow_turn(ctx)]


def _question_count(ctx: Context) -> ScoreLine:
    head = Head("journey.question_count", "journey", f"Fewer than {MOST_QUESTIONS} questions")
    expected = f"fewer than {MOST_QUESTIONS}"
    if not ctx.talk.spoken:
        return line(head, "not_checked", "no reply of the product was recorded", [in_file(EVENTS)], expected=expected)
    asked = ctx.talk.questions
    last = at_event(ctx.talk.spoken[-1].n)
    if asked >= MOST_QUESTIONS:
        evidence = [at_event(a.n, a.sentence) for a in ctx.talk.asks]
        why = f"the product asked {asked} questions; each fact a sentence asks for counts"
        return line(head, "fail", why, evidence or [last], expected=expected, got=str(asked))
    if ctx.unclear:
        why = "a part of a screen was cut or could not be read, so a question may have been missed"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.unclear], expected=expected, got=str(asked))
    if not ctx.reached_end:
        why = f"after {asked} questions the claim was not sent, so how many it takes is not known"
        return line(head, "not_checked", why, [_ended(ctx), last], expected=expected, got=str(asked))
    why = f"the product asked {asked} questions; each fact a sentence asks for counts"
    return line(head, "pass", why, [last], expected=expected, got=str(asked))


def _ended(ctx: Context) -> Evidence:
    return in_file(ATTEMPT, "termination_reason", ctx.record.attempt.termination_reason)


def replies(ctx: Context) -> list[ReplySettled]:
    """The product's reactions to the customer, in order; the opening of the page is none."""
    return [e for e in ctx.record.events if isinstance(e, ReplySettled) and e.turn > 0]


def _under_five_minutes(ctx: Context) -> ScoreLine:
    head = Head("journey.under_five_minutes", "journey", "Under five minutes, a person's reading and typing included")
    expected = f"under {JOURNEY_LIMIT_S:g} s"
    waits = replies(ctx)
    if not waits:
        return line(head, "not_checked", "no reply of the product was recorded", [in_file(EVENTS)], expected=expected)
    person = person_time(ctx)
    waited = sum(e.total_ms for e in waits) / 1000
    total = waited + person.all_s
    parts = (
        f"{waited:.1f} s waiting for the product, {person.reading_s:.0f} s reading, {person.typing_s:.0f} s typing,"
        f" {person.pointing_s:.0f} s pointing"
    )
    got = f"{total:.0f} s"
    longest = max(waits, key=lambda e: e.total_ms)
    evidence = [at_event(longest.n), in_file(EVENTS)]
    if total >= JOURNEY_LIMIT_S:
        return line(head, "fail", f"it takes {got}: {parts}", evidence, expected=expected, got=got)
    if not ctx.reached_end:
        why = f"after {got} the claim was not sent, so how long it takes is not known"
        return line(head, "not_checked", why, [_ended(ctx), *evidence], expected=expected, got=got)
    return line(head, "pass", f"it takes {got}: {parts}", evidence, expected=expected, got=got)


def _slow_turn(ctx: Context) -> ScoreLine:
    limit = min(SLOW_REPLY_S, ctx.record.adapter.slow_reply_s or SLOW_REPLY_S)
    head = Head("journey.slow_turn", "journey", "No reply that took too long")
    expected = f"at most {limit:g} s"
    whose = "" if limit == SLOW_REPLY_S else " (the adapter's own limit)"
    waits = replies(ctx)
    if not waits:
        return line(head, "not_checked", "no reply of the product was recorded", [in_file(EVENTS)], expected=expected)
    longest = max(waits, key=lambda e: e.total_ms)
    got = f"{longest.total_ms / 1000:.1f} s"
    slow = [e for e in waits if e.total_ms > limit * 1000]
    if slow:
        turns = listed(f"turn {e.turn} ({_took(e)})" for e in slow)
        why = f"longer than {limit:g} s{whose}: {turns}"
        return line(head, "fail", why, [at_event(e.n) for e in slow], expected=expected, got=got)
    why = f"the longest of {len(waits)} replies took {got}{whose}"
    return line(head, "pass", why, [at_event(longest.n)], expected=expected, got=got)


def _took(reply: ReplySettled) -> str:
    seconds = f"{reply.total_ms / 1000:.1f} s"
    return seconds if reply.settled else f"{seconds} and not over"
