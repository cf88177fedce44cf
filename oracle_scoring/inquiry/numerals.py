"""Numbers in words before a unit, made figures: 三周 -> 3 周, 二十来天 -> 20 天, 百分之三十 -> 30%, thirty percent -> 30 percent, ba tuần -> 3 tuần."""

import re

_ZH = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_ZH_SCALE = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_ZH_RUN = "[零〇一二两三四五六七八九十百千万]"
_ZH_UNITS = "米|厘米|毫米|瓦|安培?|伏特?|公斤|千克|克|天|个?工作日|周|个?星期|个?月|年|条|根|件|套|次|小时|个(?=起|左右|以|，|。|$)"
_ENGLISH = {
    w: n for n, w in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"])
} | {w: 10 * n for n, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)}  # fmt: skip
_ENGLISH_SCALE = {"hundred": 100, "thousand": 1000}
_EN_WORD = "|".join(sorted([*_ENGLISH, *_ENGLISH_SCALE], key=len, reverse=True))
_EN_UNITS = "percent|metres?|meters?|feet|watts?|amps?|volts?|(?:working |business )?days?|weeks?|months?|years?|pieces|pcs|units|times|bends"
_VIETNAMESE = {
    w: n for n, w in enumerate(["không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín", "mười"])
} | {"lăm": 5, "tư": 4, "mốt": 1}
_VI_SCALE = {"mươi": 10, "trăm": 100, "nghìn": 1000, "ngàn": 1000}
_VI_WORD = "|".join(sorted([*_VIETNAMESE, *_VI_SCALE], key=len, reverse=True))
_VI_UNITS = "phần trăm|mét|ngày|tuần|tháng|cái|chiếc|sợi|lần|giờ"
_ANY = re.compile(
    rf"(?P<half>一半|một nửa|\bhalf(?= (?:upfront|up front|in advance|before|now|on order|the (?:amount|payment|total)|deposit)))"
    rf"|(?P<share>百分之(?P<of>{_ZH_RUN}{{1,8}}))|(?P<tenths>[一二两三四五六七八九])成(?![功为立本])"
    rf"|(?P<metres>{_ZH_RUN}{{1,4}})米(?P<tenth>[一二三四五六七八九])(?![十百千万天周年])|(?P<zh>{_ZH_RUN}{{1,8}})[来多几余]?(?=(?:{_ZH_UNITS}))"
    rf"|(?<![a-z])(?P<en>(?:{_EN_WORD})(?:[ -](?:and )?(?:{_EN_WORD})){{0,5}})(?= (?:{_EN_UNITS})(?![a-z]))"
    rf"|(?<![a-zà-ỹ])(?P<vi>(?:{_VI_WORD})(?: (?:{_VI_WORD})){{0,5}})(?= (?:{_VI_UNITS})(?![a-zà-ỹ]))"
)


def with_figures(folded: str) -> str:
    """The folded text with numbers in words made figures where a unit follows."""
    return _ANY.sub(_figure, folded)


def _figure(match: re.Match[str]) -> str:
    if match["half"]:
        return "50%"
    if match["share"]:
        return f"{_chinese(match['of'])}%"
    if match["tenths"]:
        return f"{_chinese(match['tenths']) * 10}%"
    if match["metres"]:
        return f"{_chinese(match['metres'])}.{_chinese(match['tenth'])}米"
    if match["zh"]:
        return str(_chinese(match["zh"]))
    if match["en"]:
        return str(_worded(match["en"].replace("-", " ").replace(" and ", " "), _ENGLISH, _ENGLISH_SCALE))
    return str(_worded(match["vi"], _VIETNAMESE, _VI_SCALE))


def _chinese(text: str) -> int:
    total, number = 0, 0
    for char in text:
        if char in _ZH_SCALE:
            total += (
                (number or 1) * _ZH_SCALE[char] if _ZH_SCALE[char] < 10_000 else (total + number or 1) * 9_999 + number
            )
            number = 0
        else:
            number = number * 10 + _ZH[char] if text.isdigit() else _ZH[char]
    return total + number


def _worded(text: str, words: dict[str, int], scales: dict[str, int]) -> int:
    total, number = 0, 0
    for word in text.split():
        if word in scales:
            scale = scales[word]
            if scale == 1000:
                total, number = (total + number or 1) * 1000, 0
            else:
                number = (number or 1) * scale
                total, number = total + number, 0
        else:
            number += words[word]
    return total + number
