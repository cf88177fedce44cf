"""The form of a package: every file there, readable, and of the shape of format 0.2. All mistakes, not only the first."""

import json
from pathlib import Path

from pydantic import BaseModel, ValidationError

from harness.errors import InputError
from harness.schema.package import (
    FACTS,
    INITIAL_MESSAGE,
    LABELS,
    MATERIALS,
    MATERIALS_DIR,
    PROVENANCE,
    REVIEW,
    SETUP,
    check_layout,
    read_material,
    read_text_bytes,
)
from harness.schema.setup import ClaimsSetup
from harness.schema.strict_json import parse_json
from harness.schema.visible import Facts, Materials
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package, load_package
from oracle_scoring.corpus.models import Labels, Provenance, Review

MODELS: dict[str, type[BaseModel]] = {
    FACTS: Facts,
    MATERIALS: Materials,
    LABELS: Labels,
    SETUP: ClaimsSetup,
    PROVENANCE: Provenance,
    REVIEW: Review,
}
"""File of a package -> its shape."""
MENDS = {
    "file_missing": "add the file, or take it off the list",
    "file_extra": "take it out; a package holds nothing beside its layout",
    "file_not_listed": "list it in input/materials.json, or take it out",
    "link": "put the file itself there",
    "not_a_plain_file": "put a plain file there",
    "bad_name": "rename it: letters, digits, dots, hyphens and underscores",
    "name_collision": "give the two names that differ by more than case or letters' composition",
    "wrong_extension": "save it as .jpg, .png or .pdf",
    "wrong_bytes": "give it the extension of what it is, or export it again",
    "line_endings": "save it with LF line endings; rig corpus check --fix does it",
    "byte_order_mark": "save it as UTF-8 without BOM; rig corpus check --fix does it",
    "not_utf8": "save it as UTF-8",
    "control_character": "take the character out",
    "not_json": "mend the JSON; an editor with the schema of `rig schema` shows where",
    "duplicate_key": "keep one of the two",
    "too_large": "make it smaller",
    "message_empty": "write the customer's first message",
    "no_package": "give the folder of a package or of a corpus",
    "id_repeated": "give one of the two another id",
}
"""Code -> how to mend it; other mistakes of form are mended by following the schema."""


def form_finding(error: InputError) -> Finding:
    """A mistake of form as a finding."""
    file, _, field = error.where.partition(": ")
    mend = MENDS.get(error.code, "put the file into the form of format 0.2; `rig schema` prints the form")
    return Finding(code=error.code, file=file, field=field, what=error.why, mend=mend)


def read_package(folder: Path) -> Package | list[Finding]:
    """The package, or everything that is wrong with its form."""
    try:
        return load_package(folder)
    except InputError as exc:
        return all_form_findings(folder, exc)


def all_form_findings(folder: Path, first: InputError) -> list[Finding]:
    """Mistakes of form file by file; `first` is the one that ended the reading."""
    try:
        files = check_layout(folder)
    except InputError as exc:
        return [form_finding(exc)]
    found: list[Finding] = []
    for relative, model in MODELS.items():
        found += _json_findings(folder, relative, model)
    for name in sorted(f.removeprefix(f"{MATERIALS_DIR}/") for f in files if f.startswith(f"{MATERIALS_DIR}/")):
        try:
            read_material(folder, name)
        except InputError as exc:
            found.append(form_finding(exc))
    try:
        read_text_bytes(folder, INITIAL_MESSAGE)
    except InputError as exc:
        found.append(form_finding(exc))
    ended = form_finding(first)
    same = any(f.file == ended.file and f.code == ended.code for f in found)
    return found if same else [*found, ended]


def _json_findings(folder: Path, relative: str, model: type[BaseModel]) -> list[Finding]:
    shown = f"{folder.name}/{relative}"
    try:
        data, _ = read_text_bytes(folder, relative)
        value = parse_json(data, shown)
    except InputError as exc:
        return [form_finding(exc)]
    try:
        model.model_validate_json(json.dumps(value, ensure_ascii=False))
    except ValidationError as exc:
        return [
            form_finding(InputError(f"{shown}: {'.'.join(map(str, problem['loc']))}", problem["msg"]))
            for problem in exc.errors(include_url=False)
        ]
    return []
