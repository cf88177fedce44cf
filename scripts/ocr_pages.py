"""Pages as the rig's reader and a camera see them: visible texts, what the document holds besides, pictures."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, BrowserContext

from harness.schema.screen import Screen
from harness.screen.look import read_whole
from harness.screen.reader import make_screen
from harness.screen.surface import Surface
from scripts.ocr_reading import photograph, squeeze, words

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "tests" / "browser" / "screen" / "pages"
VIEWPORT = {"width": 1280, "height": 900}
SCALE = 2
_NUMBERED = re.compile(r" \(\d+\)$")
_STRINGS = """() => {
  const out = new Set();
  const look = (root) => {
    const walker = document.createTreeWalker(root, 5);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      if (n.nodeType === 3) {
        if (!['SCRIPT', 'STYLE'].includes(n.parentNode && n.parentNode.nodeName)) out.add(n.data);
        continue;
      }
      for (const a of n.attributes) if (/^(aria-label|aria-description|alt|title|value|placeholder|content|data-.*)$/.test(a.name)) out.add(a.value);
      if (n.shadowRoot) look(n.shadowRoot);
      if (n.localName === 'iframe') { try { if (n.contentDocument) look(n.contentDocument); } catch { /* foreign */ } }
    }
  };
  look(document);
  return [...out].map((s) => s.replace(/\\s+/g, ' ').trim()).filter((s) => s && s.length <= 200);
}"""


@dataclass
class Shown:
    """One page as the reader and the camera saw it."""

    name: str
    visible: list[str]
    unseen: list[str]
    pictures: list[bytes]


def visible_texts(screen: Screen) -> list[str]:
    """Blocks, and names, values and placeholders of controls, each once; marks of the rig's own are taken off."""
    texts = [b.text for b in screen.blocks]
    for control in screen.controls:
        name = _NUMBERED.sub("", control.name)
        texts += [] if name.startswith("unnamed ") else [name]
        value = control.value or ""
        texts += [] if value in ("checked", "not checked") or set(value) == {"•"} else [value]
        texts += [control.placeholder or ""]
    return list(dict.fromkeys(t for t in texts if squeeze(t)))


def unseen_texts(document: Iterable[str], visible: Iterable[str], listed: Iterable[str] = ()) -> list[str]:
    """What the document holds and the reader did not show; `listed` strings are kept whatever is visible.

    A text of which every word is visible somewhere else cannot be told from those words on a picture, and is left out.
    """
    text = "\n".join(visible)
    shown, shown_words = squeeze(text), set(words(text))
    unseen = (s for s in document if squeeze(s) and squeeze(s) not in shown and not set(words(s)) <= shown_words)
    return list(dict.fromkeys([*listed, *unseen]))


async def fixture_page(browser: Browser, name: str) -> Shown:
    """One fixture page, read as a whole page and photographed."""
    context = await new_context(browser)
    try:
        screen = await read_whole(context, (PAGES / f"{name}.html").as_uri())
        page = context.pages[0]
        document = await page.evaluate(_STRINGS)
        visible = visible_texts(screen)
        listed = json.loads((PAGES / f"{name}.json").read_text(encoding="utf-8"))["hidden"]
        return Shown(name, visible, unseen_texts(document, visible, listed), await photograph(page))
    finally:
        await context.close()


async def whole_page(surface: Surface, name: str) -> Shown:
    """The page of a surface: whole, not confined to an adapter's parts."""
    reading = await surface.world.again("readPage", timeout_s=60)
    screen, _ = make_screen(0, reading, [])
    visible = visible_texts(screen)
    document = await surface.page.evaluate(_STRINGS)
    return Shown(name, visible, unseen_texts(document, visible), await photograph(surface.page))


async def new_context(browser: Browser) -> BrowserContext:
    """A context like a customer's, with pictures at twice the usual scale."""
    return await browser.new_context(
        viewport=VIEWPORT,  # type: ignore[arg-type]
        device_scale_factor=SCALE,
        service_workers="block",
        locale="en-GB",
        timezone_id="UTC",
    )
