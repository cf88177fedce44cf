"""Triage as staff see it: level, reasons that must be shown, reasons that may be."""

from dataclasses import dataclass

from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.lines import STAFF, STATE, Head, in_file, line, listed


@dataclass(frozen=True)
class _Seen:
    """One piece of the product's triage."""

    value: list[str] | None
    """Codes; None if it could not be read anywhere, empty if the product gave none."""
    source: str
    """Where it was read, in words."""
    evidence: list[Evidence]


def triage_lines(ctx: Context) -> list[ScoreLine]:
    """`triage.level`, `triage.required_reasons`, `triage.allowed_reasons`."""
    return [_level(ctx), _required(ctx), _allowed(ctx)]


def _read(ctx: Context, field: str) -> _Seen:
    """The staff page's words if the vocabulary knows them all, else the product's state."""
    words = ctx.staff_field(field)
    name = field.removesuffix("s")
    if words is not None:
        codes, rest = ctx.codes(name, words)
        if codes and not rest:
            return _Seen(codes, "on the staff page", [in_file(STAFF, f"fields.{field}", words)])
        shown = [in_file(STAFF, f"fields.{field}", words)]
        doubt = f"the staff page says “{words}”, which the adapter's vocabulary does not know" if rest else ""
    else:
        shown = [in_file(STAFF, f"fields.{field}")]
        doubt = ctx.no_staff(field.replace("_", " "))
    if ctx.no_state:
        return _Seen(None, "; ".join(d for d in (doubt, ctx.no_state) if d), [*shown, in_file(STATE, "read")])
    triage = ctx.case.triage if ctx.case else None
    path = f"{ctx.case_path}.triage"
    if triage is None:
        return _Seen([], f"in the product's state{_because(doubt)}", [*shown, in_file(STATE, path)])
    value, quote = ([triage.level], triage.level) if name == "triage_level" else (triage.reasons, None)
    where = f"{path}.{'level' if name == 'triage_level' else 'reasons'}"
    source = f"in the product's state{_because(doubt)}"
    return _Seen(sorted(value), source, [in_file(STATE, where, quote), *shown])


def _because(doubt: str) -> str:
    return f" ({doubt})" if doubt else ""


def _level(ctx: Context) -> ScoreLine:
    want, seen = ctx.labels.triage.level, _read(ctx, "triage_level")
    head = Head("triage.level", "triage", "Triage level")
    if seen.value is None:
        return line(head, "not_checked", seen.source, seen.evidence, expected=want)
    if not seen.value:
        return line(head, "fail", f"no triage level was given, read {seen.source}", seen.evidence, expected=want)
    got = listed(seen.value)
    if seen.value == [want]:
        return line(head, "pass", f"the level is {want}, read {seen.source}", seen.evidence, expected=want, got=got)
    order = ("simple", "standard", "complex", "urgent")
    way = "more than one level"
    if len(seen.value) == 1 and got in order:
        way = "too high" if order.index(got) > order.index(want) else "too low"
    why = f"the level is {got} instead of {want} ({way}), read {seen.source}"
    return line(head, "fail", why, seen.evidence, expected=want, got=got)


def _required(ctx: Context) -> ScoreLine:
    want, seen = ctx.labels.triage.required_reasons, _read(ctx, "triage_reasons")
    head = Head("triage.required_reasons", "triage", "Reasons that must be shown")
    expected = listed(want)
    if seen.value is None:
        return line(head, "not_checked", seen.source, seen.evidence, expected=expected)
    got = listed(seen.value)
    missing = [r for r in want if r not in seen.value]
    if missing:
        why = f"not among the reasons: {listed(missing)}, read {seen.source}"
        return line(head, "fail", why, seen.evidence, expected=expected, got=got)
    if not want:
        return line(head, "not_applicable", "no reason is required", seen.evidence, expected=expected, got=got)
    why = f"every required reason is there, read {seen.source}"
    return line(head, "pass", why, seen.evidence, expected=expected, got=got)


def _allowed(ctx: Context) -> ScoreLine:
    label, seen = ctx.labels.triage, _read(ctx, "triage_reasons")
    may = [*label.required_reasons, *label.allowed_reasons]
    head = Head("triage.allowed_reasons", "triage", "No reason that is not allowed")
    expected = f"at most {listed(may)}"
    if seen.value is None:
        return line(head, "not_checked", seen.source, seen.evidence, expected=expected)
    got = listed(seen.value)
    if not seen.value:
        return line(
            head, "not_applicable", "the product gave no reason at all", seen.evidence, expected=expected, got=got
        )
    wrong = [r for r in seen.value if r not in may]
    if wrong:
        why = f"given but not true of this claim: {listed(wrong)}, read {seen.source}"
        return line(head, "fail", why, seen.evidence, expected=expected, got=got)
    why = f"every reason given is allowed, read {seen.source}"
    return line(head, "pass", why, seen.evidence, expected=expected, got=got)
