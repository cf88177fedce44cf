"""Bodies of the network log that hold text: pages and data the browser fetched."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from harness.schema.network import NetworkLine
from oracle_scoring.record import Record

BODIES = "bodies"
MAX_BODY_BYTES = 5_000_000
"""What the record keeps of one body."""
STREAMS = 3
"""So many streams of one address show how they end."""
_READ = frozenset({"document", "fetch", "xhr", "eventsource", "websocket", "other"})
_NO_TEXT = re.compile(r"javascript|css|font|image|video|audio|octet-stream|pdf|wasm", re.IGNORECASE)
_SHA = re.compile(r"[0-9a-f]{64}")
_EVENT_STREAM = re.compile(r"^(?:data|event|id|retry):? ?")


def holds_text(item: NetworkLine) -> bool:
    """A page or data; scripts, styles, pictures and files are not."""
    kind = next((v for k, v in item.response_headers.items() if k.lower() == "content-type"), "")
    return item.resource in _READ and not _NO_TEXT.search(kind)


def body_of(record: Record, item: NetworkLine) -> str | None:
    """The answer's body as text; None if it is not in the record, or too large."""
    sha256 = item.response_body or ""
    path = record.folder / BODIES / sha256
    if not _SHA.fullmatch(sha256) or path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BODY_BYTES:
        return None
    return path.read_bytes().decode("utf-8", "replace")


def rows_of(body: str) -> list[str]:
    """Rows of a stream, without the marks of an event stream."""
    return [row for row in (_EVENT_STREAM.sub("", r.strip()).strip() for r in body.splitlines()) if row]


def parsed(rows: Iterable[str]) -> Iterator[Any]:
    """Those of the rows that are JSON objects or lists, as values."""
    for row in rows:
        if row[:1] in ("[", "{"):
            try:
                yield json.loads(row)
            except (ValueError, RecursionError):
                continue


def broken_streams(record: Record) -> dict[int, int]:
    """Turn -> position in network.jsonl of an answer that was cut off, or ended otherwise than all its like.

    Streams of JSON rows of one address end with a row of the same make; one that does not stopped before its end.
    """
    network = record.network or ()
    found = {item.turn: i for i, item in enumerate(network) if (item.body_note or "").startswith("cut off")}
    ends: dict[tuple[str, str], dict[int, str]] = {}
    for index, item in enumerate(network):
        if item.resource not in ("fetch", "xhr", "eventsource") or item.response_body is None:
            continue
        values = list(parsed(rows_of(body_of(record, item) or "")))
        if values and isinstance(values[-1], dict):
            kind = values[-1].get("type", sorted(values[-1]))
            ends.setdefault((item.method, item.url), {})[index] = str(kind)
    for marks in ends.values():
        common, times = Counter(marks.values()).most_common(1)[0]
        if times >= STREAMS and times > len(marks) / 2:
            found |= {network[i].turn: i for i, mark in marks.items() if mark != common}
    return found
