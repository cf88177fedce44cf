"""A phone picture of a parked car's damaged rear bumper, rendered from its provenance.

A ray for every point of the picture meets the car's rear (a depth sheet), its tyres, the exhaust, the ground or the
background; light is an overcast sky that surfaces mirror. The result is developed like a phone does it.
"""

import io
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from PIL import Image
from pydantic import Field

from harness.schema.base import Strict
from oracle_scoring.corpus.car_rear import NOTHING, Surface, car_rear
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.raster import Array, blur, f32, fractal, sample, smooth, value_noise

Unit = Annotated[float, Field(ge=0, le=1)]


class BumperContent(Strict):
    """What the picture shows; the plate comes from the printed fields."""

    paint: Annotated[list[Unit], Field(min_length=3, max_length=3)]
    """Linear red, green, blue."""
    strength: Unit
    """Depth of the dent."""
    width: Annotated[int, Field(ge=64, le=3200)]
    """Pixels; the height is three quarters of it."""
    quality: Annotated[int, Field(ge=30, le=95)]
    """JPEG quality."""


@dataclass(frozen=True)
class _Textures:
    """Ground and surroundings."""

    tarmac: Array
    stains: Array
    wear: Array
    clouds: Array
    skyline: Array
    leaves: Array


LIGHT = f32(np.array([-0.45, 0.78, 0.43]) / np.linalg.norm([-0.45, 0.78, 0.43]))
EYE = f32([0.62, 1.06, 1.90])
TARGET = f32([0.10, 0.575, -0.02])
TILE_M = 1.6
"""Side of the tarmac's tile."""


def _textures(rng: np.random.Generator, width: int) -> _Textures:
    size = min(1600, max(400, width))
    grains = rng.normal(0, 1, (size, size)).astype(np.float32)
    fine = blur(grains, 1.2)
    stone = blur(rng.normal(0, 1, (size, size)).astype(np.float32), 3.2)
    tarmac = 0.6 * fine / fine.std() + 0.7 * stone / stone.std()
    return _Textures(
        tarmac=f32(tarmac),
        stains=fractal(rng, (512, 512), 120, 5),
        wear=fractal(rng, (1024, 1024), 26, 5),
        clouds=fractal(rng, (256, 1024), 90, 5),
        skyline=value_noise(rng, (2, 1024), 2, 22)[0] + f32(0.5) * value_noise(rng, (2, 1024), 2, 6)[0],
        leaves=fractal(rng, (512, 1024), 34, 5),
    )


def _sky(direction: Array, tex: _Textures, rough: Array) -> Array:
    """Light from the surroundings in a direction: cloudy sky, a row of trees and roofs, ground."""
    azimuth = np.arctan2(direction[:, 0], direction[:, 2])
    up = np.clip(direction[:, 1], -1, 1)
    column = f32((azimuth / (2 * np.pi) + 0.5) * 1023)
    cloud = sample(tex.clouds, f32(np.sqrt(np.abs(up)) * 255), column)
    sky = (0.80 + 0.42 * smooth(0.0, 0.9, up) + 0.20 * cloud)[:, None] * f32([0.93, 0.985, 1.06])
    glow = np.clip(direction @ LIGHT, 0, 1) ** 6
    sky = sky + (0.75 * glow)[:, None] * f32([1.0, 0.97, 0.90])
    line = tex.skyline[column.astype(np.int32)]
    top = 0.13 + 0.06 * line
    trees = (0.075 + 0.05 * sample(tex.leaves, f32(up * 900), column))[:, None] * f32([0.9, 1.0, 0.85])
    away = smooth(0.0, -0.35, up)
    ground = (0.24 - 0.10 * smooth(-0.4, -0.95, up) + 0.05 * (1 - away))[:, None] * f32([1.0, 0.985, 0.96])
    soft = 0.012 + 0.55 * rough
    above = smooth(0, 1, f32((up - top) / soft * 0.5 + 0.5))[:, None]
    below = smooth(0, 1, f32((up + 0.01) / soft * 0.5 + 0.5))[:, None]
    person = np.exp(-(((azimuth - 0.24) / 0.085) ** 2)) * smooth(0.14, 0.08, up) * smooth(-0.75, -0.5, up)
    out = ground * (1 - below) + (trees * (1 - above) + sky * above) * below
    return f32(out * (1 - 0.72 * person)[:, None])


def _diffuse(normal: Array) -> Array:
    """Light that falls on a surface from an overcast sky and the ground."""
    up = 0.5 + 0.5 * normal[:, 1]
    key = np.clip(normal @ LIGHT, 0, 1)
    sky = up[:, None] * f32([0.93, 0.985, 1.06]) * 0.62 + (1 - up)[:, None] * f32([0.16, 0.155, 0.15])
    return f32(sky + (0.85 * key)[:, None] * f32([1.0, 0.97, 0.91]))


def _normalise(v: Array) -> Array:
    return f32(v / np.linalg.norm(v, axis=-1, keepdims=True))


def _rays(width: int, height: int, rows: Array, columns: Array) -> Array:
    """Unit directions through picture positions; the phone is held a little askew."""
    forward = _normalise(TARGET - EYE)
    right = _normalise(np.cross(forward, f32([0, 1, 0])))
    up = np.cross(right, forward)
    tilt = np.deg2rad(-1.6)
    right, up = np.cos(tilt) * right + np.sin(tilt) * up, np.cos(tilt) * up - np.sin(tilt) * right
    half = np.tan(np.deg2rad(58.0) / 2)
    u = (columns / width * 2 - 1) * half
    v = (1 - rows / height * 2) * half * height / width
    bulge = 1 + 0.018 * (u * u + v * v)
    return _normalise(forward + (u * bulge)[:, None] * right + (v * bulge)[:, None] * up)


def _meet_sheet(surface: Surface, ray: Array) -> Array:
    """Distance along each ray to the car's rear; infinite where it misses."""
    c = surface.canvas
    near, far = (0.10 - EYE[2]) / ray[:, 2], (-1.00 - EYE[2]) / ray[:, 2]
    steps = 110
    hit = np.full(len(ray), np.inf, np.float32)
    before = near.copy()
    open_ = np.arange(len(ray))
    for n in range(1, steps + 1):
        t = near[open_] + (far[open_] - near[open_]) * f32((n / steps) ** 1.35)
        point = EYE + ray[open_] * t[:, None]
        row = np.clip(c.row(point[:, 1]), 0, c.shape[0] - 1).astype(np.int32)
        column = np.clip(c.column(point[:, 0]), 0, c.shape[1] - 1).astype(np.int32)
        depth = surface.depth[row, column]
        inside = (point[:, 2] < depth) & (depth > NOTHING)
        found = open_[inside]
        low, high = before[found], t[inside]
        for _ in range(9):
            middle = (low + high) / 2
            p = EYE + ray[found] * middle[:, None]
            under = p[:, 2] < sample(surface.depth, c.row(p[:, 1]), c.column(p[:, 0]))
            low, high = np.where(under, low, middle), np.where(under, middle, high)
        hit[found] = high
        before[open_] = t
        open_ = open_[~inside]
    return hit


def _shade_car(surface: Surface, normals: Array, ray: Array, hit: Array, tex: _Textures) -> Array:
    """Colour of the car where rays meet it."""
    c = surface.canvas
    point = EYE + ray * hit[:, None]
    row, column = c.row(point[:, 1]), c.column(point[:, 0])
    normal = _normalise(sample(normals, row, column))
    colour = sample(surface.colour, row, column)
    gloss, rough, dark = (sample(a, row, column) for a in (surface.gloss, surface.rough, surface.dark))
    facing = np.clip(-(ray * normal).sum(1), 0, 1)
    mirrored = ray + 2 * facing[:, None] * normal
    fresnel = gloss + (1 - gloss) * (1 - facing) ** 5 * (1 - rough) * np.minimum(gloss * 18, 1)
    low = 0.55 + 0.45 * smooth(0.15, 0.75, point[:, 1])
    light = _diffuse(normal) * (dark * low)[:, None]
    flake = 1 + 0.25 * (1 - np.minimum(rough * 6, 1)) * (facing - 0.55)
    seen = _sky(_normalise(mirrored), tex, rough) * (dark * np.where(mirrored[:, 1] < 0, low, 1.0))[:, None]
    return f32(colour * light * flake[:, None] * 0.92 + seen * fresnel[:, None])


def _open_sky(x: Array, z: Array) -> Array:
    """How much sky a point of the ground sees past the car, 0 to 1."""
    total, free = 0.0, np.zeros_like(x)
    for ring in range(5):
        elevation = np.deg2rad(9 + ring * 17)
        for step in range(20):
            angle = 2 * np.pi * (step + 0.5 * (ring % 2)) / 20
            d = np.array([np.cos(elevation) * np.sin(angle), np.sin(elevation), np.cos(elevation) * np.cos(angle)])
            weight = np.sin(elevation) * np.cos(elevation) * (1 + 1.1 * max(0.0, float(d @ LIGHT)) ** 2)
            enter, leave = 0.25 / d[1], 1.42 / d[1]
            for origin, along, low, high in ((x, d[0], -0.84, 0.84), (z, d[2], -4.0, -0.05)):
                along = along if abs(along) > 1e-6 else 1e-6
                one, two = (low - origin) / along, (high - origin) / along
                enter, leave = np.maximum(enter, np.minimum(one, two)), np.minimum(leave, np.maximum(one, two))
            free += f32(weight) * (enter >= leave)
            total += weight
    return f32(free / total)


def _shade_ground(point: Array, tex: _Textures, shadow: tuple[Array, float, float, float]) -> Array:
    """Tarmac with stains, worn bay lines, and crumbs of the bumper."""
    x, z = point[:, 0], point[:, 2]
    scale = tex.tarmac.shape[0] / TILE_M
    grain = sample(tex.tarmac, np.mod(z, TILE_M) * scale, np.mod(x, TILE_M) * scale)
    far = np.clip(1.6 / (np.hypot(x - EYE[0], z - EYE[2]) + 0.4), 0.15, 1)
    stain = sample(tex.stains, (z + 6.6) * 60, (x + 4.2) * 60)
    tone = 0.155 * (1 + 0.26 * grain * far + 0.16 * stain)
    oil = np.exp(-(((x + 0.35) / 0.22) ** 2) - ((z - 0.35) / 0.12) ** 2) * smooth(-0.4, 0.3, stain)
    colour = np.clip(tone * (1 - 0.45 * oil), 0.02, 1)[:, None] * f32([1.0, 0.99, 0.965])
    worn = sample(tex.wear, np.mod(z * 320, 1023), np.mod(x * 320, 1023)) + 0.25 * grain
    paint = np.zeros_like(x)
    for centre in (-1.22, 1.16):
        paint = np.maximum(paint, smooth(0.054, 0.048, np.abs(x - centre)) * smooth(0.62, 0.61, z))
    paint = paint * smooth(0.55, 0.10, worn) * 0.9
    colour = colour + paint[:, None] * (f32([0.60, 0.59, 0.55]) * (1 + 0.10 * grain[:, None]) - colour)
    grid, x0, z0, cell = shadow
    sky = sample(grid, (z - z0) / cell, (x - x0) / cell)
    return f32(colour * (0.015 + 1.0 * sky**1.35)[:, None] * f32([0.99, 0.99, 1.02]) * 1.15)


def _crumbs(rng: np.random.Generator, point: Array, colour: Array, paint: list[float]) -> Array:
    """Bits of paint, black plastic and red glass below the dent, each with its small shadow."""
    kinds = (paint, [0.02, 0.02, 0.02], [0.26, 0.01, 0.015], [0.40, 0.40, 0.41])
    for n in range(46):
        cx, cz = 0.36 + float(rng.normal(0, 0.20)), 0.14 + float(rng.normal(0, 0.13))
        size = float(rng.uniform(0.003, 0.009)) if n else 0.024
        angle, squeeze = float(rng.uniform(0, np.pi)), float(rng.uniform(0.3, 1.0))
        dx, dz = point[:, 0] - cx, point[:, 2] - cz
        a = (np.cos(angle) * dx + np.sin(angle) * dz) / size
        b = (np.cos(angle) * dz - np.sin(angle) * dx) / size / squeeze
        shape = smooth(1.15, 0.9, np.abs(a) + np.abs(b) * 0.8)
        under = smooth(2.4, 0.6, np.hypot(a - 0.3, b + 0.35))
        colour = colour * (1 - 0.5 * under)[:, None]
        colour = colour + shape[:, None] * (f32(kinds[n % len(kinds)]) * 0.8 + 0.03 - colour)
    return f32(colour)


def _meet_round(ray: Array, axis: int, centre: tuple[float, float], radius: float, span: tuple[float, float]) -> Array:
    """Distance to a cylinder along `axis` (0 = x, 2 = z) within `span`; infinite where it misses."""
    other = [i for i in (0, 1, 2) if i != axis]
    o, d = EYE[other] - f32(centre), ray[:, other]
    a, b, c = (d * d).sum(1), (d * o).sum(1), float((o * o).sum()) - radius**2
    root = b * b - a * c
    t = (-b - np.sqrt(np.clip(root, 0, None))) / a
    along = EYE[axis] + ray[:, axis] * t
    return f32(np.where((root > 0) & (t > 0) & (along > span[0]) & (along < span[1]), t, np.inf))


def _background(ray: Array, tex: _Textures) -> Array:
    """A hedge, a wall of brick and cladding, and sky, far behind the car."""
    t = (-7.5 - EYE[2]) / np.minimum(ray[:, 2], -1e-3)
    point = EYE + ray * t[:, None]
    x, y = point[:, 0], point[:, 1]
    leaf = sample(tex.leaves, np.mod(y * 120 + 300, 511), np.mod(x * 90 + 400, 1023))
    hedge = (0.075 + 0.06 * leaf)[:, None] * f32([0.75, 1.0, 0.45])
    brick = (0.23 + 0.03 * leaf)[:, None] * f32([1.0, 0.66, 0.52])
    panes = smooth(0.1, 0.2, np.abs(np.mod(x, 1.9) - 0.95)) * smooth(0.85, 0.75, np.abs(np.mod(x, 1.9) - 0.95))
    wall = brick * (1 - 0.65 * panes * smooth(2.0, 2.1, y))[:, None]
    top = 1.25 + 0.10 * leaf
    colour = hedge + smooth(0, 0.12, y - top)[:, None] * (wall - hedge)
    sky = _sky(ray, tex, np.zeros(len(ray), np.float32))
    return f32(colour + smooth(3.6, 3.7, y)[:, None] * (sky - colour))


def _shade(
    ray: Array,
    surface: Surface,
    normals: Array,
    tex: _Textures,
    shadow: tuple[Array, float, float, float],
    crumbs_seed: int,
    paint: list[float],
) -> tuple[Array, Array]:
    """Linear colour and distance for a batch of rays."""
    ground = np.where(ray[:, 1] < -1e-4, -EYE[1] / np.minimum(ray[:, 1], -1e-4), np.inf)
    ground = np.where(EYE[2] + ray[:, 2] * ground < -6.5, np.inf, ground)
    meets = {"ground": f32(ground), "car": _meet_sheet(surface, ray)}
    for name, x in (("tyre_l", -0.73), ("tyre_r", 0.73)):
        meets[name] = _meet_round(ray, 0, (0.315, -0.56), 0.315, (x - 0.10, x + 0.10))
    meets["pipe"] = _meet_round(ray, 2, (-0.44, 0.225), 0.034, (-0.5, -0.055))
    meets["pot"] = _meet_round(ray, 0, (0.27, -0.42), 0.085, (-0.55, 0.25))
    names = list(meets)
    every = np.stack([meets[n] for n in names])
    first, distance = every.argmin(0), every.min(0)
    colour = np.zeros((len(ray), 3), np.float32)
    for n, name in enumerate(names):
        at = np.flatnonzero((first == n) & np.isfinite(distance))
        if not len(at):
            continue
        point = EYE + ray[at] * distance[at][:, None]
        if name == "ground":
            plain = _shade_ground(point, tex, shadow)
            colour[at] = _crumbs(np.random.default_rng(crumbs_seed), point, plain, paint)
        elif name == "car":
            colour[at] = _shade_car(surface, normals, ray[at], distance[at], tex)
        elif name.startswith("tyre"):
            x = point[:, 0] - (-0.73 if name == "tyre_l" else 0.73)
            groove = 1 - 0.7 * smooth(0.010, 0.006, np.abs(np.mod(np.abs(x) + 0.012, 0.045) - 0.0225))
            lug = 0.8 + 0.2 * np.sign(np.sin(np.arctan2(point[:, 1] - 0.315, point[:, 2] + 0.56) * 70 + x * 25))
            round_off = smooth(0.10, 0.072, np.abs(x))
            lit = 0.15 + 0.85 * smooth(-0.30, -0.20, point[:, 2]) * smooth(0.0, 0.05, point[:, 1])
            colour[at] = (0.013 * groove * lug * lit * (0.25 + 0.75 * round_off))[:, None]
        elif name == "pipe":
            normal = _normalise(np.stack([point[:, 0] + 0.44, point[:, 1] - 0.225, np.zeros(len(at))], 1))
            mirrored = ray[at] - 2 * (ray[at] * normal).sum(1)[:, None] * normal
            colour[at] = 0.30 * _sky(_normalise(mirrored), tex, np.full(len(at), 0.3, np.float32)) + 0.01
        else:
            colour[at] = f32([0.020, 0.019, 0.018])
    nothing = np.flatnonzero(~np.isfinite(distance))
    if len(nothing):
        colour[nothing] = _background(ray[nothing], tex)
    mouth = (-0.055 - EYE[2]) / ray[:, 2]
    ends = EYE + ray * mouth[:, None]
    reach = np.hypot(ends[:, 0] + 0.44, ends[:, 1] - 0.225)
    in_front = (reach < 0.034) & (mouth < distance + 0.02)
    colour[in_front] = np.where(reach[in_front, None] > 0.0285, f32([0.34, 0.34, 0.35]), f32([0.006, 0.006, 0.006]))
    return colour, np.where(np.isfinite(distance), distance, 9.5).astype(np.float32)


def _normals(surface: Surface) -> Array:
    cell = surface.canvas.cell
    depth = np.where(surface.depth <= NOTHING, np.nan, surface.depth)
    down, right = np.gradient(depth, cell)
    normal = np.stack([-right, down, np.ones_like(depth)], -1)
    return _normalise(np.nan_to_num(normal, nan=0.3))


def _develop(image: Array, distance: Array, rng: np.random.Generator) -> Image.Image:
    """What lens, sensor and phone make of the light: blur, glare, falling off, grain, tone curve."""
    height, width = distance.shape
    unit = width / 1600
    far = smooth(3.2, 5.5, distance)[..., None]
    behind = blur(f32(image * far), 7.0 * unit) / np.maximum(blur(f32(far), 7.0 * unit), 1e-3)
    image = f32(image * (1 - far) + behind * far)
    soft = smooth(2.4, 3.2, distance)[..., None]
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
    exposed = np.clip(image * 1.30, 0, None)
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


def render_bumper(content: BumperContent, plate: str, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    tex = _textures(rng, width)
    red, green, blue = content.paint
    surface = car_rear(rng, plate, (red, green, blue), content.strength, max(0.0008, 1.28 / content.width))
    normals = _normals(surface)
    cell = 0.03 if width >= 800 else 0.08
    zs, xs = np.mgrid[-4.2:2.4:cell, -3.5:3.5:cell].astype(np.float32)
    shadow = (blur(_open_sky(xs.ravel(), zs.ravel()).reshape(xs.shape), 0.045 / cell), -3.5, -4.2, cell)
    fine = 2
    image = np.zeros((height, width, 3), np.float32)
    distance = np.zeros((height, width), np.float32)
    band = max(1, 60_000 // width)
    for top in range(0, height, band):
        count = min(band, height - top)
        rows, columns = np.mgrid[0 : count * fine, 0 : width * fine].astype(np.float32)
        ray = _rays(width, height, top + (rows.ravel() + 0.5) / fine, (columns.ravel() + 0.5) / fine)
        colour, far = _shade(ray, surface, normals, tex, shadow, rng_seed + 1, content.paint)
        split = (count, fine, width, fine)
        image[top : top + count] = np.clip(colour, 0, 3).reshape(*split, 3).mean((1, 3))
        distance[top : top + count] = far.reshape(split).mean((1, 3))
    return _develop(image, distance, rng)


def draw_bumper(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = BumperContent.model_validate(made.content)
    picture = render_bumper(content, made.printed_fields["plate"].printed, made.rng_seed or 0)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=content.quality, subsampling="4:2:0")
    return out.getvalue()
