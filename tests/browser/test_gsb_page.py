"""The page of choices in a real Chromium, with the keyboard alone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Page, expect, sync_playwright

from harness.browser import find_browser, launch_args
from oracle_scoring.gsb.page import gsb_app
from oracle_scoring.gsb.store import Choices
from oracle_scoring.loopback import LOOPBACK, listen
from tests.unit.gsb.runs import HOSTILE, write_folder

pytestmark = pytest.mark.browser


def press(page: Page, key: str) -> None:
    """A key, once the page listens: its title is there before its script is."""
    page.wait_for_load_state("load")
    page.keyboard.press(key)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The page of a folder, as one person sees it."""
    with listen() as held:
        port = held.getsockname()[1]
        app = gsb_app(Choices(folder), "ann", "token", port)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [held]}, daemon=True)
        thread.start()
        yield f"http://{LOOPBACK}:{port}/token/"
        server.should_exit = True
        thread.join(20)


def test_a_person_chooses_with_the_keyboard_and_goes_on_after_a_break(tmp_path: Path) -> None:
    """Keys choose, z goes back, a restart resumes; both journeys stand beside each other, hostile words as text; no other host, no error."""
    folder = write_folder(tmp_path / "pairs")
    addresses: list[str] = []
    asked: list[str] = []
    wrong: list[str] = []
    with sync_playwright() as playwright:
        found = find_browser()
        browser = playwright.chromium.launch(
            executable_path=str(found.path), args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
        )
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        with served(folder) as address:
            addresses.append(address)
            page.goto(address)
            assert page.title() == "Pair 1 of 3"
            assert HOSTILE in page.locator("section").first.inner_text()
            left, right = (page.locator("section").nth(n).bounding_box() for n in (0, 1))
            assert left and right and left["x"] + left["width"] <= right["x"]
            assert left["y"] == right["y"]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            press(page, "x")  # no key of the page's
            press(page, "2")
            expect(page).to_have_title("Pair 2 of 3")
            press(page, "z")
            expect(page).to_have_title("Pair 1 of 3")
            assert page.locator("button[aria-pressed=true]").inner_text().startswith("2 Right is better")
            press(page, "1")
            expect(page).to_have_title("Pair 2 of 3")
        with served(folder) as address:
            addresses.append(address)
            page.goto(address)
            assert page.title() == "Pair 2 of 3"
            press(page, "4")
            expect(page).to_have_title("Pair 3 of 3")
            press(page, "3")
            expect(page).to_have_title("All chosen")
        browser.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((*addresses, "data:"))] == []
    assert [(c.pair, c.choice) for c in Choices(folder).made.values()] == [
        ("P0001", "left"), ("P0002", "both_bad"), ("P0003", "both_good"),
    ]  # fmt: skip
