"""What the product itself showed and sent: texts of its screens without the customer's own, places in its network log."""

from collections.abc import Iterator
from typing import NamedTuple

from harness.schema.events import ScreenSeen
from harness.schema.scorecard import Evidence
from oracle_scoring.claims.context import Context
from oracle_scoring.lines import NETWORK, at_event, in_file


class Shown(NamedTuple):
    """One visible text of the product's."""

    n: int
    """Event number of the screen."""
    turn: int
    part: str
    text: str


def texts_of(seen: ScreenSeen) -> Iterator[Shown]:
    """Every text of one screen: blocks that are not the customer's, and names, hints, choices and values of controls.

    What stands in the composer is the customer's.
    """
    screen = seen.screen
    for block in screen.blocks:
        if block.part != "customer":
            yield Shown(seen.n, seen.turn, block.part, block.text)
    if screen.final:
        yield Shown(seen.n, seen.turn, "final", screen.final)
    for control in screen.controls:
        mine = control.kind == "composer"
        for text in (control.name, control.placeholder, None if mine else control.value, *control.options):
            if text:
                yield Shown(seen.n, seen.turn, control.part, text)


def first_shown(ctx: Context) -> list[Shown]:
    """Every text of the product's once, where it was shown first, in order."""
    found: dict[tuple[str, str], Shown] = {}
    for seen in ctx.screens:
        for shown in texts_of(seen):
            found.setdefault((shown.part, shown.text), shown)
    return list(found.values())


def in_network(ctx: Context, index: int, path: str | None, quote: str | None) -> list[Evidence]:
    """A line of the network log, and the event with which its turn began."""
    item = (ctx.record.network or ())[index]
    event = ctx.turn_event(item.turn)
    place = in_file(NETWORK, str(index) if path is None else f"{index}.{path}", quote)
    return [place, *([at_event(event)] if event is not None else [])]


def piece(text: str, start: int, end: int, around: int = 60) -> str:
    """A place in a text with what stands around it."""
    return text[max(0, start - around) : end + around].strip()
