"""Replies that stopped in the middle: never over at the cap, or over in the midst of a sentence."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from harness.schema import wording
from harness.schema.scorecard import Evidence, ScoreLine
from oracle_scoring.claims.bodies import broken_streams
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.pace import replies
from oracle_scoring.claims.shown import first_shown, in_network
from oracle_scoring.claims.talk import Spoken
from oracle_scoring.claims.words import pattern, word_list
from oracle_scoring.lines import EVENTS, Head, at_event, in_file, line, listed

HABIT = 3
"""So many other replies, all of them closed by a mark, show that the product closes its sentences."""
CLOSING_WORDS = 5
"""A formula at the end of a letter is no longer."""
_CLOSED = re.compile(
    r"(?:[.!?…。！？~:：;*|%)\]）】»”\"'’」』》0-9\u2190-\u2bff\U0001f000-\U0001faff]|(?:https?://|www\.)\S+|\S+@\S+)$"
)
_WRAPPING = " \t\n*_`\u200d\ufe0f"
_COMMA = re.compile(r"[,，、(（\[【]$")
_ITEM = re.compile(r"^\s*(?:[-*•–·]|\d+[.)、])\s")


def ending_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.replies_complete`."""
    return [_replies_complete(ctx)]


def closed(text: str) -> bool:
    """The text ends with a mark, a figure, an emoji or an address."""
    return bool(_CLOSED.search(text.rstrip(_WRAPPING)))


def broken_off(text: str, habit: bool, words: frozenset[str] = frozenset()) -> str | None:
    """How it shows that the text stops in the midst of a sentence, in words; None if it does not.

    Args:
        text: one whole reply.
        habit: the product closes its sentences with a mark, all of them.
        words: whole words of the talk, folded.
    """
    flat = text.rstrip(_WRAPPING)
    rows = flat.splitlines()
    if not rows or _ITEM.match(rows[-1]):
        return None
    last = wording.fold(rows[-1])
    if not last:
        return None
    letter = rows[-1].split()[-1]
    several = (len(last.split()) > 1 or not last.isascii()) and not (len(letter) == 1 and letter.isupper())
    if len(last.split()) <= CLOSING_WORDS and pattern("closings").search(last) and not re.search(r"[.!?] ", last):
        return None
    if _COMMA.search(last) and (len(last.split()) > 2 or not last.isascii()):
        return "it ends with a comma or an open bracket"
    if closed(flat):
        return None
    rest = wording.fold("".join(wording.sentences(rows[-1])[-1:]))
    if pattern("cut_words").search(last) and several:
        return f"it ends with “{last.split()[-1]}”"
    if not habit:
        return None
    if pattern("cut_words_unmarked").search(last) and several:
        return f"it ends with “{last.split()[-1]}”"
    if pattern("question_openings").search(rest):
        return "it ends in the midst of a question"
    end, known = last.split()[-1], words | word_list("common_words")
    if end.isalpha() and end not in known and any(word.startswith(end) for word in known):
        return f"it ends in the middle of a word (“{end}”)"
    return None


def _habit(spoken: Sequence[Spoken], index: int) -> bool:
    others = [s.text for i, s in enumerate(spoken) if i != index]
    return len(others) >= HABIT and all(closed(text) for text in others)


def _replies_complete(ctx: Context) -> ScoreLine:
    head = Head("journey.replies_complete", "journey", "No reply that stopped in the middle")
    if not ctx.talk.spoken and not replies(ctx):
        return line(head, "not_checked", "no reply of the product was recorded", [in_file(EVENTS)])
    problems: list[tuple[int, str]] = []
    evidence: list[Evidence] = []
    begun = {said.turn for said in ctx.talk.spoken}
    over = {reply.turn: reply.n for reply in replies(ctx) if reply.settled}
    for reply in replies(ctx):
        began = reply.first_ms is not None and reply.turn in begun
        if not reply.settled and reply.why == "cap" and began and over.get(reply.turn, 0) < reply.n:
            problems.append((reply.turn, f"still coming after {reply.total_ms / 1000:.0f} s"))
            evidence.append(at_event(reply.n))
    streams = broken_streams(ctx.record)
    cut = {stream.turn: stream.position for stream in streams}
    words = _words_elsewhere(ctx)
    doubtful: list[Spoken] = []
    for index, said in enumerate(ctx.talk.spoken):
        habit = _habit(ctx.talk.spoken, index)
        how = broken_off(said.text, habit, words(said))
        unmarked = habit and not closed(said.text)
        if how is None and unmarked and said.turn in cut:
            how = "its stream ended before its end"
            evidence += in_network(ctx, cut[said.turn], None, None)
        if how is not None:
            problems.append((said.turn, how))
            evidence.append(at_event(said.n, said.text[-200:]))
        elif unmarked and not _ITEM.match(said.text.rstrip().splitlines()[-1]):
            doubtful.append(said)
    named = {said.turn for said in doubtful} | {turn for turn, _ in problems}
    for stream in streams:
        if stream.turn not in named and stream.text and not closed(stream.text) and not _came_whole(ctx, stream.text):
            problems.append((stream.turn, "its stream ended before its end"))
            evidence += in_network(ctx, stream.position, None, stream.text[-200:] or None)
    if problems:
        return line(
            head,
            "fail",
            listed(f"turn {turn}: {how}" for turn, how in problems),
            evidence,
            expected="0",
            got=str(len(problems)),
        )
    if doubtful:
        why = f"the reply in turn {listed(str(s.turn) for s in doubtful)} ends without a mark, unlike all others"
        shown = [at_event(s.n, s.text[-200:]) for s in doubtful]
        return line(head, "needs_human", why, shown, referee="human", expected="0")
    if ctx.unclear:
        why = "a part of a screen was cut or could not be read, so the end of a reply may not have been seen"
        return line(head, "not_checked", why, [at_event(n) for n in ctx.unclear], expected="0")
    if not ctx.talk.spoken:
        return line(head, "not_applicable", "the product said nothing", [in_file(EVENTS)], expected="0")
    why = f"each of {len(ctx.talk.spoken)} replies came to its end"
    return line(head, "pass", why, [at_event(ctx.talk.spoken[-1].n)], expected="0", got="0")


def _came_whole(ctx: Context, start: str) -> bool:
    """A closed reply that begins so was shown all the same."""
    flat = wording.fold(start)
    return any(wording.fold(said.text).startswith(flat) and closed(said.text) for said in ctx.talk.spoken)


def _words_elsewhere(ctx: Context) -> Callable[[Spoken], frozenset[str]]:
    """For a reply: the whole words of everything else that was shown or said."""
    counts: Counter[str] = Counter()
    for text in (*(s.text for s in first_shown(ctx) if s.part != "reply"), *ctx.own_texts):
        counts.update(_words(text))
    for said in ctx.talk.spoken:
        counts.update(_words(said.text))

    def elsewhere(said: Spoken) -> frozenset[str]:
        last = _words(said.text)[-1:]
        return frozenset(word for word in counts if [word] != last or counts[word] > 1)

    return elsewhere


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", wording.fold(text))
