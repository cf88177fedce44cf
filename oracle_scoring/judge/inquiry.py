"""The checks of the inquiry metrics that wait for a judge: their rubrics, their material, and the judge's own column.

A metric is asked about only where the rules leave the whole metric open, so no verdict can stand against a rule's.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from harness.errors import InputError
from harness.schema.scorecard import LineState
from harness.schema.session import AssistantTurn, CustomerTurn, InquirySession
from oracle_scoring.inquiry.finding import Finding, Moment, unknown
from oracle_scoring.inquiry.grade import MetricResult, SessionResult, grade
from oracle_scoring.inquiry.metric import Check, Metric, metrics
from oracle_scoring.inquiry.profile import Profile
from oracle_scoring.inquiry.talk import Conversation
from oracle_scoring.judge.batch import Opened, in_order
from oracle_scoring.judge.client import JudgeClient
from oracle_scoring.judge.rubric import Message, Open, Question, Rubric, points
from oracle_scoring.judge.verdict import Judged, settle

AREA = "inquiry"
_STATES: dict[str, LineState] = {"yes": "pass", "no": "fail", "does_not_apply": "not_applicable"}


class JudgeColumn(SessionResult):
    """What the verdicts would be with the judge's answers in the places that rules leave open."""

    rows: list[Judged]


class JudgedSession(SessionResult):
    """The rules' result, unchanged, and the judge's column beside it."""

    judge: JudgeColumn


@cache
def rubrics() -> dict[str, Rubric]:
    """Id -> rubric of every check, and of the scored metric, that a judge may have to decide."""
    found: dict[str, Rubric] = {}
    for metric in metrics():
        if metric.scored:
            found[_id(metric)] = _scale(metric)
        for check in metric.criteria.checks:
            if check.referee == "judge":
                found[_id(metric, check)] = _yes_no(metric, check)
    return found


def _id(metric: Metric, check: Check | None = None) -> str:
    return f"{AREA}/{metric.id}" + (f"/{check.id}" if check else "")


def _yes_no(metric: Metric, check: Check) -> Rubric:
    edges = [f"- {edge.text}" for edge in metric.criteria.edges]
    rule = [
        metric.definition,
        f"When it applies: {metric.criteria.trigger.text}",
        f"The point to grade: {check.text}",
        *(["Cases that are settled:", *edges] if edges else []),
    ]
    return Rubric(_id(metric, check), "\n".join(rule), check.question or check.text)


def _scale(metric: Metric) -> Rubric:
    edges = [f"- {edge.text}" for edge in metric.criteria.edges]
    meanings = {int(k): v for k, v in (metric.criteria.scoring or {}).items()}
    return Rubric(
        _id(metric), "\n".join([metric.definition, *(["Cases that are settled:", *edges] if edges else [])]),
        metric.criteria.question or metric.name, points(meanings), frozenset({"4", "5"}), ordered=True,
    )  # fmt: skip


def messages(session: InquirySession, last_turn: int | None = None) -> tuple[Message, ...]:
    """Everything recorded up to a turn, a piece each: words, pictures, what the agents were given, tools, decisions."""
    found: list[Message] = []
    for n, turn in enumerate(session.turns):
        if last_turn is not None and n > last_turn:
            break
        if isinstance(turn, CustomerTurn):
            found += _customer(n, turn)
        else:
            found += _assistant(n, turn)
    return tuple(found)


def _customer(n: int, turn: CustomerTurn) -> list[Message]:
    said = [Message(f"t{n}", "customer", turn.text or "")]
    if turn.images:
        said.append(Message(f"t{n}.images", "pictures of the customer", _json([_plain(i) for i in turn.images])))
    return said


def _assistant(n: int, turn: AssistantTurn) -> list[Message]:
    found: list[Message] = []
    if turn.context is not None:
        found.append(Message(f"t{n}.context", "state of the system", _json(_plain(turn.context))))
    for k, call in enumerate(turn.tool_calls or []):
        found.append(Message(f"t{n}.tool{k}", "tool", _json(_plain(call))))
    if turn.reply_text is not None:
        speaker = "assistant (not sent)" if turn.published is False else "assistant"
        found.append(Message(f"t{n}", speaker, turn.reply_text))
    if turn.conversion is not None:
        found.append(Message(f"t{n}.decision", "decision in the background", turn.conversion.output or ""))
        for k, call in enumerate(turn.conversion.tool_calls or []):
            found.append(Message(f"t{n}.decision.tool{k}", "tool", _json(_plain(call))))
    return found


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _place(moment: Moment) -> tuple[str | None, int]:
    """The message a question on this occasion speaks of, and the last turn that belongs to its material."""
    if moment.decision is not None:
        return f"t{moment.decision.turn}.decision", moment.decision.turn
    if moment.reply is not None:
        return f"t{moment.reply.turn}", moment.reply.turn
    turn = moment.exchange.turn
    return (f"t{turn}" if turn >= 0 else None), max([turn, *(r.turn for r in moment.exchange.replies)])


def _key(metric: Metric, check: Check, moment: Moment) -> str:
    about, last = _place(moment)
    return f"{metric.id}.{check.id}@{about or 'start'}-{moment.exchange.index}.{last}"


class _Collect:
    """Stands in for a judge and notes what it would have been asked."""

    def __init__(self) -> None:
        self.questions: dict[str, tuple[str, Question]] = {}

    def check(self, metric: Metric, check: Check, conversation: Conversation, moment: Moment) -> Finding:
        """Notes the question; leaves it open."""
        about, last = _place(moment)
        key = _key(metric, check, moment)
        question = Question(
            key, rubrics()[_id(metric, check)], messages(conversation.session, last), Open("rules cannot say"), about
        )
        self.questions[key] = (metric.id, question)
        return unknown("awaits a judge")

    def points(self, metric: Metric, conversation: Conversation) -> tuple[int | None, str, str]:
        """Notes the question; leaves it open."""
        question = Question(
            metric.id, rubrics()[_id(metric)], messages(conversation.session), Open("only a judge can say")
        )
        self.questions[metric.id] = (metric.id, question)
        return None, "", "awaits a judge"


class _Answered:
    """A judge that has been asked already."""

    def __init__(self, rows: Mapping[str, Judged]) -> None:
        self._rows = rows

    def check(self, metric: Metric, check: Check, conversation: Conversation, moment: Moment) -> Finding:
        """The answer as a finding; unknown where the question was not asked or not judged."""
        settled = settle(Open("not asked of a judge"), self._rows.get(_key(metric, check, moment)))
        if settled.value is None:
            return unknown(settled.reason)
        return Finding(_STATES[settled.value], settled.quote, f"judge: {settled.reason}")

    def points(self, metric: Metric, conversation: Conversation) -> tuple[int | None, str, str]:
        """Points with quote and reason."""
        settled = settle(Open("not asked of a judge"), self._rows.get(metric.id))
        if settled.value is None:
            return None, "", settled.reason
        return int(settled.value), settled.quote, f"judge: {settled.reason}"


def open_questions(session: InquirySession, profile: Profile | None = None) -> tuple[SessionResult, list[Question]]:
    """The rules' result, and a question for each check that keeps a metric open."""
    ruled = grade(session, profile)
    open_metrics = {m.metric_id for m in ruled.metrics if m.result == "NOT_CHECKED"}
    collect = _Collect()
    grade(session, profile, collect)
    return ruled, [q for metric_id, q in collect.questions.values() if metric_id in open_metrics]


def with_answers(
    session: InquirySession, ruled: SessionResult, rows: list[Judged], profile: Profile | None = None
) -> JudgedSession:
    """The rules' result with the judge's column.

    Raises:
        AssertionError: a metric that the rules had decided came out otherwise, which would be a bug.
    """
    graded = grade(session, profile, _Answered({row.question: row for row in rows}))
    for before, after in zip(ruled.metrics, graded.metrics, strict=True):
        if before.result != "NOT_CHECKED" and before.result != after.result:
            raise AssertionError(f"{before.metric_id}: a judge's word replaced the rules' {before.result}")
    judge = JudgeColumn.model_construct(
        **{**dict(graded), "metrics": [m for m, r in _changed(graded, ruled) if m.result != r.result]}, rows=rows
    )
    return JudgedSession.model_construct(**dict(ruled), judge=judge)


def _changed(a: SessionResult, b: SessionResult) -> Iterator[tuple[MetricResult, MetricResult]]:
    return zip(a.metrics, b.metrics, strict=True)


async def judged_sessions(
    sessions: Iterable[tuple[str, InquirySession]], client: JudgeClient, profile: Profile | None = None
) -> AsyncIterator[tuple[str, JudgedSession]]:
    """Each session's result in order, questions of several sessions asked at once.

    Raises:
        InputError: a session or profile is not what it should be; sessions before it came first.
    """

    def opened() -> Iterator[Opened[tuple[str, JudgedSession]]]:
        for where, session in sessions:
            try:
                ruled, asked = open_questions(session, profile)
            except InputError as exc:
                raise InputError(f"{where}: {exc.where}", exc.why, exc.code) from exc
            yield Opened(asked, partial(_finished, where, session, ruled, profile))

    async for item in in_order(opened(), client):
        yield item


def _finished(
    where: str, session: InquirySession, ruled: SessionResult, profile: Profile | None, rows: list[Judged]
) -> tuple[str, JudgedSession]:
    return where, with_answers(session, ruled, rows, profile)
