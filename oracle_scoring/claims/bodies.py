"""Bodies of the network log that hold text: pages and data the browser fetched."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from harness.schema.network import NetworkLine
from oracle_scoring.corpus.unwritten import texts_in
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


class Broken(NamedTuple):
    """An answer that was cut off."""

    position: int
    """Position in network.jsonl."""
    turn: int
    text: str
    """The last text that came, empty if that cannot be told."""


def broken_streams(record: Record) -> list[Broken]:
    """Answers that were cut off, or ended otherwise than all their like.

    Streams of JSON rows of one address end with a row of the same `type` (or the same keys); one that does not stopped
    before its end.
    """
    network = record.network or ()
    found = [Broken(i, n.turn, "") for i, n in enumerate(network) if (n.body_note or "").startswith("cut off")]
    ends: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
    for index, item in enumerate(network):
        if item.resource in ("fetch", "xhr", "eventsource") and item.status == 200 and item.response_body:
            values = list(parsed(rows_of(body_of(record, item) or "")))
            if values and isinstance(values[-1], dict):
                ends.setdefault((item.method, item.url), {})[index] = values[-1]
    for rows in ends.values():
        kinds = {index: str(row.get("type", sorted(row))) for index, row in rows.items()}
        common, times = Counter(kinds.values()).most_common(1)[0]
        if times < max(STREAMS, len(rows) - STREAMS + 1):
            continue
        for index, kind in kinds.items():
            if kind != common and index not in {b.position for b in found}:
                found.append(Broken(index, network[index].turn, _longest(rows[index])))
    return found


def _longest(row: dict[str, Any]) -> str:
    """The longest text of a row that is no piece of a page."""
    return max((text for text in texts_in(row) if "<" not in text), key=len, default="")
