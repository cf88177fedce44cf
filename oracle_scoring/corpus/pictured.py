"""What looking, signing and freezing need of a package, of whichever kind: its files, how they were made, who saw them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from harness.schema.package import VisiblePackage
from oracle_scoring.corpus.inquiry import InquiryPackage, load_inquiry
from oracle_scoring.corpus.load import Package, load_package
from oracle_scoring.corpus.models import FileProvenance, Review


class Pictured(Protocol):
    """A package as someone meets it who looks at its files."""

    @property
    def id(self) -> str:
        """The folder's name."""

    @property
    def visible(self) -> VisiblePackage:
        """The half that a customer knows; its files are what is looked at."""

    @property
    def review(self) -> Review:
        """Who looked and signed."""

    @property
    def made(self) -> Mapping[str, FileProvenance]:
        """File -> how it was made."""

    @property
    def hashes(self) -> dict[str, str]:
        """File -> sha256 of its bytes."""


def load_pictured(folder: Path) -> Package | InquiryPackage:
    """The package in `folder`, by the kind that its place says; the first mistake is an InputError."""
    return load_inquiry(folder) if folder.absolute().parent.name == "inquiry" else load_package(folder)
