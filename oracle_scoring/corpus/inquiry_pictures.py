"""Pictures of inquiry packages, drawn: a cable, a card with a code, a landscape, a blurred cable."""

import io
import random
from collections.abc import Callable

from PIL import Image, ImageDraw, ImageFilter
from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

SIZE = (900, 675)
Colour = tuple[int, int, int]


def _ground(rng: random.Random, base: Colour) -> Image.Image:
    """A surface with a soft grain."""
    small = Image.new("RGB", (90, 68))
    small.putdata([tuple(max(0, min(255, c + rng.randint(-9, 9))) for c in base) for _ in range(90 * 68)])
    return small.resize(SIZE, Image.Resampling.BICUBIC)


def cable(rng: random.Random, colour: Colour) -> Image.Image:
    """A braided cable with two metal plugs on a table."""
    image = _ground(rng, (214, 203, 188))
    pen = ImageDraw.Draw(image)
    turns = rng.uniform(0.9, 1.4)
    points = []
    for step in range(241):
        t = step / 240
        x = 150 + 600 * t
        y = 340 + 130 * (1 - abs(2 * t - 1)) * (1 if int(t * 6 * turns) % 2 else -1) * (0.4 + 0.6 * t)
        points.append((x, y))
    smooth = [
        (sum(p[0] for p in points[max(0, i - 22) : i + 23]) / len(points[max(0, i - 22) : i + 23]),
         sum(p[1] for p in points[max(0, i - 22) : i + 23]) / len(points[max(0, i - 22) : i + 23]))
        for i in range(len(points))
    ]  # fmt: skip
    pen.line([(x + 6, y + 10) for x, y in smooth], fill=(176, 165, 150), width=26, joint="curve")
    pen.line(smooth, fill=colour, width=24, joint="curve")
    bright = tuple(min(255, c + 46) for c in colour)
    for i in range(0, len(smooth) - 3, 3):
        (x, y), (u, v) = smooth[i], smooth[i + 3]
        pen.line([(x, y - 9), (u, v + 9)], fill=bright, width=2)
        pen.line([(x, y + 9), (u, v - 9)], fill=tuple(max(0, c - 30) for c in colour), width=2)
    for (x, y), side in ((smooth[0], -1), (smooth[-1], 1)):
        left, right = sorted((x, x + 84 * side))
        pen.rounded_rectangle([left, y - 26, right, y + 26], 10, fill=(58, 60, 66))
        left, right = sorted((x + 84 * side, x + 132 * side))
        pen.rounded_rectangle([left, y - 15, right, y + 15], 9, fill=(186, 190, 196), outline=(120, 124, 130), width=2)
    return image.filter(ImageFilter.GaussianBlur(0.8))


def blurred_cable(rng: random.Random, colour: Colour) -> Image.Image:
    """The same, so far out of focus that nobody could say what it is."""
    return cable(rng, colour).filter(ImageFilter.GaussianBlur(38))


def qr_card(rng: random.Random, colour: Colour) -> Image.Image:
    """A visiting card with a code that leads nowhere."""
    image = _ground(rng, (92, 108, 120))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle([150, 120, 750, 560], 24, fill=(250, 250, 248))
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(f"https://card.example/{rng.randrange(10**9)}")
    code.make()
    count = code.getModuleCount()
    cell = 300 // count
    for row in range(count):
        for column in range(count):
            if code.isDark(row, column):
                x, y = 190 + column * cell, 190 + row * cell
                pen.rectangle([x, y, x + cell - 1, y + cell - 1], fill=(12, 12, 12))
    for n, width in enumerate((190, 140, 160, 110)):
        pen.rounded_rectangle(
            [530, 220 + 62 * n, 530 + width, 240 + 62 * n], 6, fill=colour if n == 0 else (176, 180, 184)
        )
    return image


def landscape(rng: random.Random, colour: Colour) -> Image.Image:
    """Hills at a lake: nothing to do with any business."""
    image = Image.new("RGB", SIZE)
    pen = ImageDraw.Draw(image)
    for y in range(SIZE[1]):
        t = y / SIZE[1]
        pen.line([(0, y), (SIZE[0], y)], fill=(int(150 + 80 * t), int(190 + 40 * t), 235))
    for depth in range(3):
        base = 300 + 70 * depth
        ridge = [(0, SIZE[1])]
        ridge += [(x, base + rng.randint(-50, 50) // (depth + 1)) for x in range(0, SIZE[0] + 1, 75)]
        ridge.append((SIZE[0], SIZE[1]))
        shade = tuple(max(0, c - 22 * depth) for c in colour)
        pen.polygon(ridge, fill=shade)
    pen.rectangle([0, 540, *SIZE], fill=(96, 140, 168))
    return image.filter(ImageFilter.GaussianBlur(1.4))


RECIPES: dict[str, Callable[[random.Random, Colour], Image.Image]] = {
    "cable": cable,
    "blurred_cable": blurred_cable,
    "qr_card": qr_card,
    "landscape": landscape,
}


def drawn(recipe: str, colour: Colour, rng_seed: int) -> Image.Image:
    """The picture of a recipe; the same for the same seed."""
    return RECIPES[recipe](random.Random(rng_seed), colour)  # noqa: S311  (a picture, no secret)


def jpeg(image: Image.Image) -> bytes:
    """As a package holds it."""
    out = io.BytesIO()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()
