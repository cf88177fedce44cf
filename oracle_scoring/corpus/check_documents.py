"""What the files print and show, against provenance."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from harness.schema.package import MATERIALS, MATERIALS_DIR, PROVENANCE, REVIEW
from oracle_scoring.corpus.check_declared import declared_findings
from oracle_scoring.corpus.check_texts import printed_amounts, says_value
from oracle_scoring.corpus.contents import PdfText, contents, read_pdf
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package
from oracle_scoring.corpus.look_compare import provenance_sha256
from oracle_scoring.corpus.models import DocumentKind, FileProvenance, PrintedField
from oracle_scoring.corpus.picture_parts import MAX_PIXELS
from oracle_scoring.corpus.rules import fact_values
from oracle_scoring.corpus.values import NONE, UNKNOWN, parse_date

__all__ = ["MAX_PIXELS", "PdfText", "document_findings", "read_pdf"]
PAGE_MARK = re.compile(r"Page\s+(\d+)\s+of\s+(\d+)", re.IGNORECASE)
DATE_LINE = re.compile(r"^\s*Date(?: of issue)?\s*:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
TOTAL_LINE = re.compile(r"\btotal\b[^\d£€$]{0,40}[£€$]?\s?(\d[\d,]*\.\d{2})", re.IGNORECASE)
FIGURES_DATE = re.compile(r"(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)")
KIND_WORDS: dict[DocumentKind, frozenset[str]] = {
    "quote": frozenset({"estimate", "quote", "quotation"}),
    "receipt": frozenset({"purchase", "receipt"}),
    "photo": frozenset({"image", "photo", "photograph"}),
}
"""What a file is -> words of an evidence kind that say so."""
PERSON_FIELDS = frozenset({"customer", "holder", "claimant", "buyer", "reported_by", "sold_to"})
"""Printed fields that name the customer."""


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
    if made.pages_present is None or made.pages_total is None:
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
        elif not printed.legible and _folded(printed.printed).casefold() in _folded(page).casefold():
            yield Finding(
                code="illegible_can_be_read",
                file=f"{package.id}/{MATERIALS_DIR}/{name}",
                field=f"page {printed.page}",
                what=f"holds {printed.printed!r} in its text, though the field {field} is declared illegible",
                mend="draw it so that nobody, no machine either, can read it",
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


def prints_value(kind: str, value: str, printed: str) -> bool:
    """As `says_value`; papers may print a date in figures too, the day first as the British do: 09/03/2026, 9.3.26."""
    day = parse_date(value) if kind == "date" else None
    figures = FIGURES_DATE.search(printed) if day else None
    if day is not None and figures is not None:
        year = int(figures[3]) + (2000 if len(figures[3]) == 2 else 0)
        return (year, int(figures[2]), int(figures[1])) == (day.year, day.month, day.day)
    return says_value(kind, value, printed)


def printed_values(package: Package) -> Iterator[Finding]:
    """What a field prints and its canonical value are the same thing."""
    for name, made in sorted(package.provenance.files.items()):
        for field, printed in made.printed_fields.items():
            if not prints_value(printed.kind, printed.value, printed.printed):
                yield Finding(
                    code="printed_value_differs",
                    file=f"{package.id}/{PROVENANCE}",
                    field=f"files.{name}.printed_fields.{field}.value",
                    what=f"{printed.printed!r} is not {printed.value!r}",
                    mend="make value the canonical form of printed",
                )


def pages_declared(package: Package) -> Iterator[Finding]:
    """Every document says how many pages it has and which of them the file holds; a picture of one holds one."""
    for name, made in sorted(package.provenance.files.items()):
        data = package.visible.files.get(name)
        if data is None:
            continue
        is_pdf = data.startswith(b"%PDF-")
        if made.pages_present is None and (is_pdf or made.document != "photo"):
            yield Finding(
                code="pages_not_declared",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.pages_total",
                what=f"{name} is a document, its pages are not declared",
                mend="give pages_total and pages_present",
            )
        if not is_pdf and len(made.pages_present or []) > 1:
            yield Finding(
                code="page_count_differs",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.pages_present",
                what=f"{name} is one picture; provenance says it shows {len(made.pages_present or [])} pages",
                mend="one picture for each page",
            )
        if is_pdf and made.document == "photo":
            yield Finding(
                code="document_kind_differs",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.document",
                what=f"says photo, but {name} is a PDF",
                mend="say what kind of document it is",
            )


def file_contents(package: Package) -> Iterator[Finding]:
    """Pictures decode; documents can be read, print their page marks and what provenance says."""
    for name, data in package.visible.files.items():
        file = f"{package.id}/{MATERIALS_DIR}/{name}"
        made = package.provenance.files.get(name)
        read = contents(data, package.hashes[name])
        if read.problem is not None:
            document = data.startswith(b"%PDF-")
            yield Finding(
                code="pdf_unreadable" if document else "image_unreadable",
                file=file,
                field="",
                what=f"cannot be read ({read.problem[:120]})" if document else read.problem,
                mend=f"make or export the {'document' if document else 'picture'} again",
            )
        elif read.pdf is not None and made is not None:
            yield from _pages(package, name, made, read.pdf)
            yield from _printed(package, name, made, read.pdf)


def _decimal(value: Any) -> Decimal | None:
    try:
        return Decimal(value) if isinstance(value, str) else None
    except InvalidOperation:
        return None


def _sums(content: dict[str, Any]) -> Iterator[str]:
    """What does not add up in a document's content, wherever it keeps its lines."""
    inner = content.get("sums")
    if isinstance(inner, dict):
        yield from _sums(inner)
    lines = content.get("lines")
    if not isinstance(lines, list):
        return
    whole, complete = Decimal(0), True
    for n, line in enumerate(lines):
        if not isinstance(line, dict):
            continue
        amount = _decimal(line.get("amount"))
        count, price = _decimal(line.get("quantity", "1")), _decimal(line.get("unit_price"))
        if amount is None:
            complete = False
            continue
        whole += amount
        if count is not None and price is not None and abs(count * price - amount) >= Decimal("0.01"):
            yield f"line {n}: {count} x {price} is not {amount}"
    net, vat = _decimal(content.get("net")), _decimal(content.get("vat"))
    if complete and net is not None and net != whole:
        yield f"the lines make {whole}, net says {net}"
    rate = _decimal(content.get("vat_rate"))
    if net is not None and vat is not None and rate is not None and abs(net * rate / 100 - vat) >= Decimal("0.01"):
        yield f"{rate} % of {net} is not {vat}"


def _expected_total(content: dict[str, Any]) -> Decimal | None:
    net, vat = _decimal(content.get("net")), _decimal(content.get("vat"))
    return None if net is None or vat is None else net + vat


def sums(package: Package) -> Iterator[Finding]:
    """Lines, net, VAT and total of a document add up."""
    for name, made in sorted(package.provenance.files.items()):
        problems = list(_sums(made.content))
        total, wanted = made.printed_fields.get("total"), _expected_total(made.content)
        if total is not None and wanted is not None and wanted not in printed_amounts(total.printed):
            problems.append(f"net and VAT make {wanted}, the total printed is {total.printed}")
        for problem in problems:
            yield Finding(
                code="sums_differ",
                file=f"{package.id}/{PROVENANCE}",
                field=f"files.{name}.content",
                what=problem,
                mend="correct the figures and draw the file again",
            )


def purchase_proofs(package: Package) -> list[str]:
    """Names of the receipts and invoices for something bought; an invoice for a service or a repair is none."""
    kinds = {m.visible.file: m.hidden.evidence_kind.split("_") for m in package.visible.materials.materials}
    return [
        name
        for name, made in sorted(package.provenance.files.items())
        if made.document == "receipt"
        or (made.document == "invoice" and not {"service", "repair"} & set(kinds.get(name, [])))
    ]


def _meant(package: Package, name: str, field: str, printed: PrintedField) -> tuple[str, str]:
    """The fact that a printed field speaks of, and the customer's value for it; unknown if they have none."""
    values = fact_values(package.visible.facts)
    kinds = {f.id: f.kind for f in package.visible.facts.facts}
    files = package.provenance.files
    if field in PERSON_FIELDS:
        return "persona.name", package.visible.facts.persona.name
    quotes = [m for m in files.values() if m.document == "quote"]
    if field == "total" and files[name].document == "quote" and len(quotes) == 1:
        return "estimated_loss", values.get("estimated_loss", UNKNOWN)
    proofs = purchase_proofs(package)
    bought = {"date": "purchase_date", "total": "price"}.get(field)
    if bought is not None and name in proofs:
        known = values.get(bought, UNKNOWN)
        others = [files[other].printed_fields[field].value for other in proofs if field in files[other].printed_fields]
        return bought, UNKNOWN if len(others) > 1 and known in others else known
    return field, values.get(field, UNKNOWN) if kinds.get(field) == printed.kind else UNKNOWN


def printed_against_facts(package: Package) -> Iterator[Finding]:
    """What a document prints about something the customer knows is what the customer knows.

    Fields go by the names of facts. Beside that, a quote's total is the loss, and date and total of a receipt or an invoice
    are the day and the price of the purchase; of several receipts one must say so.
    """
    for name, made in sorted(package.provenance.files.items()):
        for field, printed in made.printed_fields.items():
            fact, known = _meant(package, name, field, printed)
            if known not in (UNKNOWN, NONE) and _folded(known).casefold() != _folded(printed.value).casefold():
                yield Finding(
                    code="printed_contradicts_fact",
                    file=f"{package.id}/{PROVENANCE}",
                    field=f"files.{name}.printed_fields.{field}.value",
                    what=f"{name} prints {printed.value!r}; the customer's {fact} is {known!r}",
                    mend="make document and facts say the same",
                )


def document_kinds(package: Package) -> Iterator[Finding]:
    """Provenance and evidence kind call a file the same: what is declared as another document escapes the checks of dates."""
    for n, material in enumerate(package.visible.materials.materials):
        made = package.provenance.files.get(material.visible.file)
        kind = set(material.hidden.evidence_kind.split("_"))
        wanted = next((document for document, named in KIND_WORDS.items() if named & kind), None)
        if made is not None and wanted is not None and made.document != wanted:
            yield Finding(
                code="document_kind_differs",
                file=f"{package.id}/{MATERIALS}",
                field=f"materials.{n}.hidden.evidence_kind",
                what=f"is {material.hidden.evidence_kind}, a {wanted}; provenance says {made.document}",
                mend="say in both what kind of document it is",
            )


def unused_materials(package: Package) -> Iterator[Finding]:
    """Each file matters: a photo, a document a check looks at, or one that prints something the customer knows. One at least."""
    if not package.visible.files:
        yield Finding(
            code="material_none",
            file=f"{package.id}/{MATERIALS}",
            field="materials",
            what="there is no file to hand over",
            mend="a package is a whole journey: give the customer what such a person would have",
        )
    known = set(fact_values(package.visible.facts).values()) - {UNKNOWN, NONE, "yes", "no"}
    seen: dict[str, str] = {}
    for name, digest in package.hashes.items():
        if seen.setdefault(digest, name) != name:
            yield Finding(
                code="material_repeated",
                file=f"{package.id}/{MATERIALS_DIR}/{name}",
                field="",
                what=f"holds the same bytes as {seen[digest]}",
                mend="take one of the two out",
            )
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
    hashes = package.hashes
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
    for reading in review.blind_look.readings:
        made = package.provenance.files.get(reading.file)
        if made is not None and reading.against is not None and reading.against != provenance_sha256(made):
            yield Finding(
                code="blind_reading_outdated",
                file=file,
                field="blind_look",
                what=f"{reading.file} was held against what provenance said then, not against what it says now",
                mend="run rig corpus blind-look",
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
    for one in (
        provenance_covers, pages_declared, file_contents, printed_values, printed_against_facts, document_kinds, sums, unused_materials, looked_at,
        declared_findings,
    ):  # fmt: skip
        yield from one(package)
