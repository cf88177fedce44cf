"""Jinja with escaping everywhere; the same fragments serve the first page load and later updates."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

HERE = Path(__file__).parent
_ENV = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def fragment(name: str, **values: Any) -> str:
    """A rendered template."""
    return _ENV.get_template(name).render(**values)


def page(name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A rendered template as an answer."""
    return HTMLResponse(fragment(name, **values), status)
