"""Pictures, videos and the catalogue of the seeded world: drawn from what it holds, the same every time."""

import hashlib
from html import escape

from harness.devstack.inquiry.world import Product, World

_COLOURS = ("#1f2937", "#b45309", "#0f766e", "#7c3aed", "#be123c", "#0369a1", "#4d7c0f", "#a16207")
_LINE_CHARS = 90


def picture(world: World, medium: str) -> str | None:
    """The medium as SVG: a poster with its styles, a product's picture, a moving picture for a video; None if unknown."""
    styles = world.styles_on(medium)
    if any(medium in ids for ids in world.media.posters.values()):
        return _poster(styles)
    for product in world.products:
        for m in product.media:
            if m.id == medium:
                return _product(product, moving=m.type == "video")
    if medium in world.media.kbvideos:
        return _scene("Workshop", _cable(60, 150, "#0f766e", moving=True))
    return None


def _colour(text: str) -> str:
    return _COLOURS[hashlib.sha256(text.encode()).digest()[0] % len(_COLOURS)]


def _cable(x: int, y: int, colour: str, moving: bool = False) -> str:
    turn = (
        '<animateTransform attributeName="transform" type="translate" values="0 0;0 14;0 0" dur="3s" repeatCount="indefinite"/>'
        if moving
        else ""
    )
    return (
        f'<g>{turn}<path d="M{x} {y}c40-60 80 60 120 0s60-50 90 0" fill="none" stroke="{colour}" stroke-width="9" '
        f'stroke-linecap="round"/><rect x="{x - 26}" y="{y - 9}" width="28" height="18" rx="4" fill="#9ca3af"/>'
        f'<rect x="{x + 208}" y="{y - 9}" width="28" height="18" rx="4" fill="#9ca3af"/></g>'
    )


def _scene(title: str, inside: str, height: int = 260) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 {height}" width="360" height="{height}">'
        f'<rect width="360" height="{height}" fill="#f8fafc"/>'
        f'<text x="20" y="36" font-family="sans-serif" font-size="20" fill="#111827">{escape(title)}</text>{inside}</svg>'
    )


def _poster(styles: list[str]) -> str:
    rows = []
    for n, style in enumerate(styles):
        y = 90 + 80 * n
        rows.append(_cable(80, y, _colour(style)))
        rows.append(
            f'<text x="20" y="{y - 26}" font-family="sans-serif" font-size="16" fill="#374151">{escape(style)}</text>'
        )
    return _scene("Beiyijia", "".join(rows), 120 + 80 * max(len(styles), 1))


def _product(product: Product, moving: bool) -> str:
    return _scene(product.model, _cable(62, 150, _colour(product.model), moving))


def document(world: World) -> bytes:
    """The catalogue as a PDF with one page of text, written by hand: standard font, Latin letters only."""
    lines = ["Beiyijia - catalogue", ""]
    for product in world.products:
        lines.append(product.model)
        lines += ["  " + ", ".join(f"{k} {v}" for k, v in row.items()) for row in product.specifications]
    drawn = ["BT /F1 11 Tf 50 790 Td 16 TL"]
    for line in lines[:46]:
        plain = line.replace("—", "-").encode("latin-1", "replace").decode("latin-1")[:_LINE_CHARS]
        for mark in ("\\", "(", ")"):
            plain = plain.replace(mark, "\\" + mark)
        drawn.append(f"({plain}) Tj T*")
    drawn.append("ET")
    stream = "\n".join(drawn).encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(out))
    )
