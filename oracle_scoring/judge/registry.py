"""Rubrics by their id, of every area that has some."""

from collections.abc import Callable, Mapping

from oracle_scoring.judge import agent_rules, gsb, inquiry, livechat, summary
from oracle_scoring.judge.rubric import Rubric

AREAS: Mapping[str, Callable[[], Mapping[str, Rubric]]] = {
    agent_rules.AREA: agent_rules.rubrics,
    gsb.AREA: gsb.rubrics,
    inquiry.AREA: inquiry.rubrics,
    livechat.AREA: livechat.rubrics,
    summary.AREA: summary.rubrics,
}
"""Area -> its rubrics by id. An area is the part of an id before the first slash."""


def find_rubric(name: str) -> Rubric | None:
    """The rubric of that id; None if no area has it."""
    area = AREAS.get(name.split("/", 1)[0])
    return area().get(name) if area else None


def all_rubrics() -> list[Rubric]:
    """Every rubric, by area and id."""
    return [rubric for area in sorted(AREAS) for _, rubric in sorted(AREAS[area]().items())]
