"""Markers of media and links in a reply, and bare addresses.

[IMAGE:id|caption] [DOCUMENT:id|fileName|caption] [VIDEO:url|caption] [KBVIDEO:id|caption] [LINK:url|caption]
"""

import re
from dataclasses import dataclass

FIELDS = {"IMAGE": 2, "DOCUMENT": 3, "VIDEO": 2, "KBVIDEO": 2, "LINK": 2}
"""Kind -> number of its fields; the last is the caption."""
_KINDS = (
    "IMAGE|IMAGES|IMG|PIC|PICTURE|PHOTO|POSTER|DOCUMENT|DOC|FILE|PDF|VIDEO|VID|KBVIDEO|KB_VIDEO|KB-VIDEO|LINK|URL|MEDIA"
)
_OPENING = "[【({<［"
_LIKE = re.compile(
    rf"[\[【({{<［]\s{{0,3}}(?P<kind>{_KINDS})\s{{0,3}}(?P<colon>[:：|])(?P<rest>[^\[\]【】［］\n]*+)(?P<close>[\]】］]?)",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\.\S")
_TLDS = "com|cn|top|net|org|vn|io|co|shop|store|info|biz|hk|me|cc|xyz|online|app|uk|de|us|eu"
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s\]|<>\"'，。！？、；（）【】]{1,2000}"
    rf"|(?<![\w@.-])(?:[a-z0-9-]{{1,63}}\.){{1,5}}(?:{_TLDS})(?![\w.-]*\w)(?:/[^\s\]|<>\"'，。！？、；（）【】]{{0,2000}})?"
    r"|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,10}/[^\s\]|<>\"'，。！？、；（）【】]{1,2000}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker, or what was meant as one."""

    raw: str
    kind: str
    """As written."""
    start: int
    end: int
    target: str
    """Id or address."""
    caption: str
    """The caption, empty if there is none."""
    well_formed: bool
    """Bracket, colon, bars, number of fields and case are as the protocol has them."""

    @property
    def is_media(self) -> bool:
        """Anything but a link."""
        return self.kind.upper() not in ("LINK", "URL")


def find_markers(text: str) -> tuple[Marker, ...]:
    """All markers and what looks like one, in order; one that never closes ends with its line."""
    if not any(mark in text for mark in _OPENING):
        return ()
    found = []
    for match in _LIKE.finditer(text):
        kind, fields = match["kind"], tuple(match["rest"].split("|"))
        good = (
            match.group().startswith(f"[{kind}:")
            and match["close"] == "]"
            and FIELDS.get(kind) == len(fields)
            and bool(fields[0])
            and not any(c.isspace() for c in fields[0])
        )
        caption = fields[-1].strip() if len(fields) > 1 else ""
        found.append(Marker(match.group(), kind, match.start(), match.end(), fields[0].strip(), caption, good))
    return tuple(found)


def find_addresses(text: str) -> list[tuple[int, int]]:
    """Start and end of every web address, with or without a scheme."""
    if "." not in text or ("://" not in text and _DOTTED.search(text) is None):
        return []
    return [match.span() for match in _ADDRESS.finditer(text)]


def host_of(address: str) -> str:
    """Host of an address, lower case, without port."""
    rest = address.split("://", 1)[-1]
    return re.split(r"[/?#:]", rest, maxsplit=1)[0].lower()
