"""What must not leave the machine with a record: which values these are, and a copy of anything without them."""

import base64
import html
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from harness.config import read_config
from harness.errors import RigError
from harness.journal import AttemptFolder, read_attempt, read_json
from harness.record import Redactor
from harness.schema.network import NetworkLine

SHORTEST = 6
"""Shorter values are not searched for: they stand in ordinary words."""
_SECRET_NAME = re.compile(
    r"pass(word|wd|phrase)?$|secret|token|api[-_]?key|access[-_]?key|credential|signature|^sig$|^auth(orization)?$"
    r"|session|^sid$|csrf|xsrf|cookie|^key$|^code$|jwt",
    re.IGNORECASE,
)
"""Names of settings, fields and parameters whose values may be secrets: those that read like tokens are."""
_SURE_NAME = re.compile(r"pass(word|wd|phrase)?$|secret|token$|api[-_]?key|private[-_]?key", re.IGNORECASE)
"""Names whose values are secrets, whatever they read like."""
_SECRET_HEADER = re.compile(r"cookie|authorization|token|secret|api-?key|csrf|xsrf|session|signature", re.IGNORECASE)
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("bearer", re.compile(r"(?<=\bbearer\s)[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)),
    ("basic_login", re.compile(r"(?<=\bbasic\s)[A-Za-z0-9+/]{12,}={0,2}", re.IGNORECASE)),
    ("api_key", re.compile(r"\bsk-[A-Za-z0-9_-]{16,}")),
    ("access_key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("token", re.compile(r"\b(?:gh[pousr]|glpat|xox[abprs])[-_][A-Za-z0-9_-]{16,}")),
    ("jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}")),
    (
        "private_key",
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL),
    ),
    ("login_in_address", re.compile(r"(?<=://)[^/\s:@\"'<>]+:[^/\s@\"'<>]+(?=@)")),
    (
        "parameter",
        re.compile(
            r"(?<=[?&])((?:[\w.-]*token|sig|signature|X-Amz-\w+|api_?key|key|auth|session|sid|password|secret|code)=)[^&#\s\"'<>\\]+",
            re.IGNORECASE,
        ),
    ),
)
"""What looks like a secret wherever it stands."""


@dataclass
class Cleaner:
    """Takes secrets out: known values in every form they are written in, and what looks like one.

    Attributes:
        known: name -> value.
        found: how often something was taken out, by name.
    """

    known: dict[str, str]
    found: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._forms = [
            (form, name)
            for name, value in sorted(self.known.items(), key=lambda item: -len(item[1]))
            for form in forms(value)
        ]

    def text(self, text: str) -> str:
        """The text without them."""
        for form, name in self._forms:
            if form in text:
                self._count(name, text.count(form))
                text = text.replace(form, f"[redacted:{name}]")
        for name, pattern in PATTERNS:

            def put(match: re.Match[str], name: str = name) -> str:
                if "[redacted:" in match.group(0):
                    return match.group(0)
                self._count(name, 1)
                return f"{match.group(1) if match.lastindex else ''}[redacted:{name}]"

            text = pattern.sub(put, text)
        return text

    def data(self, data: bytes) -> bytes:
        """Bytes, likewise; those that are no text are searched for known values only."""
        try:
            return self.text(data.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            for form, name in self._forms:
                if form.encode() in data:
                    self._count(name, data.count(form.encode()))
                    data = data.replace(form.encode(), f"[redacted:{name}]".encode())
            return data

    def network(self, line: NetworkLine) -> NetworkLine:
        """A line of the network record: headers that carry secrets lose their whole value, the rest is cleaned."""
        sent, got = self._headers(line.request_headers), self._headers(line.response_headers)
        return line.model_copy(update={"url": self.text(line.url), "request_headers": sent, "response_headers": got})

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        clean: dict[str, str] = {}
        for name, value in headers.items():
            if _SECRET_HEADER.search(name):
                self._count("header", 1)
                clean[name] = "[redacted:header]"
            else:
                clean[name] = self.text(value)
        return clean

    def _count(self, name: str, times: int) -> None:
        kind = re.sub(r"_\d+$", "", name)
        self.found[kind] = self.found.get(kind, 0) + times


def forms(value: str) -> list[str]:
    """How a value may be written: as it is, in addresses, JSON, HTML and base64; longest first, each once."""
    encoded = base64.b64encode(value.encode()).decode()
    escaped = [json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], html.escape(value)]
    every = {value, *Redactor.forms(value), *escaped, encoded, encoded.rstrip("=")}
    return sorted((form for form in every if len(form) >= SHORTEST), key=lambda form: (-len(form), form))


def known_secrets(folder: AttemptFolder, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """All values of this machine and of this attempt that are secrets, by a name that says what they are."""
    values: dict[str, list[str]] = {}
    for name, value in [*_of_machine(os.environ if environ is None else environ), *_of_record(folder)]:
        known = values.setdefault(name, [])
        if value not in known and len(value) >= SHORTEST and not value.startswith("[redacted:"):
            known.append(value)
    return {
        name if n == 1 else f"{name}_{n}": value for name, every in values.items() for n, value in enumerate(every, 1)
    }


def _of_machine(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Settings that hold keys, and the keys of the local stack if it is up."""
    for name, value in environ.items():
        if name.startswith(("RIG_", "OPENAI_", "AWS_")) and _SECRET_NAME.search(name):
            yield name.lower(), value
        if name.startswith("RIG_") and "://" in value and (password := urlsplit(value).password):
            yield f"{name.lower()}_password", unquote(password)
    try:
        from harness.stack import connection

        stack = connection(read_config(environ))
    except RigError:
        return
    yield "seed_token", stack.seed_token
    yield "staff_password", stack.staff_password


def _of_record(folder: AttemptFolder) -> Iterator[tuple[str, str]]:
    record = read_attempt(folder)
    for line in record.network.items:
        for headers in (line.request_headers, line.response_headers):
            yield from _of_headers(headers)
        for name, value in parse_qsl(urlsplit(line.url).query):
            if _secret(name, value):
                yield "parameter", value
        for digest in {line.request_body, line.response_body} - {None}:
            yield from _of_body(folder.path / "bodies" / str(digest))
    seed, _ = read_json(folder.path, "seed.json")
    receipt = seed.get("receipt") if isinstance(seed, dict) else None
    if isinstance(receipt, dict) and isinstance(receipt.get("start_url"), str):
        parts = urlsplit(receipt["start_url"])
        values = [*parts.path.split("/"), *(value for _, value in parse_qsl(parts.query)), parts.fragment]
        yield from (("start_token", value) for value in values if len(value) >= 16 and _token(value))
    yield from (("field", value) for value in _fields(seed))


def _of_headers(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in headers.items():
        if "cookie" in name.lower():
            for line in value.split("\n"):
                pairs = line.split(";")[:1] if name.lower() == "set-cookie" else line.split(";")
                for pair in pairs:
                    _, _, cookie = pair.strip().partition("=")
                    cookie = cookie.strip('"')
                    yield from (("cookie", form) for form in {cookie, unquote(cookie)} if _token(form))
        elif _SECRET_HEADER.search(name):
            word = value.split(" ", 1)[-1]
            if _token(word):
                yield "header", word


def _of_body(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        pairs = parse_qsl(text) if "=" in text and "\n" not in text and len(text) < 100_000 else []
        yield from (("field", value) for name, value in pairs if _secret(name, value))
        return
    yield from (("field", value) for value in _fields(data))


def _fields(data: Any) -> Iterable[str]:
    """Secrets by their field's name, at any depth."""
    waiting: list[Any] = [data]
    while waiting:
        now = waiting.pop()
        if isinstance(now, dict):
            for name, value in now.items():
                if isinstance(value, str):
                    if _secret(str(name), value):
                        yield value
                else:
                    waiting.append(value)
        elif isinstance(now, list):
            waiting.extend(now)


def _secret(name: str, value: str) -> bool:
    return bool(_SURE_NAME.search(name)) or (bool(_SECRET_NAME.search(name)) and _token(value))


def _token(value: str) -> bool:
    """Reads like a token and not like a word or a number, which must stay readable elsewhere."""
    letters = any(c.isalpha() for c in value)
    mixed = (letters and any(c.isdigit() for c in value)) or value not in (
        value.lower(),
        value.upper(),
        value.capitalize(),
    )
    return len(value) >= 8 and mixed and " " not in value
