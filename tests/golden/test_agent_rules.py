"""Runs of an agent against results that were worked out from the rules by hand."""

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from oracle_scoring.agent_rules import AgentRun, grade_run, load_rules
from oracle_scoring.agent_rules.models import ChecklistItem, Finding

RUNS: list[dict[str, Any]] = YAML(typ="safe").load(
    Path(__file__).parent.joinpath("agent_rules/runs.yaml").read_text(encoding="utf-8")
)
MODULES = ("output", "instruction", "planning", "execution", "multi_turn", "cooperation")


def _finding(given: str | list[str]) -> Finding:
    code, by = (given, "script") if isinstance(given, str) else given
    certain = not code.startswith("?")
    return Finding.model_validate({"code": code.lstrip("?"), "evidence": "here", "by": by, "certain": certain})


def run_of(case: dict[str, Any]) -> AgentRun:
    """The case as a run."""
    items = [
        ChecklistItem.model_validate({"id": name, "desc": name, "referee": referee, "passed": passed})
        for name, words in case.get("checklist", {}).items()
        for referee, passed in words.items()
    ]
    findings = [_finding(given) for given in case.get("findings", [])]
    return AgentRun(run_id=case["id"], agent="a", task_id="t", checklist=items, findings=findings)


def test_the_runs_are_sixty_or_more_and_touch_every_code() -> None:
    """No code of the rules and no referee is left out."""
    given = {f.code for case in RUNS for f in run_of(case).findings}
    assert len({case["id"] for case in RUNS}) == len(RUNS) >= 60
    assert given == set(load_rules().codes)
    assert {i.referee for case in RUNS for i in run_of(case).checklist} == {"script", "judge", "human"}


@pytest.mark.parametrize("case", RUNS, ids=lambda case: f"{case['id']} {case['shows']}")
def test_a_run_comes_to_what_the_rules_say(case: dict[str, Any]) -> None:
    """Completion, points of each module, total, sum of deductions, red lines and notes are exactly those."""
    result = grade_run(run_of(case), load_rules())
    done = result.completion
    assert [done.passed, done.failed, done.unknown, done.rate] == case.get("completion", [0, 0, 0, None])
    assert result.modules == {name: float(case.get("points", {}).get(name, 10)) for name in MODULES}
    assert (result.total, result.deducted) == (case["total"], case["deducted"])
    assert result.red_lines == case.get("red_lines", [])
    assert result.safety == ("violated" if case.get("red_lines") else "ok")
    assert len(result.notes) == case.get("notes", 0)
