"""The conversion assistant, by rule: it decides in the background and puts out one JSON object."""

import json
from dataclasses import dataclass
from typing import Literal

from harness.devstack.inquiry.talk import Talk
from harness.devstack.inquiry.understand import Heard

Phase = Literal["inbound", "post_reply"]
PICTURES = frozenset(
    {"qr", "cable", "connector", "plug", "charger", "packaging", "catalog", "poster", "style_code", "spec"}
)
"""What a customer's picture must show to be evidence."""
TOPICS = frozenset(
    {"price", "discount", "freight", "tariff", "moq", "sample", "custom", "certification", "lead_time", "shipping"}
)
"""Asking for one of these after the posters is business information."""


@dataclass(frozen=True)
class Decision:
    """One decision."""

    auto: bool
    """Make an opportunity of the lead."""
    force: bool
    """Stop the assistant's replies and give the talk to a person."""
    intent: str

    def output(self) -> str:
        """The one JSON object."""
        fields = {
            "shouldAutoConvert": self.auto, "shouldForceHumanTakeover": self.force, "conversationIntent": self.intent,
        }  # fmt: skip
        return json.dumps(fields, separators=(",", ":"))


def information(heard: Heard) -> list[str]:
    """The business information of an utterance, a word each; none in what is for the customer's own use."""
    if "own_use" in heard.flags or heard.nods:
        return []
    values = [f"{key}={value}" for key, value in heard.values.items()]
    topics = [f"asks {topic}" for topic in heard.topics if topic in TOPICS]
    return [*values, *topics, *(flag for flag in ("wechat", "picks_style") if flag in heard.flags)]


def has_evidence(talk: Talk, heard: Heard) -> bool:
    """A picture of the customer's that shows business; or news after a complete set of posters."""
    if any(
        p["recognized"] in PICTURES and (p["clear"] is not False or p["recognized"] == "qr") for p in heard.pictures
    ):
        return True
    return talk.posters_complete and bool(set(information(heard)) - set(talk.told))


def inbound(talk: Talk, heard: Heard) -> Decision:
    """On the customer's newest message, before the reply."""
    hit = has_evidence(talk, heard)
    wants_person = "asks_person" in heard.flags
    return Decision(
        auto=hit and not talk.converted, force=talk.working and (hit or wants_person), intent=intent(talk, heard)
    )


def post_reply(talk: Talk) -> Decision:
    """After a reply was published: a person takes over once the closing has really gone out."""
    done = talk.converted and talk.hit and talk.closed and talk.reply_published is True
    return Decision(auto=False, force=done, intent=talk.intent)


def intent(talk: Talk, heard: Heard) -> str:
    """`harassment` for insults and spam, `off_topic` for what has nothing to do with the business, else `business`."""
    if "insult" in heard.flags:
        return "harassment"
    if "off_topic" in heard.flags and not heard.about_product and not heard.values:
        return "off_topic"
    return "business"
