"""Settings of the served product, from arguments and environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal

from harness.devstack.stores import S3Settings

MESSAGE_LIMIT = 8000
"""Characters of one message."""
UPLOAD_LIMIT = 20 * 1024 * 1024
"""Bytes of one file."""


class ConfigFault(Exception):
    """A setting is missing or wrong; one line for the operator."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True)
class ModelSettings:
    """The OpenAI-compatible model of the `model` runtime."""

    base_url: str
    model: str
    api_key: str
    timeout_s: float = 120.0


@dataclass(frozen=True)
class Settings:
    """Everything the product is started with."""

    host: str
    port: int
    runtime: Literal["controlled", "model"]
    mongodb_uri: str
    s3: S3Settings
    seed_token: str | None
    """None: the rig's routes do not exist."""
    staff_user: str
    staff_password: str
    model: ModelSettings | None
    database: str = "claims"
    stream_ms: float = 30.0


def model_settings(env: Mapping[str, str]) -> ModelSettings:
    """The model of the product's agent: RIG_PRODUCT_*, falling back to OPENAI_*."""
    base_url = env.get("RIG_PRODUCT_BASE_URL") or env.get("OPENAI_BASE_URL")
    model = env.get("RIG_PRODUCT_MODEL") or env.get("OPENAI_MODEL")
    if not base_url or not model:
        raise ConfigFault("the model runtime needs RIG_PRODUCT_BASE_URL and RIG_PRODUCT_MODEL")
    return ModelSettings(base_url, model, env.get("RIG_PRODUCT_API_KEY") or env.get("OPENAI_API_KEY") or "none")


def require_loopback(host: str) -> None:
    """Refuse an address that others could reach."""
    try:
        inside = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise ConfigFault(f"refused to listen on {host}: loopback only", exit_code=3)


def need(value: str | None, name: str, env: Mapping[str, str] = os.environ) -> str:
    """The argument, else the variable of the environment; missing is an error."""
    found = value or env.get(name)
    if not found:
        raise ConfigFault(f"{name} is not set")
    return found
