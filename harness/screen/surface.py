"""Drives one page: reads it as a sighted person would and acts on it with trusted input.

Nothing here waits for a time. A page script (watch.js) reports the state that is waited for; every wait has a cap.

What the page does by itself is answered and recorded by page_events. The context must have been made with
`service_workers="block"`, or its network log is incomplete.
"""

import asyncio
import base64
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from harness.errors import EnvironmentFault, one_line
from harness.schema.screen import Block, Screen
from harness.screen.adapter import Adapter, ListSpec, Locator, Step, scripts
from harness.screen.errors import NoSuchControl, PageCrashed, StepFailed, SurfaceUnreachable
from harness.screen.hands import Hands, fold
from harness.screen.page_events import PageEvents, Sink
from harness.screen.reader import Found, closed_root_notes, make_screen
from harness.screen.steps import StepRunner
from harness.screen.world import ContextLost, World

Expects = Literal["reply", "change", "nothing"]
"""What ends a turn: a reply must come; something should change (else a grace time ends it); nothing need happen."""
UNMARKED_MS = 800
"""Stillness that ends a turn in which the busy mark never showed."""
NO_BUSY_MARK_MS = 3000
"""The same for a product without a busy mark: a stream may pause."""
OPENING_QUIET_MS = 120
OPENING_GRACE_MS = 300
"""How long a page without a greeting is given to show one."""
_KIND_ORDER = {
    "press": ("button", "link", "choice", "upload"),
    "fill": ("field", "choice", "composer"),
    "upload": ("upload", "button", "link"),
}


class Login(Protocol):
    """An account of the customer's, as a start ticket carries it."""

    @property
    def email(self) -> str:
        """Address to sign in with."""

    @property
    def password(self) -> str:
        """Its password."""


@dataclass(frozen=True)
class Limits:
    """Caps, in seconds unless the name says otherwise. They bound waits for states; none is ever simply waited out."""

    open_s: float = 30.0
    turn_timeout_s: float = 90.0
    nothing_ms: int = 5000
    """A press or upload that changes nothing for this long has done nothing."""
    control_s: float = 5.0
    """For a control that is shown to become usable."""
    confirm_s: float = 15.0
    """For the customer's own bubble to come."""
    idle_ms: int = 2500
    """Nothing happening for this long after a send means that it was lost."""
    upload_s: float = 60.0
    picture_s: float = 5.0
    pictures: int = 6
    step_s: float = 20.0


@dataclass(frozen=True)
class Mark:
    """Start of a turn. `at`: the page's clock, milliseconds since the epoch."""

    at: float
    expects: Expects
    mono: float
    fresh: bool = False
    """A page just opened: nobody has asked anything yet."""


@dataclass(frozen=True)
class Settled:
    """How a turn ended; the fields of harness.schema.events.ReplySettled."""

    settled: bool
    first_ms: float | None
    total_ms: float
    waited_ms: float
    why: str
    new_bubbles: int | None = None
    """Customer bubbles that came in this turn; None where a new document makes that unknown."""


@dataclass(frozen=True)
class ActResult:
    """What became of an act. `confirmed`: the page shows it."""

    confirmed: bool
    retries: int
    act_ms: float
    why: str = ""


class Surface:
    """One page of a product. Make it with `open`."""

    def __init__(self, page: Page, adapter: Adapter, sink: Sink, limits: Limits) -> None:
        self.page = page
        self.adapter = adapter
        self.sink = sink
        self.limits = limits
        self.events = PageEvents(page, sink, self._die)
        self.world = World(page, _config(adapter), self.events.navigated)
        self.hands = Hands(page, self.world, limits.control_s, limits.upload_s)
        self._told: list[Block] = []
        self._tail: list[Block] = []
        self._controls: list[Found] = []
        self._mark: Mark | None = None
        self._sign_in_shown: bool | None = None
        """Whether sign-in was shown when the turn ended; None since anything was done."""
        self._late: dict[Path, dict[str, Any]] = {}
        """Files that were handed over and not shown in time -> what stood on the screen before."""

    # ------------------------------------------------------------------ life

    @classmethod
    async def open(
        cls,
        context: BrowserContext,
        adapter: Adapter,
        start_url: str,
        sink: Sink,
        limits: Limits | None = None,
        wait_ready: bool = True,
        turn_timeout_s: float | None = None,
    ) -> "Surface":
        """A page at `start_url`, listened to from before its first request.

        Args:
            wait_ready: wait for the adapter's `ready` locator (customer pages); False for staff pages.
            turn_timeout_s: in place of the one of `limits`.

        Raises:
            SurfaceUnreachable: the page cannot be opened, or `ready` does not show in time.
        """
        page = await context.new_page()
        caps = limits or Limits()
        if turn_timeout_s is not None:
            caps = replace(caps, turn_timeout_s=turn_timeout_s)
        surface = cls(page, adapter, sink, caps)
        surface.events.listen()
        await surface.world.start()
        await surface.goto(start_url)
        if wait_ready:
            await surface._wait_ready()
            await surface.mark("change", fresh=True)
        return surface

    def _die(self) -> None:
        self.world.crash()

    async def close(self) -> None:
        """Ends pending downloads, then closes the page. Nothing is recorded afterwards."""
        await self.events.finish(self.limits.upload_s)
        with suppress(PlaywrightError):
            await self.page.close(run_before_unload=False)

    async def goto(self, url: str) -> None:
        """Opens an address and waits until its document has been parsed."""
        try:
            await self.page.goto(url, wait_until="domcontentloaded", timeout=self.limits.open_s * 1000)
        except PlaywrightError as exc:
            if "crash" in exc.message.lower():
                raise PageCrashed(f"{one_line(url, 120)} crashed the page") from exc
            raise SurfaceUnreachable(f"{one_line(url, 120)} cannot be opened: {one_line(exc.message, 160)}") from exc

    async def _wait_ready(self) -> None:
        ready = scripts(self.adapter.customer.ready)
        ms = int(self.limits.open_s * 1000)
        try:
            shown = await self.world.again("waitFor", ready, ms, False, timeout_s=self.limits.open_s + 5)
        except TimeoutError:
            shown = False
        if not shown:
            closed = await self._closed_roots_on_page()
            because = "; it may lie in a closed shadow root" if closed else ""
            raise SurfaceUnreachable(f"`customer.ready` of adapter {self.adapter.adapter} does not show{because}")

    async def _closed_roots_on_page(self) -> int:
        try:
            page = await self.world.again("readPage", timeout_s=10)
            return await self.world.closed_roots(page["suspects"])
        except (TimeoutError, ContextLost, EnvironmentFault):
            return 0

    # ------------------------------------------------------------------ the end of a turn

    async def mark(self, expects: Expects, fresh: bool = False) -> Mark:
        """Starts a turn now: `settle` compares with what the page shows at this moment.

        Args:
            fresh: everything on the page is new (a page just opened).
        """
        at = await self.world.again("rearm" if fresh else "arm", *([None] if fresh else []))
        return self._marked(at, expects, fresh)

    def _marked(self, at: float, expects: Expects, fresh: bool = False) -> Mark:
        self._sign_in_shown = None
        self._mark = Mark(at=at, expects=expects, mono=time.monotonic(), fresh=fresh)
        return self._mark

    async def settle(self, since: Mark | None = None, expect_change: bool = False) -> Settled:
        """Waits until the product has finished what the newest act (or `since`) began.

        Args:
            expect_change: nothing was done; wait for the product to do something by itself, at most `nothing_ms`.

        Finished: busy mark gone, composer usable (or a dialog, card or final state in its place), text still. The hard
        cap `turn_timeout_s` counts from the act; reaching it is `settled=False, why="cap"`.
        """
        if expect_change:
            since = await self.mark("change")
        mark = since or self._mark or await self.mark("nothing")
        began = time.monotonic()
        cap_ms = self.limits.turn_timeout_s * 1000
        customer = self.adapter.customer
        unmarked = int(customer.quiet_unmarked_ms or (UNMARKED_MS if customer.busy else NO_BUSY_MARK_MS))
        opening = int(customer.quiet_opening_ms or OPENING_QUIET_MS)
        options = {
            "expects": mark.expects,
            "quiet": int(customer.quiet_ms),
            "quietUnmarked": opening if mark.fresh else OPENING_QUIET_MS if mark.expects == "nothing" else unmarked,
            "grace": int(customer.quiet_opening_ms or OPENING_GRACE_MS) if mark.fresh else self.limits.nothing_ms,
            "loaded": mark.fresh,
            "cap": cap_ms,
        }
        navigated = False
        while True:
            left = mark.mono + self.limits.turn_timeout_s - time.monotonic()
            waited = (time.monotonic() - began) * 1000
            if left <= 0:
                return Settled(False, None, cap_ms, waited, "cap")
            try:
                if navigated:
                    await self.world.call("rearm", (time.monotonic() - mark.mono) * 1000, timeout_s=left)
                r = await self.world.call("settle", options, timeout_s=left + 1)
            except ContextLost:
                navigated = True
                options = {**options, "fromArm": True}
                continue
            except TimeoutError:
                return Settled(False, None, cap_ms, (time.monotonic() - began) * 1000, "cap")
            except PageCrashed:
                return Settled(False, None, (time.monotonic() - mark.mono) * 1000, waited, "crashed")
            if r["why"] == "superseded":
                continue
            if r["why"] == "unarmed":
                navigated = True
                options = {**options, "fromArm": True}
                continue
            self._sign_in_shown = r["signIn"]
            return Settled(
                settled=r["settled"],
                first_ms=r["first"],
                total_ms=r["total"],
                waited_ms=(time.monotonic() - began) * 1000,
                why="navigated" if navigated and r["settled"] else r["why"],
                new_bubbles=None if navigated else r["newBubbles"],
            )

    @property
    def crashed(self) -> bool:
        """The page's process has died."""
        return self.world.crashed

    # ------------------------------------------------------------------ reading

    async def read(self, seq: int) -> Screen:
        """The Screen now, confined to the adapter's parts; adds what is new to `transcript`."""
        return await self._screen_of(seq, await self.world.again("read", timeout_s=self.limits.open_s))

    async def look(self, seq: int) -> tuple[Screen, list[bytes], float]:
        """The Screen now, its pictures (see `picture`), and how many milliseconds the reading took.

        The first picture is taken while the page is read: both are of the settled page.
        """
        shot = asyncio.create_task(self._shots([None]))
        document = self.world.document
        began = time.monotonic()
        try:
            r = await self.world.again("readForPictures", self.limits.pictures, timeout_s=self.limits.open_s)
            read_ms = (time.monotonic() - began) * 1000
            screen = await self._screen_of(seq, r)
        finally:
            shots = await shot
        if r["scroll"]:
            shots = await self._scrolled(r["scroll"])
        elif self.world.document != document:  # the reading is of another document than the picture
            shots = await self._shots([None])
        return screen, shots, read_ms

    async def _screen_of(self, seq: int, r: dict[str, Any]) -> Screen:
        screen, self._controls = make_screen(seq, r, self.events.shown)
        self.events.shown = []
        screen = await closed_root_notes(self.world, r, screen)
        self._remember(r["items"])
        return screen

    @property
    def transcript(self) -> list[Block]:
        """All customer bubbles and replies seen, oldest first. What was followed by a bubble never changes again."""
        return [*self._told, *self._tail]

    def _remember(self, items: list[dict[str, str]]) -> None:
        """Adds what came since the last bubble of the reading before; replies after the newest bubble may still grow."""
        blocks = [Block.model_validate({"part": i["who"], "text": i["text"]}) for i in items]
        last = max((i for i, b in enumerate(blocks) if b.part == "customer"), default=-1)
        if last >= 0:
            told = blocks[: last + 1]
            if told[0].part == "customer":
                self._told += self._tail
            self._told += told
        self._tail = blocks[last + 1 :]

    async def read_page(self) -> Screen:
        """The whole page as one Screen, every block of part `page`; what lies in scrolling panes is read, too."""
        r = await self.world.again("readPage", timeout_s=self.limits.open_s)
        screen, self._controls = make_screen(0, r, [])
        return await closed_root_notes(self.world, r, screen)

    async def visible_page_text(self) -> str:
        """All visible text of the page, one line per visual block."""
        return "\n".join(b.text for b in (await self.read_page()).blocks)

    async def read_field(self, locators: list[Locator]) -> str | None:
        """Visible text of the first shown element the locators mean; None if there is none."""
        text: str | None = await self.world.again("field", scripts(locators))
        return text

    async def read_list(self, spec: ListSpec) -> list[dict[str, str]]:
        """Rows as {cell name: visible text}."""
        cells = {name: scripts(locators) for name, locators in spec.cells.items()}
        rows: list[dict[str, str]] = await self.world.again("rows", scripts(spec.rows), cells)
        return rows

    async def customer_bubbles(self) -> int:
        """How many bubbles of the customer the page shows."""
        return int(await self.world.again("count", scripts(self.adapter.customer.customer_bubble)))

    async def composer_usable(self) -> bool:
        """A message could be typed now."""
        return bool(await self.world.again("composerUsable"))

    async def shows(self, locators: list[Locator]) -> bool:
        """True if something the locators mean is on the screen."""
        return bool(await self.world.again("shows", scripts(locators)))

    async def picture(self) -> list[bytes]:
        """PNG pictures of the viewport; several where the newest reply is longer than its scrolling pane.

        A picture that does not come in time is a `capture_failed` event; the list then has fewer (or no) pictures.
        """
        try:
            plan = await self.world.call("scrollSteps", self.limits.pictures, timeout_s=self.limits.picture_s)
        except (TimeoutError, ContextLost, RuntimeError):
            plan = None
        return await self._scrolled(plan) if plan else await self._shots([None])

    async def _scrolled(self, plan: dict[str, Any]) -> list[bytes]:
        shots = await self._shots(plan["steps"])
        with suppress(TimeoutError, ContextLost):
            await self.world.call("scrollTo", plan["now"], timeout_s=self.limits.picture_s)
        return shots

    async def _shots(self, offsets: list[float | None]) -> list[bytes]:
        shots: list[bytes] = []
        for y in offsets:
            try:
                if y is not None:
                    await self.world.call("scrollTo", y, timeout_s=self.limits.picture_s)
                shot = await asyncio.wait_for(
                    self.world.session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True}),
                    self.limits.picture_s,
                )
            except (TimeoutError, ContextLost, PlaywrightError, PageCrashed) as exc:
                why = "no picture in time" if isinstance(exc, TimeoutError) else one_line(str(exc) or "document gone")
                self.sink.emit("capture_failed", what="screenshot", why=why)
                break
            shots.append(base64.b64decode(shot["data"]))
        return shots

    # ------------------------------------------------------------------ acting

    async def send(self, text: str) -> ActResult:
        """Types a message, reads it back, sends it and finds it as exactly one new bubble of the customer.

        A message is typed again at most once, and only if the page shows that the first was lost (wiped by the page,
        still in the composer with nothing happening, or gone from it with nothing happening for long).
        """
        started = time.monotonic()
        retries = 0
        why = ""
        while True:
            point, wrong = await self._type_message(text)
            if wrong:
                return _result(False, retries, started, wrong)
            r = await self._press_send(point, text)
            if "failed" in r:
                return _result(False, retries, started, r["failed"])
            if r["seen"]:
                return _result(r["seen"] == 1 and r["right"], retries, started, _bubbles(r))
            why = f"{r['why']}: no bubble of the customer came"
            if retries or r["why"] == "nothing":
                if self._mark is not None:
                    self._mark = replace(self._mark, expects="change")  # a message that did not arrive gets no reply
                return _result(False, retries, started, why)
            retries += 1

    async def _confirm(self, text: str, pressed: bool) -> dict[str, Any]:
        ms = int(self.limits.confirm_s * 1000)
        wait = self.limits.confirm_s + 5
        try:
            r = await self.world.call("confirmSent", text, ms, self.limits.idle_ms, pressed, timeout_s=wait)
            if r is None:
                raise ContextLost
        except ContextLost:
            squeezed = "".join(text.split())
            with suppress(TimeoutError):
                if await self.world.again("textShown", text, ms, timeout_s=self.limits.confirm_s + 5):
                    return {"seen": 1, "right": True, "text": squeezed}
            return {"seen": 0, "why": "nothing"}
        except TimeoutError:
            return {"seen": 0, "why": "nothing"}
        return dict(r)

    async def _type_message(self, text: str) -> tuple[dict[str, Any] | None, str]:
        """Leaves exactly `text` in the composer and starts the turn; (where to press to send it, what went wrong)."""
        ms = int(self.limits.control_s * 1000)
        button = self.adapter.customer.send.button
        send = None if self.adapter.customer.send.key is not None else scripts(button or [])
        for attempt in range(2):
            at = await self.hands.point("composerPoint", ms)
            if "x" not in at:
                return None, f"composer: {at['why']}"
            if not at["focused"] and (why := await self.hands.click(at)):
                return None, f"composer: {why}"
            if at["text"]:
                await self.hands.clear()
            lines = at["multiline"] and not (at["rich"] and attempt)  # a box that loses line breaks gets spaces
            typed, _ = await asyncio.gather(  # asked while it is typed; the page answers when the text stands there
                self.world.again("typed", text, 1000, send, ms),
                self.hands.insert(text if lines else " ".join(text.split("\n")), at["rich"]),
            )
            if typed is None:  # a long text, or a slow machine: asked again now that all of it is typed
                typed = await self.world.again("typed", text, 1000, send, ms)
            if typed is not None:
                self._marked(typed["at"], "reply")
                return typed["point"], ""
            if attempt == 0:
                self.events.event("reader_lost", "the composer does not hold what was typed; typed again", "recorded")
        return None, "the composer does not keep what is typed"

    async def _press_send(self, point: dict[str, Any] | None, text: str) -> dict[str, Any]:
        """Sends what was typed; {failed: why}, or what `confirmSent` saw.

        A press that reached nothing at all is made once more; one that met something else is not.
        """
        key = self.adapter.customer.send.key
        if key is not None:
            await self.page.keyboard.press(key)
            return await self._confirm(text, pressed=False)
        if point is None or "x" not in point:
            return {"failed": f"send button: {point['why'] if point else 'not there'}"}
        for _ in range(2):
            pressing = asyncio.ensure_future(self.hands.press_once(point))
            r = await self._confirm(text, pressed=True)
            await pressing
            if r.get("landed", True) is None and await self.world.again("landed") is not None:
                r = await self._confirm(text, pressed=True)  # the press came late, but it came
            if "landed" not in r:
                return r
            if r["landed"] is False:
                return {"failed": "send button: the press met something else"}
        return {"failed": "send button: the page got no press"}

    async def press(self, name: str) -> ActResult:
        """Presses the button, link or option of this visible name."""
        started = time.monotonic()
        found = await self._find(name, "press")
        await self.mark("change")
        why = await self.hands.click_handle(found.handle)
        return _result(not why, 0, started, why)

    async def fill(self, name: str, value: str) -> ActResult:
        """Types into a field, or chooses what is named `value`; confirmed when the control shows it."""
        started = time.monotonic()
        found = await self._find(name, "fill")
        await self.mark("nothing")
        why = await self.hands.fill(found, value)
        retries = 0
        if why == "not kept":
            retries = 1
            why = await self.hands.fill(found, value)
        return _result(not why, retries, started, why)

    async def upload(self, path: Path, control_name: str | None = None) -> ActResult:
        """Hands a file to the page through the file chooser that a visible control opens.

        Confirmed when `upload_confirmed` has one more element than before, or, in a list that lets go of old rows, another
        last one (without that locator: when the file's name is on the screen). A file that the page did not show in time is
        looked for first when it is to be uploaded again; if it has come meanwhile, it is not handed over a second time.
        """
        started = time.monotonic()
        late = self._late.pop(path, None)
        if late is not None and await self._file_shown(path, late, 0):
            await self.mark("nothing")
            return _result(True, 0, started, "")
        get = await self._upload_point(control_name)
        before = await self.world.again("lastOf", scripts(self.adapter.customer.upload_confirmed or []))
        await self.mark("change")
        why = await self.hands.choose_file(path, get)
        if why:
            return _result(False, 0, started, why)
        if self.adapter.customer.upload_submit:
            submit = scripts(self.adapter.customer.upload_submit)
            if why := await self.hands.press_at("pressPoint", submit, self.limits.control_s):
                return _result(False, 0, started, f"upload_submit: {why}")
        if await self._file_shown(path, before, int(self.limits.upload_s * 1000)):
            return _result(True, 0, started, "")
        self._late[path] = before
        return _result(False, 0, started, "the page does not show the file")

    async def _file_shown(self, path: Path, before: dict[str, Any], ms: int) -> bool:
        """The page shows one file more than `before`, within `ms`."""
        confirmed_by = self.adapter.customer.upload_confirmed
        call = ("another", scripts(confirmed_by), before) if confirmed_by else ("textShown",)
        try:
            return bool(await self.world.again(*call, path.name, ms, timeout_s=ms / 1000 + 5))
        except TimeoutError:
            return False

    async def _upload_point(self, control_name: str | None) -> tuple[str, Any]:
        if control_name:
            return "handlePoint", (await self._find(control_name, "upload")).handle
        uploads = [f for f in self._controls if f.control.kind == "upload" and f.control.enabled]
        if len(uploads) == 1:
            return "handlePoint", uploads[0].handle
        if self.adapter.customer.upload:
            return "pressPoint", scripts(self.adapter.customer.upload)
        names = [f.control.name for f in uploads]
        raise NoSuchControl("upload", names or [f.control.name for f in self._controls], ambiguous=len(uploads) > 1)

    async def sign_in_shown(self) -> bool:
        """The product asks the customer to sign in now."""
        sign_in = self.adapter.customer.sign_in
        if sign_in is None:
            return False
        return await self.shows(sign_in.shown) if self._sign_in_shown is None else self._sign_in_shown

    async def sign_in(self, login: Login) -> ActResult:
        """Carries out the adapter's sign-in steps; confirmed when sign-in is no longer shown."""
        started = time.monotonic()
        sign_in = self.adapter.customer.sign_in
        if sign_in is None:
            return _result(False, 0, started, "the adapter has no sign_in")
        await self.mark("change")
        values = {"login.email": login.email, "login.password": login.password}
        try:
            await self.run_steps(sign_in.steps, values)
        except StepFailed as exc:
            return _result(False, 0, started, str(exc))
        await self.settle()
        shown = await self.sign_in_shown()
        return _result(not shown, 0, started, "sign-in is still shown" if shown else "")

    async def run_steps(self, steps: list[Step], values: Mapping[str, str] | None = None) -> None:
        """Carries out steps one after the other, each waiting for what it needs.

        Args:
            values: for `${…}`; `base_url` is added.

        Raises:
            StepFailed: names the step and what was missing.
        """
        caps = self.limits
        runner = StepRunner(self.adapter, self.world, self.hands, self.goto, caps.step_s)
        await runner.run(steps, {"base_url": self.adapter.base_url, **(values or {})})

    async def _find(self, name: str, verb: str) -> Found:
        """The control of this visible name: letter by letter first, then with case and white space folded."""
        for look_again in (True, False):
            found = self._match(name, verb)
            if found is not None:
                return found
            if look_again:
                r = await self.world.again("read", timeout_s=self.limits.open_s)
                _, self._controls = make_screen(0, r, [])
        raise NoSuchControl(name, [f.control.name for f in self._controls])

    def _match(self, name: str, verb: str) -> Found | None:
        for same in (lambda n: n == name, lambda n: fold(n) == fold(name)):
            named = [f for f in self._controls if same(f.control.name)]
            for kinds in (_KIND_ORDER[verb], None):
                fit = [f for f in named if kinds is None or f.control.kind in kinds]
                usable = [f for f in fit if f.control.enabled] or fit
                if len(usable) == 1:
                    return usable[0]
                if usable:
                    raise NoSuchControl(name, [f"{f.control.name} ({f.control.part})" for f in usable], ambiguous=True)
        return None


# ---------------------------------------------------------------------- plain functions


def _result(confirmed: bool, retries: int, started: float, why: str) -> ActResult:
    return ActResult(confirmed, retries, (time.monotonic() - started) * 1000, "" if confirmed else why)


def _bubbles(r: Mapping[str, Any]) -> str:
    if r["seen"] != 1:
        return f"{r['seen']} new bubbles of the customer instead of one"
    return f"the customer's bubble reads {one_line(r['text'], 120)!r}"


def _config(adapter: Adapter) -> dict[str, Any]:
    """The adapter's locators as plain data for the page scripts."""
    c = adapter.customer
    parts = (
        "transcript", "customer_bubble", "reply", "tag", "busy", "panel", "todo", "card", "dialog", "notice", "final",
        "composer", "controls", "upload",
    )  # fmt: skip
    config: dict[str, Any] = {p: scripts(getattr(c, p)) for p in parts if getattr(c, p) is not None}
    config["send_button"] = scripts(c.send.button or [])
    config["newest_first"] = c.newest_first == "true"
    if c.sign_in is not None:
        config["sign_in"] = scripts(c.sign_in.shown)
    return config
