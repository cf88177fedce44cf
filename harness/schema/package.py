"""Where the files of a package are, and the strict reading of its visible half.

Nothing here opens a file outside `input/`, save for hashing: names are checked over the whole tree, contents only of
what the customer may know. Every mistake is one InputError that names the file, the field and why.
"""

import re
import stat
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from harness.errors import InputError
from harness.schema.base import Strict
from harness.schema.product import Sha256
from harness.schema.strict_json import canonical, decode_text, parse_json, read_bytes, read_model, sha256_hex, validate
from harness.schema.visible import CustomerView, Facts, Materials, Opening, customer_view

INITIAL_MESSAGE = "input/initial_message.txt"
OPENING = "input/opening.json"
"""Instead of INITIAL_MESSAGE: several first messages, or one with a file."""
FACTS = "input/facts.json"
MATERIALS = "input/materials.json"
MATERIALS_DIR = "input/materials"
LABELS = "oracle/labels.json"
SETUP = "setup.json"
PROVENANCE = "provenance.json"
REVIEW = "review.json"

REQUIRED_FILES = (INITIAL_MESSAGE, FACTS, MATERIALS, LABELS, SETUP, PROVENANCE, REVIEW)
TEXT_FILES = frozenset({*REQUIRED_FILES, OPENING})
FOLDERS = frozenset({"input", MATERIALS_DIR, "oracle"})
KINDS = ("claims", "inquiry")
Kind = Literal["claims", "inquiry"]
MANIFEST = "manifest.json"

MAX_MATERIAL_BYTES = 20 * 1024 * 1024
MAX_MESSAGE_CHARS = 8000
PACKAGE_ID = re.compile(r"^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$")
MAGIC: dict[str, bytes] = {
    ".jpg": b"\xff\xd8\xff",
    ".jpeg": b"\xff\xd8\xff",
    ".png": b"\x89PNG\r\n\x1a\n",
    ".pdf": b"%PDF-",
}
"""First bytes of each kind of material; a file with another extension is no material."""
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))}
)
_DROPPINGS = re.compile(r"(^\.)|(~$)|(^#.*#$)|(\.(swp|swo|tmp|bak|orig|rej|pyc)$)|(^(thumbs\.db|desktop\.ini)$)", re.I)


class Change(Strict):
    """One entry of the corpus's change log."""

    version: Annotated[str, Field(min_length=1, max_length=60)]
    reason: Annotated[str, Field(min_length=1, max_length=2000)]
    frozen_as: Sha256 | None = None
    """Hash over the names and hashes of all files, if the version was frozen."""
    files: list[str] = []
    """Of a frozen version that follows another one: paths that changed, came or went."""


class Manifest(Strict):
    """`packages/manifest.json`: what the corpus consists of, byte for byte."""

    format: Literal["0.2"]
    version: Annotated[str, Field(min_length=1, max_length=60)]
    frozen: bool
    """True: every byte was reviewed and signed; a changed byte is an error until a new version with a reason."""
    files: dict[str, Sha256]
    """Path below the corpus root -> sha256, for every file of every package."""
    changes: Annotated[list[Change], Field(min_length=1)]
    """Newest last; the last one's version is the corpus's."""


@dataclass(frozen=True)
class VisiblePackage:
    """What a customer may know of a package, read and checked."""

    id: str
    folder: Path
    initial_message: str
    """As sent: the file's text without its one closing line break; of several messages the texts, a line each."""
    facts: Facts
    materials: Materials
    files: dict[str, bytes]
    """File name -> bytes, in the order of the list."""
    opening: Opening | None = None
    """Where the package has several first messages."""

    def view(self) -> CustomerView:
        """The visible projection, as the customer gets it."""
        return customer_view(self.initial_message, self.facts, self.materials, self.opening)

    def sha256(self, name: str) -> str:
        """Hash of one material's bytes."""
        return sha256_hex(self.files[name])


def name_problem(name: str) -> str | None:
    """Why `name` cannot be a plain file name on every system; None if it can."""
    checks: list[tuple[bool, str]] = [
        (not name, "is empty"),
        ("\\" in name, "holds a backslash"),
        (name.startswith("/") or re.match(r"^[A-Za-z]:", name) is not None, "is an absolute path"),
        (".." in name.split("/"), "holds `..`; a file name stays in its folder"),
        ("/" in name, "holds a slash; materials lie directly in input/materials"),
        (any(not c.isprintable() for c in name), "holds a control or invisible character"),
        (name.endswith((".", " ")), "ends with a dot or a space"),
        (name.split(".")[0].strip().casefold() in _RESERVED, "is a reserved name on Windows"),
        (any(c in '<>:"|?*' for c in name), "holds a character that Windows refuses"),
        (len(name.encode("utf-8", "surrogatepass")) > 100, "is longer than 100 bytes"),
    ]
    return next((why for wrong, why in checks if wrong), None)


def _walk(folder: Path, package: str) -> list[str]:
    """Every entry below `folder` as posix path (folders end with a slash), nothing followed."""
    found: list[str] = []
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            names = sorted(entry.name for entry in (folder / below).iterdir())
        except OSError as exc:
            raise InputError(f"{package}/{below}", f"cannot be listed ({exc.strerror})", "unreadable") from exc
        seen: dict[str, str] = {}
        for name in names:
            shown = f"{package}/{below}{name}"
            if (problem := name_problem(name)) is not None:
                raise InputError(shown, f"the name {problem}", "bad_name")
            folded = unicodedata.normalize("NFKC", name).casefold()
            if folded in seen:
                raise InputError(
                    shown, f"differs from {seen[folded]} only by case or Unicode normalisation", "name_collision"
                )
            seen[folded] = name
            mode = (folder / below / name).lstat().st_mode
            if stat.S_ISLNK(mode):
                raise InputError(shown, "is a link; a package holds plain files only", "link")
            if stat.S_ISDIR(mode):
                found.append(f"{below}{name}/")
                waiting.append(f"{below}{name}/")
            elif stat.S_ISREG(mode):
                found.append(f"{below}{name}")
            else:
                raise InputError(shown, "is not a plain file", "not_a_plain_file")
    return sorted(found)


def check_layout(folder: Path) -> list[str]:
    """The package's files as posix paths; anything missing, extra, linked or badly named is an InputError."""
    package = folder.name
    if folder.is_symlink():
        raise InputError(str(folder), "is a link; a package is a plain folder", "link")
    if not folder.is_dir():
        raise InputError(
            str(folder), "is not a package folder" if folder.exists() else "there is no such package", "no_package"
        )
    if not PACKAGE_ID.match(package):
        raise InputError(str(folder), "the folder's name is not a package id like CTL-M-001", "bad_name")
    entries = _walk(folder, package)
    files = [e for e in entries if not e.endswith("/")]
    if INITIAL_MESSAGE in files and OPENING in files:
        raise InputError(f"{package}/{OPENING}", f"stands beside {INITIAL_MESSAGE}; keep one of the two", "file_extra")
    for wanted in REQUIRED_FILES:
        if wanted not in files and not (wanted == INITIAL_MESSAGE and OPENING in files):
            raise InputError(f"{package}/{wanted}", "is missing", "file_missing")
    for entry in entries:
        if entry.endswith("/"):
            if entry.rstrip("/") not in FOLDERS:
                raise InputError(
                    f"{package}/{entry}", "is an extra folder; a package holds nothing beside its layout", "file_extra"
                )
        elif entry not in TEXT_FILES:
            parent, _, name = entry.rpartition("/")
            if parent != MATERIALS_DIR or _DROPPINGS.search(name):
                what = "looks like an editor's or system's leaving" if _DROPPINGS.search(name) else "is an extra file"
                raise InputError(
                    f"{package}/{entry}", f"{what}; a package holds nothing beside its layout", "file_extra"
                )
    return files


def check_line_endings(data: bytes, shown: str) -> None:
    """An InputError if the text has carriage returns: hashes stand on bytes, so line endings count."""
    if b"\r" in data:
        kind = "CRLF" if b"\r\n" in data else "CR"
        raise InputError(shown, f"has {kind} line endings; save it with LF line endings (\\n)", "line_endings")


def read_text_bytes(folder: Path, relative: str) -> tuple[bytes, str]:
    """Bytes of one of the package's text files and the name errors show; line endings are checked."""
    shown = f"{folder.name}/{relative}"
    data = read_bytes(folder / relative, shown)
    check_line_endings(data, shown)
    return data, shown


def _read_message(folder: Path) -> str:
    data, shown = read_text_bytes(folder, INITIAL_MESSAGE)
    text = decode_text(data, shown).removesuffix("\n")
    if not text.strip():
        raise InputError(shown, "is empty; it holds the customer's first message", "message_empty")
    if len(text) > MAX_MESSAGE_CHARS:
        raise InputError(shown, f"has {len(text)} characters; the limit is {MAX_MESSAGE_CHARS}", "too_large")
    if bad := next((c for c in text if unicodedata.category(c) == "Cc" and c not in "\n\t"), None):
        raise InputError(shown, f"holds the control character U+{ord(bad):04X}", "control_character")
    return text


def _read_opening(folder: Path) -> Opening:
    data, shown = read_text_bytes(folder, OPENING)
    opening = validate(Opening, parse_json(data, shown), shown)
    for n, message in enumerate(opening.messages):
        if bad := next((c for c in message.text or "" if unicodedata.category(c) == "Cc" and c not in "\n\t"), None):
            where = f"{shown}: messages.{n}.text"
            raise InputError(where, f"holds the control character U+{ord(bad):04X}", "control_character")
    return opening


def _check_handed(folder: Path, opening: Opening | None, facts: Facts, files: Collection[str]) -> None:
    """Files that an opening or a wish hands over are among the materials."""
    named = [
        *((f"{OPENING}: messages.{n}.file", m.file) for n, m in enumerate(opening.messages if opening else [])),
        *((f"{FACTS}: wishes.{n}.file", w.file) for n, w in enumerate(facts.wishes)),
    ]
    for where, name in named:
        if name is not None and name not in files:
            raise InputError(f"{folder.name}/{where}", f"{name} is not one of {MATERIALS}", "file_missing")


def _check_listed_names(data: Any, shown: str) -> None:
    """Clear words for bad file names, before the schema says that a pattern does not match."""
    listed = data.get("materials") if isinstance(data, dict) else None
    seen: dict[str, str] = {}
    for n, item in enumerate(listed if isinstance(listed, list) else []):
        visible = item.get("visible") if isinstance(item, dict) else None
        name = visible.get("file") if isinstance(visible, dict) else None
        if not isinstance(name, str):
            continue
        where = f"{shown}: materials.{n}.visible.file"
        if (problem := name_problem(name)) is not None:
            raise InputError(where, f"{name!r} {problem}", "bad_name")
        folded = unicodedata.normalize("NFKC", name).casefold()
        if folded in seen:
            raise InputError(
                where, f"{name!r} differs from {seen[folded]!r} only by case or Unicode normalisation", "name_collision"
            )
        seen[folded] = name


def _read_materials(folder: Path, present: set[str]) -> tuple[Materials, dict[str, bytes]]:
    data, shown = read_text_bytes(folder, MATERIALS)
    parsed = parse_json(data, shown)
    _check_listed_names(parsed, shown)
    materials = validate(Materials, parsed, shown)
    files: dict[str, bytes] = {}
    for n, material in enumerate(materials.materials):
        name = material.visible.file
        if name not in present:
            raise InputError(
                f"{shown}: materials.{n}.visible.file", f"{name} is listed but not in {MATERIALS_DIR}", "file_missing"
            )
        files[name] = read_material(folder, name)
    for name in sorted(present - set(files)):
        raise InputError(f"{folder.name}/{MATERIALS_DIR}/{name}", f"is not listed in {MATERIALS}", "file_not_listed")
    return materials, files


def read_material(folder: Path, name: str) -> bytes:
    """Bytes of one material; its size, its extension and its first bytes are checked."""
    shown = f"{folder.name}/{MATERIALS_DIR}/{name}"
    suffix = Path(name).suffix.lower()
    if suffix not in MAGIC:
        raise InputError(
            shown, f"has the extension {suffix or '(none)'}; materials are {', '.join(MAGIC)}", "wrong_extension"
        )
    data = read_bytes(folder / MATERIALS_DIR / name, shown, MAX_MATERIAL_BYTES)
    if not data.startswith(MAGIC[suffix]):
        raise InputError(shown, f"does not start like a {suffix} file", "wrong_bytes")
    return data


def read_visible(folder: Path) -> VisiblePackage:
    """The visible half of the package in `folder`; the whole tree's layout is checked, hidden files are not opened."""
    files = check_layout(folder)
    prefix = f"{MATERIALS_DIR}/"
    present = {f.removeprefix(prefix) for f in files if f.startswith(prefix)}
    opening = _read_opening(folder) if OPENING in files else None
    message = opening.text if opening is not None else _read_message(folder)
    data, shown = read_text_bytes(folder, FACTS)
    facts = validate(Facts, parse_json(data, shown), shown)
    materials, contents = _read_materials(folder, present)
    _check_handed(folder, opening, facts, contents)
    return VisiblePackage(folder.name, folder, message, facts, materials, contents, opening)


def file_hashes(folder: Path) -> dict[str, str]:
    """Path below the package -> sha256 of the bytes, for every file."""
    limit = MAX_MATERIAL_BYTES
    return {f: sha256_hex(read_bytes(folder / f, f"{folder.name}/{f}", limit)) for f in check_layout(folder)}


def package_sha256(folder: Path) -> str:
    """One hash over the names and hashes of all files of the package."""
    return sha256_hex(canonical(file_hashes(folder)))


def find_packages(root: Path, kind: Kind | None = "claims") -> dict[str, Path]:
    """Package id -> folder for `<root>/claims/*` and `<root>/inquiry/*`, in the order of ids.

    All folders are looked at, contents are not; a stray file or a folder that is no package id is an InputError.

    Args:
        root: the corpus.
        kind: only packages of this kind are given; None: of every kind.
    """
    if not root.is_dir():
        raise InputError(str(root), "there is no such corpus folder")
    found: dict[str, Path] = {}
    for each in KINDS:
        if not (root / each).is_dir():
            continue
        for entry in sorted((root / each).iterdir()):
            shown = f"{root.name}/{each}/{entry.name}"
            if entry.is_symlink() or not entry.is_dir() or not PACKAGE_ID.match(entry.name):
                raise InputError(shown, "is not a package folder; only packages lie here", "file_extra")
            if entry.name in found:
                raise InputError(shown, f"the id stands twice, in {found[entry.name].parent.name} too", "id_repeated")
            found[entry.name] = entry
    return {name: folder for name, folder in sorted(found.items()) if kind in (None, folder.parent.name)}


def read_manifest(root: Path) -> Manifest:
    """The corpus's manifest as it stands; whether it is true of the files is another question."""
    manifest = read_model(Manifest, root / MANIFEST, f"{root.name}/{MANIFEST}")
    if manifest.changes[-1].version != manifest.version:
        raise InputError(f"{root.name}/{MANIFEST}: changes", "the last entry's version is not the corpus's version")
    return manifest
