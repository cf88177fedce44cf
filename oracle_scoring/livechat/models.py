"""What is graded and what comes out: one sample and one result, each one JSON line."""

import re
from datetime import date
from typing import Any, Literal, get_args

from pydantic import Field, field_validator

from harness.schema.base import Strict

Dimension = Literal["necessity", "answerability", "relevance", "correctness", "retention", "naturalness"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
"""In the order of the rubric: the first two are about the query, the others about the answer."""
Decision = Literal["must_answer", "fallback_answer", "hand_to_human", "may_answer", "depends", "greet", "skip"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
MAX_TEXT = 1_000_000
"""Characters of one text."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Exchange(Strict):
    """One earlier exchange of the same viewer."""

    query: str = Field(max_length=MAX_TEXT)
    answer: str | None = Field(default=None, max_length=MAX_TEXT)


class Sample(Strict):
    """One query of a viewer and the one answer to it."""

    id: str = Field(min_length=1, max_length=200)
    query: str = Field(max_length=MAX_TEXT)
    answer: str = Field(max_length=MAX_TEXT)
    """Judged is what stands after the first `|`; without one, all of it."""
    business_type: str
    """`auto_lead_gen`, `apparel_ecom`, `electronics_ecom`, `catering_local`, `other`, or that of a business file given with the command."""
    industry_kg: str = Field(max_length=200)
    platform: str = Field(max_length=200)
    kb: str | None = Field(default=None, max_length=MAX_TEXT)
    """What the knowledge base says; shown to a judge, and held against answers that copy it."""
    room_density: Literal["sparse", "normal", "dense"] | None = None
    history: list[Exchange] | str | None = None
    """What went before, oldest first; shown to a judge."""
    day: str | None = None
    """`2026-01-31`: the day by which the report groups. Null or absent: it stands under “no day”."""

    @field_validator("day")
    @classmethod
    def _real_day(cls, value: str | None) -> str | None:
        if value is not None and not _DAY.fullmatch(value):
            raise ValueError("is not of the form 2026-01-31")
        if value is not None:
            date.fromisoformat(value)
        return value


class DimensionScore(Strict):
    """One dimension of one sample."""

    score: int | None = Field(ge=1, le=5)
    """Null: rules leave it open and no judge gave a usable answer. It is in no mean."""
    evidence_quote: str
    """Verbatim from the query (necessity, answerability) or from the judged part of the answer; empty where nothing was scored."""
    reason: str
    """retention: it begins with `[interaction]`, `[conversion]`, `[both]` or `[neither]`."""
    by: Literal["rule", "judge"] | None
    """Null where nothing was scored."""
    cap: int = Field(ge=1, le=5)
    """The highest score that the rules leave possible; 5: none caps it. It binds the judge."""
    signals: dict[str, str | int]
    """What the rules saw: name -> the words verbatim, or a count (`length`, `flaws`)."""


class Result(Strict):
    """One sample's scores; the `judge` field is there only where a judge was asked."""

    id: str
    scores: dict[Dimension, DimensionScore]
    decision: Decision | None
    """Whether to answer, by necessity and answerability; null where one of them has no score."""
    scoring_version: str
    """With a hash of the business files that were given with the command, if any."""
    judge: list[dict[str, Any]] | None = None
    """One row (`rig schema judged-question`) for each question that was asked, in the order of the dimensions."""
