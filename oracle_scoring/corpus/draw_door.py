"""A phone picture of a front door that was forced open with a bar, rendered from its provenance.

A sheet seen from in front: x to the right, y up from the floor, z towards the viewer; metres. The face of the frame is
z = 0, the leaf stands a little open, inwards.
"""

import numpy as np
from PIL import Image

from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_content import ForcedDoorContent
from oracle_scoring.corpus.raster import Array, Canvas, blur, f32, fractal, sample, smooth, value_noise
from oracle_scoring.corpus.scene import (
    Surface,
    View,
    cast,
    develop,
    diffuse,
    hollows,
    jpeg,
    meet_sheet,
    normalise,
    normals,
    render,
    sky,
    textures,
)

VIEW = View(eye=f32([0.14, 1.34, 1.50]), target=f32([-0.01, 1.13, 0.0]), angle=54, tilt=-1.3)
KEY = normalise(f32([-0.55, 0.62, 0.56]))
WOOD, WHITE, METAL = (0.42, 0.29, 0.165), (0.66, 0.655, 0.63), (0.30, 0.30, 0.30)
BRASS = (0.42, 0.30, 0.10)
EDGE = 0.235
"""Where the leaf ends, at the side of the lock."""
LOCK_Y = 1.08


class _Door:
    """Builds the sheet."""

    def __init__(self, rng: np.random.Generator, content: ForcedDoorContent, cell: float) -> None:
        self.rng, self.strength = rng, content.strength
        self.c = Canvas(-1.15, 0.95, 0.35, 1.95, cell)
        self.paint = tuple(content.paint)
        self.height = np.zeros(self.c.shape, np.float32)
        self.colour = np.zeros((*self.c.shape, 3), np.float32)
        self.gloss = np.full(self.c.shape, 0.02, np.float32)
        self.rough = np.full(self.c.shape, 0.6, np.float32)
        self.dark = np.ones(self.c.shape, np.float32)
        self.fibre = value_noise(rng, self.c.shape, 0.25 / cell, 0.0028 / cell)
        self.wall()
        self.frame()
        self.leaf()
        self.letterbox()
        if content.strength > 0:
            self.split_frame()
            self.broken_edge()
            self.gouges()
        self.furniture()

    def lay(
        self, mask: Array, colour: tuple[float, ...], gloss: float, rough: float, height: float | None = None
    ) -> None:
        """Puts a material over what is there; a height replaces the one there."""
        self.colour += mask[..., None] * (f32(colour) - self.colour)
        self.gloss += mask * (f32(gloss) - self.gloss)
        self.rough += mask * (f32(rough) - self.rough)
        if height is not None:
            self.height += mask * (f32(height) - self.height)

    def wall(self) -> None:
        """Brick to both sides."""
        c, rng = self.c, self.rng
        course = np.floor(c.y / 0.075)
        along = np.mod(c.x + 3 + 0.1125 * np.mod(course, 2), 0.225)
        joint = np.maximum(smooth(0.011, 0.008, np.mod(c.y, 0.075)), smooth(0.011, 0.008, along))
        number = course * 57 + np.floor((c.x + 3 + 0.1125 * np.mod(course, 2)) / 0.225) * 131
        tone = 0.80 + 0.35 * np.mod(np.sin(number) * 4375.5, 1.0)
        grain = fractal(rng, c.shape, 0.02 / c.cell, 4)
        brick = f32([0.27, 0.115, 0.07]) * (tone * (1 + 0.16 * grain))[..., None]
        self.colour = f32(brick + joint[..., None] * (f32([0.36, 0.33, 0.28]) * (1 + 0.1 * grain)[..., None] - brick))
        self.height = f32(0.045 - 0.008 * joint + 0.0012 * grain)

    def frame(self) -> None:
        """White painted wood round the opening, a stop in it."""
        c = self.c
        outer = c.box(-0.78, 0.375, 0.0, 2.2, 0.002)
        self.lay(outer, WHITE, 0.045, 0.25, 0.0)
        self.height += outer * 0.0004 * self.fibre
        for x in (-0.775, 0.37):
            self.dark *= 1 - 0.4 * c.line([(x, 0.0), (x, 2.2)], 0.008, 0.003)
        groove = c.line([(0.335, 0.0), (0.335, 2.2)], 0.006, 0.001) + c.line(
            [(-0.745, 0.0), (-0.745, 2.2)], 0.006, 0.001
        )
        self.height -= groove * f32(0.003)
        opening = c.box(-0.715, 0.272, 0.0, 2.2, 0.0, 0.0008)
        self.lay(opening, (0.004, 0.004, 0.005), 0.0, 1.0, -0.32)

    def leaf(self) -> None:
        """The painted leaf with mouldings, ajar: nearer at the hinges than at the lock."""
        c = self.c
        body = c.box(-0.705, EDGE, 0.0, 2.2, 0.0, 0.0006)
        depth = -0.020 - 0.062 * smooth(-0.705, EDGE, c.x) * np.clip((c.x + 0.705) / (EDGE + 0.705), 0, 1)
        self.lay(body, self.paint, 0.05, 0.10)
        self.height = f32(self.height * (1 - body) + depth * body)
        self.height += body * 0.0003 * self.fibre
        for x0, x1, y0, y1 in (
            (-0.60, -0.255, 1.16, 1.86),
            (-0.205, 0.085, 1.16, 1.86),
            (-0.60, -0.255, 0.40, 0.78),
            (-0.205, 0.085, 0.40, 0.78),
        ):
            out = c.box(x0, x1, y0, y1, 0.0, 0.0015)
            mid = c.box(x0 + 0.018, x1 - 0.018, y0 + 0.018, y1 - 0.018, 0.0, 0.002)
            self.height += (out - mid) * f32(0.007)
            self.height -= mid * f32(0.009)
            field = c.box(x0 + 0.06, x1 - 0.06, y0 + 0.06, y1 - 0.06, 0.0, 0.010)
            self.height += field * f32(0.009)
        worn = smooth(0.55, 0.8, fractal(self.rng, c.shape, 0.12 / c.cell, 4)) * smooth(0.62, 0.40, c.y)
        self.colour += (body * worn * 0.25)[..., None] * (f32([0.14, 0.12, 0.10]) - self.colour)

    def letterbox(self) -> None:
        """A brass flap at the middle rail."""
        c = self.c
        plate = c.box(-0.385, -0.085, 0.905, 0.985, 0.008, 0.0015)
        self.lay(plate, BRASS, 0.40, 0.10)
        self.height += plate * f32(0.004)
        self.height += c.box(-0.36, -0.11, 0.922, 0.968, 0.005, 0.003) * f32(0.005)
        slot = c.line([(-0.362, 0.970), (-0.108, 0.970)], 0.003)
        self.dark *= 1 - 0.85 * slot

    def split_frame(self) -> None:
        """The frame has burst along the grain where the bolt was: raw wood, a gap, the torn strike plate."""
        c, rng, s = self.c, self.rng, self.strength
        y = c.y[:, 0]
        wander = (
            value_noise(rng, (len(y), 2), 0.10 / c.cell, 2)[:, 0] * 0.009
            + value_noise(rng, (len(y), 2), 0.02 / c.cell, 2)[:, 0] * 0.003
        )
        reach = np.clip(1 - np.abs(y - LOCK_Y) / (0.20 + 0.26 * s), 0, 1)
        right = f32(0.272 + (0.062 * s) * reach**0.6 + wander * (reach > 0))[:, None]
        jag = 0.004 * self.fibre * (reach > 0)[:, None]
        raw = smooth(0.0006, -0.0006, c.x - right - jag) * smooth(0.2715, 0.2725, c.x) * (reach > 0)[:, None]
        wood = f32(WOOD) * (1 + 0.32 * self.fibre + 0.1 * fractal(rng, c.shape, 0.02 / c.cell, 3))[..., None]
        self.colour += raw[..., None] * (wood - self.colour)
        self.gloss *= 1 - 0.8 * raw
        self.rough = np.maximum(self.rough, raw)
        self.height -= raw * f32(0.020 + 0.004) * (1 - 0.5 * smooth(0.272, 0.32, c.x))
        self.height += raw * 0.004 * self.fibre
        crack = [(0.318, LOCK_Y - 0.46 * s)]
        while crack[-1][1] < LOCK_Y + 0.50 * s:
            x, at = crack[-1]
            crack.append((x + float(rng.normal(0, 0.0035)), at + float(rng.uniform(0.014, 0.035))))
        self.lay(c.line(crack, 0.0045, 0.0007), (0.01, 0.008, 0.006), 0.0, 1.0, -0.014)
        pale = c.line([(x - 0.0045, at) for x, at in crack], 0.005, 0.001) * smooth(-0.4, 0.3, self.fibre)
        self.lay(pale, WOOD, 0.01, 0.9)
        for _ in range(22):
            x, at = float(rng.uniform(0.262, 0.315)), LOCK_Y + float(rng.normal(0, 0.12))
            long, lean = float(rng.uniform(0.03, 0.11)), float(rng.normal(-0.10, 0.16))
            splinter = c.polygon(
                [(x, at), (x + 0.0045, at + 0.3 * long), (x + lean * long, at + long), (x - 0.003, at + 0.3 * long)],
                0.0005,
            )
            shade = float(rng.uniform(0.75, 1.25))
            self.lay(splinter, tuple(v * shade for v in WOOD), 0.01, 0.9, 0.010)
        plate = self._turned(0.292, LOCK_Y - 0.01, 0.013, 0.062, -14.0 * s)
        self.lay(plate, METAL, 0.45, 0.12, 0.012)
        self.lay(self._turned(0.291, LOCK_Y + 0.012, 0.006, 0.014, -14.0 * s), (0.004, 0.004, 0.004), 0.0, 1.0)
        for dy in (-0.05, 0.048):
            self.lay(c.disc(0.292 + dy * 0.24, LOCK_Y - 0.01 + dy, 0.0032, 0.0006), (0.01, 0.01, 0.01), 0.1, 0.5)

    def _turned(self, x: float, y: float, half_wide: float, half_high: float, degrees: float) -> Array:
        a = np.deg2rad(degrees)
        corners = [(-half_wide, -half_high), (half_wide, -half_high), (half_wide, half_high), (-half_wide, half_high)]
        turned = [
            (x + float(np.cos(a) * u - np.sin(a) * v), y + float(np.sin(a) * u + np.cos(a) * v)) for u, v in corners
        ]
        return self.c.polygon(turned, 0.0008)

    def broken_edge(self) -> None:
        """A piece of the leaf's edge is gone round the lock; its case shows, wood hangs in strips."""
        c, rng, s = self.c, self.rng, self.strength
        y = c.y[:, 0]
        wander = (
            value_noise(rng, (len(y), 2), 0.035 / c.cell, 2)[:, 0] * 0.012
            + value_noise(rng, (len(y), 2), 0.008 / c.cell, 2)[:, 0] * 0.004
        )
        reach = np.clip(1 - np.abs(y - LOCK_Y - 0.015) / (0.10 + 0.09 * s), 0, 1)
        left = f32(EDGE - (0.045 * s) * reach**0.45 + wander * (reach > 0))[:, None]
        beside = (reach > 0)[:, None] * smooth(EDGE + 0.001, EDGE - 0.001, c.x)
        gone = beside * smooth(-0.0006, 0.0006, c.x - left)
        raw = beside * smooth(-0.0006, 0.0006, c.x - (left - 0.022 * s - 0.006 * self.fibre)) * (1 - gone)
        wood = f32(WOOD) * (0.95 + 0.30 * self.fibre)[..., None]
        self.colour += raw[..., None] * (wood - self.colour)
        self.gloss *= 1 - 0.8 * raw
        self.rough = np.maximum(self.rough, raw)
        self.height -= raw * f32(0.009)
        self.height += raw * 0.003 * self.fibre
        self.lay(gone, (0.03, 0.022, 0.015), 0.0, 1.0, -0.135)
        case = c.box(EDGE - 0.052, EDGE - 0.004, LOCK_Y - 0.085, LOCK_Y + 0.075, 0.002) * gone
        self.lay(case, (0.22, 0.22, 0.215), 0.40, 0.15, -0.118)
        bolt = c.box(EDGE - 0.008, EDGE + 0.019, LOCK_Y - 0.018, LOCK_Y + 0.014, 0.002)
        self.lay(bolt, (0.40, 0.40, 0.39), 0.55, 0.08, -0.100)
        for _ in range(16):
            at = LOCK_Y + float(rng.normal(0.0, 0.09))
            x = EDGE - float(rng.uniform(0.0, 0.03)) * s
            long, lean = float(rng.uniform(0.03, 0.10)), float(rng.normal(0.12, 0.18))
            sign = float(rng.choice([-1, 1]))
            strip = c.polygon(
                [
                    (x, at),
                    (x + 0.004, at + sign * 0.3 * long),
                    (x + lean * long, at + sign * long),
                    (x - 0.003, at + sign * 0.3 * long),
                ],
                0.0005,
            )
            shade = float(rng.uniform(0.7, 1.3))
            self.lay(strip, tuple(v * shade for v in WOOD), 0.01, 0.9, -0.060)

    def gouges(self) -> None:
        """Where the bar was set: pressed edges, scraped paint, chips."""
        c, rng, s = self.c, self.rng, self.strength
        chips = fractal(rng, c.shape, 0.012 / c.cell, 4)
        for x, y, wide, high in (
            (EDGE - 0.012, 1.33, 0.020, 0.018), (EDGE - 0.016, 0.84, 0.024, 0.020), (EDGE - 0.010, 1.245, 0.015, 0.013),
            (0.284, 1.335, 0.016, 0.020), (0.286, 0.85, 0.018, 0.022), (0.290, 1.24, 0.015, 0.015),
        ):  # fmt: skip
            near = np.hypot((c.x - x) / wide, (c.y - y) / high)
            self.height -= smooth(1.0, 0.4, near) * f32(0.008 * s)
            bare = smooth(0.05, 0.10, f32(1.15 - near + 0.5 * chips)) * (near < 1.9)
            self.lay(f32(bare), tuple(0.85 * v for v in WOOD), 0.01, 0.9)
            self.dark *= 1 - 0.5 * smooth(0.55, 0.1, near)
        image = np.zeros(c.shape, np.float32)
        for _ in range(26):
            x, y = (
                float(rng.choice([EDGE - 0.03, 0.295])) + float(rng.normal(0, 0.015)),
                float(rng.choice([1.33, 0.85, 1.12])) + float(rng.normal(0, 0.05)),
            )
            angle, long = float(rng.normal(0.1, 0.5)), float(rng.uniform(0.015, 0.07))
            image = np.maximum(
                image, c.line([(x, y), (x - long * np.cos(angle), y + long * np.sin(angle))], 0.0015, 0.0005)
            )
        self.lay(image * 0.8, (0.42, 0.36, 0.28), 0.02, 0.8)

    def furniture(self) -> None:
        """Handle on its plate, knocked askew; a cylinder above it."""
        c, s = self.c, self.strength
        turn = 9.0 * s
        drop = 0.012 * s
        x, y = 0.142 - 0.006 * s, LOCK_Y - drop
        for grow, tone in ((0.004, 0.25), (0.0, 1.0)):
            plate = self._turned(x, y, 0.024 + grow, 0.112 + grow, turn)
            if grow:
                self.dark *= 1 - 0.55 * blur(plate, 3.0)
            else:
                self.lay(plate, tuple(v * tone for v in METAL), 0.42, 0.10)
                self.height += plate * f32(0.007)
        a = np.deg2rad(turn)
        axis = (x - float(np.sin(a)) * 0.045, y + float(np.cos(a)) * 0.045)
        self.height += self.c.disc(*axis, 0.017, 0.002) * f32(0.022)
        end = (axis[0] - 0.118 * float(np.cos(a + 0.12 * s)), axis[1] - 0.118 * float(np.sin(a + 0.30 * s)))
        lever = c.line([axis, end], 0.019, 0.002)
        away, _ = c.distance(axis, end)
        self.lay(lever, (0.34, 0.34, 0.34), 0.50, 0.06)
        self.height += f32(lever * (0.030 + 0.009 * np.sqrt(np.clip(1 - (away / 0.0105) ** 2, 0, 1))))
        key = (x + float(np.sin(a)) * 0.052, y - float(np.cos(a)) * 0.052)
        self.lay(c.disc(*key, 0.0105, 0.0008), BRASS, 0.45, 0.10)
        self.height += c.disc(*key, 0.0105, 0.0008) * f32(0.004)
        self.lay(
            c.line([(key[0], key[1] - 0.006), (key[0], key[1] + 0.004)], 0.0025, 0.0005),
            (0.005, 0.004, 0.003),
            0.0,
            1.0,
        )
        for dy in (-0.098, 0.098):
            at = (x - float(np.sin(a)) * dy, y + float(np.cos(a)) * dy)
            self.lay(c.disc(*at, 0.0045, 0.0006), (0.012, 0.012, 0.012) if dy > 0 else (0.26, 0.26, 0.26), 0.3, 0.2)
        scar = self._turned(0.142, LOCK_Y, 0.026, 0.114, 0.0) * (1 - self._turned(x, y, 0.024, 0.112, turn))
        self.lay(scar * 0.75, tuple(min(1.0, 1.7 * v + 0.012) for v in self.paint), 0.02, 0.5)

    def finish(self) -> tuple[Surface, Array]:
        """The sheet, and how much of the brightest sky each point sees."""
        cell = self.c.cell
        dark = self.dark * hollows(self.height, cell, (0.006, 0.025), 0.5)
        inside = smooth(-0.20, -0.30, self.height)
        surface = Surface(
            self.c, self.height, np.clip(self.colour, 0, 1), self.gloss, self.rough, f32(dark * (1 - 0.9 * inside))
        )
        return surface, cast(self.height, cell, KEY, 0.14)


def render_door(content: ForcedDoorContent, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    tex = textures(rng, width)
    door = _Door(rng, content, max(0.0010, 1.25 / width))
    surface, key = door.finish()
    faces = normals(surface)
    c, eye = surface.canvas, VIEW.eye

    def shade(ray: Array) -> tuple[Array, Array]:
        hit = meet_sheet(surface, eye, ray, 0.07, -0.34, 90)
        t = np.where(np.isfinite(hit), hit, (-0.3 - eye[2]) / ray[:, 2])
        point = eye + ray * t[:, None]
        row, column = c.row(point[:, 1]), c.column(point[:, 0])
        normal = normalise(sample(faces, row, column))
        gloss, rough, dark = (sample(a, row, column) for a in (surface.gloss, surface.rough, surface.dark))
        dark = dark * (1 - 0.88 * smooth(-0.088, -0.17, point[:, 2]))
        facing = np.clip(-(ray * normal).sum(1), 0, 1)
        mirrored = normalise(ray + 2 * facing[:, None] * normal)
        lit = diffuse(normal) * 0.62 * dark[:, None]
        sun = np.clip(normal @ KEY, 0, 1) * sample(key, row, column) * dark
        light = lit + (0.62 * sun)[:, None] * f32([1.0, 0.97, 0.92])
        fresnel = gloss + (1 - gloss) * (1 - facing) ** 5 * (1 - rough)
        seen = sky(mirrored, tex, rough) * (fresnel * dark)[:, None] * 0.7
        return f32(sample(surface.colour, row, column) * light + seen), f32(t)

    image, distance = render(width, height, VIEW, shade)
    return develop(image, distance, rng, (4, 5, 6, 8), 1.12)


def draw_door(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = ForcedDoorContent.model_validate(made.content)
    return jpeg(render_door(content, made.rng_seed or 0), content.quality)
