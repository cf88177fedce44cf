"""The judge's endpoint over real HTTP on loopback: every fault of an endpoint under its own name."""

import asyncio
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from harness.config import Price
from harness.judge_model import JudgeModel
from oracle_scoring.judge import Bounds, JudgeClient
from oracle_scoring.judge.faults import EndpointFault, SchemaRefused
from tests.support.stub_endpoint import KEY, Say, stub
from tests.unit.judge.fakes import question, verdict

BODY = {"model": "stub", "messages": [{"role": "user", "content": "?"}], "response_format": {"type": "json_object"}}
PLAIN = {k: v for k, v in BODY.items() if k != "response_format"}


def _message(**fields: Any) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **fields}}
    return json.dumps({"id": "x", "object": "c", "created": 1, "model": "m", "choices": [choice]}).encode()


FAULTS: list[tuple[str, dict[str, Any], Say]] = [
    ("rate_limited", BODY, Say("slow down", status=429)),
    ("server_error", BODY, Say("oh", status=503)),
    ("http_error", BODY, Say("no key", status=401)),
    ("http_error", PLAIN, Say("bad", status=400)),
    ("SchemaRefused", BODY, Say("unknown response_format", status=400)),
    ("cut_off", BODY, Say(silent=True)),
    ("cut_off", BODY, Say(cut=True)),
    ("timeout", BODY, Say(forever=True)),
    ("timeout", BODY, Say(drip=True)),
    ("not_a_completion", BODY, Say(raw=b"<html>busy</html>")),
    ("not_a_completion", BODY, Say(raw=b"null")),
    ("not_a_completion", BODY, Say(raw=b'{"choices": []}')),
    ("not_a_completion", BODY, Say(["a", "list"])),
    ("not_a_completion", BODY, Say(raw=_message(content="\ud800"))),
]


def test_every_fault_has_its_name() -> None:
    """429, 5xx, 4xx, a refused schema, a cut line, silence, dripping, and answers that are no completion are told apart."""
    found: list[str] = []

    async def run(url: Any) -> None:
        patient, hasty = JudgeModel(url, timeout_s=60.0), JudgeModel(url, timeout_s=0.4)
        for name, body, _ in FAULTS:
            try:
                await (hasty if name == "timeout" else patient).complete(body)
                found.append("none")
            except EndpointFault as exc:
                assert KEY not in str(exc)
                found.append(exc.kind)
            except SchemaRefused:
                found.append("SchemaRefused")
        await patient.close()
        await hasty.close()

    with stub(lambda n, body: FAULTS[n - 1][2]) as endpoint:
        asyncio.run(run(endpoint.endpoint()))
    assert found == [name for name, _, _ in FAULTS]


def test_an_endpoint_that_is_not_there_is_told_from_one_that_breaks_off() -> None:
    """No connection means that nothing was sent, and nothing can have been charged."""
    with stub() as endpoint:
        url = endpoint.endpoint()

    async def run() -> None:
        model = JudgeModel(url)
        with pytest.raises(EndpointFault, match="unreachable"):
            await model.complete(PLAIN)
        await model.close()

    asyncio.run(run())


KEPT = [
    (Say(raw=_message(content="x")), "x", "stop", False),
    (Say(raw=_message(content=None, refusal="I will not")), "I will not", "refusal", False),
    (Say(raw=_message(content=None)), "", "stop", False),
    (Say(raw=_message(content="x", reasoning_content="so")), "x", "stop", True),
    (Say("x", finish="length"), "x", "length", False),
    (Say("x", finish="content_filter"), "x", "content_filter", False),
]


def test_a_completion_keeps_what_tells_faults_apart() -> None:
    """Text, reason of the end, refusals and reasoning in a field of its own arrive."""
    got: list[tuple[str, str, bool]] = []

    async def run(url: Any) -> None:
        model = JudgeModel(url)
        for _ in KEPT:
            found = await model.complete(PLAIN)
            got.append((found.text, found.finish, found.reasoned))
        await model.close()

    with stub(lambda n, body: KEPT[n - 1][0]) as endpoint:
        asyncio.run(run(endpoint.endpoint()))
    assert got == [tuple(kept[1:]) for kept in KEPT]


def test_a_client_asks_over_http_and_counts_the_cost() -> None:
    """A question goes out under the schema, the verdict comes back, and tokens times price is the cost, to the last digit."""

    async def run(url: Any) -> None:
        model = JudgeModel(replace(url, price=Price(Decimal("0.15"), Decimal("0.6"), "EUR")))
        client = JudgeClient(model, None, Bounds(first_wait_s=0.01))
        (row,) = await client.ask_all([question()])
        assert row.answer == "yes"
        summary = client.summary()
        assert summary.calls == {"ok": 1, "rate_limited": 1}
        assert (summary.spent.cost, summary.spent.complete) == ("0.00018 EUR", True)
        await model.close()

    with stub(lambda n, body: Say("later", status=429) if n == 1 else Say(verdict().text)) as endpoint:
        asyncio.run(run(endpoint.endpoint()))
        assert endpoint.bodies[0] == endpoint.bodies[1]
        assert endpoint.bodies[0]["response_format"]["json_schema"]["strict"] is True
