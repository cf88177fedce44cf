"""Checks on a move before it is carried out: a bad one is refused whole and asked for again, never edited."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from harness.customer.ledger import ClaimLedger
from harness.customer.prompt import usable
from harness.schema.events import Severity, SlipKind
from harness.schema.move import Move
from harness.schema.screen import Screen
from harness.schema.visible import MaterialVisible
from harness.schema.wording import (
    asked,
    asked_facts,
    fold,
    has_question,
    has_request,
    is_confirmation,
    is_question,
    sentences,
    topic_words,
)
from harness.schema.words.conduct import (
    contradicted,
    corrects,
    hints,
    other_language,
    says_unknown,
    takes_leave,
)
from harness.schema.words.files import another_kind, live_text, promises, wanted_files
from harness.schema.words.grounding import ungrounded
from harness.schema.words.values import tells
from harness.schema.words.voice import speaks_as_another, thinks_aloud

A_STORY = 3
"""So many facts told once more, where the screen shows them rightly and asks whether it does, are no answer."""
MOST_SAID = 2
"""The same message a third time is a loop, unless it answers what is asked."""


@dataclass(frozen=True)
class Problem:
    """Why a move is refused."""

    problem: str
    """`ungrounded`, `empty`, `role_flip`, `reasoning`, `malformed`, `no_such_control`, `no_such_file`, `not_asked`,
    `not_available`, `premature_end`, `repeated`, `language`, `denied`, `inconsistent`, `corrected`, `hinted`, `passed_over`,
    `file_ignored`."""
    why: str
    slip: SlipKind
    severity: Severity
    advice: str | None = None
    """Key of the retry note, where another one than the problem's usual helps more."""

    @property
    def note(self) -> str:
        """Key of the locked retry note."""
        return self.advice or _NOTES[self.problem]


_NOTES = {
    "ungrounded": "ungrounded",
    "empty": "empty",
    "role_flip": "role_flip",
    "reasoning": "role_flip",
    "malformed": "malformed",
    "no_such_control": "no_such_control",
    "no_such_file": "no_such_control",
    "not_asked": "not_asked",
    "not_available": "not_asked",
    "premature_end": "premature_end",
    "repeated": "repeated",
    "language": "language",
    "denied": "denied",
    "inconsistent": "ungrounded",
    "corrected": "advice",
    "hinted": "advice",
    "passed_over": "denied",
    "file_ignored": "file",
}


def check(move: Move, ledger: ClaimLedger, screen: Screen) -> Problem | None:
    """The first thing wrong with a move, or None."""
    if move.move == "say":
        return _check_say(move, ledger, screen)
    if move.move == "upload":
        return check_upload(move, ledger, screen) or _check_kind(move, ledger, screen)
    if move.move in ("press", "fill"):
        control = next((c for c in usable(screen) if c.name == move.control), None)
        if control is None:
            return Problem(
                "no_such_control", f"no enabled control “{move.control}” on the screen", "empty_or_malformed", "minor"
            )
        if move.move == "fill":
            stray = ungrounded(move.value, *_pool(ledger, screen))
            if stray:
                return Problem("ungrounded", "; ".join(stray), "hallucination", "hindered")
    if move.move == "leave" and (has_question(screen.reply_text()) or usable(screen)):
        return Problem(
            "premature_end", "wants to leave while the screen still asks something", "premature_end", "hindered"
        )
    if move.move == "wait" and has_question(screen.reply_text()):
        return Problem("not_asked", "waits although the screen asks something", "missed_action", "hindered")
    return None


def _pool(ledger: ClaimLedger, screen: Screen) -> list[str]:
    return [ledger.view_pool, screen.visible_text(), *ledger.messages]


def _check_say(move: Move, ledger: ClaimLedger, screen: Screen) -> Problem | None:
    texts = [m for m in move.messages if m.strip()]
    if not texts or len(texts) != len(move.messages):
        return Problem("empty", "a message without words", "empty_or_malformed", "minor")
    if not any(c.kind == "composer" and c.enabled for c in screen.controls):
        return Problem("no_such_control", "nothing can be typed on this screen", "wrong_sequence", "minor")
    pool = _pool(ledger, screen)
    wishes = {fold(w.say) for w in ledger.view.wishes}
    for text in texts:
        flat = fold(text)
        if thinks_aloud(text):
            return Problem("reasoning", "reasoning or instructions in the message", "reasoning", "helped")
        if speaks_as_another(text):
            return Problem("role_flip", "speaks as the company or an assistant", "role_flip", "hindered")
        if _echoes(flat, ledger, screen):
            file = "file" if _ignored_files("", ledger, screen) else None
            return Problem("role_flip", "repeats the company's words", "role_flip", "minor", file)
        if flat not in wishes and hints(text):
            return Problem("hinted", "tells the company what to ask or do", "hinted", "helped")
        if flat not in wishes and any(is_question(s) and asked(s) for s in sentences(text)):
            return Problem("role_flip", "asks the company's own question", "role_flip", "helped")
        if not _may_correct(screen) and corrects(text, live_text(screen)):
            return Problem("corrected", "puts right what nobody asked to be checked", "corrected", "helped")
        if takes_leave(text, ledger.view) and (has_question(screen.reply_text()) or usable(screen)):
            return Problem(
                "premature_end", "takes leave while the screen still asks something", "premature_end", "hindered"
            )
        language = other_language(text, ledger.view.persona.language, "\n".join(pool))
        if language is not None:
            why = f"in {language}, not in {ledger.view.persona.language}"
            return Problem("language", why, "language_drift", "hindered")
        stray = ungrounded(text, *pool)
        if stray:
            return Problem(
                "ungrounded", "; ".join(stray), "hallucination", "helped" if _answers(text, screen) else "hindered"
            )
    return _check_loop(texts, ledger, screen) or _check_answer("\n".join(texts), ledger, screen)


def _may_correct(screen: Screen) -> bool:
    """A summary or a card with buttons is there to be checked."""
    return any(c.enabled and c.part == "dialog" for c in screen.controls)


def _check_answer(text: str, ledger: ClaimLedger, screen: Screen) -> Problem | None:
    """What the customer knows and was asked for is neither denied, nor told otherwise, nor passed over."""
    live = live_text(screen)
    answer = ledger.answer(text, live)
    if answer.denied:
        why = f"says not to know {', '.join(answer.denied)}, which it knows"
        return Problem("denied", why, "denied", "hindered")
    other = contradicted(text, live, ledger.view)
    if other:
        return Problem("inconsistent", f"another {', '.join(other)} than its own", "inconsistent", "hindered")
    sure, wanted = answer.silent, asked_facts(live)
    if sure and not answer.perhaps and not any(f.id not in sure for f in ledger.view.facts if f.id in wanted):
        return Problem("passed_over", f"asked for {', '.join(sure)}, and tells none of it", "missed_action", "hindered")
    ignored = _ignored_files(text, ledger, screen)
    if ignored and not wanted:
        names = ", ".join(f.file for f in ignored)
        return Problem(
            "file_ignored", f"asked for {names} alone, and neither gives nor promises it", "missed_action", "hindered"
        )
    return None


def _ignored_files(text: str, ledger: ClaimLedger, screen: Screen) -> list[MaterialVisible]:
    """Files that an upload control asks for, that the customer has or will have, and of which the message says nothing true.

    A word of a file that comes later is its promise, or that it comes later; one of a file at hand is the file.
    """
    if not any(c.kind == "upload" and c.enabled for c in screen.controls):
        return []
    wanted = [f for f in wanted_files(ledger.view.files, screen) if ledger.file_state(f) != "handed"]
    return [f for f in wanted if not (ledger.file_state(f) == "later" and promises(f, text))]


def _check_loop(texts: list[str], ledger: ClaimLedger, screen: Screen) -> Problem | None:
    """The same words again: as last time, or for the third time, where they answer nothing that is asked now.

    Where something is there to be checked, a story that was told before (every sentence of it, or several facts that are
    shown rightly) is no answer either; a yes or no is, however often, and so is what was asked to be confirmed.
    """
    flat = [fold(t) for t in texts]
    said = [fold(t) for t in ledger.messages]
    live = live_text(screen)
    again = len(said) > 1 and flat == said[-len(flat) :]
    often = any(said.count(t) >= MOST_SAID for t in flat)
    confirming = any(is_confirmation(s) for s in sentences(live))
    checking = confirming or _may_correct(screen)
    if not (again or often or checking):
        return None
    told = set(ledger.newly_told(" ".join(texts), []))
    story = checking and bool(told) and (_told_again(texts, ledger) or len(_shown(told, ledger, screen)) >= A_STORY)
    if not (again or often or story) or _is_stock_phrase(texts, ledger):
        return None
    if confirming and told <= {a.fact for a in asked(live)}:
        return None
    if set(asked_facts(screen.reply_text())) & told:
        return None
    why = "the same words as last time" if again else "the same words once more" if often else "its story once more"
    return Problem("repeated", why, "looping", "hindered")


def _shown(told: set[str], ledger: ClaimLedger, screen: Screen) -> list[str]:
    """Those of the facts that were told before and that the screen shows with the right value."""
    seen = "\n".join(b.text for b in screen.blocks if b.part in ("reply", "dialog", "card"))
    facts = [f for i in sorted(told & ledger.told.keys()) if (f := ledger.fact(i)) is not None]
    return [f.id for f in facts if tells(f, seen, True)]


def _told_again(texts: list[str], ledger: ClaimLedger) -> bool:
    """Every sentence was said before."""
    before = {fold(s) for m in ledger.messages for s in sentences(m)}
    return all(fold(s) in before for t in texts for s in sentences(t))


def _echoes(flat: str, ledger: ClaimLedger, screen: Screen) -> bool:
    """The message is (mostly) what the company has just written and not what a fact says."""
    heard = [fold(sentence) for b in screen.blocks if b.part == "reply" for sentence in sentences(b.text)]
    own = fold(ledger.view_pool)
    return any(len(sentence) >= 12 and sentence in flat and sentence.rstrip(".!?") not in own for sentence in heard)


def _is_stock_phrase(texts: list[str], ledger: ClaimLedger) -> bool:
    phrases = {fold(p) for p in ledger.view.persona.dont_know}
    phrases |= {
        fold(f.available.promise) for f in ledger.view.files if f.available.promise and ledger.file_state(f) == "later"
    }
    return all(fold(t) in phrases or all(says_unknown(s, ledger.view) for s in sentences(t)) for t in texts)


def _answers(text: str, screen: Screen) -> bool:
    return has_question(screen.reply_text()) and not text.startswith("I don't")


def possible(move: Move, ledger: ClaimLedger, screen: Screen) -> Problem | None:
    """Why the screen cannot take this move, whatever its words; None if it can."""
    if move.move == "say":
        if not move.messages or not all(m.strip() for m in move.messages):
            return Problem("empty", "a message without words", "empty_or_malformed", "minor")
        if not any(c.kind == "composer" and c.enabled for c in screen.controls):
            return Problem("no_such_control", "nothing can be typed on this screen", "wrong_sequence", "minor")
    if move.move in ("press", "fill") and not any(c.name == move.control for c in usable(screen)):
        there = ", ".join(f"“{c.name}”" for c in usable(screen)) or "none"
        why = f"no enabled control “{move.control}” on the screen; there are: {there}"
        return Problem("no_such_control", why, "empty_or_malformed", "minor")
    return check_upload(move, ledger, screen) if move.move == "upload" else None


def check_upload(move: Move, ledger: ClaimLedger, screen: Screen) -> Problem | None:
    """Why this file cannot go to this screen."""
    file = ledger.file_called(move.file)
    if file is None:
        return Problem("no_such_file", f"no file called “{move.file}”", "hallucination", "minor")
    state = ledger.file_state(file)
    if state == "handed":
        return Problem("repeated", "already uploaded", "looping", "hindered")
    if state == "later":
        return Problem("not_available", "the customer does not have it yet", "wrong_sequence", "helped")
    uploads = [c for c in screen.controls if c.kind == "upload" and c.enabled]
    if not uploads or (move.control and not any(c.name == move.control for c in uploads)):
        return Problem("no_such_control", f"no upload control “{move.control}”", "empty_or_malformed", "minor")
    return None


def _check_kind(move: Move, ledger: ClaimLedger, screen: Screen) -> Problem | None:
    """A receipt is no quote: a paper of another kind than the one asked for is not handed over in its place."""
    file = ledger.file_called(move.file)
    if file is None or ledger.view.persona.hands_over_unasked or file in wanted_files(ledger.view.files, screen):
        return None
    control = upload_control(move, ledger, screen)
    if another_kind(file.label, control):
        return Problem("not_asked", f"“{file.label}” is not what “{control}” asks for", "wrong_sequence", "hindered")
    return None


def upload_control(move: Move, ledger: ClaimLedger, screen: Screen) -> str:
    """The control a file goes to: the named one, or the one whose words fit its label best, or the only one."""
    uploads = [c for c in screen.controls if c.kind == "upload" and c.enabled]
    if move.control:
        return move.control
    file = ledger.file_called(move.file)
    label = topic_words(file.label if file else move.file)
    return max(uploads, key=lambda c: len(label & topic_words(c.name))).name


class Found(NamedTuple):
    """A slip of a move that is carried out all the same."""

    kind: SlipKind
    severity: Severity
    why: str
    about: tuple[str, ...]
    """Ids of facts, and files."""


def slips(move: Move, ledger: ClaimLedger, screen: Screen) -> list[Found]:
    """Slips of a move that may be carried out all the same; called before the ledger takes it in."""
    live = live_text(screen)
    if move.move == "say":
        text = "\n".join(move.messages)
        wish = ledger.wish_due()
        if wish is not None and fold(wish.say) in fold(text):
            text = fold(text).replace(fold(wish.say), "")
        return [*_told_early(text, ledger, screen), *_kept_back(text, ledger, screen)]
    if (
        move.move == "upload"
        and not any(c.part == "card" for c in screen.controls if c.kind == "upload")
        and not has_request(live)
    ) and not ledger.view.persona.hands_over_unasked:
        file = ledger.file_called(move.file)
        about = (file.file,) if file else ()
        return [Found("wrong_sequence", "helped", "handed over a file nobody asked for", about)]
    return []


def _told_early(text: str, ledger: ClaimLedger, screen: Screen) -> Iterator[Found]:
    """Facts with a value of their own that nothing on the screen asks for, beside an answer."""
    live = "\n".join(b.text for b in screen.blocks if b.part in ("reply", "card", "dialog", "notice"))
    wanted = {a.fact for a in asked(live)}
    told = [f for f in ledger.newly_told(text, sorted(wanted)) if f not in ledger.told and f not in wanted]
    told = [f for f in told if (fact := ledger.fact(f)) is not None and fact.kind not in ("yes_no", "text", "name")]
    if told and wanted:
        yield Found("revealed_early", "helped", f"told {', '.join(told)} without being asked", tuple(told))


def _kept_back(text: str, ledger: ClaimLedger, screen: Screen) -> Iterator[Found]:
    """Facts and files that were asked for, and that the customer has and does not give."""
    live = live_text(screen)
    answer = ledger.answer(text, live)
    denied = answer.denied
    if denied:
        yield Found("denied", "hindered", f"said “don't know” though {', '.join(denied)} is known", denied)
    silent = tuple(f for f in answer.silent if f not in denied and f not in ledger.told)
    if silent:
        yield Found("missed_action", "hindered", f"asked for {', '.join(silent)}, and did not tell", silent)
    ignored = tuple(f.file for f in _ignored_files(text, ledger, screen))
    if ignored:
        yield Found(
            "missed_action", "hindered", f"asked for {', '.join(ignored)}, and neither gave nor promised it", ignored
        )
