"""Checks on a move before it is carried out: a bad one is refused whole and asked for again, never edited."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from harness.customer.addresses import stray_addresses
from harness.customer.ledger import ClaimLedger
from harness.customer.prompt import usable
from harness.customer.values import NUMBER_WORDS, Values, same_date, values
from harness.customer.voice import speaks_as_another, thinks_aloud
from harness.schema.events import Severity, SlipKind
from harness.schema.move import Move
from harness.schema.screen import Screen
from harness.schema.visible import CustomerView
from harness.schema.wording import (
    asked,
    asked_facts,
    fold,
    has_question,
    has_request,
    is_question,
    sentences,
    topic_words,
)


@dataclass(frozen=True)
class Problem:
    """Why a move is refused."""

    problem: str
    """`ungrounded`, `empty`, `role_flip`, `reasoning`, `malformed`, `no_such_control`, `no_such_file`, `not_asked`,
    `not_available`, `premature_end`, `repeated`, `language`."""
    why: str
    slip: SlipKind
    severity: Severity

    @property
    def note(self) -> str:
        """Key of the locked retry note."""
        return _NOTES[self.problem]


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
}

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_NAME = re.compile(r"[\u3400-\u9fff]{1,3}?(?:先生|女士|小姐|路|街|市|区|镇|村|大厦|医院)")
_CAPITAL = re.compile(r"(?<![.!?。！？\n:;\"'(-])(?<=[^\s]) ([A-ZÀ-ÞĐ][\w'’-]*[^\W\d_])")
_COMMON_CAPITALS = frozenset(
    [
        "i",
        "ok",
        "okay",
        "english",
        "chinese",
        "vietnamese",
        "yes",
        "no",
        "thanks",
        "thank",
        "hello",
        "hi",
        "dear",
        "sorry",
        "please",
        "pdf",
        "faq",
        "i'm",
        "i've",
        "i'll",
        "i'd",
        "mr",
        "mrs",
        "ms",
    ]
)


@cache
def _sensitive() -> frozenset[str]:
    lines = Path(__file__).with_name("sensitive.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(w for line in lines if not line.startswith("#") for w in line.split())


@cache
def _sensitive_cjk() -> tuple[str, ...]:
    """Those of them that no space parts from their neighbours."""
    return tuple(w for w in _sensitive() if _CJK.search(w))


@lru_cache(maxsize=2048)
def _line_words(flat: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words of a folded line: as they are written, and parted at hyphens and apostrophes ("sister's" holds "sister") too."""
    whole = frozenset(re.findall(r"[^\W_]+(?:['-][^\W_]+)*", flat))
    return whole, whole | frozenset(re.findall(r"[^\W\d_]+", flat))


def view_pool(view: CustomerView) -> str:
    """All text of a view: what the customer may draw from besides the screen and their own words."""
    parts = [view.initial_message, view.persona.name, *view.persona.dont_know]
    parts += [t for f in view.facts for t in (f.topic, f.value, f.say)]
    parts += [u.topic for u in view.does_not_know] + [w.say for w in view.wishes]
    parts += [t for f in view.files for t in (f.label, f.available.promise or "")]
    return "\n".join(parts)


def ungrounded(message: str, pool: str) -> list[str]:
    """The particulars of a message that the pool does not hold: dates, times, numbers, codes, addresses, names, words."""
    own = values(message)
    known = _known(pool, across=False)
    if not _all_known(own, known):
        known = _known(pool, across=True)
    lines = [flat for line in pool.split("\n") if (flat := fold(line))]  # most lines come again at every turn
    flat_pool = " ".join(lines)
    pool_words = frozenset().union(*(_line_words(flat)[0] for flat in lines))
    stray: list[str] = []
    stray += [f"date {d}" for d in sorted(own.dates, key=str) if not any(same_date(d, k) for k in known.dates)]
    stray += [f"time {t}" for t in sorted(own.times - known.times)]
    stray += [
        f"number {n:f}"
        for n in sorted(own.numbers - known.numbers)
        if not _year_of(int(n) if n == int(n) else -1, known.dates)
    ]
    if own.codes - known.codes:
        pool_bare = "".join(c for c in flat_pool if c.isalnum()).upper()
        stray += [f"code {c}" for c in sorted(own.codes - known.codes) if c not in pool_bare]
    stray += [f"address {a}" for a in stray_addresses(message, pool.split("\n"))]
    stray += [f"name {w}" for w in _names(message) if w.casefold() not in pool_words and fold(w) not in flat_pool]
    flat = fold(message)
    said = set(re.findall(r"[^\W\d_]+", flat))
    stray += [
        f"number {w}"
        for w in sorted(said & NUMBER_WORDS.keys() - {"one", "zero"})
        if not _number_known(w, pool_words, known.numbers)
    ]
    words = said & _sensitive()
    if words:
        words -= frozenset().union(*(_line_words(flat)[1] for flat in lines))
    words -= {*_sensitive_cjk()}
    words |= {w for w in _sensitive_cjk() if w in flat and w not in flat_pool}
    stray += [f"word {w}" for w in sorted(words)]
    stray += [f"name {m}" for m in _CJK_NAME.findall(flat) if m not in flat_pool]
    return stray


def _all_known(own: Values, known: Values) -> bool:
    return (
        own.dates <= known.dates
        and own.times <= known.times
        and own.numbers <= known.numbers
        and own.codes <= known.codes
    )


def _known(pool: str, across: bool) -> Values:
    """The values of all lines of a pool, which come again at every turn and are read once.

    Args:
        across: those of each two lines that follow one another, too, since a page may break a line anywhere.
    """
    each = pool.split("\n")
    lines = [values(text) for text in dict.fromkeys([*each, *(map("\n".join, pairwise(each)) if across else ())])]
    return Values(
        dates=frozenset().union(*(v.dates for v in lines)),
        times=frozenset().union(*(v.times for v in lines)),
        numbers=frozenset().union(*(v.numbers for v in lines)),
        codes=frozenset().union(*(v.codes for v in lines)),
    )


def _year_of(number: int, dates: frozenset[tuple[int | None, int, int]]) -> bool:
    return any(number == y for y, _, _ in dates)


def _number_known(word: str, pool_words: frozenset[str], numbers: frozenset[object]) -> bool:
    return word in pool_words or any(str(n) == NUMBER_WORDS[word] for n in numbers)


def _names(message: str) -> list[str]:
    found = [m.group(1) for m in _CAPITAL.finditer(message)]
    return [w for w in found if fold(w) not in _COMMON_CAPITALS and fold(w) not in _sensitive()]


def check(move: Move, ledger: ClaimLedger, screen: Screen) -> Problem | None:
    """The first thing wrong with a move, or None."""
    if move.move == "say":
        return _check_say(move, ledger, screen)
    if move.move == "upload":
        return _check_upload(move, ledger, screen)
    if move.move in ("press", "fill"):
        control = next((c for c in usable(screen) if c.name == move.control), None)
        if control is None:
            return Problem(
                "no_such_control", f"no enabled control “{move.control}” on the screen", "empty_or_malformed", "minor"
            )
        if move.move == "fill":
            stray = ungrounded(move.value, _pool(ledger, screen))
            if stray:
                return Problem("ungrounded", "; ".join(stray), "hallucination", "hindered")
    if move.move == "leave" and (has_question(screen.reply_text()) or usable(screen)):
        return Problem(
            "premature_end", "wants to leave while the screen still asks something", "premature_end", "hindered"
        )
    if move.move == "wait" and has_question(screen.reply_text()):
        return Problem("not_asked", "waits although the screen asks something", "missed_action", "hindered")
    return None


def _pool(ledger: ClaimLedger, screen: Screen) -> str:
    return "\n".join([view_pool(ledger.view), screen.visible_text(), *ledger.messages])


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
            return Problem("reasoning", "reasoning or instructions in the message", "role_flip", "helped")
        if speaks_as_another(text):
            return Problem("role_flip", "speaks as the company or an assistant", "role_flip", "hindered")
        if _echoes(flat, ledger, screen):
            return Problem("role_flip", "repeats the company's words", "role_flip", "minor")
        if flat not in wishes and any(is_question(s) and asked(s) for s in sentences(text)):
            return Problem("role_flip", "asks the company's own question", "role_flip", "helped")
        if (
            not ledger.view.persona.language.startswith(("zh", "ja", "ko"))
            and _CJK.search(text)
            and not _CJK.search(pool)
        ):
            return Problem("language", f"not in {ledger.view.persona.language}", "language_drift", "hindered")
        stray = ungrounded(text, pool)
        if stray:
            return Problem(
                "ungrounded", "; ".join(stray), "hallucination", "helped" if _answers(text, screen) else "hindered"
            )
    if (
        len(ledger.messages) > 1
        and [fold(t) for t in texts] == [fold(t) for t in ledger.messages[-len(texts) :]]
        and not _is_stock_phrase(texts, ledger)
    ) and not set(asked_facts(screen.reply_text())) & set(ledger.newly_told(" ".join(texts), [])):
        return Problem("repeated", "the same words as last time", "looping", "hindered")
    return None


def _echoes(flat: str, ledger: ClaimLedger, screen: Screen) -> bool:
    """The message is (mostly) what the company has just written and not what a fact says."""
    heard = [fold(sentence) for b in screen.blocks if b.part == "reply" for sentence in sentences(b.text)]
    own = fold(view_pool(ledger.view))
    return any(len(sentence) >= 12 and sentence in flat and sentence.rstrip(".!?") not in own for sentence in heard)


def _is_stock_phrase(texts: list[str], ledger: ClaimLedger) -> bool:
    phrases = {fold(p) for p in ledger.view.persona.dont_know}
    phrases |= {
        fold(f.available.promise) for f in ledger.view.files if f.available.promise and ledger.file_state(f) == "later"
    }
    return all(fold(t) in phrases for t in texts)


def _answers(text: str, screen: Screen) -> bool:
    return has_question(screen.reply_text()) and not text.startswith("I don't")


def _check_upload(move: Move, ledger: ClaimLedger, screen: Screen) -> Problem | None:
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


def upload_control(move: Move, ledger: ClaimLedger, screen: Screen) -> str:
    """The control a file goes to: the named one, or the one whose words fit its label best, or the only one."""
    uploads = [c for c in screen.controls if c.kind == "upload" and c.enabled]
    if move.control:
        return move.control
    file = ledger.file_called(move.file)
    label = topic_words(file.label if file else move.file)
    return max(uploads, key=lambda c: len(label & topic_words(c.name))).name


def slips(move: Move, ledger: ClaimLedger, screen: Screen) -> list[tuple[SlipKind, Severity, str]]:
    """Slips of a move that may be carried out all the same; called before the ledger takes it in."""
    found: list[tuple[SlipKind, Severity, str]] = []
    live = "\n".join(b.text for b in screen.blocks if b.part in ("reply", "card", "dialog", "notice"))
    wanted = {a.fact for a in asked(live)}
    if move.move == "say":
        text = "\n".join(move.messages)
        wish = ledger.wish_due()
        if wish is not None and fold(wish.say) in fold(text):
            text = fold(text).replace(fold(wish.say), "")
        told = [f for f in ledger.newly_told(text, sorted(wanted)) if f not in ledger.told and f not in wanted]
        told = [f for f in told if (fact := ledger.fact(f)) is not None and fact.kind not in ("yes_no", "text", "name")]
        if told and wanted:
            found.append(("revealed_early", "helped", f"told {', '.join(told)} without being asked"))
        silent = [
            f
            for f in wanted
            if (fact := ledger.fact(f)) is not None and f not in ledger.newly_told(text, sorted(wanted))
        ]
        if (
            silent
            and wanted
            and not set(wanted) - set(silent)
            and any(fold(p) in fold(text) for p in ledger.view.persona.dont_know)
        ):
            found.append(
                ("missed_action", "hindered", f"said “don't know” though {', '.join(sorted(silent))} is known")
            )
    if (
        move.move == "upload"
        and not any(c.part == "card" for c in screen.controls if c.kind == "upload")
        and not has_request(live)
    ) and not ledger.view.persona.hands_over_unasked:
        found.append(("wrong_sequence", "helped", "handed over a file nobody asked for"))
    return found
