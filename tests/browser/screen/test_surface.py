"""The surface against products with one awkward habit each."""

import asyncio
import contextlib
import hashlib
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Browser

from harness.screen.adapter import ListSpec, Locator, Step
from harness.screen.errors import NoSuchControl, StepFailed, SurfaceUnreachable
from harness.screen.look import look_in
from harness.screen.surface import Limits, Surface
from tests.browser.screen.products import adapter_for, serving

pytestmark = pytest.mark.browser
LIMITS = Limits(open_s=20, turn_timeout_s=20, nothing_ms=400, confirm_s=8, picture_s=8)


@dataclass
class FakeSink:
    """Keeps what a surface records."""

    events: list[dict[str, Any]] = field(default_factory=list)

    def emit(self, kind: str, **fields: Any) -> None:
        """Keeps an event."""
        self.events.append({"kind": kind, **fields})

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Keeps a download as an event of its own."""
        self.events.append({"kind": "kept", "name": name, "data": data})
        return f"downloads/{name}", hashlib.sha256(data).hexdigest()

    def happened(self, what: str) -> list[dict[str, Any]]:
        """Page events of one sort."""
        return [e for e in self.events if e.get("what") == what]


@contextlib.asynccontextmanager
async def opened(
    browser: Browser, scenario: str, limits: Limits = LIMITS, wait_ready: bool = True, **changes: Any
) -> AsyncIterator[tuple[Surface, FakeSink]]:
    """A surface on one of the products, settled."""
    sink = FakeSink()
    async with serving() as base:
        context = await browser.new_context(viewport={"width": 900, "height": 700}, service_workers="block")
        try:
            adapter = adapter_for(base, **changes)
            surface = await Surface.open(context, adapter, f"{base}/{scenario}", sink, limits, wait_ready)
            if wait_ready:
                await surface.settle()
            yield surface, sink
            await surface.close()
        finally:
            await context.close()


Work = Callable[[Surface, FakeSink], Awaitable[None]]


@pytest.fixture
def on(browser: Browser, run: Any) -> Callable[..., None]:
    """`on(scenario, work)` runs `work(surface, sink)` against a product."""

    def go(scenario: str, work: Work, **options: Any) -> None:
        async def all_of_it() -> None:
            async with opened(browser, scenario, **options) as (surface, sink):
                await work(surface, sink)

        run(all_of_it())

    return go


def said(surface: Surface) -> list[tuple[str, str]]:
    """The transcript as pairs."""
    return [(b.part, b.text) for b in surface.transcript]


def test_a_turn_is_sent_settled_read_and_pictured(on: Any) -> None:
    """A message becomes one bubble; the reply is waited for, timed without the quiet time, read and pictured."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        assert (await surface.read(1)).reply_text() == "Hello. What happened?"
        act = await surface.send("My car was hit.\nIt was parked.")
        assert (act.confirmed, act.retries) == (True, 0)
        settled = await surface.settle()
        assert (settled.settled, settled.why, settled.new_bubbles) == (True, "settled", 1)
        assert settled.first_ms is not None and 10 <= settled.first_ms <= settled.total_ms <= settled.waited_ms + 1000
        screen = await surface.read(2)
        assert [(b.part, b.text) for b in screen.blocks] == [("reply", "Reply 1: tell me more.")]
        assert [(c.kind, c.name, c.enabled) for c in screen.controls] == [("composer", "Your message", True)]
        pictures = await surface.picture()
        assert [Image.open(io.BytesIO(p)).size for p in pictures] == [(900, 700)]
        assert said(surface)[1][0] == "customer" and said(surface)[2] == ("reply", "Reply 1: tell me more.")

    on("plain", work)


def test_a_pause_in_a_stream_is_not_its_end(on: Any) -> None:
    """While the busy mark shows, two seconds without a word do not end the reply."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.send("hello")
        settled = await surface.settle()
        assert settled.settled and settled.total_ms >= 2000
        assert (await surface.read(1)).reply_text() == "First half and second half."

    on("pause", work)


def test_a_stream_that_never_ends_does_not_hold_up_a_turn(on: Any) -> None:
    """An event stream that stays open says nothing about the end of a reply."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.send("hello")
        assert (await surface.settle()).settled

    on("streaming", work)


def test_ticking_clocks_do_not_hold_up_a_turn(on: Any) -> None:
    """A clock in the panel, a countdown in a notice and an endless rotation do not keep a reply from being finished."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.send("hello")
        settled = await surface.settle()
        assert settled.settled and settled.waited_ms < 8000

    on("clock", work)


def test_text_wiped_by_hydration_is_typed_once_more(on: Any) -> None:
    """A message lost before the page worked is sent a second time, after a look, and arrives once."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        act = await surface.send("Typed too early")
        assert (act.confirmed, act.retries) == (True, 1)
        settled = await surface.settle()
        assert settled.settled and settled.new_bubbles == 1
        await surface.read(1)
        assert said(surface).count(("customer", "Typed too early")) == 1

    on("hydration", work)


def test_two_bubbles_for_one_message_are_not_confirmed(on: Any) -> None:
    """Exactly one new bubble is right; two are reported as such and nothing is sent again."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        act = await surface.send("Once only")
        assert (act.confirmed, act.retries, act.why) == (False, 0, "2 new bubbles of the customer instead of one")

    on("double", work)


def test_a_product_that_never_answers_is_unsettled_at_the_cap(on: Any) -> None:
    """The hard cap ends a turn in which no reply came."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        assert (await surface.send("hello")).confirmed
        settled = await surface.settle()
        assert (settled.settled, settled.why, settled.first_ms) == (False, "cap", None)
        assert 1400 <= settled.total_ms <= 60_000

    on("silent", work, limits=replace(LIMITS, turn_timeout_s=1.5))


def test_a_send_that_nothing_takes_is_tried_twice(on: Any) -> None:
    """A message that stays in the composer is sent once more, then reported as not confirmed."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        act = await surface.send("anybody?")
        assert (act.confirmed, act.retries) == (False, 1)
        assert act.why.startswith("ignored")

    on("deaf", work, limits=replace(LIMITS, idle_ms=300))


def test_paragraphs_survive_where_enter_sends(on: Any) -> None:
    """In an editable box whose Enter key sends, a message of two paragraphs is one bubble with both."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        act = await surface.send("First paragraph.\n\n第二段。")
        assert (act.confirmed, act.why) == (True, "")
        await surface.settle()
        await surface.read(1)
        bubbles = [text for part, text in said(surface) if part == "customer"]
        assert bubbles == ["First paragraph.\n第二段。"]

    on("rich", work, send={"key": "Enter"})


def test_a_composer_in_a_shadow_root_is_reached_by_its_path(on: Any) -> None:
    """An open shadow root is entered through the locator's shadow path."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        assert (await surface.send("through the shadow")).confirmed
        await surface.settle()
        assert (await surface.read(1)).reply_text() == "Reply 1: tell me more."

    box = {"role": "textbox", "name": "Your message", "shadow": ["x-box"]}
    button = {"role": "button", "name": "Send", "shadow": ["x-box"]}
    on("shadow", work, ready=[box], composer=[box], send={"button": [button]})


def test_a_composer_in_a_closed_shadow_root_is_unreachable_not_a_product_failure(on: Any) -> None:
    """What no locator reaches is said to be unreachable, with the likely reason."""
    with pytest.raises(SurfaceUnreachable, match="closed shadow root"):
        on("closed", lambda surface, sink: asyncio.sleep(0), limits=replace(LIMITS, open_s=1.5))


def test_replies_in_a_frame_are_read(on: Any) -> None:
    """Bubbles and replies may stand in a same-origin frame while the composer stands outside it."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        assert (await surface.read(1)).reply_text() == "Hello from the frame."
        assert (await surface.send("into the frame")).confirmed
        settled = await surface.settle()
        assert settled.settled and settled.first_ms is not None
        assert (await surface.read(2)).reply_text() == "Reply in a frame."

    on("frame", work, transcript=[{"role": "log", "frame": ["iframe"]}])


def test_bubbles_that_are_rendered_again_are_not_new_ones(on: Any) -> None:
    """A page that renders its list anew all the time, and a customer who repeats herself, are told apart."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        for _ in range(3):
            act = await surface.send("I don't know.")
            assert (act.confirmed, act.retries) == (True, 0)
            assert (await surface.settle()).settled
            await surface.read(1)
        assert said(surface)[1:] == [("customer", "I don't know."), ("reply", "Do you know the plate?")] * 3

    on("again", work, busy=None, quiet_unmarked_ms="300")


def test_a_transcript_keeps_what_the_page_no_longer_holds(on: Any) -> None:
    """Of a list that holds its last rows only, every message and reply stays in the transcript, once."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.read(1)
        for i in range(8):
            assert (await surface.send(f"Answer {i}")).confirmed
            assert (await surface.settle()).settled
            await surface.read(2 + i)
        turns = [(("customer", f"Answer {i}"), ("reply", f"Question {i + 1}?")) for i in range(8)]
        assert said(surface) == [("reply", "Hello. What happened?"), *(item for turn in turns for item in turn)]

    on("window", work, busy=None, quiet_unmarked_ms="200")


def test_only_what_may_move_a_button_holds_up_a_press(on: Any) -> None:
    """A colour that fades in under the pointer is no movement; a margin that grows is looked at over two frames."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.page.wait_for_timeout(2600)  # a young page is looked at twice whatever runs
        await surface.world._evaluate(
            "requestAnimationFrame = ((honest) => (f) => { asked++; return honest(f); })(requestAnimationFrame)",
            by_value=True,
        )
        waited = {}
        for name, value in (("background-color", "teal"), ("opacity", "0.9"), ("margin-left", "9px")):
            await surface.page.evaluate(
                "([name, value]) => { s.style.transition = 'all 60s'; s.offsetWidth; s.style.setProperty(name, value); }",
                [name, value],
            )
            await surface.world._evaluate("globalThis.asked = 0", by_value=True)
            point = await surface.world.call("pressPoint", [{"role": "button", "name": "Send"}], 2000)
            waited[name] = "x" in point and (await surface.world._evaluate("asked", by_value=True))["value"]
        assert waited["background-color"] == waited["opacity"] == 0
        assert waited["margin-left"] >= 2

    on("plain", work)


def test_an_adapter_says_how_long_a_page_may_take_to_greet(on: Any) -> None:
    """`quiet_opening_ms` is waited for, and no longer: a later word of the page is not."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        assert (await surface.read(1)).reply_text() == "Hello at last."

    on("slow greeting", work, quiet_opening_ms="4000")


def test_a_reply_longer_than_its_pane_is_read_whole_and_pictured_in_steps(on: Any) -> None:
    """What scrolling the pane reveals is read; pictures show it step by step; the pane is left where it was."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.send("tell me everything")
        await surface.settle()
        before = await surface.page.evaluate("log.scrollTop")
        text = (await surface.read(1)).reply_text()
        assert "Paragraph 0 of" in text and "Paragraph 59 of" in text
        pictures = await surface.picture()
        assert len(pictures) == LIMITS.pictures
        assert len({hashlib.sha256(p).hexdigest() for p in pictures}) == len(pictures)
        assert await surface.page.evaluate("log.scrollTop") == before

    on("long", work)


def test_a_font_that_never_comes_costs_no_turn(on: Any) -> None:
    """With a font request that is never answered, turn and picture (or its recorded loss) still come in bounded time."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        assert (await surface.send("hello")).confirmed
        assert (await surface.settle()).settled
        pictures = await surface.picture()
        assert len(pictures) == 1 or [e for e in sink.events if e["kind"] == "capture_failed"]

    on("font", work)


def test_what_a_page_does_by_itself_is_recorded_with_a_policy(on: Any) -> None:
    """Tabs are closed, downloads kept and hashed, dialogs answered and shown, errors and sockets recorded."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.read(1)
        await surface.press("Open a tab")
        await surface.settle()
        await surface.press("Get a copy")
        await surface.settle()
        await surface.press("Submit")
        await surface.settle()
        screen = await surface.read(2)
        assert ("dialog", "Submit the claim now?") in [(b.part, b.text) for b in screen.blocks]
        assert "Submitted." in screen.reply_text()
        await surface.press("Enter PIN")
        await surface.settle()
        assert "No PIN." in (await surface.read(3)).reply_text()
        await surface.press("Trouble")
        await surface.press("Connect")
        await surface.press("Work offline")
        await surface.settle()
        await surface.close()
        assert [e["policy"] for e in sink.happened("popup")] == ["closed"]
        assert [e["policy"] for e in sink.happened("dialog")] == ["accepted", "dismissed"]
        [download] = sink.happened("download")
        assert (download["policy"], download["file"]) == ("saved", "downloads/copy.txt")
        assert download["sha256"] == hashlib.sha256(b"a copy of the claim").hexdigest()
        assert "script trouble" in sink.happened("page_error")[0]["detail"]
        assert any("console trouble" in e["detail"] for e in sink.happened("console_error"))
        assert sink.happened("websocket") and sink.happened("navigated")
        assert [e["policy"] for e in sink.happened("service_worker_blocked")] == ["aborted"]

    on("happenings", work)


def test_a_page_that_blocks_itself_is_unsettled_at_the_cap(on: Any) -> None:
    """While the page's own script keeps it busy, the cap still ends the turn."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.read(1)
        mark = await surface.mark("reply")
        blocked = asyncio.create_task(surface.press("Block"))
        await asyncio.sleep(0.3)
        settled = await surface.settle(mark)
        assert (settled.settled, settled.why) == (False, "cap")
        await blocked

    on("happenings", work, limits=replace(LIMITS, turn_timeout_s=1))


def test_a_press_that_does_nothing_ends_after_the_grace_time(on: Any) -> None:
    """A dead button changes nothing; the turn ends without first change."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.read(1)
        assert (await surface.press("Dead")).confirmed
        settled = await surface.settle()
        assert (settled.settled, settled.first_ms) == (True, None)

    on("happenings", work)


def test_a_control_is_matched_by_its_visible_name_or_refused(on: Any) -> None:
    """Exact first, then case and white space folded; an unknown or ambiguous name lists what is there."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.read(1)
        assert (await surface.press("  dead ")).confirmed
        with pytest.raises(NoSuchControl) as unknown:
            await surface.press("Missing")
        assert "Dead" in unknown.value.there and not unknown.value.ambiguous
        with pytest.raises(NoSuchControl) as twice:
            await surface.press("Twice")
        assert twice.value.ambiguous and twice.value.there == ["Twice (card)", "Twice (notice)"]

    on("happenings", work)


def test_a_slow_upload_is_handed_over_once(on: Any, tmp_path: Path) -> None:
    """Through the visible label of a hidden input and through a button's chooser; the page shows each file once."""
    photo = tmp_path / "bumper.jpg"
    photo.write_bytes(b"\xff\xd8" + bytes(1000))

    async def work(surface: Surface, sink: FakeSink) -> None:
        screen = await surface.read(1)
        assert [(c.kind, c.name) for c in screen.controls if c.part == "card"] == [
            ("upload", "Add a photo"), ("button", "维修报价"), ("button", "No chooser"),
        ]  # fmt: skip
        assert (await surface.upload(photo, "Add a photo")).confirmed
        assert (await surface.settle()).settled
        await surface.read(2)
        assert (await surface.upload(photo, "维修报价")).confirmed
        await surface.settle()
        assert (await surface.read(3)).reply_text() == "Thank you for the file."
        files = [text for part, text in said(surface) if part == "customer"]
        assert files == ["bumper.jpg 1", "bumper.jpg 2"]
        none = await surface.upload(photo, "No chooser")
        assert (none.confirmed, none.why) == (False, "no file chooser opened")

    on("upload", work, limits=replace(LIMITS, control_s=2))


def test_an_upload_without_a_name_takes_the_one_upload_there_is(on: Any, tmp_path: Path) -> None:
    """If a move names no control, the only upload on the screen is meant."""
    photo = tmp_path / "quote.pdf"
    photo.write_bytes(b"%PDF-")

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.read(1)
        assert (await surface.upload(photo)).confirmed

    on("upload", work)


def test_fields_and_choices_are_filled_by_keyboard_and_mouse(on: Any) -> None:
    """Text, list, box, radio group, date and time show the value afterwards; what is not kept is said."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.read(1)
        for name, value in [
            ("Place", "Leeds"), ("Place", "York 约克"), ("Notes", "one\ntwo"), ("Class", "Property"), ("class", "home"),
            ("I agree", "yes"), ("Drivable?", "No"), ("Date", "2026-03-09"), ("Time", "16:20"),
        ]:  # fmt: skip
            act = await surface.fill(name, value)
            assert (act.confirmed, act.why) == (True, ""), name
            await surface.settle()
        shown = {c.name: c.value for c in (await surface.read(2)).controls}
        assert shown["Place"] == "York 约克" and shown["Notes"] == "one\ntwo" and shown["Class"] == "Home"
        assert shown["I agree"] == "checked" and shown["Drivable?"] == "No"
        assert shown["Date"] == "2026-03-09" and shown["Time"] == "16:20"
        cut = await surface.fill("Plate", "AB12 CDE")
        assert (cut.confirmed, cut.retries, cut.why) == (False, 1, "not kept")
        missing = await surface.fill("Class", "Boat")
        assert not missing.confirmed and "Motor, Home, Property" in missing.why

    on("form", work)


def test_input_is_trusted_and_reading_leaves_no_trace(on: Any) -> None:
    """Every event is trusted; the page cannot see the rig's world; reading changes nothing in the document."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.send("trusted?")
        await surface.settle()
        seen = await surface.page.evaluate("seen")
        assert {kind for kind, _ in seen} >= {"input", "click", "mousedown"} and all(trusted for _, trusted in seen)
        before = await surface.page.evaluate("[document.documentElement.outerHTML, changes, typeof __rig]")
        await surface.read(1)
        await surface.read_page()
        await surface.picture()
        after = await surface.page.evaluate("[document.documentElement.outerHTML, changes, typeof __rig]")
        assert before == after and after[2] == "undefined"

    on("trusted", work)


def test_a_reload_in_mid_turn_is_survived(on: Any) -> None:
    """A page that loads itself anew after a message is still waited for and read."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.send("before the reload")
        settled = await surface.settle()
        assert settled.settled and settled.why in ("navigated", "settled")
        while (await surface.read(1)).reply_text() != "Back again.":
            await surface.settle(expect_change=True)
        assert len(sink.happened("navigated")) >= 2

    on("reload", work)


def test_signing_in_follows_the_adapters_steps(on: Any) -> None:
    """While sign-in shows, its steps are carried out; afterwards it is gone and the composer can be used."""

    @dataclass(frozen=True)
    class Account:
        email: str = "ann@example.org"
        password: str = "correct horse"

    async def work(surface: Surface, sink: FakeSink) -> None:
        assert await surface.sign_in_shown() and not await surface.composer_usable()
        act = await surface.sign_in(Account())
        assert (act.confirmed, act.why) == (True, "")
        await surface.settle()
        assert not await surface.sign_in_shown() and await surface.composer_usable()
        assert "Welcome, ann@example.org." in (await surface.read(1)).reply_text()

    form = {"role": "form", "name": "Sign in"}
    steps = [
        {"fill": {"label": "Email"}, "value": "${login.email}"},
        {"fill": {"label": "Password"}, "value": "${login.password}"},
        {"click": {"role": "button", "name": "Sign in"}},
        {"wait_for": {"css": "textarea:enabled"}},
    ]
    on("signin", work, sign_in={"shown": [form], "steps": steps})


def test_staff_pages_are_read_after_their_steps(on: Any) -> None:
    """Steps wait for the navigation they began, so that a list is never read from the page before; fields are visible text."""
    work_list = Locator(role="table", name="Work list")
    steps = [
        Step(goto="${base_url}/staff"),
        Step(fill=Locator(label="Staff name"), value="${env.RIG_STAFF_USER}"),
        Step(fill=Locator(label="Password"), value="pass"),
        Step(click=Locator(role="button", name="Sign in")),
        Step(wait_for=work_list),
        Step(fill=Locator(label="Search"), value="${case_ref}"),
        Step(press=Locator(label="Search"), key="Enter"),
        Step(wait_for=work_list),
    ]
    spec = ListSpec(
        rows=[Locator(css="tbody tr")],
        cells={
            "number": [Locator(css="td:nth-child(1)")],
            "level": [Locator(css="td:nth-child(2)")],
            "none": [Locator(css="td:nth-child(3)")],
        },
    )

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.run_steps(steps, {"env.RIG_STAFF_USER": "staff", "case_ref": "C-2"})
        assert await surface.read_list(spec) == [{"number": "C-2", "level": "Simple", "none": ""}]
        assert await surface.read_field([Locator(css="[data-field=level]")]) == "Urgent"
        assert await surface.read_field([Locator(css="[data-field=hidden]")]) is None
        assert "C-2 Simple" in await surface.visible_page_text()
        with pytest.raises(StepFailed, match=r"step 1 \(goto\): .* not among the adapter's origins"):
            await surface.run_steps([Step(goto="http://127.0.0.1:9/elsewhere")])

    on("staff", work, wait_ready=False)


def test_a_page_is_looked_at_through_an_adapter_or_whole(browser: Browser, run: Any, tmp_path: Path) -> None:
    """With an adapter the parts it names are printed, without one the whole page; an address that does not open is said."""

    async def work() -> None:
        async with serving() as base:
            path = tmp_path / "awkward.yaml"
            path.write_text(json.dumps(adapter_for(base).model_dump(exclude_none=True)), encoding="utf-8")
            seen = await look_in(browser, f"{base}/upload", str(path))
            assert seen["text"] == ["Hello. What happened?", "Add a photo 维修报价 No chooser"]
            assert [b["part"] for b in seen["blocks"]] == ["reply", "card"]
            whole = await look_in(browser, f"{base}/upload")
            assert whole["text"][0] == "Hello. What happened?" and "Your message Send" in whole["text"]
        with pytest.raises(SurfaceUnreachable, match="cannot be opened"):
            await look_in(browser, base)

    run(work())


def test_a_crash_is_told_from_silence(on: Any) -> None:
    """When the page's process dies the turn ends as crashed and the event is recorded."""

    async def work(surface: Surface, sink: FakeSink) -> None:
        await surface.send("hello")
        await surface.mark("reply")
        dying = asyncio.create_task(surface.page.goto("chrome://crash"))
        settled = await surface.settle()
        assert (settled.settled, settled.why) == (False, "crashed")
        assert surface.crashed and sink.happened("crash")
        with contextlib.suppress(Exception):
            await asyncio.wait_for(dying, 5)

    on("silent", work)


def test_reading_costs_the_same_however_long_the_talk(on: Any) -> None:
    """The newest turn of four hundred is read in about the time of the newest of six."""

    async def best(surface: Surface) -> float:
        times = []
        # Spread over a second, so that the quickest is one that nothing else on the machine held up.
        for _ in range(40):
            await asyncio.sleep(0.02)
            reading = await surface.world.call("read")
            assert next(b["text"] for b in reading["blocks"]).startswith("Reply ")
            times.append(reading["ms"])
        return float(min(times))

    costs: dict[str, float] = {}

    def measured(name: str) -> Work:
        async def work(surface: Surface, sink: FakeSink) -> None:
            costs[name] = await best(surface)

        return work

    on("many/6", measured("few"))
    on("many/400", measured("many"))
    assert costs["many"] < costs["few"] * 3 + 5
