"""Packages of buyers: nothing that is hidden in them reaches a request, and no byte of a request follows from it."""

import json
import shutil
from pathlib import Path

import pytest

from harness.customer import prompt
from harness.errors import GateClosed
from harness.gate import Gate
from harness.schema.inquiry import InquirySetup
from harness.schema.move import say
from harness.schema.package import LABELS, MATERIALS, PROVENANCE, REVIEW, SETUP, find_packages
from harness.schema.screen import Screen
from harness.schema.visible import CustomerView
from harness.stage import load_package
from tests.seal.talk import move, play
from tests.support.views import screen

PACKAGES = find_packages(Path(__file__).parents[2] / "packages", "inquiry")
HIDDEN = (LABELS, SETUP, PROVENANCE, REVIEW)


def talk_for(view: CustomerView) -> tuple[list[Screen], list[str]]:
    """Three screens of a product, and what the model answers; refused answers of several kinds are among them."""
    fact = view.facts[0]
    screens = [
        screen("Which describes your business best?", seq=1),
        screen("Here are two groups of designs.", seq=2),
        screen("How many pieces do you have in mind?", seq=3),
    ]
    answers = [
        move(say("We took 987654 of another one.")),
        move(say(fact.say, asked=[fact.id], used=[fact.id])),
        "Certainly! Here is my answer.",
        move(say("")),
        move(say("How can I help you today?")),
    ]
    return screens, [*answers, *[move(say(fact.say, used=[fact.id]))] * 20]


def requests(folder: Path, package: Path) -> list[bytes]:
    """Every request of the talk."""
    return play(folder, package, talk_for(load_package(package).view))


def copy(name: str, folder: Path) -> Path:
    """A package that may be changed."""
    return shutil.copytree(PACKAGES[name], folder / "inquiry" / name)


def inner_values(package: Path) -> list[str]:
    """Canaries, inner ids of the catalogue and its media, metrics and event ids of the answers."""
    setup = load_package(package).setup
    assert isinstance(setup, InquirySetup)
    labels = json.loads((package / LABELS).read_bytes())
    found = [json.loads((package / file).read_bytes())["canary"] for file in HIDDEN]
    found += [p.product_id for p in setup.products] + [m.id for p in setup.products for m in p.media]
    found += [i for ids in setup.media.posters.values() for i in ids] + [d.id for d in setup.media.documents]
    return [*found, *labels["applies"], *(e["id"] for e in labels["events"] if "_" in e["id"])]


def found(sent: list[bytes], values: list[str]) -> list[str]:
    """Which of the values stand in a request, whatever their case."""
    text = "\n".join(request.decode("utf-8") for request in sent).casefold()
    return [value for value in values if value.casefold() in text]


@pytest.mark.parametrize("name", PACKAGES)
def test_no_request_of_a_buyer_holds_or_follows_what_is_hidden(name: str, tmp_path: Path) -> None:
    """No inner value stands in a request; with the hidden files of another package, and another evidence kind for each file,
    all requests are the same bytes."""
    first, second = tmp_path / "a", tmp_path / "b"
    package, other = copy(name, first), copy(name, second)
    sent = requests(first, package)
    assert len(inner_values(package)) > 8 and found(sent, inner_values(package)) == []
    stranger = next(one for one in reversed(PACKAGES) if one != name)
    for file in HIDDEN:
        (other / file).write_bytes((PACKAGES[stranger] / file).read_bytes())
    materials = json.loads((other / MATERIALS).read_bytes())
    for material in materials["materials"]:
        material["hidden"]["evidence_kind"] = "zz_kind"
    (other / MATERIALS).write_text(json.dumps(materials, ensure_ascii=False), encoding="utf-8")
    assert requests(second, other) == sent


def test_each_inner_value_would_be_found_and_a_builder_that_looks_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the gate open, what a prompt builder adds from the hidden half is named, value by value."""
    monkeypatch.setattr(Gate, "check", lambda self, request: (request, "0" * 64))
    package = copy("INQ-008", tmp_path)
    values = inner_values(package)
    honest = prompt.turn_text
    monkeypatch.setattr(prompt, "turn_text", lambda *a: "\n".join([honest(*a), *(v.upper() for v in values)]))
    assert found(requests(tmp_path, package), values) == values


@pytest.mark.parametrize("file", HIDDEN)
def test_the_gate_closes_on_the_canary_of_every_hidden_file(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prompt builder that adds it sends nothing: the talk does not get through."""
    package = copy("INQ-002", tmp_path)
    canary = json.loads((package / file).read_bytes())["canary"]
    assert canary in load_package(package).canaries.values()
    honest = prompt.turn_text
    monkeypatch.setattr(prompt, "turn_text", lambda *a: f"{honest(*a)}\n{canary}")
    with pytest.raises(GateClosed, match=f"the request holds the canary of {file}"):
        requests(tmp_path, package)
