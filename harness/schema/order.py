"""What the parent hands to a worker, and what comes back: JSON objects, one a line."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from harness.schema.base import Strict
from harness.schema.events import TerminationReason
from harness.schema.move import Move
from harness.schema.ticket import StartTicket


class Limits(Strict):
    """Bounds of one journey."""

    turn_limit: int
    turn_timeout_s: float
    journey_timeout_s: float
    move_tries: int = 4
    """How often a refused move is asked for again before the stand-in speaks."""
    stand_in_limit: int = 4
    """More stand-ins than this end the journey with simulator_error."""


class JourneyOrder(Strict):
    """One journey."""

    type: Literal["journey"] = "journey"
    ticket: StartTicket
    adapter: dict[str, Any]
    """The customer half of the adapter: no seed, state or staff parts."""
    attempt_dir: str
    staging_dir: str
    customer: Literal["model", "rule", "scripted", "recorded"]
    script: list[Move] | None
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


ToWorker = Annotated[Start | JourneyOrder | ModelReply | Stop, Field(discriminator="type")]
FromWorker = Annotated[Ready | ModelRequest | Done | Failed, Field(discriminator="type")]
TO_WORKER: TypeAdapter[ToWorker] = TypeAdapter(ToWorker)
FROM_WORKER: TypeAdapter[FromWorker] = TypeAdapter(FromWorker)
