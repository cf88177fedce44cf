"""The report in a real Chromium: hostile text stays text, links lead to their evidence, nothing leaves the page."""

import os
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "report"))

from record_builder import RunBuilder, Talk, default_measures, line, motor_run, motor_talk

from harness.report import Limits, write_report
from harness.schema import events as ev
from harness.schema.move import Move
from harness.schema.product import StaffRead, StaffRow
from harness.schema.scorecard import Evidence
from harness.schema.screen import Block, Control, Screen, Unreadable

pytestmark = pytest.mark.browser

HIT = "LISTENER"
"""Stands for the address of a listener that must hear nothing."""
PAYLOADS = [
    "<script>alert(1);fetch('LISTENER/script')</script>",
    "</script><script src=LISTENER/src.js></script>",
    "<img src=LISTENER/img.png onerror=alert(2)>",
    '"><img src=x onerror="fetch(\'LISTENER/onerror\')">',
    "'><svg onload=alert(3)><use href='LISTENER/use.svg#a'/></svg>",
    "<svg><script>alert(4)</script><image href='LISTENER/image'/></svg>",
    "<style>@import url(LISTENER/import.css); body{display:none}</style>",
    "</style><link rel=stylesheet href=LISTENER/link.css>",
    "<link rel=prefetch href=LISTENER/prefetch><link rel=dns-prefetch href=LISTENER>",
    "<meta http-equiv=refresh content='0;url=LISTENER/refresh'>",
    "<iframe src=LISTENER/frame srcdoc='<script>alert(5)</script>'></iframe>",
    "<object data=LISTENER/object></object><embed src=LISTENER/embed>",
    "<base href=LISTENER/><a href=javascript:alert(6) id=hostile>click</a>",
    "<form action=LISTENER/form><input autofocus onfocus=alert(7)><button>go</button></form>",
    "<video src=LISTENER/video autoplay><audio src=LISTENER/audio autoplay></audio></video>",
    "<details open ontoggle=alert(8)><summary>x</summary></details>",
    '<div style="background:url(LISTENER/style)" onmouseover=alert(9)>hover</div>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=LISTENER/mxss onerror=alert(10)&gt;">',
    "<!--><img src=LISTENER/comment>--> <![CDATA[<img src=LISTENER/cdata>]]>",
    "&lt;img src=LISTENER/entity onerror=alert(11)&gt; &#60;script&#62;alert(12)&#60;/script&#62;",
    "[click me](javascript:alert(13)) ![pic](LISTENER/markdown.png) <LISTENER/auto> LISTENER/plain",
    "{{ 7*7 }} {% for x in [].__class__.__mro__ %}{{ x }}{% endfor %} ${alert(14)} <%= 1 %>",
    "</title></textarea></noscript></template></xmp><script>alert(15)</script>",
    "javascript:alert(16)",
    "data:text/html,<script>alert(17)</script>",
    "\x1b]8;;LISTENER/ansi\x1b\\link\x1b]8;;\x1b\\ \x1b[31mred\x1b[0m \x1b[2J",
    "\u202egnp.exe\u202c \u2066isolated\u2069 \u200bzero\u200dwidth\ufeff",
    "Z" + "\u0335\u0321\u0327\u0328\u0334\u0337\u0338" * 40 + "algo",
    "A" * 200_000,
    "line\n" * 5_000,
    "＜script＞alert(18)＜/script＞ \ufe64img src=x\ufe65",
    "<a href='LISTENER/ping' ping='LISTENER/ping2' target=_blank>x</a><area href=LISTENER/area>",
]


@dataclass
class Listener:
    """A server on loopback that notes every request."""

    url: str
    heard: list[str] = field(default_factory=list)


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A listener on an ephemeral port."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Listener(f"http://127.0.0.1:{server.server_address[1]}", heard)
    server.shutdown()
    thread.join()
    server.server_close()


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


@dataclass
class Watched:
    """A page, and everything it tried to do."""

    page: Page
    requests: list[str]
    dialogs: list[str]
    console: list[str]


def open_watched(browser: Browser, address: str | None = None, content: str | None = None) -> Watched:
    """A page of 1280 pixels that is watched from before it loads."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    watched = Watched(page, [], [], [])
    page.on("request", lambda request: watched.requests.append(request.url))
    page.on("console", lambda message: watched.console.append(message.text))

    def dismiss(dialog: object) -> None:
        watched.dialogs.append(dialog.message)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    page.on("dialog", dismiss)
    if address is not None:
        page.goto(address)
    else:
        page.set_content(content or "")
    return watched


def hostile_run(results: Path, payloads: Sequence[str]) -> Path:
    """A run with an attempt for each payload, in which every text that comes from elsewhere is the payload."""
    everything = " ".join(p[:2000] for p in payloads)
    builder = RunBuilder(results, "hostile", customer_model=everything, defects=list(payloads), base_url=everything)
    changed = {"run": everything, "platform": everything, "corpus_version": everything}
    builder.manifest = builder.manifest.model_copy(update=changed)
    (builder.dir / "run.json").write_bytes(builder.manifest.model_dump_json(by_alias=True).encode())
    for at, payload in enumerate(payloads):
        hostile_attempt(builder, package_name(at), payload)
    return builder.dir


def package_name(at: int) -> str:
    """A folder's name may be hostile too, as far as a file system lets it."""
    return f'X-{at:02d}-"><img src=x onerror=alert({at})>\u202e'


def hostile_attempt(builder: RunBuilder, package: str, payload: str) -> None:
    """One attempt, scored, and a second that does not count."""
    short, name = payload[:1900], payload[:250].replace("\n", " ") or "x"
    talk = Talk(builder.folder(package))
    talk.add(ev.JourneyStarted, url=payload, customer="model", browser=payload, sandbox=False, rng_seed=1)
    parts = ("reply", "tag", "panel", "todo", "card", "dialog", "notice", "final", "page")
    blocks = [Block(part=part, text=payload) for part in parts]
    shown = {"value": payload, "placeholder": payload, "options": [payload]}
    controls = [Control(kind="choice", name=payload, part="card", enabled=False, **shown)]
    unreadable = [Unreadable(where=payload, why="canvas")]
    screen = Screen(seq=1, blocks=blocks, controls=controls, unreadable=unreadable, final=payload, truncated=True)
    pictures = [name, "../../../../etc/passwd", "screens/gone.png"]
    seen = talk.add(ev.ScreenSeen, screen=screen, pictures=pictures, read_ms=1.0)
    talk.turn = 1
    talk.add(ev.MoveRejected, problem=payload, why=payload, note=payload, call=payload, raw=payload)
    talk.add(ev.Slip, slip="looping", severity="hindered", why=payload, delivered=True)
    move = Move(
        asked=[short[:80]],
        asked_unknown=True,
        used=[short[:80]],
        move="say",
        messages=[short],
        control=short[:300],
        value=short,
        file=short[:200],
    )
    talk.add(ev.MoveDecided, move=move, by=payload, call=payload, decide_ms=1.0)
    talk.add(ev.Acted, act="said", text=payload, file=payload, sha256=payload, confirmed=False, retries=2, act_ms=1.0)
    talk.add(ev.LedgerEntry, entry="fact_told", id=payload, how="answer")
    talk.add(ev.PageEvent, what="page_error", detail=payload, policy=payload)
    talk.add(ev.CaptureFailed, what="screenshot", why=payload)
    talk.reply(900)
    talk.add(ev.ScreenSeen, screen=screen.model_copy(update={"seq": 2}), pictures=[], read_ms=1.0)
    talk.add(ev.JourneyEnded, reason="completed", why=payload, final=payload)
    staff = StaffRead(
        schema="staff-read-v1",
        found=True,
        why_not=payload,
        fields={payload: payload},
        lists={payload: [StaffRow(cells={payload: payload})]},
        pages=[payload],
        pictures=[name],
    )
    state = {payload: [payload, {payload: payload}]}
    builder.attempt(talk, why=payload, package=package, staff=staff, state=state, parent_attempt=payload)
    evidence = [
        Evidence(file=payload, path=payload, quote=payload),
        Evidence(event=seen, quote=payload),
        Evidence(event=seen, quote=payload[:5]),
        Evidence(file="state.json", path=payload, quote=payload),
    ]
    given = {"expected": payload, "got": payload, "evidence": evidence, "group": "facts"}
    lines = [
        line(payload, state, payload, payload, **given) for state in ("fail", "not_checked", "pass", "not_applicable")
    ]
    measures = [m.model_copy(update={"title": payload, "unit": payload, "note": payload}) for m in default_measures()]
    builder.score(lines, package=package, measures=measures, reason=payload)
    void = Talk(builder.folder(package, attempt=2))
    builder.attempt(void, reason="rig_error", why=payload, package=package, attempt=2)


INSPECT = """() => {
  const bad = [];
  for (const e of document.querySelectorAll('*')) {
    const tag = e.tagName.toLowerCase();
    if (['script','iframe','frame','object','embed','base','form','input','button','video','audio','area','textarea',
         'template','noscript','math','xmp','source','track','portal','foreignobject'].includes(tag)) bad.push(tag);
    if (tag === 'link' || (tag === 'style' && e.closest('head') === null)) bad.push(tag);
    if (tag === 'meta' && !['Content-Security-Policy', null].includes(e.getAttribute('http-equiv'))) bad.push('meta');
    for (const a of e.attributes) {
      if (a.name.startsWith('on') || a.name === 'style' || a.name === 'srcdoc' || a.name === 'ping') bad.push(tag + '@' + a.name);
      if (['href', 'xlink:href'].includes(a.name) && !a.value.startsWith('#')) bad.push(tag + '@' + a.value);
      if (a.name === 'src' && !a.value.startsWith('data:image/')) bad.push(tag + '@' + a.value);
    }
  }
  return bad;
}"""


def test_hostile_text_stays_text(browser: Browser, listener: Listener, tmp_path: Path) -> None:
    """Whatever product, model or package write, wherever it stands: no request, no dialog, no element of their own.

    What is printable can be read letter by letter, as the customer saw it.
    """
    payloads = [p.replace(HIT, listener.url) for p in PAYLOADS]
    limits = Limits(together=3 * len(payloads), detail_attempts=3 * len(payloads), detail_bytes=200 * 1024 * 1024)
    report = write_report(hostile_run(tmp_path, payloads), limits=limits)
    watched = open_watched(browser, report.as_uri())
    page = watched.page
    assert page.locator("article.attempt").count() == 2 * len(payloads)
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
