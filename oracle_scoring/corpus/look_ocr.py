"""Reading documents with tesseract, which is told nothing: neither what they are nor what should stand there."""

import io
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageFilter, ImageOps

from harness.errors import EnvironmentFault, InputError
from oracle_scoring.corpus.check_documents import MAX_PIXELS

MEND = "apt-get install tesseract-ocr"
TESSERACT_S = 180.0
PAGE_DPI = 200
"""Resolution at which pages of a PDF are rendered."""
LONG_SIDE = 2600
"""Pixels to which a photograph of a paper is enlarged (at most fourfold), so that small print has letters of twenty pixels."""
TURNS = (-3.0, 3.0)
"""Degrees by which a photographed paper is turned for a further pass."""
_VERSION = re.compile(r"^tesseract v?(\S+)")
_TOO_MANY_PAGES = 60


def missing(languages: frozenset[str] = frozenset({"eng"}), mend: str = MEND) -> str | None:
    """What has to be installed before pictures can be read, as one line; None if nothing."""
    if shutil.which("tesseract") is None:
        return f"tesseract is not installed; mend: {mend}"
    done = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, timeout=60, check=False)
    lacking = sorted(languages - set(done.stdout.split()))
    return f"tesseract cannot read {', '.join(lacking)}; mend: {mend}" if lacking else None


@cache
def engine() -> str:
    """Name and version, as a reading records it.

    Raises:
        EnvironmentFault: tesseract or its English is not there.
    """
    if (problem := missing()) is not None:
        raise EnvironmentFault(problem)
    done = subprocess.run(["tesseract", "--version"], capture_output=True, text=True, timeout=60, check=False)
    found = _VERSION.match(done.stdout or done.stderr)
    return f"tesseract {found[1] if found else 'of unknown version'}, English"


def tesseract(image: Image.Image, language: str, mode: int, dpi: int) -> str:
    """What tesseract reads, with one of its page segmentation modes (3 columns, 6 one block, 11 scattered words)."""
    held = io.BytesIO()
    image.save(held, "PNG", dpi=(dpi, dpi))
    done = subprocess.run(
        ["tesseract", "stdin", "stdout", "-l", language, "--psm", str(mode), "--dpi", str(dpi)],
        input=held.getvalue(),
        capture_output=True,
        timeout=TESSERACT_S,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        check=True,
    )
    return done.stdout.decode("utf-8", "replace")


def pdf_pages(data: bytes, dpi: int = PAGE_DPI) -> list[Image.Image]:
    """The pages as a person sees them on a screen, in colour.

    Raises:
        InputError: the bytes are no PDF that can be drawn.
    """
    try:
        with pdfium.PdfDocument(data) as document:
            if len(document) > _TOO_MANY_PAGES:
                raise InputError("document", f"has {len(document)} pages; the limit is {_TOO_MANY_PAGES}")
            pages = []
            for page in document:
                width, height = page.get_size()
                scale = min(dpi / 72, (MAX_PIXELS / max(1.0, width * height)) ** 0.5)
                pages.append(page.render(scale=scale).to_pil().convert("RGB"))
            return pages
    except pdfium.PdfiumError as exc:
        raise InputError("document", f"cannot be drawn ({exc})") from exc


def page_pictures(name: str, data: bytes) -> list[Image.Image]:
    """Every page of a document, whatever kind of file holds it.

    Raises:
        InputError: the bytes cannot be shown; it names the file.
    """
    try:
        if data.startswith(b"%PDF-"):
            return pdf_pages(data)
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise InputError(name, f"has {image.width} x {image.height} pixels; the limit is {MAX_PIXELS}")
            return [ImageOps.exif_transpose(image).convert("RGB")]
    except InputError as exc:
        raise InputError(name, exc.why) from exc
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as exc:
        raise InputError(name, f"cannot be decoded ({type(exc).__name__})") from exc


def _scaled(grey: Image.Image, factor: float) -> Image.Image:
    return grey.resize((round(grey.width * factor), round(grey.height * factor)), Image.Resampling.LANCZOS)


def _enlarged(grey: Image.Image) -> Image.Image:
    factor = min(4.0, LONG_SIDE / max(grey.size))
    return _scaled(grey, factor) if factor > 1.05 else grey


def _evened(grey: Image.Image) -> Image.Image:
    """Shadows taken out: each pixel against the paper around it."""
    small = grey.resize((max(1, grey.width // 8), max(1, grey.height // 8)), Image.Resampling.BOX)
    paper = small.filter(ImageFilter.MaxFilter(7)).filter(ImageFilter.GaussianBlur(6)).resize(grey.size)
    light = np.asarray(grey, np.float32) / np.maximum(np.asarray(paper, np.float32), 24.0)
    return ImageOps.autocontrast(Image.fromarray((np.clip(light, 0, 1) * 255).astype(np.uint8)), cutoff=1)


def _turned(image: Image.Image, degrees: float) -> Image.Image:
    return image.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def _looks(page: Image.Image, photographed: bool) -> Iterator[tuple[Callable[[], Image.Image], int]]:
    """The forms in which a page is read, the likeliest first: how to make the picture, and tesseract's mode."""
    grey = page.convert("L")
    if not photographed:
        yield (lambda: grey), 3
        yield (lambda: _scaled(grey, 0.8)), 6
        yield (lambda: grey), 11
        yield (lambda: _enlarged(_evened(grey))), 6
        return
    large = _enlarged(grey)
    even = _evened(large)
    yield (lambda: even), 6
    yield (lambda: large), 3
    yield (lambda: even), 4
    yield (lambda: large), 6
    for degrees in TURNS:
        yield (lambda degrees=degrees: _turned(even, degrees)), 6  # type: ignore[misc]
    yield (lambda: even.filter(ImageFilter.UnsharpMask(3, 180, 2))), 6
    yield (lambda: even), 11


def read_page(page: Image.Image, photographed: bool, enough: Callable[[list[str]], bool]) -> list[str]:
    """What was read, one text for each pass; passes end once `enough` of them is true.

    Args:
        page: as a person sees it.
        photographed: the paper was photographed, not rendered: it has shadows and is not straight.
        enough: looks at the texts so far. Where something must not be readable it should never be true, so that every
            pass is made.
    """
    engine()
    texts: list[str] = []
    for make, mode in _looks(page, photographed):
        texts.append(tesseract(make(), "eng", mode, PAGE_DPI))
        if enough(texts):
            break
    return texts
