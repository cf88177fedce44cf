"""How different trades lay out their paper: heads, signs, tables, sums."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from reportlab.lib.colors import Color, HexColor, white

from oracle_scoring.corpus.document_content import Firm, Line, Sums
from oracle_scoring.corpus.paper import GREY, INK, Family, Paper, mm, money
from oracle_scoring.corpus.paper_pen import name_seed

PALE = HexColor("#f1f4f7")


@dataclass(frozen=True)
class Look:
    """The choices of one trade."""

    title: str
    """"QUOTATION", "ESTIMATE", "INVOICE", …"""
    family: Family
    head: Literal["sign_left", "sign_right", "band", "centred", "boxed", "stripe"]
    table: Literal["filled", "lines", "grid", "dotted"]
    sign: str
    """Name of a drawing in SIGNS."""


LOOKS: dict[str, Look] = {
    "plumber": Look("QUOTATION", "sans", "sign_left", "lines", "drop"),
    "builder": Look("ESTIMATE", "serif", "boxed", "grid", "bricks"),
    "roofer": Look("QUOTATION", "sans", "band", "filled", "gable"),
    "bodyshop": Look("REPAIR ESTIMATE", "sans", "sign_right", "filled", "car"),
    "dent_repair": Look("QUOTE", "typed", "centred", "dotted", "ring"),
    "glazier": Look("QUOTATION", "sans", "stripe", "lines", "pane"),
    "recovery": Look("INVOICE", "typed", "boxed", "grid", "hook"),
    "shop": Look("INVOICE", "sans", "band", "lines", "bag"),
    "online_shop": Look("INVOICE", "sans", "sign_left", "filled", "bag"),
    "jeweller": Look("INVOICE", "serif", "centred", "dotted", "gem"),
    "car_dealer": Look("SALES INVOICE", "sans", "stripe", "grid", "car"),
}

Stroke = list[tuple[float, float]]


def _drop(p: Paper, x: float, y: float, s: float) -> None:
    path = p.c.beginPath()
    path.moveTo(x, y + 0.46 * s)
    path.curveTo(x + 0.10 * s, y + 0.2 * s, x + 0.32 * s, y, x + 0.32 * s, y - 0.16 * s)
    path.curveTo(x + 0.32 * s, y - 0.56 * s, x - 0.32 * s, y - 0.56 * s, x - 0.32 * s, y - 0.16 * s)
    path.curveTo(x - 0.32 * s, y, x - 0.10 * s, y + 0.2 * s, x, y + 0.46 * s)
    p.c.drawPath(path, stroke=0, fill=1)


def _bricks(p: Paper, x: float, y: float, s: float) -> None:
    for row in range(4):
        for column in range(-1, 3):
            left = max(-0.45, -0.45 + column * 0.32 + (0.16 if row % 2 else 0))
            right = min(0.45, -0.45 + column * 0.32 + (0.16 if row % 2 else 0) + 0.28)
            if right > left:
                p.c.rect(x + left * s, y + (-0.40 + row * 0.21) * s, (right - left) * s, 0.16 * s, stroke=0, fill=1)


def _polygons(*shapes: Stroke) -> Callable[[Paper, float, float, float], None]:
    def draw(p: Paper, x: float, y: float, s: float) -> None:
        for shape in shapes:
            path = p.c.beginPath()
            path.moveTo(x + shape[0][0] * s, y + shape[0][1] * s)
            for px, py in shape[1:]:
                path.lineTo(x + px * s, y + py * s)
            path.close()
            p.c.drawPath(path, stroke=0, fill=1)

    return draw


def _car(p: Paper, x: float, y: float, s: float) -> None:
    _polygons(
        [(-0.5, -0.2), (-0.5, 0.02), (-0.32, 0.07), (-0.16, 0.28), (0.2, 0.28), (0.36, 0.06), (0.5, 0), (0.5, -0.2)]
    )(p, x, y, s)
    for dx in (-0.27, 0.28):
        p.c.circle(x + dx * s, y - 0.2 * s, 0.12 * s, stroke=0, fill=1)


def _ring(p: Paper, x: float, y: float, s: float) -> None:
    p.c.setLineWidth(0.08 * s)
    for radius in (0.42, 0.24):
        p.c.circle(x, y, radius * s, stroke=1, fill=0)
    p.c.circle(x, y, 0.08 * s, stroke=0, fill=1)


def _pane(p: Paper, x: float, y: float, s: float) -> None:
    for dx in (-0.42, 0.03):
        for dy in (-0.42, 0.03):
            p.c.rect(x + dx * s, y + dy * s, 0.39 * s, 0.39 * s, stroke=0, fill=1)


def _hook(p: Paper, x: float, y: float, s: float) -> None:
    p.c.setLineWidth(0.10 * s)
    path = p.c.beginPath()
    path.moveTo(x, y + 0.45 * s)
    path.lineTo(x, y + 0.08 * s)
    path.curveTo(x + 0.5 * s, y - 0.1 * s, x + 0.2 * s, y - 0.62 * s, x - 0.22 * s, y - 0.25 * s)
    p.c.drawPath(path, stroke=1, fill=0)
    p.c.circle(x, y + 0.40 * s, 0.1 * s, stroke=1, fill=0)


def _bag(p: Paper, x: float, y: float, s: float) -> None:
    _polygons([(-0.36, -0.45), (-0.30, 0.2), (0.30, 0.2), (0.36, -0.45)])(p, x, y, s)
    p.c.setLineWidth(0.06 * s)
    p.c.arc(x - 0.16 * s, y + 0.02 * s, x + 0.16 * s, y + 0.42 * s, 0, 180)


SIGNS: dict[str, Callable[[Paper, float, float, float], None]] = {
    "drop": _drop,
    "bricks": _bricks,
    "gable": _polygons(
        [(-0.5, 0.0), (0, 0.42), (0.5, 0), (0.40, 0), (0, 0.32), (-0.40, 0)],
        [(-0.30, -0.4), (-0.30, 0.02), (0, 0.24), (0.30, 0.02), (0.30, -0.4)],
    ),
    "car": _car,
    "ring": _ring,
    "pane": _pane,
    "hook": _hook,
    "bag": _bag,
    "gem": _polygons(
        [(-0.45, 0.1), (-0.25, 0.32), (0.25, 0.32), (0.45, 0.1)], [(-0.45, 0.06), (0.45, 0.06), (0, -0.45)]
    ),
}


@dataclass(frozen=True)
class Letterhead:
    """What tells one firm's head from another's of the same trade; the firm's name alone decides it."""

    frame: Literal["bare", "disc", "square", "ring", "lozenge"]
    """What the sign stands in."""
    family: Family | None
    """Type of the firm's name; None: that of the paper."""
    size: float
    """Of the name, against the usual one."""
    rules: tuple[float, ...]
    """Widths of the lines below the head, in points."""


FRAMES: tuple[Literal["bare", "disc", "square", "ring", "lozenge"], ...] = ("bare", "disc", "square", "ring", "lozenge")
RULES: tuple[tuple[float, ...], ...] = ((1.4,), (0.5, 1.4), (3.0,), (0.6, 0.6))


def letterhead(firm: str) -> Letterhead:
    """The head of the firm of that name; always the same."""
    rng = np.random.default_rng(name_seed(firm))
    family: Family | None = (None, "serif", "sans")[int(rng.integers(0, 3))]
    frame = FRAMES[int(rng.integers(0, len(FRAMES)))]
    return Letterhead(frame, family, float(rng.uniform(0.92, 1.1)), RULES[int(rng.integers(0, len(RULES)))])


def _sign(p: Paper, look: Look, own: Letterhead, x: float, y: float, size: float, colours: tuple[Color, Color]) -> None:
    """The trade's sign in the firm's frame; `colours` are those of the sign and of what it stands on."""
    front, behind = colours
    p.c.setFillColor(front)
    p.c.setStrokeColor(front)
    half = 0.58 * size
    if own.frame == "ring":
        p.c.setLineWidth(0.06 * size)
        p.c.circle(x, y, half, stroke=1, fill=0)
    elif own.frame != "bare":
        if own.frame == "disc":
            p.c.circle(x, y, half, stroke=0, fill=1)
        elif own.frame == "square":
            p.c.roundRect(x - 0.9 * half, y - 0.9 * half, 1.8 * half, 1.8 * half, 0.3 * half, stroke=0, fill=1)
        else:
            _polygons([(0, 0.66), (0.66, 0), (0, -0.66), (-0.66, 0)])(p, x, y, size)
        p.c.setFillColor(behind)
        p.c.setStrokeColor(behind)
    shrink = {"bare": 1.0, "ring": 0.72, "disc": 0.76, "square": 0.8, "lozenge": 0.62}[own.frame]
    SIGNS[look.sign](p, x, y, size * shrink)


def _rules(p: Paper, own: Letterhead, y: float, colour: Color) -> None:
    for width in own.rules:
        p.line(p.margin, p.width - p.margin, y, width, colour)
        y -= 1 * mm


def head(p: Paper, look: Look, firm: Firm, colour: Color, title: str) -> float:
    """The title (first, so that it is read first) and the firm's head; the y below it."""
    left, right, top = p.margin, p.width - p.margin, p.height - 16 * mm
    words = [*firm.address, *firm.contact]
    own = letterhead(firm.name)
    if look.head in ("sign_left", "sign_right"):
        p.text(left, top - 30 * mm, title, 16, bold=True)
        mirrored = look.head == "sign_right"
        x = right - 9 * mm if mirrored else left + 9 * mm
        _sign(p, look, own, x, top - 8.5 * mm, 16 * mm, (colour, white))
        at = right - 22 * mm if mirrored else left + 22 * mm
        p.text(at, top - 6.5 * mm, firm.name, 18 * own.size, True, colour, "right" if mirrored else "left", own.family)
        if firm.motto:
            p.text(at, top - 12.5 * mm, firm.motto, 9, ink=GREY, align="right" if mirrored else "left")
        for n, line in enumerate(words):
            p.text(
                left if mirrored else right,
                top - 2 * mm - n * 3.9 * mm,
                line,
                8,
                ink=GREY,
                align="left" if mirrored else "right",
            )
        _rules(p, own, top - 22 * mm, colour)
        return top - 38 * mm
    if look.head == "band":
        p.box(0, p.height - 34 * mm, p.width, 34 * mm, colour)
        p.text(right, p.height - 46 * mm, title, 18, True, colour, "right")
        _sign(p, look, own, left + 8 * mm, p.height - 17 * mm, 15 * mm, (white, colour))
        p.text(left + 20 * mm, p.height - 16 * mm, firm.name, 19 * own.size, True, white, family=own.family)
        if firm.motto:
            p.text(left + 20 * mm, p.height - 22 * mm, firm.motto, 9, ink=white)
        for n, line in enumerate(words):
            p.text(right, p.height - 8.5 * mm - n * 3.8 * mm, line, 7.5, ink=white, align="right")
        return p.height - 54 * mm
    if look.head == "centred":
        middle = p.width / 2
        p.text(middle, top - 39.5 * mm, title, 14, bold=True, align="centre")
        _sign(p, look, own, middle, top - 2 * mm, 10 * mm, (colour, white))
        p.text(middle, top - 15 * mm, firm.name, 20 * own.size, True, colour, "centre", own.family)
        if firm.motto:
            p.text(middle, top - 20 * mm, firm.motto, 9.5, ink=GREY, align="centre", slanted=True)
        p.text(middle, top - 25.5 * mm, "  ·  ".join(firm.address), 8, ink=GREY, align="centre")
        p.text(middle, top - 29 * mm, "  ·  ".join(firm.contact), 8, ink=GREY, align="centre")
        _rules(p, own, top - 31.5 * mm, colour)
        return top - 49 * mm
    if look.head == "boxed":
        p.c.setStrokeColor(colour)
        p.c.setLineWidth(1.5)
        p.c.rect(left, top - 27 * mm, right - left, 27 * mm, stroke=1, fill=0)
        p.c.line(left + 108 * mm, top, left + 108 * mm, top - 27 * mm)
        p.text(left + 139 * mm, top - 9 * mm, title, 16, True, colour, "centre")
        _sign(p, look, own, left + 139 * mm, top - 18.5 * mm, 11 * mm, (colour, white))
        p.text(left + 4 * mm, top - 8 * mm, firm.name, 15 * own.size, bold=True, family=own.family)
        if firm.motto:
            p.text(left + 4 * mm, top - 12.5 * mm, firm.motto, 9, slanted=True)
        p.text(left + 4 * mm, top - 18.5 * mm, ", ".join(firm.address), 8.5)
        p.text(left + 4 * mm, top - 23 * mm, "   ".join(firm.contact), 8.5)
        return top - 37 * mm
    p.box(0, 0, 9 * mm, p.height, colour)
    p.text(left, top - 6 * mm, title, 22, True, colour)
    _sign(p, look, own, right - 7 * mm, top - 4 * mm, 13 * mm, (colour, white))
    p.text(right - 17 * mm, top - 2 * mm, firm.name, 13 * own.size, True, align="right", family=own.family)
    for n, line in enumerate([*([firm.motto] if firm.motto else []), *words]):
        p.text(right - 17 * mm, top - 7 * mm - n * 3.9 * mm, line, 8, ink=GREY, align="right")
    return top - 38 * mm


def small_head(p: Paper, firm: str, colour: Color, words: str) -> float:
    """The head of a further page; the y below it."""
    top = p.height - 18 * mm
    p.text(p.margin, top, words, 11, bold=True)
    p.text(p.width - p.margin, top, firm, 10, True, colour, "right")
    p.line(p.margin, p.width - p.margin, top - 3.5 * mm, 1, colour)
    return top - 14 * mm


def foot(p: Paper, registered: str) -> None:
    """Small print and `Page X of N`."""
    p.line(p.margin, p.width - p.margin, 17 * mm)
    y = 13 * mm
    for line in p.wrap(registered, p.width - 2 * p.margin - 32 * mm, 7):
        p.text(p.margin, y, line, 7, ink=GREY)
        y -= 3 * mm
    p.text(p.width - p.margin, 13 * mm, f"Page {p.page} of {p.pages}", 8.5, bold=True, align="right")


def addressed(p: Paper, y: float, label: str, lines: list[str]) -> None:
    """Who it is for, on the left."""
    p.text(p.margin, y, label, 8, ink=GREY)
    for n, line in enumerate(lines):
        p.text(p.margin, y - (n + 1) * 4.8 * mm, line, 10, bold=n == 0)


def references(p: Paper, y: float, rows: list[tuple[str, str]]) -> float:
    """`label: value` below each other on the right; the y below them."""
    x = p.width - p.margin - 76 * mm
    for label, words in rows:
        first = True
        for line in p.wrap(f"{label}: {words}", 76 * mm, 9.5, bold=True):
            p.text(x if first else x + 4 * mm, y, line, 9.5, bold=label in ("Date", "Registration"))
            first = False
            y -= 5.3 * mm
    return y


def _row_paint(p: Paper, look: Look, n: int, y: float, tall: float, edges: tuple[float, ...]) -> None:
    left, right = edges[0], edges[-1]
    if look.table == "filled" and n % 2:
        p.box(left, y, right - left, tall, PALE)
    elif look.table == "lines":
        p.line(left, right, y, 0.3)
    elif look.table == "dotted":
        p.c.setDash(0.6, 2)
        p.line(left, right, y + 0.6 * mm, 0.6)
        p.c.setDash()
    elif look.table == "grid":
        p.line(left, right, y, 0.5, INK)
        for x in edges:
            p.c.line(x, y, x, y + tall)


def _quantity(line: Line) -> str:
    return f"{line.quantity} {line.unit}" if line.unit else line.quantity


def table(p: Paper, look: Look, colour: Color, y: float, sums: Sums, heading: str) -> float:
    """Lines with quantity, price and amount; the y below the last."""
    left, right = p.margin, p.width - p.margin
    edges = (left, right - 72 * mm, right - 49 * mm, right - 25 * mm, right)
    ends = [x - 2 * mm for x in edges[2:]]
    ink = white if look.table == "filled" else INK
    if look.table == "filled":
        p.box(left, y - 2.4 * mm, right - left, 7.4 * mm, colour)
    elif look.table == "grid":
        p.box(left, y - 2.4 * mm, right - left, 7.4 * mm, PALE)
        p.c.setStrokeColor(INK)
        p.c.setLineWidth(0.8)
        p.c.rect(left, y - 2.4 * mm, right - left, 7.4 * mm, stroke=1, fill=0)
    else:
        p.line(left, right, y - 2.4 * mm, 1.1, colour)
    p.text(left + 2 * mm, y, heading, 9, bold=True, ink=ink)
    for x, words in zip(ends, ("Qty", "Price", "Amount"), strict=True):
        p.text(x, y, words, 9, True, ink, "right")
    y -= 2.4 * mm
    for n, line in enumerate(sums.lines):
        what = p.wrap(line.what, edges[1] - left + (-4 if look.table == "grid" else 8) * mm, 9)
        tall = (2.8 + 4.2 * len(what)) * mm
        y -= tall
        _row_paint(p, look, n, y, tall, edges if look.table == "grid" else (left, right))
        base = y + tall - 4.8 * mm
        for k, words in enumerate(what):
            p.text(left + 2 * mm, base - k * 4.2 * mm, words, 9)
        for x, words in zip(ends, (_quantity(line), money(line.unit_price), money(line.amount)), strict=True):
            p.text(x, base, words, 9, align="right")
    p.room(y)
    return y - 6.5 * mm


def totals(p: Paper, look: Look, colour: Color, y: float, sums: Sums) -> float:
    """Net, VAT and the total; the y below."""
    right = p.width - p.margin
    if sums.vat_rate is not None:
        for label, words in (("Net", money(sums.net)), (f"VAT at {sums.vat_rate} %", money(sums.vat))):
            p.text(right - 27 * mm, y, label, 9.5, align="right")
            p.text(right - 2 * mm, y, words, 9.5, align="right")
            y -= 5.6 * mm
    words = "Total including VAT: {total}" if sums.vat_rate is not None else "Total to pay: {total}"
    y -= 2 * mm
    wide = 84 * mm
    if look.table in ("filled", "lines"):
        p.box(right - wide, y - 2.9 * mm, wide, 8.4 * mm, HexColor("#e4e9ef"))
    else:
        p.line(right - wide, right, y + 5 * mm, 0.8, INK)
        p.line(right - wide, right, y - 2.6 * mm, 0.8, INK)
        p.line(right - wide, right, y - 3.3 * mm, 0.8, INK)
    p.text(right - 2 * mm, y, words, 10.5, bold=True, align="right")
    y -= 8 * mm
    if sums.vat_note:
        p.text(right - 2 * mm, y, sums.vat_note, 8, ink=GREY, align="right")
        y -= 5 * mm
    p.room(y)
    return y
