"""The metrics as data: one YAML file each, with the manual's words beside the names of the rules that decide them."""

from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.scorecard import LineState
from harness.schema.strict_json import first_problem
from oracle_scoring.inquiry.decision import Node, parse_decision

METRICS = Path(__file__).parent / "metrics"
Granularity = Literal["session", "event", "cross-agent"]
Verdict = Literal["PASS", "FAIL", "N/A"]


class Trigger(Strict):
    """When the metric applies."""

    text: str
    rule: str
    """Names the function that finds the occasions."""


class Check(Strict):
    """One line of the manual's checklist."""

    id: str = Field(pattern=r"^check_\d$")
    text: str
    referee: Literal["rule", "judge"]
    predicate: str | None = None
    """The function that decides; for a judge's check it goes first and abstains where only a judge can say."""
    question: str | None = None
    """What the judge is asked: answered by yes (pass), no (fail) or that it does not apply."""

    @model_validator(mode="after")
    def _somebody_decides(self) -> "Check":
        if self.referee == "rule" and not self.predicate:
            raise ValueError(f"{self.id} is decided by rule and names no predicate")
        if self.referee == "judge" and not self.question:
            raise ValueError(f"{self.id} is decided by a judge and has no question")
        return self


class When(Strict):
    """How it is found that an edge is at hand."""

    rule: str | None = None
    judge: str | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "When":
        if (self.rule is None) == (self.judge is None):
            raise ValueError("needs a rule or a judge's question, and not both")
        return self


class Effect(Strict):
    """What follows from an edge: exactly one of `metric`, `check` with `state`, `within`."""

    metric: Verdict | None = None
    check: str | None = None
    state: Literal["pass", "fail", "not_applicable"] | None = None
    within: list[str] | None = None
    """Checks (or `trigger`) whose own rule decides the case as the edge says."""

    @model_validator(mode="after")
    def _exactly_one(self) -> "Effect":
        if [self.metric, self.check, self.within].count(None) != 2 or (self.check is None) != (self.state is None):
            raise ValueError("needs exactly one of metric, check with state, within")
        return self


class Edge(Strict):
    """A grey case that the manual settles."""

    id: str = Field(pattern=r"^edge_\d$")
    text: str
    result: Verdict | None
    """As the manual has it; None where it only points to another metric."""
    when: When
    effect: Effect


class Decision(Strict):
    """How the checks make a result."""

    text: str
    pass_: str | None = Field(alias="pass")
    """None for the metric that is scored."""
    conditions: dict[str, str] = {}
    """Names used after IF -> the function that says whether it holds."""
    note: str | None = None
    """Where the manual leaves a gap: how it is closed."""


class Criteria(Strict):
    """Trigger, checks, decision, edges."""

    trigger: Trigger
    checks: list[Check]
    decision: Decision
    edges: list[Edge]
    scoring: dict[str, str] | None = None
    """1-5 -> what earns it, for the scored metric."""
    question: str | None = None
    """What the judge of the scored metric is asked."""


class Example(Strict):
    """A piece of conversation and what it shows."""

    by: Literal["manual", "rig"]
    shows: Verdict
    text: str


class Source(Strict):
    """Where the card stands; lines from 1, both ends included."""

    file: str
    lines: tuple[int, int]


class Metric(Strict):
    """One metric."""

    id: str = Field(pattern=r"^M-\d{3}$")
    name: str
    name_zh: str
    level: Literal["P0", "P1", "P2"]
    granularity: Granularity
    reads: list[Literal["customer", "assistant"]] = []
    """Whose words its rules look for: what is in a language without a word list makes it NOT_CHECKED."""
    definition: str
    inputs: str
    criteria: Criteria
    scale: str
    examples: list[Example]
    prompt_section: str
    source: Source

    @property
    def scored(self) -> bool:
        """Whether a judge gives 1-5 instead of a verdict."""
        return self.criteria.scoring is not None

    def decision(self) -> Node | None:
        """The parsed decision."""
        text = self.criteria.decision.pass_
        return None if text is None else parse_decision(text, f"{self.id}: decision")

    @model_validator(mode="after")
    def _names_agree(self) -> "Metric":
        ids = [c.id for c in self.criteria.checks]
        if ids != [f"check_{n}" for n in range(1, len(ids) + 1)]:
            raise ValueError(f"checks are {ids}, not counted from check_1")
        edges = [e.id for e in self.criteria.edges]
        if edges != [f"edge_{n}" for n in range(1, len(edges) + 1)]:
            raise ValueError(f"edges are {edges}, not counted from edge_1")
        node = self.decision()
        if (node is None) != self.scored:
            raise ValueError("has a decision and a scale of points, or neither")
        if node is not None:
            used = set(node.names())
            if unknown := used - set(ids) - set(self.criteria.decision.conditions):
                raise ValueError(f"the decision uses {', '.join(sorted(unknown))}, which is no check and no condition")
            if unused := set(ids) - used:
                raise ValueError(f"the decision leaves out {', '.join(sorted(unused))}")
        for edge in self.criteria.edges:
            named = (
                [edge.effect.check] if edge.effect.check else [c for c in edge.effect.within or [] if c != "trigger"]
            )
            if missing := [c for c in named if c not in ids]:
                raise ValueError(f"{edge.id} acts on {', '.join(missing)}, which is no check")
        return self


def read_metric(path: Path) -> Metric:
    """One metric's file; an InputError with file, field and why otherwise."""
    try:
        data = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError) as exc:
        raise InputError(str(path), f"is not YAML that can be read ({exc})") from exc
    try:
        metric = Metric.model_validate(data, strict=False)
    except ValidationError as exc:
        raise first_problem(exc, str(path)) from exc
    if path.stem != metric.id:
        raise InputError(f"{path}: id", f"is {metric.id}; the file is named after another metric")
    return metric


@cache
def metrics() -> tuple[Metric, ...]:
    """All metrics, in the manual's order."""
    return tuple(read_metric(path) for path in sorted(METRICS.glob("M-*.yaml")))


RESULTS: dict[LineState, str] = {"pass": "PASS", "fail": "FAIL", "not_applicable": "N/A", "not_checked": "NOT_CHECKED"}
"""State of an occasion -> word of a result."""
