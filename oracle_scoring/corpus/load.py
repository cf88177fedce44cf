"""Reading a whole package, hidden half included.

For checker and scorer; nothing that speaks for a customer may come here.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from harness.errors import InputError
from harness.schema.package import (
    KINDS,
    LABELS,
    MANIFEST,
    PROVENANCE,
    REQUIRED_FILES,
    REVIEW,
    SETUP,
    VisiblePackage,
    find_packages,
    read_text_bytes,
    read_visible,
)
from harness.schema.setup import ClaimsSetup
from harness.schema.strict_json import parse_json, sha256_hex, validate
from oracle_scoring.corpus.models import FileProvenance, Labels, Provenance, Review

M = TypeVar("M", bound=BaseModel)


def is_corpus(path: Path) -> bool:
    """Whether `path` holds packages rather than being one."""
    return (path / MANIFEST).is_file() or any((path / kind).is_dir() for kind in KINDS)


def is_package(path: Path) -> bool:
    """Whether `path` is a package, be it a spoilt one: something of the layout is there."""
    return any((path / file).exists() for file in REQUIRED_FILES)


def require_packages(path: Path, *, corpus_only: bool = False) -> None:
    """Does nothing if `path` holds packages or, unless `corpus_only`, is one.

    Raises:
        InputError: it holds none and is none; or there is no such folder.
    """
    if not path.is_dir():
        raise InputError(str(path), "is neither a corpus nor a package: there is no such folder", "no_package")
    if is_corpus(path):
        try:
            found = bool(find_packages(path))
        except InputError:
            return  # something lies there; whoever reads it says what is wrong with it
        if found:
            return
    if not is_package(path):
        where = " or ".join(f"{kind}/" for kind in KINDS)
        raise InputError(str(path), f"is neither a corpus nor a package: nothing lies in {where}", "no_package")
    if corpus_only:
        raise InputError(str(path), "is a package; give the corpus that it lies in", "no_package")


@dataclass(frozen=True)
class AnyPackage:
    """What packages of every kind hold."""

    visible: VisiblePackage

    @property
    def id(self) -> str:
        """The folder's name."""
        return self.visible.id

    @property
    def folder(self) -> Path:
        """Where it was read from."""
        return self.visible.folder

    @cached_property
    def hashes(self) -> dict[str, str]:
        """File name -> sha256 of its bytes, for every material."""
        return {name: sha256_hex(data) for name, data in self.visible.files.items()}


@dataclass(frozen=True)
class Package(AnyPackage):
    """One package with all it holds."""

    setup: ClaimsSetup
    labels: Labels
    provenance: Provenance
    review: Review

    @property
    def made(self) -> dict[str, FileProvenance]:
        """File -> how it was made."""
        return self.provenance.files

    @cached_property
    def canaries(self) -> dict[str, str]:
        """Hidden file -> its canary."""
        return {
            LABELS: self.labels.canary,
            SETUP: self.setup.canary,
            PROVENANCE: self.provenance.canary,
            REVIEW: self.review.canary,
        }


def read_part(model: type[M], folder: Path, relative: str) -> M:
    """One JSON file of a package as `model`; the first mistake is an InputError with file, field and why."""
    data, shown = read_text_bytes(folder, relative)
    return validate(model, parse_json(data, shown), shown)


def read_setup(folder: Path) -> ClaimsSetup:
    """`setup.json` of a package."""
    return read_part(ClaimsSetup, folder, SETUP)


def read_labels(folder: Path) -> Labels:
    """`oracle/labels.json` of a package."""
    return read_part(Labels, folder, LABELS)


def read_provenance(folder: Path) -> Provenance:
    """`provenance.json` of a package."""
    return read_part(Provenance, folder, PROVENANCE)


def read_review(folder: Path) -> Review:
    """`review.json` of a package."""
    return read_part(Review, folder, REVIEW)


def load_package(folder: Path) -> Package:
    """The whole package; the first mistake is an InputError with file, field and why."""
    visible = read_visible(folder)
    return Package(visible, read_setup(folder), read_labels(folder), read_provenance(folder), read_review(folder))
