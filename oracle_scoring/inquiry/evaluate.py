"""One metric on one conversation: occasions, edges, checks, decision, three-valued."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from harness.errors import InputError
from harness.schema.scorecard import LineState
from oracle_scoring.inquiry import predicates as _predicates  # noqa: F401  (registers them)
from oracle_scoring.inquiry.decision import All, Name, Node
from oracle_scoring.inquiry.finding import PREDICATES, TRIGGERS, Finding, Moment, Predicate, Trigger, unknown
from oracle_scoring.inquiry.metric import Check, Edge, Metric, Verdict, metrics
from oracle_scoring.inquiry.talk import Conversation

_STATE: dict[Verdict, LineState] = {"PASS": "pass", "FAIL": "fail", "N/A": "not_applicable"}
NO_JUDGE = unknown("awaits a judge")
_NOTHING_GIVEN: Mapping[str, Finding] = {}


def _awaits_judge(_conversation: Conversation, _moment: Moment) -> Finding:
    return NO_JUDGE


class Judge(Protocol):
    """Answers what rules leave open."""

    def check(self, metric: Metric, check: Check, conversation: Conversation, moment: Moment) -> Finding:
        """The verdict on one check on one occasion."""

    def points(self, metric: Metric, conversation: Conversation) -> tuple[int | None, str, str]:
        """Points 1-5 (None: not judged), evidence and reason of the scored metric."""


@dataclass(slots=True)
class Outcome:
    """What came out for one metric."""

    state: LineState
    evidence: str = ""
    reason: str = ""
    checks: dict[str, LineState] = field(default_factory=dict)
    points: int | None = None


@dataclass(frozen=True)
class Plan:
    """A metric with its functions looked up."""

    metric: Metric
    trigger: Trigger
    steps: tuple[tuple[str, Predicate, Check], ...]
    """Checks by id, each with its function; one that says so where only a judge decides."""
    conditions: dict[str, Predicate]
    edges: tuple[tuple[Edge, Predicate], ...]
    """Edges that change something and are decided by rule."""
    node: Node | None
    names: tuple[str, ...]
    """Checks and conditions that the decision names."""
    plain_and: bool
    """The decision is a plain AND of all checks."""
    reads_customer: bool
    reads_assistant: bool


def plan(metric: Metric) -> Plan:
    """The plan of a metric; an InputError names what no function of that name decides."""
    criteria = metric.criteria

    def find(name: str, what: str) -> Predicate:
        if name not in PREDICATES:
            raise InputError(f"{metric.id}: {what}", f"names {name}, which is no predicate")
        return PREDICATES[name]

    node = metric.decision()
    if criteria.trigger.rule not in TRIGGERS:
        raise InputError(f"{metric.id}: trigger", f"names {criteria.trigger.rule}, which is no trigger")
    for edge in criteria.edges:
        if edge.when.rule:
            find(edge.when.rule, edge.id)
    return Plan(
        metric,
        TRIGGERS[criteria.trigger.rule],
        tuple((c.id, find(c.predicate, c.id) if c.predicate else _awaits_judge, c) for c in criteria.checks),
        {name: find(rule, f"condition {name}") for name, rule in criteria.decision.conditions.items()},
        tuple(
            (e, find(e.when.rule, e.id)) for e in criteria.edges if e.when.rule and e.effect.within is None
        ),
        node,
        tuple(node.names()) if node is not None else (),
        _plain_and(node, len(criteria.checks)),
        "customer" in metric.reads,
        "assistant" in metric.reads,
    )  # fmt: skip


def _plain_and(node: Node | None, checks: int) -> bool:
    parts = node.parts if isinstance(node, All) else (node,)
    return len(parts) == checks and all(isinstance(part, Name) for part in parts)


@cache
def plans() -> tuple[Plan, ...]:
    """The plans of all metrics, in the manual's order."""
    return tuple(plan(m) for m in metrics())


def evaluate(plan: Plan, conversation: Conversation, judge: Judge | None = None) -> Outcome:
    """The metric's outcome: any occasion that fails makes it fail; without an occasion it does not apply."""
    occasions = plan.trigger(conversation)
    if plan.node is None:
        return _scored(plan, conversation, bool(occasions.moments), judge)
    if foreign := _unread(plan, conversation):
        return Outcome("not_checked", "", f"rules do not read {foreign}")
    shown: Outcome | None = None
    for moment in occasions.moments:
        outcome = _on_occasion(plan, plan.node, conversation, moment, judge)
        shown = outcome if shown is None else _both(shown, outcome)
    if shown is None:
        if occasions.unknown:
            return Outcome("not_checked", "", occasions.unknown)
        return Outcome("not_applicable", "", "the trigger does not occur")
    if occasions.unknown and shown.state in ("pass", "not_applicable"):
        return Outcome("not_checked", "", occasions.unknown, shown.checks)
    return shown


def _unread(plan: Plan, conversation: Conversation) -> str | None:
    """A language without a word list, in which somebody writes whose words the metric's rules look for."""
    if plan.reads_customer and conversation.customers_language_unread:
        return conversation.customers_language_unread
    return conversation.assistants_language_unread if plan.reads_assistant else None


def _both(one: Outcome, other: Outcome) -> Outcome:
    """Two occasions' outcomes as one: evidence and reason are those of the first with the state of both."""
    checks = one.checks
    if checks != other.checks:
        for name, state in other.checks.items():
            before = checks.get(name)
            if before != state:
                checks[name] = state if before is None else _all((before, state))
    if one.state != other.state and _all((one.state, other.state)) == other.state:
        one.state, one.evidence, one.reason = other.state, other.evidence, other.reason
    return one


def _on_occasion(plan: Plan, node: Node, conversation: Conversation, moment: Moment, judge: Judge | None) -> Outcome:
    given: Mapping[str, Finding] = _NOTHING_GIVEN
    doubt = ""
    for edge, when in plan.edges:
        found, evidence, reason = when(conversation, moment)
        if found == "not_checked":
            doubt = doubt or f"{edge.id}: {reason}"
        elif found == "pass":
            effect = edge.effect
            if effect.metric:
                return Outcome(_STATE[effect.metric], evidence, f"{edge.id}: {edge.text}")
            if effect.check and effect.state:
                given = {**given, effect.check: Finding(effect.state, evidence, f"{edge.id}: {edge.text}")}
    findings: dict[str, Finding] = {}
    states: dict[str, LineState] = {}
    for name, function, check in plan.steps:
        finding = given[name] if given and name in given else function(conversation, moment)
        state = finding[0]
        if judge is not None and state == "not_checked" and check.referee == "judge":
            finding = judge.check(plan.metric, check, conversation, moment)
            state = finding[0]
        if state == "fail" or state == "not_checked":
            findings[name] = finding
        states[name] = state
    if not plan.plain_and:
        state = node.value(lambda name: states.get(name) or plan.conditions[name](conversation, moment)[0])
    elif findings:
        state = _all(states.values())
    else:
        state = "pass" if "pass" in states.values() else "not_applicable"
    if state == "pass" or state == "not_applicable":
        return Outcome(state, "", "", states)
    if doubt and state == "fail":
        return Outcome("not_checked", "", doubt, states)
    evidence, reason = _why(state, findings, plan.names)
    return Outcome(state, evidence, reason, states)


def _all(states: Iterable[LineState]) -> LineState:
    """As kleene.all_of, for the four states that occur here, in one pass."""
    result: LineState = "not_applicable"
    for state in states:
        if state == "fail":
            return "fail"
        if state == "not_checked" or (state == "pass" and result == "not_applicable"):
            result = state
    return result


def _why(state: LineState, findings: dict[str, Finding], used: Iterable[str]) -> tuple[str, str]:
    names = [n for n in used if n in findings and findings[n].state == state]
    if not names:
        return "", ""
    first = findings[names[0]]
    return first.evidence, "; ".join(f"{n}: {findings[n].reason}" for n in dict.fromkeys(names))


def _scored(plan: Plan, conversation: Conversation, applies: bool, judge: Judge | None) -> Outcome:
    if judge is None or not applies:
        return Outcome("not_checked", "", NO_JUDGE.reason if applies else "there is no reply to score")
    points, evidence, reason = judge.points(plan.metric, conversation)
    return Outcome("not_checked" if points is None else "pass", evidence, reason, points=points)
