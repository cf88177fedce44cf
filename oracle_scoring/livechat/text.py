"""The judged part of an answer, its length, its clauses, and the form in which words are compared."""

import re

_WIDE = re.compile("[Ａ-Ｚａ-ｚ０-９＋]")
_TO_HALF = {
    code: code - 0xFEE0 for code in [*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), *range(0xFF10, 0xFF1A), 0xFF0B]
}
_CLAUSES = re.compile(r"[^，。！？；、,.!?;…～~\n\r\t 　]+")
_EDGES = " \t\r\n　"


def judged_part(answer: str) -> str:
    """What stands after the first `|`, without blanks around it; all of it where there is none."""
    head, bar, tail = answer.partition("|")
    return (tail if bar else head).strip()


def length_of(text: str) -> int:
    """Characters that are no white space."""
    return len("".join(text.split()))


def folded(text: str) -> str:
    """As it is compared: lower case, letters and figures of full width as their ordinary forms; as long as the text."""
    if _WIDE.search(text):
        text = text.translate(_TO_HALF)
    low = text.lower()
    return low if len(low) == len(text) else text


def clauses(text: str) -> list[str]:
    """What stands between marks, line breaks and blanks, in order."""
    return _CLAUSES.findall(text)


def clause_spans(text: str) -> list[tuple[int, int]]:
    """Where each of the clauses begins and ends."""
    return [hit.span() for hit in _CLAUSES.finditer(text)]


def snippet(text: str, limit: int = 40) -> str:
    """The beginning of the text, verbatim."""
    return text[:limit].strip(_EDGES)
