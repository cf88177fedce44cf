"""The golden livechat samples, laid out from their short form."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from oracle_scoring.livechat.models import Dimension, Sample

HERE = Path(__file__).parent
_KNOWN = {
    "id", "from", "why", "dimension", "query", "answer", "body", "again", "tail", "spaced", "broken", "restated", "business",
    "density", "platform", "kb_body", "expect", "tag",
}  # fmt: skip


@dataclass(frozen=True)
class Golden:
    """One sample, and what the rubric says about one of its dimensions.

    Attributes:
        score: None: rules cannot say; `cap`: 5 where nothing caps.
        tag: retention only.
    """

    file: str
    source: str
    sample: Sample
    dimension: Dimension
    score: int | None
    cap: int
    tag: str | None


def load() -> Iterator[Golden]:
    """All of them, file by file."""
    files = {
        path.name: yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader) for path in sorted(HERE.glob("*.yaml"))
    }
    text = "".join(files["length.yaml"]["text"].split())
    for name, data in files.items():
        for item in data["samples"]:
            assert set(item) <= _KNOWN, f"{item['id']}: {set(item) - _KNOWN}"
            score, cap = item["expect"]
            yield Golden(
                name,
                item["from"],
                _sample(item, text),
                item.get("dimension") or data["dimension"],
                score,
                cap,
                item.get("tag"),
            )


def _sample(item: dict[str, Any], text: str) -> Sample:
    return Sample(
        id=item["id"], query=item.get("query", "这款怎么样呀"), answer=_answer(item, text),
        business_type=item.get("business", "other"), industry_kg="家电", platform=item.get("platform", "douyin"),
        room_density=item.get("density"), kb=text[: item["kb_body"]] if "kb_body" in item else None,
    )  # fmt: skip


def _answer(item: dict[str, Any], text: str) -> str:
    answer = item.get("answer")
    if answer is None and "body" not in item:
        return "有的哈"
    if answer is None:
        body = text[: item["body"]] + text[: item.get("again", 0)]
        assert len(body) == item["body"] + item.get("again", 0), f"{item['id']}: the text is too short"
        every = item.get("spaced") or item.get("broken")
        between = " " if "spaced" in item else "\n"
        answer = between.join(body[n : n + every] for n in range(0, len(body), every)) if every else body
        answer += item.get("tail", "")
    return f"{item['restated']}|{answer}" if "restated" in item else answer
