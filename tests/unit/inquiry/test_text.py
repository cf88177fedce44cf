"""What rules read of a message: questions, markers, addresses, language, figures, money, names."""

import re

import pytest

from oracle_scoring.inquiry.anchors import anchors
from oracle_scoring.inquiry.interfaces import interfaces
from oracle_scoring.inquiry.lexicon import Lexicon, fold, phrase_pattern
from oracle_scoring.inquiry.markers import find_addresses, find_markers
from oracle_scoring.inquiry.measures import measures
from oracle_scoring.inquiry.profile import Profile, load_profile, parse_time
from tests.golden.inquiry import build


@pytest.fixture(scope="module")
def profile() -> Profile:
    """The profile that comes along."""
    return load_profile("beiyijia")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Which style do you like?", 1),
        ("真的吗？？？", 1),
        ("您要多少条？什么接口？", 2),
        ("Why?!?! And how?", 2),
        ("See https://a.com/?a=1&b=2 for more.", 0),
        ('We often hear "how much is it?" from customers.', 0),
        ("客户常问「多少钱？」，我们都会说明。", 0),
        ("[IMAGE:i|Which one?]", 0),
        ("Please tell me the quantity.", 1),
        ("请告诉我数量。", 1),
        ("Let me know if you have any questions.", 0),
        ("Số lượng bao nhiêu ạ? Cổng nào?", 2),
        ("1.5 m is right.", 0),
        ("?" * 10_000, 0),
        ("Really" + "?" * 10_000, 1),
    ],
)
def test_questions_are_counted_in_any_script(profile: Profile, text: str, count: int) -> None:
    """Runs of marks are one; addresses, quotations and captions ask nothing; a request asks without a mark."""
    assert len(profile.text(text).questions) == count


@pytest.mark.parametrize(
    ("marker", "good"),
    [
        ("[IMAGE:img-1|A cable]", True),
        ("[DOCUMENT:doc-1|a.pdf|Catalogue]", True),
        ("[VIDEO:https://a.com/v.mp4|Demo]", True),
        ("[KBVIDEO:kb-1|Workshop]", True),
        ("[LINK:https://www.beiyijia.top/|Site]", True),
        ("[image:img-1|A cable]", False),
        ("[IMG:img-1|A cable]", False),
        ("[IMAGE:img-1]", False),
        ("[IMAGE:|A cable]", False),
        ("[IMAGE: img-1|A cable]", False),
        ("[IMAGE:img-1|A|cable]", False),
        ("[DOCUMENT:doc-1|Catalogue]", False),
        ("[IMAGE：img-1｜线]", False),
        ("【IMAGE:img-1|线】", False),
        ("[IMAGE:img-1|never closed", False),
    ],
)
def test_markers_are_read_to_the_letter(marker: str, good: bool) -> None:
    """Kind, case, brackets, bars and number of fields decide; what was meant as a marker is found all the same."""
    found = find_markers(f"Here: {marker}\nNext line.")
    assert [m.well_formed for m in found] == [good]
    assert found[0].raw == marker


def test_a_caption_with_a_bracket_or_words_in_brackets_are_no_markers() -> None:
    """Ordinary brackets are words."""
    assert find_markers("[see below] (image of the cable) [Note: none]") == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("go to www.beiyijia.top/ now", ["www.beiyijia.top/"]),
        ("https://a.com/x?y=1，谢谢", ["https://a.com/x?y=1"]),
        ("beiyijia.product.kzdatong.com/p/7 is it", ["beiyijia.product.kzdatong.com/p/7"]),
        ("1.5 m, e.g. this one. And U.S.A.", []),
        ("mail me at a@b.com", []),
    ],
)
def test_addresses_are_found_with_and_without_a_scheme(text: str, found: list[str]) -> None:
    """A bare host counts, a mail address and a decimal do not."""
    assert [text[a:b] for a, b in find_addresses(text)] == found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How much is the cable?", "en"),
        ("有样品吗", "zh-Hans"),
        ("請問有沒有樣品", "zh-Hant"),
        ("您好", "zh"),
        ("Cho mình hỏi giá", "vi"),
        ("cho toi xin bao gia day sac", "vi"),
        ("Hola, necesito quinientas piezas para mi tienda", "es"),
        ("Bonjour, avez-vous des câbles pour notre magasin?", "fr"),
        ("ケーブルはありますか", "ja"),
        ("케이블 있어요?", "ko"),
        ("Есть ли кабели?", "ru"),
        ("Hi", "und"),
        ("OK 👍", "und"),
        ("BY-C7", "und"),
        ("500", "und"),
        ("USB-C, MOQ, FOB", "und"),
        ("USB-C 的线有吗，MOQ 是多少", "zh-Hans"),
        ("贝怡佳 sounds good to me, thank you for this", "en"),
    ],
)
def test_languages_by_script_then_words_then_detector(profile: Profile, text: str, language: str) -> None:
    """Short texts, article numbers, brands and abbreviations prove no language."""
    assert profile.text(text).language in (language, "zh" if language == "zh-Hans" and text == "您好" else language)


@pytest.mark.parametrize(
    "text",
    [
        "It is $2.50 each", "2.5 USD per piece", "about two dollars", "three dollars and a half", "单价三块五", "大概 3.5 元", "五美元一条",
        "一条五毛", "khoảng 50k", "năm đô một sợi", "120.000đ", "50 nghìn đồng", "price is about 2.3", "FOB 2.1", "€3", "¥12", "12 RMB",
    ],
)  # fmt: skip
def test_prices_are_found_in_figures_and_words(profile: Profile, text: str) -> None:
    """English, Chinese and Vietnamese, any currency, digits or words."""
    assert "money" in profile.text(text).signals


@pytest.mark.parametrize(
    "text", ["5% off for you", "打九折", "给您打8.5折", "优惠 5%", "giảm 10% cho bạn", "a discount of 5"]
)
def test_discounts_are_found(profile: Profile, text: str) -> None:
    """A discount in any of the three languages."""
    assert "discount_offer" in profile.text(text).signals


@pytest.mark.parametrize(
    "text",
    [
        "The cable is 1 m long and carries 100W.",
        "我们有两组产品方向。",
        "Hai nhóm kiểu dáng này.",
        "五年了",
        "Model BY-C7, 20000 bends",
    ],
)
def test_ordinary_figures_are_no_prices(profile: Profile, text: str) -> None:
    """Lengths, powers, counts and years are no money."""
    assert not profile.text(text).signals & {"money", "discount_offer", "price_level"}


def test_figures_keep_number_and_unit_apart() -> None:
    """Ranges give both ends; thousands and decimals are told apart."""
    found = [(m.number, m.unit) for m in measures(fold("1.5 m, 100W, 500-1,000 pcs, 15 到 20 天, 20000次, 30%"))]
    assert found == [
        ("1.5", "m"),
        ("100", "w"),
        ("500", "pcs"),
        ("1000", "pcs"),
        ("15", "day"),
        ("20", "day"),
        ("20000", "times"),
        ("30", "%"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("type-c to lightning", {"c-lightning"}), ("USB-C转苹果", {"c-lightning"}), ("c to c", {"c"}), ("usb-a 转 type-c", {"a-c"}),
        ("usb-c cables", set()), ("from lightning", set()), ("type c sang lightning", {"c-lightning"}), ("welcome to london", set()),
    ],
)  # fmt: skip
def test_an_interface_has_two_ends(text: str, found: set[str]) -> None:
    """One end alone names no interface."""
    assert {"-".join(sorted(set(i.split("-")))) for i in interfaces(fold(text))} == found


def test_article_numbers_are_told_from_plugs_standards_and_styles(profile: Profile) -> None:
    """BY-C7 is one; USB-C, PD100W, ISO-9001 and a poster's A-03 are none."""
    assert profile.skus("BY-C7, USB-C, PD100W, ISO-9001, A-03, QC3") == ["BY-C7"]
    assert profile.style_codes("A-03 or B-06") == ["A-03", "B-06"]


@pytest.mark.parametrize(
    ("at", "working"),
    [
        ("2026-01-05T01:00:00Z", True), ("2026-01-05T00:59:59Z", False), ("2026-01-05T11:59:59Z", True), ("2026-01-05T11:59:59.999Z", True),
        ("2026-01-05T12:00:00Z", False), ("2026-01-05T09:00:00+08:00", True), ("2026-01-05T20:00:00+0800", False),
        ("2026-01-04T22:00:00-05:00", True), ("2026-01-05T10:00:00", False), ("yesterday", False), (None, False), (1767600000, False),
        ("2026-13-45T10:00:00Z", False), ("", False),
    ],
)  # fmt: skip
def test_working_time_is_shanghais_with_its_borders(profile: Profile, at: object, working: bool) -> None:
    """09:00:00 to 19:59:59 in Shanghai; what is missing, broken or without a zone is off-hours."""
    assert profile.working(at) is working
    assert parse_time(at) is None or working in (True, False)


def test_a_phrase_matches_whole_words_in_one_sentence_only() -> None:
    """Latin phrases end at words; … does not cross a full stop; * is the rest of a word."""
    words = Lexicon({"moq": ["moq*"], "gap": ["not…customs"], "vi": ["giá"]}, "test")
    assert words.signals("what moqs are there") == {"moq"}
    assert words.signals("smoq") == frozenset()
    assert words.signals("not now. customs later") == frozenset()
    assert words.signals("not our customs") == {"gap"}
    assert words.signals("giác quan") == frozenset()
    assert words.texts("moq", "the moq, a moq") == ["moq", "moq"]


def test_an_automaton_without_memory_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the one for phrases without letters of their own gives up, each is looked for alone: the same names come out."""
    words = Lexicon({"a": ["~[0-9]+ ?w"], "b": ["price"], "c": ["^(ok|yes)$"]}, "test")
    whole = words.signals("the price of 20 w")
    monkeypatch.setattr(words, "_read_for_rest", lambda _text: None)
    words._kept.cache_clear()
    assert words.signals("the price of 20 w") == whole == {"a", "b"}
    assert words.signals("nothing") == frozenset()


@pytest.mark.parametrize(
    ("phrase", "letters"),
    [
        ("微信", (frozenset(["微信"]), True)),
        ("e-?mail", (frozenset(["email", "e-mail"]), True)),
        ("you (have )?won", (frozenset(["won"]), False)),
        ("(发|寄)…给", (frozenset(["给"]), False)),
        ("depos*", (frozenset(["depos"]), False)),
        ("[ab]cd", (frozenset(["acd", "bcd"]), True)),
        ("no\\.?", (frozenset(["no", "no."]), True)),
        ("(a |b )?(c )?", None),
        ("[a-z]", None),
        ("~price", None),
        ("x{2}", None),
        ("…", None),
    ],
)
def test_letters_that_a_phrase_cannot_do_without(phrase: str, letters: tuple[frozenset[str], bool] | None) -> None:
    """One of them stands in whatever it matches; alone only where nothing else has to; none where nothing is sure."""
    assert anchors(phrase) == letters


def test_letters_hide_no_phrase(profile: Profile) -> None:
    """Texts made of the phrases themselves and of golden sessions: each name is found just where its own pattern is."""
    lexicon = profile.lexicon
    made = [
        (name, re.sub(r"[|][^()|]*(?=[|)])|[()?*\\\\]", "", phrase).replace("…", " "))
        for name, phrases in lexicon._phrases.items()
        for phrase in phrases
    ]
    for name, text in made:
        assert (name in lexicon.signals(text)) == bool(lexicon.texts(name, text) or lexicon._pattern(name).search(text))
    replies = [t["reply_text"] for g in build.load()[::12] for t in g.session["turns"] if t.get("reply_text")]
    for reply in replies[::2]:
        text = profile.text(reply).folded
        assert lexicon.signals(text) == {n for n in lexicon._phrases if lexicon._pattern(n).search(text)}


def test_folding_makes_widths_scripts_and_quotes_alike() -> None:
    """Full width, traditional characters, curly quotes and emoji make no difference."""
    assert fold("ＭＯＱ　報價 it’s 👍") == "moq 报价 it's  "
    assert phrase_pattern("~a.b") == "a.b"
