"""Combining line states."""

from hypothesis import given
from hypothesis import strategies as st

from harness.schema.scorecard import LineState
from oracle_scoring.kleene import STATES, UNKNOWN, all_of, any_of, count, in_rate, opposite

states = st.lists(st.sampled_from(STATES), max_size=6)
RANK: dict[LineState, int] = {"fail": 0, "not_checked": 1, "unimplemented": 1, "needs_human": 1, "pass": 2}


@given(states)
def test_and_is_the_worst_of_what_applies(found: list[LineState]) -> None:
    """In an AND fail beats unknown beats pass; what does not apply drops out."""
    left = [RANK[s] for s in found if s != "not_applicable"]
    result = all_of(found)
    assert result == "not_applicable" if not left else RANK[result] == min(left)


@given(states)
def test_or_is_the_best_of_what_applies(found: list[LineState]) -> None:
    """In an OR pass beats unknown beats fail; what does not apply drops out."""
    left = [RANK[s] for s in found if s != "not_applicable"]
    result = any_of(found)
    assert result == "not_applicable" if not left else RANK[result] == max(left)


@given(states)
def test_de_morgan(found: list[LineState]) -> None:
    """NOT turns an AND into an OR."""
    assert opposite(all_of(found)) == any_of(opposite(s) for s in found)


@given(states, st.randoms(use_true_random=False))
def test_order_does_not_matter(found: list[LineState], random: object) -> None:
    """A combination depends on which states occur, not on their order."""
    assert all_of(found) == all_of(reversed(found))
    assert any_of(found) == any_of(reversed(found))


@given(states)
def test_nothing_unknown_becomes_a_pass(found: list[LineState]) -> None:
    """An AND with an unknown member is never a pass."""
    assert all_of([*found, "not_checked"]) != "pass"


def test_only_pass_and_fail_are_in_a_rate() -> None:
    """Unknown states and what does not apply are outside of every rate."""
    assert [s for s in STATES if in_rate(s)] == ["pass", "fail"]
    assert not any(in_rate(s) for s in UNKNOWN)


@given(states)
def test_count_names_every_state(found: list[LineState]) -> None:
    """Counts add up, and a state that never occurred is counted as zero."""
    counts = count(found)
    assert set(counts) == set(STATES) and sum(counts.values()) == len(found)
