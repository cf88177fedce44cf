"""The rear of a hatchback as a sheet: depth, colour and gloss over width and height, with a damaged bumper.

x goes right, y up, z towards the viewer, in metres; the foremost point of the bumper is at z = 0.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFont

from oracle_scoring.corpus.picture_content import Body
from oracle_scoring.corpus.raster import Array, Canvas, blur, f32, fractal, smooth, value_noise
from oracle_scoring.corpus.scene import NOTHING, Surface

HALF_WIDTH = 0.86
FONT = Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf"


def plate_image(text: str, width: int) -> Image.Image:
    """A yellow rear plate with `text`, 520 to 111, at `width` pixels."""
    height = round(width * 111 / 520)
    big = Image.new("RGB", (width * 2, height * 2), (246, 196, 22))
    pen = ImageDraw.Draw(big)
    edge = height // 14
    pen.rounded_rectangle((edge, edge, width * 2 - edge, height * 2 - edge), edge * 2, outline=(30, 28, 20), width=4)
    font = ImageFont.truetype(str(FONT), round(height * 1.42))
    box = pen.textbbox((0, 0), text, font=font)
    letters = Image.new("L", (round(box[2] - box[0]) + 4, round(box[3] - box[1]) + 4))
    ImageDraw.Draw(letters).text((2 - box[0], 2 - box[1]), text, font=font, fill=255)
    target = (round(width * 2 * 0.88), round(height * 2 * 0.68))
    letters = letters.resize(target, Image.Resampling.LANCZOS)
    place = ((width * 2 - target[0]) // 2, (height * 2 - target[1]) // 2)
    big.paste((18, 18, 20), place, letters)
    return big.resize((width, height), Image.Resampling.LANCZOS)


class Painter:
    """Builds the sheet layer by layer."""

    def __init__(
        self, rng: np.random.Generator, paint: tuple[float, float, float], cell: float, body: Body = "tall_lamps"
    ) -> None:
        self.rng = rng
        self.body = body
        self.c = Canvas(-1.0, 1.0, 0.10, 1.58, cell)
        self.shape = self.c.shape
        self.paint = paint
        self.colour = np.empty((*self.shape, 3), np.float32)
        self.colour[:] = paint
        self.gloss = np.full(self.shape, 0.052, np.float32)
        self.rough = np.full(self.shape, 0.02, np.float32)
        self.height = np.zeros(self.shape, np.float32)
        self.dark = np.ones(self.shape, np.float32)

    def lay(
        self,
        mask: Array,
        colour: tuple[float, float, float] | None = None,
        gloss: float | None = None,
        rough: float | None = None,
        height: float = 0.0,
        shade: float = 1.0,
    ) -> None:
        """Puts a material over what is there, as far as the mask covers."""
        if colour is not None:
            self.colour += mask[..., None] * (f32(colour) - self.colour)
        if gloss is not None:
            self.gloss += mask * (f32(gloss) - self.gloss)
        if rough is not None:
            self.rough += mask * (f32(rough) - self.rough)
        self.height += mask * f32(height)
        self.dark *= 1 - mask * f32(1 - shade)

    def seam(self, points: list[tuple[float, float]], width: float = 0.0045) -> None:
        """A gap between two panels: dark, with rolled edges."""
        self.height -= self.c.line(points, width * 3, soft=0.004) * f32(0.003)
        self.lay(self.c.line(points, width), (0.004, 0.004, 0.005), 0.01, 0.8, -0.004, 0.25)

    # --- shape ---------------------------------------------------------------------------------------------------

    def base(self) -> Array:
        """Depth of the undamaged body."""
        x, y = self.c.x, self.c.y
        half = HALF_WIDTH - 0.02 * smooth(0.70, 0.76, y) - 0.24 * smooth(0.95, 1.50, y) ** 1.3
        radius = f32(0.26)
        over = np.clip(np.abs(x) - (half - radius), 0, None)
        inside = np.clip(over, 0, radius * 0.9995)
        depth = -0.075 * (x / half) ** 2 - (radius - np.sqrt(radius**2 - inside**2))
        depth = depth - 0.02 * smooth(0.52, 0.60, y) * (y - 0.52) * 4
        depth -= 0.10 * smooth(0.655, 0.71, y)
        depth -= np.clip((0.40 - y) / 0.18, 0, None) ** 2 * 0.07
        depth -= 0.10 * np.clip(y - 0.71, 0, None)
        depth -= 0.62 * np.clip(y - 1.02, 0, None)
        depth += 0.10 * smooth(1.39, 1.42, y)
        bottom = 0.215 + 0.05 * (np.abs(x) / HALF_WIDTH) ** 4
        gone = (np.abs(x) > half * 0.9998) | (y < bottom) | (y > 1.49)
        return f32(np.where(gone, NOTHING, depth))

    # --- parts ---------------------------------------------------------------------------------------------------

    def bodywork(self) -> None:
        """Window, lamps, plate recess, valance, seams, sensors."""
        c = self.c
        self.window()
        for side in (-1, 1):
            if self.body == "wide_lamps":
                self.wide_lamp(side)
            else:
                self.lamp(side)
        self.valance()
        self.seam([(-0.80, 0.705), (-0.4, 0.699), (0, 0.697), (0.4, 0.699), (0.80, 0.705)])
        for side in (-1, 1):
            self.seam([(side * 0.575, 0.70), (side * 0.585, 0.80), (side * 0.60, 0.99), (side * 0.64, 1.06)])
            self.seam([(side * 0.80, 0.705), (side * 0.852, 0.74)])
        crease = c.line([(-0.83, 0.605), (-0.4, 0.592), (0.4, 0.592), (0.83, 0.605)], 0.02, soft=0.008)
        self.height += crease * f32(0.004)
        for x in (-0.60, -0.22, 0.22, 0.60):
            self.lay(c.disc(x, 0.515, 0.0125), None, None, None, -0.001, 0.35)
            self.lay(c.disc(x, 0.515, 0.0105), None, None, None, 0.001, 1.0)
        square = c.box(-0.505, -0.435, 0.43, 0.495, 0.006)
        self.dark *= 1 - 0.75 * np.clip(square - c.box(-0.503, -0.437, 0.432, 0.493, 0.006), 0, 1)

    def window(self) -> None:
        """Rear window with wiper, spoiler and brake light."""
        c = self.c
        frame = c.polygon([(-0.655, 1.035), (0.655, 1.035), (0.56, 1.40), (-0.56, 1.40)], 0.004)
        self.lay(frame, (0.006, 0.006, 0.007), 0.05, 0.05, -0.004)
        glass = c.polygon([(-0.62, 1.06), (0.62, 1.06), (0.53, 1.39), (-0.53, 1.39)], 0.003)
        self.lay(glass, (0.010, 0.013, 0.014), 0.09, 0.0, 0.001)
        inside = glass * smooth(1.38, 1.12, c.y) * f32(0.8)
        self.lay(inside * smooth(0.60, 0.20, np.abs(c.x)), (0.060, 0.066, 0.066))
        for x in (-0.33, 0.33):
            seat = c.box(x - 0.19, x + 0.19, 1.03, 1.17, 0.05, 0.006) + c.box(
                x - 0.10, x + 0.10, 1.16, 1.275, 0.035, 0.006
            )
            self.lay(glass * np.clip(seat, 0, 1) * f32(0.93), (0.008, 0.008, 0.009))
        sticker = glass * c.box(-0.545, -0.465, 1.095, 1.145, 0.004, 0.001)
        self.lay(sticker, (0.50, 0.50, 0.46), 0.05, 0.2)
        self.lay(sticker * c.box(-0.535, -0.475, 1.128, 1.136, 0, 0.001), (0.45, 0.05, 0.05))
        for y in np.arange(1.09, 1.37, 0.028):
            self.lay(c.line([(-0.52, float(y)), (0.52, float(y))], 0.0012) * f32(0.35), (0.05, 0.035, 0.025))
        for points, width in (
            ([(0.02, 1.035), (0.06, 1.07), (0.36, 1.11)], 0.014),
            ([(0.05, 1.085), (0.50, 1.125)], 0.01),
        ):
            self.lay(c.line(points, width), (0.008, 0.008, 0.008), 0.03, 0.5, 0.012)
        self.lay(c.box(-0.12, 0.12, 1.425, 1.44, 0.004), (0.22, 0.008, 0.008), 0.06, 0.05, 0.002)

    def lamp(self, side: int) -> None:
        """A tail lamp: red shell, amber and clear bands, segments."""
        c = self.c
        outer = [(0.612, 0.752), (0.80, 0.735), (0.838, 0.80), (0.832, 0.95), (0.80, 1.02), (0.66, 1.03), (0.628, 0.96)]
        shape = [(side * x, y) for x, y in outer]
        self.lay(c.polygon(shape, 0.004), (0.006, 0.005, 0.005), 0.04, 0.3, -0.004, 0.4)
        centre = (side * 0.725, 0.885)
        inner = [(centre[0] + (x - centre[0]) * 0.955, centre[1] + (y - centre[1]) * 0.955) for x, y in shape]
        shell = c.polygon(inner, 0.002)
        self.lay(shell, (0.25, 0.006, 0.010), 0.07, 0.0, 0.010)
        band = shell * c.box(min(side * 0.60, side * 0.86), max(side * 0.60, side * 0.86), 0.862, 0.918, 0, 0.003)
        self.lay(band, (0.46, 0.40, 0.36), 0.07, 0.0)
        low = shell * c.box(min(side * 0.60, side * 0.86), max(side * 0.60, side * 0.86), 0.70, 0.80, 0, 0.003)
        self.lay(low, (0.20, 0.008, 0.010))
        ribs = f32(0.5 + 0.5 * np.sin(c.y * 2 * np.pi / 0.0085))
        cells = f32(0.5 + 0.5 * np.sin(c.x * 2 * np.pi / 0.011))
        self.colour *= (1 - shell * 0.55 * ribs * (0.5 + 0.5 * cells))[..., None]
        for y in (0.82, 0.965):
            bulb = shell * f32(np.exp(-(((c.x - side * 0.73) / 0.055) ** 2) - ((c.y - y) / 0.035) ** 2))
            self.colour += bulb[..., None] * f32((0.20, 0.02, 0.02))

    def wide_lamp(self, side: int) -> None:
        """A tail lamp that narrows into the tailgate: red shell, a clear bar, a ring of light at its outer end."""
        c = self.c
        outer = [
            (0.46, 0.905),
            (0.60, 0.865),
            (0.80, 0.835),
            (0.846, 0.87),
            (0.838, 0.985),
            (0.78, 1.01),
            (0.50, 0.965),
        ]
        shape = [(side * x, y) for x, y in outer]
        self.lay(c.polygon(shape, 0.004), (0.006, 0.005, 0.005), 0.04, 0.3, -0.004, 0.4)
        centre = (side * 0.69, 0.925)
        inner = [(centre[0] + (x - centre[0]) * 0.965, centre[1] + (y - centre[1]) * 0.91) for x, y in shape]
        shell = c.polygon(inner, 0.002)
        self.lay(shell, (0.21, 0.005, 0.012), 0.08, 0.0, 0.010)
        bar = [(side * x, y) for x, y in ((0.50, 0.925), (0.70, 0.905), (0.70, 0.928), (0.50, 0.941))]
        self.lay(shell * c.polygon(bar, 0.002), (0.46, 0.42, 0.38), 0.07, 0.0)
        ring = c.disc(side * 0.765, 0.925, 0.052) - c.disc(side * 0.765, 0.925, 0.036)
        self.lay(shell * np.clip(ring, 0, 1), (0.42, 0.03, 0.03), 0.08, 0.0, 0.002)
        lines = f32(0.5 + 0.5 * np.sin(c.x * 2 * np.pi / 0.0075))
        self.colour *= (1 - shell * 0.35 * lines)[..., None]

    def barred_badge(self) -> None:
        """Three short bright bars above the plate."""
        c = self.c
        for y, half in ((0.985, 0.030), (1.001, 0.042), (1.017, 0.030)):
            self.lay(c.box(-half, half, y - 0.005, y + 0.005, 0.004, 0.0015), (0.50, 0.51, 0.53), 0.6, 0.06, 0.004)

    def plate(self, text: str) -> None:
        """Recess, chrome strip and the number plate."""
        c = self.c
        recess = c.box(-0.345, 0.345, 0.765, 0.945, 0.03, 0.010)
        self.lay(recess, None, None, None, -0.020, 1.0)
        shadow = recess * smooth(0.90, 0.945, c.y) * 0.7
        self.dark *= 1 - shadow
        self.lay(c.box(-0.30, 0.30, 0.938, 0.962, 0.011, 0.002), (0.52, 0.53, 0.55), 0.62, 0.04, 0.012)
        if self.body == "wide_lamps":
            self.barred_badge()
        else:
            self.lay(c.disc(0, 1.0, 0.026), (0.35, 0.36, 0.38), 0.55, 0.08, 0.004)
            self.lay(c.disc(0, 1.0, 0.019), (0.02, 0.03, 0.05), 0.10, 0.05, 0.001)
        left, top = c.at(-0.26, 0.909)
        columns, rows = round(0.52 / c.cell), round(0.111 / c.cell)
        image = f32(np.asarray(plate_image(text, columns).resize((columns, rows)))) / 255
        where = (slice(round(top), round(top) + rows), slice(round(left), round(left) + columns))
        edge = c.box(-0.262, 0.262, 0.7965, 0.9105, 0.004, 0.002)
        self.lay(edge, (0.02, 0.02, 0.02), 0.03, 0.4, 0.006)
        self.colour[where] = image**2.2 * 0.82
        self.gloss[where] = 0.03
        self.rough[where] = 0.25
        for x in (-0.17, 0.17):
            self.lay(c.disc(x, 0.901, 0.0055), (0.55, 0.45, 0.10), 0.1, 0.3, 0.002)

    def valance(self) -> None:
        """Black lower part of the bumper with its grain, and reflectors."""
        c = self.c
        edge = f32(0.352 - 0.03 * (np.abs(c.x) / HALF_WIDTH) ** 2)
        mask = smooth(0.002, -0.002, f32(c.y - edge))
        self.lay(mask, (0.018, 0.018, 0.019), 0.03, 0.55, -0.006)
        self.height += mask * value_noise(self.rng, self.shape, 3, 3) * f32(0.00025)
        self.height -= f32(0.003) * f32(np.exp(-(((c.y - edge) / 0.006) ** 2)))
        for x in (-0.40, 0.40):
            self.lay(c.box(x - 0.11, x + 0.11, 0.366, 0.390, 0.008, 0.002), (0.24, 0.008, 0.012), 0.08, 0.02, 0.004)

    # --- damage --------------------------------------------------------------------------------------------------

    def damage(self, x: float, y: float, strength: float) -> None:
        """A push from behind at (x, y): dent, folds, cracks, missing paint, scratches, a bumper that hangs."""
        c, rng = self.c, self.rng
        dx, dy = c.x - x, c.y - y
        push = f32(np.exp(-((np.abs(dx) / 0.195) ** 2.8) - (np.abs(dy + 0.15 * dx) / 0.105) ** 3.0))
        bumper = smooth(0.70, 0.685, c.y)
        self.height -= bumper * push * f32(0.075 * strength)
        rim = f32(np.exp(-(((np.hypot(dx / 1.45, dy) - 0.128) / 0.020) ** 2)))
        self.height += bumper * rim * smooth(-0.5, 0.7, fractal(rng, self.shape, 130, 2)) * f32(0.009)
        near = f32(np.exp(-((dx / 0.20) ** 2) - (dy / 0.12) ** 2))
        self.height += bumper * near * fractal(rng, self.shape, 75, 3) * f32(0.0052 * strength)
        for a, b, depth in (
            ((x - 0.20, y + 0.075), (x + 0.02, y + 0.015), 0.013),
            ((x + 0.02, y + 0.015), (x + 0.20, y + 0.085), 0.012),
            ((x + 0.02, y + 0.015), (x + 0.05, y - 0.13), 0.011),
            ((x - 0.13, y - 0.09), (x + 0.02, y + 0.01), 0.008),
        ):
            distance, along = c.distance(a, b)
            fold = f32(np.exp(-((distance / 0.011) ** 2))) - 0.6 * f32(np.exp(-(((distance - 0.022) / 0.014) ** 2)))
            self.height -= bumper * fold * f32(depth * strength) * (0.45 + 0.55 * np.sin(np.pi * along))
        self.scratches(x, y)
        self.bare(x, y, near)
        self.cracks(x, y)
        self.hanging_corner()

    def scratches(self, x: float, y: float) -> None:
        """Fine lines along the push, and a smear of the other car's paint."""
        c, rng = self.c, self.rng
        image = Image.new("L", (self.shape[1], self.shape[0]))
        pen = ImageDraw.Draw(image)
        for _ in range(150):
            length = float(rng.exponential(0.085)) + 0.02
            cx, cy = x + float(rng.normal(0, 0.13)), y + float(rng.normal(0.005, 0.052))
            slope = float(rng.normal(-0.10, 0.05))
            bend = float(rng.normal(0, 0.004))
            points = [
                c.at(cx + t * length, cy + slope * t * length + bend * (1 - 4 * t * t)) for t in (-0.5, -0.2, 0.1, 0.5)
            ]
            pen.line(
                points, fill=int(rng.integers(50, 255)), width=1 + int(rng.random() < 0.28) + int(rng.random() < 0.1)
            )
        lines = blur(f32(np.asarray(image) / 255), 0.6)
        broken = smooth(-0.75, 0.1, value_noise(rng, self.shape, 3, 40))
        self.lay(np.clip(lines * broken * 1.25, 0, 1), (0.42, 0.44, 0.46), 0.02, 0.6, -0.0004)
        streaks = value_noise(rng, self.shape, 2.5, 170) + 0.6 * value_noise(rng, self.shape, 6, 90)
        reach = f32(np.exp(-(((c.x - x + 0.05) / 0.17) ** 2) - ((c.y - y - 0.02 + 0.10 * (c.x - x)) / 0.040) ** 2))
        self.lay(np.clip(smooth(0.15, 0.9, streaks) * reach * 1.1, 0, 0.85), (0.48, 0.48, 0.47), 0.02, 0.7)

    def bare(self, x: float, y: float, near: Array) -> None:
        """Where paint has come off: grey primer with a bright edge, black plastic in the middle."""
        c, rng = self.c, self.rng
        grain = fractal(rng, self.shape, 42, 5)
        ridge = np.zeros(self.shape, np.float32)
        for a, b in (((x - 0.16, y + 0.06), (x + 0.02, y + 0.015)), ((x + 0.02, y + 0.015), (x + 0.13, y + 0.05)),
                     ((x + 0.02, y + 0.015), (x + 0.045, y - 0.12))):  # fmt: skip
            distance, _ = c.distance(a, b)
            ridge = np.maximum(ridge, f32(np.exp(-((distance / 0.028) ** 2))))
        field = 0.62 * ridge + 0.42 * near + 0.52 * grain
        body = smooth(0.345, 0.36, c.y) * smooth(0.70, 0.69, c.y)
        primer, plastic = body * smooth(0.93, 0.96, field), body * smooth(1.17, 1.20, field)
        self.lay(primer, (0.44, 0.445, 0.45), 0.02, 0.8, -0.0008)
        self.lay(plastic, (0.022, 0.022, 0.024), 0.025, 0.7, -0.0006)

    def cracks(self, x: float, y: float) -> None:
        """The split from the lower edge into the dent, with branches; one lip stands back."""
        c, rng = self.c, self.rng
        main = [(x + 0.015, 0.20)]
        while main[-1][1] < y + 0.05:
            px, py = main[-1]
            main.append((px + float(rng.normal(0.004, 0.011)), py + float(rng.uniform(0.014, 0.032))))
        for n, (a, b) in enumerate(pairwise(main)):
            width = 0.013 * (1 - n / len(main)) + 0.0025
            self.lay(c.line([a, b], width, 0.0006), (0.003, 0.003, 0.003), 0.0, 1.0, -0.012, 0.15)
            lip = c.line([(a[0] - width * 0.75, a[1]), (b[0] - width * 0.75, b[1])], 0.0025)
            self.lay(lip * 0.9, (0.40, 0.41, 0.42), 0.02, 0.7)
        right = smooth(0.0, 0.004, c.x - np.interp(c.y, [p[1] for p in main], [p[0] for p in main]).astype(np.float32))
        fade = f32(np.exp(-np.clip(c.x - x, 0, None) / 0.11)) * smooth(y + 0.05, y - 0.10, c.y)
        self.height -= right * fade * f32(0.017)
        for start, turn in (
            (len(main) // 2, -1.0),
            (len(main) * 2 // 3, 1.0),
            (len(main) - 2, -0.6),
            (len(main) - 1, 0.8),
        ):
            branch = [main[start]]
            for _ in range(int(rng.integers(4, 8))):
                px, py = branch[-1]
                step = float(rng.uniform(0.010, 0.024))
                branch.append((px + turn * step, py + float(rng.normal(0.003, 0.010))))
            self.lay(c.line(branch, 0.0032, 0.0006), (0.004, 0.004, 0.004), 0.0, 1.0, -0.004, 0.3)

    def hanging_corner(self) -> None:
        """The bumper has come off its clips on the right: the gap under the lamp gapes."""
        c = self.c
        wedge = [
            (0.46, 0.700),
            (0.62, 0.7035),
            (0.81, 0.709),
            (0.845, 0.714),
            (0.845, 0.681),
            (0.74, 0.686),
            (0.60, 0.693),
        ]
        self.lay(c.polygon(wedge, 0.0012), (0.003, 0.003, 0.003), 0.0, 1.0, -0.02, 0.1)
        loose = smooth(0.44, 0.80, c.x) * smooth(0.70, 0.69, c.y)
        self.height += loose * f32(0.020) * smooth(0.36, 0.66, c.y)
        self.lay(c.polygon([(0.425, 0.364), (0.515, 0.364), (0.515, 0.392), (0.455, 0.392), (0.44, 0.38)], 0.0006),
                 (0.006, 0.005, 0.005), 0.02, 0.6, -0.012, 0.35)  # fmt: skip

    # --- wear ----------------------------------------------------------------------------------------------------

    def dirt(self) -> None:
        """Road dust, thicker towards the ground, run down by rain."""
        c = self.c
        runs = 0.5 + 0.5 * value_noise(self.rng, self.shape, 260, 9)
        cloud = 0.5 + 0.5 * fractal(self.rng, self.shape, 220, 4)
        amount = np.clip((0.10 + 0.34 * smooth(0.75, 0.25, c.y)) * (0.45 * runs + 0.8 * cloud), 0, 0.5)
        self.colour += amount[..., None] * (f32((0.16, 0.145, 0.12)) - self.colour) * 0.75
        self.gloss *= 1 - amount * 1.1
        self.rough += amount * 0.25
        specks = smooth(0.80, 0.95, value_noise(self.rng, self.shape, 3, 3)) * smooth(0.9, 0.3, c.y) * 0.3
        self.colour += specks[..., None] * (f32((0.17, 0.155, 0.13)) - self.colour)

    def finish(self) -> Surface:
        """Depth with all heights, and the light that reaches hollows."""
        base = self.base()
        depth = np.where(base <= NOTHING, NOTHING, base + self.height)
        hollow = np.zeros(self.shape, np.float32)
        for sigma in (0.006, 0.022):
            hollow += np.clip(blur(self.height, sigma / self.c.cell) - self.height, 0, None) / f32(sigma)
        dark = self.dark * (1 - np.clip(hollow * 0.75, 0, 0.62))
        return Surface(self.c, f32(depth), np.clip(self.colour, 0, 1), self.gloss, np.clip(self.rough, 0, 1), f32(dark))


def car_rear(
    rng: np.random.Generator,
    plate: str,
    paint: tuple[float, float, float],
    strength: float,
    cell: float,
    body: Body = "tall_lamps",
) -> Surface:
    """The sheet for one car; `strength` 0 to 1 says how deep the dent is, `cell` is the sheet's grain in metres."""
    painter = Painter(rng, paint, cell, body)
    painter.bodywork()
    painter.plate(plate)
    painter.dirt()
    painter.damage(0.36, 0.515, strength)
    return painter.finish()
