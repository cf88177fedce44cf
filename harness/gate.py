"""The one way to the customer's model: checks on every request, keys, caps, and the record of calls. Fails closed."""

import asyncio
import html
import json
import re
import time
import unicodedata
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, BadRequestError, RateLimitError
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from harness.config import Endpoint
from harness.errors import GateClosed, InputError, one_line
from harness.gate_render import Replay, Sections, locked_template
from harness.record import AppendFile, Redactor
from harness.schema.order import ModelReply, ModelRequest
from harness.schema.run import CallUsage, Cost, PromptLine
from harness.schema.strict_json import canonical, read_bytes, sha256_hex
from harness.stage import StagedPackage, check_staged, view_bytes

TIMEOUT_S = 300.0
"""A cold prompt on a small machine takes long; a hung endpoint does not take for ever."""
TRANSPORT_TRIES = 4
MAX_TOKENS = 500
RECORD_LIMIT = 256 * 1024 * 1024
_QUOTA = re.compile(
    r"\b(rate limit|quota|too many requests|insufficient[_ ](quota|balance)|exceeded your)\b", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"\A\W*(i'?m sorry,? but i can(no|')t|i can(no|')t (help|assist) with|i am unable to (help|assist))", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_LOWER = bytes(range(256)).lower()
_NEITHER = bytes(n for n in range(128) if not chr(n).isalnum())
"""ASCII that is neither letter nor digit."""
_BODY_KEYS = frozenset({"model", "messages", "temperature", "seed", "max_tokens", "response_format"})
_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "authorization", "content-type", "content-length", "user-agent",
     "openai-organization", "openai-project"}
)  # fmt: skip
"""Headers the client sends by itself, beside those of `_HEADER_PREFIX`."""
_HEADER_PREFIX = "x-stainless-"


class _Busy(Exception):
    """The endpoint asks to come again later."""


@dataclass
class Answer:
    """What an endpoint gave back."""

    text: str
    finish: str
    usage: CallUsage
    status: int | None


class ModelSource(Protocol):
    """Where replies come from: an endpoint or a record."""

    async def complete(self, body: dict[str, Any], request_sha256: str) -> Answer:
        """One completion. Raises the openai client's errors."""
        ...


class EndpointSource:
    """An OpenAI-compatible endpoint. The bytes of each request are looked at last of all, when nothing can change any more.

    They are sent only if `inspect` lets them pass, if they are the request that was recorded, and if address and headers are
    those of an ordinary call.
    """

    inspect: Callable[..., None] | None = None
    """Set by the gate's owner; without it nothing is sent."""

    def __init__(self, endpoint: Endpoint, timeout_s: float = TIMEOUT_S) -> None:
        async def look(request: httpx2.Request) -> None:
            if self.inspect is None:
                raise GateClosed("canary", "nobody looks at the request")
            self.inspect(request.content, f"{request.url} " + " ".join(f"{k}: {v}" for k, v in request.headers.items()))
            self.check_wire(request)

        self._endpoint = endpoint
        self._recorded: dict[str, Any] = {}
        self._timeout_s = timeout_s
        self._http = httpx2.AsyncClient(event_hooks={"request": [look]}, timeout=timeout_s, trust_env=False)
        self._client = AsyncOpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.api_key,
            max_retries=0,
            timeout=timeout_s,
            http_client=self._http,
        )
        self._address = f"{self._client.base_url}chat/completions"

    def check_wire(self, request: httpx2.Request) -> None:
        """GateClosed(`residue`) unless what leaves is the recorded request, to the endpoint, with ordinary headers."""
        if json.loads(request.content) != self._recorded:
            raise GateClosed("residue", "the bytes on the wire are not the request that was recorded")
        if str(request.url) != self._address:
            raise GateClosed("residue", "the address is not the endpoint's")
        strange = sorted(k for k in request.headers if k not in _HEADERS and not k.startswith(_HEADER_PREFIX))
        if strange:
            raise GateClosed("residue", f"the request carries the header {', '.join(strange)}")

    async def complete(self, body: dict[str, Any], request_sha256: str) -> Answer:
        """One chat completion. TimeoutError if it is not whole in time, however steadily it drips."""
        self._recorded = body
        async with asyncio.timeout(self._timeout_s):
            raw = await self._client.chat.completions.with_raw_response.create(**body)
        got = raw.parse()
        if not isinstance(got.choices, list):
            raise TypeError("there is no list of choices")
        choice = got.choices[0] if got.choices else None
        tokens_in = got.usage.prompt_tokens if got.usage else None
        tokens_out = got.usage.completion_tokens if got.usage else None
        price = self._endpoint.price
        cost = None
        if price is not None and tokens_in is not None and tokens_out is not None:
            amount = (price.input_per_million * tokens_in + price.output_per_million * tokens_out) / Decimal(1_000_000)
            cost = f"{amount:f} {price.currency}"
        text = (choice.message.content or "") if choice else ""
        if not isinstance(text, str):
            raise TypeError(f"the message's content is a {type(text).__name__}, not text")
        text.encode()  # half of a surrogate pair is not text: UnicodeEncodeError is a ValueError
        finish = "refusal" if choice and choice.message.refusal else str(choice.finish_reason) if choice else "none"
        return Answer(text, finish, CallUsage(tokens_in=tokens_in, tokens_out=tokens_out, cost=cost), raw.status_code)

    async def close(self) -> None:
        """Close the connection pool."""
        await self._http.aclose()


class RecordedSource:
    """Replies of an earlier attempt, by request hash, in the order they came."""

    def __init__(self, prompts: Path) -> None:
        self._replies: dict[str, deque[str]] = {}
        hashes: dict[str, str] = {}
        for number, line in enumerate(read_bytes(prompts, limit=RECORD_LIMIT).splitlines(), start=1):
            try:
                entry = json.loads(line)
            except ValueError as exc:
                raise InputError(f"{prompts}: line {number}", "is not JSON") from exc
            if not isinstance(entry, dict) or not isinstance(entry.get("call"), str):
                raise InputError(f"{prompts}: line {number}", "is not a line of prompts.jsonl")
            if entry.get("kind") == "model_call_started":
                hashes[entry["call"]] = str(entry.get("request_sha256"))
            elif entry.get("outcome") == "ok" and entry["call"] in hashes:
                self._replies.setdefault(hashes[entry["call"]], deque()).append(entry["reply"])
        if not self._replies:
            raise InputError(str(prompts), "holds no answered model call")

    async def complete(self, body: dict[str, Any], request_sha256: str) -> Answer:
        """The next reply recorded for this request."""
        waiting = self._replies.get(request_sha256)
        if not waiting:
            raise LookupError("no reply was recorded for this request")
        return Answer(waiting.popleft(), "stop", CallUsage(tokens_in=None, tokens_out=None, cost=None), None)


@dataclass
class Caps:
    """Bounds of one journey; reaching one closes the gate."""

    calls: int = 400
    cost: Decimal | None = None


@dataclass
class Gate:
    """The gate of one attempt.

    Attributes:
        model: name sent to the endpoint.
        source: endpoint or record.
        staged: what the customer may know; compared with the package before every call.
        attempt_dir: where events.jsonl is read (screens, words, notes) and prompts.jsonl is written.
    """

    model: str
    source: ModelSource
    staged: StagedPackage
    attempt_dir: Path
    redactor: Redactor
    rng_seed: int
    canaries: dict[str, str]
    caps: Caps = field(default_factory=Caps)
    calls: int = 0
    priced: Decimal = Decimal(0)
    currency: str | None = None
    tokens: list[tuple[int | None, int | None]] = field(default_factory=list)
    unpriced: int = 0
    under_way: int = 0
    _schema_level: int = 0
    _file: AppendFile | None = None
    _replay: Replay | None = None
    _read_up_to: int = 0
    """Bytes of events.jsonl that are in the replay."""

    def __post_init__(self) -> None:
        self._sections = Sections(locked_template())
        self._file = AppendFile(self.attempt_dir / "prompts.jsonl")

    def inspect(self, *texts: bytes | str) -> None:
        """GateClosed(`canary`) if any hidden file's canary stands in what is about to be sent, plain or written another way.

        Case, escapes (of JSON, addresses and HTML), full-width forms, and anything between the digits do not hide it.
        """
        for text in texts:
            bare = bare_digits(text.decode("utf-8", "replace") if isinstance(text, bytes) else text)
            for name, canary in self.canaries.items():
                if canary in bare:
                    raise GateClosed("canary", f"the request holds the canary of {name}")

    def check(self, request: ModelRequest) -> tuple[ModelRequest, str]:
        """All checks that must hold before anything is sent. Raises GateClosed.

        What is sent is what the gate rendered, never the worker's bytes: equal by the check, and with the schema's fields in
        their own order, which a small model needs.

        Returns:
            The request in the gate's own rendering, and the SHA-256 of its messages and schema.
        """
        messages, schema = canonical(request.messages), canonical(request.schema_)
        self.inspect(messages, schema)
        self.check_view()
        rendered = self.check_residue(request, schema)
        self.check_caps()
        return rendered, sha256_hex(b'{"messages":%s,"schema":%s}' % (messages, schema))

    def check_view(self) -> None:
        """GateClosed(`view`) unless what is staged equals the package's visible half."""
        check_staged(self.staged)

    def check_residue(self, request: ModelRequest, asked_schema: bytes) -> ModelRequest:
        """The request as template, view and record give it. GateClosed(`residue`) if the one asked for is another.

        Args:
            asked_schema: the bytes of the request's schema.
        """
        try:
            replay = self._replayed()
            expected, schema = replay.messages(self._sections), replay.schema()
            shown = (replay.screen or {}).get("seq"), replay.note
        except (KeyError, ValueError, TypeError, OSError) as exc:
            raise GateClosed("residue", f"the record cannot be rendered ({type(exc).__name__}: {exc})") from exc
        if request.messages != expected:
            raise GateClosed("residue", _difference(request.messages, expected))
        if asked_schema != canonical(schema):
            raise GateClosed("residue", "the schema is not the one this screen gives")
        if (request.screen, request.note) != shown:
            raise GateClosed("residue", "the request names another screen or retry note than the record")
        return ModelRequest(messages=expected, schema=schema, screen=request.screen, note=request.note)

    def _replayed(self) -> Replay:
        """The journey as the record has it now: the lines that came since the last request are added."""
        if self._replay is None:
            self._replay = Replay(json.loads(view_bytes(self.staged.package.view)))
        with (self.attempt_dir / "events.jsonl").open("rb") as file:
            file.seek(self._read_up_to)
            self._read_up_to += self._replay.take_lines(file.read())
        return self._replay

    def check_body(self, body: dict[str, Any], request: ModelRequest) -> None:
        """GateClosed(`residue`) if a body holds anything beside the checked request and the usual settings."""
        more = sorted(set(body) - _BODY_KEYS)
        if more:
            raise GateClosed("residue", f"the body carries {', '.join(more)}")
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", request.schema_)
        if body["messages"] != request.messages or schema != request.schema_:
            raise GateClosed("residue", "the body is not the request that was checked")

    def check_caps(self) -> None:
        """GateClosed(`cap`) once the journey has used what it may."""
        if self.calls >= self.caps.calls:
            raise GateClosed("cap", f"{self.calls} calls in one journey")
        if self.caps.cost is not None and self.priced >= self.caps.cost:
            raise GateClosed("cap", f"the journey cost {self.priced} {self.currency or ''}")

    async def ask(self, request: ModelRequest) -> ModelReply:
        """One request of the customer, checked, sent, recorded. Never raises for what an endpoint does."""
        try:
            request, sha = self.check(request)
        except GateClosed as exc:
            call = self._next_call()
            self._write(
                PromptLine(
                    kind="model_call_ended", call=call, at=datetime.now(UTC), outcome="gate_closed", error=str(exc)
                )
            )
            return ModelReply(call=call, outcome="gate_closed", text="", why=str(exc))
        try:
            return await self._until_answered(request, sha)
        except GateClosed as exc:
            return ModelReply(call=f"c{self.calls:04d}", outcome="gate_closed", text="", why=str(exc))
        except _Busy as exc:
            return ModelReply(call=f"c{self.calls:04d}", outcome="endpoint_down", text="", why=str(exc))

    async def _until_answered(self, request: ModelRequest, sha: str) -> ModelReply:
        """The reply, where a busy endpoint may be asked several times. Raises _Busy with its last excuse, and GateClosed."""
        try:
            return await self._once(request, sha)
        except _Busy as exc:
            excuses = [exc]

        async def ask() -> ModelReply:
            if excuses:  # the try that has just failed is the first of all
                raise excuses.pop()
            return await self._once(request, sha)

        retrying = AsyncRetrying(
            stop=stop_after_attempt(TRANSPORT_TRIES),
            wait=wait_exponential_jitter(initial=1, max=20),
            retry=retry_if_exception_type(_Busy),
            reraise=True,
        )
        reply: ModelReply = await retrying(ask)
        return reply

    def _next_call(self) -> str:
        self.calls += 1
        return f"c{self.calls:04d}"

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        retry = request.note is not None
        body: dict[str, Any] = {
            "model": self.model,
            "messages": request.messages,
            "temperature": 0.6 if retry else 0.0,
            "seed": self.rng_seed + self.calls,
            "max_tokens": MAX_TOKENS,
        }
        if self._schema_level == 0:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "move", "strict": True, "schema": request.schema_},
            }
        elif self._schema_level == 1:
            body["response_format"] = {"type": "json_object"}
        return body

    async def _once(self, request: ModelRequest, sha: str) -> ModelReply:
        while True:
            call = self._next_call()
            body = self._body(request)
            started = time.monotonic()
            try:
                self.check_body(body, request)
            except GateClosed as exc:
                self._ended(call, "gate_closed", started, error=str(exc))
                raise
            self._write(
                PromptLine(
                    kind="model_call_started",
                    call=call,
                    at=datetime.now(UTC),
                    request=body,
                    request_sha256=sha,
                    screen=request.screen,
                    retry_note=request.note,
                )
            )
            self.under_way += 1
            try:
                answer = await self.source.complete(body, sha)
            except GateClosed as exc:
                self._ended(call, "gate_closed", started, error=str(exc))
                raise
            except BadRequestError as exc:
                self._ended(
                    call,
                    "refused_schema" if self._schema_level < 2 else "http_error",
                    started,
                    status=400,
                    error=str(exc),
                )
                if self._schema_level == 2:
                    return ModelReply(call=call, outcome="endpoint_down", text="", why=one_line(f"HTTP 400: {exc}"))
                self._schema_level += 1
                continue
            except RateLimitError as exc:
                self._ended(call, "rate_limited", started, status=429, error=str(exc))
                raise _Busy(one_line(f"HTTP 429: {exc}")) from exc
            except (APITimeoutError, TimeoutError) as exc:
                self._ended(call, "timeout", started, error=str(exc) or "no whole answer in time")
                raise _Busy("the model endpoint timed out") from exc
            except APIConnectionError as exc:
                if isinstance(exc.__cause__, GateClosed):  # a client may wrap what its hook raised
                    self._ended(call, "gate_closed", started, error=str(exc.__cause__))
                    raise exc.__cause__ from exc
                self._ended(call, "http_error", started, error=str(exc))
                raise _Busy(one_line(f"the model endpoint cannot be reached: {exc.__cause__ or exc}")) from exc
            except APIStatusError as exc:
                self._ended(call, "http_error", started, status=exc.status_code, error=str(exc))
                if exc.status_code >= 500:
                    raise _Busy(one_line(f"HTTP {exc.status_code}: {exc}")) from exc
                return ModelReply(
                    call=call, outcome="endpoint_down", text="", why=one_line(f"HTTP {exc.status_code}: {exc}")
                )
            except LookupError as exc:
                self._ended(call, "http_error", started, error=str(exc))
                return ModelReply(call=call, outcome="endpoint_down", text="", why=str(exc))
            except (ValueError, TypeError, AttributeError, RecursionError) as exc:
                self._ended(call, "http_error", started, error=f"{type(exc).__name__}: {exc}")
                raise _Busy(one_line(f"the endpoint's answer is not a chat completion: {exc}")) from exc
            finally:
                self.under_way -= 1
            return self._judge(call, answer, started)

    def _judge(self, call: str, answer: Answer, started: float) -> ModelReply:
        self._account(answer.usage)
        if (
            answer.usage.tokens_out in (0, None)
            and len(answer.text) < 600
            and _QUOTA.search(answer.text)
            and not answer.text.lstrip().startswith("{")
        ):
            self._ended(call, "quota_text", started, answer=answer)
            raise _Busy(one_line(f"quota text instead of an answer: {answer.text}"))
        if answer.finish == "refusal" or _REFUSAL.match(answer.text):
            self._ended(call, "refusal", started, answer=answer)
            return ModelReply(call=call, outcome="refusal", text=answer.text, why="the model refused")
        if not answer.text.strip():
            self._ended(call, "empty", started, answer=answer)
            return ModelReply(call=call, outcome="empty", text="", why="an empty reply")
        if answer.finish == "length":
            self._ended(call, "truncated", started, answer=answer)
            return ModelReply(call=call, outcome="truncated", text=answer.text, why=f"cut after {MAX_TOKENS} tokens")
        self._ended(call, "ok", started, answer=answer)
        return ModelReply(call=call, outcome="ok", text=answer.text, why="")

    def _account(self, usage: CallUsage) -> None:
        self.tokens.append((usage.tokens_in, usage.tokens_out))
        if usage.cost is None:
            self.unpriced += 1
        else:
            amount, self.currency = usage.cost.split(" ")
            self.priced += Decimal(amount)

    def _ended(
        self,
        call: str,
        outcome: Any,
        started: float,
        answer: Answer | None = None,
        status: int | None = None,
        error: str | None = None,
    ) -> None:
        self._write(
            PromptLine(
                kind="model_call_ended",
                call=call,
                at=datetime.now(UTC),
                outcome=outcome,
                status=answer.status if answer else status,
                reply=answer.text if answer else None,
                latency_ms=round((time.monotonic() - started) * 1000, 1),
                usage=answer.usage if answer else None,
                error=one_line(error, 1000) if error else None,
            )
        )

    def _write(self, line: PromptLine) -> None:
        if self._file is not None:
            plain = line.model_dump(mode="json", exclude={"request"})
            plain["request"] = line.request  # JSON already, and by far the most of it
            self._file.append(canonical(self.redactor.json(plain)))

    def cost(self) -> Cost:
        """What the customer's model used in this attempt."""
        if isinstance(self.source, RecordedSource):
            return Cost(
                role="customer",
                calls=self.calls,
                tokens_in=None,
                tokens_out=None,
                cost=None,
                complete=False,
                why_incomplete="replies were replayed from a record",
            )
        ins, outs = [t[0] for t in self.tokens], [t[1] for t in self.tokens]
        known = all(t is not None for t in (*ins, *outs)) and self.under_way == 0
        failed = self.calls - len(self.tokens)
        why = []
        if self.under_way:
            why.append("a call was under way")
        if failed:
            why.append(f"{failed} calls ended without usage")
        if not known and not self.under_way:
            why.append("usage was not reported")
        if self.unpriced:
            why.append(f"{self.unpriced} calls are unpriced")
        return Cost(
            role="customer",
            calls=self.calls,
            tokens_in=sum(t or 0 for t in ins),
            tokens_out=sum(t or 0 for t in outs),
            cost=f"{self.priced:f} {self.currency}" if self.currency and not self.unpriced else None,
            complete=not why,
            why_incomplete="; ".join(why) or None,
        )

    def close(self) -> None:
        """Close prompts.jsonl."""
        if self._file is not None:
            self._file.close()


def bare_digits(text: str) -> str:
    """The ASCII letters and digits of a text, lower case, with escapes undone; what stands between them is dropped."""
    if "\\u" in text:
        text = _ESCAPE.sub(lambda m: chr(int(m.group(1), 16)), text)
    if "%" in text:
        text = unquote(text)
    if "&#" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).lower()
    return text.encode("ascii", "ignore").translate(_LOWER, _NEITHER).decode()


def _difference(got: list[dict[str, str]], expected: list[dict[str, str]]) -> str:
    if [m.get("role") for m in got] != [m["role"] for m in expected]:
        return "other messages than the record gives"
    for g, e in zip(got, expected, strict=True):
        if g != e:
            a, b = g.get("content", ""), e["content"]
            at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            return f"{g['role']} message differs from the record at character {at}: {a[at : at + 60]!r}"
    return "the bytes differ"
