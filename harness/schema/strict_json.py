"""Reading JSON so that every way to get it wrong is one clear line."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from pydantic import BaseModel, ValidationError

from harness.errors import InputError

M = TypeVar("M", bound=BaseModel)
MAX_BYTES = 8 * 1024 * 1024


def read_bytes(path: Path, name: str | None = None, limit: int = MAX_BYTES) -> bytes:
    """The file's bytes; an absent, linked, special or oversized file is an InputError that names it."""
    shown = name or str(path)
    if path.is_symlink():
        raise InputError(shown, "is a link; a package holds plain files only", "link")
    if not path.exists():
        raise InputError(shown, "is missing", "file_missing")
    if not path.is_file():
        raise InputError(shown, "is not a plain file", "not_a_plain_file")
    size = path.stat().st_size
    if size > limit:
        raise InputError(shown, f"has {size} bytes; the limit is {limit}", "too_large")
    try:
        return path.read_bytes()
    except OSError as exc:
        raise InputError(shown, f"cannot be read ({exc.strerror})", "unreadable") from exc


def decode_text(data: bytes, shown: str) -> str:
    """UTF-8 text without a byte order mark; surrogates and NUL are refused."""
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise InputError(shown, "starts with a byte order mark; save it as UTF-8 without BOM", "byte_order_mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise InputError(shown, f"is not UTF-8 (byte {exc.start})", "not_utf8") from exc
    if "\x00" in text:
        raise InputError(shown, "holds a NUL character", "control_character")
    return text


def _no_duplicates(shown: str) -> Any:
    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if key in seen:
                raise InputError(f"{shown}: {key}", "stands twice in the same object", "duplicate_key")
            seen[key] = value
        return seen

    return build


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
"""Decodes fast and says little: ValueError for what is no JSON, RecursionError for deep nesting. `parse_json` says more."""


def read_lines(stream: BinaryIO, where: str) -> Iterator[tuple[str, bytes]]:
    """The lines that are not blank, each with `where` and its number; one that is too long is an InputError."""
    number = 0
    while line := stream.readline(MAX_BYTES + 1):
        number += 1
        place = f"{where} {number}"
        if len(line) > MAX_BYTES:
            raise InputError(place, f"has more than {MAX_BYTES} bytes", "too_large")
        if line.strip():
            yield place, line


def parse_json(data: bytes, shown: str) -> Any:
    """The JSON value; duplicate keys, NaN, infinities, lone surrogates and deep nesting are errors."""
    text = decode_text(data, shown)

    def refuse_constant(word: str) -> Any:
        raise InputError(shown, f"holds {word}, which is not JSON", "not_json")

    try:
        value = json.loads(text, object_pairs_hook=_no_duplicates(shown), parse_constant=refuse_constant)
    except json.JSONDecodeError as exc:
        raise InputError(shown, f"is not JSON: {exc.msg} at line {exc.lineno} column {exc.colno}", "not_json") from exc
    except RecursionError as exc:
        raise InputError(shown, "is nested too deeply", "not_json") from exc
    except ValueError as exc:
        raise InputError(shown, f"is not JSON: {exc}", "not_json") from exc
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as exc:
        raise InputError(shown, "holds half of a surrogate pair, which is not text", "not_utf8") from exc
    return value


def parse_line(data: bytes, shown: str) -> Any:
    """As `parse_json`, in one pass where no escape can hide half a surrogate pair."""
    if b"\\u" in data:
        return parse_json(data, shown)
    try:
        return STRICT.decode(decode_text(data, shown))
    except (ValueError, RecursionError):
        return parse_json(data, shown)  # which says what is wrong


def first_problem(exc: ValidationError, shown: str) -> InputError:
    """The first problem of a validation as one line: file, field, why."""
    problem = exc.errors(include_url=False)[0]
    field = ".".join(str(part) for part in problem["loc"])
    more = len(exc.errors()) - 1
    why = problem["msg"] + (f" (and {more} more)" if more else "")
    return InputError(f"{shown}: {field}" if field else shown, why)


def validate(model: type[M], data: Any, shown: str) -> M:
    """`data` (parsed JSON) as `model`; InputError with file, field and why otherwise."""
    try:
        return model.model_validate_json(json.dumps(data, ensure_ascii=False))
    except ValidationError as exc:
        raise first_problem(exc, shown) from exc


def read_model(model: type[M], path: Path, name: str | None = None) -> M:
    """One JSON file as `model`."""
    shown = name or str(path)
    return validate(model, parse_json(read_bytes(path, shown), shown), shown)


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: Any) -> bytes:
    """The one byte form of a JSON value: sorted keys, no spaces, UTF-8."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", by_alias=True)
    return _CANONICAL.encode(value).encode("utf-8")


def sha256_hex(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()
