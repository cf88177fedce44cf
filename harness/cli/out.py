"""What a verb prints, and with which exit code it ends."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.errors import RigError


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def print_line(text: str = "") -> None:
    """One line on standard output."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """One line for the person, on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


@contextmanager
def one_line_errors() -> Iterator[None]:
    """A RigError becomes its line on standard error and its exit code; anything else is a bug and keeps its traceback."""
    try:
        yield
    except BaseExceptionGroup as group:
        rig = _first_rig_error(group)
        if rig is None:
            raise
        _leave(rig)
    except RigError as exc:
        _leave(exc)


def _first_rig_error(group: BaseExceptionGroup[BaseException]) -> RigError | None:
    for exc in group.exceptions:
        if isinstance(exc, RigError):
            return exc
        if isinstance(exc, BaseExceptionGroup) and (inner := _first_rig_error(exc)) is not None:
            return inner
    return None


def _leave(exc: RigError) -> None:
    say(f"rig: {exc}")
    raise SystemExit(exc.exit_code)
