"""How long a person would take over a journey: reading what the product shows, typing and pointing, at published rates.

Time to think, to look something up and to find a file is not in it: nobody has published that for claims. It is the least
a person of ordinary skill needs, beside which the product's own waits are counted as they were.
"""

import re
import unicodedata
from dataclasses import dataclass

from oracle_scoring.claims.context import Context

WORDS_READ_PER_MINUTE = 238.0
"""Silent reading of English non-fiction, adults: M. Brysbaert, "How many words do we read per minute? A review and
meta-analysis of reading rate", Journal of Memory and Language 109 (2019), 104047. Vietnamese, which parts every syllable,
is counted by the same rate and so comes out too slow rather than too fast."""
CHARACTERS_READ_PER_MINUTE = 255.0
"""Chinese, read aloud (silent reading is faster): S. Trauzettel-Klosinski and K. Dietz, "Standardized assessment of reading
performance: the New International Reading Speed Texts IReST", Investigative Ophthalmology & Visual Science 53 (2012), 5452."""
WORDS_TYPED_PER_MINUTE = 51.56
"""Keyboards, 168,000 volunteers: V. Dhakal, A. M. Feit, P. O. Kristensson and A. Oulasvirta, "Observations on typing from 136
million keystrokes", CHI 2018. A word is five keystrokes, as is usual in typing research."""
STROKES_PER_WORD = 5
STROKES_PER_CHINESE_CHARACTER = 4
"""The rig's own assumption: three letters of pinyin and one key to choose."""
PRESS_S = 2.65
"""To decide on (1.35 s), point at (1.10 s) and press and let go of (0.20 s) something visible: S. K. Card, T. P. Moran and
A. Newell, "The keystroke-level model for user performance time with interactive systems", CACM 23 (1980), 396."""
PRESSES_PER_UPLOAD = 3
"""Open the chooser, choose the file, confirm."""
READ = ("card", "dialog", "notice", "final")
"""Parts of a screen that are read beside the replies."""
PASSWORD_STROKES = 12
"""A password is not in the record; it is taken to be so long."""

_CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True)
class PersonTime:
    """Seconds of a person's own time."""

    reading_s: float
    typing_s: float
    pointing_s: float

    @property
    def all_s(self) -> float:
        """Together."""
        return self.reading_s + self.typing_s + self.pointing_s


def reading_s(text: str) -> float:
    """Seconds to read a text once: Chinese by characters, everything else by words."""
    characters = len(_CHINESE.findall(text))
    words = len(re.findall(r"\w+(?:['’.,:/@-]\w+)*", _CHINESE.sub(" ", text)))
    return 60 * (words / WORDS_READ_PER_MINUTE + characters / CHARACTERS_READ_PER_MINUTE)


def typing_s(text: str) -> float:
    """Seconds to type a text: one stroke a character, one more for each accent or tone, four for a Chinese character."""
    characters = len(_CHINESE.findall(text))
    rest = _CHINESE.sub("", text)
    strokes = len(unicodedata.normalize("NFD", rest)) + rest.casefold().count("đ")
    return 60 * (strokes + STROKES_PER_CHINESE_CHARACTER * characters) / STROKES_PER_WORD / WORDS_TYPED_PER_MINUTE


def person_time(ctx: Context) -> PersonTime:
    """What a person would have read, typed and pressed on this journey; a message is sent by one more stroke."""
    typing = pointing = 0.0
    for act in ctx.acts:
        if not act.confirmed:
            continue
        if act.act == "said":
            typing += typing_s(act.text + "\n")
        elif act.act == "filled":
            typing += typing_s(act.text.partition(" = ")[2])
            pointing += PRESS_S
        elif act.act == "signed_in":
            typing += typing_s(act.text) + typing_s("x" * PASSWORD_STROKES)
            pointing += PRESS_S
        elif act.act in ("pressed", "uploaded"):
            pointing += PRESS_S * (PRESSES_PER_UPLOAD if act.act == "uploaded" else 1)
    return PersonTime(sum(reading_s(text) for text in _read(ctx)), typing, pointing)


def _read(ctx: Context) -> list[str]:
    """Every reply, and every line of a card, dialog, notice or final state when it is first shown there.

    Side panel, tags and to-do strip repeat what was said; they need no answer and are not counted.
    """
    texts = [s.text for s in ctx.talk.spoken]
    seen: set[tuple[str, str]] = set()
    for screen in ctx.screens:
        for block in screen.screen.blocks:
            if block.part not in READ:
                continue
            for row in block.text.splitlines():
                if (block.part, row) not in seen:
                    seen.add((block.part, row))
                    texts.append(row)
    return texts
