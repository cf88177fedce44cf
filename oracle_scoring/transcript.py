"""A recorded journey as what both sides said and did on the screen, in order; nothing of tools, staff or answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from harness.schema.events import Acted, Event, ScreenSeen
from oracle_scoring.claims.talk import heard

Speaker = Literal["customer", "agent"]
_BESIDE = ("card", "dialog", "notice")
"""Parts of a screen that stand apart from the replies and were shown to be read."""


@dataclass(frozen=True)
class Line:
    """One message or act."""

    n: int
    """Event number: where it was done, or first shown."""
    turn: int
    speaker: Speaker
    text: str
    deed: bool = False
    """The text says what was done (a button, a file, a card), in the rig's words around those of the screen."""


def transcript(events: Sequence[Event]) -> list[Line]:
    """What the customer did and the page confirmed, and every text of the product that a customer is shown, once."""
    found = [Line(s.n, s.turn, "agent", s.text) for s in heard(events)]
    shown: set[tuple[str, str]] = set()
    for event in events:
        if isinstance(event, Acted) and event.confirmed:
            found += _act(event)
        elif isinstance(event, ScreenSeen):
            beside = [(b.part, b.text) for b in event.screen.blocks if b.part in _BESIDE and b.text.strip()]
            if event.screen.final:
                beside.append(("final", event.screen.final))
            for part, text in beside:
                if (part, text) not in shown:
                    shown.add((part, text))
                    found.append(Line(event.n, event.turn, "agent", f"({_NAMES[part]}) {text}", deed=True))
    return sorted(found, key=lambda line: line.n)  # stable: replies of a screen before what stands beside them


_NAMES = {"card": "shows a card", "dialog": "shows a dialog", "notice": "shows a notice", "final": "shows the end"}


def _act(event: Acted) -> list[Line]:
    if event.act == "waited":
        return []
    words = {
        "said": event.text, "pressed": f"(presses) {event.text}", "filled": f"(fills in) {event.text}",
        "uploaded": f"(hands over) {event.file or event.text}", "signed_in": "(signs in)",
    }[event.act]  # fmt: skip
    return [Line(event.n, event.turn, "customer", words, deed=event.act != "said")]
