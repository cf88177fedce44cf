"""Reading uploaded documents."""

import io
from datetime import date

import pytest
from reportlab.pdfgen.canvas import Canvas

from harness.devstack.claims.documents import NOT_READ, read_document, sniff

TODAY = date(2026, 3, 20)


def pdf(*pages: list[str]) -> bytes:
    """A PDF with these lines on its pages."""
    out = io.BytesIO()
    canvas = Canvas(out)
    for lines in pages:
        for n, line in enumerate(lines):
            canvas.drawString(72, 780 - 20 * n, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_a_quote_gives_kind_and_printed_date() -> None:
    """The line that begins with "Date:" counts, not a date in passing."""
    data = pdf(["Mill Road Garage", "REPAIR QUOTE", "Incident: 9 March 2026", "Date: 12 March 2026", "Page 1 of 1"])
    found = read_document(data, TODAY)
    assert (found.kind, found.date, found.pages_missing) == ("quote", "2026-03-12", False)


def test_a_receipt_is_told_from_a_quote() -> None:
    """By its heading."""
    assert read_document(pdf(["RECEIPT", "Receipt date: 2026-03-01"]), TODAY).kind == "receipt"


def test_a_missing_page_is_noticed() -> None:
    """Page 1 of 2 alone: the date on the other page cannot be known."""
    found = read_document(pdf(["Repair quote", "Page 1 of 2"]), TODAY)
    assert found.date is None and found.pages_missing


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7 broken", b"\xff\xd8\xff\xe0 picture", b"hello", pdf(["Quote"])[:200]])
def test_what_cannot_be_read_says_nothing(data: bytes) -> None:
    """Pictures and broken files give no date, no kind, no missing page."""
    assert read_document(data, TODAY) == NOT_READ


def test_files_are_told_by_their_bytes() -> None:
    """Not by their names."""
    assert sniff(b"\x89PNG\r\n\x1a\n...") == "image/png"
    assert sniff(pdf(["x"])) == "application/pdf"
    assert sniff(b"MZ\x90") is None
