"""From view, ledger and screen to the request. The gate renders the same bytes again by its own code."""

from typing import Any

from harness.customer.ledger import ClaimLedger
from harness.customer.template import EARLIER_LIMIT, EXAMPLES, FILE_PARTS, LIVE_PARTS, fill, template
from harness.schema.screen import Control, Screen


def usable(screen: Screen) -> list[Control]:
    """Controls that matter for a move: enabled, in a part that asks for something; the composer stays out."""
    return [c for c in screen.controls if c.enabled and c.kind != "composer" and c.part in FILE_PARTS]


def _control_line(control: Control) -> str:
    shows = f' shows "{control.value}"' if control.value else ""
    options = f" choices: {', '.join(control.options)}" if control.options else ""
    return fill("control", kind=control.kind, name=control.name, extra=shows + options)


def turn_text(ledger: ClaimLedger, screen: Screen, note: str | None) -> str:
    """View, own earlier words, files, the visible text that needs an answer, controls; what changes comes last."""
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
        view=ledger.view_text,
        earlier="\n".join(earlier) or "- nothing",
        files="\n".join(files) or "- none",
        screen="\n".join(blocks) or "(nothing new)",
        controls="\n".join(_control_line(c) for c in usable(screen)) or "- none",
        note=fill(f"note_{note}") + "\n" if note else "",
    )


def messages(ledger: ClaimLedger, screen: Screen, note: str | None) -> list[dict[str, str]]:
    """The chat messages: rules, examples as turns of their own, then view and turn; all up to the view stays the same."""
    examples = [
        {"role": role, "content": template()[f"example_{number}_{part}"]}
        for number in EXAMPLES
        for role, part in (("user", "screen"), ("assistant", "move"))
    ]
    last = {"role": "user", "content": turn_text(ledger, screen, note)}
    return [{"role": "system", "content": template()["system"]}, *examples, last]


def schema(ledger: ClaimLedger, screen: Screen) -> dict[str, Any]:
    """JSON Schema of a move on this screen: only moves, control names, ids and files that are possible on it.

    A small model left with fewer ways to go wrong needs fewer retries; what it may choose from is all visible.
    """
    view = ledger.view
    ids = [f.id for f in view.facts] + [u.id for u in view.does_not_know]
    names = list(dict.fromkeys(["", *(c.name for c in usable(screen))]))
    labels = list(dict.fromkeys(["", *(f.label for f in view.files if ledger.file_state(f) == "have")]))
    kinds = {c.kind for c in usable(screen)}
    moves = {
        "say": any(c.kind == "composer" and c.enabled for c in screen.controls),
        "press": bool(kinds & {"button", "link", "choice"}),
        "fill": bool(kinds & {"field", "choice"}),
        "upload": "upload" in kinds and len(labels) > 1,
        "wait": True,
        "leave": True,
    }
    some_ids = {"type": "array", "items": {"type": "string", "enum": ids}, "maxItems": 4}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["asked", "asked_unknown", "used", "move", "messages", "control", "value", "file"],
        "properties": {
            "asked": some_ids,
            "asked_unknown": {"type": "boolean"},
            "used": some_ids,
            "move": {"type": "string", "enum": [name for name, possible in moves.items() if possible]},
            "messages": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
            "control": {"type": "string", "enum": names},
            "value": {"type": "string"},
            "file": {"type": "string", "enum": labels},
        },
    }
