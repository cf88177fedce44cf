"""The model runtime with a scripted endpoint: the model proposes, the rules check."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from openai import AsyncOpenAI

from harness.devstack.claims.model_runtime import NOTICE, ModelRuntime, covers, passes
from tests.unit.devstack.talks import OPENING, Talk

Answer = Callable[[dict[str, Any]], httpx.Response]


def runtime(form: dict[str, str] | None = None, words: str = "", status: int = 200) -> tuple[ModelRuntime, list[Any]]:
    """A runtime whose endpoint fills in this form and says these words; and the requests it got."""
    seen: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        seen.append(body)
        if status != 200:
            return httpx.Response(status, json={"error": {"message": "no"}})
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        if body.get("stream"):
            chunks: list[dict[str, Any]] = [
                {
                    "id": "x",
                    "object": "chat.completion.chunk",
                    "created": 0,
                    "model": "m",
                    "choices": [{"index": 0, "delta": {"content": words[i : i + 7]}}],
                }
                for i in range(0, len(words), 7)
            ]
            chunks.append(
                {
                    "id": "x",
                    "object": "chat.completion.chunk",
                    "created": 0,
                    "model": "m",
                    "choices": [],
                    "usage": usage,
                }
            )
            text = "".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n"
            return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})
        message = {"role": "assistant", "content": json.dumps(form or {})}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return httpx.Response(
            200,
            json={
                "id": "x",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [choice],
                "usage": usage,
            },
        )

    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    client = AsyncOpenAI(base_url="http://127.0.0.1:1/v1", api_key="k", http_client=http, max_retries=0)
    return ModelRuntime(client, "m"), seen


def test_what_the_model_reads_is_kept_in_canonical_form() -> None:
    """A date in words becomes a date, and the usage is counted."""
    made, seen = runtime({"incident_date": "9th of March 2026", "incident_time": "4:20 in the afternoon"})
    talk = Talk(runtime=made).play([OPENING, "That was the 9th of March 2026, around 4:20 in the afternoon"])
    assert (talk.case.value("incident_date"), talk.case.value("incident_time")) == ("2026-03-09", "16:20")
    assert talk.case.usage.calls == len(seen) and talk.case.usage.tokens_in == 100 * len(seen)


def test_what_the_message_does_not_hold_is_dropped() -> None:
    """An invented date, plate or place goes no further."""
    made, _ = runtime(
        {"incident_date": "8 March 2026", "incident_time": "16:20", "place": "Leeds station", "plate": "AB12 CDE"}
    )
    talk = Talk(runtime=made).play([OPENING, "I was shopping."])
    assert not {"incident_date", "incident_time", "place", "plate"} & set(talk.case.facts)


def test_an_unknown_counts_only_if_the_customer_said_so() -> None:
    """A model that writes "unknown" for what was not mentioned makes nothing unknown."""
    made, _ = runtime({"incident_date": "unknown", "incident_time": "unknown"})
    assert Talk(runtime=made).play([OPENING, "It was raining."]).case.value("incident_date") is None
    assert Talk(runtime=made).play([OPENING, "I don't know."]).case.value("incident_date") == "unknown"


def test_the_models_words_are_said_when_they_keep_the_question() -> None:
    """Friendly words of its own, the policy's question in substance."""
    made, _ = runtime({}, "I'm sorry that happened to you. On what date did it happen, and at about what time?")
    talk = Talk(runtime=made).play([OPENING])
    assert talk.reply == "I'm sorry that happened to you. On what date did it happen, and at about what time?"
    assert "".join(talk.pieces) == talk.reply


@pytest.mark.parametrize(
    "words", ["Thank you so much.", "Thank you so much. Have you had lunch?", "Thank you so much. When?"]
)
def test_a_lost_question_is_put_back(words: str) -> None:
    """The policy's question always arrives, once; questions of the model's own do not."""
    made, _ = runtime({}, words)
    talk = Talk(runtime=made).play([OPENING])
    assert talk.reply == "Thank you so much. On what date did it happen, and about what time?"


def test_figures_of_the_models_own_are_not_said() -> None:
    """No invented case number, sum or day reaches the customer."""
    made, _ = runtime({}, "Your case number is 12345. Thank you for telling us.")
    assert "12345" not in Talk(runtime=made).play([OPENING]).reply


def test_nothing_is_promised_or_made_up() -> None:
    """An answer to the customer's question is not the model's to give; that it was passed on always arrives."""
    made, _ = runtime(
        {}, "Yes, this will affect your no claims bonus. The car was driven by you. On what date did it happen?"
    )
    talk = Talk(runtime=made).play([OPENING, "Will this affect my no claims bonus?"])
    assert "bonus" not in talk.reply and "driven" not in talk.reply
    assert "passed your question on to a colleague" in talk.reply and talk.reply.endswith("about what time?")


def test_a_failing_model_falls_back_to_rules_and_says_so() -> None:
    """The claim goes on with plain words and a notice; the failure is counted."""
    made, _ = runtime(status=500)
    talk = Talk(runtime=made).play([OPENING, "It was on 9 March 2026 at 4:20 pm."])
    assert talk.case.value("incident_date") == "2026-03-09"
    assert "Where did it happen?" in talk.reply
    assert talk.case.notice == NOTICE and talk.case.usage.failures == 4


def test_prompts_are_short_and_begin_alike() -> None:
    """The part that never changes comes first; a small model on two cores must not read much."""
    made, seen = runtime({})
    Talk(runtime=made).play([OPENING, "It was on 9 March 2026 at 4:20 pm.", "In the car park on Mill Road."])
    reads = [b for b in seen if not b.get("stream")]
    assert len({b["messages"][0]["content"] for b in reads}) == 1
    assert all(sum(len(m["content"]) for m in b["messages"]) < 2000 for b in seen)
    assert all(b["temperature"] == 0 for b in seen)


def test_checks_on_single_sentences() -> None:
    """Figures and foreign questions are refused, labels too."""
    assert passes("Thank you.", "Thanks. When?", "When?")
    assert not passes("It costs 50.", "Thanks.", "")
    assert not passes("Reply: thanks", "Thanks.", "")
    assert covers("we met at the old mill", "old mill") and not covers("we met", "old mill")


def test_the_endpoint_is_not_called_for_answers_about_files() -> None:
    """Rules are enough for "later"."""
    made, seen = runtime({})
    talk = Talk(runtime=made)
    talk.play([OPENING, "On 9 March 2026 at 4 pm.", "In the car park on Mill Road, Wexley.", ("upload", "photo", None)])
    before = len([b for b in seen if not b.get("stream")])
    talk.say("I get the quote on Thursday.")
    assert len([b for b in seen if not b.get("stream")]) == before
    assert asyncio.iscoroutinefunction(made.understand)
