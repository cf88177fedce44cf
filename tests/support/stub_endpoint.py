"""An OpenAI-compatible endpoint on loopback that answers over real HTTP: obediently, or with a fault of a chosen kind."""

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from harness.config import Endpoint
from harness.schema.wording import asked_facts

KEY = "key-of-a-test-endpoint"
USAGE = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}


@dataclass
class Say:
    """What goes back for one request.

    Attributes:
        text: content of the message; any JSON value, as an endpoint may send anything.
        status: HTTP status.
        finish: finish reason.
        usage: token counts; None leaves them out.
        raw: the whole body, instead of a chat completion.
        delay_s: before anything is sent.
        cut: close the connection in the middle of the body.
        silent: close the connection without a word.
        forever: send nothing until the stub closes.
        drip: send the head, then one blank every tenth of a second until the stub closes.
    """

    text: Any = ""
    status: int = 200
    finish: str = "stop"
    usage: dict[str, Any] | None = field(default_factory=lambda: dict(USAGE))
    raw: bytes | None = None
    delay_s: float = 0.0
    cut: bool = False
    silent: bool = False
    forever: bool = False
    drip: bool = False


Behaviour = Callable[[int, dict[str, Any]], Say]
"""(number of the request from 1, its body) -> what to say."""


def obedient(body: dict[str, Any]) -> dict[str, Any]:
    """The move of a model that does what it is told: the facts whose words the screen asks for, else a button, a file or "don't know"."""
    prompt = str(body["messages"][-1]["content"])
    controls = [c for c in body["response_format"]["json_schema"]["schema"]["properties"]["control"]["enum"] if c]
    move: dict[str, Any] = {
        "asked": [], "asked_unknown": False, "used": [], "move": "say", "messages": [], "control": "", "value": "", "file": "",
    }  # fmt: skip
    if "Yes, that is right" in controls:
        return {**move, "move": "press", "control": "Yes, that is right"}
    upload = next((c for c in controls if c.startswith("Upload")), None)
    if upload and (line := _file_line(upload, prompt)):
        if "you have it" in line:
            return {**move, "move": "upload", "control": upload, "file": line[2:].split(":")[0]}
        return {**move, "messages": [line.split("say: ", 1)[1]]}
    words = {
        "time": "incident_time", "hurt": "injuries", "police": "police_reference", "registration number": "plate", "where is it": "vehicle_location",
        "address": "vehicle_location", "driven": "drivable", "cost": "estimated_loss", "other vehicle": "other_vehicle",
    }  # fmt: skip
    facts = dict(re.findall(r"^([a-z_]+) \| [^|]* \| (.*)$", prompt, re.MULTILINE))
    screen = prompt.split("ON YOUR SCREEN NOW")[1]
    used = list(
        dict.fromkeys([*asked_facts(screen), *(fact for word, fact in words.items() if word in screen.lower())])
    )
    said = [*dict.fromkeys(facts[u] for u in used if u in facts)]
    if not said or any(u not in facts for u in asked_facts(screen)):
        said.append("Sorry, I don't know that.")
    return {**move, "used": used, "messages": [" ".join(said)]}


_PAPERS = {
    "photo": "photo|photograph|picture|pic",
    "quote": "quote",
    "receipt": "receipt|invoice",
    "letter": "letter",
    "recovery": "invoice",
}
"""Word of an upload control -> how people call such a file of theirs."""


def _file_line(control: str, prompt: str) -> str | None:
    """The line of the own file an upload control asks for, if there is one that was not handed over yet."""
    called = next((names for word, names in _PAPERS.items() if word in control), None)
    lines = [x for x in prompt.splitlines() if x.startswith("- ") and ("you have it" in x or "you get it later" in x)]
    named = [x for x in lines if called and re.search(rf"\b(?:{called})\b", x.split(":")[0])]
    papers = [x for x in named if re.search(r"\b(?:receipt|invoice|letter|quote)\b", x.split(":")[0])]
    return next((x for x in named if called != _PAPERS["photo"] or x not in papers), None)


def good(_number: int, body: dict[str, Any]) -> Say:
    """The obedient move, as strict JSON."""
    return Say(json.dumps(obedient(body)))


def slow(delay_s: float) -> Behaviour:
    """The obedient move after a while."""
    return lambda _number, body: Say(json.dumps(obedient(body)), delay_s=delay_s)


class _Handler(BaseHTTPRequestHandler):
    stub: "StubEndpoint"

    def do_POST(self) -> None:
        """One completion; the key is looked at as a real endpoint would."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = self.stub.took(body)
        if self.headers["Authorization"] != f"Bearer {KEY}":
            self._send(401, b'{"error": {"message": "bad key"}}')
            return
        said = self.stub.behaviour(number, body)
        closing = self.stub.closing
        if said.forever or said.silent or (said.delay_s and closing.wait(said.delay_s)):
            if said.forever:
                closing.wait()
            self._hang_up()
            return
        if said.drip:
            self._drip(closing)
            return
        self._send(said.status, completion(said) if said.raw is None else said.raw, said.cut)

    def _drip(self, closing: threading.Event) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        with contextlib.suppress(OSError):
            while not closing.wait(0.1):
                self.wfile.write(b" ")
                self.wfile.flush()

    def _send(self, status: int, data: bytes, cut: bool = False) -> None:
        with contextlib.suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if cut else data)
        if cut:
            self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: object) -> None:
        """Quiet."""


def completion(said: Say) -> bytes:
    """A chat completion's body."""
    answer: dict[str, Any] = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "stub",
        "choices": [{"index": 0, "finish_reason": said.finish, "message": {"role": "assistant", "content": said.text}}],
    }  # fmt: skip
    if said.status != 200:
        answer = {"error": {"message": str(said.text) or "no words", "type": "stub", "code": said.status}}
    elif said.usage is not None:
        answer["usage"] = said.usage
    return json.dumps(answer).encode()


class StubEndpoint:
    """The endpoint, listening on a free port of loopback. Use as a context manager.

    Attributes:
        behaviour: what it says; may be exchanged while it runs.
        bodies: every request's body, in the order of arrival.
        times: when each arrived, seconds of the monotonic clock.
    """

    def __init__(self, behaviour: Behaviour = good) -> None:
        self.behaviour = behaviour
        self.bodies: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        handler = type("Bound", (_Handler,), {"stub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def took(self, body: dict[str, Any]) -> int:
        """Note a request; its number."""
        with self._lock:
            self.bodies.append(body)
            self.times.append(time.monotonic())
            return len(self.bodies)

    def endpoint(self, api_key: str = KEY) -> Endpoint:
        """How the rig reaches it."""
        return Endpoint(self.base_url, "stub", api_key)

    def __enter__(self) -> "StubEndpoint":
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@contextlib.contextmanager
def stub(behaviour: Behaviour = good) -> Iterator[StubEndpoint]:
    """A stub endpoint for the time of the context."""
    with StubEndpoint(behaviour) as endpoint:
        yield endpoint
