"""Reading sessions from files so that every way to get one wrong is a line that names file, session and field."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from harness.errors import InputError
from harness.schema.session import InquirySession
from harness.schema.strict_json import first_problem, parse_json, parse_line, read_bytes, read_lines

STANDARD_INPUT = "-"
_LINES = (".jsonl", ".ndjson")


def read_sessions(path: str) -> Iterator[tuple[str, InquirySession]]:
    """Sessions of a file, one after the other, each with the place to name in an error.

    `.jsonl` and `.ndjson` (and `-`, standard input) hold one session a line and are read line by line; any other file holds one
    session or a list of them.
    """
    if path == STANDARD_INPUT:
        yield from _lines(sys.stdin.buffer, "standard input")
    elif path.lower().endswith(_LINES):
        _check_file(Path(path))
        with Path(path).open("rb") as stream:
            yield from _lines(stream, path)
    else:
        value = parse_json(read_bytes(Path(path), path), path)
        if not isinstance(value, list):
            yield path, session_of(value, path)
            return
        for number, item in enumerate(value):
            where = f"{path}: {number}"
            yield where, session_of(item, where)


def _check_file(path: Path) -> None:
    if not path.exists():
        raise InputError(str(path), "is missing", "file_missing")
    if not path.is_file():
        raise InputError(str(path), "is not a plain file", "not_a_plain_file")


def _lines(stream: BinaryIO, shown: str) -> Iterator[tuple[str, InquirySession]]:
    for where, line in read_lines(stream, f"{shown} line"):
        yield where, session_of(parse_line(line, where), where)


def session_of(value: Any, where: str) -> InquirySession:
    """Parsed JSON as a session."""
    try:
        return InquirySession.model_validate(value)
    except ValidationError as exc:
        raise first_problem(exc, where) from exc
