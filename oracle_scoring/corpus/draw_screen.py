"""A phone picture of a device whose screen is cracked but still lit, rendered from its provenance.

The whole device is in the picture, so that it is taken for what it is: a television on a sideboard, an open laptop on a
desk, a tablet lying on a table. The screen is a plane of colour that shines; cracks, dark and coloured blotches and
lines of failed pixels are drawn on it. Nothing on it can be read.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw

from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_content import CrackedScreenContent
from oracle_scoring.corpus.raster import Array, blur, f32, fractal, sample, smooth, value_noise
from oracle_scoring.corpus.scene import View, develop, jpeg, normalise, render

EVENING = f32([1.0, 0.93, 0.82])


@dataclass(frozen=True)
class Slab:
    """A thin device part: a rectangle in space with rounded corners, and what is on it."""

    centre: Array
    right: Array
    up: Array
    half: tuple[float, float]
    """Half width and half height, metres."""
    colour: Array
    """Linear RGB over the rectangle, from the upper left."""
    glow: Array
    """Light of its own, the same shape."""
    gloss: float
    radius: float = 0.012

    def meet(self, eye: Array, ray: Array) -> tuple[Array, Array, Array]:
        """Distance (infinite where it misses), and the position over the rectangle from -1 to 1, x right, y up."""
        normal = np.cross(self.right, self.up)
        slant = ray @ normal
        t = ((self.centre - eye) @ normal) / np.where(np.abs(slant) < 1e-5, 1e-5, slant)
        off = eye + ray * t[:, None] - self.centre
        x, y = off @ self.right, off @ self.up
        corner = np.hypot(
            np.clip(np.abs(x) - self.half[0] + self.radius, 0, None),
            np.clip(np.abs(y) - self.half[1] + self.radius, 0, None),
        )
        return f32(np.where((t > 0) & (corner < self.radius), t, np.inf)), f32(x / self.half[0]), f32(y / self.half[1])

    def shade(self, x: Array, y: Array, ray: Array, light: Array, mirrored: Array) -> Array:
        """Colour at positions: lit, shining, and mirroring the room."""
        rows, columns = self.colour.shape[:2]
        row, column = (1 - y) / 2 * (rows - 1), (x + 1) / 2 * (columns - 1)
        facing = np.abs(ray @ np.cross(self.right, self.up))
        fresnel = self.gloss + (1 - self.gloss) * (1 - facing) ** 5 * min(1.0, self.gloss * 15)
        return f32(
            sample(self.colour, row, column) * light + sample(self.glow, row, column) + mirrored * fresnel[:, None]
        )


# --- what a screen shows -----------------------------------------------------------------------------------------


def _programme(rng: np.random.Generator, rows: int, columns: int) -> Array:
    """A broadcast landscape: a lake before mountains at sunset, a boat."""
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x, y = x / columns, y / rows
    sky = f32([0.05, 0.16, 0.50]) + smooth(0.0, 0.55, y)[..., None] * f32([0.85, 0.33, 0.0])
    cloud = smooth(0.1, 0.9, fractal(rng, (rows, columns), rows * 0.16, 4)) * smooth(0.55, 0.1, y)
    picture = sky + (0.45 * cloud)[..., None] * f32([1.0, 0.75, 0.6])
    sun = np.hypot((x - 0.66) * columns / rows, y - 0.46)
    picture = picture + np.exp(-((sun / 0.10) ** 2))[..., None] * f32([1.0, 0.7, 0.25])
    for base, tone, seed in ((0.42, [0.13, 0.11, 0.24], 70), (0.50, [0.05, 0.06, 0.13], 40)):
        ridge = (
            base
            - 0.15 * np.abs(value_noise(rng, (2, columns), 2, columns * seed / 400)[0])
            - 0.02 * value_noise(rng, (2, columns), 2, columns * 0.02)[0]
        )
        picture = np.where((y > ridge[None, :])[..., None], f32(tone), picture)
    water = smooth(0.575, 0.585, y)[..., None]
    mirrored = picture[np.clip((1.16 * rows - np.arange(rows)).astype(np.int32), 0, rows - 1)]
    ripple = 1 + 0.35 * value_noise(rng, (rows, columns), rows * 0.008, columns * 0.06)[..., None]
    picture = picture * (1 - water) + water * mirrored * 0.7 * ripple
    hull = (np.abs(x - 0.30) < 0.06 - (y - 0.66) * 0.6) & (np.abs(y - 0.675) < 0.018)
    mast = (np.abs(x - 0.30) < 0.002) & (y > 0.46) & (y < 0.66)
    sail = (y > 0.47) & (y < 0.65) & (x > 0.304) & (x < 0.304 + (y - 0.47) * 0.28)
    picture = np.where((hull | mast)[..., None], f32([0.03, 0.02, 0.02]), picture)
    return f32(np.where(sail[..., None], f32([0.85, 0.75, 0.65]), picture))


def _desktop(rng: np.random.Generator, rows: int, columns: int) -> Array:
    """A desktop: a soft background, a window with grey lines for text, a bar with signs."""
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x, y = x / columns, y / rows
    swirl = np.sin(5 * x + 3 * np.sin(2.5 * y + 1)) * 0.5 + 0.5
    picture = f32([0.03, 0.16, 0.36]) + swirl[..., None] * f32([0.05, 0.30, 0.42]) * (1 - 0.6 * y)[..., None]
    image = Image.fromarray((np.clip(picture, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8))
    pen = ImageDraw.Draw(image)

    def box(x0: float, y0: float, x1: float, y1: float, fill: tuple[int, int, int]) -> None:
        pen.rectangle((x0 * columns, y0 * rows, x1 * columns, y1 * rows), fill=fill)

    box(0.10, 0.10, 0.70, 0.86, (244, 245, 247))
    box(0.10, 0.10, 0.70, 0.155, (214, 219, 226))
    box(0.13, 0.19, 0.42, 0.225, (50, 60, 80))
    for n in range(17):
        box(0.13, 0.26 + n * 0.033, 0.13 + float(rng.uniform(0.36, 0.54)), 0.275 + n * 0.033, (150, 156, 166))
    box(0.74, 0.14, 0.95, 0.50, (236, 240, 244))
    for n in range(5):
        tall = float(rng.uniform(0.06, 0.24))
        box(0.765 + n * 0.036, 0.46 - tall, 0.79 + n * 0.036, 0.46, (62, 120, 190))
    box(0.0, 0.935, 1.0, 1.0, (32, 36, 46))
    for n in range(9):
        fill = ((200, 80, 60), (70, 140, 210), (90, 180, 110), (230, 180, 60))[n % 4]
        box(0.33 + n * 0.04, 0.948, 0.355 + n * 0.04, 0.988, fill)
    return f32(np.asarray(image) / 255) ** f32(2.2)


def _signs(rng: np.random.Generator, rows: int, columns: int) -> Array:
    """A tablet's first page: rows of rounded signs on a coloured ground."""
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x, y = x / columns, y / rows
    wave = np.sin(4 * x + 2.5 * y) * 0.5 + 0.5
    picture = f32([0.28, 0.07, 0.30]) + wave[..., None] * f32([0.45, 0.20, 0.05]) * (1 - 0.5 * x)[..., None]
    image = Image.fromarray((np.clip(picture, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8))
    pen = ImageDraw.Draw(image)
    side = rows * 0.105
    for row in range(5):
        for column in range(6):
            if row == 3 and column > 2:
                continue
            cx, cy = (0.13 + column * 0.148) * columns, ((0.14 + row * 0.165) if row < 4 else 0.885) * rows
            fill = tuple(int(v) for v in rng.integers(60, 250, 3))
            pen.rounded_rectangle((cx - side / 2, cy - side / 2, cx + side / 2, cy + side / 2), side * 0.24, fill=fill)
            pale = tuple(min(255, v + 70) for v in fill)
            pen.ellipse((cx - side * 0.22, cy - side * 0.22, cx + side * 0.22, cy + side * 0.22), fill=pale)
    return f32(np.asarray(image) / 255) ** f32(2.2)


# --- damage ------------------------------------------------------------------------------------------------------


def _cracks(
    rng: np.random.Generator, rows: int, columns: int, at: tuple[float, float], strength: float
) -> tuple[Array, Array]:
    """Bright edges of cracks, and the distance from the point of impact in parts of the height."""
    image = Image.new("L", (columns, rows))
    pen = ImageDraw.Draw(image)
    cx, cy = at[0] * columns, at[1] * rows
    rays = round(13 + 9 * strength)
    ends = []
    for n in range(rays):
        angle = 2 * np.pi * (n + float(rng.uniform(-0.32, 0.32))) / rays
        reach = rows * float(rng.uniform(0.25, 1.55)) * (0.35 + 0.65 * strength)
        points = [(cx, cy)]
        gone = 0.0
        while gone < reach:
            step = rows * float(rng.uniform(0.03, 0.09))
            angle += float(rng.normal(0, 0.09))
            points.append((points[-1][0] + step * np.cos(angle), points[-1][1] + step * np.sin(angle)))
            gone += step
            if rng.random() < 0.13:
                side = angle + float(rng.choice([-1, 1])) * float(rng.uniform(0.35, 0.8))
                long = rows * float(rng.uniform(0.06, 0.30))
                pen.line(
                    [points[-1], (points[-1][0] + long * np.cos(side), points[-1][1] + long * np.sin(side))],
                    fill=150,
                    width=1,
                )
        pen.line(points, fill=255, width=2 if n % 3 == 0 else 1)
        ends.append(points)
    for ring in (1, 2, 4):
        for a, b in zip(ends, [*ends[1:], ends[0]], strict=True):
            if len(a) > ring and len(b) > ring and rng.random() < 0.75:
                middle = (
                    (a[ring][0] + b[ring][0]) / 2 * 0.94 + cx * 0.06,
                    (a[ring][1] + b[ring][1]) / 2 * 0.94 + cy * 0.06,
                )
                pen.line([a[ring], middle, b[ring]], fill=210, width=1)
    for _ in range(70):
        angle, far = float(rng.uniform(0, 2 * np.pi)), abs(float(rng.normal(0, rows * 0.03)))
        x, y = cx + far * np.cos(angle), cy + far * np.sin(angle)
        turn, long = float(rng.uniform(0, 6.3)), rows * float(rng.uniform(0.006, 0.03))
        pen.line([(x, y), (x + long * np.cos(turn), y + long * np.sin(turn))], fill=255, width=1)
    yy, xx = np.mgrid[0:rows, 0:columns].astype(np.float32)
    return f32(np.asarray(image) / 255), f32(np.hypot(xx - cx, yy - cy) / rows)


def _broken(rng: np.random.Generator, picture: Array, at: tuple[float, float], strength: float) -> tuple[Array, Array]:
    """The shining picture with its damage, and the cracks' edges as they catch the room's light."""
    rows, columns = picture.shape[:2]
    if strength <= 0:
        return picture, np.zeros((rows, columns), np.float32)
    lines, away = _cracks(rng, rows, columns, at, strength)
    blotch = fractal(rng, (rows, columns), rows * 0.20, 5)
    dead = smooth(0.02, -0.02, f32(away - 0.19 * strength + 0.13 * blotch))
    halo = smooth(0.09, 0.0, np.abs(away - 0.21 * strength + 0.13 * blotch))
    picture = picture * (1 - 0.97 * dead)[..., None]
    picture = picture + (0.50 * halo * (1 - dead))[..., None] * f32([0.45, 0.10, 0.75])
    for _ in range(round(16 * strength)):
        x, wide = (
            int(columns * (at[0] + float(rng.normal(0, 0.20)))),
            max(1, round(columns * float(rng.choice([0.0012, 0.0012, 0.003])))),
        )
        if 0 <= x < columns - wide:
            hue = f32(
                ((0.0, 0.9, 0.3), (0.9, 0.0, 0.7), (0.1, 0.4, 1.0), (0.95, 0.95, 0.95), (0.0, 0.0, 0.0))[
                    int(rng.integers(0, 5))
                ]
            )
            strip = picture[:, x : x + wide]
            picture[:, x : x + wide] = strip * 0.15 + hue * 0.75 * (1 - 0.9 * dead[:, x : x + wide, None])
    lost = smooth(0.0, 0.012, f32(np.mgrid[0:rows, 0:columns][0] / rows - at[1])) * smooth(
        0.30 * strength, 0.28 * strength, np.abs(np.mgrid[0:rows, 0:columns][1] / columns - at[0]).astype(np.float32)
    )
    picture = picture * (1 - 0.35 * lost[..., None])
    near = blur(lines, 1.0)
    picture = picture * (1 - 0.8 * np.clip(near * 1.5, 0, 1))[..., None]
    edges = np.clip(lines * 0.9 + np.exp(-((away / 0.018) ** 2)), 0, 1)
    return f32(np.clip(picture, 0, 1.2)), f32(edges)


# --- rooms -------------------------------------------------------------------------------------------------------


def _framed(picture: Array, edges: Array, bezel: float, shine: float, half: tuple[float, float]) -> tuple[Array, Array]:
    """Colour and glow of a screen inside its black rim of `bezel` metres."""
    rows, columns = picture.shape[:2]
    side = max(2, round(bezel / (half[0] - bezel) / 2 * columns))
    pad = ((side, side), (side, side))
    glow = np.pad(picture * f32(shine), (*pad, (0, 0)))
    matt = np.full((*glow.shape[:2], 3), 0.012, np.float32)
    rim = np.pad(np.ones((rows, columns), np.float32), pad)
    matt += (1 - rim)[..., None] * f32(0.004)
    matt += np.pad(edges, pad)[..., None] * f32([0.80, 0.84, 0.88])
    return f32(matt), f32(glow)


def _keyboard(rng: np.random.Generator, rows: int, columns: int) -> Array:
    """The lower half of a laptop: keys in rows, a pad below."""
    image = Image.new("L", (columns, rows), 92)
    pen = ImageDraw.Draw(image)
    left, right, top, high = 0.06 * columns, 0.94 * columns, 0.10 * rows, 0.092 * rows
    pen.rounded_rectangle((left - 6, top - 6, right + 6, top + high * 6 + 4), 6, fill=70)
    for row in range(6):
        count = (15, 14, 14, 13, 12, 9)[row]
        weights = np.ones(count)
        if row == 5:
            weights[4] = 5.2
        elif row > 0:
            weights[[0, -1]] = 1.5
        edges = left + np.concatenate([[0], np.cumsum(weights / weights.sum())]) * (right - left)
        y = top + row * high
        for a, b in pairwise(edges):
            pen.rounded_rectangle((a + 2, y + 2, b - 2, y + high - 3), 3, fill=22 + int(rng.integers(0, 5)))
            if b - a < columns * 0.09:
                pen.line(((a + b) / 2 - 3, y + high * 0.35, (a + b) / 2 + 2, y + high * 0.35), fill=120, width=2)
    pen.rounded_rectangle((0.36 * columns, 0.72 * rows, 0.64 * columns, 0.96 * rows), 6, fill=80, outline=60)
    grey = f32(np.asarray(image) / 255) ** f32(2.2)
    return f32(grey[..., None] * f32([1.0, 1.01, 1.03]) * 1.9)


def _wood(x: Array, y: Array, tex: Array, tone: tuple[float, float, float]) -> Array:
    """Boards along x."""
    grain = sample(tex, np.mod(y * 900, 1023), np.mod(x * 60, 1023)) + 0.5 * sample(
        tex, np.mod(y * 2400, 1023), np.mod(x * 130, 1023)
    )
    plank = np.floor(y / 0.13)
    joint = smooth(0.0015, 0.0006, np.abs(np.mod(y, 0.13) - 0.065 - 0.064))
    return f32(f32(tone) * (1 + 0.22 * grain + 0.10 * np.sin(plank * 2.7))[:, None] * (1 - 0.7 * joint)[:, None])


@dataclass(frozen=True)
class _Room:
    """Where the device is: a level surface at height 0, a wall behind it."""

    view: View
    slabs: list[Slab]
    wall_z: float
    wood: tuple[float, float, float]
    front_z: float
    """The level surface ends here; below it is its front."""
    feet: list[tuple[float, float, float, float]]
    """x and z of the middle of what stands on the surface, and half its width and depth: it darkens what is round it."""
    shine: Array
    """Mean light of the screen."""
    screen_at: Array
    evening: float


def _picture(room: _Room, width: int, height: int, tex: Array) -> tuple[Array, Array]:
    eye = room.view.eye

    def spill(point: Array, normal: Array) -> Array:
        to = room.screen_at - point
        far = np.linalg.norm(to, axis=1)
        return f32(np.clip((to @ normal) / far, 0, 1) / (0.35 + 6 * far**2))[:, None] * room.shine * 0.8

    def ground(point: Array) -> Array:
        colour = _wood(point[:, 0], point[:, 2], tex, room.wood)
        dark = np.ones(len(point), np.float32)
        for x, z, half_x, half_z in room.feet:
            away = np.hypot(
                np.clip(np.abs(point[:, 0] - x) - half_x, 0, None), np.clip(np.abs(point[:, 2] - z) - half_z, 0, None)
            )
            dark *= 1 - 0.72 * np.exp(-away / 0.035) - 0.16 * np.exp(-away / 0.16)
        light = room.evening * (0.50 + 0.16 * point[:, 0])
        return f32(colour * ((light * dark)[:, None] * EVENING + spill(point, f32([0, 1, 0]))))

    def wall(point: Array) -> Array:
        grain = sample(tex, np.mod(point[:, 1] * 260, 1023), np.mod(point[:, 0] * 260, 1023))
        colour = f32([0.40, 0.385, 0.35]) * (1 + 0.02 * grain)[:, None]
        lamp = 0.9 * np.exp(-(((point[:, 0] - 1.0) / 0.6) ** 2) - ((point[:, 1] - 0.7) / 0.6) ** 2)
        dark = 1 - 0.4 * np.exp(-np.clip(point[:, 1], 0, None) / 0.07)
        return f32(colour * ((room.evening * (0.34 + lamp) * dark)[:, None] * EVENING))

    def front(point: Array) -> Array:
        colour = _wood(point[:, 0], point[:, 1] * 0.45, tex, room.wood)
        gap = smooth(0.004, 0.002, np.abs(np.mod(point[:, 0] + 0.42, 0.84) - 0.42)) + smooth(
            0.004, 0.002, np.abs(point[:, 1] + 0.035)
        )
        knob = np.hypot(np.abs(np.mod(point[:, 0] + 0.84, 0.84) - 0.42) - 0.06, point[:, 1] + 0.16)
        colour = np.where(
            (knob < 0.014)[:, None], f32([0.25, 0.24, 0.22]), colour * (1 - 0.8 * np.clip(gap, 0, 1))[:, None]
        )
        return f32(colour * (room.evening * 0.30) * EVENING)

    def shade(ray: Array) -> tuple[Array, Array]:
        down = np.where(ray[:, 1] < -1e-4, -eye[1] / np.minimum(ray[:, 1], -1e-4), np.inf)
        z = eye[2] + ray[:, 2] * np.where(np.isfinite(down), down, 0)
        down = np.where((z < room.front_z) & (z > room.wall_z), down, np.inf)
        back = np.where(ray[:, 2] < -1e-4, (room.wall_z - eye[2]) / np.minimum(ray[:, 2], -1e-4), np.inf)
        face = np.where(ray[:, 2] < -1e-4, (room.front_z - eye[2]) / np.minimum(ray[:, 2], -1e-4), np.inf)
        face = np.where(eye[1] + ray[:, 1] * np.where(np.isfinite(face), face, 0) < 0, face, np.inf)
        met = [slab.meet(eye, ray) for slab in room.slabs]
        every = np.stack([down, back, face, *[m[0] for m in met]])
        first, distance = every.argmin(0), f32(np.minimum(every.min(0), 20))
        point = eye + ray * distance[:, None]
        colour = np.zeros((len(ray), 3), np.float32)
        for n, paint in enumerate((ground, wall, front)):
            at = first == n
            colour[at] = paint(point[at])
        for n, (slab, (_, x, y)) in enumerate(zip(room.slabs, met, strict=True), start=3):
            at = first == n
            normal = np.cross(slab.right, slab.up)
            bounced = normalise(ray[at] - 2 * (ray[at] @ normal)[:, None] * normal)
            window = (
                smooth(0.12, 0.10, np.abs(bounced[:, 0] - 0.55))
                * smooth(0.20, 0.17, np.abs(bounced[:, 1] - 0.35))
                * (bounced[:, 2] > 0)
            )
            room_light = (room.evening * (0.10 + 0.08 * bounced[:, 1]))[:, None] * EVENING + (0.9 * window)[
                :, None
            ] * f32([0.8, 0.95, 1.1])
            light = (room.evening * (0.45 + 0.25 * max(0.0, float(normal[1])))) * EVENING + spill(
                point[at], f32(normal)
            ) * (slab.gloss < 0.03)
            colour[at] = slab.shade(x[at], y[at], ray[at], light, room_light)
        return colour, distance

    return render(width, height, room.view, shade)


def _lean(degrees: float) -> Array:
    a = np.deg2rad(degrees)
    return f32([0, np.cos(a), -np.sin(a)])


def _television(rng: np.random.Generator, width: int, strength: float) -> _Room:
    half = (0.555, 0.322)
    picture, edges = _broken(rng, _programme(rng, width * 9 // 16, width), (0.62, 0.42), strength)
    matt, glow = _framed(picture, edges, 0.012, 0.95, half)
    right = f32([1, 0, 0])
    black = np.full((4, 4, 3), 0.014, np.float32)
    none = np.zeros((4, 4, 3), np.float32)
    slabs = [Slab(f32([0, 0.40, 0]), right, f32([0, 1, 0]), half, matt, glow, 0.035)]
    slabs.append(Slab(f32([0, 0.068, 0.004]), right, f32([0, 1, 0]), (0.555, 0.012), black * 1.6, none, 0.05, 0.004))
    for x in (-0.36, 0.36):
        slabs.append(Slab(f32([x, 0.03, 0.0]), right, f32([0, 1, 0]), (0.016, 0.034), black, none, 0.03, 0.004))
        slabs.append(Slab(f32([x, 0.006, 0.02]), right, f32([0, 0.02, -1]), (0.018, 0.13), black, none, 0.03, 0.008))
    remote = normalise(f32([1, 0, 0.35]))
    buttons = np.full((30, 90, 3), 0.02, np.float32)
    buttons[6:24:6, 10:80:8] = 0.22
    slabs.append(
        Slab(
            f32([-0.42, 0.016, 0.26]),
            remote,
            normalise(np.cross(f32([0, 1, 0]), remote)),
            (0.085, 0.022),
            buttons,
            np.zeros_like(buttons),
            0.03,
            0.01,
        )
    )
    view = View(eye=f32([0.34, 0.66, 1.50]), target=f32([0.04, 0.31, 0.0]), angle=53, tilt=1.2)
    feet = [(-0.36, 0.02, 0.02, 0.13), (0.36, 0.02, 0.02, 0.13), (-0.42, 0.26, 0.07, 0.03)]
    return _Room(
        view, slabs, -0.22, (0.20, 0.105, 0.05), 0.42, feet, f32(picture.mean((0, 1))), f32([0, 0.38, 0.02]), 0.75
    )


def _laptop(rng: np.random.Generator, width: int, strength: float) -> _Room:
    half = (0.172, 0.112)
    picture, edges = _broken(rng, _desktop(rng, width * 10 // 16, width), (0.36, 0.40), strength)
    matt, glow = _framed(picture, edges, 0.008, 0.85, half)
    right, up = f32([1, 0, 0]), _lean(20)
    hinge = f32([0, 0.012, -0.10])
    silver = np.full((4, 4, 3), 0.34, np.float32)
    none = np.zeros((4, 4, 3), np.float32)
    keys = _keyboard(rng, 520, 800)
    slabs = [
        Slab(f32(hinge + up * 0.118), right, up, half, matt, glow, 0.035, 0.008),
        Slab(f32([0, 0.014, 0.012]), right, f32([0, 0, -1]), (0.172, 0.112), keys, np.zeros_like(keys), 0.02, 0.008),
        Slab(f32([0, 0.007, 0.124]), right, f32([0, 1, 0]), (0.171, 0.007), silver, none, 0.04, 0.003),
        Slab(f32([0, 0.013, -0.099]), right, f32([0, 1, 0]), (0.12, 0.006), silver * 0.15, none, 0.03, 0.003),
    ]
    view = View(eye=f32([0.15, 0.34, 0.50]), target=f32([0.005, 0.085, -0.04]), angle=50, tilt=-1.8)
    return _Room(
        view,
        slabs,
        -0.75,
        (0.34, 0.22, 0.12),
        0.9,
        [(0, 0.01, 0.165, 0.105)],
        f32(picture.mean((0, 1))),
        f32([0, 0.12, -0.1]),
        1.0,
    )


def _tablet(rng: np.random.Generator, width: int, strength: float) -> _Room:
    half = (0.125, 0.090)
    picture, edges = _broken(rng, _signs(rng, width * 3 // 4, width), (0.64, 0.36), strength)
    matt, glow = _framed(picture, edges, 0.009, 0.85, half)
    turn = np.deg2rad(14.0)
    right = f32([np.cos(turn), 0, -np.sin(turn)])
    up = f32([-np.sin(turn), 0, -np.cos(turn)])
    side = np.full((4, 4, 3), 0.30, np.float32)
    none = np.zeros((4, 4, 3), np.float32)
    slabs = [Slab(f32([0, 0.008, 0]), right, up, half, matt, glow, 0.035, 0.012)]
    slabs.append(
        Slab(f32(-up * 0.0895 + f32([0, 0.004, 0])), right, f32([0, 1, 0]), (0.115, 0.0035), side, none, 0.05, 0.002)
    )
    slabs.append(
        Slab(f32(right * 0.1245 + f32([0, 0.004, 0])), -up, f32([0, 1, 0]), (0.08, 0.0035), side, none, 0.05, 0.002)
    )
    view = View(eye=f32([0.03, 0.36, 0.26]), target=f32([0.0, 0.0, 0.005]), angle=50, tilt=1.5)
    return _Room(
        view,
        slabs,
        -2.0,
        (0.36, 0.24, 0.13),
        2.0,
        [(0, 0, 0.11, 0.078)],
        f32(picture.mean((0, 1))),
        f32([0, 0.1, 0]),
        1.15,
    )


def render_screen(content: CrackedScreenContent, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    make = {"television": _television, "laptop": _laptop, "tablet": _tablet}[content.device]
    room = make(rng, max(240, width), content.strength)
    image, distance = _picture(room, width, height, fractal(rng, (1024, 1024), 24, 5))
    return develop(image, distance, rng, (6, 7, 8, 9), 1.25)


def draw_screen(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = CrackedScreenContent.model_validate(made.content)
    return jpeg(render_screen(content, made.rng_seed or 0), content.quality)
