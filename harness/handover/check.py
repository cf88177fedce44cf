"""The last look before something is handed over: whatever took secrets out, none may be left. Shares no code with it."""

import base64
import html
import json
import re
import zipfile
import zlib
from collections.abc import Iterable
from io import BytesIO
from urllib.parse import quote, quote_plus, unquote_plus

from harness.errors import Refused

_ANY = re.IGNORECASE
LOOKS_SECRET: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    ("a bearer token", ("bearer",), re.compile(r"bearer[ +]+(?!\[redacted)[\w.~+/-]{8}", _ANY)),
    ("a login", ("authorization",), re.compile(r"authorization\W{1,8}basic (?!\[redacted)\w{8}", _ANY)),
    ("a cookie", ("cookie",), re.compile(r"cookie[\"']?\s*:\s*\\?[\"']?(?!\[redacted)[^\s\"'=;]+=[^\s\"';]{6}", _ANY)),
    ("an API key", ("sk-",), re.compile(r"(?<![\w-])sk-[\w-]{16}")),
    ("an access key", ("akia", "asia"), re.compile(r"(?<!\w)A[KS]IA[A-Z0-9]{16}(?!\w)")),
    ("a signed token", ("eyj",), re.compile(r"(?<!\w)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4}")),
    ("a private key", ("private key",), re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY")),
    ("a host's token", ("gh", "glpat-", "xox"), re.compile(r"(?<!\w)(?:gh[pousr]_|glpat-|xox[abprs]-)[\w-]{16}")),
)
"""What is looked for, words without which it cannot be there, and how it reads; the words in small letters."""
_TAG = re.compile(r"</?(?:wbr|mark|span|b|i)\b[^>]*>")
_DRAWN = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+")
"""A picture inside a page: chance alone writes what looks like a key into enough of its letters."""
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")
_SHORTEST = 6


def left_in(data: bytes, known: Iterable[str]) -> str | None:
    """What secret is left in some bytes, in words; None if none is seen.

    Looked at as they are, and with entities, escapes and the tags that break a word taken back.
    """
    if data.startswith(_PICTURES):
        return "a known secret" if any(v.encode() in data for v in known if len(v) >= _SHORTEST) else None
    text = _DRAWN.sub("", data.decode("utf-8", "replace"))
    readings = {text, unquote_plus(text), html.unescape(_TAG.sub("", text)), text.replace("\\/", "/")}
    for value in known:
        if len(value) < _SHORTEST:
            continue
        encoded = base64.b64encode(value.encode()).decode().rstrip("=")
        written = (value, quote(value, safe=""), quote_plus(value), json.dumps(value)[1:-1], encoded)
        if any(form in reading for form in written if len(form) >= _SHORTEST for reading in readings):
            return "a known secret"
    for reading in readings:
        small = reading.lower()
        for what, words, pattern in LOOKS_SECRET:
            if any(word in small for word in words) and pattern.search(reading):
                return what
    return None


def check_clean(name: str, data: bytes, known: Iterable[str]) -> None:
    """Refused if a secret is left in what would be handed over, in a packed part of it, or in its name."""
    values = list(known)
    for part, content in _parts(name, data):
        what = left_in(content, values) or left_in(part.encode("utf-8", "replace"), values)
        if what is not None:
            raise Refused(f"nothing was written: {part} would still hold {what}")


def _parts(name: str, data: bytes) -> Iterable[tuple[str, bytes]]:
    yield name, data
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(BytesIO(data)) as packed:
            for inner in packed.namelist():
                yield from _parts(f"{name}/{inner}", packed.read(inner))
    elif data[:2] == b"\x1f\x8b":
        try:
            yield f"{name} (unpacked)", zlib.decompress(data, 31)
        except zlib.error:
            return
