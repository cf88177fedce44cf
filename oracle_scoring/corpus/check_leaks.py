"""Answers that shine through: in labels, names, metadata and words; and the canaries that would show a leak."""

import io
import re
from collections.abc import Iterator
from itertools import pairwise

from PIL import Image, UnidentifiedImageError

from harness.schema.package import MATERIALS, MATERIALS_DIR
from oracle_scoring.corpus.check_documents import read_pdf_or_none
from oracle_scoring.corpus.check_texts import visible_texts
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import CHECKS
from oracle_scoring.corpus.rules import LEVELS
from oracle_scoring.corpus.values import NONE, UNKNOWN

RIG_WORDS = (
    "oracle", "canary", "evidence_kind", "review_required", "innocent_control", "not_checked", "not_applicable",
    "no_signal", "one_weak_signal", "look_alike", "fraud", "triage", "scenario_class", "provenance",
)  # fmt: skip
"""Words of the rig's own that no customer's label or file carries."""
PLAIN_IMAGE_KEYS = frozenset({"jfif", "jfif_version", "jfif_unit", "jfif_density", "dpi", "gamma", "srgb", "interlace"})
"""What a decoder reports about any picture; everything else is metadata."""
BORING_METADATA = re.compile(
    r"^(|\(?(anonymous|unspecified|untitled)\)?|D:\d{14}.*|ReportLab .*|/?(True|False|Unknown))$"
)
SHARED_WORDS = 6
"""So many words in a row in common with a hidden text are no coincidence."""


def words(text: str) -> list[str]:
    """Letters and digits in runs, lower case; underscores, hyphens and dots part words."""
    return re.findall(r"[^\W_]+", text.casefold())


def holds(text: str, phrase: str) -> bool:
    """Whether the words of `phrase` stand in `text` one after the other."""
    wanted, there = words(phrase), words(text)
    size = len(wanted)
    return size > 0 and any(there[n : n + size] == wanted for n in range(len(there) - size + 1))


def shared_run(text: str, hidden: str, size: int = SHARED_WORDS) -> str | None:
    """A run of `size` words that both have; None if there is none."""
    runs = {tuple(w) for w in _windows(words(hidden), size)}
    return next((" ".join(w) for w in _windows(words(text), size) if tuple(w) in runs), None)


def _windows(items: list[str], size: int) -> Iterator[list[str]]:
    for n in range(len(items) - size + 1):
        yield items[n : n + size]


def secret_words(package: Package) -> dict[str, str]:
    """Phrase -> what it is, for everything that must not stand in a label, a file name or metadata."""
    secrets = {word: "a word of the rig's" for word in RIG_WORDS}
    secrets |= {check: "a review check" for check in CHECKS}
    secrets |= {reason: "a triage reason" for reasons in LEVELS.values() for reason in reasons}
    secrets |= {level: "a triage level" for level in LEVELS}
    secrets |= {assertion.id: "an assertion" for assertion in package.labels.assertions if "_" in assertion.id}
    secrets[package.labels.scenario_class] = "the scenario class"
    for material in package.visible.materials.materials:
        secrets[material.hidden.evidence_kind] = "an evidence kind"
    return secrets


def _answers(package: Package) -> dict[str, str]:
    """Squeezed expected values that are long enough to be no coincidence -> what they are."""
    facts = (*package.labels.expected_facts, *package.labels.optional_facts)
    values = {
        "".join(words(f.value)): f"the value of {f.id}" for f in facts if f.value not in (UNKNOWN, NONE, "yes", "no")
    }
    for fact in facts:
        if fact.kind == "amount":
            digits = "".join(re.findall(r"\d", fact.value.split(".")[0]))
            values[digits] = f"the value of {fact.id}"
    return {value: what for value, what in values.items() if len(value) >= 4}


def canaries(package: Package) -> Iterator[Finding]:
    """Random, each file its own, and in nothing visible."""
    seen: dict[str, str] = {}
    for file, canary in package.canaries().items():
        where = f"{package.id}/{file}"
        if (problem := canary_problem(canary)) is not None:
            yield Finding(
                code="canary_not_random",
                file=where,
                field="canary",
                what=problem,
                mend="draw 16 random bytes, for instance with secrets.token_hex(16)",
            )
        if canary in seen:
            yield Finding(
                code="canary_repeated",
                file=where,
                field="canary",
                what=f"is the one of {seen[canary]}",
                mend="draw another one; each hidden file has its own",
            )
        seen.setdefault(canary, file)
        raw, upper = canary.encode(), canary.upper().encode()
        visible = {f: t.encode("utf-8") for f, _, t in visible_texts(package) if canary in t.casefold()}
        visible |= {f"{MATERIALS_DIR}/{n}": d for n, d in package.visible.files.items() if raw in d or upper in d}
        for name in sorted(visible):
            yield Finding(
                code="canary_in_visible",
                file=f"{package.id}/{name}",
                field="",
                what=f"holds the canary of {file}",
                mend="take it out and draw a new canary; something hidden was copied here",
            )


def canary_problem(canary: str) -> str | None:
    """Why 32 hexadecimal digits do not look random; None if they do.

    A random canary fails by chance about once in a million times.
    """
    digits = [int(c, 16) for c in canary]
    if len(set(digits)) < 8:
        return f"has only {len(set(digits))} different digits; it is not random"
    if max(digits.count(d) for d in set(digits)) > 12:
        return "repeats one digit too often; it is not random"
    steps = [(b - a) % 16 for a, b in pairwise(digits)]
    if max(steps.count(s) for s in set(steps)) > 14:
        return "counts up or down; it is not random"
    if any(canary[period:] == canary[:-period] for period in range(1, 17)):
        return "repeats itself; it is not random"
    return None


def labels_and_names(package: Package) -> Iterator[Finding]:
    """A label is written by hand in a person's words; it is no kind's code, and gives no answer."""
    secrets, answers = secret_words(package), _answers(package)
    for n, material in enumerate(package.visible.materials.materials):
        shown, kind = material.visible, material.hidden.evidence_kind
        at = f"materials.{n}.visible"
        stem = shown.file.rpartition(".")[0]
        if sorted(words(shown.label)) == sorted(words(kind)) or holds(shown.label, kind):
            yield Finding(
                code="label_from_kind",
                file=f"{package.id}/{MATERIALS}",
                field=f"{at}.label",
                what=f"{shown.label!r} is the evidence kind {kind} in other letters",
                mend="describe the file as a person would who holds it",
            )
        for field, text in (("file", stem), ("label", shown.label)):
            for secret, what in secrets.items():
                if holds(text, secret) and not (field == "label" and secret == kind):
                    yield Finding(
                        code="answer_in_label" if field == "label" else "answer_in_file_name",
                        file=f"{package.id}/{MATERIALS}",
                        field=f"{at}.{field}",
                        what=f"{text!r} holds {secret}, {what}",
                        mend="say it in words that give nothing away",
                    )
            squeezed = "".join(words(text))
            for answer, what in answers.items():
                if answer in squeezed:
                    yield Finding(
                        code="answer_in_label" if field == "label" else "answer_in_file_name",
                        file=f"{package.id}/{MATERIALS}",
                        field=f"{at}.{field}",
                        what=f"{text!r} holds {what}",
                        mend="take the value out; the customer says it when asked",
                    )


def codes_in_words(package: Package) -> Iterator[Finding]:
    """No code of the rig's and no run of a hidden text in what the customer says."""
    codes = {secret: what for secret, what in secret_words(package).items() if "_" in secret or "." in secret}
    hidden = [(f"files.{n}.purpose", m.purpose) for n, m in package.provenance.files.items()]
    hidden += [(f"files.{n}.prompt", m.prompt) for n, m in package.provenance.files.items() if m.prompt]
    for file, field, text in visible_texts(package):
        for code, what in codes.items():
            if code in text.casefold():
                yield Finding(
                    code="code_in_words",
                    file=f"{package.id}/{file}",
                    field=field,
                    what=f"holds {code}, {what}",
                    mend="say it as a person would",
                )
        for source, secret in hidden:
            if (run := shared_run(text, secret)) is not None:
                yield Finding(
                    code="hidden_text_in_words",
                    file=f"{package.id}/{file}",
                    field=field,
                    what=f"shares {run!r} with provenance {source}",
                    mend="write one of the two in other words",
                )


def image_metadata(data: bytes) -> dict[str, str]:
    """Everything a picture carries beside its pixels; bytes after its end as `trailing bytes`."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            found = {str(k): str(v)[:2000] for k, v in image.info.items() if str(k).casefold() not in PLAIN_IMAGE_KEYS}
            found |= {f"exif {k}": str(v)[:2000] for k, v in image.getexif().items()}
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return {}
    end = data.rfind(b"\xff\xd9") + 2 if data.startswith(b"\xff\xd8") else data.rfind(b"IEND\xae\x42\x60\x82") + 8
    if end < len(data):
        found["trailing bytes"] = data[end : end + 200].decode("latin-1")
    return found


def metadata(package: Package) -> Iterator[Finding]:
    """Pictures carry nothing but pixels; a document's information tells nothing."""
    secrets, answers = secret_words(package), _answers(package)
    for name, data in package.visible.files.items():
        file = f"{package.id}/{MATERIALS_DIR}/{name}"
        if not data.startswith(b"%PDF-"):
            for key, value in image_metadata(data).items():
                yield Finding(
                    code="image_metadata",
                    file=file,
                    field=key,
                    what=f"carries metadata: {value[:80]!r}",
                    mend="save the picture without metadata",
                )
            continue
        text = read_pdf_or_none(data)
        if text is None:
            continue
        for attached in text.attachments:
            yield Finding(
                code="pdf_attachment",
                file=file,
                field=attached,
                what="carries an attached file",
                mend="take the attachment out",
            )
        for key, value in text.metadata.items():
            if BORING_METADATA.match(value):
                continue
            hits = [f"{s}, {what}" for s, what in secrets.items() if holds(value, s)]
            hits += [what for answer, what in answers.items() if answer in "".join(words(value))]
            for hit in hits[:1]:
                yield Finding(
                    code="answer_in_metadata",
                    file=file,
                    field=key,
                    what=f"{value[:80]!r} holds {hit}",
                    mend="clear the document's information",
                )
        body = " ".join(text.pages).casefold()
        for code, what in secrets.items():
            if "_" in code and code in body:
                yield Finding(
                    code="code_in_document",
                    file=file,
                    field="",
                    what=f"prints {code}, {what}",
                    mend="draw the document without it",
                )


def leak_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    for one in (canaries, labels_and_names, codes_in_words, metadata):
        yield from one(package)
