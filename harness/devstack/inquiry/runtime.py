"""The seam between the conversation and whatever thinks for the two agents."""

from typing import Literal, Protocol

from harness.devstack.inquiry import conversion
from harness.devstack.inquiry.assistant import Draft, compose
from harness.devstack.inquiry.conversion import Phase
from harness.devstack.inquiry.defects import bend_decision, bend_reply
from harness.devstack.inquiry.talk import Talk
from harness.devstack.inquiry.tools import Tools
from harness.devstack.inquiry.understand import Heard


class Agents(Protocol):
    """The inquiry assistant and the conversion assistant."""

    name: Literal["controlled", "model"]
    model: str | None

    async def reply(self, talk: Talk, heard: Heard, tools: Tools) -> Draft:
        """What is said to the customer; looks things up with `tools`."""

    async def decide(self, talk: Talk, heard: Heard, phase: Phase) -> str:
        """All that the conversion assistant puts out, to the letter."""


class ControlledAgents:
    """Both agents by rule; they follow the manual, but for the faults that the seed has switched on."""

    name: Literal["controlled", "model"] = "controlled"
    model: str | None = None

    async def reply(self, talk: Talk, heard: Heard, tools: Tools) -> Draft:
        """By rule."""
        return bend_reply(compose(talk, heard, tools), talk, heard, tools)

    async def decide(self, talk: Talk, heard: Heard, phase: Phase) -> str:
        """By rule."""
        made = conversion.inbound(talk, heard) if phase == "inbound" else conversion.post_reply(talk)
        return bend_decision(made.output(), talk, heard, phase)
