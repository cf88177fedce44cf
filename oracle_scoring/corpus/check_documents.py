"""What the files print and show, against provenance."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from PIL import Image, UnidentifiedImageError
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from harness.schema.package import MATERIALS_DIR, PROVENANCE, REVIEW
from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.check_texts import printed_amounts, says_value
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.rules import fact_values

PAGE_MARK = re.compile(r"Page\s+(\d+)\s+of\s+(\d+)", re.IGNORECASE)
DATE_LINE = re.compile(r"^\s*Date(?: of issue)?\s*:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
TOTAL_LINE = re.compile(r"\btotal\b[^\d£€$]{0,40}[£€$]?\s?(\d[\d,]*\.\d{2})", re.IGNORECASE)
MAX_PIXELS = 60_000_000


@dataclass(frozen=True)
class PdfText:
    """What a PDF says."""

    pages: list[str]
    metadata: dict[str, str]
    attachments: list[str]


def read_pdf(data: bytes) -> PdfText:
    """Text per page, document information (XMP as `xmp`), and names of attached files.

    Raises:
        ValueError: the bytes are no readable PDF.
    """
    try:
        reader = PdfReader(io.BytesIO(data))
        pages = [page.extract_text() for page in reader.pages]
        metadata = {str(key): str(value) for key, value in (reader.metadata or {}).items()}
        root = reader.trailer["/Root"].get_object()
        xmp = root.get("/Metadata")  # type: ignore[union-attr]
        if xmp is not None:
            metadata["xmp"] = xmp.get_object().get_data().decode("utf-8", "replace")
        return PdfText(pages, metadata, sorted(reader.attachments))
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as exc:
        raise ValueError(f"{type(exc).__name__}: {exc}") from exc


def read_pdf_or_none(data: bytes) -> PdfText | None:
    """As `read_pdf`; None where the bytes are no readable PDF."""
    try:
        return read_pdf(data)
    except ValueError:
        return None


def image_problem(data: bytes) -> str | None:
    """Why the bytes are no readable picture; None if they are."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                return f"has {image.width} x {image.height} pixels; the limit is {MAX_PIXELS}"
            image.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as exc:
        return f"cannot be decoded ({type(exc).__name__})"
    return None


def _folded(text: str) -> str:
    return " ".join(text.split())


def provenance_covers(package: Package) -> Iterator[Finding]:
    """Every material has its provenance, and every provenance its material."""
    have, said = set(package.visible.files), set(package.provenance.files)
    for name in sorted(have - said):
        yield Finding(
            code="provenance_missing",
            file=f"{package.id}/{PROVENANCE}",
            field="files",
            what=f"says nothing of {name}",
            mend="say how the file was made, what it is for and what it prints",
        )
    for name in sorted(said - have):
        yield Finding(
            code="provenance_without_file",
            file=f"{package.id}/{PROVENANCE}",
            field=f"files.{name}",
            what="is no material of the package",
            mend="take it out, or add the file; source images go into source_images",
        )
    for name, made in sorted(package.provenance.files.items()):
        for source in made.source_images:
            if source.rpartition("/")[2] in have:
                yield Finding(
                    code="source_image_is_material",
                    file=f"{package.id}/{PROVENANCE}",
                    field=f"files.{name}.source_images",
                    what=f"{source} was only used to make {name}, yet the customer has it",
                    mend="take the source image out of input/materials",
                )


def _pages(package: Package, name: str, made: FileProvenance, text: PdfText) -> Iterator[Finding]:
    file = f"{package.id}/{MATERIALS_DIR}/{name}"
    where = f"files.{name}"
    if made.pages_present is None or made.pages_total is None:
        yield Finding(
            code="pages_not_declared",
            file=f"{package.id}/{PROVENANCE}",
            field=f"{where}.pages_total",
            what=f"{name} is a document, its pages are not declared",
            mend="give pages_total and pages_present",
        )
        return
    if len(text.pages) != len(made.pages_present):
        yield Finding(
            code="page_count_differs",
            file=file,
            field="",
            what=f"has {len(text.pages)} pages; provenance says {len(made.pages_present)}",
            mend="draw the file again, or correct pages_present",
        )
        return
    for number, page in zip(made.pages_present, text.pages, strict=True):
        marks = PAGE_MARK.findall(page)
        if (str(number), str(made.pages_total)) not in marks:
            said = ", ".join(f"Page {a} of {b}" for a, b in marks) or "no page mark"
            yield Finding(
                code="page_mark_wrong" if marks else "page_mark_missing",
                file=file,
                field=f"page {number}",
                what=f"prints {said}; it is page {number} of {made.pages_total}",
                mend=f"print `Page {number} of {made.pages_total}` on it, so that a missing page can be seen",
            )


def _printed(package: Package, name: str, made: FileProvenance, text: PdfText) -> Iterator[Finding]:
    present = made.pages_present or []
    by_page = dict(zip(present, text.pages, strict=False))
    for field, printed in made.printed_fields.items():
        where = f"files.{name}.printed_fields.{field}"
        page = by_page.get(printed.page)
        if page is None:
            if any(_folded(printed.printed) in _folded(other) for other in text.pages):
                yield Finding(
                    code="printed_on_other_page",
                    file=f"{package.id}/{PROVENANCE}",
                    field=f"{where}.page",
                    what=f"says page {printed.page}, which is left out; {printed.printed!r} can be read on another",
                    mend="correct the page, or take the text off the pages that are there",
                )
        elif printed.legible and _folded(printed.printed) not in _folded(page):
            yield Finding(
                code="printed_field_differs",
                file=f"{package.id}/{PROVENANCE}",
                field=f"{where}.printed",
                what=f"{printed.printed!r} does not stand on page {printed.page} of {name}",
                mend="draw the file again, or correct what provenance says it prints",
            )
    date = made.printed_fields.get("date")
    for page in text.pages:
        for line in DATE_LINE.findall(page):
            if date is None or (date.legible and _folded(line) != _folded(date.printed)):
                yield Finding(
                    code="printed_field_differs",
                    file=f"{package.id}/{PROVENANCE}",
                    field=f"files.{name}.printed_fields.date",
                    what=f"{name} prints the date {line!r}; provenance says {date.printed if date else 'nothing'!r}",
                    mend="declare the date as it is printed",
                )
    total = made.printed_fields.get("total")
    if total is not None and total.legible:
        stated = {Decimal(n.replace(",", "")) for page in text.pages for n in TOTAL_LINE.findall(page)}
        if stated and not stated & set(printed_amounts(total.printed)):
            yield Finding(
                code="printed_field_differs",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.printed_fields.total",
                what=f"{name} prints a total of {', '.join(str(n) for n in sorted(stated))}, not {total.printed}",
                mend="declare the total as it is printed",
            )


def printed_values(package: Package) -> Iterator[Finding]:
    """What a field prints and its canonical value are the same thing."""
    for name, made in sorted(package.provenance.files.items()):
        for field, printed in made.printed_fields.items():
            if not says_value(printed.kind, printed.value, printed.printed):
                yield Finding(
                    code="printed_value_differs",
                    file=f"{package.id}/{PROVENANCE}",
                    field=f"files.{name}.printed_fields.{field}.value",
                    what=f"{printed.printed!r} is not {printed.value!r}",
                    mend="make value the canonical form of printed",
                )


def file_contents(package: Package) -> Iterator[Finding]:
    """Pictures decode; documents can be read, print their page marks and what provenance says."""
    for name, data in package.visible.files.items():
        file = f"{package.id}/{MATERIALS_DIR}/{name}"
        made = package.provenance.files.get(name)
        if not data.startswith(b"%PDF-"):
            if (problem := image_problem(data)) is not None:
                yield Finding(
                    code="image_unreadable", file=file, field="", what=problem, mend="make or export the picture again"
                )
            continue
        try:
            text = read_pdf(data)
        except ValueError as exc:
            yield Finding(
                code="pdf_unreadable",
                file=file,
                field="",
                what=f"cannot be read ({str(exc)[:120]})",
                mend="make or export the document again",
            )
            continue
        if made is not None:
            yield from _pages(package, name, made, text)
            yield from _printed(package, name, made, text)


def unused_materials(package: Package) -> Iterator[Finding]:
    """Each file matters: a photo, a document a check looks at, or one that prints something the customer knows."""
    known = set(fact_values(package.visible.facts).values())
    for name, made in sorted(package.provenance.files.items()):
        if made.document in ("photo", "quote", "receipt"):
            continue
        if not known & {field.value for field in made.printed_fields.values()}:
            yield Finding(
                code="material_unused",
                file=f"{package.id}/{MATERIALS_DIR}/{name}",
                field="",
                what="no check looks at it and it prints nothing the customer knows",
                mend="take the file out, or declare what it prints that bears on the claim",
            )


def looked_at(package: Package) -> Iterator[Finding]:
    """Checks, signatures and looks in review.json are of the files as they are."""
    file = f"{package.id}/{REVIEW}"
    hashes = {name: sha256_hex(data) for name, data in package.visible.files.items()}
    review = package.review
    entries = [(f"assistant_checks.{n}", e.file, e.sha256) for n, e in enumerate(review.assistant_checks)]
    entries += [(f"human_signatures.{n}", e.file, e.sha256) for n, e in enumerate(review.human_signatures)]
    entries += [(f"blind_look.looks.{n}", e.file, e.sha256) for n, e in enumerate(review.blind_look.looks)]
    for field, name, digest in entries:
        if hashes.get(name) != digest:
            yield Finding(
                code="review_of_other_bytes",
                file=file,
                field=field,
                what=f"is about {name} as it was, not as it is" if name in hashes else f"there is no file {name}",
                mend="look at the file again; a check or signature falls when the file changes",
            )
    for n, seen in enumerate(review.assistant_checks):
        if not seen.agrees:
            yield Finding(
                code="review_contradicts",
                file=file,
                field=f"assistant_checks.{n}.agrees",
                what=f"{seen.by} saw in {seen.file} something else than the package assumes",
                mend="make the file again, or correct the package",
            )
    for n, look in enumerate(review.blind_look.looks):
        if look.contradicts:
            yield Finding(
                code="review_contradicts",
                file=file,
                field=f"blind_look.looks.{n}.contradicts",
                what=f"{look.model} saw in {look.file} something else than the package assumes",
                mend="make the file again, or correct the package",
            )
    checked = {seen.file for seen in review.assistant_checks}
    for name in sorted(set(hashes) - checked):
        yield Finding(
            code="review_missing",
            file=file,
            field="assistant_checks",
            what=f"nobody looked at {name}",
            mend="look at it and write down what it shows",
        )


def document_findings(package: Package) -> Iterator[Finding]:
    """All of this module."""
    for one in (provenance_covers, file_contents, printed_values, unused_materials, looked_at):
        yield from one(package)
