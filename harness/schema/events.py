"""Everything that can stand in `events.jsonl`.

Every line is one object: `n` (1, 2, …), `at` (UTC with offset), `t_ms` (milliseconds of the journey's own monotonic
clock), `turn` (0 before the first message was sent), `kind`, and the kind's own fields. A turn starts with an act of the
customer that wants an answer (a message, a press, a fill, an upload) and ends when the product has settled.
"""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, TypeAdapter

from harness.schema.base import Strict
from harness.schema.move import Move
from harness.schema.screen import Screen

SlipKind = Literal[
    "hallucination",
    "revealed_early",
    "inconsistent",
    "premature_end",
    "missed_action",
    "wrong_sequence",
    "looping",
    "role_flip",
    "persona_break",
    "language_drift",
    "empty_or_malformed",
    "corrected",
    "hinted",
    "reasoning",
    "denied",
]
"""What a simulated customer does wrong; docs/fidelity.md says how each is found."""
Severity = Literal["helped", "hindered", "minor"]
"""Did the slip make the product's task easier or harder?"""
TerminationReason = Literal[
    "completed",
    "customer_left",
    "nothing_to_do",
    "turn_limit",
    "time_limit",
    "product_error",
    "simulator_error",
    "rig_error",
    "environment_error",
    "aborted",
]
NOT_COUNTING: frozenset[str] = frozenset({"aborted", "rig_error", "environment_error", "simulator_error"})
"""Endings after which a trial goes on with its next attempt."""


class _Event(Strict):
    n: int
    at: AwareDatetime
    t_ms: float
    turn: int


class JourneyStarted(_Event):
    """The page is about to be opened. Network listeners are attached already."""

    kind: Literal["journey_started"] = "journey_started"
    url: str
    customer: str
    browser: str
    sandbox: bool
    rng_seed: int


class ScreenSeen(_Event):
    """A Screen, as it went to the customer."""

    kind: Literal["screen"] = "screen"
    screen: Screen
    pictures: list[str]
    """Files below the attempt folder; more than one where a pane was scrolled. Empty: see `capture_failed`."""
    read_ms: float


class MoveDecided(_Event):
    """The move that will be carried out."""

    kind: Literal["move"] = "move"
    move: Move
    by: str
    """`model`, `rule`, `scripted`, `recorded`, `person`, `opening`, `wish` (the author's own words, when due), `dead_end` (the rig's own nudge or a due
    wish where the product left nothing to do), or `stand_in` (the persona's "I don't know" after failed tries). In a replay: who decided it first."""
    call: str | None
    """Id of the model call in prompts.jsonl."""
    decide_ms: float


class MoveRejected(_Event):
    """A move that was refused whole, before anything was sent."""

    kind: Literal["move_rejected"] = "move_rejected"
    problem: str
    """`ungrounded`, `empty`, `role_flip`, `malformed`, `no_such_control`, `no_such_file`, `not_asked`, `reasoning`,
    `not_available`, `premature_end`, `repeated`, `language`, `denied`, `inconsistent`, `corrected`, `hinted`,
    `passed_over`, `file_ignored`."""
    why: str
    note: str
    """Key of the locked retry note that goes with the next try."""
    call: str | None
    raw: str
    """The refused text, cut at 4000 characters."""


class Slip(_Event):
    """A fault of the simulated customer, counted as its own."""

    kind: Literal["slip"] = "slip"
    slip: SlipKind
    severity: Severity
    why: str
    delivered: bool
    """False: stopped before it reached the product."""
    about: list[str] = []
    """Ids of facts, and files, that it is about: told too early, denied, not told, not handed over."""


class Acted(_Event):
    """Something the customer did on the page, confirmed on the page."""

    kind: Literal["acted"] = "acted"
    act: Literal["said", "pressed", "filled", "uploaded", "signed_in", "waited"]
    text: str
    """The message, the control's name, `field = value`, or the file name."""
    file: str | None = None
    """uploaded: name below the package's materials."""
    sha256: str | None = None
    """uploaded: of the bytes handed to the page."""
    confirmed: bool
    """The page shows it: a new customer bubble with this text, the value in the field, the file in the talk."""
    retries: int = 0
    """How often the act was tried again (text wiped, bubble missing); each try after looking at the page."""
    act_ms: float


class ReplySettled(_Event):
    """The product finished (or did not) after an act."""

    kind: Literal["reply"] = "reply"
    settled: bool
    """False: the hard cap came first, the turn is unsettled."""
    first_ms: float | None
    """From the act to the first visible change of a reply part; None if nothing changed."""
    total_ms: float
    """From the act to the last visible change (settled) or to the cap (unsettled). The quiet time after it is not counted."""
    waited_ms: float
    """How long the rig really waited, quiet time included."""
    why: str
    """`settled`, `cap`, `navigated`, `crashed`, `dialog`."""


class PageEvent(_Event):
    """Something the page or browser did by itself."""

    kind: Literal["page"] = "page"
    what: Literal[
        "dialog",
        "popup",
        "download",
        "page_error",
        "console_error",
        "crash",
        "navigated",
        "request_blocked",
        "request_failed",
        "service_worker_blocked",
        "websocket",
        "reader_lost",
    ]
    detail: str
    policy: str
    """What the rig did about it: `accepted`, `dismissed`, `closed`, `saved`, `recorded`, `aborted`, `reloaded`."""
    file: str | None = None
    """download: saved below the attempt folder."""
    sha256: str | None = None


class CaptureFailed(_Event):
    """Evidence that could not be taken."""

    kind: Literal["capture_failed"] = "capture_failed"
    what: Literal["screenshot", "body", "network", "text", "trace"]
    why: str


class ReplayNote(_Event):
    """A journey that sends the moves of an earlier one has come to where that one no longer leads."""

    kind: Literal["replay"] = "replay"
    what: Literal["left", "ended", "handed_over"]
    """`left`: the screen does not offer the next recorded move; `ended`: there is none, and the journey is not over;
    `handed_over`: from here the customer decides, as was asked for."""
    recorded_move: int
    """Recorded moves that were sent before."""
    why: str


class LedgerEntry(_Event):
    """Claim ledger: something was told, promised or handed over."""

    kind: Literal["ledger"] = "ledger"
    entry: Literal[
        "fact_told", "unknown_told", "file_asked", "file_promised", "file_handed_over", "wish_put", "confirmed_value"
    ]
    id: str
    """Fact id, unknown id, wish id or file name."""
    how: Literal["opening", "answer", "unasked", "wish"]


class JourneyEnded(_Event):
    """The last line."""

    kind: Literal["journey_ended"] = "journey_ended"
    reason: TerminationReason
    why: str
    final: str | None
    """Visible text of the final state."""


Event = Annotated[
    JourneyStarted
    | ScreenSeen
    | MoveDecided
    | MoveRejected
    | Slip
    | Acted
    | ReplySettled
    | PageEvent
    | CaptureFailed
    | LedgerEntry
    | ReplayNote
    | JourneyEnded,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
