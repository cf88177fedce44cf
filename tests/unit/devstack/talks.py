"""Helpers: a customer, a claims engine, and a conversation played against it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from harness.devstack.claims.case import Case, Customer, Entry, PolicyData, PriorClaimData, Upload
from harness.devstack.claims.engine import Engine
from harness.devstack.claims.runtime import Controlled, Runtime

NOW = datetime(2026, 3, 11, 9, 30, tzinfo=UTC)
OPENING = "Hello, someone hit my parked car in the supermarket car park, the rear bumper is damaged."
WHOLE_CLAIM: list[object] = [
    OPENING,
    "It was on 9 March 2026 at about 4:20 pm.",
    "In the Greenfold car park, Mill Road, Wexley.",
    ("upload", "photo", None),
    "I will have the quote on Thursday.",
    "No, nobody was hurt. I did not call the police.",
    "It is AB12 CDE. The car is outside my home, 14 Larch Close.",
    "Yes, it can be driven. About £1,240.",
    "A silver Ford Focus. I don't know who was driving.",
    ("upload", "quote", "2026-03-12"),
    ("press", "confirm"),
]


def customer(**changes: Any) -> Customer:
    """A customer with a motor policy that began 17 days before 9 March 2026."""
    values: dict[str, Any] = {
        "request_id": "r1",
        "case_ref": "c1",
        "session": "anonymous",
        "email": None,
        "password_hash": None,
        "signed_in": False,
        "clock_offset_s": (NOW - datetime.now(UTC)).total_seconds(),
        "policy": PolicyData(
            number="P1", product="motor", holder="N T", inception="2026-02-20", insured_item="AB12 CDE"
        ),
        "prior_claims": [],
        "failed_lookups": [],
        "defects": [],
    }
    return Customer(**{**values, **changes})


def prior(*days: str) -> list[PriorClaimData]:
    """Prior claims reported on these days."""
    return [PriorClaimData(number=f"N{n}", reported=day, kind="motor") for n, day in enumerate(days)]


def upload(kind: str, date: str | None = None, pages_missing: bool = False) -> Upload:
    """A stored file as the engine sees it."""
    return Upload(
        id=f"u-{kind}",
        name=f"{kind}.pdf",
        size=10,
        sha256="0" * 64,
        kind=kind,
        content_type="application/pdf",
        document_date=date,
        pages_missing=pages_missing,
    )


@dataclass
class Talk:
    """A conversation that can be read back."""

    who: Customer = field(default_factory=customer)
    runtime: Runtime = field(default_factory=lambda: Controlled(stream_ms=0))
    case: Case = field(init=False)
    pieces: list[str] = field(default_factory=list)
    numbers: int = 0

    def __post_init__(self) -> None:
        self.case = Case(
            ref=self.who.case_ref, request_id=self.who.request_id, started=self.who.now(), defects=self.who.defects
        )
        self._engine = Engine(self.runtime, self._number)

    async def _number(self) -> str:
        self.numbers += 1
        return f"CLM-2026-{self.numbers:06d}"

    async def _emit(self, text: str) -> None:
        self.pieces.append(text)

    def play(self, moves: Sequence[object]) -> "Talk":
        """Do moves: text is a message, ("press", action), ("upload", kind, printed date), ("sign_in",)."""
        for move in moves:
            asyncio.run(self._one(move))
        return self

    def say(self, text: str) -> str:
        """Send one message; gives the reply."""
        self.play([text])
        return self.reply

    @property
    def reply(self) -> str:
        """The newest reply."""
        return self.case.entries[-1].text

    @property
    def replies(self) -> list[str]:
        """All replies."""
        return [e.text for e in self.case.entries if e.who == "assistant"]

    async def _one(self, move: object) -> None:
        turn = f"t{len(self.case.turns)}"
        self.pieces = []
        match move:
            case str(text):
                entry = Entry(id=turn, who="customer", text=text, at=self.who.now())
                self.case.entries = [*self.case.entries, entry]
                await self._engine.message(self.case, self.who, turn, text, self._emit)
            case ("press", str(action)):
                await self._engine.press(self.case, self.who, turn, action, self._emit)
            case ("upload", str(kind), date):
                assert date is None or isinstance(date, str)
                await self._engine.uploaded(self.case, self.who, turn, upload(kind, date), kind, self._emit)
            case ("sign_in",):
                self.who.signed_in = True
                await self._engine.signed_in(self.case, self.who, turn, self._emit)
            case _:
                raise AssertionError(f"no such move: {move}")
