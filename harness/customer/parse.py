"""From a model's reply to a move: strict first, then one leading reasoning block, then one fence, then one object."""

import json
import re
from typing import Any

from pydantic import ValidationError

from harness.schema.move import Move

_THINK = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"\A\s*```[a-zA-Z]*\n(.*)\n```\s*\Z", re.DOTALL)


class Malformed(ValueError):
    """The reply is not a move."""


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _load(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse)


def _only_object(text: str) -> str | None:
    """The text's one balanced {...} at top level, None if there are none or several."""
    found: list[str] = []
    depth, start, quoted, escaped = 0, 0, False, False
    for at, char in enumerate(text):
        if quoted:
            quoted, escaped = (char != '"' or escaped), (char == "\\" and not escaped)
        elif depth and char == '"':
            quoted = True
        elif char == "{":
            depth, start = depth + 1, at if depth == 0 else start
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                found.append(text[start : at + 1])
    return found[0] if len(found) == 1 else None


def parse_move(reply: str) -> Move:
    """The move in a reply. Raises Malformed with one line of why."""
    if len(reply) > 40_000:
        raise Malformed(f"the reply has {len(reply)} characters")
    tries = [reply]
    bare = _THINK.sub("", reply, count=1)
    if bare != reply:
        tries.append(bare)
    if fence := _FENCE.match(bare):
        tries.append(fence.group(1))
    if (single := _only_object(bare)) is not None:
        tries.append(single)
    data: Any = None
    for text in tries:
        try:
            data = _load(text)
            break
        except (ValueError, RecursionError):
            continue
    else:
        raise Malformed("no JSON object in the reply")
    if not isinstance(data, dict):
        raise Malformed("the reply is not an object")
    known = {k: v for k, v in data.items() if k in Move.model_fields}
    empty: dict[str, Any] = {
        "asked": [],
        "asked_unknown": False,
        "used": [],
        "messages": [],
        "control": "",
        "value": "",
        "file": "",
    }
    try:
        return Move.model_validate({**empty, **{k: v for k, v in known.items() if v is not None}})
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        raise Malformed(f"{'.'.join(str(p) for p in first['loc'])}: {first['msg']}") from exc
