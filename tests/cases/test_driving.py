"""Cases of driving a page: what public failures looked like, and what the rig does."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.async_api import Browser, async_playwright
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

import harness
from harness.browser import find_browser, launch_args
from harness.customer.conduct import Conduct
from harness.customer.players import RulePlayer
from harness.errors import DirtyEnvironment
from harness.netlog import BODY_LIMIT, NetLog
from harness.record import Recorder, Redactor
from harness.screen.errors import SurfaceUnreachable
from harness.screen.surface import Surface
from harness.worker import Journey
from tests.browser.screen.products import ECHO, FORM, LOG, SEND, adapter_for, page
from tests.cases.local import LIMITS, Kept, greeting_socket, opened, serving
from tests.support.views import ledger

pytestmark = pytest.mark.browser


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def record(tmp_path: Path) -> Recorder:
    return Recorder(tmp_path, Redactor({}))


BEFORE = "bubble('customer', 'I wrote this yesterday.');"


@pytest.mark.parametrize(
    "script", [BEFORE, f"setTimeout(() => {{ {BEFORE} }}, 150);"], ids=["at once", "a moment later"]
)
def test_a_start_page_with_a_conversation_is_dirty(browser: Browser, run: Any, record: Recorder, script: str) -> None:
    """An earlier conversation on the start page, fetched late too, ends the journey before a word is said."""

    async def work() -> None:
        async with serving(page(script + ECHO + SEND, LOG_EMPTY + FORM)) as base:
            context = await browser.new_context(service_workers="block")
            surface = await Surface.open(context, adapter_for(base), f"{base}/", Kept(), LIMITS)
            conduct = Conduct(RulePlayer(), ledger(), record, tries=1, stand_in_limit=1)
            order: Any = SimpleNamespace(ticket=SimpleNamespace(login=None))
            try:
                await Journey(surface, conduct, record, order, lambda: 0.0).run()
            finally:
                await context.close()

    with pytest.raises(DirtyEnvironment, match="conversation"):
        run(work())
    assert "acted" not in record.event_counts


# C-001 ----------------------------------------------------------------------


def test_a_locked_composer_is_a_sign_of_work_where_there_is_no_busy_mark(browser: Browser, run: Any) -> None:
    """C-001: a pause of four seconds in a reply, no busy mark, composer locked meanwhile: the reply is read whole."""
    script = """
    const answer = async () => { t.disabled = true; const d = bubble('assistant', 'First half'); await later(4000);
      d.textContent += ' and the rest.'; t.disabled = false; };"""

    async def work() -> None:
        async with opened(browser, page(script + SEND), busy=None) as (surface, _):
            assert (await surface.send("hello")).confirmed
            settled = await surface.settle()
            assert settled.settled and settled.total_ms >= 3900
            assert (await surface.read(1)).reply_text() == "First half and the rest."

    run(work())


def test_half_a_reply_that_never_ends_is_unsettled(browser: Browser, run: Any) -> None:
    """C-001: the busy mark stays: at the cap the turn is unsettled, and the half is shown as what it is."""
    script = "const answer = () => { bubble('', '…', 'typing'); bubble('assistant', 'First half'); };"

    async def work() -> None:
        async with opened(browser, page(script + SEND), limits=replace(LIMITS, turn_timeout_s=2)) as (surface, _):
            assert (await surface.send("hello")).confirmed
            settled = await surface.settle()
            assert (settled.settled, settled.why) == (False, "cap")
            assert (await surface.read(1)).reply_text() == "First half"

    run(work())


# C-003 ----------------------------------------------------------------------


def test_nothing_of_the_rig_waits_for_an_idle_network() -> None:
    """C-003: network idleness occurs in no source that drives a page."""
    root = Path(harness.__file__).parent
    sources = [p for p in root.rglob("*") if p.suffix in (".py", ".js") and "devstack" not in p.parts]
    assert [p.name for p in sources if "networkidle" in p.read_text(encoding="utf-8")] == []


# C-005, C-007 ---------------------------------------------------------------

WORKERS = """
navigator.serviceWorker.register('/service.js').catch(() => {});
const worker = new Worker('/worker.js');
worker.onmessage = (e) => bubble('assistant', e.data);
const answer = () => worker.postMessage('go');"""


def test_a_reply_that_a_worker_fetches_is_in_the_network_log(
    browser: Browser, run: Any, record: Recorder, tmp_path: Path
) -> None:
    """C-005: service workers are refused and say so; what a dedicated worker fetches is logged, or the log says that it is not whole."""
    js = {"media_type": "text/javascript"}
    routes = [
        Route("/service.js", lambda _: Response("self.onfetch = () => {};", **js)),
        Route("/worker.js", lambda _: Response("onmessage = async () => postMessage(await (await fetch('/answer')).text());", **js)),
        Route("/answer", lambda _: PlainTextResponse("From the worker.")),
    ]  # fmt: skip

    async def work() -> Kept:
        logs: list[NetLog] = []

        async def prepare(context: Any, adapter: Any) -> None:
            logs.append(NetLog(record, adapter.allowed))
            await logs[0].attach(context)

        async with opened(browser, page(WORKERS + SEND), routes, prepare=prepare) as (surface, kept):
            assert (await surface.send("hello")).confirmed
            assert (await surface.settle()).settled
            assert (await surface.read(1)).reply_text() == "From the worker."
            await logs[0].drain()
        return kept

    kept = run(work())
    record.close()
    assert [e["policy"] for e in kept.happened("service_worker_blocked")] == ["aborted"]
    assert any(line["url"].endswith("/answer") and line["status"] == 200 for line in lines(tmp_path / "network.jsonl"))


@pytest.mark.parametrize(("hosts", "seen"), [(["localhost"], "refused"), (["localhost", "127.0.0.1"], "Hello.")])
def test_a_socket_to_a_host_that_is_not_the_products_is_refused(
    hosts: list[str], seen: str, run: Any, tmp_path: Path
) -> None:
    """C-007, the kind: what no request handler sees goes no further than the product's hosts either."""
    listen = (
        "new Promise((done) => { const s = new WebSocket(ADDRESS); s.onmessage = (e) => done(e.data);"
        " s.onerror = () => done('refused'); })"
    )

    async def work() -> str:
        found = find_browser()
        async with async_playwright() as playwright, greeting_socket("Hello.") as address, serving("<p>page") as base:
            browser = await playwright.chromium.launch(
                executable_path=str(found.path), args=launch_args(found.sandbox, hosts), chromium_sandbox=found.sandbox
            )
            try:
                tab = await browser.new_page()
                await tab.goto(base.replace("127.0.0.1", "localhost") + "/")
                return str(await tab.evaluate(listen.replace("ADDRESS", json.dumps(address))))
            finally:
                await browser.close()

    assert run(work()) == seen


@pytest.mark.parametrize(("cut", "note"), [(False, "streamed"), (True, "cut off")])
def test_the_body_of_a_streamed_reply_is_evidence(
    cut: bool, note: str, browser: Browser, run: Any, record: Recorder, tmp_path: Path
) -> None:
    """What Chromium reports as failed, a stream that is not to be stored, is in the record to its last byte that came."""

    async def pieces() -> AsyncIterator[str]:
        yield "one "
        await asyncio.sleep(0.02)
        yield "two "
        if cut:
            raise RuntimeError("the product breaks off")
        yield "three"

    async def turn(_request: object) -> Response:
        return StreamingResponse(pieces(), media_type="text/plain", headers={"Cache-Control": "no-store"})

    read = (
        "const answer = async (v) => { const d = bubble('assistant', ''); const r = (await fetch('/turn', {method: 'POST', body: v}))"
        ".body.pipeThrough(new TextDecoderStream()).getReader(); try { for (;;) { const {value, done} = await r.read();"
        " if (done) break; d.textContent += value; } } catch { d.textContent += '…'; } };"
    )

    async def work() -> None:
        logs: list[NetLog] = []

        async def prepare(context: Any, adapter: Any) -> None:
            logs.append(NetLog(record, adapter.allowed, adapter.browser_origins))
            await logs[0].attach(context)

        routes = [Route("/turn", turn, methods=["POST"])]
        async with opened(browser, page(read + SEND), routes, prepare=prepare) as (surface, _):
            for words in ("first", "second"):
                assert (await surface.send(words)).confirmed
                await surface.settle()
            await logs[0].drain()

    run(work())
    record.close()
    turns = [line for line in lines(tmp_path / "network.jsonl") if line["url"].endswith("/turn")]
    assert len(turns) == 2
    bodies = [(tmp_path / "bodies" / line["response_body"]).read_bytes() for line in turns]
    assert bodies == [b"one two " if cut else b"one two three"] * 2
    assert all((line["body_note"] or "streamed").startswith(note) for line in turns), "no note: it ended as any other"


def test_what_has_come_of_a_stream_is_evidence_when_the_journey_ends_before_it(
    browser: Browser, run: Any, record: Recorder, tmp_path: Path
) -> None:
    """A stream still open at the end has one line, with the bytes that came, and is counted; two at once are not mixed up."""

    def stream(words: str, then_s: float) -> Any:
        async def pieces() -> AsyncIterator[str]:
            yield words
            await asyncio.sleep(then_s)

        return StreamingResponse(pieces(), media_type="text/plain", headers={"Cache-Control": "no-store"})

    answers = iter([stream("never ends", 30.0), stream("ends first", 0.05)])
    read = (
        "const read = async () => { const r = (await fetch('/turn', {method: 'POST'})).body.getReader();"
        " while (!(await r.read()).done) {} bubble('assistant', 'read'); }; const answer = () => { read(); read(); };"
    )

    async def work() -> None:
        logs: list[NetLog] = []

        async def prepare(context: Any, adapter: Any) -> None:
            logs.append(NetLog(record, adapter.allowed, adapter.browser_origins))
            await logs[0].attach(context)

        routes = [Route("/turn", lambda _: next(answers), methods=["POST"])]
        async with opened(browser, page(read + SEND), routes, prepare=prepare) as (surface, _):
            assert (await surface.send("go")).confirmed
            assert (await surface.settle()).settled
            await logs[0].drain()
            await surface.close()
            await logs[0].drain()

    run(work())
    record.close()
    turns = [line for line in lines(tmp_path / "network.jsonl") if line["url"].endswith("/turn")]
    bodies = {(tmp_path / "bodies" / line["response_body"]).read_bytes(): line["body_note"] for line in turns}
    assert len(turns) == 2
    assert set(bodies) == {b"never ends", b"ends first"}
    assert bodies[b"never ends"] == "unfinished at the end"
    assert bodies[b"ends first"] in (None, "streamed: as far as it was read")
    assert record.event_counts["capture_failed"] == 1


def test_a_greeting_on_connect_is_logged_and_on_the_screen(
    browser: Browser, run: Any, record: Recorder, tmp_path: Path
) -> None:
    """C-007: listeners are attached before the page is opened, so the first frame of a web socket is not missed."""

    async def work() -> str:
        async with greeting_socket("Welcome to the claims desk.") as address:
            script = (
                f"new WebSocket('{address}').onmessage = (e) => bubble('assistant', e.data); const answer = () => {{}};"
            )

            async def prepare(context: Any, adapter: Any) -> None:
                await NetLog(record, lambda url: True).attach(context)

            async with opened(browser, page(script + SEND, LOG_EMPTY + FORM), prepare=prepare) as (surface, kept):
                assert [e["detail"] for e in kept.happened("websocket")] == [address]
                return (await surface.read(1)).reply_text()

    assert run(work()) == "Welcome to the claims desk."
    record.close()
    frames = [line for line in lines(tmp_path / "network.jsonl") if line["method"] == "WS"]
    bodies = [(tmp_path / "bodies" / line["response_body"]).read_bytes() for line in frames]
    assert bodies == [b"Welcome to the claims desk."]


LOG_EMPTY = '<div role="log" id="log"></div>'


# C-008, C-010, C-012 --------------------------------------------------------


def test_a_picture_that_does_not_come_is_an_event_and_the_talk_goes_on(browser: Browser, run: Any) -> None:
    """C-008: a page that cannot be pictured now costs the picture only, in bounded time, and the loss is recorded."""
    body = LOG + FORM + '<div class="card"><button id="block">Block</button></div>'
    script = (
        ECHO
        + SEND
        + "block.onclick = () => { const end = performance.now() + 3000; while (performance.now() < end); };"
    )

    async def work() -> None:
        async with opened(browser, page(script, body), limits=replace(LIMITS, picture_s=0.5)) as (surface, kept):
            await surface.read(1)
            pressed = asyncio.create_task(surface.press("Block"))
            await asyncio.sleep(0.3)
            assert await surface.picture() == []
            [lost] = [e for e in kept.events if e["kind"] == "capture_failed"]
            assert lost["what"] == "screenshot" and lost["why"]
            await pressed
            await surface.settle()
            assert (await surface.send("still there?")).confirmed
            assert (await surface.settle()).settled

    run(work())


def test_a_body_too_large_is_left_out_and_said(browser: Browser, run: Any, record: Recorder, tmp_path: Path) -> None:
    """C-010: evidence is capped, and what was dropped stands in the record with its size."""
    routes = [Route("/big", lambda _: Response(bytes(BODY_LIMIT + 1)))]
    script = "const answer = async () => { const r = await (await fetch('/big')).arrayBuffer(); bubble('assistant', `${r.byteLength} bytes.`); };"

    async def work() -> None:
        logs: list[NetLog] = []

        async def prepare(context: Any, adapter: Any) -> None:
            logs.append(NetLog(record, adapter.allowed))
            await logs[0].attach(context)

        async with opened(browser, page(script + SEND), routes, prepare=prepare) as (surface, _):
            await surface.send("hello")
            await surface.settle()
            assert (await surface.read(1)).reply_text() == f"{BODY_LIMIT + 1} bytes."
            await logs[0].drain()

    run(work())
    record.close()
    [big] = [line for line in lines(tmp_path / "network.jsonl") if line["url"].endswith("/big")]
    assert (big["response_body"], big["body_note"]) == (None, f"too_large: {BODY_LIMIT + 1} bytes")


def test_a_download_is_kept_although_the_page_closes_at_once(browser: Browser, run: Any) -> None:
    """C-012: closing waits for a download under way; its bytes and hash are kept."""

    async def slow(_request: object) -> Response:
        await asyncio.sleep(0.5)
        return Response(b"a copy of the claim", headers={"content-disposition": 'attachment; filename="copy.txt"'})

    body = LOG + FORM + '<div class="card"><a href="/file">Get a copy</a></div>'

    async def work() -> Kept:
        async with opened(browser, page(ECHO + SEND, body), [Route("/file", slow)]) as (surface, kept):
            await surface.read(1)
            begun = asyncio.get_running_loop().create_future()
            surface.page.on("download", lambda _: begun.done() or begun.set_result(None))
            assert (await surface.press("Get a copy")).confirmed
            await asyncio.wait_for(begun, 10)
        return kept

    kept = run(work())
    assert kept.files == {"copy.txt": b"a copy of the claim"}
    [event] = kept.happened("download")
    assert event["policy"] == "saved" and len(event["sha256"]) == 64


# C-014 ----------------------------------------------------------------------

LATE = """
let n = 0; window.handed = 0;
a.onchange = async () => { handed++; const name = a.files[0].name; await later(2500);
  const b = bubble('customer', ''); b.innerHTML = '<span class=file></span>'; b.firstChild.textContent = name; bubble('assistant', 'Got it.'); };
const answer = () => {};"""


def test_a_file_shown_late_is_not_handed_over_twice(browser: Browser, run: Any, tmp_path: Path) -> None:
    """C-014: the time-out came before the file showed; the second attempt looks first, finds it, and hands nothing over."""
    file = tmp_path / "scan.pdf"
    file.write_bytes(b"%PDF-" + bytes(100))
    body = LOG + FORM + '<div class="card"><label>Add the scan <input id="a" type="file"></label></div>'

    async def work() -> None:
        async with opened(browser, page(LATE + SEND, body), limits=replace(LIMITS, upload_s=0.5)) as (surface, _):
            await surface.read(1)
            first = await surface.upload(file, "Add the scan")
            assert (first.confirmed, first.why) == (False, "the page does not show the file")
            await surface.page.wait_for_function("document.querySelector('.file')")
            await surface.settle()
            await surface.read(2)
            second = await surface.upload(file, "Add the scan")
            assert (second.confirmed, second.retries) == (True, 0)
            await surface.settle()
            assert await surface.page.evaluate("handed") == 1

    run(work())


def test_a_file_that_never_shows_may_be_handed_over_again(browser: Browser, run: Any, tmp_path: Path) -> None:
    """C-014: only a file that has come is kept from being sent again; one that was lost is not."""
    file = tmp_path / "scan.pdf"
    file.write_bytes(b"%PDF-")
    script = """window.handed = 0; a.onchange = () => { if (++handed === 1) { a.value = ''; return; }
      const b = bubble('customer', ''); b.innerHTML = '<span class=file>scan</span>'; bubble('assistant', 'Got it.'); }; const answer = () => {};"""
    body = LOG + FORM + '<div class="card"><label>Add the scan <input id="a" type="file"></label></div>'

    async def work() -> None:
        async with opened(browser, page(script + SEND, body), limits=replace(LIMITS, upload_s=0.5)) as (surface, _):
            await surface.read(1)
            assert not (await surface.upload(file, "Add the scan")).confirmed
            await surface.settle()
            await surface.read(2)
            assert (await surface.upload(file, "Add the scan")).confirmed
            assert await surface.page.evaluate("handed") == 2

    run(work())


# C-015, C-017 ---------------------------------------------------------------

SMART = """
t.onkeydown = (e) => { if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); const v = t.innerText; t.textContent = '';
  const b = bubble('customer', v); b.style.whiteSpace = 'pre-wrap'; answer(v); } };
t.oninput = () => { if (t.innerText.includes('\\n') && !window.shy) { window.shy = 1; t.textContent = t.innerText.replace(/\\n/g, ''); } };"""
BOX = '<div id="f"><div id="t" role="textbox" aria-label="Your message" contenteditable="true" style="min-height:30px;border:1px solid"></div></div>'


def test_a_composer_that_loses_line_breaks_is_read_back_before_sending(browser: Browser, run: Any) -> None:
    """C-015: what the composer holds is compared before Enter; the bubble holds both paragraphs or the act is not confirmed."""

    async def work() -> None:
        html = page(ECHO + SMART, LOG + BOX)
        async with opened(browser, html, send={"key": "Enter"}) as (surface, _):
            act = await surface.send("First paragraph.\nSecond paragraph.")
            await surface.settle()
            await surface.read(1)
            bubbles = [b.text for b in surface.transcript if b.part == "customer"]
            assert len(bubbles) == 1
            assert act.confirmed and bubbles[0].split() == ["First", "paragraph.", "Second", "paragraph."]

    run(work())


def test_a_box_that_takes_no_line_breaks_gets_spaces(browser: Browser, run: Any) -> None:
    """C-015: what would be run together ("paid 5020 March") is typed again in one line, and the record says so."""
    script = (
        ECHO
        + SMART.split("t.oninput")[0]
        + "t.onbeforeinput = (e) => { if (/Break|Paragraph/.test(e.inputType)) e.preventDefault(); };"
    )

    async def work() -> None:
        async with opened(browser, page(script, LOG + BOX), send={"key": "Enter"}) as (surface, sink):
            act = await surface.send("I paid 50\n20 March was the day.")
            await surface.settle()
            await surface.read(1)
            bubbles = [b.text for b in surface.transcript if b.part == "customer"]
            assert act.confirmed and bubbles == ["I paid 50 20 March was the day."]
            assert "reader_lost" in [e["what"] for e in sink.events if e["kind"] == "page"]

    run(work())


@pytest.mark.parametrize(
    ("shown", "confirmed"), [("v", True), ("v.replace(/ /g, '\\n')", True), ("v.replace(/50 20/, '5020')", False)]
)
def test_a_bubble_that_runs_words_together_is_not_the_message(
    shown: str, confirmed: bool, browser: Browser, run: Any
) -> None:
    """C-015: white space may be another, but must stand where the message has it."""
    script = f"{ECHO}f.onsubmit = (e) => {{ e.preventDefault(); const v = t.value; t.value = ''; bubble('customer', {shown}); answer(v); }};"

    async def work() -> None:
        async with opened(browser, page(script)) as (surface, _):
            assert (await surface.send("I paid 50 20 March was the day.")).confirmed is confirmed

    run(work())


@pytest.mark.parametrize("when_ms", [150, 1200])
def test_text_wiped_by_the_page_is_typed_again_whenever_it_comes_to_life(
    when_ms: int, browser: Browser, run: Any
) -> None:
    """C-017: a rerender that empties the field and swallows the first send costs one retry, never a lost or doubled message."""
    script = (
        f"s.type = 'button'; setTimeout(() => {{ t.value = ''; s.type = 'submit'; f.onsubmit = (e) => {{ e.preventDefault();"
        " const v = t.value; if (!v) return; t.value = ''; bubble('customer', v); bubble('assistant', 'Noted.'); }; }"
        f", {when_ms});"
    )

    async def work() -> None:
        limits = replace(LIMITS, idle_ms=600)
        async with opened(browser, page(script), limits=limits) as (surface, _):
            act = await surface.send("My car was hit.")
            assert act.confirmed and act.retries <= 1
            await surface.settle()
            await surface.read(1)
            assert [b.text for b in surface.transcript if b.part == "customer"] == ["My car was hit."]

    run(work())


def test_a_message_swallowed_at_the_moment_of_sending_is_written_again(browser: Browser, run: Any) -> None:
    """C-017: emptied as by a send, and then nothing at all: as a person would, the rig writes it once more, and says so."""
    script = """let first = true; f.onsubmit = (e) => { e.preventDefault(); const v = t.value; t.value = '';
      if (first) { first = false; return; } bubble('customer', v); bubble('assistant', 'Noted.'); };"""

    async def work() -> None:
        async with opened(browser, page(script), limits=replace(LIMITS, idle_ms=250)) as (surface, _):
            act = await surface.send("My car was hit.")
            assert (act.confirmed, act.retries) == (True, 1)
            await surface.settle()
            await surface.read(1)
            assert [b.text for b in surface.transcript if b.part == "customer"] == ["My car was hit."]

    run(work())


def test_a_message_that_is_on_its_way_is_not_written_again(browser: Browser, run: Any) -> None:
    """C-017: while the product shows that it is busy, a late bubble is waited for; nothing is sent twice."""
    script = """f.onsubmit = async (e) => { e.preventDefault(); const v = t.value; t.value = '';
      const b = bubble('', '…', 'typing'); await later(2500); b.remove(); bubble('customer', v); bubble('assistant', 'Noted.'); };"""

    async def work() -> None:
        async with opened(browser, page(script), limits=replace(LIMITS, idle_ms=250)) as (surface, _):
            act = await surface.send("My car was hit.")
            assert (act.confirmed, act.retries) == (True, 0)
            await surface.settle()
            await surface.read(1)
            assert [b.text for b in surface.transcript if b.part == "customer"] == ["My car was hit."]

    run(work())


def test_a_message_that_never_arrives_does_not_cost_the_whole_turn(browser: Browser, run: Any) -> None:
    """C-017: after two tries without a bubble the act is not confirmed, and the turn ends after the grace time, not at the cap."""
    script = "f.onsubmit = (e) => { e.preventDefault(); t.value = ''; };"

    async def work() -> None:
        async with opened(browser, page(script), limits=replace(LIMITS, idle_ms=200)) as (surface, _):
            act = await surface.send("My car was hit.")
            assert (act.confirmed, act.retries) == (False, 1)
            assert act.why.startswith("vanished")
            settled = await surface.settle()
            assert (settled.settled, settled.first_ms) == (True, None)

    run(work())


# C-019 ----------------------------------------------------------------------


def test_a_talk_in_a_foreign_frame_is_unreachable_not_a_product_failure(browser: Browser, run: Any) -> None:
    """C-019: what stands in a frame of another origin cannot be read; that is the surface's fault, said as such."""

    async def work() -> None:
        async with serving("<p>Chat</p>") as other:
            html = f'<iframe src="{other}/" width="400" height="200"></iframe>'
            parts = {"ready": [{"css": "p", "frame": ["iframe"]}]}
            with pytest.raises(SurfaceUnreachable, match="does not show"):
                async with opened(browser, html, limits=replace(LIMITS, open_s=1.5), **parts):
                    pass

    run(work())


# C-020 ----------------------------------------------------------------------

GUESSING = """
const all = [['assistant', 'Hello. What happened?']]; let n = 0;
function draw() { const gone = Math.max(0, all.length - 6), space = document.createElement('div'); space.style.height = gone * 31 + 'px';
  log.replaceChildren(space, ...all.slice(gone).map(([w, x]) => { const d = document.createElement('div'); d.dataset.from = w;
    d.textContent = x; d.style.padding = x.length % 2 ? '2px' : '9px'; return d; })); log.scrollTop = 1e6; }
draw(); setInterval(draw, 90);
f.onsubmit = (e) => { e.preventDefault(); all.push(['customer', t.value]); t.value = ''; draw();
  setTimeout(() => { all.push(['assistant', 'Question ' + (++n) + '?']); draw(); }, 40); };"""


def test_a_list_that_guesses_heights_makes_no_message_appear_twice(browser: Browser, run: Any) -> None:
    """C-020: rows rendered again a little lower than before are no new bubbles; every message is in the transcript once."""
    body = '<div role="log" id="log" style="height:160px;overflow-y:auto"></div>' + FORM

    async def work() -> None:
        async with opened(browser, page(GUESSING, body), busy=None, quiet_unmarked_ms="250") as (surface, _):
            await surface.read(1)
            for i in range(9):
                act = await surface.send(f"Answer {'x' * (i % 3)} {i}")
                assert (act.confirmed, act.retries) == (True, 0), act.why
                assert (await surface.settle()).settled
                await surface.read(2 + i)
            told = [b.text for b in surface.transcript]
            assert [t for t in told if t.startswith("Answer")] == [
                f"Answer {'x' * (i % 3)} {i}".replace("  ", " ") for i in range(9)
            ]
            assert [t for t in told if t.startswith("Question")] == [f"Question {i}?" for i in range(1, 10)]

    run(work())
