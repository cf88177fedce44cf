"""Strokes of a pen that look like a person's signature and spell nothing.

The name alone decides the hand: pen, slant, breadth, kind of stroke and flourish. The same name signs alike on every paper.
"""

import hashlib
from collections.abc import Callable

import numpy as np
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm as _reportlab_mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

mm = float(_reportlab_mm)
PENS = ("#1c3f94", "#14213d", "#26292e", "#274b8f", "#3b2a6b", "#0d3b4f")
Point = tuple[float, float]


def name_seed(name: str) -> int:
    """A seed that depends on the letters of a name and on nothing else."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:8], "big")


class _Hand:
    """One signature's path; x and y in millimetres from where it begins, leaning as the hand leans."""

    def __init__(self, path: PDFPathObject, x: float, y: float, slant: float) -> None:
        self.path, self.x, self.y, self.slant = path, x, y, slant

    def _at(self, point: Point) -> Point:
        x, y = point
        return self.x + (x + self.slant * y) * mm, self.y + y * mm

    def move(self, to: Point) -> None:
        self.path.moveTo(*self._at(to))

    def curve(self, one: Point, two: Point, to: Point) -> None:
        self.path.curveTo(*self._at(one), *self._at(two), *self._at(to))


def _loops(hand: _Hand, rng: np.random.Generator) -> float:
    """Tall loops that tire towards the end; some hang below the line."""
    count, tall = int(rng.integers(3, 7)), float(rng.uniform(5, 10))
    x = 0.0
    hand.move((0, float(rng.uniform(0, 3))))
    for n in range(count):
        wide = float(rng.uniform(3.6, 7.0))
        up = tall * float(rng.uniform(0.4, 1.0)) / (1 + 0.35 * n)
        low = -float(rng.choice([0.3, 0.5, 3.6]))
        hand.curve((x + 0.5 * wide, up), (x - 0.1 * wide, up * 1.25), (x + 0.25 * wide, low))
        hand.curve((x + 0.35 * wide, low - 1), (x + 0.8 * wide, 0.4), (x + wide, 0.8))
        x += wide
    return x


def _peaks(hand: _Hand, rng: np.random.Generator) -> float:
    """A first letter like a peak, then a quick low zigzag."""
    x, tall = float(rng.uniform(4, 7)), float(rng.uniform(7, 11))
    hand.move((0, -1))
    hand.curve((0.3 * x, tall * 0.7), (0.5 * x, tall), (0.6 * x, tall))
    hand.curve((0.65 * x, tall), (0.8 * x, 1), (x, -0.6))
    for _ in range(int(rng.integers(4, 10))):
        wide, up = float(rng.uniform(1.4, 3.4)), float(rng.uniform(0.8, 3.2))
        hand.curve((x + 0.2 * wide, up), (x + 0.4 * wide, up), (x + 0.5 * wide, up * 0.6))
        hand.curve((x + 0.6 * wide, 0), (x + 0.8 * wide, -0.3), (x + wide, 0.1))
        x += wide
    return x


BOWLS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((1.5, 1.3), (1, 1.9), (-0.4, 1.4), (0, 0.45), (0.3, -0.6), (1.7, -0.3), (1.5, 0.7), (1.4, 1.3), (0.7, 0.9), (1.1, 0.2)),
    ((0.2, 1.6), (0.1, 0.9), (0, 0.3), (0.1, -0.3), (1.9, -0.5), (2.1, 1.6), (0.1, 1.7), (-0.6, 1.6), (0.6, 0.3), (1.2, 0.1)),
    ((1.5, 1.6), (0.9, 2.2), (-0.2, 1.7), (0.5, 1.0), (1.2, 0.4), (1.5, -0.5), (0.3, -0.3), (-0.7, 0), (0.5, 0.8), (1.3, 0.2)),
    ((0, 0.9), (0.1, 2.2), (1.6, 2.1), (1.4, 0.8), (1.2, -0.7), (-0.2, -0.4), (0.3, 0.7), (0.7, 1.3), (1, 0.5), (1.3, 0)),
)  # fmt: skip
"""Round first strokes: where the pen goes down, then three curves of three points; 1 is the hand's size."""


def _round(hand: _Hand, rng: np.random.Generator) -> float:
    """A large round first stroke that the rest begins in, and a few humps or hanging loops."""
    big = float(rng.uniform(3.6, 6.2))
    bowl = BOWLS[int(rng.integers(0, len(BOWLS)))]
    at = [(big * (x + float(rng.normal(0, 0.12))), big * (y + float(rng.normal(0, 0.12)))) for x, y in bowl]
    hand.move(at[0])
    for n in (1, 4, 7):
        hand.curve(at[n], at[n + 1], at[n + 2])
    x, hanging = at[-1][0], float(rng.choice([-0.6, -0.6, -4.0]))
    for n in range(int(rng.integers(1, 6))):
        wide, up = float(rng.uniform(2.2, 5.5)), float(rng.uniform(1.2, 5.2))
        low = hanging if n == 1 else -0.6
        hand.curve((x + 0.3 * wide, up), (x + 0.7 * wide, up), (x + 0.75 * wide, 0.2))
        hand.curve((x + 0.8 * wide, low), (x + 0.5 * wide, low), (x + wide, 0.5))
        x += wide
    return x


def _line(hand: _Hand, rng: np.random.Generator) -> float:
    """A tall stroke or two, each another one, and a long line that hardly moves."""

    def some(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    x = 0.0
    for _ in range(int(rng.integers(1, 4))):
        tall, wide = some(5, 10), some(3, 7)
        hand.move((x + some(-1, 1), some(-3, 3)))
        hand.curve((x + some(-0.6, 0.6) * wide, some(0.4, 1) * tall), (x + some(0, 1.2) * wide, 1.2 * tall),
                   (x + some(0.3, 0.9) * wide, some(0.5, 0.9) * tall))  # fmt: skip
        hand.curve((x + some(-0.5, 0.6) * wide, some(0, 0.4) * tall), (x + some(0.3, 0.9) * wide, some(-4, 0)),
                   (x + wide, some(-0.5, 1)))  # fmt: skip
        x += wide * some(0.7, 1.1)
    hand.move((x - some(0, 2), some(0, 1.5)))
    long = some(10, 24)
    dips = [some(-1.5, 3) for _ in range(4)]
    hand.curve((x + 0.15 * long, 3 + dips[0]), (x + 0.25 * long, -1 + dips[1]), (x + 0.4 * long, 0.6))
    hand.curve((x + 0.6 * long, 1 + dips[2]), (x + 0.8 * long, -1 + dips[3]), (x + long, some(0, 4)))
    return x + long


HANDS: tuple[Callable[[_Hand, np.random.Generator], float], ...] = (_loops, _peaks, _round, _line)


def sign(c: Canvas, x: float, y: float, who: str) -> None:
    """The signature of `who`, about 20 to 45 mm long, beginning at x, y (points)."""
    seed = name_seed(who)
    rng = np.random.default_rng(seed)
    c.setStrokeColor(HexColor(PENS[int(rng.integers(0, len(PENS)))]))
    c.setLineWidth(float(rng.uniform(0.6, 1.5)))
    path = c.beginPath()
    hand = _Hand(path, x, y, float(rng.uniform(-0.15, 0.55)))
    end = HANDS[seed % len(HANDS)](hand, rng)
    flourish = int(rng.integers(0, 4))
    if flourish == 1:
        hand.curve((end + 8, 3), (end + 4, -3.6), (0.3 * end, -2.4))
    elif flourish == 2:
        hand.curve((end + 3, 1), (end + 7, 4), (end + 11, 2.4))
    elif flourish == 3:
        hand.move((0.1 * end, -2.2))
        hand.curve((0.4 * end, -1.2), (0.8 * end, -2.9), (end + 2, -1.6))
    c.drawPath(path, stroke=1, fill=0)
