"""Small products with one awkward habit each, served on loopback for the tests of the surface."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from harness.screen.adapter import Adapter

CUSTOMER: dict[str, Any] = {
    "ready": [{"role": "textbox", "name": "Your message"}],
    "transcript": [{"role": "log"}],
    "customer_bubble": [{"css": "[data-from=customer]"}],
    "reply": [{"css": "[data-from=assistant]"}],
    "tag": [{"css": ".tags > li"}],
    "busy": [{"css": ".typing"}],
    "panel": [{"role": "complementary"}],
    "card": [{"css": ".card"}],
    "dialog": [{"role": "dialog"}],
    "notice": [{"role": "alert"}],
    "final": [{"css": "#final"}],
    "composer": [{"role": "textbox", "name": "Your message"}],
    "send": {"button": [{"role": "button", "name": "Send"}]},
    "upload_confirmed": [{"css": "[data-from=customer] .file"}],
}


def adapter_for(base_url: str, staff: dict[str, Any] | None = None, **changes: Any) -> Adapter:
    """An adapter for these products; `changes` replace parts of the customer's page, None takes one out."""
    customer = {key: value for key, value in {**CUSTOMER, **changes}.items() if value is not None}
    return Adapter.model_validate(
        {
            "adapter": "awkward",
            "version": "1",
            "product": "awkward",
            "base_url": base_url,
            "origins": ["${base_url}"],
            "customer": customer,
            **({"staff": staff} if staff else {}),
        }
    )


FORM = """<form id="f"><label>Your message <textarea id="t"></textarea></label><button id="s">Send</button></form>"""
LOG = """<div role="log" id="log"><div data-from="assistant">Hello. What happened?</div></div>"""
BASE = """
const log = document.getElementById('log'), f = document.getElementById('f'), t = document.getElementById('t');
const later = (ms) => new Promise((r) => setTimeout(r, ms));
function bubble(from, text, cls) { const d = document.createElement('div'); if (from) d.dataset.from = from; if (cls) d.className = cls;
  d.textContent = text; log.append(d); return d; }
async function reply(words, pause) { const busy = bubble('', '…', 'typing'); await later(20); const d = bubble('assistant', '');
  for (const w of words) { if (typeof w === 'number') await later(w); else { d.textContent += w; await later(pause ?? 5); } } busy.remove(); return d; }
"""
SEND = "f.onsubmit = (e) => { e.preventDefault(); const v = t.value; t.value = ''; bubble('customer', v); answer(v); };"


def page(script: str, body: str = LOG + FORM, head: str = "") -> str:
    """A page around the common parts."""
    return f"<!doctype html><html><head><meta charset=utf-8>{head}</head><body>{body}<script>{BASE}{script}</script></body></html>"


ECHO = "let n = 0; const answer = (v) => reply(['Reply ', String(++n), ': ', 'tell me more.']);"
SCENARIOS: dict[str, str] = {
    "plain": page(ECHO + SEND),
    "pause": page("const answer = () => reply(['First half', 2000, ' and second half.']);" + SEND),
    "streaming": page("new EventSource('/events'); " + ECHO + SEND),
    "clock": page(
        "setInterval(() => { clock.textContent = new Date().toISOString() + ' ' + performance.now(); }, 20);"
        "let left = 900; setInterval(() => { timer.textContent = 'Code expires in ' + --left; }, 50);"
        "let k = 0; setInterval(() => { spin.style.transform = `rotate(${k++}deg)`; }, 16);" + ECHO + SEND,
        LOG + FORM + '<aside><p id="clock"></p></aside><p role="alert" id="timer"></p><p id="spin">*</p>',
    ),
    "hydration": page(
        "s.type = 'button'; setTimeout(() => { t.value = ''; s.type = 'submit'; "
        + ECHO.replace("let n", "window.n")
        + "window.answer = answer; f.onsubmit = (e) => { e.preventDefault(); const v = t.value; if (!v) return; t.value = '';"
        " bubble('customer', v); window.answer(v); }; }, 800);"
    ),
    "double": page(ECHO + SEND.replace("answer(v)", "bubble('customer', v); answer(v)")),
    "slow greeting": page(
        "later(900).then(() => bubble('assistant', 'Hello at last.')); later(60000).then(() => bubble('assistant', 'Still there?'));"
        + ECHO
        + SEND,
        '<div role="log" id="log"></div>' + FORM,
    ),
    "silent": page("const answer = () => {};" + SEND),
    "deaf": page("f.onsubmit = (e) => e.preventDefault();"),
    "rich": page(
        ECHO
        + "t.onkeydown = (e) => { if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); const v = t.innerText;"
        " t.textContent = ''; const b = bubble('customer', v); b.style.whiteSpace = 'pre-wrap'; answer(v); } };",
        LOG + '<div id="f"><div id="t" role="textbox" aria-label="Your message" contenteditable="true" '
        'style="min-height:30px;border:1px solid"></div></div>',
    ),
    "shadow": page(
        "const h = document.querySelector('x-box'); h.attachShadow({mode: 'open'}).innerHTML = `" + FORM + "`;"
        "const g = h.shadowRoot.getElementById('f'), u = h.shadowRoot.getElementById('t');"
        + ECHO
        + "g.onsubmit = (e) => { e.preventDefault(); const v = u.value; u.value = ''; bubble('customer', v); answer(v); };",
        LOG + "<x-box></x-box>",
    ),
    "closed": page(
        "document.querySelector('x-box').attachShadow({mode: 'closed'}).innerHTML = `" + FORM + "`;",
        LOG + "<x-box></x-box>",
    ),
    "frame": page(
        "const fr = document.querySelector('iframe');"
        + ECHO
        + "fr.onload = () => { globalThis.inner = fr.contentDocument.getElementById('log'); };"
        "f.onsubmit = (e) => { e.preventDefault(); const v = t.value; t.value = '';"
        " const add = (from, x) => { const d = inner.ownerDocument.createElement('p'); d.dataset.from = from; d.textContent = x;"
        " inner.append(d); return d; };"
        " add('customer', v); later(30).then(() => add('assistant', 'Reply in a frame.')); };",
        '<iframe src="/inner" width="500" height="200"></iframe><div id="log"></div>' + FORM,
    ),
    "again": page(
        "const items = [['assistant', 'Hello. What happened?']]; function draw() { log.replaceChildren(...items.map(([w, x]) => {"
        " const d = document.createElement('div'); d.dataset.from = w; d.textContent = x; return d; })); }"
        "setInterval(draw, 120); f.onsubmit = (e) => { e.preventDefault(); items.push(['customer', t.value]); t.value = ''; draw();"
        " setTimeout(() => { items.push(['assistant', 'Do you know the plate?']); draw(); }, 60); };"
    ),
    "window": page(
        "const all = [['assistant', 'Hello. What happened?']]; function draw() { log.replaceChildren(...all.slice(-6).map(([w, x]) => {"
        " const d = document.createElement('div'); d.dataset.from = w; d.textContent = x; return d; })); } let n = 0;"
        "f.onsubmit = (e) => { e.preventDefault(); all.push(['customer', t.value]); t.value = ''; draw();"
        " setTimeout(() => { all.push(['assistant', 'Question ' + (++n) + '?']); draw(); }, 30); };"
    ),
    "long": page(
        "const answer = () => reply(Array.from({length: 60}, (_, i) => 'Paragraph ' + i + ' of a long answer.\\n'), 0)"
        ".then(() => { log.scrollTop = log.scrollHeight; });" + SEND,
        '<div role="log" id="log" style="height:160px;overflow-y:auto;white-space:pre-wrap"></div>' + FORM,
    ),
    "font": page(
        ECHO + SEND, head="<style>@font-face{font-family:X;src:url(/never)}body{font-family:X,sans-serif}</style>"
    ),
    "happenings": page(
        ECHO + SEND + "popup.onclick = () => open('/plain?popup'); down.onclick = () => { location.href = '/file'; };"
        "ask.onclick = () => { const ok = confirm('Submit the claim now?'); bubble('assistant', ok ? 'Submitted.' : 'Kept.'); };"
        "say.onclick = () => { const v = prompt('Your PIN?'); bubble('assistant', v === null ? 'No PIN.' : 'PIN ' + v); };"
        "bad.onclick = () => { console.error('console trouble'); setTimeout(() => { throw new Error('script trouble'); }); };"
        "work.onclick = () => navigator.serviceWorker.register('/worker.js');"
        "sock.onclick = () => new WebSocket(location.origin.replace('http', 'ws') + '/socket');"
        "block.onclick = () => { const end = performance.now() + 4000; while (performance.now() < end); };",
        LOG + FORM + '<div class="card"><button id="popup">Open a tab</button><button id="down">Get a copy</button>'
        '<button id="ask">Submit</button><button id="say">Enter PIN</button><button id="bad">Trouble</button>'
        '<button id="sock">Connect</button><button id="work">Work offline</button><button id="block">Block</button><button>Dead</button><button>Twice</button>'
        '</div><p role="alert">Mind this. <button>Twice</button></p>',
    ),
    "upload": page(
        "let n = 0; const took = async (file) => { await later(1500); const b = bubble('customer', ''); b.innerHTML = '<span class=file></span>';"
        " b.firstChild.textContent = file.name + ' ' + (++n); bubble('assistant', 'Thank you for the file.'); };"
        "a.onchange = () => took(a.files[0]); b2.onclick = () => { const i = document.createElement('input'); i.type = 'file';"
        " i.onchange = () => took(i.files[0]); i.click(); };",
        LOG + FORM + '<div class="card"><label>Add a photo<input id="a" type="file" hidden></label> '
        '<button id="b2" type="button">维修报价</button> <button type="button">No chooser</button></div>',
    ),
    "form": page(
        "",
        LOG + FORM + '<div class="card"><p><label>Place <input id="p"></label></p>'
        "<p><label>Notes <textarea></textarea></label></p><p><label>Class <select><option>Motor</option><option disabled>Boat</option>"
        '<option>Home</option><option>Property</option></select></label></p><p><label><input type="checkbox">I agree</label></p>'
        '<fieldset><legend>Drivable?</legend><label><input type="radio" name="d">Yes</label><label><input type="radio" name="d">No</label>'
        '</fieldset><p><label>Date <input type="date"></label></p><p><label>Time <input type="time"></label></p>'
        '<p><label>Plate <input maxlength="4"></label></p></div>',
    ),
    "trusted": page(
        "window.seen = []; for (const k of ['keydown','input','click','mousedown']) addEventListener(k, (e) => seen.push([k, e.isTrusted]), true);"
        "window.changes = 0; new MutationObserver((l) => { changes += l.length; }).observe(document, {subtree: true, childList: true,"
        " attributes: true, characterData: true});" + ECHO + SEND
    ),
    "reload": page(
        "if (sessionStorage.said) { bubble('customer', sessionStorage.said); setTimeout(() => bubble('assistant', 'Back again.'), 60); }"
        "f.onsubmit = (e) => { e.preventDefault(); sessionStorage.said = t.value; bubble('customer', t.value); t.value = '';"
        " setTimeout(() => location.reload(), 80); };"
    ),
    "signin": page(
        ECHO
        + SEND
        + "login.onsubmit = (e) => { e.preventDefault(); const who = em.value; setTimeout(() => { login.remove(); t.disabled = false;"
        " bubble('assistant', 'Welcome, ' + who + '.'); }, 50); };",
        LOG
        + FORM.replace("<textarea", "<textarea disabled")
        + '<form id="login" aria-label="Sign in"><label>Email <input id="em"></label>'
        '<label>Password <input type="password"></label><button>Sign in</button></form>',
    ),
}


async def _scenario(request: Request) -> Response:
    return HTMLResponse(SCENARIOS[request.path_params["name"]])


async def _many(request: Request) -> Response:
    turns = int(request.path_params["n"])
    rows = "".join(
        f'<div data-from="customer">Message {i}</div><div data-from="assistant">Reply {i}<ul class="tags"><li>tag</li></ul></div>'
        for i in range(turns)
    )
    return HTMLResponse(page(ECHO + SEND, LOG.replace("</div></div>", f"</div>{rows}</div>") + FORM))


async def _inner(request: Request) -> Response:
    return HTMLResponse('<div id="log" role="log"><p data-from="assistant">Hello from the frame.</p></div>')


async def _events(request: Request) -> Response:
    async def body() -> AsyncIterator[bytes]:
        yield b"data: one\n\n"
        while not await request.is_disconnected():
            await asyncio.sleep(0.2)

    return StreamingResponse(body(), media_type="text/event-stream")


async def _never(request: Request) -> Response:
    while not await request.is_disconnected():
        await asyncio.sleep(0.2)
    return Response(status_code=504)


async def _file(request: Request) -> Response:
    return Response(b"a copy of the claim", headers={"content-disposition": 'attachment; filename="copy.txt"'})


STAFF_LIST = """<!doctype html><title>staff</title><form action="/staff/list"><label>Search <input name="q" value="{q}"></label></form>
<table aria-label="Work list"><tbody>{rows}</tbody></table><p data-field="level">{level}</p><p data-field="hidden" style="opacity:0">unseen</p>"""


async def _staff(request: Request) -> Response:
    return HTMLResponse(
        '<form method="post" action="/staff/in"><label>Staff name <input name="u"></label>'
        '<label>Password <input type="password" name="p"></label><button>Sign in</button></form>'
    )


async def _staff_in(request: Request) -> Response:
    await asyncio.sleep(0.2)
    return RedirectResponse("/staff/list", status_code=303)


async def _staff_list(request: Request) -> Response:
    q = request.query_params.get("q", "")
    if q:
        await asyncio.sleep(0.3)
    cases = [("C-1", "Urgent"), ("C-2", "Simple")]
    rows = "".join(
        f'<tr><td>{number}</td><td>{level}</td><td style="display:none">secret</td></tr>'
        for number, level in cases
        if q in number
    )
    return HTMLResponse(STAFF_LIST.format(q=q, rows=rows, level="Urgent"))


def app() -> Starlette:
    """All products under one address, `/<scenario>`."""
    return Starlette(
        routes=[
            Route("/inner", _inner),
            Route("/events", _events),
            Route("/never", _never),
            Route("/file", _file),
            Route("/many/{n}", _many),
            Route("/staff", _staff),
            Route("/staff/in", _staff_in, methods=["POST"]),
            Route("/staff/list", _staff_list),
            Route("/{name}", _scenario),
        ]
    )


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[str]:
    """The products' base address, for as long as the block runs."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app(), log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            await asyncio.sleep(0.005)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
