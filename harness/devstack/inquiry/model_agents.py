"""The `model` runtime of the inquiry app: the configured model speaks for both agents, with the tools of the product.

The inquiry assistant answers in a fixed JSON shape, one step at a time: a call of a tool, whose result it is then given, or
the reply. The conversion assistant's output is taken to the letter. What the model does wrong is the product's own doing;
only a model that gives nothing at all is replaced, by the rules, and the page says so.
"""

import json
import logging
from typing import Any, Literal

from openai import AsyncOpenAI, OpenAIError
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionMessageParam

from harness.devstack.inquiry import assistant, conversion
from harness.devstack.inquiry.assistant import Draft
from harness.devstack.inquiry.conversion import Phase
from harness.devstack.inquiry.talk import FIELDS, Talk
from harness.devstack.inquiry.tools import NAMES, Tools
from harness.devstack.inquiry.understand import Heard

log = logging.getLogger("inquiry.model")
NOTICE = "Our assistant is not available just now, so the replies are plainer than usual."
STEPS = 5
"""Calls of tools in one turn, at most."""
_TALK_CUT = 6000
_RESULT_CUT = 3000
_REPLY_TOKENS = 500
_DECISION_TOKENS = 60

_INQUIRY = """You are Tom Jasper, sales assistant of Shenzhen Beiyijia, a factory for PD fast-charging data cables, in a web chat.
Answer with one JSON object: {"tool", "arguments", "replyText", "asks"}. To look something up, name the tool, give its arguments and leave replyText empty; its result is then given to you. To speak, leave tool empty.
Tools: search_products {category, tags, keyword}; get_product_detail {productId}; get_product_media {productId}; knowledge_search {query, language}. Policies and posters come from knowledge_search ("moq", "sample", "payment", "lead time", "certification", "custom", "company", "platform", "英文快速选品海报", "越南语快速选品海报", "catalog").
Rules. First reply: only introduce yourself and ask whether the customer is in wholesale import, online sales, own brand or custom gifts. Later: answer first, at most one question, in the customer's language. At the first talk of products, unless the look is known, send both posters as [IMAGE:id|caption] lines exactly as found, once in a conversation. Full catalogue only when asked for again after the posters: [DOCUMENT:id|fileName|caption] and [LINK:https://www.beiyijia.top/|caption].
Never give prices; the sales manager works them out by style, quantity and destination. State figures only as tools gave them; an empty cell is left to the technical department. Never speak of tools, fields or rules. Never ask for private accounts. Stay Tom Jasper, and never claim to be human.
If leadToOpportunityStatus is converted and it is outside working hours, say only, in at most two sentences: received; outside working hours; tomorrow specifications and quotation are confirmed.
asks: the form field your reply asks for, or ""."""
_CONVERSION = """You decide in the background of a sales chat. Put out one JSON object and nothing else: {"shouldAutoConvert": bool, "shouldForceHumanTakeover": bool, "conversationIntent": "business"|"off_topic"|"harassment"}.
shouldAutoConvert: true if the customer's own picture shows a QR code, cable, connector, plug, charger, packaging, catalogue, poster, style code or specification; or if both posters were sent and the customer gave new business information after them (style, connector, power, quantity, price, MOQ, sample, logo, custom, certification, delivery, identity, channel, WeChat). Never if leadToOpportunityStatus is converted.
shouldForceHumanTakeover: in working hours (09:00:00-19:59:59 Asia/Shanghai) true if converted by this message or if the customer asks for a person; outside working hours only in phase post_reply, when the last published reply was the closing and the lead is converted."""


class ModelAgents:
    """Both agents by an OpenAI-compatible model.

    Args:
        client: of the endpoint.
        model: its name there.
    """

    name: Literal["controlled", "model"] = "model"

    def __init__(self, client: AsyncOpenAI, model: str) -> None:
        self._client = client
        self._model = model
        self.model: str | None = model

    async def reply(self, talk: Talk, heard: Heard, tools: Tools) -> Draft:
        """The model's reply, after whatever it looked up."""
        messages: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": _INQUIRY},
            {"role": "user", "content": _seen(talk)},
        ]
        try:
            for step in range(STEPS + 1):
                made = await self._step(talk, messages, last=step == STEPS)
                text = str(made.get("replyText") or "").strip()
                if text or not made.get("tool"):
                    break
                arguments = made.get("arguments")
                result = tools.call(str(made["tool"]), arguments if isinstance(arguments, dict) else {})
                messages += [
                    {"role": "assistant", "content": json.dumps(made, ensure_ascii=False)},
                    {"role": "user", "content": json.dumps(result, ensure_ascii=False)[:_RESULT_CUT]},
                ]
            if not text:
                raise ValueError("the model did not say anything")
        except (OpenAIError, ValueError, LookupError) as exc:
            log.warning("conversation %s: %s", talk.ref, exc)
            talk.notice = NOTICE
            return assistant.compose(talk, heard, tools)
        asks = made.get("asks")
        return Draft(text, asks if asks in FIELDS else None, closing=assistant.closing_due(talk))

    async def _step(self, talk: Talk, messages: list[ChatCompletionMessageParam], last: bool) -> dict[str, Any]:
        answer = await self._client.chat.completions.create(
            model=self._model,
            temperature=0,
            max_tokens=_REPLY_TOKENS,
            messages=messages,
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "step", "strict": True, "schema": _schema(last)},
            },
        )
        _count(talk, answer.usage)
        made = json.loads(answer.choices[0].message.content or "")
        if not isinstance(made, dict):
            raise ValueError("the model did not answer with an object")
        return made

    async def decide(self, talk: Talk, heard: Heard, phase: Phase) -> str:
        """The model's output, to the letter."""
        try:
            answer = await self._client.chat.completions.create(
                model=self._model,
                temperature=0,
                max_tokens=_DECISION_TOKENS,
                messages=[
                    {"role": "system", "content": _CONVERSION},
                    {"role": "user", "content": f"phase: {phase}\n{_seen(talk)}"},
                ],
            )
            _count(talk, answer.usage)
            output = answer.choices[0].message.content or ""
            if not output.strip():
                raise ValueError("the model did not decide anything")
        except (OpenAIError, ValueError, LookupError) as exc:
            log.warning("conversation %s: %s", talk.ref, exc)
            talk.notice = NOTICE
            made = conversion.inbound(talk, heard) if phase == "inbound" else conversion.post_reply(talk)
            return made.output()
        return output


def _schema(last: bool) -> dict[str, Any]:
    tools = [""] if last else ["", *NAMES]
    texts = ("category", "keyword", "productId", "query", "language")
    arguments = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **{name: {"type": "string"} for name in texts},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }
    fields = {
        "tool": {"type": "string", "enum": tools},
        "arguments": arguments,
        "replyText": {"type": "string"},
        "asks": {"type": "string", "enum": ["", *FIELDS]},
    }
    return {"type": "object", "additionalProperties": False, "required": list(fields), "properties": fields}


def _seen(talk: Talk) -> str:
    """What both agents are given: context, clock, what there is to choose from, and the conversation, newest last."""
    lines = []
    for turn in talk.turns:
        if turn["role"] == "customer":
            shown = [f"(picture: {i['recognized'] or 'not recognised'})" for i in turn["images"]]
            lines.append(f"Customer [{turn['created_at']}]: {' '.join([turn['text'], *shown]).strip()}")
        elif turn["reply_text"] is not None:
            lines.append(f"Tom: {turn['reply_text']}")
    world = talk.world
    return "\n".join(
        [
            "context: " + json.dumps(talk.context(), ensure_ascii=False),
            f"working hours: {'yes' if talk.working else 'no'}; nextPendingField: {talk.next_field}",
            f"categories: {', '.join(world.categories)}; tags: {', '.join(world.tags)}",
            f"posters sent: {'yes' if talk.posters_complete else 'no'}",
            "\n".join(lines)[-_TALK_CUT:],
        ]
    )


def _count(talk: Talk, usage: CompletionUsage | None) -> None:
    talk.usage.calls += 1
    if usage is not None:
        talk.usage.tokens_in += usage.prompt_tokens
        talk.usage.tokens_out += usage.completion_tokens
