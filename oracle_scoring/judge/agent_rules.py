"""Rules of a run that scripts and people left open, asked of a judge: one question a code, one a checklist item.

What the judge says stands in a column apart; the result without it is what it is. An uncertain answer deducts nothing.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from functools import cache, partial

from oracle_scoring.agent_rules.grade import grade_run
from oracle_scoring.agent_rules.models import AgentRun, ChecklistItem, Coverage, Finding, Looked, RunResult, Said
from oracle_scoring.agent_rules.rules import ErrorType, RedLine, Rules, load_rules
from oracle_scoring.judge.batch import Opened, in_order
from oracle_scoring.judge.client import JudgeClient
from oracle_scoring.judge.rubric import YES_NO, Message, Open, Option, Question, Rubric
from oracle_scoring.judge.verdict import Judged, settle

AREA = "agent-rules"
CHECKLIST = f"{AREA}/checklist"
ITEM = "item"
"""Id of the message that holds a checklist item's words."""
_CAVEAT = "仅用于 agent 系统评测；各错误项按任务与轨迹实际情况判断，不确定时不扣分并记录备注。"
"""Source: the rules' `interpretation`."""
_OCCURRED = (
    Option("yes", "it occurs, and the quoted words show it"),
    Option("no", "it does not occur"),
    Option("unsure", "it may occur; the material does not settle it"),
)
_SPEAKERS = {
    "customer": "customer",
    "user": "customer",
    "agent": "agent",
    "assistant": "agent",
    "tool": "tool",
    "system": "system",
}


class JudgeRun(RunResult):
    """What the run would come to with the judge's answers."""

    rows: list[Judged]


class JudgedRun(RunResult):
    """The result without a judge, unchanged, and the judge's column beside it."""

    judge: JudgeRun


def rubric_of(code: ErrorType | RedLine) -> Rubric:
    """The rubric of one code, in the rules' own words."""
    rule = f"{code.name}：{code.desc}\n{_CAVEAT}"
    return Rubric(f"{AREA}/{code.code}", rule, "Does this occur in what the agent did or said?", _OCCURRED)


@cache
def checklist_rubric() -> Rubric:
    """The rubric of a checklist item; the item's own words are material."""
    rule = (
        f"Message `{ITEM}` is one item of a checklist of results. The other messages are what happened. An item is met if they show "
        "that it is met, not if somebody only says so."
    )
    return Rubric(CHECKLIST, rule, f"Is the item in message `{ITEM}` met?", YES_NO)


@cache
def rubrics() -> dict[str, Rubric]:
    """Id -> rubric, of the rules that are shipped."""
    rules = load_rules()
    codes: list[ErrorType | RedLine] = [*rules.errors.values(), *rules.red_lines.values()]
    return {**{r.id: r for r in map(rubric_of, codes)}, CHECKLIST: checklist_rubric()}


def messages(transcript: str | list[Said] | None) -> tuple[Message, ...]:
    """The transcript, a piece each."""
    if transcript is None:
        return ()
    if isinstance(transcript, str):
        return (Message("m0", "transcript", transcript),)
    return tuple(Message(f"m{n}", _SPEAKERS[said.role], said.text) for n, said in enumerate(transcript))


def open_questions(run: AgentRun, rules: Rules) -> list[Question]:
    """A question for every code nobody has a word on, and for every item left to a judge.

    Not asked: codes that a script looked for (in a recorded journey: found, clear or nothing to check) and codes of which the
    run has a finding, certain or not.
    """
    material = messages(run.transcript)
    looked = {c.code for c in run.coverage or () if c.state != "not_checked"}
    settled = looked | {f.code for f in run.findings}
    asked = [
        Question(
            code, rubric_of(rules.errors.get(code) or rules.red_lines[code]), material, Open("nobody looked for it")
        )
        for code in rules.codes
        if code not in settled
    ]
    words = {item.id: item.desc for item in run.checklist}
    decided = {item.id for item in run.checklist if item.passed is not None}
    wanted = dict.fromkeys(i.id for i in run.checklist if i.referee == "judge" and i.id not in decided)
    asked += [
        Question(
            f"{ITEM} {name}", checklist_rubric(), (Message(ITEM, "checklist item", words[name] or name), *material),
            Open("nobody looked at this item"), ITEM,
        )
        for name in wanted
    ]  # fmt: skip
    return asked


def with_answers(run: AgentRun, ruled: RunResult, rules: Rules, rows: list[Judged]) -> JudgedRun:
    """The result with the judge's column."""
    findings, items, coverage = list(run.findings), list(run.checklist), {c.code: c for c in run.coverage or ()}
    for row in rows:
        settled = settle(Open("nobody looked for it"), row)
        if row.rubric == CHECKLIST:
            if settled.value in ("yes", "no"):
                name = row.question.removeprefix(f"{ITEM} ")
                desc = next(i.desc for i in run.checklist if i.id == name)
                items.append(ChecklistItem(id=name, desc=desc, referee="judge", passed=settled.value == "yes"))
        elif settled.value is None:
            coverage[row.question] = Coverage(code=row.question, state="not_checked", why=settled.reason)
        else:
            state: Looked = "found" if settled.value == "yes" else "clear" if settled.value == "no" else "not_checked"
            why = f"judge: {settled.reason}"
            coverage[row.question] = Coverage(code=row.question, state=state, why=why)
            if settled.value != "no":
                certain = settled.value == "yes"
                findings.append(
                    Finding(code=row.question, evidence=settled.quote, by="judge", certain=certain, note=why)
                )
    update = {"findings": findings, "checklist": items, "coverage": list(coverage.values())}
    graded = grade_run(run.model_copy(update=update), rules)
    return JudgedRun(**dict(ruled), judge=JudgeRun(**dict(graded), rows=rows))


async def judged_runs(
    runs: Iterable[tuple[str, AgentRun]], client: JudgeClient, rules: Rules
) -> AsyncIterator[JudgedRun]:
    """Each run's result in order, questions of several runs asked at once.

    Raises:
        InputError: a run is not what it should be; runs before it came first.
    """

    def opened() -> Iterator[Opened[JudgedRun]]:
        for where, run in runs:
            ruled = grade_run(run, rules, where)
            yield Opened(open_questions(run, rules), partial(_finished, run, ruled, rules))

    async for item in in_order(opened(), client):
        yield item


def _finished(run: AgentRun, ruled: RunResult, rules: Rules, rows: list[Judged]) -> JudgedRun:
    return with_answers(run, ruled, rules, rows)
