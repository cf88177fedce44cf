"""Mistakes that only show over the whole corpus: copies, quotas, the manifest."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from harness.schema.package import FACTS, LABELS, MATERIALS, PROVENANCE, REVIEW, SETUP, find_packages
from oracle_scoring.corpus.manifest import write_manifest

CorpusSpoil = Callable[[Path], str | None]
"""Makes the mistake in a corpus; gives the code it must be refused with, or None where it cannot be made."""
CORPUS_MISTAKES: list[tuple[str, CorpusSpoil]] = []


def _mistake(name: str) -> Callable[[CorpusSpoil], CorpusSpoil]:
    def note(spoil: CorpusSpoil) -> CorpusSpoil:
        CORPUS_MISTAKES.append((name, spoil))
        return spoil

    return note


def _copy(root: Path, fresh: bool) -> Path:
    """Another package with the files of the first; canaries of its own if `fresh`."""
    first = next(iter(find_packages(root).values()))
    target = first.parent / f"{first.name}-B"
    shutil.copytree(first, target)
    for n, relative in enumerate((LABELS, SETUP, PROVENANCE, REVIEW)):
        value = json.loads((target / relative).read_bytes())
        if fresh:
            value["canary"] = f"{n}3f90b71c6d2e84a{n}5e0d19b7f36c28a"
        (target / relative).write_bytes((json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())
    return target


@_mistake("a package copied with its canaries")
def _(root: Path) -> str:
    _copy(root, fresh=False)
    write_manifest(root, "t", "t")
    return "canary_repeated"


@_mistake("one customer in two packages")
def _(root: Path) -> str:
    _copy(root, fresh=True)
    write_manifest(root, "t", "t")
    return "identity_repeated"


@_mistake("one file in two packages")
def _(root: Path) -> str:
    _copy(root, fresh=True)
    write_manifest(root, "t", "t")
    return "material_shared"


@_mistake("one label for every file of a kind")
def _(root: Path) -> str | None:
    for n in range(4):
        first = next(iter(find_packages(root).values()))
        shutil.copytree(first, first.parent / f"{first.name}-{n}")
    for folder in find_packages(root).values():
        value = json.loads((folder / MATERIALS).read_bytes())
        value["materials"][0]["visible"]["label"] = "a picture for you"
        value["materials"][0]["hidden"]["evidence_kind"] = "some_image"
        (folder / MATERIALS).write_bytes((json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())
    write_manifest(root, "t", "t")
    return "label_from_kind"


@_mistake("a changed byte")
def _(root: Path) -> str:
    folder = next(iter(find_packages(root).values()))
    path = folder / FACTS
    path.write_bytes(path.read_bytes().replace(b'"patience": ', b'"patience":  '))
    return "manifest_file_changed"


@_mistake("a file taken away")
def _(root: Path) -> str:
    shutil.rmtree(next(iter(find_packages(root).values())))
    return "manifest_file_missing"


@_mistake("a package the manifest does not know")
def _(root: Path) -> str:
    _copy(root, fresh=True)
    return "manifest_file_new"


@_mistake("a stray file among the packages")
def _(root: Path) -> str:
    (root / "claims" / "todo.txt").write_text("x\n")
    return "file_extra"


@_mistake("one id twice")
def _(root: Path) -> str:
    first = next(iter(find_packages(root).values()))
    shutil.copytree(first, root / "inquiry" / first.name)
    return "id_repeated"


@_mistake("no manifest")
def _(root: Path) -> str:
    (root / "manifest.json").unlink()
    return "file_missing"


@_mistake("quotas that are off, when freezing")
def _(root: Path) -> str:
    return "quota"
