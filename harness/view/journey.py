"""A journey's page: the report's view of an attempt, and beside each turn what the record holds about that moment."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from PIL import Image

from harness.journal import AttemptFolder, AttemptRecord, RunJournal, StoredScore, inside, read_attempt
from harness.report.attempt import AttemptView, build_attempt
from harness.report.pictures import MAX_FILE_BYTES, MAX_PIXELS, Album, Picture
from harness.report.text import Marker, Shown, plain
from harness.report.turns import Turn, seconds
from harness.schema.events import MoveDecided, MoveRejected
from harness.schema.grade import grade
from harness.schema.run import CallUsage, NetworkLine, PromptLine
from harness.view.bodies import indented

PREFIX = "j"
"""What all anchors of the page start with."""
BAR = 100.0
"""Width of the drawing of a turn's requests."""
_KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""First bytes of the pictures that a record holds -> how they are served."""


class Linked(Album):
    """Pictures that the browser fetches when they come near; nothing is scaled or counted against a budget."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def picture(self, folder: Path, name: str, anchor: str) -> Picture:
        """The picture's address and size, or why it cannot be seen."""
        path = inside(folder, name)
        if path is None:
            self.unreadable += 1
            return Picture(name, None, 0, 0, "the file is missing", anchor)
        try:
            with Image.open(path, formats=("PNG", "JPEG")) as image:
                width, height = image.size
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as exc:
            self.unreadable += 1
            return Picture(name, None, 0, 0, f"the file cannot be read as a picture ({type(exc).__name__})", anchor)
        if width * height > MAX_PIXELS or path.stat().st_size > MAX_FILE_BYTES:
            self.over_budget += 1
            return Picture(name, None, 0, 0, "the picture is too large", anchor)
        self.shown += 1
        return Picture(name, f"{self._address}/picture/{quote(name)}", width, height, None, anchor)


def read_picture(attempt: Path, name: str) -> tuple[bytes, str] | None:
    """(bytes, type) of a picture of the attempt, by its first bytes; None if it is none, or lies elsewhere."""
    path = inside(attempt, name)
    try:
        if path is None or path.stat().st_size > MAX_FILE_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    kind = next((kind for start, kind in _KINDS.items() if data.startswith(start)), None)
    return (data, kind) if kind else None


@dataclass(frozen=True)
class Call:
    """One call of the customer's model."""

    number: int
    """Place among the calls of the record, from 1."""
    name: Shown
    outcome: str
    used: str
    took: str
    note: Shown | None
    """What it was asked again with."""
    alarm: bool


@dataclass(frozen=True)
class Request:
    """One network entry."""

    anchor: str
    method: str
    url: Shown
    """Without the address of the product, if it went there."""
    status: str
    took: str
    x: float
    width: float
    """Where its bar stands in the drawing of the turn."""
    alarm: bool
    resource: str
    sent: str | None
    """Hash of the request's body."""
    got: str | None
    note: Shown | None
    headers: tuple[tuple[str, Shown], ...]


@dataclass
class Beside:
    """What else is known of a turn's moment."""

    calls: list[Call] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    product: list[tuple[str, Shown]] = field(default_factory=list)
    """What the product said it did: tools, decisions, next question."""


@dataclass(frozen=True)
class JourneyPage:
    """Everything of one attempt's page."""

    view: AttemptView
    beside: tuple[Beside, ...]
    """One for each turn of the view."""
    late: Beside
    """Calls that led to no move."""
    grade: str
    reasons: tuple[Shown, ...]
    failures: tuple[str, ...]
    """Anchors of the failed lines' first evidence, in the order of the lines."""


def journey_page(
    journal: RunJournal,
    folder: AttemptFolder,
    stored: Sequence[StoredScore],
    counting: bool,
    address: str,
    chain: Sequence[str],
) -> JourneyPage:
    """The page of one attempt.

    Args:
        journal: its run.
        folder: the attempt.
        stored: its scorecards, the one to show first.
        counting: it counts for its trial.
        address: of the page; those of its pictures and bodies begin with it.
        chain: what does not verify about it.
    """
    record = read_attempt(folder)
    marker = Marker()
    view = build_attempt(journal, record, stored, PREFIX, counting, Linked(address), marker, chain, [], charted=False)
    home = journal.manifest.settings.base_url if journal.manifest else ""
    beside, late = _beside(record, view.turns, home, marker)
    word, reasons = (
        grade(journal.manifest, folder.attempt, not chain)
        if journal.manifest
        else ("rehearsal", ["run.json is missing or unreadable"])
    )
    failed = view.card.failed if view.card else ()
    anchors = [next((e.href for e in line.evidence if e.href), f"#{line.anchor}") for line in failed]
    return JourneyPage(
        view,
        beside,
        late,
        word,
        tuple(marker.show(r, whole=True) for r in reasons),
        tuple(a.removeprefix("#") for a in anchors),
    )


def _beside(
    record: AttemptRecord, turns: Sequence[Turn], home: str, marker: Marker
) -> tuple[tuple[Beside, ...], Beside]:
    events = {event.n: event for event in record.events.items}
    ends = [max((events[i.n].t_ms for i in turn.items), default=0.0) for turn in turns]
    found = [Beside() for _ in turns]
    calls = {call.name: call for call in calls_of(record.prompts.items)}
    used: set[str] = set()
    for turn, own in zip(turns, found, strict=True):
        for item in turn.items:
            event = events[item.n]
            if isinstance(event, MoveDecided | MoveRejected) and event.call in calls and event.call not in used:
                used.add(event.call)
                own.calls.append(_call(calls[event.call], marker))
    late = Beside([_call(call, marker) for name, call in calls.items() if name not in used])
    lines: list[list[tuple[int, NetworkLine]]] = [[] for _ in turns]
    for number, line in enumerate(record.network.items, 1):
        at = next((n for n, end in enumerate(ends) if line.t_ms <= end), len(turns) - 1)
        if turns:
            lines[at].append((number, line))
    for own, entries in zip(found, lines, strict=True):
        own.requests = _requests(entries, home, marker)
    _doings(record.state, turns, found, marker)
    return tuple(found), late


# The customer's model -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RecordedCall:
    """A call, from its start to its end."""

    number: int
    name: str
    started: PromptLine | None
    ended: PromptLine | None


def calls_of(prompts: Sequence[PromptLine]) -> list[RecordedCall]:
    """The calls of a record, in order."""
    pairs: dict[str, dict[str, PromptLine]] = {}
    for line in prompts:
        pairs.setdefault(line.call, {})[line.kind] = line
    return [
        RecordedCall(n, name, pair.get("model_call_started"), pair.get("model_call_ended"))
        for n, (name, pair) in enumerate(pairs.items(), 1)
    ]


def _call(call: RecordedCall, marker: Marker) -> Call:
    ended = call.ended
    usage = ended.usage if ended and ended.usage else CallUsage(tokens_in=None, tokens_out=None, cost=None)
    tokens = [
        f"{value:,} {word}"
        for value, word in ((usage.tokens_in, "tokens in"), (usage.tokens_out, "out"))
        if value is not None
    ]
    cost = [usage.cost] if usage.cost else ["unpriced"] if ended else []
    note = call.started.retry_note if call.started else None
    return Call(
        call.number, marker.show(call.name, whole=True), (ended.outcome or "no outcome").replace("_", " ") if ended else "no end recorded",
        ", ".join([*(tokens or ["tokens not reported"]), *cost]), seconds(ended.latency_ms) if ended and ended.latency_ms is not None else "",
        marker.show(note, whole=True) if note else None, ended is None or ended.outcome != "ok",
    )  # fmt: skip


@dataclass(frozen=True)
class Message:
    """One message of a prompt."""

    role: Shown
    text: Shown
    chars: int


@dataclass(frozen=True)
class Prompt:
    """What a call asked and what came back."""

    messages: tuple[Message, ...]
    settings: Shown
    """All else of the request."""
    sha256: str | None
    reply: Shown | None
    error: Shown | None


def prompt_of(call: RecordedCall) -> Prompt:
    """A call laid out for people."""
    marker = Marker()
    request: dict[str, Any] = (call.started.request if call.started else None) or {}
    given = request.get("messages")
    messages = [m if isinstance(m, dict) else {"content": m} for m in given] if isinstance(given, list) else []
    rest = {key: value for key, value in request.items() if key != "messages"}
    reply = call.ended.reply if call.ended else None
    error = call.ended.error if call.ended else None
    return Prompt(
        tuple(_message(m, marker) for m in messages),
        marker.show(_json(rest)),
        call.started.request_sha256 if call.started else None,
        marker.show(indented(reply) or reply) if reply else None,
        marker.show(error) if error else None,
    )


def _message(message: dict[str, Any], marker: Marker) -> Message:
    content = message.get("content")
    text = content if isinstance(content, str) else _json(content)
    return Message(marker.show(str(message.get("role", "?")), whole=True), marker.show(text), len(text))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


# The network --------------------------------------------------------------------------------------------------------


def _requests(entries: Sequence[tuple[int, NetworkLine]], home: str, marker: Marker) -> list[Request]:
    """A turn's entries in order of their beginning, with bars on one scale."""
    begun = sorted(entries, key=lambda pair: (pair[1].t_ms, pair[0]))
    first = min((line.t_ms for _, line in begun), default=0.0)
    span = max((line.t_ms + (line.duration_ms or 0.0) - first for _, line in begun), default=0.0) or 1.0
    return [
        Request(
            anchor=f"{PREFIX}-r{number}",
            method=_line(line.method),
            url=marker.show(_path(line.url, home), whole=True),
            status="no answer" if line.status is None else str(line.status),
            took=""
            if line.duration_ms is None
            else seconds(line.duration_ms)
            if line.duration_ms >= 1000
            else f"{line.duration_ms:.0f} ms",
            x=round((line.t_ms - first) / span * BAR, 2),
            width=round(max(0.8, (line.duration_ms or 0.0) / span * BAR), 2),
            alarm=line.status is None or line.status >= 400,
            resource=_line(line.resource),
            sent=line.request_body,
            got=line.response_body,
            note=marker.show(line.body_note, whole=True) if line.body_note else None,
            headers=tuple(
                (f"{way} {_line(name)}", marker.show(value))
                for way, headers in (("→", line.request_headers), ("←", line.response_headers))
                for name, value in headers.items()
            ),
        )
        for number, line in begun
    ]


def _line(text: str) -> str:
    """A short text on one line without anything hidden."""
    return plain(text, 80)


def _path(url: str, home: str) -> str:
    """The path of an address of the product; other addresses whole."""
    try:
        asked, own = urlsplit(url), urlsplit(home)
        same = (asked.scheme, asked.hostname, asked.port) == (own.scheme, own.hostname, own.port)
    except ValueError:
        return url
    if not same:
        return url
    return asked.path + (f"?{asked.query}" if asked.query else "")


# The product --------------------------------------------------------------------------------------------------------


def _doings(state: Any, turns: Sequence[Turn], found: Sequence[Beside], marker: Marker) -> None:
    """Puts beside each turn what the product's state says it did for the reply that was seen there."""
    replies = [r for case in _cases(state) for r in case if isinstance(r, dict) and r.get("role") == "assistant"]
    at = 0
    for turn, own in zip(turns, found, strict=True):
        seen = [b.text for i in turn.items if i.screen for b in i.screen.main if b.part == "reply"]
        texts = {"".join(piece.text for piece in (*shown.head, *shown.rest)) for shown in seen}
        while at < len(replies) and str(replies[at].get("reply_text", "")).strip() in texts:
            own.product += _doing(replies[at], marker)
            at += 1


def _cases(state: Any) -> list[list[Any]]:
    read = state.get("read") if isinstance(state, dict) else None
    cases = read.get("cases") if isinstance(read, dict) else None
    if not isinstance(cases, list):
        return []
    return [case["turns"] for case in cases if isinstance(case, dict) and isinstance(case.get("turns"), list)]


def _doing(reply: dict[str, Any], marker: Marker) -> list[tuple[str, Shown]]:
    """Tools called, decisions, and what it was going to ask next."""
    found: list[tuple[str, Shown]] = []
    for key, value in reply.items():
        if key in ("role", "reply_text", "id") or value in (None, [], {}, ""):
            continue
        text = value if isinstance(value, str) else _json(value)
        found.append((_line(key.replace("_", " ")), marker.show(text)))
    return found
