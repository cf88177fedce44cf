"""M-003 to M-006: answer first, one question, nothing twice, the asked keys."""

from harness.schema.session import recorded
from oracle_scoring.inquiry.finding import (
    Finding,
    Moment,
    Occasions,
    absent,
    fail,
    holds,
    ok,
    predicate,
    trigger,
    unknown,
)
from oracle_scoring.inquiry.lazy import remembered
from oracle_scoring.inquiry.predicates.common import (
    CLARIFIABLE,
    CLARIFIES,
    KNOWLEDGE,
    PARAMETERS,
    answered,
    asks_something,
    direct_answer,
    each_reply,
    led_in,
    on,
    topics,
)  # fmt: skip
from oracle_scoring.inquiry.talk import Conversation, Exchange, Reply
from oracle_scoring.inquiry.text import Sentence

FIELDS = ("type", "role", "product", "interface")
_FIELD_KEYS = {"type": "buyer_type", "role": "buyer_role", "product": "product", "interface": "interface"}
_SHORT = 40


@trigger
def specific_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask something specific."""
    return on([e for e in answered(c) if asks_something(c, e)])


@predicate
def says_something(c: Conversation, m: Moment) -> Finding:
    """Each topic asked about is addressed; a reply of courtesy and questions answers nothing; the rest only a judge can say."""
    return direct_answer(c, m)


@predicate
def answer_before_question(c: Conversation, m: Moment) -> Finding:
    """The first question stands after a statement; a reply that asks nothing turns nothing round."""
    for r in m.exchange.replies:
        if not r.text.questions:
            continue
        first = r.text.sentences[0]
        clarified = topics(c, m.exchange) & CLARIFIABLE and first.signals & CLARIFIES
        if first.asks and r.text.statements and not clarified and not led_in(first) and not _echo(first, r, m.exchange):
            return fail(first.raw, "the question comes before the answer")
        if first.asks and not r.text.statements and r is m.exchange.replies[0] and not clarified and not led_in(first):
            return fail(first.raw, "a question stands where the answer should come first")
    return ok()


@predicate
def no_analysis_first(c: Conversation, m: Moment) -> Finding:
    """A direct question for price, MOQ or parameters is not met with remarks on market or business."""
    if not topics(c, m.exchange) & (PARAMETERS | {"price", "moq"}):
        return absent("neither price nor MOQ nor a parameter was asked for")
    first = m.said.text.statements[:1]
    if any("analysis" in s.signals or "spectator" in s.signals for s in first):
        return fail(first[0].raw, "the reply begins with remarks on market or business")
    if "analysis" in m.said.signals:
        return unknown("whether the remarks on the market delay the answer needs a judge")
    return ok()


@predicate
def product_and_policy_asked(c: Conversation, m: Moment) -> Finding:
    """The utterance asks for product facts and for a policy."""
    asked = topics(c, m.exchange)
    return holds(bool(asked & PARAMETERS or "stock" in asked) and bool(asked & KNOWLEDGE))


# M-004 -----------------------------------------------------------------------------------------------------------------


@trigger
def every_reply(c: Conversation) -> Occasions:
    """Every reply."""
    return each_reply(c.replies)


def _echo(s: Sentence, r: Reply, e: Exchange) -> bool:
    """A short question of the customer's own words, repeated and answered at once ("MOQ? It is ...")."""
    if not s.marked or len(s.folded) > _SHORT:
        return False
    words = [w for w in s.folded.strip(" ?？!.,:").split() if len(w) > 1] or [s.folded.strip(" ?？")]
    if not words or not all(w in e.folded for w in words):
        return False
    position = r.text.sentences.index(s)
    after = r.text.sentences[position + 1 : position + 2]
    return bool(after) and not after[0].asks


@remembered
def own_questions(c: Conversation, r: Reply) -> list[Sentence]:
    """Questions and requests of the assistant's own: without the customer's questions repeated to be answered."""
    return [s for s in r.text.questions if not _echo(s, r, r.exchange)]


@predicate
def at_most_one_question(c: Conversation, m: Moment) -> Finding:
    """One question or request at most; addresses, captions, quotations and repeated marks do not count."""
    asked = own_questions(c, m.said)
    count = sum(s.asked_for for s in asked)
    if count > 1:
        return fail(asked[min(1, len(asked) - 1)].raw, f"{count} questions in one reply")
    return ok()


@predicate
def demands_no_format(c: Conversation, m: Moment) -> Finding:
    """The customer is not told to answer by number, code or form."""
    if "demands_format" in m.said.signals:
        return fail(m.said.text.quote("demands_format"), "the customer is to answer by number or in a fixed form")
    return ok()


@predicate
def repeats_questions_to_answer(c: Conversation, m: Moment) -> Finding:
    """The reply repeats questions of the customer's and answers them."""
    return holds(any(_echo(s, m.said, m.exchange) for s in m.said.text.questions))


@predicate
def marks_outside_own_words(c: Conversation, m: Moment) -> Finding:
    """A question mark or a style code stands in a caption or beside a poster."""
    codes = c.profile.style_codes(m.said.text.raw)
    return holds(any("?" in k.caption or "？" in k.caption for k in m.said.text.markers) or bool(codes))


# M-005 -----------------------------------------------------------------------------------------------------------------


@remembered
def known_fields(c: Conversation, r: Reply) -> dict[str, str]:
    """Fields known before the reply -> what says so."""
    known: dict[str, str] = {}
    for e in c.until(r.exchange):
        if e.signals & c.profile.types:
            known.setdefault("type", e.raw)
        if e.signals & c.profile.roles:
            known.setdefault("role", e.raw)
        if e.interfaces:
            known.setdefault("interface", e.raw)
        if c.profile.skus(e.raw) or "product" in e.signals:
            known.setdefault("product", e.raw)
    form = (r.context.form if r.context else None) or {}
    for name, key in _FIELD_KEYS.items():
        if form.get(key):
            known.setdefault(name, f"inquiry_form_snapshot.{key}")
    return known


@trigger
def something_known(c: Conversation) -> Occasions:
    """Replies after the customer gave a type, role, product or interface; the first reply asks the type by its own rule."""
    if not c.contexts_recorded and not any(known_fields(c, r) for r in c.replies):
        return Occasions([])
    return each_reply([r for r in c.replies if r.exchange.index >= 1 and known_fields(c, r)])


@predicate
def asks_nothing_known(c: Conversation, m: Moment) -> Finding:
    """No question for a field that is known; to confirm it, or to ask the appearance of a known interface, is another thing."""
    r = m.said
    known = known_fields(c, r)
    for s in own_questions(c, r):
        if "confirmatory" in s.signals:
            continue
        if "type" in known and _asks_type(c, s):
            return fail(s.raw, "the customer type is asked although it is known")
        if "role" in known and s.signals & c.profile.roles and not s.signals & c.profile.types:
            return fail(s.raw, "the role is asked although it is known")
        if "interface" in known and "asks_interface" in s.signals and not s.signals & {"asks_appearance"}:
            return fail(s.raw, "the interface is asked although it is known")
        if (
            "product" in known
            and "asks_product" in s.signals
            and not s.signals & {"asks_appearance", "asks_interface", "style_word"}
        ):
            return fail(s.raw, "the product is asked although it is known")
    return ok()


def _asks_type(c: Conversation, s: Sentence) -> bool:
    return len(s.signals & c.profile.types) >= 2 or (
        "asks_type" in s.signals and bool(s.signals & c.profile.types or len(s.folded) < 60)
    )


@predicate
def appearance_after_interface(c: Conversation, m: Moment) -> Finding:
    """The interface is known and the reply asks the appearance."""
    return holds("interface" in known_fields(c, m.said) and "asks_appearance" in m.said.asked)


@predicate
def confirms_known(c: Conversation, m: Moment) -> Finding:
    """A question that confirms what is known."""
    return holds(any("confirmatory" in s.signals for s in m.said.text.questions))


# M-006 -----------------------------------------------------------------------------------------------------------------


@trigger
def pending_field(c: Conversation) -> Occasions:
    """Replies for which the system named a next field."""
    if not c.replies:
        return Occasions([])
    if not any(recorded(r.model, "next_pending_field") for r in c.replies):
        return Occasions([], "next_pending_field is not recorded")
    return each_reply([r for r in c.replies if r.model.next_pending_field])


def asks_key(c: Conversation, r: Reply, key: str) -> bool | None:
    """Whether the reply asks for a form's field; None: the profile does not know the key."""
    signal = c.profile.data.form_keys.get(key)
    if signal is None:
        return None
    for s in r.text.questions:
        if signal == "asks_type" and _asks_type(c, s):
            return True
        if signal == "asks_role" and s.signals & c.profile.roles:
            return True
        if signal not in ("asks_type", "asks_role") and signal in s.signals:
            return True
    return False


@predicate
def asked_keys_were_asked(c: Conversation, m: Moment) -> Finding:
    """Each key written down was asked in the reply."""
    r = m.said
    if not recorded(r.model, "asked_field_keys"):
        return unknown("asked_field_keys is not recorded")
    for key in r.model.asked_field_keys or []:
        asked = asks_key(c, r, key)
        if asked is None:
            return unknown(f"the profile does not know the key {key}")
        if not asked:
            return fail(
                f"turns.{r.turn}.asked_field_keys", f"{key} is written down as asked, and the reply does not ask it"
            )
    return ok()


@predicate
def nothing_asked_nothing_written(c: Conversation, m: Moment) -> Finding:
    """Where the reply does not ask the next field, nothing is written down."""
    r = m.said
    if not recorded(r.model, "asked_field_keys"):
        return unknown("asked_field_keys is not recorded")
    asked = asks_key(c, r, r.model.next_pending_field or "")
    if asked is None:
        return unknown(f"the profile does not know the key {r.model.next_pending_field}")
    if not asked and r.model.asked_field_keys:
        return fail(f"turns.{r.turn}.asked_field_keys", "keys are written down although the next field was not asked")
    return ok()


@predicate
def pending_field_left(c: Conversation, m: Moment) -> Finding:
    """The reply leaves the next field for later."""
    return holds(asks_key(c, m.said, m.said.model.next_pending_field or "") is False)
