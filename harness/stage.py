"""Package to staged visible copy. The only place of the harness that reads hidden files, for canaries and setup."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import GateClosed, InputError
from harness.schema.package import VisiblePackage, package_sha256, read_visible
from harness.schema.setup import ClaimsSetup
from harness.schema.strict_json import canonical, parse_json, read_bytes, validate
from harness.schema.visible import CustomerView, customer_view

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
    setup: ClaimsSetup
    canaries: dict[str, str]
    """Hidden file -> its canary."""


@dataclass(frozen=True)
class StagedPackage:
    """The visible half in a folder of its own."""

    package: LoadedPackage
    folder: Path


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
    setup = validate(ClaimsSetup, hidden["setup.json"], f"{visible.id}/setup.json")
    view = customer_view(visible.initial_message, visible.facts, visible.materials)
    return LoadedPackage(visible.id, folder, package_sha256(folder), visible, view, setup, canaries)


def view_bytes(view: CustomerView) -> bytes:
    """The one byte form of a view."""
    return canonical(view)


def stage(package: LoadedPackage, into: Path) -> StagedPackage:
    """Write view and materials, and nothing else, into a new folder `into`."""
    materials = into / "materials"
    materials.mkdir(parents=True)
    (into / "view.json").write_bytes(view_bytes(package.view))
    for name, data in package.visible.files.items():
        (materials / name).write_bytes(data)
    check_staged(StagedPackage(package, into))
    return StagedPackage(package, into)


def check_staged(staged: StagedPackage) -> None:
    """GateClosed(`view`) unless the staged folder equals the visible projection, byte for byte and name for name."""
    expected = {"view.json": view_bytes(staged.package.view)}
    expected |= {f"materials/{name}": data for name, data in staged.package.visible.files.items()}
    found = {p.relative_to(staged.folder).as_posix() for p in staged.folder.rglob("*") if not p.is_dir()}
    if found != set(expected):
        raise GateClosed(
            "view", f"staged files differ from the visible half: {', '.join(sorted(found ^ set(expected)))}"
        )
    for name, data in expected.items():
        if (staged.folder / name).read_bytes() != data:
            raise GateClosed("view", f"staged {name} differs from the visible half")


def unstage(staged: StagedPackage) -> None:
    """Remove the staged copy; the package stays."""
    shutil.rmtree(staged.folder, ignore_errors=True)
