"""`classes.yaml` as objects: facts, files, groups and scenario classes."""

import re
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
    volunteer: str | None = None
    """Regular expression a sentence must match for the fact to be read unasked; None: only when asked."""
    avoid: str | None = None
    """Regular expression of sentences that are about something else."""
    none_when_no: bool = False
    """A plain "no" means that there is none, stored as "none"."""


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

    def classify(self, text: str) -> str | None:
        """The first class whose cues all occur in the text, None if no class fits."""
        low = text.lower()
        for name, spec in self.classes.items():
            if any(all(re.search(cue, low) for cue in line) for line in spec.cues):
                return name
        return None


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
