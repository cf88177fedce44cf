"""A language model plays the customer: the whole way through worker, pipe, gate and a real HTTP endpoint."""

import dataclasses
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from harness.config import Endpoint
from harness.run import Access
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from tests.journeys.conftest import ROOT, Play

pytestmark = [pytest.mark.browser, pytest.mark.stack]

KEY = "key-of-a-test-endpoint"


def reply(prompt: str, schema: dict[str, Any]) -> dict[str, Any]:
    """What an obedient model would answer: the facts whose words the screen asks for, else a button, a file or “don't know”."""
    screen = prompt.split("ON YOUR SCREEN NOW")[1]
    controls = [c for c in schema["properties"]["control"]["enum"] if c]
    move: dict[str, Any] = {
        "asked": [],
        "asked_unknown": False,
        "used": [],
        "move": "say",
        "messages": [],
        "control": "",
        "value": "",
        "file": "",
    }
    if "Yes, that is right" in controls:
        return {**move, "move": "press", "control": "Yes, that is right"}
    for word in ("photo", "quote"):
        if any(word in c for c in controls):
            line = next(
                x
                for x in prompt.splitlines()
                if x.startswith("- ") and word in x and ("you have it" in x or "you get it later" in x)
            )
            if "you have it" in line:
                label = line[2:].split(":")[0]
                return {**move, "move": "upload", "control": next(c for c in controls if word in c), "file": label}
            return {**move, "messages": [line.split("say: ", 1)[1]]}
    words = {
        "time": "incident_time", "hurt": "injuries", "police": "police_reference", "registration number": "plate", "where is it": "vehicle_location",
        "address": "vehicle_location", "driven": "drivable", "cost": "estimated_loss", "other vehicle": "other_vehicle",
    }  # fmt: skip
    facts = dict(re.findall(r"^([a-z_]+) \| [^|]* \| (.*)$", prompt, re.MULTILINE))
    used = [fact for word, fact in words.items() if word in screen.lower()]
    said = " ".join(dict.fromkeys(facts[u] for u in used if u in facts)) or "Sorry, I don't know that."
    return {**move, "used": used, "messages": [said]}


class Handler(BaseHTTPRequestHandler):
    """Chat completions."""

    bodies: list[dict[str, Any]]

    def do_POST(self) -> None:
        """One completion; the key is looked at as a real endpoint would."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.bodies.append(body)
        ok = self.headers["Authorization"] == f"Bearer {KEY}"
        prompt = "\n".join(m["content"] for m in body["messages"])
        text = json.dumps(reply(prompt, body["response_format"]["json_schema"]["schema"]))
        answer = {
            "id": "x", "object": "chat.completion", "created": 1, "model": "stub",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050},
        }  # fmt: skip
        data = json.dumps(answer if ok else {"error": {"message": "bad key"}}).encode()
        self.send_response(200 if ok else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def endpoint() -> Iterator[tuple[Endpoint, list[dict[str, Any]]]]:
    """A stub endpoint on loopback and the bodies it got."""
    bodies: list[dict[str, Any]] = []
    handler = type("Bound", (Handler,), {"bodies": bodies})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Endpoint(f"http://127.0.0.1:{server.server_address[1]}/v1", "stub", KEY), bodies
    server.shutdown()
    server.server_close()
    thread.join(5)


def test_a_model_gets_the_case_number(
    play: Play, access: Access, endpoint: tuple[Endpoint, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """The gate lets every request through, the journey completes, the record verifies, the key is nowhere on disk."""
    model, bodies = endpoint
    result = play("r1", customer="model", access=dataclasses.replace(access, model=model), max_attempts=1)
    (trial,) = result.trials
    assert trial.termination_reason == "completed", trial.why
    found = verify_run(tmp_path / "results/r1", ROOT / "packages")
    assert found.problems == []
    assert found.prompts == len(bodies) > 5
    order = list(bodies[0]["response_format"]["json_schema"]["schema"]["properties"])
    assert order == ["asked", "asked_unknown", "used", "move", "messages", "control", "value", "file"], (
        "a small model writes in this order"
    )
    assert len({b["messages"][0]["content"] for b in bodies}) == 1, (
        "the part that never changes is the same bytes all journey"
    )
    for file in (tmp_path / "results/r1").rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
    attempt = json.loads((Path(trial.folder) / "attempt.json").read_bytes())
    (cost,) = [c for c in attempt["costs"] if c["role"] == "customer"]
    assert (cost["calls"], cost["tokens_in"], cost["cost"]) == (len(bodies), 1000 * len(bodies), None)
    assert "unpriced" in cost["why_incomplete"]
    (card,) = score_run(tmp_path / "results/r1", ROOT / "packages")
    assert [x.id for x in card.lines if x.state == "fail"] == []


def test_a_wrong_key_is_the_environments_fault(
    play: Play, access: Access, endpoint: tuple[Endpoint, list[dict[str, Any]]]
) -> None:
    """Everything errored is not a result: nothing counts, exit code 4, and the product is not blamed."""
    model, _ = endpoint
    bad = dataclasses.replace(model, api_key="some-wrong-key")
    result = play("r1", customer="model", access=dataclasses.replace(access, model=bad), max_attempts=1)
    assert (result.trials[0].termination_reason, result.exit_code) == ("environment_error", 4)
    assert "401" in result.trials[0].why
