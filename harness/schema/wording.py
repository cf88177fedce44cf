"""What a product's words ask for, by rule. The rule customer answers by it and scoring counts repeats by it."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from harness.schema.anyof import AnyOf
from harness.schema.screen import Screen

_DATA = Path(__file__).with_name("wording.yaml")
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？]*\n?", re.MULTILINE)
_JOINT = re.compile(r"[,;、，；]| and ")
_DECIMAL_POINT = re.compile(r"(?<=\d)\.(?=\d)")


@dataclass(frozen=True)
class _Words:
    ask: dict[str, AnyOf]
    unless: dict[str, AnyOf]
    question: re.Pattern[str]
    lists: dict[str, AnyOf]


@cache
def _words() -> _Words:
    data: dict[str, Any] = YAML(typ="safe", pure=True).load(_DATA.read_text(encoding="utf-8"))
    names = ("requests", "confirmations", "contact_words", "yes_buttons", "no_buttons", "retry_buttons")
    return _Words(
        ask={fact: AnyOf(spec["ask"]) for fact, spec in data["facts"].items()},
        unless={fact: AnyOf(spec["unless"]) for fact, spec in data["facts"].items() if "unless" in spec},
        question=re.compile(data["question_marks"]),
        lists={name: AnyOf(data[name]) for name in names},
    )


@lru_cache(maxsize=2048)
def fold(text: str) -> str:
    """Lower case, compatibility forms and white space folded, typographic quotes and dashes made plain; tones are kept."""
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold()
    return " ".join(plain.split())


_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "\u00a0": " "})


def sentences(text: str) -> list[str]:
    """The text's sentences with their end marks; addresses are taken out, decimal points do not end a sentence."""
    return list(_sentences(text))


@lru_cache(maxsize=1024)
def _sentences(text: str) -> tuple[str, ...]:
    bare = _DECIMAL_POINT.sub("\u2024", _URL.sub(" ", text))
    return tuple(s.strip().replace("\u2024", ".") for s in _SENTENCE.findall(bare) if s.strip())


@lru_cache(maxsize=2048)
def is_question(sentence: str) -> bool:
    """It ends in (or holds) a question mark of any script."""
    return bool(_words().question.search(_URL.sub(" ", sentence)))


@lru_cache(maxsize=2048)
def is_request(sentence: str) -> bool:
    """It asks for something without a question mark: "Please upload …"."""
    return bool(_words().lists["requests"].search(fold(sentence)))


@lru_cache(maxsize=2048)
def is_confirmation(sentence: str) -> bool:
    """It asks whether something shown or said is right."""
    return bool(_words().lists["confirmations"].search(fold(sentence)))


def has_question(text: str) -> bool:
    """Any sentence asks."""
    return any(is_question(s) for s in sentences(text))


def has_request(text: str) -> bool:
    """Any sentence requests."""
    return any(is_request(s) for s in sentences(text))


def count_questions(text: str) -> int:
    """Runs of question marks, addresses taken out: "ok??" is one question."""
    return sum(1 for s in sentences(text) if is_question(s))


@dataclass(frozen=True)
class Asked:
    """One fact that a sentence asks for."""

    fact: str
    sentence: str
    confirm: bool
    """Asked whether a value is right, not for the value."""


def asked(text: str) -> list[Asked]:
    """Every fact asked for, in the order of the text; a fact once per sentence."""
    return list(_asked(text))


@lru_cache(maxsize=512)
def _asked(text: str) -> tuple[Asked, ...]:
    return tuple(one for sentence in _sentences(text) for one in _asked_by(sentence))


@lru_cache(maxsize=2048)
def _asked_by(sentence: str) -> tuple[Asked, ...]:
    """Of one sentence: the texts of one screen share most of theirs."""
    if not (is_question(sentence) or is_request(sentence)):
        return ()
    words, flat = _words(), fold(sentence)
    hits = []
    for fact, pattern in words.ask.items():
        match = pattern.search(flat)
        if match and not (fact in words.unless and words.unless[fact].search(_clause(flat, match))):
            hits.append((match.start(), fact))
    return tuple(Asked(fact, sentence, is_confirmation(sentence)) for _, fact in sorted(hits))


def _clause(flat: str, match: re.Match[str]) -> str:
    """The part of a sentence, between commas and "and", in which a match lies."""
    start = max((m.end() for m in _JOINT.finditer(flat, 0, match.start())), default=0)
    end = next((m.start() for m in _JOINT.finditer(flat, match.end())), len(flat))
    return flat[start:end]


def asked_facts(text: str) -> list[str]:
    """Ids of the facts asked for (not merely to be confirmed), in order, each once."""
    return list(dict.fromkeys(a.fact for a in _asked(text) if not a.confirm))


def button_kind(name: str) -> str:
    """`yes`, `no`, `retry` or `other`, by the button's words."""
    flat = fold(name)
    for kind in ("retry", "no", "yes"):
        if _words().lists[f"{kind}_buttons"].search(flat):
            return kind
    return "other"


def nothing_to_do(screen: Screen) -> bool:
    """The reply leaves the customer nothing to do.

    No question, no request phrase, no enabled control but the composer and standing links, no final state.
    """
    if screen.final is not None:
        return False
    live = "\n".join(b.text for b in screen.blocks if b.part in ("reply", "card", "dialog", "notice"))
    if has_question(live) or has_request(live):
        return False
    acting = [
        c
        for c in screen.controls
        if c.enabled and c.part in ("reply", "card", "dialog", "notice") and c.kind != "composer"
    ]
    return not acting


def topic_words(text: str) -> set[str]:
    """The words of a label that carry meaning, for matching a file with a request."""
    return {w for w in re.findall(r"[^\W\d_]{3,}", fold(text)) if w not in _EMPTY}


_EMPTY = frozenset(
    [
        "the",
        "and",
        "for",
        "from",
        "you",
        "your",
        "our",
        "please",
        "upload",
        "send",
        "photo-of",
        "with",
        "that",
        "this",
        "have",
        "can",
        "now",
        "here",
        "file",
        "files",
    ]
)
