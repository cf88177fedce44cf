"""The viewer in a real Chromium: hostile records stay text, the keyboard moves, a failing moment is few clicks away."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page
from starlette.responses import HTMLResponse

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "report"))

from record_builder import motor_run

from harness.config import read_config
from harness.journal import stored_scores
from harness.progress import Quiet
from harness.run import Access, RunOptions, execute
from harness.stack import for_run
from harness.view.app import view_app
from harness.view.guard import Guard
from harness.view.index import Index
from oracle_scoring.claims.batch import score_run
from tests.browser.test_report import browser
from tests.support.hostile import HIT, PAYLOADS, Listener, hostile_journey, hostile_run, listening, open_watched
from tests.support.ports import stack_ports
from tests.support.served import served

pytestmark = pytest.mark.browser
__all__ = ["browser"]
TOKEN = "token-of-a-test"
FLAG = "globalThis.__ran = []; for (const name of ['alert', 'confirm', 'prompt', 'print']) globalThis[name] = (x) => globalThis.__ran.push(String(x));"
"""Put into every page before anything of it runs: what a payload calls is noted instead of stopping the browser."""
ELEMENTS = """() => {
  const bad = [];
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
        with suppress(Error):  # the page is just being left for another one
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


SHOWN_TURN = (
    """() => [...document.querySelectorAll('.turn[id]')].find(t => t.getBoundingClientRect().bottom > 80)?.id"""
)


def test_keyboard_and_mouse(browser: Browser, tmp_path: Path) -> None:
    """Turns, failures, search, help and folds by keys; filters, copies and pictures by the mouse; wide and narrow."""
    run = motor_run(tmp_path / "results").dir
    with viewer(run.parent, tmp_path) as home:
        watched = open_watched(browser)
        page = watched.page
        page.goto(f"{home}/{TOKEN}/")
        page.keyboard.press("/")
        page.keyboard.type("registration number")
        until(page, "location.search.includes('q=registration')")
        until(page, "document.querySelectorAll('.said li').length > 0")
        assert page.locator(".narrow").inner_text().startswith("says registration number")
        page.fill("input[name=until]", "2020-01-01")
        until(page, "document.querySelector('.empty')?.innerText === 'No attempt fits.'")
        page.go_back()
        until(page, "document.querySelectorAll('.said li').length > 0")
        page.click(".said a >> nth=0")
        until(page, "location.hash.startsWith('#j-e') && document.querySelector(':target') !== null")
        page.goto(f"{home}/run/r1/CTL-M-001/t01/a01")
        page.keyboard.press("j")
        first = page.evaluate("location.hash")
        page.keyboard.press("j")
        second = page.evaluate("location.hash")
        page.keyboard.press("k")
        assert page.evaluate("location.hash") == first != second
        failures = page.locator("a[data-failure]").count()
        seen = []
        for _ in range(failures):
            page.keyboard.press("n")
            seen.append(page.evaluate("location.hash"))
            until(page, f"({IN_SIGHT})()?.seen")
        assert len(set(seen)) > 1
        page.keyboard.press("p")
        assert page.evaluate("location.hash") == seen[-2]
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        assert not page.locator("#help").is_visible()
        page.keyboard.press("o")
        until(page, QUIET)
        assert page.locator(".beside details[open]").count() >= 1
        page.locator(".turn .pic img").first.click()
        assert page.locator(".turn .pic img").first.evaluate(
            "i => i.naturalWidth > 0 && getComputedStyle(i).position === 'fixed'"
        )
        page.keyboard.press("u")
        until(page, "document.querySelector('.matrix') !== null")
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for address in ("/", "/runs", "/run/r1?all=1", "/run/r1/CTL-M-001/t01/a01"):
                page.goto(home + address)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, address)
        assert watched.console == [] and watched.dialogs == []
        page.close()


def _evidence(run: Path) -> dict[str, set[str]]:
    """Failed line -> the words its evidence quotes, by the scorecard on disk."""
    (card,) = [s.card for scores in stored_scores(run).values() for s in scores if s.card is not None]
    return {line.id: {e.quote for e in line.evidence if e.quote} for line in card.lines if line.state == "fail"}


def to_the_moment(page: Page, run_page: str, line: str) -> int:
    """From the run's page to the evidence of a failed line, by clicking what is seen there; how many clicks it took."""
    page.goto(run_page)
    with page.expect_event("load"):
        page.locator(f"a.m-fail[title*=': {line},']").click()
    page.locator("li.line.s-fail:target a.first").click()
    return 2


IN_SIGHT = """() => {
  const t = document.querySelector(':target');
  if (!t) return null;
  const r = t.getBoundingClientRect();
  const side = t.closest('.timeline') !== null;
  return {seen: side && r.width > 0 && r.bottom > 0 && r.top < innerHeight, text: t.textContent, tag: t.tagName};
}"""


def find_failures(browser: Browser, run: Path, folder: Path, lines: dict[str, str]) -> None:
    """Each defect's own line leads in at most four clicks to a place of the timeline that shows what its evidence quotes."""
    quotes = _evidence(run)
    missing = {defect: line for defect, line in lines.items() if line not in quotes}
    assert missing == {}, f"not failed: {missing}; failed: {sorted(quotes)}"
    with viewer(run.parent, folder) as home:
        watched = open_watched(browser)
        page = watched.page
        page.goto(f"{home}/{TOKEN}/")
        for defect, line in lines.items():
            assert to_the_moment(page, f"{home}/run/{run.name}", line) <= 4
            until(page, f"({IN_SIGHT})()?.seen")
            found = page.evaluate(IN_SIGHT)
            assert found["tag"] != "MARK" or any(found["text"] in quote for quote in quotes[line]), (defect, found)
        assert watched.console == []
        page.close()


TEN = {
    "repeated_question": "journey.repeated_questions",
    "codes_in_panel": "journey.internal_codes",
    "previous_customer_shown": "journey.foreign_data",
    "hidden_instruction": "journey.hidden_instructions",
    "speaks_of_fraud": "assertions.no_accusation",
    "utc_day_shift": "incident_time.date",
    "fact_lost": "facts.plate",
    "fact_invented": "facts.invented",
    "answer_turned_round": "facts.injuries",
    "triage_one_level_off": "triage.level",
}
"""Ten faults of the reference product that show in one journey, each with the line that names it."""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Access]:
    """The reference product, controlled, on a stack of its own."""
    env = {**os.environ, "RIG_STATE_DIR": str(tmp_path_factory.mktemp("stack")), **stack_ports()}
    with for_run("controlled", config=read_config(env), progress=Quiet()) as stack:
        yield Access(stack.base_url, stack.seed_token, stack.staff_user, stack.staff_password, None, False)


def record(access: Access, results: Path, run: str, package: str, defects: tuple[str, ...]) -> Path:
    """The folder of a run of one journey, played with these faults and scored."""
    options = RunOptions(
        run=run, packages=(package,), customer="rule", rehearsal=True, corpus=ROOT / "packages", results=results, defects=defects
    )  # fmt: skip
    with ThreadPoolExecutor(1) as beside:  # a loop of the browser's runs in this thread
        beside.submit(execute, options, access).result()
    score_run(results / run, ROOT / "packages")
    return results / run


@pytest.mark.stack
@pytest.mark.short_proof
def test_ten_faults_of_one_journey_are_few_clicks_away(browser: Browser, access: Access, tmp_path: Path) -> None:
    """A journey through the real page with ten faults: each is two clicks from the run's page, in sight and marked."""
    run = record(access, tmp_path / "results", "ten", "CTL-M-001", tuple(TEN))
    find_failures(browser, run, tmp_path, TEN)


@pytest.mark.stack
@pytest.mark.proof
@pytest.mark.parametrize("defect", TEN)
def test_each_fault_alone_is_few_clicks_away(browser: Browser, access: Access, tmp_path: Path, defect: str) -> None:
    """The same with a journey for each fault."""
    run = record(access, tmp_path / "results", "one", "CTL-M-001", (defect,))
    find_failures(browser, run, tmp_path, {defect: TEN[defect]})
