"""The gate: each planted leak is stopped by the guard meant for it, and nothing is sent."""

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from PIL.ExifTags import Base as ImageTags

from harness.customer import prompt, rule
from harness.customer.template import template
from harness.gate import Caps, Gate
from harness.gate_render import Replay, Sections, locked_template
from harness.schema.order import ModelReply, ModelRequest
from harness.schema.screen import Block, Control, Screen
from harness.stage import view_bytes
from tests.seal.catalogue import Place, Row
from tests.support.gates import Bench, bench
from tests.support.views import button, screen, upload

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


def _patched_turn(text: str) -> Leak:
    """The prompt builder itself adds something."""

    def plant(one: Bench, request: ModelRequest) -> ModelRequest:
        with pytest.MonkeyPatch.context() as patch:
            honest = prompt.turn_text
            patch.setattr(prompt, "turn_text", lambda *a: honest(*a) + f"\n{text}")
            return one.request(screen("When did it happen?"))

    return plant


def _patched_view(one: Bench, request: ModelRequest) -> ModelRequest:
    with pytest.MonkeyPatch.context() as patch:
        inception = one.package.setup.policy.inception if one.package.setup.policy else ""
        leaked = f"{one.ledger.view_text}\npolicy_start | first day of cover | {inception}"
        patch.setattr(one.ledger, "view_text", leaked)
        return one.request(screen("When did it happen?"))


def _canary_as(write: Callable[[str], str]) -> Leak:
    return lambda one, request: _in_user("\n" + write(one.package.canaries["oracle/labels.json"]))(one, request)


def _hidden_control(one: Bench, request: ModelRequest) -> ModelRequest:
    return one.request(screen("When did it happen?", button("receipt_after_incident", part="card")))


def _other_screen(one: Bench, request: ModelRequest) -> ModelRequest:
    one.show(screen("And where?", seq=2))
    return request


def _wrong_number(one: Bench, request: ModelRequest) -> ModelRequest:
    return request.model_copy(update={"screen": 7})


def _rejected(one: Bench, note: str) -> None:
    one.record.emit("move_rejected", problem="ungrounded", why="", note=note, call=None, raw="")


def _note_in_free_words(one: Bench, request: ModelRequest) -> ModelRequest:
    words = "the level is standard"
    _rejected(one, words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(template(), f"note_{words}", words)
        return one.request(screen("When did it happen?"), note=words)


def _note_that_tells(text: str) -> Leak:
    def plant(one: Bench, request: ModelRequest) -> ModelRequest:
        _rejected(one, "ungrounded")
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(template(), "note_ungrounded", template()["note_ungrounded"] + " " + text)
            return one.request(screen("When did it happen?"), note="ungrounded")

    return plant


def _note_with_canary(one: Bench, request: ModelRequest) -> ModelRequest:
    return _note_that_tells(one.package.canaries["review.json"])(one, request)


def _another_note(one: Bench, request: ModelRequest) -> ModelRequest:
    _rejected(one, "empty")
    return one.request(screen("When did it happen?"), note="language")


def _old_note(one: Bench, request: ModelRequest) -> ModelRequest:
    _rejected(one, "not_asked")
    shown = one.show(screen("And where did it happen?", seq=2))
    return one.request(shown, note="not_asked")


def _note_named_only(one: Bench, request: ModelRequest) -> ModelRequest:
    return request.model_copy(update={"note": "standard"})


def _staged_folder(one: Bench, request: ModelRequest) -> ModelRequest:
    (one.staged.folder / "materials" / "triage-standard").mkdir()
    return request


def _staged_link(one: Bench, request: ModelRequest) -> ModelRequest:
    (one.staged.folder / "more").symlink_to(one.package.folder / "oracle")
    return request


def _staged_view_link(one: Bench, request: ModelRequest) -> ModelRequest:
    same = one.staged.folder.parent / "elsewhere.json"
    (one.staged.folder / "view.json").rename(same)
    (one.staged.folder / "view.json").symlink_to(same)
    return request


def _staged_whole_package(one: Bench, request: ModelRequest) -> ModelRequest:
    shutil.copytree(one.package.folder, one.staged.folder, dirs_exist_ok=True)
    return request


def _staged_source_image(one: Bench, request: ModelRequest) -> ModelRequest:
    first, second = (one.staged.folder / "materials" / f.file for f in one.package.view.files[:2])
    first.write_bytes(second.read_bytes())
    return request


def _staged_name(one: Bench, request: ModelRequest) -> ModelRequest:
    photo = one.staged.folder / "materials" / one.package.view.files[0].file
    photo.rename(photo.with_name("vehicle_damage_image.jpg"))
    return request


def _staged_exif(one: Bench, request: ModelRequest) -> ModelRequest:
    file = one.staged.folder / "materials" / one.package.view.files[0].file
    with Image.open(file) as picture:
        exif = picture.getexif()
        exif[ImageTags.ImageDescription] = "innocent_control one_weak_signal"
        picture.save(file, exif=exif, quality="keep")
    return request


PLANTED: dict[str, tuple[Place, str, Leak]] = {
    "oracle canary in the turn text": ("prompt builder", "canary", _canary("oracle/labels.json")),
    "setup canary in the turn text": ("prompt builder", "canary", _canary("setup.json")),
    "provenance canary in the turn text": ("prompt builder", "canary", _canary("provenance.json")),
    "review canary in the turn text": ("prompt builder", "canary", _canary("review.json")),
    "canary in capital letters": ("prompt builder", "canary", _canary_as(str.upper)),
    "canary in JSON escapes": ("prompt builder", "canary", _canary_as(lambda c: "".join(f"\\u{ord(x):04x}" for x in c))),
    "canary with every other digit escaped twice": (
        "prompt builder", "canary", _canary_as(lambda c: "".join(x if n % 2 else f"\\\\u{ord(x):04X}" for n, x in enumerate(c))),
    ),
    "canary in groups of four": ("prompt builder", "canary", _canary_as(lambda c: "-".join(c[n : n + 4] for n in range(0, 32, 4)))),
    "canary with invisible characters between": ("prompt builder", "canary", _canary_as("\u200b".join)),
    "canary in full-width digits": (
        "prompt builder", "canary", _canary_as(lambda c: "".join(chr(ord(x) + 0xFEE0) for x in c)),
    ),
    "canary as a percent-encoded address": (
        "prompt builder", "canary", _canary_as(lambda c: "".join(f"%{ord(x):02x}" for x in c)),
    ),
    "canary as HTML entities": ("prompt builder", "canary", _canary_as(lambda c: "".join(f"&#{ord(x)};" for x in c))),
    "triage level appended by the prompt builder": ("prompt builder", "residue", _oracle_level),
    "the builder adds what is still required": ("prompt builder", "residue", _patched_turn("required_items: police_reference")),
    "the builder adds the first day of cover to the facts": ("prompt builder", "residue", _patched_view),
    "a changed word in the fixed part": ("prompt builder", "residue", _system_word),
    "a further message": ("prompt builder", "residue", _third_message),
    "a hidden value as schema enum": ("prompt builder", "residue", _schema_enum),
    "a sentence in the schema's description": ("prompt builder", "residue", _schema_description),
    "words the customer never said": ("prompt builder", "residue", _unsaid_words),
    "one character too many": ("prompt builder", "residue", _in_user(" ")),
    "network data in the screen text": ("screen reader", "residue", _unrecorded_screen),
    "a control named by a hidden code": ("screen reader", "residue", _hidden_control),
    "an older screen than the one recorded": ("screen reader", "residue", _other_screen),
    "the number of a screen nobody saw": ("screen reader", "residue", _wrong_number),
    "a retry note nobody gave": ("retry notes", "residue", _note_not_given),
    "a retry note in free words": ("retry notes", "residue", _note_in_free_words),
    "a retry note that tells the right value": ("retry notes", "residue", _note_that_tells("The level is standard.")),
    "a retry note with a canary": ("retry notes", "canary", _note_with_canary),
    "another retry note than the one recorded": ("retry notes", "residue", _another_note),
    "a retry note of an earlier screen": ("retry notes", "residue", _old_note),
    "a hidden word as the name of the note": ("retry notes", "residue", _note_named_only),
    "a changed staged view": ("view", "view", _staged_view),
    "a hidden file staged": ("stager", "view", _staged_file),
    "the whole package staged": ("stager", "view", _staged_whole_package),
    "a link to the oracle staged": ("stager", "view", _staged_link),
    "the view as a link": ("stager", "view", _staged_view_link),
    "a staged picture swapped for another file": ("stager", "view", _staged_source_image),
    "an empty folder named by the triage level": ("file names", "view", _staged_folder),
    "a staged file renamed to its evidence kind": ("file names", "view", _staged_name),
    "a staged picture with words appended": ("image metadata", "view", _staged_material),
    "a staged picture with EXIF of its own": ("image metadata", "view", _staged_exif),
}  # fmt: skip
ROWS = [
    Row(place, name, f"gate: {guard}", f"test_gate.py::test_planted_leak_is_stopped[{name}]")
    for name, (place, guard, _) in PLANTED.items()
]


def only(guard: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out every check of the gate but one; None: all of them."""
    if guard != "canary":
        monkeypatch.setattr(Gate, "inspect", lambda self, *texts: None)
    if guard != "view":
        monkeypatch.setattr(Gate, "check_view", lambda self: None)
    if guard != "residue":
        monkeypatch.setattr(Gate, "check_residue", lambda self, request, asked_schema: request)


@pytest.mark.parametrize("name", PLANTED)
def test_planted_leak_is_stopped(name: str, tmp_path: Path) -> None:
    """The request is not sent, the guard meant for it says so, and the record holds it."""
    _, guard, plant = PLANTED[name]
    one = bench(tmp_path)
    shown = one.show(screen("When did it happen?"))
    reply = ask(one, plant(one, one.request(shown)))
    assert reply.outcome == "gate_closed"
    assert f"gate closed by {guard}" in reply.why
    assert one.source.bodies == []
    assert "gate_closed" in (tmp_path / "attempt/prompts.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLANTED)
def test_its_guard_alone_is_what_stops_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the other checks taken out it is still stopped; with this one taken out too, it is sent."""
    _, guard, plant = PLANTED[name]
    outcomes = []
    for left in (guard, None):
        folder = tmp_path / str(left)
        folder.mkdir()
        one = bench(folder)
        shown = one.show(screen("When did it happen?"))
        request = plant(one, one.request(shown))
        with monkeypatch.context() as patch:
            only(left, patch)
            outcomes.append((ask(one, request).outcome, len(one.source.bodies)))
    assert outcomes == [("gate_closed", 0), ("ok", 1)]


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
        replay = Replay(json.loads(view_bytes(one.package.view)))
        replay.take_lines((one.gate.attempt_dir / "events.jsonl").read_bytes())
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
