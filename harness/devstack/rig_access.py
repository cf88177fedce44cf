"""What the routes for a test rig share: who may call them, and how a seed request is read. Loopback only, token-guarded, dev only."""

import json
from ipaddress import ip_address
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from harness.devstack import VERSION, accounts

SEED_LIMIT = 1024 * 1024


class SeedFault(Exception):
    """The seed request cannot be done.

    Args:
        message: one line.
        status: HTTP status.
    """

    def __init__(self, message: str, status: int = 422) -> None:
        super().__init__(" ".join(message.split())[:300])
        self.status = status


B = TypeVar("B", bound=BaseModel)


def admit(request: Request) -> None:
    """Raises HTTPException unless a token is configured, the caller is on this machine and has it."""
    token = request.app.state.settings.seed_token
    if not token:
        raise HTTPException(404)
    try:
        inside = request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise HTTPException(403, "loopback only")
    if not accounts.same(request.headers.get("authorization", ""), f"Bearer {token}"):
        raise HTTPException(401, "the token is missing or wrong", headers={"WWW-Authenticate": "Bearer"})


def parse_seed(model: type[B], raw: bytes) -> B:
    """A seed request in its form. Raises SeedFault with one line that says which field and why."""
    try:
        json.loads(raw, object_pairs_hook=_no_twice)
        return model.model_validate_json(raw)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(p) for p in first["loc"]) or "body"
        raise SeedFault(f"{where}: {first['msg']}") from exc
    except (ValueError, RecursionError) as exc:
        raise SeedFault(f"body: {exc}") from exc


def check_seed(request_id: str, wrong_defects: str | None) -> None:
    """What every seed request must keep to. Raises SeedFault.

    Args:
        request_id: as given.
        wrong_defects: why the defects cannot be switched on; None if they can.
    """
    if not request_id.strip() or len(request_id) > 200:
        raise SeedFault("request_id: must have 1 to 200 characters")
    if wrong_defects:
        raise SeedFault(f"defects: {wrong_defects}")


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        twice = next(k for k in keys if keys.count(k) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return dict(pairs)


def runtime_report(product: str, runtime: str, model: str | None, stores: Any) -> dict[str, Any]:
    """Which runtime answers, and on what it stands."""
    return {
        "schema": "runtime-report-v1", "product": product, "version": VERSION, "runtime": runtime, "model": model,
        "stores": stores,
    }  # fmt: skip
