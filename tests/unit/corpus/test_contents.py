"""What is inside picture and document files: segments, metadata, and text that no reader sees."""

import io
from collections.abc import Callable

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

import oracle_scoring.corpus.contents as module
from oracle_scoring.corpus.contents import Contents, contents
from oracle_scoring.corpus.picture_parts import image_metadata, transparent
from oracle_scoring.corpus.synthetic import document_bytes, picture_bytes


def drawn(draw: Callable[[Canvas], None], compress: int = 0) -> Contents:
    """The reading of a page of 300 by 400 points."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(300, 400), invariant=1, pageCompression=compress)
    canvas.setFont("Helvetica", 10)
    draw(canvas)
    canvas.save()
    return contents(out.getvalue())


def _white_on_dark(c: Canvas) -> None:
    c.setFillColorRGB(0.1, 0.2, 0.3)
    c.rect(10, 90, 200, 30, stroke=0, fill=1)
    c.setFillColorRGB(1, 1, 1)
    c.drawString(20, 100, "white on dark")


def _white_on_round(c: Canvas) -> None:
    c.setFillColorRGB(0.1, 0.2, 0.3)
    c.roundRect(10, 90, 200, 30, 8, stroke=0, fill=1)
    c.setFillColorRGB(1, 1, 1)
    c.drawString(20, 100, "white on a round badge")


def _on_picture(c: Canvas) -> None:
    c.drawImage(ImageReader(Image.new("RGB", (4, 4), (20, 20, 20))), 0, 0, 300, 400)
    c.setFillColorRGB(1, 1, 1)
    c.drawString(20, 100, "white on a picture")


def _seen_through(c: Canvas) -> None:
    c.drawString(20, 100, "under a stamp")
    stamp = Image.new("RGBA", (4, 4), (200, 0, 0, 60))
    c.drawImage(ImageReader(stamp), 0, 90, 200, 30, mask="auto")


def _small_print(c: Canvas) -> None:
    c.setFont("Helvetica", 6)
    c.setFillColorRGB(0.45, 0.45, 0.45)
    c.drawString(20, 10, "Registered in Nowhere")


def _restored(c: Canvas) -> None:
    c.saveState()
    c.setFillColorRGB(1, 1, 1)
    c.restoreState()
    c.drawString(20, 100, "black again")


def _outlined(c: Canvas) -> None:
    text = c.beginText(20, 100)
    text.setTextRenderMode(1)
    text.textOut("outlined")
    c.drawText(text)


def _turned(c: Canvas) -> None:
    c.rotate(90)
    c.drawString(50, -100, "up the side")


@pytest.mark.parametrize(
    "draw",
    [_white_on_dark, _white_on_round, _on_picture, _seen_through, _small_print, _restored, _outlined, _turned],
)
@pytest.mark.parametrize("compress", [0, 1])
def test_text_that_readers_see(draw: Callable[[Canvas], None], compress: int) -> None:
    """Layouts that ordinary documents have hide nothing."""
    assert drawn(draw, compress).unseen == []


def _rotated_off(c: Canvas) -> None:
    c.rotate(90)
    c.drawString(50, 100, "off the page")


def _on_white_box(c: Canvas) -> None:
    c.setFillColorRGB(0.1, 0.2, 0.3)
    c.rect(0, 0, 300, 400, stroke=0, fill=1)
    c.setFillColorRGB(0.98, 0.98, 0.98)
    c.rect(10, 90, 200, 30, stroke=0, fill=1)
    c.setFillColorRGB(1, 1, 1)
    c.drawString(20, 100, "white on a white box")


def _stroked_white(c: Canvas) -> None:
    c.setStrokeColorRGB(1, 1, 1)
    text = c.beginText(20, 100)
    text.setTextRenderMode(1)
    text.textOut("outlined in white")
    c.drawText(text)


def _nested(c: Canvas) -> None:
    c.beginForm("one")
    c.setFont("Helvetica", 10)
    c.drawString(20, 100, "in a form")
    c.endForm()
    c.scale(0.2, 0.2)
    c.doForm("one")


@pytest.mark.parametrize(
    ("draw", "code"),
    [
        (_rotated_off, "pdf_text_off_page"),
        (_on_white_box, "pdf_text_same_colour"),
        (_stroked_white, "pdf_text_same_colour"),
        (_nested, "pdf_text_tiny"),
    ],
)
def test_text_that_no_reader_sees(draw: Callable[[Canvas], None], code: str) -> None:
    """Transformations, grounds and forms are followed."""
    assert [unseen.code for _, unseen in drawn(draw).unseen] == [code]


def test_a_document_of_another_writer_is_in_order() -> None:
    """Written again by a library, without change, it gives no finding."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(document_bytes([["a", "Page 1 of 1"]]))))
    out = io.BytesIO()
    writer.write(out)
    read = contents(out.getvalue())
    assert (read.problem, read.oddities, read.unseen) == (None, [], [])


def test_the_same_bytes_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many packages hold them."""
    calls = []
    real = module._read_picture
    monkeypatch.setattr(module, "_read_picture", lambda data: calls.append(1) or real(data))
    monkeypatch.setattr(module, "_READ", type(module._READ)())
    for _ in range(3):
        contents(picture_bytes((31, 17)))
    assert len(calls) == 1


@pytest.mark.parametrize("cut", [0, 9, 40, 200, 420])
def test_damaged_documents_are_a_problem_and_no_crash(cut: int) -> None:
    """A PDF cut off anywhere cannot be read, or is read."""
    data = document_bytes([["a", "b"]])
    read = contents(b"%PDF-" + data[5 : 5 + cut])
    assert read.pdf is None and read.problem


def test_pictures_of_every_mode_are_plain() -> None:
    """Grey, palette, progressive and CMYK pictures carry nothing beside pixels."""
    for mode, options in (("L", {}), ("RGB", {"progressive": True}), ("CMYK", {}), ("RGB", {"restart_marker_rows": 1})):
        out = io.BytesIO()
        Image.linear_gradient("L").convert(mode).save(out, "JPEG", **options)
        assert image_metadata(out.getvalue()) == {}
    for mode in ("L", "RGB", "P", "1", "RGBA"):
        out = io.BytesIO()
        Image.linear_gradient("L").convert(mode).save(out, "PNG", dpi=(300, 300))
        assert image_metadata(out.getvalue()) == {}
        assert transparent(out.getvalue()) is (mode == "RGBA")
