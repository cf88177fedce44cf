"""Sessions graded a second, beside a loop that only parses the same JSON, and the time of the nastiest inputs.

    python scripts/grade_bench.py [--sessions 10000] [--profile]

Sessions have ten turns, in English, Chinese and Vietnamese. Each sentence carries names or figures of its session, so that
little is found in memory: how much is printed. One process, one core.
"""

import argparse
import cProfile
import gc
import json
import pstats
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness.schema.session import InquirySession
from oracle_scoring.inquiry.grade import grade
from oracle_scoring.inquiry.load import session_of
from oracle_scoring.inquiry.profile import load_profile
from tests.golden.inquiry.build import load

_MEDIA: dict[str, Any] = {
    "posters": {"en": ["img-en-1", "img-en-2"], "vi": ["img-vi-1", "img-vi-2"]}, "poster_styles": ["A-03", "B-06"],
    "documents": ["doc-1"], "catalog_pdf": "doc-1", "products": {"img-p-7": "P-7"}, "videos": [], "kbvideos": [],
}  # fmt: skip
_TALKS = {
    "en": [
        "Hello there, this is {name} from {city}, inquiry {n}.",
        "Hi {name}, I'm Tom Jasper from Shenzhen Beiyijia, a PD fast-charging cable factory. Which fits {city} best: wholesale import, "
        "online sales, own brand or gift customization?",
        "We do wholesale in {city} and need USB-C to Lightning cables for {n} shops.",
        "Understood, wholesale in {city}. This interface can be made for {name} in the style you like; please take a look at these "
        "two directions. Which style do you prefer for {city}?\n[IMAGE:img-en-1|First direction {n}]\n[IMAGE:img-en-2|Second direction {n}]",
        "The second group looks good to {name}. What is the MOQ for {n} pieces, and the price?",
        "The MOQ depends on packaging and our sales manager will confirm it for {city}. The price is worked out by our sales "
        "manager by style, quantity and destination for {name}.",
        "How long is the cable for {city} and what about samples, {name} asks?",
        "Our technical team will confirm the length for order {n}. Samples are explained to {name} by our sales manager.",
        "Thanks, please send the full catalogue to {name} in {city}.",
        "Sure {name}, here is the full catalogue for {city}.\n[DOCUMENT:doc-1|catalog-{n}.pdf|Full catalogue]\n"
        "[LINK:https://www.beiyijia.top/|Full catalogue]",
    ],
    "zh": [
        "您好，我是{city}的{name}，询盘 {n}。",
        "{name}您好，我是深圳贝怡佳的 Tom Jasper，我们是 PD 快充数据线工厂。请问您在{city}是做批发进口、线上销售、自有品牌还是礼品定制？",
        "我们做线上销售，想要 {n} 条 Type-C to Lightning 的线。",
        "明白，您在{city}做线上销售。这个接口可以按您喜欢的外观来做，{name}您先看看这两组产品方向，喜欢哪种外观？\n"
        "[IMAGE:img-en-1|产品方向一 {n}]\n[IMAGE:img-en-2|产品方向二 {n}]",
        "第二组{name}觉得不错。{n} 条够起订量吗？发{city}的价格呢？",
        "起订量由我们的销售经理跟您确认，价格也由销售经理按款式、数量 {n} 和目的地为您核算。",
        "{city}要的有样品吗？{n} 号线长多少？{name}想先看。",
        "线长由技术部门跟您确认，样品政策由销售经理给您说明，订单 {n}。",
        "好的，把完整目录发给{city}的{name}吧。",
        "好的{name}，这是{city}的完整目录。\n[DOCUMENT:doc-1|catalog-{n}.pdf|完整目录]\n[LINK:https://www.beiyijia.top/|完整目录]",
    ],
    "vi": [
        "Xin chào, mình là {name} ở {city}, số {n}.",
        "Xin chào {name}, tôi là Tom Jasper của Beiyijia Thâm Quyến, nhà máy cáp sạc nhanh PD. Anh/chị ở {city} nhập khẩu bán buôn, bán hàng "
        "trực tuyến, có thương hiệu riêng hay làm quà tặng?",
        "Mình bán buôn ở {city}, cần {n} sợi cáp Type-C to Lightning.",
        "Dạ, anh/chị bán buôn ở {city}. Mời {name} xem hai nhóm kiểu dáng này, anh/chị thích kiểu dáng nào?\n"
        "[IMAGE:img-vi-1|Nhóm kiểu dáng 1 {n}]\n[IMAGE:img-vi-2|Nhóm kiểu dáng 2 {n}]",
        "Nhóm thứ hai đẹp, {name} thích. Số lượng tối thiểu và giá cho {n} sợi là bao nhiêu?",
        "Quản lý kinh doanh sẽ xác nhận số lượng tối thiểu và tính giá theo kiểu dáng, số lượng {n} và điểm đến.",
        "Ở {city} có hàng mẫu không? Dây dài bao nhiêu, {name} hỏi?",
        "Bộ phận kỹ thuật sẽ xác nhận chiều dài cho đơn {n}, quản lý kinh doanh sẽ giải thích về hàng mẫu.",
        "Cảm ơn, gửi danh mục đầy đủ cho {name} ở {city} nhé.",
        "Dạ {name}, đây là danh mục đầy đủ cho {city}.\n[DOCUMENT:doc-1|catalog-{n}.pdf|Danh mục]\n[LINK:https://www.beiyijia.top/|Danh mục]",
    ],
}  # fmt: skip
_PARTS = {
    "en": (
        ("Har", "Mar", "Bel", "Tor", "Kin", "Ros", "Dun", "Wes", "Cal", "Ash"),
        ("", "ring", "ber", "den", "lan", "sing", "ver", "mer", "nor"),
        ("ton", "field", "wick", "ford", "mouth", "ley", "by", "stead", "combe"),
    ),
    "zh": (
        ("林", "江", "安", "宁", "昌", "海", "青", "云", "永", "泰"),
        ("", "东", "西", "南", "北", "平", "和", "新", "石"),
        ("城", "州", "阳", "山", "口", "门", "川", "水", "港"),
    ),
    "vi": (
        ("An", "Bình", "Hòa", "Tân", "Phú", "Long", "Vĩnh", "Thái", "Quảng", "Nam"),
        ("", " Xuân", " Hải", " Minh", " Ngọc", " Thanh", " Kim", " Đức", " Hưng"),
        (" Giang", " Định", " Thành", " Lộc", " Khánh", " Sơn", " Ninh", " Hà", " Trung"),
    ),
}  # fmt: skip
_OUTPUT = '{"shouldAutoConvert":%s,"shouldForceHumanTakeover":%s,"conversationIntent":"business"}'


def session(number: int, rng: random.Random) -> dict[str, Any]:
    """One session of ten turns, unlike all others."""
    language = ("en", "zh", "vi")[number % 3]
    parts = _PARTS[language]
    turns: list[dict[str, Any]] = []
    for n, template in enumerate(_TALKS[language]):
        name, city = ("".join(map(rng.choice, parts)) for _ in range(2))
        text = template.format(name=name, city=city, n=number * 10 + n + 500)
        if n % 2 == 0:
            turns.append({"role": "customer", "text": text, "created_at": "2026-01-05T03:00:00Z", "images": []})
            continue
        calls = []
        if n == 3:
            found = {
                "title": "Quick selection poster",
                "text": "…",
                "media": _MEDIA["posters"]["vi" if language == "vi" else "en"],
            }
            query = "Vietnamese quick selection poster" if language == "vi" else "English quick selection poster"
            calls = [
                {
                    "name": "knowledge_search",
                    "arguments": {"query": query},
                    "result": {"hit": True, "documents": [found]},
                }
            ]
        elif n == 7:
            calls = [
                {"name": "search_products", "arguments": {"category": "cable"}, "result": {"items": []}},
                {
                    "name": "knowledge_search",
                    "arguments": {"query": "samples"},
                    "result": {"hit": False, "documents": []},
                },
            ]
        elif n > 3:
            calls = [
                {
                    "name": "knowledge_search",
                    "arguments": {"query": "policy"},
                    "result": {"hit": False, "documents": []},
                }
            ]
        turns.append(
            {
                "role": "assistant", "reply_text": text, "published": True, "asked_field_keys": [], "next_pending_field": None,
                "tool_calls": calls, "media_sent": [{"id": i, "ok": True} for i in ("img-en-1", "img-en-2", "img-vi-1", "img-vi-2", "doc-1")],
                "context": {"leadToOpportunityStatus": None, "replyPublished": None, "actualLastAiReply": None, "inquiry_form_snapshot": {}},
                "conversion": {"phase": "inbound", "tool_calls": [], "output": _OUTPUT % (("true", "true") if n == 5 else ("false", "false"))},
            }
        )  # fmt: skip
    return {
        "schema": "inquiry-session-v1",
        "session_id": f"B-{number}",
        "profile": "beiyijia",
        "media": _MEDIA,
        "turns": turns,
    }


def nasty() -> dict[str, str]:
    """Replies that a pattern with backtracking would choke on."""
    million = 1_000_000
    return {
        "a megabyte of letters": "a" * million,
        "a megabyte of digits": "1" * million,
        "a megabyte of spaces": " " * million,
        "a megabyte of dots": "." * million + "x",
        "a megabyte of hyphens and letters": "a-" * (million // 2),
        "a megabyte of line breaks": "\n" * million,
        "a megabyte of blank lines with spaces": "\n " * (million // 2),
        "a marker that never closes": "[IMAGE:" + "x" * million,
        "300,000 markers that never close": "[IMAGE:" * 300_000,
        "10,000 question marks": "?" * 10_000,
        "10,000 questions": "what? " * 10_000,
        "a megabyte of quotation marks": '"' * million,
        "a megabyte of dotted labels": "a." * (million // 2),
        "a megabyte of addresses": "www.a.com " * (million // 10),
        "a megabyte of figures": "1,000 pcs " * (million // 10),
        "a megabyte of Chinese": "价格" * (million // 6),
        "a megabyte of braces in a decision": "{" * million,
    }


def golden() -> float:
    """Sessions a second of the golden sessions, which people worded."""
    lines = [json.dumps(one.session, ensure_ascii=False) for one in load()]
    started = time.process_time()
    for line in lines:
        grade(session_of(json.loads(line), "golden")).model_dump_json()
    return len(lines) / (time.process_time() - started)


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    parser.add_argument("--no-nasty", action="store_true")
    given = parser.parse_args()
    rng = random.Random(1)
    lines = [json.dumps(session(n, rng), ensure_ascii=False) for n in range(given.sessions)]
    grade(session_of(json.loads(lines[0]), "warm-up"))
    for line in lines[:30]:
        grade(session_of(json.loads(line), "warm-up"))
    gc.freeze()
    gc.set_threshold(50_000)  # as `rig grade` does
    started = time.process_time()
    for line in lines:
        json.loads(line)
    parsing = time.process_time() - started
    started = time.process_time()
    for line in lines:
        InquirySession.model_validate(json.loads(line))
    validating = time.process_time() - started
    profiler = cProfile.Profile()
    started = time.process_time()
    if given.profile:
        profiler.enable()
    conclusions: dict[str, int] = {}
    for line in lines:
        result = grade(session_of(json.loads(line), "bench"))
        result.model_dump_json()
        conclusions[result.conclusion] = conclusions.get(result.conclusion, 0) + 1
    profiler.disable()
    grading = time.process_time() - started
    hits, misses = load_profile("beiyijia").lexicon.looked_up()
    n = len(lines)
    print(f"{n} sessions of ten turns, {sum(map(len, lines)) / n / 1000:.1f} KB each; {conclusions}")
    for what, took in (
        ("only parsed", parsing),
        ("parsed and validated", validating),
        ("graded, result as JSON", grading),
    ):
        print(f"{what:>24}: {n / took:9.0f} sessions a second ({took / n * 1000:.3f} ms each, processor time)")
    print(f"{'golden sessions, each once':>24}: {golden():9.0f} sessions a second: hardly a text stands in two of them")
    print(f"{hits / (hits + misses):.0%} of the looks for words were answered from memory")
    if given.profile:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(35)
    if given.no_nasty:
        return
    for name, text in nasty().items():
        made = session(0, random.Random(1))
        where = made["turns"][7]
        if "decision" in name:
            where["conversion"]["output"] = text
        else:
            where["reply_text"] = text
            made["turns"][6]["text"] = text
        started = time.process_time()
        grade(session_of(made, name))
        print(f"{name:>40}: {time.process_time() - started:6.2f} s")


if __name__ == "__main__":
    main()
