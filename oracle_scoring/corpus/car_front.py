"""The front of a hatchback as a sheet, one corner of it pushed in.

x goes right, y up, z towards the viewer, in metres; the foremost point of the bumper is at z = 0.
"""

from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw

from oracle_scoring.corpus.car_rear import HALF_WIDTH, Painter, plate_image
from oracle_scoring.corpus.raster import Array, f32, fractal, smooth, value_noise
from oracle_scoring.corpus.scene import NOTHING, Surface

BLACK = (0.006, 0.006, 0.007)


class FrontPainter(Painter):
    """Builds the sheet of a car's front."""

    def base(self) -> Array:
        """Depth of the undamaged body."""
        x, y = self.c.x, self.c.y
        half = (
            HALF_WIDTH
            + 0.01
            - 0.03 * smooth(0.74, 0.80, y)
            - 0.10 * smooth(0.80, 1.02, y)
            - 0.16 * smooth(1.0, 1.45, y)
        )
        radius = f32(0.34)
        over = np.clip(np.abs(x) - (half - radius), 0, radius * 0.9995)
        depth = -0.10 * (x / half) ** 2 - 0.72 * (radius - np.sqrt(radius**2 - over**2))
        depth -= np.clip((0.36 - y) / 0.16, 0, None) ** 2 * 0.06
        depth -= 0.035 * smooth(0.50, 0.58, y) + 0.22 * np.clip(y - 0.58, 0, 0.20)
        depth -= 0.10 * smooth(0.765, 0.80, y)
        rise = np.clip(y - 0.79, 0, 0.20)
        depth -= 3.6 * rise + 6.0 * rise**2
        depth -= 1.75 * np.clip(y - 0.99, 0, None)
        depth += 0.012 * f32(np.exp(-(((np.abs(x) - 0.47) / 0.05) ** 2))) * smooth(0.78, 0.82, y) * smooth(1.0, 0.97, y)
        bottom = 0.20 + 0.05 * (np.abs(x) / HALF_WIDTH) ** 4
        gone = (np.abs(x) > half * 0.9998) | (y < bottom) | (y > 1.43)
        return f32(np.where(gone, NOTHING, depth))

    def bodywork(self) -> None:
        """Windscreen, lamps, grille, intake, seams."""
        c = self.c
        self.windscreen()
        for side in (-1, 1):
            self.lamp(side)
            self.fog_lamp(side)
        self.grille()
        self.seam([(-0.80, 0.792), (-0.5, 0.785), (0, 0.782), (0.5, 0.785), (0.80, 0.792)])
        for side in (-1, 1):
            self.seam([(side * 0.785, 0.80), (side * 0.735, 0.90), (side * 0.70, 0.99)])
            self.seam([(side * 0.70, 0.60), (side * 0.76, 0.597), (side * 0.85, 0.60)])
        crease = c.line([(-0.83, 0.545), (-0.4, 0.535), (0.4, 0.535), (0.83, 0.545)], 0.02, soft=0.008)
        self.height += crease * f32(0.004)
        lower = smooth(0.268, 0.262, c.y)
        self.lay(lower, (0.018, 0.018, 0.019), 0.03, 0.55, -0.006)

    def windscreen(self) -> None:
        """Glass with the dark edge, wipers, seats and steering wheel behind it, mirrors of the inside."""
        c = self.c
        frame = c.polygon([(-0.685, 1.0), (0.685, 1.0), (0.57, 1.385), (-0.57, 1.385)], 0.004)
        self.lay(frame, BLACK, 0.05, 0.05, -0.004)
        glass = c.polygon([(-0.655, 1.012), (0.655, 1.012), (0.55, 1.375), (-0.55, 1.375)], 0.003)
        self.lay(glass, (0.012, 0.015, 0.016), 0.10, 0.0, 0.001)
        for x in (-0.34, 0.34):
            seat = c.box(x - 0.17, x + 0.17, 1.02, 1.20, 0.05, 0.008) + c.box(
                x - 0.09, x + 0.09, 1.20, 1.285, 0.03, 0.006
            )
            self.lay(glass * np.clip(seat, 0, 1) * f32(0.9), (0.030, 0.030, 0.032))
        wheel = smooth(0.014, 0.009, np.abs(np.hypot((c.x + 0.34) / 1.0, (c.y - 1.06) / 0.62) - 0.15))
        self.lay(glass * wheel * smooth(1.02, 1.03, c.y), (0.004, 0.004, 0.004))
        self.lay(c.box(-0.09, 0.09, 1.325, 1.362, 0.012, 0.003), (0.010, 0.010, 0.010), 0.05, 0.3)
        self.lay(
            c.polygon([(-0.70, 0.985), (0.70, 0.985), (0.69, 1.012), (-0.69, 1.012)], 0.003),
            (0.010, 0.010, 0.010),
            0.03,
            0.7,
            -0.01,
        )
        for points in ([(0.10, 1.005), (0.30, 1.03), (0.60, 1.05)], [(-0.42, 1.005), (-0.2, 1.03), (0.12, 1.05)]):
            self.lay(c.line(points, 0.010), (0.006, 0.006, 0.006), 0.03, 0.5, 0.012)

    def _lamp_shape(self, side: int) -> list[tuple[float, float]]:
        outer = [
            (0.42, 0.665),
            (0.60, 0.640),
            (0.80, 0.640),
            (0.845, 0.70),
            (0.83, 0.775),
            (0.66, 0.772),
            (0.47, 0.735),
        ]
        return [(side * x, y) for x, y in outer]

    def lamp(self, side: int) -> None:
        """A headlamp: clear glass over a bright reflector, a round lens, an amber corner."""
        c = self.c
        shape = self._lamp_shape(side)
        self.lay(c.polygon(shape, 0.004), BLACK, 0.04, 0.3, -0.004, 0.4)
        cx, cy = side * 0.655, 0.708
        inner = c.polygon([(cx + (x - cx) * 0.95, cy + (y - cy) * 0.93) for x, y in shape], 0.002)
        self.lay(inner, (0.20, 0.21, 0.22), 0.16, 0.02, 0.010)
        for x, y, radius in ((side * 0.60, 0.703, 0.045), (side * 0.715, 0.71, 0.05)):
            away = np.hypot(c.x - x, c.y - y)
            bowl = inner * smooth(radius + 0.003, radius - 0.002, away)
            self.lay(bowl, (0.34, 0.35, 0.36), 0.25, 0.05)
            self.colour *= (
                1 - 0.75 * bowl * smooth(0.2, 1.0, f32(0.5 + 0.5 * np.sin(away * 420))) * smooth(0, radius, away)
            )[..., None]
            self.lay(inner * smooth(radius * 0.5, radius * 0.44, away), (0.55, 0.57, 0.60), 0.3, 0.0)
            self.lay(inner * smooth(0.004, 0.002, np.abs(away - radius)), (0.02, 0.02, 0.02))
        amber = inner * c.box(min(side * 0.775, side * 0.86), max(side * 0.775, side * 0.86), 0.60, 0.80, 0, 0.004)
        self.lay(amber * f32(0.85), (0.42, 0.16, 0.02), 0.09, 0.0)
        ribs = f32(0.5 + 0.5 * np.sin(c.x * 2 * np.pi / 0.010))
        self.colour *= (1 - amber * 0.4 * ribs)[..., None]

    def fog_lamp(self, side: int) -> None:
        """A dark pocket in the bumper with a round lamp."""
        c = self.c
        pocket = c.polygon([(side * x, y) for x, y in ((0.52, 0.33), (0.74, 0.34), (0.77, 0.44), (0.56, 0.42))], 0.003)
        self.lay(pocket, (0.012, 0.012, 0.013), 0.03, 0.6, -0.03, 0.6)
        away = np.hypot(c.x - side * 0.645, c.y - 0.382)
        self.lay(smooth(0.040, 0.037, away), (0.26, 0.27, 0.28), 0.20, 0.02, 0.012)
        self.lay(smooth(0.022, 0.019, away), (0.42, 0.43, 0.45), 0.25, 0.0)

    def grille(self) -> None:
        """Upper grille with bars and a badge; the intake below."""
        c = self.c
        upper = c.polygon([(-0.385, 0.752), (0.385, 0.752), (0.34, 0.652), (-0.34, 0.652)], 0.004)
        self.lay(upper, BLACK, 0.04, 0.4, -0.025, 0.5)
        for y in (0.672, 0.700, 0.728):
            bar = upper * c.box(-0.40, 0.40, y - 0.006, y + 0.006, 0.003, 0.001)
            self.lay(bar, (0.30, 0.31, 0.32), 0.45, 0.06, 0.022, 1.6)
        self.lay(c.disc(0, 0.703, 0.040), (0.36, 0.37, 0.39), 0.55, 0.08, 0.028, 1.8)
        self.lay(c.disc(0, 0.703, 0.030), (0.02, 0.03, 0.05), 0.10, 0.05, 0.001)
        intake = c.polygon([(-0.46, 0.415), (0.46, 0.415), (0.40, 0.285), (-0.40, 0.285)], 0.004)
        self.lay(intake, (0.008, 0.008, 0.008), 0.02, 0.8, -0.035, 0.4)
        mesh = np.maximum(np.abs(np.sin((c.x + c.y) * np.pi / 0.022)), np.abs(np.sin((c.x - c.y) * np.pi / 0.022)))
        self.lay(intake * smooth(0.90, 0.97, mesh), (0.022, 0.022, 0.023), 0.03, 0.6, 0.015, 1.6)

    def front_plate(self, text: str) -> None:
        """A white plate on the bumper."""
        c = self.c
        self.lay(c.box(-0.272, 0.272, 0.434, 0.556, 0.006, 0.003), (0.010, 0.010, 0.010), 0.03, 0.5, 0.008)
        left, top = c.at(-0.26, 0.5505)
        columns, rows = round(0.52 / c.cell), round(0.111 / c.cell)
        yellow = np.asarray(plate_image(text, columns).resize((columns, rows)), dtype=np.float32) / 255
        dark = smooth(0.55, 0.15, yellow[..., 0])
        where = (slice(round(top), round(top) + rows), slice(round(left), round(left) + columns))
        self.colour[where] = f32([0.70, 0.71, 0.70]) * (1 - dark[..., None]) + 0.008
        self.gloss[where] = 0.03
        self.rough[where] = 0.25

    # --- damage --------------------------------------------------------------------------------------------------

    def crash(self, strength: float) -> None:
        """The corner on the right is pushed in: bumper folded, lamp burst, bonnet buckled, wing crumpled."""
        c, rng = self.c, self.rng
        x, y = 0.60, 0.60
        dx, dy = c.x - x, c.y - y
        push = f32(np.exp(-((np.abs(dx + 0.10 * dy) / 0.30) ** 3.0) - (np.abs(dy) / 0.24) ** 3.0))
        corner = smooth(0.50, 0.84, c.x) * smooth(0.26, 0.40, c.y) * smooth(0.86, 0.76, c.y)
        self.height -= (push * f32(0.16) + corner * f32(0.14)) * f32(strength)
        near = f32(np.exp(-((dx / 0.32) ** 2) - (dy / 0.27) ** 2))
        self.height += near * fractal(rng, self.shape, 110, 4) * f32(0.020 * strength)
        for a, b, depth in (
            ((0.30, 0.47), (0.60, 0.58), 0.024),
            ((0.60, 0.58), (0.84, 0.52), 0.022),
            ((0.52, 0.28), (0.60, 0.58), 0.020),
            ((0.38, 0.62), (0.58, 0.52), 0.018),
            ((0.70, 0.30), (0.66, 0.52), 0.016),
        ):
            distance, along = c.distance(a, b)
            fold = f32(np.exp(-((distance / 0.016) ** 2))) - 0.6 * f32(np.exp(-(((distance - 0.032) / 0.018) ** 2)))
            self.height -= fold * f32(depth * strength) * (0.45 + 0.55 * np.sin(np.pi * along))
        self.buckled_bonnet(strength)
        self.scratches(0.56, 0.56)
        self.scratches(0.72, 0.47)
        self.bare(0.60, 0.52, near * smooth(0.66, 0.60, c.y))
        self.split()
        self.burst_lamp(strength)

    def buckled_bonnet(self, strength: float) -> None:
        """The edge of the bonnet has risen and folded, the gap below it gapes."""
        c, rng = self.c, self.rng
        over = smooth(0.782, 0.80, c.y) * smooth(0.99, 0.90, c.y) * smooth(0.10, 0.34, c.x) * smooth(0.84, 0.76, c.x)
        ridge = f32(np.exp(-(((c.x - 0.44 - 0.9 * (c.y - 0.80)) / 0.035) ** 2)))
        second = f32(np.exp(-(((c.x - 0.62 + 0.5 * (c.y - 0.80)) / 0.03) ** 2)))
        wave = 0.075 * ridge - 0.05 * second + 0.025 * fractal(rng, self.shape, 90, 3)
        self.height += over * wave * f32(strength)
        gap = [(0.26, 0.783), (0.42, 0.800), (0.60, 0.806), (0.79, 0.800), (0.80, 0.778), (0.62, 0.772), (0.44, 0.776)]
        self.lay(c.polygon(gap, 0.002), (0.003, 0.003, 0.003), 0.0, 1.0, -0.05, 0.12)
        edge = c.line([(0.26, 0.785), (0.42, 0.803), (0.60, 0.809), (0.79, 0.803)], 0.004)
        self.lay(edge * 0.8, (0.40, 0.41, 0.42), 0.05, 0.5, 0.004)
        chips = smooth(0.62, 0.70, fractal(rng, self.shape, 26, 4)) * over * (ridge + 0.6 * second)
        self.lay(np.clip(chips * 1.6, 0, 1), (0.42, 0.43, 0.44), 0.02, 0.8, -0.0006)

    def burst_lamp(self, strength: float) -> None:
        """Most of the glass is out; the bowl is dark, with splinters and a torn rim."""
        c, rng = self.c, self.rng
        shape = c.polygon(self._lamp_shape(1), 0.002)
        jag = fractal(rng, self.shape, 40, 4)
        hole = shape * smooth(0.0, 0.03, f32(0.17 * strength + 0.10 * jag - np.abs(c.x - 0.655) * 0.75 + 0.02))
        self.lay(hole, (0.010, 0.010, 0.011), 0.02, 0.8, -0.055, 0.35)
        for _ in range(9):
            a = (0.655 + float(rng.normal(0, 0.07)), 0.705 + float(rng.normal(0, 0.02)))
            b = (a[0] + float(rng.normal(0, 0.05)), a[1] + float(rng.normal(0, 0.03)))
            self.lay(hole * c.line([a, b], float(rng.uniform(0.003, 0.012))), (0.05, 0.05, 0.055), 0.12, 0.2, 0.02, 2.0)
        self.lay(shape * c.disc(0.715, 0.712, 0.026) * f32(0.9), (0.32, 0.33, 0.34), 0.3, 0.05, 0.02, 2.2)
        image = Image.new("L", (self.shape[1], self.shape[0]))
        pen = ImageDraw.Draw(image)
        for _ in range(26):
            angle = float(rng.uniform(0, 2 * np.pi))
            reach = float(rng.uniform(0.07, 0.19))
            at = [(0.655 + 0.05 * np.cos(angle), 0.705 + 0.03 * np.sin(angle))]
            at.append((at[0][0] + reach * np.cos(angle), at[0][1] + 0.45 * reach * np.sin(angle)))
            pen.line([c.at(*p) for p in at], fill=230, width=1)
        cracks = shape * np.clip(1 - hole, 0, 1) * f32(np.asarray(image) / 255)
        self.lay(cracks * 0.9, (0.62, 0.63, 0.64), 0.1, 0.5)
        rim = np.clip(
            shape
            - c.polygon(
                [(0.655 + (px - 0.655) * 0.93, 0.708 + (py - 0.708) * 0.9) for px, py in self._lamp_shape(1)], 0.002
            ),
            0,
            1,
        )
        self.lay(rim * smooth(-0.2, 0.5, jag) * 0.7, (0.02, 0.02, 0.02), 0.03, 0.6, 0.004)

    def split(self) -> None:
        """The bumper's skin is torn from below, its corner hangs."""
        c, rng = self.c, self.rng
        main = [(0.565, 0.19)]
        while main[-1][1] < 0.60:
            px, py = main[-1]
            main.append((px + float(rng.normal(0.003, 0.013)), py + float(rng.uniform(0.016, 0.034))))
        for n, (a, b) in enumerate(pairwise(main)):
            width = 0.024 * (1 - n / len(main)) + 0.003
            self.lay(c.line([a, b], width, 0.0008), (0.003, 0.003, 0.003), 0.0, 1.0, -0.02, 0.12)
            self.lay(
                c.line([(a[0] - width * 0.7, a[1]), (b[0] - width * 0.7, b[1])], 0.003) * 0.9,
                (0.40, 0.41, 0.42),
                0.02,
                0.7,
            )
        right = smooth(0.0, 0.006, c.x - np.interp(c.y, [p[1] for p in main], [p[0] for p in main]).astype(np.float32))
        self.height -= right * smooth(0.62, 0.50, c.y) * f32(0.03) * f32(np.exp(-np.clip(c.x - 0.57, 0, None) / 0.16))
        wedge = [(0.52, 0.600), (0.66, 0.606), (0.85, 0.614), (0.85, 0.575), (0.70, 0.578), (0.60, 0.588)]
        self.lay(c.polygon(wedge, 0.0015), (0.003, 0.003, 0.003), 0.0, 1.0, -0.03, 0.1)
        streaks = value_noise(rng, self.shape, 3, 120) + 0.6 * value_noise(rng, self.shape, 7, 60)
        reach = f32(np.exp(-(((c.x - 0.70) / 0.15) ** 2) - ((c.y - 0.47) / 0.07) ** 2))
        self.lay(np.clip(smooth(0.2, 1.0, streaks) * reach, 0, 0.8), (0.30, 0.27, 0.22), 0.02, 0.8)


def car_front(
    rng: np.random.Generator, plate: str, paint: tuple[float, float, float], strength: float, cell: float
) -> Surface:
    """The sheet for one car; `strength` 0 to 1 says how far the corner is pushed in; 0 leaves the car whole."""
    painter = FrontPainter(rng, paint, cell)
    painter.bodywork()
    painter.front_plate(plate)
    painter.dirt()
    if strength > 0:
        painter.crash(strength)
    return painter.finish()
