"""A phone picture of a car whose front corner was pushed in, rendered from its provenance."""

from dataclasses import replace

import numpy as np
from PIL import Image

from oracle_scoring.corpus.car_front import car_front
from oracle_scoring.corpus.car_park import SHARD_BLACK, SHARD_GREY, CarPark, Crumbs
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_content import FrontDamageContent
from oracle_scoring.corpus.raster import f32
from oracle_scoring.corpus.scene import View, develop, jpeg, textures

VIEW = View(eye=f32([0.50, 1.20, 1.98]), target=f32([0.20, 0.62, -0.10]), angle=56, tilt=1.1)
GLASS = (0.55, 0.58, 0.60)


def render_front(content: FrontDamageContent, plate: str, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    tex = replace(textures(rng, width), seamless=True)
    red, green, blue = content.paint
    paint = (red, green, blue)
    surface = car_front(rng, plate, paint, content.strength, max(0.0010, 1.28 / content.width))
    crumbs = Crumbs(
        rng_seed + 1,
        (paint, SHARD_BLACK, GLASS, SHARD_GREY, GLASS),
        0.62,
        0.16,
        0.26,
        round(90 * content.strength),
        0.013,
    )
    park = CarPark(VIEW, surface, tex, crumbs, far_z=-2.4, tyre_z=-0.50, exhaust=False, mirrors=paint)
    image, distance = park.picture(width, height)
    return develop(image, distance, rng, (2.9, 4.2, 4.2, 6.0))


def draw_front(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = FrontDamageContent.model_validate(made.content)
    return jpeg(render_front(content, made.printed_fields["plate"].printed, made.rng_seed or 0), content.quality)
