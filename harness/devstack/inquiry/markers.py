"""Markers in a reply, and the bubbles that a reply is shown as.

`[IMAGE:id|caption]` `[DOCUMENT:id|fileName|caption]` `[VIDEO:url|caption]` `[KBVIDEO:id|caption]` `[LINK:url|caption]`;
brackets, colon, bars, order and case are a contract. What is no marker to the letter is text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from harness.devstack.inquiry.world import World

Kind = Literal["IMAGE", "DOCUMENT", "VIDEO", "KBVIDEO", "LINK"]
_PART = r"[^|\[\]\n]{1,500}"
_MARKER = re.compile(
    rf"\[(?P<kind>IMAGE|VIDEO|KBVIDEO|LINK):(?P<target>{_PART})\|(?P<caption>{_PART})\]"
    rf"|\[DOCUMENT:(?P<document>{_PART})\|(?P<file>{_PART})\|(?P<about>{_PART})\]"
)
WEBSITE = "https://www.beiyijia.top/"


@dataclass(frozen=True)
class Marker:
    """One marker."""

    kind: Kind
    target: str
    """Id, or address of a video or link."""
    caption: str
    file_name: str | None = None

    def __str__(self) -> str:
        name = "" if self.file_name is None else f"{self.file_name}|"
        return f"[{self.kind}:{self.target}|{name}{self.caption}]"


def pieces(reply: str) -> Iterator[str | Marker]:
    """The paragraphs and markers of a reply, in order."""
    at = 0
    for match in _MARKER.finditer(reply):
        yield from _paragraphs(reply[at : match.start()])
        if match["document"] is not None:
            yield Marker("DOCUMENT", match["document"], match["about"], match["file"])
        else:
            yield Marker(_kind(match["kind"]), match["target"], match["caption"])
        at = match.end()
    yield from _paragraphs(reply[at:])


def _kind(word: str) -> Kind:
    return "IMAGE" if word == "IMAGE" else "VIDEO" if word == "VIDEO" else "KBVIDEO" if word == "KBVIDEO" else "LINK"


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n[ \t]*\n", text):
        if paragraph.strip():
            yield paragraph.strip()


def markers(reply: str) -> list[Marker]:
    """Only the markers."""
    return [piece for piece in pieces(reply) if isinstance(piece, Marker)]


def delivered(marker: Marker, world: World, base_url: str) -> bool:
    """Whether what a marker names can be shown: the id exists, the address is the product's own or the website's."""
    if marker.kind == "IMAGE":
        return marker.target in world.images or any(marker.target in ids for ids in world.media.posters.values())
    if marker.kind == "DOCUMENT":
        return any(d.id == marker.target for d in world.media.documents)
    if marker.kind == "KBVIDEO":
        return marker.target in world.media.kbvideos
    if marker.kind == "VIDEO":
        return any(marker.target == video_url(base_url, video) for video in world.videos)
    return marker.target == WEBSITE


def video_url(base_url: str, video: str) -> str:
    """The address of a product's video."""
    return f"{base_url}/inquiry/media/{video}"
