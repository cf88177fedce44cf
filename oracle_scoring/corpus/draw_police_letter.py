"""A police force's letter that confirms a report: one A4 page, with an annex two."""

import numpy as np
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4

from oracle_scoring.corpus.document_content import PoliceLetterContent
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.paper import GREY, DrawError, Family, Paper, mm
from oracle_scoring.corpus.paper_badge import badge
from oracle_scoring.corpus.paper_pen import name_seed
from oracle_scoring.corpus.paper_style import foot, small_head
from oracle_scoring.corpus.phone_look import finished

FAMILIES: tuple[Family, Family] = ("serif", "sans")


def _head(p: Paper, content: PoliceLetterContent, colour: Color) -> None:
    """Badge, name and rule; where they stand depends on the name of the force."""
    left, right, top = p.margin, p.width - p.margin, p.height - 16 * mm
    rng = np.random.default_rng([name_seed(content.force), 10])
    side, family, rule = int(rng.integers(0, 3)), FAMILIES[int(rng.integers(0, 2))], int(rng.integers(0, 3))
    size = float(rng.choice([17.0, 19.0, 21.0]))
    if side == 2:
        badge(p, right - 11 * mm, top - 11 * mm, colour, content.force)
        p.text(left, top - 10 * mm, content.force, size, True, colour, family=family)
        p.text(left, top - 16.5 * mm, content.unit, 10.5, ink=GREY, family=family)
    else:
        badge(p, left + 11 * mm, top - 11 * mm, colour, content.force)
        name = content.force.upper() if side == 1 else content.force
        p.text(left + 27 * mm, top - 10 * mm, name, size - 3 * side, True, colour, family=family)
        p.text(left + 27 * mm, top - 16.5 * mm, content.unit, 10.5, ink=GREY, family=family, slanted=side == 1)
    p.line(left, right, top - 25 * mm, (1.2, 0.5, 2.6)[rule], colour)
    if rule == 1:
        p.line(left, right, top - 26 * mm, 1.4, colour)


def _pages(made: FileProvenance, content: PoliceLetterContent) -> bytes:
    p = Paper(made, A4, "serif")
    colour = HexColor(content.colour)
    p.need_pages(2 if content.annex else 1)
    p.require("date", "police_reference", "customer")
    p.margin = 24 * mm
    left, right, top = p.margin, p.width - p.margin, p.height - 16 * mm
    p.open(1)
    _head(p, content, colour)
    for n, line in enumerate([*content.address, *content.contact]):
        p.text(right, top - 31 * mm - n * 4.1 * mm, line, 8.5, ink=GREY, align="right", family="sans")
    y = top - 42 * mm
    for line in ["{customer}", *content.customer_address]:
        p.text(left, y, line, 11)
        y -= 5 * mm
    y = min(y, top - 31 * mm - 4.1 * mm * (len(content.address) + len(content.contact))) - 6 * mm
    p.text(left, y, "Date of issue: {date}", 11)
    p.text(left, y - 5.4 * mm, "Our reference: {police_reference}", 11, bold=True)
    y -= 17 * mm
    p.text(left, y, content.salutation, 11)
    y = p.block(left, y - 9 * mm, right - left, content.subject, 12, bold=True) - 1 * mm
    for detail in content.details:
        p.text(left + 3 * mm, y, detail.label, 10, bold=True)
        y = p.block(left + 48 * mm, y, right - left - 48 * mm, detail.text, 10) - 0.6 * mm
    y -= 3 * mm
    for paragraph in content.paragraphs:
        y = p.block(left, y, right - left, paragraph, 11) - 2.4 * mm
    p.text(left, y - 1 * mm, "Yours sincerely", 11)
    p.scrawl(left + 2 * mm, y - 14 * mm, content.officer)
    p.text(left, y - 21 * mm, content.officer, 11)
    p.text(left, y - 25.6 * mm, content.rank, 10, ink=GREY)
    p.room(y - 28 * mm)
    foot(p, content.registered)
    p.close()
    if content.annex_title is not None:
        p.open(2)
        y = small_head(p, content.force, colour, "Reference {police_reference}, annex")
        y = p.block(left, y, right - left, content.annex_title, 12, bold=True) - 2 * mm
        for n, words in enumerate(content.annex, start=1):
            p.text(left, y, f"{n}.", 10.5)
            y = p.block(left + 8 * mm, y, right - left - 8 * mm, words, 10.5) - 1.2 * mm
        foot(p, content.registered)
        p.close()
    elif p.pages == 2:
        raise DrawError("pages_total", "is 2 without an annex")
    return p.finish()


def draw_police_letter(made: FileProvenance) -> bytes:
    """The pages of `made.pages_present` as PDF, or as a phone photo of them if the content has a look."""
    content = PoliceLetterContent.model_validate(made.content)
    return finished(_pages(made, content), content.look, made.rng_seed or 0)
