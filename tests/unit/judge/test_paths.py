"""Every check that may need a judge has its way to one, and the fault that only a judge can see is found with a recorded one."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.schema.package import find_packages
from harness.schema.session import InquirySession
from oracle_scoring.inquiry import grade as grading
from oracle_scoring.inquiry.evaluate import NO_JUDGE, plans
from oracle_scoring.judge import Answers, JudgeClient
from oracle_scoring.judge.inquiry import judged_sessions, open_questions, rubrics, with_answers
from oracle_scoring.judge.reply import Completion
from oracle_scoring.judge.verdict import Judged
from scripts.inquiry_buyers import buyers, journey, session
from tests.golden.inquiry import build
from tests.golden.inquiry.build import Golden
from tests.unit.judge.fakes import FakeJudge, verdict

PACKAGES = find_packages(Path(__file__).parents[3] / "packages", "inquiry")
CHECKS = [tuple(name.split("/")[1:]) for name in rubrics() if name.count("/") == 2]


@cache
def goldens(metric: str) -> list[Golden]:
    """Golden sessions of a metric, those that pass first."""
    (path,) = build.HERE.glob(f"{metric.lower().replace('-', '')}_*.yaml")
    return sorted(build.load_file(path), key=lambda g: g.verdict != "PASS")


def answered(question: Any, answer: str) -> Judged:
    """A row in which a judge gave this answer."""
    return Judged(
        question=question.id, rubric=question.rubric.id, prompt_sha256=question.rubric.prompt_sha256, request_sha256=None,
        model="m", answered_as="m", weak=False, answer=answer, message="t0", quote="words", reason="so", not_judged=None,
        why=None, tries=["ok"], replayed=True,
    )  # fmt: skip


def moved(golden: Golden, metric: str, check: str) -> set[str]:
    """States of the check with a judge's yes and no; empty if the session does not ask about it."""
    talk = InquirySession.model_validate(golden.session)
    ruled, questions = open_questions(talk)
    mine = [q for q in questions if q.rubric.id == f"inquiry/{metric}/{check}"]
    states = set()
    for answer in ("yes", "no") if mine else ():
        column = with_answers(talk, ruled, [answered(q, answer) for q in mine]).judge
        states |= {m.checks[check] for m in column.metrics if m.metric_id == metric}
        assert all(m.result == "FAIL" for m in column.metrics if m.metric_id == metric and answer == "no")
    return states


@pytest.mark.parametrize(("metric", "check"), CHECKS, ids=lambda x: x)
def test_where_the_rule_cannot_say_the_judge_is_asked_and_decides(
    metric: str, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the rule of one check gone, some session asks about just that check; a no fails the metric, a yes passes the check."""
    open_plans = [
        replace(p, steps=tuple((n, (lambda *_: NO_JUDGE) if n == check else f, c) for n, f, c in p.steps))
        for p in plans()
        if p.metric.id == metric
    ]
    monkeypatch.setattr(grading, "plans", lambda: open_plans)
    for golden in goldens(metric):
        states = moved(golden, metric, check)
        if "fail" in states:
            return
    pytest.fail("no golden session of the metric gets to the judge")


def first_words(_: int, body: dict[str, Any]) -> Completion:
    """Reads the material as a person would for this one fault: do the replies begin with the same phrase?"""
    lines = re.findall(r'^\{"id": .*\}$', body["messages"][-1]["content"], re.MULTILINE)
    replies = [(p["id"], p["text"]) for p in map(json.loads, lines) if p["speaker"] == "assistant"]
    if "1" not in body["response_format"]["json_schema"]["schema"]["properties"]["answer"]["enum"]:
        return verdict("does_not_apply", replies[0][1][:20], replies[0][0])
    starts = Counter(re.split(r"[.。,，!！]", text)[0] for _, text in replies[1:])
    start, times = starts.most_common(1)[0]
    stiff = times >= 2 and times * 2 >= len(replies) - 1
    message = next(name for name, text in replies if text.startswith(start))
    return verdict("2" if stiff else "5", start, message)


@pytest.fixture(scope="module")
def talks() -> dict[str, InquirySession]:
    """A buyer's talk with the sound product, and with the one that begins every reply alike."""
    (package,) = buyers([PACKAGES["INQ-005"]]).values()
    return {name: session(name, journey(package, faults)) for name, faults in (("sound", ()), ("stiff", ("stiff",)))}


def test_the_fault_that_awaits_a_judge_is_found_with_a_recorded_one(
    talks: dict[str, InquirySession], tmp_path: Path
) -> None:
    """The rules score neither talk; from kept answers alone the sound one has 5 points and the stiff one 2, with the phrase as evidence."""
    kept, file = tmp_path / "answers.jsonl", tmp_path / "talks.jsonl"
    file.write_text("".join(t.model_dump_json(by_alias=True, exclude_unset=True) + "\n" for t in talks.values()))

    async def record() -> None:
        client = JudgeClient(FakeJudge(first_words), Answers(kept))
        async for _ in judged_sessions(talks.items(), client):
            pass

    asyncio.run(record())
    out = CliRunner().invoke(
        app, ["grade", "inquiry", str(file), "--judge", "--replay", "--answers", str(kept), "--json"]
    )
    assert out.exit_code == 0, out.stderr
    sound, stiff = (json.loads(row) for row in out.stdout.splitlines())
    assert {m["result"] for r in (sound, stiff) for m in r["metrics"] if m["metric_id"] == "M-028"} == {"NOT_CHECKED"}
    scored = [next(m for m in r["judge"]["metrics"] if m["metric_id"] == "M-028") for r in (sound, stiff)]
    assert [(m["result"], m["score"]) for m in scored] == [("SCORED", 5), ("SCORED", 2)]
    assert scored[1]["evidence"] == "非常荣幸为您服务"
    assert all(row["replayed"] for r in (sound, stiff) for row in r["judge"]["rows"])


def test_a_verdict_is_kept_only_with_words_that_were_said(talks: dict[str, InquirySession]) -> None:
    """A judge that calls the sound talk stiff has to quote the phrase, and there is none: not judged, no score."""

    async def ask() -> Iterator[Any]:
        client = JudgeClient(FakeJudge(lambda n, body: verdict("2", "非常荣幸为您服务", "t1")))
        return iter([result async for _, result in judged_sessions([("s", talks["sound"])], client)])

    (result,) = asyncio.run(ask())
    assert [m.metric_id for m in result.judge.metrics] == []
    assert {row.not_judged for row in result.judge.rows} <= {"quote_absent", "no_such_message", "wrong_form"}
