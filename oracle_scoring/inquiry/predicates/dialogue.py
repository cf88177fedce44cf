"""M-017 to M-019, M-027 to M-030: language, long replies, bursts, the closing, length, limits of ability."""

import re

from oracle_scoring.inquiry import language
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
from oracle_scoring.inquiry.lexicon import fold
from oracle_scoring.inquiry.predicates.common import (
    KNOWLEDGE,
    PARAMETERS,
    SHOWN,
    TOOLS_UNKNOWN,
    answered,
    asked_parameters,
    asks_something,
    defers,
    details,
    documents_on,
    each_reply,
    last_turn,
    left_out,
    on,
    once,
    searches,
    sentence_with,
    topics,
    unsourced,
)  # fmt: skip
from oracle_scoring.inquiry.predicates.product import _empty_kinds, not_found, spec_figures
from oracle_scoring.inquiry.talk import Conversation, Exchange, Reply

ENGLISH = "en"
_HAN = re.compile("[\u4e00-\u9fff]")
_SIMPLE_SENTENCES = 2
_RUN = 3
_ENDS = tuple(".!?。！？…~～)）」』”\"'：:;；😊🙂👍🙏")
_MARKED = ("zh", "zh-Hans", "zh-Hant")


def expected_language(r: Reply) -> str:
    """The customer's language, or `und`."""
    return r.language or language.UNDETERMINED


def same_language(one: str, other: str) -> bool:
    """The same family."""
    return language.family(one) == language.family(other)


@predicate
def reply_in_customers_language(c: Conversation, m: Moment) -> Finding:
    """The reply's language is that of the customer's latest message."""
    want, got = expected_language(m.said), m.said.text.language
    if want == language.UNDETERMINED:
        return absent("the customer's language is not clear")
    if got == language.UNDETERMINED:
        return absent("the reply is too short to have a language")
    if not same_language(want, got):
        return fail(m.said.text.body.strip()[:200], f"the reply is in {got}, the customer's message in {want}")
    return ok()


@predicate
def simplified_unless_traditional(c: Conversation, m: Moment) -> Finding:
    """A Chinese reply is in simplified characters, and in traditional ones if the customer writes them."""
    want, got = expected_language(m.said), m.said.text.language
    if language.family(want) != "zh" or language.family(got) != "zh":
        return absent("not a Chinese conversation")
    traditional = any(x in want.lower() for x in ("hant", "tw", "hk"))
    if traditional and got == "zh-Hans":
        return fail(m.said.text.body.strip()[:200], "simplified characters for a customer who writes traditional ones")
    if not traditional and got == "zh-Hant":
        return fail(m.said.text.body.strip()[:200], "traditional characters for a customer who does not write them")
    return ok()


@predicate
def unclear_language_gets_english(c: Conversation, m: Moment) -> Finding:
    """To a message whose language is not clear the reply is in English."""
    if expected_language(m.said) != language.UNDETERMINED:
        return absent("the customer's language is clear")
    got = m.said.text.language
    if got == language.UNDETERMINED:
        return absent("the reply is too short to have a language")
    if got != ENGLISH:
        return fail(m.said.text.body.strip()[:200], f"the reply is in {got}, where the language is not clear")
    return ok()


@predicate
def names_left_untranslated(c: Conversation, m: Moment) -> Finding:
    """Words of another script stand in the reply: brands, abbreviations, article numbers."""
    body = m.said.text.plain
    return holds(not m.said.text.body.isascii() and any(ch.isascii() and ch.isalpha() for ch in body))


# M-018 ---------------------------------------------------------------------------------------------------------------------


@trigger
def long_reply(c: Conversation) -> Occasions:
    """Replies whose visible words exceed the threshold, the first reply left out."""
    limit = c.profile.data.long_reply
    found = []
    for r in c.replies[1:]:
        han, words = r.text.length
        if han > limit.characters or (han + words > limit.words and han * 2 < words and words > limit.words):
            found.append(r)
    return each_reply(found)


@predicate
def two_paragraphs(c: Conversation, m: Moment) -> Finding:
    """Two paragraphs with a blank line between."""
    count = len(m.said.text.paragraphs)
    if count != 2:
        return fail(
            m.said.text.body.strip()[:200],
            f"{count} paragraph{'s' * (count != 1)} instead of two with a blank line between",
        )
    return ok()


@predicate
def paragraphs_differ(c: Conversation, m: Moment) -> Finding:
    """The second paragraph repeats no sentence of the first; whether it adds advice naturally only a judge can say."""
    if len(m.said.text.paragraphs) < 2:
        return fail(m.said.text.body.strip()[:200], "there is no second paragraph")
    seen: set[str] = set()
    for s in m.said.text.sentences:
        key = s.folded.strip(" .!?。！？")
        if len(key) > 8 and key in seen:
            return fail(s.raw, "a sentence stands twice")
        seen.add(key)
    first, second = m.said.text.paragraphs[:2]
    if (_starts_mechanically(second) or _starts_mechanically(first)) and "mechanical" in m.said.signals:
        return fail(m.said.text.quote("mechanical"), "a mechanical transition")
    return unknown("whether the second paragraph adds advice needs a judge")


def _starts_mechanically(paragraph: str) -> bool:
    return fold(paragraph.strip()[:20]).startswith(
        (
            "in the second place",
            "as i said",
            "firstly",
            "secondly",
            "first,",
            "second,",
            "furthermore",
            "moreover",
            "in conclusion",
            "首先",
            "其次",
            "综上",
            "总而言之",
            "thứ nhất",
            "thứ hai",
            "tóm lại",
        )
    )


@predicate
def not_cut_off(c: Conversation, m: Moment) -> Finding:
    """Every paragraph ends as a sentence does; whether a needed fact was dropped only a judge can say."""
    for p in m.said.text.paragraphs:
        text = p.strip()
        for marker in m.said.text.markers:
            text = text.replace(marker.raw, "").strip()
        if text and not text.endswith(_ENDS) and (text[-1].isalnum() or text[-1] in ",，、"):
            return fail(text[-200:], "the text breaks off")
    return unknown("whether a needed fact was left out needs a judge")


@predicate
def marks_not_counted(c: Conversation, m: Moment) -> Finding:
    """The reply holds markers, addresses or article numbers, which do not count as its length."""
    return holds(bool(m.said.text.markers or m.said.text.addresses))


# M-019 -----------------------------------------------------------------------------------------------------------------------


@trigger
def burst_or_many_questions(c: Conversation) -> Occasions:
    """Several messages in a row, or several questions in one."""
    found = []
    for e in answered(c, 0):
        questions = sum(1 for t in e.texts for s in t.sentences if s.marked)
        if len(e.messages) > 1 or questions > 1:
            found.append(e)
    return on(found)


@predicate
def covers_all_questions(c: Conversation, m: Moment) -> Finding:
    """Every question is answered; the first turn may answer none; whether the rest are only a judge can say."""
    if m.exchange.index == 0:
        return absent("the first turn only introduces and asks the type")
    if not any(s.marked for t in m.exchange.texts for s in t.sentences) and not topics(c, m.exchange):
        return absent("the messages ask nothing")
    return left_out(c, m)


@predicate
def answers_once(c: Conversation, m: Moment) -> Finding:
    """One reply to all of them, not one to each."""
    replies = [r for r in m.exchange.replies if r.text.raw.strip()]
    if len(replies) > 1:
        return fail(replies[1].text.raw.strip()[:200], f"{len(replies)} replies to one burst")
    return ok()


@predicate
def facts_and_policies_asked(c: Conversation, m: Moment) -> Finding:
    """Product and policy are asked for together."""
    asked = topics(c, m.exchange)
    return holds(bool(asked & (PARAMETERS | {"stock"})) and bool(asked & KNOWLEDGE))


# M-027 ------------------------------------------------------------------------------------------------------------------------


@trigger
def off_hours_handover(c: Conversation) -> Occasions:
    """Replies to an utterance outside working hours while the lead is converted."""
    if not c.replies:
        return Occasions([])
    found = each_reply([r for r in c.replies if c.handover(r)]).moments
    if not any(r.converted is not None for r in c.replies):
        return Occasions([], "the lead's status is not recorded")
    return Occasions(found)


def _closed_before(c: Conversation, m: Moment) -> bool:
    context = m.said.context
    told = context is not None and context.reply_published is True and bool(context.actual_last_reply)
    from oracle_scoring.inquiry.talk import is_closing

    if told and context is not None and is_closing(c.profile.text(context.actual_last_reply or "")):
        return True
    return c.closing_published(m.said.turn)


@predicate
def short_closing(c: Conversation, m: Moment) -> Finding:
    """Two sentences at most, in the customer's language, in one reply."""
    if _closed_before(c, m):
        return absent("the closing was sent before")
    r = m.said
    if len(r.text.sentences) > _SIMPLE_SENTENCES:
        return fail(r.text.raw.strip()[:200], f"{len(r.text.sentences)} sentences instead of two at most")
    want, got = expected_language(r), r.text.language
    want = ENGLISH if want == language.UNDETERMINED else want
    if got != language.UNDETERMINED and not same_language(want, got):
        return fail(r.text.raw.strip()[:200], f"the closing is in {got}, the customer's message in {want}")
    if len(r.exchange.replies) > 1:
        return fail(r.exchange.replies[1].text.raw.strip()[:200], "more than one message")
    return ok()


@predicate
def closing_says_it_all(c: Conversation, m: Moment) -> Finding:
    """Received, outside working hours, confirmed tomorrow; no model or specification is guessed."""
    if _closed_before(c, m):
        return absent("the closing was sent before")
    r = m.said
    for name, what in (
        ("received", "that all was received"),
        ("off_hours", "that it is outside working hours"),
        ("tomorrow", "that it goes on tomorrow"),
        ("confirms", "that specification and quotation will be confirmed"),
    ):
        if name not in r.signals:
            return fail(r.text.raw.strip()[:200] or r.where, f"does not say {what}")
    own = "\n".join(e.raw for e in c.until(r.exchange))
    for sku in c.profile.skus(r.text.body):
        if sku.lower() not in own.lower():
            return fail(r.text.body.strip()[:200], f"guesses {sku}")
    if figures := [f for f in spec_figures(r) if f.text not in fold(own)]:
        return fail(sentence_with(r, figures[0]), f"guesses {figures[0].text}")
    return ok()


@predicate
def closing_without_tools(c: Conversation, m: Moment) -> Finding:
    """No tool, no media or link, no question."""
    if _closed_before(c, m):
        return absent("the closing was sent before")
    r = m.said
    if r.text.markers:
        return fail(r.text.markers[0].raw, "the closing sends media or a link")
    if r.text.addresses:
        return fail(r.text.addresses[0], "the closing holds an address")
    if r.text.questions:
        return fail(r.text.questions[0].raw, "the closing asks a question")
    if r.model.tool_calls:
        return fail(f"turns.{r.turn}.tool_calls", f"{r.model.tool_calls[0].name} is called for the closing")
    if "tool_calls" not in r.model.model_fields_set:
        return TOOLS_UNKNOWN
    return ok()


@predicate
def closing_not_again(c: Conversation, m: Moment) -> Finding:
    """A closing that was really sent is not sent again."""
    if not _closed_before(c, m):
        return absent("no closing was sent before")
    if m.said.is_closing or {"off_hours", "tomorrow"} <= m.said.signals:
        return fail(m.said.text.raw.strip()[:200], "the closing is sent a second time")
    return ok()


@predicate
def time_cannot_be_read(c: Conversation, m: Moment) -> Finding:
    """The time of the customer's message is missing or cannot be read."""
    from oracle_scoring.inquiry.profile import parse_time

    return holds(parse_time(m.exchange.created_at) is None)


# M-028, M-029 ----------------------------------------------------------------------------------------------------------------


@trigger
def whole_talk(c: Conversation) -> Occasions:
    """The session, if anything was said."""
    return once(c)


@predicate
def fixed_openings(c: Conversation, m: Moment) -> Finding:
    """At least three replies, and all begin with the same acknowledgement."""
    starts = [r.text.body.strip()[:2].lower() for r in c.replies if r.text.body.strip()]
    return holds(len(starts) >= _RUN and len(set(starts)) == 1)


@predicate
def short_confirmations(c: Conversation, m: Moment) -> Finding:
    """Some reply to a greeting, thanks or confirmation has two sentences at most."""
    return holds(any(_simple(r.exchange) and len(r.text.sentences) <= _SIMPLE_SENTENCES for r in c.replies[1:]))


def _simple(e: Exchange) -> bool:
    return bool(e.texts) and all("simple_reply" in t.signals for t in e.texts)


@predicate
def simple_gets_short(c: Conversation, m: Moment) -> Finding:
    """A greeting, thanks or confirmation gets two sentences at most; the first turn follows its own rule."""
    if m.said.number == 0 or not _simple(m.exchange):
        return absent("not a mere greeting, thanks or confirmation")
    if c.handover(m.said) or c.posters_in(m.said):
        return absent("the reply follows another rule")
    count = len(m.said.text.sentences)
    if count > _SIMPLE_SENTENCES:
        return fail(m.said.text.raw.strip()[:200], f"{count} sentences in reply to a mere confirmation")
    return ok()


@predicate
def several_in_a_list(c: Conversation, m: Moment) -> Finding:
    """Values of several parameters or products stand a line each."""
    asked = len(asked_parameters(c, m.exchange)) + max(0, len(set(c.profile.skus(m.exchange.raw))) - 1)
    if asked < 2:
        return absent("not several parameters or products")
    kinds = {f.kind for f in spec_figures(m.said)}
    values = len(spec_figures(m.said)) if len(kinds) > 1 or len(set(c.profile.skus(m.exchange.raw))) > 1 else len(kinds)
    if values < 2:
        return absent("the reply gives fewer than two values")
    for line in m.said.text.lines:
        figures = {(f.kind, f.number) for f in spec_figures(m.said) if f.text in fold(line)}
        if len({k for k, _ in figures}) >= 2 and len(m.said.text.lines) < values:
            return fail(line.strip()[:200], "several values in one line instead of a short list")
    return ok()


@predicate
def long_sentences_split(c: Conversation, m: Moment) -> Finding:
    """No sentence is so long that it should be two; whether a longer one could be split only a judge can say."""
    limit = c.profile.data.long_sentence
    for s in m.said.text.sentences:
        if len(s.raw) <= limit.characters:
            continue
        han = 0 if s.raw.isascii() else len(_HAN.findall(s.raw))
        words = len(s.raw.split()) if han * 2 < len(s.raw) else 0
        if han > limit.characters or words > limit.words:
            if sum(s.raw.count(x) for x in ",;，；") >= _RUN:
                return fail(s.raw[:200], "a sentence without end, which could be split at its commas")
            return unknown("a long sentence; whether it could be split needs a judge")
    return ok()


@predicate
def technical_detail_in_parts(c: Conversation, m: Moment) -> Finding:
    """A technical question is answered at some length, in short paragraphs or a list."""
    return holds(bool(asked_parameters(c, m.exchange)) and len(m.said.text.lines) >= _RUN)


# M-030 --------------------------------------------------------------------------------------------------------------------------


def not_known(c: Conversation, e: Exchange) -> bool:
    """What was asked cannot be answered: a search found nothing, an article is unknown, or the cell is empty."""
    asked = topics(c, e)
    if asked and asked <= SHOWN:
        return False  # a catalogue or picture that is not found is answered by what M-012 and M-009 say
    if any(not s.hit for s in searches(c, e) if not c.profile.text(s.query).signals & {"poster", "catalog", "video"}):
        return True
    return not_found(c, e) or bool(_empty_kinds(c, Moment(e, e.replies[0])))


@trigger
def beyond_ability(c: Conversation) -> Occasions:
    """Utterances whose question could not be answered from what tools returned."""
    asking = [e for e in answered(c) if asks_something(c, e)]
    if asking and not c.tools_recorded:
        return Occasions([], TOOLS_UNKNOWN.reason)
    return on([e for e in asking if not_known(c, e)])


@predicate
def invents_no_answer(c: Conversation, m: Moment) -> Finding:
    """Nothing is stated that no source gives; without figures or terms, a reply that only defers invents nothing."""
    from oracle_scoring.inquiry.predicates.product import unsourced_terms

    for r in m.exchange.replies:
        if figures := unsourced(c, r):
            return fail(sentence_with(r, figures[0]), f"no source gives {figures[0].text}")
        if (bad := unsourced_terms(c, r)) is not None:
            return fail(bad[1], f"no source speaks of {bad[0]}")
    if defers(c, m.exchange) and all(len(r.text.statements) <= _RUN for r in m.exchange.replies):
        return ok()
    return unknown("whether anything is invented needs a judge")


@predicate
def says_it_must_be_confirmed(c: Conversation, m: Moment) -> Finding:
    """The reply says that this has to be confirmed."""
    if any("confirms" in r.signals for r in m.exchange.replies):
        return ok()
    return fail(m.said.text.raw.strip()[:200] or m.said.where, "the reply does not say that this has to be confirmed")


@predicate
def names_next_step(c: Conversation, m: Moment) -> Finding:
    """The reply says which department will confirm."""
    if defers(c, m.exchange):
        return ok()
    return fail(m.said.text.raw.strip()[:200] or m.said.where, "nobody is named who will confirm")


@predicate
def answer_was_in_sources(c: Conversation, m: Moment) -> Finding:
    """The sources had the answer although the reply says that it is not known."""
    asked = topics(c, m.exchange) & KNOWLEDGE
    last = last_turn(m.exchange)
    known = bool(asked) and all(documents_on(c, t, last) for t in asked)
    return holds(known and not not_found(c, m.exchange) and not _empty_kinds(c, m) and bool(details(c, last) or known))
