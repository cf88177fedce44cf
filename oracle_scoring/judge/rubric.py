"""What a judge is asked: a rubric (locked words, one question, options) and one occasion to ask it on."""

import re
from dataclasses import dataclass
from functools import cached_property

from oracle_scoring.judge.prompt import Order, system_text, words_sha256

_ID = re.compile(r"[a-z][a-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)+")
_MESSAGE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_SPEAKER = re.compile(r"[a-z][a-z ,()-]{0,39}")


@dataclass(frozen=True)
class Option:
    """One answer that may be given."""

    value: str
    meaning: str


YES_NO: tuple[Option, ...] = (
    Option("yes", "the question is answered by yes"),
    Option("no", "the question is answered by no"),
    Option("does_not_apply", "the case the question speaks of is not there"),
)


def points(meanings: dict[int, str]) -> tuple[Option, ...]:
    """Options of a scale, the best first."""
    return tuple(Option(str(n), meanings[n]) for n in sorted(meanings, reverse=True))


@dataclass(frozen=True)
class Rubric:
    """One metric's check or one dimension.

    Attributes:
        id: `area/name…`, e.g. `inquiry/M-003/check_1`.
        rule: the rule's own words, in its own language.
        question: the one question.
        options: in the order they are listed; a scale the best first.
        good: options that count as positive where rates of true positives and negatives are measured.
        ordered: the options are a scale, so that neighbours disagree less than ends.
        quotes: ids of the messages that a verdict may quote; none named: any.
    """

    id: str
    rule: str
    question: str
    options: tuple[Option, ...] = YES_NO
    good: frozenset[str] = frozenset({"yes"})
    ordered: bool = False
    quotes: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        values = [o.value for o in self.options]
        if not _ID.fullmatch(self.id):
            raise ValueError(f"rubric {self.id!r}: the id is not of the form area/name")
        if len(values) < 2 or len(set(values)) != len(values) or not self.good < set(values) or not self.good:
            raise ValueError(f"rubric {self.id}: needs two options or more, some of them good and some not")
        if not self.question.strip() or not self.rule.strip():
            raise ValueError(f"rubric {self.id}: needs a rule and a question")

    @property
    def values(self) -> tuple[str, ...]:
        """The options' values."""
        return tuple(o.value for o in self.options)

    def system(self, order: Order = "forward") -> str:
        """The words that come before any material."""
        shown = self.options if order == "forward" else self.options[::-1]
        return system_text(self.rule, self.question, [(o.value, o.meaning) for o in shown])

    @cached_property
    def prompt_sha256(self) -> str:
        """Hash of every word a judge is told beside the material: the template's and the rubric's."""
        return words_sha256(self.system())


@dataclass(frozen=True)
class Message:
    """One piece of the material.

    Attributes:
        id: by which a quote names it; made by the rig.
        speaker: who wrote it, in the rig's words.
        text: the product's or the customer's words; hostile.
    """

    id: str
    speaker: str
    text: str

    def __post_init__(self) -> None:
        if not _MESSAGE_ID.fullmatch(self.id):
            raise ValueError(f"message id {self.id!r} is not one the rig makes")
        if not _SPEAKER.fullmatch(self.speaker):
            raise ValueError(f"speaker {self.speaker!r} is not one the rig makes")


@dataclass(frozen=True)
class Ruled:
    """A rule decided. Nothing can be asked about it."""

    value: str
    quote: str
    reason: str


@dataclass(frozen=True)
class Open:
    """Rules leave it open; the only thing a question can be made of.

    Attributes:
        why: what the rules could not say.
        at_most: the highest number of points that the rules leave possible.
    """

    why: str
    at_most: int | None = None


@dataclass(frozen=True)
class Question:
    """One question, to be asked in one call.

    Attributes:
        id: by which its reader knows it again.
        open: that rules left it open.
        about: message that the question speaks of; None: all of them.
        repeat: 0, or which repeat of the same question this is.
    """

    id: str
    rubric: Rubric
    messages: tuple[Message, ...]
    open: Open
    about: str | None = None
    repeat: int = 0
    order: Order = "forward"

    def __post_init__(self) -> None:
        if type(self.open) is not Open:
            raise TypeError(f"question {self.id}: what a rule decided is not asked")
        ids = [m.id for m in self.messages]
        if len(set(ids)) != len(ids):
            raise ValueError(f"question {self.id}: two messages have the same id")
        if self.about is not None and self.about not in ids:
            raise ValueError(f"question {self.id}: is about message {self.about}, which is not there")
        if self.rubric.quotes and not self.quotable:
            raise ValueError(f"question {self.id}: has none of the messages that {self.rubric.id} quotes")

    @property
    def quotable(self) -> tuple[Message, ...]:
        """The messages that a verdict may quote."""
        allowed = self.rubric.quotes
        return tuple(m for m in self.messages if m.id in allowed) if allowed else self.messages
