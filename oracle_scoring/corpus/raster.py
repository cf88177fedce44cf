"""Small array tools for drawing pictures: noise, blur, sampling. All arrays are float32, rows first."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Array = NDArray[np.float32]
Floats = NDArray[np.floating[Any]]


def f32(value: object) -> Array:
    """As a float32 array."""
    return np.asarray(value, dtype=np.float32)


def smooth(low: float | Floats, high: float | Floats, value: Floats) -> Array:
    """0 below `low`, 1 above `high`, a smooth step between; `low` above `high` turns it round."""
    t = np.clip((value - low) / (high - low), 0, 1)
    return f32(t * t * (3 - 2 * t))


def box_blur(image: Array, radius_y: int, radius_x: int) -> Array:
    """Mean over a window of 2r+1 cells each way; edges are repeated."""
    for axis, radius in ((0, radius_y), (1, radius_x)):
        if radius <= 0:
            continue
        pad = [(0, 0)] * image.ndim
        pad[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(image, pad, mode="edge"), axis=axis, dtype=np.float64)
        count = image.shape[axis]
        high = np.take(total, np.arange(2 * radius + 1, 2 * radius + 1 + count), axis=axis)
        low = np.take(total, np.arange(count), axis=axis)
        image = f32((high - low) / (2 * radius + 1))
    return image


def blur(image: Array, sigma: float) -> Array:
    """Close to a Gaussian of `sigma` cells: three box blurs. Below half a cell: a small kernel."""
    if sigma <= 0:
        return image
    if sigma < 1:
        side = float(np.exp(-0.5 / sigma**2))
        for axis in (0, 1):
            image = f32((np.roll(image, 1, axis) + np.roll(image, -1, axis)) * side + image) / f32(1 + 2 * side)
        return f32(image)
    radius = max(1, round((float(np.sqrt(4 * sigma**2 + 1)) - 1) / 2))
    for _ in range(3):
        image = box_blur(image, radius, radius)
    return image


def value_noise(rng: np.random.Generator, shape: tuple[int, int], cell_y: float, cell_x: float) -> Array:
    """Smooth noise in about -1 … 1 with features of the given size in cells."""
    rows, columns = max(2, round(shape[0] / cell_y) + 2), max(2, round(shape[1] / cell_x) + 2)
    small = Image.fromarray(rng.uniform(-1, 1, (rows, columns)).astype(np.float32), mode=None)
    return f32(small.resize((shape[1], shape[0]), Image.Resampling.BICUBIC))


def fractal(rng: np.random.Generator, shape: tuple[int, int], cell: float, octaves: int = 4) -> Array:
    """Several octaves of value noise, each half as large and half as strong as the one before."""
    total = np.zeros(shape, np.float32)
    for n in range(octaves):
        total += value_noise(rng, shape, max(cell / 2**n, 1), max(cell / 2**n, 1)) * f32(0.5**n)
    return total


def sample(image: Array, row: Array, column: Array) -> Array:
    """Bilinear values at fractional positions; positions outside are moved to the edge."""
    height, width = image.shape[:2]
    row, column = np.clip(row, 0, height - 1.001), np.clip(column, 0, width - 1.001)
    r, c = row.astype(np.int32), column.astype(np.int32)
    fr, fc = f32(row - r), f32(column - c)
    if image.ndim == 3:
        fr, fc = fr[..., None], fc[..., None]
    top = image[r, c] * (1 - fc) + image[r, c + 1] * fc
    low = image[r + 1, c] * (1 - fc) + image[r + 1, c + 1] * fc
    return f32(top * (1 - fr) + low * fr)


class Canvas:
    """Draws masks in metres on a sheet: x from `x0` rightwards, y from `y1` downwards."""

    def __init__(self, x0: float, x1: float, y0: float, y1: float, cell: float) -> None:
        self.x0, self.y1, self.cell = x0, y1, cell
        self.shape = (round((y1 - y0) / cell), round((x1 - x0) / cell))
        rows, columns = np.mgrid[0 : self.shape[0], 0 : self.shape[1]].astype(np.float32)
        self.x, self.y = f32(x0 + columns * cell), f32(y1 - rows * cell)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Column and row of a point."""
        return (x - self.x0) / self.cell, (self.y1 - y) / self.cell

    def row(self, y: Array) -> Array:
        """Fractional row of heights."""
        return f32((self.y1 - y) / self.cell)

    def column(self, x: Array) -> Array:
        """Fractional column of positions."""
        return f32((x - self.x0) / self.cell)

    def polygon(self, points: list[tuple[float, float]], soft: float = 0.001) -> Array:
        """Mask of a polygon, its edge blurred over `soft` metres."""
        image = Image.new("L", (self.shape[1], self.shape[0]))
        ImageDraw.Draw(image).polygon([self.at(*p) for p in points], fill=255)
        return blur(f32(np.asarray(image) / 255), soft / self.cell)

    def box(self, x0: float, x1: float, y0: float, y1: float, radius: float = 0.0, soft: float = 0.001) -> Array:
        """Mask of a rectangle with rounded corners."""
        image = Image.new("L", (self.shape[1], self.shape[0]))
        left, top = self.at(x0, y1)
        right, bottom = self.at(x1, y0)
        ImageDraw.Draw(image).rounded_rectangle((left, top, right, bottom), radius / self.cell, fill=255)
        return blur(f32(np.asarray(image) / 255), soft / self.cell)

    def disc(self, x: float, y: float, radius: float, soft: float = 0.001) -> Array:
        """Mask of a disc."""
        return smooth(radius + soft, radius - soft, np.hypot(self.x - x, self.y - y))

    def line(self, points: list[tuple[float, float]], width: float, soft: float = 0.0008) -> Array:
        """Mask of a polyline of `width` metres."""
        image = Image.new("L", (self.shape[1], self.shape[0]))
        ImageDraw.Draw(image).line(
            [self.at(*p) for p in points], fill=255, width=max(1, round(width / self.cell)), joint="curve"
        )
        return blur(f32(np.asarray(image) / 255), soft / self.cell)

    def distance(self, a: tuple[float, float], b: tuple[float, float]) -> tuple[Array, Array]:
        """Distance to the segment a-b, and the position along it from 0 to 1."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        t = np.clip(((self.x - a[0]) * dx + (self.y - a[1]) * dy) / (dx * dx + dy * dy), 0, 1)
        return f32(np.hypot(self.x - a[0] - t * dx, self.y - a[1] - t * dy)), f32(t)
