"""What a picture file carries beside its pixels, segment by segment: nothing is trusted to a decoder's report."""

import io
import struct
from collections.abc import Iterator

from PIL import Image, UnidentifiedImageError

MAX_PIXELS = 60_000_000
PNG_START = b"\x89PNG\r\n\x1a\n"
PLAIN_CHUNKS = frozenset(
    {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"sBIT", b"bKGD"}
)
"""PNG chunks that say how pixels look, and nothing else."""
_JFIF = b"JFIF\x00"
_PLAIN_MARKERS = frozenset({0xC0, 0xC1, 0xC2, 0xC4, 0xCC, 0xDB, 0xDD})
"""JPEG frames, tables and restart intervals."""
_NAMES = {b"Exif\x00": "EXIF", b"http://ns.adobe.com/xap": "XMP", b"ICC_PROFILE": "colour profile", b"Photoshop": "Photoshop"}  # fmt: skip


def image_problem(data: bytes) -> str | None:
    """Why the bytes are no readable picture; None if they are."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                return f"has {image.width} x {image.height} pixels; the limit is {MAX_PIXELS}"
            image.load()
    except (
        UnidentifiedImageError,
        OSError,
        SyntaxError,
        ValueError,
        struct.error,
        Image.DecompressionBombError,
    ) as exc:
        return f"cannot be decoded ({type(exc).__name__})"
    return None


def image_metadata(data: bytes) -> dict[str, str]:
    """Everything a JPEG or PNG carries beside its pixels: segment -> its bytes as text; {} if there is nothing."""
    found: dict[str, str] = {}
    parts = _png_parts(data) if data.startswith(PNG_START) else _jpeg_parts(data)
    for name, body in parts:
        key, n = name, 2
        while key in found:
            key, n = f"{name} {n}", n + 1
        found[key] = _text(body)
    return found


def _text(body: bytes) -> str:
    """Printable characters of the first bytes, in one-byte and in two-byte letters."""
    return "".join(c if c.isprintable() else " " for c in body[:4000].replace(b"\x00", b"").decode("latin-1")).strip()


def _jpeg_parts(data: bytes) -> Iterator[tuple[str, bytes]]:
    at = 2
    while at + 2 <= len(data):
        if data[at] != 0xFF:
            yield "bytes between segments", data[at : at + 4000]
            return
        marker = data[at + 1]
        if marker == 0xFF:  # fill
            at += 1
            continue
        if marker == 0xD9:
            if at + 2 < len(data):
                yield "bytes after the end", data[at + 2 :]
            return
        if 0xD0 <= marker <= 0xD8 or marker == 0x01:
            at += 2
            continue
        size = int.from_bytes(data[at + 2 : at + 4], "big")
        body = data[at + 4 : at + 2 + size]
        if (name := _segment(marker, body)) is not None:
            yield name, body
        at += 2 + max(size, 2)
        if marker == 0xDA:
            at = _after_scan(data, at)


def _after_scan(data: bytes, at: int) -> int:
    """Position of the first marker behind the entropy-coded data that begins at `at`."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            return len(data)
        if data[at + 1] == 0x00 or 0xD0 <= data[at + 1] <= 0xD7:
            at += 2
        elif data[at + 1] == 0xFF:
            at += 1
        else:
            return at


def _segment(marker: int, body: bytes) -> str | None:
    """What a segment is called; None for one that only describes pixels."""
    if marker in _PLAIN_MARKERS or marker == 0xDA:
        return None
    if marker == 0xE0 and body.startswith(_JFIF) and len(body) == 14 and body[12:14] == b"\x00\x00":
        return None
    if marker == 0xEE and body.startswith(b"Adobe") and len(body) == 12:
        return None
    if marker == 0xFE:
        return "comment"
    kind = next((name for start, name in _NAMES.items() if body.startswith(start)), "data of an application")
    return f"APP{marker - 0xE0}, {kind}" if 0xE0 <= marker <= 0xEF else f"segment {marker:02X}"


def _png_parts(data: bytes) -> Iterator[tuple[str, bytes]]:
    at = len(PNG_START)
    while at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if kind not in PLAIN_CHUNKS:
            yield f"chunk {_text(kind)}", data[at + 8 : at + 8 + size]
        at += 12 + size
        if kind == b"IEND":
            if at < len(data):
                yield "bytes after the end", data[at:]
            return


def transparent(data: bytes) -> bool:
    """Whether the picture has transparent pixels, under which something could be kept."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            return image.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in image.info
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, struct.error, Image.DecompressionBombError):
        return False
