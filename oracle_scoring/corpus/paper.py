"""Sheets of paper as PDF: words with printed fields in them, page by page, and a record of what was printed where."""

import io
import re
import zlib
from collections.abc import Callable
from decimal import Decimal
from typing import Literal

import numpy as np
from PIL import Image
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm as _reportlab_mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper_pen import sign
from oracle_scoring.corpus.raster import blur, f32, smooth, value_noise

mm = float(_reportlab_mm)
"""A millimetre in points."""
INK, GREY = HexColor("#1d2530"), HexColor("#5b6674")
FONTS = {
    "sans": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique"),
    "serif": ("Times-Roman", "Times-Bold", "Times-Italic"),
    "typed": ("Courier", "Courier-Bold", "Courier-Oblique"),
}
Family = Literal["sans", "serif", "typed"]
Align = Literal["left", "right", "centre"]
_BRACES = re.compile(r"\{([^{}]*)\}")
_FIRST_MARK = 0xE000
"""Unreadable fields stand in running text as one private character each."""
SMUDGE_MM = 4.4
"""Height of a smudge."""


class DrawError(ValueError):
    """Provenance and recipe do not go together; `field` is the place in the file's provenance, the text says why."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


def money(value: str | Decimal) -> str:
    """Pounds: "£1,240.00"."""
    return f"£{Decimal(value):,.2f}"


def in_lines(words: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """The words in lines that measure at most `width`; a word longer than that has a line of its own."""
    lines: list[str] = []
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and measure(longer) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def smudge(rng: np.random.Generator, width: int, height: int, ink: tuple[float, float, float]) -> Image.Image:
    """Ink that has run, in a water stain. Made of random strokes alone: it holds nothing that stood there."""
    strokes = np.zeros((height, width), np.float32)
    for _ in range(max(4, width // 5)):
        x, y = int(rng.uniform(0.04, 0.96) * width), int(rng.uniform(0.34, 0.74) * height)
        tall, wide = int(rng.uniform(0.05, 0.3) * height) + 1, int(rng.uniform(0.02, 0.05) * width) + 1
        strokes[max(0, y - tall) : y + tall, max(0, x - wide) : x + wide] += f32(rng.uniform(0.3, 1.0))
    run = blur(np.clip(strokes, 0, 1.6), height * 0.14)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    away = np.hypot((columns / width - 0.5) / 0.5, (rows / height - 0.5) / 0.5)
    away = away + 0.10 * value_noise(rng, (height, width), height / 3, height / 2)
    inside = smooth(1.0, 0.90, away)
    ring = f32(np.exp(-(((away - 0.93) / 0.05) ** 2)))
    patchy = 0.75 + 0.25 * value_noise(rng, (height, width), height / 3, height / 1.5)
    black = np.clip(run * 0.62, 0, 0.8) * inside * patchy
    brown = (0.16 + 0.10 * (1 - np.clip(run, 0, 1))) * inside + 0.30 * ring
    alpha = np.clip(black + brown * (1 - black), 0, 1)
    tint = f32((0.56, 0.44, 0.26))
    colour = (f32(ink) * black[..., None] + tint * (brown * (1 - black))[..., None]) / np.maximum(alpha, 1e-3)[
        ..., None
    ]
    pixels = np.concatenate([np.clip(colour, 0, 1), alpha[..., None]], -1)
    return Image.fromarray((pixels * 255 + 0.5).astype(np.uint8), "RGBA")


class Paper:
    """Draws one document. Pages left out are laid out as well, on a sheet that is thrown away.

    Distances are in points, y upwards from the foot of the page. Words may name printed fields in braces.
    """

    def __init__(self, made: FileProvenance, size: tuple[float, float], family: Family = "sans") -> None:
        self.made = made
        self.width, self.height = size
        self.family: Family = family
        self.margin = 20 * mm
        self.ink: Color = INK
        self.page = 0
        self._out, self._waste = io.BytesIO(), io.BytesIO()
        self._kept = self._canvas(self._out)
        self._thrown = self._canvas(self._waste)
        self.c = self._thrown
        self._placed: dict[str, set[int]] = {}
        self._unreadable: list[str] = []

    def _canvas(self, out: io.BytesIO) -> Canvas:
        canvas = Canvas(out, pagesize=(self.width, self.height), invariant=1, pageCompression=1)
        for clear in (canvas.setTitle, canvas.setAuthor, canvas.setSubject, canvas.setCreator):
            clear("")
        return canvas

    # --- pages ---------------------------------------------------------------------------------------------------

    @property
    def pages(self) -> int:
        """Pages of the whole document."""
        return self.made.pages_total or 1

    def need_pages(self, *possible: int) -> None:
        """DrawError unless the document has one of these numbers of pages."""
        if self.made.pages_total not in possible:
            raise DrawError("pages_total", f"the recipe draws documents of {_either(possible)}")

    def open(self, page: int) -> None:
        """Everything that follows stands on this page."""
        self.page = page
        self.c = self._kept if page in (self.made.pages_present or []) else self._thrown

    def close(self) -> None:
        """Ends the page."""
        self.c.showPage()

    def finish(self) -> bytes:
        """The PDF; DrawError for a printed field that stands nowhere, or on another page than it says."""
        for name, field in self.made.printed_fields.items():
            where = self._placed.get(name)
            if where is None:
                raise DrawError(f"printed_fields.{name}", f"is printed nowhere; name it in a text as {{{name}}}")
            if field.page not in where:
                raise DrawError(
                    f"printed_fields.{name}.page", f"is {field.page}; the recipe prints it on {_either(where)}"
                )
        self._kept.save()
        return self._out.getvalue()

    # --- words ---------------------------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Whether the document prints such a field."""
        return name in self.made.printed_fields

    def require(self, *names: str) -> None:
        """DrawError unless all these fields are there."""
        for name in names:
            if not self.has(name):
                raise DrawError("printed_fields", f"the recipe needs the field {name}")

    def require_total(self, total: Decimal) -> None:
        """DrawError unless the printed total is what the lines come to."""
        said = self.made.printed_fields["total"].value
        if said != f"{total:.2f} GBP":
            raise DrawError("printed_fields.total.value", f"is {said}; the lines come to {total:.2f} GBP")

    def filled(self, words: str) -> str:
        """`words` with the fields put in; an unreadable one becomes a private character."""

        def put(found: re.Match[str]) -> str:
            name = found[1]
            field = self.made.printed_fields.get(name)
            if field is None:
                raise DrawError("content", f"a text names {{{name}}}, which is no printed field")
            self._placed.setdefault(name, set()).add(self.page)
            if field.legible:
                return field.printed
            if name not in self._unreadable:
                self._unreadable.append(name)
            return chr(_FIRST_MARK + self._unreadable.index(name))

        return _BRACES.sub(put, words)

    def _smudge_width(self, mark: str, font: str, size: float) -> float:
        name = self._unreadable[ord(mark) - _FIRST_MARK]
        return float(self.c.stringWidth("n" * max(6, len(self.made.printed_fields[name].printed)), font, size))

    def measure(self, words: str, font: str, size: float) -> float:
        """Width of filled words in points."""
        plain = "".join(c for c in words if not _is_mark(c))
        marks = sum(self._smudge_width(c, font, size) for c in words if _is_mark(c))
        return float(self.c.stringWidth(plain, font, size)) + marks

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 9.5,
        bold: bool = False,
        ink: Color | None = None,
        align: Align = "left",
        family: Family | None = None,
        slanted: bool = False,
    ) -> float:
        """One line; the x where it ends."""
        font = FONTS[family or self.family][1 if bold else 2 if slanted else 0]
        shown = self.filled(words)
        width = self.measure(shown, font, size)
        x -= {"left": 0.0, "right": width, "centre": width / 2}[align]
        self.c.setFont(font, size)
        self.c.setFillColor(ink or self.ink)
        for part in re.split(r"([\ue000-\uf8ff])", shown):
            if _is_mark(part):
                wide = self._smudge_width(part, font, size)
                self._blot(part, x, y - 0.4 * size, wide)
                x += wide
            elif part:
                self.c.drawString(x, y, part)
                x += self.c.stringWidth(part, font, size)
        return x

    def _blot(self, mark: str, x: float, y: float, width: float) -> None:
        name = self._unreadable[ord(mark) - _FIRST_MARK]
        rng = np.random.default_rng([self.made.rng_seed or 0, zlib.crc32(name.encode())])
        height = SMUDGE_MM * mm
        columns, rows = round(width / mm * 7), round(height / mm * 7)
        image = smudge(rng, columns, rows, (self.ink.red, self.ink.green, self.ink.blue))
        self.c.drawImage(ImageReader(image), x, y, width, height, mask="auto")

    def wrap(self, words: str, width: float, size: float, bold: bool = False) -> list[str]:
        """Filled words in lines of at most `width`."""
        font = FONTS[self.family][1 if bold else 0]
        return in_lines(self.filled(words), width, lambda line: self.measure(line, font, size))

    def block(self, x: float, y: float, width: float, words: str, size: float = 9.5, bold: bool = False) -> float:
        """A paragraph; the y of the next line. DrawError where it runs off the page."""
        for line in self.wrap(words, width, size, bold):
            self.text(x, y, line, size, bold)
            y -= size * 1.42
        self.room(y)
        return y

    def room(self, y: float, foot: float = 22 * mm) -> None:
        """DrawError if `y` has come below the foot."""
        if y < foot:
            raise DrawError("content", f"does not fit on page {self.page}; make it shorter")

    # --- strokes -------------------------------------------------------------------------------------------------

    def line(self, x0: float, x1: float, y: float, width: float = 0.6, ink: Color = GREY) -> None:
        """A level line."""
        self.c.setStrokeColor(ink)
        self.c.setLineWidth(width)
        self.c.line(x0, y, x1, y)

    def box(self, x: float, y: float, width: float, height: float, fill: Color) -> None:
        """A filled rectangle; y is its lower edge."""
        self.c.setFillColor(fill)
        self.c.rect(x, y, width, height, stroke=0, fill=1)

    def scrawl(self, x: float, y: float, who: str) -> None:
        """The signature of `who`: it spells nothing, and is the same on every paper of that name."""
        sign(self.c, x, y, who)


def _is_mark(part: str) -> bool:
    return len(part) == 1 and 0xE000 <= ord(part) <= 0xF8FF


def _either(pages: "set[int] | tuple[int, ...]") -> str:
    return (
        "page " + " or ".join(str(n) for n in sorted(pages))
        if isinstance(pages, set)
        else (" or ".join(str(n) for n in sorted(pages)) + " pages")
    )
