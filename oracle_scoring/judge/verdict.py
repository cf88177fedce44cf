"""What came of a question, and how it stands beside a rule: a rule's word is never replaced."""

from dataclasses import dataclass
from typing import Literal

from harness.schema.base import Strict
from oracle_scoring.judge.faults import Fault
from oracle_scoring.judge.rubric import Open, Ruled


class Judged(Strict):
    """One row: a verdict, or that there is none."""

    question: str
    rubric: str
    prompt_sha256: str
    """Of every word a judge was told beside the material."""
    request_sha256: str | None
    """Of the last request; None if nothing was asked."""
    model: str
    """As configured."""
    answered_as: str
    """As the endpoint reports itself; empty if it does not, or did not answer."""
    weak: bool
    """The small local model judged, which stands in where none is configured."""
    answer: str | None
    """One of the rubric's options; None: not judged."""
    message: str | None
    quote: str | None
    """Verbatim from that message."""
    reason: str | None
    """The judge's words; hostile text."""
    not_judged: Fault | None
    why: str | None
    tries: list[str]
    """How each call or replayed answer ended, in order; `ok`: this verdict."""
    replayed: bool
    """No call was made: every answer came from a file of earlier ones."""


@dataclass(frozen=True)
class Settled:
    """What stands in the end."""

    value: str | None
    """None: nobody decided."""
    by: Literal["rule", "judge", "nobody"]
    quote: str
    reason: str


def settle(found: Ruled | Open, judged: Judged | None) -> Settled:
    """The rule's word if it has one, whatever a judge says; else the judge's, within the rule's cap; else nothing.

    Raises:
        TypeError: a judge was asked although a rule had decided.
    """
    if isinstance(found, Ruled):
        if judged is not None:
            raise TypeError(f"{judged.question}: a rule decided; a judge's word has no place here")
        return Settled(found.value, "rule", found.quote, found.reason)
    if judged is None:
        return Settled(None, "nobody", "", found.why)
    if judged.answer is None:
        return Settled(None, "nobody", "", f"not judged: {judged.not_judged}")
    value = judged.answer
    if found.at_most is not None and value.isdecimal() and int(value) > found.at_most:
        why = f"{judged.reason} (the judge gave {value}; {found.why} caps at {found.at_most})"
        return Settled(str(found.at_most), "judge", judged.quote or "", why)
    return Settled(value, "judge", judged.quote or "", judged.reason or "")
