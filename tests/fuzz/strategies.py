"""Damaged input: JSON with one thing changed, bytes with one thing changed, and things nobody should send."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

ANY_CHARACTER = st.characters(exclude_categories=())
"""Halves of surrogate pairs and control characters included."""
TOKENS = (
    "a", "(", "{", "[", '"', "\\", " ", "\n", "9", "-", ".", "é", "你", "😀", "<think>", "</think>", "```", "I should ", "12/03/2026 ", "£1,240.00 ",
    "LK21 ABO ", "16:20 ", "no no ", "twenty-one ", "http://x.example/?a=b ", "A. B. C. ", "’", "\u200b", "\u202e", "\x1b[31m",
)  # fmt: skip
LONG = st.builds(lambda token, n: token * n, st.sampled_from(TOKENS), st.sampled_from((50, 500, 1900, 4100, 30_000)))
TEXT = st.one_of(
    st.text(ANY_CHARACTER, max_size=40),
    st.sampled_from(["", " ", "\x00", "\ufeff", "..", "../x", "null", "NO", "0107", "2026-02-30", "9999-99-99", "25:61", "http://[::1", "http://1.2.3.4"]),
    LONG,
)  # fmt: skip
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(min_value=10**25, max_value=10**400), st.floats(), TEXT
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=10), inner, max_size=4)),
    max_leaves=8,
)
RAW = st.one_of(
    st.binary(max_size=200),
    st.sampled_from([
        b"", b"null", b"[]", b"{}", b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00", b"[" * 50_000, b'{"a":' * 20_000, b'{"a":1,"a":2}', b"NaN", b"1e999",
        b"9" * 5000, b'"\\ud800"', b'{"\\u0000":1}', b"<html>", b"---\n", b"\x00", b"a: &x [*x]", b"!!python/object:os.system {}", b"? [a]\n: b", b"%YAML 9",
    ]),
)  # fmt: skip


def _paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _paths(inner, (*at, key))


@st.composite
def changed(draw: st.DrawFn, base: Any) -> Any:
    """The value with one to three places replaced, removed, doubled or given another name."""
    value = copy.deepcopy(base)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(_paths(value))))
        if not path:
            if draw(st.integers(0, 9)) == 0:
                return draw(JUNK)
            continue
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        last = path[-1]
        how = draw(st.sampled_from(("replace", "replace", "remove", "double", "rename", "text")))
        if how == "remove":
            del holder[last]
        elif how == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        elif how == "rename" and isinstance(holder, dict):
            holder[draw(st.text(ANY_CHARACTER, max_size=12))] = holder.pop(last)
        elif how == "text" and isinstance(holder[last], str):
            holder[last] = draw(cut_text(holder[last]))
        else:
            holder[last] = draw(JUNK)
    return value


@st.composite
def cut_text(draw: st.DrawFn, base: str) -> str:
    """The text with a stretch of it replaced."""
    start = draw(st.integers(0, len(base)))
    end = draw(st.integers(start, min(len(base), start + 20)))
    return base[:start] + draw(TEXT) + base[end:]


@st.composite
def cut_bytes(draw: st.DrawFn, base: bytes) -> bytes:
    """The bytes cut short, with a stretch replaced, doubled, with other line ends, or quite others."""
    how = draw(st.sampled_from(("replace", "replace", "replace", "short", "double", "crlf", "raw")))
    start = draw(st.integers(0, len(base)))
    end = draw(st.integers(start, min(len(base), start + 60)))
    if how == "short":
        return base[:start]
    if how == "double":
        return base[:end] + base[start:]
    if how == "crlf":
        return base.replace(b"\n", b"\r\n")
    if how == "raw":
        return draw(RAW)
    filler: bytes = draw(st.one_of(RAW, TEXT.map(lambda t: t.encode("utf-8", "surrogatepass"))))
    return base[:start] + filler + base[end:]


def as_json(value: Any) -> bytes:
    """The value as an unkind writer sends it: NaN and halves of surrogate pairs are not refused."""
    return json.dumps(value).encode()


def json_bytes(base: Any) -> st.SearchStrategy[bytes]:
    """A JSON document that is changed as a value or as bytes."""
    return st.one_of(changed(base).map(as_json), changed(base).map(as_json), cut_bytes(as_json(base)))
