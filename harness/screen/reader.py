"""A page script's reading as a Screen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.schema.screen import Block, Control, Screen, Unreadable
from harness.screen.world import World

MAX_BLOCK_CHARS = 20_000
MAX_BLOCKS = 400


@dataclass
class Found:
    """A control and the handles by which the page scripts know it until the next reading."""

    control: Control
    handle: int
    element: int
    option_handles: list[int] = field(default_factory=list)


def make_screen(seq: int, r: Mapping[str, Any], notices: list[str]) -> tuple[Screen, list[Found]]:
    """A page script's reading as Screen, with the handles of its controls beside it."""
    truncated = False
    blocks: list[Block] = [Block(part="dialog", text=text) for text in notices]
    for raw in r["blocks"][:MAX_BLOCKS]:
        block = Block.model_validate(raw)
        if len(block.text) > MAX_BLOCK_CHARS:
            block = block.model_copy(update={"text": block.text[:MAX_BLOCK_CHARS]})
            truncated = True
        blocks.append(block)
    found = []
    for raw in r["controls"]:
        control = Control.model_validate({k: v for k, v in raw.items() if k not in ("h", "e", "optionHandles")})
        found.append(Found(control, raw["h"], raw["e"], raw.get("optionHandles") or []))
    screen = Screen(
        seq=seq,
        blocks=blocks,
        controls=[f.control for f in found],
        unreadable=[Unreadable.model_validate(u) for u in r["unreadable"]],
        final=r["final"],
        truncated=truncated or len(r["blocks"]) > MAX_BLOCKS,
    )
    return screen, found


async def closed_root_notes(world: World, r: Mapping[str, Any], screen: Screen) -> Screen:
    """The Screen with a note for every closed shadow root among the places where nothing could be read."""
    closed = await world.closed_roots(r["suspects"]) if r["suspects"] else 0
    if not closed:
        return screen
    lost = [Unreadable(where="part of the page", why="closed_shadow_root")] * closed
    return screen.model_copy(update={"unreadable": [*screen.unreadable, *lost]})
