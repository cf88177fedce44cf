"""Samples of tests."""

import json
from pathlib import Path
from typing import Any

from oracle_scoring.livechat.grade import Graded, grade
from oracle_scoring.livechat.models import Sample
from oracle_scoring.livechat.words import library

PLAIN = {
    "query": "这款怎么样呀",
    "answer": "有的哈",
    "business_type": "other",
    "industry_kg": "家电",
    "platform": "douyin",
}


def sample(number: int = 0, **fields: Any) -> Sample:
    """A sample; fields not named are plain ones."""
    return Sample.model_validate({"id": f"S-{number}", **PLAIN, **fields})


def graded(**fields: Any) -> Graded:
    """What rules say about a sample."""
    made = sample(**fields)
    return grade(made, library().of(made.business_type, "test"))


def lines(path: Path, *samples: dict[str, Any]) -> Path:
    """Samples as JSON lines; each gets an id by its place if it has none."""
    rows = ({"id": f"S-{n}", **PLAIN, **fields} for n, fields in enumerate(samples))
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path
