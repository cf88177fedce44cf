"""A phone picture of a ceiling with a water stain, rendered from its provenance.

A room seen from below: ceiling, two walls, coving, a paper lamp, a picture on the wall. Metres; x right, y up, z towards
the viewer.
"""

import numpy as np
from PIL import Image

from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_content import CeilingStainContent
from oracle_scoring.corpus.raster import Array, blur, f32, fractal, sample, smooth, value_noise
from oracle_scoring.corpus.scene import View, develop, jpeg, normalise, render

CEILING, BACK, LEFT = 2.45, -2.35, -1.75
VIEW = View(eye=f32([0.55, 1.52, 0.75]), target=f32([-0.06, 2.36, -1.45]), angle=58, tilt=2.2)
STAIN = (-0.30, -1.62)
LAMP, LAMP_RADIUS = f32([0.92, 2.02, -1.42]), 0.21
COVE = 0.10


class _Ceiling:
    """Textures of ceiling and walls over x from -1.75 to 2.25 and, for the ceiling, z from -2.35 to 0.65."""

    def __init__(self, rng: np.random.Generator, content: CeilingStainContent) -> None:
        self.rng = rng
        self.px = min(420, max(80, round(0.35 * content.width)))
        """Pixels a metre."""
        rows, columns = 3 * self.px, 4 * self.px
        self.z, self.x = np.mgrid[0:rows, 0:columns].astype(np.float32) / self.px
        self.x, self.z = self.x + f32(LEFT), self.z + f32(BACK)
        self.shape = (rows, columns)
        roller = value_noise(rng, self.shape, 2.4, 2.4) + 0.7 * value_noise(rng, self.shape, 5, 5)
        self.relief = roller * f32(0.00022) + fractal(rng, self.shape, 300, 3) * f32(0.004)
        tone = 0.80 + 0.010 * fractal(rng, self.shape, 260, 4)
        self.colour = f32(tone[..., None] * f32([1.0, 0.985, 0.95]))
        self.dark = np.ones(self.shape, np.float32)
        self.joint()
        if content.extent > 0:
            self.stain(0.34 + 0.62 * content.extent)
            self.sag(content.sag, 0.34 + 0.62 * content.extent)

    def joint(self) -> None:
        """Where two boards meet: a hair crack that shows through the paint."""
        wander = value_noise(self.rng, (2, self.shape[1]), 2, 90)[0] * f32(0.004)
        away = np.abs(self.z - (-1.18) - wander[None, :])
        self.dark *= 1 - 0.20 * smooth(0.0022, 0.0006, away) * smooth(-0.4, 0.4, fractal(self.rng, self.shape, 60, 3))

    def field(self, radius: float) -> Array:
        """Distance from the middle of the stain as a part of its radius, its edge ragged."""
        dx, dz = (self.x - STAIN[0]) / 1.25, self.z - STAIN[1]
        away = np.hypot(dx, dz) / radius
        lobes = 0.20 * fractal(self.rng, self.shape, 0.55 * radius * self.px, 3)
        fine = 0.035 * fractal(self.rng, self.shape, 26, 4)
        return f32(away + lobes + fine)

    def stain(self, radius: float) -> None:
        """Brown with darker rings where each wetting dried."""
        field = self.field(radius)
        patch = 0.5 + 0.5 * fractal(self.rng, self.shape, 120, 4)
        wash = smooth(1.0, 0.82, field) * (0.16 + 0.14 * patch)
        wash = wash + smooth(0.62, 0.25, field) * (0.16 + 0.10 * patch)
        rings = np.zeros(self.shape, np.float32)
        for at, strong in ((0.985, 0.85), (0.83, 0.38), (0.64, 0.62), (0.47, 0.30), (0.30, 0.42)):
            outer = smooth(at + 0.016, at, field)
            inner = smooth(at - 0.14, at, field)
            rings = np.maximum(rings, outer * inner**3 * f32(strong) * (0.65 + 0.5 * patch))
        amount = np.clip(1.5 * wash + rings * 1.05, 0, 1)[..., None]
        brown = f32([0.36, 0.20, 0.075])
        absorbed = f32([1.0, 1.0, 1.0]) * (1 - amount) + brown * amount
        self.colour *= absorbed
        mould = smooth(0.55, 0.75, fractal(self.rng, self.shape, 16, 3)) * smooth(0.55, 0.2, field)
        self.colour *= (1 - 0.55 * mould)[..., None]

    def sag(self, amount: float, radius: float) -> None:
        """A bulge, paint that has come off in flakes, cracks, and board that shows."""
        dx, dz = (self.x - STAIN[0]) / 1.2, self.z - STAIN[1]
        away = np.hypot(dx, dz) / radius
        self.relief -= f32(0.12 * amount) * f32(np.exp(-((away / 0.45) ** 2)))
        ragged = away + 0.16 * fractal(self.rng, self.shape, 75, 5)
        off = smooth(0.008, -0.008, f32(ragged - 0.30 * amount))
        board = f32([0.30, 0.235, 0.16]) * (0.9 + 0.18 * fractal(self.rng, self.shape, 40, 4))[..., None]
        self.colour += off[..., None] * (board - self.colour)
        lip = np.clip(blur(off, 7.0) - off, 0, None)
        self.relief -= lip * f32(0.05 * amount)
        under = np.roll(blur(off, 3.5), (5, 4), (0, 1)) - off
        self.dark *= 1 - 0.75 * np.clip(-np.minimum(under, 0), 0, 1) * (off > 0.5)
        self.dark *= 1 - 0.35 * np.clip(blur(1 - off, 5.0), 0, 1) * off
        for n in range(round(7 * amount)):
            angle = n * 0.9 + float(self.rng.uniform(0, 0.5))
            x, z = STAIN[0] + 0.24 * radius * np.cos(angle), STAIN[1] + 0.2 * radius * np.sin(angle)
            for _ in range(int(self.rng.integers(14, 34))):
                nx, nz = x + 0.014 * np.cos(angle), z + 0.014 * np.sin(angle)
                near = np.abs((self.x - x) * (nz - z) - (self.z - z) * (nx - x)) / 0.014
                close = np.hypot(self.x - (x + nx) / 2, self.z - (z + nz) / 2) < 0.009
                self.dark[close] *= 1 - 0.6 * smooth(0.0032, 0.0008, f32(near[close]))
                angle += float(self.rng.normal(0, 0.35))
                x, z = nx, nz


def _room_light(point: Array, normal: Array) -> Array:
    """Daylight from a window behind on the right, bounced about; darker in the corners."""
    to = f32([2.6, 1.35, 1.7]) - point
    far = np.linalg.norm(to, axis=1)
    key = np.clip((to * normal).sum(1) / far, 0, 1) / (0.55 + 0.24 * far**2)
    edges = np.minimum(np.minimum(point[:, 0] - LEFT, point[:, 2] - BACK) + 1e-3, 3.0)
    corner = 1 - 0.34 * np.exp(-np.clip(CEILING - point[:, 1], 0, None) / 0.20) * (normal[:, 1] > -0.5)
    corner = corner * (1 - 0.34 * np.exp(-edges / 0.22) * (normal[:, 1] < -0.5))
    bounce = 0.36 + 0.05 * np.clip(point[:, 0] - LEFT, 0, 3) + 0.04 * np.clip(point[:, 2] - BACK, 0, 3)
    return f32((bounce * corner)[:, None] * f32([1.0, 0.96, 0.88]) + (1.9 * key)[:, None] * f32([0.98, 1.0, 1.03]))


def _runs(rng: np.random.Generator) -> Array:
    """Brown runs down the back wall: strength over 4 m by 2.45 m at 200 pixels a metre, from the ceiling down."""
    shape = (490, 800)
    down, across = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / 200
    out = np.zeros(shape, np.float32)
    for _ in range(15):
        x = STAIN[0] - LEFT + float(rng.normal(0, 0.26))
        length, wide = float(rng.exponential(0.28)) + 0.12, float(rng.uniform(0.004, 0.012))
        wander = x + 0.012 * np.sin(down * float(rng.uniform(3, 9)) + float(rng.uniform(0, 6)))
        body = np.exp(-(((across - wander) / wide) ** 2))
        edge = np.exp(-(((np.abs(across - wander) - wide * 1.3) / (wide * 0.4)) ** 2))
        out = np.maximum(out, f32((0.35 * body + 0.5 * edge) * smooth(length, length - 0.06, down)))
    return out


def render_ceiling(content: CeilingStainContent, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    ceiling = _Ceiling(rng, content)
    runs = _runs(rng) if content.extent > 0 else np.zeros((490, 800), np.float32)
    plaster = fractal(rng, (512, 512), 60, 5)
    down, right = np.gradient(ceiling.relief, 1 / ceiling.px)
    eye = VIEW.eye

    def on_ceiling(point: Array) -> Array:
        row, column = (point[:, 2] - BACK) * ceiling.px, (point[:, 0] - LEFT) * ceiling.px
        slope_x, slope_z = sample(right, row, column), sample(down, row, column)
        normal = normalise(f32(np.stack([slope_x, np.full(len(point), -1.0), slope_z], 1)))
        shade = _room_light(point, normal) * sample(ceiling.dark, row, column)[:, None]
        lamp = np.hypot(point[:, 0] - LAMP[0], point[:, 2] - LAMP[2])
        shade = shade * (1 - 0.16 * np.exp(-((lamp / 0.33) ** 2)))[:, None]
        rose = smooth(0.052, 0.049, lamp)
        rim = smooth(0.006, 0.0, np.abs(lamp - 0.052)) * 0.4
        return f32(sample(ceiling.colour, row, column) * shade * (1 - rim)[:, None] * (1 + 0.05 * rose)[:, None])

    def on_wall(point: Array, normal: Array, across: Array, back: bool) -> Array:
        grain = sample(plaster, np.mod(point[:, 1] * 150, 511), np.mod(across * 150, 511))
        colour = f32(content.wall) * (1 + 0.02 * grain)[:, None]
        if back:
            stained = sample(runs, (CEILING - point[:, 1]) * 200, across * 200)
            colour = colour * (1 - stained[:, None] * f32([0.40, 0.58, 0.78]))
            colour = _picture(colour, across, point[:, 1])
        return f32(colour * _room_light(point, normal))

    def cove(colour: Array, away: Array, upper: bool) -> Array:
        """A moulding along the edge: white, a hollow with two steps."""
        t = away / COVE
        inside = (t < 1)[:, None]
        hollow = (0.92 - 0.26 * np.sin(np.pi * np.clip(t, 0, 1)) ** 2) if upper else (0.60 + 0.30 * t)
        step = 1 - 0.45 * (np.exp(-(((t - 0.93) / 0.05) ** 2)) + 0.6 * np.exp(-(((t - 0.12) / 0.04) ** 2)))
        white = f32([0.42, 0.405, 0.375]) * (hollow * step)[:, None]
        return f32(np.where(inside, white, colour))

    def shade(ray: Array) -> tuple[Array, Array]:
        up = np.where(ray[:, 1] > 1e-4, (CEILING - eye[1]) / np.maximum(ray[:, 1], 1e-4), np.inf)
        back = np.where(ray[:, 2] < -1e-4, (BACK - eye[2]) / np.minimum(ray[:, 2], -1e-4), np.inf)
        left = np.where(ray[:, 0] < -1e-4, (LEFT - eye[0]) / np.minimum(ray[:, 0], -1e-4), np.inf)
        every = np.stack([up, back, left])
        first, distance = every.argmin(0), f32(np.minimum(every.min(0), 9))
        point = eye + ray * distance[:, None]
        colour = np.zeros((len(ray), 3), np.float32)
        a = first == 0
        edge = np.minimum(point[:, 0] - LEFT, point[:, 2] - BACK)
        colour[a] = cove(on_ceiling(point[a]), edge[a], True)
        for n, normal, axis in ((1, [0, 0, 1], 0), (2, [1, 0, 0], 2)):
            b = first == n
            facing = np.tile(f32(normal), (int(b.sum()), 1))
            origin = LEFT if axis == 0 else BACK
            wall = on_wall(point[b], facing, f32(point[b][:, axis] - origin), n == 1)
            colour[b] = cove(wall, f32(CEILING - point[b][:, 1]), False)
        return _lamp(eye, ray, colour, distance)

    image, distance = render(width, height, VIEW, shade)
    return develop(image, distance, rng, (5, 6, 7, 9), 0.98)


def _picture(colour: Array, across: Array, up: Array) -> Array:
    """A framed picture of hills that hangs on the back wall."""
    x, y = across - 2.62, up - 1.86
    frame = (np.abs(x) < 0.33) & (np.abs(y) < 0.23)
    mount = (np.abs(x) < 0.295) & (np.abs(y) < 0.195)
    inner = (np.abs(x) < 0.22) & (np.abs(y) < 0.13)
    hill = y < 0.02 + 0.03 * np.sin(x * 14) - 0.02 * np.cos(x * 31)
    field = np.where(hill[:, None], f32([0.10, 0.17, 0.07]), f32([0.34, 0.45, 0.55]))
    shadow = (np.abs(x + 0.012) < 0.345) & (np.abs(y + 0.016) < 0.245)
    colour = np.where(shadow[:, None], colour * 0.72, colour)
    colour = np.where(frame[:, None], f32([0.13, 0.075, 0.04]), colour)
    colour = np.where(mount[:, None], f32([0.66, 0.65, 0.60]), colour)
    return f32(np.where(inner[:, None], field, colour))


def _lamp(eye: Array, ray: Array, colour: Array, distance: Array) -> tuple[Array, Array]:
    """A round paper lantern on its flex."""
    o = eye - LAMP
    b, c = ray @ o, float(o @ o) - LAMP_RADIUS**2
    root = b * b - c
    t = -b - np.sqrt(np.clip(root, 0, None))
    hit = (root > 0) & (t > 0) & (t < distance)
    point = eye + ray * t[:, None]
    normal = normalise(point - LAMP)
    rib = 1 - 0.20 * smooth(0.12, 0.03, np.abs(np.mod((point[:, 1] - LAMP[1]) / 0.024, 1.0) - 0.5))
    opening = smooth(0.075, 0.070, np.hypot(point[:, 0] - LAMP[0], point[:, 2] - LAMP[2])) * (normal[:, 1] < 0)
    light = _room_light(point, normal) * 0.85 + 0.06
    paper = f32([0.82, 0.80, 0.73]) * light * rib[:, None] * (1 - 0.8 * opening)[:, None]
    colour = np.where(hit[:, None], paper, colour)
    flat = np.hypot(ray[:, 0], ray[:, 2])
    along = (LAMP[0] - eye[0]) * ray[:, 0] / flat + (LAMP[2] - eye[2]) * ray[:, 2] / flat
    side = np.abs((LAMP[0] - eye[0]) * ray[:, 2] - (LAMP[2] - eye[2]) * ray[:, 0]) / flat
    height = eye[1] + ray[:, 1] / flat * along
    flex = (side < 0.0042) & (height > LAMP[1] + 0.15) & (height < CEILING)
    colour = np.where((flex & ~hit)[:, None], f32([0.30, 0.29, 0.27]), colour)
    return f32(colour), f32(np.where(hit, t, distance))


def draw_ceiling(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = CeilingStainContent.model_validate(made.content)
    return jpeg(render_ceiling(content, made.rng_seed or 0), content.quality)
