"""M-007 to M-012 and M-026: the quick-selection posters, appearance, the complete catalogue."""

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
from oracle_scoring.inquiry.lazy import remembered
from oracle_scoring.inquiry.markers import Marker
from oracle_scoring.inquiry.predicates.common import (
    TOOLS_UNKNOWN,
    TOPICS,
    answered,
    asks_something,
    direct_answer,
    each_reply,
    last_turn,
    on,
    product_related,
    searches,
    utterance_language,
)  # fmt: skip
from oracle_scoring.inquiry.predicates.needs import own_questions
from oracle_scoring.inquiry.sources import Search
from oracle_scoring.inquiry.talk import Conversation, Exchange, Reply

VIETNAMESE_WORDS = ("vietnam", "việt", "viet", "越南", "tiếng việt")
ENGLISH_WORDS = ("english", "英文", "英语", "tiếng anh")
_OTHER_QUESTIONS = frozenset({
    "asks_power", "asks_length", "asks_packaging", "asks_quantity", "asks_custom", "asks_sample", "asks_delivery", "asks_country",
    "asks_company",
})  # fmt: skip


@remembered
def poster_searches(c: Conversation, e: Exchange) -> list[Search]:
    """Searches of the exchange that were for posters."""
    return [
        s for s in searches(c, e)
        if "poster" in c.profile.text(s.query).signals
        or any(set(d.media) & c.poster_ids or "poster" in c.profile.text(d.title).signals for d in s.documents)
    ]  # fmt: skip


def returned_posters(c: Conversation, e: Exchange) -> list[str]:
    """Ids of posters that the searches of the exchange returned."""
    return [i for s in poster_searches(c, e) for d in s.documents for i in d.media if i in c.poster_ids]


def images(r: Reply) -> list[Marker]:
    """What is, or was meant as, a picture marker."""
    return [
        m for m in r.text.markers if m.kind.upper() in ("IMAGE", "IMAGES", "IMG", "PIC", "PICTURE", "PHOTO", "POSTER")
    ]


def exchange_images(e: Exchange) -> list[Marker]:
    """Picture markers of all replies."""
    return [m for r in e.replies for m in images(r)]


def wanted_set(c: Conversation, e: Exchange) -> str:
    """Which set of posters the utterance's language calls for."""
    spoken = language.family(utterance_language(e))
    return c.profile.data.poster_languages.get(spoken, c.profile.data.default_poster_language)


def search_set(c: Conversation, s: Search) -> str | None:
    """Which set a search was for, by its words; None: it does not say."""
    text = c.profile.text(s.query).folded
    if any(w in text for w in VIETNAMESE_WORDS):
        return "vi"
    if any(w in text for w in ENGLISH_WORDS):
        return "en"
    return None


@remembered
def sent_set(c: Conversation, e: Exchange) -> str | None:
    """Which set the poster markers of the exchange belong to; `mixed` if to several; None: there are none."""
    ids = {m.target for m in exchange_images(e)} & c.poster_ids
    sets = {name for name, members in c.poster_sets.items() if ids & set(members)}
    if not sets:
        return None
    return sets.pop() if len(sets) == 1 else "mixed"


# M-007 -----------------------------------------------------------------------------------------------------------------


@trigger
def first_product_matter(c: Conversation) -> Occasions:
    """The first product-related utterance from the second on, unless the appearance is clear, posters went out before or it closes."""
    for e in c.utterances[1:]:
        if not product_related(c, e):
            continue
        if c.appearance_known(e) or c.posters_sent(e.turn) or not e.replies:
            return Occasions([])
        if c.handover(e.replies[0]):
            return Occasions([])
        return on([e])
    return Occasions([])


@predicate
def answers_before_posters(c: Conversation, m: Moment) -> Finding:
    """Words stand before the posters if the customer asked something; whether they answer it only a judge can say."""
    if not asks_something(c, m.exchange):
        return absent("the customer asked nothing that wants an answer")
    r = m.said
    first = r.text.markers[0].start if r.text.markers else len(r.text.raw)
    if not any(ch.isalnum() for ch in r.text.raw[:first]):
        return fail(r.text.raw[:200], "the posters stand where the answer should")
    return direct_answer(c, m)


@predicate
def invites_to_look(c: Conversation, m: Moment) -> Finding:
    """A sentence invites to look at the directions; without posters to show there is nothing to invite to."""
    if posters_missing(c, m).state == "pass":
        return absent("the knowledge base has no posters to show")
    answer = answers_before_posters(c, m)
    if answer.state == "fail" and exchange_images(m.exchange):
        return fail(answer.evidence, "the posters stand for the answer")
    for r in m.exchange.replies:
        if "invites_look" in r.signals:
            return ok(r.text.quote("invites_look"))
    if not any(r.text.body.strip() for r in m.exchange.replies):
        return fail(m.said.text.raw[:200] or m.said.where, "posters without a word")
    if not exchange_images(m.exchange):
        return fail(m.said.text.raw.strip()[:200], "no invitation to look at the two directions, and no posters")
    if any("asks_appearance" in s.signals for r in m.exchange.replies for s in r.text.questions):
        return ok()
    if language.family(m.said.text.language) in ("en", "zh", "vi"):
        return fail(m.said.text.raw.strip()[:200], "no sentence invites to look at the two directions")
    return unknown("whether a sentence of this language invites needs a judge")


@predicate
def posters_looked_up(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched for the posters of the right language."""
    e = m.exchange
    if e.calls is None:
        return TOOLS_UNKNOWN
    found = poster_searches(c, e)
    if not found:
        return fail(f"turns.{m.said.turn}.tool_calls", "no search for the posters")
    wanted = wanted_set(c, e)
    if all(search_set(c, s) not in (None, wanted) for s in found):
        return fail(f"turns.{found[0].turn}.tool_calls", f"searched for posters of another language than {wanted}")
    return ok(found[0].query)


@predicate
def two_real_posters(c: Conversation, m: Moment) -> Finding:
    """Exactly the two pictures of one set, well-formed, in the document's order."""
    sent = exchange_images(m.exchange)
    size = c.profile.data.poster_set_size
    if len(sent) != size:
        quote = sent[0].raw if sent else m.said.text.raw.strip()[:200] or m.said.where
        return fail(quote, f"{len(sent)} picture markers instead of {size}")
    if (bad := next((k for k in sent if not k.well_formed or k.kind != "IMAGE"), None)) is not None:
        return fail(bad.raw, "not a marker of the protocol")
    ids = [k.target for k in sent]
    if not c.poster_sets:
        return unknown("the ids of the posters are not recorded")
    if (invented := next((k for k in sent if k.target not in c.poster_ids), None)) is not None:
        return fail(invented.raw, "the id is not that of a poster")
    if not any(ids == members for members in c.poster_sets.values()):
        return fail(sent[0].raw, "not one set in the order of its document")
    return ok(sent[0].raw)


@predicate
def no_fixed_choice(c: Conversation, m: Moment) -> Finding:
    """The customer need not answer with a code, and no mechanical choice follows."""
    for r in m.exchange.replies:
        if "demands_format" in r.signals:
            return fail(r.text.quote("demands_format"), "the customer is to answer in a fixed form")
        for s in own_questions(c, r):
            if len(c.profile.style_codes(s.raw)) >= 2:
                return fail(s.raw, "a choice between codes")
    return ok()


@predicate
def posters_missing(c: Conversation, m: Moment) -> Finding:
    """The search found no two real pictures, and nothing was put in their place."""
    found = poster_searches(c, m.exchange)
    if not found or len(returned_posters(c, m.exchange)) >= c.profile.data.poster_set_size:
        return holds(False)
    return holds(not any(r.text.markers or r.text.addresses for r in m.exchange.replies))


@predicate
def appearance_is_clear(c: Conversation, m: Moment) -> Finding:
    """The appearance is known by the end of the utterance."""
    return holds(c.appearance_known(m.exchange))


# M-008, M-026 ------------------------------------------------------------------------------------------------------------


@trigger
def posters_triggered(c: Conversation) -> Occasions:
    """The first exchange in which posters were sent or searched for."""
    for e in c.utterances:
        if e.replies and (any(c.posters_in(r) for r in e.replies) or poster_searches(c, e)):
            return on([e])
    return Occasions([])


def _language_of_posters(c: Conversation, m: Moment, wanted: str) -> Finding:
    e = m.exchange
    sent = sent_set(c, e)
    if sent is not None and sent != wanted:
        marker = next(k for k in exchange_images(e) if k.target in c.poster_ids)
        return fail(marker.raw, f"posters of {sent}, where {wanted} is right")
    for s in poster_searches(c, e):
        if search_set(c, s) not in (None, wanted):
            return fail(f"turns.{s.turn}.tool_calls", f"searched for posters of another language than {wanted}")
    return ok()


@predicate
def vietnamese_gets_vietnamese(c: Conversation, m: Moment) -> Finding:
    """A plainly Vietnamese utterance gets the Vietnamese set."""
    if wanted_set(c, m.exchange) == c.profile.data.default_poster_language:
        return absent("the utterance is not plainly Vietnamese")
    return _language_of_posters(c, m, wanted_set(c, m.exchange))


@predicate
def others_get_english(c: Conversation, m: Moment) -> Finding:
    """Any other utterance, or one whose language is not clear, gets the English set."""
    if wanted_set(c, m.exchange) != c.profile.data.default_poster_language:
        return absent("the utterance is Vietnamese")
    return _language_of_posters(c, m, c.profile.data.default_poster_language)


@predicate
def language_by_words_alone(c: Conversation, m: Moment) -> Finding:
    """The set is that of the words, whatever name, number, country or channel say."""
    return _language_of_posters(c, m, wanted_set(c, m.exchange))


@predicate
def short_words_prove_nothing(c: Conversation, m: Moment) -> Finding:
    """Hi, OK, an article number or a figure alone do not bring the Vietnamese set."""
    if utterance_language(m.exchange) != language.UNDETERMINED:
        return absent("the utterance has a language")
    return _language_of_posters(c, m, c.profile.data.default_poster_language)


@predicate
def language_switched_later(c: Conversation, m: Moment) -> Finding:
    """A later utterance is in another language."""
    first = language.family(utterance_language(m.exchange))
    later = {language.family(utterance_language(e)) for e in c.utterances[m.exchange.index + 1 :]}
    return holds(bool(later - {first, language.UNDETERMINED}))


@predicate
def english_typed_from_vietnam(c: Conversation, m: Moment) -> Finding:
    """A Vietnamese number or name stands in an utterance that is not Vietnamese."""
    known = any(w in e.folded for e in c.until(m.exchange) for w in ("+84", "vietnam", "viet nam", "hanoi", "saigon"))
    return holds(known and language.family(utterance_language(m.exchange)) != "vi")


@predicate
def posters_from_knowledge(c: Conversation, m: Moment) -> Finding:
    """The posters come from a search of the knowledge base."""
    e = m.exchange
    if e.calls is None:
        return TOOLS_UNKNOWN
    known = {i for d in c.sources.documents if d.turn <= last_turn(e) for i in d.media}
    sent = [k for k in exchange_images(e) if k.target in c.poster_ids]
    if (other := next((k for k in sent if k.target not in known), None)) is not None:
        return fail(other.raw, "no search of the knowledge base returned this poster")
    if not poster_searches(c, e) and not known & {k.target for k in sent}:
        return fail(f"turns.{m.said.turn}.tool_calls", "no search of the knowledge base for the posters")
    return ok()


@predicate
def posters_not_from_product_media(c: Conversation, m: Moment) -> Finding:
    """The tool for a product's media is not used to get posters."""
    e = m.exchange
    if e.calls is None:
        return TOOLS_UNKNOWN
    if any(call.name == c.profile.data.tools.media for call in e.calls) and not c.appearance_known(e):
        return fail(f"turns.{m.said.turn}.tool_calls", f"{c.profile.data.tools.media} was called for the posters")
    last = last_turn(e)
    if any(i.id in c.poster_ids and i.turn <= last for i in c.sources.items):
        return fail(f"turns.{m.said.turn}.tool_calls", "the posters come from a product's media")
    return ok()


@predicate
def named_product_wants_pictures(c: Conversation, m: Moment) -> Finding:
    """The customer named a product and asks for its pictures."""
    return holds("images" in m.exchange.signals and c.appearance_known(m.exchange))


# M-009 -------------------------------------------------------------------------------------------------------------------


@trigger
def after_posters(c: Conversation) -> Occasions:
    """Exchanges after the posters were sent."""
    start = next((r.turn for r in c.replies if any(k.target in c.poster_ids for k in r.sent)), None)
    if start is None:
        return Occasions([])
    later = [e for e in answered(c, 0) if e.turn > start]
    return on(later) if later else each_reply([r for r in c.replies if r.turn == start])


@predicate
def posters_not_again(c: Conversation, m: Moment) -> Finding:
    """No poster of any language is sent again."""
    before = c.posters_sent(m.exchange.turn) if m.exchange.turn >= 0 else frozenset()
    for r in m.exchange.replies:
        again = [k for k in images(r) if k.target in c.poster_ids]
        if again and (before or c.posters_sent(r.turn)):
            return fail(again[0].raw, "posters are sent a second time")
    return ok()


@predicate
def pictures_by_product(c: Conversation, m: Moment) -> Finding:
    """Pictures asked for later: of a named product through its media, else the customer is asked to describe the style."""
    e = m.exchange
    wanted = any("images" in s.signals and (s.asks or "wants" in s.signals) for t in e.texts for s in t.sentences)
    if not wanted or not c.posters_sent(e.turn):
        return absent("no pictures were asked for after the posters")
    again = next((k for k in exchange_images(e) if k.target in c.poster_ids), None)
    if again is not None:
        return fail(again.raw, "the posters are sent again instead of pictures of a product")
    if c.appearance_known(e):
        if e.calls is None:
            return TOOLS_UNKNOWN
        known = {i.id for i in c.sources.items if i.turn <= last_turn(e)}
        if any(call.name == c.profile.data.tools.media for call in e.calls) or known & {
            k.target for k in exchange_images(e)
        }:
            return ok()
        return fail(f"turns.{m.said.turn}.tool_calls", "the product is named, and its media were not looked up")
    if any(
        r.asked & {"asks_appearance", "asks_product", "style_word"} or "asks_appearance" in r.signals for r in e.replies
    ):
        return ok()
    return fail(
        m.said.text.raw.strip()[:200] or m.said.where,
        "no product is named, and the customer is not asked to describe the style",
    )


@predicate
def catalogue_wanted(c: Conversation, m: Moment) -> Finding:
    """The utterance asks for the catalogue."""
    return holds("catalog" in m.exchange.signals)


# M-010, M-011 ----------------------------------------------------------------------------------------------------------------


@trigger
def interface_without_appearance(c: Conversation) -> Occasions:
    """Utterances from the second on that first name an interface while the appearance is unknown."""
    known: set[str] = set()
    found = []
    for e in c.utterances:
        new = e.interfaces - known
        known |= e.interfaces
        if new and e.index >= 1 and e.replies and not c.appearance_known(e):
            found.append(e)
    return on(found[:1])


@predicate
def takes_up_interface(c: Conversation, m: Moment) -> Finding:
    """The interface is taken up as the customer named it."""
    from oracle_scoring.inquiry.interfaces import interfaces

    for r in m.exchange.replies:
        if "corrects" in r.signals:
            return fail(r.text.quote("corrects"), "the customer's word for the interface is corrected")
    if any(
        "accepts_interface" in r.signals or interfaces(r.text.folded) & m.exchange.interfaces
        for r in m.exchange.replies
    ):
        return ok()
    return unknown("whether the interface is taken up needs a judge")


@predicate
def posters_help_choose(c: Conversation, m: Moment) -> Finding:
    """The posters of the customer's language are sent, unless they were sent before or there are none."""
    e = m.exchange
    if c.posters_sent(e.turn):
        return absent("the posters were sent before")
    if posters_missing(c, m).state == "pass":
        return absent("the knowledge base has no posters to show")
    sent = sent_set(c, e)
    if sent is None:
        return fail(m.said.text.raw.strip()[:200] or m.said.where, "no posters to help choosing the appearance")
    return _language_of_posters(c, m, wanted_set(c, e))


@predicate
def asks_appearance_only(c: Conversation, m: Moment) -> Finding:
    """The only question is for the appearance."""
    asked = [s for r in m.exchange.replies for s in own_questions(c, r)]
    for s in asked:
        if s.signals & _OTHER_QUESTIONS and not (
            s.signals & {"asks_appearance"} and not s.signals & {"asks_power", "asks_length", "asks_quantity"}
        ):
            return fail(s.raw, "a question for something else than the appearance")
    if len(asked) > 1:
        return fail(asked[1].raw, "more than the one question for the appearance")
    if asked and not asked[0].signals & {"asks_appearance", "style_word"}:
        return unknown("whether the question is for the appearance needs a judge")
    return ok()


@predicate
def asks_power_instead(c: Conversation, m: Moment) -> Finding:
    """The reply asks for the power."""
    return holds(any("asks_power" in s.signals for r in m.exchange.replies for s in r.text.questions))


@trigger
def appearance_clear(c: Conversation) -> Occasions:
    """The first utterance from which the appearance is clear."""
    for e in c.utterances:
        if c.clear_appearance(e) and e.replies:
            return on([e])
    if not c.images_recorded and c.replies and any(not t.text.raw.strip() for e in c.utterances for t in e.messages):
        return Occasions([], "pictures of the customer are not recorded")
    return Occasions([])


@predicate
def no_posters_once_clear(c: Conversation, m: Moment) -> Finding:
    """From then on no posters are sent."""
    for r in c.replies[m.said.number :]:
        if (sent := c.posters_in(r)) and not c.posters_sent(r.turn):
            return fail(sent[0].raw, "posters although the appearance is clear")
    return ok()


@predicate
def goes_on_with_appearance(c: Conversation, m: Moment) -> Finding:
    """The reply goes on from the appearance to interface and parameters; in the first turn it may not yet."""
    e = m.exchange
    if e.index == 0:
        return absent("the first turn only introduces and asks the type")
    if c.handover(m.said):
        return absent("the closing follows its own rule")
    for r in e.replies:
        codes = [*c.profile.skus(e.raw), *c.named_styles(e)]
        if any(code in r.text.raw for code in codes):
            return ok()
        if r.asked & {"asks_interface", "asks_version", "asks_power", "asks_length", "asks_quantity", "asks_custom"}:
            return ok()
        if r.stated & {"product", "length", "power", "style_word"}:
            return ok()
        if "asks_appearance" in r.asked:
            return fail(r.text.quote("asks_appearance"), "the appearance is asked although it is clear")
        related = r.signals & (TOPICS - {"images", "company"} | {"product", "style_word"} | c.profile.departments)
        if not related and "company_word" in r.signals and not r.text.questions and not r.text.markers:
            return fail(r.text.raw.strip()[:200] or r.where, "the reply does not go on from the appearance")
    return unknown("whether the reply goes on from the appearance needs a judge")


@predicate
def picture_not_recognisable(c: Conversation, m: Moment) -> Finding:
    """The utterance's pictures show nothing that can be recognised, and no article or style is named."""
    shown = m.exchange.images or []
    blurred = bool(shown) and all(i.clear is False or i.recognized in (None, "unrecognized") for i in shown)
    return holds(blurred and not c.profile.skus(m.exchange.raw) and not c.named_styles(m.exchange))


# M-012 ---------------------------------------------------------------------------------------------------------------------


@trigger
def catalogue_mentioned(c: Conversation) -> Occasions:
    """Utterances that speak of the catalogue."""
    return on([e for e in answered(c, 0) if "catalog" in e.signals])


@predicate
def in_first_utterance(c: Conversation, m: Moment) -> Finding:
    """It is the customer's first utterance."""
    return holds(m.exchange.index == 0)


@predicate
def asked_again_after_posters(c: Conversation, m: Moment) -> Finding:
    """Posters were sent before, and the catalogue was asked for before."""
    asked = any("catalog" in e.signals for e in c.earlier(m.exchange))
    return holds(bool(c.posters_sent(m.exchange.turn)) and asked)


@predicate
def no_posters_yet(c: Conversation, m: Moment) -> Finding:
    """From the second utterance on, no posters were sent before."""
    return holds(m.exchange.index >= 1 and not c.posters_sent(m.exchange.turn))


def _catalogue_markers(c: Conversation, m: Moment) -> list[Marker]:
    return [
        k
        for r in m.exchange.replies
        for k in r.text.markers
        if k.kind.upper() in ("DOCUMENT", "DOC", "PDF", "FILE", "LINK", "URL")
    ]


@predicate
def no_catalogue_at_first(c: Conversation, m: Moment) -> Finding:
    """In the first turn no catalogue is sent."""
    if m.exchange.index != 0:
        return absent("not the first utterance")
    sent = _catalogue_markers(c, m)
    addresses = [a for r in m.exchange.replies for a in r.text.addresses]
    if sent or addresses:
        return fail(sent[0].raw if sent else addresses[0], "the catalogue is sent in the first turn")
    if (k := next(iter(exchange_images(m.exchange)), None)) is not None:
        return fail(k.raw, "media are sent in the first turn")
    return ok()


@predicate
def catalogue_and_site_sent(c: Conversation, m: Moment) -> Finding:
    """The catalogue's document and the site's link are sent; the document only if the knowledge base has it."""
    if asked_again_after_posters(c, m).state != "pass":
        return absent("not asked for again after the posters")
    markers = [k for r in m.exchange.replies for k in r.text.markers]
    links = [k for k in markers if k.kind == "LINK" and k.target == c.profile.data.link and k.well_formed]
    if not links:
        return fail(m.said.text.raw.strip()[:200] or m.said.where, "the link of the site is missing")
    documents = [k for k in markers if k.kind == "DOCUMENT"]
    pdf = c.session.media.catalog_pdf if c.session.media else None
    if documents:
        real = {pdf} if pdf else c.sources.media_ids()
        wrong = next((k for k in documents if k.target not in real or not k.well_formed), None)
        return fail(wrong.raw, "not the document of the catalogue") if wrong else ok(documents[0].raw)
    if catalogue_pdf_missing(c, m).state == "pass":
        return ok(links[0].raw, "the knowledge base has no catalogue; the link alone is right")
    if m.exchange.calls is None and pdf is None:
        return TOOLS_UNKNOWN
    return fail(m.said.text.raw.strip()[:200], "the document of the catalogue is missing")


@predicate
def only_posters_sent(c: Conversation, m: Moment) -> Finding:
    """The first request before any posters brings the posters and no catalogue."""
    if no_posters_yet(c, m).state != "pass":
        return absent("not a first request before the posters")
    if sent := _catalogue_markers(c, m):
        return fail(sent[0].raw, "the catalogue is sent where only the posters should be")
    if addresses := [a for r in m.exchange.replies for a in r.text.addresses]:
        return fail(addresses[0], "an address is sent where only the posters should be")
    if posters_missing(c, m).state == "pass":
        return ok(reason="the knowledge base has no posters to show")
    if c.appearance_known(m.exchange):
        return ok(reason="the appearance is clear; no posters are needed")
    if not c.poster_sets:
        return unknown("the ids of the posters are not recorded")
    if sent_set(c, m.exchange) is None:
        return fail(m.said.text.raw.strip()[:200] or m.said.where, "no posters on the first request for the catalogue")
    return ok()


@predicate
def no_old_catalogue(c: Conversation, m: Moment) -> Finding:
    """No forbidden tool, host or id."""
    data = c.profile.data
    e = m.exchange
    for r in e.replies:
        for bad in (*data.forbidden_hosts, *data.forbidden_ids):
            if bad in r.text.raw:
                return fail(
                    next((k.raw for k in r.text.markers if bad in k.raw), bad), "a link or id that must not be sent"
                )
    if e.calls is None:
        return TOOLS_UNKNOWN
    if any(call.name in data.forbidden_tools for call in e.calls):
        return fail(f"turns.{m.said.turn}.tool_calls", "a forbidden tool was called")
    return ok()


@predicate
def catalogue_pdf_missing(c: Conversation, m: Moment) -> Finding:
    """The search for the catalogue returned no document to send."""
    found = [
        s for s in searches(c, m.exchange) if not s.query or "catalog" in c.profile.text(s.query).signals or not s.hit
    ]
    pdf = c.session.media.catalog_pdf if c.session.media else None
    if not found:
        return holds(c.session.media is not None and "catalog_pdf" in c.session.media.model_fields_set and pdf is None)
    return holds(not any(d.media for s in found for d in s.documents))
