"""`packages/manifest.json`: writing it, and holding the files against it."""

import json
from pathlib import Path

from harness.schema.package import MANIFEST, Change, Manifest, file_hashes, find_packages, read_manifest
from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.finding import Finding


def corpus_files(root: Path) -> dict[str, str]:
    """Path below `root` -> sha256, for every file of every package, in the order of paths."""
    hashes = {
        f"{folder.parent.name}/{folder.name}/{name}": digest
        for folder in find_packages(root).values()
        for name, digest in file_hashes(folder).items()
    }
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
    text = json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
    (root / MANIFEST).write_bytes(text.encode("utf-8"))
    return manifest


def verify_manifest(root: Path) -> list[Finding]:
    """Every file that is changed, missing or new against the manifest; none if it is true of the files.

    Raises:
        InputError: the manifest or a package's layout cannot be read.
    """
    manifest = read_manifest(root)
    mend = (
        "take the change back, or make a new version with a reason"
        if manifest.frozen
        else "write the manifest again once the package is as it should be"
    )
    found = corpus_files(root)
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
