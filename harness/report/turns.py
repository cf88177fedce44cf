"""Events of a journey as turns that can be read: what the customer did, what the product showed, what it took."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from harness.journal import AttemptRecord
from harness.report.chart import TurnTime
from harness.report.pictures import Album, Picture
from harness.report.text import Marker, Quote, Shown, plain
from harness.schema.events import (
    Acted,
    CaptureFailed,
    Event,
    JourneyEnded,
    JourneyStarted,
    LedgerEntry,
    MoveDecided,
    MoveRejected,
    PageEvent,
    ReplayNote,
    ReplySettled,
    ScreenSeen,
    Slip,
)
from harness.schema.run import CallUsage, NetworkLine, PromptLine
from harness.schema.screen import Block, Control, Screen

STANDING = ("panel", "todo")
"""Parts that stay on the screen; shown as changes."""
OPENS_TURN = (MoveDecided, MoveRejected, Acted, Slip)
"""After a screen, these begin the next turn."""
PART_NAMES = {
    "reply": "product",
    "tag": "tag",
    "panel": "side panel",
    "todo": "to-do strip",
    "card": "card",
    "dialog": "dialog",
    "notice": "notice",
    "customer": "customer's own words",
    "final": "final state",
    "page": "page",
}
ACT_NAMES = {
    "said": "said",
    "pressed": "pressed",
    "filled": "filled",
    "uploaded": "uploaded",
    "signed_in": "signed in",
    "waited": "waited",
}
REPLAY_NAMES = {
    "left": "The replay leaves the record here",
    "ended": "No recorded move is left",
    "handed_over": "From here the customer decides",
}
ENTRY_NAMES = {
    "fact_told": "told",
    "unknown_told": "said not to know",
    "file_asked": "was asked for",
    "file_promised": "promised",
    "file_handed_over": "handed over",
    "wish_put": "put the wish",
    "confirmed_value": "confirmed",
}


@dataclass(frozen=True)
class PartText:
    """One block of a screen."""

    part: str
    name: str
    text: Shown


@dataclass(frozen=True)
class Change:
    """A line of a standing part that came or went."""

    name: str
    came: bool
    text: Shown


@dataclass(frozen=True)
class ScreenView:
    """One screen, as it was given to the customer."""

    seq: int
    same: bool
    """Nothing differs from the screen before."""
    main: tuple[PartText, ...]
    """What needs an answer: replies with their tags, cards, dialogs, notices, the final state."""
    changes: tuple[Change, ...]
    everything: tuple[PartText, ...]
    controls: tuple[Shown, ...]
    unreadable: tuple[Shown, ...]
    truncated: bool
    final: Shown | None


@dataclass(frozen=True)
class Item:
    """One thing that happened, in the order of the record."""

    kind: str
    n: int
    anchor: str
    clock: str
    title: str
    text: Shown | None = None
    chips: tuple[tuple[str, Shown], ...] = ()
    notes: tuple[Shown, ...] = ()
    alarm: bool = False
    screen: ScreenView | None = None


@dataclass
class Turn:
    """From the customer's decision to the screen that answers it."""

    number: int
    title: str
    anchor: str
    items: list[Item] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    no_picture: str | None = None
    time: TurnTime | None = None
    network: str = ""
    simulator: int = 0
    """Slips and refused moves of the simulated customer in this turn."""
    flags: list[tuple[str, str]] = field(default_factory=list)
    """(anchor, id) of failed score lines that rest on this turn."""


@dataclass(frozen=True)
class Journey:
    """A whole conversation, and where every event of it stands."""

    turns: tuple[Turn, ...]
    turn_of_event: Mapping[int, int]
    times: tuple[TurnTime, ...]
    truncated_screens: int
    unreadable_parts: int


def seconds(ms: float) -> str:
    """A duration for people: `0.4 s`, `12 s`, `2 min 3 s`."""
    value = max(0.0, ms / 1000)
    if value < 10:
        return f"{value:.1f} s"
    if value < 120:
        return f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s"


class JourneyBuilder:
    """Builds the turns of one attempt.

    Args:
        record: the attempt.
        prefix: what all anchors of this attempt start with.
        marker: shows texts and remembers which quotes were found.
        album: makes the pictures.
        quotes: by event number, what score lines quote from it.
    """

    def __init__(
        self, record: AttemptRecord, prefix: str, marker: Marker, album: Album, quotes: Mapping[int, Sequence[Quote]]
    ) -> None:
        self.record, self.prefix, self.marker, self.album, self.quotes = record, prefix, marker, album, quotes
        self.calls = _calls(record.prompts.items)
        self.last_screen: Screen | None = None
        self.truncated = 0
        self.unreadable = 0

    def build(self) -> Journey:
        """All turns, with pictures, times and network counts."""
        turns: list[Turn] = []
        turn_of_event: dict[int, int] = {}
        times: dict[int, TurnTime] = {}
        used: Counter[int] = Counter()
        last_ms = 0.0
        for group in _groups(self.record.events.items):
            turn = self._turn(group, used)
            turn.time = self._time(group, turn.number, last_ms)
            last_ms = max(last_ms, group[-1].t_ms)
            times[turn.number] = _added(times.get(turn.number), turn.time)
            turn_of_event.update((event.n, turn.number) for event in group)
            turns.append(turn)
        per_turn: dict[int, list[NetworkLine]] = {}
        for line in self.record.network.items:
            per_turn.setdefault(line.turn, []).append(line)
        for turn in turns:
            turn.network = _network_note(per_turn.pop(turn.number, []))
        ordered = tuple(times[number] for number in sorted(times))
        return Journey(tuple(turns), turn_of_event, ordered, self.truncated, self.unreadable)

    def _turn(self, group: Sequence[Event], used: Counter[int]) -> Turn:
        acts = [event.turn for event in group if isinstance(event, Acted | ReplySettled)]
        number = max(acts) if acts else max(event.turn for event in group)
        again = used[number]
        used[number] += 1
        anchor = f"{self.prefix}-t{number}" + (f"-{again + 1}" if again else "")
        if number == 0 and not again:
            title = "Before the first message"
        elif all(isinstance(event, JourneyEnded | Slip) for event in group):
            title = "The end"
        else:
            title = f"Turn {number}" + (", continued" if again else "")
        turn = Turn(number, title, anchor)
        for event in group:
            item = self._item(event)
            turn.items.append(item)
            turn.simulator += isinstance(event, Slip | MoveRejected)
            if isinstance(event, ScreenSeen):
                for at, name in enumerate(event.pictures, 1):
                    picture_anchor = f"{self.prefix}-p{event.n}-{at}"
                    turn.pictures.append(self.album.picture(self.record.folder.path, name, picture_anchor))
                if not event.pictures:
                    turn.no_picture = f"no picture was taken of screen {event.screen.seq}"
        if not turn.pictures and turn.no_picture is None:
            turn.no_picture = "no screen was recorded in this turn"
        return turn

    def _shown(self, text: str, event: Event) -> Shown:
        return self.marker.show(text, self.quotes.get(event.n, ()))

    def _short(self, text: str) -> Shown:
        return self.marker.show(text, whole=True)

    def _item(self, event: Event) -> Item:
        kind, title = event.kind, ""
        text: Shown | None = None
        chips: list[tuple[str, Shown]] = []
        notes: list[Shown] = []
        alarm, screen = False, None
        match event:
            case JourneyStarted():
                title = "The journey starts"
                chips = [("page", self._short(event.url)), ("browser", self._short(event.browser))]
                chips += [] if event.sandbox else [("browser sandbox", self._short("off"))]
            case ScreenSeen():
                title = f"Screen {event.screen.seq}"
                screen = self._screen(event)
            case MoveDecided():
                title = f"The customer decides: {event.move.move}"
                chips = self._move_chips(event)
            case MoveRejected():
                title, text = f"Move refused before sending: {event.problem}", self._shown(event.raw, event)
                notes = [self._shown(event.why, event)]
                chips = [("asked again with", self._short(event.note)), *self._call_chips(event.call)]
            case Slip():
                title = f"{event.slip.replace('_', ' ')} ({event.severity})"
                notes = [self._shown(event.why, event)]
                alarm = event.delivered
            case Acted():
                title, text = ACT_NAMES[event.act], self._shown(event.text, event)
                alarm = not event.confirmed
                if event.file:
                    chips.append(("file", self._short(event.file)))
                if event.sha256:
                    chips.append(("sha256", self._short(event.sha256[:12] + "…")))
                if event.retries:
                    chips.append(("tried again", self._short(f"{event.retries}×")))
                if not event.confirmed:
                    notes = [self._short("the page never showed it")]
            case ReplySettled():
                title, alarm = _reply_title(event), not event.settled
            case PageEvent():
                title = f"{event.what.replace('_', ' ')} — {event.policy}"
                text = self._shown(event.detail, event)
                alarm = event.what in ("page_error", "crash", "request_blocked", "request_failed", "reader_lost")
            case CaptureFailed():
                title, text, alarm = f"Could not be recorded: {event.what}", self._shown(event.why, event), True
            case LedgerEntry():
                title = ENTRY_NAMES.get(event.entry, event.entry)
                text = self._shown(event.id, event)
                notes = [self._short(event.how)]
            case ReplayNote():
                title, text = REPLAY_NAMES[event.what], self._shown(event.why, event)
                alarm = event.what == "left"
            case JourneyEnded():
                title, text = f"The journey ends: {event.reason}", self._shown(event.why, event)
                if event.final:
                    chips = [("final state on the screen", self._shown(event.final, event))]
        return Item(
            kind,
            event.n,
            f"{self.prefix}-e{event.n}",
            seconds(event.t_ms),
            plain(title),
            text,
            tuple(chips),
            tuple(notes),
            alarm,
            screen,
        )

    def _move_chips(self, event: MoveDecided) -> list[tuple[str, Shown]]:
        move = event.move
        chips = [("by", self._short(event.by.replace("_", "-")))]
        for name, value in (("control", move.control), ("value", move.value), ("file", move.file)):
            if value:
                chips.append((name, self._short(value)))
        chips.append(("facts used", self._short(", ".join(move.used) or "none")))
        if move.asked:
            chips.append(("understood as asked", self._short(", ".join(move.asked))))
        if move.asked_unknown:
            chips.append(("asked", self._short("something the customer does not know")))
        return [*chips, *self._call_chips(event.call), ("thought for", self._short(seconds(event.decide_ms)))]

    def _call_chips(self, call: str | None) -> list[tuple[str, Shown]]:
        if call is None:
            return []
        ended = self.calls.get(call)
        if ended is None or ended.kind != "model_call_ended":
            return [("model call", self._short(f"{call}: no end recorded"))]
        usage = ended.usage or CallUsage(tokens_in=None, tokens_out=None, cost=None)
        count = "tokens not reported"
        if usage.tokens_in is not None and usage.tokens_out is not None:
            count = f"{usage.tokens_in} tokens in, {usage.tokens_out} out"
        outcome = "" if ended.outcome == "ok" else f", {ended.outcome}"
        return [("model call", self._short(f"{call}: {count}{outcome}"))]

    def _screen(self, event: ScreenSeen) -> ScreenView:
        screen, before = event.screen, self.last_screen
        self.last_screen = screen
        self.truncated += screen.truncated
        self.unreadable += len(screen.unreadable)
        same = before is not None and (screen.blocks, screen.controls) == (before.blocks, before.controls)
        main = [] if same else [b for b in screen.blocks if b.part not in (*STANDING, "customer")]
        everything = [] if same and not self.quotes.get(event.n) else screen.blocks
        shown_final = any(b.part == "final" for b in main)
        return ScreenView(
            screen.seq,
            same,
            tuple(self._part(b, event) for b in main),
            tuple(self._changes(before, screen, event)),
            tuple(self._part(b, event) for b in everything),
            tuple(self._short(_control(c)) for c in (screen.controls if everything else ())),
            tuple(self._short(f"{u.where}: {u.why.replace('_', ' ')}") for u in screen.unreadable),
            screen.truncated,
            self._shown(screen.final, event) if screen.final and not shown_final and not same else None,
        )

    def _part(self, block: Block, event: Event) -> PartText:
        return PartText(block.part, PART_NAMES[block.part], self._shown(block.text, event))

    def _changes(self, before: Screen | None, now: Screen, event: Event) -> list[Change]:
        changes: list[Change] = []
        for part in STANDING:
            old, new = _lines(before, part), _lines(now, part)
            gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
            for came, lines, pool in ((False, old, gone), (True, new, come)):
                for line in lines:
                    if pool[line] > 0:
                        pool[line] -= 1
                        changes.append(Change(PART_NAMES[part], came, self._shown(line, event)))
        return changes

    def _time(self, group: Sequence[Event], number: int, last_ms: float) -> TurnTime:
        product = sum(e.total_ms for e in group if isinstance(e, ReplySettled))
        decide = sum(e.decide_ms for e in group if isinstance(e, MoveDecided))
        ids = [e.call for e in group if isinstance(e, MoveDecided | MoveRejected) and e.call is not None]
        calls = [self.calls[i] for i in dict.fromkeys(ids) if i in self.calls]
        thought = max(decide, sum(c.latency_ms or 0.0 for c in calls))
        span = max(0.0, group[-1].t_ms - last_ms)
        product, thought = min(product, span), min(thought, max(0.0, span - product))
        usages = [c.usage for c in calls if c.usage]
        return TurnTime(
            number,
            product / 1000,
            thought / 1000,
            max(0.0, span - product - thought) / 1000,
            any(isinstance(e, ReplySettled) and not e.settled for e in group),
            len(calls),
            _sum_or_none([u.tokens_in for u in usages], len(calls)),
            _sum_or_none([u.tokens_out for u in usages], len(calls)),
            summed_cost([u.cost for u in usages], len(calls)),
        )


def _groups(events: Sequence[Event]) -> list[list[Event]]:
    """Events cut where, after a screen, the customer acts again."""
    groups: list[list[Event]] = []
    seen_screen = True
    for event in events:
        starts = not groups or (seen_screen and isinstance(event, OPENS_TURN))
        if starts:
            groups.append([])
            seen_screen = False
        groups[-1].append(event)
        seen_screen = seen_screen or isinstance(event, ScreenSeen)
    return groups


def _calls(prompts: Sequence[PromptLine]) -> dict[str, PromptLine]:
    """By call id, the line that ended it, or the one that started it if it never ended."""
    calls: dict[str, PromptLine] = {}
    for line in prompts:
        if line.kind == "model_call_ended" or line.call not in calls:
            calls[line.call] = line
    return calls


def _reply_title(event: ReplySettled) -> str:
    if not event.settled:
        return f"Unsettled: the product was still not done after {seconds(event.total_ms)} ({event.why})"
    first = "nothing changed" if event.first_ms is None else f"first sign after {seconds(event.first_ms)}"
    ended = "" if event.why == "settled" else f", {event.why}"
    return f"The product took {seconds(event.total_ms)} ({first}{ended})"


def _control(control: Control) -> str:
    """One control as a line: kind, name, what it shows."""
    parts = [f"{control.kind} “{control.name}”"]
    if control.value:
        parts.append(f"shows “{control.value}”")
    if control.placeholder:
        parts.append(f"hint “{control.placeholder}”")
    if control.options:
        parts.append("offers " + ", ".join(f"“{o}”" for o in control.options))
    if not control.enabled:
        parts.append("cannot be used now")
    return "; ".join(parts)


def _lines(screen: Screen | None, part: str) -> list[str]:
    blocks = screen.blocks if screen else []
    return [line for b in blocks if b.part == part for line in b.text.split("\n") if line.strip()]


def _network_note(lines: Sequence[NetworkLine]) -> str:
    if not lines:
        return ""
    failed = [line for line in lines if line.status is None or line.status >= 400]
    note = f"{len(lines)} request{'s' if len(lines) != 1 else ''}"
    if failed:
        kinds = Counter("no answer" if line.status is None else str(line.status) for line in failed)
        note += " (" + ", ".join(f"{count}× {kind}" for kind, count in sorted(kinds.items())) + ")"
    return note


def _sum_or_none(values: Sequence[int | None], expected: int) -> int | None:
    known = [v for v in values if v is not None]
    return sum(known) if expected and len(known) == expected else None


def summed_cost(values: Sequence[str | None], expected: int) -> str | None:
    """Sum of prices like `0.0012 USD`; None unless all of them are priced in one currency."""
    total, currency = Decimal(0), ""
    if not expected or len(values) != expected:
        return None
    for value in values:
        amount, _, unit = (value or "").partition(" ")
        try:
            total += Decimal(amount)
        except InvalidOperation:
            return None
        if currency and unit != currency:
            return None
        currency = unit
    return f"{total} {currency}".strip()


def _added(before: TurnTime | None, now: TurnTime) -> TurnTime:
    if before is None:
        return now
    calls = before.calls + now.calls
    counted = [t for t in (before, now) if t.calls]
    return TurnTime(
        now.turn,
        before.product_s + now.product_s,
        before.customer_s + now.customer_s,
        before.rig_s + now.rig_s,
        before.unsettled or now.unsettled,
        calls,
        _sum_or_none([t.tokens_in for t in counted], len(counted)),
        _sum_or_none([t.tokens_out for t in counted], len(counted)),
        summed_cost([t.cost for t in counted], len(counted)),
    )
