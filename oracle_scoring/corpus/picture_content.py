"""What the picture recipes draw from: the shape of `content` in `provenance.json`, one model for each recipe.

Pictures are rendered scenes, not photographs; they carry no text but a number plate, which is the printed field `plate`.
"""

from typing import Annotated, Literal

from pydantic import Field

from harness.schema.base import Strict

Unit = Annotated[float, Field(ge=0, le=1)]
Paint = Annotated[list[Unit], Field(min_length=3, max_length=3)]
"""Linear red, green, blue; [0.018, 0.06, 0.19] is a dark blue, [0.35, 0.02, 0.02] red, [0.4, 0.42, 0.44] silver."""


class Picture(Strict):
    """What every picture has."""

    width: Annotated[int, Field(ge=64, le=3200)] = 1200
    """Pixels; the height is three quarters of it."""
    quality: Annotated[int, Field(ge=30, le=95)] = 78
    """JPEG quality."""


Body = Literal["tall_lamps", "wide_lamps"]
"""The make: upright lamps and a round badge, or lamps that reach into the tailgate and a barred badge."""


class BumperContent(Strict):
    """`rear_bumper`: a hatchback from behind, bumper dented and split; needs the printed field `plate`."""

    paint: Paint
    strength: Unit
    """Depth of the dent."""
    width: Annotated[int, Field(ge=64, le=3200)]
    """Pixels; the height is three quarters of it."""
    quality: Annotated[int, Field(ge=30, le=95)]
    """JPEG quality."""
    body: Body = "tall_lamps"
    """The make of the car."""


class FrontDamageContent(Picture):
    """`front_damage`: the front corner of a car, pushed in; needs the printed field `plate`."""

    paint: Paint
    strength: Unit = 0.9
    """How deep it is pushed in."""


class HailBonnetContent(Picture):
    """`hail_bonnet`: a car's bonnet with round dents that show in the mirrored surroundings; no plate in sight."""

    paint: Paint
    dents: Annotated[int, Field(ge=0, le=120)] = 34
    strength: Unit = 0.8
    """How deep the dents are."""


class CeilingStainContent(Picture):
    """`ceiling_stain`: the corner of a room from below, a brown water stain with rings on the ceiling."""

    extent: Unit = 0.6
    """How large the stain is."""
    sag: Unit = 0.5
    """How far plaster and paint have come down in its middle."""
    wall: Paint = [0.62, 0.60, 0.52]
    """Colour of the walls."""


class RoofTilesContent(Picture):
    """`roof_tiles`: a tiled roof from the ground, a patch of tiles gone, battens and felt showing, a few slipped."""

    tiles: Paint = [0.22, 0.09, 0.055]
    missing: Annotated[int, Field(ge=0, le=60)] = 18
    """Tiles gone."""


class ForcedDoorContent(Picture):
    """`forced_door`: a front door with lock and frame, forced with a bar: split wood, bent plate, gouges."""

    paint: Paint = [0.03, 0.10, 0.07]
    """Colour of the door."""
    strength: Unit = 0.85
    """How badly it is broken."""


class CrackedScreenContent(Picture):
    """`cracked_screen`: a device with its screen cracked from one point, dark and coloured blotches round it."""

    device: Literal["television", "laptop", "tablet"]
    strength: Unit = 0.8
    """How far the cracks go."""
