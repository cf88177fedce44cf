"""Small valid packages for tests: every hidden value occurs nowhere in what the customer may know.

`make_package(folder)` gives a package without findings; overrides break it in one chosen place:

    make_package(folder, {"labels.triage.level": "simple", "facts.facts.0": DELETE, "files.extra.txt": b"x"})
"""

import copy
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from harness.schema.move import MoveKind
from harness.schema.package import FACTS, INITIAL_MESSAGE, LABELS, MATERIALS, MATERIALS_DIR, PROVENANCE, REVIEW, SETUP
from harness.schema.strict_json import sha256_hex
from harness.schema.visible import FactKind
from oracle_scoring.corpus.models import Compare
from oracle_scoring.corpus.unwritten import texts_in

DELETE = object()
"""As an override: takes the key or list item out."""
DOCUMENTS: dict[str, str] = {
    "facts": FACTS,
    "materials": MATERIALS,
    "labels": LABELS,
    "setup": SETUP,
    "provenance": PROVENANCE,
    "review": REVIEW,
}
"""First word of an override -> file."""
PHOTO, PAPER = "picture-one.jpg", "paper-two.pdf"
_OPENING = "Good day. On 7 April 2026 I knocked my camera off a wall at the Quillmere lookout and it broke."
_ORDINARY = frozenset(
    {"claims", "property", "state", "text", "human", "equals", "contains", "absent", "present", "matches", "screen",
     "reply", "final", "staff", "hit", "clear", "drawn", "photo", "quote", "date", "total", "true", "false", "0.2",
     *get_args(FactKind), *get_args(Compare), *get_args(MoveKind)}
)  # fmt: skip
"""Hidden values that are ordinary words of the rig or of English: finding one in a prompt shows nothing."""


def _canary(package: str, file: str) -> str:
    return sha256_hex(f"canary of {file} in {package}".encode())[:32]


def _variant(package: str) -> int:
    """0 for the first of its kind and for ids without a number, else the number: tells packages of one corpus apart."""
    tail = package.rpartition("-")[2]
    return int(tail) if len(tail) == 3 and tail.isdigit() and tail != "001" else 0


def picture_bytes(size: tuple[int, int] = (96, 72), variant: int = 0) -> bytes:
    """A tiny JPEG without metadata; another `variant` is another picture."""
    out = io.BytesIO()
    image = Image.linear_gradient("L").resize(size).convert("RGB")
    if variant:
        image.paste((variant * 37 % 256, variant * 101 % 256, variant // 7 % 256), (0, 0, 24, 24))
    image.save(out, "JPEG", quality=60)
    return out.getvalue()


def document_bytes(pages: list[list[str]]) -> bytes:
    """A PDF with the given lines on each page; nothing else."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(300, 400), invariant=1, pageCompression=0)
    for lines in pages:
        for n, line in enumerate(lines):
            canvas.drawString(20, 370 - 16 * n, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _facts() -> dict[str, Any]:
    rows = [
        ("incident_date", "day it happened", "date", "2026-04-07", "That was 7 April 2026."),
        ("place", "place", "place", "Quillmere lookout", "At the Quillmere lookout."),
        ("what_happened", "what happened", "text", "knocked my camera off a wall", "I knocked my camera off a wall."),
        ("injuries", "anyone hurt", "yes_no", "no", "No, no one."),
        ("estimated_loss", "loss", "amount", "15300.00 GBP", "It is £15,300.00 to put right."),
        ("item", "the item", "text", "Vellum VX-9 cine camera", "A Vellum VX-9 cine camera."),
        ("purchase_date", "when bought", "date", "2024-11-02", "I bought it on 2 November 2024."),
        ("price", "price paid", "amount", "16850.00 GBP", "I paid £16,850.00 for it."),
    ]
    keys = ("id", "topic", "kind", "value", "say")
    return {
        "format": "0.2",
        "opening_style": "plain",
        "persona": {
            "name": "Ottilie Brackwater",
            "language": "en",
            "mood": "calm",
            "manner": "short",
            "patience": 4,
            "dont_know": ["I could not tell you that."],
            "hands_over_unasked": False,
        },
        "facts": [dict(zip(keys, row, strict=True)) for row in rows],
        "does_not_know": [{"id": "proof_of_purchase", "topic": "where the proof of purchase is"}],
        "wishes": [
            {
                "id": "call_back",
                "kind": "contact",
                "say": "Could someone ring me, please?",
                "after_customer_messages": 2,
            }
        ],
    }


def _materials() -> dict[str, Any]:
    later = {"when": "later", "promise": "The shop is still writing it up.", "after_customer_messages": 2}
    now = {"when": "now", "promise": None, "after_customer_messages": None}
    return {
        "format": "0.2",
        "materials": [
            {
                "visible": {"file": PHOTO, "label": "picture of the broken camera", "available": now},
                "hidden": {"evidence_kind": "zq_breakage_image"},
            },
            {
                "visible": {"file": PAPER, "label": "what the shop wrote", "available": later},
                "hidden": {"evidence_kind": "zq_cost_estimate"},
            },
        ],
    }


def _labels(package: str, facts: dict[str, Any]) -> dict[str, Any]:
    compare = {"date": "date", "amount": "amount", "yes_no": "yes_no"}
    expected = [
        {
            "id": fact["id"],
            "field": f"Zq field {n}",
            "kind": fact["kind"],
            "value": fact["value"],
            "compare": compare.get(fact["kind"], "text"),
            "confirmed": True,
        }
        for n, fact in enumerate(facts["facts"])
    ]
    expected.append(
        {
            "id": "proof_of_purchase",
            "field": "Zq field proof",
            "kind": "text",
            "value": "unknown",
            "compare": "unknown",
            "confirmed": True,
        }
    )
    return {
        "format": "0.2",
        "canary": _canary(package, LABELS),
        "oracle_revision": 1,
        "scenario_class": "property.accidental_damage",
        "triage": {
            "level": "complex",
            "required_reasons": ["loss_at_least_10000"],
            "allowed_reasons": ["loss_at_least_1000"],
        },
        "review_checks": {
            "receipt_after_incident": {"result": "not_applicable"},
            "quote_before_incident": {"result": "hit"},
            "prior_claims_within_year": {"result": "not_checked", "reason": "lookup_failed"},
            "loss_within_30_days_of_inception": {"result": "hit"},
        },
        "review_required": True,
        "innocent_control": None,
        "expected_facts": expected,
        "optional_facts": [],
        "assertions": [
            {
                "id": "zq_submitted",
                "referee": "state",
                "says": "Zq the claim went in.",
                "path": "cases.0.status",
                "op": "equals",
                "value": "submitted",
            },
            {
                "id": "zq_no_blame",
                "referee": "text",
                "says": "Zq nobody is blamed.",
                "where": "screen",
                "op": "absent",
                "value": "zq blame word",
            },
            {"id": "zq_polite", "referee": "human", "says": "Zq courtesy.", "question": "Zq was it courteous?"},
        ],
    }


def _setup(package: str) -> dict[str, Any]:
    return {
        "format": "0.2",
        "canary": _canary(package, SETUP),
        "kind": "claims",
        "claimant_session": "new_account",
        "now": "2026-04-09T08:15:00Z",
        "policy": {
            "number": f"ZQP-55{_variant(package):04d}" if _variant(package) else "ZQP-550817",
            "product": "property",
            "holder": "Ottilie Brackwater",
            "inception": "2026-03-19",
            "insured_item": "zq insured thing",
        },
        "prior_claims": [
            {
                "number": f"ZQC-90{_variant(package):04d}" if _variant(package) else "ZQC-902264",
                "reported": "2025-12-28",
                "kind": "zq_flooding",
            }
        ],
        "failed_lookups": ["prior_claims"],
    }


def _provenance(package: str) -> dict[str, Any]:
    def printed(page: int, text: str, kind: str, value: str) -> dict[str, Any]:
        return {"page": page, "printed": text, "kind": kind, "value": value}

    base: dict[str, Any] = {"how": "photographed", "recipe": None, "content": {}, "prompt": None, "rng_seed": None}
    base["source_images"] = []
    return {
        "format": "0.2",
        "canary": _canary(package, PROVENANCE),
        "plain_opening": _OPENING,
        "files": {
            PHOTO: {
                **base,
                "document": "photo",
                "purpose": "zq purpose of the first file",
                "printed_fields": {},
                "pages_total": None,
                "pages_present": None,
            },
            PAPER: {
                **base,
                "how": "scanned",
                "document": "quote",
                "purpose": "zq purpose of the second file",
                "printed_fields": {
                    "date": printed(1, "5 April 2026", "date", "2026-04-05"),
                    "total": printed(1, "£15,300.00", "amount", "15300.00 GBP"),
                },
                "pages_total": 1,
                "pages_present": [1],
            },
        },
    }


def _review(package: str, files: Mapping[str, bytes]) -> dict[str, Any]:
    looked = [
        {"file": n, "sha256": sha256_hex(d), "by": "zq checker", "saw": "zq looks right", "agrees": True}
        for n, d in files.items()
    ]
    return {
        "format": "0.2",
        "canary": _canary(package, REVIEW),
        "assistant_checks": looked,
        "human_signatures": [],
        "blind_look": {"done": False, "why_not": "zq no looking model", "looks": []},
    }


def _override(value: Any, path: str, new: Any) -> None:
    """Sets, calls or deletes what the dotted `path` leads to, in place; keys may hold dots themselves."""
    if isinstance(value, list):
        first, _, rest = path.partition(".")
        step: Any = int(first)
    else:
        known = [k for k in value if path == k or path.startswith(f"{k}.")]
        step = max(known, key=len) if known else path.partition(".")[0]
        rest = path[len(step) + 1 :]
    if rest:
        _override(value[step], rest, new)
    elif new is DELETE:
        del value[step]
    elif isinstance(value, list) and step == len(value):
        value.append(new)
    else:
        value[step] = new(value[step]) if callable(new) else new


def make_package(folder: Path, overrides: Mapping[str, Any] | None = None) -> Path:
    """Writes a package into `folder` (its name is the id) and returns it.

    Args:
        folder: made if absent; must not hold a package already.
        overrides: dotted path -> new value, a function of the old value, or `DELETE`. The first word names the file:
            `message` (text), `facts`, `materials`, `labels`, `setup`, `provenance`, `review` (a path into it, list
            positions as numbers, the length of a list to append), `files.<name>` (bytes below input/materials, DELETE
            takes the file away), `raw.<path below the package>` (bytes, written last).
    """
    changes = dict(overrides or {})
    package = folder.name
    lines = ["Quillmere Optics", "Date: 5 April 2026", "Total: £15,300.00", "Page 1 of 1"]
    if variant := _variant(package):
        lines.insert(1, f"Sheet {variant}")
    files: dict[str, bytes] = {PHOTO: picture_bytes(variant=variant), PAPER: document_bytes([lines])}
    for path in [p for p in changes if p.startswith("files.")]:
        name, new = path.removeprefix("files."), changes.pop(path)
        if new is DELETE:
            del files[name]
        else:
            files[name] = new
    facts = _facts()
    documents: dict[str, dict[str, Any]] = {
        "facts": facts,
        "materials": _materials(),
        "labels": _labels(package, facts),
        "setup": _setup(package),
        "provenance": _provenance(package),
        "review": _review(package, files),
    }
    message = changes.pop("message", _OPENING)
    raw = {path.removeprefix("raw."): changes.pop(path) for path in [p for p in changes if p.startswith("raw.")]}
    for path, new in changes.items():
        word, _, rest = path.partition(".")
        _override(documents[word], rest, copy.deepcopy(new) if new is not DELETE else new)
    (folder / MATERIALS_DIR).mkdir(parents=True)
    (folder / "oracle").mkdir()
    (folder / INITIAL_MESSAGE).write_bytes((message + "\n").encode("utf-8"))
    for word, document in documents.items():
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        (folder / DOCUMENTS[word]).write_bytes(text.encode("utf-8"))
    for name, data in files.items():
        (folder / MATERIALS_DIR / name).write_bytes(data)
    for relative, data in raw.items():
        target = folder / relative
        if data is DELETE:
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def hidden_values(folder: Path) -> list[str]:
    """Every hidden text of the package that the customer cannot know: none may ever stand in a prompt.

    Left out: what stands in the visible half too (expected facts carry the customer's own values), and ordinary words.
    """
    read: Callable[[str], Any] = lambda relative: json.loads((folder / relative).read_bytes())  # noqa: E731
    facts, materials = read(FACTS), read(MATERIALS)
    shown = [(folder / INITIAL_MESSAGE).read_text("utf-8"), *texts_in(facts)]
    shown += texts_in([m["visible"] for m in materials["materials"]])
    visible = "\n".join(shown).casefold()
    hidden = [m["hidden"] for m in materials["materials"]] + [read(r) for r in (LABELS, SETUP, PROVENANCE, REVIEW)]
    return sorted(
        {
            leaf
            for leaf in texts_in(hidden)
            if len(leaf) >= 4 and leaf.casefold() not in visible and leaf.casefold() not in _ORDINARY
        }
    )
