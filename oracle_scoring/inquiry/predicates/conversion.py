"""M-101 to M-111: the decisions of the conversion assistant."""

from harness.schema.session import recorded
from oracle_scoring.inquiry.evidence import (
    closing_confirmed,
    evidence_at_hand,
    expected_auto,
    hit_images,
    information_after_posters,
)  # fmt: skip
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
from oracle_scoring.inquiry.predicates.common import TOPICS, raises_product
from oracle_scoring.inquiry.profile import parse_time
from oracle_scoring.inquiry.talk import FLAGS, Conversation, Decision

INTENTS = ("business", "off_topic", "harassment")
NOT_RECORDED = "no decision of the conversion assistant is recorded"
_SPOKEN = frozenset({"reply", "replytext", "reply_text", "message", "text", "answer", "content"})
_OFFENCES = frozenset({"abuse", "porn", "scam", "advert"})
UNREADABLE = unknown("the decision cannot be read from the output")


def moments(decisions: list[Decision]) -> list[Moment]:
    """An occasion for each decision."""
    return [Moment(d.exchange, d.reply, d) for d in decisions]


def inbound(c: Conversation) -> list[Decision]:
    """Decisions on a message of the customer's."""
    return [d for d in c.decisions if d.phase == "inbound" and d.exchange.index >= 0]


def _if_recorded(c: Conversation, found: list[Moment]) -> Occasions:
    return Occasions(found, "" if c.conversions_recorded else NOT_RECORDED)


def _flag(d: Decision, name: str, wanted: bool, why: str) -> Finding:
    value = d.flag(name)
    if value is None:
        return UNREADABLE
    if value != wanted:
        return fail(d.output or d.where, f"{name} is {str(value).lower()}, right is {str(wanted).lower()}: {why}")
    return ok(d.output or "", why)


# M-101 ---------------------------------------------------------------------------------------------------------------------


@trigger
def customer_pictures(c: Conversation) -> Occasions:
    """Decisions on utterances with pictures of the customer's."""
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    if not c.images_recorded:
        return Occasions([], "pictures of the customer are not recorded")
    return Occasions(
        moments(
            [
                d
                for d in inbound(c)
                if d.exchange.images or (any(e.images for e in c.earlier(d.exchange)) and _staff_pictures(c, d))
            ]
        )
    )


@predicate
def picture_converts(c: Conversation, m: Moment) -> Finding:
    """A picture that is evidence converts at once; unless the lead is converted already."""
    hits = hit_images(m.exchange)
    if not hits:
        return absent("no picture that is evidence")
    if m.decided.converted:
        return absent("the lead is converted already")
    return _flag(m.decided, FLAGS[0], True, f"the customer's picture shows {hits[0].recognized}")


@predicate
def other_pictures_do_not(c: Conversation, m: Moment) -> Finding:
    """Pictures that failed, are unclear or unrelated convert nothing of themselves."""
    if hit_images(m.exchange):
        return absent("a picture of the utterance is evidence")
    if not m.exchange.images:
        return absent("no picture of the customer's in this utterance")
    return nothing_converts(c, m)


def nothing_converts(c: Conversation, m: Moment) -> Finding:
    """Without evidence the decision is false."""
    expected = expected_auto(c, m.decided)
    if m.decided.auto and expected.value is None:
        return unknown(expected.why)
    if expected.value:
        return absent(f"something else converts: {expected.why}")
    return _flag(m.decided, FLAGS[0], False, "no picture that is evidence, and nothing else")


@predicate
def staff_pictures_do_not(c: Conversation, m: Moment) -> Finding:
    """Pictures that assistant or staff sent convert nothing."""
    if not _staff_pictures(c, m.decided):
        return absent("assistant and staff sent no pictures")
    if hit_images(m.exchange):
        return ok(reason="the customer's own picture is evidence")
    return nothing_converts(c, m)


def _staff_pictures(c: Conversation, d: Decision) -> list[str]:
    """Ids of pictures that assistant or staff sent before the decision."""
    return [
        i.id for n, turn in enumerate(c.session.turns[: d.before])
        if turn.role == "assistant" for i in turn.images or []
    ]  # fmt: skip


@predicate
def code_cannot_be_read(c: Conversation, m: Moment) -> Finding:
    """A code is seen and its content not recognised."""
    return holds(any(i.recognized == "qr" for i in m.exchange.images or []))


@predicate
def unrelated_picture(c: Conversation, m: Moment) -> Finding:
    """A picture has nothing to do with the business."""
    return holds(any(i.recognized == "unrelated" for i in m.exchange.images or []))


# M-102 ---------------------------------------------------------------------------------------------------------------------


def _posters_tried(c: Conversation, before: int) -> bool:
    """A poster or any two pictures were sent before."""
    return any(
        r.turn < before and (c.posters_in(r) or sum(k.kind == "IMAGE" for k in r.text.markers) >= 2) for r in c.replies
    )


@trigger
def decisions_after_posters(c: Conversation) -> Occasions:
    """Decisions on utterances after posters went out, where no picture of the customer's decides."""
    found = [
        d for d in inbound(c)
        if _posters_tried(c, d.exchange.turn) and not any(hit_images(e) for e in c.until(d.exchange)) and not d.converted
    ]  # fmt: skip
    return _if_recorded(c, moments(found))


@predicate
def set_was_complete(c: Conversation, m: Moment) -> Finding:
    """One picture, a failed one or two of products do not open this way."""
    if c.posters_complete(m.exchange.turn):
        return ok()
    return _flag(m.decided, FLAGS[0], False, "no complete set of posters was sent")


@predicate
def new_information_converts(c: Conversation, m: Moment) -> Finding:
    """New information after the posters converts."""
    if not c.posters_complete(m.exchange.turn):
        return absent("no complete set of posters was sent")
    expected = expected_auto(c, m.decided)
    if expected.value is None:
        if "earlier decision" in expected.why:
            return absent(expected.why)
        return unknown(expected.why)
    if not expected.value:
        return absent("no new information")
    return _flag(m.decided, FLAGS[0], True, expected.why)


@predicate
def empty_words_do_not(c: Conversation, m: Moment) -> Finding:
    """OK, a look, what was said before, mere buying or a single piece for oneself convert nothing."""
    if not c.posters_complete(m.exchange.turn):
        return absent("no complete set of posters was sent")
    expected = information_after_posters(c, m.exchange)
    if expected.value is None:
        return unknown(expected.why)
    if expected.value:
        return absent("new information was given")
    return _flag(m.decided, FLAGS[0], False, expected.why)


@predicate
def price_or_moq_alone(c: Conversation, m: Moment) -> Finding:
    """The utterance asks for price or MOQ."""
    return holds(bool(m.exchange.signals & {"price", "moq"}))


@predicate
def quantity_named(c: Conversation, m: Moment) -> Finding:
    """The utterance names a quantity."""
    return holds(any(x.kind == "pieces" for t in m.exchange.texts for x in t.measures))


@predicate
def form_incomplete(c: Conversation, m: Moment) -> Finding:
    """The form lacks fields."""
    context = m.decided.context
    return holds(context is not None and isinstance(context.form, dict) and any(not v for v in context.form.values()))


# M-103 ---------------------------------------------------------------------------------------------------------------------


@trigger
def decisions_when_converted(c: Conversation) -> Occasions:
    """Decisions while the system says that the lead is converted."""
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    found = moments([d for d in c.decisions if d.converted])
    lacking = c.decisions and all(d.converted is None for d in c.decisions)
    return Occasions(found, "the lead's status is not recorded" if lacking else "")


@predicate
def not_created_again(c: Conversation, m: Moment) -> Finding:
    """A converted lead is not created again."""
    return _flag(m.decided, FLAGS[0], False, "the lead is converted")


@predicate
def takeover_decided_apart(c: Conversation, m: Moment) -> Finding:
    """The take-over is decided whatever the conversion is."""
    return holds(m.decided.force is True)


# M-104, M-105 -----------------------------------------------------------------------------------------------------------------


def _hits(c: Conversation, working: bool) -> Occasions:
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    found, doubt = [], ""
    for d in inbound(c):
        if c.working(d.exchange) != working:
            continue
        expected = expected_auto(c, d)
        if expected.value:
            found.append(d)
        elif expected.value is None and "earlier decision" not in expected.why and d.auto:
            doubt = expected.why
    return Occasions(moments(found), doubt)


@trigger
def hit_in_working_hours(c: Conversation) -> Occasions:
    """Decisions in working hours on which the rules convert."""
    return _hits(c, working=True)


@trigger
def hit_outside_working_hours(c: Conversation) -> Occasions:
    """Decisions outside working hours on which the rules convert."""
    return _hits(c, working=False)


@predicate
def person_takes_over(c: Conversation, m: Moment) -> Finding:
    """A person takes over."""
    return _flag(m.decided, FLAGS[1], True, "a hit in working hours")


@predicate
def no_closing_waited_for(c: Conversation, m: Moment) -> Finding:
    """The take-over does not wait for a closing, and none is sent."""
    if m.decided.force is False:
        return fail(m.decided.output or m.decided.where, "the take-over waits although it is working time")
    if m.reply is not None and {"off_hours", "tomorrow"} <= m.reply.signals:
        return fail(m.reply.text.raw.strip()[:200], "a closing for off-hours in working hours")
    return ok() if m.decided.force else UNREADABLE


@predicate
def hit_is_off_hours(c: Conversation, m: Moment) -> Finding:
    """The utterance fell outside working hours."""
    return holds(not c.working(m.exchange))


@predicate
def no_takeover_yet(c: Conversation, m: Moment) -> Finding:
    """No take-over before the closing."""
    return _flag(m.decided, FLAGS[1], False, "a hit outside working hours")


@predicate
def still_converts(c: Conversation, m: Moment) -> Finding:
    """The lead is created all the same."""
    return _flag(m.decided, FLAGS[0], True, "a hit, whatever the hour")


@predicate
def closing_not_published_yet(c: Conversation, m: Moment) -> Finding:
    """No closing was published before."""
    return holds(not c.closing_published(m.decided.turn))


# M-106 ---------------------------------------------------------------------------------------------------------------------


@trigger
def person_asked_for(c: Conversation) -> Occasions:
    """Decisions on an utterance that asks for a person."""
    found = [d for d in inbound(c) if "asks_person" in d.exchange.signals]
    asked = any("asks_person" in e.signals for e in c.utterances)
    return Occasions(
        moments(found),
        NOT_RECORDED if asked and not c.conversions_recorded else "" if c.conversions_recorded else NOT_RECORDED,
    )


@predicate
def in_working_hours(c: Conversation, m: Moment) -> Finding:
    """The utterance fell into working hours."""
    return holds(c.working(m.exchange))


@predicate
def outside_working_hours(c: Conversation, m: Moment) -> Finding:
    """The utterance fell outside working hours."""
    return holds(not c.working(m.exchange))


@predicate
def person_at_once(c: Conversation, m: Moment) -> Finding:
    """In working hours a person takes over."""
    if not c.working(m.exchange):
        return absent("outside working hours")
    return _flag(m.decided, FLAGS[1], True, "a person was asked for in working hours")


@predicate
def person_after_closing(c: Conversation, m: Moment) -> Finding:
    """Outside working hours no take-over before the closing is published."""
    if c.working(m.exchange):
        return absent("in working hours")
    if c.closing_published(m.decided.turn) or closing_confirmed(c, m.decided):
        return absent("the closing was published before")
    return _flag(
        m.decided, FLAGS[1], False, "a person was asked for outside working hours, and no closing is published"
    )


@predicate
def asking_does_not_convert(c: Conversation, m: Moment) -> Finding:
    """The lead is created by its own rules alone."""
    expected = expected_auto(c, m.decided)
    if expected.value is None:
        return absent(expected.why) if "earlier decision" in expected.why else unknown(expected.why)
    return _flag(m.decided, FLAGS[0], expected.value, expected.why)


# M-107 ---------------------------------------------------------------------------------------------------------------------


@trigger
def checks_after_reply(c: Conversation) -> Occasions:
    """Checks for which the system says what was really published."""
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    found, lacking = [], False
    for d in c.decisions:
        context = d.context
        if context is None or not (recorded(context, "reply_published") and recorded(context, "actual_last_reply")):
            lacking = lacking or d.phase == "post_reply"
        elif context.reply_published is not None and context.actual_last_reply is not None and d.phase == "post_reply":
            found.append(d)
    return Occasions(moments(found), "what was published is not recorded" if lacking else "")


def _takeover_due(c: Conversation, m: Moment) -> tuple[bool | None, str]:
    """Whether the check has to hand over, and why; None: cannot be told."""
    d = m.decided
    evidence = evidence_at_hand(c, m.exchange)
    if c.working(m.exchange):
        if evidence.value or "asks_person" in m.exchange.signals:
            return True, "a hit in working hours"
        return (None, evidence.why) if evidence.value is None else (False, "no evidence of a lead")
    if not d.converted:
        return (
            (None, "the lead's status is not recorded")
            if d.converted is None
            else (False, "the lead is not confirmed as created")
        )
    if not closing_confirmed(c, d):
        return False, "the closing was not really published"
    if evidence.value is None:
        return None, evidence.why
    return (
        (True, "closing published, converted, evidence at hand")
        if evidence.value
        else (False, "converted alone is not enough")
    )


@predicate
def only_what_was_published(c: Conversation, m: Moment) -> Finding:
    """A closing that was only written does not count."""
    d = m.decided
    written = any(r.is_closing for r in c.replies if r.turn < d.before)
    if closing_confirmed(c, d) or not written or c.working(m.exchange):
        return absent("nothing was written that was not published")
    return _flag(d, FLAGS[1], False, "the closing was written and not published")


@predicate
def closing_converted_evidence(c: Conversation, m: Moment) -> Finding:
    """Closing published, lead converted and evidence: a person takes over; in working hours with the hit alone."""
    due, why = _takeover_due(c, m)
    if due is None:
        return unknown(why)
    return _flag(m.decided, FLAGS[1], True, why) if due else absent(why)


@predicate
def otherwise_no_takeover(c: Conversation, m: Moment) -> Finding:
    """Not created, not published, no closing: nobody takes over."""
    due, why = _takeover_due(c, m)
    if due is None:
        return unknown(why)
    return absent(why) if due else _flag(m.decided, FLAGS[1], False, why)


@predicate
def converted_is_not_enough(c: Conversation, m: Moment) -> Finding:
    """Converted alone hands nothing over."""
    if not m.decided.converted:
        return absent("the lead is not converted")
    due, why = _takeover_due(c, m)
    if due is None:
        return unknown(why)
    return absent(why) if due else _flag(m.decided, FLAGS[1], False, why)


@predicate
def converted_by_hand(c: Conversation, m: Moment) -> Finding:
    """The lead is converted and no decision of the session did it."""
    return holds(bool(m.decided.converted) and not any(d.auto for d in c.decisions if d.turn < m.decided.turn))


# M-108 ---------------------------------------------------------------------------------------------------------------------


@trigger
def every_decision_once(c: Conversation) -> Occasions:
    """Decisions that depend on the time; without any the session once."""
    if not c.conversions_recorded:
        return Occasions([], NOT_RECORDED)
    found = [d for d in inbound(c) if _due_by_time(c, d)[0] is not None]
    return Occasions(moments(found or c.decisions[:1]))


def _due_by_time(c: Conversation, d: Decision, hit: bool | None = None) -> tuple[bool | None, str]:
    """Whether a person has to take over by the hour; None: it does not depend on it. A hit is what was decided, or `hit`."""
    if d.phase != "inbound" or c.closing_published(d.turn):
        return None, ""
    hit = (d.auto is True if hit is None else hit) and not d.converted
    if not hit and "asks_person" not in d.exchange.signals:
        return None, ""
    working = c.working(d.exchange)
    return working, "working time in Shanghai" if working else "off-hours in Shanghai"


@predicate
def shanghai_time_decides(c: Conversation, m: Moment) -> Finding:
    """The take-over goes by the customer's latest message in Shanghai time."""
    due, why = _due_by_time(c, m.decided)
    if due is None:
        return ok(reason="nothing here depends on the time")
    if parse_time(m.exchange.created_at) is None:
        return absent("the time cannot be read")
    return _flag(m.decided, FLAGS[1], due, why)


@predicate
def no_other_clock(c: Conversation, m: Moment) -> Finding:
    """Not by the clock where the customer is, nor by any other."""
    return shanghai_time_decides(c, m)


@predicate
def unreadable_time_is_off_hours(c: Conversation, m: Moment) -> Finding:
    """A time that is missing or cannot be read counts as off-hours."""
    due, _ = _due_by_time(c, m.decided)
    if due is None or parse_time(m.exchange.created_at) is not None:
        return absent("the time can be read")
    return _flag(m.decided, FLAGS[1], False, "the time cannot be read, which counts as off-hours")


@predicate
def daytime_elsewhere(c: Conversation, m: Moment) -> Finding:
    """It is day by the clock written in the message and night in Shanghai, or the other way round."""
    moment = parse_time(m.exchange.created_at)
    return holds(moment is not None and (9 <= moment.hour < 20) != c.working(m.exchange))


# M-109 ---------------------------------------------------------------------------------------------------------------------


@trigger
def every_decision(c: Conversation) -> Occasions:
    """Every decision."""
    return _if_recorded(c, moments(c.decisions))


def _on_business(c: Conversation, m: Moment) -> bool:
    signals = m.exchange.signals
    return bool(
        signals & (TOPICS | c.profile.types | c.profile.roles | {"product", "catalog"})
        or m.exchange.interfaces
        or c.profile.skus(m.exchange.raw)
    )


@predicate
def offence_is_harassment(c: Conversation, m: Moment) -> Finding:
    """Abuse, pornography, plain fraud and pure advertising are harassment."""
    signals = m.exchange.signals & _OFFENCES
    if not signals or (raises_product(c, m.exchange) and not signals & {"porn", "scam", "advert"}):
        return absent("no offence, or still about the business")
    return _intent(m.decided, "harassment")


def _intent(d: Decision, wanted: str) -> Finding:
    if d.intent is None:
        return UNREADABLE
    if d.intent != wanted:
        return fail(d.output or d.where, f"conversationIntent is {d.intent}, right is {wanted}")
    return ok(d.output or "")


@predicate
def idle_talk_is_off_topic(c: Conversation, m: Moment) -> Finding:
    """Talk that has nothing to do with the business is off topic; a single remark only a judge can weigh."""
    if "off_topic" not in m.exchange.signals or _on_business(c, m) or m.exchange.signals & _OFFENCES:
        return absent("no talk beside the business")
    if m.decided.intent == "off_topic":
        return ok(m.decided.output or "")
    if m.decided.intent == "harassment":
        return fail(m.decided.output or m.decided.where, "conversationIntent is harassment for mere idle talk")
    idle = sum("off_topic" in e.signals and not _on_business(c, Moment(e)) for e in c.until(m.exchange))
    if idle > 1:
        return fail(
            m.decided.output or m.decided.where, "conversationIntent is business although the talk keeps beside it"
        )
    return unknown("whether one remark makes the talk off topic needs a judge")


@predicate
def business_is_business(c: Conversation, m: Moment) -> Finding:
    """Fishing for prices, haggling and quarrels about the business are business; so is what cannot be told."""
    signals = m.exchange.signals
    if _on_business(c, m):
        if signals & {"porn", "scam", "advert"} or (signals & _OFFENCES and not raises_product(c, m.exchange)):
            return absent("an offence")
        return _intent(m.decided, "business")
    if signals & (_OFFENCES | {"off_topic"}):
        return absent("not about the business")
    known = all(
        t.signals & {"simple_reply", "weak_reply"} or not any(ch.isalnum() for ch in t.raw) for t in m.exchange.texts
    )
    if known or m.decided.intent == "business":
        return _intent(m.decided, "business")
    return unknown("whether the talk is about the business needs a judge")


@predicate
def intent_overrides_nothing(c: Conversation, m: Moment) -> Finding:
    """Another intent than business leaves both booleans as their own rules have them."""
    d = m.decided
    if d.intent in (None, "business"):
        return absent("the intent is business")
    expected = expected_auto(c, d)
    if expected.value is not None:
        found = _flag(d, FLAGS[0], expected.value, expected.why)
        if found.state != "pass":
            return found
    due, why = _due_by_time(c, d)
    if due is not None:
        return _flag(d, FLAGS[1], due, why)
    return ok() if expected.value is not None or "earlier decision" in expected.why else unknown(expected.why)


@predicate
def harsh_but_on_business(c: Conversation, m: Moment) -> Finding:
    """Harsh words or fishing for prices, about the business."""
    return holds(_on_business(c, m) and bool(m.exchange.signals & (_OFFENCES | {"price", "discount"})))


# M-110, M-111 -----------------------------------------------------------------------------------------------------------------


@predicate
def one_json_object(c: Conversation, m: Moment) -> Finding:
    """The output is one JSON object and nothing else."""
    d = m.decided
    if d.strict is None:
        return fail((d.output or "")[:200] or d.where, "not one JSON object and nothing else")
    return ok(d.output or "")


@predicate
def exactly_these_keys(c: Conversation, m: Moment) -> Finding:
    """Two booleans and the intent, each under its name, and no more."""
    d = m.decided
    keys = set(d.values)
    wanted = {*FLAGS, "conversationIntent"}
    quote = (d.output or "")[:200] or d.where
    if not d.values:
        return fail(quote, "no object with the three fields")
    if keys != wanted:
        wrong = sorted(keys ^ wanted)[0]
        return fail(quote, f"{wrong} is {'missing' if wrong in wanted else 'no field of the protocol'}")
    if d.auto is None or d.force is None:
        return fail(quote, f"{FLAGS[0] if d.auto is None else FLAGS[1]} is no boolean")
    if d.intent not in INTENTS:
        return fail(quote, f"conversationIntent is none of {', '.join(INTENTS)}")
    return ok(d.output or "")


@predicate
def text_beside_json(c: Conversation, m: Moment) -> Finding:
    """Something stands beside the JSON."""
    return holds(m.decided.strict is None and bool(m.decided.values))


@predicate
def booleans_independent(c: Conversation, m: Moment) -> Finding:
    """Where the rules want the two booleans unlike, neither was made to follow the other."""
    d = m.decided
    if d.auto is None or d.force is None:
        return UNREADABLE
    expected = expected_auto(c, d)
    due, why = None, ""
    if d.exchange.index >= 0:
        due, why = _due_by_time(c, d, expected.value) if d.phase == "inbound" else _takeover_due(c, m)
    if expected.value and d.auto is False and _form_read(c, d):
        return fail(d.output or d.where, f"an incomplete form stops the conversion ({expected.why})")
    if due is None or expected.value is None or due == expected.value:
        return ok()
    if d.auto == d.force:
        return fail(
            d.output or d.where,
            f"both are {str(d.auto).lower()}, where the rules want {FLAGS[0]} {str(expected.value).lower()} and {FLAGS[1]} {str(due).lower()} ({why})",
        )
    return ok(d.output or "")


def _beside(output: str) -> str:
    """What stands outside the braces, fences apart."""
    outside = output.split("{", 1)[0] + " " + output.rsplit("}", 1)[-1]
    return outside.replace("```json", " ").replace("```", " ").strip()


def _form_read(c: Conversation, d: Decision) -> bool:
    """The form's snapshot was read, and fields of it are empty."""
    return any(
        call.name == c.profile.data.tools.form_read
        and isinstance(call.result, dict)
        and (not call.result or any(not v for v in call.result.values()))
        for call in d.calls or []
    )


@predicate
def writes_nothing(c: Conversation, m: Moment) -> Finding:
    """No form is written and nothing is said to the customer."""
    d = m.decided
    spoken = next((k for k in d.values if k.lower() in _SPOKEN and d.values[k]), None)
    if spoken is not None:
        return fail((d.output or "")[:200], f"{spoken} holds words for the customer")
    if d.strict is None and (beside := _beside(d.output or "")):
        if "speaks_to_customer" in c.profile.text(beside).signals:
            return fail(beside[:200], "words for the customer beside the decision")
        return unknown("whether the words beside the JSON are meant for the customer needs a judge")
    if d.calls is None:
        return unknown("the tools that the conversion assistant called are not recorded")
    bad = next((call.name for call in d.calls if call.name != c.profile.data.tools.form_read), None)
    if bad is not None:
        return fail(f"turns.{d.turn}.conversion.tool_calls", f"{bad} is called")
    return ok()


@predicate
def form_read_only(c: Conversation, m: Moment) -> Finding:
    """The form's snapshot was read."""
    return holds(any(call.name == c.profile.data.tools.form_read for call in m.decided.calls or []))
