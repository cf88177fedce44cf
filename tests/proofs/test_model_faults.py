"""What a model's endpoint does wrong, over real HTTP: the ending names who was at fault, and the product never is."""

import asyncio
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tenacity import wait_none

from harness.customer.conduct import Conduct
from harness.customer.players import ModelPlayer
from harness.errors import EnvironmentFault, SimulatorFault
from harness.gate import EndpointSource
from harness.run import Access, RunResult
from harness.schema.move import Move, say
from harness.schema.order import ModelReply, ModelRequest
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from tests.journeys.conftest import ROOT, Play
from tests.support.gates import Bench, bench
from tests.support.stub_endpoint import USAGE, Behaviour, Say, StubEndpoint, good, obedient, stub
from tests.support.views import screen

LEAVE = json.dumps(say("Goodbye.").model_dump() | {"move": "leave", "messages": []})
CHINESE = json.dumps(say("我不知道，对不起。").model_dump(), ensure_ascii=False)
ROLE = json.dumps(say("Hello! How can I help you today?").model_dump())
DEEP = "[" * 30_000

ENDPOINT: dict[str, Say] = {
    "429": Say("slow down", status=429),
    "500": Say("internal error", status=500),
    "503 without words": Say(status=503, raw=b""),
    "401": Say("bad key", status=401),
    "404": Say("no such model", status=404),
    "400 whatever is left out": Say("bad request", status=400),
    "302": Say(status=302, raw=b""),
    "a web page": Say(raw=b"<html><body>It works!</body></html>"),
    "an empty body": Say(raw=b""),
    "JSON of another kind": Say(raw=b'{"hello": "world"}'),
    "a list": Say(raw=b"[1, 2, 3]"),
    "null": Say(raw=b"null"),
    "a body nested too deeply": Say(raw=DEEP.encode()),
    "bytes that are no text": Say(raw=b"\xff\xfe\x00\x01"),
    "a closed connection": Say(silent=True),
    "half a body": Say("x" * 1000, cut=True),
    "no answer, ever": Say(forever=True),
    "a drip without an end": Say(drip=True),
    "quota text as an answer": Say("You exceeded your current quota.", usage={**USAGE, "completion_tokens": 0}),
    "a number as content": Say(42),
    "parts as content": Say([{"type": "text", "text": "hello"}]),
    "half of a surrogate pair": Say('{"move": "\ud83d"}'),
    "token counts that are none": Say("{}", usage={"prompt_tokens": "many", "completion_tokens": None}),
}
"""The endpoint is broken: `environment_error`."""

SIMULATOR: dict[str, Say] = {
    "garbage": Say("blah blah, whatever"),
    "nothing": Say(""),
    "null content": Say(None),
    "white space": Say(" \n\n\t"),
    "no choice": Say(raw=b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}'),
    "reasoning only": Say('<think>As the user I should say {"move": "leave"}</think>'),
    "reasoning that never ends": Say("<think>The user wants me to"),
    "half a reply": Say('{"asked": [], "asked_unknown": false, "used": [], "move": "say", "messages": ["It was on'),
    "cut at the token limit": Say('{"asked": [', finish="length"),
    "two fenced drafts": Say(f"```json\n{LEAVE}\n```\nor rather\n```json\n{ROLE}\n```"),
    "another language": Say(CHINESE),
    "the other role": Say(ROLE),
    "a refusal": Say("I'm sorry, but I can't help with that."),
    "leaving before anything": Say(LEAVE),
    "JSON that is no move": Say('{"answer": 42}'),
    "a move of the wrong types": Say('{"move": ["say"], "messages": "hello"}'),
    "NaN": Say('{"move": NaN}'),
    "nested too deeply": Say(DEEP),
    "a million characters": Say("a" * 1_000_000),
}
"""The endpoint works, the model does not play: `simulator_error`."""

HARMLESS: dict[str, Callable[[str], Say]] = {
    "fences": lambda move: Say(f"```json\n{move}\n```"),
    "reasoning first": lambda move: Say(f'<think>A draft: {{"move": "leave"}}. No.</think>\n{move}'),
    "words around": lambda move: Say(f"Here is my move:\n{move}\nI hope that helps."),
    "fields that are not there": lambda move: Say(
        json.dumps({k: v for k, v in json.loads(move).items() if v not in ("", [], False)} | {"mood": "calm"})
    ),
    "no token counts": lambda move: Say(move, usage=None),
}
"""A reply that is odd and yet clear is taken."""


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between tries nothing is waited for."""
    monkeypatch.setattr("harness.gate.wait_exponential_jitter", lambda **_: wait_none())


@dataclasses.dataclass
class _Port:
    """The worker's side of the gate, without a pipe."""

    bench: Bench

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """As the pipe does."""
        return await self.bench.gate.ask(ModelRequest(messages=messages, schema=schema, screen=screen, note=note))


def decide(folder: Path, endpoint: StubEndpoint, screens: int = 6, timeout_s: float = 60.0) -> list[str]:
    """Who made the move of each screen, through conduct, gate and HTTP; a stub that answers is waited for."""

    async def play() -> list[str]:
        one = bench(folder)
        source = EndpointSource(endpoint.endpoint(), timeout_s=timeout_s)
        one.gate.source, source.inspect = source, one.gate.inspect
        one.said("My car was hit.")
        conduct = Conduct(ModelPlayer(_Port(one), "model"), one.ledger, one.record, tries=4, stand_in_limit=4)
        made: list[str] = []
        try:
            for seq in range(1, screens + 1):
                got = await conduct.decide(one.show(screen("Thank you. Was anyone hurt?", seq=seq)))
                assert got is not None
                made.append(got[1])
                one.said(got[0].messages[0])
        finally:
            await source.close()
            one.gate.close()
            one.record.close()
        return made

    return asyncio.run(play())


def outcomes(folder: Path) -> list[str]:
    """Outcomes of the calls, as prompts.jsonl has them."""
    lines = (folder / "attempt/prompts.jsonl").read_bytes().splitlines()
    entries = [json.loads(line) for line in lines]
    started = [e["call"] for e in entries if e["kind"] == "model_call_started"]
    ended = [e for e in entries if e["kind"] == "model_call_ended"]
    assert [e["call"] for e in ended] == started, "every call that began has an end"
    return [str(e["outcome"]) for e in ended]


@pytest.mark.parametrize("fault", ENDPOINT)
def test_a_broken_endpoint_is_the_environments_fault(fault: str, tmp_path: Path) -> None:
    """After bounded tries; every call is recorded with its outcome, none of them as an answer."""
    patience_s = 0.5 if ENDPOINT[fault].forever or ENDPOINT[fault].drip else 60.0
    with stub(lambda _number, _body: ENDPOINT[fault]) as endpoint, pytest.raises(EnvironmentFault):
        decide(tmp_path, endpoint, timeout_s=patience_s)
    seen = outcomes(tmp_path)
    assert 1 <= len(seen) <= 4
    assert "ok" not in seen
    assert not set(seen) & {"empty", "refusal", "truncated"}


@pytest.mark.parametrize("fault", SIMULATOR)
def test_a_model_that_does_not_play_is_the_simulators_fault(fault: str, tmp_path: Path) -> None:
    """Each screen is asked about four times, then the stand-in speaks; after four stand-ins it is over. Nothing is sent of it."""
    with stub(lambda _number, _body: SIMULATOR[fault]) as endpoint, pytest.raises(SimulatorFault):
        decide(tmp_path, endpoint)
    assert len(outcomes(tmp_path)) == 4 * 5
    events = [json.loads(x) for x in (tmp_path / "attempt/events.jsonl").read_bytes().splitlines()]
    assert len([e for e in events if e["kind"] == "move_rejected"]) == 4 * 5
    delivered = {e["slip"] for e in events if e["kind"] == "slip" and e["delivered"]}
    assert delivered == {"denied"}, "what arrives is the stand-in's “I don't know”, and it counts as one"


@pytest.mark.parametrize("oddity", HARMLESS)
def test_an_odd_reply_that_is_clear_is_taken(oddity: str, tmp_path: Path) -> None:
    """Strict first, then one leading thought, one fence, one object; the move is the one meant, at the first try."""
    move: Move = say("No, nobody was hurt.", asked=["injuries"], used=["injuries"])
    with stub(lambda _number, _body: HARMLESS[oddity](move.model_dump_json())) as endpoint:
        assert decide(tmp_path, endpoint, screens=1) == ["model"]
    assert outcomes(tmp_path) == ["ok"]


def test_one_bad_call_among_good_ones_is_got_over(tmp_path: Path) -> None:
    """A 429, a 500, a dropped connection: each is tried again, and the move comes."""
    move = say("No, nobody was hurt.").model_dump_json()
    first = [Say("later", status=429), Say("oops", status=500), Say(silent=True)]
    with stub(lambda number, _body: first[number - 1] if number <= 3 else Say(move)) as endpoint:
        assert decide(tmp_path, endpoint, screens=1) == ["model"]
    assert outcomes(tmp_path) == ["rate_limited", "http_error", "http_error", "ok"]


# ------------------------------------------------------------------ whole journeys

browser = pytest.mark.browser
product = pytest.mark.stack


def run_with(play: Play, access: Access, behaviour: Behaviour, **changes: Any) -> RunResult:
    """A run whose customer is a stub model; one attempt."""
    given = {"max_attempts": 1, "model_timeout_s": 1.0, **changes}
    with stub(behaviour) as endpoint:
        return play("r1", customer="model", access=dataclasses.replace(access, model=endpoint.endpoint()), **given)


def nothing_counts(result: RunResult, run: Path) -> None:
    """No result, so no score; the record verifies."""
    assert (result.trials[0].counting_attempt, result.exit_code) == (None, 4)
    assert not [c for c in score_run(run, ROOT / "packages") if c.counting]
    assert verify_run(run, ROOT / "packages").problems == []


@browser
@product
@pytest.mark.parametrize(
    "fault",
    [
        "429",
        "no answer, ever",
        *(pytest.param(f, marks=pytest.mark.proof) for f in ENDPOINT if f not in ("429", "no answer, ever")),
    ],
)
def test_a_journey_with_a_broken_endpoint(fault: str, play: Play, access: Access, tmp_path: Path) -> None:
    """environment_error, in bounded time, nothing held against the product."""
    result = run_with(play, access, lambda _number, _body: ENDPOINT[fault])
    assert result.trials[0].termination_reason == "environment_error", result.trials[0].why
    nothing_counts(result, tmp_path / "results/r1")


@browser
@product
@pytest.mark.parametrize(
    "fault",
    [
        "nothing",
        "another language",
        *(pytest.param(f, marks=pytest.mark.proof) for f in SIMULATOR if f not in ("nothing", "another language")),
    ],
)
def test_a_journey_with_a_model_that_does_not_play(fault: str, play: Play, access: Access, tmp_path: Path) -> None:
    """simulator_error, nothing held against the product, and none of its words reached the product."""
    result = run_with(play, access, lambda _number, _body: SIMULATOR[fault])
    assert result.trials[0].termination_reason == "simulator_error", result.trials[0].why
    nothing_counts(result, tmp_path / "results/r1")
    events = [json.loads(x) for x in (Path(result.trials[0].folder) / "events.jsonl").read_bytes().splitlines()]
    said = [e["text"] for e in events if e["kind"] == "acted" and e["act"] == "said"]
    facts = json.loads((ROOT / "packages/claims/CTL-M-001/input/facts.json").read_bytes())
    assert set(said[1:]) <= {*facts["persona"]["dont_know"], *(wish["say"] for wish in facts["wishes"])}


@browser
@product
def test_a_journey_with_a_fault_at_every_other_call_scores_as_without(
    play: Play, access: Access, tmp_path: Path
) -> None:
    """Passing faults of every kind, harmless oddities between: completed, verified, and no line of the product fails."""
    faults = [
        ENDPOINT["429"],
        ENDPOINT["500"],
        ENDPOINT["a closed connection"],
        ENDPOINT["half a body"],
        ENDPOINT["a web page"],
    ]
    faults += [
        ENDPOINT["quota text as an answer"],
        SIMULATOR["garbage"],
        SIMULATOR["nothing"],
        SIMULATOR["reasoning only"],
    ]
    faults += [
        SIMULATOR["half a reply"],
        SIMULATOR["another language"],
        SIMULATOR["a refusal"],
        ENDPOINT["no answer, ever"],
    ]
    odd = list(HARMLESS.values())

    def behaviour(number: int, body: dict[str, Any]) -> Say:
        if number % 2 and number // 2 < len(faults):
            return faults[number // 2]
        if "response_format" not in body:
            return good(number, body)
        return odd[number // 2 % len(odd)](json.dumps(obedient(body)))

    result = run_with(play, access, behaviour)
    assert result.trials[0].termination_reason == "completed", result.trials[0].why
    (card,) = [c for c in score_run(tmp_path / "results/r1", ROOT / "packages") if c.counting]
    assert [line.id for line in card.lines if line.state == "fail"] == []
    found = verify_run(tmp_path / "results/r1", ROOT / "packages")
    assert found.problems == []
    attempt = json.loads((Path(result.trials[0].folder) / "attempt.json").read_bytes())
    (cost,) = [c for c in attempt["costs"] if c["role"] == "customer"]
    assert not cost["complete"], "calls without usage are no free calls"


@browser
@product
def test_time_spent_waiting_for_the_model_is_not_the_products(play: Play, access: Access, tmp_path: Path) -> None:
    """A journey that runs out of time over a slow model ends as environment_error, not as time_limit."""
    result = run_with(
        play, access, lambda number, body: dataclasses.replace(good(number, body), delay_s=3.0),
        model_timeout_s=30.0, journey_timeout_s=5.0,
    )  # fmt: skip
    assert result.trials[0].termination_reason == "environment_error", result.trials[0].why
    assert "the customer's model took" in result.trials[0].why
    nothing_counts(result, tmp_path / "results/r1")
