"""The literal test: any hidden value in any prompt fails. On packages whose hidden values occur nowhere else."""

from pathlib import Path
from typing import Any

import pytest

from harness.customer import prompt
from harness.gate import Gate
from oracle_scoring.corpus.synthetic import DELETE, hidden_values, make_package
from tests.seal.talk import play

VARIANTS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "a customer who offers files": {"facts.persona.hands_over_unasked": True},
    "a talkative opening": {"message": "Hello there. I am quite upset. On 7 April 2026 my camera fell.", "facts.persona.mood": "upset"},
    "fewer facts": {"facts.facts.7": DELETE, "facts.wishes": []},
    "both files at hand": {
        "materials.materials.1.visible.available": {"when": "now", "promise": None, "after_customer_messages": None},
    },
    "other answers": {
        "labels.triage.level": "urgent",
        "labels.triage.required_reasons": ["injury_reported"],
        "labels.innocent_control": "look_alike",
        "setup.policy.number": "ZQX-111222",
    },
}  # fmt: skip


def found(requests: list[bytes], package: Path) -> list[str]:
    """Hidden values that stand in a request, whatever their case."""
    sent = "\n".join(request.decode("utf-8") for request in requests).casefold()
    return [value for value in hidden_values(package) if value.casefold() in sent]


@pytest.mark.parametrize("name", VARIANTS)
def test_no_hidden_value_stands_in_any_prompt_of_a_whole_talk(name: str, tmp_path: Path) -> None:
    """Retries of every kind included; there are dozens of values to find."""
    package = make_package(tmp_path / "ZQ-1", VARIANTS[name])
    assert len(hidden_values(package)) > 25
    assert found(play(tmp_path, package), package) == []


def test_each_hidden_value_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search has teeth: with the gate open, each value that a prompt builder adds is named."""
    monkeypatch.setattr(Gate, "check", lambda self, request: (request, "0" * 64))
    package = make_package(tmp_path / "ZQ-1")
    values = hidden_values(package)
    honest = prompt.turn_text
    monkeypatch.setattr(prompt, "turn_text", lambda *a: "\n".join([honest(*a), *(v.upper() for v in values)]))
    assert found(play(tmp_path, package), package) == values


def test_hidden_values_come_from_every_hidden_file(tmp_path: Path) -> None:
    """Answers, setup, provenance, review and the hidden objects of materials; canaries too."""
    values = hidden_values(make_package(tmp_path / "ZQ-1"))
    for one in (
        "loss_at_least_10000",
        "ZQP-550817",
        "zq purpose of the first file",
        "zq looks right",
        "zq_breakage_image",
    ):
        assert one in values
    assert sum(1 for v in values if len(v) == 32 and set(v) <= set("0123456789abcdef")) == 4
