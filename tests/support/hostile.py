"""Text that tries to do something in a page, a record in which every text is such, and a watch over what a page does.

The payloads stand in `tests/browser/payloads.json`; LISTENER in them stands for an address that must hear nothing.
"""

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "report"))

from record_builder import HASH, START, RunBuilder, Talk, default_measures, line

from harness.schema import events as ev
from harness.schema.move import Move
from harness.schema.product import StaffRead, StaffRow
from harness.schema.run import CallUsage, NetworkLine, PromptLine
from harness.schema.scorecard import Evidence
from harness.schema.screen import Block, Control, Screen, Unreadable
from harness.schema.strict_json import sha256_hex

_FILE = json.loads((Path(__file__).parents[1] / "browser" / "payloads.json").read_text("utf-8"))
HIT: str = _FILE["listener"]
VOID = 4
"""So many payloads have a second attempt, one that does not count."""
PAYLOADS: list[str] = [one["text"] * one["times"] for one in _FILE["payloads"]]


@dataclass
class Listener:
    """A server on loopback that notes every request."""

    url: str
    heard: list[str] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Listener]:
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


def hostile_journey(results: Path, payloads: Sequence[str]) -> Path:
    """A run with one attempt that has a turn for each payload; the package's name is hostile, too."""
    builder = RunBuilder(results, "journey", packages={package_name(0): HASH})
    hostile_attempt(builder, package_name(0), payloads)
    return builder.dir


def hostile_run(results: Path, payloads: Sequence[str]) -> Path:
    """A run with an attempt for each payload, in which every text that comes from elsewhere is the payload."""
    everything = " ".join(p[:300] for p in payloads[:8])
    builder = RunBuilder(
        results, "hostile", customer_model=everything, defects=[p[:100] for p in payloads], base_url=everything
    )
    changed = {"run": everything, "platform": everything, "corpus_version": everything}
    builder.manifest = builder.manifest.model_copy(update=changed)
    (builder.dir / "run.json").write_bytes(builder.manifest.model_dump_json(by_alias=True).encode())
    for at, payload in enumerate(payloads):
        hostile_attempt(builder, package_name(at), [payload])
        if at < VOID:
            _void_attempt(builder, package_name(at), payload)
    return builder.dir


def package_name(at: int) -> str:
    """A folder's name may be hostile too, as far as a file system lets it."""
    return f'X-{at:02d}-"><img src=x onerror=alert({at})>\u202e'


def hostile_attempt(builder: RunBuilder, package: str, payloads: Sequence[str]) -> None:
    """One attempt with a turn for each payload, scored."""
    talk = Talk(builder.folder(package))
    talk.add(ev.JourneyStarted, url=payloads[0], customer="model", browser=payloads[0], sandbox=False, rng_seed=1)
    lines = []
    for turn, payload in enumerate(payloads, 1):
        seen = _hostile_turn(talk, payload, turn)
        evidence = [
            Evidence(file=payload, path=payload, quote=payload),
            Evidence(event=seen, quote=payload),
            Evidence(event=seen, quote=payload[:5]),
            Evidence(file="state.json", path=payload, quote=payload),
        ]
        given = {"expected": payload, "got": payload, "evidence": evidence, "group": "facts"}
        states = ("fail", "not_checked", "pass", "not_applicable")
        lines += [line(payload, state, payload, payload, **given) for state in states]
    first, name = payloads[0], _picture_name(payloads[0])
    talk.add(ev.JourneyEnded, reason="completed", why=first, final=first)
    staff = StaffRead(
        schema="staff-read-v1",
        found=True,
        why_not=first,
        fields={p: p for p in payloads},
        lists={p: [StaffRow(cells={p: p})] for p in payloads},
        pages=list(payloads),
        pictures=[name],
    )
    state = {p: [p, {p: p}] for p in payloads}
    builder.attempt(talk, why=first, package=package, staff=staff, state=state, parent_attempt=first)
    measures = [m.model_copy(update={"title": first, "unit": first, "note": first}) for m in default_measures()]
    builder.score(lines, package=package, measures=measures, reason=first)


def _picture_name(payload: str) -> str:
    return payload[:250].replace("\n", " ") or "x"


def _hostile_turn(talk: Talk, payload: str, turn: int) -> int:
    """Everything that can stand in a turn, all of it the payload; number of the first screen."""
    short = payload[:1900]
    parts = ("reply", "tag", "panel", "todo", "card", "dialog", "notice", "final", "page")
    blocks = [Block(part=part, text=payload) for part in parts]
    shown = {"value": payload, "placeholder": payload, "options": [payload]}
    controls = [Control(kind="choice", name=payload, part="card", enabled=False, **shown)]
    unreadable = [Unreadable(where=payload, why="canvas")]
    screen = Screen(
        seq=2 * turn - 1, blocks=blocks, controls=controls, unreadable=unreadable, final=payload, truncated=True
    )
    pictures = [_picture_name(payload), "../../../../etc/passwd", "screens/gone.png"]
    seen = talk.add(ev.ScreenSeen, screen=screen, pictures=pictures, read_ms=1.0)
    talk.turn = turn
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
    _beside(talk, payload)
    talk.add(ev.ScreenSeen, screen=screen.model_copy(update={"seq": 2 * turn}), pictures=[], read_ms=1.0)
    return seen


def _void_attempt(builder: RunBuilder, package: str, payload: str) -> None:
    """A second attempt, which does not count."""
    void = Talk(builder.folder(package, attempt=2))
    builder.attempt(void, reason="rig_error", why=payload, package=package, attempt=2)


def _beside(talk: Talk, payload: str) -> None:
    """A model call and network entries of which every text is the payload, bodies among them."""
    bodies = talk.folder / "bodies"
    bodies.mkdir(exist_ok=True)
    hashes = []
    for text in (payload, json.dumps({payload: [payload]})):
        data = text.encode()
        (bodies / sha256_hex(data)).write_bytes(data)
        hashes.append(sha256_hex(data))
    messages = [{"role": payload, "content": payload}, {"role": "user", "content": [payload]}]
    talk.prompts += [
        PromptLine(kind="model_call_started", call=payload, at=START, request={"model": payload, "messages": messages},
                   request_sha256=HASH, retry_note=payload),
        PromptLine(kind="model_call_ended", call=payload, at=START, outcome="ok", reply=payload, error=payload, latency_ms=1.0,
                   usage=CallUsage(tokens_in=1, tokens_out=1, cost=payload)),
    ]  # fmt: skip
    talk.network.append(
        NetworkLine(at=START, t_ms=talk.t_ms, turn=talk.turn, method=payload, url=payload, resource=payload, status=500,
                    request_headers={payload: payload}, response_headers={"set-cookie": payload}, request_body=hashes[0],
                    response_body=hashes[1], body_note=payload, duration_ms=1.0)
    )  # fmt: skip


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
