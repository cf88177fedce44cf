"""How templates of pages are compiled everywhere: everything escaped, nothing missing without an error."""

import base64
import hashlib

from jinja2 import Environment, PackageLoader, StrictUndefined


def templates_of(package: str) -> Environment:
    """The templates below a package's folder `templates`."""
    return Environment(
        loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def content_hash(text: str) -> str:
    """SHA-256 of a style sheet or script as a content security policy names it."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
