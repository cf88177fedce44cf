"""One journey as a grader sees it: what the customer said and gave, and what the product wrote down. No answer is read here."""

import base64
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from harness.errors import InputError
from harness.schema.events import Acted, ScreenSeen
from harness.schema.package import VisiblePackage, read_visible
from harness.schema.strict_json import sha256_hex
from oracle_scoring.claims.talk import heard
from oracle_scoring.record import Record, read_record
from oracle_scoring.sheets.blind import Blinder, without_invisible

PICTURE_SIDE = 1000
PICTURE_BUDGET = 24 * 1024 * 1024
"""Bytes of all pictures of one page, as they stand in it."""
MAX_PIXELS = 40_000_000
PAGE_DPI = 80


@dataclass(frozen=True)
class Said:
    """One step of the conversation."""

    who: str
    """`customer`, `product`, or `note` for what the customer did without words."""
    text: str


@dataclass(frozen=True)
class Row:
    """One row of a list of the staff page."""

    name: str
    value: str
    status: str


@dataclass(frozen=True)
class ShownFile:
    """One file the customer handed over."""

    name: str
    pictures: tuple[str, ...]
    """`data:` addresses, one for each page."""
    why_not: str | None


@dataclass(frozen=True)
class Case:
    """One journey, blinded."""

    opening: str
    facts: tuple[Row, ...]
    facts_from: str
    """Where they were read, in words."""
    questions: tuple[str, ...]
    contacts: tuple[str, ...]
    talk: tuple[Said, ...]
    files: tuple[ShownFile, ...]
    staff_pages: tuple[str, ...]
    """Whole text of the staff pages; only for questions left to a person."""

    def texts(self) -> Iterable[str]:
        """Every text of it."""
        yield self.opening
        for row in self.facts:
            yield from (row.name, row.value, row.status)
        yield from (*self.questions, *self.contacts, *self.staff_pages)
        yield from (said.text for said in self.talk)
        yield from (file.name for file in self.files)


class CaseMaker:
    """Makes cases within one budget of pictures.

    Args:
        with_staff_pages: whole staff pages stand in the case too.
    """

    def __init__(self, with_staff_pages: bool, picture_budget: int = PICTURE_BUDGET) -> None:
        self._staff_pages = with_staff_pages
        self._left = picture_budget
        self.words_left_out = 0
        self.files_not_shown = 0
        self._pictures: dict[str, tuple[str, ...] | str] = {}

    def case(self, attempt_dir: Path, package_dir: Path) -> Case:
        """The case of one attempt.

        Raises:
            InputError: record or package is not what it should be.
        """
        record, visible = read_record(attempt_dir), read_visible(package_dir)
        blind = Blinder(record.adapter.vocabulary, review_too=not self._staff_pages)
        facts, where = _facts(record, blind)
        staff = record.staff
        made = Case(
            opening=_opening(record, visible),
            facts=facts,
            facts_from=where,
            questions=_texts(record, "questions", blind),
            contacts=_texts(record, "contact_requests", blind),
            talk=_talk(record, blind),
            files=self._files(record, visible),
            staff_pages=tuple(blind(page) for page in staff.pages) if staff and self._staff_pages else (),
        )
        self.words_left_out += blind.left_out
        return made

    def _files(self, record: Record, visible: VisiblePackage) -> tuple[ShownFile, ...]:
        given: dict[str, str | None] = {}
        for event in record.events:
            if isinstance(event, Acted) and event.act == "uploaded" and event.confirmed and event.file:
                given.setdefault(event.file, event.sha256)
        return tuple(self._file(name, digest, visible.files.get(name)) for name, digest in given.items())

    def _file(self, name: str, digest: str | None, data: bytes | None) -> ShownFile:
        shown = without_invisible(name)
        if data is None or sha256_hex(data) != digest:
            return self._lost(shown, "the corpus no longer has the bytes that were uploaded")
        key = sha256_hex(data)
        if key not in self._pictures:
            self._pictures[key] = _pictures(name, data)
        found = self._pictures[key]
        if isinstance(found, str):
            return self._lost(shown, found)
        size = sum(len(uri) for uri in found)
        if size > self._left:
            return self._lost(shown, "left out: the page would grow too large")
        self._left -= size
        return ShownFile(shown, found, None)

    def _lost(self, name: str, why: str) -> ShownFile:
        self.files_not_shown += 1
        return ShownFile(name, (), why)


def _opening(record: Record, visible: VisiblePackage) -> str:
    first = next((e.text for e in record.events if isinstance(e, Acted) and e.act == "said"), visible.initial_message)
    return without_invisible(first)


def _facts(record: Record, blind: Blinder) -> tuple[tuple[Row, ...], str]:
    rows = record.staff.lists.get("facts") if record.staff and record.staff.found else None
    if rows is not None:
        cells = [r.cells for r in rows]
        found = [
            Row(blind.name(c.get("fact", "")), blind(c.get("value", "")), blind(c.get("status", ""))) for c in cells
        ]
        return tuple(found), "as the staff page shows them"
    if record.state is None:
        return (), "neither staff page nor stored state could be read"
    stored = [
        Row(blind.name(name.replace("_", " ")), blind(fact.value), fact.status)
        for case in record.state.cases
        for name, fact in case.facts.items()
    ]
    return tuple(stored), "as the product stores them; the staff page could not be read"


def _texts(record: Record, name: str, blind: Blinder) -> tuple[str, ...]:
    rows = record.staff.lists.get(name, []) if record.staff and record.staff.found else []
    return tuple(blind(row.cells.get("text", "")) for row in rows)


def _talk(record: Record, blind: Blinder) -> tuple[Said, ...]:
    """What was said and done, in order; the customer's own words are left as they are."""
    steps: list[tuple[int, Said]] = [(s.n, Said("product", blind(s.text))) for s in heard(record.events)]
    for event in record.events:
        if isinstance(event, Acted) and event.confirmed and event.act in _DONE:
            own = event.act == "said"
            words = without_invisible(event.text) if own else blind(event.text)
            steps.append((event.n, Said("customer" if own else "note", _DONE[event.act].format(words))))
    steps.sort(key=lambda step: step[0])
    final = next(
        (e.screen.final for e in reversed(record.events) if isinstance(e, ScreenSeen) and e.screen.final), None
    )
    last = [Said("product", blind(final))] if final else []
    return (*(said for _, said in steps), *last)


_DONE = {
    "said": "{}",
    "pressed": "The customer presses “{}”.",
    "filled": "The customer fills in: {}",
    "uploaded": "The customer hands over {}.",
}


def _pictures(name: str, data: bytes) -> tuple[str, ...] | str:
    """The file's pages as small pictures without metadata, or why there are none."""
    try:
        if name.lower().endswith(".pdf"):
            from oracle_scoring.corpus.look_ocr import pdf_pages

            pages = pdf_pages(data, PAGE_DPI)
        else:
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as source:
                if source.width * source.height > MAX_PIXELS:
                    return "the picture has too many pixels"
                pages = [source.convert("RGB")]
    except ImportError:
        return "drawing a PDF needs the extra “corpus”"
    except (InputError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as exc:
        return f"the file cannot be shown ({type(exc).__name__})"
    return tuple(_small(page) for page in pages)


def _small(image: Image.Image) -> str:
    image.thumbnail((PICTURE_SIDE, PICTURE_SIDE), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=78, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode('ascii')}"
