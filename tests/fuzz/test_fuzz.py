"""Damaged input of every kind is refused in one line; `scripts/fuzz` is the long form."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tenacity import wait_none

from tests.fuzz.targets import TARGETS, Target


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between tries of an endpoint nothing is waited for."""
    monkeypatch.setattr("harness.gate.wait_exponential_jitter", lambda **_: wait_none())


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
def test_damaged_input_is_refused_and_never_a_traceback(target: Target) -> None:
    """Only the documented errors come out, before the time limit of a test, whatever goes in."""

    @settings(max_examples=2 * target.share, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        target.take(data.draw(target.inputs))

    check()


def test_shares_add_up() -> None:
    """The long form spends all of its inputs."""
    assert sum(t.share for t in TARGETS) == 100
