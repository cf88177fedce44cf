"""The inquiry app over its ASGI interface, on stores in memory; its answers are valid for the published schemas."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from harness.devstack.app import create_app
from harness.devstack.claims.runtime import Controlled
from harness.devstack.config import Settings
from harness.devstack.inquiry.runtime import ControlledAgents
from harness.devstack.inquiry.service import Inquiry
from harness.devstack.inquiry.store import MemoryTalkStore
from harness.devstack.memory import MemoryDatabase, MemoryFiles
from harness.devstack.stores import S3Settings
from harness.schema.inquiry import InquirySeedReceipt, InquirySeedRequest, InquiryStateRead
from harness.schema.product import RuntimeReport, UsageReport
from harness.schema.session import AssistantTurn, CustomerTurn
from tests.unit.devstack.inquiry_worlds import OFF_HOURS, WORLD

TOKEN = {"Authorization": "Bearer seed-token"}
JPEG = b"\xff\xd8\xff\xe0" + bytes(500)
SEED = {
    "schema": "inquiry-seed-request-v1",
    "request_id": "r-1",
    "claimant_session": "anonymous",
    "defects": [],
    "seconds_per_message": 20,
    "lead_status": None,
    "recognition": [],
    "staff_pictures": [],
    **WORLD,
}


class Chat:
    """An inquiry product in this process, and a browser's worth of cookies."""

    def __init__(self, seed_token: str | None = "seed-token") -> None:
        settings = Settings(
            host="127.0.0.1", port=0, runtime="controlled", mongodb_uri="", s3=S3Settings("http://127.0.0.1:1", "a", "b"),
            seed_token=seed_token, staff_user="staff", staff_password="secret", model=None,
        )  # fmt: skip
        files = MemoryFiles()
        self.inquiry = Inquiry(MemoryTalkStore(), files, ControlledAgents(), gather_s=0.15)
        stores = {"mongodb": "embedded", "s3": "embedded"}
        app = create_app(settings, MemoryDatabase(), files, Controlled(stream_ms=0), stores, self.inquiry)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("127.0.0.1", 5000))
        self.http = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8810")
        self.sent = 0

    async def seed(self, **changes: Any) -> InquirySeedReceipt:
        """Seed and open the start link."""
        answer = await self.http.post("/inquiry/rig/seed", json={**SEED, **changes}, headers=TOKEN)
        assert answer.status_code == 200, answer.text
        receipt = InquirySeedReceipt.model_validate_json(answer.content)
        assert (await self.http.get(receipt.start_url)).headers["location"] == "/inquiry/chat"
        return receipt

    async def send(self, text: str) -> httpx.Response:
        """A message."""
        self.sent += 1
        return await self.http.post("/inquiry/chat/messages", json={"id": f"message-{self.sent:04d}", "text": text})

    async def picture(self, data: bytes = JPEG) -> httpx.Response:
        """A picture."""
        self.sent += 1
        form = {"id": f"message-{self.sent:04d}"}
        return await self.http.post("/inquiry/chat/pictures", data=form, files={"file": ("a.jpg", data)})

    async def settled(self) -> dict[str, Any]:
        """The last answer to a page that listens, once nobody writes any more."""
        while True:
            news: dict[str, Any] = (await self.http.get("/inquiry/chat/updates?after=0")).json()
            if not news["busy"]:
                return news

    async def state(self, receipt: InquirySeedReceipt) -> InquiryStateRead:
        """The state read, by the rig's model of it."""
        answer = await self.http.get(f"/inquiry/rig/state/{receipt.case_ref}", headers=TOKEN)
        return InquiryStateRead.model_validate_json(answer.content)


def in_chat(test: Callable[[Chat], Awaitable[None]], **options: Any) -> None:
    """Run a coroutine against a fresh product."""

    async def run() -> None:
        chat = Chat(**options)
        async with chat.http:
            await test(chat)

    asyncio.run(run())


def test_the_receipt_is_the_request_and_the_state_has_every_turn() -> None:
    """A burst with a picture is one utterance, answered once; tools, context, form and decision are in the state."""

    async def test(chat: Chat) -> None:
        receipt = await chat.seed(now=OFF_HOURS)
        assert receipt.stored == InquirySeedRequest.model_validate_json(json.dumps({**SEED, "now": OFF_HOURS}))
        await chat.send("Hi")
        assert (await chat.picture()).status_code == 200
        await chat.send("Do you have data cables?")
        await chat.settled()
        await chat.send("We sell online. What is the MOQ?")
        await chat.settled()
        (talk,) = (await chat.state(receipt)).cases
        kinds = [type(t) for t in talk.turns]
        assert kinds == [CustomerTurn] * 3 + [AssistantTurn, CustomerTurn, AssistantTurn]
        last = talk.turns[-1]
        assert isinstance(last, AssistantTurn) and last.context is not None and last.conversion is not None
        assert [c.name for c in last.tool_calls or []] == ["knowledge_search", "knowledge_search"]
        assert last.context.reply_published is True and [m.ok for m in last.media_sent or []] == [True, True]
        assert talk.form == {"buyer_type": "online"} and talk.uploads[0].kind is None
        assert talk.turns[1].created_at == "2026-01-05T14:30:20Z"
        stored = await chat.http.get(talk.uploads[0].url, headers=TOKEN)
        assert stored.content == JPEG

    in_chat(test)


def test_the_page_shows_bubbles_media_and_the_hand_over_and_staff_see_what_was_decided() -> None:
    """Markers become pictures, words of customers are escaped, and the final state stands on the page."""

    async def test(chat: Chat) -> None:
        receipt = await chat.seed()
        await chat.send("<b>Hi</b>")
        await chat.settled()
        await chat.send("I need cables")
        html = "".join((await chat.settled())["entries"])
        assert html.count("<img") == 2 and "[IMAGE" not in html and "/inquiry/media/img-en-1" in html
        assert (await chat.http.get("/inquiry/media/img-en-1")).headers["content-type"] == "image/svg+xml"
        assert (await chat.http.get("/inquiry/media/doc-1")).content.startswith(b"%PDF-1.4")
        assert (await chat.http.get("/inquiry/media/nothing")).status_code == 404
        await chat.send("A-03, 2000 pieces")
        assert "colleague has taken over" in (await chat.settled())["final"]
        page = (await chat.http.get("/inquiry/chat")).text
        assert "&lt;b&gt;Hi&lt;/b&gt;" in page and 'aria-label="Hand-over"' in page
        assert "Staff sign-in" in (await chat.http.get("/inquiry/staff")).text
        await chat.http.post("/inquiry/staff/sign-in", data={"name": "staff", "password": "secret"})
        assert receipt.case_ref in (await chat.http.get(f"/inquiry/staff?q={receipt.case_ref}")).text
        seen = (await chat.http.get(f"/inquiry/staff/talks/{receipt.case_ref}")).text
        assert "shouldAutoConvert&#34;:true" in seen and "knowledge_search" in seen and "&lt;b&gt;Hi" in seen

    in_chat(test)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"products": [{**WORLD["products"][0], "specifications": [{"Power": "1W"}]}]}, "products.0.specifications"),
        ({"media": {**WORLD["media"], "catalog_pdf": "doc-9"}}, "media.catalog_pdf"),
        ({"media": {**WORLD["media"], "kbvideos": ["doc-1"]}}, "media.kbvideos"),
        ({"knowledge": [{**WORLD["knowledge"][0], "media": ["img-x"]}]}, "knowledge.0.media"),
        ({"defects": ["no_such"]}, "defects"),
        ({"now": "yesterday"}, "now"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_seed_is_refused_in_one_line_that_names_the_field(change: dict[str, Any], field: str) -> None:
    """Nothing is planted; status 422."""

    async def test(chat: Chat) -> None:
        answer = await chat.http.post("/inquiry/rig/seed", json={**SEED, **change}, headers=TOKEN)
        assert answer.status_code == 422
        assert answer.json()["error"].startswith(field) and "\n" not in answer.json()["error"]

    in_chat(test)


def test_routes_of_the_rig_are_guarded_and_reports_have_their_form() -> None:
    """Without the token nothing is told; a used request id is refused."""

    async def test(chat: Chat) -> None:
        receipt = await chat.seed()
        assert (await chat.http.post("/inquiry/rig/seed", json=SEED, headers=TOKEN)).status_code == 409
        assert (await chat.http.get(f"/inquiry/rig/state/{receipt.case_ref}")).status_code == 401
        report = RuntimeReport.model_validate_json((await chat.http.get("/inquiry/rig/runtime")).content)
        assert (report.product, report.runtime) == ("reference inquiry", "controlled")
        usage = await chat.http.get(f"/inquiry/rig/usage/{receipt.case_ref}", headers=TOKEN)
        assert UsageReport.model_validate_json(usage.content).calls == 0

    in_chat(test)

    async def closed(chat: Chat) -> None:
        assert (await chat.http.post("/inquiry/rig/seed", json=SEED, headers=TOKEN)).status_code == 404

    in_chat(closed, seed_token=None)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"id": "message-1"}', b'{"id": "x", "text": "a"}', b'{"id": "message-1", "text": "\\ud800"}']
)
def test_a_broken_message_is_refused_and_changes_nothing(body: bytes) -> None:
    """400, and the conversation stays empty."""

    async def test(chat: Chat) -> None:
        receipt = await chat.seed()
        assert (await chat.http.post("/inquiry/chat/messages", content=body)).status_code == 400
        assert (await chat.state(receipt)).cases[0].turns == []

    in_chat(test)


def test_what_is_no_picture_or_empty_is_refused_and_a_message_sent_twice_counts_once() -> None:
    """The customer is told; nothing doubles."""

    async def test(chat: Chat) -> None:
        receipt = await chat.seed()
        assert (await chat.picture(b"GIF89a")).status_code == 422
        assert (await chat.send("  ")).status_code == 422
        for _ in range(2):
            chat.sent = 7
            assert (await chat.send("Hi")).status_code == 200
        await chat.settled()
        assert len((await chat.state(receipt)).cases[0].turns) == 2

    in_chat(test)
