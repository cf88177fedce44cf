"""Screenshots as small pictures inside the page, within a fixed budget."""

import base64
import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from harness.journal import inside

BUDGET_BYTES = 16 * 1024 * 1024
"""All pictures of one page together, as they stand in it (base64)."""
MAX_WIDTH = 840
MAX_HEIGHT = 1600
MAX_PIXELS = 40_000_000
MAX_FILE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Picture:
    """One picture, or why there is none."""

    name: str
    uri: str | None
    """`data:` address, None if left out."""
    width: int
    height: int
    why_not: str | None
    anchor: str


class Album:
    """Makes pictures until the budget is used up, and counts what was left out."""

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self.left = budget_bytes
        self.used = 0
        self.shown = 0
        self.over_budget = 0
        """Left out because the page would grow too large."""
        self.unreadable = 0
        """Missing or damaged."""

    def picture(self, folder: Path, name: str, anchor: str) -> Picture:
        """The picture `name` below `folder`, scaled down."""
        path = inside(folder, name)
        if path is None:
            self.unreadable += 1
            return Picture(name, None, 0, 0, "the file is missing", anchor)
        if self.left <= 0:
            self.over_budget += 1
            return Picture(name, None, 0, 0, "left out: the page's budget for pictures is used up", anchor)
        try:
            data, kind, width, height = _scaled(path)
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as exc:
            self.unreadable += 1
            return Picture(name, None, 0, 0, f"the file cannot be read as a picture ({type(exc).__name__})", anchor)
        uri = f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
        if len(uri) > self.left:
            self.left = 0
            self.over_budget += 1
            return Picture(name, None, 0, 0, "left out: the page's budget for pictures is used up", anchor)
        self.left -= len(uri)
        self.used += len(uri)
        self.shown += 1
        return Picture(name, uri, width, height, None, anchor)


def _scaled(path: Path) -> tuple[bytes, str, int, int]:
    """(bytes, `png` or `jpeg`, width, height): the smaller of a 128-colour PNG and a JPEG; no metadata is kept."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise ValueError("too many bytes")
    with Image.open(path, formats=("PNG", "JPEG")) as source:
        if source.width * source.height > MAX_PIXELS:
            raise ValueError("too many pixels")
        image = source.convert("RGB")
    image.thumbnail((MAX_WIDTH, MAX_HEIGHT), Image.Resampling.LANCZOS)
    png, jpeg = io.BytesIO(), io.BytesIO()
    image.quantize(128, dither=Image.Dither.NONE).save(png, "PNG", optimize=True)
    image.save(jpeg, "JPEG", quality=72, optimize=True)
    best, kind = (png, "png") if png.tell() <= jpeg.tell() else (jpeg, "jpeg")
    return best.getvalue(), kind, image.width, image.height
