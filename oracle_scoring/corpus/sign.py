"""`review.json`: written by tools and by people who sign. A signature is of one file's bytes and falls when they change."""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.errors import InputError
from harness.schema.package import MANIFEST, MATERIALS_DIR, REVIEW, read_manifest
from harness.schema.strict_json import parse_json, read_bytes, sha256_hex, validate
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.manifest import manifest_bytes
from oracle_scoring.corpus.models import HumanSignature, Review
from oracle_scoring.corpus.pictured import Pictured, load_pictured
from oracle_scoring.files import json_bytes, write_atomically

MAX_NAME = 80
_NO_PERSON = ("assistant", "model", "script", "robot", "stub", "anonymous", "unknown")


def edit_review(folder: Path, change: Callable[[dict[str, Any]], None]) -> Review:
    """`review.json` of a package after `change`, checked and written; nothing is written if it would be wrong.

    The manifest of a draft, if it knew the file as it was, knows it as it is; that of a frozen corpus keeps naming it.

    Raises:
        InputError: the file cannot be read or would become wrong, or someone else changed it meanwhile.
    """
    shown = f"{folder.name}/{REVIEW}"
    before = read_bytes(folder / REVIEW, shown)
    review = parse_json(before, shown)
    validate(Review, review, shown)
    change(review)
    checked = validate(Review, review, shown)
    after = json_bytes(review)
    if read_bytes(folder / REVIEW, shown) != before:
        raise InputError(shown, "was changed by someone else at the same moment; nothing was written, try again")
    if after != before:
        write_atomically(folder / REVIEW, after)
        _follow(folder, sha256_hex(before), sha256_hex(after))
    return checked


def _follow(folder: Path, before: str, after: str) -> None:
    root = folder.parent.parent
    if not (root / MANIFEST).is_file():
        return
    manifest = read_manifest(root)
    name = f"{folder.parent.name}/{folder.name}/{REVIEW}"
    if not manifest.frozen and manifest.files.get(name) == before:
        data = manifest.model_copy(update={"files": {**manifest.files, name: after}})
        write_atomically(root / MANIFEST, manifest_bytes(data))


def name_problem(name: str, review: Review) -> str | None:
    """Why a name cannot sign; None if it can. Whose name it is, no program can know."""
    flat = " ".join(name.split())
    if len([c for c in flat if unicodedata.category(c).startswith("L")]) < 2:
        return "is no name; sign with the name you go by"
    if len(flat) > MAX_NAME or not flat.isprintable():
        return f"is longer than {MAX_NAME} characters or holds characters that cannot be seen"
    folded = flat.casefold()
    taken = [c.by for c in review.assistant_checks] + [look.model for look in review.blind_look.looks]
    if folded in {t.casefold() for t in taken} or set(folded.split()) & set(_NO_PERSON):
        return "is the name of a program or assistant; only a person signs"
    return None


def standing(package: Pictured) -> dict[str, list[HumanSignature]]:
    """File -> signatures of that very file as it is."""
    hashes = {name: sha256_hex(data) for name, data in package.visible.files.items()}
    found: dict[str, list[HumanSignature]] = {name: [] for name in hashes}
    for signature in package.review.human_signatures:
        if hashes.get(signature.file) == signature.sha256:
            found[signature.file].append(signature)
    return found


def sign(folder: Path, file: str, sha256: str, name: str, at: datetime | None = None) -> HumanSignature:
    """A person's signature on one file, in `review.json`. Fallen signatures of the file are taken out.

    Args:
        folder: the package.
        file: name of the material.
        sha256: of the bytes the person was shown; the file must still be those.
        name: the person's.
        at: when; now if None.

    Raises:
        InputError: there is no such file, it is not the one that was shown, or the name cannot sign.
    """
    package = load_pictured(folder)
    data = package.visible.files.get(file)
    where = f"{package.id}/{MATERIALS_DIR}/{file}"
    if data is None:
        raise InputError(where, "there is no such file")
    if sha256_hex(data) != sha256:
        raise InputError(where, "is not the file that was shown; it has changed: look at it again")
    if (problem := name_problem(name, package.review)) is not None:
        raise InputError("name", f"{name!r} {problem}")
    signature = HumanSignature(file=file, sha256=sha256, name=" ".join(name.split()), signed_at=at or datetime.now(UTC))

    def put(review: dict[str, Any]) -> None:
        kept = [
            s
            for s in review["human_signatures"]
            if s["file"] != file or (s["sha256"] == sha256 and s["name"] != signature.name)
        ]
        review["human_signatures"] = [*kept, signature.model_dump(mode="json")]

    edit_review(folder, put)
    return signature


def withdraw(folder: Path, file: str, name: str) -> int:
    """Takes a person's signatures of a file back; how many there were."""
    taken = 0

    def put(review: dict[str, Any]) -> None:
        nonlocal taken
        kept = [s for s in review["human_signatures"] if s["file"] != file or s["name"] != name]
        taken = len(review["human_signatures"]) - len(kept)
        review["human_signatures"] = kept

    edit_review(folder, put)
    return taken


def missing_signatures(package: Pictured) -> list[Finding]:
    """Images that no person signed as they are."""
    fallen = {s.file for s in package.review.human_signatures}
    return [
        Finding(
            code="signature_missing",
            file=f"{package.id}/{REVIEW}",
            field="human_signatures",
            what=f"nobody signed {name}"
            + (" as it is; the signature fell when the file changed" if name in fallen else ""),
            mend="a person looks at it and signs by name: rig corpus review",
        )
        for name, signatures in standing(package).items()
        if not signatures and not package.visible.files[name].startswith(b"%PDF-")
    ]
