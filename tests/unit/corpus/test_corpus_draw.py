"""Drawing documents and pictures from provenance."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from harness.errors import InputError
from oracle_scoring.corpus.check_documents import read_pdf
from oracle_scoring.corpus.check_leaks import image_metadata
from oracle_scoring.corpus.draw import draw, draw_package
from oracle_scoring.corpus.load import read_provenance
from oracle_scoring.corpus.models import FileProvenance
from oracle_scoring.corpus.raster import blur, f32, sample, smooth
from oracle_scoring.corpus.synthetic import PHOTO, make_package

PACKAGE = Path(__file__).parents[3] / "packages" / "claims" / "CTL-M-001"
QUOTE, BUMPER = "repair-quote.pdf", "photo-rear-bumper.jpg"


def made(name: str, **content: object) -> FileProvenance:
    """Provenance of a drawn file of CTL-M-001, some of its content changed."""
    entry = read_provenance(PACKAGE).files[name]
    return entry.model_copy(update={"content": {**entry.content, **content}})


def picture(entry: FileProvenance) -> bytes:
    """A small version of the picture."""
    return draw(BUMPER, entry)


def test_the_quote_in_the_package_is_what_its_provenance_draws() -> None:
    """Byte for byte: nothing of the moment, the machine or the person is in it."""
    assert draw(QUOTE, made(QUOTE)) == (PACKAGE / "input/materials" / QUOTE).read_bytes()


def test_the_quote_prints_its_fields_and_page_marks() -> None:
    """A product can read date, number, plate and total; every page says which it is."""
    text = read_pdf(draw(QUOTE, made(QUOTE)))
    assert len(text.pages) == 2
    assert "Date: 10 March 2026" in text.pages[0]
    assert "Registration: JX24 RVB" in text.pages[0]
    assert "Total including VAT: £1,284.00" in text.pages[0]
    for n, page in enumerate(text.pages, start=1):
        assert f"Page {n} of 2" in page and "HL-2026-0318" in page
    assert "written consent" in " ".join(text.pages[1].split())


def test_a_page_can_be_left_out() -> None:
    """The page that is there still says of how many it is one."""
    entry = made(QUOTE).model_copy(update={"pages_present": [2]})
    pages = read_pdf(draw(QUOTE, entry)).pages
    assert len(pages) == 1 and "Page 2 of 2" in pages[0] and "10 March 2026" not in pages[0]


def test_the_quote_adds_up() -> None:
    """Lines make the net sum, net and VAT make the total."""
    from decimal import Decimal

    content = made(QUOTE).content
    lines = content["lines"]
    assert isinstance(lines, list)
    for line in lines:
        assert isinstance(line, dict)
        assert Decimal(str(line["quantity"])) * Decimal(str(line["unit_price"])) == Decimal(str(line["amount"]))
    net = sum(Decimal(str(line["amount"])) for line in lines if isinstance(line, dict))
    vat = (net * Decimal(str(content["vat_rate"])) / 100).quantize(Decimal("0.01"))
    assert (str(net), str(vat), str(net + vat)) == (content["net"], content["vat"], "1284.00")


def test_the_same_seed_draws_the_same_picture_and_another_seed_another() -> None:
    """Deterministic, and different where asked."""
    entry = made(BUMPER, width=96)
    first = picture(entry)
    assert picture(entry) == first
    assert picture(entry.model_copy(update={"rng_seed": 7})) != first


def test_the_picture_carries_nothing_but_pixels() -> None:
    """A plain JPEG of the asked size."""
    data = picture(made(BUMPER, width=96))
    assert image_metadata(data) == {}
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size) == ("JPEG", (96, 72))


def test_the_picture_in_the_package_is_a_phone_photo_of_what_its_provenance_draws() -> None:
    """1600 x 1200, well under a megabyte; a small rendering of the same provenance shows the same scene."""
    data = (PACKAGE / "input/materials" / BUMPER).read_bytes()
    assert len(data) < 700_000
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (1600, 1200)
        shipped = f32(np.asarray(image.convert("L").resize((16, 12), Image.Resampling.BOX)))
    with Image.open(io.BytesIO(picture(made(BUMPER, width=160)))) as image:
        small = f32(np.asarray(image.convert("L").resize((16, 12), Image.Resampling.BOX)))
    assert float(np.corrcoef(shipped.ravel(), small.ravel())[0, 1]) > 0.93


def test_the_dent_shows() -> None:
    """With and without the push the picture differs where the bumper was hit, and hardly on the window."""
    images = []
    for strength in (0.0, 1.0):
        with Image.open(io.BytesIO(picture(made(BUMPER, width=160, strength=strength)))) as image:
            images.append(f32(np.asarray(image.convert("L"))))
    difference = np.abs(images[0] - images[1])
    assert difference[55:72, 85:115].mean() > 4 * difference[8:22, 50:110].mean()


def test_what_was_not_drawn_cannot_be_drawn(tmp_path: Path) -> None:
    """Photographs and unknown recipes are input errors that name the file."""
    package = make_package(tmp_path / "SYN-P-001")
    with pytest.raises(InputError, match=rf"files\.{PHOTO}\.recipe: the file is photographed"):
        draw(PHOTO, read_provenance(package).files[PHOTO])
    with pytest.raises(InputError, match="there is no recipe poster"):
        draw("x.pdf", made(QUOTE).model_copy(update={"recipe": "poster"}))
    assert draw_package(package) == []


def test_a_recipe_names_what_it_lacks() -> None:
    """Content of the wrong type and a missing printed field are told by field."""
    with pytest.raises(InputError, match=r"content: lines"):
        draw(QUOTE, made(QUOTE, lines="none"))
    with pytest.raises(InputError, match=r"printed_fields: the recipe needs the field date"):
        fields = {k: v for k, v in made(QUOTE).printed_fields.items() if k != "date"}
        draw(QUOTE, made(QUOTE).model_copy(update={"printed_fields": fields}))


def test_drawing_a_package_writes_its_drawn_files(tmp_path: Path) -> None:
    """Only files with a recipe are written."""
    quote = made(QUOTE).model_dump(mode="json")
    package = make_package(tmp_path / "SYN-P-001", {"provenance.files": {"paper-two.pdf": quote}})
    assert draw_package(package) == ["paper-two.pdf"]
    assert (package / "input/materials/paper-two.pdf").read_bytes() == draw(QUOTE, made(QUOTE))


def test_raster_tools() -> None:
    """Blur keeps the mean, sampling is exact on the grid, the smooth step ends flat."""
    image = np.zeros((40, 60), np.float32)
    image[20, 30] = 1
    for sigma in (0.6, 2.0, 5.0):
        assert float(blur(image, sigma).sum()) == pytest.approx(1, abs=1e-3)
    assert float(sample(image, f32([20.0]), f32([30.0]))[0]) == 1
    assert smooth(0, 1, f32([-1.0, 0.5, 2.0])).tolist() == [0, 0.5, 1]
