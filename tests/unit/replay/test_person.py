"""A person at a terminal: what they are shown, what their lines mean, and how they leave."""

import asyncio
import io

import pytest

from harness.errors import PersonGone
from harness.person import Terminal, clean, screen_lines
from harness.schema.move import act, say
from harness.schema.order import FileAtHand, PersonRequest
from harness.schema.screen import Block, Screen
from tests.support.views import button, screen, upload, view

FILES = [
    FileAtHand(label="photo of my rear bumper", state="have", promise=None),
    FileAtHand(label="repair quote", state="later", promise="It comes soon."),
]


def asked(shown: Screen | None = None, may_pass: bool = False, refused: str | None = None) -> PersonRequest:
    shown = shown or screen("What is your plate?", button("Yes"), button("No"), upload("Upload photo"))
    return PersonRequest(screen=shown, turn=2, said=["Hello"], files=FILES, refused=refused, may_pass=may_pass)


def terminal(*lines: str) -> Terminal:
    typed = list(lines)
    return Terminal(io.StringIO(), lambda: typed.pop(0) if typed else None, view())


def shown_by(one: Terminal) -> str:
    assert isinstance(one.out, io.StringIO)
    return one.out.getvalue()


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        (["LK21 ABO"], say("LK21 ABO")),
        (["  ", "我的车牌是 LK21 ABO 🚗"], say("我的车牌是 LK21 ABO 🚗")),
        (["first / second"], say("first", "second")),
        (["line one\\", "line two"], say("line one\nline two")),
        (["//leave a note"], say("/leave a note")),
        (["/press 2"], act("press", control="No")),
        (["/press  yes"], act("press", control="Yes")),
        (["/fill 1 = 9 March"], act("fill", control="Yes", value="9 March")),
        (["/upload 1"], act("upload", file="photo of my rear bumper")),
        (["/upload 2 to 3"], act("upload", file="repair quote", control="Upload photo")),
        (["/wait"], act("wait")),
        (["/facts", "/files", "/screen", "/help", "/leave"], act("leave")),
        (["/press 9", "/press", "/upload 7", "/upload 1 to 9", "/fill 1", "/nonsense", "/wait"], act("wait")),
    ],
)
def test_a_line_is_a_move(typed: list[str], move: object) -> None:
    """Words are said; commands name controls and files by number or by their visible name; what means nothing is asked again."""
    assert terminal(*typed).turn(asked()).move == move


def test_who_they_are_and_what_they_know_is_shown_once_and_the_screen_each_time() -> None:
    """The view of a model: persona, facts, files, own words, screen, controls by number."""
    one = terminal("a", "b")
    one.turn(asked())
    first = shown_by(one)
    for words in (
        "Sam Example",
        "It's LK21 ABO.",
        "[2] button “No”",
        "company: What is your plate?",
        "you said: Hello",
    ):
        assert words in first
    assert "file 2: repair quote (comes later; you say: It comes soon.)" in first
    one.turn(asked())
    assert "Sam Example" not in shown_by(one)[len(first) :] and "What is your plate?" in shown_by(one)[len(first) :]


def test_text_of_a_product_does_not_steer_the_terminal() -> None:
    """No escape, no bell, nothing that turns the reading order; the words stay."""
    evil = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe \u2066x\u2069\r\x9b31m"
    shown = Screen(seq=1, blocks=[Block(part="reply", text=f"{evil}\nnext line")], controls=[button(evil)])
    text = screen_lines(asked(shown)) + clean(evil)
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "gnp.exe" in text and "next line" in text


def test_enter_passes_only_where_that_was_offered() -> None:
    """At a pause the customer goes on; where the person is the customer an empty line is nothing."""
    assert terminal("").turn(asked(may_pass=True)).move is None
    assert terminal("", "/wait").turn(asked()).move == act("wait")


def test_nothing_is_said_where_nothing_can_be_typed() -> None:
    """The person is told, and asked again."""
    closed = Screen(seq=1, blocks=[], controls=[button("Yes")])
    one = terminal("hello", "/press 1")
    assert one.turn(asked(closed)).move == act("press", control="Yes")
    assert "Nothing can be typed" in shown_by(one)


def test_too_many_messages_or_too_long_ones_are_said_before_they_are_sent() -> None:
    """As many and as long as a move may hold."""
    one = terminal(" / ".join("abcdef"), "x" * 2001, "x" * 2000)
    move = one.turn(asked()).move
    assert move is not None and len(move.messages[0]) == 2000
    assert shown_by(one).count("One move is 1 to 5 messages") == 2


def test_the_end_of_input_ends_the_attempt() -> None:
    """Whoever leaves is said to have left, whichever thread they left in."""
    with pytest.raises(PersonGone):
        terminal().turn(asked())
    with pytest.raises(PersonGone):
        asyncio.run(terminal("line\\").ask(asked(Screen(seq=1, blocks=[], controls=[]))))
