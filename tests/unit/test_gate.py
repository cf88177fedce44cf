"""What the gate makes of an endpoint's answers."""

import asyncio
import json
from pathlib import Path

import httpx2
import pytest
from openai import APIConnectionError, APITimeoutError, BadRequestError, InternalServerError, RateLimitError

import harness.gate
from harness.gate import Answer, RecordedSource
from harness.schema.run import CallUsage
from tests.support.gates import bench
from tests.support.views import screen

REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")


def _status(code: int, cls: type, text: str = "no") -> Exception:
    return cls(text, response=httpx2.Response(code, request=REQUEST), body=None)


def _answer(text: str, finish: str = "stop", tokens_out: int | None = 5) -> Answer:
    return Answer(text, finish, CallUsage(tokens_in=10, tokens_out=tokens_out, cost=None), 200)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness.gate, "wait_exponential_jitter", lambda **_: lambda _state: 0)


GOOD = '{"move":"wait"}'


@pytest.mark.parametrize(
    ("answers", "outcome", "kinds"),
    [
        ([GOOD], "ok", ["ok"]),
        ([_status(429, RateLimitError), GOOD], "ok", ["rate_limited", "ok"]),
        ([_status(500, InternalServerError), GOOD], "ok", ["http_error", "ok"]),
        ([APITimeoutError(request=REQUEST), GOOD], "ok", ["timeout", "ok"]),
        ([_answer("You exceeded your quota, rate limit reached", tokens_out=0), GOOD], "ok", ["quota_text", "ok"]),
        ([_answer("")], "empty", ["empty"]),
        ([_answer("  \n")], "empty", ["empty"]),
        ([_answer('{"move":"sa', finish="length")], "truncated", ["truncated"]),
        ([_answer("I'm sorry, but I can't help with that.")], "refusal", ["refusal"]),
        ([_status(400, BadRequestError, "response_format is not supported"), GOOD], "ok", ["refused_schema", "ok"]),
        ([APIConnectionError(request=REQUEST)] * 4, "endpoint_down", ["http_error"] * 4),
        ([_status(429, RateLimitError)] * 4, "endpoint_down", ["rate_limited"] * 4),
    ],
)
def test_each_kind_of_answer_is_told_apart(
    answers: list[object], outcome: str, kinds: list[str], tmp_path: Path
) -> None:
    """Transport faults are tried again and counted; empty, cut and refused answers are the simulator's."""
    one = bench(tmp_path, answers)
    shown = one.show(screen("When did it happen?"))
    reply = asyncio.run(one.gate.ask(one.request(shown)))
    lines = [json.loads(x) for x in (tmp_path / "attempt/prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert reply.outcome == outcome
    assert [x["outcome"] for x in lines if x["kind"] == "model_call_ended"] == kinds
    assert sum(x["kind"] == "model_call_started" for x in lines) == len(kinds)


def test_an_endpoint_that_refuses_schemas_is_asked_without(tmp_path: Path) -> None:
    """First JSON Schema, then a JSON object, then plain; the messages stay the same, and it is remembered."""
    refuse = _status(400, BadRequestError, "unsupported")
    one = bench(tmp_path, [refuse, refuse, GOOD, GOOD])
    shown = one.show(screen("When did it happen?"))
    assert asyncio.run(one.gate.ask(one.request(shown))).outcome == "ok"
    assert asyncio.run(one.gate.ask(one.request(shown))).outcome == "ok"
    formats = [b.get("response_format", {}).get("type") for b in one.source.bodies]
    assert formats == ["json_schema", "json_object", None, None]
    assert len({json.dumps(b["messages"]) for b in one.source.bodies}) == 1


def test_cost_is_complete_or_says_why_not(tmp_path: Path) -> None:
    """Unpriced is not zero; a call without usage makes it incomplete."""
    one = bench(tmp_path, [_status(500, InternalServerError), GOOD])
    shown = one.show(screen("When did it happen?"))
    asyncio.run(one.gate.ask(one.request(shown)))
    cost = one.gate.cost()
    assert cost.cost is None
    assert not cost.complete
    assert cost.why_incomplete == "1 calls ended without usage; 1 calls are unpriced"


def test_a_recorded_customer_answers_by_request(tmp_path: Path) -> None:
    """The same request gets the recorded reply; an unknown one is no guess."""
    (tmp_path / "first").mkdir()
    one = bench(tmp_path / "first", ['{"move":"leave"}'])
    shown = one.show(screen("When did it happen?"))
    asyncio.run(one.gate.ask(one.request(shown)))
    (tmp_path / "second").mkdir()
    two = bench(tmp_path / "second")
    two.gate.source = RecordedSource(tmp_path / "first/attempt/prompts.jsonl")
    two.show(shown)
    assert asyncio.run(two.gate.ask(two.request(shown))).text == '{"move":"leave"}'
    other = two.show(screen("Where did it happen?", seq=2))
    assert asyncio.run(two.gate.ask(two.request(other))).outcome == "endpoint_down"
