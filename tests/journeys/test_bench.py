"""The benchmark's two sides do the same work. What they cost is no matter of a test."""

import asyncio
import json
from pathlib import Path

import pytest

from harness.browser import find_browser
from harness.stack import StackConnection
from scripts.bench import Figure, Sides, memories, own_time

pytestmark = [pytest.mark.browser, pytest.mark.stack]


def test_both_sides_play_the_same_journey_and_keep_evidence_of_it(stack: StackConnection, tmp_path: Path) -> None:
    """The bare script repeats the rig's acts to the case number; own time is taken over moves that the gate lets through."""
    sides = Sides(stack, find_browser(), tmp_path)
    ours = sides.ours(1, 1)
    bare = sides.bare(1, 1, staff=True)
    assert (len(ours.ms), len(bare.ms)) == (1, 1)
    (script,) = [p for p in tmp_path.glob("bare-*") if p.is_dir()]
    assert len(list(script.glob("*/[0-9]*.png"))) == len(sides.steps) + 1
    (state,) = [json.loads(p.read_text(encoding="utf-8")) for p in script.glob("*/state.json")]
    (case,) = state["cases"]
    assert case["status"] == "submitted"
    assert len(case["uploads"]) == sum(s.act == "uploaded" for s in sides.steps)
    (staff,) = [p.read_text(encoding="utf-8") for p in script.glob("*/staff.txt")]
    assert case["number"] in staff
    assert sides.attempt is not None
    assert all(ms > 0 for ms in asyncio.run(own_time(sides.attempt, tmp_path, 1)))


def test_what_a_customer_remembers_is_forgotten_between_rounds() -> None:
    """Every bounded cache of the customer's code is among them, and none that holds the rig's own words."""
    names = {f.__qualname__ for f in memories()}
    assert {"fold", "values", "words", "_asked", "_known"} <= names
    assert not names & {"template", "_words", "_sensitive"}


def test_a_figure_says_how_much_of_the_reference_it_is() -> None:
    """`ratio` is ours over the reference."""
    assert Figure("turn", 150.0, 200.0, "ms", 3).plain() == {
        "name": "turn", "ours": 150.0, "reference": 200.0, "unit": "ms", "ratio": 0.75, "n": 3,
    }  # fmt: skip
