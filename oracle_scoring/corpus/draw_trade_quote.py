"""A trade's quote on one to three A4 pages, laid out as that trade does it."""

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4

from oracle_scoring.corpus.document_content import TradeQuoteContent
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper import GREY, INK, DrawError, Paper, mm
from oracle_scoring.corpus.paper_style import LOOKS, addressed, foot, head, references, small_head, table, totals
from oracle_scoring.corpus.phone_look import finished

HEADINGS = {
    "plumber": "Work and materials",
    "builder": "Description of work",
    "roofer": "Work and materials",
    "bodyshop": "Labour, paint and parts",
    "dent_repair": "Work",
    "glazier": "Glass and fitting",
}


class _TradeQuote:
    """Draws one quote."""

    def __init__(self, made: FileProvenance, content: TradeQuoteContent) -> None:
        self.content = content
        self.look = LOOKS[content.layout]
        self.colour: Color = HexColor(content.colour)
        self.p = Paper(made, A4, self.look.family)
        self.p.need_pages(1, 2, 3)
        self.p.require("quote_number", "date", "total")
        self.p.require_total(content.sums.total)
        if bool(content.letter) != (self.p.pages == 3):
            raise DrawError("content.letter", "goes with three pages, and only with them")

    def draw(self) -> bytes:
        """All pages."""
        p = self.p
        p.open(1)
        y = self.opening()
        if p.pages == 3:
            self.letter(y)
        else:
            y = self.work(y)
            if p.pages == 1:
                self.terms(y - 2 * mm)
            else:
                p.text(p.margin, y, "Terms and signature: see page 2.", 8.5, ink=GREY)
        self.end_page()
        for page in range(2, p.pages + 1):
            p.open(page)
            y = small_head(
                p,
                self.content.firm.name,
                self.colour,
                f"{self.look.title.capitalize()} no. {{quote_number}}, continued",
            )
            if page == 2 and p.pages == 3:
                self.work(y)
            else:
                self.terms(y)
            self.end_page()
        return p.finish()

    def end_page(self) -> None:
        foot(self.p, self.content.firm.registered)
        self.p.close()

    def opening(self) -> float:
        """Head, addresses, reference block, subject."""
        p, content = self.p, self.content
        y = head(p, self.look, content.firm, self.colour, self.look.title)
        rows = [(f"{self.look.title.capitalize()} no.", "{quote_number}"), ("Date", "{date}")]
        rows += [
            (label, f"{{{name}}}")
            for label, name in (("Valid until", "valid_until"), ("Registration", "plate"))
            if p.has(name)
        ]
        rows += [(d.label, d.text) for d in content.details]
        low = references(p, y, rows)
        lines = [*(["{customer}"] if p.has("customer") else []), *content.customer_address]
        if lines:
            addressed(p, y, "For", lines)
        y = min(low, y - (len(lines) + 1) * 4.8 * mm) - 6 * mm
        for line in p.wrap(content.subject, p.width - 2 * p.margin, 11, bold=True):
            p.text(p.margin, y, line, 11, bold=True)
            y -= 5.4 * mm
        return y - 1.5 * mm

    def letter(self, y: float) -> None:
        """The covering letter."""
        p = self.p
        for paragraph in self.content.letter:
            y = p.block(p.margin, y, p.width - 2 * p.margin, paragraph, 10.5) - 2.5 * mm
        p.text(p.margin, y - 2 * mm, "Yours faithfully", 10.5)
        p.scrawl(p.margin + 2 * mm, y - 17 * mm, self.content.signed_for)
        p.text(p.margin, y - 25 * mm, self.content.signed_for, 10.5)
        p.room(y - 27 * mm)
        p.text(
            p.margin, 24 * mm, "Enclosed: our prices (page 2), terms and form of acceptance (page 3).", 8.5, ink=GREY
        )

    def work(self, y: float) -> float:
        """Findings, lines, sums."""
        p = self.p
        y = p.block(p.margin, y, p.width - 2 * p.margin, self.content.findings) - 4 * mm
        y = table(p, self.look, self.colour, y, self.content.sums, HEADINGS[self.content.layout])
        return totals(p, self.look, self.colour, y, self.content.sums)

    def terms(self, y: float) -> None:
        """Terms and two lines to sign on."""
        p = self.p
        p.text(p.margin, y, "Terms", 10.5, True, self.colour)
        y -= 6 * mm
        for n, term in enumerate(self.content.terms, start=1):
            p.text(p.margin, y, f"{n}.", 9)
            y = p.block(p.margin + 6 * mm, y, p.width - 2 * p.margin - 6 * mm, term, 9) - 1 * mm
        y -= 13 * mm
        p.room(y - 9 * mm)
        middle = p.width / 2 + 6 * mm
        p.line(p.margin, p.margin + 68 * mm, y, 0.7, INK)
        p.line(middle, p.width - p.margin, y, 0.7, INK)
        p.text(p.margin, y - 4.2 * mm, "Customer: please do this work", 8, ink=GREY)
        p.text(middle, y - 4.2 * mm, f"For {self.content.firm.name}: {self.content.signed_for}", 8, ink=GREY)
        p.scrawl(middle + 5 * mm, y + 1.5 * mm, self.content.signed_for)


def draw_trade_quote(made: FileProvenance) -> bytes:
    """The pages of `made.pages_present` as PDF, or as a phone photo of them if the content has a look."""
    content = TradeQuoteContent.model_validate(made.content)
    return finished(_TradeQuote(made, content).draw(), content.look, made.rng_seed or 0)
