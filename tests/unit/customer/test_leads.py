"""A customer who leads the talk: what they came for is put where a reply leaves nothing else to do."""

import asyncio
from typing import Any

from harness.customer.conduct import Conduct
from harness.customer.ledger import ClaimLedger
from harness.customer.players import RulePlayer
from harness.schema.screen import Block, Control, Screen
from harness.schema.visible import Wish
from tests.support.views import view

COMPOSER = Control(kind="composer", name="Write here", part="page", enabled=True)
LINK = Control(kind="link", name="Our website", part="reply", enabled=True)


class Sink:
    """Keeps nothing."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Dropped."""
        return 0


def conduct(leads: bool = True) -> Conduct:
    """A customer with two questions of their own."""
    base = view()
    wishes = [
        Wish(id=f"w{n}", kind="question", say=f"What about {what}?", after_customer_messages=1)
        for n, what in enumerate(("samples", "delivery"))
    ]
    persona = base.persona.model_copy(update={"leads": leads})
    ledger = ClaimLedger(base.model_copy(update={"persona": persona, "wishes": wishes}))
    made = Conduct(RulePlayer(), ledger, Sink(), tries=1, stand_in_limit=4)
    made.took_opening("Hello")
    return made


def screen(text: str, *controls: Control) -> Screen:
    """A reply and what can be used."""
    return Screen(seq=1, blocks=[Block(part="reply", text=text)], controls=[COMPOSER, *controls])


async def next_words(who: Conduct, shown: Screen) -> str:
    """The move's words, taken as said; `leave` if the customer goes."""
    decided = await who.decide(shown)
    assert decided is not None
    move = decided[0]
    if move.move == "say":
        who.took_message(move.messages[0], shown)
    return move.messages[0] if move.move == "say" else move.move


async def all_moves(who: Conduct, shown: Screen) -> list[str]:
    """Three moves on like screens."""
    return [await next_words(who, shown) for _ in range(3)]


def test_wishes_are_put_one_by_one_and_then_the_customer_goes() -> None:
    """A reply without a question is no dead end while something is left to ask, with a link in it or without."""

    for shown in (screen("It is noted."), screen("Here is our website.", LINK)):
        moves = asyncio.run(all_moves(conduct(), shown))
        assert moves == ["What about samples?", "What about delivery?", "leave"]


def test_only_a_wish_of_one_who_leads_goes_alone() -> None:
    """`just_led` is set for it, and not for an answer."""

    who = conduct()
    asyncio.run(next_words(who, screen("It is noted.")))
    assert who.just_led
    asyncio.run(who.decide(screen("What is your name?")))
    assert not who.just_led


def test_who_does_not_lead_meets_a_dead_end_at_the_second_such_reply() -> None:
    """As before: one wish or nudge, then there is nothing to do."""

    async def twice() -> object:
        who = conduct(leads=False)
        await next_words(who, screen("It is noted."))
        return await who.decide(screen("It is noted."))

    assert asyncio.run(twice()) is None
