"""The two ways to read and to speak: `controlled` by rule, `model` by the configured model."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from harness.devstack.claims.case import Case
from harness.devstack.claims.understand import Context, Understanding, read

Emit = Callable[[str], Awaitable[None]]


class Runtime(Protocol):
    """What the engine needs of a runtime."""

    @property
    def name(self) -> str:
        """`controlled` or `model`."""

    @property
    def model(self) -> str | None:
        """Name of the configured model."""

    async def understand(self, case: Case, text: str, context: Context) -> Understanding:
        """What the message says. Never raises for what a customer wrote."""

    async def word(self, case: Case, customer_text: str, base: str, ask: str, exact: bool, emit: Emit) -> str:
        """Say `base` to the customer in pieces through `emit`; gives the whole text that was said.

        Args:
            case: for the conversation so far and the usage counters.
            customer_text: what the customer did last.
            base: the policy's own wording.
            ask: the part of `base` that must reach the customer, empty if there is none.
            exact: `base` must be said as it is.
            emit: takes each piece.
        """


class Controlled:
    """Deterministic: reads by rule and says the policy's words.

    Args:
        stream_ms: how long the pieces of one reply take together.
        pieces: into how many pieces a reply is cut.
    """

    name = "controlled"
    model: str | None = None

    def __init__(self, stream_ms: float = 30.0, pieces: int = 3) -> None:
        self._pause_s = stream_ms / 1000 / pieces
        self._pieces = pieces

    async def understand(self, case: Case, text: str, context: Context) -> Understanding:
        """What the rules read."""
        return read(text, context)

    async def word(self, case: Case, customer_text: str, base: str, ask: str, exact: bool, emit: Emit) -> str:
        """`base`, unchanged."""
        words = base.split(" ")
        size = -(-len(words) // self._pieces)
        for at in range(0, len(words), size):
            await asyncio.sleep(self._pause_s)
            await emit((" " if at else "") + " ".join(words[at : at + size]))
        return base
