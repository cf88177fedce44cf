"""Replies that are verdicts, and every kind that is none."""

import json
from typing import Any

import pytest

from oracle_scoring.judge.reply import Completion, Unusable, Verdict, is_quota_text, read_reply
from oracle_scoring.judge.rubric import Message

MESSAGES = (
    Message("t0", "customer", "What is the MOQ?"),
    Message("t1", "assistant", "The MOQ is “500 pcs”, dear."),
    Message("t2", "assistant", ""),
)
VALUES = ("yes", "no", "does_not_apply")
GOOD = {"message": "t1", "quote": 'The MOQ is "500 pcs"', "reason": "It answers.", "answer": "yes"}


def _read(text: str, finish: str = "stop", **more: Any) -> tuple[Verdict | Unusable, list[str]]:
    found, remarks = read_reply(Completion(text=text, finish=finish, model="m", **more), VALUES, MESSAGES)
    return found, list(remarks)


def _with(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        (json.dumps(GOOD), []),
        (f"  {json.dumps(GOOD, indent=2)}\n", []),
        (f"```json\n{json.dumps(GOOD)}\n```", ["fenced"]),
        (f"```\n{json.dumps(GOOD)}\n```", ["fenced"]),
        (f"<think>It says {{yes}}</think>\n{json.dumps(GOOD)}", ["reasoning_block"]),
        (f"So it is yes.</think>\n\n{json.dumps(GOOD)}", ["reasoning_block"]),
        (f"<THINKING>\nno?\n</THINKING>\n```json\n{json.dumps(GOOD)}\n```", ["reasoning_block", "fenced"]),
        (_with(reason="it closed </think> early"), []),
    ],
)
def test_a_verdict_is_read_through_its_wrapping(text: str, remarks: list[str]) -> None:
    """Fences and reasoning are taken off and remarked on; the quote is the message's own passage."""
    found, seen = _read(text)
    assert isinstance(found, Verdict)
    assert (found.answer, found.message, found.quote) == ("yes", "t1", "The MOQ is “500 pcs”")
    assert seen == remarks


def test_reasoning_in_a_field_of_its_own_is_remarked_on() -> None:
    """An endpoint that sends its reasoning apart is counted like one that sends it in the text."""
    assert _read(json.dumps(GOOD), reasoned=True)[1] == ["reasoning_block"]


BROKEN: list[tuple[str, str, str]] = [
    ("empty", "", "stop"),
    ("empty", "  \n\u3000", "stop"),
    ("empty", "<think>hm</think>", "stop"),
    ("empty", "```json\n\n```", "stop"),
    ("truncated", json.dumps(GOOD)[:40], "length"),
    ("truncated", "", "length"),
    ("truncated", "<think>and so on", "max_tokens"),
    ("filtered", "", "content_filter"),
    ("refusal", "", "refusal"),
    ("refusal", "I'm sorry, but I can't help with that.", "stop"),
    ("refusal", "I cannot grade this.", "stop"),
    ("refusal", "I am unable to assist.", "stop"),
    ("refusal", "抱歉，我无法评判。", "stop"),
    ("refusal", "Xin lỗi, tôi không thể.", "stop"),
    ("not_json", "yes", "stop"),
    ("not_json", "4/5", "stop"),
    ("not_json", "The answer is yes.", "stop"),
    ("not_json", f"Here it is: {json.dumps(GOOD)}", "stop"),
    ("not_json", f"{json.dumps(GOOD)} I hope this helps!", "stop"),
    ("not_json", json.dumps(GOOD) * 2, "stop"),
    ("not_json", json.dumps(GOOD)[:-1], "stop"),
    ("not_json", str(GOOD), "stop"),
    ("not_json", "<think>never closed " + json.dumps(GOOD), "stop"),
    ("not_json", '{"message": "t1", "quote": NaN, "reason": "", "answer": "yes"}', "stop"),
    ("not_json", "[" * 100_000, "stop"),
    ("not_json", "<answer>yes</answer>", "stop"),
    ("not_json", "{'answer': 'yes'}", "stop"),
    ("not_json", '\ufeff{"answer": "yes"}', "stop"),
    ("wrong_form", "true", "stop"),
    ("wrong_form", "[]", "stop"),
    ("wrong_form", '"yes"', "stop"),
    ("wrong_form", '{"answer": "yes"}', "stop"),
    ("wrong_form", _with(score=5), "stop"),
    ("wrong_form", _with(answer="Yes"), "stop"),
    ("wrong_form", _with(answer="yes or no"), "stop"),
    ("wrong_form", _with(answer=None), "stop"),
    ("wrong_form", _with(answer=True), "stop"),
    ("wrong_form", _with(answer=["yes"]), "stop"),
    ("wrong_form", _with(quote=["The MOQ"]), "stop"),
    ("wrong_form", json.dumps(GOOD)[:-1] + ', "answer": "no"}', "stop"),
    ("no_such_message", _with(message="t9"), "stop"),
    ("no_such_message", _with(message="t1 "), "stop"),
    ("no_such_message", _with(message=""), "stop"),
    ("quote_empty", _with(quote=""), "stop"),
    ("quote_empty", _with(quote="."), "stop"),
    ("quote_empty", _with(quote="“ ”"), "stop"),
    ("quote_absent", _with(quote="The MOQ is 1000 pcs"), "stop"),
    ("quote_absent", _with(quote="The MOQ ... dear"), "stop"),
    ("quote_absent", _with(message="t0"), "stop"),
    ("quote_absent", _with(message="t2", quote="The MOQ"), "stop"),
    ("quote_absent", _with(quote="What is the MOQ? The MOQ is"), "stop"),
    ("quote_absent", _with(quote='"text": "The MOQ is'), "stop"),
    ("quote_absent", _with(quote="x" * 100_000), "stop"),
]


@pytest.mark.parametrize(("kind", "text", "finish"), BROKEN)
def test_a_broken_reply_is_never_a_verdict(kind: str, text: str, finish: str) -> None:
    """Each kind of broken reply is told apart, and none of them yields an answer."""
    found, _ = _read(text, finish)
    assert isinstance(found, Unusable)
    assert found.kind == kind
    assert "\n" not in found.why
    assert len(found.why) <= 300


def test_words_about_a_quota_are_no_reply() -> None:
    """A short text on quotas that cost no tokens is the endpoint's word, not the model's; with tokens, or as JSON, it is the model's."""
    words = "Too many requests: you exceeded your quota."
    assert is_quota_text(Completion(text=words, finish="stop", model=""))
    assert not is_quota_text(Completion(text=words, finish="stop", model="", tokens_out=9))
    assert not is_quota_text(Completion(text=_with(reason="a quota"), finish="stop", model=""))
