"""Progress for a person on standard error: a bar on a terminal, plain lines elsewhere. Standard output stays clean."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TextIO

PLAIN_STEP = 0.1
"""Plain lines come at every tenth of a download …"""
PLAIN_INTERVAL_S = 15.0
"""… or after this time, whichever is first."""

Advance = Callable[[int], None]
"""Called with the bytes done so far."""
Count = Callable[[int, int], None]
"""Called with the items and the bytes done so far."""


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

    @contextmanager
    def count(self, items: str, total_bytes: int | None) -> Iterator[Count]:
        """A line at every tenth of the bytes, or when a quarter of a minute went by: items, share, speed, time left.

        Args:
            items: what is counted, in the plural.
            total_bytes: of all of them; None where no end can be foreseen.
        """
        began = said_at = time.monotonic()
        said = 0

        def advance(done: int, done_bytes: int) -> None:
            nonlocal said_at, said
            now = time.monotonic()
            tenth = total_bytes is not None and done_bytes - said >= PLAIN_STEP * total_bytes
            if not tenth and now - said_at < PLAIN_INTERVAL_S:
                return
            said_at, said = now, done_bytes
            rate = done / max(now - began, 1e-9)
            text = f"{done:,} {items}, {rate:,.0f} a second"
            if total_bytes and done_bytes:
                left = (now - began) * max(total_bytes - done_bytes, 0) / done_bytes
                text += f", {100 * done_bytes // total_bytes} %, {left:,.0f} s left"
            self.say(text)

        yield advance


class TerminalBars(PlainLines):
    """A bar with speed and time left, for a terminal."""

    @contextmanager
    def download(self, what: str, total_bytes: int) -> Iterator[Advance]:
        """The bar stays visible while the context is open."""
        # Loaded here, so that commands without a terminal do without its memory.
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

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

    @contextmanager
    def count(self, items: str, total_bytes: int | None) -> Iterator[Count]:
        """A bar with the number of items and the time left."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.fields[done]:,} {task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(file=self._stream)) as bars:
            task = bars.add_task(items, total=total_bytes, done=0)
            yield lambda done, done_bytes: bars.update(task, completed=done_bytes, done=done)


def console_reporter(stream: TextIO | None = None) -> PlainLines:
    """Bars if the stream (standard error if None) is a terminal, plain lines otherwise."""
    stream = stream or sys.stderr
    return TerminalBars(stream) if stream.isatty() else PlainLines(stream)
