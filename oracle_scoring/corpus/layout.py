"""How package files are laid out, and putting them so: never a word of their content."""

import json
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

from harness.errors import InputError, Refused
from harness.schema.package import (
    FACTS,
    INITIAL_MESSAGE,
    LABELS,
    MANIFEST,
    MATERIALS,
    PROVENANCE,
    REVIEW,
    SETUP,
    read_manifest,
)
from harness.schema.strict_json import parse_json, read_bytes, sha256_hex
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.files import json_bytes, write_atomically

JSON_FILES = (FACTS, MATERIALS, LABELS, SETUP, PROVENANCE, REVIEW)
BOM = b"\xef\xbb\xbf"


def laid_out(data: bytes, relative: str) -> bytes:
    """The file's bytes as they should be laid out: LF, no mark at the start, one line break at the end, JSON by two blanks.

    Raises:
        InputError: the JSON cannot be read, or is ambiguous; it is left alone.
    """
    data = data.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if relative == INITIAL_MESSAGE:
        return data if data.endswith(b"\n") else data + b"\n"
    value = parse_json(data, relative)
    wanted = json_bytes(value)
    if json.loads(wanted) != value:
        raise InputError(relative, "cannot be written again without changing a value", "format")
    return wanted


def json_text(value: Any, indent: str = "\n") -> str:
    """What `json.dumps(value, ensure_ascii=False, indent=2)` gives, in a third of the time; for values read from JSON."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, dict) and value:
        deeper = indent + "  "
        inner = ",".join([f"{deeper}{encode_basestring(k)}: {json_text(v, deeper)}" for k, v in value.items()])
        return f"{{{inner}{indent}}}"
    if isinstance(value, list) and value:
        deeper = indent + "  "
        return f"[{','.join([deeper + json_text(v, deeper) for v in value])}{indent}]"
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    return int.__repr__(value) if isinstance(value, int) else json.dumps(value)


def layout_findings(folder: Path, texts: dict[str, bytes]) -> list[Finding]:
    """Files that are laid out otherwise, of a package whose form is in order."""
    found = []
    for relative, data in texts.items():
        if relative == INITIAL_MESSAGE:
            wanted = laid_out(data, relative)
        else:
            wanted = (json_text(json.loads(data)) + "\n").encode("utf-8")
        if wanted != data:
            found.append(
                Finding(
                    code="layout",
                    file=f"{folder.name}/{relative}",
                    field="",
                    what="is not laid out as package files are (LF, two blanks, one line break at the end)",
                    mend="rig corpus check --fix does it without touching content",
                )
            )
    return found


def mend(folder: Path) -> list[str]:
    """Lays out every text file of a package anew where needed; the files changed, as package id and path below it.

    Files that cannot be read are left alone. The manifest of a draft, if it knew a file as it was, knows it as it is.

    Raises:
        Refused: the package belongs to a frozen corpus; there a changed byte needs a new version with a reason.
    """
    root = folder.parent.parent
    manifest = read_manifest(root) if (root / MANIFEST).is_file() else None
    known = manifest.files if manifest else {}
    changes: dict[Path, bytes] = {}
    moved: dict[str, str] = {}
    for relative in (INITIAL_MESSAGE, *JSON_FILES):
        try:
            data = read_bytes(folder / relative, f"{folder.name}/{relative}")
            wanted = laid_out(data, relative)
        except InputError:
            continue
        if wanted != data:
            changes[folder / relative] = wanted
            name = f"{folder.parent.name}/{folder.name}/{relative}"
            if known.get(name) == sha256_hex(data):
                moved[sha256_hex(data)] = sha256_hex(wanted)
    if changes and manifest is not None and manifest.frozen:
        raise Refused(f"{root.name} is frozen as {manifest.version}: --fix changes no frozen file")
    for path, wanted in changes.items():
        write_atomically(path, wanted)
    if moved:
        text = (root / MANIFEST).read_text("utf-8")
        for before, after in moved.items():
            text = text.replace(before, after)
        write_atomically(root / MANIFEST, text.encode("utf-8"))
    return [f"{folder.name}/{path.relative_to(folder).as_posix()}" for path in changes]
