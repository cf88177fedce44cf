"""Templates of all pages of the report, compiled once a process, and what they are written with."""

from datetime import datetime
from functools import cache

from jinja2 import Environment

from harness.report.text import plain
from oracle_scoring.publish.show import percent
from oracle_scoring.templates import templates_of


@cache
def environment() -> Environment:
    """Holds the compiled templates and their filters."""
    made = templates_of("harness.report")
    made.filters.update(when=when, plural=_plural, plain=plain, percent=percent)
    return made


def when(value: datetime) -> str:
    """Date, time and zone."""
    offset = value.strftime("%z")
    zone = "UTC" if offset in ("+0000", "") else f"{offset[:3]}:{offset[3:]}"
    return f"{value:%Y-%m-%d %H:%M:%S} {zone}"


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
