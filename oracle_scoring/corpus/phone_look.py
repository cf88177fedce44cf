"""A document as a phone sees it: lying on something, askew, creased, in the shadow of a hand, with grain."""

import io

import numpy as np
import pypdfium2
from PIL import Image

from oracle_scoring.corpus.document_content import PhoneLook
from oracle_scoring.corpus.paper import DrawError
from oracle_scoring.corpus.raster import Array, blur, f32, fractal, sample, smooth, value_noise

MOST_SHEETS = 2
INK = 1.9
"""Power by which print is darkened: fine strokes have grown pale in being made smaller."""
GAP = 0.03
"""Between two sheets, as a part of a sheet's width."""


def finished(pdf: bytes, look: PhoneLook | None, rng_seed: int) -> bytes:
    """The PDF itself, or a JPEG of it without metadata."""
    return pdf if look is None else photograph(pdf, look, rng_seed)


def sheets(pdf: bytes, width: int) -> Array:
    """The pages side by side, linear light, `width` pixels for all of them together, on nothing."""
    with pypdfium2.PdfDocument(pdf) as document:
        count = len(document)
        if count > MOST_SHEETS:
            raise DrawError("content.look", f"one picture holds at most {MOST_SHEETS} pages; there are {count}")
        page_width, _ = document[0].get_size()
        scale = width / (count + GAP * (count - 1)) / page_width
        images = [f32(np.asarray(page.render(scale=scale).to_pil().convert("RGB"))) / 255 for page in document]
    gap = np.full((images[0].shape[0], max(1, round(GAP * images[0].shape[1])), 3), -1, np.float32)
    parts = [part for image in images for part in (gap, image)][1:]
    joined = np.concatenate(parts, axis=1)
    return f32(np.where(joined < 0, -1, np.clip(joined, 0, 1) ** 2.2))


def _ground(kind: str, rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Linear colour of what the paper lies on."""
    height, width = shape
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    if kind == "wood":
        bend = value_noise(rng, shape, height / 3, width / 2) * width * 0.02
        grain = value_noise(rng, shape, 900, width * 0.011) + 0.7 * value_noise(rng, shape, 500, width * 0.004)
        plank = np.floor((columns + 0.2 * bend) / (width * 0.31))
        edge = np.abs(np.mod(columns + 0.2 * bend, width * 0.31) - width * 0.155)
        tone = 0.20 + 0.045 * grain + 0.035 * np.sin(plank * 2.4 + 1)
        tone = tone * (1 - 0.75 * smooth(width * 0.1525, width * 0.1545, f32(edge)))
        return f32(tone[..., None] * f32([1.0, 0.62, 0.35]))
    if kind == "desk":
        speck = value_noise(rng, shape, 2, 2)
        return f32(
            (0.33 + 0.012 * speck + 0.02 * fractal(rng, shape, width / 4, 3))[..., None] * f32([1.0, 0.97, 0.93])
        )
    if kind == "worktop":
        stone = fractal(rng, shape, width * 0.02, 4)
        fleck = smooth(0.75, 0.9, value_noise(rng, shape, width * 0.004, width * 0.004))
        return f32((0.07 + 0.02 * stone + 0.25 * fleck)[..., None] * f32([0.95, 0.98, 1.0]))
    period = width / 190
    weave = 0.5 + 0.25 * np.sin(2 * np.pi * rows / period) * np.sign(np.sin(2 * np.pi * columns / period))
    folds = 0.5 * value_noise(rng, shape, height / 3, width / 2)
    return f32((0.10 + 0.05 * weave + 0.03 * folds)[..., None] * f32([0.55, 0.68, 1.0]))


def _corners(look: PhoneLook, rng: np.random.Generator, width: int, height: int, aspect: float) -> Array:
    """Where the paper's corners lie in the picture, from the upper left clockwise; x, y."""
    room_x, room_y = 0.94 * width, 0.94 * height
    turn = np.deg2rad(look.skew * float(rng.choice([-1, 1])) * float(rng.uniform(4, 8)))
    across = min(room_x, room_y / aspect) / (1 + 0.55 * abs(float(turn)))
    half = f32([across / 2, across * aspect / 2])
    points = f32([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    tilt, lean = look.skew * float(rng.uniform(0.10, 0.17)), look.skew * float(rng.uniform(-0.07, 0.07))
    depth = 1 + tilt * points[:, 1] / height * -2 + lean * points[:, 0] / width * 2
    points = points / f32(depth)[:, None]
    c, s = float(np.cos(turn)), float(np.sin(turn))
    points = points @ f32([[c, s], [-s, c]])
    low, high = points.min(0), points.max(0)
    shrink = min(1.0, float(np.min(f32([room_x, room_y]) / (high - low))))
    return f32((points - (low + high) / 2) * shrink + f32([width / 2, height / 2]))


def _homography(corners: Array, sheet_width: int, sheet_height: int) -> Array:
    """3 x 3 matrix from picture positions to positions on the sheet."""
    target = [(0, 0), (sheet_width, 0), (sheet_width, sheet_height), (0, sheet_height)]
    rows, values = [], []
    for (x, y), (u, v) in zip(corners.astype(np.float64), target, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    solved = np.linalg.solve(np.array(rows), np.array(values, dtype=np.float64))
    return np.append(solved, 1).reshape(3, 3).astype(np.float32)


def _crumple(rng: np.random.Generator, shape: tuple[int, int], strength: float) -> Array:
    """Height of the paper, in pixels: folds across, and soft bulges."""
    height, width = shape
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    relief = value_noise(rng, shape, height / 3, width / 2) * width * 0.012 * strength
    for n in range(2 + int(strength * 3)):
        level = n < 2
        at = (n + 1) / 3 * height if level else float(rng.uniform(0.2, 0.8)) * width
        slope = float(rng.normal(0, 0.012)) if level else float(rng.normal(0, 0.5))
        away = (rows - at - slope * (columns - width / 2)) if level else (columns - at - slope * (rows - height / 2))
        reach = width * (0.012 if level else 0.02)
        depth = width * 0.0042 * strength * (1.0 if level else 0.55) * float(rng.choice([-1, 1]))
        relief += f32(depth * np.exp(-np.abs(away) / reach))
    return f32(relief + fractal(rng, shape, width * 0.06, 3) * width * 0.0012 * strength)


def photograph(pdf: bytes, look: PhoneLook, rng_seed: int) -> bytes:
    """One picture of the pages; the same bytes for the same arguments and library versions."""
    rng = np.random.default_rng([rng_seed, 11])
    width = look.width
    sheet = sheets(pdf, round(width * 1.15))
    aspect = sheet.shape[0] / sheet.shape[1]
    height = round(width * (4 / 3 if aspect > 1 else 3 / 4))
    unit = width / 1200
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    matrix = _homography(_corners(look, rng, width, height, aspect), sheet.shape[1], sheet.shape[0])
    w = matrix[2, 0] * columns + matrix[2, 1] * rows + matrix[2, 2]
    u = (matrix[0, 0] * columns + matrix[0, 1] * rows + matrix[0, 2]) / w
    v = (matrix[1, 0] * columns + matrix[1, 1] * rows + matrix[1, 2]) / w
    relief = _crumple(rng, (height, width), look.creases)
    down, right = np.gradient(relief)
    u, v = u + right * 9 * unit, v + down * 9 * unit + 0.25 * relief
    curl = 0.004 * sheet.shape[0] * look.creases * np.sin(np.pi * u / sheet.shape[1])
    v = f32(v + curl)
    edge = np.minimum(np.minimum(u, sheet.shape[1] - u), np.minimum(v, sheet.shape[0] - v))
    seen = sample(sheet, f32(v), f32(u))
    on = smooth(-0.7, 0.7, f32(edge)) * (seen[..., 0] >= 0)
    lit = 1 - np.clip(right * 2.4 + down * 1.7, -0.35, 0.35)
    fibre = 1 + 0.010 * value_noise(rng, (height, width), 2, 2)
    inked = np.clip(seen, 0, 1) ** INK
    paper = inked * 0.80 * f32([1.0, 0.985, 0.95]) + 0.012
    paper = paper * (lit * fibre)[..., None]
    ground = _ground(look.surface, rng, (height, width))
    under = blur(f32(np.roll(on, (round(5 * unit), round(4 * unit)), (0, 1))), 5 * unit)
    image = ground * (1 - 0.6 * under)[..., None] * (1 - on)[..., None] + paper * on[..., None]
    image = image * _light(look, rng, rows / height, columns / width)[..., None] * f32([1.04, 1.0, 0.92])
    image = blur(f32(image), (0.35 + 0.75 * look.noise) * unit)
    grain = blur(f32(rng.normal(0, 1, (height, width, 3))), 0.7 * max(unit, 0.5))
    image = np.clip(image * 1.12 + grain * look.noise * (0.006 + 0.045 * np.sqrt(np.clip(image, 0, 1.5))), 0, None)
    toned = image * (2.51 * image + 0.03) / (image * (2.43 * image + 0.59) + 0.14)
    shown = np.clip(toned, 0, 1) ** (1 / 2.2)
    out = io.BytesIO()
    Image.fromarray((shown * 255 + 0.5).astype(np.uint8)).save(out, "JPEG", quality=look.quality, subsampling="4:2:0")
    return out.getvalue()


def _light(look: PhoneLook, rng: np.random.Generator, down: Array, across: Array) -> Array:
    """Daylight from one side, and the soft shadow of hand and phone."""
    side = float(rng.choice([-1, 1]))
    light = 1.0 + 0.22 * side * (across - 0.5) - 0.12 * (down - 0.5)
    cx, cy = 0.5 - side * float(rng.uniform(0.12, 0.3)), float(rng.uniform(0.62, 0.85))
    hand = np.hypot((across - cx) / 0.34, np.clip(down - cy, None, 0) / 0.30)
    hand = hand + 0.10 * np.sin(across * 9 + down * 4)
    shade = smooth(1.25, 0.55, f32(hand))
    corner = np.hypot(across - 0.5, down - 0.5)
    return f32(light * (1 - 0.55 * look.shadow * shade) * (1 - 0.28 * corner**2.2))
