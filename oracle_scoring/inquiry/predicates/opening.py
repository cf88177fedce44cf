"""M-001, M-002: the first turn, customer type and role."""

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
from oracle_scoring.inquiry.predicates.common import PARAMETERS, each_reply, on, raises_product
from oracle_scoring.inquiry.talk import Conversation, Exchange, Reply

_MATTERS = frozenset({"moq", "sample", "stock", "catalog", "certification", "payment", "lead_time"})


@trigger
def first_reply(c: Conversation) -> Occasions:
    """The first reply, if there is one to a customer's first message."""
    return each_reply([r for r in c.replies[:1] if r.exchange.index == 0])


@predicate
def introduces_itself(c: Conversation, m: Moment) -> Finding:
    """The reply names the persona, the company or the kind of factory."""
    if "identity" in m.said.signals:
        return ok(m.said.text.quote("identity"))
    return fail(m.said.text.raw.strip()[:200] or m.said.where, "no introduction of who is speaking")


@predicate
def asks_customer_type(c: Conversation, m: Moment) -> Finding:
    """A question offers all customer types of the profile."""
    r = m.said
    asked = [s for s in r.text.sentences if s.asks]
    if not asked:
        return fail(r.text.raw.strip()[:200] or r.where, "no question of the customer type")
    missing = c.profile.types - r.signals
    if missing and not r.text.readable:
        return unknown(f"the options are in {r.text.language}, which rules do not read")
    if missing:
        names = ", ".join(sorted(t.split(":")[1] for t in missing))
        return fail(asked[-1].raw, f"the question of the customer type leaves out {names}")
    return ok(asked[-1].raw)


@predicate
def answers_nothing_yet(c: Conversation, m: Moment) -> Finding:
    """The reply holds no price, figure, product answer or policy beside introduction and question."""
    for s in m.said.text.statements:
        if s.signals & {"money", "discount_offer", "price_level"}:
            return fail(s.raw, "the first reply names a price")
        if any(f.unit != "hour" for f in s.measures):
            return fail(s.raw, "the first reply gives a figure")
        introduces = "identity" in s.signals
        offers = s.signals & {"answers_first", "stock_claim", "free_claim"} and s.signals & (
            _MATTERS | PARAMETERS | {"product"}
        )
        if offers and (not introduces or s.signals & _MATTERS):
            return fail(s.raw, "the first reply answers the product question")
        goes_into = s.signals & {"price", *_MATTERS} and s.signals & {"confirms", "bears_freight", "cert_claim"}
        if goes_into and not introduces:
            return fail(s.raw, "the first reply goes into the customer's question")
    return ok()


@predicate
def no_tools_no_media(c: Conversation, m: Moment) -> Finding:
    """No marker, no address, no tool in the first turn."""
    r = m.said
    if r.text.markers:
        return fail(r.text.markers[0].raw, "the first reply sends media or a link")
    if r.text.addresses:
        return fail(r.text.addresses[0], "the first reply holds an address")
    if r.calls:
        return fail(f"turns.{r.turn}.tool_calls", f"the first turn calls {r.calls[0].name}")
    if r.calls is None:
        return unknown("the tools called are not recorded")
    return ok()


@predicate
def asks_only_that(c: Conversation, m: Moment) -> Finding:
    """One question, and no demand to answer by number or in a form."""
    r = m.said
    if len(r.text.questions) > 1:
        return fail(r.text.questions[1].raw, f"{len(r.text.questions)} questions in the first reply")
    if "demands_format" in r.signals:
        return fail(r.text.quote("demands_format"), "the customer is to answer in a fixed form")
    return ok()


@predicate
def handover_at_hand(c: Conversation, m: Moment) -> Finding:
    """The lead is converted and it is outside working hours; unknown only where a closing stands and no status is recorded."""
    hit = c.handover(m.said)
    if hit is None:
        return unknown("the lead's status is not recorded, and the reply closes") if m.said.is_closing else holds(False)
    return holds(hit)


@predicate
def first_utterance_wants_catalogue(c: Conversation, m: Moment) -> Finding:
    """The customer's first utterance asks for the catalogue."""
    return holds(m.exchange.index == 0 and "catalog" in m.exchange.signals)


# M-002 ---------------------------------------------------------------------------------------------------------------


def types_said(c: Conversation, e: Exchange) -> frozenset[str]:
    """Customer types that the utterance names."""
    return e.signals & c.profile.types


def roles_said(c: Conversation, e: Exchange) -> frozenset[str]:
    """Roles that the utterance names."""
    return e.signals & c.profile.roles


def asks_role(c: Conversation, r: Reply) -> bool:
    """A question of the reply asks whether the customer owns the company or buys for it."""
    return any(s.signals & c.profile.roles for s in r.text.questions)


@trigger
def type_or_role_answered(c: Conversation) -> Occasions:
    """Utterances from the second on that name a customer type or a role for the first time."""
    found, types, roles = [], False, False
    for e in c.utterances:
        new_type, new_role = bool(types_said(c, e)) and not types, bool(roles_said(c, e)) and not roles
        if e.index >= 1 and e.replies and (new_type or new_role):
            found.append(e)
        types, roles = types or new_type, roles or new_role
    return on(found)


@predicate
def only_type_said(c: Conversation, m: Moment) -> Finding:
    """The utterance names a type, no role (nor did an earlier one), and raises no product matter."""
    e = m.exchange
    role = any(roles_said(c, x) for x in c.until(e))
    return holds(bool(types_said(c, e)) and not role and not raises_product(c, e))


@predicate
def type_and_product(c: Conversation, m: Moment) -> Finding:
    """The utterance names a type and raises a product matter."""
    return holds(bool(types_said(c, m.exchange)) and raises_product(c, m.exchange))


@predicate
def role_said(c: Conversation, m: Moment) -> Finding:
    """A role was named in this utterance or before."""
    return holds(any(roles_said(c, e) for e in c.until(m.exchange)))


@predicate
def confirms_then_asks_role(c: Conversation, m: Moment) -> Finding:
    """After a bare answer of the type: what was said is confirmed, then one question of the role, and only once in the session."""
    e = m.exchange
    if only_type_said(c, m).state != "pass":
        return absent("the customer did not only name the type")
    r = m.said
    if not asks_role(c, r):
        return fail(r.text.raw.strip()[:200] or r.where, "no question of the role after the customer named the type")
    if len(r.text.questions) > 1:
        return fail(r.text.questions[1].raw, "more than one question after the customer named the type")
    before = r.text.sentences[: r.text.sentences.index(r.text.questions[0])]
    said = types_said(c, e)
    lead_in = r.text.questions[0]
    if not any(s.signals & (said | {"ack"}) for s in before) and not lead_in.signals & (said | {"ack"}):
        return fail(r.text.raw.strip()[:200], "what the customer said is not confirmed first")
    again = next((x for x in c.replies_after(r) if asks_role(c, x)), None)
    if again is not None:
        return fail(again.text.questions[0].raw, "the role is asked a second time")
    return ok(lead_in.raw)


@predicate
def product_first_no_role(c: Conversation, m: Moment) -> Finding:
    """With a product question in the same utterance no reply to it asks the role."""
    if type_and_product(c, m).state != "pass":
        return absent("the customer did not raise a product matter with the type")
    for r in m.exchange.replies:
        for s in r.text.questions:
            if s.signals & c.profile.roles:
                return fail(s.raw, "the role is asked although the customer asked about a product")
    return ok()


@predicate
def role_not_asked_again(c: Conversation, m: Moment) -> Finding:
    """Once the role was said, no later reply asks it."""
    if role_said(c, m).state != "pass":
        return absent("the customer did not name a role")
    for r in c.replies[m.said.number :]:
        for s in r.text.questions:
            if s.signals & c.profile.roles and "confirmatory" not in s.signals:
                return fail(s.raw, "the role is asked although the customer named it")
    return ok()


@predicate
def role_not_pressed(c: Conversation, m: Moment) -> Finding:
    """A role that was asked and not answered is not asked again."""
    asked = [r for r in c.replies if asks_role(c, r)]
    if not asked:
        return absent("the role was never asked")
    if len(asked) > 1:
        return fail(
            next(s.raw for s in asked[1].text.questions if s.signals & c.profile.roles), "the role is asked again"
        )
    return ok()


@predicate
def speaks_as_first_person(c: Conversation, m: Moment) -> Finding:
    """No remark from the side on what such customers usually want, no third person for itself."""
    for r in m.exchange.replies:
        if "spectator" in r.signals:
            return fail(r.text.quote("spectator"), "a spectator's remark instead of the first person")
    return ok()


@predicate
def type_role_and_product_at_once(c: Conversation, m: Moment) -> Finding:
    """Type, role and product stand in one utterance."""
    e = m.exchange
    return holds(bool(types_said(c, e) and roles_said(c, e)) and raises_product(c, e))


@predicate
def owner_without_product(c: Conversation, m: Moment) -> Finding:
    """A role is named and no product matter raised."""
    return holds(bool(roles_said(c, m.exchange)) and not raises_product(c, m.exchange))
