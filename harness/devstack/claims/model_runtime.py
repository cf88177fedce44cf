"""The `model` runtime: the configured model reads messages and words replies; the policy stays the policy.

The model proposes, rules check: a value that does not occur in the message is dropped, dates and amounts are put into
canonical form by the readers of `parse`, and where a rule reads a date, time, amount, plate, yes/no or reference
differently, the rule is right. A reply that lost its question gets the policy's own. When the model fails, the
rules and the policy's wording take over and the page says so.
"""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from openai import AsyncOpenAI, OpenAIError
from openai.types import CompletionUsage

from harness.devstack.claims import parse
from harness.devstack.claims.case import Case
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.parse import NONE
from harness.devstack.claims.understand import Context, Understanding, about, read, sentences

Emit = Callable[[str], Awaitable[None]]
log = logging.getLogger("claims.model")

NOTICE = "Our assistant is not available just now, so the replies are plainer than usual."
_READ = """You read what a customer writes to an insurer after a loss, and fill in a form in JSON.
Copy the customer's own words, complete. Never guess. Write "" for what the message does not state, and "unknown" where the customer says that they do not know."""
_WORD = """You are the claims assistant of an insurer. Rewrite the draft as your reply to the customer: friendly, plain English, at most three short sentences.
Keep the meaning and every question of the draft. Add no facts, no numbers, no promises, no other questions. Answer with the reply only."""
_MESSAGE_CUT = 1500
_OPENING = ("incident_date", "incident_time", "place", "plate", "drivable", "estimated_loss")
"""What the model looks for in a message that answers no question."""
_READ_TOKENS = 220
_WORD_TOKENS = 90


class ModelRuntime:
    """Reads and speaks with an OpenAI-compatible model.

    Args:
        client: of the endpoint.
        model: its name there.
    """

    name = "model"

    def __init__(self, client: AsyncOpenAI, model: str) -> None:
        self._client = client
        self.model: str | None = model
        self._model = model

    # -- reading ----------------------------------------------------------------------------------------------

    async def understand(self, case: Case, text: str, context: Context) -> Understanding:
        """What the model found and the rules let pass, completed by what the rules read."""
        by_rule = read(text, context)
        if context.explaining or context.correcting or case.status == "submitted" or not by_rule.said:
            return by_rule
        if context.card and not context.asked:
            return by_rule  # an answer about a file
        ids = [f for f in (context.asked or _OPENING) if f in context.wanted]
        if not ids:
            return by_rule
        try:
            proposed = await self._propose(case, text, ids)
        except (OpenAIError, ValueError, LookupError) as exc:
            _failed(case, exc)
            return by_rule
        return merge(by_rule, proposed, text, context)

    async def _propose(self, case: Case, text: str, ids: Sequence[str]) -> dict[str, str]:
        specs = catalogue().facts
        form = "\n".join(f"{f}: {specs[f].ask}" for f in ids)
        answer = await self._client.chat.completions.create(
            model=self._model,
            temperature=0,
            max_tokens=_READ_TOKENS,
            messages=[
                {"role": "system", "content": _READ},
                {"role": "user", "content": f"Form:\n{form}\n\nMessage:\n{text[:_MESSAGE_CUT]}"},
            ],
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "form", "strict": True, "schema": _schema(ids)},
            },
        )
        _count(case, answer.usage)
        found = json.loads(answer.choices[0].message.content or "")
        if not isinstance(found, dict):
            raise ValueError("the model did not answer with an object")
        return {f: str(found.get(f, "")).strip() for f in ids}

    # -- speaking ---------------------------------------------------------------------------------------------

    async def word(self, case: Case, customer_text: str, base: str, ask: str, exact: bool, emit: Emit) -> str:
        """The model's wording, sentence by sentence as each has passed the check; the question always arrives."""
        if exact:
            await emit(base)
            return base
        said: list[str] = []
        questions: list[str] = []

        async def say(sentence: str) -> None:
            await emit((" " if said else "") + sentence)
            said.append(sentence)

        async def take(sentence: str) -> None:
            if not passes(sentence, base, ask):
                return
            if "?" in sentence:
                questions.append(sentence)
            else:
                await say(sentence)

        try:
            await self._stream(case, customer_text, base, take)
        except OpenAIError as exc:
            _failed(case, exc)
        whole = " ".join([*said, *questions])
        for sentence in must_say(base, ask):
            if not covers(whole, sentence):
                await say(sentence)
        if ask:
            if covers(whole, ask, share=0.75) and whole.count("?") >= ask.count("?"):
                if questions:
                    await say(" ".join(questions))
            else:
                await say(ask)
        if not said:
            await say(base)
        return " ".join(said)

    async def _stream(self, case: Case, customer_text: str, base: str, take: Callable[[str], Awaitable[None]]) -> None:
        chunks = await self._client.chat.completions.create(
            model=self._model,
            temperature=0,
            max_tokens=_WORD_TOKENS,
            stream=True,
            stream_options={"include_usage": True},
            messages=[
                {"role": "system", "content": _WORD},
                {"role": "user", "content": f"Customer: {customer_text[:400]}\nDraft: {base}"},
            ],
        )
        pending, usage = "", None
        async for chunk in chunks:
            usage = chunk.usage or usage
            pending += (chunk.choices[0].delta.content or "") if chunk.choices else ""
            *ready, pending = _cut(pending)
            for sentence in ready:
                await take(sentence)
        _count(case, usage)
        if re.search(r"[.!?]\W*$", pending):
            await take(pending.strip())


def _schema(ids: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {f: {"type": "string", "maxLength": 300} for f in ids},
        "required": list(ids),
        "additionalProperties": False,
    }


def _cut(text: str) -> list[str]:
    """Whole sentences, then what is not finished yet."""
    spans = sentences(text)
    if not spans:
        return [""]
    if re.search(r"[.!?]\W*\s$", text):
        return [*(text[a:b].strip() for a, b in spans), ""]
    return [*(text[a:b].strip() for a, b in spans[:-1]), text[spans[-1][0] :]]


def _count(case: Case, usage: CompletionUsage | None) -> None:
    case.usage.calls += 1
    if usage:
        case.usage.tokens_in += usage.prompt_tokens
        case.usage.tokens_out += usage.completion_tokens


def _failed(case: Case, exc: Exception) -> None:
    log.warning("the model failed: %s", exc)
    case.usage.calls += 1
    case.usage.failures += 1
    case.notice = NOTICE


def merge(by_rule: Understanding, proposed: dict[str, str], text: str, context: Context) -> Understanding:
    """The rules' reading with the model's grounded values put in."""
    specs = catalogue().facts
    for fact, value in proposed.items():
        asked = fact in context.asked
        if fact not in context.wanted or (fact in context.held and not asked):
            continue
        if value.casefold() == parse.UNKNOWN:
            if asked and fact not in by_rule.values and parse.says_unknown(text):
                by_rule.unknown = [*dict.fromkeys([*by_rule.unknown, fact])]
            continue
        canonical = ground(fact, value, text, context) if value else None
        if canonical is None or (fact in by_rule.values and specs[fact].kind != "text"):
            continue
        if not asked and (fact in by_rule.values or specs[fact].kind == "text"):
            continue
        by_rule.values[fact] = canonical
    by_rule.unknown = [f for f in by_rule.unknown if f not in by_rule.values]
    return by_rule


def ground(fact: str, value: str, text: str, context: Context) -> str | None:
    """The value in canonical form if the message holds it, else None."""
    kind = catalogue().facts[fact].kind
    spec = catalogue().facts[fact]
    asked = fact in context.asked
    readers: dict[str, Callable[[str], list[parse.Found]]] = {
        "date": lambda t: parse.find_dates(t, context.today),
        "time": parse.find_times,
        "amount": lambda t: parse.find_amounts(t, asked),
        "plate": lambda t: parse.find_plates(t, asked),
        "email": parse.find_emails,
        "phone": parse.find_phones,
    }
    if kind in readers:
        found = {f.value for f in readers[kind](text)}
        read_value = next((f.value for f in readers[kind](value)), None)
        return read_value if read_value in found else None
    if kind == "yes_no":
        side = parse.polarity(value)
        return side if side and (about(spec, text) or (asked and parse.polarity(text) == side)) else None
    if (kind == "reference" or spec.none_when_no) and value.casefold() in ("no", "none", "n/a", "not reported"):
        return NONE if parse.negated(text) and about(spec, text) else None
    if kind == "reference":
        return value if re.search(r"\d", value) and value.casefold() in text.casefold() else None
    return " ".join(value.split()) if covers(text, value, share=0.8) and not parse.says_unknown(value) else None


_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SMALL = {
    "the",
    "and",
    "was",
    "were",
    "are",
    "you",
    "your",
    "can",
    "what",
    "this",
    "that",
    "for",
    "with",
    "about",
    "who",
    "how",
    "did",
    "they",
}


def covers(text: str, part: str, share: float = 0.6) -> bool:
    """True if at least this share of the telling words of `part` occur in `text`."""
    have = {w.casefold() for w in _WORDS.findall(text)}
    want = [w.casefold() for w in _WORDS.findall(part)]
    telling = [w for w in want if len(w) > 2 and w not in _SMALL] or want
    return bool(telling) and sum(w in have for w in telling) >= share * len(telling)


_COURTESY = (
    "thank thanks you your sorry hear happened happen understand appreciate glad please let know help helps helped helpful "
    "telling sharing letting noted note that this have has had been very much for from okay fine great safe hope well must "
    "difficult stressful frustrating situation experience information details claim will here now take i'm i'll i've "
    "it's that's would could may need just more next also along"
)
"""Words that carry no claim of their own."""


def passes(sentence: str, base: str, ask: str) -> bool:
    """A sentence of the model's may be said: no figure and no claim of its own, no question but the policy's.

    Its telling words come from the draft or are words of courtesy, so that nothing is promised or made up.
    """
    if not sentence or set(re.findall(r"\d+", sentence)) - set(re.findall(r"\d+", base)):
        return False
    if re.match(r"^(?:draft|customer|reply|assistant)\s*:", sentence, re.I):
        return False
    if "?" in sentence:
        return bool(ask) and covers(ask, sentence, share=0.4)
    if re.match(r"^\W*(?:yes|no)\b", sentence, re.I) and not re.match(r"^\W*no problem\b", sentence, re.I):
        return False
    return covers(f"{base} {_COURTESY}", sentence, share=0.85)


def must_say(base: str, ask: str) -> list[str]:
    """Sentences of the draft before its question that carry something: what was passed on, what may come later."""
    before = base.removesuffix(ask).strip() if ask else base
    parts = [before[a:b].strip() for a, b in sentences(before)]
    return [p for p in parts if not re.match(r"^(?:thanks?\b|i am sorry|i will take)", p, re.I)]
