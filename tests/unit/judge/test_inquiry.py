"""The judge's column beside the rules' verdicts, and the commands that make and measure it."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from harness.schema.session import InquirySession
from harness.schema.strict_json import canonical
from oracle_scoring.inquiry.load import session_of
from oracle_scoring.judge import Bounds, JudgeClient, inquiry
from oracle_scoring.judge.inquiry import JudgedSession, judged_sessions, messages, open_questions, rubrics, with_answers
from oracle_scoring.judge.prompt import material
from oracle_scoring.judge.reply import Completion
from tests.support.stub_endpoint import KEY, Say, StubEndpoint, stub
from tests.unit.judge.fakes import Answering, FakeJudge, said, verdict

DECISION = '{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"business"}'
SESSION: dict[str, Any] = {
    "schema": "inquiry-session-v1", "session_id": "S-1", "profile": "beiyijia",
    "turns": [
        {"role": "customer", "text": "Hi, what is the MOQ of the USB-C cable?", "created_at": "2026-01-05T03:00:00Z", "images": []},
        {"role": "assistant", "reply_text": "It depends on packaging. Our sales manager will confirm the MOQ. Which style do you like?",
         "tool_calls": [{"name": "search_products", "arguments": {"q": "</s>"}, "result": {"items": []}}],
         "context": {"leadToOpportunityStatus": None}, "conversion": {"phase": "inbound", "output": DECISION, "tool_calls": []}},
        {"role": "customer", "text": "OK", "created_at": "2026-01-05T03:01:00Z", "images": []},
        {"role": "assistant", "reply_text": "Thank you. Is it for iPhone 15 or else?", "tool_calls": []},
    ],
}  # fmt: skip


def _session(name: str = "S-1") -> InquirySession:
    return session_of({**SESSION, "session_id": name}, name)


def _judge(sessions: list[InquirySession], answering: Answering) -> tuple[list[JudgedSession], FakeJudge]:
    judge = FakeJudge(answering)

    async def run() -> list[JudgedSession]:
        client = JudgeClient(judge, None, Bounds(concurrency=3))
        found = judged_sessions([(s.session_id, s) for s in sessions], client)
        return [result async for _, result in found]

    return asyncio.run(run()), judge


def _reply(answer: str, points: str) -> Answering:
    def answering(_: int, body: dict[str, Any]) -> Completion:
        answers = body["response_format"]["json_schema"]["schema"]["properties"]["answer"]["enum"]
        return verdict(answer if "yes" in answers else points, quote="It depends on packaging.")

    return answering


def test_every_check_that_waits_for_a_judge_has_its_own_prompt() -> None:
    """Each has a rubric, no two of which share a prompt, and each states the point's own words."""
    from oracle_scoring.inquiry.metric import metrics

    waiting = [(m, c) for m in metrics() for c in m.criteria.checks if c.referee == "judge"]
    assert len(rubrics()) == len(waiting) + 1
    assert len({r.prompt_sha256 for r in rubrics().values()}) == len(rubrics())
    for metric, check in waiting:
        assert check.text in rubrics()[f"inquiry/{metric.id}/{check.id}"].system()
    assert rubrics()["inquiry/M-028"].values == ("5", "4", "3", "2", "1")


def test_only_what_the_rules_leave_open_is_asked() -> None:
    """Questions belong to metrics without a verdict, each about a message that is there, with nothing later than its turn."""
    ruled, questions = open_questions(_session())
    open_ones = {m.metric_id for m in ruled.metrics if m.result == "NOT_CHECKED"}
    assert questions
    assert {q.rubric.id.split("/")[1] for q in questions} <= open_ones
    assert "M-028" in open_ones
    for question in questions:
        if question.about is not None:
            turn = int(question.about[1:].split(".")[0])
            assert max(int(m.id[1:].split(".")[0]) for m in question.messages) == turn


def test_a_metric_that_a_rule_failed_is_not_asked_about_and_stays_failed() -> None:
    """Where one check failed by rule and another waits for a judge, nothing is asked, and a yes to it would change nothing."""
    reply = "Which style do you like? The MOQ depends on packaging; our manager will confirm."
    turns = [*SESSION["turns"][:2], {**SESSION["turns"][2], "text": "What is the MOQ and the price?"}]
    turns.append({"role": "assistant", "reply_text": reply, "tool_calls": []})
    session = session_of({**SESSION, "turns": turns}, "s")
    ruled, questions = open_questions(session)
    failed = next(m for m in ruled.metrics if m.metric_id == "M-003")
    assert (failed.result, failed.checks["check_1"]) == ("FAIL", "not_checked")
    assert not [q for q in questions if q.rubric.id.startswith("inquiry/M-003/")]
    (asked,), _ = _judge([session], _reply("yes", "5"))
    said_yes = asked.judge.rows[0].model_copy(update={"question": "M-003.check_1@t3-1.3", "answer": "yes"})
    column = with_answers(session, ruled, [said_yes]).judge
    assert "M-003" not in {m.metric_id for m in column.metrics}


def test_the_rules_result_stands_untouched_beside_the_judges_column() -> None:
    """Whatever the judge says, every verdict of the rules is as without it; the column holds what the judge adds, with quotes."""
    ruled, questions = open_questions(_session())
    for answer, points in (("yes", "5"), ("no", "1"), ("does_not_apply", "3")):
        (result,), _ = _judge([_session()], _reply(answer, points))
        plain = {k: v for k, v in json.loads(result.model_dump_json()).items() if k != "judge"}
        assert canonical(plain) == canonical(json.loads(ruled.model_dump_json()))
        added = {m.metric_id: m for m in result.judge.metrics}
        assert (added["M-028"].result, added["M-028"].score) == ("SCORED", int(points))
        assert added["M-028"].evidence == "It depends on packaging."
        assert added["M-028"].reason.startswith("judge: ")
        assert len(result.judge.rows) == len(questions)
        decided = {m.metric_id for m in ruled.metrics if m.result != "NOT_CHECKED"}
        assert not decided & set(added)
        assert result.judge.conclusion == "unqualified" == ruled.conclusion


def test_without_a_verdict_a_metric_stays_open() -> None:
    """A judge that answers nonsense adds nothing, and each row says that it was not judged."""
    (result,), _ = _judge([_session()], lambda n, body: said("5/5, great!"))
    assert result.judge.metrics == []
    assert {row.not_judged for row in result.judge.rows} == {"not_json"}


def test_the_small_local_model_is_marked_weak() -> None:
    """Its answers say so in every row and in the counts."""
    reply = _reply("yes", "4")
    judge = FakeJudge(lambda n, body: reply(n, body).model_copy(update={"weak": True}))  # type: ignore[union-attr]
    client = JudgeClient(judge)
    rows = asyncio.run(client.ask_all(open_questions(_session())[1]))
    assert all(row.weak for row in rows)
    assert client.summary().weak == len(rows)


def test_sessions_keep_their_order_and_their_answers() -> None:
    """Many sessions asked together come out in order, each with the answers to its own questions."""

    def quoting(_: int, body: dict[str, Any]) -> Completion:
        thanks = re.search(r"Thank you \d", body["messages"][-1]["content"])
        return verdict(
            "4" if thanks else "yes", quote=thanks.group() if thanks else "the MOQ", message="t3" if thanks else "t1"
        )

    sessions = []
    for n in range(7):
        turns = [*SESSION["turns"][:3], {"role": "assistant", "reply_text": f"Thank you {n}.", "tool_calls": []}]
        sessions.append(session_of({**SESSION, "session_id": f"S-{n}", "turns": turns}, "s"))
    results, _ = _judge(sessions, quoting)
    assert [r.session_id for r in results] == [s.session_id for s in sessions]
    evidence = [m.evidence for r in results for m in r.judge.metrics if m.metric_id == "M-028"]
    assert evidence == [f"Thank you {n}" for n in range(7)]


def test_a_wrong_session_comes_after_the_results_before_it() -> None:
    """What was read before a line that is wrong is graded and handed out first."""
    judge = FakeJudge(_reply("yes", "4"))

    def source() -> Iterator[tuple[str, InquirySession]]:
        yield "line 1", _session()
        yield "line 2", session_of({**SESSION, "profile": "nobodys"}, "line 2")

    async def run() -> list[str]:
        done: list[str] = []
        client = JudgeClient(judge)
        with pytest.raises(InputError, match="line 2: "):
            async for where, _ in judged_sessions(source(), client):
                done.append(where)
        return done

    assert asyncio.run(run()) == ["line 1"]


def test_a_verdict_that_replaced_a_rules_word_would_be_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the grading ever to let an answer through to a decided metric, the column would not be made."""
    session = _session()
    ruled, _ = open_questions(session)
    turned = [replace(m, result="PASS") if m.result == "FAIL" else m for m in ruled.metrics]
    monkeypatch.setattr(inquiry, "grade", lambda *args: ruled.model_copy(update={"metrics": turned}))
    with pytest.raises(AssertionError, match="replaced the rules' FAIL"):
        with_answers(session, ruled, [])


def test_all_that_was_recorded_is_material() -> None:
    """Words, state, tools and decisions are pieces of their own, and what a tool returned cannot leave its place."""
    pieces = messages(_session())
    assert [m.id for m in pieces] == ["t0", "t1.context", "t1.tool0", "t1", "t1.decision", "t2", "t3"]
    assert "</s>" in pieces[2].text
    assert "</s>" not in material(pieces, None)


def _configured(monkeypatch: pytest.MonkeyPatch, endpoint: StubEndpoint) -> None:
    for name, value in (("BASE_URL", endpoint.base_url), ("MODEL", "stub"), ("API_KEY", KEY)):
        monkeypatch.setenv(f"RIG_JUDGE_{name}", value)


def _obedient(_: int, body: dict[str, Any]) -> Say:
    schema = body["response_format"]["json_schema"]["schema"]["properties"]
    lines = re.findall(r'^\{"id": .*\}$', body["messages"][-1]["content"], re.MULTILINE)
    pieces = {p["id"]: p["text"] for p in map(json.loads, lines)}
    answers = schema["answer"]["enum"]
    return Say(
        json.dumps(
            {
                "message": "t0",
                "quote": pieces["t0"],
                "reason": "It is so.",
                "answer": "yes" if "yes" in answers else "4",
            }
        )
    )


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubEndpoint]:
    """A configured judge on loopback that says yes, or 4."""
    with stub(_obedient) as endpoint:
        _configured(monkeypatch, endpoint)
        yield endpoint


def test_a_judge_is_asked_labelled_measured_and_replayed(
    judge: StubEndpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From sessions to a graded file, to a sheet for people, to the judge's figures; the second time without an endpoint."""
    session, answers, sheet, rows = (tmp_path / n for n in ("s.json", "a.jsonl", "sheet.jsonl", "rows.jsonl"))
    session.write_text(json.dumps(SESSION))
    run = CliRunner()
    args = ["grade", "inquiry", str(session), "--judge", "--answers", str(answers), "--json"]
    first = run.invoke(app, args)
    assert first.exit_code == 1, first.stderr
    graded = json.loads(first.stdout)
    assert graded["judge"]["rows"][0]["model"] == "stub"
    asked = len(judge.bodies)
    assert f"{asked} questions, {asked} judged" in first.stderr
    assert "unpriced" in first.stderr

    made = run.invoke(app, ["judge-check", str(session), "--make-sheet", "-o", str(sheet)])
    assert (made.exit_code, made.stderr) == (0, f"{asked} questions\n")
    lines = [json.loads(x) for x in sheet.read_text().splitlines()]
    assert {x["rubric"] for x in lines} == {row["rubric"] for row in graded["judge"]["rows"]}
    for entry in lines:
        entry.update(label="2" if entry["rubric"] == "inquiry/M-028" else "yes", by="a reader")
    sheet.write_text("".join(json.dumps(x) + "\n" for x in lines))
    check = ["judge-check", str(sheet), "--repeats", "2", "--answers", str(answers), "-o", str(rows)]
    measured = run.invoke(app, [*check, "--json"])
    assert measured.exit_code == 0, measured.stderr
    by_rubric = {r["rubric"]: r for r in json.loads(measured.stdout)["rubrics"]}
    assert by_rubric["inquiry/M-028"]["true_negative_rate"]["value"] == 0.0
    assert by_rubric["inquiry/M-028"]["true_positive_rate"]["value"] is None
    assert len(judge.bodies) == 3 * asked
    assert len(rows.read_text().splitlines()) == 3 * asked

    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"RIG_JUDGE_{name}")
    again = run.invoke(app, [*args, "--replay"])
    replayed = json.loads(again.stdout)
    assert [m["result"] for m in replayed["judge"]["metrics"]] == [m["result"] for m in graded["judge"]["metrics"]]
    assert all(row["replayed"] for row in replayed["judge"]["rows"])
    text = run.invoke(app, [*check, "--replay"])
    assert text.exit_code == 0, text.stderr
    assert "true negative rate     0.0%" in text.stdout
    assert len(judge.bodies) == 3 * asked


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["judge-check"], 2, "wants one file"),
        (["judge-check", "none.jsonl"], 2, "is missing"),
        (["judge-check", "none.jsonl", "--repeats", "0"], 2, "--repeats"),
        (["judge-check", "--make-sheet"], 2, "wants files of sessions"),
        (["grade", "inquiry", "{s}", "--answers", "x"], 2, "is for --judge"),
        (["grade", "inquiry", "{s}", "--judge", "--replay"], 2, "needs --answers"),
        (["grade", "inquiry", "{s}", "--judge", "--replay", "--answers", "none.jsonl"], 2, "is missing"),
        (["grade", "inquiry", "{s}", "--judge", "--answers", "{s}"], 2, "line 1: is not a kept answer"),
        (["grade", "inquiry", "{s}", "--judge", "--concurrency", "0"], 2, "--concurrency"),
        (["grade", "inquiry", "{s}", "--judge", "--per-minute", "0"], 2, "--per-minute"),
        (["grade", "inquiry", "{s}", "--judge"], 4, "no model judges"),
    ],
)
def test_a_wrong_use_is_one_line(
    args: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong options, files, and a judge that is not there end with one line and the exit code that fits."""
    monkeypatch.setenv("RIG_STATE_DIR", str(tmp_path / "state"))
    for name in ("RIG_JUDGE_MODEL", "RIG_JUDGE_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(SESSION) + "\n")
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(app, [a.replace("{s}", str(path)) for a in args])
    assert found.exit_code == code, found.output
    assert said in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert "Traceback" not in found.output
