"""The words of openings: stems, words that carry no fact, and exact things (dates, times, amounts, numbers, codes)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from oracle_scoring.corpus.values import parse_date

RECENT = 96
"""So many texts are remembered: those of one package, which are asked for several times."""
_WORDS_FILE = Path(__file__).parent / "opening_words.txt"
_PHRASES_FILE = Path(__file__).parent / "opening_phrases.txt"
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(f"{m}|{m[:3]}" for m in MONTHS) + "|sept"
COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)?,? ({_MONTH})\.?,? (\d{{4}})\b", re.I)
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.I)
_FIGURES = re.compile(r"\b(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b")
_TIME = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\b\.?|\b(\d{1,2}):(\d{2})\b", re.I)
_AMOUNT = re.compile(
    r"[£€$] ?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)|(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?) ?(?:pounds?|quid|gbp|euros?|eur|dollars?|usd)\b",
    re.I,
)
_CODE = re.compile(
    r"\b[A-Z]{2}\d{2} ?[A-Z]{3}\b|\b(?=[A-Za-z0-9/-]*\d)(?=[A-Za-z0-9/-]*[A-Za-z])[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*\b"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|~")
CLAUSE = re.compile(r"[.!?;,:\n…]+")
_DIGIT = re.compile(r"\d")
LETTERS = re.compile(r"[^\W\d_]+")
NEGATIONS = frozenset(
    ["not", "no", "never", "nobody", "none", "without", "neither", "nor", "cannot", "nothing", "nowhere"]
)
BARE_NEGATIONS = frozenset(
    [
        "dont", "didnt", "isnt", "wasnt", "cant", "wont", "couldnt", "doesnt", "werent", "arent", "havent", "hasnt", "hadnt", "shouldnt",
        "wouldnt", "mustnt", "neednt", "aint",
    ]
)  # fmt: skip
"""Negations as they are typed in haste: dont, isnt, …"""
_SHORT = {
    "i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have", "i'd": "i would", "id": "i would", "i'll": "i will", "we're": "we are", "we've": "we have",
    "we'd": "we would", "we'll": "we will", "it's": "it is", "that's": "that is", "thats": "that is", "there's": "there is", "he's": "he is",
    "she's": "she is", "they're": "they are", "they've": "they have", "cannot": "can not", "can't": "can not", "cant": "can not",
    "won't": "will not", "wont": "will not", "wud": "would", "cud": "could", "shud": "should",
}  # fmt: skip
_IRREGULAR = {
    "came": "come", "went": "go", "gone": "go", "hit": "hit", "broke": "break", "broken": "break", "stole": "steal", "stolen": "steal",
    "took": "take", "taken": "take", "drove": "drive", "driven": "drive", "fell": "fall", "fallen": "fall", "ran": "run", "saw": "see",
    "seen": "see", "left": "leave", "lost": "lose", "found": "find", "tore": "tear", "torn": "tear", "blew": "blow", "blown": "blow",
    "slid": "slide", "bent": "bend", "got": "get", "gave": "give", "given": "give", "felt": "feel", "brought": "bring", "bought": "buy",
    "caught": "catch", "heard": "hear", "held": "hold", "knew": "know", "known": "know", "made": "make", "paid": "pay", "said": "say",
    "sent": "send", "stood": "stand", "struck": "strike", "threw": "throw", "thrown": "throw", "woke": "wake", "wrote": "write",
    "written": "write", "children": "child", "men": "man", "women": "woman", "feet": "foot", "leaves": "leaf", "roofs": "roof",
    "began": "begin", "begun": "begin", "shook": "shake", "shaken": "shake", "spilt": "spill", "leapt": "leap", "burnt": "burn", "smelt": "smell",
    "slipped": "slip", "wet": "wet", "cut": "cut", "split": "split", "burst": "burst", "forced": "force", "kept": "keep", "told": "tell",
    "police": "policeman", "policemen": "policeman", "evening": "eventide",  # not even
}  # fmt: skip
_NOUNS = frozenset({"children", "men", "women", "feet", "leaves", "roofs", "wet", "police", "policemen", "evening"})


@dataclass(frozen=True)
class Moved:
    """One way in which an opening says something else than it should."""

    code: str
    """`opening_says_no_fact`, `opening_fact_added`, `opening_fact_lost`, `opening_fact_changed`."""
    what: str


@lru_cache(maxsize=RECENT)
def _parted(text: str) -> tuple[Mapping[str, str], str]:
    """Dates, times, amounts and codes of a text, and the text with a tilde for each of them."""
    found: dict[str, str] = {}
    if _DIGIT.search(text) is None:
        return found, text

    def take(pattern: re.Pattern[str], build: Callable[[re.Match[str]], str | None]) -> None:
        nonlocal text

        def note(match: re.Match[str]) -> str:
            key = build(match)
            if key is None:
                return match[0]
            found.setdefault(key, match[0])
            return " ~ "

        text = pattern.sub(note, text)

    take(_ISO, lambda m: _date(m[1], m[2], m[3]))
    take(_DAY_FIRST, lambda m: _date(m[3], m[2], m[1]))
    take(_MONTH_FIRST, lambda m: _date(m[3], m[1], m[2]))
    take(_FIGURES, lambda m: _date(m[3], m[2], m[1]))
    take(_AMOUNT, lambda m: f"amount {plain_number(m[1] or m[2])}")
    take(_TIME, _time)
    take(_CODE, lambda m: f"code {re.sub('[^A-Z0-9]', '', m[0].upper())}")
    return found, text


def without_exact(text: str) -> str:
    """The text with a tilde for each date, time, amount and code; numbers stay."""
    return _parted(text)[1]


@lru_cache(maxsize=RECENT)
def exact_values(text: str) -> Mapping[str, str]:
    """Canonical exact thing -> how the text writes it: `date 2026-03-09`, `time 16:20`, `amount 1284`, `code JX24RVB`, `number 3`."""
    exact, rest = _parted(text)
    found = dict(exact)
    for match in _NUMBER.finditer(rest):
        found.setdefault(f"number {plain_number(match[0])}", match[0])
    for token in LETTERS.findall(rest):
        if token.casefold() in COUNTS:
            found.setdefault(f"number {COUNTS[token.casefold()]}", token)
    return found


def _date(year: str, month: str, day: str) -> str | None:
    number = int(month) if month.isdigit() else [m[:3] for m in MONTHS].index(month.casefold()[:3]) + 1
    value = f"{int(year):04d}-{number:02d}-{int(day):02d}"
    return f"date {value}" if parse_date(value) else None


def _time(match: re.Match[str]) -> str | None:
    hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
    if match[3]:
        hour = hour % 12 + (12 if match[3].casefold() == "p" else 0)
    return f"time {hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None


def plain_number(number: str) -> str:
    whole, _, part = number.replace(",", "").partition(".")
    part = part.rstrip("0")
    whole = str(int(whole or 0)) if len(whole) < 19 else whole.lstrip("0")  # so many digits are no amount
    return f"{whole}.{part}" if part else whole


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without common endings, so that walk, walks, walked and walking are one."""
    word = word.casefold().removesuffix("'s").removesuffix("s'").removesuffix("n't")
    word = _IRREGULAR.get(word, word)
    for ending in ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly", "er", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@cache
def neutral_stems() -> frozenset[str]:
    """Stems of words that carry no fact."""
    lines = _WORDS_FILE.read_text("utf-8").splitlines()
    return frozenset(stem(w) for line in lines if not line.startswith("#") for w in line.split())


def past(word: str) -> bool:
    """Whether a word has the form of something done: hit, tore, dented."""
    return (word in _IRREGULAR and word not in _NOUNS) or (word.endswith("ed") and len(word) > 4)


@cache
def _phrases() -> re.Pattern[str]:
    lines = (line for line in _PHRASES_FILE.read_text("utf-8").splitlines() if line and not line.startswith("#"))
    return re.compile("|".join(rf"\b{' +'.join(f'(?:{place})' for place in line.split())}\b" for line in lines), re.I)


def words(text: str) -> list[str]:
    """The words of a text as they stand, parted at apostrophes, without figures."""
    return LETTERS.findall(text)


@lru_cache(maxsize=RECENT)
def content_stems(text: str) -> Mapping[str, str]:
    """Stem -> word, for the words that may carry a fact."""
    neutral = neutral_stems()
    found: dict[str, str] = {}
    for word in words(_phrases().sub(" ", text.replace("’", "'"))):
        if (s := stem(word)) not in neutral and len(s) > 1 and word.casefold() not in COUNTS:
            found.setdefault(s, word)
    return found


def slip(a: str, b: str) -> bool:
    """Whether `a` is `b` with one slip of the hand (two in long words): a letter lost, doubled, wrong or swapped."""
    limit = 2 if len(b) >= 7 else 1 if len(b) >= 3 else 0
    if limit == 0 or abs(len(a) - len(b)) > limit or len(set(a) ^ set(b)) > 2 * limit:
        return False
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1] <= limit


def _normal(word: str) -> list[str]:
    """One written word as the words that are compared."""
    if word in _SHORT:
        return _SHORT[word].split()
    if word.endswith("n't"):
        return [word.removesuffix("n't"), "not"]
    if word in BARE_NEGATIONS:
        return [word.removesuffix("nt"), "not"]
    return [word.partition("'")[0]]


@lru_cache(maxsize=RECENT)
def clauses(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each clause in their order, numbers among them, exact things as a tilde."""
    found = []
    for clause in CLAUSE.split(without_exact(text).replace("’", "'").casefold()):
        said = [n for word in TOKEN.findall(clause) for n in _normal(word)]
        if said:
            found.append(tuple(said))
    return tuple(found)
