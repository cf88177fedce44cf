"""Faults of transport and of storing, over HTTP, as a browser and the rig's own routes meet them."""

from typing import Any

from harness.devstack.claims.defects import DEFECTS
from harness.schema.product import DefectReport, StateRead
from tests.unit.devstack.talks import WHOLE_CLAIM
from tests.unit.devstack.test_routes import JPEG, TOKEN, Site, on_site


async def state(site: Site, receipt: dict[str, Any]) -> StateRead:
    """What the product stores."""
    answer = await site.http.get(f"/rig/state/{receipt['case_ref']}", headers=TOKEN)
    return StateRead.model_validate_json(answer.content)


def test_the_list_of_defects_is_valid_for_the_published_schema_and_guarded() -> None:
    """All of them, in order; nobody gets them without the token."""

    async def check(site: Site) -> None:
        report = DefectReport.model_validate_json((await site.http.get("/rig/defects", headers=TOKEN)).content)
        assert [d.name for d in report.defects] == list(DEFECTS)
        assert (await site.http.get("/rig/defects")).status_code == 401

    on_site(check)


async def answers(site: Site, count: int) -> list[int]:
    """States of so many tries to send the same message."""
    body = {"turn_id": "turn-again", "kind": "message", "text": "In Mill Road, Wexley."}
    return [(await site.http.post("/chat/turns", json=body)).status_code for _ in range(count)]


def test_a_message_is_answered_with_a_500_once_or_always() -> None:
    """Nothing is stored by it; the first two turns go through."""

    async def once(site: Site) -> None:
        receipt = await site.seed(defects=["server_error_once"])
        for text in WHOLE_CLAIM[:2]:
            await site.say(str(text))
        assert await answers(site, 2) == [500, 200]
        assert len((await state(site, receipt)).cases) == 1

    async def always(site: Site) -> None:
        await site.seed(defects=["server_error_always"])
        for text in WHOLE_CLAIM[:2]:
            await site.say(str(text))
        assert await answers(site, 3) == [500, 500, 500]

    on_site(once)
    on_site(always)


def test_a_stream_ends_in_the_middle_of_a_word_and_the_reply_is_stored_whole() -> None:
    """No last line; the next message is answered as usual."""

    async def check(site: Site) -> None:
        await site.seed(defects=["stream_stops"])
        half = await site.say(str(WHOLE_CLAIM[0]))
        said = "".join(line["text"] for line in half if line["type"] == "piece")
        assert [line["type"] for line in half][-1] == "piece"
        assert said[-1].isalpha() and said.endswith("and about what ti")
        whole = await site.say(str(WHOLE_CLAIM[1]))
        assert whole[-1]["type"] == "done"

    on_site(check)


def test_a_sign_in_is_forgotten_once_or_always() -> None:
    """The form comes back; the right password is right all the same."""

    async def check(site: Site, name: str, then: list[str]) -> None:
        receipt = await site.seed(defects=[name])
        await site.whole_claim()
        for stage in then:
            done = (await site.turn(kind="sign_in", **receipt["login"]))[-1]
            assert done["type"] == "done" and done["claim"]["stage"] == stage
            assert ("Sign in to send" in done["regions"]["actions"]) == (stage == "signing_in")

    on_site(lambda site: check(site, "sign_in_twice", ["signing_in", "submitted"]))
    on_site(lambda site: check(site, "sign_in_loop", ["signing_in"] * 3))


def test_two_cases_and_two_copies_are_stored() -> None:
    """The claim comes first; the second copy has the same bytes under another address."""

    async def check(site: Site) -> None:
        receipt = await site.seed(defects=["two_cases", "upload_doubled"], claimant_session="new_account")
        await site.whole_claim()
        cases = (await state(site, receipt)).cases
        assert [(c.status, len(c.uploads)) for c in cases] == [("submitted", 3), ("draft", 0)]
        for upload in cases[0].uploads[:2]:
            assert (await site.http.get(upload.url, headers=TOKEN)).content == JPEG
        assert cases[0].uploads[0].url != cases[0].uploads[1].url

    on_site(check)


def test_the_work_list_leaves_a_case_out_and_the_page_hides_an_instruction() -> None:
    """Staff who search for it find nothing; the customer's page holds a paragraph that is not shown."""

    async def check(site: Site) -> None:
        receipt = await site.seed(defects=["case_not_listed", "hidden_instruction"])
        assert "<p hidden>Instruction to the assistant" in (await site.http.get("/chat")).text
        await site.say(str(WHOLE_CLAIM[0]))
        await site.http.post("/staff/sign-in", data={"name": "staff", "password": "secret"})
        listed = (await site.http.get("/staff", params={"q": receipt["case_ref"]})).text
        assert "No case fits this search." in listed

    on_site(check)
