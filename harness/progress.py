"""Progress for a person on standard error: a bar on a terminal, plain lines elsewhere. Standard output stays clean."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

PLAIN_STEP = 0.1
"""Plain lines come at every tenth of a download …"""
PLAIN_INTERVAL_S = 15.0
"""… or after this time, whichever is first."""

Advance = Callable[[int], None]
"""Called with the bytes done so far."""


class Reporter(Protocol):
    """Where long steps say what they do."""

    def say(self, text: str) -> None:
        """One line for the person."""

    def download(self, what: str, total_bytes: int) -> AbstractContextManager[Advance]:
        """A context that yields the function to call with the bytes done so far."""


class Quiet:
    """Says nothing; for tests and callers that report themselves."""

    def say(self, text: str) -> None:
        """Dropped."""

    @contextmanager
    def download(self, what: str, total_bytes: int) -> Iterator[Advance]:
        """Dropped."""
        yield lambda done: None


class PlainLines:
    """One line at a time, for logs and pipes."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr

    def say(self, text: str) -> None:
        """The line, written at once."""
        print(text, file=self._stream, flush=True)

    @contextmanager
    def download(self, what: str, total_bytes: int) -> Iterator[Advance]:
        """A line at every tenth, or when a quarter of a minute went by."""
        said_at, said = time.monotonic(), 0

        def advance(done: int) -> None:
            nonlocal said_at, said
            now = time.monotonic()
            if done - said >= PLAIN_STEP * total_bytes or (now - said_at >= PLAIN_INTERVAL_S and done > said):
                said_at, said = now, done
                self.say(f"{what}: {done / 1e6:.0f} of {total_bytes / 1e6:.0f} MB ({100 * done // total_bytes} %)")

        yield advance


class TerminalBars(PlainLines):
    """A bar with speed and time left, for a terminal."""

    @contextmanager
    def download(self, what: str, total_bytes: int) -> Iterator[Advance]:
        """The bar stays visible while the context is open."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(file=self._stream)) as bars:
            task = bars.add_task(what, total=total_bytes)
            yield lambda done: bars.update(task, completed=done)


def console_reporter(stream: TextIO | None = None) -> PlainLines:
    """Bars if the stream (standard error if None) is a terminal, plain lines otherwise."""
    stream = stream or sys.stderr
    return TerminalBars(stream) if stream.isatty() else PlainLines(stream)
