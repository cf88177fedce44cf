"""What a script can see of the rules in any recorded journey: the same reply again, how it ended, files, wishes."""

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from harness.schema import wording
from harness.schema.events import Acted, Event, LedgerEntry, MoveDecided, Slip
from oracle_scoring.agent_rules.models import Coverage, Finding, Looked
from oracle_scoring.claims.talk import heard
from oracle_scoring.claims.words import pattern
from oracle_scoring.record import Record

LEAST_WORDS, LEAST_CHINESE = 5, 8
"""A reply of fewer words, or characters, is too short for its repetition to tell anything."""


@dataclass
class Look:
    """What came of looking for one code."""

    code: str
    state: Looked
    why: str
    findings: list[Finding] = field(default_factory=list)

    @property
    def coverage(self) -> Coverage:
        """As it stands in a run."""
        return Coverage(code=self.code, state=self.state, why=self.why)


def found(code: str, findings: list[Finding], clear: str) -> Look:
    """`found` if anything is certain; what is uncertain alone is clear but for its notes."""
    sure = sum(f.certain for f in findings)
    return Look(code, "found" if sure else "clear", f"{sure} for certain" if sure else clear, findings)


def finding(code: str, evidence: str, certain: bool = True, note: str | None = None) -> Finding:
    """A script's."""
    return Finding(code=code, evidence=evidence, by="script", certain=certain, note=note)


def place(n: int, quote: str = "") -> str:
    """An event as evidence."""
    return f"events.jsonl event {n}" + (f": “{quote}”" if quote else "")


def unclear_screens(events: Iterable[Event]) -> bool:
    """A part of a screen was cut or could not be read."""
    return any(e.kind == "screen" and (e.screen.truncated or e.screen.unreadable) for e in events)


# MT-04 -----------------------------------------------------------------------------------------------------------------


def same_reply_again(record: Record, counted: Container[int] = (), code: str = "MT-04") -> Look:
    """All that the product said in a turn, once more in a later turn, word for word.

    One fault deducts once: a reply of an event in `counted` was found under another code already, and is uncertain here. Not counted are short replies and those that only acknowledge. Where the customer gave no answer in between (did not know,
    waited, was spoilt by a slip, only handed over a file), it is uncertain: asking the same again may be right.
    """
    turns: dict[int, list[str]] = defaultdict(list)
    first: dict[int, int] = {}
    for said in heard(record.events):
        turns[said.turn].append(said.text)
        first.setdefault(said.turn, said.n)
    if not turns:
        return Look(code, "not_checked", "no reply of the product was recorded")
    earlier: dict[str, int] = {}
    findings: list[Finding] = []
    for turn in sorted(turns):
        text = "\n".join(turns[turn])
        key = wording.fold(text)
        if turn and key in earlier and _tells(text):
            excuse = _no_answer(record.events, turn)
            if first[turn] in counted:
                excuse = "it is found already, as asking for what had been given"
            quote = f"{place(first[turn], text[:200])}, as in event {earlier[key]}"
            findings.append(finding(code, quote, excuse is None, excuse))
        earlier.setdefault(key, first[turn])
    if not findings and unclear_screens(record.events):
        return Look(code, "not_checked", "a part of a screen was cut or could not be read")
    return found(code, findings, f"none of the replies of {len(turns)} turns stood there before in the same words")


def _tells(text: str) -> bool:
    flat = wording.fold(text)
    chinese = sum("\u3400" <= char <= "\u9fff" for char in flat)
    enough = chinese >= LEAST_CHINESE or len(flat.split()) >= LEAST_WORDS
    return enough and not all(
        pattern("acknowledgements").search(wording.fold(s)) and not wording.is_question(s)
        for s in wording.sentences(text)
    )


def _no_answer(events: Iterable[Event], turn: int) -> str | None:
    """Why the customer's part of the turn was no answer; None if it was one."""
    here = [e for e in events if e.turn == turn]
    acts = [e for e in here if isinstance(e, Acted) and e.confirmed and e.act != "waited"]
    if not acts:
        return "nothing of the customer's had reached the page in this turn"
    if any(isinstance(e, MoveDecided) and e.by in ("stand_in", "dead_end") for e in here):
        return "the customer had only a stand-in's words to give"
    if any(isinstance(e, LedgerEntry) and e.entry == "unknown_told" for e in here):
        return "the customer had said not to know"
    if any(isinstance(e, Slip) and e.delivered for e in here):
        return "a slip of the simulated customer stood in this turn"
    if all(e.act == "uploaded" for e in acts):
        return "each time a file had been handed over"
    return None


# EXE-06 ----------------------------------------------------------------------------------------------------------------

_BROKE = {
    "product_error": "the product broke",
    "nothing_to_do": "the product left the customer nothing to do",
}
_STOPPED = {
    "turn_limit": "the limit of turns came first",
    "time_limit": "the limit of time came first",
    "customer_left": "the customer left",
}


def broken_off(record: Record, done: bool | None, spoilt: str | None = None, code: str = "EXE-06") -> Look:
    """The journey ended in its midst and the task was not done.

    Args:
        done: the task was done; None: that cannot be known.
        spoilt: what the simulated customer did to it.
    """
    attempt = record.attempt
    reason = attempt.termination_reason
    if done or (reason == "completed" and done is None):
        return Look(code, "clear", f"the journey ended {reason}, and the task was done as far as the record shows")
    if spoilt is not None:
        return Look(code, "not_checked", spoilt)
    where = f"attempt.json: termination_reason {reason}: {attempt.why}"
    if reason in _BROKE:
        return found(code, [finding(code, where, note=_BROKE[reason])], "")
    if reason in _STOPPED:
        note = f"{_STOPPED[reason]}; whether the product broke off is for a person to say"
        return found(code, [finding(code, where, False, note)], f"{_STOPPED[reason]}; nothing shows that it broke off")
    return Look(code, "clear", f"the journey ended {reason}")


# OUT-08 ----------------------------------------------------------------------------------------------------------------


def uploads(record: Record, code: str = "OUT-08") -> Look:
    """The bytes that the product stores against those that were handed over, by hash."""
    given = [e for e in record.events if isinstance(e, Acted) and e.act == "uploaded" and e.confirmed and e.sha256]
    if not given:
        return Look(code, "nothing_to_check", "no file was handed over")
    stored = record.stored
    if stored is None:
        return Look(code, "not_checked", "which files the product stores was not recorded")
    held = {f.sha256 for f in stored if f.sha256}
    lost = [a for a in given if a.sha256 not in held]
    if lost and any(f.sha256 is None for f in stored):
        return Look(code, "not_checked", "the bytes of a stored file could not be fetched")
    findings = [finding(code, place(a.n, a.file or a.text), note="is not stored with these bytes") for a in lost]
    return found(code, findings, f"each of {len(given)} files is stored with the bytes that were handed over")
