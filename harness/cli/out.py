"""What a verb prints, and with which exit code it ends."""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
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
    """A RigError becomes its line on standard error and its exit code, an interrupt one line and 4.

    Anything else is a bug and keeps its traceback.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        rig = _first_rig_error(group)
        if rig is None:
            raise
        _leave(rig)
    except RigError as exc:
        _leave(exc)
    except KeyboardInterrupt:
        say("rig: stopped")
        raise SystemExit(4) from None


def _first_rig_error(group: BaseExceptionGroup[BaseException]) -> RigError | None:
    for exc in group.exceptions:
        if isinstance(exc, RigError):
            return exc
        if isinstance(exc, BaseExceptionGroup) and (inner := _first_rig_error(exc)) is not None:
            return inner
    return None


def end_on_terminate() -> None:
    """A scheduler's SIGTERM ends the command as Ctrl-C does: what was begun is closed, what was started is ended."""

    def stop(_: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)  # while asyncio runs, its own: it cancels instead of tearing
        if callable(handler):
            handler(signal.SIGINT, frame)
        else:
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)


def _leave(exc: RigError) -> None:
    say(f"rig: {exc}")
    raise SystemExit(exc.exit_code)
