"""Bodies of requests and answers, laid out for people: JSON indented, other text as it is, bytes as numbers."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from harness.errors import InputError
from harness.journal import inside
from harness.report.text import Marker, Shown
from harness.schema.strict_json import parse_json

MOST_BYTES = 32 * 1024 * 1024
PRETTY_BYTES = 1024 * 1024
"""A longer one is not laid out anew."""
HEX_BYTES = 512
_SHA = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Body:
    """One body, ready for the template."""

    kind: str
    """`JSON`, `text` or `bytes`."""
    size: int
    shown: Shown


def read_body(attempt: Path, name: str) -> bytes | None:
    """The body of that hash; None if there is none, or it is larger than is ever shown."""
    path = inside(attempt / "bodies", name) if _SHA.fullmatch(name) and not (attempt / "bodies").is_symlink() else None
    try:
        return path.read_bytes() if path is not None and path.stat().st_size <= MOST_BYTES else None
    except OSError:
        return None


def laid_out(data: bytes) -> Body:
    """What a person wants to see of it."""
    marker = Marker()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Body("bytes", len(data), marker.show(_hex(data)))
    if "\x00" in text:
        return Body("bytes", len(data), marker.show(_hex(data)))
    pretty = indented(text) if len(data) <= PRETTY_BYTES else None
    return Body("text" if pretty is None else "JSON", len(data), marker.show(text if pretty is None else pretty))


def indented(text: str) -> str | None:
    """JSON laid out over lines; None if the text is no JSON object or list."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = parse_json(text.encode("utf-8"), "body")
    except InputError:
        return None
    return json.dumps(value, ensure_ascii=False, indent=2)


def _hex(data: bytes) -> str:
    """The first bytes as hexadecimal numbers and letters, sixteen in a line."""
    rows = []
    for at in range(0, min(len(data), HEX_BYTES), 16):
        row = data[at : at + 16]
        letters = "".join(chr(b) if 32 <= b < 127 else "." for b in row)
        rows.append(f"{at:06x}  {row.hex(' '):<47}  {letters}")
    if len(data) > HEX_BYTES:
        rows.append(f"… {len(data) - HEX_BYTES:,} further bytes")
    return "\n".join(rows)
