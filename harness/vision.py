"""A vision model behind an OpenAI-compatible endpoint: one picture and one question in, one answer out. Nothing is remembered."""

import base64
import re
from dataclasses import dataclass
from typing import Any

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, BadRequestError, OpenAI, OpenAIError

from harness.config import Config, Endpoint
from harness.errors import EnvironmentFault, one_line

TIMEOUT_S = 300.0
MAX_TOKENS = 2000
STUB_HEADER = "x-rig-stub"
"""An endpoint that is a stand-in sends this header, or has the word `stub` in the model or fingerprint it reports."""
_STUB = re.compile(r"(?<![^\W_])stub(?![^\W_])", re.IGNORECASE)


@dataclass(frozen=True)
class VisionReply:
    """What came back for one picture."""

    text: str
    model: str
    """As configured, with the name the endpoint reports where that is another."""
    stub: bool


class VisionModel:
    """The configured endpoint. Every call is a talk of its own with nothing in it but the question and the picture."""

    def __init__(self, endpoint: Endpoint, timeout_s: float = TIMEOUT_S) -> None:
        self._endpoint = endpoint
        self._http = httpx2.Client(timeout=timeout_s, trust_env=False)
        self._client = OpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.api_key,
            max_retries=2,
            timeout=timeout_s,
            http_client=self._http,
        )

    def ask(self, prompt: str, schema: dict[str, Any], image: bytes, media_type: str) -> VisionReply:
        """Shows one picture and asks one question.

        Args:
            prompt: the question.
            schema: JSON Schema the answer should follow; an endpoint that knows no schemas is asked without.
            image: the picture's bytes, sent as they are, without a name.
            media_type: `image/jpeg` or `image/png`.

        Raises:
            EnvironmentFault: the endpoint cannot be reached, refuses, or says nothing.
        """
        url = f"data:{media_type};base64,{base64.b64encode(image).decode('ascii')}"
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "temperature": 0,
            "max_tokens": MAX_TOKENS,
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "text", "text": prompt}, {"type": "image_url", "image_url": {"url": url}}],
                }
            ],
        }
        form = {"type": "json_schema", "json_schema": {"name": "seen", "strict": True, "schema": schema}}
        try:
            try:
                return self._call({**body, "response_format": form})
            except BadRequestError:
                return self._call(body)
        except APITimeoutError as exc:
            raise EnvironmentFault(f"vision endpoint {self._endpoint.base_url}: no answer in time") from exc
        except APIConnectionError as exc:
            raise EnvironmentFault(f"vision endpoint {self._endpoint.base_url}: cannot be reached") from exc
        except APIStatusError as exc:
            why = one_line(f"{exc.status_code}: {exc.message}", 200)
            raise EnvironmentFault(f"vision endpoint {self._endpoint.base_url} answered {why}") from exc
        except (OpenAIError, ValueError, TypeError, AttributeError, IndexError) as exc:
            why = one_line(f"{type(exc).__name__}: {exc}", 200)
            raise EnvironmentFault(f"vision endpoint {self._endpoint.base_url}: no usable answer ({why})") from exc

    def _call(self, body: dict[str, Any]) -> VisionReply:
        raw = self._client.chat.completions.with_raw_response.create(**body)
        got = raw.parse()
        text = got.choices[0].message.content
        if not isinstance(text, str) or not text.strip():
            raise ValueError("the answer is empty")
        reported = str(got.model or "")
        configured = self._endpoint.model
        name = configured if reported in ("", configured) else f"{configured} (answered as {reported})"
        marks = f"{reported} {getattr(got, 'system_fingerprint', None) or ''} {configured}"
        stub = raw.headers.get(STUB_HEADER) is not None or _STUB.search(marks) is not None
        return VisionReply(text, name, stub)

    def close(self) -> None:
        """Close the connection pool."""
        self._client.close()


def vision_model(config: Config) -> VisionModel | None:
    """The configured vision model; None if none is configured.

    Raises:
        InputError: it is configured only in part.
    """
    endpoint = config.endpoint("vision")
    return VisionModel(endpoint) if endpoint is not None else None
