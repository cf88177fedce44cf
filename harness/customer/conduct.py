"""From a screen to a move that may be carried out: ask, check, refuse whole, ask again, at last the stand-in."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from harness.customer import guard, rule
from harness.customer.ledger import ClaimLedger
from harness.customer.players import Decision, Player
from harness.errors import SimulatorFault
from harness.schema.events import SlipKind
from harness.schema.move import Move, act, say
from harness.schema.screen import Screen
from harness.schema.spoilt import Delivered, spoilt
from harness.schema.wording import asked_facts, fold, nothing_to_do


class Sink(Protocol):
    """Where events go (`harness.record.Recorder`)."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Write one event."""
        ...


Check = Callable[[Move, ClaimLedger, Screen], guard.Problem | None]


@dataclass
class Conduct:
    """The conduct of one customer in one journey.

    Attributes:
        tries: how often a refused move is asked for again before the stand-in speaks.
        stand_in_limit: more stand-ins than this end the journey with SimulatorFault.
    """

    player: Player
    ledger: ClaimLedger
    sink: Sink
    tries: int
    stand_in_limit: int
    check: Check = guard.check
    """Says what is wrong with a move before it is carried out."""
    rejected: int = 0
    stand_ins: int = 0
    dead_ends: int = 0
    slips: dict[str, int] | None = None
    delivered: list[Delivered] = field(default_factory=list)
    """Slips that reached the product; of what was kept back only what still is."""
    just_led: bool = False
    """The newest move is a wish of one who leads: it goes alone."""

    async def decide(self, screen: Screen) -> tuple[Move, str, str | None] | None:
        """(move, by, call) for this screen; None when the product left nothing to do twice in a row.

        A reply that leaves nothing to do gets a due wish or one neutral question, said by the rig for any customer, so that a
        silent product is not taken for a silent customer.
        """
        self._note_files(screen)
        self.just_led = False
        can_type = any(c.kind == "composer" and c.enabled for c in screen.controls)
        open_end = nothing_to_do(screen) and can_type
        if self.ledger.view.persona.leads and can_type and nothing_to_do(_without_links(screen)):
            wish = self.ledger.wish_due()
            self.just_led = wish is not None
            return (say(wish.say), "wish", None) if wish else (act("leave"), "dead_end", None)
        if open_end:
            self.dead_ends += 1
            if self.dead_ends > 1:
                return None
            wish = self.ledger.wish_due()
            return say(wish.say if wish else rule.nudge(self.ledger.view.persona.language)), "dead_end", None
        self.dead_ends = 0
        return await self._ask(screen)

    async def _ask(self, screen: Screen) -> tuple[Move, str, str | None]:
        """(move, by, call) of whoever plays the customer, or of the stand-in."""
        note: str | None = None
        seen: dict[str, int] = {}
        for _ in range(self.tries):
            decision = await self.player.decide(self.ledger, screen, note)
            problem = self._problem(decision, screen)
            if decision.move is not None and problem is None:
                self._note_slips(decision.move, screen)
                return decision.move, decision.by, decision.call
            if problem is None:
                raise SimulatorFault("a reply without a move and without a problem")
            seen[problem.note] = seen.get(problem.note, 0) + 1
            note = "ungrounded_2" if problem.note == "ungrounded" and seen["ungrounded"] > 1 else problem.note
            self.rejected += 1
            self.sink.emit(
                "move_rejected",
                problem=problem.problem,
                why=problem.why[:1000],
                note=note,
                call=decision.call,
                raw=decision.raw[:4000],
            )
            self._count(problem.slip)
            self.sink.emit(
                "slip", slip=problem.slip, severity=problem.severity, why=problem.why[:1000], delivered=False, about=[]
            )
        self.stand_ins += 1
        if self.stand_ins > self.stand_in_limit:
            raise SimulatorFault(f"no usable move on {self.stand_ins} screens")
        move = rule.stand_in(self.ledger)
        if not any(c.kind == "composer" and c.enabled for c in screen.controls):
            raise SimulatorFault("no usable move, and nothing can be typed on this screen")
        self._note_slips(move, screen)
        return move, "stand_in", None

    def spoilt(self) -> str | None:
        """Why the journey says nothing of the product, by what the customer did so far; None if it does."""
        return spoilt(self.delivered)

    def _note_files(self, screen: Screen) -> None:
        for file in rule.wanted_files(self.ledger, screen):
            if file.file not in self.ledger.asked_for:
                self.ledger.asked_for[file.file] = len(self.ledger.messages)
                self.sink.emit("ledger", entry="file_asked", id=file.file, how="answer")

    def _note_slips(self, move: Move, screen: Screen) -> None:
        for kind, severity, why, about in guard.slips(move, self.ledger, screen):
            self._count(kind)
            self.delivered.append(Delivered(kind, severity, frozenset(about)))
            self.sink.emit("slip", slip=kind, severity=severity, why=why[:1000], delivered=True, about=list(about))

    def _count(self, kind: SlipKind) -> None:
        self.slips = self.slips or {}
        self.slips[kind] = self.slips.get(kind, 0) + 1

    def _problem(self, decision: Decision, screen: Screen) -> guard.Problem | None:
        if decision.move is None:
            why = decision.malformed or "an empty reply"
            return guard.Problem("malformed" if decision.malformed else "empty", why, "empty_or_malformed", "minor")
        return self.check(decision.move, self.ledger, screen)

    def _given(self, what: str) -> None:
        self.delivered = [d.given(what) for d in self.delivered]

    def took_opening(self, message: str) -> None:
        """The first message was sent: it tells what it tells."""
        self._said(message, asked=[], how="opening")

    def took_message(self, message: str, screen: Screen) -> None:
        """A message was sent in answer to this screen."""
        live = "\n".join(b.text for b in screen.blocks if b.part in ("reply", "card", "dialog", "notice"))
        wish = self.ledger.wish_due()
        if wish is not None and fold(wish.say) in fold(message):
            self.ledger.wishes_put.add(wish.id)
            self.sink.emit("ledger", entry="wish_put", id=wish.id, how="wish")
        self._said(message, asked=asked_facts(live), how="answer")
        for file in self.ledger.view.files:
            promise = file.available.promise
            if promise and fold(promise) in fold(message) and file.file not in self.ledger.promised:
                self.ledger.promised.add(file.file)
                self._given(file.file)
                self.sink.emit("ledger", entry="file_promised", id=file.file, how="answer")

    def took_file(self, name: str, how: Literal["opening", "answer", "wish"] = "answer") -> None:
        """A file was handed over and the page shows it."""
        self.ledger.handed.add(name)
        self._given(name)
        self.sink.emit("ledger", entry="file_handed_over", id=name, how=how)

    def took_yes(self) -> None:
        """A summary was confirmed."""
        self.sink.emit("ledger", entry="confirmed_value", id="summary", how="answer")

    def _said(self, message: str, asked: list[str], how: str) -> None:
        self.ledger.messages.append(message)
        for fact in self.ledger.newly_told(message, asked):
            self._given(fact)
            if fact not in self.ledger.told:
                self.ledger.told[fact] = len(self.ledger.messages)
                self.sink.emit(
                    "ledger", entry="fact_told", id=fact, how=how if how == "opening" or fact in asked else "unasked"
                )
        for unknown in self.ledger.unknown_told(message, asked):
            self.sink.emit("ledger", entry="unknown_told", id=unknown, how=how)


def _without_links(screen: Screen) -> Screen:
    """The screen but for its links: what is sent to be read asks for nothing."""
    return screen.model_copy(update={"controls": [c for c in screen.controls if c.kind != "link"]})
