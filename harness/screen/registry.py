"""Surfaces an adapter may name in `surface: module:Class`.

The way out for a widget that steps and locators cannot describe: write a subclass of Surface, import it here and register
it. Names are looked up in this table only; an adapter file never makes the rig import anything.
"""

from harness.screen.surface import Surface

SURFACES: dict[str, type[Surface]] = {"harness.screen.surface:Surface": Surface}


def surface_class(name: str | None) -> type[Surface]:
    """The class an adapter asks for; the ordinary one where it asks for none."""
    return Surface if name is None else SURFACES[name]
