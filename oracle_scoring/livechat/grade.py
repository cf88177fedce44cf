"""All six dimensions of one sample by rule, and the row that is written."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from pydantic_core import to_json

from oracle_scoring.livechat.correctness import correctness, work_of
from oracle_scoring.livechat.found import Found, Signals
from oracle_scoring.livechat.matrix import decide
from oracle_scoring.livechat.models import DIMENSIONS, Dimension, Sample
from oracle_scoring.livechat.naturalness import naturalness
from oracle_scoring.livechat.necessity import necessity
from oracle_scoring.livechat.retention import TAGS, retention, says_nothing
from oracle_scoring.livechat.text import folded, judged_part
from oracle_scoring.livechat.version import SCORING_VERSION
from oracle_scoring.livechat.words import Words

_FIGURE = re.compile(r"\d{1,12}(?:\.\d{1,6})?\s?[匹寸斤码号米升g度人克万元]?")
_FIGURES = 8
"""Figures of a query that are looked for in the answer."""
_EMPTY = "the answer is empty"


class Graded(NamedTuple):
    """What rules say about one sample, in the order of `DIMENSIONS`."""

    sample: Sample
    answer: str
    """The judged part."""
    found: tuple[Found, ...]


def grade(sample: Sample, words: Words) -> Graded:
    """What rules say; nothing is asked of anybody."""
    query, answer = sample.query, judged_part(sample.answer)
    low_query = folded(query)
    needed = necessity(query, low_query, words)
    answerable = Found(
        None, "", "whether it can be answered is not for rules to say", 5, _hints(query, low_query, words)
    )
    if not answer:
        empty = Found(None, "", _EMPTY, 5, {})
        return Graded(
            sample, answer, (needed, answerable, empty, empty, empty._replace(reason=f"{TAGS[3]} {_EMPTY}"), empty)
        )
    low = folded(answer)
    work = work_of(answer, low, words)
    nothing = says_nothing(low, words)
    figure = _echoed(low_query, query, low)
    relevant = Found(
        None, "", "whether it meets the query is not for rules to say", 5, {"echoes": figure} if figure else {}
    )
    chatter = needed.score is not None and needed.score <= 2
    return Graded(
        sample,
        answer,
        (
            needed,
            answerable,
            relevant,
            correctness(work, figure),
            retention(answer, low, words, work, nothing),
            naturalness(
                answer, low, words, sample.kb, low_query, sample.room_density == "sparse", chatter, nothing
            ),
        ),
    )  # fmt: skip


def scoring_version(given: str) -> str:
    """The version that stands in each row; `given`: hash of the business files of the command."""
    return f"{SCORING_VERSION}+{given}" if given else SCORING_VERSION


def row(
    graded: Graded, version: str, judged: Mapping[Dimension, dict[str, Any]] | None = None,
    asked: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The result of one sample as plain data in the form of `Result`.

    Args:
        judged: what stands in the dimensions a judge was asked about: score, quote, reason, by.
        asked: the judge's rows; None where no judge was asked.
    """
    scores: dict[str, dict[str, Any]] = {}
    for name, found in zip(DIMENSIONS, graded.found, strict=True):
        scores[name] = {
            "score": found.score,
            "evidence_quote": found.quote,
            "reason": found.reason,
            "by": None if found.score is None else "rule",
            "cap": found.cap,
            "signals": found.signals,
        }
        if judged is not None and name in judged:
            scores[name].update(judged[name])
    made: dict[str, Any] = {
        "id": graded.sample.id,
        "scores": scores,
        "decision": decide(scores["necessity"]["score"], scores["answerability"]["score"]),
        "scoring_version": version,
    }
    if asked is not None:
        made["judge"] = asked
    return made


def line(result: dict[str, Any]) -> bytes:
    """The row as it is written: compact JSON in UTF-8, with its line break."""
    return to_json(result) + b"\n"


def _hints(query: str, low: str, words: Words) -> Signals:
    signals: Signals = {}
    for name in ("live_data", "personal_data"):
        if hit := words[name].search(low):
            signals[name] = query[hit.start() : hit.end()]
    return signals


def _echoed(low_query: str, query: str, low: str) -> str:
    """A figure of the query that the answer repeats, as the query has it."""
    for hit in islice(_FIGURE.finditer(low_query), _FIGURES):
        if hit.group() in low or hit.group().replace(" ", "") in low:
            return query[hit.start() : hit.end()]
    return ""
