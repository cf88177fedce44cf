"""Corrections of a frozen corpus: the ledger that tells them, and the revisions they leave behind.

    corrections.jsonl                      a line per correction: what it was, what it is, why, by whom; each with the hash of the line before
    revisions/<package>/<n>/<path>         files of revision n that a later revision has otherwise

Every correction moves the package's `oracle_revision` by one, so that two revisions never have the same answers' bytes;
`package_at` puts an earlier one together, and runs can be scored by it.
"""

import copy
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import AwareDatetime, Field, JsonValue

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.package import (
    LABELS,
    MAX_MATERIAL_BYTES,
    REVIEW,
    TEXT_FILES,
    Manifest,
    check_layout,
    find_packages,
)
from harness.schema.product import Sha256
from harness.schema.strict_json import canonical, parse_json, read_bytes, sha256_hex, validate
from harness.schema.visible import Text
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.manifest import LEDGER, REVISIONS, last_frozen
from oracle_scoring.corpus.pictured import load_pictured
from oracle_scoring.files import json_bytes, write_atomically

FIRST = "0" * 64
"""`previous` of the first line."""


NOT_CORRECTED = {
    "oracle_revision": "moves by itself with every correction",
    "canary": "is no answer; it stays, so that earlier runs can be searched for it",
    "format": "is the form of the file",
}
"""Field at the head of a package's JSON file -> why it is never corrected."""


class FieldChange(Strict):
    """One value that was wrong."""

    file: str
    """Below the package."""
    field: str
    """Dotted path into a JSON file; empty for a file that was replaced as a whole."""
    before: JsonValue
    """A replaced file's text or, where it is no text, null."""
    after: JsonValue


class FileChange(Strict):
    """One file that became another."""

    before: Sha256
    after: Sha256


class Correction(Strict):
    """One line of the ledger."""

    seq: Annotated[int, Field(ge=1)]
    at: AwareDatetime
    corrects: Text
    """The frozen version in which the mistake stands."""
    package: Text
    revision_before: Annotated[int, Field(ge=1)]
    revision_after: Annotated[int, Field(ge=2)]
    changes: Annotated[list[FieldChange], Field(min_length=1)]
    files: dict[str, FileChange]
    """Every file that got other bytes, the answers always among them."""
    why: Text
    by: Text
    previous: Sha256
    """Hash of the line before without its line break."""


class Edit(Strict):
    """One thing to correct: a value in a JSON file, or (`field` empty) a whole file, then `value` is its new text."""

    file: str
    field: str = ""
    value: JsonValue = None
    data: bytes | None = None
    """The whole file's new bytes, instead of a text."""


def read_ledger(root: Path) -> list[Correction]:
    """All corrections, in order; an absent ledger is empty.

    Raises:
        InputError: a line is not what it should be, or the chain of hashes is broken.
    """
    path = root / LEDGER
    if not path.exists():
        return []
    data = read_bytes(path, LEDGER, MAX_MATERIAL_BYTES)
    if data and not data.endswith(b"\n"):
        raise InputError(LEDGER, "its last line is torn; take it out or end it")
    found: list[Correction] = []
    previous = FIRST
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        shown = f"{LEDGER}: line {number}"
        entry = validate(Correction, parse_json(line, shown), shown)
        if entry.previous != previous or entry.seq != number:
            raise InputError(shown, "does not follow from the line before; the ledger was changed afterwards")
        previous = sha256_hex(line)
        found.append(entry)
    return found


# ---------------------------------------------------------------------- correcting


def _step(value: Any, path: str) -> tuple[Any, str]:
    """The key or position a dotted path begins with, and the rest; keys may hold dots themselves."""
    if isinstance(value, list):
        first, _, rest = path.partition(".")
        if not first.isdigit() or int(first) >= len(value):
            raise KeyError(first)
        return int(first), rest
    if not isinstance(value, dict):
        raise KeyError(path)
    known = [key for key in value if path == key or path.startswith(f"{key}.")]
    if not known:
        raise KeyError(path.partition(".")[0])
    key = max(known, key=len)
    return key, path[len(key) + 1 :]


def get_field(value: Any, path: str) -> Any:
    """What a dotted path leads to. KeyError if it leads nowhere."""
    while path:
        key, path = _step(value, path)
        value = value[key]
    return value


def set_field(value: Any, path: str, new: Any) -> None:
    """Puts `new` where a dotted path leads, in place. KeyError if it leads nowhere."""
    key, rest = _step(value, path)
    if rest:
        set_field(value[key], rest, new)
    else:
        value[key] = new


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


class _Draft:
    """The package's files while edits are made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.old: dict[str, bytes] = {
            name: read_bytes(folder / name, f"{folder.name}/{name}", MAX_MATERIAL_BYTES)
            for name in check_layout(folder)
        }
        self.new: dict[str, bytes] = {}
        self.changes: list[FieldChange] = []

    def apply(self, edit: Edit) -> None:
        """Makes one edit."""
        where = f"{self.folder.name}/{edit.file}"
        if edit.file not in self.old:
            raise InputError(where, "is no file of the package; a correction changes files that are there")
        if edit.file == REVIEW:
            raise InputError(where, "is written by looking and signing, not by a correction")
        data = self.new.get(edit.file, self.old[edit.file])
        if not edit.field:
            after = edit.data if edit.data is not None else str(edit.value).encode("utf-8")
            self._keeps_its_head(edit.file, data, after)
            change = FieldChange(file=edit.file, field="", before=_text(data), after=_text(after))
        else:
            if edit.file not in TEXT_FILES or not edit.file.endswith(".json"):
                raise InputError(where, "has no fields; replace the file as a whole")
            if (why := NOT_CORRECTED.get(edit.field)) is not None:
                raise InputError(f"{where}: {edit.field}", f"{why}; nothing was corrected")
            value = parse_json(data, where)
            try:
                before = copy.deepcopy(get_field(value, edit.field))
                set_field(value, edit.field, edit.value)
            except KeyError as exc:
                raise InputError(f"{where}: {edit.field}", f"leads nowhere (at {exc.args[0]})") from exc
            after = json_bytes(value)
            change = FieldChange(file=edit.file, field=edit.field, before=before, after=edit.value)
        if canonical(change.before) == canonical(change.after) and after == data:
            raise InputError(f"{where}: {edit.field}" if edit.field else where, "is that already; nothing to correct")
        self.new[edit.file] = after
        self.changes.append(change)

    def _keeps_its_head(self, file: str, before: bytes, after: bytes) -> None:
        """A file that takes another's place has what no correction changes as it was. InputError if not."""
        if not file.endswith(".json"):
            return
        where = f"{self.folder.name}/{file}"
        old, new = parse_json(before, where), parse_json(after, where)
        for field, why in NOT_CORRECTED.items():
            if isinstance(new, dict) and field in old and new.get(field) != old[field]:
                raise InputError(f"{where}: {field}", f"{why}; in the new file it must be {old[field]!r} still")

    def move_revision(self) -> tuple[int, int]:
        """Moves `oracle_revision` by one; before and after."""
        labels = parse_json(self.new.get(LABELS, self.old[LABELS]), LABELS)
        before = parse_json(self.old[LABELS], LABELS)["oracle_revision"]
        labels["oracle_revision"] = before + 1
        self.new[LABELS] = json_bytes(labels)
        return before, before + 1

    def check(self) -> None:
        """The package would still be one. InputError if not."""
        with tempfile.TemporaryDirectory() as held:
            copied = Path(held) / self.folder.parent.name / self.folder.name
            _write_tree(copied, {**self.old, **self.new})
            load_pictured(copied)


def _write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def correct(
    root: Path, package: str, edits: Sequence[Edit], why: str, by: str, at: datetime | None = None
) -> Correction:
    """Corrects a package of a frozen corpus.

    Afterwards the package has the new values and the next `oracle_revision`, the files it had lie below `revisions/`, and
    the ledger has one line more. The manifest is left alone: it names what changed until the next version is frozen.

    Args:
        root: the corpus.
        package: id.
        edits: made in order, told as one correction.
        why: what was wrong.
        by: who says so.
        at: when; now if None.

    Raises:
        InputError: the corpus was never frozen, the package was changed by other means, an edit cannot be made, or the
            package would not be one any more. Nothing is written then.
    """
    folders = find_packages(root, None)
    if package not in folders:
        raise InputError(f"package {package}", f"is not in {root}")
    folder = folders[package]
    frozen = last_frozen(root)
    if frozen is None:
        raise InputError(str(root), "is a draft that was never frozen; change its files, no ledger is needed")
    if not edits:
        raise InputError("correction", "says nothing that is to be corrected")
    for what, text in (("--why", why), ("--by", by)):
        if not text.strip():
            raise InputError(what, "is empty; a correction says why and by whom")
    ledger = read_ledger(root)
    draft = _Draft(folder)
    base = f"{folder.parent.name}/{package}"
    by_hand = [f for f in unexplained(root, frozen, ledger) if f.startswith(f"{base}/")]
    if by_hand:
        raise InputError(
            by_hand[0], "was changed by hand; take that back, corrections are made by `rig corpus correct`"
        )
    for edit in edits:
        draft.apply(edit)
    before, after = draft.move_revision()
    draft.check()
    entry = Correction(
        seq=len(ledger) + 1,
        at=at or datetime.now(UTC),
        corrects=frozen.version,
        package=package,
        revision_before=before,
        revision_after=after,
        changes=draft.changes,
        files={
            name: FileChange(before=sha256_hex(draft.old[name]), after=sha256_hex(data))
            for name, data in sorted(draft.new.items())
        },
        why=why.strip(),
        by=by.strip(),
        previous=sha256_hex(_lines(root)[-1]) if ledger else FIRST,
    )
    _write_tree(root / REVISIONS / package / str(before), {name: draft.old[name] for name in draft.new})
    for name, data in draft.new.items():
        write_atomically(folder / name, data)
    line = json.dumps(entry.model_dump(mode="json"), ensure_ascii=False, sort_keys=True).encode("utf-8")
    write_atomically(root / LEDGER, b"".join(x + b"\n" for x in [*(_lines(root) if ledger else []), line]))
    return entry


def _lines(root: Path) -> list[bytes]:
    return (root / LEDGER).read_bytes().split(b"\n")[:-1]


# ---------------------------------------------------------------------- checking


def unexplained(root: Path, frozen: Manifest, ledger: Sequence[Correction]) -> list[str]:
    """Files of frozen packages that have other bytes than they were frozen with, and no correction tells of it.

    Packages that came later are free, and so are looks and signatures.
    """
    wanted = dict(frozen.files)
    for entry in ledger:
        for name, change in entry.files.items():
            for kind in ("claims", "inquiry"):
                path = f"{kind}/{entry.package}/{name}"
                if wanted.get(path) == change.before:
                    wanted[path] = change.after
    found = []
    known = {tuple(path.split("/")[:2]) for path in frozen.files}
    for folder in find_packages(root, None).values():
        base = f"{folder.parent.name}/{folder.name}"
        if tuple(base.split("/")) not in known:
            continue
        there = {
            f"{base}/{name}": sha256_hex(read_bytes(folder / name, f"{base}/{name}", MAX_MATERIAL_BYTES))
            for name in check_layout(folder)
        }
        listed = {path for path in wanted if path.startswith(f"{base}/")}
        found += [p for p in sorted({*there, *listed}) if there.get(p) != wanted.get(p) and p != f"{base}/{REVIEW}"]
    return found


def ledger_findings(root: Path) -> list[Finding]:
    """The ledger reads, its revisions are all there and of the bytes it tells of, and nothing changed beside it."""
    try:
        ledger = read_ledger(root)
        folders = find_packages(root, None)
        frozen = last_frozen(root)
    except InputError as exc:
        where, _, field = exc.where.partition(": ")
        mend = "put the ledger back as it was"
        return [Finding(code="ledger_broken", file=where, field=field, what=exc.why, mend=mend)]
    findings: list[Finding] = []
    last: dict[str, int] = {}
    for entry in ledger:
        before = last.get(entry.package, entry.revision_before)
        if entry.revision_before != before or entry.revision_after != before + 1:
            what = f"tells of revision {entry.revision_before} to {entry.revision_after} after revision {before}"
            findings.append(_ledger("ledger_broken", LEDGER, f"line {entry.seq}", what))
        last[entry.package] = entry.revision_after
        for name, change in entry.files.items():
            path = f"{REVISIONS}/{entry.package}/{entry.revision_before}/{name}"
            kept = root / path
            if not kept.is_file():
                findings.append(_ledger("revision_missing", path, "", "is told of in the ledger and not there"))
            elif sha256_hex(kept.read_bytes()) != change.before:
                findings.append(_ledger("revision_differs", path, "", "is not the file the ledger tells of"))
    for package, revision in last.items():
        if package in folders and _revision(folders[package]) != revision:
            what = f"is not {revision}, the revision after the last correction"
            findings.append(_ledger("oracle_revision_differs", f"{package}/{LABELS}", "oracle_revision", what))
    if frozen is not None:
        what = f"differs from {frozen.version}, and no correction tells of it"
        findings += [_ledger("change_not_in_ledger", path, "", what) for path in unexplained(root, frozen, ledger)]
    return findings


def _revision(folder: Path) -> int:
    return load_pictured(folder).labels.oracle_revision


def _ledger(code: str, file: str, field: str, what: str) -> Finding:
    mend = "take the change back; corrections are made by `rig corpus correct`"
    return Finding(code=code, file=file, field=field, what=what, mend=mend)


# ---------------------------------------------------------------------- earlier revisions


def revisions(root: Path, package: str) -> list[int]:
    """Earlier revisions of a package that can be put together, ascending; empty if it was never corrected."""
    folder = root / REVISIONS / package
    if not folder.is_dir():
        return []
    return sorted(int(p.name) for p in folder.iterdir() if p.is_dir() and p.name.isdigit())


def package_at(root: Path, folder: Path, revision: int, into: Path) -> Path:
    """The package in `folder` as it was in an earlier revision, written to `into/<kind>/<id>`; that folder.

    Looks and signatures are those of today.
    """
    target = into / folder.parent.name / folder.name
    shutil.copytree(folder, target)
    for number in sorted(revisions(root, folder.name), reverse=True):
        if number < revision:
            break
        shutil.copytree(root / REVISIONS / folder.name / str(number), target, dirs_exist_ok=True)
    return target
