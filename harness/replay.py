"""An earlier attempt as moves that can be sent again, and where the screens of two journeys differ."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from harness.customer.replayed import wants
from harness.errors import InputError
from harness.journal import read_json, read_lines
from harness.run import Parent
from harness.schema.events import EVENT, Event, MoveDecided, ReplayNote, ScreenSeen
from harness.schema.order import RecordedMove, Replay
from harness.schema.screen import Screen
from harness.schema.visible import MaterialVisible

BY_THE_RIG = frozenset({"opening", "wish", "dead_end"})
"""Moves that the rig makes for any customer; a replay makes them by itself where they are due."""
VARIES = "[varies]"
"""Stands for text that is another one in every journey."""
_GENERIC = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"  # UUID
    r"|\b[0-9a-f]{16,}\b"
    r"|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?",  # a moment, not a day
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\w[\w/.-]*\w")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}")


def events_of(attempt_dir: Path) -> tuple[Event, ...]:
    """All events of an attempt.

    Raises:
        InputError: there are none, or a line of the file cannot be read: half a record is replayed for nobody.
    """
    lines = read_lines(attempt_dir, "events.jsonl", EVENT)
    if lines.missing or lines.unreadable or not lines.items:
        raise InputError(f"{attempt_dir}/events.jsonl", "; ".join(lines.problems) or "holds no event")
    return lines.items


def last_turn(events: Sequence[Event]) -> int:
    """Number of the last turn of a journey."""
    return max((event.turn for event in events), default=0)


def read_parent(
    attempt_dir: Path, name: str, files: list[MaterialVisible], goes_on: bool, fork_turn: int | None = None
) -> Parent:
    """The moves of an attempt as a run takes them.

    Args:
        attempt_dir: its folder.
        name: what the new attempts call it, `run/package/t01/a01`.
        files: of the customer's view; they say which files a recorded screen asked for.
        goes_on: whether a customer decides afterwards.
        fork_turn: the last turn that is replayed; None: all.

    Raises:
        InputError: the record cannot be read, or has no such turn.
    """
    events = events_of(attempt_dir)
    turns = last_turn(events)
    if fork_turn is not None and not 1 <= fork_turn < turns:
        way = f"use 1 to {turns - 1}" if turns > 1 else "there is nothing to fork"
        raise InputError(f"--turn {fork_turn}", f"the journey has {turns} turns; {way}")
    moves: list[RecordedMove] = []
    seen: Screen | None = None
    for event in events:
        if isinstance(event, ScreenSeen):
            seen = event.screen
        elif isinstance(event, MoveDecided) and event.by not in BY_THE_RIG and seen is not None:
            if fork_turn is not None and event.turn >= fork_turn:
                break
            moves.append(RecordedMove(move=event.move, by=event.by, turn=event.turn, wants=wants(files, seen)))
    return Parent(name, Replay(moves=moves, goes_on=goes_on), fork_turn)


@dataclass(frozen=True)
class Left:
    """Where a journey stopped following the record."""

    turn: int
    why: str
    what: str
    """`left`, `ended` or `handed_over`."""


def left_at(events: Sequence[Event]) -> Left | None:
    """Where the replay left its record; None if it was followed to the end of the journey."""
    note = next((event for event in events if isinstance(event, ReplayNote)), None)
    return None if note is None else Left(note.turn, note.why, note.what)


@dataclass(frozen=True)
class Difference:
    """One part of one screen that reads otherwise than in the parent."""

    screen: int
    """Counts the screens of a journey from 1."""
    turn: int
    part: str
    before: str | None
    """In the parent; None: it had no such part, or no such screen."""
    now: str | None

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return dict(self.__dict__)


def screen_differences(parent_dir: Path, child_dir: Path) -> list[Difference]:
    """Where the screens differ, in order of time; text that is another one in every journey does not count.

    Such text is what each journey's own seed and end gave it (case reference, account, case number), and what looks like a
    random id or a moment. The screens are compared one by one, in the order in which they were seen.
    """
    sides = [(list(_screens(events_of(folder))), volatile(folder)) for folder in (parent_dir, child_dir)]
    (before, varies_before), (now, varies_now) = sides
    found: list[Difference] = []
    for number, (old, new) in enumerate(zip_longest(before, now), start=1):
        turn = (new or old).turn
        if old is None or new is None:
            found.append(Difference(number, turn, "screen", "seen" if old else None, "seen" if new else None))
            break
        then, today = _parts(old.screen, varies_before), _parts(new.screen, varies_now)
        for part in dict.fromkeys([*then, *today]):
            if then.get(part) != today.get(part):
                found.append(Difference(number, turn, part, then.get(part), today.get(part)))
    return found


def _screens(events: Sequence[Event]) -> Iterator[ScreenSeen]:
    return (event for event in events if isinstance(event, ScreenSeen))


def _parts(screen: Screen, varies: Sequence[str]) -> dict[str, str]:
    """Part -> its text, without what varies."""
    parts: dict[str, list[str]] = {}
    for block in screen.blocks:
        parts.setdefault(block.part, []).append(steady(block.text, varies))
    for control in screen.controls:
        usable = "" if control.enabled else " (disabled)"
        parts.setdefault("controls", []).append(steady(f"{control.kind} “{control.name}”{usable}", varies))
    return {part: "\n".join(texts) for part, texts in parts.items()}


def steady(text: str, varies: Sequence[str]) -> str:
    """The text with everything that is another one in every journey replaced by VARIES."""
    for value in varies:
        text = text.replace(value, VARIES)
    return _GENERIC.sub(VARIES, text)


def volatile(attempt_dir: Path) -> list[str]:
    """What only this journey could show: of its seed receipt, and numbers of its final state. Longest first."""
    seed, _ = read_json(attempt_dir, "seed.json")
    receipt = seed.get("receipt") if isinstance(seed, dict) else None
    receipt = receipt if isinstance(receipt, dict) else {}
    login = receipt.get("login")
    account = login.get("email") if isinstance(login, dict) else None
    values = [receipt.get("case_ref"), receipt.get("start_url"), account]
    for event in _screens(events_of(attempt_dir)):
        final = [event.screen.final or "", *(b.text for b in event.screen.blocks if b.part == "final")]
        values += [
            token for text in final if event.screen.final for token in _NUMBER.findall(text) if _is_number(token)
        ]
    found = {value for value in values if isinstance(value, str) and len(value) >= 6}
    return sorted(found, key=lambda value: (-len(value), value))


def _is_number(token: str) -> bool:
    """Reads like the number of a case: has digits, is long enough, and is no day."""
    return len(token) >= 6 and any(c.isdigit() for c in token) and not _DAY.fullmatch(token)
