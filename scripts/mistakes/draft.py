"""A copy of a package in which one mistake is made, and the list of mistakes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.schema.package import FACTS, INITIAL_MESSAGE, LABELS, MATERIALS, MATERIALS_DIR, PROVENANCE, REVIEW, SETUP
from harness.schema.strict_json import sha256_hex


@dataclass
class Draft:
    """A package to be spoilt. What it was can be read from `facts`, `labels`, …; `put` and `put_file` write."""

    folder: Path

    def read(self, relative: str) -> Any:
        """A JSON file's value."""
        return json.loads((self.folder / relative).read_bytes())

    @property
    def facts(self) -> Any:
        """`input/facts.json`."""
        return self.read(FACTS)

    @property
    def materials(self) -> Any:
        """`input/materials.json`."""
        return self.read(MATERIALS)

    @property
    def labels(self) -> Any:
        """`oracle/labels.json`."""
        return self.read(LABELS)

    @property
    def setup(self) -> Any:
        """`setup.json`."""
        return self.read(SETUP)

    @property
    def provenance(self) -> Any:
        """`provenance.json`."""
        return self.read(PROVENANCE)

    @property
    def review(self) -> Any:
        """`review.json`."""
        return self.read(REVIEW)

    @property
    def message(self) -> str:
        """The opening."""
        return (self.folder / INITIAL_MESSAGE).read_text("utf-8").removesuffix("\n")

    def put(self, relative: str, value: Any) -> None:
        """Writes a JSON file as package files are laid out."""
        text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
        (self.folder / relative).write_bytes(text.encode("utf-8"))

    def say(self, text: str) -> None:
        """Writes the opening; a plain one is its own plain wording still."""
        if self.facts["opening_style"] == "plain":
            provenance = self.provenance
            provenance["plain_opening"] = text
            self.put(PROVENANCE, provenance)
        (self.folder / INITIAL_MESSAGE).write_bytes((text + "\n").encode("utf-8"))

    def fact(self, fact_id: str) -> tuple[Any, Any] | None:
        """All facts and the one of that id; None if there is none."""
        facts = self.facts
        found = next((f for f in facts["facts"] if f["id"] == fact_id), None)
        return None if found is None else (facts, found)

    def of_kind(self, *kinds: str) -> tuple[Any, Any] | None:
        """All facts and the first of one of the kinds with a value of its own; None if there is none."""
        facts = self.facts
        found = next((f for f in facts["facts"] if f["kind"] in kinds and f["value"] != "none"), None)
        return None if found is None else (facts, found)

    def files(self, *suffixes: str) -> list[str]:
        """Names of materials with one of the suffixes."""
        return sorted(p.name for p in (self.folder / MATERIALS_DIR).iterdir() if p.suffix in suffixes)

    def bytes_of(self, name: str) -> bytes:
        """A material's bytes."""
        return (self.folder / MATERIALS_DIR / name).read_bytes()

    def put_file(self, name: str, data: bytes) -> None:
        """Writes a material; whoever looked at it looked at the new bytes."""
        path = self.folder / MATERIALS_DIR / name
        old = sha256_hex(path.read_bytes()) if path.exists() else None
        path.write_bytes(data)
        if old is not None:
            text = (self.folder / REVIEW).read_text("utf-8").replace(old, sha256_hex(data))
            (self.folder / REVIEW).write_bytes(text.encode("utf-8"))

    def rename(self, name: str, new: str) -> None:
        """Renames a material everywhere."""
        (self.folder / MATERIALS_DIR / name).rename(self.folder / MATERIALS_DIR / new)
        for relative in (MATERIALS, PROVENANCE, REVIEW):
            text = (self.folder / relative).read_text("utf-8").replace(f'"{name}"', f'"{new}"')
            (self.folder / relative).write_bytes(text.encode("utf-8"))

    def made(self, name: str) -> tuple[Any, Any]:
        """The provenance and the entry of one file."""
        provenance = self.provenance
        return provenance, provenance["files"][name]

    def with_field(self, field: str, *documents: str) -> str | None:
        """The first PDF that prints a legible field of that name, of one of the kinds of document; None if there is none."""
        for name in self.files(".pdf"):
            _, made = self.made(name)
            printed = made["printed_fields"].get(field)
            present = made["pages_present"] or []
            fits = printed and printed.get("legible", True) and printed["page"] in present
            if fits and (not documents or made["document"] in documents):
                return name
        return None


Spoil = Callable[[Draft], str | None]
"""Makes the mistake; gives the code it must be refused with, or None where the package has nothing to make it in."""


@dataclass(frozen=True)
class Mistake:
    """One kind of mistake."""

    name: str
    group: str
    spoil: Spoil


MISTAKES: list[Mistake] = []


def mistake(group: str, name: str) -> Callable[[Spoil], Spoil]:
    """Puts a function on the list."""

    def note(spoil: Spoil) -> Spoil:
        if any(m.name == name for m in MISTAKES):
            raise ValueError(f"two mistakes are called {name!r}")
        MISTAKES.append(Mistake(name, group, spoil))
        return spoil

    return note


def appended(draft: Draft, words: str) -> None:
    """Adds words to the opening."""
    draft.say(f"{draft.message} {words}")
