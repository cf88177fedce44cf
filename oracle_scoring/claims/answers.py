"""Questions the customer put, and what the product said to them on the screen."""

from collections import Counter
from dataclasses import dataclass, field

from harness.schema import wording
from harness.schema.events import LedgerEntry
from harness.schema.scorecard import ScoreLine
from harness.schema.visible import Wish
from oracle_scoring.claims.context import Context
from oracle_scoring.claims.talk import Spoken
from oracle_scoring.claims.words import pattern
from oracle_scoring.lines import EVENTS, Head, at_event, in_file, line

STEM = 5
"""Words that begin with the same so many letters are forms of one word."""
NEXT_TURNS = 1
"""An answer in words of its own is looked for in the turn of the question and so many after it; that it was passed on,
anywhere before the next question."""


@dataclass
class _Reaction:
    """What followed one question."""

    wish: Wish
    put: LedgerEntry
    heard: list[Spoken] = field(default_factory=list)
    """Replies after it."""
    sentences: list[tuple[Spoken, str]] = field(default_factory=list)
    """Sentences that answer it or take it up."""
    maybe: list[tuple[Spoken, str]] = field(default_factory=list)
    """Sentences that may be an answer."""
    again: str | None = None
    """A sentence of these that was said once more."""


def answer_lines(ctx: Context) -> list[ScoreLine]:
    """`journey.questions_answered`."""
    return [_questions_answered(ctx)]


def _reaction(ctx: Context, wish: Wish, put: LedgerEntry, until: int) -> _Reaction:
    found = _Reaction(wish, put, [s for s in ctx.talk.spoken if put.n < s.n < until])
    topics = {word[:STEM] for word in wording.topic_words(wish.say) if len(word) >= STEM}
    for said in found.heard:
        for sentence in wording.sentences(said.text):
            if wording.is_question(sentence) or wording.is_request(sentence):
                continue
            flat = wording.fold(sentence)
            near = said.turn <= put.turn + NEXT_TURNS
            acknowledges = bool(pattern("acknowledgements").search(flat))
            if pattern("taken_up").search(flat) or (near and not acknowledges and _about(flat, topics)):
                found.sentences.append((said, sentence))
            elif near and not acknowledges:
                found.maybe.append((said, sentence))
    found.again = _said_again(ctx, found)
    return found


def _about(flat: str, topics: set[str]) -> bool:
    return any(word[:STEM] in topics for word in wording.topic_words(flat) if len(word) >= STEM)


def _said_again(ctx: Context, found: _Reaction) -> str | None:
    """The sentence that answers or takes up more often than the customer asked anything from then on."""
    times = Counter(wording.fold(sentence) for _, sentence in found.sentences)
    if not times or times.most_common(1)[0][1] < 2:
        return None
    flat, count = times.most_common(1)[0]
    last = max(said.n for said, sentence in found.sentences if wording.fold(sentence) == flat)
    asked = sum(a.act == "said" and found.put.n < a.n < last and wording.has_question(a.text) for a in ctx.acts)
    return flat if count > 1 + asked else None


def _questions_answered(ctx: Context) -> ScoreLine:
    head = Head(
        "journey.questions_answered", "journey", "Every question of the customer's is answered or taken up, once"
    )
    wishes = {w.id: w for w in ctx.visible.facts.wishes if w.kind == "question"}
    put = [e for e in ctx.ledger if e.entry == "wish_put" and e.id in wishes]
    if not ctx.record.events:
        return line(head, "not_checked", "no event was recorded", [in_file(EVENTS)])
    if not put:
        why = "the journey ended before the customer put it" if wishes else "the customer had none"
        return line(head, "not_applicable", why, [in_file(EVENTS)])
    ends = [*(e.n for e in put[1:]), ctx.record.events[-1].n + 1]
    reactions = [_reaction(ctx, wishes[e.id], e, until) for e, until in zip(put, ends, strict=True)]
    expected = f"{len(put)} answered or taken up, once each"
    asked = [at_event(r.put.n, r.wish.say) for r in reactions]
    bad = [(r, how) for r in reactions if (how := _wrong(ctx, r))]
    if bad:
        why = "; ".join(f"{how}: “{r.wish.say}”" for r, how in bad)
        places = [at_event(said.n, sentence) for r, _ in bad for said, sentence in r.sentences if r.again]
        heard = [at_event(r.heard[0].n, r.heard[0].text) for r, _ in bad if r.heard and not r.again]
        return line(head, "fail", why, [*asked, *places, *heard], expected=expected)
    silent = [r for r in reactions if not r.sentences and not r.maybe]
    if silent or (ctx.unclear and any(not r.sentences for r in reactions)):
        why = "nothing that the product showed after the question was recorded whole"
        return line(head, "not_checked", why, asked, expected=expected)
    unsure = [r for r in reactions if not r.sentences]
    if unsure:
        why = "; ".join(f"“{r.maybe[0][1]}” may answer “{r.wish.say}”" for r in unsure)
        shown = [at_event(r.maybe[0][0].n, r.maybe[0][1]) for r in unsure]
        why = f"a person has to say: {why}"
        return line(head, "needs_human", why, [*asked, *shown], referee="human", expected=expected)
    shown = [at_event(r.sentences[0][0].n, r.sentences[0][1]) for r in reactions]
    why = f"each of {len(put)} was answered or taken up"
    return line(head, "pass", why, [*asked, *shown], expected=expected)


def _wrong(ctx: Context, reaction: _Reaction) -> str | None:
    """How the product failed a question; None if it did not, or if that cannot be said."""
    if reaction.again:
        return "answered or taken up twice"
    shown_after = any(s.n > reaction.put.n for s in ctx.screens)
    if not reaction.sentences and not reaction.maybe and shown_after and not ctx.unclear:
        return "neither answered nor taken up"
    return None
