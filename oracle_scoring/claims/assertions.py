"""The oracle's assertions, each by its referee."""

import re
from typing import Any

from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.compare import fold_text
from oracle_scoring.corpus.models import Assertion, HumanAssertion, StateAssertion, TextAssertion
from oracle_scoring.lines import EVENTS, STAFF, STATE, Head, at_event, in_file, line

_ABSENT = object()


def assertion_lines(ctx: Context) -> list[ScoreLine]:
    """`assertions.<id>`; those left to people are `needs_human`."""
    return [_assertion(ctx, a) for a in ctx.labels.assertions]


def _assertion(ctx: Context, item: Assertion) -> ScoreLine:
    head = Head(f"assertions.{item.id}", "assertions", item.says)
    if isinstance(item, HumanAssertion):
        why = f"left to a person: {item.question}"
        return line(head, "needs_human", why, [in_file(EVENTS)], referee="human")
    return _state(ctx, item, head) if isinstance(item, StateAssertion) else _text(ctx, item, head)


def _lookup(value: Any, path: str) -> Any:
    for key in path.split("."):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return _ABSENT
    return value


def _state(ctx: Context, item: StateAssertion, head: Head) -> ScoreLine:
    expected = f"{item.path} {item.op}{'' if item.value is None else f' {item.value}'}"
    if ctx.record.state is None:
        evidence = [in_file(STATE, "read")]
        why = ctx.no_state or ""
        return line(head, "not_checked", why, evidence, referee="state", expected=expected)
    if item.op == "absent" and not ctx.record.state.cases:
        why = "the product holds no case, so nothing can be missing from one"
        return line(head, "not_applicable", why, [in_file(STATE, "read.cases")], referee="state", expected=expected)
    value = _lookup(ctx.record.state.model_dump(mode="json", by_alias=True), item.path)
    there = value is not _ABSENT and value is not None
    if item.op in ("present", "absent"):
        holds = there == (item.op == "present")
    elif item.op == "equals":
        holds = there and type(value) is type(item.value) and value == item.value
    else:
        holds = (isinstance(value, list) and item.value in value) or (
            isinstance(value, str) and fold_text(str(item.value)) in fold_text(value)
        )
    got = "absent" if not there else value if isinstance(value, str) else repr(value)
    return line(
        head,
        "pass" if holds else "fail",
        f"the state holds {got} at {item.path}",
        [in_file(STATE, f"read.{item.path}", value if isinstance(value, str) else None)],
        referee="state",
        expected=expected,
        got=got,
    )


def _texts(ctx: Context, where: str) -> tuple[list[tuple[str, Evidence]], str | None]:
    """Visible texts to look in, or why there are none."""
    if where == "staff":
        staff = ctx.record.staff
        if staff is None or not staff.pages:
            return [], ctx.no_staff("text")
        return [(text, in_file(STAFF, f"pages.{i}")) for i, text in enumerate(staff.pages)], None
    if not ctx.screens:
        return [], "no screen was recorded"
    if where == "reply":
        return [(s.text, at_event(s.n)) for s in ctx.talk.spoken], None
    if where == "final":
        return [(s.screen.final, at_event(s.n)) for s in ctx.screens if s.screen.final], None
    own = [
        (
            "\n".join(b.text for b in s.screen.blocks if b.part != "customer") + "\n" + (s.screen.final or ""),
            at_event(s.n),
        )
        for s in ctx.screens
    ]
    return own, None


def _partial(ctx: Context, where: str) -> str | None:
    """Why not all of the text was there to look in; what is not found in a part may stand in the rest."""
    if where == "staff":
        staff = ctx.record.staff
        return "only the work list could be read" if staff is not None and not staff.found else None
    lost = [s.n for s in ctx.screens if s.screen.truncated or s.screen.unreadable]
    return f"a part of the screen at event {lost[0]} was cut or could not be read" if lost else None


def _text(ctx: Context, item: TextAssertion, head: Head) -> ScoreLine:
    expected = f"{item.where} {item.op} “{item.value}”"
    texts, missing = _texts(ctx, item.where)
    if missing is not None:
        evidence = [in_file(STAFF if item.where == "staff" else EVENTS)]
        return line(head, "not_checked", missing, evidence, referee="text", expected=expected)
    if not texts and item.op == "absent":
        why = "there was no such text at all"
        return line(head, "not_applicable", why, [in_file(EVENTS)], referee="text", expected=expected)
    if item.op == "absent" and (partial := _partial(ctx, item.where)) is not None:
        return line(head, "not_checked", partial, [in_file(EVENTS)], referee="text", expected=expected)
    if item.op == "matches":
        pattern = re.compile(item.value, re.IGNORECASE)
        found = next(((m.group(), e) for text, e in texts if (m := pattern.search(text))), None)
    else:
        wanted = fold_text(item.value)
        found = next(((item.value, e) for text, e in texts if wanted in fold_text(text)), None)
    holds = (found is not None) != (item.op == "absent")
    where = {"screen": "on a screen", "reply": "in a reply", "final": "in the final state", "staff": "on a staff page"}
    why = f"found {where[item.where]}: “{found[0]}”" if found else f"not found {where[item.where]}"
    evidence = [found[1].model_copy(update={"quote": found[0][:300]})] if found else [e for _, e in texts[-1:]]
    return line(
        head,
        "pass" if holds else "fail",
        why,
        evidence or [in_file(EVENTS)],
        referee="text",
        expected=expected,
        got=found[0] if found else None,
    )
