"""The way to the case number."""

from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.stuck import stuck
from oracle_scoring.lines import ATTEMPT, EVENTS, STATE, Head, at_event, in_file, line, listed


def journey_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.case_number`, `.completed`, `.one_case`, `.repeated_questions`, `.nothing_to_do`."""
    return [_case_number(ctx), _completed(ctx), _one_case(ctx), _repeated(ctx), _nothing_to_do(ctx)]


def _final(ctx: Context) -> tuple[str, Evidence] | None:
    """Visible text of the final state, and where."""
    seen = next((s for s in reversed(ctx.screens) if s.screen.final), None)
    return (seen.screen.final or "", at_event(seen.n, seen.screen.final)) if seen else None


def _case_number(ctx: Context) -> ScoreLine:
    head = Head("journey.case_number", "journey", "A case number, shown and stored, the same")
    final = _final(ctx)
    ended = in_file(ATTEMPT, "termination_reason", ctx.record.attempt.termination_reason)
    if ctx.no_state:
        if final is None:
            why = f"no screen showed a case number; the journey ended {ctx.record.attempt.termination_reason}"
            return line(head, "fail", why, [ended, in_file(EVENTS)])
        why = f"“{final[0]}” was shown, but {ctx.no_state}"
        return line(head, "not_checked", why, [final[1], in_file(STATE, "read")], got=final[0])
    number = ctx.case.number if ctx.case else None
    stored = in_file(STATE, f"{ctx.case_path}.number" if ctx.case else ctx.case_path, number)
    if number is None:
        if final is None:
            why = "there is none: nothing was stored and no screen showed one"
            return line(head, "fail", why, [stored, ended])
        why = f"shown but not stored: the screen says “{final[0]}”, the product holds no case number"
        return line(head, "fail", why, [final[1], stored], got=final[0])
    shown = ctx.shown_at(number)
    if shown:
        why = f"{number} was shown to the customer and is stored"
        return line(head, "pass", why, [at_event(shown[0], shown[1]), stored], expected=number, got=number)
    if final and any(c.isdigit() for c in final[0]):
        why = f"the screen says “{final[0]}”, the product stored {number}"
        return line(head, "fail", why, [final[1], stored], expected=number, got=final[0])
    why = f"stored but never shown: {number} is in the product's data and on no screen"
    return line(head, "fail", why, [stored, final[1] if final else ended, in_file(EVENTS)], expected=number)


def _completed(ctx: Context) -> ScoreLine:
    head = Head("journey.completed", "journey", "The claim was submitted")
    attempt = ctx.record.attempt
    ended = in_file(ATTEMPT, "termination_reason", attempt.termination_reason)
    end = stuck(ctx)
    where = f"the journey ended {end.why}" if end else "the journey ended on a final state"
    seen = end.evidence if end else []
    if ctx.no_state:
        if attempt.termination_reason == "completed":
            return line(head, "not_checked", ctx.no_state, [in_file(STATE, "read"), ended])
        return line(head, "fail", f"no final state was reached; {where}", [ended, in_file(STATE, "read"), *seen])
    path = f"{ctx.case_path}.status" if ctx.case else ctx.case_path
    status = ctx.case.status if ctx.case else None
    evidence = [in_file(STATE, path, status), ended]
    if status == "submitted":
        return line(head, "pass", "the product holds the claim as submitted", evidence, got=status)
    holds = "the product holds only a draft" if status else "the product holds no case"
    return line(head, "fail", f"{holds}; {where}", [*evidence, *seen], expected="submitted", got=status)


def _one_case(ctx: Context) -> ScoreLine:
    head = Head("journey.one_case", "journey", "One case for one claim")
    if ctx.record.state is None:
        return line(head, "not_checked", ctx.no_state or "", [in_file(STATE, "read")])
    cases = ctx.record.state.cases
    evidence = [in_file(STATE, "read.cases")]
    if not cases:
        return line(head, "not_applicable", "the product holds no case for this customer", evidence)
    names = listed(case.number or f"a {case.status}" for case in cases)
    if len(cases) > 1:
        why = f"one claim was told and the product holds {len(cases)} cases: {names}"
        return line(head, "fail", why, evidence, expected="1", got=str(len(cases)))
    return line(head, "pass", "the product holds one case", evidence, expected="1", got="1")


def _repeated(ctx: Context) -> ScoreLine:
    head = Head("journey.repeated_questions", "journey", "No fact asked for again after a right answer")
    if not ctx.talk.spoken:
        return line(head, "not_checked", "no reply of the product was recorded", [in_file(EVENTS)])
    found = ctx.talk.repeats
    if not found and ctx.talk.unclear_screens:
        why = "a part of a screen was cut or could not be read, so a question may have been missed"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.talk.unclear_screens], expected="0")
    if not found and not ctx.talk.questions:
        why = "the product asked nothing"
        return line(head, "not_applicable", why, [at_event(s.n) for s in ctx.talk.spoken[-1:]], expected="0")
    if not found:
        why = f"none among {ctx.talk.questions} questions"
        return line(head, "pass", why, [at_event(s.n) for s in ctx.talk.spoken[-1:]], expected="0", got="0")
    said = listed(f"{r.ask.fact} in turn {r.ask.turn} (told at event {r.told.n})" for r in found)
    evidence = [e for r in found for e in (at_event(r.ask.n, r.ask.sentence), at_event(r.told.n))]
    why = f"asked again after a right answer: {said}"
    return line(head, "fail", why, evidence, expected="0", got=str(len(found)))


def _nothing_to_do(ctx: Context) -> ScoreLine:
    """Screens after the claim was submitted are let off: then there is nothing to do, whether the number shows or not."""
    head = Head("journey.nothing_to_do", "journey", "No reply that leaves the customer nothing to do")
    submitted = ctx.case is not None and ctx.case.status == "submitted"
    found = [i for i in ctx.talk.idle if not (submitted and i.last)]
    if found:
        turns = listed(str(i.turn) for i in found)
        why = f"no question, no request, nothing to press and no final state after the reply in turn {turns}"
        evidence = [at_event(i.n, i.reply or None) for i in found]
        return line(head, "fail", why, evidence, expected="0", got=str(len(found)))
    if not ctx.talk.judged_screens:
        why = "no screen after a settled reply was recorded"
        return line(head, "not_checked", why, [in_file(EVENTS)], expected="0")
    if ctx.talk.unclear_screens:
        why = "a part of a screen was cut or could not be read, so nothing can be said about it"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.talk.unclear_screens], expected="0")
    why = f"each of {ctx.talk.judged_screens} replies asked for something, offered something or ended the journey"
    return line(head, "pass", why, [in_file(EVENTS)], expected="0", got="0")
