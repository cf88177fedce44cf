"""Fidelity: how well the simulated customer kept to its part, found from the record by rule; see docs/fidelity.md."""

from oracle_scoring.fidelity.judge import Judged, judge
from oracle_scoring.fidelity.models import AttemptFidelity, RunFidelity
from oracle_scoring.fidelity.report import fidelity_of_attempt, fidelity_of_run
from oracle_scoring.fidelity.show import format_fidelity

__all__ = [
    "AttemptFidelity",
    "Judged",
    "RunFidelity",
    "fidelity_of_attempt",
    "fidelity_of_run",
    "format_fidelity",
    "judge",
]
