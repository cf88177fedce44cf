"""Mechanical scoring of claims journeys: record and oracle in, scorecard out."""

from oracle_scoring.claims.batch import card_bytes, score_key, score_run, summarise
from oracle_scoring.claims.score import score_attempt
from oracle_scoring.claims.show import format_scorecard
from oracle_scoring.claims.version import RUBRIC, SCORING_VERSION

__all__ = [
    "RUBRIC",
    "SCORING_VERSION",
    "card_bytes",
    "format_scorecard",
    "score_attempt",
    "score_key",
    "score_run",
    "summarise",
]
