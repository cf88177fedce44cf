"""The product's object store over HTTP: faults that pass are got over with a fresh request, others are one line."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from harness.devstack import stores
from harness.devstack.stores import Files, S3Settings, StoreFault

DATA = b"two pages of a repair quote " * 100


class ObjectStore:
    """An object store that answers as it is told, one answer a request, then well; `seen` is (method, signature time, body)."""

    def __init__(self, *answers: tuple[int, str]) -> None:
        self.answers = list(answers)
        self.seen: list[tuple[str, str, bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                outer.seen.append((self.command, self.headers["x-amz-date"], body))
                status, code = outer.answers.pop(0) if outer.answers else (200, "")
                out = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>".encode()
                if not status:
                    self.close_connection = True
                    return
                if status == 200:
                    out = DATA if self.command == "GET" else b""
                self.send_response(status)
                self.send_header("ETag", '"x"')
                self.send_header("Content-Type", "application/xml")
                self.send_header("Content-Length", str(len(out)))
                self.end_headers()
                self.wfile.write(out)

            do_GET = do_PUT = _answer

            def log_message(self, *args: object) -> None:
                """Nothing is printed."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.files = Files(S3Settings(f"http://127.0.0.1:{self.server.server_port}", "key", "secret"))


@contextlib.contextmanager
def store(*answers: tuple[int, str]) -> Iterator[ObjectStore]:
    """Such a store, while it is needed."""
    one = ObjectStore(*answers)
    thread = threading.Thread(target=one.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield one
    finally:
        one.server.shutdown()
        one.server.server_close()
        thread.join()


@pytest.fixture
def signed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two tries the time of signing moves on by a second or more."""
    monkeypatch.setattr(stores, "PAUSE_S", 1.1)


@pytest.mark.usefixtures("signed_at")
def test_a_skewed_request_is_built_anew_and_not_sent_again() -> None:
    """The second request has a signature of its own time, and the whole body."""
    with store((403, "RequestTimeTooSkewed")) as there:
        there.files.put("a/quote.pdf", DATA, "application/pdf")
    (first, second) = there.seen
    assert first[0] == second[0] == "PUT"
    assert second[1] > first[1]
    assert DATA in first[2]
    assert DATA in second[2]


@pytest.mark.parametrize("fault", [(503, "SlowDown"), (500, "InternalError"), (0, "a closed connection")])
def test_a_fault_that_passes_is_got_over(fault: tuple[int, str]) -> None:
    """Reading, too."""
    with store(fault) as there:
        assert there.files.get("a/quote.pdf") == DATA
    assert len(there.seen) == 2


def test_a_clock_that_stays_wrong_is_named() -> None:
    """After a few tries: one line with the store's own word for it."""
    with store(*[(403, "RequestTimeTooSkewed")] * 9) as there, pytest.raises(StoreFault, match="RequestTimeTooSkewed"):
        there.files.put("a/quote.pdf", DATA, "application/pdf")
    assert len(there.seen) == stores.TRIES


def test_a_refusal_is_not_tried_again() -> None:
    """A wrong key is wrong the second time, too."""
    with store((403, "AccessDenied")) as there, pytest.raises(StoreFault, match="AccessDenied"):
        there.files.get("a/quote.pdf")
    assert len(there.seen) == 1
