"""What the two kinds of journeys yield alike."""

from dataclasses import dataclass

from oracle_scoring.agent_rules.looks import Look
from oracle_scoring.agent_rules.models import ChecklistItem, Said


@dataclass(frozen=True)
class Parts:
    """One journey's."""

    checklist: list[ChecklistItem]
    looks: list[Look]
    transcript: list[Said]
