"""Which language a customer writes, and Chinese in the script that they write."""

import re
from functools import cache
from typing import Literal

from opencc import OpenCC

Tongue = Literal["en", "vi", "zh", "zh-Hant"]
_HAN = re.compile(r"[\u3400-\u9fff]")
_VIETNAMESE = re.compile(r"[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)
_WORDS = re.compile(r"\b(xin|chào|cho|của|không|tôi|bạn|anh|chị|bao|nhiêu|cần|muốn|hàng|mẫu)\b", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_NAMES = re.compile(
    r"\b(usb|type-?[ac]|lightning|pd|moq|fob|cif|logo|oem|ok|hi|[a-z]{1,4}-?\d{1,5}w?)\b", re.IGNORECASE
)


@cache
def _converter(name: str) -> OpenCC:
    return OpenCC(name)


def tongue(text: str, before: Tongue) -> Tongue:
    """The language of a message; what says nothing of one (a number, OK, an article number) leaves it as it was."""
    bare = _NAMES.sub(" ", text)
    han = len(_HAN.findall(bare))
    letters = len(_LETTER.findall(bare))
    if han and han * 3 >= letters:
        return "zh-Hant" if _converter("t2s").convert(bare) != bare else "zh"
    if _VIETNAMESE.search(bare) or len(_WORDS.findall(bare)) >= 2:
        return "vi"
    return "en" if letters >= 2 else before


def in_script(text: str, language: Tongue) -> str:
    """Simplified Chinese in traditional characters, if that is what the customer writes; anything else as it is."""
    return _converter("s2t").convert(text) if language == "zh-Hant" else text


def shelf(language: Tongue) -> Literal["en", "vi", "zh"]:
    """The language of the knowledge base for a customer's."""
    return "zh" if language == "zh-Hant" else language
