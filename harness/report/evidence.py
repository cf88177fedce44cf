"""JSON evidence (what the product holds, what staff saw) as a flat list of fields, each with an anchor."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.report.text import Marker, Quote, Shown

MAX_ROWS = 400
MAX_DEPTH = 12


@dataclass(frozen=True)
class Row:
    """One leaf of the file."""

    path: Shown
    anchor: str
    value: Shown


@dataclass(frozen=True)
class EvidenceFile:
    """One JSON file of an attempt."""

    name: str
    title: str
    anchor: str
    rows: tuple[Row, ...]
    left_out: int
    """Leaves beyond the limit."""
    problem: str | None
    places: Mapping[str, str]
    """By path (leaf or branch), the anchor of the first row below it."""

    def anchor_of(self, path: str | None) -> str:
        """Anchor of the field `path`; of the whole file if there is no such field."""
        return self.places.get(plain_path(path or ""), self.anchor)


@dataclass(frozen=True)
class FieldQuote:
    """A quote from one field of a file, or from anywhere in it."""

    path: str | None
    quote: Quote


def plain_path(path: str) -> str:
    """`$.a[0].b` as `a.0.b`."""
    return path.replace("[", ".").replace("]", "").strip(".$")


def evidence_file(
    name: str, title: str, anchor: str, value: Any, problem: str | None, marker: Marker, quotes: Sequence[FieldQuote]
) -> EvidenceFile:
    """The view of one parsed file; `problem` says why there is no value."""
    if problem is not None:
        return EvidenceFile(name, title, anchor, (), 0, problem, {})
    rows: list[Row] = []
    places: dict[str, str] = {}
    left_out = 0
    for path, text in _leaves(value, (), 0):
        if len(rows) >= MAX_ROWS:
            left_out += 1
            continue
        row_anchor = f"{anchor}-{len(rows)}"
        here = ".".join(path)
        fitting = [q.quote for q in quotes if q.path is None or f"{here}.".startswith(f"{plain_path(q.path)}.")]
        rows.append(Row(marker.show(here or "(all)", whole=True), row_anchor, marker.show(text, fitting)))
        for length in range(1, len(path) + 1):
            places.setdefault(".".join(path[:length]), row_anchor)
    return EvidenceFile(name, title, anchor, tuple(rows), left_out, None, places)


def _leaves(value: Any, path: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], str]]:
    if depth >= MAX_DEPTH and isinstance(value, dict | list):
        yield path, "(nested too deeply to be shown)"
    elif isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(item, (*path, str(key)), depth + 1)
    elif isinstance(value, list) and value:
        for at, item in enumerate(value):
            yield from _leaves(item, (*path, str(at)), depth + 1)
    else:
        yield path, _leaf(value)


def _leaf(value: Any) -> str:
    match value:
        case str():
            return value
        case None:
            return "(nothing)"
        case bool():
            return "true" if value else "false"
        case dict() | list():
            return "(empty)"
        case _:
            return str(value)
