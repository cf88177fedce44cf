"""The recipes for pictures: rendered scenes, each with the damage that its provenance asks for."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from harness.errors import InputError
from oracle_scoring.corpus.draw import RECIPES, draw
from oracle_scoring.corpus.draw_bumper import BumperContent, render_bumper
from oracle_scoring.corpus.load import read_provenance
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.picture_parts import image_metadata
from oracle_scoring.corpus.raster import Array, f32
from oracle_scoring.corpus.scene import cast, hollows

PACKAGES = Path(__file__).parents[3] / "packages"
BLUE = [0.02, 0.05, 0.12]
PLATE = {"plate": {"page": 1, "printed": "JX24 RVB", "kind": "plate", "value": "JX24 RVB"}}
PICTURES: dict[str, dict[str, Any]] = {
    "front_damage": {"paint": BLUE},
    "hail_bonnet": {"paint": BLUE},
    "ceiling_stain": {},
    "roof_tiles": {},
    "forced_door": {},
    "cracked_screen": {"device": "television"},
}
HARM = {
    "front_damage": "strength",
    "hail_bonnet": "dents",
    "ceiling_stain": "extent",
    "roof_tiles": "missing",
    "forced_door": "strength",
    "cracked_screen": "strength",
}
"""Recipe -> what of its content is the damage; 0 leaves things whole."""
PARTS = {
    "front_damage": ((0.35, 0.75, 0.60, 0.80), (0.0, 0.3, 0.0, 1.0)),
    "ceiling_stain": ((0.30, 0.60, 0.20, 0.70), (0.75, 1.0, 0.70, 1.0)),
    "roof_tiles": ((0.35, 0.65, 0.25, 0.55), (0.0, 0.2, 0.0, 1.0)),
    "forced_door": ((0.20, 0.85, 0.62, 0.74), (0.0, 1.0, 0.0, 0.30)),
    "cracked_screen": ((0.20, 0.65, 0.40, 0.75), (0.85, 1.0, 0.0, 1.0)),
}
"""Recipe -> top, bottom, left, right of the damaged part and of one that stays as it was, as parts of the picture."""


def made(recipe: str, rng_seed: int = 3, **content: Any) -> FileProvenance:
    """Provenance of a small picture."""
    return FileProvenance.model_validate(
        {
            "how": "drawn",
            "document": "photo",
            "recipe": recipe,
            "content": {"width": 64, **PICTURES[recipe], **content},
            "prompt": None,
            "purpose": "p",
            "printed_fields": PLATE if recipe == "front_damage" else {},
            "pages_total": None,
            "pages_present": None,
            "rng_seed": rng_seed,
            "source_images": [],
        }
    )


def pixels(recipe: str, **content: Any) -> Array:
    """The drawn picture's colours, 0 to 255."""
    with Image.open(io.BytesIO(draw("x.jpg", made(recipe, **content)))) as image:
        return f32(np.asarray(image))


def mean(difference: Array, part: tuple[float, float, float, float]) -> float:
    """Mean over a part of the picture."""
    height, width = difference.shape
    top, bottom, left, right = part
    cut = difference[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]
    return float(cut.mean())


def test_every_picture_has_a_recipe() -> None:
    """All recipes of the plan are there, pictures and documents."""
    documents = {"repair_quote", "trade_quote", "invoice", "till_receipt", "police_letter"}
    assert set(RECIPES) == {*PICTURES, *documents, "rear_bumper"}


@pytest.mark.parametrize("recipe", sorted(PICTURES))
def test_a_picture_is_the_same_for_the_same_seed_and_carries_nothing_but_pixels(recipe: str) -> None:
    """Twice the same bytes, a plain JPEG of the asked size; another seed gives another picture."""
    data = draw("x.jpg", made(recipe))
    assert draw("x.jpg", made(recipe)) == data
    assert draw("x.jpg", made(recipe, rng_seed=4)) != data
    assert image_metadata(data) == {}
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size) == ("JPEG", (64, 48))


@pytest.mark.parametrize("recipe", sorted(PARTS))
def test_the_damage_shows_where_it_is(recipe: str) -> None:
    """With and without damage the picture differs in the damaged part, and much less elsewhere."""
    width = 96
    whole, broken = (pixels(recipe, width=width, **{HARM[recipe]: 0}), pixels(recipe, width=width))
    difference = f32(np.abs(whole - broken).mean(-1))
    there, elsewhere = PARTS[recipe]
    assert mean(difference, there) > 10
    assert mean(difference, there) > 2.5 * mean(difference, elsewhere)


def test_hail_leaves_dents() -> None:
    """More dents, another surface: the mirrored sky is bent on the bonnet."""
    difference = f32(
        np.abs(pixels("hail_bonnet", width=112, dents=0) - pixels("hail_bonnet", width=112, dents=80)).mean(-1)
    )
    assert mean(difference, (0.45, 0.8, 0.1, 0.9)) > 1.5


@pytest.mark.parametrize("device", ["television", "laptop", "tablet"])
def test_a_screen_shines(device: str) -> None:
    """The device's screen is the brightest thing in the picture, broken as it is."""
    shown = pixels("cracked_screen", device=device).mean(-1)
    assert np.percentile(shown[10:30, 16:48], 90) > 1.3 * np.percentile(shown[40:48], 50)


def test_a_picture_names_what_it_lacks() -> None:
    """Content of the wrong type, unknown content and a missing plate are told by field."""
    with pytest.raises(InputError, match="content: dents"):
        draw("x.jpg", made("hail_bonnet", dents=1000))
    with pytest.raises(InputError, match="content: shine"):
        draw("x.jpg", made("ceiling_stain", shine=1))
    with pytest.raises(InputError, match="needs the field plate"):
        draw("x.jpg", made("front_damage").model_copy(update={"printed_fields": {}}))


def test_relief_casts_shadows_and_shades_hollows() -> None:
    """A step keeps the light from what lies behind it; a pit sees less of the sky than the plain."""
    relief = np.zeros((60, 60), np.float32)
    relief[:, 28:32] = 0.05
    lit = cast(relief, 0.01, f32([-0.7, 0.0, 0.7]), 0.1)
    assert lit[30, 34] < 0.2 and lit[30, 20] > 0.9 and lit[30, 50] > 0.9
    pit = np.zeros((60, 60), np.float32)
    pit[25:35, 25:35] = -0.05
    seen = hollows(pit, 0.01, (0.02,), 0.5)
    assert seen.min() < 0.7 < seen[5, 5] and seen[25:35, 25:35].min() == seen.min()


def _drawn_pictures() -> list[tuple[str, str]]:
    return [
        (folder.name, name)
        for folder in sorted((PACKAGES / "claims").iterdir())
        for name, entry in sorted(read_provenance(folder).files.items())
        if entry.how == "drawn" and entry.document == "photo" and entry.recipe != "rear_bumper"
    ]


@pytest.mark.parametrize(("package", "name"), _drawn_pictures())
def test_pictures_in_the_corpus_are_of_what_their_provenance_draws(package: str, name: str) -> None:
    """A small rendering of the same provenance shows the same scene; the file is small."""
    folder = PACKAGES / "claims" / package
    entry = read_provenance(folder).files[name]
    shipped = (folder / "input/materials" / name).read_bytes()
    small = draw(name, entry.model_copy(update={"content": {**entry.content, "width": 96}}))
    rough = []
    for data in (shipped, small):
        with Image.open(io.BytesIO(data)) as image:
            rough.append(f32(np.asarray(image.convert("RGB").resize((12, 9), Image.Resampling.BOX))).ravel())
    assert float(np.corrcoef(*rough)[0, 1]) > 0.9
    assert len(shipped) < 300_000


def test_two_makes_of_car_differ_in_their_lamps_and_not_in_the_damage() -> None:
    """The make changes lamps and badge; the bumper below them stays as it is."""
    content = {"width": 96, "quality": 80, "paint": BLUE, "strength": 0.9}
    one, two = (
        BumperContent.model_validate({**content, "body": body}) for body in ("tall_lamps", "wide_lamps")
    )  # fmt: skip
    pictures = [f32(np.asarray(render_bumper(body, "JX24 RVB", 3))) for body in (one, two)]
    difference = f32(np.abs(pictures[0] - pictures[1]).mean(-1))
    assert mean(difference, (0.20, 0.34, 0.65, 0.85)) > 4 * mean(difference, (0.45, 0.95, 0.2, 0.8))
