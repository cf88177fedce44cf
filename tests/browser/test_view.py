"""The viewer in a real Chromium: hostile records stay text, the keyboard moves, a failing moment is few clicks away."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from starlette.responses import HTMLResponse

from harness.view.app import view_app
from harness.view.guard import Guard
from harness.view.index import Index
from tests.browser.test_report import browser
from tests.support.hostile import HIT, PAYLOADS, Listener, hostile_journey, hostile_run, listening, open_watched
from tests.support.served import served

pytestmark = pytest.mark.browser
__all__ = ["browser"]
TOKEN = "token-of-a-test"
FLAG = "globalThis.__ran = []; for (const name of ['alert', 'confirm', 'prompt', 'print']) globalThis[name] = (x) => globalThis.__ran.push(String(x));"
"""Put into every page before anything of it runs: what a payload calls is noted instead of stopping the browser."""
ELEMENTS = """() => {
  const bad = [];
  const own = ['script', 'link', 'form', 'input', 'button', 'dialog', 'svg', 'rect', 'select', 'option'];
  for (const e of document.querySelectorAll('*')) {
    const tag = e.tagName.toLowerCase();
    if (['iframe','frame','object','embed','base','video','audio','area','textarea','template','noscript','math','xmp','source',
         'track','portal','foreignobject','style','animate','set','image','marquee','picture'].includes(tag)) bad.push(tag);
    for (const a of e.attributes) {
      const where = tag + '@' + a.name;
      if (a.name.startsWith('on') || ['style', 'srcdoc', 'ping', 'srcset', 'formaction', 'background'].includes(a.name)) bad.push(where);
      if (a.name.startsWith('hx-on') || a.name.startsWith('data-hx') || ['hx-vals', 'hx-headers', 'hx-ext'].includes(a.name)) bad.push(where);
      if (['href', 'xlink:href', 'src', 'action', 'hx-get', 'data-copy'].includes(a.name) && !/^[/#?]/.test(a.value)) bad.push(where + '=' + a.value);
      if (['href', 'xlink:href', 'src', 'action', 'hx-get', 'data-copy'].includes(a.name) && a.value.startsWith('//')) bad.push(where + '=' + a.value);
    }
  }
  return bad;
}"""
"""Elements and attributes that no page of the viewer has by itself."""


@contextmanager
def viewer(results: Path, folder: Path) -> Iterator[str]:
    """The address of a viewer whose index is whole."""
    index = Index(results, folder / "index.sqlite")
    index.update()
    with served(lambda port: view_app(index, None, TOKEN, port)) as home:
        yield home


def until(page: Page, holds: str) -> None:
    """Waits until a script says yes; the viewer's policy forbids what Playwright's own waiting would do."""
    for _ in range(400):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {holds}")


QUIET = "!document.querySelector('.htmx-request') && !document.querySelector('details[open] > .later > a:only-child')"


def open_all(page: Page) -> None:
    """Opens every fold, also those that come with what the first ones bring; until nothing is asked for any more."""
    for _ in range(2):
        page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)")
        until(page, QUIET)


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A listener on an ephemeral port."""
    with listening() as one:
        yield one


def test_hostile_records_stay_text(browser: Browser, listener: Listener, tmp_path: Path) -> None:
    """Lists, matrix, search, timeline, prompts and bodies of a hostile record: nothing runs, nothing is asked for elsewhere."""
    payloads = [p.replace(HIT, listener.url)[:6000] for p in PAYLOADS]
    results = tmp_path / "results"
    hostile_run(results, payloads[:6])
    hostile_journey(results, payloads)
    with viewer(results, tmp_path) as home:
        watched = open_watched(browser)
        page = watched.page
        page.add_init_script(FLAG)
        page.goto(f"{home}/{TOKEN}/")
        addresses = [
            "/",
            "/runs",
            "/problems",
            "/run/hostile?all=1",
            "/run/journey",
            "/?line=" + "%22%3E%3Csvg",
            "/?q=%22%3E%3Cimg+src%3Dx",
        ]
        for address in addresses:
            page.goto(home + address)
            assert page.evaluate(ELEMENTS) == [], address
        page.fill("#q", "<script>alert(1)")
        until(page, "document.querySelectorAll('.said li').length > 0")
        assert page.evaluate(ELEMENTS) == []
        page.goto(home + "/?run=journey")
        with page.expect_event("load"):
            page.click("a.row")
        open_all(page)
        assert page.locator(".prompt").count() == len(payloads)
        assert page.locator(".bodyhead").count() == 2 * len(payloads)
        page.mouse.move(700, 450)
        page.keyboard.press("n")
        assert page.evaluate(ELEMENTS) == []
        shown = page.evaluate("document.documentElement.textContent")
        assert not set(shown) & set("\x1b\x00\u200b\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
        seen = set(page.locator(".bubble.product.p-reply > .t").all_text_contents())
        readable = {p for p in payloads if p.isprintable() and len(p) < 300 and "\u0335" not in p}
        assert len(readable) > 30 and readable <= seen
        assert page.evaluate("__ran") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert {r for r in watched.requests if not r.startswith((home + "/", "about:"))} == set()
        assert listener.heard == [] and watched.dialogs == []
        assert watched.console == []
        page.close()


def test_the_watch_notices_what_a_broken_page_does(browser: Browser, listener: Listener) -> None:
    """The same payloads put as they are into a page, once without the policy and once with it: the watch sees both."""
    content = "<main>" + "".join(p.replace(HIT, listener.url) for p in PAYLOADS if len(p) < 2000) + "</main>"

    async def bare(scope: object, receive: object, send: object) -> None:
        await HTMLResponse(content)(scope, receive, send)  # type: ignore[arg-type]

    for guarded in (False, True):
        with served(lambda port, guarded=guarded: Guard(bare, TOKEN, port) if guarded else bare) as home:
            listener.heard.clear()
            watched = open_watched(browser)
            watched.page.add_init_script(FLAG)
            watched.page.goto(f"{home}/{TOKEN}/" if guarded else home, wait_until="commit")
            watched.page.wait_for_timeout(300)
            if guarded:
                assert any("Content Security Policy" in text for text in watched.console), "blocked tries are reported"
            else:
                assert listener.heard and watched.page.evaluate("__ran")
            watched.page.close()
