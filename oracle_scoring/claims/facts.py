"""Facts the product holds at the end, against those it had to collect; the time of the incident stands alone."""

import re

from harness.schema.product import CaseState
from harness.schema.scorecard import Evidence, Group, ScoreLine
from harness.schema.visible import Fact, FactKind
from oracle_scoring.claims.context import Context
from oracle_scoring.compare import (
    compare_value,
    contains_words,
    fold_text,
    mentions,
    no_value,
    parse_amount,
    parse_date,
    parse_time,
)
from oracle_scoring.corpus.models import OracleFact
from oracle_scoring.lines import STATE, Head, at_event, in_file, line, listed

INCIDENT_TIME = {"incident_date": "incident_time.date", "incident_time": "incident_time.time"}
"""Fact id -> the line it is scored on, alone."""
KNOWN_SHARE = 0.5
"""A text counts as the customer's own if at least this share of its words was known or said."""


def fact_lines(ctx: Context) -> list[ScoreLine]:
    """Expected facts, optional facts, then `facts.invented` and `facts.unconfirmed`."""
    return [
        *(_expected(ctx, fact) for fact in ctx.labels.expected_facts),
        *(_optional(ctx, fact) for fact in ctx.labels.optional_facts),
        _invented(ctx),
        _unconfirmed(ctx),
    ]


def _path(ctx: Context, fact_id: str, part: str = "") -> str:
    return f"{ctx.case_path}.facts.{fact_id}{part}"


def _told(ctx: Context, fact_id: str) -> Evidence | None:
    """Where the customer first told it."""
    told = next((e for e in ctx.ledger if e.entry in ("fact_told", "unknown_told") and e.id == fact_id), None)
    return at_event(told.n) if told else None


def _came_up(ctx: Context, fact_id: str) -> bool:
    """The product asked for it, or the customer told it."""
    return _told(ctx, fact_id) is not None or any(a.fact == fact_id for a in ctx.talk.asks)


def _lost(ctx: Context, fact_id: str) -> str:
    told = _told(ctx, fact_id)
    if told:
        return f"lost: the customer told it (event {told.event}) and the product does not hold it"
    asked = next((a for a in ctx.talk.asks if a.fact == fact_id), None)
    if asked:
        return "missing: the product asked for it and ended without holding it"
    return "missing: the product never asked for it and does not hold it"


def kept_back(ctx: Context, fact_id: str) -> Evidence | None:
    """Where the customer, who knows the fact and never told it, failed to answer; None if that was not so.

    Either the product asked for it and the customer went on without telling, or the customer said not to know something
    in a turn in which nothing unknown was asked for.
    """
    if fact_id not in ctx.facts or any(e.entry == "fact_told" and e.id == fact_id for e in ctx.ledger):
        return None
    ask = next((a for a in ctx.talk.asks if a.fact == fact_id and any(act.n > a.n for act in ctx.said)), None)
    if ask:
        return at_event(ask.n, ask.sentence)
    unknown = {e.turn for e in ctx.ledger if e.entry == "unknown_told"}
    phrases = [fold_text(text) for text in ctx.visible.facts.persona.dont_know]
    for act in ctx.said:
        if act.turn not in unknown and any(phrase in fold_text(act.text) for phrase in phrases):
            return at_event(act.n, act.text)
    return None


def _own_words(ctx: Context, fact: OracleFact, value: str) -> bool:
    """The value is what the customer said, word by word, and holds the expected words."""
    said = any(fold_text(value) in fold_text(act.text) for act in ctx.said)
    return fact.kind in ("text", "place", "name") and said and contains_words(value, fact.value)


def _expected(ctx: Context, fact: OracleFact) -> ScoreLine:
    group: Group = "incident_time" if fact.id in INCIDENT_TIME else "facts"
    head = Head(INCIDENT_TIME.get(fact.id, f"facts.{fact.id}"), group, fact.field)
    if ctx.no_state:
        return line(head, "not_checked", ctx.no_state, [in_file(STATE, "read")], expected=fact.value)
    held = ctx.case.facts.get(fact.id) if ctx.case else None
    got = held.value if held else None
    told, kept = _told(ctx, fact.id), kept_back(ctx, fact.id)
    place = f"{ctx.case_path}.facts" if ctx.case else ctx.case_path
    evidence = [in_file(STATE, _path(ctx, fact.id, ".value"), got) if held else in_file(STATE, place)]
    evidence += [told] if told else []
    if kept and (held is None or (no_value(held.value) and fold_text(held.value) != fold_text(fact.value))):
        why = "the customer knows it and did not tell it when asked, so the product could not hold it"
        return line(head, "not_checked", why, [*evidence, kept], expected=fact.value, got=got)
    if held is None:
        why = _lost(ctx, fact.id) if ctx.case else "missing: the product holds no case for this customer"
        return line(head, "fail", why, evidence, expected=fact.value)
    result = compare_value(fact.kind, fact.value, held.value, fact.compare)
    right = result.same or _own_words(ctx, fact, held.value)
    if result.same is False and not right:
        return line(head, "fail", f"wrong: {fact.field} {result.why}", evidence, expected=fact.value, got=got)
    if held.status != "confirmed":
        why = "not confirmed: the customer never confirmed the value"
        evidence = [in_file(STATE, _path(ctx, fact.id, ".status"), held.status), *evidence]
        return line(head, "fail", why, evidence, expected=fact.value, got=got)
    if not right:
        why = f"{fact.field} {result.why}; a person has to say whether it means the same"
        return line(head, "needs_human", why, evidence, referee="human", expected=fact.value, got=got)
    return line(head, "pass", "the value is right and confirmed", evidence, expected=fact.value, got=got)


def _optional(ctx: Context, fact: OracleFact) -> ScoreLine:
    group: Group = "incident_time" if fact.id in INCIDENT_TIME else "facts"
    head = Head(f"facts.optional.{fact.id}", group, f"{fact.field} (if asked)")
    if ctx.no_state:
        return line(head, "not_checked", ctx.no_state, [in_file(STATE, "read")], expected=fact.value)
    held = ctx.case.facts.get(fact.id) if ctx.case else None
    asked = next((a for a in ctx.talk.asks if a.fact == fact.id), None)
    told = _told(ctx, fact.id)
    if held is None:
        evidence = [in_file(STATE, f"{ctx.case_path}.facts")]
        answer = next(
            (e for e in ctx.ledger if e.entry == "fact_told" and e.id == fact.id and asked and e.n > asked.n), None
        )
        if asked and answer:
            why = "lost: the product asked, the customer answered, and the product does not hold it"
            return line(
                head,
                "fail",
                why,
                [*evidence, at_event(asked.n, asked.sentence), at_event(answer.n)],
                expected=fact.value,
            )
        return line(head, "not_applicable", "the product did not ask for it", evidence, expected=fact.value)
    evidence = [in_file(STATE, _path(ctx, fact.id, ".value"), held.value)] + ([told] if told else [])
    result = compare_value(fact.kind, fact.value, held.value, fact.compare)
    if result.same is None:
        why = f"{fact.field} {result.why}; a person has to say whether it means the same"
        return line(head, "needs_human", why, evidence, referee="human", expected=fact.value, got=held.value)
    if not result.same and not _came_up(ctx, fact.id):
        why = "neither asked for nor told; where the value comes from is judged under facts.invented"
        return line(head, "not_applicable", why, evidence, expected=fact.value, got=held.value)
    if not result.same:
        return line(head, "fail", f"wrong: {fact.field} {result.why}", evidence, expected=fact.value, got=held.value)
    return line(head, "pass", "the value is right", evidence, expected=fact.value, got=held.value)


# Invented --------------------------------------------------------------------------------------------------------------


def _invented(ctx: Context) -> ScoreLine:
    """Values that the customer neither knows nor said.

    A fact with a line of its own that judges its value (expected with a real value, or optional and come up) is left to it.
    """
    head = Head("facts.invented", "facts", "No invented fact")
    if ctx.no_state:
        return line(head, "not_checked", ctx.no_state, [in_file(STATE, "read")])
    case = ctx.case
    values = {name: held.value for name, held in case.facts.items() if not no_value(held.value)} if case else {}
    if not values:
        why = "the product holds no fact that could be invented"
        return line(head, "not_applicable", why, [in_file(STATE, ctx.case_path)])
    optional = [f for f in ctx.labels.optional_facts if _came_up(ctx, f.id)]
    scored = {f.id for f in (*ctx.labels.expected_facts, *optional) if not no_value(f.value)}
    wrong = [name for name in sorted(values) if name not in scored and not _has_source(ctx, name, values[name])]
    if not wrong:
        why = "every value is one the customer knows or said"
        return line(head, "pass", why, [in_file(STATE, f"{ctx.case_path}.facts")])
    shown = listed(f"{name} = “{values[name]}”" for name in wrong)
    evidence = [in_file(STATE, _path(ctx, name, ".value"), values[name]) for name in wrong]
    return line(head, "fail", f"invented, the customer neither knows nor said it: {shown}", evidence, got=shown)


def _has_source(ctx: Context, name: str, value: str) -> bool:
    own = ctx.facts.get(name)
    if own:
        return compare_value(own.kind, own.value, value).same is not False or _said(ctx, own.kind, value)
    kind = _kind_of(value)
    if kind == "yes_no":
        return _answered(ctx, name)
    return any(_same_as(fact, kind, value) for fact in ctx.facts.values()) or _said(ctx, kind, value)


def _kind_of(value: str) -> FactKind:
    if parse_date(value):
        return "date"
    if parse_time(value):
        return "time"
    amount = parse_amount(value)
    if amount and amount.currency:
        return "amount"
    return "yes_no" if fold_text(value) in ("yes", "no") else "text"


def _same_as(fact: Fact, kind: FactKind, value: str) -> bool:
    if kind in ("date", "time", "amount"):
        return fact.kind == kind and compare_value(kind, fact.value, value).same is True
    return contains_words(fact.value, value) or compare_value(fact.kind, fact.value, value).same is True


def _answered(ctx: Context, name: str) -> bool:
    """The ledger says it was told, or the product asked for it and the customer answered something."""
    if any(e.id == name and e.entry in ("fact_told", "confirmed_value") for e in ctx.ledger):
        return True
    asked = [a.n for a in ctx.talk.asks if a.fact == name]
    return any(act.n > n for n in asked for act in ctx.said)


def _said(ctx: Context, kind: FactKind, value: str) -> bool:
    """The value occurs in what the customer said, or in what the insurer held about customer and cover beforehand."""
    policy = ctx.setup.policy
    held = [policy.number, policy.holder, policy.inception, policy.insured_item] if policy else []
    texts = [act.text for act in ctx.said] + held + list(ctx.record.login_texts)
    if kind in ("date", "amount", "plate", "reference", "phone"):
        return any(mentions(kind, value, text) for text in texts)
    if any(contains_words(text, value) for text in texts):
        return True
    if kind in ("time", "yes_no"):
        return False
    known = [t for f in ctx.facts.values() for t in (f.value, f.say)]
    return _mostly_in(value, [*texts, *known])


def _mostly_in(value: str, texts: list[str]) -> bool:
    """Every number or code of the value, and at least half of its words, occur in the texts."""
    pool = set(_words(" ".join(texts)))
    words = _words(value)
    hard = [w for w in words if any(c.isdigit() for c in w)]
    soft = [w for w in words if w not in hard and (len(w) > 2 or not w.isascii())]
    if any(w not in pool for w in hard):
        return False
    return (not soft and bool(hard)) or (bool(soft) and sum(w in pool for w in soft) / len(soft) >= KNOWN_SHARE)


def _words(text: str) -> list[str]:
    """Folded words; Chinese as pairs of characters, since it writes no spaces."""
    flat = fold_text(text)
    runs = re.findall(r"[\u3400-\u9fff]+", flat)
    pairs = [run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))]
    return [*re.findall(r"[^\W\u3400-\u9fff]+", flat), *pairs]


def _unconfirmed(ctx: Context) -> ScoreLine:
    """Facts beside the expected ones; those have to be confirmed on their own lines."""
    head = Head("facts.unconfirmed", "facts", "Nothing else left unconfirmed")
    if ctx.no_state:
        return line(head, "not_checked", ctx.no_state, [in_file(STATE, "read")])
    case: CaseState | None = ctx.case
    evidence = [in_file(STATE, f"{ctx.case_path}.facts" if case else ctx.case_path)]
    if case is None or case.status != "submitted":
        return line(head, "not_applicable", "the claim was never submitted", evidence)
    expected = {f.id for f in ctx.labels.expected_facts}
    others = {name: held for name, held in case.facts.items() if name not in expected}
    if not others:
        return line(head, "not_applicable", "the product holds no facts beside the expected ones", evidence)
    loose = sorted(name for name, held in others.items() if held.status != "confirmed")
    if loose:
        marks = [in_file(STATE, _path(ctx, name, ".status"), others[name].status) for name in loose]
        why = f"submitted without the customer having confirmed: {listed(loose)}"
        return line(head, "fail", why, marks, got=listed(loose))
    return line(head, "pass", f"confirmed beside the expected facts: {listed(sorted(others))}", evidence)
