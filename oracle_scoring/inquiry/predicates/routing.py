"""M-021 to M-025: the knowledge base, forbidden links, markers, captions, the site's link."""

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
from oracle_scoring.inquiry.markers import Marker, host_of
from oracle_scoring.inquiry.predicates.common import (
    KNOWLEDGE,
    TOOLS_UNKNOWN,
    answered,
    each_reply,
    on,
    searched_first,
    searches,
    topics,
)  # fmt: skip
from oracle_scoring.inquiry.predicates.dialogue import ENGLISH, expected_language, same_language
from oracle_scoring.inquiry.predicates.posters import poster_searches
from oracle_scoring.inquiry.talk import Conversation, Exchange, Reply

_SCENES = frozenset({"images", "video", "catalog", "platform"})
"""What a customer asks for when media are wanted."""


def knowledge_asked(c: Conversation, e: Exchange) -> frozenset[str]:
    """What the utterance asks that the knowledge base is for."""
    return topics(c, e) & KNOWLEDGE


@trigger
def knowledge_question(c: Conversation) -> Occasions:
    """Utterances from the second on that ask about policies, the company, certification, catalogue and so on."""
    return on([e for e in answered(c) if knowledge_asked(c, e)])


@predicate
def knowledge_was_searched(c: Conversation, m: Moment) -> Finding:
    """The knowledge base was searched."""
    return searched_first(c, m, knowledge_asked(c, m.exchange))


@predicate
def media_only_where_wanted(c: Conversation, m: Moment) -> Finding:
    """Media of the documents found are passed on only where the customer asked for such, posters apart."""
    e = m.exchange
    if e.calls is None and not c.tools_recorded:
        return TOOLS_UNKNOWN
    returned = {i for s in searches(c, e) for d in s.documents for i in d.media} - c.poster_ids
    if not returned:
        return absent("the documents found hold no media")
    sent = [k for r in e.replies for k in r.text.markers if k.target in returned]
    if not sent or e.signals & _SCENES:
        return ok()
    return fail(sent[0].raw, "media of the document are sent although none were asked for")


@predicate
def posters_in_this_exchange(c: Conversation, m: Moment) -> Finding:
    """Posters were searched for or sent."""
    return holds(bool(poster_searches(c, m.exchange)) or any(c.posters_in(r) for r in m.exchange.replies))


# M-022 -------------------------------------------------------------------------------------------------------------------


@predicate
def no_forbidden_tool(c: Conversation, m: Moment) -> Finding:
    """No forbidden tool is called."""
    if "tool_calls" not in m.said.model.model_fields_set:
        return TOOLS_UNKNOWN
    for call in m.said.model.tool_calls or []:
        if call.name in c.profile.data.forbidden_tools:
            return fail(f"turns.{m.said.turn}.tool_calls", f"{call.name} is called")
    return ok()


@predicate
def no_forbidden_host(c: Conversation, m: Moment) -> Finding:
    """No address of a forbidden host, in a marker or outside."""
    folded = m.said.text.raw.lower()
    for host in c.profile.data.forbidden_hosts:
        if host in folded:
            at = folded.index(host)
            return fail(m.said.text.raw[max(0, at - 8) : at + len(host)], f"an address of {host}")
    return ok()


@predicate
def no_bare_address(c: Conversation, m: Moment) -> Finding:
    """No address outside a marker."""
    if m.said.text.addresses:
        return fail(m.said.text.addresses[0], "a bare address")
    return ok()


@predicate
def no_detail_url(c: Conversation, m: Moment) -> Finding:
    """No detailUrl that a tool returned stands in the reply."""
    for d in c.sources.details:
        if d.url and d.turn <= m.said.turn and d.url in m.said.text.raw:
            return fail(d.url, "the detailUrl of a product is given to the customer")
    if not c.tools_recorded:
        return TOOLS_UNKNOWN if m.said.text.addresses else ok()
    return ok()


@predicate
def site_as_link_marker(c: Conversation, m: Moment) -> Finding:
    """The site's link stands as a marker."""
    return holds(any(k.kind == "LINK" and k.target == c.profile.data.link for k in m.said.text.markers))


# M-023 ---------------------------------------------------------------------------------------------------------------------


@trigger
def replies_with_markers(c: Conversation) -> Occasions:
    """Replies with a marker, or what was meant as one."""
    return each_reply([r for r in c.replies if r.text.markers])


def _media_known(c: Conversation) -> bool:
    return c.session.media is not None or c.tools_recorded


@predicate
def markers_well_formed(c: Conversation, m: Moment) -> Finding:
    """Bracket, kind, colon, bars, number of fields and case are the protocol's."""
    bad = next((k for k in m.said.text.markers if not k.well_formed), None)
    return fail(bad.raw, "not a marker of the protocol") if bad else ok()


@predicate
def real_media_ids(c: Conversation, m: Moment) -> Finding:
    """IMAGE and DOCUMENT hold ids that exist, no addresses."""
    markers = [
        k for k in m.said.text.markers if k.kind.upper() in ("IMAGE", "IMG", "IMAGES", "DOCUMENT", "DOC", "KBVIDEO")
    ]
    if not markers:
        return absent("no picture and no document")
    for k in markers:
        if "://" in k.target or k.target.lower().startswith("www."):
            return fail(k.raw, "an address instead of an id")
    if not _media_known(c):
        return unknown("neither the media nor the tools called are recorded")
    real = c.sources.media_ids()
    invented = next((k for k in markers if k.target not in real), None)
    return fail(invented.raw, "an id that does not exist") if invented else ok()


@predicate
def video_by_url(c: Conversation, m: Moment) -> Finding:
    """VIDEO holds the url of a product's media, not its id."""
    markers = [k for k in m.said.text.markers if k.kind.upper() in ("VIDEO", "VID")]
    if not markers:
        return absent("no product video")
    items = [i for i in c.sources.items if i.turn <= m.said.turn]
    urls, ids = {i.url for i in items if i.url}, {i.id for i in items}
    for k in markers:
        if k.target in urls:
            continue
        if k.target in ids or "://" not in k.target:
            return fail(k.raw, "not the url of the video")
        if not c.tools_recorded:
            return TOOLS_UNKNOWN
        return fail(k.raw, "no tool returned this video")
    return ok()


@predicate
def knowledge_video_kept(c: Conversation, m: Moment) -> Finding:
    """A video of the knowledge base stays KBVIDEO, and KBVIDEO holds such a video."""
    media = c.session.media
    kb = set(media.kbvideos or []) if media else set()
    concerned = [
        k
        for k in m.said.text.markers
        if k.kind.upper().replace("_", "").replace("-", "") == "KBVIDEO" or k.target in kb
    ]
    if not concerned:
        return absent("no video of the knowledge base")
    for k in concerned:
        if k.kind != "KBVIDEO":
            return fail(k.raw, "a video of the knowledge base in another marker")
    return ok()


@predicate
def marker_among_words(c: Conversation, m: Moment) -> Finding:
    """A marker stands in a line with words, or its caption is short or long."""
    return holds(any(k.well_formed for k in m.said.text.markers))


# M-024 -------------------------------------------------------------------------------------------------------------------


@trigger
def replies_with_captions(c: Conversation) -> Occasions:
    """Replies with a marker of media that has a caption."""
    return each_reply([r for r in c.replies if any(k.is_media and k.caption for k in r.text.markers)])


def _captions(r: Reply) -> list[Marker]:
    return [k for k in r.text.markers if k.is_media and k.caption]


@predicate
def captions_in_customers_language(c: Conversation, m: Moment) -> Finding:
    """Captions are in the customer's language; in English where that is not clear."""
    want = expected_language(m.said)
    want = ENGLISH if want == language.UNDETERMINED else want
    for k in _captions(m.said):
        got = c.profile.text(k.caption).language
        if got == language.UNDETERMINED:
            continue
        if not same_language(got, want):
            return fail(k.raw, f"the caption is in {got}, the customer's language is {want}")
        if language.family(want) == "zh" and got in ("zh-Hans", "zh-Hant"):
            traditional = any(x in want.lower() for x in ("hant", "tw", "hk"))
            if traditional != (got == "zh-Hant"):
                return fail(k.raw, f"the caption is in {got}, the customer writes {want}")
    return ok()


@predicate
def posters_only_captions_changed(c: Conversation, m: Moment) -> Finding:
    """Of posters only the caption may change: ids, form and order are the document's."""
    posters = c.posters_in(m.said)
    if not posters:
        return absent("no posters")
    if bad := next((k for k in posters if not k.well_formed or k.kind != "IMAGE"), None):
        return fail(bad.raw, "the form of the poster's marker was changed")
    ids = [k.target for k in posters]
    for members in c.poster_sets.values():
        if set(ids) & set(members):
            order = [i for i in members if i in ids]
            own = [i for i in ids if i in members]
            if own != order:
                return fail(posters[0].raw, "the posters are not in the order of their document")
    return ok()


@predicate
def captions_promise_nothing(c: Conversation, m: Moment) -> Finding:
    """No price, MOQ or claim of sales in a caption; what else has no ground only a judge can say."""
    doubtful = False
    for k in _captions(m.said):
        signals = c.profile.text(k.caption).signals
        for name, what in (
            ("money", "a price"),
            ("price", "a price"),
            ("discount", "a discount"),
            ("discount_offer", "a discount"),
            ("moq", "an MOQ"),
            ("hot_claim", "a claim of sales"),
            ("free_claim", "a promise"),
            ("stock_claim", "a claim of stock"),
            ("cert_claim", "a claim of certification"),
        ):
            if name in signals:
                return fail(k.raw, f"{what} in a caption")
        figures = c.profile.text(k.caption).measures
        if figures:
            pairs, _ = c.sources.figures(m.said.turn)
            if c.tools_recorded and (bad := next((f for f in figures if (f.number, f.unit) not in pairs), None)):
                return fail(k.raw, f"{bad.text} in a caption, which no tool returned")
            doubtful = doubtful or not c.tools_recorded
    return TOOLS_UNKNOWN if doubtful else ok()


@predicate
def customers_language_unclear(c: Conversation, m: Moment) -> Finding:
    """The customer's language is not clear."""
    return holds(expected_language(m.said) == language.UNDETERMINED)


# M-025 -------------------------------------------------------------------------------------------------------------------------


@trigger
def replies_with_links(c: Conversation) -> Occasions:
    """Replies with a link marker."""
    return each_reply([r for r in c.replies if any(k.kind.upper() in ("LINK", "URL") for k in r.text.markers)])


def links(r: Reply) -> list[Marker]:
    """Link markers."""
    return [k for k in r.text.markers if k.kind.upper() in ("LINK", "URL")]


@predicate
def only_the_site(c: Conversation, m: Moment) -> Finding:
    """The address is the profile's, to the letter."""
    bad = next((k for k in links(m.said) if k.target != c.profile.data.link), None)
    return fail(bad.raw, f"another address than {c.profile.data.link}") if bad else ok()


@predicate
def only_for_the_catalogue(c: Conversation, m: Moment) -> Finding:
    """The link is sent only when the complete catalogue is asked for after the posters."""
    e = m.exchange
    if "catalog" in e.signals and e.index >= 1 and c.posters_sent(e.turn):
        return ok()
    return fail(links(m.said)[0].raw, "a link where the complete catalogue was not asked for after the posters")


@predicate
def platform_asked(c: Conversation, m: Moment) -> Finding:
    """The customer asks about a platform, a shop or a link."""
    return holds("platform" in m.exchange.signals and "catalog" not in m.exchange.signals)


def names_site(c: Conversation, r: Reply) -> str | None:
    """The site's address as it stands in the reply, in a marker or bare."""
    for k in links(r):
        if host_of(k.target) in c.profile.data.link_hosts:
            return k.raw
    for a in r.text.addresses:
        if host_of(a) in c.profile.data.link_hosts:
            return a
    return None
