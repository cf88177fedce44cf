"""Planted leaks by name: where each is planted, which guard is meant for it, and the test that breaks it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

Place = Literal[
    "prompt builder", "view", "stager", "screen reader", "adapter", "retry notes", "worker environment", "pipe", "file names",
    "image metadata", "HTTP headers", "imports", "worker process", "product page",
]  # fmt: skip
PLACES: tuple[Place, ...] = Place.__args__  # type: ignore[attr-defined]
Planting = Callable[[Path, pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Planted:
    """One leak. `plant` plants it, sees the guard catch it, and sees it pass where the guard is taken out."""

    place: Place
    guard: str
    plant: Planting


@dataclass(frozen=True)
class Row:
    """One line of the table in `docs/seals.md`."""

    place: Place
    leak: str
    guard: str
    test: str


class Catalogue(dict[str, Planted]):
    """The leaks of one test module, in the order they are written."""

    def leak(self, place: Place, name: str, guard: str) -> Callable[[Planting], Planting]:
        """Register a planting under plain words; a name stands once."""

        def add(plant: Planting) -> Planting:
            assert name not in self, name
            self[name] = Planted(place, guard, plant)
            return plant

        return add

    def rows(self, test: str) -> list[Row]:
        """Lines of the table for the parametrised test `test` (`file.py::function`)."""
        return [Row(p.place, name, p.guard, f"{test}[{name}]") for name, p in self.items()]
