"""Faults of the product's machinery: errors, sign-in that is asked for again, dialogs that stay."""

import re
from dataclasses import dataclass

from harness.schema import wording
from harness.schema.events import Acted, PageEvent, ScreenSeen
from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.shown import first_shown, in_network
from oracle_scoring.claims.words import pattern
from oracle_scoring.lines import EVENTS, NETWORK, Head, at_event, in_file, line, listed

_HARMLESS = ("ERR_ABORTED", "ERR_BLOCKED_BY_CLIENT")
"""A request that the page itself gave up, or the rig refused."""


def fault_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.server_errors`, `.sign_in`, `.dialog`."""
    return [_server_errors(ctx), _sign_in(ctx), _dialog(ctx)]


# Errors ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Fault:
    """One error of the product's."""

    turn: int
    what: str
    evidence: list[Evidence]


def _faults(ctx: Context) -> list[_Fault]:
    found = [
        _Fault(item.turn, f"the server answered {item.status}", in_network(ctx, i, "status", item.url))
        for i, item in enumerate(ctx.record.network or ())
        if item.status is not None and item.status >= 500
    ]
    for event in ctx.record.events:
        if isinstance(event, PageEvent) and event.what == "request_failed":
            if not any(word in event.detail for word in _HARMLESS):
                found.append(_Fault(event.turn, "a request got no answer", [at_event(event.n, event.detail)]))
        elif isinstance(event, Acted) and event.act == "pressed" and wording.button_kind(event.text) == "retry":
            found.append(_Fault(event.turn, f"the customer had to press “{event.text}”", [at_event(event.n)]))
    for shown in first_shown(ctx):
        match = _error_in(shown.text)
        if match and match.group() not in ctx.own_flat:
            found.append(_Fault(shown.turn, f"it says “{match.group()}”", [at_event(shown.n, shown.text)]))
    return sorted(found, key=lambda f: f.turn)


def _error_in(text: str) -> re.Match[str] | None:
    """Words by which a text says that the product failed; what it asks the customer is about something else."""
    flat = (wording.fold(sentence) for sentence in wording.sentences(text))
    return pattern("errors").search(" ".join(s for s in flat if not pattern("question_openings").search(s)))


def _server_errors(ctx: Context) -> ScoreLine:
    head = Head("journey.server_errors", "journey", "No error of the product's, recovered from or not")
    if not ctx.screens:
        return line(head, "not_checked", "no screen was recorded", [in_file(EVENTS)])
    found = _faults(ctx)
    if found:
        turns = {f.turn for f in found}
        again = sum(a.retries for a in ctx.acts if a.turn in turns)
        tried = f"; acts tried again in these turns: {again}" if again else ""
        why = f"{listed(dict.fromkeys(f'turn {f.turn}: {f.what}' for f in found))}{tried}"
        return line(
            head, "fail", why, [place for fault in found for place in fault.evidence], expected="0", got=str(len(found))
        )
    if ctx.record.network is None:
        return line(head, "not_checked", "network.jsonl was not recorded", [in_file(NETWORK)], expected="0")
    if ctx.unclear:
        why = "a part of a screen was cut or could not be read, so an error may not have been seen"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.unclear], expected="0")
    why = f"no error on {len(ctx.screens)} screens and in {len(ctx.record.network)} answers"
    return line(head, "pass", why, [in_file(NETWORK), in_file(EVENTS)], expected="0", got="0")


# Sign-in ---------------------------------------------------------------------------------------------------------------


def _sign_in(ctx: Context) -> ScoreLine:
    head = Head("journey.sign_in", "journey", "Signed in once, and not asked again")
    if not ctx.record.events:
        return line(head, "not_checked", "no event was recorded", [in_file(EVENTS)])
    done = [a for a in ctx.acts if a.act == "signed_in"]
    if len(done) > 1:
        why = f"the right login was given {len(done)} times: the product asked again"
        return line(head, "fail", why, [at_event(a.n) for a in done], expected="once", got=f"{len(done)} times")
    if done and not done[0].confirmed:
        why = "the right login was given and the page went on asking for it"
        return line(head, "fail", why, [at_event(done[0].n)], expected="once")
    if done:
        return line(head, "pass", "the product asked once", [at_event(done[0].n)], expected="once", got="once")
    if ctx.setup.claimant_session == "anonymous":
        why = "there is no account to sign in to on this journey"
    else:
        why = "the product did not ask to sign in"
    return line(head, "not_applicable", why, [in_file(EVENTS)])


# Dialogs ---------------------------------------------------------------------------------------------------------------


@dataclass
class _Open:
    """A dialog, from the first screen that shows it to the first that does not."""

    text: str
    first: ScreenSeen
    presses: list[Acted]
    """Acts of the customer on its controls."""
    seen_after: bool = False
    """A screen was recorded after the last of them."""
    stayed: int = 0
    """So many answers, yes, no or close, were followed by a screen that still shows it."""
    usable: bool = False
    """It had a control that could be used."""
    closed: bool = False


def _dialogs(ctx: Context) -> list[_Open]:
    """Dialogs by their words. One whose words changed is another one."""
    found: list[_Open] = []
    now: dict[str, _Open] = {}
    names: set[str] = set()
    for event in ctx.record.events:
        if isinstance(event, ScreenSeen):
            texts = {wording.fold(b.text): b.text for b in event.screen.blocks if b.part == "dialog" and b.text.strip()}
            controls = [c for c in event.screen.controls if c.part == "dialog" and c.enabled]
            names = {c.name for c in controls}
            for key in [k for k in now if k not in texts]:
                now.pop(key).closed = True
            for key, text in texts.items():
                if key not in now:
                    now[key] = _Open(text, event, [], seen_after=True)
                    found.append(now[key])
                one = now[key]
                one.usable |= bool(controls)
                if one.presses and not one.seen_after:
                    one.stayed += one.presses[-1].confirmed and _closes(one.presses[-1].text)
                one.seen_after = True
        elif isinstance(event, Acted) and event.act == "pressed" and event.text in names:
            for dialog in now.values():
                dialog.presses.append(event)
                dialog.seen_after = False
    return found


def _closes(button: str) -> bool:
    return wording.button_kind(button) in ("yes", "no") or bool(pattern("closing_buttons").search(wording.fold(button)))


def _dialog(ctx: Context) -> ScoreLine:
    head = Head("journey.dialog", "journey", "No dialog that stays open")
    if not ctx.screens:
        return line(head, "not_checked", "no screen was recorded", [in_file(EVENTS)])
    dialogs = _dialogs(ctx)
    for one in dialogs:
        shown = at_event(one.first.n, one.text)
        if one.stayed or (not one.closed and one.presses and one.seen_after):
            pressed = listed(f"“{a.text}”" for a in one.presses)
            after = "; it went away only then" if one.closed else ""
            why = f"the dialog stayed open when the customer pressed {pressed}{after}"
            return line(head, "fail", why, [shown, *(at_event(a.n, a.text) for a in one.presses)])
        if not one.closed and not one.usable and not ctx.reached_end and one.first.n != ctx.screens[-1].n:
            why = "the dialog had nothing to close it with, and the journey did not get past it"
            return line(head, "fail", why, [shown, at_event(ctx.screens[-1].n)])
    if any(d.presses and not d.closed for d in dialogs):
        why = "a dialog was answered and no screen was recorded afterwards"
        return line(head, "not_checked", why, [at_event(d.first.n, d.text) for d in dialogs])
    if not dialogs:
        return line(head, "not_applicable", "the product showed no dialog", [in_file(EVENTS)])
    if not any(d.presses for d in dialogs):
        shown_all = [at_event(d.first.n, d.text) for d in dialogs]
        return line(head, "not_applicable", "the customer used no dialog's buttons", shown_all)
    why = "every dialog the customer answered was gone afterwards"
    return line(head, "pass", why, [at_event(d.first.n, d.text) for d in dialogs])
