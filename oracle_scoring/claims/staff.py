"""The staff side as its pages show it, held against what the customer said and what the product stores."""

from dataclasses import dataclass, field

from harness.schema.scorecard import ScoreLine
from harness.schema.visible import Wish
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.review import shown_result
from oracle_scoring.compare import compare_account, contains_words, fold_text, no_value
from oracle_scoring.corpus.models import CHECKS
from oracle_scoring.lines import STAFF, STATE, Head, at_event, in_file, line, listed

SHORTEST_PART = 8
"""A staff entry that is a part of what the customer said has at least this many characters."""


def staff_lines(ctx: Context) -> list[ScoreLine]:
    """`staff.case_listed`, `.triage_matches_state`, `.questions`, `.contact_requests`, `.explanation_beside_alert`."""
    return [
        _case_listed(ctx),
        _triage_matches(ctx),
        _notes(ctx, "staff.questions", "questions", "question", "The customer's questions stand in the staff list"),
        _notes(
            ctx, "staff.contact_requests", "contact_requests", "contact", "Wishes to be contacted stand in the list"
        ),
        _explanation(ctx),
    ]


def _case_listed(ctx: Context) -> ScoreLine:
    head = Head("staff.case_listed", "staff", "Staff find the case")
    staff = ctx.record.staff
    if staff is None or (not staff.found and not staff.pages):
        why = ctx.no_staff("case") if staff is None else f"no staff page could be read: {staff.why_not}"
        return line(head, "not_checked", why, [in_file(STAFF, "found" if staff else None)])
    if not staff.found:
        why = f"the case is not in the work list: {staff.why_not or 'no reason recorded'}"
        return line(head, "fail", why, [in_file(STAFF, "found", "false")])
    shown, stored = staff.fields.get("case_number"), ctx.case.number if ctx.case else None
    if stored and shown and not contains_words(shown, stored):
        evidence = [in_file(STAFF, "fields.case_number", shown), in_file(STATE, f"{ctx.case_path}.number", stored)]
        why = f"the staff page shows the number “{shown}”, the product stored {stored}"
        return line(head, "fail", why, evidence, expected=stored, got=shown)
    return line(head, "pass", "the case is in the work list", [in_file(STAFF, "found", "true")], got=shown)


def _triage_matches(ctx: Context) -> ScoreLine:
    head = Head("staff.triage_matches_state", "staff", "Staff see the triage that is stored")
    level, reasons = ctx.staff_field("triage_level"), ctx.staff_field("triage_reasons")
    evidence = [in_file(STAFF, "fields.triage_level", level), in_file(STAFF, "fields.triage_reasons", reasons)]
    evidence.append(in_file(STATE, f"{ctx.case_path}.triage"))
    if level is None:
        return line(head, "not_checked", ctx.no_staff("triage level"), evidence)
    if ctx.no_state:
        return line(head, "not_checked", ctx.no_state, evidence)
    levels, left = ctx.codes("triage_level", level)
    shown, rest = ctx.codes("triage_reason", reasons or "")
    stored = ctx.case.triage if ctx.case else None
    if stored is None:
        if levels or shown:
            why = f"staff see “{level}”, but the product stores no triage"
            return line(head, "fail", why, evidence, got=level)
        return line(head, "not_applicable", "the product stores no triage and staff see none", evidence)
    if (left and not levels) or rest:
        why = f"the adapter's vocabulary does not know “{left if left and not levels else rest}”"
        return line(head, "not_checked", why, evidence, expected=stored.level)
    want = f"{stored.level}: {listed(sorted(stored.reasons))}"
    got = f"{listed(levels)}: {listed(shown)}"
    if levels != [stored.level]:
        return line(
            head,
            "fail",
            f"staff see level {listed(levels)}, stored is {stored.level}",
            evidence,
            expected=want,
            got=got,
        )
    if reasons is None:
        return line(head, "not_checked", ctx.no_staff("triage reasons"), evidence, expected=want, got=listed(levels))
    if shown != sorted(stored.reasons):
        why = f"staff see the reasons {listed(shown)}, stored are {listed(sorted(stored.reasons))}"
        return line(head, "fail", why, evidence, expected=want, got=got)
    return line(head, "pass", "level and reasons are the stored ones", evidence, expected=want, got=got)


# Questions and contact requests ----------------------------------------------------------------------------------------


def _is(text: str, wish: Wish) -> bool | None:
    """The entry is the wish: the same text, the message that held it, or a part of it that is long enough.

    None: it may be, in other words, which a person has to say.
    """
    shown, said = fold_text(text), fold_text(wish.say)
    if shown and (said in shown or (len(shown) >= SHORTEST_PART and contains_words(said, shown))):
        return True
    return None if compare_account(wish.say, text).same is None else False


def _was_said(ctx: Context, text: str) -> bool:
    """The entry is something else the customer said, or says it in other words."""
    shown = fold_text(text)
    for act in ctx.said:
        said = fold_text(act.text)
        if shown in said or (len(said) >= SHORTEST_PART and said in shown):
            return True
        if compare_account(text, act.text).same is not False:
            return True
    return False


def _pressed(ctx: Context, wish_n: int) -> bool:
    """The wish was put by pressing a button, so the entry's words are the product's."""
    turn = next(e.turn for e in ctx.ledger if e.n == wish_n)
    return any(a.act == "pressed" and a.turn == turn for a in ctx.acts)


@dataclass
class _Matching:
    """Wishes held against the entries of a staff list."""

    problems: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    found: int = 0
    answered: int = 0


def _match(ctx: Context, wishes: list[Wish], put: dict[str, int], texts: list[str]) -> _Matching:
    result = _Matching()
    notes = [n.text for n in (ctx.case.notes if ctx.case else []) if n.status == "answered"]
    strange = [t for t in texts if all(_is(t, w) is False for w in wishes) and not _was_said(ctx, t)]
    for wish in wishes:
        times = sum(_is(text, wish) is True for text in texts)
        if times > 1:
            result.problems.append(f"listed {times} times: “{wish.say}”")
        elif times == 1:
            result.found += 1
        elif any(_is(text, wish) is True for text in notes):
            result.answered += 1
        elif maybe := [text for text in texts if _is(text, wish) is None]:
            result.unsure.append(f"“{maybe[0]}” may be “{wish.say}” in other words")
        elif strange and _pressed(ctx, put[wish.id]):
            strange.pop(0)
            result.found += 1
        else:
            result.problems.append(f"put by the customer and not in the list: “{wish.say}”")
    result.problems += [f"in the list and never said by the customer: “{text}”" for text in strange]
    return result


def _notes(ctx: Context, line_id: str, name: str, kind: str, title: str) -> ScoreLine:
    head = Head(line_id, "staff", title)
    put = {e.id: e.n for e in ctx.ledger if e.entry == "wish_put"}
    wishes = [w for w in ctx.visible.facts.wishes if w.kind == kind and w.id in put]
    asked = [at_event(put[w.id], w.say) for w in wishes]
    rows = ctx.staff_list(name)
    here = in_file(STAFF, f"lists.{name}")
    expected = listed(f"“{w.say}”" for w in wishes)
    if rows is None:
        staff = ctx.record.staff
        if staff and not staff.found and staff.pages and wishes:
            why = f"the customer put {expected}, and staff cannot find the case"
            return line(head, "fail", why, [here, *asked], expected=expected)
        return line(head, "not_checked", ctx.no_staff(name.replace("_", " ")), [here, *asked], expected=expected)
    texts = [r.cells.get("text", "") for r in rows]
    got = listed(f"“{text}”" for text in texts)
    result = _match(ctx, wishes, put, texts)
    if result.problems:
        return line(head, "fail", "; ".join(result.problems), [here, *asked], expected=expected, got=got)
    if not wishes:
        left = [w for w in ctx.visible.facts.wishes if w.kind == kind]
        why = "the customer had none" if not left else "the journey ended before the customer put it"
        return line(head, "not_applicable", why, [here], got=got)
    if result.unsure:
        why = f"a person has to say: {'; '.join(result.unsure)}"
        return line(head, "needs_human", why, [here, *asked], referee="human", expected=expected, got=got)
    told = f"{result.found} in the list" + (f", {result.answered} stored as answered" if result.answered else "")
    return line(
        head, "pass", f"of {len(wishes)} put by the customer: {told}", [here, *asked], expected=expected, got=got
    )


# Explanation -----------------------------------------------------------------------------------------------------------


def _explanation(ctx: Context) -> ScoreLine:
    """Where a check hits and the customer explained, the explanation has to stand beside the alert."""
    head = Head("staff.explanation_beside_alert", "staff", "The customer's explanation stands beside the alert")
    results = {check: shown_result(ctx, check) for check in CHECKS}
    hits = [check for check, (result, _, _) in results.items() if result == "hit"]
    here = in_file(STAFF, "lists.review_checks")
    if all(result is None for result, _, _ in results.values()):
        return line(head, "not_checked", results[CHECKS[0]][1], [here])
    if not hits:
        return line(head, "not_applicable", "no check raised an alert", [here])
    told = [e for e in ctx.ledger if e.entry == "fact_told" and "explanation" in e.id.split("_")]
    texts = [ctx.facts[e.id].say for e in told if e.id in ctx.facts]
    review = ctx.case.review if ctx.case else None
    kept = review.explanation if review and review.explanation and not no_value(review.explanation) else None
    if not told and not kept:
        return line(head, "not_applicable", "the customer gave no explanation", [here])
    evidence = [here, in_file(STAFF, "fields.explanation"), *(at_event(e.n) for e in told)]
    rows = ctx.staff_list("review_checks")
    if rows is None:
        return line(head, "not_checked", ctx.no_staff("review signals"), evidence)
    expected = kept or listed(texts)
    shown = [r.cells.get("explanation", "") for r in rows if ctx.code("review_check", r.cells.get("check", "")) in hits]
    shown.append(ctx.staff_field("explanation") or "")
    wanted = [kept] if kept else texts
    got = listed(f"“{s}”" for s in shown if s.strip())
    if any(_same_words(want, text) for want in wanted for text in shown):
        why = f"the explanation stands beside {listed(hits)}"
        return line(head, "pass", why, evidence, expected=expected, got=got)
    why = f"{listed(hits)} alerts, the customer explained, and staff do not see the explanation there"
    return line(head, "fail", why, evidence, expected=expected, got=got)


def _same_words(one: str, other: str) -> bool:
    a, b = fold_text(one), fold_text(other)
    return bool(a and b) and (a in b or (len(b) >= SHORTEST_PART and b in a))
