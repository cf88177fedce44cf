"""A worker: one browser, one journey at a time, sealed. It sees the staged view and the screen, and speaks to the gate."""

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import BrowserContext, async_playwright
from playwright.async_api import Error as PlaywrightError

import harness
from harness.customer import guard
from harness.customer.conduct import Conduct
from harness.customer.guard import upload_control
from harness.customer.ledger import ClaimLedger
from harness.customer.person import PausingPlayer, PersonPlayer
from harness.customer.players import ModelPlayer, Player, RulePlayer, ScriptedPlayer
from harness.customer.replayed import ReplayedConduct
from harness.errors import (
    DirtyEnvironment,
    EnvironmentFault,
    GateClosed,
    ProductFault,
    SimulatorFault,
    one_line,
)
from harness.netlog import NetLog
from harness.record import Recorder, Redactor, disk_fault
from harness.schema.events import NOT_COUNTING, TerminationReason
from harness.schema.move import Move, say
from harness.schema.order import (
    TO_WORKER,
    Done,
    Failed,
    JourneyOrder,
    ModelReply,
    ModelRequest,
    PersonReply,
    PersonRequest,
    Ready,
    Start,
    line_of,
)
from harness.schema.screen import Screen
from harness.schema.strict_json import read_model
from harness.schema.visible import CustomerView, OpeningMessage
from harness.schema.wording import asked, button_kind
from harness.screen.adapter import Adapter
from harness.screen.errors import NoSuchControl, PageCrashed
from harness.screen.liveness import Pulse
from harness.screen.registry import surface_class
from harness.screen.surface import ActResult, Surface
from harness.seal import Seal, SealBroken, code_folders, install

MAX_UNCONFIRMED = 3
"""Acts in a row that the page does not show: then the product is broken."""
MAX_WAITS = 3
HARD_S = 60.0
"""Beyond the journey's time, for the turn that was under way."""
CLOSE_S = 90.0
"""For a context to close, with what is still being downloaded."""
PERSON_TRIES = 1000
ORPHANED = 4
"""Exit code of a worker whose parent went away."""


class Pipe:
    """JSON lines over the process's own stdin and stdout; prints of libraries go to stderr."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        self.model_s = 0.0
        self._asking_since: float | None = None

        stream = os.fdopen(os.dup(0), "rb")  # sys.stdin is closed at the end, and must not be in use then

        def read() -> None:
            for line in stream:
                loop.call_soon_threadsafe(self._queue.put_nowait, line)
            # The parent is gone: the next one takes the attempt for aborted, so nothing more may be written to it. The
            # browser ends by itself, when the pipe to its driver closes.
            os._exit(ORPHANED)

        threading.Thread(target=read, daemon=True).start()

    def send(self, message: Any) -> None:
        """One message to the parent."""
        self._out.write(line_of(message))

    async def receive(self) -> Any:
        """The next message. A closed pipe ends the process at once, so that a worker never outlives its parent."""
        return TO_WORKER.validate_json(await self._queue.get())

    def waited_for_model_s(self) -> float:
        """Seconds this journey has waited for the customer's model, a call under way included."""
        return self.model_s + (time.monotonic() - self._asking_since if self._asking_since is not None else 0.0)

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], screen: int, note: str | None
    ) -> ModelReply:
        """A request to the customer's model, through the gate."""
        reply = await self._asked(ModelRequest(messages=messages, schema=schema, screen=screen, note=note))
        if not isinstance(reply, ModelReply):
            raise EnvironmentFault("the parent went away during a model call")
        return reply

    async def ask_person(self, request: PersonRequest) -> PersonReply:
        """A person's move, through the parent; the time they take is no more the product's than a model's."""
        reply = await self._asked(request)
        if not isinstance(reply, PersonReply):
            raise EnvironmentFault("the parent went away while a person was asked")
        return reply

    async def _asked(self, request: ModelRequest | PersonRequest) -> Any:
        self.send(request)
        self._asking_since = time.monotonic()
        reply = await self.receive()
        self.model_s, self._asking_since = self.waited_for_model_s(), None
        return reply


@dataclass
class Ending:
    """How a journey ended."""

    reason: TerminationReason
    why: str
    final: str | None = None


@dataclass
class Journey:
    """One journey: read the screen, ask the customer, act, record.

    Attributes:
        surface: the page, opened at the start address.
        conduct: who decides, checked.
        record: where it goes.
    """

    surface: Surface
    conduct: Conduct
    record: Recorder
    order: JourneyOrder
    model_s: Callable[[], float]
    """How long the journey has waited for the customer's model so far."""
    counts: dict[str, int] = field(default_factory=dict)
    _seq: int = 0
    _unconfirmed: int = 0
    _waits: int = 0

    def _count(self, what: str, by: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + by

    async def run(self) -> Ending:
        """Play until the screen shows a final state, or something else ends it."""
        if await self.surface.customer_bubbles() > 0:
            raise DirtyEnvironment("the start page already shows a conversation")
        view = self.conduct.ledger.view
        await self._settle()
        await self._look()
        if any(block.part == "customer" for block in self.surface.transcript):
            raise DirtyEnvironment("the start page shows a conversation soon after it has opened")
        self.record.turn = 1
        started = time.monotonic()
        await self._open(view)
        while True:
            await self._settle()
            if self.order.ticket.login is not None and await self.surface.sign_in_shown():
                await self._sign_in()
                continue
            screen = await self._look()
            if screen.final is not None:
                return Ending("completed", "the screen shows a final state", screen.final)
            if self.surface.crashed:
                raise PageCrashed("the page crashed")
            if self.record.turn >= self.order.limits.turn_limit:
                return Ending("turn_limit", f"{self.record.turn} turns without a final state")
            if time.monotonic() - started > self.order.limits.journey_timeout_s:
                return _out_of_time(
                    f"no final state after {self.order.limits.journey_timeout_s:g} s",
                    self.model_s(),
                    time.monotonic() - started,
                )
            ending = await self._move(screen)
            if ending is not None:
                return ending

    async def _open(self, view: CustomerView) -> None:
        """The first message, or all of several and their files, before any reply is waited for."""
        for message in view.opening or [OpeningMessage(text=view.initial_message)]:
            if message.file is not None:
                await self._hand_over(message.file, "opening")
            if message.text is not None:
                arrived = await self._act("said", message.text, partial(self.surface.send, message.text))
                if arrived or not self.conduct.ledger.messages:
                    self.conduct.took_opening(message.text)

    async def _look(self) -> Screen:
        self._seq += 1
        screen, shots, read_ms = await self.surface.look(self._seq)
        pictures = [self.record.picture(data) for data in shots]
        self.record.emit("screen", screen=screen.model_dump(), pictures=pictures, read_ms=round(read_ms, 1))
        return screen

    async def _settle(self, expect_change: bool = False) -> None:
        got = await self.surface.settle(expect_change=expect_change)
        if not got.settled:
            self._count("unsettled_turns")
        self.record.emit(
            "reply",
            settled=got.settled,
            first_ms=got.first_ms,
            total_ms=got.total_ms,
            waited_ms=got.waited_ms,
            why=got.why,
        )

    async def _act(
        self, act: str, text: str, do: Callable[[], Any], file: str | None = None, sha256: str | None = None
    ) -> bool:
        if self.order.limits.slow_ms:
            await asyncio.sleep(self.order.limits.slow_ms / 1000)
        try:
            result = await do()
        except NoSuchControl as exc:  # the page changed since it was read; the next screen shows how
            result = ActResult(False, 0, 0.0, str(exc))
        self._count("retries", result.retries)
        self.record.emit(
            "acted",
            act=act,
            text=text,
            file=file,
            sha256=sha256,
            confirmed=result.confirmed,
            retries=result.retries,
            act_ms=round(result.act_ms, 1),
        )
        if result.confirmed:
            self._unconfirmed = 0
            if act == "said":
                self._count("messages_sent")
        else:
            self._unconfirmed += 1
            if self._unconfirmed >= MAX_UNCONFIRMED:
                raise ProductFault(f"the page does not take what the customer does: {result.why}")
        return bool(result.confirmed)

    async def _sign_in(self) -> None:
        login = self.order.ticket.login
        if login is None:
            return
        if self.counts.get("sign_ins", 0) >= 3:
            raise ProductFault("the page asks to sign in again and again")
        self._count("sign_ins")
        self.record.turn += 1
        await self._act("signed_in", login.email, lambda: self.surface.sign_in(login))

    async def _move(self, screen: Screen) -> Ending | None:
        before = time.monotonic()
        decided = await self.conduct.decide(screen)
        decide_ms = round((time.monotonic() - before) * 1000, 1)
        if decided is None:
            return Ending("nothing_to_do", "two replies in a row left the customer nothing to do")
        move, by, call = decided
        self._count("moves")
        self.record.emit("move", move=move.model_dump(), by=by, call=call, decide_ms=decide_ms)
        if move.move == "leave":
            return Ending("customer_left", "the customer gave up")
        if move.move == "wait":
            self._waits += 1
            if self._waits > MAX_WAITS:
                return Ending("customer_left", f"waited {MAX_WAITS} times and nothing came")
            self.record.emit("acted", act="waited", text="", confirmed=True, act_ms=0.0)
            await self._settle(expect_change=True)
            return None
        self._waits = 0
        self.record.turn += 1
        await self._carry_out(move, screen)
        return None

    async def _put_wish(self, screen: Screen) -> None:
        """A wish whose time has come is put in the author's words, after the customer's own message."""
        wish = self.conduct.ledger.wish_due()
        if wish is None:
            return
        if not await self.surface.composer_usable():
            await self._settle()
        if not await self.surface.composer_usable():
            return
        self.record.emit("move", move=say(wish.say).model_dump(), by="wish", call=None, decide_ms=0.0)
        await self._say(wish.say, screen)

    async def _say(self, message: str, screen: Screen) -> None:
        """One message; the file of a wish goes right before the words."""
        wish = self.conduct.ledger.wish_due()
        if wish is not None and wish.file is not None and wish.say == message:
            await self._hand_over(wish.file, "wish")
        if await self._act("said", message, lambda: self.surface.send(message)):
            self.conduct.took_message(message, screen)

    async def _hand_over(
        self, name: str, how: Literal["opening", "answer", "wish"], control: str | None = None
    ) -> None:
        """A file of the customer's goes to the product."""
        file = self.conduct.ledger.file_called(name)
        if file is None:
            raise SimulatorFault(f"no file called {name}")
        path = Path(self.order.staging_dir) / "materials" / file.file
        digest = sha256(path.read_bytes()).hexdigest()
        if await self._act(
            "uploaded", file.label, lambda: self.surface.upload(path, control), file=file.file, sha256=digest
        ):
            self._count("uploads")
            self.conduct.took_file(file.file, how)

    async def _carry_out(self, move: Move, screen: Screen) -> None:
        if move.move == "say":
            for number, message in enumerate(move.messages):
                if number and not await self.surface.composer_usable():
                    await self._settle()
                await self._say(message, screen)
            if not self.conduct.just_led:
                await self._put_wish(screen)
        elif move.move == "press":
            if await self._act("pressed", move.control, lambda: self.surface.press(move.control)):
                in_dialog = any(c.name == move.control and c.part == "dialog" for c in screen.controls)
                if in_dialog and button_kind(move.control) == "yes":
                    self.conduct.took_yes()
        elif move.move == "fill":
            await self._act(
                "filled", f"{move.control} = {move.value}", lambda: self.surface.fill(move.control, move.value)
            )
        elif move.move == "upload":
            await self._hand_over(move.file, "answer", upload_control(move, self.conduct.ledger, screen))


def _out_of_time(why: str, model_s: float, all_s: float) -> Ending:
    """A journey's time is over: the product's doing only if it, not the customer's model, took most of it."""
    if model_s > all_s / 2:
        return Ending("environment_error", f"{why}; the customer's model took {model_s:.0f} of {all_s:.0f} s")
    return Ending("time_limit", why)


def make_player(order: JourneyOrder, pipe: Pipe) -> Player:
    """Whoever plays the customer of this order, where it is no person."""
    if order.customer == "rule":
        return RulePlayer()
    if order.customer in ("scripted", "replayed"):
        return ScriptedPlayer(order.script or [])
    return ModelPlayer(pipe, order.customer)


def make_conduct(order: JourneyOrder, pipe: Pipe, view: CustomerView, record: Recorder) -> Conduct:
    """The customer of this order: a person, or a player, with whom a person may take a turn, and who may begin by a replay."""
    ledger, tries = ClaimLedger(view), order.limits.move_tries
    player: Player
    if order.customer == "person":  # what people say is recorded, not corrected; what cannot be done is asked for again
        player, tries, check = PersonPlayer(pipe, lambda: record.turn), PERSON_TRIES, guard.possible
    else:
        player, tries, check = make_player(order, pipe), (tries if order.customer != "rule" else 1), guard.check
    if order.pause_at is not None:
        player, tries = PausingPlayer(player, pipe, lambda: record.turn, order.pause_at), order.limits.move_tries
    limit = order.limits.stand_in_limit
    if order.replay is None:
        return Conduct(player, ledger, record, tries, limit, check)
    moves, goes_on = list(order.replay.moves), order.replay.goes_on
    return ReplayedConduct(player, ledger, record, tries, limit, check, moves=moves, goes_on=goes_on)


async def journey(order: JourneyOrder, pipe: Pipe, sandbox: bool, pulse: Pulse) -> Done:
    """Carry out one order in a fresh context; whatever happens, the record ends with `journey_ended`.

    An ending that would count against the product stands only if the worker's own browser still lives (see Pulse.fault).
    """
    pulse.begin()
    login = order.ticket.login
    record = Recorder(Path(order.attempt_dir), Redactor({"login_password": login.password} if login else {}))
    view = read_model(CustomerView, Path(order.staging_dir) / "view.json")
    conduct = make_conduct(order, pipe, view, record)
    counts: dict[str, int] = {}
    record.emit(
        "journey_started",
        url=order.ticket.start_url,
        customer=order.customer,
        browser=pulse.browser.version,
        sandbox=sandbox,
        rng_seed=order.rng_seed,
    )
    stage = _Context(pulse, order, record)
    try:
        ending = await _play(stage, conduct, counts, pipe)
    finally:
        await stage.close(counts)
    if ending.reason in ("product_error", "time_limit", "turn_limit", "nothing_to_do", "customer_left"):
        why = await pulse.fault(stage.crashed)
        if why is not None:
            ending = Ending("environment_error", f"{why}; {ending.reason}: {ending.why}")
    if record.broken is not None:
        raise record.broken
    ending = _by_the_customer(ending, conduct.spoilt())
    record.emit("journey_ended", reason=ending.reason, why=one_line(ending.why, 1000), final=ending.final)
    counts |= {
        "rejected_moves": conduct.rejected,
        "stand_ins": conduct.stand_ins,
        "turns": record.turn,
        "capture_failed": record.event_counts.get("capture_failed", 0),
    }
    record.close()
    return Done(
        reason=ending.reason,
        why=one_line(ending.why, 1000),
        final=ending.final,
        slips=conduct.slips or {},
        counts=counts,
    )


def _by_the_customer(ending: Ending, why: str | None) -> Ending:
    """An ending that would count becomes the simulator's, if the customer has spoilt the journey; what it was is told."""
    if why is None or ending.reason in NOT_COUNTING:
        return ending
    return Ending("simulator_error", f"{why}; {ending.reason}: {ending.why}", ending.final)


async def _play(stage: "_Context", conduct: Conduct, counts: dict[str, int], pipe: Pipe) -> Ending:
    """From the empty context to the ending; every way to end is told apart, nothing is swallowed."""
    order = stage.order
    pipe.model_s, started = 0.0, time.monotonic()

    async def play() -> Ending:
        surface = await stage.open()
        one = Journey(surface, conduct, stage.record, order, pipe.waited_for_model_s)
        try:
            return await one.run()
        finally:
            counts.update(one.counts)

    try:
        async with asyncio.timeout(order.limits.journey_timeout_s + HARD_S) as hard:
            return await stage.pulse.unless_dead(play())
    except Exception as exc:  # noqa: BLE001 - told apart in _ending_of
        if hard.expired():
            why = "the journey's hard time limit"
            return _out_of_time(why, pipe.waited_for_model_s(), time.monotonic() - started)
        return _ending_of(PageCrashed("the page crashed") if stage.crashed_by(exc) else exc)


class _Context:
    """The browser context of one journey. What closing it costs or fails at changes no ending."""

    def __init__(self, pulse: Pulse, order: JourneyOrder, record: Recorder) -> None:
        self.pulse = pulse
        self.order = order
        self.record = record
        self.adapter = Adapter.model_validate(order.adapter)
        self.network = NetLog(record, self.adapter.allowed, self.adapter.browser_origins)
        self.surface: Surface | None = None
        self.crashed = False
        """The journey ended because the process of its page had ended."""
        self._context: BrowserContext | None = None

    def crashed_by(self, exc: Exception) -> bool:
        """Whether the error is the page's crash, by whatever command it was first met; remembered as `crashed`."""
        if isinstance(exc, PlaywrightError):
            self.crashed = "crash" in exc.message.lower() or (self.surface is not None and self.surface.crashed)
        else:
            self.crashed = isinstance(exc, PageCrashed)
        return self.crashed

    async def open(self) -> Surface:
        """A fresh context with the start page in it."""
        order = self.order
        self._context = await self.pulse.browser.new_context(
            viewport={"width": order.viewport[0], "height": order.viewport[1]},
            service_workers="block",
            locale="en-GB",
            timezone_id="UTC",
            accept_downloads=True,
        )
        await self.network.attach(self._context)
        if order.trace_file is not None:
            await self._context.tracing.start(screenshots=True, snapshots=True)
        self.surface = await surface_class(self.adapter.surface).open(
            self._context,
            self.adapter,
            order.ticket.start_url,
            self.record,
            turn_timeout_s=order.limits.turn_timeout_s,
        )
        await self.pulse.watch(self.surface.page)
        await self.pulse.opened()
        return self.surface

    async def close(self, counts: dict[str, int]) -> None:
        """Downloads and bodies under way are waited for, then the context is closed; bounded by CLOSE_S."""
        if self._context is None:
            return
        try:
            async with asyncio.timeout(CLOSE_S):
                await self.network.drain()  # while the page is there to be asked
                await self._keep_trace()
                if self.surface is not None:
                    with contextlib.suppress(PlaywrightError):
                        await self.surface.close()
                await self.network.drain()
                await self._context.close()
        except PlaywrightError:
            pass
        except TimeoutError:
            counts["page_not_closed"] = 1  # the parent gives the next journey another worker
            self.record.emit("capture_failed", what="network", why="the page did not close in time")
        finally:
            counts["blocked_requests"] = self.network.blocked

    async def _keep_trace(self) -> None:
        """Playwright's trace goes where the parent takes it from; one that does not come is said in the record."""
        if self.order.trace_file is None or self._context is None:
            return
        try:
            await self._context.tracing.stop(path=self.order.trace_file)
        except PlaywrightError as exc:
            self.record.emit("capture_failed", what="trace", why=one_line(exc.message, 300))


def _ending_of(exc: Exception) -> Ending:
    if isinstance(exc, SimulatorFault):
        return Ending("simulator_error", str(exc))
    if isinstance(exc, GateClosed):
        return Ending("rig_error", str(exc))
    if isinstance(exc, ProductFault):
        return Ending("product_error", str(exc))
    if isinstance(exc, EnvironmentFault):
        return Ending("environment_error", str(exc))
    if isinstance(exc, TimeoutError):
        return Ending("product_error", "the page does not answer")
    if isinstance(exc, SealBroken):
        return Ending("rig_error", f"sealed: {exc}")
    if isinstance(exc, PlaywrightError):
        return Ending("environment_error", f"browser: {str(exc).splitlines()[0]}")
    return Ending("rig_error", f"{type(exc).__name__}: {exc}")


async def main() -> None:
    """Start the browser, seal the process, then carry out orders until the pipe closes."""
    pipe = Pipe()
    start = await pipe.receive()
    if not isinstance(start, Start):
        return
    seal = Seal(on_broken=lambda what: print(f"seal: refused {what}", file=sys.stderr))  # noqa: T201
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(
                executable_path=start.browser_path,
                args=start.browser_args,
                headless=not start.headed,
                chromium_sandbox=start.sandbox,
            )
            pulse = await Pulse.of(browser)
        except PlaywrightError as exc:
            pipe.send(Failed(why=one_line(f"the browser does not start: {exc}")))
            return
        package, root = Path(harness.__file__).parent, Path(start.staging_root)
        readable = (*code_folders(), package)
        sys.path = [p for p in sys.path if p and any(p.startswith(str(r)) for r in readable)]
        seal.read, seal.forbidden = (
            readable,
            (package / "devstack", package.parent / "oracle_scoring", *map(Path, start.forbidden)),
        )
        asked("?")  # reads the lexicon, before a journey's time runs
        install(seal)
        pipe.send(Ready(browser=browser.version, sandbox=start.sandbox))
        while isinstance(order := await pipe.receive(), JourneyOrder):
            staging, attempt = Path(order.staging_dir), Path(order.attempt_dir)
            seal.read, seal.write, seal.broken = (*readable, root, staging), (root, attempt), []
            try:
                done = await journey(order, pipe, start.sandbox, pulse)
            except OSError as exc:
                if not disk_fault(exc):
                    raise
                pipe.send(Failed(why=f"the record cannot be written: {exc.strerror}"))
                break
            if seal.broken and done.reason != "rig_error":
                done = done.model_copy(update={"reason": "rig_error", "why": one_line(f"sealed: {seal.broken[0]}")})
            pipe.send(done)
        with contextlib.suppress(PlaywrightError):
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
