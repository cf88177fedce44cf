"""Who decides: a model behind the gate, the rule customer, or a list of moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.customer import prompt, rule
from harness.customer.ledger import ClaimLedger
from harness.customer.parse import Malformed, parse_move
from harness.errors import EnvironmentFault, GateClosed, SimulatorFault
from harness.schema.move import Move
from harness.schema.order import ModelReply
from harness.schema.screen import Screen


@dataclass(frozen=True)
class Decision:
    """One answer of a player: a move, or what is wrong with the answer."""

    move: Move | None
    raw: str
    by: str
    call: str | None
    malformed: str | None = None
    """Why there is no move; "" is an empty reply."""


class Player(Protocol):
    """The seam between conduct and whoever plays the customer."""

    async def decide(self, ledger: ClaimLedger, screen: Screen, note: str | None) -> Decision:
        """The next move for this screen. `note` is the key of the retry note, None on the first try."""
        ...


class ModelPort(Protocol):
    """The way to the gate."""

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """Send one request through the gate."""
        ...


class ModelPlayer:
    """A language model, reached through the gate only. Also plays `recorded`, where the gate answers from a record."""

    def __init__(self, port: ModelPort, by: str) -> None:
        self._port = port
        self._by = by

    async def decide(self, ledger: ClaimLedger, screen: Screen, note: str | None) -> Decision:
        """Ask once; an unusable reply is a Decision without a move."""
        reply = await self._port.ask(
            prompt.messages(ledger, screen, note), prompt.schema(ledger, screen), screen.seq, note
        )
        if reply.outcome == "gate_closed":
            raise GateClosed("gate", reply.why)
        if reply.outcome == "endpoint_down":
            raise EnvironmentFault(reply.why)
        if reply.outcome in ("empty", "truncated", "refusal"):
            why = "" if reply.outcome == "empty" else f"{reply.outcome}: {reply.why}"
            return Decision(None, reply.text, self._by, reply.call, malformed=why)
        try:
            return Decision(parse_move(reply.text), reply.text, self._by, reply.call)
        except Malformed as exc:
            return Decision(None, reply.text, self._by, reply.call, malformed=str(exc))


class RulePlayer:
    """The rule customer."""

    async def decide(self, ledger: ClaimLedger, screen: Screen, note: str | None) -> Decision:
        """The same screen and ledger give the same move; a refused one is not varied."""
        move = rule.next_move(ledger, screen)
        return Decision(move, move.model_dump_json(), "rule", None)


class ScriptedPlayer:
    """A list of moves, in order; each screen takes the next one."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self._moves = list(moves)

    async def decide(self, ledger: ClaimLedger, screen: Screen, note: str | None) -> Decision:
        """The next move. Raises SimulatorFault when the script is used up."""
        if not self._moves:
            raise SimulatorFault("the script has no more moves, and the journey is not over")
        move = self._moves.pop(0)
        return Decision(move, move.model_dump_json(), "scripted", None)
