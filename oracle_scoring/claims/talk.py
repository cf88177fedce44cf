"""What the product said and asked, heard from the recorded screens by rule."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.schema import wording
from harness.schema.events import Acted, Event, LedgerEntry, MoveDecided, ReplySettled, ScreenSeen, Slip
from harness.schema.package import VisiblePackage
from oracle_scoring.compare import mentions

SPOILING = frozenset({"hallucination", "inconsistent", "role_flip", "language_drift", "empty_or_malformed"})
"""Slips that, delivered, make what was told in the same turn no right answer."""
_HANDING_OVER = re.compile(
    r"\b(upload|attach|send|photo|picture|file|document|copy|yet|ready)\b|上传|发送|照片|文件|tải lên|gửi"
)
_CLAUSE = re.compile(r"[,;:，、；]|\band\b|\bor\b|&|和|以及|\bvà\b", re.IGNORECASE)


@dataclass(frozen=True)
class Spoken:
    """One reply item of the product, as last seen."""

    n: int
    """Event number of the screen that showed it first."""
    turn: int
    text: str


@dataclass(frozen=True)
class Ask:
    """The product asked for one fact."""

    n: int
    turn: int
    fact: str
    sentence: str
    confirm: bool
    """It only asked whether a value is right."""


@dataclass(frozen=True)
class Repeat:
    """A fact was asked for again after it had been told rightly."""

    ask: Ask
    told: LedgerEntry


@dataclass(frozen=True)
class Idle:
    """A screen that left the customer nothing to do."""

    n: int
    turn: int
    reply: str
    last: bool
    """Nothing but such screens came after it."""


@dataclass(frozen=True)
class Talk:
    """One journey's conversation."""

    spoken: list[Spoken]
    asks: list[Ask]
    repeats: list[Repeat]
    idle: list[Idle]
    judged_screens: int
    """Screens after a settled reply that could be judged for leaving something to do."""
    unclear_screens: list[int]
    """Event numbers of screens whose text was cut or could not be read."""
    questions: int
    """Questions the product asked: per sentence one, or as many as facts it asks for."""


def listen(events: Sequence[Event], visible: VisiblePackage) -> Talk:
    """The conversation of these events."""
    spoken = heard(events)
    asks = [Ask(s.n, s.turn, a.fact, a.sentence, a.confirm) for s in spoken for a in wording.asked(s.text)]
    idle, judged, unclear = idle_screens(events)
    return Talk(
        spoken=spoken,
        asks=asks,
        repeats=repeats(asks, events, visible),
        idle=idle,
        judged_screens=judged,
        unclear_screens=unclear,
        questions=sum(count_questions(s.text) for s in spoken),
    )


def count_questions(text: str) -> int:
    """Questions in a text: a sentence with a question mark or asking for facts counts once, or once per fact asked for.

    Addresses are not read and "??" is one mark.
    """
    total = 0
    for sentence in wording.sentences(text):
        facts = len(wording.asked(sentence))
        total += max(facts, 1 if wording.is_question(sentence) else 0)
    return total


def heard(events: Sequence[Event]) -> list[Spoken]:
    """Every reply item once, in order.

    A screen shows all items since the last customer bubble, so between two bubbles only what is new counts; an item that
    was still growing is kept in its longest form.
    """
    items: list[Spoken] = []
    before: list[str] = []
    bubble = True
    for event in events:
        if isinstance(event, Acted) and event.confirmed and event.act in ("said", "uploaded"):
            bubble = True
        if not isinstance(event, ScreenSeen):
            continue
        now = [b.text for b in event.screen.blocks if b.part == "reply"]
        same = 0
        if not bubble:
            while same < min(len(now), len(before)) and now[same] == before[same]:
                same += 1
            grew = same == len(before) - 1 and same < len(now) and bool(before[same].strip())
            if grew and now[same].startswith(before[same]):
                items[-1] = replace(items[-1], text=now[same])
                same += 1
        items += [Spoken(event.n, event.turn, text) for text in now[same:] if text.strip()]
        before, bubble = now, False
    return items


def repeats(asks: Sequence[Ask], events: Sequence[Event], visible: VisiblePackage) -> list[Repeat]:
    """Facts asked for again after a right answer.

    Not a repeat: asking whether a shown value is right; asking after the customer failed to answer; asking for a file
    that was promised for later; naming a known fact in a clause that asks for a new one ("who was driving the other car?").
    """
    known = {f.id: f for f in visible.facts.facts}
    told = [e for e in events if isinstance(e, LedgerEntry) and e.entry == "fact_told" and _arrived(e, events)]
    found: list[Repeat] = []
    for ask in asks:
        fact = known.get(ask.fact)
        answers = [e for e in told if e.id == ask.fact and e.n < ask.n]
        if ask.confirm or not fact or not answers or mentions(fact.kind, fact.value, ask.sentence):
            continue
        last = answers[-1]
        if _along_with_new(ask, {e.id for e in told if e.n < ask.n}):
            continue
        if not _failed_to_answer(ask, last, asks, events) and not _about_promised_file(ask, events, visible):
            found.append(Repeat(ask, last))
    return found


def _along_with_new(ask: Ask, told: set[str]) -> bool:
    """In one clause with a fact that was not told: the known one is what the question is about, not what it asks for."""
    for clause in _CLAUSE.split(ask.sentence):
        facts = {a.fact for a in wording.asked(f"{clause.strip().rstrip('?？')}?")}
        if ask.fact in facts:
            return not facts <= told
    return False


def _arrived(entry: LedgerEntry, events: Sequence[Event]) -> bool:
    """What was told reached the page, and no delivered slip of the same turn spoilt it."""
    turn = [e for e in events if e.turn == entry.turn]
    acts = [e for e in turn if isinstance(e, Acted) and e.act in ("said", "filled", "pressed")]
    spoilt = any(isinstance(e, Slip) and e.delivered and e.slip in SPOILING for e in turn)
    return not spoilt and (not acts or any(a.confirmed for a in acts))


def _failed_to_answer(ask: Ask, told: LedgerEntry, asks: Sequence[Ask], events: Sequence[Event]) -> bool:
    """Asked once more in between, the customer said not to know, or a stand-in spoke."""
    between = [e for e in events if told.n < e.n < ask.n]
    if any(isinstance(e, LedgerEntry) and e.entry == "unknown_told" and e.id == ask.fact for e in between):
        return True
    earlier = [a for a in asks if a.fact == ask.fact and told.n < a.n < ask.n]
    if not earlier:
        return False
    answer = next((e for e in between if isinstance(e, MoveDecided) and e.n > earlier[-1].n), None)
    return answer is not None and answer.by == "stand_in"


def _about_promised_file(ask: Ask, events: Sequence[Event], visible: VisiblePackage) -> bool:
    promised = {e.id for e in events if isinstance(e, LedgerEntry) and e.entry == "file_promised" and e.n < ask.n}
    words = wording.topic_words(ask.sentence)
    return bool(_HANDING_OVER.search(wording.fold(ask.sentence))) and any(
        m.visible.file in promised and wording.topic_words(m.visible.label) & words for m in visible.materials.materials
    )


def stood(events: Sequence[Event]) -> list[ScreenSeen]:
    """The last screen before each act of the customer, and the last of all: those the customer had before their eyes."""
    found: list[ScreenSeen] = []
    last: ScreenSeen | None = None
    for event in events:
        if isinstance(event, ScreenSeen):
            last = event
        elif isinstance(event, Acted) and last is not None:
            found.append(last)
            last = None
    return [*found, *([last] if last else [])]


def idle_screens(events: Sequence[Event]) -> tuple[list[Idle], int, list[int]]:
    """Screens that leave nothing to do: the last one before each act of the customer, after a settled reply.

    Returns: those screens, how many screens were judged, and event numbers of those that could not be.
    """
    found: list[Idle] = []
    unclear: list[int] = []
    judged = 0
    last: ScreenSeen | None = None
    settled = False
    run: list[tuple[ScreenSeen, bool]] = []

    def close() -> None:
        if last is not None and last.turn > 0 and settled:
            run.append((last, wording.nothing_to_do(last.screen)))

    for event in events:
        if isinstance(event, ReplySettled):
            settled = event.settled or event.first_ms is None  # nothing came at all: nothing is still coming either
        elif isinstance(event, ScreenSeen):
            last = event
        elif isinstance(event, Acted) and event.act != "waited":
            close()
            last, settled = None, False
    close()
    for seen, idle in run:
        if seen.screen.truncated or seen.screen.unreadable:
            unclear.append(seen.n)
            continue
        judged += 1
        if idle:
            found.append(Idle(seen.n, seen.turn, seen.screen.reply_text(), False))
    tail = {seen.n for seen, idle in _trailing(run)}
    return [replace(i, last=i.n in tail) for i in found], judged, unclear


def _trailing(run: list[tuple[ScreenSeen, bool]]) -> list[tuple[ScreenSeen, bool]]:
    tail: list[tuple[ScreenSeen, bool]] = []
    for item in reversed(run):
        if not item[1]:
            break
        tail.append(item)
    return tail
