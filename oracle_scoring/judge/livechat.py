"""The dimensions of livechat that rules leave open: a rubric for each and each business, asked once a sample, within the rules' cap."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from ruamel.yaml import YAML

from harness.schema.base import Strict
from oracle_scoring.judge.batch import Opened
from oracle_scoring.judge.rubric import Message, Open, Question, Rubric, points
from oracle_scoring.judge.verdict import Judged, settle
from oracle_scoring.livechat.grade import Graded
from oracle_scoring.livechat.models import DIMENSIONS, Dimension, Sample
from oracle_scoring.livechat.retention import TAGS
from oracle_scoring.livechat.words import Business, Example, Words, library

AREA = "livechat"
_FILE = Path(__file__).parents[1] / "livechat" / "rubric.yaml"
_ABOUT_QUERY: frozenset[Dimension] = frozenset({"necessity", "answerability"})


class _Told(Strict):
    """What a judge is told about one dimension."""

    quotes: str
    question: str
    rule: str
    scale: dict[int, str]


@cache
def _told() -> dict[Dimension, _Told]:
    data = YAML(typ="safe", pure=True).load(_FILE.read_text("utf-8"))
    return TypeAdapter(dict[Dimension, _Told]).validate_python(data)


@cache
def rubrics() -> dict[str, Rubric]:
    """Id -> rubric of every dimension in every business that comes with the rig."""
    made = [_rubric(d, words.business) for words in library().words.values() for d in DIMENSIONS]
    return {rubric.id: rubric for rubric in made}


def _rubric(dimension: Dimension, business: Business) -> Rubric:
    told = _told()[dimension]
    rule = [told.rule, f"业务：{business.about}（{business.business}）。"]
    if more := business.judge.get(dimension):
        rule.append(more)
    rule.extend(_shown(e) for e in business.examples if e.dimension == dimension)
    return Rubric(
        f"{AREA}/{dimension}/{business.business}", "\n".join(rule), told.question, points(told.scale),
        good=frozenset({"4", "5"}), ordered=True, quotes=frozenset({told.quotes}),
    )  # fmt: skip


def _shown(example: Example) -> str:
    parts = [
        f"query “{example.query}”" if example.query else "",
        f"answer “{example.answer}”" if example.answer else "",
    ]
    return f"例：{' → '.join(p for p in parts if p)}：{example.score} 分"


class Asker:
    """Makes the questions of samples; rubrics are made once for each business."""

    def __init__(self) -> None:
        self._rubrics: dict[tuple[Dimension, str], Rubric] = {}

    def rubric(self, dimension: Dimension, business: Business) -> Rubric:
        """The rubric of a dimension in a business."""
        key = (dimension, business.business)
        if key not in self._rubrics:
            self._rubrics[key] = _rubric(dimension, business)
        return self._rubrics[key]

    def questions(self, graded: Graded, words: Words) -> list[tuple[Dimension, Question]]:
        """A question for each dimension that rules leave open and that has words to quote."""
        made = []
        for dimension, found in zip(DIMENSIONS, graded.found, strict=True):
            quoted = graded.sample.query if dimension in _ABOUT_QUERY else graded.answer
            if found.score is None and quoted.strip():
                made.append(
                    (
                        dimension,
                        Question(
                            f"{graded.sample.id} {dimension}",
                            self.rubric(dimension, words.business),
                            messages(dimension, graded.sample, graded.answer),
                            Open(found.reason, found.cap),
                        ),
                    )
                )
        return made


def messages(dimension: Dimension, sample: Sample, answer: str) -> tuple[Message, ...]:
    """What a judge of this dimension is shown. The first two do not see the answer."""
    room = f"industry: {sample.industry_kg}; platform: {sample.platform}; room: {sample.room_density or 'not recorded'}"
    shown = [Message("room", "the rig", room)]
    if sample.kb and dimension not in ("necessity", "naturalness"):
        shown.append(Message("kb", "knowledge base", sample.kb))
    if before := _history(sample):
        shown.append(Message("history", "earlier in the room", before))
    shown.append(Message("query", "viewer", sample.query))
    if dimension not in _ABOUT_QUERY:
        shown.append(Message("answer", "host", answer))
    return tuple(shown)


def _history(sample: Sample) -> str:
    if sample.history is None or isinstance(sample.history, str):
        return sample.history or ""
    return "\n".join(f"viewer: {e.query}" + (f"\nhost: {e.answer}" if e.answer else "") for e in sample.history)


def settled(
    graded: Graded, asked: list[tuple[Dimension, Question]], rows: list[Judged]
) -> dict[Dimension, dict[str, Any]]:
    """What stands in each dimension that was asked about: the judge's word within the cap, or why there is none."""
    made: dict[Dimension, dict[str, Any]] = {}
    for (dimension, question), judged in zip(asked, rows, strict=True):
        end = settle(question.open, judged)
        reason = end.reason
        if dimension == "retention" and not reason.startswith(TAGS):
            seen = graded.found[DIMENSIONS.index(dimension)].reason
            reason = f"{next(tag for tag in TAGS if seen.startswith(tag))} {reason}"
        made[dimension] = {
            "score": None if end.value is None else int(end.value),
            "evidence_quote": end.quote,
            "reason": reason,
            "by": None if end.value is None else "judge",
        }
    return made


@dataclass(frozen=True)
class JudgedSample:
    """One sample with the judge's answers, as `row` takes them."""

    where: str
    graded: Graded
    judged: dict[Dimension, dict[str, Any]]
    rows: list[dict[str, Any]]


def _finished(where: str, graded: Graded, asked: list[tuple[Dimension, Question]], rows: list[Judged]) -> JudgedSample:
    return JudgedSample(where, graded, settled(graded, asked, rows), [row.model_dump(mode="json") for row in rows])


def opened(samples: Iterable[tuple[str, Graded, Words]]) -> Iterator[Opened[JudgedSample]]:
    """Each sample with its questions."""
    asker = Asker()
    for where, graded, words in samples:
        asked = asker.questions(graded, words)
        yield Opened([question for _, question in asked], partial(_finished, where, graded, asked))
