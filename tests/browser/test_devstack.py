"""The reference product served with embedded stores, used in a real Chromium as a person would."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright
from reportlab.pdfgen.canvas import Canvas

from harness.browser import find_browser, launch_args
from harness.schema.product import SeedReceipt, StateRead

pytestmark = [pytest.mark.browser, pytest.mark.stack]

TOKEN = "seed-token-of-this-test"
PATIENCE_MS = 60_000


@dataclass
class Site:
    """The served product."""

    url: str
    process: "subprocess.Popen[bytes]"
    stores: list["subprocess.Popen[bytes]"]

    def call(self, path: str, body: dict[str, Any] | None = None) -> bytes:
        """One request with the seed token."""
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        request = urllib.request.Request(path if path.startswith("http") else self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return bytes(answer.read())

    def seed(self, name: str, *defects: str) -> SeedReceipt:
        """A fresh customer with a motor policy that began 17 days before the incident."""
        body = {
            "schema": "seed-request-v1",
            "request_id": name,
            "claimant_session": "anonymous_then_sign_in",
            "now": "2026-03-11T09:30:00Z",
            "policy": {
                "number": "P1",
                "product": "motor",
                "holder": "Nora Tidewell",
                "inception": "2026-02-20",
                "insured_item": "AB12 CDE",
            },
            "prior_claims": [],
            "failed_lookups": [],
            "defects": list(defects),
        }
        return SeedReceipt.model_validate_json(self.call("/rig/seed", body))

    def state(self, receipt: SeedReceipt) -> StateRead:
        """What is stored for a customer."""
        return StateRead.model_validate_json(self.call(f"/rig/state/{receipt.case_ref}"))


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_for_port(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Until something listens; fails if the process ends or a minute passes."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, f"ended with {process.returncode}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"nothing listens on {port}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Stores and product on free ports; all are ended afterwards."""
    folder = tmp_path_factory.mktemp("devstack")
    scripts = Path(sys.executable).parent
    mongo, s3 = free_port(), free_port()
    log = (folder / "log.txt").open("wb")
    nx = [scripts / "nx-27017", "--data-dir", folder / "db", "--host", "127.0.0.1", "--port", str(mongo)]
    nx += ["--log-file", folder / "nx.log", "--pid-file", folder / "nx.pid"]
    moto = [scripts / "moto_server", "-H", "127.0.0.1", "-p", str(s3)]
    started = [subprocess.Popen(c, cwd=folder, stdout=log, stderr=log) for c in (nx, moto)]
    try:
        for port, process in zip((mongo, s3), started, strict=True):
            wait_for_port(port, process)
        command = [sys.executable, "-m", "harness.devstack", "serve", "--port", "0", "--runtime", "controlled"]
        command += ["--mongodb-uri", f"mongodb://127.0.0.1:{mongo}", "--s3-endpoint", f"http://127.0.0.1:{s3}"]
        command += ["--s3-access-key", "key", "--s3-secret-key", "secret"]
        env = {**os.environ, "RIG_SEED_TOKEN": TOKEN, "RIG_STAFF_USER": "staff", "RIG_STAFF_PASSWORD": "letmein"}
        product = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=env)
        started.append(product)
        assert product.stdout
        line = product.stdout.readline().decode().strip()
        assert line.startswith("reference claims (controlled) at http://127.0.0.1:"), line
        yield Site(line.rsplit(" ", 1)[1], product, started[:2])
    finally:
        for process in reversed(started):
            if process.poll() is None:
                process.terminate()
        for process in started:
            process.wait(timeout=30)
            if process.stdout:
                process.stdout.close()
        log.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for the module."""
    found = find_browser()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=found.path, args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
        )
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh customer's window; a script error on the page fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A photo and a two-page quote dated after the incident."""
    folder = tmp_path_factory.mktemp("files")
    Image.new("RGB", (320, 240), (90, 100, 120)).save(folder / "photo-rear-bumper.jpg")
    canvas = Canvas(str(folder / "repair-quote.pdf"))
    for number, lines in ((1, ["REPAIR QUOTE", "Date: 12 March 2026"]), (2, ["Total: £1,240.00"])):
        for n, line in enumerate([*lines, f"Page {number} of 2"]):
            canvas.drawString(72, 760 - 20 * n, line)
        canvas.showPage()
    canvas.save()
    return {"photo": folder / "photo-rear-bumper.jpg", "quote": folder / "repair-quote.pdf"}


def settle(page: Page) -> None:
    """The reply is over: no busy mark, and the composer can be used."""
    page.locator(".typing").wait_for(state="detached")
    expect(page.get_by_role("textbox", name="Your message")).to_be_enabled(timeout=PATIENCE_MS)


def say(page: Page, text: str) -> str:
    """Send one message; gives the newest reply."""
    page.get_by_role("textbox", name="Your message").fill(text)
    page.get_by_role("button", name="Send").click()
    settle(page)
    return page.locator("[data-from=assistant] .text").last.inner_text()


def upload(page: Page, label: str, file: Path) -> None:
    """Hand over a file through its card."""
    page.get_by_label(label).set_input_files(file)
    settle(page)


def whole_claim(page: Page, files: dict[str, Path]) -> None:
    """From the first message to the sign-in."""
    say(page, "Hello, someone hit my parked car in the supermarket car park.\nThe rear bumper is damaged.")
    say(page, "It was on 9 March 2026 at about 4:20 pm.")
    say(page, "In the Greenfold car park, Mill Road, Wexley.")
    upload(page, "Upload photo of the damage", files["photo"])
    say(page, "I will have the quote on Thursday.")
    say(page, "No, nobody was hurt. I did not call the police. Will this affect my no claims bonus?")
    say(page, "It is AB12 CDE. The car is outside my home, 14 Larch Close.")
    say(page, "Yes, it can be driven. About £1,240.")
    say(page, "A silver Ford Focus. I don't know who was driving.")
    upload(page, "Upload repair quote", files["quote"])
    page.get_by_role("button", name="Yes, that is right").click()
    settle(page)


def sign_in(page: Page, receipt: SeedReceipt) -> None:
    """Sign in as the seeded customer."""
    assert receipt.login
    form = page.get_by_role("form", name="Sign in")
    form.get_by_label("Email").fill(receipt.login.email)
    form.get_by_label("Password").fill(receipt.login.password)
    form.get_by_role("button", name="Sign in").click()
    settle(page)


def test_a_claim_from_the_first_sentence_to_the_case_number(site: Site, page: Page, files: dict[str, Path]) -> None:
    """Every part of the page plays its role, the state is stored, and a reload shows the same conversation."""
    receipt = site.seed("whole-journey")
    page.goto(receipt.start_url)
    log = page.get_by_role("log", name="Conversation")
    expect(log.locator("[data-from]")).to_have_count(0)
    reply = say(page, "Hello, someone hit my parked car in the supermarket car park.\nThe rear bumper is damaged.")
    assert "date" in reply
    bubble = page.locator("[data-from=customer]")
    expect(bubble).to_have_count(1)
    assert (
        bubble.inner_text()
        == "Hello, someone hit my parked car in the supermarket car park.\nThe rear bumper is damaged."
    )
    say(page, "It was on 9 March 2026 at about 4:20 pm.")
    expect(page.locator(".tags > li").filter(has_text="Date noted: 9 March 2026")).to_be_visible()
    expect(page.get_by_role("complementary", name="Your claim so far")).to_contain_text("9 March 2026")
    say(page, "In the Greenfold car park, Mill Road, Wexley.")
    expect(page.locator(".card")).to_have_count(1)
    upload(page, "Upload photo of the damage", files["photo"])
    expect(page.locator("[data-from=customer] .file")).to_have_text("photo-rear-bumper.jpg")
    say(page, "I will have the quote on Thursday.")
    expect(page.get_by_role("list", name="To do")).to_contain_text("Repair quote, when you have it")
    say(page, "No, nobody was hurt. I did not call the police. Will this affect my no claims bonus?")
    say(page, "It is AB12 CDE. The car is outside my home, 14 Larch Close.")
    say(page, "Yes, it can be driven. About £1,240.")
    say(page, "A silver Ford Focus. I don't know who was driving.")
    upload(page, "Upload repair quote", files["quote"])
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("AB12 CDE")
    dialog.get_by_role("button", name="No, change something").click()
    settle(page)
    expect(dialog).to_have_count(0)
    say(page, "The amount should be £1,250.")
    expect(dialog).to_contain_text("£1,250.00")
    dialog.get_by_role("button", name="Yes, that is right").click()
    settle(page)
    form = page.get_by_role("form", name="Sign in")
    form.get_by_label("Email").fill("somebody@else.example")
    form.get_by_label("Password").fill("wrong")
    form.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not right")
    sign_in(page, receipt)
    case = site.state(receipt).cases[0]
    assert case.number and case.status == "submitted"
    expect(page.get_by_role("status", name="Case number")).to_contain_text(case.number)
    assert case.facts["estimated_loss"].value == "1250.00 GBP"
    assert {u.name: site.call(u.url) for u in case.uploads} == {f.name: f.read_bytes() for f in files.values()}
    before = log.inner_text()
    page.reload()
    assert log.inner_text() == before
    assert say(page, "Thank you!")


def test_staff_see_the_case_as_the_adapter_describes_it(site: Site, page: Page, files: dict[str, Path]) -> None:
    """Sign-in, search, work list, review signals, facts, files and the customer's question."""
    receipt = site.seed("staff-side")
    page.goto(receipt.start_url)
    whole_claim(page, files)
    sign_in(page, receipt)
    case = site.state(receipt).cases[0]
    page.goto(f"{site.url}/staff")
    page.get_by_label("Staff name").fill("staff")
    page.get_by_label("Password").fill("letmein")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("table", name="Work list").wait_for()
    page.get_by_label("Search").fill(receipt.case_ref)
    page.get_by_label("Search").press("Enter")
    page.wait_for_url("**q=*")
    rows = page.locator("table[aria-label='Work list'] tbody tr")
    expect(rows).to_have_count(1)
    rows.locator("a").first.click()
    expect(page.get_by_role("heading", name=f"Case {case.number}")).to_be_visible()
    assert page.locator("[data-field=triage-level]").inner_text() == "Standard"
    assert page.locator("[data-field=triage-reasons]").inner_text() == "Third party involved; Loss of 1,000 or more"
    assert page.locator("[data-field=review-required]").inner_text() == "No review needed"

    def cells(table: str, *columns: int) -> list[tuple[str, ...]]:
        rows = page.locator(f"table[aria-label='{table}'] tbody tr").all()
        return [tuple(row.locator("td").nth(c).inner_text() for c in columns) for row in rows]

    assert cells("Review signals", 0, 1) == [
        ("Receipt dated after the incident", "Not applicable"),
        ("Quote dated before the incident", "Clear"),
        ("Other claims within a year", "Clear"),
        ("Loss soon after cover began", "Alert"),
    ]
    assert ("Date of the incident", "9 March 2026", "Confirmed") in cells("Facts", 0, 1, 2)
    assert cells("Open questions", 0, 1) == [("Will this affect my no claims bonus?", "Open")]
    assert cells("Files", 0) == [("photo-rear-bumper.jpg",), ("repair-quote.pdf",)]


def test_a_number_only_in_the_data_is_not_on_the_screen(site: Site, page: Page, files: dict[str, Path]) -> None:
    """The defect as a customer meets it; the store and the stream have the number."""
    receipt = site.seed("no-number", "case_number_only_in_json")
    bodies: list[str] = []
    page.goto(receipt.start_url)
    whole_claim(page, files)
    page.on("requestfinished", lambda request: bodies.append(request.url))
    sign_in(page, receipt)
    number = site.state(receipt).cases[0].number
    assert number
    expect(page.get_by_role("status", name="Case number")).to_contain_text("Thank you")
    assert number not in page.locator("body").inner_text()
    assert number in str(page.request.get(f"{site.url}/chat/claim").text())


def test_a_lost_connection_keeps_the_message(site: Site, page: Page) -> None:
    """The notice says so, the text stays in the composer, and sending again makes one bubble."""
    page.goto(site.seed("lost-line").start_url)
    page.route("**/chat/turns", lambda route: route.abort())
    text = "Someone hit my parked car."
    page.get_by_role("textbox", name="Your message").fill(text)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_contain_text("connection")
    expect(page.get_by_role("textbox", name="Your message")).to_have_value(text)
    page.unroute("**/chat/turns")
    page.get_by_role("button", name="Send").click()
    settle(page)
    expect(page.locator("[data-from=customer]")).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_product_ends_cleanly_when_told_to(site: Site) -> None:
    """SIGTERM gives exit code 0. The last test of the module: nothing is served afterwards."""
    site.process.send_signal(signal.SIGTERM)
    assert site.process.wait(timeout=30) == 0
