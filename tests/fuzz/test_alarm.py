"""An input that never ends is a finding, not a hang."""

import time

import pytest
from hypothesis import strategies as st

from scripts import fuzz
from tests.fuzz.targets import Target


def test_an_input_that_never_ends_is_stopped_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The alarm stops it; the kind's problem says so."""
    monkeypatch.setattr(fuzz, "ALARM_S", 0.2)
    hangs = Target(name="hangs", share=1, inputs=st.just(0), take=lambda _: bool(time.sleep(600)))
    figures, problems = fuzz.fuzz(hangs, 100, 1)
    assert figures["taken"] == 0
    assert len(problems) == 1 and problems[0].startswith("hangs: TimeoutError: stopped after 0.2 s")
