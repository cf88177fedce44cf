"""The screen reader and the browser: readers that look behind the page are noticed, and the browser opens no file.

A reader is broken on purpose, one way at a time; what it then takes in is compared with the poison of the page.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, async_playwright
from playwright.async_api import Error as PlaywrightError

from harness.browser import find_browser, launch_args
from harness.netlog import NetLog
from harness.record import Recorder, Redactor
from harness.screen.adapter import Adapter, load_adapter
from harness.screen.surface import Surface
from oracle_scoring.corpus.synthetic import make_package
from tests.seal.catalogue import Row
from tests.seal.poison import POISON, MiniProduct, mini_product

pytestmark = pytest.mark.browser

BROKEN = {
    "hidden elements": ("document.body.textContent", ["an element that is not displayed", "an element of no opacity", "an element off the page"]),
    "attributes": (
        "[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes].map((a) => a.value)).join(' ')",
        ["a data attribute", "a tooltip", "the alternative text of a picture", "an ARIA description"],
    ),
    "comments and scripts": ("document.documentElement.outerHTML", ["a comment", "an inline script", "JSON in the page", "a template"]),
    "values of hidden fields": (
        "[...document.querySelectorAll('input, button')].map((e) => e.value).join(' ')", ["the value of a hidden field", "the value of a button"],
    ),
    "the page's title": ("document.title", ["the page's title"]),
    "storage and cookies": (
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, history.state])",
        ["local storage", "session storage", "a cookie set by script", "the history's state"],
    ),
    "frames that are hidden": ("frames[0].document.body.textContent", ["a hidden frame"]),
    "what the product answers": (
        "fetch('/chat/turns', {method: 'POST', body: '{}'}).then((r) => r.text())", ["the JSON of a turn", "what the next step requires"],
    ),
}  # fmt: skip
BREAK = """(async () => {
  const more = String(await (%s));
  const honest = (__rig.honest ??= __rig.read);
  __rig.read = () => { const r = honest(); r.blocks.push({ part: "page", text: more }); return r; };
})()"""
"""Makes the page script of the rig, in its own world, take in something more."""
ROWS = [
    Row("screen reader", f"a reader that takes in {name}", "poison in the screen", f"test_reader.py::test_a_reader_that_looks_behind_the_page_is_noticed[{name}]")
    for name in BROKEN
]  # fmt: skip
ROWS += [
    Row(
        "adapter",
        "an address of the file system",
        "browser: only the adapter's origins",
        "test_reader.py::test_the_browser_opens_no_file",
    ),
    Row(
        "adapter",
        "an address of another origin",
        "browser: only the adapter's origins",
        "test_reader.py::test_the_browser_opens_no_other_origin",
    ),
]

Do = Callable[[BrowserContext], Awaitable[Any]]


class _Sink:
    """Keeps nothing."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Forgotten."""
        return 0

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Forgotten."""
        return "", ""


@pytest.fixture(scope="module")
def do() -> Iterator[Callable[[Do], Any]]:
    """Runs something in a fresh context of one browser."""
    found = find_browser()
    with asyncio.Runner() as runner:

        async def start() -> tuple[Any, Browser]:
            playwright = await async_playwright().start()
            return playwright, await playwright.chromium.launch(
                executable_path=found.path, args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
            )

        playwright, browser = runner.run(start())

        async def in_context(work: Do) -> Any:
            context = await browser.new_context(service_workers="block")
            try:
                return await asyncio.wait_for(work(context), 60)
            finally:
                await context.close()

        yield lambda work: runner.run(in_context(work))

        async def stop() -> None:
            await browser.close()
            await playwright.stop()

        runner.run(stop())


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniProduct]:
    """The poisoned product."""
    with mini_product(tmp_path_factory.mktemp("mini")) as running:
        yield running


@pytest.fixture(scope="module")
def read(do: Callable[[Do], Any], product: MiniProduct) -> dict[str, str]:
    """What the reader of the rig sees of the page, and what each broken one takes in."""
    adapter = load_adapter(product.adapter).with_base_url(product.base_url)

    async def all_readers(context: BrowserContext) -> dict[str, str]:
        surface = await Surface.open(context, adapter, f"{product.base_url}/chat", _Sink())
        await surface.settle()
        screen, page = await surface.read(1), await surface.visible_page_text()
        seen = {"": screen.model_dump_json() + page}
        for name, (script, _) in BROKEN.items():
            await surface.world._evaluate(BREAK % script, by_value=True)
            seen[name] = (await surface.read(1)).model_dump_json()
        await surface.close()
        return seen

    seen: dict[str, str] = do(all_readers)
    return seen


def poisoned(text: str) -> list[str]:
    """Places whose poison stands in a text."""
    return [place for place, word in POISON.items() if word in text.lower()]


def test_the_reader_sees_the_page_and_no_poison(read: dict[str, str]) -> None:
    """The greeting and what lies beside the hidden things is read, both confined to the adapter's parts and as a whole page."""
    assert "Hello. Tell us what happened." in read[""]
    assert "Claims are answered by day." in read[""]
    assert poisoned(read[""]) == []


@pytest.mark.parametrize("name", BROKEN)
def test_a_reader_that_looks_behind_the_page_is_noticed(name: str, read: dict[str, str]) -> None:
    """The poison of the places it reads stands in its screen, by name."""
    assert set(BROKEN[name][1]) <= set(poisoned(read[name]))


def visit(do: Callable[[Do], Any], url: str, adapter: Adapter, folder: Path, guarded: bool) -> tuple[str, str]:
    """What a page shows of an address, and the events; with and without the log that refuses what is not the product's."""
    (folder / str(guarded)).mkdir()
    record = Recorder(folder / str(guarded), Redactor({}))

    async def go(context: BrowserContext) -> str:
        if guarded:
            await NetLog(record, adapter.allowed).attach(context)
        page = await context.new_page()
        try:
            await page.goto(url)
        except PlaywrightError:
            return "refused"
        return await page.content()

    shown = do(go)
    record.close()
    return shown, (folder / str(guarded) / "events.jsonl").read_text(encoding="utf-8")


def test_the_browser_opens_no_file(do: Callable[[Do], Any], product: MiniProduct, tmp_path: Path) -> None:
    """The oracle's address as a file is refused and told; without the refusal the page would show the answers."""
    labels = make_package(tmp_path / "ZQ-1") / "oracle/labels.json"
    adapter = load_adapter(product.adapter).with_base_url(product.base_url)
    shown, events = visit(do, labels.as_uri(), adapter, tmp_path, guarded=True)
    assert shown == "refused"
    assert "request_blocked" in events
    shown, _ = visit(do, labels.as_uri(), adapter, tmp_path, guarded=False)
    assert "loss_at_least_10000" in shown


def test_the_browser_opens_no_other_origin(do: Callable[[Do], Any], product: MiniProduct, tmp_path: Path) -> None:
    """Another port of this machine is another origin: refused and told; without the refusal it would be opened."""
    adapter = load_adapter(product.adapter)
    shown, events = visit(do, f"{product.base_url}/chat", adapter, tmp_path, guarded=True)
    assert shown == "refused"
    assert "request_blocked" in events
    shown, _ = visit(do, f"{product.base_url}/chat", adapter, tmp_path, guarded=False)
    assert "Tell us what happened" in shown
