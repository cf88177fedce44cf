"""The page on which people sign: who may see it, what it shows, what it writes."""

import html
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from harness.errors import EnvironmentFault
from harness.schema.strict_json import sha256_hex
from harness.vision import VisionReply
from oracle_scoring.corpus.load import load_package
from oracle_scoring.corpus.look import blind_look
from oracle_scoring.corpus.look_compare import provenance_sha256
from oracle_scoring.corpus.models import FileProvenance, Reading
from oracle_scoring.corpus.review_page import review_app
from oracle_scoring.corpus.sign import standing
from oracle_scoring.corpus.synthetic import PAPER, PHOTO, make_package, picture_bytes
from oracle_scoring.loopback import LOOPBACK, listen

TOKEN = "token-of-a-test"
PORT = 8899
HOME = f"http://{LOOPBACK}:{PORT}"
NAME = "Tessa Testsigner"
AT = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
EVIL = '<img src=x onerror="alert(1)"> "quoted" & \'more\''


def unread(name: str, data: bytes, made: FileProvenance) -> Reading:
    """Character recognition is left out where it is not the point."""
    return Reading(
        file=name, sha256=sha256_hex(data), engine="none", text=EVIL, contradictions=[], against=provenance_sha256(made)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The first of two packages; every text of it that the page shows is hostile."""
    changes: dict[str, Any] = {
        f"provenance.files.{PHOTO}.purpose": EVIL, f"provenance.files.{PHOTO}.shows": [[EVIL]],
        f"provenance.files.{PAPER}.printed_fields.date.printed": EVIL, "materials.materials.0.visible.label": EVIL,
        "message": EVIL, "review.assistant_checks.0.saw": EVIL, "review.assistant_checks.0.by": EVIL,
    }  # fmt: skip
    first = make_package(tmp_path / "claims" / "SYN-P-001", changes)
    make_package(tmp_path / "claims" / "SYN-P-002")
    answer = {"kind": "receipt", "description": EVIL, "things": [EVIL], "texts": [EVIL]}
    blind_look(first, lambda *_: VisionReply(json.dumps(answer), EVIL, False), read=unread)
    return first


@pytest.fixture
def client(folder: Path) -> TestClient:
    """A browser at the page's own address."""
    app = review_app(folder.parent.parent, TOKEN, PORT, lambda: AT)
    return TestClient(app, base_url=HOME, follow_redirects=False)


def of(file: str = PHOTO, package: str = "SYN-P-001") -> str:
    """Path of a file's page."""
    return f"/{TOKEN}/{package}/{file}"


def form(folder: Path, file: str = PHOTO, **changes: str) -> dict[str, str]:
    """What a browser would send."""
    data = (folder / "input/materials" / file).read_bytes()
    return {"sha256": sha256_hex(data), "name": NAME, "looked": "yes", **changes}


def post(client: TestClient, path: str, fields: dict[str, str], **headers: str) -> Any:
    """A form sent."""
    head = {"content-type": "application/x-www-form-urlencoded", **{k.replace("_", "-"): v for k, v in headers.items()}}
    return client.post(path, content=urlencode(fields), headers=head)


def names(folder: Path, file: str = PHOTO) -> list[str]:
    """Who signed the file as it is."""
    return [s.name for s in standing(load_package(folder))[file]]


def test_nothing_is_seen_without_the_token(client: TestClient) -> None:
    """No page, no picture, no style sheet."""
    for path in ("/", "/other/", f"/{TOKEN}x/", "/style.css", "/SYN-P-001/picture-one.jpg", f"//{TOKEN}x/"):
        answer = client.get(path)
        assert answer.status_code == 404 and "SYN-P" not in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", LOOPBACK, f"{LOOPBACK}:1", f"{LOOPBACK}.evil.example:{PORT}", ""]
)
def test_only_its_own_address_is_answered(host: str, client: TestClient) -> None:
    """A name of another site that leads to loopback gets nothing, token or not."""
    answer = client.get(f"/{TOKEN}/", headers={"host": host})
    assert answer.status_code == 421 and "SYN-P" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"https://{LOOPBACK}:{PORT}"},
        {"sec_fetch_site": "cross-site"},
    ],
)
def test_another_site_signs_nothing(headers: dict[str, str], client: TestClient, folder: Path) -> None:
    """Even if it knew the token."""
    assert post(client, f"{of()}/sign", form(folder), **headers).status_code == 403
    assert names(folder) == []


@pytest.mark.parametrize("path", [f"/{TOKEN}/", of(), of(PAPER)])
def test_every_text_stays_text(path: str, client: TestClient) -> None:
    """The corpus's words and a model's are shown as they are, and are never markup; there is no script at all."""
    answer = client.get(path)
    assert answer.status_code == 200
    assert "<img src=x" not in answer.text and "<script" not in answer.text
    assert html.escape("<img src=x") in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src" not in policy and "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", [f"/{TOKEN}/", of(), of(PAPER), f"/{TOKEN}/style.css"])
def test_nothing_is_asked_of_another_host(path: str, client: TestClient) -> None:
    """Every address in the page is its own."""
    text = client.get(path).text
    found = re.findall(r"(?:src|href|action)=\"([^\"]*)\"", text) + re.findall(r"url\(([^)]*)\)|@import", text)
    assert [a for a in found if a and not a.startswith((f"/{TOKEN}/", "data:,"))] == []


def test_a_file_stands_beside_what_was_seen_in_it(client: TestClient, folder: Path) -> None:
    """The picture's own bytes; what the package assumes; the look, who made it, and what it contradicts."""
    text = html.unescape(client.get(of()).text)
    data = (folder / "input/materials" / PHOTO).read_bytes()
    assert f"sha256 {sha256_hex(data)}" in text
    assert (
        "was taken for a receipt; it should be a photo" in text
        and "zq" not in text.split("Blind look")[1].split("Signatures")[0]
    )
    shown = client.get(f"{of()}/{sha256_hex(data)}/1")
    assert (shown.content, shown.headers["content-type"]) == (data, "image/jpeg")
    page = client.get(f"{of(PAPER)}/{sha256_hex((folder / 'input/materials' / PAPER).read_bytes())}/1")
    assert page.content.startswith(b"\x89PNG") and page.headers["content-type"] == "image/png"


def test_a_picture_that_changed_is_not_shown_for_the_old_one(client: TestClient, folder: Path) -> None:
    """What is seen is what is signed."""
    fields = form(folder)
    old = fields["sha256"]
    (folder / "input/materials" / PHOTO).write_bytes(picture_bytes((50, 50)))
    assert client.get(f"{of()}/{old}/1").status_code == 404
    answer = post(client, f"{of()}/sign", fields)
    assert answer.status_code == 400 and "look at it again" in answer.text and names(folder) == []


def test_signing_goes_on_to_the_next_unsigned_picture(client: TestClient, folder: Path) -> None:
    """And at the end to the list; the name is kept for the walk."""
    first = post(client, f"{of()}/sign", form(folder), origin=HOME, sec_fetch_site="same-origin")
    assert first.status_code == 303 and first.headers["location"] == f"{of(package='SYN-P-002')}?as=Tessa+Testsigner"
    assert names(folder) == [NAME]
    assert f'value="{NAME}"' in client.get(first.headers["location"]).text
    other = folder.parent / "SYN-P-002"
    last = post(client, f"{of(package='SYN-P-002')}/sign", form(other))
    assert last.headers["location"] == f"/{TOKEN}/?as=Tessa+Testsigner"
    assert "2 of 2 pictures signed" in client.get(f"/{TOKEN}/").text
    review = json.loads((folder / "review.json").read_bytes())
    (entry,) = review["human_signatures"]
    assert entry == {"file": PHOTO, "sha256": form(folder)["sha256"], "name": NAME, "signed_at": "2026-05-04T12:00:00Z"}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"looked": ""}, "ticks that they looked"),
        ({"name": ""}, "sign with the name"),
        ({"name": 'Tessa <img src=x> "O\'Neil"'}, None),
    ],
)
def test_what_is_no_signature_is_refused_on_the_page(
    changes: dict[str, str], why: str | None, client: TestClient, folder: Path
) -> None:
    """With the reason, and the name still in the field; a strange name is a name, and stays text."""
    answer = post(client, f"{of()}/sign", form(folder, **changes))
    if why is None:
        assert answer.status_code == 303 and "<img src=x" not in client.get(of()).text
    else:
        assert answer.status_code == 400 and why in answer.text and names(folder) == []


def test_a_signature_can_be_taken_back(client: TestClient, folder: Path) -> None:
    """By the button beside it."""
    post(client, f"{of()}/sign", form(folder))
    answer = post(client, f"{of()}/sign", {"act": "withdraw", "name": NAME})
    assert answer.status_code == 303 and names(folder) == []


def test_a_fallen_signature_is_shown_as_fallen(client: TestClient, folder: Path) -> None:
    """On the page and in the list."""
    post(client, f"{of()}/sign", form(folder))
    (folder / "input/materials" / PHOTO).write_bytes(picture_bytes((50, 50)))
    assert "fell: the file has changed since" in client.get(of()).text
    assert "signature fell, the file changed" in client.get(f"/{TOKEN}/").text


def test_a_package_that_cannot_be_read_does_not_stop_the_others(client: TestClient, folder: Path) -> None:
    """It says why in the list."""
    (folder / "setup.json").write_text("{", encoding="utf-8")
    text = client.get(f"/{TOKEN}/").text
    assert "cannot be read" in text and "SYN-P-002" in text
    assert client.get(of()).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "SYN-P-009/picture-one.jpg",
        "SYN-P-001/none.jpg",
        "SYN-P-001/..%2F..%2Fsetup.json",
        "SYN-P-001/%2e%2e",
        "x/y/z/1",
    ],
)
def test_what_is_not_there_is_not_found(path: str, client: TestClient) -> None:
    """Nor is anything beside the materials."""
    answer = client.get(f"/{TOKEN}/{path}")
    assert answer.status_code == 404 and "canary" not in answer.text


def test_large_and_torn_posts_are_refused(client: TestClient, folder: Path) -> None:
    """Nothing is written, and the page goes on."""
    assert post(client, f"{of()}/sign", form(folder, name="x" * 30_000)).status_code == 413
    assert client.post(f"{of()}/sign", content=b"\xff\xfe=%zz&&&", headers={"content-type": "x"}).status_code == 400
    assert client.post(f"{of(package='SYN-P-009')}/sign", content=b"a=b").status_code == 400
    assert client.get(of()).status_code == 200 and names(folder) == []


def test_it_listens_on_loopback_only() -> None:
    """On a free port, or on the asked one if it can be had."""
    with listen() as held:
        address, port = held.getsockname()
        assert address == LOOPBACK
        with pytest.raises(EnvironmentFault, match=f"port {port}"):
            listen(port)
