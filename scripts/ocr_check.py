"""Does tesseract see what the rig's reader sees? Over all fixture pages of the screen and all reference pages.

    scripts/ocr_check [--json] [--only NAME …] [--keep DIR]

What the reader calls visible must be readable on screenshots; what it does not call visible (a fixture's list of unseen
strings, and every text or attribute of the document that the reader left out) must not be. Exceptions stand, each with its
reason, in tests/browser/screen/ocr_exceptions.yaml. Exit 0: no problem; 1: problems; 2: bad input; 4: something is missing.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, async_playwright

from harness.browser import find_browser, launch_args
from harness.config import read_config
from harness.customer.conduct import Conduct
from harness.customer.ledger import ClaimLedger
from harness.customer.players import RulePlayer
from harness.errors import InputError, RigError
from harness.product import ProductClient
from harness.progress import Quiet
from harness.record import Recorder, Redactor
from harness.schema.order import JourneyOrder, Limits
from harness.schema.screen import Screen
from harness.screen.adapter import Adapter, Step, find_adapter, load_adapter, parse_yaml
from harness.screen.look import read_whole
from harness.screen.reader import make_screen
from harness.screen.surface import Surface
from harness.seed import seed, seed_request
from harness.stack import StackConnection, for_run
from harness.stage import load_package, stage
from harness.worker import Journey
from scripts.ocr_reading import (
    READABLE_SHARE,
    has_chinese,
    long_enough,
    missing,
    photograph,
    read_pictures,
    squeeze,
    words,
)

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "tests" / "browser" / "screen" / "pages"
EXCEPTIONS = ROOT / "tests" / "browser" / "screen" / "ocr_exceptions.yaml"
PACKAGE = ROOT / "packages" / "claims" / "CTL-M-001"
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


@dataclass
class Result:
    """The counts and findings that `--json` prints."""

    pages: int = 0
    blocks_checked: int = 0
    readable: int = 0
    hidden_checked: int = 0
    not_readable: int = 0
    too_short: list[dict[str, str]] = field(default_factory=list)
    """Hidden texts that cannot be told from chance, and are not looked for."""
    exceptions: list[dict[str, str]] = field(default_factory=list)
    problems: list[dict[str, str]] = field(default_factory=list)
    unused_exceptions: list[dict[str, str]] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {"readable_share": READABLE_SHARE, **self.__dict__}


def read_exceptions(path: Path = EXCEPTIONS) -> dict[tuple[str, str, str], str]:
    """(page, what, text) -> reason. `what` is `visible` (read by us, not by tesseract) or `hidden` (the reverse)."""
    found: dict[tuple[str, str, str], str] = {}
    for number, entry in enumerate(parse_yaml(path.read_text(encoding="utf-8"), path.name)):
        keys = {"page", "what", "text", "reason"}
        if not isinstance(entry, dict) or set(entry) != keys or entry["what"] not in ("visible", "hidden"):
            raise InputError(f"{path.name}: {number}", "needs page, what (visible or hidden), text and reason")
        if not entry["reason"].strip():
            raise InputError(f"{path.name}: {number}", "has no reason")
        found[entry["page"], entry["what"], entry["text"]] = entry["reason"]
    return found


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


async def check_page(shown: Shown, exceptions: dict[tuple[str, str, str], str], used: set[Any], result: Result) -> None:
    """Compares one page's pictures with what the reader said; adds to `result`."""
    read = await read_pictures(shown.pictures, shown.visible, has_chinese([*shown.visible, *shown.unseen]))
    result.pages += 1

    def wrong(what: str, text: str, why: str) -> None:
        key = (shown.name, what, text)
        if key in exceptions:
            used.add(key)
            result.exceptions.append({"page": shown.name, "what": what, "text": text, "reason": exceptions[key]})
        else:
            result.problems.append({"page": shown.name, "what": what, "text": text, "why": why})
            sys.stderr.write(f"  problem: {what} {text!r}: {why}\n")

    for text in shown.visible:
        result.blocks_checked += 1
        share = read.share(text)
        if share >= READABLE_SHARE:
            result.readable += 1
        else:
            wrong("visible", text, f"the reader calls it visible; tesseract read {share:.0%} of it")
    for text in shown.unseen:
        if not long_enough(text):
            result.too_short.append({"page": shown.name, "text": text})
            continue
        result.hidden_checked += 1
        if read.shows(text):
            wrong("hidden", text, "the reader does not show it; tesseract read it")
        else:
            result.not_readable += 1


# ---------------------------------------------------------------------- fixture pages


async def fixture_page(browser: Browser, name: str) -> Shown:
    """One fixture page, read as a whole page and photographed."""
    context = await _context(browser)
    try:
        screen = await read_whole(context, (PAGES / f"{name}.html").as_uri())
        page = context.pages[0]
        document = await page.evaluate(_STRINGS)
        visible = visible_texts(screen)
        listed = json.loads((PAGES / f"{name}.json").read_text(encoding="utf-8"))["hidden"]
        return Shown(name, visible, unseen_texts(document, visible, listed), await photograph(page))
    finally:
        await context.close()


async def _context(browser: Browser) -> BrowserContext:
    return await browser.new_context(
        viewport=VIEWPORT,  # type: ignore[arg-type]
        device_scale_factor=SCALE,
        service_workers="block",
        locale="en-GB",
        timezone_id="UTC",
    )


# ---------------------------------------------------------------------- the reference product


async def whole_page(surface: Surface, name: str) -> Shown:
    """The page of a surface: whole, not confined to an adapter's parts."""
    reading = await surface.world.again("readPage", timeout_s=60)
    screen, _ = make_screen(0, reading, [])
    visible = visible_texts(screen)
    document = await surface.page.evaluate(_STRINGS)
    return Shown(name, visible, unseen_texts(document, visible), await photograph(surface.page))


class _Watched(Journey):
    """A journey that has every screen photographed before the customer reads it."""

    pages: list[Shown]

    async def _look(self) -> Screen:
        whole = await whole_page(self.surface, f"customer-{self._seq + 1:02d}")
        screen = await super()._look()
        confined = visible_texts(screen)
        whole.visible = list(dict.fromkeys([*confined, *whole.visible]))
        self.pages.append(whole)
        return screen


class _Nowhere:
    """A sink that keeps nothing."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Dropped."""
        return 0

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Dropped."""
        return "", ""


async def reference_pages(browser: Browser, stack: StackConnection) -> list[Shown]:
    """Every screen of one journey of the rule customer against the controlled product, then its other pages."""
    adapter = load_adapter(find_adapter("reference-claims")).with_base_url(str(stack.base_url))
    client = ProductClient(adapter, stack.seed_token)
    with tempfile.TemporaryDirectory(prefix="rig-ocr-") as folder:
        try:
            package = load_package(PACKAGE)
            staged = stage(package, Path(folder) / "staging")
            seeded = await seed(client, seed_request(package.setup, []))
            attempt = Path(folder) / "attempt"
            attempt.mkdir()
            record = Recorder(attempt, Redactor({}))
            order = JourneyOrder(
                ticket=seeded.ticket, adapter={}, attempt_dir=str(attempt), staging_dir=str(staged.folder), customer="rule",
                script=None, limits=Limits(turn_limit=60, turn_timeout_s=120, journey_timeout_s=1800), rng_seed=1,
            )  # fmt: skip
            pages = await _journey(browser, adapter, order, ClaimLedger(package.view), record)
            record.close()
            return pages + await _other_pages(browser, adapter, stack, seeded.receipt.case_ref)
        finally:
            await client.aclose()


async def _journey(
    browser: Browser, adapter: Adapter, order: JourneyOrder, ledger: ClaimLedger, record: Recorder
) -> list[Shown]:
    context = await _context(browser)
    try:
        surface = await Surface.open(context, adapter, order.ticket.start_url, record)
        conduct = Conduct(RulePlayer(), ledger, record, tries=1, stand_in_limit=4)
        journey = _Watched(surface, conduct, record, order, lambda: 0.0)
        journey.pages = []
        ending = await journey.run()
        if ending.reason != "completed":
            raise RigError(f"the journey ended {ending.reason}: {ending.why}")
        await surface.close()
        return journey.pages
    finally:
        await context.close()


async def _other_pages(browser: Browser, adapter: Adapter, stack: StackConnection, case_ref: str) -> list[Shown]:
    """The start page, an error page, and the staff's pages."""
    shown: list[Shown] = []
    context = await _context(browser)
    try:
        for name, path in (("home", "/"), ("error", "/no-such-page"), ("staff-sign-in", "/staff")):
            surface = await _opened(context, adapter, adapter.base_url + path)
            shown.append(await whole_page(surface, name))
            await surface.close()
        staff = adapter.staff
        if staff is None:
            return shown
        surface = await _opened(context, adapter, adapter.base_url + staff.start)
        values = {
            "env.RIG_STAFF_USER": stack.staff_user,
            "env.RIG_STAFF_PASSWORD": stack.staff_password,
            "case_ref": case_ref,
        }
        await surface.run_steps(staff.steps, values)
        shown.append(await whole_page(surface, "staff-list"))
        steps = [Step(click=link) for link in (staff.case_link or [])[:1]]
        steps += [Step(wait_for=ready) for ready in (staff.case_ready or [])[:1]]
        await surface.run_steps(steps, values)
        shown.append(await whole_page(surface, "staff-case"))
        await surface.close()
    finally:
        await context.close()
    return shown


async def _opened(context: BrowserContext, adapter: Adapter, url: str) -> Surface:
    surface = await Surface.open(context, adapter, url, _Nowhere(), wait_ready=False)
    await surface.world.again("stillPage", 250, 6000, timeout_s=20)
    return surface


# ---------------------------------------------------------------------- all of it


@contextlib.asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """A Chromium of this command's own."""
    found = find_browser()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=found.path, args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
        )
        try:
            yield browser
        finally:
            await browser.close()


def keep(shown: Shown, folder: Path | None) -> None:
    """Writes a page's pictures below `folder`, if there is one."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(shown.pictures, 1):
            (folder / f"{shown.name}-{number}.png").write_bytes(data)


async def check(
    names: list[str], stack: StackConnection | None, folder: Path | None = None, browser: Browser | None = None
) -> Result:
    """Fixture pages by name and, where a stack is given, the reference product's pages."""
    result, exceptions, used = Result(), read_exceptions(), set[Any]()
    seen: set[str] = set()

    async def one(shown: Shown) -> None:
        seen.add(shown.name)
        keep(shown, folder)
        sys.stderr.write(f"{shown.name}: {len(shown.pictures)} pictures\n")
        await check_page(shown, exceptions, used, result)

    async with contextlib.AsyncExitStack() as kept:
        driver: Browser = browser if browser is not None else await kept.enter_async_context(launched())
        for name in names:
            await one(await fixture_page(driver, name))
        if stack is not None:
            for shown in await reference_pages(driver, stack):
                await one(shown)
    result.unused_exceptions = [
        {"page": page, "what": what, "text": text}
        for page, what, text in exceptions
        if page in seen and (page, what, text) not in used
    ]
    return result


def free_ports() -> dict[str, str]:
    """Settings that put a local stack of this command's own on ports nobody listens on now."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    ports = [str(s.getsockname()[1]) for s in held]
    for s in held:
        s.close()
    return dict(zip(("RIG_PRODUCT_PORT", "RIG_MONGODB_PORT", "RIG_S3_PORT"), ports, strict=True))


def main(argv: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="ocr_check", description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print JSON alone")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a fixture page, or `reference`")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the pictures there")
    given = parser.parse_args(argv)
    all_names = sorted(p.stem for p in PAGES.glob("*.html"))
    unknown = [n for n in given.only if n not in all_names and n != "reference"]
    if unknown:
        sys.stderr.write(f"--only {unknown[0]}: there is no such page; there are reference, {', '.join(all_names)}\n")
        return 2
    if why := missing():
        sys.stderr.write(f"{why}\n")
        return 4
    names = [n for n in all_names if not given.only or n in given.only]
    try:
        if not given.only or "reference" in given.only:
            with tempfile.TemporaryDirectory(prefix="rig-ocr-stack-") as state:
                env = {**os.environ, **free_ports(), "RIG_STATE_DIR": state}
                with for_run("controlled", config=read_config(env), progress=Quiet()) as stack:
                    result = asyncio.run(check(names, stack, given.keep))
        else:
            result = asyncio.run(check(names, None, given.keep))
    except RigError as exc:
        sys.stderr.write(f"{exc}\n")
        return exc.exit_code
    if given.json:
        sys.stdout.write(json.dumps(result.plain(), ensure_ascii=False, indent=1) + "\n")
    else:
        for line in result.problems:
            sys.stdout.write(f"PROBLEM {line['page']}: {line['text']!r}: {line['why']}\n")
        sys.stdout.write(
            f"{result.pages} pages; visible: {result.readable} of {result.blocks_checked} readable; hidden: "
            f"{result.not_readable} of {result.hidden_checked} not readable ({len(result.too_short)} too short to look for); "
            f"{len(result.exceptions)} exceptions; {len(result.problems)} problems\n"
        )
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
