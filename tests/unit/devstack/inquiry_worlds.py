"""A small world of the inquiry app for tests, and conversations in it."""

import asyncio
import json
from typing import Any

from harness.devstack.inquiry.runtime import Agents, ControlledAgents
from harness.devstack.inquiry.talk import Picture, Talk
from harness.devstack.inquiry.turns import answer, take_message, take_picture
from harness.devstack.inquiry.world import World

WORKING, OFF_HOURS = "2026-01-05T03:00:00Z", "2026-01-05T14:30:00Z"
DOCUMENTS = {
    "moq": "The MOQ is 500 pieces per style.",
    "sample": "Stock sample: USD 5 per piece. Freight of samples is paid by the customer.",
    "payment": "T/T in USD, 30% deposit before production, 70% balance before shipment.",
    "custom": "Logo, colour, length and packaging can be customized.",
    "platform": "Beiyijia has no Alibaba.com store.",
}
POSTERS = {
    "英文快速选品海报": ("en", ["img-en-1", "img-en-2"]),
    "越南语快速选品海报": ("vi", ["img-vi-1", "img-vi-2"]),
}
WORLD: dict[str, Any] = {
    "now": WORKING,
    "products": [
        {
            "product_id": "P-7", "model": "BY-C7", "category": "cable", "tags": ["PD", "USB-C"], "description": "Braided.",
            "specifications": [
                {"Version": "USB-C to USB-C", "Power": "60W", "Length": "1 m"},
                {"Version": "USB-C to Lightning", "Power": "27W", "Length": "—"},
            ],
            "media": [{"id": "img-c7", "type": "image", "title": "BY-C7"}, {"id": "vid-c7", "type": "video", "title": "BY-C7"}],
        },
        {
            "product_id": "P-9", "model": "BY-S9", "category": "cable", "tags": ["USB-A"], "description": "Plain.",
            "specifications": [{"Version": "USB-A to USB-C", "Power": "15W", "Length": "1.2 m"}],
        },
    ],
    "knowledge": [
        *({"title": topic, "language": "en", "topics": [topic], "text": text} for topic, text in DOCUMENTS.items()),
        *(
            {"title": title, "language": language, "topics": ["poster"], "media": ids,
             "text": "\n".join(f"[IMAGE:{i}|Style]" for i in ids)}
            for title, (language, ids) in POSTERS.items()
        ),
        {"title": "Full catalogue", "language": "en", "topics": ["catalog"], "media": ["doc-1"],
         "text": "[DOCUMENT:doc-1|Beiyijia-catalog.pdf|Full catalog]"},
    ],
    "media": {
        "posters": {"en": ["img-en-1", "img-en-2"], "vi": ["img-vi-1", "img-vi-2"]},
        "poster_styles": ["A-03", "B-06"],
        "documents": [{"id": "doc-1", "file_name": "Beiyijia-catalog.pdf"}],
        "catalog_pdf": "doc-1",
        "kbvideos": ["kbv-1"],
    },
}  # fmt: skip


def talk(**changes: Any) -> Talk:
    """A conversation in which nothing was said yet."""
    world = World.model_validate_json(json.dumps({**WORLD, **changes}))
    return Talk(ref="t1", request_id="r1", world=world, base_url="http://127.0.0.1:1", lead_status=world.lead_status)


def say(conversation: Talk, *messages: str, agents: Agents | None = None) -> dict[str, Any]:
    """The customer sends messages in a row; gives the last turn of the assistant."""
    for message in messages:
        take_message(conversation, f"message-{conversation.messages}", message)
    asyncio.run(answer(conversation, agents or ControlledAgents()))
    return conversation.turns[-1]


def show(conversation: Talk, recognized: str | None, clear: bool | None = True, *messages: str) -> dict[str, Any]:
    """The customer sends a picture, with messages after it; gives the last turn."""
    picture = Picture(
        id="c-1", name="a.jpg", size=1, sha256="0" * 64, content_type="image/jpeg", recognized=recognized, clear=clear
    )
    take_picture(conversation, f"picture-{conversation.messages}", picture)
    return say(conversation, *messages)


def replies(conversation: Talk) -> list[str]:
    """What was said to the customer, in order."""
    return [t["reply_text"] for t in conversation.turns if t["role"] == "assistant" and t["reply_text"] is not None]


def outputs(conversation: Talk) -> list[tuple[str, bool, bool, str]]:
    """Decisions: phase, auto, force, intent."""
    found = []
    for turn in conversation.turns:
        if made := turn.get("conversion"):
            data = json.loads(made["output"])
            found.append(
                (made["phase"], data["shouldAutoConvert"], data["shouldForceHumanTakeover"], data["conversationIntent"])
            )
    return found
