"""M-031 to M-034, M-036 to M-039: prices, samples, MOQ, delivery, custom made, payment, certification, platforms."""

import re

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
from oracle_scoring.inquiry.measures import Measure, bare_numbers, measures
from oracle_scoring.inquiry.predicates.common import (
    PRICES,
    TOOLS_UNKNOWN,
    answered,
    claims_stock,
    customer_figures,
    defers,
    documents_on,
    last_turn,
    left_to_department,
    missed,
    on,
    searched_first,
    sentence_with,
    topics,
    unsourced,
)  # fmt: skip
from oracle_scoring.inquiry.predicates.needs import own_questions
from oracle_scoring.inquiry.predicates.product import unsourced_terms
from oracle_scoring.inquiry.predicates.routing import links, names_site
from oracle_scoring.inquiry.talk import Conversation, Reply
from oracle_scoring.inquiry.text import Sentence

_MONEY = ("money", "price_level", "discount_offer")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_DAY = re.compile(
    rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}} ?月 ?\d{{1,2}} ?[日号]|ngày \d{{1,2}}(?:/| tháng )\d{{1,2}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})\b|\b(?:{_MONTHS})\.? \d{{1,2}}\b"
)
_FACTORS = frozenset({"style_word", "quantity_word", "destination_word"})


def price_sentences(r: Reply) -> list[Sentence]:
    """Sentences of the reply that name an amount, a range or a discount, those on samples apart."""
    if not r.signals & {*_MONEY, "tariff"}:
        return []
    found = []
    sample = False
    for s in r.text.sentences:
        sample = "sample" in s.signals or (sample and not s.signals & {"price", "freight", "tariff", "moq"})
        duty = "tariff" in s.signals and any(f.kind == "share" for f in s.measures)
        if (s.signals & set(_MONEY) or duty) and not sample:
            found.append(s)
    return found


# M-031 ---------------------------------------------------------------------------------------------------------------------


@trigger
def price_question(c: Conversation) -> Occasions:
    """Utterances that ask for a price, a discount, freight or duty; the fee of samples is another metric's."""
    return on([e for e in c.utterances if e.replies and topics(c, e) & PRICES])


@predicate
def no_price_named(c: Conversation, m: Moment) -> Finding:
    """From then on no reply names an amount, a range or a discount."""
    for r in c.replies[m.said.number :]:
        for s in price_sentences(r):
            return fail(s.raw, "a price, a range or a discount")
    return ok()


@predicate
def sales_will_quote(c: Conversation, m: Moment) -> Finding:
    """The reply says that sales will quote by style, quantity or destination; the first turn only introduces."""
    if m.exchange.index == 0:
        return absent("the first turn only introduces and asks the type")
    if c.handover(m.said):
        return absent("the closing follows its own rule")
    said = frozenset().union(*(r.signals for r in m.exchange.replies))
    if "dept:sales" not in said or "confirms" not in said:
        return fail(m.said.text.raw.strip()[:200] or m.said.where, "does not say that sales will work out the price")
    if not said & _FACTORS:
        return fail(
            m.said.text.raw.strip()[:200],
            "names neither style nor quantity nor destination as what the price depends on",
        )
    return ok()


@predicate
def no_returned_price_repeated(c: Conversation, m: Moment) -> Finding:
    """A price that a tool returned is not passed on."""
    returned = [t for t in c.profile.lexicon.texts("money", c.sources.text(last_turn(m.exchange)))]
    spoken = [s for r in c.replies[m.said.number :] for s in price_sentences(r)]
    if not spoken:
        return ok() if returned else absent("no price was returned and none was named")
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    numbers = {"".join(ch for ch in t if ch.isdigit() or ch == ".") for t in returned}
    for s in spoken:
        own = {"".join(ch for ch in t if ch.isdigit() or ch == ".") for t in c.profile.lexicon.texts("money", s.folded)}
        if own & numbers - {""}:
            return fail(s.raw, "the price that a tool returned is passed on")
    return ok()


@predicate
def sample_fee_only(c: Conversation, m: Moment) -> Finding:
    """The utterance asks for the fee of samples and for no other price."""
    return holds("sample" in m.exchange.signals and not topics(c, m.exchange) & PRICES)


# M-032 ---------------------------------------------------------------------------------------------------------------------


@trigger
def sample_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask about samples."""
    return on([e for e in answered(c) if "sample" in e.signals])


@predicate
def sample_policy_in_full(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched, and every amount of the document on samples stands in the reply."""
    first = searched_first(c, m, frozenset({"sample"}))
    if first.state != "pass":
        return first
    documents = documents_on(c, "sample", last_turn(m.exchange))
    if not documents:
        if defers(c, m.exchange):
            return ok(reason="nothing was found, and the reply says who confirms")
        return fail(
            m.said.text.raw.strip()[:200] or m.said.where,
            "nothing was found on samples, and nobody is named who confirms",
        )
    said = "\n".join(r.text.folded for r in m.exchange.replies)
    numbers = frozenset().union(*(r.text.numbers for r in m.exchange.replies))
    for d in documents:
        text = c.profile.text(d.text)
        for s in text.sentences:
            if s.signals & {"freight", "shipping"} and not s.signals & {"money"}:
                continue
            for amount in c.profile.lexicon.texts("money", s.folded):
                if not bare_numbers(amount) & numbers:
                    return fail(m.said.text.raw.strip()[:200], f"leaves out “{amount}” of the policy on samples")
        for word in ("refund", "deduct", "credit", "抵扣", "退还", "返还", "khấu trừ", "hoàn"):
            if word in text.folded and not any(
                w in said
                for w in ("refund", "deduct", "credit", "抵扣", "抵", "退", "返", "扣", "khấu trừ", "hoàn", "trừ")
            ):
                return fail(m.said.text.raw.strip()[:200], "leaves out how the fee is deducted")
    return ok()


@predicate
def no_tier_chosen(c: Conversation, m: Moment) -> Finding:
    """The reply does not choose a tier for the customer."""
    for r in m.exchange.replies:
        for s in r.text.statements:
            if "chooses_tier" in s.signals and not s.signals & c.profile.departments:
                return fail(s.raw, "a tier of the fee is chosen for the customer")
    return ok()


@predicate
def sample_freight_without_figure(c: Conversation, m: Moment) -> Finding:
    """The customer bears the freight of samples, and no figure is given for it."""
    for r in m.exchange.replies:
        for s in r.text.sentences:
            if s.signals & {"freight", "shipping"} and _freight_amount(c, s, last_turn(m.exchange)):
                return fail(s.raw, "a figure for the freight of samples")
    documents = documents_on(c, "sample", last_turn(m.exchange))
    if any(c.profile.text(d.text).signals & {"freight", "shipping"} for d in documents) and not any(
        r.signals & {"freight", "shipping", "bears_freight"} for r in m.exchange.replies
    ):
        return fail(m.said.text.raw.strip()[:200] or m.said.where, "does not say that the customer bears the freight")
    return ok()


def _freight_amount(c: Conversation, s: Sentence, upto: int) -> bool:
    """An amount that no document on samples gives, or one in the same clause as the freight."""
    known = {
        n
        for d in documents_on(c, "sample", upto)
        for t in c.profile.lexicon.texts("money", fold(d.text))
        for n in bare_numbers(t)
    }
    for amount in c.profile.lexicon.texts("money", s.folded):
        numbers = bare_numbers(amount)
        if not numbers or numbers - known:
            return True
    freight = max(
        (s.folded.rfind(t) for name in ("freight", "shipping") for t in c.profile.lexicon.texts(name, s.folded)),
        default=-1,
    )
    for amount in c.profile.lexicon.texts("money", s.folded):
        at = s.folded.find(amount)
        apart = min(freight, at), max(freight, at)
        if not re.search("[;；。]|sample fee|样品费|phí mẫu|deduct|抵扣", s.folded[apart[0] : apart[1]]):
            return True
    return False


@predicate
def sample_policy_missing(c: Conversation, m: Moment) -> Finding:
    """The knowledge base has nothing on samples."""
    return holds(c.tools_recorded and not documents_on(c, "sample", last_turn(m.exchange)))


# M-033 ---------------------------------------------------------------------------------------------------------------------


@trigger
def moq_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask for the MOQ."""
    return on([e for e in answered(c) if "moq" in e.signals])


@predicate
def moq_not_invented(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched, and quantities stated stand in what it returned."""
    first = searched_first(c, m, frozenset({"moq"}))
    if first.state != "pass":
        return first
    for r in m.exchange.replies:
        for f in unsourced(c, r):
            if f.kind == "pieces":
                return fail(sentence_with(r, f), f"no document gives {f.text}")
    return ok()


@predicate
def small_quantity_not_refused(c: Conversation, m: Moment) -> Finding:
    """A quantity below the MOQ is not refused."""
    for r in m.exchange.replies:
        for s in r.text.statements:
            if "refuses" in s.signals and not s.signals & {"free_claim"}:
                return fail(s.raw, "the quantity is refused")
    return ok()


@predicate
def asks_only_what_is_missing(c: Conversation, m: Moment) -> Finding:
    """Of style and quantity only what is missing is asked, and nothing else."""
    quantity = any(x.kind == "pieces" for e in c.until(m.exchange) for t in e.texts for x in t.measures)
    style = c.appearance_known(m.exchange)
    for r in m.exchange.replies:
        for s in own_questions(c, r):
            wants_quantity = "asks_quantity" in s.signals
            wants_style = bool(s.signals & {"asks_appearance", "asks_product", "style_word"})
            if wants_quantity and quantity:
                return fail(s.raw, "the quantity is asked although it is known")
            if wants_style and style and not wants_quantity:
                return fail(s.raw, "the style is asked although it is known")
            if not wants_quantity and not wants_style and "invites_look" not in s.signals:
                return fail(s.raw, "asks for something else than style or quantity")
    return ok()


@predicate
def moq_figure_stated(c: Conversation, m: Moment) -> Finding:
    """The reply states a quantity."""
    return holds(any(x.kind == "pieces" for r in m.exchange.replies for s in r.text.statements for x in s.measures))


# M-034 ---------------------------------------------------------------------------------------------------------------------


@trigger
def delivery_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask for lead time or logistics."""
    return on([e for e in answered(c) if topics(c, e) & {"lead_time", "shipping", "freight"}])


@predicate
def production_and_transit_apart(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched, and every period stated says whether it is for production or for transport."""
    first = searched_first(c, m, topics(c, m.exchange) & {"lead_time", "shipping"} or frozenset({"shipping"}))
    if first.state != "pass":
        return first
    for r in m.exchange.replies:
        for s in r.text.statements:
            if not any(f.kind == "time" and f.unit != "hour" for f in s.measures):
                continue
            if "sample" in s.signals:
                continue
            if "production" in s.signals:
                if (told := _production_on_the_way(c, s, r.turn)) is not None:
                    return fail(s.raw, f"{told.text} is the time of production and is told as the time of transport")
                continue
            if not s.signals & {"transit", "shipping"}:
                return fail(s.raw, "a period that says neither production nor transport")
            if mixed := [f for f in s.measures if f.kind == "time" and _of_production(c, f, r.turn)]:
                return fail(s.raw, f"{mixed[0].text} is the time of production and is told as the time until arrival")
    return ok()


def _production_on_the_way(c: Conversation, s: Sentence, upto: int) -> Measure | None:
    """A time of production in a clause that speaks of transport alone."""
    for clause, names in s.clauses:
        if "transit" in names and "production" not in names:
            for figure in measures(clause):
                if figure.kind == "time" and figure.unit != "hour" and _of_production(c, figure, upto):
                    return figure
    return None


def _of_production(c: Conversation, figure: Measure, upto: int) -> bool:
    """Documents give the figure as a time of production, and none as a time of transport."""
    found = [
        s.signals
        for d in c.sources.documents
        if d.turn <= upto
        for s in c.profile.text(d.text).sentences
        if (figure.number, figure.unit) in {(x.number, x.unit) for x in s.measures}
    ]
    return bool(found) and all("production" in x and "transit" not in x for x in found)


@predicate
def no_estimates_of_transport(c: Conversation, m: Moment) -> Finding:
    """No freight, transit time, arrival, duty or clearance fee is estimated."""
    pairs, _ = c.sources.figures(last_turn(m.exchange))
    for r in m.exchange.replies:
        for s in r.text.statements:
            if s.signals & {"freight", "tariff", "shipping", "transit"} and s.signals & set(_MONEY):
                return fail(s.raw, "an amount for transport, duty or clearance")
            if (
                s.signals & {"transit"}
                and (day := _DAY.search(s.folded)) is not None
                and day.group() not in c.sources.text(r.turn)
            ):
                return fail(s.raw, f"a date of arrival, {day.group()}")
            if s.signals & {"tariff"} and any(f.kind == "share" for f in s.measures):
                return fail(s.raw, "a rate of duty")
            times = [f for f in measures(s.folded) if f.kind == "time" and f.unit != "hour"]
            for f in times:
                if s.signals & {"transit"} and "production" not in s.signals and (f.number, f.unit) not in pairs:
                    return fail(s.raw, "an estimated time of transport")
                if (f.number, f.unit) not in pairs and (f.number, f.unit) not in customer_figures(c, r.turn):
                    return fail(s.raw, f"no document gives {f.text}")
    return ok()


@predicate
def sales_plans_transport(c: Conversation, m: Moment) -> Finding:
    """The reply leaves the way of transport to sales."""
    return holds("dept:sales" in frozenset().union(*(r.signals for r in m.exchange.replies)))


# M-036 ---------------------------------------------------------------------------------------------------------------------


@trigger
def custom_or_stock_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask what can be made or what there is."""
    return on([e for e in answered(c) if topics(c, e) & {"custom", "stock", "color"}])


@predicate
def custom_is_not_stock(c: Conversation, m: Moment) -> Finding:
    """Asked only for what can be made, nothing is said to be in stock without a product's details; else only a judge can say."""
    asked = topics(c, m.exchange) & {"custom", "stock", "color"}
    for r in m.exchange.replies:
        for s in r.text.statements:
            if claims_stock(c, s) and "custom" in s.signals and not _stock_known(c, r):
                return fail(s.raw, "what can be made is taken for what is in stock")
    if "custom" not in asked and not defers(c, m.exchange):
        looked = [x for x in c.sources.details if x.turn <= last_turn(m.exchange)] or c.sources.products
        told = [s for r in m.exchange.replies for s in r.text.statements if "courtesy" not in s.signals]
        if c.tools_recorded and not looked and told:
            return fail(told[0].raw, "asked for what there is, and answered without a look at it")
    if asked <= {"stock", "color"} and not any("custom" in r.signals for r in m.exchange.replies):
        return ok()
    statements = [s for r in m.exchange.replies for s in r.text.statements]
    if any("custom" in s.signals and "now_word" not in s.signals for s in statements) and any(
        "now_word" in s.signals and "custom" not in s.signals for s in statements
    ):
        return ok()
    if asked == {"custom"} and not any(r.signals & {"stock_claim", "stock"} for r in m.exchange.replies):
        return ok()
    return unknown("whether the two are kept apart needs a judge")


def _stock_known(c: Conversation, r: Reply) -> bool:
    return bool(c.profile.lexicon.signals(c.sources.text(r.turn)) & {"stock", "stock_claim"})


@predicate
def custom_and_stock_looked_up(c: Conversation, m: Moment) -> Finding:
    """Customisation was looked up in the knowledge base, what there is in the product's details."""
    e = m.exchange
    asked = topics(c, e)
    if "custom" in asked:
        first = searched_first(c, m, frozenset({"custom"}))
        if first.state != "pass":
            return first
    if asked & {"stock", "color"} and "custom" not in asked:
        if e.calls is None and not c.tools_recorded:
            return TOOLS_UNKNOWN
        tools = c.profile.data.tools
        looked = any(call.name in tools.products for call in e.calls or []) or any(
            d.turn <= last_turn(e) for d in c.sources.details
        )
        if not looked:
            if defers(c, e) or any(r.asked & {"asks_appearance", "asks_product", "asks_interface"} for r in e.replies):
                return ok()
            return fail(f"turns.{m.said.turn}.tool_calls", "what there is was not looked up")
    return ok()


@predicate
def nothing_inferred_from_custom(c: Conversation, m: Moment) -> Finding:
    """Stock, free of charge, no mould or a fixed time are not stated unless a source says so."""
    known = c.profile.lexicon.signals(c.sources.text(last_turn(m.exchange)))
    for r in m.exchange.replies:
        for s in r.text.statements:
            if "denies" in s.signals and not s.signals & {"free_claim"}:
                continue
            if "free_claim" in s.signals and "free_claim" not in known and not _negated_free(s):
                return fail(s.raw, "free of charge or without a mould, which no source says")
            if claims_stock(c, s) and not known & {"stock", "stock_claim"}:
                return fail(s.raw, "in stock, which no source says")
            for f in s.measures:
                if f.kind == "time" and f.unit != "hour" and f in unsourced(c, r):
                    return fail(s.raw, f"a fixed time, {f.text}, which no source says")
    return ok()


def _negated_free(s: Sentence) -> bool:
    return any(
        w in s.folded
        for w in (
            "not mean",
            "doesn't mean",
            "does not mean",
            "不等于",
            "不代表",
            "≠",
            "不一定",
            "không có nghĩa",
            "whether",
            "是否",
            "có hay không",
        )
    )


@predicate
def mould_left_to_technicians(c: Conversation, m: Moment) -> Finding:
    """The reply leaves the question of a mould to the technicians or sales."""
    return holds(any("custom" in r.signals and defers(c, m.exchange) for r in m.exchange.replies))


# M-037 ---------------------------------------------------------------------------------------------------------------------


@trigger
def payment_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask about payment."""
    return on([e for e in answered(c) if "payment" in topics(c, e)])


@predicate
def payment_terms_from_knowledge(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched, and shares and terms stated stand in what it returned."""
    first = searched_first(c, m, frozenset({"payment"}))
    if first.state != "pass":
        return first
    for r in m.exchange.replies:
        for f in unsourced(c, r):
            if f.kind in ("share", "time"):
                return fail(sentence_with(r, f), f"no document gives {f.text}")
        if (bad := unsourced_terms(c, r)) is not None:
            return fail(bad[1], f"no document speaks of {bad[0]}")
    return ok()


@predicate
def commercial_confirms_payment(c: Conversation, m: Moment) -> Finding:
    """Where nothing was found the commercial department is named."""
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    if not missed(c, m.exchange, frozenset({"payment"})):
        return absent("the knowledge base had an answer")
    if any("dept:commercial" in r.signals and "confirms" in r.signals for r in m.exchange.replies):
        return ok()
    return fail(
        m.said.text.raw.strip()[:200] or m.said.where,
        "nothing was found on payment, and the commercial department is not named",
    )


@predicate
def invoice_asked(c: Conversation, m: Moment) -> Finding:
    """The customer asks for an invoice, contract or quotation sheet."""
    words = (" pi ", "proforma", "invoice", "contract", "合同", "形式发票", "报价单", "hợp đồng", "hóa đơn")
    return holds(any(w in f" {m.exchange.folded} " for w in words))


# M-038 ---------------------------------------------------------------------------------------------------------------------


@trigger
def certification_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask about certification, clearance or market access."""
    return on([e for e in answered(c) if "certification" in topics(c, e)])


def _cert_claims(c: Conversation, r: Reply) -> list[Sentence]:
    return [
        s for s in r.text.statements
        if "cert_claim" in s.signals and "denies" not in s.signals
        and not left_to_department(c, s)
    ]  # fmt: skip


@predicate
def certifications_kept_apart(c: Conversation, m: Moment) -> Finding:
    """A reply that states no certification mixes none; otherwise only a judge can say."""
    claims = [s for r in m.exchange.replies for s in _cert_claims(c, r)]
    if not claims:
        return ok()
    if all(s.signals & {"company_word", "company"} and "this_model" not in s.signals for s in claims):
        return ok()
    of_product = bool(c.profile.skus(m.exchange.raw)) or bool(
        m.exchange.signals & {"product", "this_model", "product_word"}
    )
    lumped = [
        s for s in claims if not s.signals & {"company_word", "product", "this_model"} and not c.profile.skus(s.raw)
    ]
    if of_product and lumped and not defers(c, m.exchange):
        return fail(lumped[0].raw, "asked of a product or market, and answered with a certification of unsaid ground")
    return unknown("whether company, product and market are kept apart needs a judge")


@predicate
def no_company_mark_on_a_model(c: Conversation, m: Moment) -> Finding:
    """No certification is stated of a model or of all models, unless the product's details say so."""
    known = "\n".join(d.text for d in c.sources.details if d.turn <= last_turn(m.exchange)).lower()
    for r in m.exchange.replies:
        for s in _cert_claims(c, r):
            named = "this_model" in s.signals or bool(c.profile.skus(s.raw))
            if named and not any(
                mark in known
                for mark in ("ce", "fcc", "rohs", "ul", "mfi")
                if mark in s.folded.split() or mark in s.folded
            ):
                return fail(s.raw, "a certification is stated of a model")
    return ok()


@predicate
def no_promise_of_clearance(c: Conversation, m: Moment) -> Finding:
    """Neither clearance nor free market access is promised."""
    for r in m.exchange.replies:
        for s in r.text.statements:
            if "promises_clearance" in s.signals and not _disclaims(s):
                return fail(s.raw, "clearance or market access is promised")
    return ok()


def _disclaims(s: Sentence) -> bool:
    words = (
        "cannot guarantee",
        "can't guarantee",
        "can not guarantee",
        "not guarantee",
        "not promise",
        "cannot promise",
        "can't promise",
        "不能保证",
        "无法保证",
        "不承诺",
        "不能承诺",
        "không thể cam kết",
        "không thể đảm bảo",
        "không cam kết",
        "không đảm bảo",
    )
    return any(w in s.folded for w in words)


@predicate
def technicians_confirm_marks(c: Conversation, m: Moment) -> Finding:
    """The reply leaves the certification of a model to technicians or production."""
    return holds(any("dept:technical" in r.signals for r in m.exchange.replies))


# M-039 ---------------------------------------------------------------------------------------------------------------------


@trigger
def platform_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask about a platform, a shop or a link."""
    return on([e for e in answered(c) if "platform" in e.signals and "catalog" not in e.signals])


@predicate
def no_store_promised(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched, and no shop, link or screenshot that does not exist is promised."""
    for r in m.exchange.replies:
        for s in r.text.statements:
            if (
                "store_claim" in s.signals
                and "denies" not in s.signals
                and not any(p in s.folded for p in c.profile.data.own_stores)
            ):
                return fail(s.raw, "a shop, link or screenshot that does not exist")
    return searched_first(c, m, frozenset({"platform"}))


@predicate
def no_site_here(c: Conversation, m: Moment) -> Finding:
    """The company's site is not sent."""
    for r in m.exchange.replies:
        if (found := names_site(c, r)) is not None:
            return fail(found, "the site is sent where a platform was asked for")
        if links(r):
            return fail(links(r)[0].raw, "a link is sent where a platform was asked for")
    return ok()


@predicate
def videos_only_from_knowledge(c: Conversation, m: Moment) -> Finding:
    """A video or picture of the factory is one that a tool returned."""
    markers = [k for r in m.exchange.replies for k in r.text.markers if k.is_media]
    if not markers:
        return absent("no media are sent")
    if not c.tools_recorded:
        return TOOLS_UNKNOWN
    last = last_turn(m.exchange)
    returned = {i for d in c.sources.documents if d.turn <= last for i in d.media}
    returned |= {x for i in c.sources.items if i.turn <= last for x in (i.id, i.url)}
    bad = next((k for k in markers if k.target not in returned and k.target not in c.poster_ids), None)
    return fail(bad.raw, "no tool returned these media") if bad else ok()


@predicate
def store_claimed(c: Conversation, m: Moment) -> Finding:
    """The reply claims a shop on a platform."""
    return holds(no_store_promised(c, m).state == "fail")
