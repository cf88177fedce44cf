"""Faults of the conversion assistant: what it puts out is bent."""

import json
from typing import Any, Literal

from harness.devstack.inquiry import conversion
from harness.devstack.inquiry.talk import Talk
from harness.devstack.inquiry.understand import Heard

Phase = Literal["inbound", "post_reply"]
_AUTO, _FORCE, _INTENT = "shouldAutoConvert", "shouldForceHumanTakeover", "conversationIntent"


def background_calls(talk: Talk, heard: Heard) -> list[dict[str, Any]]:
    """Tools that the conversion assistant calls: none, unless a fault has it write into the form."""
    if "writes_form" not in talk.defects or not heard.values:
        return []
    return [{"name": "inquiry_form_update", "arguments": dict(heard.values), "result": {"ok": True}}]


def bend_decision(output: str, talk: Talk, heard: Heard, phase: Phase) -> str:
    """The output as the faults that are switched on leave it."""
    if not talk.defects:
        return output
    made: dict[str, Any] = json.loads(output)
    on = set(talk.defects)
    inbound = phase == "inbound"
    by_picture = any(p["recognized"] in conversion.PICTURES for p in heard.pictures)
    wants_person = "asks_person" in heard.flags
    ignored = "picture_ignored" if by_picture else "information_ignored"
    if inbound and made[_AUTO] and ignored in on:
        made[_AUTO] = made[_FORCE] = False
    if inbound and made[_AUTO]:
        if "kept_in_working_hours" in on and talk.working:
            made[_FORCE] = False
        if "person_before_closing" in on and not talk.working:
            made[_FORCE] = True
        if "clock_of_the_server" in on:
            made[_FORCE] = 9 <= talk.world.clock(talk.messages).hour < 20
    if inbound and "person_refused" in on and wants_person and not made[_AUTO]:
        made[_FORCE] = False
    if "converts_again" in on and talk.converted:
        made[_AUTO] = True
    if not inbound and "kept_after_closing" in on:
        made[_FORCE] = False
    if not inbound and "person_without_closing" in on:
        made[_FORCE] = True
    if "converts_without_posters" in on and inbound and conversion.information(heard) and not talk.posters_complete:
        made[_AUTO] = not talk.converted
    if "intent_misread" in on and "price" in heard.topics:
        made[_INTENT] = "harassment"
    text = json.dumps(made, separators=(",", ":"))
    return f"```json\n{text}\n```" if "json_in_a_fence" in on else text
