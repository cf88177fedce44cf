"""Templates of all pages of the report, compiled once a process, and what they are written with."""

import base64
import hashlib
from datetime import datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness.report.text import plain
from oracle_scoring.publish.show import percent


@cache
def environment() -> Environment:
    """Holds the compiled templates and their filters."""
    made = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(when=when, plural=_plural, plain=plain, percent=percent)
    return made


def when(value: datetime) -> str:
    """Date, time and zone."""
    offset = value.strftime("%z")
    zone = "UTC" if offset in ("+0000", "") else f"{offset[:3]}:{offset[3:]}"
    return f"{value:%Y-%m-%d %H:%M:%S} {zone}"


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def content_hash(text: str) -> str:
    """SHA-256 of a style sheet or script as a content security policy names it."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
