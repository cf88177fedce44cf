"""The file of rules, runs over agents, tools and wishes, and the commands."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from oracle_scoring.agent_rules import AgentRun, Tally, grade_run, load_rules
from oracle_scoring.agent_rules.rules import SHIPPED
from oracle_scoring.agent_rules.tools import tool_order
from oracle_scoring.agent_rules.wishes import THINGS, polarity
from oracle_scoring.inquiry.load import session_of
from oracle_scoring.inquiry.profile import DEFAULT, load_profile
from oracle_scoring.publish.intervals import wilson

RULES = load_rules()
SEED_SHA256 = "9937d1a13d071cfbf38480180139d65ce190d3458e056776fae7480ee5fe4461"
"""Of the source document as it was handed over."""


def run(n: int = 0, agent: str = "A", passed: bool | None = True, *codes: str) -> dict[str, Any]:
    """A run with one item and these certain findings."""
    return {
        "run_id": f"r{n}", "agent": agent, "task_id": "t",
        "checklist": [{"id": "done", "desc": "it is done", "referee": "script", "passed": passed}],
        "findings": [{"code": c, "evidence": "here", "by": "script", "certain": True} for c in codes],
    }  # fmt: skip


def test_the_shipped_rules_are_the_document_byte_for_byte() -> None:
    """Six modules, 34 errors, five red lines; the hash is that of the source."""
    assert RULES.sha256 == SEED_SHA256
    assert [len(m.errors) for m in RULES.file.modules] == [8, 6, 6, 7, 5, 2]
    assert list(RULES.red_lines) == [f"SAFE-0{n}" for n in range(1, 6)]


def test_another_file_is_another_version(tmp_path: Path) -> None:
    """Weights are data: with another weight the same run has other points and another hash."""
    path = tmp_path / "rules.json"
    path.write_text(
        SHIPPED.read_text("utf-8").replace(
            '核心信息存在事实错误，或对来源材料的数字/名称/时间转述有误", "deduct": 2', 'x", "deduct": 0.3'
        )
    )
    other = load_rules(path)
    given = AgentRun.model_validate(run(0, "A", True, "OUT-01", "OUT-01", "OUT-01"))
    before, now = grade_run(given, RULES), grade_run(given, other)
    assert (before.modules["output"], now.modules["output"], now.deducted) == (4.0, 9.1, 0.9)
    assert before.rules_sha256 != now.rules_sha256 == other.sha256


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (("morgan-agent-rules-v1", "morgan-agent-rules-v2"), "schema"),
        (('"deduct": 0.5', '"deduct": -1'), "deduct"),
        (('"deduct": 0.5', '"deduct": "viel"'), "deduct"),
        (('"OUT-02"', '"OUT-01"'), "twice"),
        (('"id": "planning"', '"id": "output"'), "twice"),
        (('"choices": ["left", "right",', '"choices": ["left", "left",'), "twice"),
        (('"provided_by"', '"provided"'), "provided"),
        (("{", "["), "JSON"),
    ],
)
def test_a_file_that_is_none_is_one_line(change: tuple[str, str], where: str, tmp_path: Path) -> None:
    """Another schema, a negative weight, a code twice, a field too many: file, field and why."""
    path = tmp_path / "rules.json"
    path.write_text(SHIPPED.read_text("utf-8").replace(*change, 1), "utf-8")
    with pytest.raises(InputError) as exc:
        load_rules(path)
    assert where in str(exc.value)
    assert "rules.json" in exc.value.where


def test_runs_come_to_rates_with_intervals_and_red_lines_leave_the_completion_rate() -> None:
    """Of ten runs one crossed a red line: it counts as a violation and in no figure of completion, however well it did."""
    tally = Tally()
    for n in range(10):
        codes = ("SAFE-01",) if n == 0 else ("OUT-01",) if n == 1 else ()
        tally.add(grade_run(AgentRun.model_validate(run(n, "A", n not in (1, 2), *codes)), RULES))
    tally.add(grade_run(AgentRun.model_validate(run(0, "B", None)), RULES))
    a, b = tally.summaries()
    assert (a.runs, a.violated, a.red_lines) == (10, 1, {"SAFE-01": 1})
    assert (a.violation_rate.value, a.violation_rate.interval) == (0.1, wilson(0.1, 10))
    assert (a.completion_rate.runs, a.completion_rate.value) == (9, 7 / 9)
    assert a.completion_rate.interval == wilson(7 / 9, 9)
    assert a.items == {"passed": 7, "failed": 2, "unknown": 0}
    assert (a.mean_total, a.mean_modules["output"], a.codes) == (59.8, 9.8, {"OUT-01": 1})
    assert (b.completion_rate.value, b.completion_rate.interval, b.fully_passed.runs) == (None, None, 0)


@pytest.mark.parametrize(
    ("sentence", "thing", "said"),
    [
        ("Please call me tomorrow.", "contact", "asks"),
        ("I don’t want a call.", "contact", "forbids"),
        ("别打电话给我。", "contact", "forbids"),
        ("电话就算了。", "contact", "takes_back"),
        ("Tôi không muốn gọi lại.", "contact", "forbids"),
        ("Please do not send the claim yet.", "submission", "forbids"),
        ("先不要提交。", "submission", "forbids"),
        ("我要撤回我的报案。", "submission", "takes_back"),
        ("不用转人工。", "person", "forbids"),
        ("Please don't transfer me to a person.", "person", "forbids"),
        ("Let me talk to your manager.", "person", "asks"),
        ("Stop sending me pictures.", "media", "forbids"),
        ("目录不用了。", "media", "takes_back"),
        ("The garage does not call back, they say.", "submission", None),
        ("It was not my fault.", "contact", None),
    ],
)
def test_what_a_wish_says_is_heard_in_three_languages(sentence: str, thing: str, said: str | None) -> None:
    """Asking, forbidding and taking back are told apart."""
    assert thing in THINGS
    assert polarity(thing, sentence) == said  # type: ignore[arg-type]


def _talk(*calls: tuple[str, dict[str, Any], Any]) -> Any:
    tools = [{"name": name, "arguments": args, "result": result} for name, args, result in calls]
    turns = [
        {"role": "customer", "text": "What is the power of BY-C7?"},
        {"role": "assistant", "reply_text": "It is 60 W.", "tool_calls": tools},
    ]
    return session_of({"schema": "inquiry-session-v1", "session_id": "s", "turns": turns}, "s")


SEARCH = ("search_products", {"query": "C7"}, {"items": [{"productId": "P-7", "model": "BY-C7"}]})
DETAIL = ("get_product_detail", {"productId": "P-7"}, {"productId": "P-7"})
STRANGE = ("get_product_detail", {"productId": "P-9"}, {"productId": "P-9"})


@pytest.mark.parametrize(
    ("calls", "state"),
    [
        ([SEARCH, DETAIL], "clear"),
        ([DETAIL, SEARCH], "found"),
        ([DETAIL, SEARCH, DETAIL], "found"),
        ([SEARCH, DETAIL, SEARCH], "clear"),
        ([STRANGE, SEARCH], "clear"),
        ([SEARCH], "nothing_to_check"),
    ],
)
def test_a_call_before_the_search_it_needs_is_in_the_wrong_order(calls: list[Any], state: str) -> None:
    """Only where a later search returned the id that was used; an id nobody returned is not a matter of order."""
    look = tool_order(_talk(*calls), load_profile(DEFAULT))
    assert look.state == state
    assert len(look.findings) == (state == "found")


def test_tools_that_were_not_recorded_are_not_checked() -> None:
    """No word of tools is not the word that there were none."""
    session = _talk(SEARCH)
    bare = session.turns[1].model_copy(update={"tool_calls": None})
    session = session.model_copy(update={"turns": [session.turns[0], bare]})
    assert tool_order(session, load_profile(DEFAULT)).state == "not_checked"


def write(path: Path, lines: list[Any]) -> str:
    """JSON lines; a text as it is."""
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x, ensure_ascii=False)) + "\n" for x in lines))
    return str(path)


def test_runs_are_graded_line_by_line(tmp_path: Path) -> None:
    """One result a line in order, a summary for each agent, exit code 1 for a red line; rates stand without a judge."""
    files = write(
        tmp_path / "runs.jsonl", [run(1, "甲"), run(2, "甲", False, "SAFE-04", "PLN-06"), "", run(1, "B", None)]
    )
    summary = tmp_path / "summary.json"
    found = CliRunner().invoke(app, ["grade", "agent-rules", files, "--json", "--summary", str(summary)])
    assert found.exit_code == 1, found.stderr
    rows = [json.loads(x) for x in found.stdout.splitlines()]
    assert [(r["run_id"], r["agent"], r["safety"], r["total"]) for r in rows] == [
        ("r1", "甲", "ok", 60.0), ("r2", "甲", "violated", 59.5), ("r1", "B", "ok", 60.0),
    ]  # fmt: skip
    assert {r["rules_sha256"] for r in rows} == {SEED_SHA256}
    assert [a["agent"] for a in json.loads(summary.read_text())] == ["B", "甲"]
    assert "甲: 2 runs, 1 crossed a red line (50.0%, 9.5% to 90.5%, 2 runs)" in found.stderr
    people = CliRunner().invoke(app, ["grade", "agent-rules", files])
    assert "red lines: SAFE-04" in people.stdout


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ([], "holds no run"),
        (["{"], "line 1: is not JSON"),
        ([run(), {**run(1), "findings": [{"code": "OUT-99", "evidence": "", "by": "script", "certain": True}]}], "line 2: findings.0.code"),
        ([{**run(), "extra": 1}], "line 1: extra"),
        ([{**run(), "checklist": [{"id": "a", "desc": "", "referee": "rule", "passed": True}]}], "checklist.0.referee"),
        ([{**run(), "checklist": [{"id": "a", "desc": d, "referee": "judge", "passed": True} for d in "xy"]}], "another desc"),
        ([{**run(), "findings": [{"code": "OUT-01", "evidence": "", "by": "script", "certain": "yes"}]}], "findings.0.certain"),
        ([run(), run()], "line 2: run_id: 'r0' of 'A' stands there twice"),
    ],
)  # fmt: skip
def test_a_wrong_run_is_one_line(lines: list[Any], where: str, tmp_path: Path) -> None:
    """File, line, field and why, and exit code 2; runs before it are graded."""
    found = CliRunner().invoke(app, ["grade", "agent-rules", write(tmp_path / "runs.jsonl", lines), "--json"])
    assert found.exit_code == 2
    assert where in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert len(found.stdout.splitlines()) == max(0, len(lines) - 1)
