"""A chat endpoint on loopback that keeps every byte it was sent."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAIT = '{"move":"wait"}'


@dataclass
class StubEndpoint:
    """What came in, and what is answered: the next text of the list, then a wait."""

    answers: list[str] = field(default_factory=list)
    requests: list[bytes] = field(default_factory=list)
    """Request line, headers and body of each request, as one text of bytes."""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    base_url: str = ""


@contextmanager
def stub_endpoint(answers: list[str] | None = None) -> Iterator[StubEndpoint]:
    """A running endpoint; it ends with the block."""
    stub = StubEndpoint(list(answers or []))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            stub.requests.append(f"{self.requestline}\n{self.headers}".encode() + body)
            stub.bodies.append(json.loads(body))
            text = stub.answers.pop(0) if stub.answers else WAIT
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
            answer = {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": "stub",
                "choices": [choice],
                "usage": usage,
            }
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    stub.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
