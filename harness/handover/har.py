"""An attempt's network record as a HTTP archive (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/)."""

import base64
from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import harness
from harness.handover.attempt import Handed
from harness.handover.secrets import Cleaner
from harness.journal import inside
from harness.schema.network import NetworkLine

PAGE = "journey"


def har(handed: Handed, cleaner: Cleaner) -> dict[str, Any]:
    """The archive, without secrets. Frames of web sockets have no place in one; how many were left out stands in its comment.

    Where the record has no status (the request failed, or was still open), the archive has status 0, as browsers write it.
    """
    lines = [cleaner.network(line) for line in handed.record.network.items]
    calls = [line for line in lines if line.method != "WS"]
    left_out = len(lines) - len(calls)
    notes = [f"{left_out} frames of web sockets left out"] if left_out else []
    notes += handed.record.network.problems
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "simcustomer-rig", "version": harness.__version__},
            "browser": {"name": "Chromium", "version": cleaner.text(handed.manifest.browser)},
            "pages": [
                {
                    "startedDateTime": handed.attempt.started_at.isoformat(),
                    "id": PAGE,
                    "title": cleaner.text(handed.name),
                    "pageTimings": {},
                }
            ],
            "entries": [_entry(line, handed.folder, cleaner) for line in calls],
            "comment": "; ".join([*notes, "values of secrets are redacted"]),
        }
    }


def _entry(line: NetworkLine, folder: Path, cleaner: Cleaner) -> dict[str, Any]:
    took = line.duration_ms or 0.0
    sent, got = _body(folder, line.request_body), _body(folder, line.response_body)
    entry: dict[str, Any] = {
        "pageref": PAGE,
        "startedDateTime": (line.at - timedelta(milliseconds=took)).isoformat(),
        "time": took,
        "request": {
            "method": line.method,
            "url": line.url,
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": _pairs(line.request_headers),
            "queryString": [
                {"name": n, "value": v} for n, v in parse_qsl(urlsplit(line.url).query, keep_blank_values=True)
            ],
            "headersSize": -1,
            "bodySize": len(sent) if sent is not None else 0,
        },
        "response": {
            "status": line.status or 0,
            "statusText": _words(line.status),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": _pairs(line.response_headers),
            "content": _content(got, _header(line.response_headers, "content-type"), cleaner),
            "redirectURL": cleaner.text(_header(line.response_headers, "location") or ""),
            "headersSize": -1,
            "bodySize": len(got) if got is not None else -1,
        },
        "cache": {},
        "timings": {"send": 0, "wait": took, "receive": 0},
        "comment": "; ".join([f"turn {line.turn}", *([line.body_note] if line.body_note else [])]),
    }
    if sent is not None:
        kind = _header(line.request_headers, "content-type") or "application/octet-stream"
        entry["request"]["postData"] = {"mimeType": kind, "params": [], "text": _text(cleaner.data(sent))[0]}
    return entry


def _content(body: bytes | None, kind: str | None, cleaner: Cleaner) -> dict[str, Any]:
    content: dict[str, Any] = {"size": len(body) if body is not None else 0, "mimeType": kind or "x-unknown"}
    if body is not None:
        content["text"], encoding = _text(cleaner.data(body))
        content |= {"encoding": encoding} if encoding else {}
    return content


def _text(body: bytes) -> tuple[str, str | None]:
    """(text, encoding); bytes that are no text are base64."""
    try:
        return body.decode("utf-8"), None
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), "base64"


def _body(folder: Path, digest: str | None) -> bytes | None:
    path = inside(folder, f"bodies/{digest}") if digest else None
    return path.read_bytes() if path else None


def _pairs(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]


def _header(headers: Mapping[str, str], name: str) -> str | None:
    return next((value for key, value in headers.items() if key.lower() == name), None)


def _words(status: int | None) -> str:
    try:
        return HTTPStatus(status or 0).phrase
    except ValueError:
        return ""
