"""Review signals, check by check; false alarms and misses apart.

`not_checked` never means `clear`: a product that says the one where the label says the other fails, without being counted
as a false alarm or a miss.
"""

from typing import Literal

from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.corpus.models import CHECKS, Check
from oracle_scoring.lines import STAFF, STATE, Head, in_file, line

TITLES: dict[Check, str] = {
    "receipt_after_incident": "Receipt dated after the incident",
    "quote_before_incident": "Quote dated before the incident",
    "prior_claims_within_year": "Two or more other claims within a year",
    "loss_within_30_days_of_inception": "Loss within 30 days of the start of cover",
}


def review_lines(ctx: Context) -> list[ScoreLine]:
    """`review.<check>` for the four checks, then `review.required`."""
    return [*(_check(ctx, check) for check in CHECKS), _required(ctx)]


def shown_result(ctx: Context, check: Check) -> tuple[str | None, str, list[Evidence]]:
    """Result of one check (empty if the product gives none, None if it could not be read), where read, evidence."""
    rows = ctx.staff_list("review_checks")
    doubt = ctx.no_staff("review signals") if rows is None else "the staff page does not list this check"
    for index, row in enumerate(rows or []):
        if ctx.code("review_check", row.cells.get("check", "")) != check:
            continue
        words = row.cells.get("result", "")
        code = ctx.code("review_result", words)
        if code:
            return code, "on the staff page", [in_file(STAFF, f"lists.review_checks.{index}.cells.result", words)]
        doubt = f"the staff page says “{words}”, which the adapter's vocabulary does not know"
    if ctx.no_state:
        return None, f"{doubt}; {ctx.no_state}", [in_file(STAFF, "lists.review_checks"), in_file(STATE, "read")]
    path = f"{ctx.case_path}.review"
    result = ctx.case.review.checks.get(check) if ctx.case and ctx.case.review else None
    evidence = [
        in_file(STATE, f"{path}.checks.{check}" if result else path, result),
        in_file(STAFF, "lists.review_checks"),
    ]
    return result or "", f"in the product's state ({doubt})", evidence


def _check(ctx: Context, check: Check) -> ScoreLine:
    label = ctx.labels.review_checks.by_name()[check]
    want = label.result
    got, source, evidence = shown_result(ctx, check)
    head = Head(f"review.{check}", "review", TITLES[check])
    if got is None:
        return line(head, "not_checked", source, evidence, expected=want)
    if got == want:
        return line(head, "pass", f"the check says {got}, read {source}", evidence, expected=want, got=got)
    alarm = _alarm(want == "hit", got == "hit")
    kind = {"false_alarm": "a false alarm: ", "miss": "a miss: ", None: ""}[alarm]
    says = f"says {got}" if got else "gives no result"
    because = f" ({label.reason})" if label.reason else ""
    why = f"{kind}the check {says}, right is {want}{because}; read {source}"
    return line(head, "fail", why, evidence, expected=want, got=got or None, alarm=alarm)


def _alarm(want: bool, got: bool) -> Literal["false_alarm", "miss"] | None:
    return None if want == got else "miss" if want else "false_alarm"


def _required(ctx: Context) -> ScoreLine:
    want = "yes" if ctx.labels.review_required else "no"
    head = Head("review.required", "review", "Whether a person should look")
    words = ctx.staff_field("review_required")
    got = ctx.code("review_required", words) if words is not None else None
    source, evidence = "on the staff page", [in_file(STAFF, "fields.review_required", words)]
    if got is None:
        doubt = ctx.no_staff("review mark") if words is None else f"the staff page's “{words}” is not in the vocabulary"
        if ctx.no_state:
            return line(head, "not_checked", f"{doubt}; {ctx.no_state}", evidence, expected=want)
        review = ctx.case.review if ctx.case else None
        source = f"in the product's state ({doubt})"
        evidence = [in_file(STATE, f"{ctx.case_path}.review{'.required' if review else ''}"), *evidence]
        got = "" if review is None else "yes" if review.required else "no"
    if got == want:
        control = f"; innocent control ({ctx.labels.innocent_control})" if ctx.labels.innocent_control else ""
        why = f"review needed: {got}, as the checks' rule says{control}, read {source}"
        return line(head, "pass", why, evidence, expected=want, got=got)
    if not got:
        alarm = _alarm(want == "yes", False)
        return line(head, "fail", f"the product gave no answer, read {source}", evidence, expected=want, alarm=alarm)
    alarm = _alarm(want == "yes", got == "yes")
    kind = "a false alarm" if alarm == "false_alarm" else "a miss"
    why = f"{kind}: review needed: {got}, right is {want}; read {source}"
    return line(head, "fail", why, evidence, expected=want, got=got, alarm=alarm)
