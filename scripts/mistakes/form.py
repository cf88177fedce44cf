"""Mistakes of form: files, names, bytes, JSON."""

import json
import os
from collections.abc import Callable
from typing import Any

from harness.schema.package import FACTS, INITIAL_MESSAGE, LABELS, MATERIALS, MATERIALS_DIR, PROVENANCE, REVIEW, SETUP
from scripts.mistakes.draft import Draft, mistake

GROUP = "form"
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 40


def _write(relative: str, data: bytes, code: str) -> Callable[[Draft], str]:
    def spoil(draft: Draft) -> str:
        path = draft.folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return code

    return spoil


def _bytes(relative: str, change: Callable[[bytes], bytes], code: str) -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        path = draft.folder / relative
        before = path.read_bytes()
        after = change(before)
        path.write_bytes(after)
        return code if after != before else None

    return spoil


def _json(relative: str, change: Callable[[Any], bool | None], code: str = "format") -> Callable[[Draft], str | None]:
    def spoil(draft: Draft) -> str | None:
        value = draft.read(relative)
        if change(value) is False:
            return None
        draft.put(relative, value)
        return code

    return spoil


for _relative in (LABELS, SETUP, PROVENANCE, REVIEW, FACTS, MATERIALS, INITIAL_MESSAGE):

    def _remove(draft: Draft, relative: str = _relative) -> str:
        (draft.folder / relative).unlink()
        return "file_missing"

    mistake(GROUP, f"{_relative} is missing")(_remove)

mistake(GROUP, "a note beside the files")(_write("notes.txt", b"loss 1284\n", "file_extra"))
mistake(GROUP, "an editor's leaving")(_write("input/.facts.json.swp", b"x", "file_extra"))
mistake(GROUP, "a folder of source pictures")(_write("input/sources/a.jpg", b"\xff\xd8\xff", "file_extra"))
mistake(GROUP, "a second answer file")(_write("oracle/labels-old.json", b"{}\n", "file_extra"))


@mistake(GROUP, "a material that is a link")
def _(draft: Draft) -> str:
    name = draft.files(".jpg", ".png", ".pdf")[0]
    path = draft.folder / MATERIALS_DIR / name
    path.unlink()
    path.symlink_to("../../oracle/labels.json")
    return "link"


@mistake(GROUP, "two names that differ by case")
def _(draft: Draft) -> str:
    name = draft.files(".jpg", ".png", ".pdf")[0]
    draft.put_file(name.capitalize() if name[0].islower() else name.lower(), draft.bytes_of(name))
    return "name_collision"


@mistake(GROUP, "two names that differ by the composition of a letter")
def _(draft: Draft) -> str:
    for name in ("photo-caf\u00e9.jpg", "photo-cafe\u0301.jpg"):
        (draft.folder / MATERIALS_DIR / name).write_bytes(b"\xff\xd8\xff")
    return "name_collision"


@mistake(GROUP, "two names that differ by the width of letters")
def _(draft: Draft) -> str:
    name = draft.files(".jpg", ".png", ".pdf")[0]
    wide = chr(ord(name[0]) + 0xFEE0) + name[1:]
    (draft.folder / MATERIALS_DIR / wide).write_bytes(b"\xff\xd8\xff")
    return "name_collision"


mistake(GROUP, "a name that Windows keeps for itself")(_write(f"{MATERIALS_DIR}/con.jpg", b"\xff\xd8\xff", "bad_name"))
mistake(GROUP, "a name that ends with a blank")(_write(f"{MATERIALS_DIR}/photo.jpg ", b"\xff\xd8\xff", "bad_name"))
mistake(GROUP, "an invisible letter in a name")(_write(f"{MATERIALS_DIR}/pho\u200bto.jpg", b"\xff\xd8\xff", "bad_name"))


@mistake(GROUP, "a pipe among the materials")
def _(draft: Draft) -> str | None:
    if not hasattr(os, "mkfifo"):
        return None
    os.mkfifo(draft.folder / MATERIALS_DIR / "photo-new.jpg")
    return "not_a_plain_file"


@mistake(GROUP, "a mark left for the author")
def _(draft: Draft) -> str:
    provenance = draft.provenance
    next(iter(provenance["files"].values()))["purpose"] = "[[write: what the file is for]]"
    draft.put(PROVENANCE, provenance)
    return "not_written"


@mistake(GROUP, "the bytes of a PNG under .jpg")
def _(draft: Draft) -> str | None:
    names = draft.files(".jpg")
    if not names:
        return None
    draft.put_file(names[0], PNG)
    return "wrong_bytes"


@mistake(GROUP, "the bytes of a picture under .pdf")
def _(draft: Draft) -> str | None:
    names = draft.files(".pdf")
    if not names:
        return None
    draft.put_file(names[0], b"\xff\xd8\xff" + b"\x00" * 40)
    return "wrong_bytes"


@mistake(GROUP, "a material of an unknown kind")
def _(draft: Draft) -> str:
    name = draft.files(".jpg", ".png", ".pdf")[0]
    draft.rename(name, "scan.gif")
    return "wrong_extension"


@mistake(GROUP, "a material that is not listed")
def _(draft: Draft) -> str:
    draft.put_file("second-photo.jpg", b"\xff\xd8\xff\xd9")
    return "file_not_listed"


@mistake(GROUP, "a listed material that is not there")
def _(draft: Draft) -> str:
    (draft.folder / MATERIALS_DIR / draft.files(".jpg", ".png", ".pdf")[0]).unlink()
    return "file_missing"


mistake(GROUP, "CRLF in the answers")(_bytes(LABELS, lambda b: b.replace(b"\n", b"\r\n"), "line_endings"))
mistake(GROUP, "CRLF in the opening")(_bytes(INITIAL_MESSAGE, lambda b: b.replace(b"\n", b"\r\n"), "line_endings"))
mistake(GROUP, "a byte order mark")(_bytes(FACTS, lambda b: b"\xef\xbb\xbf" + b, "byte_order_mark"))
mistake(GROUP, "UTF-16")(_bytes(SETUP, lambda b: b.decode().encode("utf-16"), "byte_order_mark"))
mistake(GROUP, "Latin-1 in the opening")(_bytes(INITIAL_MESSAGE, lambda b: b"\xa3" + b, "not_utf8"))
mistake(GROUP, "a control character in the opening")(
    _bytes(INITIAL_MESSAGE, lambda b: b"\x07" + b, "control_character")
)
mistake(GROUP, "an empty opening")(_bytes(INITIAL_MESSAGE, lambda b: b"\n", "message_empty"))
mistake(GROUP, "an opening without an end")(_bytes(INITIAL_MESSAGE, lambda b: b.strip() * 200 + b"\n", "too_large"))
mistake(GROUP, "a comma too many")(_bytes(MATERIALS, lambda b: b.rstrip()[:-1] + b",}\n", "not_json"))
mistake(GROUP, "a file cut off")(_bytes(PROVENANCE, lambda b: b[: len(b) // 2], "not_json"))
mistake(GROUP, "NaN")(
    _bytes(LABELS, lambda b: b.replace(b'"oracle_revision": 1', b'"oracle_revision": NaN'), "not_json")
)
mistake(GROUP, "a key that stands twice")(
    _bytes(
        LABELS,
        lambda b: b.replace(b'"oracle_revision"', b'"review_required": true,\n  "oracle_revision"'),
        "duplicate_key",
    )
)
mistake(GROUP, "half a surrogate pair")(
    _bytes(FACTS, lambda b: b.replace(b'"mood": "', b'"mood": "\\ud83d'), "not_utf8")
)
mistake(GROUP, "JSON on one line")(
    _bytes(SETUP, lambda b: json.dumps(json.loads(b), ensure_ascii=False).encode() + b"\n", "layout")
)
mistake(GROUP, "JSON by tabs")(
    _bytes(LABELS, lambda b: (json.dumps(json.loads(b), ensure_ascii=False, indent="\t") + "\n").encode(), "layout")
)
mistake(GROUP, "no line break at the end")(_bytes(PROVENANCE, lambda b: b.rstrip(b"\n"), "layout"))
mistake(GROUP, "no line break after the opening")(_bytes(INITIAL_MESSAGE, lambda b: b.rstrip(b"\n"), "layout"))
mistake(GROUP, "letters written as escapes")(
    _bytes(REVIEW, lambda b: b.replace(b'"format"', b'"\\u0066ormat"'), "layout")
)
mistake(GROUP, "a field nobody knows")(_json(LABELS, lambda v: v.update(comment="look at this")))
mistake(GROUP, "a field is missing")(_json(FACTS, lambda v: v["persona"].pop("mood") and None))
mistake(GROUP, "a number as text")(_json(FACTS, lambda v: v["persona"].update(patience="4")))
mistake(GROUP, "another format")(_json(SETUP, lambda v: v.update(format="0.1")))
mistake(GROUP, "an opening style nobody knows")(_json(FACTS, lambda v: v.update(opening_style="sarcastic")))
mistake(GROUP, "a fact that stands twice")(_json(FACTS, lambda v: v["facts"].append(v["facts"][0])))
mistake(GROUP, "a kind among what is visible")(
    _json(
        MATERIALS,
        lambda v: v["materials"][0]["visible"].update(evidence_kind=v["materials"][0]["hidden"]["evidence_kind"]),
    )
)
mistake(GROUP, "an expected fact that need not be confirmed")(
    _json(LABELS, lambda v: v["expected_facts"][0].update(confirmed=False))
)
mistake(GROUP, "a check left out")(_json(LABELS, lambda v: v["review_checks"].pop("quote_before_incident") and None))
mistake(GROUP, "an answer in prose")(_json(LABELS, lambda v: v.update(triage="standard, since another car was there")))
mistake(GROUP, "no canary")(_json(SETUP, lambda v: v.pop("canary") and None))
mistake(GROUP, "a session nobody knows")(_json(SETUP, lambda v: v.update(claimant_session="guest")))


@mistake(GROUP, "a later file without a promise")
def _(draft: Draft) -> str | None:
    materials = draft.materials
    later = next((m for m in materials["materials"] if m["visible"]["available"]["when"] == "later"), None)
    if later is None:
        return None
    later["visible"]["available"]["promise"] = None
    draft.put(MATERIALS, materials)
    return "format"


@mistake(GROUP, "not_checked without its reason")
def _(draft: Draft) -> str:
    labels = draft.labels
    labels["review_checks"]["prior_claims_within_year"] = {"result": "not_checked"}
    draft.put(LABELS, labels)
    return "format"
