"""The rule customer: answers what the screen asks, from the view, by the wording rules. Deterministic."""

from harness.customer.guard import upload_control
from harness.customer.ledger import ClaimLedger
from harness.customer.prompt import usable
from harness.schema.move import Move, act, say
from harness.schema.screen import Control, Screen
from harness.schema.visible import MaterialVisible
from harness.schema.wording import (
    asked_facts,
    button_kind,
    has_question,
    has_request,
    is_confirmation,
    sentences,
)
from harness.schema.words import files
from harness.schema.words.files import live_text
from harness.schema.words.grounding import ungrounded, view_pool

NUDGES = {"zh": "还需要我做什么吗？", "vi": "Tôi cần làm gì tiếp theo?", "en": "Is there anything else I need to do?"}
"""What a person writes when a reply leaves them nothing to do."""


def nudge(language: str) -> str:
    """A neutral sentence that asks how it goes on; hints at nothing."""
    return NUDGES.get(language.split("-")[0], NUDGES["en"])


def next_move(ledger: ClaimLedger, screen: Screen) -> Move:
    """The move for this screen.

    Order: a dialog is answered first, then files that are asked for and at hand, then questions, then a promise, then a
    button that goes on. Nothing of that: wait.
    """
    controls = usable(screen)
    if any(c.part == "dialog" for c in controls):
        return _dialog(ledger, screen, [c for c in controls if c.part == "dialog"])
    if retry := [c for c in controls if c.kind == "button" and button_kind(c.name) == "retry"]:
        return act("press", control=retry[0].name)
    if move := _upload(ledger, screen):
        return move
    can_type = any(c.kind == "composer" and c.enabled for c in screen.controls)
    if can_type and (move := _answer(ledger, screen)):
        return move
    if go_on := [c for c in controls if c.kind == "button" and button_kind(c.name) == "yes"]:
        return act("press", control=go_on[0].name)
    if can_type and (has_question(live_text(screen)) or has_request(live_text(screen))):
        return say(ledger.view.persona.dont_know[0], unknown=True)
    return act("wait")


def _answer(ledger: ClaimLedger, screen: Screen) -> Move | None:
    text = live_text(screen)
    asked = asked_facts(text)
    known = [f for a in asked if (f := ledger.fact(a))]
    unknown = [a for a in asked if ledger.fact(a) is None]
    promises = [
        f for f in wanted_files(ledger, screen) if ledger.file_state(f) == "later" and f.file not in ledger.promised
    ]
    parts = [f.say for f in known] + [p.available.promise for p in promises if p.available.promise]
    if unknown:
        parts.append(ledger.view.persona.dont_know[0])
    if parts:
        return say(" ".join(parts), asked=asked, used=[f.id for f in known], unknown=bool(unknown))
    if any(is_confirmation(s) for s in sentences(text)):
        return say("No." if _wrong_values(ledger, text) else "Yes.")
    later = [f for f in wanted_files(ledger, screen) if ledger.file_state(f) == "later"]
    if later:
        return say(later[0].available.promise or ledger.view.persona.dont_know[0])
    return None


def wanted_files(ledger: ClaimLedger, screen: Screen) -> list[MaterialVisible]:
    """Files that an upload control or a request in the newest words asks for; those an upload control names come first."""
    return files.wanted_files(ledger.view.files, screen)


def _upload(ledger: ClaimLedger, screen: Screen) -> Move | None:
    uploads = [c for c in screen.controls if c.kind == "upload" and c.enabled]
    if not uploads:
        return None
    for file in wanted_files(ledger, screen):
        if ledger.file_state(file) == "have":
            move = act("upload", file=file.label)
            return move.model_copy(update={"control": upload_control(move, ledger, screen)})
    return None


def _dialog(ledger: ClaimLedger, screen: Screen, controls: list[Control]) -> Move:
    shown = "\n".join(b.text for b in screen.blocks if b.part == "dialog")
    wrong = bool(_wrong_values(ledger, shown))
    kinds = {button_kind(c.name): c.name for c in reversed(controls) if c.kind == "button"}
    name = kinds.get("no" if wrong else "yes") or next(iter(kinds.values()), "")
    return act("press", control=name) if name else act("wait")


def _wrong_values(ledger: ClaimLedger, shown: str) -> list[str]:
    """Dates, times, numbers and codes in what is shown that the customer neither knows nor ever wrote."""
    own = [view_pool(ledger.view), *(f.file for f in ledger.view.files), *ledger.messages]
    return [stray for stray in ungrounded(shown, *own) if stray.startswith(("date", "time", "code"))]


def stand_in(ledger: ClaimLedger) -> Move:
    """What is said after all tries failed: the persona's "I don't know"."""
    return say(ledger.view.persona.dont_know[0], unknown=True)
