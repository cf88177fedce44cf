"""`rig screen URL`: what a customer would see there, for authors of adapters."""

import difflib
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, async_playwright
from playwright.async_api import Error as PlaywrightError

from harness.browser import find_browser, launch_args
from harness.errors import EnvironmentFault, InputError, one_line
from harness.schema.screen import Block, Screen
from harness.screen.adapter import find_adapter, load_adapter
from harness.screen.errors import SurfaceUnreachable
from harness.screen.reader import closed_root_notes, make_screen
from harness.screen.surface import Surface
from harness.screen.world import ContextLost, World

LOAD_MS = 30_000
STILL_MS = 250
"""A page is read once its text has been still this long."""
STILL_CAP_MS = 6000
"""A page whose text never rests is read as it is after this."""
MAX_PANES = 8
MAX_STEPS = 80
VIEWPORT = {"width": 1280, "height": 900}


class _NoSink:
    """Looking records nothing."""

    def emit(self, kind: str, **fields: Any) -> None:
        """Forgotten."""

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Forgotten."""
        return name, "0" * 64


async def look(url: str, product: str | None = None) -> dict[str, Any]:
    """Opens an address (http, https, file, or the path of a file) in a browser of its own; see `look_in`."""
    found = find_browser()
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(
                executable_path=found.path, args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
            )
        except PlaywrightError as exc:
            raise EnvironmentFault(f"{found.path} does not start: {one_line(exc.message, 200)}") from exc
        try:
            return await look_in(browser, url, product)
        finally:
            await browser.close()


async def look_in(browser: Browser, url: str, product: str | None = None) -> dict[str, Any]:
    """What a sighted person sees at an address.

    Args:
        url: http, https or file address, or the path of a file.
        product: adapter name or path; its parts are read. Without one the whole page is read, virtual lists included.

    Returns:
        `{"text": [one string per visual block], "controls": [{kind, name, part, enabled, value, placeholder, options}],
        "unreadable": [{where, why}], "blocks": [{part, text}], "final": text or None}`

    Raises:
        InputError: the address is none, or the adapter is wrong.
        SurfaceUnreachable: the page does not open.
    """
    address = _address(url)
    context = await browser.new_context(viewport=VIEWPORT, service_workers="block", locale="en-GB")  # type: ignore[arg-type]
    try:
        if product is None:
            screen = await read_whole(context, address)
        else:
            surface = await Surface.open(context, load_adapter(find_adapter(product)), address, _NoSink())
            await surface.settle()
            screen = await surface.read(1)
    finally:
        await context.close()
    return {
        "text": [b.text for b in screen.blocks],
        "controls": [c.model_dump() for c in screen.controls],
        "unreadable": [u.model_dump() for u in screen.unreadable],
        "blocks": [b.model_dump() for b in screen.blocks],
        "final": screen.final,
    }


def _address(url: str) -> str:
    if url.startswith(("http://", "https://", "file://", "data:", "about:")):
        return url
    path = Path(url)
    if path.is_file():
        return path.resolve().as_uri()
    raise InputError(url, "is neither an http, https or file address nor a file")


async def read_whole(context: BrowserContext, address: str) -> Screen:
    """The whole page as one Screen; panes that show more text when scrolled are scrolled through with the wheel."""
    page = await context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    world = World(page, None)
    await world.start()
    try:
        await page.goto(address, wait_until="domcontentloaded", timeout=LOAD_MS)
    except PlaywrightError as exc:
        raise SurfaceUnreachable(f"{one_line(address, 120)} cannot be opened: {one_line(exc.message, 160)}") from exc
    with suppress(PlaywrightError):
        await page.wait_for_load_state("load", timeout=STILL_CAP_MS)
    await _still(world)
    screen = await _read(world)
    for pane in range(await world.again("panes", MAX_PANES)):
        screen = await _scroll_through(world, pane, screen)
    return screen


async def _still(world: World) -> None:
    with suppress(TimeoutError):
        await world.again("stillPage", STILL_MS, STILL_CAP_MS, timeout_s=STILL_CAP_MS / 1000 + 10)


async def _read(world: World) -> Screen:
    reading = await world.again("readPage", timeout_s=60)
    screen, _ = make_screen(0, reading, [])
    return await closed_root_notes(world, reading, screen)


async def _scroll_through(world: World, pane: int, screen: Screen) -> Screen:
    """Adds what comes up while the pane is scrolled to its end, then scrolls back. Stops at once if nothing new comes."""
    start = await world.again("pane", pane)
    if start is None or not start["reachable"] or start["end"]:
        return screen
    at = start
    for _ in range(MAX_STEPS):
        if not await _wheel(world, pane, at, at["height"] * 0.8):
            break
        grown = merged(screen, await _read(world))
        if len(grown.blocks) == len(screen.blocks):
            break
        screen = grown
        following = await world.again("pane", pane)
        if following is None or following["end"]:
            break
        at = following
    for _ in range(MAX_STEPS):
        now = await world.again("pane", pane)
        if now is None or now["top"] <= start["top"] + 1:
            break
        if not await _wheel(world, pane, now, start["top"] - now["top"]):
            break
    return screen


async def _wheel(world: World, pane: int, at: dict[str, Any], delta: float) -> bool:
    await world.session.send(
        "Input.dispatchMouseEvent",
        {"type": "mouseWheel", "x": at["x"], "y": at["y"], "deltaX": 0, "deltaY": delta},
    )
    try:
        moved = await world.call("paneMoved", pane, at["top"], 500)
        await world.call("stillPage", 60, 1000)
    except (ContextLost, TimeoutError):
        return False
    return bool(moved)


def merged(screen: Screen, later: Screen) -> Screen:
    """Both readings as one: what they share once, what only one has in its place."""
    old = [b.text for b in screen.blocks]
    new = [b.text for b in later.blocks]
    blocks: list[Block] = []
    for op, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        blocks += screen.blocks[a:b]
        if op in ("insert", "replace"):
            blocks += later.blocks[c:d]
    names = {(c.kind, c.name) for c in screen.controls}
    controls = [*screen.controls, *(c for c in later.controls if (c.kind, c.name) not in names)]
    return screen.model_copy(update={"blocks": blocks, "controls": controls})
