"""Badges of invented police forces. The name of the force decides ground, charge and points; none is a real force's."""

import math
from collections.abc import Callable

import numpy as np
from reportlab.lib.colors import Color, white

from oracle_scoring.corpus.paper import Paper, mm
from oracle_scoring.corpus.paper_pen import name_seed

Draw = Callable[[Paper, float, float], None]


def _shape(p: Paper, points: list[tuple[float, float]]) -> None:
    path = p.c.beginPath()
    path.moveTo(*points[0])
    for to in points[1:]:
        path.lineTo(*to)
    path.close()
    p.c.drawPath(path, stroke=0, fill=1)


def _star(p: Paper, x: float, y: float, points: int, inner: float) -> None:
    corners = []
    for n in range(2 * points):
        radius = (11 if n % 2 == 0 else inner) * mm
        angle = math.pi / 2 + n * math.pi / points
        corners.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    _shape(p, corners)


def _shield(p: Paper, x: float, y: float) -> None:
    path = p.c.beginPath()
    path.moveTo(x - 9 * mm, y + 10 * mm)
    path.lineTo(x + 9 * mm, y + 10 * mm)
    path.lineTo(x + 9 * mm, y - 1 * mm)
    path.curveTo(x + 9 * mm, y - 6 * mm, x + 4 * mm, y - 9 * mm, x, y - 11 * mm)
    path.curveTo(x - 4 * mm, y - 9 * mm, x - 9 * mm, y - 6 * mm, x - 9 * mm, y - 1 * mm)
    path.close()
    p.c.drawPath(path, stroke=0, fill=1)


def _disc(p: Paper, x: float, y: float) -> None:
    p.c.circle(x, y, 10.5 * mm, stroke=0, fill=1)
    p.c.setStrokeColor(white)
    p.c.setLineWidth(0.5 * mm)
    p.c.circle(x, y, 9 * mm, stroke=1, fill=0)


def _lozenge(p: Paper, x: float, y: float) -> None:
    _shape(p, [(x, y + 11 * mm), (x + 9.6 * mm, y), (x, y - 11 * mm), (x - 9.6 * mm, y)])


def _oval(p: Paper, x: float, y: float) -> None:
    p.c.ellipse(x - 8.2 * mm, y - 11 * mm, x + 8.2 * mm, y + 11 * mm, stroke=0, fill=1)
    p.c.setStrokeColor(white)
    p.c.setLineWidth(0.45 * mm)
    p.c.ellipse(x - 7 * mm, y - 9.8 * mm, x + 7 * mm, y + 9.8 * mm, stroke=1, fill=0)


def _tree(p: Paper, x: float, y: float) -> None:
    p.c.rect(x - 0.4 * mm, y - 4 * mm, 0.8 * mm, 3 * mm, stroke=0, fill=1)
    for dx, dy, radius in ((0, 1.2, 2.2), (-1.7, 0, 1.5), (1.7, 0, 1.5)):
        p.c.circle(x + dx * mm, y + dy * mm, radius * mm, stroke=0, fill=1)


def _tower(p: Paper, x: float, y: float) -> None:
    p.c.rect(x - 2.2 * mm, y - 3.6 * mm, 4.4 * mm, 5.6 * mm, stroke=0, fill=1)
    for dx in (-2.6, -0.7, 1.2):
        p.c.rect(x + dx * mm, y + 2 * mm, 1.4 * mm, 1.5 * mm, stroke=0, fill=1)


def _waves(p: Paper, x: float, y: float) -> None:
    p.c.setLineWidth(0.9 * mm)
    for dy in (-2.2, 0, 2.2):
        path = p.c.beginPath()
        path.moveTo(x - 3.6 * mm, y + dy * mm)
        path.curveTo(x - 1.8 * mm, y + (dy + 2) * mm, x - 1.2 * mm, y + (dy - 2) * mm, x, y + dy * mm)
        path.curveTo(x + 1.2 * mm, y + (dy + 2) * mm, x + 1.8 * mm, y + (dy - 2) * mm, x + 3.6 * mm, y + dy * mm)
        p.c.drawPath(path, stroke=1, fill=0)


def _hill(p: Paper, x: float, y: float) -> None:
    _shape(p, [(x - 4.2 * mm, y - 2.8 * mm), (x - 1.3 * mm, y + 2.4 * mm), (x + 1.2 * mm, y - 2.8 * mm)])
    _shape(p, [(x - 0.8 * mm, y - 2.8 * mm), (x + 1.9 * mm, y + 1.2 * mm), (x + 4.2 * mm, y - 2.8 * mm)])


def _key(p: Paper, x: float, y: float) -> None:
    p.c.setLineWidth(1 * mm)
    p.c.circle(x, y + 2.3 * mm, 1.5 * mm, stroke=1, fill=0)
    p.c.rect(x - 0.5 * mm, y - 4.2 * mm, 1 * mm, 5.2 * mm, stroke=0, fill=1)
    for dy in (-3.8, -2.2):
        p.c.rect(x, y + dy * mm, 2 * mm, 0.9 * mm, stroke=0, fill=1)


def _bridge(p: Paper, x: float, y: float) -> None:
    p.c.setLineWidth(0.8 * mm)
    p.c.line(x - 4.6 * mm, y - 1.6 * mm, x + 4.6 * mm, y - 1.6 * mm)
    for side in (-1, 1):
        tower = x + side * 2.1 * mm
        p.c.line(tower, y - 3.4 * mm, tower, y + 3 * mm)
        p.c.setLineWidth(0.4 * mm)
        for run in (-2, -1, 1, 2):
            p.c.line(tower, y + 2.8 * mm, tower + run * mm, y - 1.6 * mm)
        p.c.setLineWidth(0.8 * mm)


CHARGES: tuple[Draw, ...] = (_tree, _tower, _waves, _hill, _key, _bridge)
GROUNDS: tuple[Draw, ...] = (_shield, _disc, _lozenge, _oval)


def badge(p: Paper, x: float, y: float, colour: Color, force: str) -> None:
    """The badge of that force round x, y (points), 22 mm high."""
    rng = np.random.default_rng([name_seed(force), 21])
    ground, charge = int(rng.integers(0, len(GROUNDS) + 1)), CHARGES[int(rng.integers(0, len(CHARGES)))]
    points, inner = int(rng.integers(7, 17)), float(rng.uniform(6.6, 9.2))
    p.c.setFillColor(colour)
    if ground == len(GROUNDS):
        _star(p, x, y, points, inner)
    else:
        GROUNDS[ground](p, x, y)
    p.c.setFillColor(white)
    p.c.circle(x, y, 5.4 * mm, stroke=0, fill=1)
    p.c.setFillColor(colour)
    p.c.setStrokeColor(colour)
    charge(p, x, y)
