"""The model runtime of the inquiry app, on an endpoint that says what the test wants."""

import json
from types import SimpleNamespace
from typing import Any, cast

from openai import AsyncOpenAI, OpenAIError

from harness.devstack.inquiry.model_agents import NOTICE, STEPS, ModelAgents
from tests.unit.devstack.inquiry_worlds import outputs, replies, say, talk

NOBODY = '{"shouldAutoConvert":false,"shouldForceHumanTakeover":false,"conversationIntent":"business"}'


def step(reply: str = "", tool: str = "", asks: str = "", **arguments: Any) -> str:
    """One step of the inquiry assistant, as the model writes it."""
    return json.dumps({"tool": tool, "arguments": arguments, "replyText": reply, "asks": asks})


class Endpoint:
    """Answers in turn; keeps what it was asked."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self.create))

    async def create(self, **request: Any) -> Any:
        """The next answer."""
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        usage = SimpleNamespace(prompt_tokens=10, completion_tokens=2)
        return SimpleNamespace(usage=usage, choices=[SimpleNamespace(message=SimpleNamespace(content=answer))])


def agents(endpoint: Endpoint) -> ModelAgents:
    """Both agents on this endpoint."""
    return ModelAgents(cast(AsyncOpenAI, endpoint), "stub")


def test_tools_are_called_and_their_results_given_before_the_reply() -> None:
    """Decision first, then a look-up, then the reply; calls, tokens and the field asked for are kept."""
    one = talk()
    endpoint = Endpoint(
        NOBODY,
        step(tool="knowledge_search", query="moq", language="en"),
        step("The MOQ is 500 pieces.", asks="buyer_type"),
    )
    turn = say(one, "What is your MOQ?", agents=agents(endpoint))
    assert turn["reply_text"] == "The MOQ is 500 pieces." and turn["asked_field_keys"] == ["buyer_type"]
    assert [c["name"] for c in turn["tool_calls"]] == ["knowledge_search"] and turn["tool_calls"][0]["result"]["hit"]
    assert "500 pieces per style" in endpoint.asked[2]["messages"][-1]["content"]
    assert (one.usage.calls, one.usage.tokens_in, one.usage.tokens_out) == (3, 30, 6)


def test_the_decision_is_kept_to_the_letter_and_what_is_no_json_changes_nothing() -> None:
    """A fence around it stays in the log; nobody is handed over by it."""
    one = talk()
    fenced = f"```json\n{NOBODY.replace('false', 'true')}\n```"
    turn = say(one, "Hi", agents=agents(Endpoint(fenced, step("Hello."))))
    assert turn["conversion"]["output"] == fenced and one.hand_over is None and one.lead_status is None


def test_a_model_that_gives_nothing_is_replaced_by_the_rules_and_the_page_says_so() -> None:
    """An endpoint that is down, an answer without words, and one that is no object."""
    for broken in (OpenAIError("down"), step(), "[]", "not json"):
        one = talk()
        say(one, "Hi", agents=agents(Endpoint(OpenAIError("down"), broken)))
        assert "Tom Jasper" in replies(one)[0] and one.notice == NOTICE
        assert outputs(one) == [("inbound", False, False, "business")]


def test_a_model_that_never_stops_looking_up_is_stopped() -> None:
    """After so many calls it may only speak."""
    one = talk()
    endless = [step(tool="get_product_media", productId="P-7") for _ in range(STEPS)]
    endpoint = Endpoint(NOBODY, *endless, step("Here it is."))
    assert say(one, "Hi", agents=agents(endpoint))["reply_text"] == "Here it is."
    schema = endpoint.asked[-1]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["tool"]["enum"] == [""]
