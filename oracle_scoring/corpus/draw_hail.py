"""A phone picture of a car's bonnet after hail: round dents that bend the mirrored sky, rendered from its provenance.

The bonnet is a sheet: x to the right, y towards the windscreen, z out of the sheet metal; the world's vertical is tilted
against it.
"""

from dataclasses import replace

import numpy as np
from PIL import Image

from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_content import HailBonnetContent
from oracle_scoring.corpus.raster import Array, Canvas, blur, f32, fractal, sample, smooth, value_noise
from oracle_scoring.corpus.scene import (
    NOTHING,
    Surface,
    Textures,
    View,
    develop,
    diffuse,
    jpeg,
    meet_sheet,
    normalise,
    normals,
    render,
    sky,
    textures,
)

VIEW = View(eye=f32([-0.24, -0.66, 0.60]), target=f32([0.05, 0.46, 0.02]), angle=58, tilt=1.4, up=f32([0, 0, 1]))
PITCH = np.deg2rad(9.0)
BLACK = (0.008, 0.008, 0.009)


class _Bonnet:
    """Builds the sheet."""

    def __init__(self, rng: np.random.Generator, content: HailBonnetContent, cell: float) -> None:
        self.rng = rng
        self.c = Canvas(-1.05, 1.05, -0.42, 2.3, cell)
        self.colour = np.empty((*self.c.shape, 3), np.float32)
        self.colour[:] = content.paint
        self.gloss = np.full(self.c.shape, 0.055, np.float32)
        self.rough = np.full(self.c.shape, 0.012, np.float32)
        self.dark = np.ones(self.c.shape, np.float32)
        self.height = np.zeros(self.c.shape, np.float32)

    def lay(
        self, mask: Array, colour: tuple[float, float, float], gloss: float, rough: float, height: float = 0.0
    ) -> None:
        """Puts a material over what is there."""
        self.colour += mask[..., None] * (f32(colour) - self.colour)
        self.gloss += mask * (f32(gloss) - self.gloss)
        self.rough += mask * (f32(rough) - self.rough)
        self.height += mask * f32(height)

    def base(self) -> Array:
        """The curved metal, the wings falling away, the front edge, the rising windscreen."""
        x, y = self.c.x, self.c.y
        depth = -0.055 * (x / 0.7) ** 2 - 0.03 * ((y - 0.5) / 0.5) ** 2
        for side in (-1, 1):
            crease = x * side - (0.40 + 0.10 * y)
            depth -= 0.016 * smooth(-0.03, 0.05, f32(crease))
        depth -= 0.55 * np.clip(np.abs(x) - 0.70, 0, None) ** 1.4
        depth -= 1.3 * np.clip(-y + 0.02, 0, None) ** 1.35 + 0.2 * np.clip(0.12 - y, 0, None) ** 2
        depth -= 0.035 * smooth(1.0, 1.03, y)
        depth += 0.62 * np.clip(y - 1.075, 0, None)
        return f32(depth)

    def parts(self) -> None:
        """Shut lines, lamps, washer jets, scuttle, wipers, windscreen."""
        c = self.c
        for side in (-1, 1):
            gap = c.line([(side * 0.665, 0.03), (side * 0.70, 0.35), (side * 0.715, 1.0)], 0.005, 0.001)
            self.height -= c.line([(side * 0.665, 0.03), (side * 0.70, 0.35), (side * 0.715, 1.0)], 0.014, 0.004) * f32(
                0.003
            )
            self.lay(gap, (0.004, 0.004, 0.005), 0.01, 0.8, -0.006)
            lamp = c.polygon(
                [(side * x, y) for x, y in ((0.44, -0.06), (0.66, 0.02), (0.80, 0.20), (0.80, -0.14), (0.52, -0.20))],
                0.003,
            )
            self.lay(lamp, (0.20, 0.21, 0.22), 0.16, 0.02, 0.004)
            for k in range(3):
                bowl = lamp * c.disc(side * (0.58 + 0.075 * k), -0.07 + 0.05 * k, 0.033, 0.003)
                self.lay(bowl, (0.42, 0.43, 0.45), 0.3, 0.03)
            self.lay(
                lamp
                - lamp
                * c.polygon(
                    [
                        (side * x, y)
                        for x, y in ((0.46, -0.06), (0.66, 0.01), (0.785, 0.16), (0.785, -0.13), (0.53, -0.18))
                    ],
                    0.003,
                ),
                BLACK,
                0.05,
                0.2,
            )
        front = c.line([(-0.66, 0.02), (-0.44, -0.035), (0.0, -0.05), (0.44, -0.035), (0.66, 0.02)], 0.005, 0.001)
        self.lay(front, (0.004, 0.004, 0.005), 0.01, 0.8, -0.005)
        self.lay(c.disc(0, -0.10, 0.036), (0.36, 0.37, 0.39), 0.55, 0.08, 0.004)
        self.lay(c.disc(0, -0.10, 0.026), (0.02, 0.03, 0.05), 0.10, 0.05, 0.001)
        scuttle = smooth(1.0, 1.005, c.y) * smooth(1.085, 1.08, c.y)
        self.lay(scuttle, (0.012, 0.012, 0.012), 0.03, 0.6)
        slats = scuttle * smooth(0.3, 0.6, f32(np.sin(c.x * 2 * np.pi / 0.03))) * smooth(0.62, 0.6, np.abs(c.x))
        self.dark *= 1 - 0.6 * slats
        glass = smooth(1.08, 1.084, c.y)
        self.lay(glass, (0.010, 0.012, 0.013), 0.05, 0.0)
        wheel = smooth(0.016, 0.010, np.abs(np.hypot(c.x + 0.36, (c.y - 1.36) * 1.25) - 0.17))
        self.lay(glass * wheel, (0.020, 0.020, 0.021), 0.05, 0.0)
        self.lay(glass * smooth(1.135, 1.13, c.y), (0.004, 0.004, 0.004), 0.06, 0.05)
        for a, b in (((-0.52, 1.06), (0.10, 1.135)), ((0.08, 1.06), (0.66, 1.13))):
            arm = c.line([a, b], 0.013, 0.002)
            blade = c.line([(a[0] - 0.05, a[1] + 0.045), (b[0] + 0.02, b[1] + 0.012)], 0.008, 0.001)
            self.height += np.clip(arm + blade, 0, 1) * f32(0.022)
            self.lay(np.clip(arm + blade, 0, 1), (0.010, 0.010, 0.010), 0.03, 0.45)
        for x in (-0.25, 0.25):
            self.lay(c.disc(x, 0.955, 0.012), (0.012, 0.012, 0.012), 0.04, 0.4, 0.008)

    def hail(self, count: int, strength: float) -> None:
        """Dents, each round with a raised rim; larger ones are deeper."""
        c, rng = self.c, self.rng
        for n in range(count):
            x, y = float(rng.uniform(-0.62, 0.62)), float(rng.uniform(0.04, 0.96))
            if n < 6:
                x, y = float(rng.uniform(-0.42, 0.40)), float(rng.uniform(0.10, 0.55))
            radius = float(np.clip(rng.lognormal(-3.95, 0.34), 0.010, 0.036))
            reach = 3.2 * radius
            r0, r1 = (int(np.clip(c.row(f32(v)), 0, c.shape[0])) for v in (y + reach, y - reach))
            c0, c1 = (int(np.clip(c.column(f32(v)), 0, c.shape[1])) for v in (x - reach, x + reach))
            part = (slice(r0, r1), slice(c0, c1))
            away = np.hypot(c.x[part] - x, (c.y[part] - y) * float(rng.uniform(0.9, 1.1))) / radius
            bowl = np.exp(-(away**2.2) * 0.9) - 0.16 * np.exp(-(((away - 1.55) / 0.45) ** 2))
            self.height[part] -= f32(bowl * radius * 0.24 * strength)
        self.stones()
        drops = smooth(0.80, 0.90, value_noise(rng, c.shape, 0.006 / c.cell, 0.006 / c.cell))
        self.height += blur(drops, 1.0) * f32(0.00025)
        self.gloss += drops * f32(0.008)

    def stones(self) -> None:
        """Hailstones that have not melted yet, most of them washed down to the wipers."""
        c, rng = self.c, self.rng
        for n in range(150):
            x, y = float(rng.uniform(-0.66, 0.66)), float(rng.normal(1.045, 0.022))
            if n >= 110:
                x, y = float(rng.uniform(-0.6, 0.6)), float(rng.uniform(0.05, 0.95))
            radius = float(rng.uniform(0.0055, 0.0115))
            r0, r1 = (int(np.clip(c.row(f32(v)), 0, c.shape[0])) for v in (y + 2 * radius, y - 2 * radius))
            c0, c1 = (int(np.clip(c.column(f32(v)), 0, c.shape[1])) for v in (x - 2 * radius, x + 2 * radius))
            part = (slice(r0, r1), slice(c0, c1))
            away = np.hypot(c.x[part] - x, c.y[part] - y) / radius
            ball = smooth(1.03, 0.97, f32(away))
            self.height[part] += f32(radius * 1.3 * np.sqrt(np.clip(1 - away**2, 0, 1)))
            self.dark[part] *= 1 - 0.45 * smooth(1.7, 0.9, f32(away)) * (1 - ball)
            self.colour[part] += ball[..., None] * (f32((0.80, 0.83, 0.86)) - self.colour[part])
            self.gloss[part] += ball * (f32(0.06) - self.gloss[part])
            self.rough[part] += ball * (f32(0.25) - self.rough[part])

    def dirt(self) -> None:
        """A little dust."""
        cloud = 0.5 + 0.5 * fractal(self.rng, self.c.shape, 0.25 / self.c.cell, 4)
        amount = np.clip(0.10 * cloud, 0, 0.3)
        self.colour += amount[..., None] * (f32((0.16, 0.145, 0.12)) - self.colour)
        self.rough += amount * f32(0.10)

    def finish(self) -> Surface:
        """The sheet."""
        hollow = np.clip(blur(self.height, 0.012 / self.c.cell) - self.height, 0, None) / f32(0.012)
        dark = self.dark * (1 - np.clip(hollow * 0.8, 0, 0.6))
        depth = np.maximum(self.base() + self.height, f32(NOTHING + 1))
        return Surface(self.c, depth, np.clip(self.colour, 0, 1), self.gloss, np.clip(self.rough, 0, 1), f32(dark))


def _world(direction: Array) -> Array:
    """From the sheet's axes to those of the sky: y up, z towards the viewer, who looks along the sheet's y."""
    c, s = f32(np.cos(PITCH)), f32(np.sin(PITCH))
    up = direction[:, 2] * c + direction[:, 1] * s
    away = direction[:, 1] * c - direction[:, 2] * s
    return f32(np.stack([direction[:, 0], up, -away], 1))


def _surroundings(direction: Array, tex: Textures, rough: Array) -> Array:
    """The sky, and a terrace of houses on the far side, dark against it: straight lines that dents bend."""
    plain = sky(direction, tex, rough)
    azimuth = np.arctan2(direction[:, 0], -direction[:, 2])
    gable = np.abs(np.mod(azimuth * 1.9 + 0.4, 1.0) - 0.5)
    ridge = 0.40 - 0.16 * np.clip(gable - 0.12, 0, None) / 0.38
    row, column = f32(np.clip(direction[:, 1], 0, 1) * 255), f32((azimuth / (2 * np.pi) + 0.5) * 1023)
    streak = sample(tex.clouds, row, f32(1023 - np.abs(column * 2 - 1023)))
    level = direction[:, 1] + 0.05 * streak
    lighter = 0.30 + 0.45 * smooth(0.30, 0.95, level)
    for middle, half, bright in ((0.50, 0.045, 0.42), (0.66, 0.05, 0.50), (0.83, 0.035, 0.40)):
        lighter = lighter + bright * smooth(half + 0.03 + rough, half - 0.02, np.abs(level - middle))
    plain = plain * lighter[:, None]
    soft = 0.006 + 0.5 * rough
    ahead = smooth(0.15, -0.15, direction[:, 2])
    house = smooth(0, 1, f32((ridge - direction[:, 1]) / soft * 0.5 + 0.5)) * ahead
    wall = f32([0.115, 0.085, 0.07]) * (0.8 + 0.5 * smooth(0.30, 0.29, direction[:, 1]))[:, None]
    panes = (np.abs(np.mod(azimuth * 7.6, 1.0) - 0.5) < 0.17) & (np.abs(np.mod(direction[:, 1] * 9, 1.0) - 0.5) < 0.2)
    wall = wall + (0.28 * panes * (rough < 0.1))[:, None]
    return f32(plain * (1 - house)[:, None] + wall * house[:, None])


def render_hail(content: HailBonnetContent, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    tex = replace(textures(rng, width), seamless=True)
    bonnet = _Bonnet(rng, content, max(0.0012, 1.5 / width))
    bonnet.dirt()
    bonnet.parts()
    bonnet.hail(content.dents, content.strength)
    surface = bonnet.finish()
    faces = normals(surface)
    c, eye = surface.canvas, VIEW.eye

    def shade(ray: Array) -> tuple[Array, Array]:
        down = ray.copy()
        down[:, 2] = np.minimum(down[:, 2], -1e-3)
        hit = meet_sheet(surface, eye, down, 0.55, -0.30, 150)
        point = eye + ray * np.where(np.isfinite(hit), hit, 3.0)[:, None]
        row, column = c.row(point[:, 1]), c.column(point[:, 0])
        outside = (row < 1) | (row > c.shape[0] - 2) | (column < 1) | (column > c.shape[1] - 2) | ~np.isfinite(hit)
        normal = normalise(sample(faces, row, column))
        colour = sample(surface.colour, row, column)
        gloss, rough, dark = (sample(a, row, column) for a in (surface.gloss, surface.rough, surface.dark))
        facing = np.clip(-(ray * normal).sum(1), 0, 1)
        mirrored = _world(normalise(ray + 2 * facing[:, None] * normal))
        fresnel = gloss + (1 - gloss) * (1 - facing) ** 5 * (1 - rough) * np.minimum(gloss * 18, 1)
        light = diffuse(_world(normal)) * dark[:, None]
        shown = colour * light * 0.92 + _surroundings(mirrored, tex, rough) * (fresnel * dark)[:, None]
        world = _world(ray)
        grain = sample(tex.tarmac, f32(np.mod(point[:, 1], 1.6) / 1.6 * 399), f32(np.mod(point[:, 0], 1.6) / 1.6 * 399))
        ground = f32([0.15, 0.148, 0.142]) * (1 + 0.20 * grain)[:, None]
        beyond = np.where(
            (world[:, 1] < 0)[:, None], ground, _surroundings(world, tex, np.full(len(ray), 0.02, np.float32))
        )
        return f32(np.where(outside[:, None], beyond, shown)), f32(
            np.where(outside, 6.0, np.where(np.isfinite(hit), hit, 6))
        )

    image, distance = render(width, height, VIEW, shade)
    return develop(image, distance, rng, (1.9, 2.6, 2.6, 5.0), 1.2)


def draw_hail(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = HailBonnetContent.model_validate(made.content)
    return jpeg(render_hail(content, made.rng_seed or 0), content.quality)
