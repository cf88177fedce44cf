"""A small chat product that puts a string of its own into every place a person does not see, in every turn.

It speaks the rig's routes (runtime report, seed, state), so that a whole run goes through it. `POISON` says which string
stands where, and in which part of the record it belongs afterwards.
"""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

Where = Literal["bodies", "network", "events"]
"""Bodies of requests and answers; lines of network.jsonl; events."""

_PLACES: dict[str, Where] = {
    "an element that is not displayed": "bodies",
    "an element that is invisible": "bodies",
    "an element of no opacity": "bodies",
    "an element off the page": "bodies",
    "an element cut away": "bodies",
    "an element of no size": "bodies",
    "an element under another one": "bodies",
    "text in the colour of its ground": "bodies",
    "text of no size": "bodies",
    "a closed section": "bodies",
    "a closed dialog": "bodies",
    "a hidden part of a reply": "bodies",
    "a hidden part of a card": "bodies",
    "a data attribute": "bodies",
    "a tooltip": "bodies",
    "the alternative text of a picture": "bodies",
    "the value of a hidden field": "bodies",
    "the value of a button": "bodies",
    "an ARIA label": "bodies",
    "an ARIA description": "bodies",
    "an ARIA label of a reply": "bodies",
    "a region for screen readers": "bodies",
    "a comment": "bodies",
    "a comment in a reply": "bodies",
    "an inline script": "bodies",
    "a script of its own": "bodies",
    "JSON in the page": "bodies",
    "a style sheet": "bodies",
    "a custom property": "bodies",
    "generated content that is not displayed": "bodies",
    "a meta element": "bodies",
    "a template": "bodies",
    "a fallback for browsers without scripts": "bodies",
    "the title of a drawing": "bodies",
    "a hidden frame": "bodies",
    "the page's title": "bodies",
    "a later title": "bodies",
    "the JSON of a turn": "bodies",
    "what the next step requires": "bodies",
    "the form the page sends along": "bodies",
    "the product's state": "bodies",
    "local storage": "bodies",
    "session storage": "bodies",
    "a database of the page": "bodies",
    "the history's state": "bodies",
    "a service worker": "bodies",
    "a message to a log": "bodies",
    "a header of the page": "network",
    "a header of a turn": "network",
    "a header the page sends": "network",
    "a cookie of the page": "network",
    "a cookie of a turn": "network",
    "a cookie set by script": "network",
    "the address of a request": "network",
    "an error in the console": "events",
    "a page error": "events",
    "a request to somebody else": "events",
}
POISON = {place: f"pz{n:02d}{hashlib.sha256(place.encode()).hexdigest()[:12]}" for n, place in enumerate(_PLACES)}
BELONGS: dict[str, Where] = dict(_PLACES)
P = POISON

STYLE = f"""
/* {P["a style sheet"]} */
:root {{ --record: "{P["a custom property"]}"; }}
.gone::after {{ content: "{P["generated content that is not displayed"]}"; display: none; }}
body {{ font: 16px sans-serif; background: #fff; color: #111; }}
.sr {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0); }}
.under {{ position: relative; height: 30px; }}
.under > * {{ position: absolute; inset: 0; background: #fff; }}
"""
HIDDEN = f"""
<p style="display:none">{P["an element that is not displayed"]}</p>
<p style="visibility:hidden">{P["an element that is invisible"]}</p>
<p style="opacity:0">{P["an element of no opacity"]}</p>
<p style="position:absolute;left:-9999px">{P["an element off the page"]}</p>
<p style="position:absolute;clip-path:inset(100%)">{P["an element cut away"]}</p>
<p style="height:0;overflow:hidden;margin:0">{P["an element of no size"]}</p>
<div class="under"><span>{P["an element under another one"]}</span><span>Welcome back</span></div>
<p style="color:#fff">{P["text in the colour of its ground"]}</p>
<p style="font-size:0">{P["text of no size"]}</p>
<details><summary>More</summary>{P["a closed section"]}</details>
<dialog>{P["a closed dialog"]}</dialog>
<p data-record="{P["a data attribute"]}" title="{P["a tooltip"]}">Claims are answered by day.</p>
<img alt="{P["the alternative text of a picture"]}" width="8" height="8" src="data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=">
<input type="hidden" value="{P["the value of a hidden field"]}">
<p class="sr" aria-live="polite">{P["a region for screen readers"]}</p>
<p class="gone">Lines are open.</p>
<!-- {P["a comment"]} -->
<template>{P["a template"]}</template>
<noscript>{P["a fallback for browsers without scripts"]}</noscript>
<svg width="8" height="8"><title>{P["the title of a drawing"]}</title><rect width="8" height="8"/></svg>
<iframe src="/frame" style="display:none"></iframe>
<script type="application/json" id="state">{{"case": "{P["JSON in the page"]}"}}</script>
"""
PAGE = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{P["the page's title"]}</title>
<meta name="case" content="{P["a meta element"]}"><link rel="stylesheet" href="/style.css"></head><body>
<div role="log" aria-label="Conversation" id="log">{HIDDEN}<div data-from="assistant">Hello. Tell us what happened.</div></div>
<aside aria-label="Your claim so far" aria-description="{P["an ARIA description"]}">Nothing yet{HIDDEN}</aside>
<div id="cards"></div><p role="status" id="final"></p>
<form id="f"><label>Your message <textarea id="t"></textarea></label>
<button id="s" value="{P["the value of a button"]}">Send</button></form>
<script>window.record = "{P["an inline script"]}";</script><script src="/app.js"></script></body></html>"""
SCRIPT = f"""
const later = "{P["a script of its own"]}";
const log = document.getElementById('log'), f = document.getElementById('f'), t = document.getElementById('t');
localStorage.setItem('case', '{P["local storage"]}'); sessionStorage.setItem('case', '{P["session storage"]}');
document.cookie = 'form={P["a cookie set by script"]}; path=/';
history.replaceState({{case: '{P["the history's state"]}'}}, '');
indexedDB.open('{P["a database of the page"]}');
navigator.serviceWorker?.register('/sw-{P["a service worker"]}.js').catch(() => 0);
console.log('{P["a message to a log"]}'); console.error('{P["an error in the console"]}');
new Image().src = 'http://127.0.0.1:1/{P["a request to somebody else"]}.gif';
setTimeout(() => {{ throw new Error('{P["a page error"]}'); }}, 0);
function bubble(from, text, more) {{
  const d = document.createElement('div'); d.dataset.from = from; d.append(text);
  if (more) {{
    d.dataset.record = more.record; d.setAttribute('aria-label', more.label);
    const h = document.createElement('span'); h.hidden = true; h.textContent = more.hidden; d.append(h, document.createComment(more.comment));
  }}
  log.append(d); d.scrollIntoView();
}}
async function turn(what) {{
  const busy = document.createElement('p'); busy.className = 'typing'; busy.textContent = '…'; log.append(busy);
  const r = await fetch('/chat/turns?session={P["the address of a request"]}', {{method: 'POST',
    headers: {{'Content-Type': 'application/json', 'X-Form': '{P["a header the page sends"]}'}},
    body: JSON.stringify({{...what, form: '{P["the form the page sends along"]}'}})}});
  const got = await r.json(); busy.remove();
  document.title = got.title;
  document.getElementById('cards').replaceChildren();
  bubble('assistant', got.reply, got.more);
  if (got.button) {{
    const card = document.createElement('div'); card.className = 'card'; card.textContent = got.card;
    const hidden = document.createElement('span'); hidden.hidden = true; hidden.textContent = got.hidden; card.append(hidden);
    const b = document.createElement('button'); b.textContent = got.button; b.setAttribute('aria-label', got.label);
    b.onclick = () => turn({{press: got.button}}); card.append(b); document.getElementById('cards').append(card);
  }}
  if (got.final) document.getElementById('final').textContent = got.final;
}}
f.onsubmit = (e) => {{ e.preventDefault(); const v = t.value; t.value = ''; bubble('customer', v); turn({{text: v}}); }};
"""
_REPLIES: list[dict[str, Any]] = [
    {"reply": "I am sorry to hear that. When did it happen?"},
    {"reply": "Thank you. Where did it happen?"},
    {"reply": "Please check what you told us.", "card": "Shall we send your claim?", "button": "Yes, send it"},
    {"reply": "We have your claim.", "final": "Case number MINI-0001"},
]
ADAPTER = """
adapter: mini
version: "1"
product: mini
base_url: "http://127.0.0.1:8000"
origins: ["${base_url}"]
runtime_report: {method: GET, path: /rig/runtime}
seed: {method: POST, path: /rig/seed, token_env: RIG_SEED_TOKEN}
state: {method: GET, path: "/rig/state/${case_ref}", token_env: RIG_SEED_TOKEN}
customer:
  ready: {role: textbox, name: Your message}
  transcript: {role: log}
  customer_bubble: {css: "[data-from=customer]"}
  reply: {css: "[data-from=assistant]"}
  busy: {css: ".typing"}
  panel: [{role: complementary}]
  card: [{css: ".card"}]
  final: [{css: "#final"}]
  composer: {role: textbox, name: Your message}
  send: {button: {role: button, name: Send}}
"""


@dataclass
class MiniProduct:
    """A running product and what was asked of it."""

    base_url: str
    adapter: Path
    asked: list[str] = field(default_factory=list)
    """Request lines in order."""
    seeded: dict[str, Any] = field(default_factory=dict)
    turns: int = 0


def turn_answer(number: int) -> dict[str, Any]:
    """What the product's JSON says in one turn: what is shown, and a lot that is not."""
    more = {
        "record": P["a data attribute"], "label": P["an ARIA label of a reply"], "hidden": P["a hidden part of a reply"],
        "comment": P["a comment in a reply"],
    }  # fmt: skip
    unseen = {
        "title": P["a later title"], "label": P["an ARIA label"], "hidden": P["a hidden part of a card"],
        "turn_record": {"thought": P["the JSON of a turn"]}, "customer_next_step": {"required_items": [P["what the next step requires"]]},
        "case": {"level": P["the product's state"]},
    }  # fmt: skip
    return {**_REPLIES[min(number, len(_REPLIES) - 1)], **unseen, "more": more}


@contextmanager
def mini_product(folder: Path) -> Iterator[MiniProduct]:
    """The product on a free port; its adapter's YAML is written into `folder`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _send(self, data: bytes, kind: str, headers: dict[str, str] | None = None, status: int = 200) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _json(self, value: Any, headers: dict[str, str] | None = None) -> None:
            self._send(json.dumps(value).encode(), "application/json", headers)

        def do_GET(self) -> None:
            product.asked.append(self.path)
            path = self.path.split("?")[0]
            if path.startswith("/chat"):
                product.turns = 0
                self._send(
                    PAGE.encode(),
                    "text/html",
                    {
                        "X-Record": P["a header of the page"],
                        "Set-Cookie": f"case={P['a cookie of the page']}; Path=/; HttpOnly",
                    },
                )
            elif path == "/style.css":
                self._send(STYLE.encode(), "text/css")
            elif path == "/app.js":
                self._send(SCRIPT.encode(), "text/javascript")
            elif path == "/frame":
                self._send(f"<p>{P['a hidden frame']}</p>".encode(), "text/html")
            elif path == "/rig/runtime":
                report = {
                    "schema": "runtime-report-v1",
                    "product": "mini",
                    "version": "1",
                    "runtime": "model",
                    "model": "none",
                    "stores": {},
                }
                self._json(report)
            elif path.startswith("/rig/state"):
                self._json({"schema": "state-read-v1", "request_id": product.seeded.get("request_id", ""), "cases": []})
            else:
                self._send(b"", "text/plain", status=404)

        def do_POST(self) -> None:
            product.asked.append(self.path)
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            if self.path == "/rig/seed":
                product.seeded = body
                login = {"email": "a@example.com", "password": "not-a-secret"}
                receipt = {"stored": body, "start_url": f"{product.base_url}/chat", "case_ref": "x"}
                self._json(
                    {
                        "schema": "seed-receipt-v1",
                        **receipt,
                        "login": None if body["claimant_session"] == "anonymous" else login,
                    }
                )
            else:
                product.turns += 1
                headers = {"X-Turn": P["a header of a turn"], "Set-Cookie": f"turn={P['a cookie of a turn']}; Path=/"}
                self._json(turn_answer(product.turns - 1), headers)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    adapter = folder / "mini.yaml"
    adapter.write_text(ADAPTER, encoding="utf-8")
    product = MiniProduct(f"http://127.0.0.1:{server.server_address[1]}", adapter)
    thread.start()
    try:
        yield product
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
