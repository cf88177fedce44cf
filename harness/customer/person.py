"""A person plays the customer, or takes a single move of one who plays by itself."""

from collections.abc import Callable
from typing import Protocol

from harness.customer.ledger import ClaimLedger
from harness.customer.players import Decision, Player
from harness.schema.order import FileAtHand, PersonReply, PersonRequest
from harness.schema.screen import Screen

BY = "person"


class PersonPort(Protocol):
    """The way to the person."""

    async def ask_person(self, request: PersonRequest) -> PersonReply:
        """Show the screen, wait for the move."""
        ...


def request(ledger: ClaimLedger, screen: Screen, turn: int, refused: str | None, may_pass: bool) -> PersonRequest:
    """All that a person is shown, which is what a model is: screen, own earlier words, files."""
    files = [
        FileAtHand(label=f.label, state=ledger.file_state(f), promise=f.available.promise)  # type: ignore[arg-type]
        for f in ledger.view.files
    ]
    return PersonRequest(
        screen=screen, turn=turn, said=list(ledger.messages), files=files, refused=refused, may_pass=may_pass
    )


class PersonPlayer:
    """Every move is a person's."""

    def __init__(self, port: PersonPort, turn: Callable[[], int]) -> None:
        self._port, self._turn = port, turn

    async def decide(self, ledger: ClaimLedger, screen: Screen, note: str | None) -> Decision:
        """Ask until there is a move."""
        reply = await self._port.ask_person(request(ledger, screen, self._turn(), note, may_pass=False))
        return _decision(reply)


class PausingPlayer:
    """A player who stops once, before the move of one turn, and lets a person look, and move if they like."""

    def __init__(self, player: Player, port: PersonPort, turn: Callable[[], int], pause_at: int) -> None:
        self._player, self._port, self._turn, self._pause_at = player, port, turn, pause_at
        self._theirs: int | None = None
        """Screen on which the person moves; 0 once they are done."""

    async def decide(self, ledger: ClaimLedger, screen: Screen, note: str | None) -> Decision:
        """The person's move on the screen of that turn, if they make one; else the player's."""
        due = self._theirs is None and self._turn() + 1 >= self._pause_at
        if due or self._theirs == screen.seq:
            reply = await self._port.ask_person(request(ledger, screen, self._turn(), note, may_pass=True))
            self._theirs = screen.seq if reply.move is not None else 0
            if reply.move is not None:
                return _decision(reply)
        return await self._player.decide(ledger, screen, note)


def _decision(reply: PersonReply) -> Decision:
    if reply.move is None:
        return Decision(None, "", BY, None, malformed="")
    return Decision(reply.move, reply.move.model_dump_json(), BY, None)
