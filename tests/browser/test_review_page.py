"""The review page in a real Chromium: a person walks through, signs, and nothing else happens."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import sync_playwright

from harness.browser import find_browser, launch_args
from oracle_scoring.corpus.load import load_package
from oracle_scoring.corpus.review_page import review_app
from oracle_scoring.corpus.sign import standing
from oracle_scoring.corpus.synthetic import PHOTO, make_package
from oracle_scoring.loopback import LOOPBACK, listen

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The page of a corpus of two packages."""
    for name in ("SYN-P-001", "SYN-P-002"):
        make_package(tmp_path / "claims" / name)
    with listen() as held:
        port = held.getsockname()[1]
        config = uvicorn.Config(review_app(tmp_path, "token", port), log_level="error", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [held]}, daemon=True)
        thread.start()
        yield f"http://{LOOPBACK}:{port}/token/"
        server.should_exit = True
        thread.join(20)


@pytest.mark.parametrize("width", [1366, 390])
def test_a_person_signs_every_picture(width: int, address: str, tmp_path: Path) -> None:
    """From the list through both pictures and back; no other host, no error, nothing wider than the window."""
    asked: list[str] = []
    wrong: list[str] = []
    with sync_playwright() as playwright:
        found = find_browser()
        browser = playwright.chromium.launch(
            executable_path=str(found.path), args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
        )
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        with page.expect_event("load"):
            page.get_by_role("link", name="Look at the next unsigned picture").click()
        page.get_by_role("button", name="Sign and go on").click()
        assert page.locator("#name:invalid").count() == 1, "a name is needed"
        page.get_by_label("Your name").fill("Tessa Testsigner")
        for _ in range(2):
            assert page.locator("img.shown").evaluate("image => image.complete && image.naturalWidth > 0")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.get_by_label("I looked at this file myself").check()
            with page.expect_event("load"):  # else the next look may meet a page whose style sheet is still on its way
                page.get_by_role("button", name="Sign and go on").click()
        assert page.get_by_role("heading", name="2 of 2 pictures signed").is_visible()
        browser.close()
    assert [url for url in asked if not url.startswith((address, "data:"))] == [] and wrong == []
    for name in ("SYN-P-001", "SYN-P-002"):
        assert [s.name for s in standing(load_package(tmp_path / "claims" / name))[PHOTO]] == ["Tessa Testsigner"]
