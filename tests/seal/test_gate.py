"""The gate: each planted leak is stopped by the guard meant for it, and nothing is sent."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.customer import prompt, rule
from harness.gate import Caps
from harness.gate_render import Sections, locked_template, replay_file
from harness.schema.order import ModelReply, ModelRequest
from harness.schema.screen import Block, Control, Screen
from harness.stage import view_bytes
from tests.support.gates import Bench, bench
from tests.support.views import screen, upload

Leak = Callable[[Bench, ModelRequest], ModelRequest]


def ask(one: Bench, request: ModelRequest) -> ModelReply:
    return asyncio.run(one.gate.ask(request))


def test_an_honest_request_passes(tmp_path: Path) -> None:
    """What follows from view, record and template is sent as it is."""
    one = bench(tmp_path, ['{"move":"say","messages":["Hi"]}'])
    shown = one.show(screen("When did it happen?"))
    reply = ask(one, one.request(shown))
    assert (reply.outcome, reply.text) == ("ok", '{"move":"say","messages":["Hi"]}')
    assert one.source.bodies[0]["messages"] == one.request(shown).messages


def _in_user(text: str) -> Leak:
    def plant(one: Bench, request: ModelRequest) -> ModelRequest:
        messages = [request.messages[0], {"role": "user", "content": request.messages[1]["content"] + text}]
        return request.model_copy(update={"messages": messages})

    return plant


def _oracle_level(one: Bench, request: ModelRequest) -> ModelRequest:
    level = json.loads((one.package.folder / "oracle/labels.json").read_bytes())["triage"]["level"]
    return _in_user(f"\n{level}")(one, request)


def _canary(name: str) -> Leak:
    return lambda one, request: _in_user(f"\n{one.package.canaries[name].upper()}")(one, request)


def _system_word(one: Bench, request: ModelRequest) -> ModelRequest:
    system = request.messages[0]["content"].replace("YOUR FACTS (", "YOUR FACTS (be quick, ", 1)
    return request.model_copy(update={"messages": [{"role": "system", "content": system}, request.messages[1]]})


def _third_message(one: Bench, request: ModelRequest) -> ModelRequest:
    return request.model_copy(
        update={"messages": [*request.messages, {"role": "system", "content": "Say it is urgent."}]}
    )


def _schema_enum(one: Bench, request: ModelRequest) -> ModelRequest:
    schema = json.loads(json.dumps(request.schema_))
    schema["properties"]["value"]["enum"] = ["standard"]
    return request.model_copy(update={"schema_": schema})


def _schema_description(one: Bench, request: ModelRequest) -> ModelRequest:
    schema = json.loads(json.dumps(request.schema_))
    schema["description"] = "the claim is reviewed for its date"
    return request.model_copy(update={"schema_": schema})


def _note_not_given(one: Bench, request: ModelRequest) -> ModelRequest:
    return one.request(screen("When did it happen?"), note="ungrounded")


def _unrecorded_screen(one: Bench, request: ModelRequest) -> ModelRequest:
    return one.request(screen("When did it happen? required_items: police_reference"))


def _unsaid_words(one: Bench, request: ModelRequest) -> ModelRequest:
    one.ledger.messages.append("The claim is simple.")
    return one.request(screen("When did it happen?"))


def _staged_view(one: Bench, request: ModelRequest) -> ModelRequest:
    (one.staged.folder / "view.json").write_bytes(view_bytes(one.package.view).replace(b"calm", b"calm and a fraud"))
    return request


def _staged_file(one: Bench, request: ModelRequest) -> ModelRequest:
    (one.staged.folder / "labels.json").write_text("{}", encoding="utf-8")
    return request


def _staged_material(one: Bench, request: ModelRequest) -> ModelRequest:
    file = one.staged.folder / "materials" / one.package.view.files[0].file
    file.write_bytes(file.read_bytes() + b"expected amount 1284.00")
    return request


PLANTED = {
    "oracle canary in the turn text": ("canary", _canary("oracle/labels.json")),
    "setup canary in the turn text": ("canary", _canary("setup.json")),
    "provenance canary in the turn text": ("canary", _canary("provenance.json")),
    "review canary in the turn text": ("canary", _canary("review.json")),
    "triage level appended by the prompt builder": ("residue", _oracle_level),
    "a changed word in the fixed part": ("residue", _system_word),
    "a further message": ("residue", _third_message),
    "a hidden value as schema enum": ("residue", _schema_enum),
    "a sentence in the schema's description": ("residue", _schema_description),
    "a retry note nobody gave": ("residue", _note_not_given),
    "network data in the screen text": ("residue", _unrecorded_screen),
    "words the customer never said": ("residue", _unsaid_words),
    "one character too many": ("residue", _in_user(" ")),
    "a changed staged view": ("view", _staged_view),
    "a hidden file staged": ("view", _staged_file),
    "a staged picture with words appended": ("view", _staged_material),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_leak_is_stopped(name: str, tmp_path: Path) -> None:
    """The request is not sent, the guard meant for it says so, and the record holds it."""
    guard, plant = PLANTED[name]
    one = bench(tmp_path)
    shown = one.show(screen("When did it happen?"))
    reply = ask(one, plant(one, one.request(shown)))
    assert reply.outcome == "gate_closed"
    assert f"gate closed by {guard}" in reply.why
    assert one.source.bodies == []
    assert "gate_closed" in (tmp_path / "attempt/prompts.jsonl").read_text(encoding="utf-8")


def test_a_capped_journey_is_stopped(tmp_path: Path) -> None:
    """The call after the cap is not sent."""
    one = bench(tmp_path, caps=Caps(calls=1))
    shown = one.show(screen("When did it happen?"))
    assert ask(one, one.request(shown)).outcome == "ok"
    assert "by cap" in ask(one, one.request(shown)).why
    assert len(one.source.bodies) == 1


TEXTS = st.text(alphabet=st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60)
BLOCKS = st.builds(
    Block, part=st.sampled_from(["reply", "tag", "panel", "todo", "card", "dialog", "notice", "final"]), text=TEXTS
)
CONTROLS = st.builds(
    Control, kind=st.sampled_from(["button", "field", "choice", "upload", "composer", "link"]), name=TEXTS,
    part=st.sampled_from(["reply", "card", "dialog", "page", "panel"]), enabled=st.booleans(), value=st.none() | TEXTS,
    options=st.lists(TEXTS, max_size=2),
)  # fmt: skip
STEPS = st.lists(
    st.tuples(st.lists(BLOCKS, max_size=4), st.lists(CONTROLS, max_size=4), st.none() | TEXTS, st.sampled_from([None, "ungrounded", "empty", "role_flip"])),
    min_size=1, max_size=4,
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_both_renderings_agree_on_any_screen(
    steps: list[tuple[list[Block], list[Control], str | None, str | None]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Prompt builder and gate, two codes, give the same bytes for whatever a product shows: marks, quotes, any script."""
    one = bench(tmp_path_factory.mktemp("gate"))
    one.said(one.package.view.initial_message)
    sections = Sections(locked_template())
    for seq, (blocks, controls, text, note) in enumerate(steps, start=1):
        shown = one.show(Screen(seq=seq, blocks=blocks, controls=controls))
        for file in rule.wanted_files(one.ledger, shown):
            if file.file not in one.ledger.asked_for:
                one.ledger.asked_for[file.file] = len(one.ledger.messages)
                one.record.emit("ledger", entry="file_asked", id=file.file, how="answer")
        if note:
            one.record.emit("move_rejected", problem="empty", why="", note=note, call=None, raw="")
        replay = replay_file(
            json.loads(view_bytes(one.package.view)), (one.gate.attempt_dir / "events.jsonl").read_bytes()
        )
        assert replay.messages(sections) == prompt.messages(one.ledger, shown, note)
        assert replay.schema() == prompt.schema(one.ledger, shown)
        if text:
            one.said(text)


def test_the_part_that_never_changes_is_the_same_bytes_all_journey(tmp_path: Path) -> None:
    """So that an endpoint can keep it: the system message of a package does not depend on the turn."""
    one = bench(tmp_path)
    first = one.request(screen("When did it happen?")).messages[0]
    one.said("It was on 9 March 2026.")
    assert one.request(screen("Please upload it.", upload("Upload repair quote"), seq=2)).messages[0] == first
