"""The request, rendered a second time from the record, by code that shares nothing with `harness.customer`.

What it reads: the locked template, the staged view, and `events.jsonl` (screens, own words, ledger entries, retry notes).
It is written plainly on purpose; if it and the prompt builder disagree by one byte, nothing is sent.
"""

import json
import re
from pathlib import Path
from typing import Any

import harness

EARLIER_LIMIT = 24
_MARK = re.compile(r"\{\{([a-z_]+)\}\}")
_ASKING = ("card", "dialog", "reply", "notice", "page", "final")
_LIVE = ("reply", "tag", "card", "dialog", "notice", "final")


class Sections:
    """The locked template, read by our own few lines."""

    def __init__(self, text: str) -> None:
        self.parts: dict[str, str] = {}
        name: str | None = None
        lines: list[str] = []
        for line in [*text.split("\n"), "=== end ==="]:
            head = re.fullmatch(r"=== ([a-z0-9_]+) ===", line)
            if head is None:
                lines.append(line)
                continue
            if name is not None:
                self.parts[name] = "\n".join(lines).rstrip("\n")
            name, lines = head.group(1), []

    def put(self, section: str, values: dict[str, str]) -> str:
        """The section with each mark replaced once."""
        return _MARK.sub(lambda m: values[m.group(1)], self.parts[section])


def locked_template() -> str:
    """The template's text as it lies on disk."""
    return (Path(harness.__file__).parent / "customer" / "template.txt").read_text(encoding="utf-8")


class Replay:
    """The journey so far, rebuilt from its events."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.said: list[str] = []
        self.asked_at: dict[str, int] = {}
        self.handed: set[str] = set()
        self.screen: dict[str, Any] | None = None
        self.note: str | None = None
        self._view_text: str | None = None

    def take(self, event: dict[str, Any]) -> None:
        """One more event."""
        kind = event["kind"]
        if kind == "screen":
            self.screen, self.note = event["screen"], None
        elif kind == "move_rejected":
            self.note = event["note"]
        elif (kind == "acted" and event["act"] == "said" and event["confirmed"]) or (
            kind == "acted" and event["act"] == "said" and not self.said
        ):
            self.said.append(event["text"])
        elif kind == "ledger" and event["entry"] == "file_asked":
            self.asked_at.setdefault(event["id"], len(self.said))
        elif kind == "ledger" and event["entry"] == "file_handed_over":
            self.handed.add(event["id"])

    def take_lines(self, events: bytes) -> int:
        """All complete lines of a piece of an events file; how many bytes they are. A torn last line is left."""
        whole = events[: events.rfind(b"\n") + 1]
        for line in whole.split(b"\n")[:-1]:
            self.take(json.loads(line))
        return len(whole)

    def _controls(self) -> list[dict[str, Any]]:
        screen = self.screen or {"controls": []}
        return [c for c in screen["controls"] if c["enabled"] and c["kind"] != "composer" and c["part"] in _ASKING]

    def _state(self, file: dict[str, Any]) -> str:
        if file["file"] in self.handed:
            return "handed"
        at = self.asked_at.get(file["file"])
        wait = file["available"]["after_customer_messages"]
        if file["available"]["when"] == "now" or (at is not None and len(self.said) - at >= wait):
            return "have"
        return "later"

    def _file_line(self, sections: Sections, file: dict[str, Any]) -> str:
        state = self._state(file)
        values = {"label": file["label"]}
        if state == "later":
            values["promise"] = file["available"]["promise"]
        return sections.put("file_" + state, values)

    def _render_view(self, sections: Sections) -> str:
        view, persona = self.view, self.view["persona"]
        return sections.put(
            "view",
            {
                "name": persona["name"],
                "mood": persona["mood"],
                "manner": persona["manner"],
                "language": persona["language"],
                "dont_know": " / ".join(persona["dont_know"]),
                "facts": "\n".join(
                    sections.put("fact", {k: f[k] for k in ("id", "topic", "say")}) for f in view["facts"]
                ),
                "unknown": "; ".join(u["topic"] for u in view["does_not_know"]) or "anything else",
            },
        )

    def messages(self, sections: Sections) -> list[dict[str, str]]:
        """The chat messages that should be sent now."""
        view = self.view
        if self._view_text is None:  # the same in every request of a journey
            self._view_text = self._render_view(sections)
        earlier = ["- " + text for text in self.said]
        if len(earlier) > EARLIER_LIMIT:
            earlier = [f"- ({len(earlier) - EARLIER_LIMIT} earlier messages)", *earlier[-EARLIER_LIMIT:]]
        screen = self.screen or {"blocks": []}
        blocks = [
            sections.put("block", {"part": {"reply": "company"}.get(b["part"], b["part"]), "text": b["text"]})
            for b in screen["blocks"]
            if b["part"] in _LIVE
        ]
        lines = []
        for c in self._controls():
            extra = f' shows "{c["value"]}"' if c["value"] else ""
            extra += f" choices: {', '.join(c['options'])}" if c["options"] else ""
            lines.append(sections.put("control", {"kind": c["kind"], "name": c["name"], "extra": extra}))
        turn = sections.put(
            "turn",
            {
                "view": self._view_text,
                "earlier": "\n".join(earlier) or "- nothing",
                "files": "\n".join(self._file_line(sections, f) for f in view["files"]) or "- none",
                "screen": "\n".join(blocks) or "(nothing new)",
                "controls": "\n".join(lines) or "- none",
                "note": sections.parts[f"note_{self.note}"] + "\n" if self.note else "",
            },
        )
        fixed = [
            {"role": "system", "content": sections.parts["system"]},
            {"role": "user", "content": sections.parts["example_1_screen"]},
            {"role": "assistant", "content": sections.parts["example_1_move"]},
            {"role": "user", "content": sections.parts["example_2_screen"]},
            {"role": "assistant", "content": sections.parts["example_2_move"]},
        ]
        return [*fixed, {"role": "user", "content": turn}]

    def _moves(self, has_file: bool) -> list[str]:
        every = (self.screen or {"controls": []})["controls"]
        kinds = [c["kind"] for c in self._controls()]
        moves = ["say"] if [c for c in every if c["kind"] == "composer" and c["enabled"]] else []
        if "button" in kinds or "link" in kinds or "choice" in kinds:
            moves.append("press")
        if "field" in kinds or "choice" in kinds:
            moves.append("fill")
        if "upload" in kinds and has_file:
            moves.append("upload")
        return [*moves, "wait", "leave"]

    def schema(self) -> dict[str, Any]:
        """The JSON Schema that should be sent now."""
        ids = {
            "type": "array",
            "items": {
                "type": "string",
                "enum": [f["id"] for f in self.view["facts"]] + [u["id"] for u in self.view["does_not_know"]],
            },
            "maxItems": 4,
        }
        names: list[str] = [""]
        names += [c["name"] for c in self._controls() if c["name"] not in names]
        labels: list[str] = [""]
        labels += [f["label"] for f in self.view["files"] if self._state(f) == "have"]
        fields: dict[str, Any] = {
            "asked": ids,
            "asked_unknown": {"type": "boolean"},
            "used": ids,
            "move": {"type": "string", "enum": self._moves(len(set(labels)) > 1)},
            "messages": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
            "control": {"type": "string", "enum": list(dict.fromkeys(names))},
            "value": {"type": "string"},
            "file": {"type": "string", "enum": list(dict.fromkeys(labels))},
        }
        return {"type": "object", "additionalProperties": False, "required": list(fields), "properties": fields}
