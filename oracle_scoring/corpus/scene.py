"""A camera, its light and its film: what all rendered pictures share.

Colours are linear RGB, distances metres; rays are unit vectors in the scene's own axes.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from oracle_scoring.corpus.raster import Array, Canvas, blur, f32, fractal, sample, smooth, value_noise

NOTHING = -9.0
"""Depth where there is no surface."""
LIGHT = f32(np.array([-0.45, 0.78, 0.43]) / np.linalg.norm([-0.45, 0.78, 0.43]))
"""Where the sky is brightest; y is up."""


@dataclass(frozen=True)
class Surface:
    """A sheet of depth, colour and gloss over x and y; z comes towards the viewer."""

    canvas: Canvas
    depth: Array
    colour: Array
    """Linear RGB, three channels."""
    gloss: Array
    """How much of the surroundings it mirrors at right angle, 0 to 1; grazing angles mirror more."""
    rough: Array
    """How blurred the mirrored surroundings are, 0 to 1."""
    dark: Array
    """How much ambient light reaches a hollow, 0 to 1."""


@dataclass(frozen=True)
class Textures:
    """Ground and surroundings."""

    tarmac: Array
    stains: Array
    wear: Array
    clouds: Array
    skyline: Array
    leaves: Array
    seamless: bool = False
    """Whether the clouds close up behind the viewer's back; needed where a surface mirrors what is behind it."""


@dataclass(frozen=True)
class View:
    """Where the phone is and how it is held."""

    eye: Array
    target: Array
    angle: float = 58.0
    """Degrees across the picture."""
    tilt: float = -1.6
    """Degrees by which it is held askew."""
    up: Array = field(default_factory=lambda: f32([0, 1, 0]))
    bulge: float = 0.018
    """How far the lens bends straight lines."""

    def rays(self, width: int, height: int, rows: Array, columns: Array) -> Array:
        """Unit directions through picture positions."""
        forward = normalise(self.target - self.eye)
        right = normalise(np.cross(forward, self.up))
        up = np.cross(right, forward)
        tilt = np.deg2rad(self.tilt)
        right, up = np.cos(tilt) * right + np.sin(tilt) * up, np.cos(tilt) * up - np.sin(tilt) * right
        half = np.tan(np.deg2rad(self.angle) / 2)
        u = (columns / width * 2 - 1) * half
        v = (1 - rows / height * 2) * half * height / width
        bulge = 1 + self.bulge * (u * u + v * v)
        return normalise(forward + (u * bulge)[:, None] * right + (v * bulge)[:, None] * up)


def textures(rng: np.random.Generator, width: int) -> Textures:
    """Fresh noise for ground and surroundings, as fine as a picture of `width` pixels needs."""
    size = min(1600, max(400, width))
    grains = rng.normal(0, 1, (size, size)).astype(np.float32)
    fine = blur(grains, 1.2)
    stone = blur(rng.normal(0, 1, (size, size)).astype(np.float32), 3.2)
    tarmac = 0.6 * fine / fine.std() + 0.7 * stone / stone.std()
    return Textures(
        tarmac=f32(tarmac),
        stains=fractal(rng, (512, 512), 120, 5),
        wear=fractal(rng, (1024, 1024), 26, 5),
        clouds=fractal(rng, (256, 1024), 90, 5),
        skyline=value_noise(rng, (2, 1024), 2, 22)[0] + f32(0.5) * value_noise(rng, (2, 1024), 2, 6)[0],
        leaves=fractal(rng, (512, 1024), 34, 5),
    )


def sky(direction: Array, tex: Textures, rough: Array) -> Array:
    """Light from the surroundings in a direction: cloudy sky, a row of trees and roofs, ground."""
    azimuth = np.arctan2(direction[:, 0], direction[:, 2])
    up = np.clip(direction[:, 1], -1, 1)
    column = f32((azimuth / (2 * np.pi) + 0.5) * 1023)
    row = f32(np.sqrt(np.abs(up)) * 255)
    cloud = sample(tex.clouds, row, column)
    if tex.seamless:
        seam = f32(0.5) * smooth(2.4, np.pi, np.abs(azimuth))
        cloud = cloud * (1 - seam) + sample(tex.clouds, row, 1023 - column) * seam
    above_us = (0.80 + 0.42 * smooth(0.0, 0.9, up) + 0.20 * cloud)[:, None] * f32([0.93, 0.985, 1.06])
    glow = np.clip(direction @ LIGHT, 0, 1) ** 6
    above_us = above_us + (0.75 * glow)[:, None] * f32([1.0, 0.97, 0.90])
    line = tex.skyline[column.astype(np.int32)]
    top = 0.13 + 0.06 * line
    trees = (0.075 + 0.05 * sample(tex.leaves, f32(up * 900), column))[:, None] * f32([0.9, 1.0, 0.85])
    away = smooth(0.0, -0.35, up)
    ground = (0.24 - 0.10 * smooth(-0.4, -0.95, up) + 0.05 * (1 - away))[:, None] * f32([1.0, 0.985, 0.96])
    soft = 0.012 + 0.55 * rough
    above = smooth(0, 1, f32((up - top) / soft * 0.5 + 0.5))[:, None]
    below = smooth(0, 1, f32((up + 0.01) / soft * 0.5 + 0.5))[:, None]
    person = np.exp(-(((azimuth - 0.24) / 0.085) ** 2)) * smooth(0.14, 0.08, up) * smooth(-0.75, -0.5, up)
    out = ground * (1 - below) + (trees * (1 - above) + above_us * above) * below
    return f32(out * (1 - 0.72 * person)[:, None])


def diffuse(normal: Array) -> Array:
    """Light that falls on a surface from an overcast sky and the ground."""
    up = 0.5 + 0.5 * normal[:, 1]
    key = np.clip(normal @ LIGHT, 0, 1)
    light = up[:, None] * f32([0.93, 0.985, 1.06]) * 0.62 + (1 - up)[:, None] * f32([0.16, 0.155, 0.15])
    return f32(light + (0.85 * key)[:, None] * f32([1.0, 0.97, 0.91]))


def normalise(v: Array) -> Array:
    """Vectors of length one."""
    return f32(v / np.linalg.norm(v, axis=-1, keepdims=True))


def normals(surface: Surface) -> Array:
    """Directions in which the sheet faces."""
    cell = surface.canvas.cell
    depth = np.where(surface.depth <= NOTHING, np.nan, surface.depth)
    down, right = np.gradient(depth, cell)
    normal = np.stack([-right, down, np.ones_like(depth)], -1)
    return normalise(np.nan_to_num(normal, nan=0.3))


def cast(height: Array, cell: float, light: Array, reach: float) -> Array:
    """How much of a far light each point of a relief gets past what stands up to `reach` metres away, 0 to 1."""
    lit = np.ones(height.shape, np.float32)
    flat = float(np.hypot(light[0], light[1]))
    for n in range(1, max(2, round(reach / cell))):
        right, down = round(n * light[0] / flat), round(-n * light[1] / flat)
        higher = np.roll(height, (-down, -right), (0, 1)) - height - f32(n * cell * light[2] / flat)
        lit = np.minimum(lit, smooth(0.004, 0.0, higher))
    return blur(lit, 0.8)


def hollows(height: Array, cell: float, sizes: tuple[float, ...], strength: float) -> Array:
    """How much of the sky reaches a relief's hollows of the given sizes in metres, 0 to 1."""
    deep = np.zeros(height.shape, np.float32)
    for sigma in sizes:
        deep += np.clip(blur(height, sigma / cell) - height, 0, None) / f32(sigma)
    return f32(1 - np.clip(strength * deep, 0, 0.72))


def meet_sheet(surface: Surface, eye: Array, ray: Array, near_z: float, far_z: float, steps: int = 110) -> Array:
    """Distance along each ray to the sheet between two depths; infinite where it misses."""
    c = surface.canvas
    near, far = (near_z - eye[2]) / ray[:, 2], (far_z - eye[2]) / ray[:, 2]
    hit = np.full(len(ray), np.inf, np.float32)
    before = near.copy()
    open_ = np.arange(len(ray))
    for n in range(1, steps + 1):
        t = near[open_] + (far[open_] - near[open_]) * f32((n / steps) ** 1.35)
        point = eye + ray[open_] * t[:, None]
        row = np.clip(c.row(point[:, 1]), 0, c.shape[0] - 1).astype(np.int32)
        column = np.clip(c.column(point[:, 0]), 0, c.shape[1] - 1).astype(np.int32)
        depth = surface.depth[row, column]
        inside = (point[:, 2] < depth) & (depth > NOTHING)
        found = open_[inside]
        low, high = before[found], t[inside]
        for _ in range(9):
            middle = (low + high) / 2
            p = eye + ray[found] * middle[:, None]
            under = p[:, 2] < sample(surface.depth, c.row(p[:, 1]), c.column(p[:, 0]))
            low, high = np.where(under, low, middle), np.where(under, middle, high)
        hit[found] = high
        before[open_] = t
        open_ = open_[~inside]
    return hit


def render(width: int, height: int, view: View, shade: Callable[[Array], tuple[Array, Array]]) -> tuple[Array, Array]:
    """Colour and distance for every pixel, each the mean of four rays; `shade` answers for a batch of rays."""
    fine = 2
    image = np.zeros((height, width, 3), np.float32)
    distance = np.zeros((height, width), np.float32)
    band = max(1, 60_000 // width)
    for top in range(0, height, band):
        count = min(band, height - top)
        rows, columns = np.mgrid[0 : count * fine, 0 : width * fine].astype(np.float32)
        ray = view.rays(width, height, top + (rows.ravel() + 0.5) / fine, (columns.ravel() + 0.5) / fine)
        colour, far = shade(ray)
        split = (count, fine, width, fine)
        image[top : top + count] = np.clip(colour, 0, 3).reshape(*split, 3).mean((1, 3))
        distance[top : top + count] = far.reshape(split).mean((1, 3))
    return image, distance


def develop(
    image: Array,
    distance: Array,
    rng: np.random.Generator,
    sharp: tuple[float, float, float, float] = (2.4, 3.2, 3.2, 5.5),
    exposure: float = 1.30,
) -> Image.Image:
    """What lens, sensor and phone make of the light: blur, glare, falling off, grain, tone curve.

    Args:
        sharp: metres; between the first two the picture grows soft, between the others it blurs.
    """
    height, width = distance.shape
    unit = width / 1600
    far = smooth(sharp[2], sharp[3], distance)[..., None]
    behind = blur(f32(image * far), 7.0 * unit) / np.maximum(blur(f32(far), 7.0 * unit), 1e-3)
    image = f32(image * (1 - far) + behind * far)
    soft = smooth(sharp[0], sharp[1], distance)[..., None]
    image = image * (1 - soft) + blur(f32(image), 1.6 * unit) * soft
    image = blur(f32(image), 0.62 * unit)
    glare = blur(np.clip(image - 0.85, 0, None), 14 * unit)
    image = image * 0.985 + 0.35 * glare + 0.004 * image.mean()
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    radius = np.hypot((columns - width / 2) / (width / 2), (rows - height / 2) / (width / 2))
    image = image * (1 - 0.24 * radius**2.2)[..., None] * f32([1.025, 1.0, 0.955])
    for channel, stretch in ((0, 1.0009), (2, 0.9991)):
        r = (rows - height / 2) * f32(stretch) + height / 2
        c = (columns - width / 2) * f32(stretch) + width / 2
        image[..., channel] = sample(image[..., channel], r, c)
    exposed = np.clip(image * f32(exposure), 0, None)
    grain = rng.normal(0, 1, (height, width, 1)) * 0.8 + rng.normal(0, 1, (height, width, 3)) * 0.55
    film = blur(f32(grain), 0.55 * max(unit, 0.5))
    exposed = exposed + film * (0.0025 + 0.0125 * np.sqrt(np.clip(exposed, 0, 1.5)))
    exposed = np.clip(exposed, 0, None)
    toned = exposed * (2.51 * exposed + 0.03) / (exposed * (2.43 * exposed + 0.59) + 0.14)
    shown = np.clip(toned, 0, 1) ** (1 / 2.2)
    shown = shown + 0.42 * shown * (1 - shown) * (2 * shown - 0.86)
    grey = shown.mean(-1, keepdims=True)
    shown = grey + 0.96 * (shown - grey)
    mild = shown + 0.35 * (shown - blur(f32(shown), 1.4 * unit))
    blotch = blur(f32(rng.normal(0, 1, (height, width, 3))), 2.4 * max(unit, 0.5)) * 0.009
    return Image.fromarray((np.clip(mild + blotch, 0, 1) * 255 + 0.5).astype(np.uint8))


def jpeg(picture: Image.Image, quality: int) -> bytes:
    """The picture as JPEG without any metadata."""
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality, subsampling="4:2:0")
    return out.getvalue()
