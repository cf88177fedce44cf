"""What the product can read in an uploaded document: its kind, its printed date, whether pages are missing."""

import io
import logging
import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from harness.devstack.claims.parse import find_dates

_PAGE = re.compile(r"\bpage\s+(\d{1,3})\s+of\s+(\d{1,3})\b", re.I)
_DATE_LINE = re.compile(
    r"^\W*(?:(?:quote|quotation|estimate|receipt|invoice|issue|document) )?(?:date(?: of (?:issue|quote|quotation|estimate|receipt|invoice))?|dated|issued(?: on)?)\s*[:：]\s*(.{4,60})",
    re.I | re.M,
)
_PAGES_READ = 50


@dataclass(frozen=True)
class Document:
    """A document as far as it could be read; None and False say nothing about what could not."""

    kind: Literal["quote", "receipt"] | None
    date: str | None
    pages_missing: bool


NOT_READ = Document(kind=None, date=None, pages_missing=False)


def sniff(data: bytes) -> str | None:
    """Content type by the first bytes: pictures and PDF; None for anything else."""
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1"):
        return "image/heic"
    return "application/pdf" if b"%PDF-" in data[:1024] else None


def read_document(data: bytes, today: date) -> Document:
    """Read a PDF's text. A picture, a scan or a broken file gives `NOT_READ`."""
    if sniff(data) != "application/pdf":
        return NOT_READ
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pages = [page.extract_text() or "" for page in PdfReader(io.BytesIO(data)).pages[:_PAGES_READ]]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        return NOT_READ  # pypdf raises all of these on broken files
    text = "\n".join(pages)
    return Document(kind=_kind(text), date=_printed_date(text, today), pages_missing=_pages_missing(text))


def _kind(text: str) -> Literal["quote", "receipt"] | None:
    head = " ".join([line for line in text.splitlines() if line.strip()][:6])
    if re.search(r"\b(quote|quotation|estimate)\b", head, re.I):
        return "quote"
    return "receipt" if re.search(r"\b(receipt|invoice)\b", head, re.I) else None


def _printed_date(text: str, today: date) -> str | None:
    for m in _DATE_LINE.finditer(text):
        if found := find_dates(m[1], today):
            return found[0].value
    return None


def _pages_missing(text: str) -> bool:
    prints = [(int(x), int(n)) for x, n in _PAGE.findall(text)]
    total = max((n for _, n in prints), default=0)
    return bool(set(range(1, total + 1)) - {x for x, _ in prints})
