"""Bodies of requests, bounded."""

from starlette.requests import Request


async def body_of(request: Request, limit: int) -> bytes | None:
    """The request's body; None as soon as it has more than `limit` bytes."""
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > limit:
            return None
    return raw
