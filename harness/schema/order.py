"""What the parent hands to a worker, and what comes back: JSON objects, one a line."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from harness.schema.base import Strict
from harness.schema.events import TerminationReason
from harness.schema.move import Move
from harness.schema.screen import Screen
from harness.schema.ticket import StartTicket


class RecordedMove(Strict):
    """One move of an earlier journey, and what the screen wanted when it was made."""

    move: Move
    by: str
    """Who decided it then."""
    turn: int
    """The turn whose screen it answered."""
    wants: list[str]
    """What that screen wanted, by the wording rules; see harness.customer.replayed.wants."""


class Replay(Strict):
    """Moves of an earlier journey to be sent again."""

    moves: list[RecordedMove]
    goes_on: bool
    """After them, or where the screen no longer offers one, the customer of the order decides; else the journey stops."""


class Limits(Strict):
    """Bounds of one journey."""

    turn_limit: int
    turn_timeout_s: float
    journey_timeout_s: float
    move_tries: int = 4
    """How often a refused move is asked for again before the stand-in speaks."""
    stand_in_limit: int = 4
    """More stand-ins than this end the journey with simulator_error."""
    slow_ms: int = 0
    """Waited before each act, so that a person can follow."""


class JourneyOrder(Strict):
    """One journey."""

    type: Literal["journey"] = "journey"
    ticket: StartTicket
    adapter: dict[str, Any]
    """The customer half of the adapter: no seed, state or staff parts."""
    attempt_dir: str
    staging_dir: str
    customer: Literal["model", "rule", "scripted", "recorded", "replayed", "person"]
    script: list[Move] | None
    replay: Replay | None = None
    pause_at: int | None = None
    """The turn before whose move a person is asked; they may make it themselves."""
    trace_file: str | None = None
    """Where Playwright's trace goes, below the staging root; None: none is made."""
    limits: Limits
    rng_seed: int
    viewport: tuple[int, int] = (1280, 800)


class Start(Strict):
    """First line to a worker: what it needs before it is sealed."""

    type: Literal["start"] = "start"
    browser_path: str | None
    """None: Playwright's own browser."""
    browser_args: list[str]
    sandbox: bool
    headed: bool = False
    staging_root: str
    forbidden: list[str]
    """Folders this process must never open, whatever else is allowed."""


class ModelReply(Strict):
    """The gate's answer."""

    type: Literal["model_reply"] = "model_reply"
    call: str
    outcome: Literal["ok", "empty", "truncated", "refusal", "endpoint_down", "gate_closed"]
    text: str
    why: str


class PersonReply(Strict):
    """What a person decided."""

    type: Literal["person_reply"] = "person_reply"
    move: Move | None
    """None: they leave this move to the customer (only where that was offered)."""


class Stop(Strict):
    """No more journeys."""

    type: Literal["stop"] = "stop"


class Ready(Strict):
    """Browser is up and the process is sealed."""

    type: Literal["ready"] = "ready"
    browser: str
    sandbox: bool


class ModelRequest(Strict):
    """A request to the customer's model; the gate checks it and decides all but the words."""

    type: Literal["model_request"] = "model_request"
    messages: list[dict[str, str]]
    schema_: dict[str, Any] = Field(alias="schema")
    screen: int
    note: str | None


class FileAtHand(Strict):
    """A file of the customer's, and whether it can be handed over."""

    label: str
    state: Literal["have", "later", "handed"]
    promise: str | None
    """later: what the persona says when asked before it is there."""


class PersonRequest(Strict):
    """A person is to move: the screen as the record has it, and what they have said and can hand over so far."""

    type: Literal["person_request"] = "person_request"
    screen: Screen
    turn: int
    said: list[str]
    files: list[FileAtHand]
    refused: str | None
    """Why their last move cannot be carried out; None: this is the first try on this screen."""
    may_pass: bool
    """The customer decides if they do not."""


class Done(Strict):
    """A journey ended; everything else stands in its record."""

    type: Literal["done"] = "done"
    reason: TerminationReason
    why: str
    final: str | None
    slips: dict[str, int]
    counts: dict[str, int]


class Failed(Strict):
    """The worker cannot go on (browser does not start)."""

    type: Literal["failed"] = "failed"
    why: str


ToWorker = Annotated[Start | JourneyOrder | ModelReply | PersonReply | Stop, Field(discriminator="type")]
FromWorker = Annotated[Ready | ModelRequest | PersonRequest | Done | Failed, Field(discriminator="type")]
TO_WORKER: TypeAdapter[ToWorker] = TypeAdapter(ToWorker)
FROM_WORKER: TypeAdapter[FromWorker] = TypeAdapter(FromWorker)


def line_of(message: ToWorker | FromWorker) -> bytes:
    """A message as it goes through the pipe: one line, whatever line breaks its texts hold."""
    return message.model_dump_json(by_alias=True).encode() + b"\n"
