"""Proofs over the whole corpus: every mistake in every package, and the time of the checker."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.proof
def test_every_mistake_in_every_package_is_refused() -> None:
    """Exit 0: nothing is missed, every kind could be made, the untouched packages give no finding."""
    done = subprocess.run([sys.executable, "-m", "scripts.corrupt", "--json"], cwd=ROOT, capture_output=True, text=True)
    summary = json.loads(done.stdout)
    assert (done.returncode, summary["missed"], summary["never_made"]) == (0, 0, [])
    assert summary["kinds"] >= 80 and summary["findings_of_untouched_packages"] == {}


@pytest.mark.proof
def test_a_hundred_copies_take_a_few_milliseconds_each() -> None:
    """In processor time, so that other work on the machine does not count; a copy takes no longer among many."""
    command = [sys.executable, "scripts/check_corpus.py", "--bench", "100", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["unexplained_findings"] == {}
    each = [row["processor_ms_per_package"] for row in found["rows"]]
    assert each[-1] < 20 and each[-1] < 1.5 * each[0]
