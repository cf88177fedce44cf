"""An invoice on one or two A4 pages: recovery of a car, something bought."""

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4

from oracle_scoring.corpus.document_content import InvoiceContent
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper import Paper, mm
from oracle_scoring.corpus.paper_style import LOOKS, addressed, foot, head, references, small_head, table, totals
from oracle_scoring.corpus.phone_look import finished

HEADINGS = {
    "recovery": "Service",
    "shop": "Item",
    "online_shop": "Item",
    "jeweller": "Article",
    "car_dealer": "Vehicle and extras",
}


def _notes(p: Paper, y: float, notes: list[str]) -> None:
    for note in notes:
        y = p.block(p.margin, y, p.width - 2 * p.margin, note, 9) - 1.5 * mm


def _pages(made: FileProvenance, content: InvoiceContent) -> bytes:
    look, colour = LOOKS[content.layout], HexColor(content.colour)
    p = Paper(made, A4, look.family)
    p.need_pages(1, 2)
    p.require("invoice_number", "date", "total")
    p.require_total(content.sums.total)
    p.open(1)
    y = head(p, look, content.firm, colour, look.title)
    rows = [("Invoice no.", "{invoice_number}"), ("Date", "{date}")]
    rows += [("Registration", "{plate}")] if p.has("plate") else []
    low = references(p, y, rows)
    lines = [*(["{customer}"] if p.has("customer") else []), *content.customer_address]
    if lines:
        addressed(p, y, "Invoice to" if content.layout == "recovery" else "Sold to", lines)
    y = min(low, y - (len(lines) + 1) * 4.8 * mm) - 5 * mm
    if content.subject:
        y = p.block(p.margin, y, p.width - 2 * p.margin, content.subject, 11, bold=True) - 1.5 * mm
    for detail in content.details:
        p.text(p.margin, y, detail.label, 9, bold=True)
        y = p.block(p.margin + 42 * mm, y, p.width - 2 * p.margin - 42 * mm, detail.text, 9)
        y -= 0.6 * mm
    y = table(p, look, colour, y - 4 * mm, content.sums, HEADINGS[content.layout])
    y = totals(p, look, colour, y, content.sums)
    y = p.block(p.margin, y, p.width - 2 * p.margin, content.payment, 10, bold=True) - 3 * mm
    if p.pages == 1:
        _notes(p, y, content.notes)
    foot(p, content.firm.registered)
    p.close()
    if p.pages == 2:
        p.open(2)
        _notes(p, small_head(p, content.firm.name, colour, "Invoice no. {invoice_number}, continued"), content.notes)
        foot(p, content.firm.registered)
        p.close()
    return p.finish()


def draw_invoice(made: FileProvenance) -> bytes:
    """The pages of `made.pages_present` as PDF, or as a phone photo of them if the content has a look."""
    content = InvoiceContent.model_validate(made.content)
    return finished(_pages(made, content), content.look, made.rng_seed or 0)
