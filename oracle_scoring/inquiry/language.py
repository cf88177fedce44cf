"""The dominant language of a short text: script first, then words that leave no doubt, then a detector (py3langid).

Results: `zh-Hans`, `zh-Hant`, `zh` (characters that both scripts share), `en`, `vi`, another ISO 639-1 code, or `und`.
"""

import re
from functools import cache, lru_cache
from typing import Any

from oracle_scoring.inquiry.chinese import script_counts

UNDETERMINED = "und"
_VIETNAMESE = re.compile("[ăđơưĂĐƠƯ\u1ea0-\u1ef9]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_OTHER_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"), "ko": re.compile("[\uac00-\ud7af]"), "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"), "th": re.compile("[\u0e00-\u0e7f]"), "hi": re.compile("[\u0900-\u097f]"),
    "el": re.compile("[\u0370-\u03ff]"), "he": re.compile("[\u0590-\u05ff]"),
}  # fmt: skip
_ANY_OTHER_SCRIPT = re.compile("|".join(p.pattern for p in _OTHER_SCRIPTS.values()))
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ENGLISH = frozenset(
    [
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "a",
        "an",
        "of",
        "to",
        "for",
        "with",
        "and",
        "or",
        "not",
        "do",
        "does",
        "did",
        "can",
        "could",
        "will",
        "would",
        "should",
        "may",
        "might",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "i",
        "i'm",
        "i'd",
        "i'll",
        "you",
        "your",
        "yours",
        "we",
        "our",
        "us",
        "they",
        "their",
        "my",
        "me",
        "he",
        "she",
        "what",
        "which",
        "who",
        "how",
        "when",
        "where",
        "why",
        "there",
        "here",
        "have",
        "has",
        "had",
        "in",
        "on",
        "at",
        "by",
        "from",
        "if",
        "please",
        "need",
        "want",
        "about",
        "just",
        "any",
        "some",
        "more",
        "all",
        "also",
        "so",
        "but",
        "than",
        "then",
        "let",
        "don't",
        "it's",
        "we're",
        "you're",
        "i've",
        "what's",
        "that's",
    ]
)
_AMBIGUOUS_ENGLISH = frozenset(
    [
        "a",
        "an",
        "me",
        "we",
        "in",
        "on",
        "so",
        "i",
        "am",
        "do",
        "can",
        "has",
        "had",
        "he",
        "all",
        "it",
        "us",
        "per",
        "must",
        "made",
        "come",
    ]
)
"""Also words of other languages: they count only beside one that is not."""
_PLAIN_VIETNAMESE = frozenset(
    [
        "toi",
        "ban",
        "minh",
        "cho",
        "xin",
        "gia",
        "bao",
        "nhieu",
        "cua",
        "hang",
        "khong",
        "duoc",
        "muon",
        "mua",
        "la",
        "co",
        "voi",
        "nay",
        "nao",
        "loai",
        "mau",
        "day",
        "sac",
        "cap",
        "anh",
        "chi",
        "em",
        "oi",
        "nhe",
        "vang",
        "cam",
        "on",
        "chao",
        "shop",
        "gui",
        "bang",
        "hinh",
        "so",
        "luong",
        "giao",
        "nhanh",
        "chong",
        "nhap",
        "si",
        "le",
        "ben",
        "kieu",
        "dang",
    ]
)
_ACCENTED_VIETNAMESE = frozenset(
    [
        "giá",
        "nhiêu",
        "cáp",
        "mình",
        "có",
        "và",
        "bán",
        "màu",
        "dài",
        "gì",
        "vậy",
        "cáo",
        "hàng",
        "chào",
        "tôi",
        "bên",
        "dây",
        "cần",
        "làm",
        "đơn",
        "báo",
    ]
)
_CANDIDATES = ["en", "vi", "es", "fr", "de", "pt", "it", "id", "ms", "tr", "nl", "pl"]
_SURE = 0.85
_MIN_WORDS, _MIN_LETTERS = 3, 10


@cache
def _detector() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_CANDIDATES)
    return identifier


def detect(text: str) -> str:
    """The language that most of the text is in; `und` where it is too short or of several."""
    latin = sum(map(len, _WORD.findall(text))) if text.isascii() else _latin_letters(text)
    han = 0 if text.isascii() else sum(map(len, _HAN.findall(text)))
    if han and han * 3 >= latin:
        kana = len(_OTHER_SCRIPTS["ja"].findall(text))
        if kana * 5 > han:
            return "ja"
        return _chinese(text)
    if not text.isascii() and _ANY_OTHER_SCRIPT.search(text):
        for code, pattern in _OTHER_SCRIPTS.items():
            if len(pattern.findall(text)) > max(latin, han):
                return code
    if not latin:
        return UNDETERMINED
    return _latin_language(text)


def _latin_letters(text: str) -> int:
    return sum(map(len, _LATIN.findall(text)))


def _chinese(text: str) -> str:
    simple, traditional = script_counts(text)
    if simple == traditional:
        return "zh" if not simple else "zh-Hans"
    return "zh-Hant" if traditional > simple else "zh-Hans"


def _latin_language(text: str) -> str:
    words = _WORD.findall(text.lower().replace("’", "'"))
    if not words:
        return UNDETERMINED
    if not text.isascii():
        strong = sum(1 for w in words if _VIETNAMESE.search(w))
        known = sum(1 for w in words if w in _ACCENTED_VIETNAMESE)
        if (strong and strong * 5 >= len(words)) or (known and (strong + known) * 3 >= len(words)):
            return "vi"
    english = [w for w in words if w in _ENGLISH]
    clear = any(w not in _AMBIGUOUS_ENGLISH for w in english)
    if clear and (len(english) * 4 >= len(words) or len(english) >= 4):
        return "en"
    plain = sum(w in _PLAIN_VIETNAMESE for w in words)
    if plain >= 3 and plain * 2 > len(words):
        return "vi"
    if len(words) < _MIN_WORDS or sum(map(len, words)) < _MIN_LETTERS:
        return UNDETERMINED
    code, sure = _detector().classify(" ".join(words))
    return str(code) if sure >= _SURE else UNDETERMINED


@lru_cache(maxsize=256)
def family(code: str) -> str:
    """`zh` for any Chinese, otherwise the part before the first hyphen, lower case."""
    return code.split("-", 1)[0].lower()
