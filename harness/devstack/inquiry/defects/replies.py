"""Faults of the inquiry assistant: a reply that keeps to the manual, and what was looked up for it, are bent."""

import re
from collections.abc import Callable

from harness.devstack.inquiry.assistant import POSTER_TITLES, Draft
from harness.devstack.inquiry.language import Tongue
from harness.devstack.inquiry.markers import WEBSITE, Marker
from harness.devstack.inquiry.phrases import has, phrase
from harness.devstack.inquiry.talk import Talk
from harness.devstack.inquiry.tools import Tools
from harness.devstack.inquiry.understand import Heard
from harness.devstack.inquiry.world import EMPTY

Bend = Callable[[Draft, Talk, Heard, Tools], None]


def bend_reply(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> Draft:
    """The reply as the faults that are switched on leave it."""
    for name in talk.defects:
        if name in BENDS:
            BENDS[name](draft, talk, heard, tools)
    return draft


def _posters(draft: Draft, talk: Talk) -> list[Marker]:
    ids = {i for group in talk.world.media.posters.values() for i in group}
    return [m for m in draft.markers if m.target in ids]


def _asks(draft: Draft) -> bool:
    return "?" in draft.text or "？" in draft.text


def _join(draft: Draft, words: str, language: Tongue) -> None:
    draft.text = f"{draft.text}{'' if language in ('zh', 'zh-Hant') else ' '}{words}"


def _no_introduction(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if talk.first and not draft.closing:
        parts = re.split(r"(?<=[.。])\s*(?=\S)", draft.text)
        draft.text = parts[-1]


def _no_role_question(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if draft.asked == "buyer_role":
        role, quantity = (phrase(f"ask.{f}", talk.language) for f in ("buyer_role", "quantity"))
        draft.text = draft.text.replace(role, quantity)
        draft.asked = "quantity"


def _asks_before_it_answers(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if not talk.first and heard.question and heard.topics and not _asks(draft):
        draft.text = f"{phrase('ask.quantity', talk.language)} {draft.text}"


def _two_questions(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if not talk.first and _asks(draft):
        _join(draft, phrase("ask.quantity", talk.language), talk.language)


def _asks_known_again(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if "buyer_type" in talk.form and not _asks(draft):
        question = re.split(r"(?<=[.。])\s*(?=\S)", phrase("introduction", talk.language))[-1]
        _join(draft, question, talk.language)


def _asked_keys_wrong(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if not talk.first and draft.asked != talk.next_field:
        draft.noted = talk.next_field


def _no_posters(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    shown = _posters(draft, talk)
    if shown:
        draft.markers = [m for m in draft.markers if m not in shown]
        tools.calls = [c for c in tools.calls if c["arguments"].get("query") not in POSTER_TITLES.values()]
        for name in ("invite", "invite_ask"):
            draft.text = draft.text.replace(phrase(name, talk.language), "").strip()


def _posters_in_wrong_language(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    shown = _posters(draft, talk)
    groups = talk.world.media.posters
    other = next((ids for ids in groups.values() if shown and ids and shown[0].target not in ids), None)
    if shown and other and len(other) == len(shown):
        language = next(k for k, ids in groups.items() if ids is other)
        tools.calls = [c for c in tools.calls if c["arguments"].get("query") not in POSTER_TITLES.values()]
        tools.call("knowledge_search", {"query": POSTER_TITLES["vi" if language == "vi" else "en"]})
        swapped = dict(zip((m.target for m in shown), other, strict=True))
        draft.markers = [Marker(m.kind, swapped.get(m.target, m.target), m.caption, m.file_name) for m in draft.markers]


def _send_posters(draft: Draft, talk: Talk, tools: Tools) -> None:
    language = "vi" if talk.language == "vi" else "en"
    tools.call("knowledge_search", {"query": POSTER_TITLES[language]})
    ids = talk.world.media.posters.get("vi" if language == "vi" else "en", [])
    draft.markers = [
        *draft.markers,
        *(Marker("IMAGE", i, phrase("caption.poster", talk.language, n=str(n))) for n, i in enumerate(ids, start=1)),
    ]


def _posters_again(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if talk.posters_complete and not draft.closing:
        _send_posters(draft, talk, tools)


def _power_beside_posters(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if _posters(draft, talk) and "interface" in heard.values:
        question = phrase("invite_ask", talk.language)
        draft.text = draft.text.replace(question, phrase("invite", talk.language))
        _join(draft, "20W / 27W?", talk.language)


def _posters_though_look_known(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    known = "appearance" in heard.values or "appearance" in talk.form
    if known and not talk.first and not talk.posters and not draft.closing:
        _send_posters(draft, talk, tools)


def _catalogue_at_once(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if "catalog" in heard.topics and not talk.first and not talk.posters_complete:
        pdf = next((d for d in talk.world.media.documents if d.id == talk.world.media.catalog_pdf), None)
        tools.call("knowledge_search", {"query": "catalog"})
        caption = phrase("caption.catalog", talk.language)
        sent = [Marker("DOCUMENT", pdf.id, caption, pdf.file_name)] if pdf else []
        draft.markers = [*sent, Marker("LINK", WEBSITE, phrase("caption.website", talk.language))]
        draft.text = phrase("catalog", talk.language)


def _rows(tools: Tools) -> list[dict[str, str]]:
    return [row for c in tools.calls if c["name"] == "get_product_detail" for row in c["result"]["specifications"]]


def _whole_sheet(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if len(heard.facts) == 1 and not _asks(draft) and (rows := _rows(tools)):
        draft.text += "\n\n" + "\n".join(f"- {k}: {v}" for row in rows for k, v in row.items() if v != EMPTY)


def _any_version(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    rows = _rows(tools)
    if len(rows) > 1 and _asks(draft) and heard.facts:
        fact = heard.facts[0]
        name = phrase(f"facts.{fact}", talk.language)
        what = (heard.models or [talk.form.get("product", "")])[0]
        draft.text = phrase("fact_value", talk.language, what=what, fact=name, value=rows[0].get(fact, EMPTY))
        draft.asked = None


def _fills_empty_cell(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    for fact in heard.facts:
        value = next((row[fact] for row in _rows(tools) if row.get(fact, EMPTY) != EMPTY), None)
        name = phrase(f"facts.{fact}", talk.language)
        open_ = phrase("fact_open", talk.language, what="\0", fact=name).replace("\0", "")
        if value and open_ in draft.text:
            said = phrase("fact_value", talk.language, what="", fact=name, value=value)
            draft.text = draft.text.replace(open_, said)


def _without(kind: str) -> Bend:
    def bend(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
        tools.calls = [
            c
            for c in tools.calls
            if not c["name"].startswith(kind) or c["arguments"].get("query") in POSTER_TITLES.values()
        ]

    return bend


def _policy_by_product_tool(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    for call in tools.calls:
        if call["name"] == "knowledge_search" and call["arguments"].get("query") not in POSTER_TITLES.values():
            call["name"], call["arguments"] = "search_products", {"keyword": call["arguments"].get("query", "")}


def _other_language(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if not talk.first and not draft.closing:
        draft.text = phrase("accept.noted", "zh" if talk.language == "en" else "en")
        draft.text += "" if talk.language != "en" else phrase("accept.nod", "zh")


def _one_block(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    draft.text = re.sub(r"\n+(- )?", " ", draft.text)


def _question_left_out(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    lines = draft.text.split("\n")
    listed = [n for n, line in enumerate(lines) if line.startswith("- ")]
    if len(listed) > 1:
        del lines[listed[-1]]
        draft.text = "\n".join(lines)


def _marker_misspelt(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    shown = [m for m in draft.markers if m.kind == "IMAGE"]
    if shown:
        draft.markers = [m for m in draft.markers if m.kind != "IMAGE"]
        draft.text = "\n".join([draft.text, *(f"[IMG:{m.target}|{m.caption}]" for m in shown)])


def _caption_in_wrong_language(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    caption = "产品方向，款式总览" if talk.language in ("en", "vi") else "An overview of our styles"
    draft.markers = [Marker(m.kind, m.target, caption, m.file_name) for m in draft.markers]


def _website_unasked(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if _posters(draft, talk):
        draft.markers = [*draft.markers, Marker("LINK", WEBSITE, phrase("caption.website", talk.language))]


def _posters_by_media_tool(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    for call in tools.calls:
        if call["arguments"].get("query") in POSTER_TITLES.values() and call["result"]["hit"]:
            items = [
                {"id": i, "url": "", "type": "image", "productId": "P-7"}
                for i in call["result"]["documents"][0]["media"]
            ]
            call |= {"name": "get_product_media", "arguments": {"productId": "P-7"}, "result": {"items": items}}


def _closing_asks(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if draft.closing:
        _join(draft, phrase("ask.quantity", talk.language), talk.language)


def _says(when: Callable[[Draft, Talk, Heard], bool], words: dict[str, str]) -> Bend:
    """A sentence more, in the buyer's language, where it fits."""

    def bend(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
        if not talk.first and not draft.closing and when(draft, talk, heard):
            _join(draft, words["zh" if talk.language in ("zh", "zh-Hant") else talk.language], talk.language)

    return bend


def _about(*topics: str) -> Callable[[Draft, Talk, Heard], bool]:
    return lambda draft, talk, heard: bool(set(topics) & set(heard.topics))


def _any(draft: Draft, talk: Talk, heard: Heard) -> bool:
    return True


def _stiff(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if not talk.first and not draft.closing:
        start = {
            "zh": "非常荣幸为您服务，明白，",
            "vi": "Rất hân hạnh được phục vụ quý khách. ",
            "en": "It is our great honour. ",
        }
        draft.text = start["zh" if talk.language in ("zh", "zh-Hant") else talk.language] + draft.text


def _wordy_thanks(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if heard.nods and not talk.first and not draft.closing:
        draft.text = " ".join([draft.text, *("We are so very glad to be of help to you." for _ in range(5))])


def _left_unknown(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    topics = [t for t in heard.topics if has(f"not_found.{t}")]
    facts = [
        phrase("fact_open", talk.language, what="\0", fact=phrase(f"facts.{f}", talk.language)) for f in heard.facts
    ]
    for sentence in [*(phrase(f"not_found.{t}", talk.language) for t in topics), *(f.split("\0")[1] for f in facts)]:
        draft.text = draft.text.replace(
            sentence, {"en": " I don't know.", "vi": " Tôi không biết."}.get(talk.language, "不知道。")
        )


def _moq_invented(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if "moq" in heard.topics:
        draft.text = draft.text.replace("500", "3000")


def _payment_invented(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if "payment" in heard.topics:
        draft.text = draft.text.replace("30%", "20%").replace("70%", "80%")


def _first_reply_bent(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if talk.first and heard.pictures and not draft.closing:
        draft.text, draft.asked = phrase("accept.look", talk.language), None


def _person_without_closing(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    draft.withheld = draft.closing


def _no_closing(draft: Draft, talk: Talk, heard: Heard, tools: Tools) -> None:
    if draft.closing:
        draft.text, draft.closing = phrase("accept.noted", talk.language), False


BENDS: dict[str, Bend] = {
    "no_introduction": _no_introduction,
    "no_role_question": _no_role_question,
    "asks_before_it_answers": _asks_before_it_answers,
    "two_questions": _two_questions,
    "asks_known_again": _asks_known_again,
    "asked_keys_wrong": _asked_keys_wrong,
    "no_posters": _no_posters,
    "posters_in_wrong_language": _posters_in_wrong_language,
    "posters_again": _posters_again,
    "power_beside_posters": _power_beside_posters,
    "posters_though_look_known": _posters_though_look_known,
    "catalogue_at_once": _catalogue_at_once,
    "whole_sheet": _whole_sheet,
    "any_version": _any_version,
    "fills_empty_cell": _fills_empty_cell,
    "policy_unconfirmed": _without("knowledge_search"),
    "other_language": _other_language,
    "one_block": _one_block,
    "question_left_out": _question_left_out,
    "facts_without_tools": _without("search_products"),
    "policy_by_product_tool": _policy_by_product_tool,
    "bare_address": _says(_any, dict.fromkeys(("en", "vi", "zh"), "https://beiyijia.product.kzdatong.com/detail/P-7")),
    "marker_misspelt": _marker_misspelt,
    "caption_in_wrong_language": _caption_in_wrong_language,
    "website_unasked": _website_unasked,
    "posters_by_media_tool": _posters_by_media_tool,
    "closing_asks": _closing_asks,
    "stiff": _stiff,
    "wordy_thanks": _wordy_thanks,
    "left_unknown": _left_unknown,
    "quotes_price": _says(
        _about("price", "discount"),
        {"en": "It is USD 1.20 per piece.", "vi": "Giá là 1.20 USD một chiếc.", "zh": "每条 1.20 美元。"},
    ),
    "sample_fee_chosen": _says(
        _about("sample"),
        {"en": "Your sample fee is USD 5.", "vi": "Bạn thuộc mức phí 5 USD.", "zh": "您的样品费是 5 美元。"},
    ),
    "moq_invented": _moq_invented,
    "transit_estimated": _says(
        _about("lead_time", "shipping"),
        {"en": "Sea freight takes 25 days.", "vi": "Đi đường biển mất 25 ngày.", "zh": "海运大约 25 天到港。"},
    ),
    "figure_invented": _says(
        _any, {"en": "It bends 20000 times.", "vi": "Cáp chịu uốn 20000 lần.", "zh": "可弯折 20000 次。"}
    ),
    "stock_inferred": _says(
        _about("custom", "stock"),
        {"en": "It is in stock now.", "vi": "Hiện có sẵn hàng.", "zh": "现在有现货。"},
    ),
    "payment_invented": _payment_invented,
    "clearance_promised": _says(
        _about("certification"),
        {"en": "It will definitely clear customs.", "vi": "Chắc chắn thông quan được.", "zh": "肯定能清关。"},
    ),
    "store_promised": _says(
        _about("platform"),
        {"en": "We have an Alibaba store.", "vi": "Chúng tôi có gian hàng Alibaba.", "zh": "我们有阿里店铺。"},
    ),
    "best_seller": _says(
        _any,
        {"en": "The second group is our best seller.", "vi": "Nhóm thứ hai bán chạy nhất.", "zh": "第二组是爆款。"},
    ),
    "tool_named": _says(
        _any,
        {
            "en": "This is what knowledge_search says.",
            "vi": "Theo knowledge_search.",
            "zh": "这是 knowledge_search 的结果。",
        },
    ),
    "asks_wechat": _says(
        lambda d, t, h: not _asks(d),
        {
            "en": "Could you share your WhatsApp number with me?",
            "vi": "Anh/chị cho tôi xin số Zalo nhé?",
            "zh": "方便留一下您的微信号吗？",
        },
    ),
    "claims_human": _says(_any, {"en": "I am a real person.", "vi": "Tôi là người thật.", "zh": "我是真人。"}),
    "first_reply_bent": _first_reply_bent,
    "person_without_closing": _person_without_closing,
    "no_closing": _no_closing,
}
