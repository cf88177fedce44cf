"""Package to staged visible copy. The only place of the harness that reads hidden files, for canaries and setup."""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.errors import GateClosed, InputError
from harness.schema.inquiry import InquirySetup
from harness.schema.package import (
    FACTS,
    INITIAL_MESSAGE,
    MATERIALS,
    OPENING,
    VisiblePackage,
    package_sha256,
    read_visible,
)
from harness.schema.setup import ClaimsSetup
from harness.schema.strict_json import canonical, parse_json, read_bytes, validate
from harness.schema.visible import CustomerView, customer_view

_SHOWN = {
    "persona": ("name", "language", "mood", "manner", "patience", "dont_know"),
    "fact": ("id", "topic", "kind", "value", "say"),
    "unknown": ("id", "topic"),
    "wish": ("id", "kind", "say", "after_customer_messages"),
}
"""What a customer may know, named a second time beside the marks of the models: the two must agree."""
HIDDEN_FILES = ("oracle/labels.json", "setup.json", "provenance.json", "review.json")
_CANARY = re.compile(r"[0-9a-f]{32}\Z")


@dataclass(frozen=True)
class LoadedPackage:
    """A package as the parent holds it."""

    id: str
    folder: Path
    sha256: str
    visible: VisiblePackage
    view: CustomerView
    setup: ClaimsSetup | InquirySetup
    canaries: dict[str, str]
    """Hidden file -> its canary."""


@dataclass(frozen=True)
class StagedPackage:
    """The visible half in a folder of its own."""

    package: LoadedPackage
    folder: Path

    @cached_property
    def expected(self) -> dict[str, bytes]:
        """What the folder must hold, by name: from the package in memory, before a worker was let near the folder."""
        files = {f"materials/{name}": data for name, data in self.package.visible.files.items()}
        return {"view.json": view_bytes(self.package.view), **files}


def load_package(folder: Path) -> LoadedPackage:
    """Read and check one package; every mistake is an InputError that names file, field and why."""
    visible = read_visible(folder)
    hidden: dict[str, Any] = {}
    canaries: dict[str, str] = {}
    for name in HIDDEN_FILES:
        shown = f"{visible.id}/{name}"
        hidden[name] = parse_json(read_bytes(folder / name, shown), shown)
        canary = hidden[name].get("canary") if isinstance(hidden[name], dict) else None
        if not isinstance(canary, str) or not _CANARY.fullmatch(canary):
            raise InputError(f"{shown}: canary", "must be 32 lower-case hexadecimal digits (128 random bits)")
        canaries[name] = canary
    twice = sorted({c for c in canaries.values() if list(canaries.values()).count(c) > 1})
    if twice:
        raise InputError(f"{visible.id}: canary", "the same canary stands in two hidden files")
    given, shown = hidden["setup.json"], f"{visible.id}/setup.json"
    setup: ClaimsSetup | InquirySetup = (
        validate(InquirySetup, given, shown) if given.get("kind") == "inquiry" else validate(ClaimsSetup, given, shown)
    )
    view = customer_view(visible.initial_message, visible.facts, visible.materials, visible.opening)
    return LoadedPackage(visible.id, folder, package_sha256(folder), visible, view, setup, canaries)


def view_bytes(view: CustomerView) -> bytes:
    """The one byte form of a view."""
    return canonical(view)


def visible_by_hand(package: LoadedPackage) -> Any:
    """The view as plain data, picked key by key from the package's files, without the models and their marks."""

    def pick(kind: str, value: dict[str, Any]) -> dict[str, Any]:
        return {key: value[key] for key in _SHOWN[kind]}

    def read(name: str) -> Any:
        return parse_json(read_bytes(package.folder / name, f"{package.id}/{name}"), f"{package.id}/{name}")

    facts, files = read(FACTS), []
    for material in read(MATERIALS)["materials"]:
        seen = material["visible"]
        when = {key: seen["available"].get(key) for key in ("when", "promise", "after_customer_messages")}
        files.append({"file": seen["file"], "label": seen["label"], "available": when})
    several = read(OPENING)["messages"] if (package.folder / OPENING).exists() else []
    opening = [{"text": m.get("text"), "file": m.get("file")} for m in several]
    if several:
        first = "\n".join(m["text"] for m in opening if m["text"])
    else:
        first = (package.folder / INITIAL_MESSAGE).read_bytes().decode("utf-8").removesuffix("\n")
    return {
        "initial_message": first,
        "opening": opening,
        "persona": {
            **pick("persona", facts["persona"]),
            "hands_over_unasked": facts["persona"].get("hands_over_unasked", False),
            "leads": facts["persona"].get("leads", False),
        },
        "facts": [pick("fact", fact) for fact in facts["facts"]],
        "does_not_know": [pick("unknown", item) for item in facts.get("does_not_know", [])],
        "wishes": [{**pick("wish", wish), "file": wish.get("file")} for wish in facts.get("wishes", [])],
        "files": files,
    }


def check_view(package: LoadedPackage) -> None:
    """GateClosed(`view`) unless the package's view is what a second reading of its files gives."""
    try:
        expected = canonical(visible_by_hand(package))
    except (KeyError, TypeError) as exc:
        raise GateClosed("view", f"the package cannot be read a second time ({exc!r})") from exc
    if view_bytes(package.view) != expected:
        raise GateClosed("view", f"the view of {package.id} is not the visible half of its files")


def stage(package: LoadedPackage, into: Path) -> StagedPackage:
    """Write view and materials, and nothing else, into a new folder `into`. GateClosed(`view`) if the view holds more."""
    check_view(package)
    materials = into / "materials"
    materials.mkdir(parents=True)
    (into / "view.json").write_bytes(view_bytes(package.view))
    for name, data in package.visible.files.items():
        (materials / name).write_bytes(data)
    staged = StagedPackage(package, into)
    check_staged(staged)
    return staged


def check_staged(staged: StagedPackage) -> None:
    """GateClosed(`view`) unless the staged folder equals the visible projection, byte for byte and name for name."""
    expected = staged.expected
    there = dict(_entries(staged.folder))
    wanted = {*expected, "materials"}
    if set(there) != wanted:
        raise GateClosed("view", f"staged names differ from the visible half: {', '.join(sorted(set(there) ^ wanted))}")
    if links := sorted(name for name, entry in there.items() if entry.is_symlink()):
        raise GateClosed("view", f"staged {', '.join(links)} is a link")
    for name, data in expected.items():
        if not there[name].is_file(follow_symlinks=False) or _bytes(there[name].path) != data:
            raise GateClosed("view", f"staged {name} differs from the visible half")


def _bytes(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - once per file and turn: a Path costs more than reading
        return file.read()


def _entries(folder: Path | str, above: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything below a folder by its name there; what a link leads to is not entered."""
    with os.scandir(folder) as entries:
        for entry in entries:
            yield above + entry.name, entry
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path, f"{above}{entry.name}/")


def unstage(staged: StagedPackage) -> None:
    """Remove the staged copy; the package stays."""
    shutil.rmtree(staged.folder, ignore_errors=True)
