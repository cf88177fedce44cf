"""A line of `network.jsonl`."""

from pydantic import AwareDatetime

from harness.schema.base import Strict


class NetworkLine(Strict):
    """One line of network.jsonl: evidence; no code of a journey reads it."""

    at: AwareDatetime
    t_ms: float
    turn: int
    method: str
    url: str
    resource: str
    status: int | None
    request_headers: dict[str, str]
    response_headers: dict[str, str]
    request_body: str | None
    """sha256 of a file in bodies/."""
    response_body: str | None
    body_note: str | None
    """Why there is no body: `streamed`, `redirect`, `blocked`, `too_large`, an error."""
    duration_ms: float | None
