"""Reading pictures of pages with tesseract: a second opinion on what a person can see, which knows nothing of the page."""

import asyncio
import hashlib
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageFilter, ImageOps
from playwright.async_api import Page

from oracle_scoring.corpus import look_ocr
from oracle_scoring.corpus.look_ocr import tesseract
from oracle_scoring.corpus.look_text import CJK, distance, squeeze, words

MEND = "apt-get install tesseract-ocr tesseract-ocr-chi-sim"
LANGUAGES = frozenset({"eng", "chi_sim"})
DPI = 192
WORD_SLACK = 4
"""One wrong letter is forgiven for every so many letters of a Latin word; words of fewer letters must be right."""
CJK_CHUNK = 4
"""Chinese is compared in chunks of so many characters, one wrong character forgiven in a whole chunk."""
READABLE_SHARE = 0.75
"""A visible text is readable if words with at least this share of its characters were read."""
HIDDEN_SLACK = 0.15
"""A hidden text is readable if it was read with at most this share of wrong characters."""
SHORTEST_LATIN = 4
SHORTEST_CJK = 2
"""Hidden texts with fewer characters cannot be told from chance and are not looked for."""
SHORT_HIDDEN = 8
"""A hidden text in Latin letters with fewer characters counts as read only as whole words."""
TILE = 16
LINE_CONTRAST = 24
LINE_ACROSS = 70
LINE_DOWN = 38
"""A row or column of so many pixels (at twice the usual scale) that differ from the ground is a line, not a letter."""
AT_ONCE = 2
"""So many pictures are read at the same time."""
FAINT = 40
"""Text that differs from its ground by more (of 255) is made black; a person overlooks what differs less."""
PANE_STEPS = 14
"""Most pictures taken while one pane is scrolled to one of its ends."""
Pixels = npt.NDArray[np.bool_]


def missing() -> str | None:
    """What has to be installed before pictures can be read, as one line; None if nothing."""
    return look_ocr.missing(LANGUAGES, MEND)


# ---------------------------------------------------------------------- pictures

_PANES = """() => {
  const found = [];
  let moved = '';
  const look = (root, dx, dy) => {
    for (const el of root.querySelectorAll('*')) {
      if (el.scrollTop || el.scrollLeft) moved += `${el.scrollLeft},${el.scrollTop};`;
      if (el.shadowRoot) look(el.shadowRoot, dx, dy);
      const r = el.getBoundingClientRect(), cs = getComputedStyle(el);
      if (el.localName === 'iframe') {
        let doc = null;
        try { doc = el.contentDocument; } catch { doc = null; }
        if (doc && doc.documentElement) {
          const top = doc.scrollingElement || doc.documentElement;
          if (top.scrollHeight > top.clientHeight + 4) found.push([dx + r.left + r.width / 2, dy + r.top + r.height / 2, r.height]);
          look(doc, dx + r.left + el.clientLeft, dy + r.top + el.clientTop);
        }
        continue;
      }
      const scrolls = (flow, whole, part) => /auto|scroll/.test(flow) && whole > part + 4;
      if (el === document.body || el === document.documentElement) continue;
      if (scrolls(cs.overflowY, el.scrollHeight, el.clientHeight) || scrolls(cs.overflowX, el.scrollWidth, el.clientWidth)) {
        found.push([dx + r.left + r.width / 2, dy + r.top + r.height / 2, el.clientHeight]);
      }
    }
  };
  look(document, 0, 0);
  return {panes: found, moved};
}"""
FAR = 100_000


class _Camera:
    """Takes pictures of one page and moves it with the mouse wheel."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.shots: dict[str, bytes] = {}

    async def shoot(self) -> None:
        """Keeps a picture of the page once two in a row are the same; the tenth is kept in any case."""
        last = b""
        for _ in range(10):
            data = await self.page.screenshot(animations="allow", timeout=30_000)
            if data == last:
                break
            last = data
            await self.page.wait_for_timeout(30)
        self.shots.setdefault(hashlib.sha256(data).hexdigest(), data)

    async def look(self) -> tuple[list[list[float]], str]:
        """Panes as [x, y, height], and how far everything is scrolled."""
        found = await self.page.evaluate(_PANES)
        return found["panes"], found["moved"]

    async def wheel(self, x: float, y: float, dx: float, dy: float) -> bool:
        """Turns the wheel at a point; True if that moved anything."""
        _, before = await self.look()
        await self.page.mouse.move(x, y)
        await self.page.mouse.wheel(dx, dy)
        for _ in range(6):
            await self.page.wait_for_timeout(25)
            _, now = await self.look()
            if now != before:
                return True
        return False

    async def through(self, x: float, y: float, step: float) -> None:
        """Pictures from one end of what lies at a point to the other, downwards and then to the right."""
        for dx, dy in ((0, 1), (1, 0)):
            away = await self.wheel(x, y, -dx * FAR, -dy * FAR)
            for _ in range(PANE_STEPS):
                await self.shoot()
                if not await self.wheel(x, y, dx * step, dy * step):
                    break
            if not away:
                await self.wheel(x, y, -dx * FAR, -dy * FAR)


async def photograph(page: Page) -> list[bytes]:
    """PNG pictures of everything that a person finds with the mouse wheel: the page and every pane on it.

    Only real wheel events move anything. A pane that stood at one of its ends stands there again.
    """
    camera = _Camera(page)
    size = page.viewport_size or {"width": 1280, "height": 900}
    width, height = size["width"], size["height"]
    await camera.shoot()
    await camera.through(width / 2, height - 4, height * 0.7)
    for i in range(len((await camera.look())[0])):
        x, y, tall = (await camera.look())[0][i]
        away = not 0 <= y < height
        if away:
            await camera.wheel(4, 4, 0, y - height / 2)
            x, y, tall = (await camera.look())[0][i]
        if 0 <= y < height and 0 <= x < width:
            await camera.through(x, y, max(40.0, tall * 0.7))
        if away:
            await camera.wheel(4, 4, 0, -FAR)
    return list(camera.shots.values())


def _cropped(data: bytes) -> Image.Image | None:
    """The picture without its empty margins, in grey; None if it is empty."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    empty = Image.new("RGB", image.size, image.getpixel((image.width - 1, image.height - 1)))
    where = ImageChops.difference(image, empty).getbbox()
    if where is None:
        return None
    left, top, right, bottom = where
    pad = 24
    cut = image.crop((max(0, left - pad), max(0, top - pad), right + pad, bottom + pad))
    return cut.convert("L")


def _runs(marked: Pixels, length: int) -> Pixels:
    """Pixels that belong to a horizontal run of at least `length` marked ones."""
    if marked.shape[1] < length:
        return np.zeros_like(marked)
    sums = np.cumsum(np.pad(marked.astype(np.int32), ((0, 0), (1, 0))), axis=1)
    full = ((sums[:, length:] - sums[:, :-length]) == length).astype(np.int32)
    edges = np.zeros((marked.shape[0], marked.shape[1] + 1), np.int32)
    edges[:, : full.shape[1]] += full
    edges[:, length : length + full.shape[1]] -= full
    return np.asarray(np.cumsum(edges, axis=1)[:, :-1] > 0)


def _ground(grey: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """The colour on which every pixel's text would be painted: the median of its surroundings."""
    height, width = grey.shape
    padded = np.pad(grey, ((0, -height % TILE), (0, -width % TILE)), mode="edge")
    rows, columns = padded.shape[0] // TILE, padded.shape[1] // TILE
    tiles = np.median(padded.reshape(rows, TILE, columns, TILE), axis=(1, 3)).astype(np.uint8)
    smooth = np.asarray(Image.fromarray(tiles).filter(ImageFilter.MedianFilter(3))).astype(np.int16)
    return np.repeat(np.repeat(smooth, TILE, axis=0), TILE, axis=1)[:height, :width]


def _plain(image: Image.Image, strengthen: bool) -> Image.Image:
    """Dark on white whatever the colours were, black if it is to be strengthened, without the borders of boxes, in which tesseract loses the words."""
    grey = np.asarray(image).astype(np.int16)
    apart = np.abs(grey - _ground(grey))
    marked = apart > LINE_CONTRAST
    lines = _runs(marked, LINE_ACROSS) | _runs(marked.T, LINE_DOWN).T
    wide = lines.copy()
    wide[1:] |= lines[:-1]
    wide[:-1] |= lines[1:]
    wide[:, 1:] |= lines[:, :-1]
    wide[:, :-1] |= lines[:, 1:]
    strong = np.where(apart > FAINT, np.minimum(255, apart * 5 // 2), apart) if strengthen else apart
    return Image.fromarray((255 - np.where(wide, 0, strong)).astype(np.uint8))


@dataclass(frozen=True)
class Reading:
    """What tesseract read on the pictures of one page."""

    texts: tuple[str, ...]

    @cached_property
    def hay(self) -> str:
        """All readings in one string; readings cannot run into each other."""
        return "\n".join(squeeze(t) for t in self.texts)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words read."""
        return frozenset(w for t in self.texts for w in words(t))

    def _chunk_read(self, chunk: str) -> bool:
        if CJK.match(chunk):
            return distance(chunk, self.hay) <= (1 if len(chunk) >= CJK_CHUNK else 0)
        return distance(chunk, self.hay) <= len(chunk) // WORD_SLACK

    def share(self, text: str) -> float:
        """Share of a text's letters and digits that belong to words that were read; 1.0 for a text without any."""
        chunks: list[str] = []
        for word in words(text):
            cjk = bool(CJK.match(word))
            chunks += [word[i : i + CJK_CHUNK] for i in range(0, len(word), CJK_CHUNK)] if cjk else [word]
        total = sum(map(len, chunks))
        return sum(len(c) for c in chunks if self._chunk_read(c)) / total if total else 1.0

    def shows(self, text: str) -> bool:
        """A text that should be hidden was read."""
        needle = squeeze(text)
        if len(needle) < SHORT_HIDDEN and not CJK.search(needle):
            own = words(text)
            return bool(own) and all(w in self.words for w in own) and needle in self.hay
        return distance(needle, self.hay) <= int(len(needle) * HIDDEN_SLACK)


def long_enough(text: str) -> bool:
    """A hidden text that can be told from chance."""
    needle = squeeze(text)
    return len(needle) >= (SHORTEST_CJK if CJK.search(needle) else SHORTEST_LATIN)


def _prepared(data: bytes) -> dict[str, Image.Image] | None:
    """The picture in every form in which it is read; None if it is empty."""
    image = _cropped(data)
    if image is None:
        return None
    plain, soft = _plain(image, True), _plain(image, False)
    return {"raw": image, "plain": plain, "soft": soft, "inverse": ImageOps.invert(image)}


PASSES = (("plain", 11), ("raw", 3), ("plain", 6), ("soft", 11), ("soft", 6), ("inverse", 6))
"""Picture made plain (strong or soft), as it is or turned to its negative, and tesseract's page segmentation mode (11 scattered words, 3 columns, 6 one block)."""
ALWAYS = 2
"""So many passes are made of every page; further ones only while some visible text has not been read."""


async def read_pictures(pictures: Iterable[bytes], visible: Sequence[str], chinese: bool) -> Reading:
    """What tesseract reads on the pictures: at least `ALWAYS` passes, further ones while `visible` is not all readable."""
    prepared = [p for p in [await asyncio.to_thread(_prepared, data) for data in pictures] if p is not None]
    languages = ["chi_sim", "eng"] if chinese else ["eng"]
    texts: list[str] = []
    reading = Reading(())
    for number, (kind, mode, language) in enumerate((k, m, lang) for k, m in PASSES for lang in languages):
        if number >= ALWAYS and all(reading.share(text) >= READABLE_SHARE for text in visible):
            break
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(image: Image.Image, language: str = language, mode: int = mode, gate: Any = gate) -> str:
            async with gate:
                return await asyncio.to_thread(tesseract, image, language, mode, DPI)

        texts += await asyncio.gather(*(one(forms[kind]) for forms in prepared))
        reading = Reading(tuple(texts))
    return reading


def has_chinese(texts: Iterable[str]) -> bool:
    """Some text has Chinese, Japanese or Korean characters."""
    return any(CJK.search(t) for t in texts)
