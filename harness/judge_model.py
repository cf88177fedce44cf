"""The judge's model behind an OpenAI-compatible endpoint: one request in, one completion or one kind of fault out."""

import asyncio
from decimal import Decimal
from typing import Any

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, BadRequestError, RateLimitError

from harness.config import Config, Endpoint
from harness.errors import EnvironmentFault, one_line
from harness.stack import connection
from oracle_scoring.judge.faults import EndpointFault, SchemaRefused, TransportFault
from oracle_scoring.judge.reply import Completion

TIMEOUT_S = 300.0
NO_JUDGE = (
    "no model judges: set RIG_JUDGE_BASE_URL and RIG_JUDGE_MODEL (and RIG_JUDGE_API_KEY), or start the small local one with "
    "rig stack up --model"
)


class JudgeModel:
    """An endpoint. Tries nothing twice; who asks decides that.

    Args:
        timeout_s: for a whole answer, however steadily it drips.
    """

    def __init__(self, endpoint: Endpoint, timeout_s: float = TIMEOUT_S) -> None:
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._http = httpx2.AsyncClient(timeout=timeout_s, trust_env=False)
        self._client = AsyncOpenAI(
            base_url=endpoint.base_url, api_key=endpoint.api_key, max_retries=0, timeout=timeout_s,
            http_client=self._http,
        )  # fmt: skip

    @property
    def model(self) -> str:
        """Name sent to the endpoint."""
        return self._endpoint.model

    @property
    def weak(self) -> bool:
        """It is the small model that stands in where none is configured."""
        return self._endpoint.state == "embedded"

    async def complete(self, body: dict[str, Any]) -> Completion:
        """One chat completion.

        Raises:
            EndpointFault: none came.
            SchemaRefused: HTTP 400 to a request with a `response_format`.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                raw = await self._client.chat.completions.with_raw_response.create(**body)
            return self._read(raw.parse())
        except BadRequestError as exc:
            why = one_line(f"HTTP 400: {exc.message}", 200)
            if "response_format" in body:
                raise SchemaRefused(why) from exc
            raise EndpointFault("http_error", why) from exc
        except RateLimitError as exc:
            raise EndpointFault(
                "rate_limited", one_line(f"HTTP 429: {exc.message}", 200), _retry_after(exc.response.headers)
            ) from exc
        except (APITimeoutError, TimeoutError) as exc:
            raise EndpointFault("timeout", f"no whole answer in {self._timeout_s:g} s") from exc
        except APIConnectionError as exc:
            lost: TransportFault = "unreachable" if isinstance(exc.__cause__, httpx2.ConnectError) else "cut_off"
            raise EndpointFault(lost, one_line(f"{exc.__cause__ or exc}", 200)) from exc
        except APIStatusError as exc:
            why = one_line(f"HTTP {exc.status_code}: {exc.message}", 200)
            kind: TransportFault = "server_error" if exc.status_code >= 500 or exc.status_code == 408 else "http_error"
            raise EndpointFault(kind, why, _retry_after(exc.response.headers)) from exc
        except (ValueError, TypeError, AttributeError, IndexError, RecursionError) as exc:
            why = one_line(f"the answer is no chat completion ({type(exc).__name__}: {exc})", 200)
            raise EndpointFault("not_a_completion", why) from exc

    def _read(self, got: Any) -> Completion:
        choice, usage = got.choices[0], got.usage
        text = choice.message.content
        if text is None:
            text = ""
        if not isinstance(text, str):
            raise TypeError(f"the message's content is a {type(text).__name__}, not text")
        text.encode()  # half of a surrogate pair is not text: UnicodeEncodeError is a ValueError
        refused = getattr(choice.message, "refusal", None)
        return Completion(
            text=text or str(refused or ""),
            finish="refusal" if refused else str(choice.finish_reason or ""),
            model=str(got.model or ""),
            reasoned=any(getattr(choice.message, name, None) for name in ("reasoning_content", "reasoning")),
            weak=self.weak, tokens_in=_count(usage, "prompt_tokens"), tokens_out=_count(usage, "completion_tokens"),
            cost=self._cost(_count(usage, "prompt_tokens"), _count(usage, "completion_tokens")),
        )  # fmt: skip

    def _cost(self, tokens_in: int | None, tokens_out: int | None) -> str | None:
        price = self._endpoint.price
        if price is None or tokens_in is None or tokens_out is None:
            return None
        amount = (price.input_per_million * tokens_in + price.output_per_million * tokens_out) / Decimal(1_000_000)
        return f"{amount:f} {price.currency}"

    async def close(self) -> None:
        """Close the connection pool."""
        await self._http.aclose()


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and value >= 0 else None


def _retry_after(headers: Any) -> float | None:
    """Seconds of `Retry-After`; a date or nonsense counts as not given."""
    text = str(headers.get("retry-after", ""))
    return float(text) if text.isascii() and text.isdigit() else None


def judge_endpoint(config: Config) -> Endpoint:
    """The configured judge, else the local model if the local stack runs it.

    Raises:
        InputError: the judge is configured only in part.
        EnvironmentFault: there is none.
    """
    found = config.endpoint("judge")
    if found is not None:
        return found
    try:
        local = connection(config).endpoints.get("judge")
    except EnvironmentFault as exc:
        raise EnvironmentFault(NO_JUDGE) from exc
    if local is None:
        raise EnvironmentFault(NO_JUDGE)
    return local
