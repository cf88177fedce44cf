"""A car's end, given as a sheet, on the tarmac of a car park under an overcast sky.

A ray for every point of the picture meets the sheet, tyres, exhaust, ground or background; surfaces mirror the sky.
"""

from dataclasses import dataclass

import numpy as np

from oracle_scoring.corpus.raster import Array, blur, f32, sample, smooth
from oracle_scoring.corpus.scene import (
    LIGHT,
    Surface,
    Textures,
    View,
    diffuse,
    meet_sheet,
    normalise,
    normals,
    render,
    sky,
)

TILE_M = 1.6
"""Side of the tarmac's tile."""
SHARD_BLACK, SHARD_RED, SHARD_GREY = (0.02, 0.02, 0.02), (0.26, 0.01, 0.015), (0.40, 0.40, 0.41)


@dataclass(frozen=True)
class Crumbs:
    """Bits that lie on the ground below the damage."""

    rng_seed: int
    kinds: tuple[tuple[float, float, float], ...]
    """Their colours, in turn."""
    x: float = 0.36
    z: float = 0.14
    spread: float = 0.20
    count: int = 46
    large: float = 0.009
    """Size of the largest; one of the first kind is 0.024."""


@dataclass(frozen=True)
class CarPark:
    """All that a picture is made of."""

    view: View
    surface: Surface
    tex: Textures
    crumbs: Crumbs
    far_z: float = -1.00
    """The sheet ends before this depth."""
    tyre_z: float = -0.56
    exhaust: bool = True
    mirrors: tuple[float, float, float] | None = None
    """Paint of the two door mirrors, if they are in sight."""

    def picture(self, width: int, height: int) -> tuple[Array, Array]:
        """Linear colour and distance."""
        faces = normals(self.surface)
        cell = 0.03 if width >= 800 else 0.08
        zs, xs = np.mgrid[-4.2:2.4:cell, -3.5:3.5:cell].astype(np.float32)
        shadow = (blur(_open_sky(xs.ravel(), zs.ravel()).reshape(xs.shape), 0.045 / cell), -3.5, -4.2, cell)
        return render(width, height, self.view, lambda ray: _shade(self, ray, faces, shadow))


def _shade_car(park: CarPark, faces: Array, ray: Array, hit: Array) -> Array:
    """Colour of the car where rays meet it."""
    surface, tex, eye = park.surface, park.tex, park.view.eye
    c = surface.canvas
    point = eye + ray * hit[:, None]
    row, column = c.row(point[:, 1]), c.column(point[:, 0])
    normal = normalise(sample(faces, row, column))
    colour = sample(surface.colour, row, column)
    gloss, rough, dark = (sample(a, row, column) for a in (surface.gloss, surface.rough, surface.dark))
    facing = np.clip(-(ray * normal).sum(1), 0, 1)
    mirrored = ray + 2 * facing[:, None] * normal
    fresnel = gloss + (1 - gloss) * (1 - facing) ** 5 * (1 - rough) * np.minimum(gloss * 18, 1)
    low = 0.55 + 0.45 * smooth(0.15, 0.75, point[:, 1])
    light = diffuse(normal) * (dark * low)[:, None]
    flake = 1 + 0.25 * (1 - np.minimum(rough * 6, 1)) * (facing - 0.55)
    seen = sky(normalise(mirrored), tex, rough) * (dark * np.where(mirrored[:, 1] < 0, low, 1.0))[:, None]
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


def _shade_ground(park: CarPark, point: Array, shadow: tuple[Array, float, float, float]) -> Array:
    """Tarmac with stains, worn bay lines."""
    tex, eye = park.tex, park.view.eye
    x, z = point[:, 0], point[:, 2]
    scale = tex.tarmac.shape[0] / TILE_M
    grain = sample(tex.tarmac, np.mod(z, TILE_M) * scale, np.mod(x, TILE_M) * scale)
    far = np.clip(1.6 / (np.hypot(x - eye[0], z - eye[2]) + 0.4), 0.15, 1)
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
    free = sample(grid, (z - z0) / cell, (x - x0) / cell)
    return f32(colour * (0.015 + 1.0 * free**1.35)[:, None] * f32([0.99, 0.99, 1.02]) * 1.15)


def _crumbs(crumbs: Crumbs, point: Array, colour: Array) -> Array:
    """Bits on the ground, each with its small shadow."""
    rng = np.random.default_rng(crumbs.rng_seed)
    for n in range(crumbs.count):
        cx, cz = crumbs.x + float(rng.normal(0, crumbs.spread)), crumbs.z + float(rng.normal(0, 0.65 * crumbs.spread))
        size = float(rng.uniform(0.003, crumbs.large)) if n else 0.024
        angle, squeeze = float(rng.uniform(0, np.pi)), float(rng.uniform(0.3, 1.0))
        dx, dz = point[:, 0] - cx, point[:, 2] - cz
        a = (np.cos(angle) * dx + np.sin(angle) * dz) / size
        b = (np.cos(angle) * dz - np.sin(angle) * dx) / size / squeeze
        shape = smooth(1.15, 0.9, np.abs(a) + np.abs(b) * 0.8)
        under = smooth(2.4, 0.6, np.hypot(a - 0.3, b + 0.35))
        colour = colour * (1 - 0.5 * under)[:, None]
        colour = colour + shape[:, None] * (f32(crumbs.kinds[n % len(crumbs.kinds)]) * 0.8 + 0.03 - colour)
    return f32(colour)


def _meet_round(
    eye: Array, ray: Array, axis: int, centre: tuple[float, float], radius: float, span: tuple[float, float]
) -> Array:
    """Distance to a cylinder along `axis` (0 = x, 2 = z) within `span`; infinite where it misses."""
    other = [i for i in (0, 1, 2) if i != axis]
    o, d = eye[other] - f32(centre), ray[:, other]
    a, b, c = (d * d).sum(1), (d * o).sum(1), float((o * o).sum()) - radius**2
    root = b * b - a * c
    t = (-b - np.sqrt(np.clip(root, 0, None))) / a
    along = eye[axis] + ray[:, axis] * t
    return f32(np.where((root > 0) & (t > 0) & (along > span[0]) & (along < span[1]), t, np.inf))


def _meet_mirror(eye: Array, ray: Array, side: int) -> tuple[Array, Array]:
    """Distance to a door mirror's shell, and its centre; infinite where it misses."""
    centre, radii = f32([side * 0.825, 0.985, -1.18]), f32([0.105, 0.068, 0.07])
    o, d = (eye - centre) / radii, ray / radii
    a, b, c = (d * d).sum(1), (d * o).sum(1), float((o * o).sum()) - 1
    root = b * b - a * c
    t = (-b - np.sqrt(np.clip(root, 0, None))) / a
    return f32(np.where((root > 0) & (t > 0), t, np.inf)), centre


def _shade_mirror(park: CarPark, paint: tuple[float, float, float], ray: Array, normal: Array) -> Array:
    facing = np.clip(-(ray * normal).sum(1), 0, 1)
    seen = sky(normalise(ray + 2 * facing[:, None] * normal), park.tex, np.full(len(ray), 0.02, np.float32))
    return f32(f32(paint) * diffuse(normal) * 0.92 + seen * (0.05 + 0.6 * (1 - facing) ** 5)[:, None])


def _background(eye: Array, ray: Array, tex: Textures) -> Array:
    """A hedge, a wall of brick and cladding, and sky, far behind the car."""
    t = (-7.5 - eye[2]) / np.minimum(ray[:, 2], -1e-3)
    point = eye + ray * t[:, None]
    x, y = point[:, 0], point[:, 1]
    leaf = sample(tex.leaves, np.mod(y * 120 + 300, 511), np.mod(x * 90 + 400, 1023))
    hedge = (0.075 + 0.06 * leaf)[:, None] * f32([0.75, 1.0, 0.45])
    brick = (0.23 + 0.03 * leaf)[:, None] * f32([1.0, 0.66, 0.52])
    panes = smooth(0.1, 0.2, np.abs(np.mod(x, 1.9) - 0.95)) * smooth(0.85, 0.75, np.abs(np.mod(x, 1.9) - 0.95))
    wall = brick * (1 - 0.65 * panes * smooth(2.0, 2.1, y))[:, None]
    top = 1.25 + 0.10 * leaf
    colour = hedge + smooth(0, 0.12, y - top)[:, None] * (wall - hedge)
    above = sky(ray, tex, np.zeros(len(ray), np.float32))
    return f32(colour + smooth(3.6, 3.7, y)[:, None] * (above - colour))


def _shade(park: CarPark, ray: Array, faces: Array, shadow: tuple[Array, float, float, float]) -> tuple[Array, Array]:
    """Linear colour and distance for a batch of rays."""
    eye, tex = park.view.eye, park.tex
    ground = np.where(ray[:, 1] < -1e-4, -eye[1] / np.minimum(ray[:, 1], -1e-4), np.inf)
    ground = np.where(eye[2] + ray[:, 2] * ground < -6.5, np.inf, ground)
    meets = {
        "ground": f32(ground),
        "car": meet_sheet(park.surface, eye, ray, 0.10, park.far_z, 110 if park.far_z > -1.1 else 190),
    }
    for name, x in (("tyre_l", -0.73), ("tyre_r", 0.73)):
        meets[name] = _meet_round(eye, ray, 0, (0.315, park.tyre_z), 0.315, (x - 0.10, x + 0.10))
    if park.exhaust:
        meets["pipe"] = _meet_round(eye, ray, 2, (-0.44, 0.225), 0.034, (-0.5, -0.055))
        meets["pot"] = _meet_round(eye, ray, 0, (0.27, -0.42), 0.085, (-0.55, 0.25))
    centres = {}
    for side in (-1, 1) if park.mirrors else ():
        meets[f"mirror {side}"], centres[f"mirror {side}"] = _meet_mirror(eye, ray, side)
    names = list(meets)
    every = np.stack([meets[n] for n in names])
    first, distance = every.argmin(0), every.min(0)
    colour = np.zeros((len(ray), 3), np.float32)
    for n, name in enumerate(names):
        at = np.flatnonzero((first == n) & np.isfinite(distance))
        if not len(at):
            continue
        point = eye + ray[at] * distance[at][:, None]
        if name == "ground":
            plain = _shade_ground(park, point, shadow)
            colour[at] = _crumbs(park.crumbs, point, plain)
        elif name == "car":
            colour[at] = _shade_car(park, faces, ray[at], distance[at])
        elif name.startswith("tyre"):
            x = point[:, 0] - (-0.73 if name == "tyre_l" else 0.73)
            groove = 1 - 0.7 * smooth(0.010, 0.006, np.abs(np.mod(np.abs(x) + 0.012, 0.045) - 0.0225))
            lug = 0.8 + 0.2 * np.sign(np.sin(np.arctan2(point[:, 1] - 0.315, point[:, 2] - park.tyre_z) * 70 + x * 25))
            round_off = smooth(0.10, 0.072, np.abs(x))
            lit = 0.15 + 0.85 * smooth(park.tyre_z + 0.26, park.tyre_z + 0.36, point[:, 2]) * smooth(
                0.0, 0.05, point[:, 1]
            )
            colour[at] = (0.013 * groove * lug * lit * (0.25 + 0.75 * round_off))[:, None]
        elif name in centres and park.mirrors:
            shell = normalise((point - centres[name]) / f32([0.105, 0.068, 0.07]) ** 2)
            colour[at] = _shade_mirror(park, park.mirrors, ray[at], shell)
        elif name == "pipe":
            normal = normalise(np.stack([point[:, 0] + 0.44, point[:, 1] - 0.225, np.zeros(len(at))], 1))
            mirrored = ray[at] - 2 * (ray[at] * normal).sum(1)[:, None] * normal
            colour[at] = 0.30 * sky(normalise(mirrored), tex, np.full(len(at), 0.3, np.float32)) + 0.01
        else:
            colour[at] = f32([0.020, 0.019, 0.018])
    nothing = np.flatnonzero(~np.isfinite(distance))
    if len(nothing):
        colour[nothing] = _background(eye, ray[nothing], tex)
    if park.exhaust:
        mouth = (-0.055 - eye[2]) / ray[:, 2]
        ends = eye + ray * mouth[:, None]
        reach = np.hypot(ends[:, 0] + 0.44, ends[:, 1] - 0.225)
        in_front = (reach < 0.034) & (mouth < distance + 0.02)
        colour[in_front] = np.where(reach[in_front, None] > 0.0285, f32([0.34, 0.34, 0.35]), f32([0.006, 0.006, 0.006]))
    return colour, np.where(np.isfinite(distance), distance, 9.5).astype(np.float32)
