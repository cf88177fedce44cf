"""Ask, check, refuse whole, ask again, at last the stand-in."""

import asyncio
from typing import Any

import pytest

from harness.customer.conduct import Conduct
from harness.customer.players import Decision, ModelPlayer, ScriptedPlayer
from harness.errors import EnvironmentFault, GateClosed, SimulatorFault
from harness.schema.move import Move, say
from harness.schema.order import ModelReply
from harness.schema.screen import Screen
from tests.support.views import button, ledger, screen, upload


class Events(list[dict[str, Any]]):
    """A sink that keeps what it gets."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Keep one event."""
        self.append({"kind": kind, **fields})
        return len(self)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Events of a kind."""
        return [e for e in self if e["kind"] == kind]


class Replies:
    """A gate that answers from a list and remembers the notes it was given."""

    def __init__(self, *replies: str | ModelReply) -> None:
        self.replies = list(replies)
        self.notes: list[str | None] = []

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """The next reply."""
        self.notes.append(note)
        got = self.replies.pop(0)
        return (
            got
            if isinstance(got, ModelReply)
            else ModelReply(call=f"c{len(self.notes)}", outcome="ok" if got else "empty", text=got, why="")
        )


def conduct(*replies: str | ModelReply, tries: int = 4, limit: int = 4) -> tuple[Conduct, Events, Replies]:
    events, port = Events(), Replies(*replies)
    return Conduct(ModelPlayer(port, "model"), ledger(), events, tries, limit), events, port


def decide(one: Conduct, shown: Screen) -> tuple[Move, str, str | None] | None:
    return asyncio.run(one.decide(shown))


GOOD = '{"move":"say","messages":["It was on 9 March 2026."],"used":["incident_date"],"asked":["incident_date"]}'
RED = '{"move":"say","messages":["The other car was red."]}'


def test_a_bad_move_is_refused_whole_and_asked_for_again_with_another_note() -> None:
    """Each retry says something else; the refused text is logged and counted; the good move goes through unedited."""
    one, events, port = conduct(RED, RED, "", GOOD)
    decided = decide(one, screen("When did it happen?"))
    assert decided is not None
    assert decided[0].messages == ["It was on 9 March 2026."]
    assert decided[2] == "c4"
    assert port.notes == [None, "ungrounded", "ungrounded_2", "empty"]
    assert [e["problem"] for e in events.of("move_rejected")] == ["ungrounded", "ungrounded", "empty"]
    assert [e["delivered"] for e in events.of("slip")] == [False, False, False]
    assert one.slips == {"hallucination": 2, "empty_or_malformed": 1}


def test_after_all_tries_the_stand_in_speaks_and_is_marked() -> None:
    """The persona's own “I don't know”, by `stand_in`; too many of them end the journey as the simulator's fault."""
    one, events, _ = conduct(*[RED] * 4, limit=1)
    decided = decide(one, screen("When did it happen?"))
    assert decided is not None
    assert (decided[0].messages, decided[1]) == (["I don't know, sorry."], "stand_in")
    assert len(events.of("move_rejected")) == 4
    one.player = ScriptedPlayer([say("The other car was red.")] * 4)
    with pytest.raises(SimulatorFault, match="no usable move on 2 screens"):
        decide(one, screen("Where did it happen?"))


def test_a_stand_in_cannot_speak_into_a_dialog() -> None:
    """Where nothing can be typed, a customer without a move is the simulator's fault."""
    one, _, _ = conduct(*[RED] * 4)
    shown = screen("", button("Yes, that is right"), dialog="Is this right?")
    shown = shown.model_copy(update={"controls": [c for c in shown.controls if c.kind != "composer"]})
    with pytest.raises(SimulatorFault, match="nothing can be typed"):
        decide(one, shown)


def test_empty_twice_then_a_refusal_is_the_simulators_fault_not_the_products() -> None:
    """Refusals and cut replies are malformed moves; each is asked for again with a varied note."""
    refusal = ModelReply(call="c3", outcome="refusal", text="I can't help with that.", why="the model refused")
    one, events, port = conduct("", "", refusal, "", limit=0)
    with pytest.raises(SimulatorFault):
        decide(one, screen("When did it happen?"))
    assert [e["slip"] for e in events.of("slip")] == ["empty_or_malformed"] * 4
    assert port.notes == [None, "empty", "empty", "malformed"]


def test_the_gate_and_the_endpoint_are_not_the_customers_fault() -> None:
    """A closed gate and a dead endpoint end the journey under their own names."""
    closed = ModelReply(call="", outcome="gate_closed", text="", why="gate closed by canary: x")
    with pytest.raises(GateClosed):
        decide(conduct(closed)[0], screen("When?"))
    down = ModelReply(call="", outcome="endpoint_down", text="", why="HTTP 429")
    with pytest.raises(EnvironmentFault, match="429"):
        decide(conduct(down)[0], screen("When?"))


def test_a_dead_end_gets_one_neutral_question_then_the_journey_ends() -> None:
    """A reply that leaves nothing to do is answered once, by no model; the second in a row is the product's dead end."""
    one, _, port = conduct()
    first = decide(one, screen("Thank you, I have noted that."))
    assert first is not None
    assert (first[0].messages, first[1]) == (["Is there anything else I need to do?"], "dead_end")
    assert decide(one, screen("Thank you.", seq=2)) is None
    assert port.notes == []


def test_words_that_come_with_the_end_are_delivered_first() -> None:
    """The journey ends by what the screen shows, never by what the customer says: “yes, go ahead” is a message like any other."""
    one, events, _ = conduct('{"move":"say","messages":["Yes, go ahead. STOP"]}')
    decided = decide(one, screen("Shall I send it?"))
    assert decided is not None
    assert decided[0].messages == ["Yes, go ahead. STOP"]
    assert events.of("move_rejected") == []


def test_the_claim_ledger_follows_what_was_said() -> None:
    """Facts told, unknowns told, promises, wishes and files are events of their own, each fact once."""
    one, events, _ = conduct()
    one.took_opening(one.ledger.view.initial_message)
    asked = screen("What is the plate, and the other driver's name?")
    one.took_message("It's LK21 ABO. I don't know, sorry.", asked)
    one.took_message("It's LK21 ABO.", asked)
    asyncio.run(_see(one, screen("Please upload the repair quote.", upload("Upload repair quote"))))
    one.took_message("The garage is still writing it, I'll have it soon.", screen("Please upload the repair quote."))
    one.took_message("Will this affect my no claims bonus?", screen("Thank you."))
    one.took_file("photo.jpg")
    got = [(e["entry"], e["id"], e["how"]) for e in events.of("ledger")]
    assert got == [
        ("fact_told", "incident_date", "opening"),
        ("fact_told", "plate", "answer"),
        ("unknown_told", "other_driver", "answer"),
        ("file_asked", "quote.pdf", "answer"),
        ("file_promised", "quote.pdf", "answer"),
        ("wish_put", "bonus", "wish"),
        ("file_handed_over", "photo.jpg", "answer"),
    ]


async def _see(one: Conduct, shown: Screen) -> None:
    one.player = ScriptedPlayer([say("The garage is still writing it, I'll have it soon.")])
    await one.decide(shown)


def test_a_decision_without_move_or_problem_cannot_pass() -> None:
    """A player that gives neither is refused as an empty reply."""

    class Nothing:
        async def decide(self, _ledger: object, _screen: object, _note: object) -> Decision:
            return Decision(None, "", "model", None, malformed="")

    one = Conduct(Nothing(), ledger(), Events(), tries=1, stand_in_limit=0)
    with pytest.raises(SimulatorFault):
        decide(one, screen("When did it happen?"))
