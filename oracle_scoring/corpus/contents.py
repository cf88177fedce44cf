"""What a material holds, read once for the same bytes however many packages have it."""

import io
import logging
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, StreamObject

from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.pdf_sight import Unseen, unseen
from oracle_scoring.corpus.picture_parts import image_metadata, image_problem, transparent

logging.getLogger("pypdf").addHandler(
    logging.NullHandler()
)  # what it would print about damaged files is a finding here
KEPT = 2000
"""So many files' readings are kept."""
MAX_OBJECTS = 50_000
_PLAIN_INFORMATION = frozenset(
    {"/Title", "/Author", "/Subject", "/Keywords", "/Creator", "/Producer", "/CreationDate", "/ModDate", "/Trapped"}
)
_WORD = re.compile(r"[^\W_]+")
_HEX_RUN = re.compile(rb"[0-9a-fA-F]{32,}")
_COMMENT = re.compile(rb"(?:^|[\r\n])%([^\r\n]{6,400})")


@dataclass(frozen=True)
class PdfText:
    """What a PDF says."""

    pages: list[str]
    metadata: dict[str, str]
    attachments: list[str]


@dataclass(frozen=True)
class Oddity:
    """Something in a file that has no business there."""

    code: str
    field: str
    what: str
    mend: str


@dataclass(frozen=True)
class Contents:
    """One material, read."""

    pdf: PdfText | None
    """None for a picture, and for a document that cannot be read."""
    problem: str | None
    """Why it cannot be read."""
    metadata: dict[str, str]
    """What it carries beside pages or pixels: name -> text."""
    oddities: list[Oddity] = field(default_factory=list)
    unseen: list[tuple[int, Unseen]] = field(default_factory=list)
    """Position of the page in the file, from 1, with text that a reader does not see."""
    text: str = ""
    """All pages' text, lower case."""
    words: tuple[str, ...] = ()
    """Its runs of letters and digits."""
    hex_runs: frozenset[str] = frozenset()
    """Runs of 32 and more hexadecimal digits, lower case."""


_READ: OrderedDict[str, Contents] = OrderedDict()


def contents(data: bytes, sha256: str | None = None) -> Contents:
    """The reading of a material's bytes; `sha256` spares hashing them again."""
    key = sha256 or sha256_hex(data)
    found = _READ.get(key)
    if found is None:
        found = _READ[key] = _read_document(data) if data.startswith(b"%PDF-") else _read_picture(data)
        if len(_READ) > KEPT:
            _READ.popitem(last=False)
    return found


def _hex_runs(data: bytes) -> frozenset[str]:
    return frozenset(run.decode("ascii").lower() for run in _HEX_RUN.findall(data))


def _read_picture(data: bytes) -> Contents:
    problem = image_problem(data)
    oddities = []
    if problem is None and transparent(data):
        oddities.append(
            Oddity(
                "image_transparent",
                "",
                "has transparent pixels, under which something can be kept",
                "save it without transparency",
            )
        )
    return Contents(None, problem, image_metadata(data), oddities, hex_runs=_hex_runs(data))


def _read_document(data: bytes) -> Contents:
    try:
        reader = _open(data)
        text = _text(reader)
        hidden = [(n, u) for n, page in enumerate(reader.pages, start=1) for u in unseen(page, reader)]
        oddities = [*_revisions(data, reader), *_objects(reader)]
    except _BROKEN as exc:
        return Contents(None, f"{type(exc).__name__}: {exc}", {}, hex_runs=_hex_runs(data))
    metadata = dict(text.metadata)
    for n, comment in enumerate(_COMMENT.findall(data)):
        metadata[f"comment {n}"] = comment.decode("latin-1")
    for n, title in enumerate(_outline_titles(reader)):
        metadata[f"bookmark {n}"] = title
    body = " ".join(text.pages).casefold()
    runs = _hex_runs(data) | _hex_runs(body.encode("utf-8", "replace"))
    return Contents(text, None, metadata, oddities, hidden, body, tuple(_WORD.findall(body)), runs)


_BROKEN = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError, ArithmeticError, NotImplementedError)  # fmt: skip
"""What pypdf raises on damaged files."""


def _open(data: bytes) -> PdfReader:
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        raise ValueError("is encrypted")
    return reader


def _text(reader: PdfReader) -> PdfText:
    pages = [page.extract_text() for page in reader.pages]
    metadata = {str(key): str(value) for key, value in (reader.metadata or {}).items()}
    root = reader.trailer["/Root"].get_object()
    xmp = root.get("/Metadata")  # type: ignore[union-attr]
    if xmp is not None:
        metadata["xmp"] = xmp.get_object().get_data().decode("utf-8", "replace")
    return PdfText(pages, metadata, sorted(reader.attachments))


def read_pdf(data: bytes) -> PdfText:
    """Text per page, document information (XMP as `xmp`), and names of attached files.

    Raises:
        ValueError: the bytes are no readable PDF.
    """
    try:
        return _text(_open(data))
    except _BROKEN as exc:
        raise ValueError(f"{type(exc).__name__}: {exc}") from exc


def _outline_titles(reader: PdfReader) -> list[str]:
    root: Any = reader.trailer["/Root"].get_object()
    outlines = root.get("/Outlines")
    if outlines is None:
        return []
    waiting, titles, seen = [outlines.get_object().get("/First")], [], 0
    while waiting and seen < 1000:
        seen += 1
        item = waiting.pop()
        if item is None:
            continue
        entry = item.get_object()
        titles.append(str(entry.get("/Title", "")))
        waiting += [entry.get("/First"), entry.get("/Next")]
    return titles


def _revisions(data: bytes, reader: PdfReader) -> list[Oddity]:
    found = []
    end = data.rfind(b"%%EOF")
    linear = b"/Linearized" in data[:2048]
    if data.count(b"startxref") > (2 if linear else 1):
        found.append(
            Oddity(
                "pdf_earlier_revision",
                "",
                "holds an earlier revision of itself",
                "export the document afresh, without its history",
            )
        )
    if end >= 0 and data[end + 5 :].strip():
        found.append(Oddity("pdf_trailing_bytes", "", "goes on behind its end", "cut off what stands behind %%EOF"))
    for key in sorted({str(k) for k in (reader.metadata or {})} - _PLAIN_INFORMATION):
        found.append(Oddity("pdf_metadata", key, "is an entry of its own in the document's information", "take it out"))
    return found


_KEYS: dict[str, tuple[str, str, str]] = {
    "/EF": ("pdf_attachment", "carries an attached file", "take the attachment out"),
    "/AcroForm": ("pdf_annotation", "has form fields", "flatten the document"),
    "/OCProperties": ("pdf_hidden_layer", "has layers that can be switched off", "flatten the document"),
    "/JS": ("pdf_active", "runs a script", "export it without scripts"),
    "/JavaScript": ("pdf_active", "runs a script", "export it without scripts"),
    "/AA": ("pdf_active", "acts when it is opened", "export it without actions"),
    "/PieceInfo": ("pdf_metadata", "carries data of an application", "export it without them"),
    "/Thumb": ("pdf_metadata", "carries a small picture of a page", "export it without thumbnails"),
    "/Metadata": ("pdf_metadata", "carries XMP metadata", "export it without metadata"),
    "/ActualText": ("pdf_text_invisible", "says something else to machines than to readers", "export it without replacement texts"),
}  # fmt: skip
"""Key of a dictionary anywhere in the file -> finding."""


def _objects(reader: PdfReader) -> list[Oddity]:
    """Walks everything that can be reached; says what is odd, and whether anything cannot be reached."""
    found: dict[tuple[str, str], Oddity] = {}
    reached: set[int] = set()
    waiting: list[Any] = [reader.trailer]
    steps = 0
    while waiting:
        steps += 1
        if steps > MAX_OBJECTS * 10:
            raise ValueError("has too many objects to be looked through")
        item = waiting.pop()
        if isinstance(item, IndirectObject):
            if item.idnum in reached:
                continue
            reached.add(item.idnum)
            item = item.get_object()
        if isinstance(item, DictionaryObject):
            for odd in _odd_keys(item):
                found.setdefault((odd.code, odd.field), odd)
            waiting += [item.raw_get(key) for key in item]
        elif isinstance(item, ArrayObject):
            waiting += list.__iter__(item)
    there = {number for numbers in reader.xref.values() for number in numbers} | set(reader.xref_objStm)
    stray = []
    for number in sorted(there - reached):
        lost = reader.get_object(IndirectObject(number, 0, reader))
        kind = lost.get("/Type") if isinstance(lost, StreamObject) else None
        if lost is not None and kind not in ("/ObjStm", "/XRef"):
            stray.append(number)
    if stray:
        odd = Oddity(
            "pdf_unused_object",
            f"object {stray[0]}",
            f"holds {len(stray)} objects that no page uses",
            "export the document afresh",
        )
        found[(odd.code, odd.field)] = odd
    return list(found.values())


def _odd_keys(item: DictionaryObject) -> list[Oddity]:
    found = [Oddity(code, key, what, mend) for key, (code, what, mend) in _KEYS.items() if key in item]
    kind = str(item.get("/Subtype", ""))
    if item.get("/Type") == "/Annot" or (kind and "/Rect" in item):
        if kind != "/Link" or "/Contents" in item:
            mend = "flatten the document, or take it off"
            found.append(Oddity("pdf_annotation", kind, "has a note or a field laid over a page", mend))
    elif item.get("/Type") == "/Font":
        found += _odd_font(item, kind)
    elif kind == "/Image" and isinstance(item, StreamObject) and str(item.get("/Filter", "")) == "/DCTDecode":
        for key in image_metadata(item._data):
            what = f"shows a picture that carries {key}"
            found.append(Oddity("pdf_metadata", key, what, "save the picture without metadata and put it in again"))
    if str(item.get("/S", "")) in ("/Launch", "/SubmitForm", "/ImportData", "/JavaScript"):
        found.append(Oddity("pdf_active", "/S", "acts when it is used", "export it without actions"))
    return found


def _odd_font(font: DictionaryObject, kind: str) -> list[Oddity]:
    """Fonts with which the text layer can say something else than the page shows."""
    name = str(font.get("/BaseFont", font.get("/Name", "")))
    mend = "export it with ordinary fonts"
    if kind == "/Type3":
        return [
            Oddity(
                "pdf_font",
                name,
                "draws its letters itself; nobody can say that they are what the text layer says",
                mend,
            )
        ]
    if kind in ("/Type1", "/TrueType") and "/ToUnicode" in font and "/FontDescriptor" not in font:
        return [Oddity("pdf_font", name, "is a standard font that tells machines other letters than readers", mend)]
    return []
