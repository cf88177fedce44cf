"""Questions with people's labels: the file a judge is measured against, read and made."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.session import InquirySession
from oracle_scoring.inquiry.profile import Profile
from oracle_scoring.judge.inquiry import open_questions
from oracle_scoring.judge.prompt import Order
from oracle_scoring.judge.registry import find_rubric
from oracle_scoring.judge.rubric import Message, Open, Question, Rubric
from oracle_scoring.judge.verdict import Judged
from oracle_scoring.rows import read_rows


class LabelledMessage(Strict):
    """One piece of the material."""

    id: str
    speaker: str
    text: str


class LabelledLine(Strict):
    """One question, and what one person answered. Several people: a line each, alike but for `label` and `by`."""

    id: str = Field(min_length=1)
    """Of the item; unique per rubric and person."""
    rubric: str
    cluster: str | None = None
    """What the item belongs with (a conversation); intervals resample these. Null: it stands alone."""
    messages: list[LabelledMessage] = Field(min_length=1)
    about: str | None = None
    """Message the question speaks of."""
    label: str | None = None
    """One of the rubric's answers; null: nobody has looked yet."""
    by: str = ""
    """Who labelled; a person."""


@dataclass(frozen=True)
class Item:
    """One question with the label that people agree on."""

    id: str
    cluster: str
    question: Question
    label: str


@dataclass(frozen=True)
class Labelled:
    """A file of labels, read.

    Attributes:
        unlabelled: items nobody labelled; `disputed`: items on which people differ. Both are left out, per rubric.
        people: per rubric, who labelled.
    """

    items: list[Item]
    unlabelled: dict[str, int]
    disputed: dict[str, int]
    people: dict[str, list[str]]


def read_labelled(path: Path) -> Labelled:
    """The items of a JSON-lines file.

    Raises:
        InputError: a line is not what it should be, or there is none.
    """
    groups: dict[tuple[str, str], list[tuple[str, LabelledLine]]] = defaultdict(list)
    for where, line in read_rows(LabelledLine, str(path)):
        groups[line.rubric, line.id].append((where, line))
    if not groups:
        raise InputError(str(path), "holds no line")
    items: list[Item] = []
    unlabelled: dict[str, int] = defaultdict(int)
    disputed: dict[str, int] = defaultdict(int)
    people: dict[str, set[str]] = defaultdict(set)
    for (rubric_id, item_id), lines in groups.items():
        where, first = lines[0]
        question = _question(where, first)
        seen: set[str] = set()
        for where, line in lines:
            _check(where, line, first, question.rubric, seen)
        labels = {line.label for _, line in lines if line.label is not None}
        people[rubric_id] |= {line.by for _, line in lines if line.label is not None}
        if not labels:
            unlabelled[rubric_id] += 1
        elif len(labels) > 1:
            disputed[rubric_id] += 1
        else:
            items.append(Item(item_id, first.cluster or item_id, question, labels.pop()))
    return Labelled(items, dict(unlabelled), dict(disputed), {k: sorted(v) for k, v in people.items()})


def _question(where: str, line: LabelledLine) -> Question:
    rubric = find_rubric(line.rubric)
    if rubric is None:
        raise InputError(f"{where}: rubric", f"{line.rubric!r} is not known; rig judge-check --rubrics lists them")
    try:
        pieces = tuple(Message(m.id, m.speaker, m.text) for m in line.messages)
        return Question(line.id, rubric, pieces, Open("measured against people"), line.about)
    except ValueError as exc:
        raise InputError(f"{where}: messages", str(exc)) from exc


def _check(where: str, line: LabelledLine, first: LabelledLine, rubric: Rubric, seen: set[str]) -> None:
    if (line.messages, line.about, line.cluster) != (first.messages, first.about, first.cluster):
        raise InputError(f"{where}: id", f"{line.id!r} stands on an earlier line with other material")
    if line.label is None:
        return
    if line.label not in rubric.values:
        raise InputError(f"{where}: label", f"is {line.label!r}; {rubric.id} takes {', '.join(rubric.values)}")
    if not line.by.strip():
        raise InputError(f"{where}: by", "is empty; a label names the person who gave it")
    if line.by in seen:
        raise InputError(f"{where}: by", f"{line.by!r} labelled {line.id!r} twice")
    seen.add(line.by)


def sheet(sessions: Iterable[tuple[str, InquirySession]], profile: Profile | None = None) -> Iterator[LabelledLine]:
    """What a judge would be asked about these sessions, without labels, for people to fill in."""
    for _, session in sessions:
        for question in open_questions(session, profile)[1]:
            yield sheet_line(question, f"{session.session_id} {question.id}", session.session_id)


def sheet_line(question: Question, name: str, cluster: str) -> LabelledLine:
    """One question without a label.

    Args:
        name: of the item.
        cluster: what it belongs with.
    """
    return LabelledLine(
        id=name, rubric=question.rubric.id, cluster=cluster,
        messages=[LabelledMessage(id=m.id, speaker=m.speaker, text=m.text) for m in question.messages],
        about=question.about,
    )  # fmt: skip


class MeasuredRow(Strict):
    """One verdict of a measurement."""

    label: str
    repeat: int
    order: Order
    judged: Judged
