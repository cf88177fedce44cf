"""`classes.yaml` as objects: facts, files, groups and scenario classes."""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict
from ruamel.yaml import YAML

Kind = Literal["date", "time", "amount", "plate", "yes_no", "reference", "phone", "email", "text"]


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FactSpec(_Data):
    """How one fact is asked for, read and shown."""

    kind: Kind
    label: str
    noted: str
    ask: str
    again: str
    words: list[str]
    """Words that show that a sentence is about this fact."""
    flip: list[str] = []
    """yes_no: words that by themselves mean "no"."""
    optional: bool = False
    volunteer: str | list[str] | None = None
    """Regular expressions, one of which a sentence must match for the fact to be read unasked; None: only when asked."""
    avoid: str | None = None
    """Regular expression of sentences that are about something else."""
    none_when_no: bool = False
    """A plain "no" means that there is none, stored as "none"."""

    @property
    def volunteers(self) -> list[str]:
        """`volunteer` as a list, empty for a fact that is only read when asked for."""
        return [self.volunteer] if isinstance(self.volunteer, str) else self.volunteer or []


class FileSpec(_Data):
    """One file the product asks for."""

    label: str
    card: str
    accept: str
    ask: str
    again: str
    words: list[str]


class Group(_Data):
    """What is asked in one turn: one or two related facts, or a file."""

    facts: list[str] = []
    file: str | None = None
    ask: str | None = None
    """The joint question, used while all facts of the group are open."""
    only_if: dict[str, str] = {}
    """The group is gone through only while each of these facts has this value."""
    unless: dict[str, str] = {}
    """The group is passed over while one of these facts has this value."""

    def applies(self, value: Callable[[str], str | None]) -> bool:
        """Whether the group is to be gone through, by the values held (None: not held yet)."""
        return all(value(f) == v for f, v in self.only_if.items()) and all(
            value(f) != v for f, v in self.unless.items()
        )


class ClassSpec(_Data):
    """One scenario class."""

    title: str
    line: Literal["motor", "home", "property"]
    choice: str
    third_party: bool
    cues: list[list[str]]
    groups: list[str]


class Answer(_Data):
    """A question about the process that is answered at once."""

    match: str
    say: str


class Catalogue(_Data):
    """All of `classes.yaml`."""

    facts: dict[str, FactSpec]
    files: dict[str, FileSpec]
    groups: dict[str, Group]
    classes: dict[str, ClassSpec]
    fallback: dict[str, str]
    """The class taken for a product line when the customer's words fit none."""
    spelling: list[str]
    """Words of the cues that a slip of the pen must not hide."""
    answers: list[Answer]

    def chosen(self, text: str) -> str | None:
        """The class whose button has these words, None if none has."""
        said = text.strip(" .!").casefold()
        return next((n for n, c in self.classes.items() if said in (c.choice.casefold(), c.title.casefold())), None)

    def plan(self, scenario_class: str) -> list[Group]:
        """The groups of a class in the order they are asked for."""
        return [self.groups[name] for name in self.classes[scenario_class].groups]

    def class_facts(self, scenario_class: str) -> list[str]:
        """Ids of all facts a class collects, in order."""
        return [fact for group in self.plan(scenario_class) for fact in group.facts]

    def classify(self, text: str, line: str | None = None) -> str | None:
        """The first class whose cues all occur in the text, None if no class fits.

        Args:
            text: the customer's words; what they call their insurance is no cue.
            line: product line of the customer's policy: a class of this line goes before the others.
        """
        low = _INSURANCE.sub(" ", text.lower())
        fits = next((f for shortest in SHORTEST_SLIPS if (f := self._fitting(self._spelt(low, shortest)))), [])
        return next((name for name in fits if self.classes[name].line == line), fits[0] if fits else None)

    def _fitting(self, low: str) -> list[str]:
        return [
            name
            for name, spec in self.classes.items()
            if any(all(re.search(cue, low, re.DOTALL) for cue in line) for line in spec.cues)
        ]

    def _spelt(self, low: str, shortest: int) -> str:
        """The text with words of at least so many letters put right that are one slip away from one of `spelling`."""

        def right(m: re.Match[str]) -> str:
            word = m[0]
            if len(word) < shortest or word in self.spelling:
                return word
            return next((known for known in self.spelling if one_slip(word, known)), word)

        return _WORD.sub(right, low)


SHORTEST_SLIPS = (7, 5)
"""Letters a word has that is put right: long ones always, shorter ones (often another real word) if nothing fits else."""
_WORD = re.compile(r"[a-z]+")
_INSURANCE = re.compile(
    r"\b(?:my|our|the|your|a)? ?(?:[a-z]+ )?(?:car|motor|vehicle|house|home|household|flat|building|buildings|contents|travel|flood|fire|water|storm|"
    r"boiler|theft|phone|gadget|bicycle|bike|property|belongings) (?:insurance|policy|cover|warranty|guarantee|plan)\b"
)
"""What people call their insurance, rightly or not."""


def one_slip(wrong: str, right: str) -> bool:
    """One letter too many, too few, another, or two neighbours exchanged."""
    if abs(len(wrong) - len(right)) > 1 or wrong == right:
        return False
    at = next((n for n, (a, b) in enumerate(zip(wrong, right, strict=False)) if a != b), min(len(wrong), len(right)))
    a, b = wrong[at:], right[at:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and len(b) > 1 and a[2:] == b[2:])


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The catalogue, read once; an entry that names something unknown is an error at start."""
    data = YAML(typ="safe", pure=True).load(Path(__file__).with_name("classes.yaml").read_text(encoding="utf-8"))
    found = Catalogue.model_validate(data)
    for name, group in found.groups.items():
        missing = [f for f in group.facts if f not in found.facts]
        if missing or (group.file and group.file not in found.files):
            raise ValueError(f"group {name} names something unknown: {missing or group.file}")
    for name, spec in found.classes.items():
        if unknown := [g for g in spec.groups if g not in found.groups]:
            raise ValueError(f"class {name} names an unknown group: {unknown}")
    return found
