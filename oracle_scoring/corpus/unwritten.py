"""Marks at the places of a package that only an author can fill: `[[write: place]]`."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from harness.schema.package import FACTS, INITIAL_MESSAGE, LABELS, MATERIALS, PROVENANCE, REVIEW, SETUP
from oracle_scoring.corpus.finding import Finding
from oracle_scoring.corpus.load import Package

BRACKET = "[[write:"
_MARK = re.compile(r"\[\[write: ?([^\[\]]*)\]\]")
_FILES = (FACTS, MATERIALS, LABELS, SETUP, PROVENANCE, REVIEW)


def mark(what: str) -> str:
    """The mark for one thing; the same wherever the same thing must stand."""
    return f"{BRACKET} {what}]]"


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Dotted path and text of every text in plain data."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from leaves(item, f"{path}.{n}" if path else str(n))
    elif isinstance(value, str):
        yield path, value


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    return (text for _, text in leaves(value))


def marks(folder: Path) -> dict[str, list[str]]:
    """What is left to write in a package -> the places, as `file: field`."""
    found: dict[str, list[str]] = {}
    for file in (INITIAL_MESSAGE, *_FILES):
        text = (folder / file).read_text("utf-8")
        if BRACKET not in text:
            continue
        places = [("", text)] if file == INITIAL_MESSAGE else list(leaves(json.loads(text)))
        for field, said in places:
            for what in _MARK.findall(said):
                found.setdefault(what, []).append(f"{file}: {field}" if field else file)
    return found


def unwritten_findings(package: Package) -> Iterator[Finding]:
    """Each thing that the author has still to write: once, with every place where its mark stands."""
    for what, places in marks(package.folder).items():
        file, _, field = places[0].partition(": ")
        more = f" here and in {'; '.join(places[1:])}" if len(places) > 1 else ""
        yield Finding(
            code="not_written",
            file=f"{package.id}/{file}",
            field=field,
            what=f"still says {mark(what)}{more}",
            mend="write it" if not more else "write it; the same mark stands for the same thing in every file",
        )


def without_follow_ups(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without those that quote a mark: they say of it what `not_written` says already."""
    return [f for f in findings if f.code == "not_written" or BRACKET not in f.what]
