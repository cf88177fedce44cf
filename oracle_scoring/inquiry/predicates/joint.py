"""M-201 to M-204: both agents understand the session's facts alike."""

from oracle_scoring.inquiry.evidence import closing_confirmed, evidence_at_hand, hit_images
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
from oracle_scoring.inquiry.predicates.conversion import (
    NOT_RECORDED,
    inbound,
    moments,
    nothing_converts,
    picture_converts,
)  # fmt: skip
from oracle_scoring.inquiry.predicates.conversion import _staff_pictures as staff_pictures
from oracle_scoring.inquiry.predicates.opening import asks_customer_type, introduces_itself
from oracle_scoring.inquiry.talk import Conversation, Decision

UNREADABLE_FORCE = unknown("shouldForceHumanTakeover cannot be read from the output")


# M-201 ---------------------------------------------------------------------------------------------------------------------


@trigger
def converted_by_posters(c: Conversation) -> Occasions:
    """Decisions to convert without a picture of the customer's that is evidence."""
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    found = [d for d in inbound(c) if d.auto and not any(hit_images(e) for e in c.until(d.exchange))]
    if found and not c.images_recorded:
        return Occasions([], "pictures of the customer are not recorded")
    return Occasions(moments(found))


@predicate
def posters_really_sent(c: Conversation, m: Moment) -> Finding:
    """A complete set was sent before."""
    if c.posters_complete(m.exchange.turn):
        return ok()
    return fail(m.decided.output or m.decided.where, "converts as after the posters, and no complete set was sent")


@predicate
def no_posters_no_such_path(c: Conversation, m: Moment) -> Finding:
    """Without the posters this way is not taken."""
    return posters_really_sent(c, m)


@predicate
def picture_path(c: Conversation, m: Moment) -> Finding:
    """A picture of the customer's is evidence."""
    return holds(any(hit_images(e) for e in c.until(m.exchange)))


# M-202 ---------------------------------------------------------------------------------------------------------------------


def _published(c: Conversation, d: Decision) -> bool:
    confirmed = closing_confirmed(c, d)
    told = d.context is not None and (d.context.reply_published is not None or d.context.actual_last_reply is not None)
    if confirmed is not None and told:
        return confirmed
    return c.closing_published(d.before)


@trigger
def off_hours_checks(c: Conversation) -> Occasions:
    """Off-hours: checks after a reply, and decisions to hand over."""
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    found = [
        d for d in c.decisions
        if d.exchange.index >= 0 and not c.working(d.exchange) and (d.phase == "post_reply" or d.force)
    ]  # fmt: skip
    return Occasions(moments(found))


@predicate
def no_takeover_before_closing(c: Conversation, m: Moment) -> Finding:
    """Without a closing that was really published nobody takes over."""
    d = m.decided
    if _published(c, d):
        return absent("the closing was published")
    if d.force is None:
        return UNREADABLE_FORCE
    return fail(d.output or d.where, "hands over before the closing is published") if d.force else ok(d.output or "")


@predicate
def takeover_after_closing(c: Conversation, m: Moment) -> Finding:
    """With it, a converted lead and evidence, a person takes over."""
    d = m.decided
    if not _published(c, d):
        return absent("the closing was not published")
    if d.phase != "post_reply":
        return absent("not a check after a reply")
    if d.converted is None:
        return unknown("the lead's status is not recorded")
    evidence = evidence_at_hand(c, m.exchange)
    if not d.converted or evidence.value is False:
        return absent("the lead is not converted, or nothing speaks for it")
    if evidence.value is None:
        return unknown(evidence.why)
    if d.force is None:
        return UNREADABLE_FORCE
    return (
        ok(d.output or "")
        if d.force
        else fail(d.output or d.where, "does not hand over although the closing is published")
    )


@predicate
def hit_in_working_time(c: Conversation, m: Moment) -> Finding:
    """The utterance fell into working hours."""
    return holds(c.working(m.exchange))


# M-203 ---------------------------------------------------------------------------------------------------------------------


@trigger
def status_converted(c: Conversation) -> Occasions:
    """Exchanges for which the system says that the lead is converted."""
    found, known = [], False
    for e in c.utterances:
        said = [r.converted for r in e.replies] + [d.converted for d in e.decisions]
        known = known or any(s is not None for s in said)
        if not any(said):
            continue
        decision = next((d for d in e.decisions if d.converted), None)
        reply = next((r for r in e.replies if r.converted), None)
        found.append(Moment(e, reply, decision))
    return Occasions(found, "" if known or not c.utterances else "the lead's status is not recorded")


@predicate
def closes_when_converted(c: Conversation, m: Moment) -> Finding:
    """Off-hours the reply is the closing, unless it was sent before."""
    if m.reply is None:
        return absent("no reply")
    if c.working(m.exchange):
        return absent("in working hours")
    if c.closing_published(m.reply.turn):
        return absent("the closing was sent before")
    if m.reply.is_closing:
        return ok(m.reply.text.raw.strip()[:200])
    return fail(m.reply.text.raw.strip()[:200] or m.reply.where, "not the closing, although converted and off-hours")


@predicate
def no_second_conversion(c: Conversation, m: Moment) -> Finding:
    """No decision converts again."""
    decisions = [d for d in m.exchange.decisions if d.converted]
    if not decisions:
        return unknown(NOT_RECORDED) if not c.conversions_recorded else absent("no decision")
    for d in decisions:
        if d.auto is None:
            return unknown("shouldAutoConvert cannot be read from the output")
        if d.auto:
            return fail(d.output or d.where, "converts a lead that is converted")
    return ok(decisions[0].output or "")


# M-204 ---------------------------------------------------------------------------------------------------------------------


@trigger
def any_pictures(c: Conversation) -> Occasions:
    """Decisions while there are pictures in the session, from whomever."""
    pictures = any(turn.images for turn in c.session.turns)
    if not pictures and not c.images_recorded:
        return Occasions([], "pictures are not recorded")
    if not pictures:
        return Occasions([])
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    return Occasions(moments([d for d in inbound(c) if d.exchange.images or staff_pictures(c, d)]))


@predicate
def picture_needs_nothing_else(c: Conversation, m: Moment) -> Finding:
    """A picture of the customer's that is evidence converts without more."""
    return picture_converts(c, m)


@predicate
def inquiry_keeps_its_rules(c: Conversation, m: Moment) -> Finding:
    """The reply to the picture is the first turn's, or speaks of no conversion or hand-over."""
    replies = m.exchange.replies
    if not replies or not m.exchange.images:
        return absent("no reply to a picture of the customer's")
    for r in replies:
        if "handover_talk" in r.signals:
            return fail(r.text.quote("handover_talk"), "the reply speaks of the decision in the background")
    if m.exchange.index == 0 and not c.handover(replies[0]):
        said = Moment(m.exchange, replies[0])
        for found in (introduces_itself(c, said), asks_customer_type(c, said)):
            if found.state == "fail":
                return fail(found.evidence, f"the first turn's rule is left because of a picture: {found.reason}")
    return ok()


@predicate
def only_customers_pictures(c: Conversation, m: Moment) -> Finding:
    """Pictures of assistant or staff convert nothing."""
    if not staff_pictures(c, m.decided):
        return absent("assistant and staff sent no pictures")
    if hit_images(m.exchange):
        return ok(reason="the customer's own picture is evidence")
    return nothing_converts(c, m)


@predicate
def first_turn_with_picture(c: Conversation, m: Moment) -> Finding:
    """A picture of the customer's that is evidence stands in the first utterance."""
    return holds(m.exchange.index == 0 and bool(hit_images(m.exchange)))
