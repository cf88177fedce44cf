"""Recorded moves are sent again by what is visible, and no further than the screen offers them."""

import asyncio
from typing import Any

import pytest

from harness.customer.conduct import Conduct
from harness.customer.guard import possible
from harness.customer.person import PausingPlayer, PersonPlayer
from harness.customer.players import RulePlayer
from harness.customer.replayed import ReplayedConduct, wants
from harness.errors import SimulatorFault
from harness.schema.move import Move, act, say
from harness.schema.order import PersonReply, PersonRequest, RecordedMove
from harness.schema.screen import Screen
from tests.support.views import button, ledger, screen, upload, view
from tests.unit.customer.test_conduct import Events

WHEN, PLATE = "When did it happen?", "What is the registration number of your car?"


def recorded(move: Move, shown: Screen, by: str = "model") -> RecordedMove:
    return RecordedMove(move=move, by=by, turn=1, wants=wants(view().files, shown))


def replayed(*moves: RecordedMove, goes_on: bool = False) -> tuple[ReplayedConduct, Events]:
    events = Events()
    one = ReplayedConduct(RulePlayer(), ledger(), events, 1, 4, moves=list(moves), goes_on=goes_on)
    return one, events


def decide(one: Conduct, shown: Screen) -> Any:
    return asyncio.run(one.decide(shown))


def test_what_a_screen_wants_is_told_by_its_words_and_cards() -> None:
    """Facts that are asked for, files that an upload control names, and a summary to be confirmed."""
    files = view().files
    assert wants(files, screen(f"{WHEN} {PLATE}")) == ["incident_date", "plate"]
    assert wants(files, screen("Please upload a photo.", upload("Upload photo of the damage"))) == ["file:photo.jpg"]
    assert "confirmation" in wants(files, screen("You said 9 March 2026. Is that right?"))
    assert wants(files, screen("Thank you.")) == []


def test_moves_are_sent_in_order_without_judging_them_again() -> None:
    """A stand-in that any guard would refuse now goes out as it did, and keeps its mark."""
    stand_in = say("I don't know, sorry.")
    one, events = replayed(recorded(stand_in, screen(PLATE), "stand_in"), recorded(say("9 March 2026."), screen(WHEN)))
    assert decide(one, screen(PLATE)) == (stand_in, "stand_in", None)
    assert decide(one, screen(f"Thanks. {WHEN}"))[0].messages == ["9 March 2026."]
    assert events.of("replay") == [] and events.of("move_rejected") == []
    assert [e["slip"] for e in events.of("slip")] == ["denied"]


@pytest.mark.parametrize(
    ("move", "then", "now", "why"),
    [
        (say("9 March 2026."), screen(WHEN), screen(PLATE), "wanted incident_date, this one plate"),
        (act("press", control="Yes"), screen("", button("Yes")), screen(WHEN), "no enabled control “Yes”"),
        (act("press", control="Yes"), screen("", button("Yes")), screen(WHEN, button("Yes", enabled=False)), "“Yes”"),
        (act("upload", file="photo of my rear bumper"), screen("", upload("Photo")), screen(WHEN), "no upload control"),
        (act("upload", file="my cat"), screen("", upload("Photo")), screen("", upload("Photo")), "no file called"),
    ],
)
def test_a_screen_that_no_longer_offers_the_move_stops_the_replay(
    move: Move, then: Screen, now: Screen, why: str
) -> None:
    """Nothing is sent; the record says how many moves were, and in which way the screen differs."""
    one, events = replayed(recorded(move, then))
    with pytest.raises(SimulatorFault, match="the replay stopped"):
        decide(one, now)
    (note,) = events.of("replay")
    assert note["what"] == "left" and note["recorded_move"] == 0 and why in note["why"]


def test_a_customer_goes_on_where_the_screen_no_longer_offers_the_move() -> None:
    """With a customer who goes on, their own move answers the new screen, and no recorded one is sent any more."""
    one, events = replayed(recorded(say("9 March 2026."), screen(WHEN)), goes_on=True)
    assert decide(one, screen(PLATE))[:2] == (say("It's LK21 ABO.", asked=["plate"], used=["plate"]), "rule")
    assert decide(one, screen(WHEN))[1] == "rule"
    assert [e["what"] for e in events.of("replay")] == ["left"]


@pytest.mark.parametrize(("goes_on", "what"), [(True, "handed_over"), (False, "ended")])
def test_after_the_last_move_a_fork_goes_on_and_a_replay_ends(goes_on: bool, what: str) -> None:
    """A journey that is not over when the record is: the customer of a fork decides, a replay has nobody who could."""
    one, events = replayed(recorded(say("9 March 2026."), screen(WHEN)), goes_on=goes_on)
    assert decide(one, screen(WHEN))[1] == "model"
    if goes_on:
        assert decide(one, screen(PLATE))[1] == "rule"
    else:
        with pytest.raises(SimulatorFault, match="1 recorded moves were sent"):
            decide(one, screen(PLATE))
    assert [(e["what"], e["recorded_move"]) for e in events.of("replay")] == [(what, 1)]


def test_what_the_rig_says_for_any_customer_is_not_waited_for_in_the_record() -> None:
    """A dead end gets the rig's own question, without using up a recorded move."""
    one, _ = replayed(recorded(say("9 March 2026."), screen(WHEN)))
    assert decide(one, screen("Thank you."))[1] == "dead_end"
    assert decide(one, screen(WHEN))[0].messages == ["9 March 2026."]


class Someone:
    """A person who types from a list; None leaves the move to the customer."""

    def __init__(self, *moves: Move | None) -> None:
        self.moves, self.asked = list(moves), list[PersonRequest]()

    async def ask_person(self, request: PersonRequest) -> PersonReply:
        """The next one."""
        self.asked.append(request)
        return PersonReply(move=self.moves.pop(0))


def test_a_person_is_asked_again_only_for_what_cannot_be_done() -> None:
    """Words of a person's own go out as they are; a control that is not there is refused, said, and asked for again."""
    person, events = Someone(act("press", control="No such"), say("It was a red bus.")), Events()
    one = Conduct(PersonPlayer(person, lambda: 2), ledger(), events, 1000, 4, possible)
    move, by, _ = decide(one, screen(PLATE))
    assert (move.messages, by) == (["It was a red bus."], "person")
    assert [r.refused for r in person.asked] == [None, "no_such_control"]
    assert person.asked[0].turn == 2 and [f.state for f in person.asked[0].files] == ["have", "later"]


def test_a_run_pauses_once_and_the_person_may_move_instead() -> None:
    """Before the turn that was named the person is asked; Enter leaves the move to the customer, and so are all later ones."""
    turn = 1
    person, events = Someone(say("It's LK21 ABO.")), Events()
    player = PausingPlayer(RulePlayer(), person, lambda: turn, pause_at=3)
    one = Conduct(player, ledger(), events, 4, 4)
    assert decide(one, screen(WHEN))[1] == "rule" and not person.asked
    turn = 2
    assert decide(one, screen(PLATE, seq=2))[1] == "person"
    assert person.asked[0].may_pass
    turn = 3
    assert decide(one, screen("Where did it happen?", seq=3))[1] == "rule" and len(person.asked) == 1
    passing = Someone(None)
    other = Conduct(PausingPlayer(RulePlayer(), passing, lambda: 5, 3), ledger(), Events(), 4, 4)
    assert decide(other, screen(WHEN))[1] == "rule" and decide(other, screen(PLATE, seq=2))[1] == "rule"
    assert len(passing.asked) == 1
