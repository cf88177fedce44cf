"""One move of the customer."""

from typing import Annotated, Literal

from pydantic import Field

from harness.schema.base import Strict

MoveKind = Literal["say", "press", "fill", "upload", "wait", "leave"]


class Move(Strict):
    """What the customer does next. Flat and complete, so that small models can fill it in.

    Fields a kind does not use are empty.
    """

    asked: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=40)]
    """Ids of facts the screen asked for (as the customer understood it; never used in a score)."""
    asked_unknown: bool
    """Something was asked that the customer does not know."""
    used: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=40)]
    """Ids of facts used in this move."""
    move: MoveKind
    messages: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=5)]
    """say: one or several messages, sent one after the other."""
    control: Annotated[str, Field(max_length=300)]
    """press, fill, upload: the visible name of the control."""
    value: Annotated[str, Field(max_length=2000)]
    """fill: what to type or choose."""
    file: Annotated[str, Field(max_length=200)]
    """upload: the label or name of the file."""


def say(*messages: str, asked: list[str] | None = None, used: list[str] | None = None, unknown: bool = False) -> Move:
    """A `say` move."""
    return Move(
        asked=asked or [],
        asked_unknown=unknown,
        used=used or [],
        move="say",
        messages=list(messages),
        control="",
        value="",
        file="",
    )


def act(
    kind: MoveKind,
    control: str = "",
    value: str = "",
    file: str = "",
    asked: list[str] | None = None,
    used: list[str] | None = None,
) -> Move:
    """A move other than `say`."""
    return Move(
        asked=asked or [],
        asked_unknown=False,
        used=used or [],
        move=kind,
        messages=[],
        control=control,
        value=value,
        file=file,
    )
