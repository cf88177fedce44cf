"""The report in a real Chromium: hostile text stays text, links lead to their evidence, nothing leaves the page."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "report"))

from record_builder import RunBuilder, line, motor_run, motor_talk

from harness.report import Limits, write_report
from tests.support.hostile import HIT, INSPECT, PAYLOADS, VOID, Listener, hostile_run, listening, open_watched

pytestmark = pytest.mark.browser


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A listener on an ephemeral port."""
    with listening() as one:
        yield one


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium; the tests are skipped where none is installed."""
    path = os.environ.get("RIG_BROWSER") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        if path is None and not Path(playwright.chromium.executable_path).exists():
            pytest.skip("no Chromium is installed")
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


def test_hostile_text_stays_text(browser: Browser, listener: Listener, tmp_path: Path) -> None:
    """Whatever product, model or package write, wherever it stands: no request, no dialog, no element of their own.

    What is printable can be read letter by letter, as the customer saw it.
    """
    payloads = [p.replace(HIT, listener.url) for p in PAYLOADS]
    limits = Limits(together=2 * len(payloads), detail_attempts=2 * len(payloads), detail_bytes=200 * 1024 * 1024)
    report = write_report(hostile_run(tmp_path, payloads), limits=limits)
    watched = open_watched(browser, report.as_uri())
    page = watched.page
    assert page.locator("article.attempt").count() == len(payloads) + VOID
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.mouse.move(300, 300)
    page.keyboard.press("Tab")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(INSPECT) == []
    assert [r for r in watched.requests if not r.startswith("data:image/")] == [report.as_uri()]
    assert watched.dialogs == []
    assert watched.console == []
    assert listener.heard == []
    body = page.evaluate("document.documentElement.textContent")
    assert not set(body) & set("\x1b\x00\u200b\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
    seen = set(page.locator(".bubble.product.p-reply > .t").all_text_contents())
    readable = {p for p in payloads if p.isprintable() and len(p) < 300 and "\u0335" not in p}
    assert len(readable) > 20
    assert readable <= seen
    page.close()


def test_listener_notices(browser: Browser, listener: Listener) -> None:
    """The watch works: the same texts, put into a page as they are, make requests and dialogs."""
    content = "".join(p.replace(HIT, listener.url) for p in PAYLOADS[:5])
    watched = open_watched(browser, content=content)
    watched.page.wait_for_load_state("networkidle")
    assert listener.heard
    assert watched.dialogs
    assert watched.page.evaluate(INSPECT)
    watched.page.close()


def test_page_is_styled_and_whole(browser: Browser, tmp_path: Path) -> None:
    """The strict policy does not stop the page's own style sheet, pictures or drawing."""
    watched = open_watched(browser, write_report(motor_run(tmp_path).dir).as_uri())
    page = watched.page
    assert page.evaluate("getComputedStyle(document.querySelector('.turn')).display") == "grid"
    broken = "[...document.images].filter(i => !i.complete || i.naturalWidth === 0).length"
    assert page.evaluate(broken) == 0
    assert page.locator("img").count() > 5
    assert page.locator("svg.chart path").count() > 10
    assert watched.console == []
    page.close()


def test_first_words_are_the_grade(browser: Browser, tmp_path: Path) -> None:
    """The first line a reader sees says that this is a rehearsal, and why."""
    watched = open_watched(browser, write_report(motor_run(tmp_path).dir).as_uri())
    first = watched.page.inner_text("body").split("\n")[0]
    assert first.startswith("REHEARSAL: started with --rehearsal; ")
    watched.page.close()


def test_link_leads_to_the_marked_words(browser: Browser, tmp_path: Path) -> None:
    """From a failed line one click leads to the quoted words, marked, in the conversation or in an opened evidence file."""
    watched = open_watched(browser, write_report(motor_run(tmp_path).dir).as_uri())
    page = watched.page
    links = page.locator("tr.s-fail .ev a")
    assert links.count() >= 6
    for link in links.all():
        link.click()
        target = page.locator(":target")
        assert target.evaluate("e => e.tagName") == "MARK"
        assert target.is_visible()
        assert target.evaluate(
            "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight }"
        )
    page.close()


def test_every_link_has_its_target(browser: Browser, tmp_path: Path) -> None:
    """No link of the page leads nowhere, and no id stands twice."""
    watched = open_watched(browser, write_report(motor_run(tmp_path).dir).as_uri())
    page = watched.page
    dead = "[...document.querySelectorAll('a')].filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length"
    twice = "(() => { const i = [...document.querySelectorAll('[id]')].map(e => e.id); return i.length - new Set(i).size })()"
    assert page.evaluate(dead) == 0
    assert page.evaluate(twice) == 0
    page.close()


@pytest.mark.parametrize("width", [1280, 800, 420])
def test_no_sideways_scrolling(browser: Browser, tmp_path: Path, width: int) -> None:
    """On wide and narrow windows the page is never wider than the window, not even with a word of 200,000 letters."""
    watched = open_watched(browser, write_report(hostile_run(tmp_path, ["A" * 200_000])).as_uri())
    watched.page.set_viewport_size({"width": width, "height": 900})
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
    watched.page.close()


def test_paper_shows_passed_lines(browser: Browser, tmp_path: Path) -> None:
    """On paper the folded lists of passed lines are open; folded passages of great length stay folded."""
    builder = RunBuilder(tmp_path)
    talk = motor_talk(builder.folder())
    talk.screen("short start " + "long tail " * 1500)
    builder.attempt(talk)
    builder.score([line("facts.plate", "pass", "Plate is right")])
    watched = open_watched(browser, write_report(builder.dir).as_uri())
    page = watched.page
    assert not page.locator("text=Plate is right").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator("text=Plate is right").first.is_visible()
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
    page.close()
