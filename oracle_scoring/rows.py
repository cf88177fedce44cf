"""Files of JSON lines as models, read line by line, however long they are."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from harness.errors import InputError
from harness.schema.strict_json import parse_json, read_lines, validate

M = TypeVar("M", bound=BaseModel)
STANDARD_INPUT = "-"


def read_rows(model: type[M], name: str) -> Iterator[tuple[str, M]]:
    """Each line that is not blank as `model`, with the place to name in an error; `-` is standard input.

    Raises:
        InputError: the file or a line is not what it should be; lines before it came first.
    """
    with ExitStack() as stack:
        if name == STANDARD_INPUT:
            stream, shown = sys.stdin.buffer, "standard input"
        else:
            path, shown = Path(name), name
            if not path.is_file():
                why = "is not a plain file" if path.exists() else "is missing"
                raise InputError(name, why, "file_missing")
            stream = stack.enter_context(path.open("rb"))
        for where, line in read_lines(stream, f"{shown}: line"):
            yield where, validate(model, parse_json(line, where), where)
