"""The locked prompt template."""

import hashlib
from functools import cache
from pathlib import Path

TEMPLATE_FILE = Path(__file__).with_name("template.txt")
LIVE_PARTS = ("reply", "tag", "card", "dialog", "notice", "final")
"""What goes to the model: text that needs an answer. Panel and to-do strip stand on the screen but are no question."""
EXAMPLES = (1, 2)
EARLIER_LIMIT = 24
"""Own earlier messages shown to the model, newest last; older ones are counted."""
FILE_PARTS = ("card", "dialog", "reply", "notice", "page", "final")


@cache
def template() -> dict[str, str]:
    """Sections by name, without the line break at their end."""
    text = TEMPLATE_FILE.read_text(encoding="utf-8")
    sections: dict[str, str] = {}
    for chunk in text.split("=== ")[1:]:
        name, _, body = chunk.partition(" ===\n")
        sections[name] = body.rstrip("\n")
    return sections


def template_sha256() -> str:
    """Hash of the template's bytes; stands in run.json."""
    return hashlib.sha256(TEMPLATE_FILE.read_bytes()).hexdigest()


def fill(section: str, **values: str) -> str:
    """A section with its `{{name}}` marks replaced in one pass; values are never read as marks."""
    parts = template()[section].split("{{")
    out = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}}")
        out.append(values[name] + rest)
    return "".join(out)
