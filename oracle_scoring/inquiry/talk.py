"""A session as rules read it: utterances, replies, decisions in the background, and what was known when.

An *exchange* is one utterance of the customer (turns in a row) with all that follows up to the next one.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from harness.schema.session import AssistantTurn, Context, CustomerTurn, Image, InquirySession, ToolCall, recorded
from harness.schema.strict_json import STRICT
from oracle_scoring.inquiry import language
from oracle_scoring.inquiry.interfaces import interfaces
from oracle_scoring.inquiry.lazy import lazy, remembered
from oracle_scoring.inquiry.markers import Marker
from oracle_scoring.inquiry.profile import Profile
from oracle_scoring.inquiry.sources import Sources, read_tools
from oracle_scoring.inquiry.text import Text

CONVERTED = "converted"
HITS = frozenset(
    {"qr", "cable", "connector", "plug", "charger", "packaging", "catalog", "poster", "style_code", "spec"}
)
"""What a customer's picture must show to be evidence of business."""
SHOWS_PRODUCT = frozenset({"cable", "connector", "plug", "charger", "style_code"})
"""What makes the appearance clear."""
_OBJECT = re.compile(r"\{[^{}]{0,2000}\}")
FLAGS = ("shouldAutoConvert", "shouldForceHumanTakeover")


@dataclass(frozen=True)
class Message:
    """One message of the customer."""

    turn: int
    model: CustomerTurn
    text: Text


@dataclass
class Exchange:
    """One utterance of the customer and what followed it."""

    index: int
    """Number of the utterance from 0; -1: the assistant spoke first."""
    messages: list[Message] = field(default_factory=list)
    replies: list["Reply"] = field(default_factory=list)
    decisions: list["Decision"] = field(default_factory=list)
    calls: list[ToolCall] | None = None
    """Tools called in this exchange; None: not recorded."""
    memo: dict[str, Any] = field(default_factory=dict)
    turn: int = -1
    """Number of the last message's turn."""

    @lazy
    def signals(self) -> frozenset[str]:
        """Names of the lexicon in any of the messages."""
        return frozenset().union(*(m.text.signals for m in self.messages))

    @lazy
    def texts(self) -> list[Text]:
        """Messages with words."""
        return [m.text for m in self.messages if m.text.raw.strip()]

    @lazy
    def folded(self) -> str:
        """All messages, folded, a line each."""
        return "\n".join(t.folded for t in self.texts)

    @lazy
    def raw(self) -> str:
        """All messages, a line each."""
        return "\n".join(t.raw for t in self.texts)

    @lazy
    def interfaces(self) -> frozenset[str]:
        """Interfaces named, e.g. `c-lightning`."""
        return interfaces(self.folded)

    @lazy
    def images(self) -> list[Image] | None:
        """The customer's pictures; None: not recorded for any of the messages."""
        if not any(recorded(m.model, "images") for m in self.messages):
            return None
        return [i for m in self.messages for i in m.model.images or []]

    @property
    def created_at(self) -> Any:
        """Time of the last message, raw."""
        return self.messages[-1].model.created_at if self.messages else None

    @lazy
    def asks(self) -> bool:
        """Any of the messages asks something."""
        return any(t.questions for t in self.texts)


@dataclass
class Reply:
    """One reply to the customer."""

    turn: int
    model: AssistantTurn
    text: Text
    exchange: Exchange
    number: int
    """Among all replies, from 0."""
    language: str
    """Of the customer's latest message with words, declared or detected."""
    sent: list[Marker] = field(default_factory=list)
    """Markers that reached the customer."""
    memo: dict[str, Any] = field(default_factory=dict)

    @property
    def signals(self) -> frozenset[str]:
        """Names of the lexicon it holds."""
        return self.text.signals

    @property
    def published(self) -> bool:
        """It reached the customer, as far as is known."""
        return self.model.published is not False

    @property
    def calls(self) -> list[ToolCall] | None:
        """Tools called for it or earlier in the exchange; None: not recorded."""
        return self.exchange.calls

    @property
    def where(self) -> str:
        """Path of its text."""
        return f"turns.{self.turn}.reply_text"

    @lazy
    def asked(self) -> frozenset[str]:
        """Signals of its questions and requests."""
        return frozenset().union(*(s.signals for s in self.text.questions))

    @lazy
    def stated(self) -> frozenset[str]:
        """Signals of its statements."""
        return frozenset().union(*(s.signals for s in self.text.statements))

    @lazy
    def is_closing(self) -> bool:
        """It says that all was received and that specification and quotation follow tomorrow."""
        return is_closing(self.text)

    @property
    def context(self) -> Context | None:
        """What the agents were given; None: not recorded."""
        return self.model.context

    @lazy
    def converted(self) -> bool | None:
        """Whether the system said that the lead is converted; None: not recorded."""
        return status_converted(self.model.context)


@dataclass
class Decision:
    """One decision of the conversion assistant."""

    turn: int
    phase: str
    output: str | None
    calls: list[ToolCall] | None
    exchange: Exchange
    context: Context | None
    reply: Reply | None
    """The reply of the same turn."""
    before: int
    """Evidence counts from turns below this number: the decision's own turn, or the next for a check after the reply."""
    memo: dict[str, Any] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Path of its output."""
        return f"turns.{self.turn}.conversion.output"

    @lazy
    def strict(self) -> dict[str, Any] | None:
        """The output if it is one JSON object and nothing else."""
        return _object(self.output)

    @lazy
    def values(self) -> dict[str, Any]:
        """The fields that can be read, even if the output is not what it should be."""
        if self.strict is not None:
            return self.strict
        for match in _OBJECT.finditer(self.output or ""):
            if (found := _object(match.group())) is not None:
                return found
        return {}

    def flag(self, name: str) -> bool | None:
        """A boolean of the output; None if it cannot be read."""
        if name == FLAGS[0]:
            return self.auto
        return self.force if name == FLAGS[1] else self._boolean(name)

    def _boolean(self, name: str) -> bool | None:
        value = self.values.get(name)
        return value if isinstance(value, bool) else None

    @lazy
    def auto(self) -> bool | None:
        """`shouldAutoConvert`."""
        return self._boolean(FLAGS[0])

    @lazy
    def force(self) -> bool | None:
        """`shouldForceHumanTakeover`."""
        return self._boolean(FLAGS[1])

    @lazy
    def intent(self) -> str | None:
        """`conversationIntent`."""
        value = self.values.get("conversationIntent")
        return value if isinstance(value, str) else None

    @lazy
    def converted(self) -> bool | None:
        """Whether the system said that the lead is converted; None: not recorded."""
        return status_converted(self.context)


def _object(text: str | None) -> dict[str, Any] | None:
    try:
        value = STRICT.decode(text or "")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def status_converted(context: Context | None) -> bool | None:
    """Whether the status is `converted`; None: not recorded."""
    if context is None or not recorded(context, "lead_status"):
        return None
    return context.lead_status == CONVERTED


def is_closing(text: Text) -> bool:
    """The text says that all was received and that confirmation follows tomorrow."""
    return {"received", "tomorrow", "confirms"} <= text.signals


class Conversation:
    """One session, read."""

    def __init__(self, session: InquirySession, profile: Profile) -> None:
        self.session = session
        self.profile = profile
        self.exchanges: list[Exchange] = []
        self.replies: list[Reply] = []
        self.decisions: list[Decision] = []
        self.conversions_recorded = False
        self.tools_recorded = False
        self.contexts_recorded = False
        self._language = language.UNDETERMINED
        self._last_assistant = -1
        self.sources = Sources(session.media)
        for number, turn in enumerate(session.turns):
            if isinstance(turn, CustomerTurn):
                self._customer(number, turn)
            else:
                self._assistant(number, turn)

    def _customer(self, number: int, turn: CustomerTurn) -> None:
        last = self.exchanges[-1] if self.exchanges else None
        if last is None or last.index < 0 or self._last_assistant > last.turn:
            last = Exchange(index=last.index + 1 if last is not None else 0)
            self.exchanges.append(last)
        message = Message(number, turn, self.profile.text(turn.text or ""))
        last.messages.append(message)
        last.turn = number
        if turn.language or message.text.raw.strip():
            self._language = turn.language or message.text.language

    def _assistant(self, number: int, turn: AssistantTurn) -> None:
        if not self.exchanges:
            self.exchanges.append(Exchange(index=-1))
        exchange = self.exchanges[-1]
        self._last_assistant = number
        if recorded(turn, "tool_calls"):
            self.tools_recorded = True
            calls = turn.tool_calls or []
            exchange.calls = [*(exchange.calls or []), *calls]
            if calls:
                read_tools(self.sources, number, calls, self.profile.data.tools)
        if turn.context is not None:
            self.contexts_recorded = True
        reply = None
        if turn.reply_text is not None:
            reply = Reply(number, turn, self.profile.text(turn.reply_text), exchange, len(self.replies), self._language)
            reply.sent = self._sent(reply)
            self.replies.append(reply)
            exchange.replies.append(reply)
        if recorded(turn, "conversion"):
            self.conversions_recorded = True
            if turn.conversion is not None:
                after = turn.conversion.phase == "post_reply"
                decision = Decision(
                    number, turn.conversion.phase, turn.conversion.output,
                    (turn.conversion.tool_calls or []) if recorded(turn.conversion, "tool_calls") else None,
                    exchange, turn.context, reply, number + 1 if after else number,
                )  # fmt: skip
                self.decisions.append(decision)
                exchange.decisions.append(decision)

    @staticmethod
    def _sent(reply: Reply) -> list[Marker]:
        if not reply.published:
            return []
        markers = [m for m in reply.text.markers if m.well_formed]
        if not recorded(reply.model, "media_sent"):
            return markers
        ok = {sent.id for sent in reply.model.media_sent or [] if sent.ok}
        return [m for m in markers if m.target in ok or m.kind == "LINK"]

    def forget(self) -> None:
        """Utterances and what answers them let go of each other: their memory is free without a search for cycles."""
        for exchange in self.exchanges:
            exchange.__dict__.clear()

    @lazy
    def customers_language_unread(self) -> str | None:
        """A language of the customer's that the lexicon does not hold."""
        return next((m.text.language for e in self.utterances for m in e.messages if not m.text.readable), None)

    @lazy
    def assistants_language_unread(self) -> str | None:
        """A language of the assistant's that the lexicon does not hold."""
        return next((r.text.language for r in self.replies if not r.text.readable), None)

    # What was known when --------------------------------------------------------------------------------------------

    @lazy
    def answered(self) -> list[Exchange]:
        """Utterances that were answered, and not by the off-hours closing."""
        return [e for e in self.utterances if e.replies and not self.closing_due(e.replies[0])]

    @remembered
    def closing_due(self, reply: Reply) -> bool:
        """The off-hours closing is what the reply has to be: no look-up, no media, no question."""
        return bool(self.handover(reply)) and not self.closing_published(reply.turn)

    @lazy
    def utterances(self) -> list[Exchange]:
        """Exchanges that a customer began."""
        return [e for e in self.exchanges if e.index >= 0]

    def earlier(self, exchange: Exchange) -> list[Exchange]:
        """Utterances before this one."""
        return self.utterances[: max(exchange.index, 0)]

    def until(self, exchange: Exchange) -> list[Exchange]:
        """Utterances up to and with this one."""
        return self.utterances[: exchange.index + 1]

    def replies_after(self, reply: Reply) -> list[Reply]:
        """Later replies."""
        return self.replies[reply.number + 1 :]

    @remembered
    def working(self, exchange: Exchange) -> bool:
        """Whether the utterance fell into working hours."""
        return self.profile.working(exchange.created_at)

    # Posters --------------------------------------------------------------------------------------------------------

    @lazy
    def poster_sets(self) -> dict[str, list[str]]:
        """Language -> ids in order: as recorded, else from the documents on posters that a search returned."""
        media = self.session.media
        if media is not None and media.posters is not None:
            return media.posters
        found: dict[str, list[str]] = {}
        for document in self.sources.documents:
            title = self.profile.text(document.title)
            if "poster" in title.signals and document.media:
                vietnamese = "việt" in title.folded or "viet" in title.folded or "越南" in title.folded
                found["vi" if vietnamese else self.profile.data.default_poster_language] = document.media
        return found

    @lazy
    def poster_ids(self) -> frozenset[str]:
        """Ids of all posters."""
        return frozenset(i for ids in self.poster_sets.values() for i in ids)

    @remembered
    def posters_in(self, reply: Reply) -> list[Marker]:
        """Poster markers of a reply, sent or not."""
        if not self.poster_ids or not reply.text.markers:
            return []
        return [m for m in reply.text.markers if m.target in self.poster_ids]

    @lazy
    def poster_replies(self) -> list[Reply]:
        """Replies with a poster marker."""
        return [r for r in self.replies if self.posters_in(r)]

    @lazy
    def _posters_by_turn(self) -> list[tuple[int, frozenset[str]]]:
        """Turns of replies with posters, each with the ids of all posters that have reached the customer by then."""
        found: list[tuple[int, frozenset[str]]] = []
        sent: frozenset[str] = frozenset()
        for r in self.poster_replies:
            sent |= {m.target for m in r.sent if m.target in self.poster_ids}
            found.append((r.turn, sent))
        return found

    def posters_sent(self, before: int) -> frozenset[str]:
        """Ids of posters that reached the customer in turns below `before`."""
        return next((sent for turn, sent in reversed(self._posters_by_turn) if turn < before), frozenset())

    def posters_complete(self, before: int) -> bool:
        """A whole set of one language reached the customer in turns below `before`."""
        return self.complete_turn is not None and self.complete_turn < before

    @lazy
    def complete_turn(self) -> int | None:
        """Turn of the reply that completed a set of one language."""
        sets = [frozenset(ids) for ids in self.poster_sets.values() if ids]
        return next((turn for turn, sent in self._posters_by_turn if any(ids <= sent for ids in sets)), None)

    # The closing of the off-hours hand-over ---------------------------------------------------------------------------

    @lazy
    def closing_turn(self) -> int | None:
        """Turn of the first closing that really reached the customer."""
        return next((r.turn for r in self.replies if r.published and r.is_closing), None)

    def closing_published(self, before: int) -> bool:
        """A closing really reached the customer in turns below `before`."""
        return self.closing_turn is not None and self.closing_turn < before

    @remembered
    def handover(self, reply: Reply) -> bool | None:
        """The lead is converted and the utterance fell outside working hours; None: the status is not recorded."""
        if reply.converted is None:
            return None
        return reply.converted and not self.working(reply.exchange)

    @lazy
    def inner_ids(self) -> frozenset[str]:
        """Ids of media, documents and products that no customer should read, without models' names."""
        media = self.session.media
        ids = self.sources.media_ids() | set((media.products or {}).values() if media else ())
        ids |= {i.product_id for s in self.sources.products for i in s.items} | {
            d.product_id for d in self.sources.details
        }
        return frozenset(i for i in ids - {i.model for s in self.sources.products for i in s.items} if len(i) > 2)

    # Appearance -------------------------------------------------------------------------------------------------------

    @remembered
    def clear_appearance(self, exchange: Exchange) -> bool:
        """The utterance shows or names the appearance: a clear picture, an article number, a style on a poster."""
        if any(i.recognized in SHOWS_PRODUCT and i.clear is not False for i in exchange.images or []):
            return True
        if "picks_style" in exchange.signals and self.posters_sent(exchange.turn):
            return True
        return bool(self.profile.skus(exchange.raw) or self.named_styles(exchange))

    @remembered
    def named_styles(self, exchange: Exchange) -> list[str]:
        """Styles of the posters that the utterance names."""
        codes = self.profile.style_codes(exchange.raw.upper())
        media = self.session.media
        if media is not None and media.poster_styles is not None:
            return [c for c in codes if c in media.poster_styles]
        return codes

    @remembered
    def appearance_known(self, exchange: Exchange) -> bool:
        """It is clear by the end of the utterance."""
        return any(self.clear_appearance(e) for e in self.until(exchange))

    @lazy
    def images_recorded(self) -> bool:
        """Whether pictures of the customer are recorded for any utterance."""
        return any(e.images is not None for e in self.utterances)
