"""Customers that play badly in one way each: what a model would say that knows its part and does not keep to it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.schema.events import SlipKind
from tests.support.desk import Behaviour
from tests.support.stub_endpoint import obedient

Bends = Callable[[dict[str, Any], str], str]
"""(the obedient move, the prompt) -> the reply instead."""


def _dump(obeys: dict[str, Any], **changes: Any) -> str:
    return json.dumps({**obeys, **changes}, ensure_ascii=False)


def says(*messages: str) -> Bends:
    """These words, whatever was asked."""
    return lambda move, _: _dump(move, move="say", messages=list(messages), control="", file="")


def adds(words: str) -> Bends:
    """The right answer, and these words behind it; other moves stay."""
    return lambda move, _: _dump(move, messages=[f"{' '.join(move['messages'])} {words}"] if move["messages"] else [])


def _tells_all(move: dict[str, Any], prompt: str) -> str:
    facts = re.findall(r"^[a-z_]+ \| [^|]* \| (.*)$", prompt, re.MULTILINE)
    return _dump(move, messages=[" ".join([*move["messages"], *facts])] if move["messages"] else [])


def _denies(move: dict[str, Any], prompt: str) -> str:
    return _dump(move, messages=["I'm afraid I don't know that."]) if move["messages"] else _dump(move)


@dataclass(frozen=True)
class StandIn:
    """One way to play badly."""

    name: str
    kind: SlipKind
    bends: Bends

    def always(self) -> Behaviour:
        """At every turn, however often it is asked again."""
        return lambda _number, body: self.bends(obedient(body), str(body["messages"][-1]["content"]))

    def once(self) -> Behaviour:
        """At the first question about the police, until it is asked again."""
        done: list[int] = []

        def behaviour(number: int, body: dict[str, Any]) -> str:
            prompt = str(body["messages"][-1]["content"])
            if "police" in prompt.split("ON YOUR SCREEN NOW")[1] and not done:
                done.append(number)
                return self.bends(obedient(body), prompt)
            return good(number, body)

        return behaviour


def good(_number: int, body: dict[str, Any]) -> str:
    """The obedient move."""
    return json.dumps(obedient(body), ensure_ascii=False)


STAND_INS = (
    StandIn("invents", "hallucination", adds("The other car was red.")),
    StandIn("contradicts itself", "inconsistent", says("Yes, somebody was hurt.")),
    StandIn("volunteers", "revealed_early", _tells_all),
    StandIn("corrects", "corrected", adds("You misread what I wrote.")),
    StandIn("hints", "hinted", adds("You should also ask about the garage.")),
    StandIn("flips roles", "role_flip", says("How can I help you today?")),
    StandIn("puts the company's questions", "role_flip", says("Could you tell me the registration number?")),
    StandIn("loops", "looping", says("It is just as I said.")),
    StandIn("ends early", "premature_end", lambda move, _: _dump(move, move="leave", messages=[], control="", file="")),
    StandIn("takes leave", "premature_end", adds("I have to go now, goodbye.")),
    StandIn("answers in Chinese", "language_drift", says("我把一切都说了，谢谢。")),
    StandIn("answers in German", "language_drift", says("Das ist nicht mein Auto, und ich war nicht da.")),
    StandIn("sends nothing", "empty_or_malformed", says(" ")),
    StandIn("thinks aloud", "reasoning", adds("As the customer, I should now wait.")),
    StandIn("denies what it knows", "denied", _denies),
)
