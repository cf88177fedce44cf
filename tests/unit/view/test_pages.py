"""The viewer's pages, asked without a browser: what they hold, and that nothing outside the results can be had."""

import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from record_builder import RunBuilder, motor_talk
from starlette.testclient import TestClient

from harness.view.app import view_app
from harness.view.bodies import laid_out, read_body
from harness.view.index import Index
from harness.view.journey import read_picture
from tests.unit.view.conftest import HOME, PORT, TOKEN

ATTEMPT = "/run/r1/CTL-M-001/t01/a01"


def test_a_journey_leads_from_each_failure_to_its_evidence(client: TestClient) -> None:
    """Failed lines come first, each with a link to a place of the page; every link of the page has its target."""
    html = client.get(ATTEMPT).text
    first = re.findall(r'data-failure="([^"]+)"', html)
    assert len(first) == html.count('<li class="line s-fail"') > 1
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    assert {target for target in re.findall(r'href="#([^"]+)"', html)} <= ids
    assert html.index("s-fail") < html.index("s-not_checked") < html.index("s-pass")


def test_a_journey_shows_what_lay_beside_each_turn(client: TestClient) -> None:
    """Model calls with their tokens, requests with their status, time of product and customer; no prompt before it is opened."""
    html = client.get(ATTEMPT).text
    assert "Prompt and reply" in html and "tokens in" in html and "/chat" in html and "product " in html
    assert 'loading="lazy"' in html and "data:image" not in html
    number = re.search(rf'hx-get="{ATTEMPT}/call/(\d+)"', html)
    assert number is not None
    call = client.get(f"{ATTEMPT}/call/{number[1]}")
    assert call.status_code == 200 and "No prompt was recorded" in call.text
    assert client.get(f"{ATTEMPT}/call/999").status_code == 404


def test_a_picture_is_served_by_what_it_is(client: TestClient, recorded: RunBuilder) -> None:
    """PNG bytes as a PNG; a page under a picture's name is refused."""
    answer = client.get(f"{ATTEMPT}/picture/screens/0001.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert client.get(f"{ATTEMPT}/picture/events.jsonl").status_code == 404


OUTSIDE = [
    "../../../../../../etc/passwd", "/etc/passwd", "..%2f..%2f..%2fsecret.png", "%2e%2e/%2e%2e/%2e%2e/secret.png", "....//secret.png", "..\\..\\secret.png",
    "screens/../../../../../secret.png", "%00", "screens/0001.png%00.txt", "linked.png", "linkdir/secret.png", "file:///etc/passwd", "screens", "",
]  # fmt: skip


@pytest.fixture
def surrounded(recorded: RunBuilder, tmp_path: Path) -> tuple[TestClient, Path]:
    """A viewer over results that hold links to what lies outside, and the attempt's folder."""
    (tmp_path / "outside").mkdir()
    run = tmp_path / "results" / "r1"
    shutil.copytree(recorded.dir, run)
    attempt = run / "CTL-M-001/t01/a01"
    secret = tmp_path / "secret.png"
    secret.write_bytes((attempt / "screens/0001.png").read_bytes() + b"SECRET")
    (tmp_path / "outside" / "secret.png").write_bytes(secret.read_bytes())
    (attempt / "linked.png").symlink_to(secret)
    (attempt / "linkdir").symlink_to(tmp_path / "outside")
    (attempt / "bodies").symlink_to(tmp_path / "outside")
    (tmp_path / "outside" / ("ab" * 32)).write_bytes(b"SECRET")
    (run.parent / "linkedrun").symlink_to(tmp_path / "outside")
    index = Index(run.parent, tmp_path / "i.sqlite", again_s=1e9)
    index.update()
    client = TestClient(view_app(index, None, TOKEN, PORT), base_url=HOME, follow_redirects=False)
    client.get(f"/{TOKEN}/")
    return client, attempt


def test_nothing_outside_the_results_can_be_read(surrounded: tuple[TestClient, Path]) -> None:
    """Not by climbing, encoded or not, not by an absolute path, not through a link to a file, a folder or a run."""
    client, attempt = surrounded
    for path in OUTSIDE:
        for address in (f"{ATTEMPT}/picture/{path}", f"{ATTEMPT}/body/{quote(path, safe='')}"):
            answer = client.get(address)
            assert b"SECRET" not in answer.content and b"root:" not in answer.content, address
            assert answer.status_code == 404 or answer.request.url.path != address, address
        assert read_picture(attempt, path) is None
    assert client.get(f"{ATTEMPT}/body/{'ab' * 32}").status_code == 404
    assert client.get("/run/linkedrun").status_code == 404
    assert "linkedrun: is a link" in client.get("/problems").text


def test_the_check_of_links_is_what_keeps_them_out(
    surrounded: tuple[TestClient, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it the linked file would be read: the test above can fail."""
    client, _ = surrounded
    monkeypatch.setattr("harness.view.journey.inside", lambda folder, name: folder / name)
    assert b"SECRET" in client.get(f"{ATTEMPT}/picture/linked.png").content


def test_a_run_that_becomes_a_link_is_no_longer_shown(surrounded: tuple[TestClient, Path], tmp_path: Path) -> None:
    """What the index remembers is looked at again before it is read."""
    client, attempt = surrounded
    run = attempt.parents[2]
    run.rename(tmp_path / "moved")
    run.symlink_to(tmp_path / "moved")
    assert client.get("/run/r1").status_code == 404
    assert client.get(ATTEMPT).status_code == 404


def test_a_body_is_plain_text_as_recorded_and_laid_out_for_people(
    recorded: RunBuilder, client: TestClient, tmp_path: Path
) -> None:
    """JSON is indented with its letters as they are, bytes become numbers, and no type is taken from the record."""
    shown = laid_out('{"名":["x",1]}'.encode())
    assert (shown.kind, "".join(p.text for p in shown.shown.head)) == ("JSON", '{\n  "名": [\n    "x",\n    1\n  ]\n}')
    assert laid_out(b"<script>").kind == "text" and laid_out(b"{broken").kind == "text"
    assert laid_out(b"\xff\xd8\x00").kind == "bytes"
    (tmp_path / "bodies").mkdir()
    (tmp_path / "bodies" / ("cd" * 32)).write_bytes(b"<script>alert(1)</script>")
    assert read_body(tmp_path, "cd" * 32) == b"<script>alert(1)</script>"
    assert read_body(tmp_path, "CD" * 32) is None and read_body(tmp_path, "../x") is None


def test_unscored_and_unfinished_attempts_are_shown_as_such(tmp_path: Path) -> None:
    """An attempt without scorecard says so; one without attempt.json is unfinished, and neither is called a pass."""
    builder = RunBuilder(tmp_path / "results", "r2")
    builder.attempt(motor_talk(builder.folder(), pictures=False))
    talk = motor_talk(builder.folder(attempt=2), pictures=False)
    builder.attempt(talk, attempt=2)
    (talk.folder / "attempt.json").unlink()
    index = Index(tmp_path / "results", tmp_path / "i.sqlite", again_s=1e9)
    index.update()
    client = TestClient(view_app(index, None, TOKEN, PORT), base_url=HOME, follow_redirects=False)
    client.get(f"/{TOKEN}/")
    page = client.get("/").text
    assert "not scored" in page and "unfinished" in page and "s-pass" not in page
    assert "has not been scored" in client.get("/run/r2/CTL-M-001/t01/a01").text
    assert client.get("/run/r2/CTL-M-001/t01/a02").status_code == 200


def test_the_matrix_leads_to_the_line(client: TestClient) -> None:
    """A cell of a failed line leads to that line of that attempt; lines that nowhere fail are counted, not silently gone."""
    html = client.get("/run/r1").text
    target = re.search(rf'class="m-fail" href="{ATTEMPT}#(j-l\d+)"', html)
    assert target is not None and f'id="{target[1]}"' in client.get(ATTEMPT).text
    assert re.search(r"\d+ lines that nowhere fail", html)
    assert client.get("/run/r1?all=1").text.count("m-pass") > html.count("m-pass")


@pytest.mark.parametrize(
    "query", ["page=0", "page=x", "page=99999999", "order=x", "since=yesterday", "until=2026-13-01"]
)
def test_a_wrong_filter_is_said(client: TestClient, query: str) -> None:
    """In one line on the page; the list stands below it."""
    answer = client.get(f"/?{query}")
    assert answer.status_code == 200 and 'class="unscored"' in answer.text


def test_unknown_addresses_are_not_found(client: TestClient) -> None:
    """A run, package, trial or attempt that is not there; numbers of any length."""
    for path in (
        "/run/none",
        "/run/r1/none/t01/a01",
        "/run/r1/CTL-M-001/t01/a09",
        f"/run/r1/CTL-M-001/t{'9' * 30}/a01",
        "/static/app.py",
        "/static/..%2fapp.py",
    ):
        assert client.get(path).status_code == 404, path
