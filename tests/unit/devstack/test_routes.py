"""The product's routes over its ASGI interface, on stores in memory; its answers are valid for the published schemas."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from harness.devstack.app import create_app
from harness.devstack.claims.case import Case
from harness.devstack.claims.runtime import Controlled
from harness.devstack.config import MESSAGE_LIMIT, Settings
from harness.devstack.memory import MemoryDatabase, MemoryFiles
from harness.devstack.stores import S3Settings
from harness.schema.product import RuntimeReport, SeedReceipt, SeedRequest, StateRead, UsageReport
from tests.unit.devstack.talks import OPENING, WHOLE_CLAIM

TOKEN = {"Authorization": "Bearer seed-token"}
JPEG = b"\xff\xd8\xff\xe0" + bytes(2000)
SEED: dict[str, Any] = {
    "schema": "seed-request-v1",
    "request_id": "r-1",
    "claimant_session": "anonymous_then_sign_in",
    "now": "2026-03-11T09:30:00Z",
    "policy": {
        "number": "P1",
        "product": "motor",
        "holder": "N T",
        "inception": "2026-02-20",
        "insured_item": "AB12 CDE",
    },
    "prior_claims": [{"number": "N1", "reported": "2025-10-14", "kind": "windscreen"}],
    "failed_lookups": [],
    "defects": [],
}


class Site:
    """A product in this process, and a browser's worth of cookies."""

    def __init__(self, seed_token: str | None = "seed-token", client: tuple[str, int] = ("127.0.0.1", 5000)) -> None:
        settings = Settings(
            host="127.0.0.1",
            port=0,
            runtime="controlled",
            mongodb_uri="",
            s3=S3Settings("http://127.0.0.1:1", "a", "b"),
            seed_token=seed_token,
            staff_user="staff",
            staff_password="secret",
            model=None,
        )
        self.app = create_app(
            settings,
            MemoryDatabase(),
            MemoryFiles(),
            Controlled(stream_ms=0),
            {"mongodb": "embedded", "s3": "embedded"},
        )
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=client)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8810")
        self.turns = 0

    async def seed(self, **changes: Any) -> dict[str, Any]:
        """Seed and open the start link."""
        answer = await self.http.post("/rig/seed", json={**SEED, **changes}, headers=TOKEN)
        assert answer.status_code == 200, answer.text
        receipt: dict[str, Any] = answer.json()
        opened = await self.http.get(receipt["start_url"])
        assert opened.status_code == 303 and opened.headers["location"] == "/chat"
        return receipt

    async def turn(self, **body: Any) -> list[dict[str, Any]]:
        """One turn; the events of its stream."""
        self.turns += 1
        answer = await self.http.post("/chat/turns", json={"turn_id": f"turn-{self.turns:04d}", **body})
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]

    async def say(self, text: str) -> list[dict[str, Any]]:
        """One message."""
        return await self.turn(kind="message", text=text)

    async def send_file(self, card: str, data: bytes, name: str = "photo.jpg") -> httpx.Response:
        """One file."""
        self.turns += 1
        form = {"turn_id": f"turn-{self.turns:04d}", "card": card}
        return await self.http.post("/chat/uploads", data=form, files={"file": (name, data)})

    async def whole_claim(self) -> None:
        """Everything up to the sign-in."""
        for move in WHOLE_CLAIM:
            match move:
                case str(text):
                    await self.say(text)
                case ("upload", str(card), _):
                    assert (await self.send_file(card, JPEG, f"{card}.jpg")).status_code == 200
                case ("press", str(action)):
                    await self.turn(kind="press", action=action)


def on_site(test: Callable[[Site], Awaitable[None]], **options: Any) -> None:
    """Run a coroutine against a fresh site."""

    async def run() -> None:
        site = Site(**options)
        async with site.http:
            await test(site)

    asyncio.run(run())


def test_the_reports_are_valid_for_the_published_schemas() -> None:
    """Runtime, receipt, state and usage are what the schemas say, before and after a journey."""

    async def check(site: Site) -> None:
        RuntimeReport.model_validate_json((await site.http.get("/rig/runtime")).content)
        answer = await site.http.post("/rig/seed", json=SEED, headers=TOKEN)
        receipt = SeedReceipt.model_validate_json(answer.content)
        assert receipt.stored == SeedRequest.model_validate_json(json.dumps(SEED))
        await site.http.get(receipt.start_url)
        before = StateRead.model_validate_json(
            (await site.http.get(f"/rig/state/{receipt.case_ref}", headers=TOKEN)).content
        )
        assert before.cases == [] and before.request_id == "r-1"
        await site.whole_claim()
        assert receipt.login
        await site.turn(kind="sign_in", email=receipt.login.email, password=receipt.login.password)
        state = StateRead.model_validate_json(
            (await site.http.get(f"/rig/state/{receipt.case_ref}", headers=TOKEN)).content
        )
        (case,) = state.cases
        assert case.status == "submitted" and case.number and len(case.uploads) == 2
        stored = await site.http.get(case.uploads[0].url, headers=TOKEN)
        assert stored.content == JPEG
        usage = UsageReport.model_validate_json(
            (await site.http.get(f"/rig/usage/{receipt.case_ref}", headers=TOKEN)).content
        )
        assert usage.calls == 0

    on_site(check)


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1}, {"now": "2026-03-11T09:30:00"}, {"policy": {"number": "P"}}, {"claimant_session": "vip"},
        {"prior_claims": [{"number": "N", "reported": "14.10.2025", "kind": "x"}]}, {"prior_claims": None},
        {"prior_claims": [{"number": "N", "reported": "2025-10-14", "kind": "Not an id"}]}, {"request_id": 3},
        {"policy": {**SEED["policy"], "product": "boat"}}, {"policy": {**SEED["policy"], "number": ""}},
        {"failed_lookups": "policy"}, {"schema": "seed-request-v2"},
    ],
)  # fmt: skip
def test_what_the_schema_refuses_the_product_refuses(change: dict[str, Any]) -> None:
    """Same request, same verdict; the product says in one line which field."""
    body = json.dumps({**SEED, **change})
    with pytest.raises(ValueError, match="validation error"):
        SeedRequest.model_validate_json(body)

    async def check(site: Site) -> None:
        answer = await site.http.post("/rig/seed", content=body, headers=TOKEN)
        assert answer.status_code == 422
        assert "\n" not in answer.json()["error"] and next(iter(change)).split("_")[0] in answer.json()["error"]

    on_site(check)


def test_an_unknown_defect_a_double_key_and_a_used_id_are_refused() -> None:
    """One line each."""

    async def check(site: Site) -> None:
        unknown = await site.http.post("/rig/seed", json={**SEED, "defects": ["no_such"]}, headers=TOKEN)
        assert unknown.status_code == 422 and "no_such" in unknown.json()["error"]
        twice = await site.http.post("/rig/seed", content='{"schema": "a", "schema": "b"}', headers=TOKEN)
        assert twice.status_code == 422 and "twice" in twice.json()["error"]
        await site.seed()
        again = await site.http.post("/rig/seed", json=SEED, headers=TOKEN)
        assert again.status_code == 409

    on_site(check)


def test_the_guarded_routes_need_token_loopback_and_a_configured_token() -> None:
    """401 without the token, 403 from elsewhere, 404 where no token is configured; the runtime report is open."""
    paths = ["/rig/state/c1", "/rig/usage/c1", "/rig/uploads/c1/u1"]

    async def without(site: Site) -> None:
        for path in paths:
            assert (await site.http.get(path)).status_code == 401
            assert (await site.http.get(path, headers={"Authorization": "Bearer wrong"})).status_code == 401
        assert (await site.http.post("/rig/seed", json=SEED)).status_code == 401

    async def elsewhere(site: Site) -> None:
        assert (await site.http.post("/rig/seed", json=SEED, headers=TOKEN)).status_code == 403

    async def unconfigured(site: Site) -> None:
        assert (await site.http.post("/rig/seed", json=SEED, headers=TOKEN)).status_code == 404
        assert [(await site.http.get(p, headers=TOKEN)).status_code for p in paths] == [404] * 3
        assert (await site.http.get("/rig/runtime")).status_code == 200

    on_site(without)
    on_site(elsewhere, client=("192.0.2.7", 5000))
    on_site(unconfigured, seed_token=None)


def test_a_start_link_opens_once_and_says_nothing() -> None:
    """The second visit is refused; the link holds neither request nor case."""

    async def check(site: Site) -> None:
        receipt = await site.seed(request_id="very-telling-id")
        assert "telling" not in receipt["start_url"] and receipt["case_ref"] not in receipt["start_url"]
        assert (await site.http.get(receipt["start_url"])).status_code == 410

    on_site(check)


def test_the_page_shows_nothing_of_the_setup() -> None:
    """Policy, prior claims and clock are not on the start page, and no conversation is."""

    async def check(site: Site) -> None:
        await site.seed()
        page = (await site.http.get("/chat")).text
        assert not any(word in page for word in ("P1", "2026-02-20", "windscreen", "r-1", "AB12"))
        assert "data-from" not in page

    on_site(check)


def test_a_turn_sent_twice_is_done_once() -> None:
    """The same id gives the same reply and no second bubble."""

    async def check(site: Site) -> None:
        receipt = await site.seed()
        first = await site.say(OPENING)
        site.turns -= 1
        second = await site.say(OPENING)
        assert [e["type"] for e in second] == ["done"] and second[-1]["reply"] == first[-1]["reply"]
        page = (await site.http.get("/chat")).text
        assert page.count('data-from="customer"') == 1
        state = (await site.http.get(f"/rig/state/{receipt['case_ref']}", headers=TOKEN)).json()
        assert len(state["cases"]) == 1

    on_site(check)


def test_many_turns_at_once_are_done_one_after_the_other() -> None:
    """Nothing is lost and there is one case."""

    async def check(site: Site) -> None:
        await site.seed()
        await site.say(OPENING)
        await asyncio.gather(*(site.say(f"Question number {n}?") for n in range(8)))
        page = (await site.http.get("/chat")).text
        assert page.count('data-from="customer"') == 9 and page.count('data-from="assistant"') == 9

    on_site(check)


def test_everything_a_customer_writes_is_escaped() -> None:
    """In the bubble, the panel, the stream and the staff pages."""
    nasty = '<script>alert(1)</script> someone hit my parked car & "more" in the car park at Mill Road, Wexley'

    async def check(site: Site) -> None:
        receipt = await site.seed()
        events = await site.say(nasty)
        await site.send_file("photo", JPEG, "<img src=x onerror=alert(1)>.jpg")
        login = {"name": "staff", "password": "secret"}
        await site.http.post("/staff/sign-in", data=login)
        pages = [
            (await site.http.get("/chat")).text,
            (await site.http.get(f"/staff/cases/{receipt['case_ref']}")).text,
            events[0]["html"],
            *events[-1]["regions"].values(),
        ]
        assert all("<script>alert" not in p and "<img src=x" not in p for p in pages)
        assert "&lt;script&gt;" in pages[0]

    on_site(check)


def test_limits_and_wrong_input_get_a_sentence() -> None:
    """Too long, empty, not a picture, not JSON: a status and a sentence, never a traceback."""

    async def check(site: Site) -> None:
        await site.seed()
        long = {"turn_id": "turn-long", "kind": "message", "text": "a" * (MESSAGE_LIMIT + 1)}
        answers = [
            (await site.http.post("/chat/turns", json=long), 422),
            (await site.http.post("/chat/turns", json={**long, "text": "  "}), 422),
            (await site.http.post("/chat/turns", json={**long, "kind": "dance"}), 400),
            (await site.http.post("/chat/turns", content="nonsense"), 400),
            (await site.http.post("/chat/turns", json=[1]), 400),
            (await site.http.post("/chat/turns", content=b"x" * 300_000), 413),
            (await site.send_file("photo", b"MZ program"), 422),
            (await site.send_file("photo", b""), 422),
            (await site.send_file("passport", JPEG), 422),
            (
                await site.http.post("/chat/uploads", content=b"x", headers={"content-length": str(30 * 1024 * 1024)}),
                413,
            ),
        ]
        for answer, status in answers:
            assert answer.status_code == status, answer.text
            assert answer.json()["error"].endswith((".", "please."))

    on_site(check)


def test_a_message_of_the_greatest_length_is_taken_with_its_lines() -> None:
    """8,000 characters, line breaks kept."""
    text = "Someone hit my parked car.\n" + "é" * (MESSAGE_LIMIT - 27)

    async def check(site: Site) -> None:
        await site.seed()
        assert (await site.say(text))[-1]["type"] == "done"
        assert text in (await site.http.get("/chat")).text

    on_site(check)


def test_the_stream_carries_more_than_the_screen() -> None:
    """What is still required, the turn's record and the form's state are in the JSON and not on the page."""

    async def check(site: Site) -> None:
        await site.seed()
        done = (await site.say(OPENING))[-1]
        assert "incident_date" in done["customer_next_step"]["required_items"]
        assert done["turn_record"]["step"] == "ask" and done["form"]["scenario_class"] == "motor.parked_hit"
        page = (await site.http.get("/chat")).text
        assert "required_items" not in page and "incident_date" not in page and "motor.parked_hit" not in page

    on_site(check)


def test_sign_in_with_a_wrong_password_changes_nothing() -> None:
    """A sentence, no session, no number."""

    async def check(site: Site) -> None:
        receipt = await site.seed()
        await site.whole_claim()
        body = {"turn_id": "turn-wrong", "kind": "sign_in", "email": receipt["login"]["email"], "password": "no"}
        answer = await site.http.post("/chat/turns", json=body)
        assert answer.status_code == 422 and "not right" in answer.json()["error"]
        state = (await site.http.get(f"/rig/state/{receipt['case_ref']}", headers=TOKEN)).json()
        assert state["cases"][0]["number"] is None

    on_site(check)


@pytest.mark.parametrize("path", ["/nope", "/static/nope.css", "/staff/nope", "/s/nope", "/chat/nope", "/rig/nope"])
def test_what_does_not_exist_is_said_plainly(path: str) -> None:
    """404 or 410 with a page or a JSON error."""

    async def check(site: Site) -> None:
        answer = await site.http.get(path)
        assert answer.status_code in (404, 410) and "Traceback" not in answer.text

    on_site(check)


def test_wrong_methods_foreign_sites_and_foreign_hosts_are_refused() -> None:
    """405, 403 and 400."""

    async def check(site: Site) -> None:
        assert (await site.http.post("/chat")).status_code == 405
        foreign = {"Origin": "http://evil.example"}
        assert (await site.http.post("/start", headers=foreign)).status_code == 403
        assert (await site.http.get("/", headers={"Host": "evil.example"})).status_code == 400

    on_site(check)


def test_an_internal_fault_shows_a_plain_page_and_a_plain_sentence() -> None:
    """A store that breaks is neither a traceback nor a lost conversation."""

    async def check(site: Site) -> None:
        await site.seed()
        await site.say(OPENING)
        claims = site.app.state.claims

        def broken(*_: object) -> None:
            raise RuntimeError("boom")

        claims.db.save = broken
        failed = await site.say("It was on 9 March 2026.")
        assert failed[-1]["type"] == "failed" and "boom" not in failed[-1]["message"]
        claims.db.session = broken
        page = await site.http.get("/chat")
        assert page.status_code == 500 and "boom" not in page.text and "went wrong" in page.text

    on_site(check)


def test_pages_carry_no_inline_script_and_a_strict_policy() -> None:
    """Scripts come from files only, and nothing is evaluated."""

    async def check(site: Site) -> None:
        await site.seed()
        answer = await site.http.get("/chat")
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy and "script-src 'self'" in policy
        assert "<script>" not in answer.text and "onclick" not in answer.text

    on_site(check)


def test_staff_find_a_case_however_many_newer_ones_there_are() -> None:
    """By its reference and by words of its number; what is older than the newest cases is only left out of the list."""
    with closing(MemoryDatabase()) as database:
        for day in range(1, 4):
            started = datetime(2026, 3, day, 12, tzinfo=UTC)
            case = Case(ref=f"c{day}", request_id="r", started=started, number=f"CLM-2026-00000{day}")
            database.save(case)
        assert [case.ref for case in database.cases(limit=2)] == ["c3", "c2"]
        for words in ("c1", "C1", "CLM-2026-000001", "000001", "clm-2026-000001"):
            assert [case.ref for case in database.cases(words, limit=2)] == ["c1"]
        assert [case.ref for case in database.cases("clm", limit=2)] == ["c3", "c2"]
        assert database.cases(".*") == [] == database.cases("c4")


def test_staff_pages_need_the_right_password() -> None:
    """Without it there is a sign-in, whatever the page."""

    async def check(site: Site) -> None:
        receipt = await site.seed()
        await site.say(OPENING)
        assert "Staff sign-in" in (await site.http.get("/staff")).text
        assert (await site.http.get(f"/staff/cases/{receipt['case_ref']}")).status_code == 303
        wrong = await site.http.post("/staff/sign-in", data={"name": "staff", "password": "no"})
        assert wrong.status_code == 401
        await site.http.post("/staff/sign-in", data={"name": "staff", "password": "secret"})
        listed = (await site.http.get("/staff", params={"q": receipt["case_ref"]})).text
        assert "Draft" in listed and "Draft" not in (await site.http.get("/staff", params={"q": "c-other"})).text
        await site.http.post("/staff/sign-out")
        assert "Staff sign-in" in (await site.http.get("/staff")).text

    on_site(check)


def test_staff_can_mark_a_question_as_answered() -> None:
    """The list shows it, and the state read too."""

    async def check(site: Site) -> None:
        receipt = await site.seed()
        await site.say(OPENING)
        await site.say("Will this affect my no claims bonus?")
        await site.http.post("/staff/sign-in", data={"name": "staff", "password": "secret"})
        await site.http.post(f"/staff/cases/{receipt['case_ref']}/notes/0")
        state = (await site.http.get(f"/rig/state/{receipt['case_ref']}", headers=TOKEN)).json()
        assert state["cases"][0]["notes"][0]["status"] == "answered"
        assert (await site.http.post(f"/staff/cases/{receipt['case_ref']}/notes/9")).status_code == 404

    on_site(check)


def test_somebody_without_a_link_can_start_from_the_front_page() -> None:
    """A walk-in gets a conversation of their own."""

    async def check(site: Site) -> None:
        assert (await site.http.get("/chat")).headers["location"] == "/"
        assert "Start a new claim" in (await site.http.get("/")).text
        assert (await site.http.post("/start")).status_code == 303
        assert (await site.say(OPENING))[-1]["type"] == "done"

    on_site(check)
