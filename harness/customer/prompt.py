"""From view, ledger and screen to the request. The gate renders the same bytes again by its own code."""

from typing import Any

from harness.customer.ledger import ClaimLedger
from harness.customer.template import EARLIER_LIMIT, FILE_PARTS, LIVE_PARTS, fill
from harness.schema.screen import Control, Screen
from harness.schema.visible import CustomerView


def view_text(view: CustomerView) -> str:
    """The part that never changes in a journey: rules, examples, view."""
    persona = view.persona
    return fill(
        "system",
        name=persona.name,
        mood=persona.mood,
        manner=persona.manner,
        language=persona.language,
        dont_know=" / ".join(persona.dont_know),
        facts="\n".join(fill("fact", id=f.id, topic=f.topic, say=f.say) for f in view.facts),
        unknown="; ".join(u.topic for u in view.does_not_know) or "anything else",
    )


def usable(screen: Screen) -> list[Control]:
    """Controls that matter for a move: enabled, in a part that asks for something; the composer stays out."""
    return [c for c in screen.controls if c.enabled and c.kind != "composer" and c.part in FILE_PARTS]


def _control_line(control: Control) -> str:
    shows = f' shows "{control.value}"' if control.value else ""
    options = f" choices: {', '.join(control.options)}" if control.options else ""
    return fill("control", kind=control.kind, name=control.name, extra=shows + options)


def turn_text(ledger: ClaimLedger, screen: Screen, note: str | None) -> str:
    """The part that changes: own earlier words, files, the visible text that needs an answer, controls."""
    earlier = [f"- {m}" for m in ledger.messages[-EARLIER_LIMIT:]]
    if len(ledger.messages) > EARLIER_LIMIT:
        earlier.insert(0, f"- ({len(ledger.messages) - EARLIER_LIMIT} earlier messages)")
    files = [
        fill(
            f"file_{ledger.file_state(f)}",
            label=f.label,
            **({"promise": f.available.promise or ""} if ledger.file_state(f) == "later" else {}),
        )
        for f in ledger.view.files
    ]
    blocks = [
        fill("block", part="company" if b.part == "reply" else b.part, text=b.text)
        for b in screen.blocks
        if b.part in LIVE_PARTS
    ]
    return fill(
        "turn",
        earlier="\n".join(earlier) or "- nothing",
        files="\n".join(files) or "- none",
        screen="\n".join(blocks) or "(nothing new)",
        controls="\n".join(_control_line(c) for c in usable(screen)) or "- none",
        note=fill(f"note_{note}") + "\n" if note else "",
    )


def messages(ledger: ClaimLedger, screen: Screen, note: str | None) -> list[dict[str, str]]:
    """The chat messages: one system message that stays byte-identical through the journey, one user message."""
    return [
        {"role": "system", "content": view_text(ledger.view)},
        {"role": "user", "content": turn_text(ledger, screen, note)},
    ]


def schema(ledger: ClaimLedger, screen: Screen) -> dict[str, Any]:
    """JSON Schema of a move on this screen: ids, control names and file labels are those that are visible."""
    view = ledger.view
    ids = [f.id for f in view.facts] + [u.id for u in view.does_not_know]
    names = list(dict.fromkeys(["", *(c.name for c in usable(screen))]))
    labels = list(dict.fromkeys(["", *(f.label for f in view.files)]))
    some_ids = {"type": "array", "items": {"type": "string", "enum": ids}, "maxItems": 12}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["asked", "asked_unknown", "used", "move", "messages", "control", "value", "file"],
        "properties": {
            "asked": some_ids,
            "asked_unknown": {"type": "boolean"},
            "used": some_ids,
            "move": {"type": "string", "enum": ["say", "press", "fill", "upload", "wait", "leave"]},
            "messages": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
            "control": {"type": "string", "enum": names},
            "value": {"type": "string"},
            "file": {"type": "string", "enum": labels},
        },
    }
