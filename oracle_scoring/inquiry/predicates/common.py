"""What several predicates need."""

from oracle_scoring.inquiry import language
from oracle_scoring.inquiry.finding import Finding, Moment, Occasions, fail, ok, unknown
from oracle_scoring.inquiry.lazy import remembered
from oracle_scoring.inquiry.measures import Measure
from oracle_scoring.inquiry.sources import Detail, Document, Search
from oracle_scoring.inquiry.talk import Conversation, Exchange, Reply
from oracle_scoring.inquiry.text import Sentence

PARAMETERS = frozenset({
    "length", "power", "current", "voltage", "material", "speed", "color", "weight", "diameter", "packaging", "temperature",
    "bend",
})  # fmt: skip
"""Kinds of parameters of a product."""
POLICIES = frozenset({"moq", "sample", "payment", "lead_time", "certification", "company"})
"""Commercial policies that are looked up first (M-016)."""
KNOWLEDGE = POLICIES | {"shipping", "custom", "after_sales", "catalog"}
"""What the knowledge base is for (M-021)."""
PRICES = frozenset({"price", "discount", "freight", "tariff"})
TOPICS = KNOWLEDGE | PRICES | PARAMETERS | {"stock", "platform", "images", "video"}
"""All that a customer may ask about."""
PRODUCT_MATTERS = frozenset({"catalog", "price", "moq", "sample", "custom", "images", "power"})
"""Topics that count as product-related beside products and interfaces (M-007)."""
_DOCUMENTS = {
    "company": {"company", "company_word", "identity"}, "lead_time": {"lead_time", "production", "shipping"},
    "shipping": {"shipping", "transit", "lead_time"}, "platform": {"platform"},
}  # fmt: skip
"""Topic -> signals of a document on it, where they are more than the topic itself."""
TOOLS_UNKNOWN = unknown("the tools called are not recorded")


@remembered
def topics(c: Conversation, e: Exchange) -> frozenset[str]:
    """Topics that the utterance raises. Naming one's business ("gift customization") raises none."""
    found = frozenset().union(*(_sentence_topics(s) for t in e.texts for s in t.sentences))
    if e.signals & {"advert", "scam", "porn"}:
        found -= PRICES
    if "asks_person" in e.signals:
        found -= {"company"}  # "one of your company's people"
    if "custom" in found and not e.asks and e.signals & {"type:gift", "type:own_brand"} and "wants" not in e.signals:
        found -= {"custom"}
    if "sample" in found and "freight" in found:
        return found
    if found & {"sample"} and found & PRICES and not _beyond_sample(e):
        found -= PRICES
    return found


def _sentence_topics(s: Sentence) -> frozenset[str]:
    found = s.signals & TOPICS
    if "after_sales" in found:
        found -= {"lead_time"}  # "how long is the warranty"
    if (
        "price" in found
        and "payment" in found
        and any(w in s.folded for w in ("deposit", "定金", "订金", "预付", "cọc"))
    ):
        found -= {"price"}  # "how much is the deposit"
    if (
        "length" in found
        and "lead_time" in found
        and not any(w in s.folded for w in ("length", "cable", "长度", "线长", "dài", "cáp"))
    ):
        return found - {"length"}  # "how long is the lead time"
    return found


def _beyond_sample(e: Exchange) -> bool:
    """A price is asked for in a sentence that does not speak of samples."""
    return any(s.signals & PRICES and "sample" not in s.signals for t in e.texts for s in t.sentences)


@remembered
def raises_product(c: Conversation, e: Exchange) -> bool:
    """The utterance asks about, wants, names or shows a product, or asks a commercial question."""
    return bool(
        topics(c, e)
        or e.interfaces
        or c.profile.skus(e.raw)
        or ("product" in e.signals and ("wants" in e.signals or e.asks))
    )


@remembered
def product_related(c: Conversation, e: Exchange) -> bool:
    """As M-007 has it: cables, interfaces, power, catalogue, price, MOQ, samples, customisation, a picture of a product."""
    shown = any(
        i.recognized in ("cable", "connector", "plug", "charger", "packaging", "spec", "style_code")
        for i in e.images or []
    )
    return bool(
        topics(c, e) & PRODUCT_MATTERS
        or e.interfaces
        or shown
        or c.profile.skus(e.raw)
        or (
            "product" in e.signals
            and ("wants" in e.signals or e.asks or not e.signals & (c.profile.types | c.profile.roles))
        )
    )


@remembered
def asks_something(c: Conversation, e: Exchange) -> bool:
    """The utterance asks something specific: no mere greeting, thanks or answer."""
    if not e.texts or all(t.signals & {"simple_reply"} for t in e.texts) or e.signals & {"advert", "scam", "porn"}:
        return False
    return bool(topics(c, e) or (e.asks and ("product" in e.signals or e.interfaces or c.profile.skus(e.raw))))


_CLOSED_VOCABULARY = frozenset({"moq", "payment", "sample", "price", "certification"})
"""Topics that an answer can hardly speak of without naming them."""
SHOWN = frozenset({"images", "video", "catalog"})
"""Topics that media answer."""
CLARIFIABLE = PARAMETERS | {"images", "stock", "custom"}
CLARIFIES = frozenset({"asks_interface", "asks_version", "asks_appearance", "asks_missing_clue", "asks_product"})


def substance(r: Reply) -> list[Sentence]:
    """Statements that are neither courtesy nor an invitation to look at the posters."""
    return [
        s
        for s in r.text.statements
        if not s.signals & {"courtesy", "look_verb"}
        or s.signals & (TOPICS | {"material_value", "product", "company_word", "identity"}) - {"images"}
        or s.measures
    ]


def addressed(c: Conversation, e: Exchange, topic: str) -> bool:
    """A statement speaks of the topic and says who confirms it, gives a figure, denies or affirms; or all is left to a department."""
    for r in e.replies:
        for s in r.text.statements:
            told = (
                bool(s.measures or s.signals & {"denies", "answers_first"} | s.signals & c.profile.departments)
                or ":" in s.folded
            )
            if topic in s.signals and (told or topic in PARAMETERS):
                return True
            if topic in PARAMETERS and any(m.kind == topic for m in s.measures):
                return True
    return False


def led_in(s: Sentence) -> bool:
    """Words that are no question themselves stand before the question in the same sentence."""
    return s.lead_in is not None and not any(name.startswith("asks_") for name in s.lead_in)


def left_out(c: Conversation, m: Moment) -> Finding:
    """A topic that an answer can hardly speak of without its name is not spoken of, while others are, and nothing is left to a department."""
    e = m.exchange
    asked = topics(c, e)
    said = frozenset().union(*(r.signals for r in e.replies))
    silent = sorted(t for t in asked & _CLOSED_VOCABULARY if t not in said)
    if silent and not defers(c, e) and len(asked) > len(silent):
        return fail(m.said.text.raw.strip()[:200] or m.said.where, f"the reply does not speak of {silent[0]}")
    return direct_answer(c, m)


def direct_answer(c: Conversation, m: Moment) -> Finding:
    """What rules can say of a direct answer: each topic addressed or left to a department; or nothing of substance said."""
    e = m.exchange
    asked = topics(c, e)
    if asked and asked <= SHOWN and any(r.text.markers for r in e.replies):
        return ok()
    if asked & CLARIFIABLE and any(s.signals & CLARIFIES for r in e.replies for s in r.text.questions):
        return ok(reason="a clarifying question is needed first")
    if not any(substance(r) for r in e.replies):
        if any(led_in(s) for r in e.replies for s in r.text.questions):
            return unknown("whether this answers the question needs a judge")
        return fail(m.said.text.raw.strip()[:200] or m.said.where, "nothing in the reply answers the customer")
    left = defers(c, e)
    open_topics = [t for t in sorted(asked) if not addressed(c, e, t)]
    if asked and (not open_topics or (left and len(asked) == 1)):
        return ok()
    return unknown("whether this answers the question needs a judge")


def answered(c: Conversation, first: int = 1) -> list[Exchange]:
    """Utterances from number `first` on that were answered; not those that the off-hours closing answers."""
    return c.answered if first == 0 else [e for e in c.answered if e.index >= first]


def closing_due(c: Conversation, r: Reply) -> bool:
    """The off-hours closing is what the reply has to be: no look-up, no media, no question."""
    return c.closing_due(r)


def on(exchanges: list[Exchange]) -> Occasions:
    """An occasion for each utterance, with its first reply."""
    return Occasions([Moment(e, e.replies[0]) for e in exchanges])


def each_reply(replies: list[Reply]) -> Occasions:
    """An occasion for each reply."""
    return Occasions([Moment(r.exchange, r) for r in replies])


def once(c: Conversation) -> Occasions:
    """One occasion: the session, if anything was said to the customer."""
    return Occasions([Moment(c.replies[0].exchange, c.replies[0])] if c.replies else [])


def last_turn(e: Exchange) -> int:
    """Turn of the last reply."""
    return e.replies[-1].turn if e.replies else e.turn


def utterance_language(e: Exchange) -> str:
    """Language of the utterance: of the last message with words; declared, else detected; of all messages if that one is short."""
    for message in reversed(e.messages):
        if message.model.language:
            return message.model.language
        if message.text.raw.strip():
            found = message.text.language
            if found != language.UNDETERMINED:
                return found
    return language.UNDETERMINED


@remembered
def searches(c: Conversation, e: Exchange) -> list[Search]:
    """Searches of the knowledge base in the exchange."""
    last = last_turn(e)
    return [s for s in c.sources.searches if e.turn < s.turn <= last]


def details(c: Conversation, upto: int) -> list[Detail]:
    """Product details returned up to and with the turn, the newest last."""
    return [d for d in c.sources.details if d.turn <= upto]


def documents_on(c: Conversation, topic: str, upto: int) -> list[Document]:
    """Documents on a topic that were returned up to and with the turn."""
    wanted = _DOCUMENTS.get(topic, {topic})
    return [
        d for d in c.sources.documents
        if d.turn <= upto and c.profile.text(f"{d.title}\n{d.text}").signals & wanted
    ]  # fmt: skip


def searched(c: Conversation, e: Exchange, topic: str) -> bool | None:
    """The knowledge base was searched in this exchange, or earlier on this topic; None: tools are not recorded."""
    if e.calls is None and not c.tools_recorded:
        return None
    if searches(c, e):
        return True
    wanted = _DOCUMENTS.get(topic, {topic})
    for search in c.sources.searches:
        if search.turn <= e.turn and c.profile.text(search.query).signals & wanted:
            return True
    if documents_on(c, topic, e.turn):
        return True
    return False if e.calls is not None else None


def searched_first(c: Conversation, m: Moment, asked: frozenset[str]) -> Finding:
    """Every policy asked about was looked up."""
    for topic in sorted(asked):
        found = searched(c, m.exchange, topic)
        if found is None:
            return TOOLS_UNKNOWN
        if not found:
            return fail(
                f"turns.{m.said.turn}.tool_calls", f"{topic} was answered without a search of the knowledge base"
            )
    return ok()


def missed(c: Conversation, e: Exchange, asked: frozenset[str]) -> list[str]:
    """Topics asked about on which no document is known."""
    return [t for t in sorted(asked) if not documents_on(c, t, last_turn(e))]


def named_departments(c: Conversation, r: Reply) -> frozenset[str]:
    """Departments that the reply says will confirm."""
    found: set[str] = set()
    for s in r.text.sentences:
        if "confirms" in s.signals:
            found |= s.signals & c.profile.departments
    if not found and "confirms" in r.signals:
        found |= r.signals & c.profile.departments
    return frozenset(found)


@remembered
def defers(c: Conversation, e: Exchange) -> frozenset[str]:
    """Departments named by any reply of the exchange."""
    return frozenset().union(*(named_departments(c, r) for r in e.replies))


def left_to_department(c: Conversation, s: Sentence) -> bool:
    """The sentence says that a department will confirm what it speaks of."""
    return bool(s.signals & c.profile.departments) and "confirms" in s.signals


def claims_stock(c: Conversation, s: Sentence) -> bool:
    """The sentence says that something is in stock: neither that it is not, nor that a department will say so."""
    return "stock_claim" in s.signals and "denies" not in s.signals and not left_to_department(c, s)


def defers_quote(c: Conversation, r: Reply) -> str:
    """The sentence that defers, verbatim."""
    return next((s.raw for s in r.text.sentences if s.signals & c.profile.departments), r.text.body.strip()[:200])


def claimed_figures(r: Reply) -> list[Measure]:
    """Figures that the reply states: parameters, quantities, shares and periods; not in questions, not small counts of things."""
    return [
        m for s in r.text.statements for m in s.measures
        if m.unit != "hour" and not (m.unit == "pcs" and len(m.number) < 2)
    ]  # fmt: skip


def customer_figures(c: Conversation, upto: int) -> set[tuple[str, str]]:
    """(number, unit) that the customer named before the turn."""
    return {(m.number, m.unit) for e in c.utterances if e.turn < upto for t in e.texts for m in t.measures}


@remembered
def unsourced(c: Conversation, r: Reply) -> list[Measure]:
    """Figures of the reply that neither a tool nor the customer gave."""
    claimed = claimed_figures(r)
    if not claimed:
        return []
    pairs, bare = c.sources.figures(r.turn)
    own = customer_figures(c, r.turn)
    own_numbers = {n for e in c.utterances if e.turn < r.turn for t in e.texts for n in t.numbers}
    return [
        m for m in claimed
        if (m.number, m.unit) not in pairs and (m.number, m.unit) not in own
        and not (m.number in bare and not any(n == m.number for n, _ in pairs))
        and not (m.unit == "pcs" and m.number in own_numbers)
    ]  # fmt: skip


def sentence_with(r: Reply, measure: Measure) -> str:
    """The sentence that states the figure, verbatim."""
    return next((s.raw for s in r.text.statements if measure in s.measures), measure.text)


def parameters_in(r: Reply) -> dict[str, str]:
    """Parameters that the reply states a value of -> the sentence or line, verbatim. Colours and materials count by name."""
    found: dict[str, str] = {}
    for s in r.text.statements:
        for m in s.measures:
            if m.kind in PARAMETERS:
                found.setdefault(m.kind, s.raw)
        for name in s.signals & (PARAMETERS - {"power", "length", "current", "voltage", "speed", "weight", "bend"}):
            found.setdefault(name, s.raw)
        if "material_value" in s.signals:
            found.setdefault("material", s.raw)
    return found


@remembered
def asked_parameters(c: Conversation, e: Exchange) -> frozenset[str]:
    """Parameters that the utterance asks for; what it wants customised is no parameter."""
    asked: set[str] = set()
    for t in e.texts:
        for s in t.sentences:
            if "custom" not in s.signals and (s.marked or "wants" in s.signals or len(t.sentences) == 1):
                asked |= _sentence_topics(s) & PARAMETERS
    return frozenset(asked)
