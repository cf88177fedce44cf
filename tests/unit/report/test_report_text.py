"""Hostile and foreign text made fit to be looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report.text import MAX_CHARS, Marker, Piece, Quote, Shown, plain
from tests.support.growth import grows_too_fast


def joined(pieces: tuple[Piece, ...]) -> str:
    """The text of pieces, as a reader sees it."""
    return "".join(p.text for p in pieces)


def shown(text: str) -> str:
    """The unfolded text as a reader sees it."""
    return joined(Marker().show(text, whole=True).head)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello <b>",
        "两页的报价单，共 1,240 元",
        "Tôi bị đâm xe ở bãi đỗ",
        "👩‍👩‍👧 ❤️ 🚗 1️⃣",
        "שלום مرحبا",
        "tab\tand\nline",
        "葛󠄀",
    ],
)
def test_ordinary_text_is_unchanged(text: str) -> None:
    """Scripts, emoji and markup characters stay as they are."""
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("a\u200bb", "a⟦U+200B⟧b"),
        ("\u2066x\u2069", "⟦U+2066⟧x⟦U+2069⟧"),
        ("\x00\x07", "⟦U+0000⟧⟦U+0007⟧"),
        ("\u200b\u200b\u200b", "⟦U+200B ×3⟧"),
        ("a\u3164b", "a⟦U+3164⟧b"),
        ("x\U000e0041", "x⟦U+E0041⟧"),
        ("x\ufe0f", "x⟦U+FE0F⟧"),
        ("a\u200db", "a⟦U+200D⟧b"),
        ("\ud800", "⟦U+D800⟧"),
        ("\x1b[31mred\x1b[0m", "⟦ANSI⟧red⟦ANSI⟧"),
        ("\x1b]8;;http://x\x1b\\link", "⟦ANSI⟧link"),
        ("\x9b2Jx", "⟦ANSI⟧x"),
        ("\x1b]never ended, still read", "⟦ANSI⟧never ended, still read"),
        ("e" + "\u0301" * 10, "e" + "\u0301" * 4 + "⟦+6 combining marks⟧"),
        ("a\u2028b", "a\n⟦U+2028⟧b"),
        ("a\rb", "a⟦U+000D⟧b"),
    ],
)
def test_what_hides_is_written_out(text: str, seen: str) -> None:
    """Controls, direction marks, invisible and stacked characters are visible; terminal sequences are replaced by a mark."""
    assert shown(text) == seen


@given(st.text(st.characters(), max_size=200))
def test_nothing_hidden_is_left(text: str) -> None:
    """Whatever comes in, no control or direction character is left, and the same text is shown the same way."""
    seen = shown(text)
    assert not set(seen) & set(
        map(chr, [*range(9), *range(11, 32), 0x7F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
    )
    assert seen == shown(text)


def test_long_text_is_folded_with_a_count() -> None:
    """A long text shows its beginning; the rest is folded with a count, and what exceeds the page is counted too."""
    marker = Marker()
    view = marker.show("a" * 200_000)
    assert len(joined(view.head)) + view.rest_chars + view.cut_chars == 200_000
    assert len(joined(view.head)) + view.rest_chars == MAX_CHARS
    assert marker.cut_chars == 180_000
    assert not view.printed


def test_many_lines_are_folded() -> None:
    """A text of many short lines is folded as well."""
    view = Marker().show("x\n" * 100)
    assert joined(view.head).count("\n") < 30
    assert view.rest_chars > 100


def test_quote_is_marked_once_with_its_anchor() -> None:
    """Every occurrence is marked, the first carries the anchor, and the marker remembers that it was found."""
    marker = Marker()
    view = marker.show("ask, ask again", [Quote("ask", "q1", failed=True), Quote("missing", "q2")])
    marks = [p for p in view.head if p.marked]
    assert [p.anchor for p in marks] == ["q1", None]
    assert all(p.failed for p in marks)
    assert marker.placed == {"q1": "q1"}


def test_two_lines_that_quote_the_same_words_both_lead_to_the_mark() -> None:
    """The second has no mark of its own: words inside marked ones stand where those do; words elsewhere do not."""
    marker = Marker()
    quotes = [
        Quote("how many pieces?", "q1"),
        Quote("how many pieces?", "q2"),
        Quote("pieces?", "q3"),
        Quote("role", "q4"),
    ]
    view = marker.show("And how many pieces? And your", quotes)
    assert [p.anchor for p in view.head if p.marked] == ["q1"]
    assert marker.placed == {"q1": "q1", "q2": "q1", "q3": "q1"}


def test_overlapping_quotes_keep_the_text() -> None:
    """Overlapping quotes never double or lose a letter; the earlier one wins."""
    view = Marker().show("abcdef", [Quote("bcd", "q1"), Quote("cde", "q2"), Quote("f", "q3")])
    assert joined(view.head) == "abcdef"
    assert [p.text for p in view.head if p.marked] == ["bcd", "f"]


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=4), max_size=4))
def test_marking_never_changes_the_words(text: str, quotes: list[str]) -> None:
    """With printable text, marked or not, the reader sees the same letters."""
    text = "".join(c for c in text if c.isascii() and c.isprintable())
    view = Marker().show(text, [Quote(q, f"q{i}") for i, q in enumerate(quotes)])
    assert joined(view.head) == text


def test_quote_behind_the_fold_is_marked() -> None:
    """A quote across or behind the fold is still marked."""
    text = "x" * 890 + "needle-needle" + "y" * 2000
    view: Shown = Marker().show(text, [Quote("needle-needle", "q1")])
    assert joined(tuple(p for p in (*view.head, *view.rest) if p.marked)) == "needle-needle"


def test_huge_text_with_tiny_quotes_is_quick() -> None:
    """A letter repeated 200,000 times, quoted by many lines, does not take quadratic time."""
    quotes = [Quote("A" * n, f"q{n}") for n in range(1, 40)]
    assert grows_too_fast(lambda size: Marker().show("A" * size, quotes), 200_000) == ""


def test_long_words_get_places_to_break() -> None:
    """A word of many letters is cut into pieces between which a line may break; no letter changes."""
    view = Marker().show("A" * 1000, whole=True)
    assert joined(view.head) == "A" * 1000
    assert max(len(p.text) for p in view.head) == 160
    assert all(p.may_break for p in view.head[:-1])


def test_plain_is_one_short_line() -> None:
    """Titles are one line without hidden characters."""
    assert plain("a\n b\u202e" + "c" * 500, 20) == "a b⟦U+202E⟧cccccccc…"
