"""The moves of an earlier journey, sent again by what is visible."""

from dataclasses import dataclass, field

from harness.customer import guard
from harness.customer.conduct import Conduct
from harness.errors import SimulatorFault
from harness.schema.move import Move
from harness.schema.order import RecordedMove
from harness.schema.screen import Screen
from harness.schema.visible import MaterialVisible
from harness.schema.wording import asked_facts, is_confirmation, sentences
from harness.schema.words.files import live_text, wanted_files

CONFIRMATION = "confirmation"


def wants(files: list[MaterialVisible], screen: Screen) -> list[str]:
    """What a screen wants of the customer, by the wording rules: fact ids, `file:<name>`, `confirmation`; in order, each once."""
    live = live_text(screen)
    found = [*asked_facts(live), *(f"file:{file.file}" for file in wanted_files(files, screen))]
    if any(is_confirmation(sentence) for sentence in sentences(live)):
        found.append(CONFIRMATION)
    return list(dict.fromkeys(found))


@dataclass
class ReplayedConduct(Conduct):
    """A customer who first does again what another did.

    What the rig itself says for any customer (due wishes, the question after a dead end) is not replayed: it follows from
    screen and ledger as it did before. Recorded moves are not judged again; they must only be possible on the screen.

    Attributes:
        moves: what is still to be sent.
        goes_on: whoever plays the customer decides after them, or where the screen no longer offers one.
    """

    moves: list[RecordedMove] = field(default_factory=list)
    goes_on: bool = False
    _sent: int = 0
    _alone: bool = False
    """The record no longer leads."""

    async def _ask(self, screen: Screen) -> tuple[Move, str, str | None]:
        if self._alone:
            return await super()._ask(screen)
        if self.moves:
            why = self._not_offered(self.moves[0], screen)
            if why is None:
                step = self.moves.pop(0)
                self._sent += 1
                self._note_slips(step.move, screen)
                return step.move, step.by, None
            self._leave("left", f"recorded move {self._sent + 1} ({words(self.moves[0].move)}): {why}")
        else:
            what = "handed_over" if self.goes_on else "ended"
            self._leave(what, f"{self._sent} recorded moves were sent, and the journey is not over")
        return await super()._ask(screen)

    def _leave(self, what: str, why: str) -> None:
        self._alone = True
        self.sink.emit("replay", what=what, recorded_move=self._sent, why=why[:1000])
        if not self.goes_on:
            raise SimulatorFault(f"the replay stopped: {why}")

    def _not_offered(self, step: RecordedMove, screen: Screen) -> str | None:
        """Why the screen does not offer a recorded move; None if it does."""
        problem = guard.possible(step.move, self.ledger, screen)
        if problem is not None:
            return problem.why
        if step.move.move != "say" or not step.wants:
            return None
        now = wants(self.ledger.view.files, screen)
        if set(step.wants) & set(now):
            return None
        return f"the recorded screen wanted {', '.join(step.wants)}, this one {', '.join(now) or 'nothing of the kind'}"


def words(move: Move) -> str:
    """A move in a few words."""
    what = {
        "say": "say “" + " / ".join(move.messages) + "”", "press": f"press “{move.control}”",
        "fill": f"fill “{move.control}”", "upload": f"upload “{move.file}”",
    }  # fmt: skip
    return what.get(move.move, move.move)[:200]
