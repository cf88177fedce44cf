"""Facts against each other, against the insurer's data, and numbers that can be nobody's."""

from pathlib import Path
from typing import Any

import pytest

from oracle_scoring.corpus.check import check
from oracle_scoring.corpus.check_agree import _tells_harm, _tells_towed
from oracle_scoring.corpus.synthetic import make_package


def codes(tmp_path: Path, changes: dict[str, Any]) -> set[str]:
    """Codes of a package with these changes."""
    return {f.code for f in check(make_package(tmp_path / "SYN-P-001", changes))}


def told(say: str, kind: str = "text", value: str | None = None) -> dict[str, Any]:
    """One fact more."""
    return {"facts.facts.8": {"id": "more", "topic": "more", "kind": kind, "value": value or say, "say": say}}


@pytest.mark.parametrize(
    "text", ["My son hurt his neck.", "I broke my arm", "My passenger was badly injured.", "She has whiplash."]
)
def test_words_of_somebody_hurt(text: str) -> None:
    """A part of a body that is hurt, and names of injuries."""
    assert _tells_harm(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Nobody hurt their neck.", "It hurts to see it.", "Only my pride was hurt.", "The back of my car is broken.", "It broke my back window.", "My feelings are hurt.",
        "No, my back is not hurt.",
    ],
)  # fmt: skip
def test_words_of_nobody_hurt(text: str) -> None:
    """Denials, feelings, things."""
    assert _tells_harm(text) is None


@pytest.mark.parametrize(
    ("text", "towed"),
    [
        ("The wheel came off, the car had to be towed.", True),
        ("It cannot be driven.", True),
        ("The other car had to be towed.", False),
        ("His van was towed.", False),
        ("I drove it home.", False),
    ],
)
def test_words_of_a_car_that_does_not_go(text: str, towed: bool) -> None:
    """The customer's own car, not another."""
    assert (_tells_towed(text) is not None) is towed


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (told("I hurt my neck."), "facts_contradict"),
        ({**told("I had three earlier claims."), "setup.failed_lookups": []}, "setup_differs"),
        (told("My cover began on 20 February 2019.", "date", "2019-02-20"), "setup_differs"),
        ({"setup.policy.number": "FWM-204417"}, "setup_differs"),
        ({"setup.policy.insured_item": "JX24 RVB"}, "setup_differs"),
        (told("Ring me on 07911 123456.", "phone", "07911 123456"), "may_be_somebodys"),
        (told("It is ottilie@gmail.com.", "email", "ottilie@gmail.com"), "may_be_somebodys"),
    ],
)
def test_what_does_not_agree(tmp_path: Path, changes: dict[str, Any], code: str) -> None:
    """An injury, claims, cover, a number, a plate, and what may be somebody's."""
    assert code in codes(tmp_path, changes)


@pytest.mark.parametrize(
    "changes",
    [
        told("Ring me on 01632 960288.", "phone", "01632 960288"),
        told("Ring me on +44 7700 900288.", "phone", "+44 7700 900288"),
        told("It is o.b@post.example.", "email", "o.b@post.example"),
        told("I have had one claim with you."),
    ],
)
def test_what_agrees(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Numbers kept free for plays, names kept free for examples, as many claims as the insurer has."""
    assert codes(tmp_path, changes) == set()


def test_names_of_fields(tmp_path: Path) -> None:
    """A name of one's own is free; another fact's is not, and no name stands twice."""
    field = "labels.expected_facts.4.field"
    assert codes(tmp_path / "a", {field: "What it costs"}) == set()
    assert codes(tmp_path / "b", {field: "Drivable"}) == {"fact_field_differs"}
    assert codes(tmp_path / "c", {field: "Zq field 1"}) == {"fact_field_differs"}


def test_assertions_that_every_package_has(tmp_path: Path) -> None:
    """The end of the case and a thing that nobody is told; a standard id comes with all the others."""
    one = {
        "id": "one_case_only", "referee": "state", "says": "Zq one.", "path": "cases.1", "op": "absent",
    }  # fmt: skip
    assert codes(tmp_path / "a", {"labels.assertions": []}) == {"assertion_missing"}
    assert codes(tmp_path / "b", {"labels.assertions.3": one}) == {"assertion_missing"}
    assert "assertion_differs" in codes(tmp_path / "c", {"labels.assertions.3": {**one, "path": "cases.2"}})


def test_times_of_one_day(tmp_path: Path) -> None:
    """A journey starts behind the hour of its incident, where the hour is known."""
    at = told("It was 15:20.", "time", "15:20")
    at["facts.facts.8"]["id"] = "incident_time"
    assert "dated_after_journey" in codes(tmp_path / "a", {**at, "setup.now": "2026-04-07T12:45:00Z"})
    assert codes(tmp_path / "b", {**at, "setup.now": "2026-04-07T14:30:00Z"}) == set()
