"""A garage's repair quote: two A4 pages as PDF, the same bytes for the same provenance."""

import io
import math
from decimal import Decimal

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from oracle_scoring.corpus.document_content import QuoteContent
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper import in_lines
from oracle_scoring.corpus.paper_pen import name_seed, sign

WIDTH, HEIGHT = A4
LEFT, RIGHT = 20 * mm, WIDTH - 20 * mm
INK, GREY = HexColor("#1d2530"), HexColor("#5b6674")


def _money(value: str) -> str:
    return f"£{Decimal(value):,.2f}"


def _wrap(canvas: Canvas, text: str, font: str, size: float, width: float) -> list[str]:
    """The text in lines of at most `width` points."""
    return in_lines(text, width, lambda line: canvas.stringWidth(line, font, size))


class _Quote:
    """Draws one quote; knows the page it is on."""

    def __init__(self, canvas: Canvas, made: FileProvenance, content: QuoteContent) -> None:
        self.c = canvas
        self.content = content
        self.accent: Color = HexColor(content.colour)
        self.printed = {name: field.printed for name, field in made.printed_fields.items()}
        self.total = made.pages_total or 2

    def text(self, x: float, y: float, words: str, size: float = 9.5, bold: bool = False, ink: Color = INK) -> None:
        self.c.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        self.c.setFillColor(ink)
        self.c.drawString(x, y, words)

    def right(self, x: float, y: float, words: str, size: float = 9.5, bold: bool = False, ink: Color = INK) -> None:
        self.c.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        self.c.setFillColor(ink)
        self.c.drawRightString(x, y, words)

    def rule(self, y: float, width: float = 0.6, ink: Color = GREY) -> None:
        self.c.setStrokeColor(ink)
        self.c.setLineWidth(width)
        self.c.line(LEFT, y, RIGHT, y)

    def head(self) -> None:
        """Logo block (corners and spokes go by the garage's name), the garage's name and address."""
        c, top = self.c, HEIGHT - 18 * mm
        c.setFillColor(self.accent)
        seed = name_seed(self.content.garage)
        spokes, corner = 4 + seed % 6, (0.3, 3, 8.5)[seed // 6 % 3] * mm
        c.roundRect(LEFT, top - 17 * mm, 17 * mm, 17 * mm, corner, stroke=0, fill=1)
        c.setFillColor(white)
        c.circle(LEFT + 8.5 * mm, top - 8.5 * mm, 5.6 * mm, stroke=0, fill=1)
        c.setFillColor(self.accent)
        c.circle(LEFT + 8.5 * mm, top - 8.5 * mm, 2.4 * mm, stroke=0, fill=1)
        c.setStrokeColor(self.accent)
        c.setLineWidth(1.6)
        x, y = LEFT + 8.5 * mm, top - 8.5 * mm
        for n in range(spokes):
            dx, dy = math.sin(2 * math.pi * n / spokes), math.cos(2 * math.pi * n / spokes)
            c.line(x + dx * 2.2 * mm, y + dy * 2.2 * mm, x + dx * 5.4 * mm, y + dy * 5.4 * mm)
        self.text(LEFT + 21 * mm, top - 7 * mm, self.content.garage, 17, bold=True, ink=self.accent)
        self.text(LEFT + 21 * mm, top - 13 * mm, self.content.motto, 9, ink=GREY)
        for n, line in enumerate([*self.content.garage_address, *self.content.garage_contact]):
            self.right(RIGHT, top - 2.5 * mm - n * 4.1 * mm, line, 8, ink=GREY)
        self.rule(top - 23 * mm, 1.4, self.accent)

    def foot(self, page: int) -> None:
        """Small print and `Page X of N`."""
        self.rule(19 * mm)
        self.text(LEFT, 14 * mm, self.content.registered, 7, ink=GREY)
        self.right(RIGHT, 14 * mm, f"Page {page} of {self.total}", 8.5, bold=True)

    def first_page(self) -> None:
        """Addresses, reference block, findings, line items, sums."""
        y = HEIGHT - 52 * mm
        self.text(LEFT, y, "REPAIR QUOTE", 15, bold=True)
        for n, (label, key) in enumerate(
            (("Quote no.", "quote_number"), ("Date", "date"), ("Registration", "plate"), ("Valid until", "valid_until"))
        ):
            self.text(118 * mm, y - n * 5.6 * mm, f"{label}: {self.printed[key]}", 10, bold=key in ("date", "plate"))
        y -= 9 * mm
        self.text(LEFT, y, "Prepared for", 8, ink=GREY)
        for n, line in enumerate([self.printed["customer"], *self.content.customer_address]):
            self.text(LEFT, y - (n + 1) * 4.8 * mm, line, 10, bold=n == 0)
        y -= 27 * mm
        self.text(LEFT, y, f"Vehicle: {self.content.vehicle}", 10)
        y -= 7 * mm
        for line in _wrap(self.c, self.content.findings, "Helvetica", 9.5, RIGHT - LEFT):
            self.text(LEFT, y, line)
            y -= 4.8 * mm
        self._table(y - 4 * mm)

    def _table(self, y: float) -> None:
        self.c.setFillColor(self.accent)
        self.c.rect(LEFT, y - 2.4 * mm, RIGHT - LEFT, 7.4 * mm, stroke=0, fill=1)
        columns = (LEFT + 2 * mm, 122 * mm, 155 * mm, RIGHT - 2 * mm)
        self.text(columns[0], y, "Work and parts", 9, bold=True, ink=white)
        for x, words in zip(columns[1:], ("Qty", "Unit price", "Amount"), strict=True):
            self.right(x, y, words, 9, bold=True, ink=white)
        y -= 8.4 * mm
        for n, line in enumerate(self.content.lines):
            if n % 2:
                self.c.setFillColor(HexColor("#f1f4f7"))
                self.c.rect(LEFT, y - 2.3 * mm, RIGHT - LEFT, 7 * mm, stroke=0, fill=1)
            self.text(columns[0], y, line.what)
            self.right(columns[1], y, line.quantity)
            self.right(columns[2], y, _money(line.unit_price))
            self.right(columns[3], y, _money(line.amount))
            y -= 7 * mm
        self.rule(y + 3.6 * mm)
        y -= 2.4 * mm
        for label, words in (
            ("Net", _money(self.content.net)),
            (f"VAT at {self.content.vat_rate} %", _money(self.content.vat)),
        ):
            self.right(columns[2], y, label)
            self.right(columns[3], y, words)
            y -= 6 * mm
        y -= 2 * mm
        self.c.setFillColor(HexColor("#e4e9ef"))
        self.c.rect(118 * mm, y - 2.8 * mm, RIGHT - 118 * mm, 8.2 * mm, stroke=0, fill=1)
        self.right(columns[3], y, f"Total including VAT: {self.printed['total']}", 10.5, bold=True)
        self.text(LEFT, y - 14 * mm, "Terms, validity and signature: see page 2.", 8.5, ink=GREY)

    def second_page(self) -> None:
        """Terms and the signature line."""
        y = HEIGHT - 52 * mm
        self.text(LEFT, y, f"Quote no. {self.printed['quote_number']}, continued", 11, bold=True)
        y -= 10 * mm
        self.text(LEFT, y, "Terms", 11, bold=True, ink=self.accent)
        y -= 7 * mm
        for n, term in enumerate(self.content.terms, start=1):
            self.text(LEFT, y, f"{n}.")
            for line in _wrap(self.c, term, "Helvetica", 9.5, RIGHT - LEFT - 8 * mm):
                self.text(LEFT + 7 * mm, y, line)
                y -= 4.9 * mm
            y -= 2 * mm
        y -= 10 * mm
        self.text(LEFT, y, "I accept this quote and ask for the work to be done.")
        y -= 20 * mm
        self.c.setStrokeColor(INK)
        self.c.setLineWidth(0.7)
        self.c.line(LEFT, y, LEFT + 70 * mm, y)
        self.c.line(118 * mm, y, RIGHT, y)
        self.text(LEFT, y - 4.5 * mm, "Customer's signature", 8, ink=GREY)
        self.text(118 * mm, y - 4.5 * mm, f"For {self.content.garage}", 8, ink=GREY)
        sign(self.c, 122 * mm, y + 2 * mm, self.content.signed_for)
        self.text(118 * mm, y - 9 * mm, self.content.signed_for, 8)


def draw_quote(made: FileProvenance) -> bytes:
    """The pages of `made.pages_present` as one PDF without compression, dates or ids of the moment."""
    content = QuoteContent.model_validate(made.content)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1, pageCompression=0)
    canvas.setTitle("Quote")
    canvas.setAuthor("")
    canvas.setSubject("")
    canvas.setCreator("")
    quote = _Quote(canvas, made, content)
    for page in made.pages_present or []:
        quote.head()
        if page == 1:
            quote.first_page()
        else:
            quote.second_page()
        quote.foot(page)
        canvas.showPage()
    canvas.save()
    return out.getvalue()
