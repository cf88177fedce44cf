"""One turn of the conversation: both agents are asked, and what they put out takes effect."""

import json
import secrets
from typing import Any

from harness.devstack.inquiry.assistant import Draft
from harness.devstack.inquiry.conversion import Decision, Phase, information
from harness.devstack.inquiry.defects import background_calls
from harness.devstack.inquiry.language import tongue
from harness.devstack.inquiry.markers import Marker, delivered, pieces
from harness.devstack.inquiry.phrases import phrase
from harness.devstack.inquiry.runtime import Agents
from harness.devstack.inquiry.talk import CONVERTED, Entry, Picture, Talk
from harness.devstack.inquiry.tools import Tools
from harness.devstack.inquiry.understand import hear

_INTENTS = ("business", "off_topic", "harassment")


def take_message(talk: Talk, message_id: str, text: str) -> Entry:
    """The customer has written."""
    talk.messages += 1
    talk.turns.append({"role": "customer", "id": message_id, "text": text, "created_at": talk.at, "images": []})
    entry = Entry(id=message_id, who="customer", text=text)
    talk.entries.append(entry)
    return entry


def take_picture(talk: Talk, message_id: str, picture: Picture) -> Entry:
    """The customer has sent a picture."""
    talk.messages += 1
    image = {"id": picture.id, "recognized": picture.recognized, "clear": picture.clear}
    talk.turns.append({"role": "customer", "id": message_id, "text": "", "created_at": talk.at, "images": [image]})
    talk.pictures.append(picture)
    entry = Entry(id=message_id, who="customer", kind="file", target=picture.id, file_name=picture.name)
    talk.entries.append(entry)
    return entry


async def answer(talk: Talk, agents: Agents) -> None:
    """Deal with the customer's messages that wait, as one utterance."""
    waiting = talk.waiting
    if not waiting:
        return
    messages_before = talk.messages - len(waiting)
    heard = hear([t["text"] for t in waiting if t["text"]], [i for t in waiting for i in t["images"]], talk.world)
    for turn in waiting:
        talk.language = tongue(turn["text"], talk.language)
    talk.done = len(talk.turns)
    if talk.hand_over is not None:
        return
    shown = _staff_pictures(talk, messages_before)
    first, before = talk.first, talk.context()
    output = await agents.decide(talk, heard, "inbound")
    decision = read_decision(output)
    calls = background_calls(talk, heard)
    inbound: dict[str, Any] | None = {"phase": "inbound", "output": output, "tool_calls": calls}
    talk.intent = decision.intent
    closing_next = decision.auto and not decision.force
    acts = decision.auto or decision.force
    if acts and (closing_next or not first):
        _background(talk, before, inbound, shown)
        inbound, shown = None, []
        _take_effect(talk, decision, "inbound")
        before = talk.context()
    if talk.hand_over is None and not (talk.closed and talk.converted):
        tools = Tools(talk.world, talk.base_url)
        pending = talk.next_field
        draft = await agents.reply(talk, heard, tools)
        _publish(talk, draft, tools, pending, before, inbound, shown)
        if inbound is not None:
            _take_effect(talk, decision, "inbound")
    elif inbound is not None:
        _background(talk, before, inbound, shown)
    talk.form |= heard.values
    if heard.models:
        talk.form["product"] = heard.models[0]
    talk.told += [i for i in information(heard) if i not in talk.told]
    if talk.converted and talk.hand_over is None:
        after = talk.context()
        output = await agents.decide(talk, heard, "post_reply")
        _background(talk, after, {"phase": "post_reply", "output": output, "tool_calls": []}, [])
        _take_effect(talk, read_decision(output), "post_reply")


def read_decision(output: str) -> Decision:
    """What the system makes of an output; what is not the agreed JSON object changes nothing."""
    try:
        data = json.loads(output)
    except (ValueError, RecursionError):
        return Decision(False, False, "business")
    if not isinstance(data, dict):
        return Decision(False, False, "business")
    found = data.get("conversationIntent")
    return Decision(
        data.get("shouldAutoConvert") is True,
        data.get("shouldForceHumanTakeover") is True,
        found if found in _INTENTS else "business",
    )


def _take_effect(talk: Talk, decision: Decision, phase: Phase) -> None:
    if decision.auto:
        talk.hit = True
        talk.lead_status = CONVERTED
    if decision.force:
        if phase == "post_reply":
            talk.hand_over = "after_closing"
        else:
            talk.hand_over = "working_hours" if talk.hit else "asked_for_person"


def _staff_pictures(talk: Talk, messages_before: int) -> list[dict[str, Any]]:
    """Pictures that staff send now; they stand in the page before the reply."""
    shown = []
    for picture in talk.world.staff_pictures:
        if messages_before < picture.after_customer_messages <= talk.messages:
            shown.append({"id": picture.id, "recognized": picture.recognized, "clear": True, "sender": "human"})
            talk.entries.append(
                Entry(
                    id=_new_id(), who="staff", kind="image", target=picture.id,
                    text=phrase("from_colleague", talk.language),
                )
            )  # fmt: skip
    return shown


def _background(
    talk: Talk, context: dict[str, Any], conversion: dict[str, Any] | None, images: list[dict[str, Any]]
) -> None:
    """A turn in which nothing is said."""
    talk.turns.append(
        {
            "role": "assistant", "id": _new_id(), "created_at": talk.at, "reply_text": None, "tool_calls": [],
            "images": images, "context": context, "conversion": conversion,
        }
    )  # fmt: skip
    talk.done = len(talk.turns)


def _publish(
    talk: Talk, draft: Draft, tools: Tools, pending: str | None, context: dict[str, Any],
    conversion: dict[str, Any] | None, images: list[dict[str, Any]],
) -> None:  # fmt: skip
    """The reply goes out, in bubbles."""
    reply = draft.reply
    sent = [] if draft.withheld else _send(talk, reply)
    asked = [draft.asked] if draft.asked is not None and draft.asked == pending else []
    if draft.noted is not None:
        asked = [draft.noted]
    if draft.asked is not None:
        talk.asked.append(draft.asked)
    talk.turns.append(
        {
            "role": "assistant", "id": _new_id(), "created_at": talk.at, "reply_text": reply,
            "published": not draft.withheld, "asked_field_keys": asked, "next_pending_field": pending,
            "tool_calls": tools.calls, "media_sent": sent, "images": images, "context": context, "conversion": conversion,
        }
    )  # fmt: skip
    talk.done = len(talk.turns)
    talk.reply_published = not draft.withheld
    if not draft.withheld:
        talk.last_reply = reply
        talk.closed = talk.closed or draft.closing


def _send(talk: Talk, reply: str) -> list[dict[str, Any]]:
    """Puts a reply on the page, a bubble for each paragraph and marker; what became of the markers."""
    sent: list[dict[str, Any]] = []
    for piece in pieces(reply):
        if isinstance(piece, Marker):
            ok = delivered(piece, talk.world, talk.base_url)
            sent.append({"id": piece.target, "ok": ok})
            talk.entries.append(_medium(piece) if ok else Entry(id=_new_id(), who="assistant", text=piece.caption))
        else:
            talk.entries.append(Entry(id=_new_id(), who="assistant", text=piece))
    posters = {i for ids in talk.world.media.posters.values() for i in ids}
    talk.posters += [s["id"] for s in sent if s["ok"] and s["id"] in posters and s["id"] not in talk.posters]
    return sent


def _medium(marker: Marker) -> Entry:
    kinds = {
        "IMAGE": "image", "DOCUMENT": "document", "VIDEO": "video", "KBVIDEO": "kbvideo", "LINK": "link",
    }  # fmt: skip
    return Entry.model_validate(
        {
            "id": _new_id(), "who": "assistant", "kind": kinds[marker.kind], "text": marker.caption,
            "target": marker.target, "file_name": marker.file_name or "",
        }
    )  # fmt: skip


def _new_id() -> str:
    return secrets.token_hex(8)
