"""A phone picture of a parked car's damaged rear bumper, rendered from its provenance."""

import numpy as np
from PIL import Image

from oracle_scoring.corpus.car_park import SHARD_BLACK, SHARD_GREY, SHARD_RED, CarPark, Crumbs
from oracle_scoring.corpus.car_rear import car_rear
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_content import BumperContent
from oracle_scoring.corpus.raster import f32
from oracle_scoring.corpus.scene import View, develop, jpeg, textures

VIEW = View(eye=f32([0.62, 1.06, 1.90]), target=f32([0.10, 0.575, -0.02]))


def render_bumper(content: BumperContent, plate: str, rng_seed: int) -> Image.Image:
    """The finished picture."""
    rng = np.random.default_rng(rng_seed)
    width, height = content.width, content.width * 3 // 4
    tex = textures(rng, width)
    red, green, blue = content.paint
    paint = (red, green, blue)
    surface = car_rear(rng, plate, paint, content.strength, max(0.0008, 1.28 / content.width), content.body)
    crumbs = Crumbs(rng_seed + 1, (paint, SHARD_BLACK, SHARD_RED, SHARD_GREY))
    image, distance = CarPark(VIEW, surface, tex, crumbs).picture(width, height)
    return develop(image, distance, rng)


def draw_bumper(made: FileProvenance) -> bytes:
    """The picture as JPEG without any metadata; the same bytes for the same provenance and library versions."""
    content = BumperContent.model_validate(made.content)
    return jpeg(render_bumper(content, made.printed_fields["plate"].printed, made.rng_seed or 0), content.quality)
