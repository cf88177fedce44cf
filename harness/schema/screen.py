"""What a person can see now. One Screen goes to the recorder and to the customer."""

from typing import Literal

from harness.schema.base import Strict

Part = Literal["reply", "tag", "panel", "todo", "card", "dialog", "notice", "customer", "final", "page"]
"""Where on the screen: a reply of the product, a tag under it, the side panel, the to-do strip, a card that wants
something, a dialog, a notice or error, the customer's own words, the mark of a final state, or anywhere (no adapter)."""
ControlKind = Literal["button", "link", "field", "choice", "upload", "composer"]


class Block(Strict):
    """One piece of visible text."""

    part: Part
    text: str
    """As a sighted person reads it: rendered text, white space folded, lines kept as \\n."""


class Control(Strict):
    """Something that can be used, named by what is visible."""

    kind: ControlKind
    name: str
    """Visible name. Two controls of one name in one part get " (2)", " (3)" … in reading order."""
    part: Part
    enabled: bool
    value: str | None = None
    """field and choice: what it shows now."""
    placeholder: str | None = None
    """Only while it is shown, that is while the field is empty."""
    options: list[str] = []
    """choice: what can be chosen."""


class Unreadable(Strict):
    """A part of the screen whose text cannot be known."""

    where: str
    why: Literal["canvas", "cross_origin_frame", "closed_shadow_root", "frame_not_ready", "image_text"]


class Screen(Strict):
    """All a person could see at one moment, in reading order."""

    seq: int
    """Counts the screens of a journey from 1."""
    blocks: list[Block]
    """Everything since the last customer bubble, and the standing parts (panel, to-do strip, cards, dialog, notices)."""
    controls: list[Control]
    unreadable: list[Unreadable] = []
    final: str | None = None
    """The visible text of the final state (for instance the case number), None before."""
    truncated: bool = False
    """True if a cap cut the text; the cut is counted in the record."""

    def reply_text(self) -> str:
        """The newest reply items, joined by line breaks; empty if the product said nothing."""
        return "\n".join(b.text for b in self.blocks if b.part == "reply")

    def visible_text(self) -> str:
        """Everything on the screen, controls' names and shown values included: what a message may be grounded in."""
        names = [t for c in self.controls for t in (c.name, c.value or "", c.placeholder or "", *c.options) if t]
        return "\n".join([*(b.text for b in self.blocks), *names])
