"""What the assistant says, by name and language."""

from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from harness.devstack.inquiry.language import Tongue, in_script, shelf


@cache
def _phrases() -> dict[str, Any]:
    data: dict[str, Any] = YAML(typ="safe", pure=True).load(
        Path(__file__).with_name("phrases.yaml").read_text(encoding="utf-8")
    )
    return data


def phrase(name: str, language: Tongue, **values: str) -> str:
    """A phrase by its path (`ask.buyer_role`), filled in."""
    found: Any = _phrases()
    for part in name.split("."):
        found = found[part]
    text = str(found[shelf(language)])
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    return in_script(text, language)


def has(name: str) -> bool:
    """Whether there is a phrase of this path."""
    found: Any = _phrases()
    for part in name.split("."):
        if not isinstance(found, dict) or part not in found:
            return False
        found = found[part]
    return True
