"""Between the gate and the endpoint: what the HTTP client, a proxy setting or a later change might add is not sent."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.config import Endpoint
from harness.gate import EndpointSource, Gate
from harness.schema.order import ModelReply
from tests.seal.catalogue import Place, Row
from tests.seal.endpoint import StubEndpoint, stub_endpoint
from tests.support.gates import Bench, bench
from tests.support.views import screen

Plant = Callable[[Bench, EndpointSource, pytest.MonkeyPatch], str]
"""Plants a leak; returns a piece of it as it would arrive."""


def _options(**options: Any) -> Plant:
    """The client is made with something more."""

    def plant(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
        patch.setattr(source, "_client", source._client.with_options(**options))
        return "standard"

    return plant


def _canary_header(name: str, text: str = "{}") -> Plant:
    def plant(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
        canary = one.package.canaries["oracle/labels.json"]
        patch.setattr(source, "_client", source._client.with_options(default_headers={name: text.format(canary)}))
        return canary

    return plant


def _canary_query(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
    canary = one.package.canaries["setup.json"]
    patch.setattr(source, "_client", source._client.with_options(default_query={"session": canary}))
    return canary


def _canary_key(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
    canary = one.package.canaries["provenance.json"]
    patch.setattr(source, "_client", source._client.with_options(api_key=canary))
    return canary


def _another_path(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
    there = f"{source._endpoint.base_url}/standard"
    patch.setattr(source, "_client", source._client.with_options(base_url=there))
    return "/standard/"


def _sent_with(**more: Any) -> Plant:
    """The source sends more than the body it was given."""

    def plant(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
        chat = source._client.chat.completions.with_raw_response
        honest = chat.create
        patch.setattr(chat, "create", lambda **body: honest(**{**body, **more}))
        return "standard"

    return plant


def _body_with(key: str, value: Any) -> Plant:
    """The gate itself puts more into the body."""

    def plant(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
        honest = Gate._body
        patch.setattr(Gate, "_body", lambda self, request: {**honest(self, request), key: value})
        return "standard"

    return plant


LEVEL = [{"role": "user", "content": "It is standard."}]
PLANTED: dict[str, tuple[Place, str, Plant]] = {
    "canary in a header": ("HTTP headers", "canary", _canary_header("X-Case")),
    "canary in the user agent": ("HTTP headers", "canary", _canary_header("User-Agent", "rig/1 ({})")),
    "canary as the key": ("HTTP headers", "canary", _canary_key),
    "canary in the address": ("HTTP headers", "canary", _canary_query),
    "triage level in a header": ("HTTP headers", "residue", _options(default_headers={"X-Triage": "standard"})),
    "triage level in the address": ("HTTP headers", "residue", _options(default_query={"level": "standard"})),
    "triage level in the path": ("HTTP headers", "residue", _another_path),
    "a field the client adds to the body": ("prompt builder", "residue", _sent_with(user="standard")),
    "other messages than were recorded": ("prompt builder", "residue", _sent_with(messages=LEVEL)),
    "a field the gate adds to the body": ("prompt builder", "residue", _body_with("metadata", {"level": "standard"})),
    "other messages than were checked": ("prompt builder", "residue", _body_with("messages", LEVEL)),
    "another schema than was checked": (
        "prompt builder", "residue",
        _body_with("response_format", {"type": "json_schema", "json_schema": {"name": "standard", "schema": {"const": "standard"}}}),
    ),
}  # fmt: skip
ROWS = [
    Row(place, name, f"gate: {guard}, on the wire", f"test_wire.py::test_planted_leak_never_leaves[{name}]")
    for name, (place, guard, _) in PLANTED.items()
]


def send(folder: Path, stub: StubEndpoint, plant: Plant, patch: pytest.MonkeyPatch) -> tuple[ModelReply, str]:
    """One honest request through the gate and a real client, with the leak planted behind the gate's first look."""
    one = bench(folder)

    async def ask() -> tuple[ModelReply, str]:
        source = EndpointSource(Endpoint(stub.base_url, "m", "key-of-the-test"))
        one.gate.source = source
        source.inspect = one.gate.inspect
        leaked = plant(one, source, patch)
        shown = one.show(screen("When did it happen?"))
        try:
            return await one.gate.ask(one.request(shown)), leaked
        finally:
            await source.close()
            one.gate.close()

    return asyncio.run(ask())


@pytest.mark.parametrize("name", PLANTED)
def test_planted_leak_never_leaves(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing reaches the endpoint, the guard is named, and the record says that the call ended so."""
    _, guard, plant = PLANTED[name]
    with stub_endpoint() as stub:
        reply, _ = send(tmp_path, stub, plant, monkeypatch)
    assert (reply.outcome, stub.requests) == ("gate_closed", [])
    assert f"gate closed by {guard}" in reply.why
    lines = [json.loads(x) for x in (tmp_path / "attempt/prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (lines[-1]["call"], lines[-1]["outcome"]) == (reply.call, "gate_closed")


@pytest.mark.parametrize("name", PLANTED)
def test_without_the_guards_it_arrives(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the gate's looks at canary, body and wire taken out, the endpoint gets the leak."""
    monkeypatch.setattr(Gate, "inspect", lambda self, *texts: None)
    monkeypatch.setattr(Gate, "check_body", lambda self, body, request: None)
    monkeypatch.setattr(EndpointSource, "check_wire", lambda self, request: None)
    with stub_endpoint() as stub:
        reply, leaked = send(tmp_path, stub, PLANTED[name][2], monkeypatch)
    assert (reply.outcome, len(stub.requests)) == ("ok", 1)
    assert leaked.encode() in stub.requests[0]


def test_an_honest_request_arrives_as_it_was_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All guards on, a real client: one request, and its body is the one in prompts.jsonl."""
    with stub_endpoint() as stub:
        reply, _ = send(tmp_path, stub, lambda one, source, patch: "", monkeypatch)
    started = json.loads((tmp_path / "attempt/prompts.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert (reply.outcome, stub.bodies) == ("ok", [started["request"]])


def test_nothing_is_sent_if_nobody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source whose owner forgot to set the look sends nothing."""

    def forget(one: Bench, source: EndpointSource, patch: pytest.MonkeyPatch) -> str:
        source.inspect = None
        return ""

    with stub_endpoint() as stub:
        reply, _ = send(tmp_path, stub, forget, monkeypatch)
    assert (reply.outcome, stub.requests) == ("gate_closed", [])
