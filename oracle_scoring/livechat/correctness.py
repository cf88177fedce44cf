"""Correctness: rules know who does the work, the host or the viewer. What is true, they cannot know."""

from dataclasses import dataclass

from oracle_scoring.livechat.found import Found, Signals
from oracle_scoring.livechat.text import clauses
from oracle_scoring.livechat.words import Words

LAZY_CAP = 2
_LONGEST_CLAUSE = 24
"""Characters of a clause that, with a lazy phrase in it, says nothing else."""
_LONGEST_OBJECT = 6
"""Characters after “I will look” that name what is looked for."""
_BEFORE = 16
_STOPS = "，。！？；、,.!?;…～~\n\r\t 　"
_CLAUSE_LIMIT = 40
"""An answer of more clauses is never nothing but a push or a promise."""


@dataclass(frozen=True)
class Work:
    """Who works in an answer.

    Attributes:
        lazy: the phrase that pushes the work to the viewer; `active`: the one that takes it on. Empty if there is none.
        lazy_alone: nothing but pushing and courtesy; `active_alone`: nothing but promises; `alone`: nothing but the two.
    """

    lazy: str = ""
    active: str = ""
    lazy_alone: bool = False
    active_alone: bool = False
    alone: bool = False


_NONE = Work()


def work_of(answer: str, low: str, words: Words) -> Work:
    """Who works in the answer."""
    lazy = _lazy(low, words)
    active = words["active"].search(low)
    if lazy is None and active is None:
        return _NONE
    kinds = _kinds(low, words) if len(low) <= _LONGEST_CLAUSE * _CLAUSE_LIMIT else {"other"}
    return Work(
        answer[lazy[0] : lazy[1]] if lazy else "",
        answer[active.start() : active.end()] if active else "",
        lazy is not None and kinds <= {"lazy", "courtesy"},
        active is not None and kinds <= {"active", "courtesy"},
        kinds <= {"lazy", "active", "courtesy"},
    )


def correctness(work: Work, figures: str) -> Found:
    """The score of an answer in which so is worked.

    Args:
        figures: a figure of the query that the answer repeats; empty if there is none.
    """
    signals: Signals = {}
    if figures:
        signals["echoes"] = figures
    if work.active:
        signals["active"] = work.active
    if work.lazy:
        signals["lazy"] = work.lazy
        if work.alone:
            return Found(2, work.lazy, "lazy: the viewer is sent to look for the answer", LAZY_CAP, signals)
        return Found(None, "", f"sends the viewer to look (“{work.lazy}”), and says more", LAZY_CAP, signals)
    if work.active_alone:
        return Found(3, work.active, "host or staff take it on, and nothing is claimed", 5, signals)
    return Found(None, "", "what is true is not for rules to say", 5, signals)


def _lazy(low: str, words: Words) -> tuple[int, int] | None:
    """The first lazy phrase before which, in its clause, nobody of the room does the looking."""
    for hit in words["lazy"].finditer(low):
        start = hit.start()
        before = low[max(0, start - _BEFORE) : start]
        cut = max(before.rfind(c) for c in _STOPS)
        if not words["own_work"].search(before, cut + 1):
            return hit.span()
    return None


def _kinds(low: str, words: Words) -> set[str]:
    found = clauses(low)
    if len(found) > _CLAUSE_LIMIT:
        return {"other"}
    return {_kind(clause, words) for clause in found}


def _kind(clause: str, words: Words) -> str:
    if words["courtesy"].fullmatch(clause):
        return "courtesy"
    if len(clause) <= _LONGEST_CLAUSE and _lazy(clause, words):
        return "lazy"
    hit = words["active"].search(clause)
    if hit and hit.start() <= _LONGEST_OBJECT and len(clause) - hit.end() <= _LONGEST_OBJECT:
        lead = clause[: hit.start()]
        if not lead or words["courtesy"].fullmatch(lead) or lead in ("那", "这边", "这个", "您", "那我", "先"):
            return "active"
    return "other"
