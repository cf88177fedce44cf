"""`packages/manifest.json`: writing it, and holding the files against it."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from harness.errors import InputError
from harness.schema.package import (
    MANIFEST,
    MAX_MATERIAL_BYTES,
    Change,
    Manifest,
    file_hashes,
    find_packages,
    read_manifest,
)
from harness.schema.strict_json import canonical, read_bytes, read_model, sha256_hex
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.plan import PLAN_FILE
from oracle_scoring.files import json_bytes, write_atomically

LEDGER = "corrections.jsonl"
"""Every correction of a frozen corpus, one on a line."""
VERSIONS = "versions"
"""`versions/<version>.json`: the manifest of every frozen version."""
REVISIONS = "revisions"
"""`revisions/<package>/<revision>/…`: files of a package as that revision had them, where a later one has others."""
FIRST_DRAFT = "draft-1"
"""Version of a corpus that has no manifest yet."""

_VERSION = re.compile(r"^v([1-9]\d{0,3})$")


def corpus_files(root: Path, known: Mapping[str, Mapping[str, str]] | None = None) -> dict[str, str]:
    """Path below `root` -> sha256, in the order of paths: files of packages, ledger, earlier revisions, a plan of its own.

    Args:
        root: the corpus.
        known: package id -> what `file_hashes` gives for it, where its files were read and hashed just now.
    """
    known = known or {}
    hashes = {
        f"{folder.parent.name}/{folder.name}/{name}": digest
        for folder in find_packages(root, None).values()
        for name, digest in (known.get(folder.name) or file_hashes(folder)).items()
    }
    kept = sorted(path for path in (root / REVISIONS).rglob("*") if not path.is_dir())
    for path in [*kept, *(root / name for name in (LEDGER, PLAN_FILE) if (root / name).exists())]:
        name = path.relative_to(root).as_posix()
        hashes[name] = sha256_hex(read_bytes(path, name, MAX_MATERIAL_BYTES))
    return dict(sorted(hashes.items()))


def write_manifest(root: Path, version: str, reason: str) -> Manifest:
    """Writes the manifest for the files as they are, as an unfrozen corpus.

    A version that is the newest already keeps its place in the change log and gets the new reason; another one is
    added. A frozen corpus becomes a draft again only under a new version.

    Raises:
        ValueError: the corpus is frozen in this very version.
    """
    changes: list[Change] = []
    if (root / MANIFEST).exists():
        old = read_manifest(root)
        if old.frozen and old.version == version:
            raise ValueError(f"{version} is frozen; a change needs a new version with a reason")
        changes = [change for change in old.changes if change.version != version]
    changes.append(Change(version=version, reason=reason))
    manifest = Manifest(format="0.2", version=version, frozen=False, files=corpus_files(root), changes=changes)
    (root / MANIFEST).write_bytes(manifest_bytes(manifest))
    return manifest


def take_in(root: Path, folder: Path | None = None, names: Collection[str] | None = None) -> list[str]:
    """Makes a draft's manifest true of the files as they are; the files that it now knows otherwise, or no longer.

    Nothing is written for a frozen corpus: there a changed byte needs a new version with a reason. Version and change log
    stay. A corpus that never had a manifest gets its first one.

    Args:
        root: the corpus.
        folder: only the files of this package; None: all of the corpus.
        names: of those only these, as paths below the package; None: all.

    Raises:
        InputError: the manifest or a package's layout cannot be read.
    """
    if not (root / MANIFEST).exists():
        if (root / VERSIONS).exists():
            return []  # it was frozen once: the manifest has to be put back, not made up
        return list(write_manifest(root, FIRST_DRAFT, "First draft.").files)
    manifest = read_manifest(root)
    if manifest.frozen:
        return []
    if folder is None:
        files = corpus_files(root)
    else:
        base = f"{folder.parent.name}/{folder.name}/"
        own = {f"{base}{n}": digest for n, digest in file_hashes(folder).items() if names is None or n in names}
        gone = {n for n in manifest.files if n.startswith(base)} if names is None else set()
        rest = {name: digest for name, digest in manifest.files.items() if name not in gone}
        files = dict(sorted({**rest, **own}.items()))
    changed = sorted(n for n in {*manifest.files, *files} if manifest.files.get(n) != files.get(n))
    if changed:
        write_atomically(root / MANIFEST, manifest_bytes(manifest.model_copy(update={"files": files})))
    return changed


def manifest_bytes(manifest: Manifest) -> bytes:
    """The one byte form of a manifest."""
    plain = manifest.model_dump(mode="json")
    plain["changes"] = [change.model_dump(mode="json", exclude_defaults=True) for change in manifest.changes]
    return json_bytes(plain)


def version_path(root: Path, version: str) -> Path:
    """Where the manifest of a frozen version is kept, whatever comes after it."""
    return root / VERSIONS / f"{version}.json"


def files_sha256(manifest: Manifest) -> str:
    """One hash over the names and hashes of all files."""
    return sha256_hex(canonical(manifest.files))


def next_version(root: Path) -> str:
    """The version that comes next: v1 if none was frozen yet, else one above the highest of the change log.

    Raises:
        InputError: the manifest cannot be read.
    """
    changes = read_manifest(root).changes if (root / MANIFEST).exists() else []
    numbers = [int(found[1]) for change in changes if (found := _VERSION.match(change.version))]
    return f"v{max(numbers, default=0) + 1}"


def last_frozen(root: Path) -> Manifest | None:
    """The manifest of the newest version that was frozen; None if none ever was.

    Raises:
        InputError: it is not there any more, or not the one that was frozen.
    """
    now = read_manifest(root)
    known = {change.version for change in now.changes if change.frozen_as is not None}
    for path in sorted((root / VERSIONS).glob("*.json")):
        if path.stem not in known:
            why = "is a frozen version that the manifest's change log does not know; put the manifest back as it was"
            raise InputError(f"{VERSIONS}/{path.name}", why)
    change = next((change for change in reversed(now.changes) if change.frozen_as is not None), None)
    if change is None:
        return now if now.frozen else None
    shown = f"{VERSIONS}/{change.version}.json"
    then = read_model(Manifest, version_path(root, change.version), shown)
    for manifest, name in ((then, shown), *([(now, MANIFEST)] if now.frozen else [])):
        if files_sha256(manifest) != change.frozen_as:
            raise InputError(name, f"is not the manifest that was frozen as {change.version}; put it back as it was")
    return then


def verify_manifest(root: Path, known: Mapping[str, Mapping[str, str]] | None = None) -> list[Finding]:
    """Every file that is changed, missing or new against the manifest; none if it is true of the files.

    Args:
        root: the corpus.
        known: as for `corpus_files`.

    Raises:
        InputError: the manifest or a package's layout cannot be read.
    """
    manifest = read_manifest(root)
    mend = (
        "take the change back, or make a new version with a reason"
        if manifest.frozen
        else "rig corpus check --fix writes it into the manifest of the draft; or take the change back"
    )
    found = corpus_files(root, known)
    findings = []
    for name in sorted({*manifest.files, *found}):
        if manifest.files.get(name) == found.get(name):
            continue
        if name not in found:
            code, what = "manifest_file_missing", "is in the manifest but not there"
        elif name not in manifest.files:
            code, what = "manifest_file_new", "is not in the manifest"
        else:
            code, what = "manifest_file_changed", _how_changed(root / name, manifest.files[name])
        findings.append(Finding(code=code, file=name, field="", what=what, mend=mend))
    return findings


def _how_changed(path: Path, wanted: str) -> str:
    """Says so where only the line endings differ."""
    data = path.read_bytes()
    if sha256_hex(data.replace(b"\r\n", b"\n")) == wanted:
        return "differs from the manifest by its line endings only (CRLF instead of LF)"
    return "differs from the manifest"
