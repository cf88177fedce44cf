"""One small rule per kind of slip. Each looks at one move and yields what it found, or that it cannot say.

None of them reads what the running guard noted: a guard that was switched off changes nothing here.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.schema.events import Severity, SlipKind
from harness.schema.screen import Screen
from harness.schema.visible import CustomerView
from harness.schema.wording import (
    asked,
    asked_facts,
    button_kind,
    fold,
    has_question,
    has_request,
    is_confirmation,
    is_question,
    sentences,
)
from harness.schema.words import conduct
from harness.schema.words.files import another_kind, promises, wanted_files
from harness.schema.words.grounding import ungrounded, view_pool
from harness.schema.words.lexicon import plain_words
from harness.schema.words.values import told_by
from harness.schema.words.voice import speaks_as_another, thinks_aloud
from oracle_scoring.fidelity.moves import RAW_LIMIT, Moved, file_of

MOST_SAID = 2
"""The same message a third time is a loop, unless it answers what is asked."""
STRANGE_WORDS = 3
"""So many words that the customer has from nowhere make a message one that a person has to look at."""
ECHO = 12
"""Characters of a sentence of the company's that, said again, are an echo."""


@dataclass(frozen=True)
class Found:
    """A slip, or (severity None) something that may be one."""

    kind: SlipKind
    severity: Severity | None
    why: str
    about: tuple[str, ...] = ()


Detector = Callable[[Moved, CustomerView], Iterator[Found]]


def _texts(moved: Moved, view: CustomerView) -> list[str]:
    """The messages of a move, without wishes put in the author's own words."""
    wishes = {fold(w.say) for w in view.wishes}
    return [
        t for t in (moved.move.messages if moved.move and moved.move.move == "say" else []) if fold(t) not in wishes
    ]


def _wants_something(screen: Screen) -> bool:
    acting = [
        c
        for c in screen.controls
        if c.enabled and c.kind in ("button", "upload", "field", "choice") and c.part != "page"
    ]
    return has_question(screen.reply_text()) or bool(acting)


def invented(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Dates, times, numbers, codes, names, colours and the like that are in neither view, screen nor earlier words."""
    pool = [view_pool(view), *moved.pool]
    answers: Severity = "helped" if has_question(moved.screen.reply_text()) else "hindered"
    for text in _texts(moved, view):
        stray = ungrounded(text, *pool)
        if stray:
            yield Found("hallucination", answers, "; ".join(stray), tuple(asked_facts(moved.live)))
        elif strange := _strange_words(text, "\n".join(pool)):
            yield Found("hallucination", None, f"whether these are the customer's own: {', '.join(strange)}")
    if moved.move and moved.move.move == "fill" and (stray := ungrounded(moved.move.value, *pool)):
        yield Found("hallucination", "hindered", "; ".join(stray))
    if moved.move and moved.move.move == "upload" and file_of(moved.move, view) is None:
        yield Found("hallucination", "minor", f"a file called “{moved.move.file}”, which it does not have")


def _strange_words(text: str, pool: str) -> list[str]:
    """Words of five letters or more whose beginning occurs nowhere in the pool, if there are enough of them."""
    known = {w[:5] for w in re.findall(r"[^\W\d_]{4,}", fold(pool))}
    said = dict.fromkeys(w for w in re.findall(r"[^\W\d_]{5,}", fold(text)) if w.isascii() and w not in plain_words())
    strange = [w for w in said if w[:5] not in known]
    return strange if len(strange) >= STRANGE_WORDS else []


def inconsistent(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Another value than its own, a fact denied that it has told, a wrong value confirmed."""
    if moved.text:
        other = conduct.contradicted(moved.text, moved.live, view)
        if other:
            yield Found("inconsistent", "hindered", f"another {', '.join(other)} than its own", tuple(other))
    pressed = moved.move.control if moved.move and moved.move.move == "press" else ""
    if pressed and button_kind(pressed) == "yes":
        shown = "\n".join(b.text for b in moved.screen.blocks if b.part == "dialog")
        own = [view_pool(view), *(f.file for f in view.files), *moved.before.messages]
        wrong = [s for s in ungrounded(shown, *own) if s.startswith(("date", "time", "code"))] if shown else []
        if wrong:
            yield Found("inconsistent", "minor", f"confirmed what it cannot know to be right: {'; '.join(wrong)}")


def denied(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """ "I don't know" about a fact that it knows."""
    if not moved.text:
        return
    found = conduct.denial(moved.text, moved.live, view)
    if found.false:
        yield Found("denied", "hindered", f"says not to know {', '.join(found.false)}, which it knows", found.false)
    if found.undecided:
        why = f"whether “I don't know” is about {', '.join(found.undecided)}, which it knows, or about what else was asked"
        yield Found("denied", None, why, found.undecided)


def kept_back(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """A value asked for and not told, a file asked for and neither given nor promised, a wait where something was asked."""
    if moved.move is None:
        return
    if moved.move.move == "wait" and has_question(moved.screen.reply_text()):
        yield Found("missed_action", "hindered", "waits although something is asked", tuple(_known_asked(moved, view)))
    if moved.move.move != "say":
        return
    sure, perhaps = conduct.unanswered(moved.text, moved.live, view)
    denies = conduct.denial(moved.text, moved.live, view).false
    silent = tuple(f for f in sure if f not in denies and f not in moved.before.told)
    if silent:
        yield Found("missed_action", "hindered", f"asked for {', '.join(silent)}, and did not tell", silent)
    unsure = tuple(f for f in perhaps if f not in denies and f not in moved.before.told)
    if unsure:
        yield Found("missed_action", None, f"whether {', '.join(unsure)} was told in other words", unsure)
    ignored = _ignored_files(moved, view)
    if ignored:
        names = ", ".join(ignored)
        yield Found("missed_action", "hindered", f"asked for {names}, and neither gave nor promised it", tuple(ignored))


def _known_asked(moved: Moved, view: CustomerView) -> list[str]:
    known = {f.id for f in view.facts}
    return [i for i in asked_facts(moved.live) if i in known]


def _ignored_files(moved: Moved, view: CustomerView) -> list[str]:
    if not any(c.kind == "upload" and c.enabled for c in moved.screen.controls):
        return []
    wanted = [f for f in wanted_files(view.files, moved.screen) if f.file not in moved.before.handed]
    return [f.file for f in wanted if moved.before.has(f) or not promises(f, moved.text)]


def given_unasked(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Facts with a value of their own told before anybody asked; a file nobody asked for, or before it is there."""
    wanted = {
        a.fact
        for a in asked(
            "\n".join(b.text for b in moved.screen.blocks if b.part in ("reply", "card", "dialog", "notice"))
        )
    }
    text = "\n".join(_texts(moved, view))
    for wish in view.wishes:
        text = fold(text).replace(fold(wish.say), "")
    facts = {f.id: f for f in view.facts}
    told = [f for f in told_by(view.facts, text, wanted) if f not in wanted and f not in moved.before.told]
    told = [f for f in told if f not in moved.before.asked and facts[f].kind not in ("yes_no", "text", "name")]
    if told and (wanted or not has_question(moved.live)):
        yield Found("revealed_early", "helped", f"told {', '.join(told)} without being asked", tuple(told))
    elif told:
        yield Found(
            "revealed_early",
            None,
            f"whether the question, which no rule hears, was about {', '.join(told)}",
            tuple(told),
        )
    if moved.move is None or moved.move.move != "upload" or (file := file_of(moved.move, view)) is None:
        return
    if not moved.before.has(file) and file.available.when == "later":
        yield Found("wrong_sequence", "helped", f"{file.file} before it is there", (file.file,))
    elif file.file in moved.before.handed:
        yield Found("looping", "minor", f"{file.file} once more")
    elif (
        file.file not in moved.before.first_asked
        and not has_request(moved.live)
        and not view.persona.hands_over_unasked
    ):
        yield Found("wrong_sequence", "helped", f"{file.file}, which nobody asked for", (file.file,))
    elif file not in wanted_files(view.files, moved.screen) and not view.persona.hands_over_unasked:
        named = moved.move.control
        into = [c.name for c in moved.screen.controls if c.kind == "upload" and c.enabled and named in ("", c.name)]
        if into and all(another_kind(file.label, name) for name in into):
            why = f"{file.file}, which is not what “{into[0]}” asks for"
            yield Found("wrong_sequence", "hindered", why, (file.file,))


def corrected(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Puts something right that nobody asked to be checked."""
    if any(c.enabled and c.part == "dialog" for c in moved.screen.controls):
        return
    for text in _texts(moved, view):
        if conduct.corrects(text, moved.live):
            about = tuple(told_by(view.facts, text, asked_facts(text)))
            yield Found("corrected", "helped", "puts right what nobody asked to be checked", about)


def hinted(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Tells the company what to ask or do."""
    for text in _texts(moved, view):
        if conduct.hints(text):
            yield Found("hinted", "helped", "tells the company what to ask or do", tuple(a.fact for a in asked(text)))


def role_flip(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Speaks as the company, puts its questions, or says its words again."""
    own = fold(view_pool(view))
    heard = [fold(s) for b in moved.screen.blocks if b.part == "reply" for s in sentences(b.text)]
    for text in _texts(moved, view):
        flat = fold(text)
        if speaks_as_another(text):
            yield Found("role_flip", "hindered", "speaks as the company or an assistant")
        elif any(len(s) >= ECHO and s in flat and s.rstrip(".!?") not in own for s in heard):
            yield Found("role_flip", "hindered", "says the company's words again")
        elif not conduct.hints(text) and any(is_question(s) and asked(s) for s in sentences(text)):
            yield Found("role_flip", "helped", "puts the company's own question")


def reasoning(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Thinks aloud, speaks of its part, or plays it with stage directions."""
    for text in _texts(moved, view):
        if thinks_aloud(text):
            yield Found("reasoning", "helped", "reasoning or instructions in the message")


def language_drift(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Another language than its own."""
    pool = "\n".join([view_pool(view), moved.screen.visible_text()])
    for text in _texts(moved, view):
        other = conduct.other_language(text, view.persona.language, pool)
        if other:
            yield Found("language_drift", "hindered", f"in {other}, not in {view.persona.language}")


def empty(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """No words, no move, or a control that is not there."""
    if moved.move is None:
        cut = len(moved.raw) >= RAW_LIMIT
        why = "whether the refused text, cut in the record, held a move" if cut else "no move in the reply"
        yield Found("empty_or_malformed", None if cut else "minor", why)
        return
    if moved.move.move == "say" and not (moved.move.messages and all(re.search(r"\w", t) for t in moved.move.messages)):
        yield Found("empty_or_malformed", "hindered" if moved.delivered else "minor", "a message without words")
    if moved.move.move in ("press", "fill"):
        there = [c.name for c in moved.screen.controls if c.enabled and c.kind != "composer"]
        if moved.move.control not in there:
            yield Found("empty_or_malformed", "minor", f"no control “{moved.move.control}” on the screen")


def looping(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """The same words as last time, or for the third time, where they answer nothing that is asked."""
    texts = _texts(moved, view)
    if not texts:
        return
    stock = {fold(p) for p in view.persona.dont_know}
    stock |= {fold(f.available.promise) for f in view.files if f.available.promise and not moved.before.has(f)}
    flat, said = [fold(t) for t in texts], [fold(t) for t in moved.before.messages]
    again = len(said) > 1 and flat == said[-len(flat) :]
    often = any(said.count(t) >= MOST_SAID for t in flat)
    answers = set(asked_facts(moved.live)) & set(told_by(view.facts, " ".join(texts), []))
    confirms = any(is_confirmation(s) for s in sentences(moved.live))
    fixed = all(fold(t) in stock or all(conduct.says_unknown(s, view) for s in sentences(t)) for t in texts)
    if (again or often) and not fixed and not answers and not confirms:
        yield Found("looping", "hindered", "the same words as last time" if again else "the same words once more")


def premature_end(moved: Moved, view: CustomerView) -> Iterator[Found]:
    """Leaves, or takes leave in words, while something is asked."""
    if moved.move is None or not _wants_something(moved.screen):
        return
    if moved.move.move == "leave":
        yield Found("premature_end", "hindered", "leaves while the screen still asks something")
    elif any(conduct.takes_leave(t, view) for t in _texts(moved, view)):
        yield Found("premature_end", "hindered", "takes leave while the screen still asks something")


DETECTORS: dict[str, Detector] = {
    "invented": invented,
    "inconsistent": inconsistent,
    "denied": denied,
    "kept_back": kept_back,
    "given_unasked": given_unasked,
    "corrected": corrected,
    "hinted": hinted,
    "role_flip": role_flip,
    "reasoning": reasoning,
    "language_drift": language_drift,
    "empty": empty,
    "looping": looping,
    "premature_end": premature_end,
}
NOT_LOOKED_FOR: dict[SlipKind, str] = {
    "persona_break": "mood and manner are no matter of a rule; a person has to read the messages",
}
