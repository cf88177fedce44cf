"""The customer's moves in a record, each with the screen it answers and all that went before it."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from harness.schema.events import Acted, Event, MoveDecided, MoveRejected, ScreenSeen, Slip
from harness.schema.move import Move, act, say
from harness.schema.screen import Screen
from harness.schema.visible import CustomerView, MaterialVisible
from harness.schema.wording import asked_facts
from harness.schema.words.files import live_text, promises, wanted_files
from harness.schema.words.values import told_by

NOT_ITS_OWN = frozenset({"opening", "wish", "dead_end"})
"""Moves that the rig makes in the author's words."""
RAW_LIMIT = 4000
"""A refused text of so many characters was cut by the recorder."""
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True)
class Known:
    """What was said, told and given before a move."""

    messages: tuple[str, ...] = ()
    told: frozenset[str] = frozenset()
    """Ids of facts."""
    asked: frozenset[str] = frozenset()
    """Ids of facts the product asked for, the screen of the move included."""
    first_asked: dict[str, int] = field(default_factory=dict)
    """File -> messages sent when it was first asked for."""
    promised: frozenset[str] = frozenset()
    handed: frozenset[str] = frozenset()

    def has(self, file: MaterialVisible) -> bool:
        """The customer has this file at hand."""
        if file.available.when == "now":
            return True
        first = self.first_asked.get(file.file)
        wait = file.available.after_customer_messages or 0
        return first is not None and len(self.messages) - first >= wait


@dataclass(frozen=True)
class Moved:
    """One move, carried out or refused."""

    n: int
    """Event number of the move, or of its refusal."""
    turn: int
    screen: Screen
    move: Move | None
    """None: what was refused holds no move."""
    raw: str
    by: str
    delivered: bool
    """It reached the product: the page showed it, or it was to wait or to leave, or was nothing that a page could show."""
    before: Known
    flagged: tuple[Slip, ...]
    """What the guard noted about it."""

    @property
    def live(self) -> str:
        """What the company says on the screen it answers."""
        return live_text(self.screen)

    @property
    def text(self) -> str:
        """What it says, its messages one below the other; empty for other moves."""
        return "\n".join(self.move.messages) if self.move and self.move.move == "say" else ""

    @property
    def pool(self) -> list[str]:
        """What it may draw from besides what the customer knows: the screen, and what was said before."""
        return [self.screen.visible_text(), *self.before.messages]


def moves(events: Sequence[Event], view: CustomerView) -> list[Moved]:
    """All moves of the customer's own, in order; those the rig made in the author's words are only taken into account."""
    return [m for m in _all(events, view) if m.by not in NOT_ITS_OWN]


def outcome(events: Sequence[Event], view: CustomerView) -> Known:
    """What was said, told and given at the end."""
    known = Known()
    for moved in _all(events, view):
        known = _after(moved, view)
    return known


def _all(events: Sequence[Event], view: CustomerView) -> Iterator[Moved]:
    known, screen = Known(), None
    flags: list[Slip] = []
    opened = False
    for index, event in enumerate(events):
        if isinstance(event, ScreenSeen):
            screen = event.screen
            known = _seen(known, screen, view)
        elif isinstance(event, Slip) and event.delivered:
            flags.append(event)
        elif isinstance(event, MoveRejected) and screen is not None:
            after = events[index + 1] if index + 1 < len(events) else None
            own = (after,) if isinstance(after, Slip) and not after.delivered else ()
            yield Moved(event.n, event.turn, screen, read_move(event.raw), event.raw, "model", False, known, own)
        elif isinstance(event, MoveDecided):
            acts = _acts(events[index + 1 :])
            done = event.move.move in ("wait", "leave") or any(a.confirmed or not a.text.strip() for a in acts)
            shown = screen or Screen(seq=0, blocks=[], controls=[])
            sent = [a.text for a in acts if a.act == "said" and a.confirmed]
            one = Moved(event.n, event.turn, shown, _sent(event.move, sent), "", event.by, done, known, tuple(flags))
            yield one
            known, flags, opened = _after(one, view), [], True
        elif isinstance(event, Acted) and event.act in ("said", "uploaded") and not opened:
            shown = screen or Screen(seq=0, blocks=[], controls=[])  # the author's first messages need no decision
            move = say(event.text) if event.act == "said" else act("upload", file=event.file or event.text)
            one = Moved(event.n, event.turn, shown, move, "", "opening", event.confirmed, known, ())
            yield one
            known = _after(one, view)


def _acts(events: Sequence[Event]) -> list[Acted]:
    """The acts of the move that stands before these events."""
    found = []
    for event in events:
        if isinstance(event, MoveDecided | ScreenSeen):
            break
        if isinstance(event, Acted):
            found.append(event)
    return found


def _sent(move: Move, sent: list[str]) -> Move:
    """The move with those of its messages that arrived; as it is, where none did or it says nothing."""
    return move.model_copy(update={"messages": sent}) if move.move == "say" and sent else move


def _seen(known: Known, screen: Screen, view: CustomerView) -> Known:
    first = dict(known.first_asked)
    for file in wanted_files(view.files, screen):
        first.setdefault(file.file, len(known.messages))
    asked = known.asked | set(asked_facts(live_text(screen)))
    return Known(known.messages, known.told, asked, first, known.promised, known.handed)


@dataclass(frozen=True)
class Gives:
    """What a move gives the product."""

    told: frozenset[str] = frozenset()
    """Ids of facts."""
    promised: frozenset[str] = frozenset()
    handed: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Facts and files together."""
        return self.told | self.promised | self.handed


def gives(moved: Moved, view: CustomerView) -> Gives:
    """What this move tells, promises and hands over; nothing if it did not arrive."""
    if not moved.delivered or moved.move is None:
        return Gives()
    told = told_by(view.facts, moved.text, asked_facts(moved.live)) if moved.text else []
    asked = [f for f in view.files if f.file in moved.before.first_asked]
    return Gives(
        told=frozenset(told),
        promised=frozenset(f.file for f in asked if moved.text and promises(f, moved.text)),
        handed=frozenset(f.file for f in view.files if moved.move.move == "upload" and f == file_of(moved.move, view)),
    )


def _after(moved: Moved, view: CustomerView) -> Known:
    before, new = moved.before, gives(moved, view)
    said = moved.move.messages if moved.delivered and moved.move and moved.move.move == "say" else []
    return Known(
        messages=(*before.messages, *said), told=before.told | new.told, asked=before.asked, first_asked=before.first_asked,
        promised=before.promised | new.promised, handed=before.handed | new.handed,
    )  # fmt: skip


def _names(file: MaterialVisible) -> tuple[str, str]:
    return file.label.casefold(), file.file.casefold()


def file_of(move: Move, view: CustomerView) -> MaterialVisible | None:
    """The file an upload names."""
    called = " ".join(move.file.split()).casefold()
    return next((f for f in view.files if called in _names(f)), None)


def read_move(raw: str) -> Move | None:
    """The move in a refused text; None if it holds none."""
    data: Any = None
    for text in (raw, *_OBJECT.findall(raw)):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            continue
        break
    if not isinstance(data, dict):
        return None
    empty = {"asked": [], "asked_unknown": False, "used": [], "messages": [], "control": "", "value": "", "file": ""}
    known = {k: v for k, v in data.items() if k in Move.model_fields and v is not None}
    try:
        return Move.model_validate({**empty, **known})
    except ValidationError:
        return None
