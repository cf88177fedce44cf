"""A run's folder with one buyer's journey, made from a conversation that the product held."""

import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

from builder import Journey, attempt_data, manifest

from harness.schema.inquiry import InquiryStateRead, TalkState
from harness.schema.run import Attempt, RunManifest
from harness.schema.session import CustomerTurn

_MARKER = re.compile(r"\[[A-Z]+:[^\]]*\]")


def write_run(folder: Path, package: str, talk: TalkState) -> Path:
    """`folder` as the run: every message was said, and a screen showed each reply.

    Args:
        folder: is made.
        package: id of the buyer's package.
        talk: what the product holds in the end.
    """
    attempt = folder / package / "t01" / "a01"
    attempt.mkdir(parents=True)
    played = Journey()
    played.start()
    for turn in talk.turns:
        if not isinstance(turn, CustomerTurn):
            played.screen(_MARKER.sub("", turn.reply_text or ""))
        elif turn.text:
            played.say(turn.text)
    rows = [event.model_dump_json() + "\n" for event in played.events]
    (attempt / "events.jsonl").write_text("".join(rows), encoding="utf-8")
    read = InquiryStateRead(schema="inquiry-state-read-v1", request_id="r", cases=[talk])
    state: dict[str, Any] = {
        "schema": "state-file-v1",
        "read": read.model_dump(mode="json", by_alias=True),
        "why": None,
        "stored": [],
    }
    (attempt / "state.json").write_text(json.dumps(state), encoding="utf-8")
    made = {**attempt_data("completed", "the journey reached its end", 1), "package": package, "files": []}
    (attempt / "attempt.json").write_text(
        Attempt.model_validate_json(json.dumps(made)).model_dump_json(by_alias=True), "utf-8"
    )
    run = manifest()
    run["settings"] = {**run["settings"], "packages": {package: "a" * 64}}
    (folder / "run.json").write_text(
        RunManifest.model_validate_json(json.dumps(run)).model_dump_json(by_alias=True), "utf-8"
    )
    (folder / "adapter.json").write_text(
        '{"staff": {"vocabulary": {}}, "capabilities": {"unimplemented": {}}, "limits": {}}', "utf-8"
    )
    return folder
