"""Figures with a unit in a text (1 m, 100W, 3 天, 500 cái): what a reply may only say if a source says it."""

import re
from dataclasses import dataclass

from oracle_scoring.inquiry.numerals import with_figures

_UNITS = {
    ("length", "m"): "m|metres?|meters?|mtr|米|公尺|mét", ("length", "cm"): "cm|厘米|公分", ("length", "mm"): "mm|毫米",
    ("length", "ft"): "ft|feet|foot", ("power", "w"): "w|watts?|瓦|oát", ("current", "a"): "a|amps?|amperes?|安培?|ampe",
    ("voltage", "v"): "v|volts?|伏特?|vôn", ("speed", "mbps"): "mbps|mb/s", ("speed", "gbps"): "gbps|gb/s",
    ("weight", "g"): "g|grams?|克|gam", ("weight", "kg"): "kg|kilos?|公斤|千克", ("temperature", "c"): "°c|℃|摄氏度",
    ("bend", "times"): "times|bends|cycles|次|lần", ("warranty", "month"): "months?|个月|tháng", ("warranty", "year"): "years?|年|năm",
    ("time", "day"): "(?:working |business |calendar )?days?|个?工作日|天|ngày(?: làm việc)?", ("time", "week"): "weeks?|周|个?星期|tuần",
    ("time", "hour"): "hours?|小时|giờ|tiếng", ("pieces", "pcs"): "pcs|pieces?|pc|units?|条|根|个|件|套|cái|chiếc|sợi|sản phẩm",
    ("share", "%"): "%|％|percent|phần trăm",
}  # fmt: skip
_NAMED = {f"u{n}": key for n, key in enumerate(_UNITS)}
_RANGE = r"(?:\s{0,2}(?:-|–|~|to|至|到|đến)\s{0,2}(?P<upto>\d{1,9}(?:[.,]\d{1,6})?))?"
_MEASURE = re.compile(
    rf"(?<![\da-z])(?<!\d[.,])(?P<number>\d{{1,9}}(?:,\d{{3}}){{0,3}}(?:[.,]\d{{1,6}})?){_RANGE}[\s-]{{0,2}}(?:"
    + "|".join(f"(?P<u{n}>{words})" for n, words in enumerate(_UNITS.values()))
    + r")(?![a-zà-ỹ])"
)
_BARE = re.compile(r"(?<![\da-z-])(?<!\d[.,])\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,6})?(?![\d])")
SPEC_KINDS = frozenset({"length", "power", "current", "voltage", "speed", "weight", "temperature", "bend"})
"""Kinds of figures that are parameters of a product."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure with its unit."""

    kind: str
    number: str
    unit: str
    text: str
    """As it stands in the folded text, numbers in words made figures."""


def normal_number(text: str, unit: str = "") -> str:
    """1,000 and (for pieces) 1.000 as 1000; 2.0 as 2; 1,5 as 1.5."""
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    elif unit == "pcs" and re.fullmatch(r"\d{1,3}(\.\d{3})+", text):
        text = text.replace(".", "")
    text = text.replace(",", ".")
    return text.rstrip("0").rstrip(".") if "." in text else text.lstrip("0") or "0"


def measures(folded: str, worded: bool = True) -> list[Measure]:
    """All figures with a unit, in order; both ends of a range. `worded`: there may be numbers in words."""
    found = []
    for match in _MEASURE.finditer(with_figures(folded) if worded else folded):
        kind, unit = _NAMED[match.lastgroup or "u0"]
        for number in (match["number"], match["upto"]):
            if number:
                found.append(Measure(kind, normal_number(number, unit), unit, match.group().strip()))
    return found


def bare_numbers(folded: str) -> set[str]:
    """All numbers, with a unit or without."""
    return {normal_number(m.group()) for m in _BARE.finditer(folded)}
