"""Order of the files: long ones first, so that no core is left alone with one of them at the end."""

from pathlib import Path

import pytest

_LONG_FIRST = ("proofs", "journeys", "awkward", "cases", "browser", "seal", "fuzz")
_ROOT = Path(__file__).parent


def _place(item: pytest.Item) -> int:
    folder = item.path.relative_to(_ROOT).parts[0] if item.path.is_relative_to(_ROOT) else ""
    return _LONG_FIRST.index(folder) if folder in _LONG_FIRST else len(_LONG_FIRST)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file stay together and in their order."""
    items.sort(key=_place)
