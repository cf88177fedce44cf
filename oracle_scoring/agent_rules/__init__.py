"""Runs of an agent, graded by a file of rules: a checklist, deductions by module, red lines apart."""

from oracle_scoring.agent_rules.grade import grade_run
from oracle_scoring.agent_rules.models import AgentRun, Finding, RunResult
from oracle_scoring.agent_rules.rules import Rules, load_rules
from oracle_scoring.agent_rules.summary import AgentSummary, Tally
from oracle_scoring.agent_rules.version import RUBRIC, SCORING_VERSION

__all__ = [
    "RUBRIC",
    "SCORING_VERSION",
    "AgentRun",
    "AgentSummary",
    "Finding",
    "Rules",
    "RunResult",
    "Tally",
    "grade_run",
    "load_rules",
]
