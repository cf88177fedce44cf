"""Who may see the viewer's pages: the token, the address, the methods, the headers."""

import pytest
from starlette.testclient import TestClient

from harness.view.app import view_app
from harness.view.guard import HEADERS, POLICY
from harness.view.index import Index
from tests.unit.view.conftest import HOME, PORT, TOKEN


@pytest.fixture
def stranger(indexed: Index) -> TestClient:
    """A browser of somebody who has no token."""
    return TestClient(view_app(indexed, None, TOKEN, PORT), base_url=HOME, follow_redirects=False)


PATHS = ("/", "/run/r1/CTL-M-001/t01/a01", "/static/view.js", "/nothing", f"/x/{TOKEN}/")


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_nothing_is_told(stranger: TestClient, path: str) -> None:
    """Whatever is asked for, known or not: the same refusal, with nothing of a record in it."""
    answer = stranger.get(path)
    assert (answer.status_code, answer.text) == (403, stranger.get("/").text)
    assert "r1" not in answer.text and "set-cookie" not in answer.headers


def test_the_token_is_changed_for_a_cookie_that_no_script_reads(stranger: TestClient) -> None:
    """The address with the token leads on to one without it; the cookie holds another secret."""
    answer = stranger.get(f"/{TOKEN}/run/r1?x=1")
    cookie = answer.headers["set-cookie"]
    assert (answer.status_code, answer.headers["location"]) == (303, "/run/r1")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert TOKEN not in cookie
    assert stranger.get("/run/r1").status_code == 200


@pytest.mark.parametrize("rest", ["/evil.example", "\\evil.example", "%5cevil.example", "%0d%0ax:y", "%2fevil.example"])
def test_the_token_leads_nowhere_else(stranger: TestClient, rest: str) -> None:
    """What follows the token can name no other server."""
    target = stranger.get(f"/{TOKEN}/{rest}").headers["location"]
    assert target.startswith("/") and not target.startswith(("//", "/\\")) and "\n" not in target and "\r" not in target


@pytest.mark.parametrize("wrong", [TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "", "%00", "é"])
def test_a_near_miss_opens_nothing(stranger: TestClient, wrong: str) -> None:
    """Neither as an address nor as a cookie."""
    assert stranger.get(f"/{wrong}/").status_code in (403,)
    assert stranger.get("/", headers={"cookie": f"rig_view_{PORT}={TOKEN}"}).status_code == 403, (
        "the token is no session"
    )
    assert stranger.get("/", headers={"cookie": "rig_view_1=x; =;;\\"}).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""])
def test_another_name_of_this_machine_is_refused(client: TestClient, host: str) -> None:
    """A page elsewhere whose name was turned to this address gets nothing, cookie or not."""
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 421 and "CTL-M-001" not in answer.text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_reading_is_answered(client: TestClient, method: str) -> None:
    """Every other method is refused, also with the cookie; HEAD is a read."""
    assert client.request(method, "/").status_code == 405
    assert client.head("/").status_code == 200


@pytest.mark.parametrize("path", ["/status", "/nothing", "/static/view.css"])
def test_every_answer_carries_the_headers(client: TestClient, path: str) -> None:
    """Nothing inline, nothing from elsewhere, no frame, no guess of a type, no referrer, no store."""
    answer = client.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name.decode()] == value.decode()
    assert "unsafe" not in POLICY and "default-src 'none'" in POLICY and "frame-ancestors 'none'" in POLICY
