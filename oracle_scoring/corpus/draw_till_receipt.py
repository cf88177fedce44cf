"""A till receipt: a strip of thermal paper."""

from decimal import Decimal

import numpy as np
from reportlab.lib.colors import Color

from oracle_scoring.corpus.document_content import TillReceiptContent
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper import Paper, mm
from oracle_scoring.corpus.phone_look import finished

WIDTH = 80 * mm
SIZE = 9
STEP = 4.3 * mm
EDGE = 6 * mm


def _print(p: Paper, content: TillReceiptContent, y: float) -> float:
    """Everything from the top down; the y below the last line."""
    left, right, middle = EDGE, WIDTH - EDGE, WIDTH / 2

    def centred(words: str, size: float = SIZE, bold: bool = False) -> None:
        nonlocal y
        for line in p.wrap(words, right - left, size, bold):
            p.text(middle, y, line, size, bold, align="centre")
            y -= STEP * size / SIZE

    def pair(words: str, amount: str, bold: bool = False) -> None:
        nonlocal y
        p.text(left, y, words, SIZE, bold)
        p.text(right, y, amount, SIZE, bold, align="right")
        y -= STEP

    def dashes() -> None:
        nonlocal y
        p.text(left, y, "-" * 35, SIZE)
        y -= STEP

    centred(content.shop, 14, bold=True)
    if content.tagline:
        centred(content.tagline)
    for line in content.address:
        centred(line, 8)
    centred("SALES RECEIPT", SIZE, bold=True)
    dashes()
    for label, name in (("Date", "date"), ("Time", "time"), ("Receipt", "receipt_number")):
        if p.has(name):
            p.text(left, y, f"{label}: {{{name}}}", SIZE)
            y -= STEP
    p.text(left, y, content.till, SIZE)
    y -= STEP
    dashes()
    for bought in content.lines:
        pair(f"{bought.quantity} {bought.what}"[:28], f"{Decimal(bought.amount):.2f}")
    dashes()
    y -= 1 * mm
    p.text(left, y, "TOTAL {total}", 12, bold=True)
    y -= STEP * 1.3
    net = (content.total / (1 + Decimal(content.vat_rate) / 100)).quantize(Decimal("0.01"))
    pair(f"VAT {content.vat_rate}% included", f"{content.total - net:.2f}")
    dashes()
    centred(content.paid_by)
    for line in content.footer:
        y -= 1 * mm
        centred(line, 8)
    y -= 2 * mm
    rng = np.random.default_rng([p.made.rng_seed or 0, 3])
    x = middle - 24 * mm
    p.c.setFillColor(p.ink)
    while x < middle + 24 * mm:
        bar = float(rng.choice([0.3, 0.6, 0.9])) * mm
        p.c.rect(x, y - 9 * mm, bar, 10 * mm, stroke=0, fill=1)
        x += bar + float(rng.choice([0.3, 0.6, 0.9])) * mm
    y -= 14 * mm
    centred(content.registered, 7)
    centred("Page 1 of 1", 8)
    return y


def _strip(made: FileProvenance, content: TillReceiptContent) -> bytes:
    height = 400 * mm
    for final in (False, True):
        p = Paper(made, (WIDTH, height), "typed")
        tone = 0.10 + 0.62 * content.fading
        p.ink = Color(tone, tone, tone + 0.03)
        p.need_pages(1)
        p.require("date", "total")
        p.require_total(content.total)
        p.open(1)
        end = _print(p, content, height - 11 * mm)
        p.close()
        if final:
            break
        height -= end - 6 * mm
    return p.finish()


def draw_till_receipt(made: FileProvenance) -> bytes:
    """The strip as PDF, or as a phone photo of it if the content has a look."""
    content = TillReceiptContent.model_validate(made.content)
    return finished(_strip(made, content), content.look, made.rng_seed or 0)
