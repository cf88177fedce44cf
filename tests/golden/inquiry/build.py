"""Golden inquiry sessions: the readable form is laid out into the session format that is graded.

A file `mNNN_*.yaml` belongs to one metric. Each of its sessions names what it shows, the manual's lines that decide it,
the edge of the metric's card if it shows one (counted from 1, in the card's order), the verdict by the manual, for a
`FAIL` the checks that are broken, and the turns. What the turns leave out gets the defaults written in this module.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
MARKER = re.compile(r"\[(IMAGE|DOCUMENT|VIDEO|KBVIDEO|LINK):([^|\]]{1,200})[|\]]")
START = datetime(2026, 1, 5, 3, 0, tzinfo=UTC)
STEP = timedelta(seconds=40)

Turn = dict[str, Any]


@dataclass(frozen=True)
class Golden:
    """One golden session: what it shows and the session to grade.

    Attributes:
        metric: The metric it is about.
        edge: The card's edge it shows, counted from 1, or None.
        verdict: The manual's verdict: `PASS`, `FAIL`, `N/A`, or `SCORED` for the metric with a scale.
        score: 1-5 where the metric has a scale.
        fails: Checks that are broken by the manual.
        awaits: Checks that only a judge can decide: by rules alone the session is `NOT_CHECKED`.
        also: Other metrics that may fail in this session, and rightly so; no metric but these and its own does.
        lines: Lines of the manual that give the verdict.
    """

    id: str
    metric: str
    shows: str
    lines: str
    verdict: str
    session: dict[str, Any]
    edge: int | None = None
    score: int | None = None
    fails: tuple[str, ...] = ()
    awaits: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = field(default=(), repr=False)


def load(folder: Path = HERE) -> list[Golden]:
    """All golden sessions, in the order of files and of sessions in them."""
    fragments = yaml.load((folder / "fragments.yaml").read_text("utf-8"), _Loader)
    return [golden for path in sorted(folder.glob("m*.yaml")) for golden in _of_file(path, fragments)]


def load_file(path: Path) -> list[Golden]:
    """The golden sessions of one file."""
    return list(_of_file(path, yaml.load((path.parent / "fragments.yaml").read_text("utf-8"), _Loader)))


def _of_file(path: Path, fragments: dict[str, Any]) -> Iterator[Golden]:
    document = yaml.load(path.read_text("utf-8"), _Loader)
    for raw in document["sessions"]:
        session_id = f"{document['metric'].lower().replace('-', '')}-{raw['id']}"
        turns = tuple(_spread(raw["turns"], fragments, document.get("conversion")))
        yield Golden(
            id=session_id,
            metric=document["metric"],
            shows=raw["shows"],
            lines=str(raw["lines"]),
            verdict=raw["verdict"],
            edge=raw.get("edge"),
            score=raw.get("score"),
            fails=_listed(raw.get("fails")),
            awaits=_listed(raw.get("awaits_judge")),
            also=_listed(raw.get("also")),
            turns=turns,
            session=_session(session_id, raw, turns, fragments),
        )


def _session(
    session_id: str, raw: dict[str, Any], turns: tuple[Turn, ...], fragments: dict[str, Any]
) -> dict[str, Any]:
    head = {**fragments["session"], **raw.get("session", {})}
    calls = [_tool(call, fragments) for turn in turns for call in turn.get("tools", [])]
    known = json.dumps([head["media"], calls], ensure_ascii=False)
    clock = datetime.fromisoformat(raw["start"]) if "start" in raw else START
    laid_out = []
    for number, turn in enumerate(turns):
        due = (clock + number * STEP).astimezone(UTC).isoformat().replace("+00:00", "Z")
        laid_out.append(_customer(turn, due) if "customer" in turn else _assistant(turn, fragments, known))
    return {
        "schema": "inquiry-session-v1",
        "session_id": session_id,
        "profile": "beiyijia",
        **head,
        "turns": laid_out,
    }


def _spread(turns: list[Turn], fragments: dict[str, Any], conversion: list[Any] | None) -> Iterator[Turn]:
    """The turns with fragments put in.

    A file about decisions gives with `conversion` the decision made beside the replies of fragments; in its own turns
    a decision that is not written was not made.
    """
    for turn in turns:
        if "use" in turn:
            for given in fragments["turns"][turn["use"]]:
                yield {**given, "decides": conversion} if conversion and "ai" in given else given
        else:
            yield {"decides": None, **turn} if conversion and "customer" not in turn else turn


def _customer(turn: Turn, due: str) -> dict[str, Any]:
    """A customer's turn: `at` gives the time (`absent` leaves it out), otherwise it follows the session's clock."""
    made: dict[str, Any] = {"role": "customer", "text": turn["customer"], "created_at": turn.get("at", due)}
    if made["created_at"] == "absent":
        del made["created_at"]
    made["images"] = [
        {"id": f"c-{number}", "clear": True, **image} for number, image in enumerate(turn.get("images", []), start=1)
    ]
    return made


def _assistant(turn: Turn, fragments: dict[str, Any], known: str) -> dict[str, Any]:
    """An assistant's turn: `ai` is what it wrote, `decides` what the conversion assistant put out beside it.

    Known to be empty unless given: tool calls, asked keys, the pending field and the context. Every marker of the
    reply was sent unless `unsent` names its id or the session knows no such medium. Without `decides` the decision is
    not recorded; null: none was made.
    """
    text = turn.get("ai")
    markers = MARKER.findall(text or "")
    sent = {marker for kind, marker in markers if kind == "LINK" or f'"{marker}"' in known} - set(
        turn.get("unsent", [])
    )
    made: dict[str, Any] = {
        "role": "assistant",
        "reply_text": text,
        "published": turn.get("published", text is not None),
        "asked_field_keys": turn.get("asked", []),
        "next_pending_field": turn.get("pending"),
        "tool_calls": [_tool(call, fragments) for call in turn.get("tools", [])],
        "media_sent": [{"id": marker, "ok": marker in sent} for _, marker in markers],
        "context": {
            "leadToOpportunityStatus": turn.get("status"),
            "replyPublished": turn.get("reply_published"),
            "actualLastAiReply": turn.get("last_reply"),
            "inquiry_form_snapshot": turn.get("form", {}),
        },
    }
    if "images" in turn:
        made["images"] = turn["images"]
    if "decides" in turn:
        made["conversion"] = _conversion(turn, fragments)
    return made


def _conversion(turn: Turn, fragments: dict[str, Any]) -> dict[str, Any] | None:
    """The conversion assistant's output: `[auto, human, intent]`, or the raw text as it came out."""
    decides = turn["decides"]
    if decides is None:
        return None
    if isinstance(decides, str):
        output = decides
    else:
        auto, human, intent = decides
        output = (
            f'{{"shouldAutoConvert":{str(auto).lower()},"shouldForceHumanTakeover":{str(human).lower()},'
            f'"conversationIntent":"{intent}"}}'
        )
    return {
        "phase": turn.get("phase", "inbound"),
        "output": output,
        "tool_calls": [_tool(call, fragments) for call in turn.get("conversion_tools", [])],
    }


def _tool(call: str | dict[str, Any], fragments: dict[str, Any]) -> dict[str, Any]:
    if isinstance(call, str):
        return dict(fragments["tools"][call])
    if "like" in call:
        return {**fragments["tools"][call["like"]], **{key: value for key, value in call.items() if key != "like"}}
    return call


def _listed(value: str | list[str] | None) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


class _Loader(yaml.CSafeLoader):
    """YAML without its guesses at dates: a time stays the text that was written."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
