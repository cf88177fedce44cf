"""What came back, read: a verdict with a passage that really stands there, or the kind of fault it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import InputError, one_line
from harness.schema.base import Strict
from harness.schema.strict_json import parse_json
from oracle_scoring.judge.faults import Remark, ReplyFault
from oracle_scoring.judge.fold import find_quote, says_nothing
from oracle_scoring.judge.rubric import Message


class Completion(Strict):
    """One answer of an endpoint, as it is kept."""

    text: str
    finish: str
    """`stop`, `length`, `content_filter`, `refusal`, … as the endpoint says."""
    model: str
    """Name the endpoint reports for itself; empty if it reports none."""
    reasoned: bool = False
    """It sent its reasoning in a field of its own."""
    weak: bool = False
    """The small local model answered, which stands in where no judge is configured."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: str | None = None
    """Decimal with currency; None: unpriced, which is not zero."""


@dataclass(frozen=True)
class Verdict:
    """A usable reply."""

    answer: str
    message: str
    quote: str
    """As the message has it, not as the judge copied it."""
    reason: str


@dataclass(frozen=True)
class Unusable:
    """A reply that is no verdict."""

    kind: ReplyFault
    why: str


_REASONING = re.compile(r"\A\s*<(think|thinking|reasoning|thought)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(r"</(?:think|thinking|reasoning|thought)>", re.IGNORECASE)
_FENCE = re.compile(r"\A```(?:json|JSON)?[ \t]*\n(.*?)\n?[ \t]*```\Z", re.DOTALL)
_REFUSAL = re.compile(
    r"\A\W*(i'?m (very |so )?sorry\b|i can(no|')t\b|i (am|'m) (unable|not able)\b|i won't\b|sorry, (but )?i\b|"
    r"(很)?抱歉|对不起|我(无法|不能)|tôi không thể|xin lỗi)",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"\b(rate limit|quota|too many requests|insufficient[_ ]balance|exceeded your)\b", re.IGNORECASE)
_QUOTA_LENGTH = 600
_FIELDS = {"message", "quote", "reason", "answer"}
REASON_LIMIT = 300


def is_quota_text(completion: Completion) -> bool:
    """Words about a quota, not of the model's making: short, no JSON, and no tokens were used for it."""
    text = completion.text.strip()
    return (
        not completion.tokens_out
        and len(text) < _QUOTA_LENGTH
        and not text.startswith(("{", "```", "<"))
        and _QUOTA.search(text) is not None
    )


def read_reply(
    completion: Completion, values: Sequence[str], messages: Sequence[Message]
) -> tuple[Verdict | Unusable, list[Remark]]:
    """The verdict in an answer, or why there is none; and what was taken off around it.

    Args:
        values: answers that may be given.
        messages: what was shown.
    """
    remarks: list[Remark] = ["reasoning_block"] if completion.reasoned else []
    text = completion.text.strip()
    if completion.finish in ("length", "max_tokens"):
        return Unusable("truncated", "the reply stops at the limit of tokens"), remarks
    if completion.finish == "content_filter":
        return Unusable("filtered", "the endpoint's filter stopped the reply"), remarks
    if completion.finish == "refusal":
        return Unusable("refusal", one_line(text, 120) or "the model refused"), remarks
    text, reasoned = _without_reasoning(text)
    if reasoned and not remarks:
        remarks.append("reasoning_block")
    fenced = _FENCE.match(text)
    if fenced:
        remarks.append("fenced")
        text = fenced.group(1).strip()
    if not text:
        return Unusable("empty", "the reply is empty"), remarks
    if _REFUSAL.match(text):
        return Unusable("refusal", one_line(text, 120)), remarks
    try:
        value = parse_json(text.encode("utf-8", "surrogatepass"), "the reply")
    except InputError as exc:
        if exc.code == "duplicate_key":
            return Unusable("wrong_form", exc.why), remarks
        return Unusable("not_json", exc.why), remarks
    return _verdict(value, values, messages), remarks


def _without_reasoning(text: str) -> tuple[str, bool]:
    """The text without the reasoning in front of it, also where only its end was sent."""
    if found := _REASONING.match(text):
        return text[found.end() :].strip(), True
    if not text.startswith(("{", "```")) and (ends := list(_REASONING_END.finditer(text))):
        return text[ends[-1].end() :].strip(), True
    return text, False


def _verdict(value: Any, values: Sequence[str], messages: Sequence[Message]) -> Verdict | Unusable:
    if not isinstance(value, dict) or set(value) != _FIELDS or not all(isinstance(v, str) for v in value.values()):
        return Unusable("wrong_form", "the reply is not an object of message, quote, reason, answer")
    if value["answer"] not in values:
        return Unusable("wrong_form", f"the answer is {one_line(value['answer'], 40)!r}")
    source = next((m.text for m in messages if m.id == value["message"]), None)
    if source is None:
        return Unusable("no_such_message", f"there is no message {one_line(value['message'], 40)!r}")
    passage = find_quote(value["quote"], source)
    if passage is None:
        kind: ReplyFault = "quote_empty" if says_nothing(value["quote"]) else "quote_absent"
        return Unusable(kind, f"{one_line(value['quote'], 120)!r} in {value['message']}")
    return Verdict(value["answer"], value["message"], passage, one_line(value["reason"], REASON_LIMIT))
