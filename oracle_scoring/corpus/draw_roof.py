"""A phone picture of a tiled roof from which a storm took tiles, rendered from its provenance.

The roof is a sheet: x to the right, y up the slope from the eaves, z out of the roof; metres. The picture is taken from
an upstairs window opposite.
"""

import numpy as np
from PIL import Image

from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_content import RoofTilesContent
from oracle_scoring.corpus.raster import Array, Canvas, f32, fractal, sample, smooth, value_noise
from oracle_scoring.corpus.scene import (
    Surface,
    View,
    cast,
    develop,
    hollows,
    jpeg,
    meet_sheet,
    normalise,
    normals,
    render,
    textures,
)

PITCH = np.deg2rad(39.0)
SIN, COS = float(np.sin(PITCH)), float(np.cos(PITCH))
GAUGE, WIDE = 0.330, 0.300
"""Height and width of what is seen of a tile."""
RIDGE = 12 * GAUGE
UP, AHEAD = f32([0, SIN, COS]), f32([0, COS, -SIN])
"""The world's vertical and the level direction away from the viewer, in the roof's axes."""
TARGET = f32([0.1, 1.95, 0.0])
VIEW = View(eye=f32(TARGET - 7.6 * AHEAD + 0.35 * UP + f32([1.5, 0, 0])), target=TARGET, angle=42, tilt=1.2, up=UP)
SUN = normalise(f32([-0.62, 0.30, 0.72]))
BEHIND = 1e-4


class _Roof:
    """Builds the sheet."""

    def __init__(self, rng: np.random.Generator, content: RoofTilesContent, cell: float) -> None:
        self.rng = rng
        self.c = Canvas(-3.8, 3.8, -0.16, RIDGE + 0.16, cell)
        self.colour = np.zeros((*self.c.shape, 3), np.float32)
        self.height = np.zeros(self.c.shape, np.float32)
        self.row = np.floor(self.c.y / GAUGE).astype(np.int32)
        self.column = np.floor(self.c.x / WIDE + 100 + 0.0 * self.row).astype(np.int32) - 100
        self.gone = self._patch(content.missing)
        self.tiles(content)
        self.hole()
        self.loose(content)
        self.ridge(content)
        self.eaves()

    def _patch(self, count: int) -> set[tuple[int, int]]:
        """Columns and rows of the tiles that are gone: one patch, and a few apart from it."""
        start = (-3, 6)
        gone: set[tuple[int, int]] = set()
        edge = [start]
        while len(gone) < count - count // 8 and edge:
            column, row = edge.pop(int(self.rng.integers(0, len(edge))))
            if (column, row) in gone or not 1 <= row <= 10:
                continue
            gone.add((column, row))
            edge += [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1), (column + 1, row)]
        while len(gone) < count:
            gone.add((int(self.rng.integers(-7, 8)), int(self.rng.integers(1, 10))))
        return gone

    def _of_tiles(self, values: np.ndarray) -> Array:
        """A value for each tile, spread over the sheet."""
        return f32(values[np.clip(self.row + 2, 0, 19), np.clip(self.column + 20, 0, 39)])

    def tiles(self, content: RoofTilesContent) -> None:
        """Rows of interlocking tiles, each with its own tone."""
        rng, c = self.rng, self.c
        f = f32(np.mod(c.y, GAUGE) / GAUGE)
        across = f32(np.mod(c.x, WIDE) / WIDE)
        roll = 0.5 + 0.5 * np.cos(2 * np.pi * (across * 2 - 0.15))
        wave = 0.020 * roll**2.2 + 0.006 * smooth(0.93, 0.99, across)
        tilt = self._of_tiles(rng.normal(0, 0.0016, (20, 40)))
        self.height = f32(0.032 * (1 - f) + wave + tilt)
        tone = self._of_tiles(rng.lognormal(0, 0.13, (20, 40)))
        warm = self._of_tiles(rng.normal(0, 0.05, (20, 40)))
        base = f32(content.tiles) * (tone[..., None] * (1 + warm[..., None] * f32([1, 0, -1])))
        moss = smooth(0.45, 0.9, fractal(rng, c.shape, 0.5 / c.cell, 5)) * smooth(0.9, 0.1, f)
        lichen = smooth(0.70, 0.78, value_noise(rng, c.shape, 0.022 / c.cell, 0.022 / c.cell))
        lichen *= smooth(-0.2, 0.6, fractal(rng, c.shape, 0.7 / c.cell, 3))
        grime = 1 - 0.30 * smooth(0.35, 1.0, f) + 0.10 * fractal(rng, c.shape, 0.10 / c.cell, 3)
        colour = base * grime[..., None]
        colour = colour + (0.55 * moss)[..., None] * (f32([0.045, 0.06, 0.018]) - colour)
        colour = colour + (0.45 * lichen)[..., None] * (f32([0.34, 0.33, 0.22]) - colour)
        seam = smooth(0.022, 0.008, np.minimum(across, 1 - across))
        self.colour = f32(colour * (1 - 0.6 * seam)[..., None])
        edge = smooth(0.06, 0.0, f)
        self.colour *= (1 - 0.25 * edge)[..., None]

    def hole(self) -> None:
        """Where tiles are gone: felt that sags between rafters, battens, nails, a tear."""
        rng, c = self.rng, self.c
        lost = np.zeros((20, 40), np.float32)
        for column, row in self.gone:
            lost[row + 2, column + 20] = 1
        shift = f32(np.mod(c.y, GAUGE) / GAUGE)
        mask = self._of_tiles(lost)
        chipped = fractal(rng, c.shape, 0.03 / c.cell, 3)
        below = np.roll(mask, round(0.05 / c.cell), 0)
        mask = np.clip(mask + below * (shift > 0.92) * (chipped > 0.1), 0, 1)
        rafter = smooth(0.035, 0.02, np.abs(np.mod(c.x + 0.14, 0.6) - 0.3))
        felt = -0.055 - 0.020 * (1 - rafter) * np.sin(np.pi * shift) + 0.004 * fractal(rng, c.shape, 0.06 / c.cell, 3)
        black = f32([0.030, 0.030, 0.033]) * (1 + 0.25 * fractal(rng, c.shape, 0.05 / c.cell, 4))[..., None]
        torn = fractal(rng, c.shape, 0.22 / c.cell, 5) + 0.9 * np.exp(
            -(((c.x + 0.55) / 0.30) ** 2) - ((c.y - 2.30) / 0.22) ** 2
        )
        open_ = smooth(0.80, 0.84, f32(torn))
        felt = felt - 0.16 * open_ * (1 - rafter)
        black = black * (1 - 0.85 * open_ * (1 - rafter))[..., None]
        black = black + (open_ * rafter)[..., None] * (f32([0.20, 0.13, 0.07]) - black)
        batten = smooth(0.845, 0.855, shift) * smooth(0.985, 0.975, shift)
        grain = value_noise(rng, c.shape, 0.004 / c.cell, 0.35 / c.cell)
        wood = f32([0.40, 0.27, 0.14]) * (1 + 0.20 * grain)[..., None]
        nail = smooth(0.006, 0.004, np.hypot(np.mod(c.x + 0.14, 0.6) - 0.3, (shift - 0.915) * GAUGE))
        wood = wood * (1 - 0.8 * nail)[..., None]
        inside = batten[..., None]
        bare = black * (1 - inside) + wood * inside
        level = f32(felt * (1 - batten) + (-0.026) * batten)
        hard = (mask > 0.5).astype(np.float32)
        self.height = f32(np.where(hard > 0, level, self.height))
        self.colour = f32(np.where(hard[..., None] > 0, bare, self.colour))

    def loose(self, content: RoofTilesContent) -> None:
        """Tiles that came off and lie below, askew; shards of others."""
        rng, c = self.rng, self.c
        for n in range(min(14, len(self.gone))):
            whole = n < 4
            x, y = float(rng.normal(-0.9, 0.75)), float(rng.uniform(0.08, 1.5))
            angle = float(rng.uniform(-0.9, 0.9)) if whole else float(rng.uniform(0, 6))
            half = (WIDE / 2, 0.19) if whole else (float(rng.uniform(0.03, 0.08)), float(rng.uniform(0.02, 0.07)))
            dx, dy = c.x - x, c.y - y
            a = (np.cos(angle) * dx + np.sin(angle) * dy) / half[0]
            b = (np.cos(angle) * dy - np.sin(angle) * dx) / half[1]
            ragged = 0.0 if whole else 0.25
            inside = (np.maximum(np.abs(a), np.abs(b)) + ragged * np.sin(4 * a + 3 * b) * np.abs(a)) < 1
            lift = 0.060 + 0.015 * b + (0.018 * (0.5 + 0.5 * np.cos(2 * np.pi * a)) if whole else 0.0)
            self.height = f32(np.where(inside, np.maximum(self.height, lift), self.height))
            tone = f32(content.tiles) * float(rng.uniform(0.85, 1.5))
            self.colour = f32(np.where(inside[..., None], tone, self.colour))

    def ridge(self, content: RoofTilesContent) -> None:
        """Half-round tiles along the top, bedded in mortar."""
        c, rng = self.c, self.rng
        t = (c.y - RIDGE) / 0.125
        bump = 0.13 * np.sqrt(np.clip(1 - t**2, 0, 1))
        inside = (np.abs(t) < 1) & (c.y > RIDGE - 0.125)
        joint = np.abs(np.mod(c.x + 0.1, 0.46) - 0.23) < 0.010
        tone = f32(rng.lognormal(0, 0.15, 40))[
            np.clip(np.floor((c.x + 0.1 - 0.23) / 0.46).astype(np.int32) + 20, 0, 39)
        ]
        colour = f32(content.tiles)[None, None] * (0.9 * tone)[..., None]
        colour = np.where(joint[..., None], f32([0.30, 0.29, 0.27]), colour)
        bed = (c.y > RIDGE - 0.155) & ~inside
        self.height = f32(np.where(inside, 0.03 + bump - 0.012 * joint, np.where(bed, 0.05, self.height)))
        self.colour = f32(
            np.where(inside[..., None], colour, np.where(bed[..., None], f32([0.28, 0.27, 0.25]), self.colour))
        )

    def eaves(self) -> None:
        """A black gutter with a shard in it."""
        c = self.c
        gutter = c.y < -0.005
        t = (c.y + 0.085) / 0.075
        hollow = -0.02 - 0.07 * np.sqrt(np.clip(1 - t**2, 0, 1))
        rim = np.abs(np.abs(t) - 0.95) < 0.12
        self.height = f32(np.where(gutter, np.where(rim, 0.0, hollow), self.height))
        self.colour = f32(np.where(gutter[..., None], f32([0.020, 0.020, 0.021]), self.colour))

    def lit(self) -> tuple[Array, Array]:
        """How much of the sun and of the sky each point gets."""
        cell = self.c.cell
        return cast(self.height, cell, SUN, 0.16), hollows(self.height, cell, (0.012, 0.04), 0.55)


def _house(ray: Array, rng_textures: tuple[Array, Array]) -> tuple[Array, Array]:
    """What is not roof: the wall under the eaves with a window, a chimney behind the ridge, the sky."""
    leaves, clouds = rng_textures
    ahead, rise = ray @ AHEAD, ray @ UP
    eye_up, eye_ahead = float(VIEW.eye @ UP), float(VIEW.eye @ AHEAD)
    colour = np.zeros((len(ray), 3), np.float32)
    cloud = sample(clouds, f32(np.clip(rise, 0, 1) * 700 + 20), f32((ray[:, 0] + 1) * 500))
    sky = f32([0.42, 0.56, 0.78]) + (0.34 * smooth(-0.5, 0.7, cloud))[:, None] * f32([1.0, 0.93, 0.80])
    colour[:] = sky * (1.15 - 0.35 * np.clip(rise, 0, 1))[:, None]
    t = (float(f32([0, RIDGE, 0]) @ AHEAD) + 0.9 - eye_ahead) / ahead
    x, up = VIEW.eye[0] + ray[:, 0] * t, eye_up + rise * t
    base = float(f32([0, RIDGE, 0]) @ UP)
    stack = (np.abs(x - 1.75) < 0.38) & (up < base + 0.95)
    cap = (np.abs(x - 1.75) < 0.45) & (np.abs(up - base - 0.80) < 0.07)
    pots = ((np.abs(np.abs(x - 1.75) - 0.18) < 0.095) & (up < base + 1.30)) & (up > base + 0.9)
    brick = _brick(f32(x), f32(up), leaves)
    brick = brick * (1 - 0.45 * (x > 1.9))[:, None]
    colour = np.where(stack[:, None], brick, colour)
    colour = np.where(cap[:, None], f32([0.30, 0.20, 0.15]), colour)
    colour = np.where(
        pots[:, None],
        f32([0.36, 0.15, 0.08]) * (1.1 - 0.9 * np.abs(np.mod(x - 1.75 + 0.275, 0.36) - 0.095) / 0.2)[:, None],
        colour,
    )
    wall_at = 0.34
    t = (wall_at - eye_ahead) / np.maximum(ahead, BEHIND)
    x, up = VIEW.eye[0] + ray[:, 0] * t, eye_up + rise * t
    low = up < -0.02
    wall = _brick(f32(x), f32(up), leaves)
    wall = wall * (1 - 0.62 * smooth(-0.75, -0.42, f32(up)))[:, None]
    fascia = up > -0.24
    wall = np.where(fascia[:, None], f32([0.55, 0.55, 0.53]) * (0.55 + 0.9 * np.clip(-up, 0, 0.25))[:, None], wall)
    for centre in (-1.5, 1.4):
        frame = (np.abs(x - centre) < 0.62) & (up < -0.52)
        glass = (np.abs(np.abs(x - centre) - 0.29) < 0.25) & (up < -0.60)
        wall = np.where(frame[:, None], f32([0.60, 0.60, 0.58]), wall)
        shine = 0.05 + 0.10 * smooth(-0.3, 0.5, sample(clouds, f32(np.abs(up) * 90), f32((x + 4) * 60)))
        wall = np.where(glass[:, None], shine[:, None] * f32([0.8, 0.95, 1.1]), wall)
    colour = np.where(low[:, None], wall, colour)
    return f32(colour), f32(np.where(low | stack, np.clip(t, 1, 14), 30.0))


def _brick(x: Array, up: Array, leaves: Array) -> Array:
    """Stretcher bond in the sun."""
    course = np.floor(up / 0.075)
    along = np.mod(x + 0.1125 * np.mod(course, 2), 0.225)
    mortar = (np.mod(up, 0.075) < 0.011) | (along < 0.010)
    number = course * 57 + np.floor((x + 0.1125 * np.mod(course, 2)) / 0.225) * 131
    tone = 0.85 + 0.3 * np.mod(np.sin(number) * 4375.5, 1.0)
    grain = sample(leaves, np.mod(up * 150, 511), np.mod(x * 150, 1023))
    brick = f32([0.34, 0.155, 0.09]) * (tone * (1 + 0.10 * grain))[:, None]
    return f32(np.where(mortar[:, None], f32([0.36, 0.33, 0.28]), brick))


def render_roof(content: RoofTilesContent, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    tex = textures(rng, width)
    roof = _Roof(rng, content, max(0.004, 4.8 / width))
    sun, open_sky = roof.lit()
    flat = np.zeros(roof.c.shape, np.float32)
    surface = Surface(roof.c, roof.height, np.clip(roof.colour, 0, 1), flat, flat, open_sky)
    faces = normals(surface)
    c, eye = roof.c, VIEW.eye
    high = np.where(np.abs(c.y - RIDGE) < 0.13, 1.0, 0.0).astype(np.float32)

    def shade(ray: Array) -> tuple[Array, Array]:
        down = ray.copy()
        down[:, 2] = np.minimum(down[:, 2], -0.02)
        hit = meet_sheet(surface, eye, down, 0.20, -0.26, 70)
        point = eye + down * np.where(np.isfinite(hit), hit, 1.0)[:, None]
        row, column = c.row(point[:, 1]), c.column(point[:, 0])
        off = (row < 1) | (row > c.shape[0] - 2) | (column < 1) | (column > c.shape[1] - 2) | ~np.isfinite(hit)
        normal = normalise(sample(faces, row, column))
        key = np.clip(normal @ SUN, 0, 1) * sample(sun, row, column)
        sky = (0.5 + 0.5 * (normal @ UP)) * sample(open_sky, row, column)
        light = (1.75 * key)[:, None] * f32([1.0, 0.93, 0.80]) + (0.42 * sky)[:, None] * f32([0.80, 0.95, 1.2])
        shown = sample(surface.colour, row, column) * light * (1 + 0.1 * sample(high, row, column))[:, None]
        beyond, far = _house(ray, (tex.leaves, tex.clouds))
        return f32(np.where(off[:, None], beyond, shown)), f32(np.where(off, far, hit))

    image, distance = render(width, height, VIEW, shade)
    return develop(image, distance, rng, (40, 50, 60, 80), 1.05)


def draw_roof(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = RoofTilesContent.model_validate(made.content)
    return jpeg(render_roof(content, made.rng_seed or 0), content.quality)
