"""The claims service: customers, turns and uploads on top of engine and stores. One process, one lock per case."""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool

from harness.devstack import accounts
from harness.devstack.claims import defects
from harness.devstack.claims.case import Case, Customer, Entry, TurnRecord, Upload
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.documents import read_document, sniff
from harness.devstack.claims.engine import Emit, Engine
from harness.devstack.claims.runtime import Runtime
from harness.devstack.config import MESSAGE_LIMIT, UPLOAD_LIMIT
from harness.devstack.stores import Conflict, Database, Files, StoreFault

log = logging.getLogger("claims")


class Rejected(Exception):
    """The customer asked for something that cannot be done; the message is for the customer."""


@dataclass(frozen=True)
class Bubble:
    """A new bubble of the customer's."""

    entry: Entry


@dataclass(frozen=True)
class Piece:
    """A piece of the reply."""

    text: str


@dataclass(frozen=True)
class Done:
    """The turn is over and stored."""

    case: Case
    customer: Customer
    record: TurnRecord


@dataclass(frozen=True)
class Failed:
    """The turn did not work out; the message is for the customer."""

    message: str


Event = Bubble | Piece | Done | Failed
Act = Callable[[Case, Customer, Emit], Awaitable[TurnRecord]]


class Claims:
    """What the web pages call."""

    def __init__(self, db: Database, files: Files, runtime: Runtime) -> None:
        self.db = db
        self.files = files
        self.runtime = runtime
        self.engine = Engine(runtime, self._number)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()

    async def _number(self) -> str:
        return await run_in_threadpool(self.db.next_number, datetime.now(UTC).year)

    # -- who ----------------------------------------------------------------------------------------------------

    async def start(self, link: str) -> str | None:
        """The session of a start link, once; None for an unknown or used one."""
        session = secrets.token_urlsafe(32)
        return session if await run_in_threadpool(self.db.use_start, link, session) else None

    async def walk_in(self) -> str:
        """The session of somebody who just came to the site."""
        request_id = f"walk-in-{secrets.token_hex(8)}"
        customer = Customer(
            request_id=request_id,
            case_ref=new_case_ref(),
            session="anonymous",
            email=None,
            password_hash=None,
            signed_in=False,
            clock_offset_s=0.0,
            policy=None,
            prior_claims=[],
            failed_lookups=["policy", "prior_claims"],
            defects=[],
        )
        link = secrets.token_urlsafe(24)
        await run_in_threadpool(self.db.add_customer, customer, link)
        session = await self.start(link)
        if session is None:
            raise StoreFault("a new session was not stored")
        return session

    async def customer(self, session: str | None) -> Customer | None:
        """Who a session belongs to."""
        data = await run_in_threadpool(self.db.session, session)
        if not data or data.get("kind") != "customer":
            return None
        return await run_in_threadpool(self.db.customer, data["request_id"])

    async def case(self, customer: Customer) -> Case:
        """The customer's case; a new one that is not stored yet before the first message."""
        found = await run_in_threadpool(self.db.case, customer.case_ref)
        return found or Case(
            ref=customer.case_ref,
            request_id=customer.request_id,
            started=customer.now(),
            defects=customer.defects,
        )

    async def cases(self, customer: Customer) -> list[Case]:
        """All stored cases of the customer; the one of their conversation first."""
        return await run_in_threadpool(self.db.cases_of, customer.request_id, customer.case_ref)

    # -- turns --------------------------------------------------------------------------------------------------

    def message(self, customer: Customer, turn_id: str, text: str) -> AsyncIterator[Event]:
        """The customer writes. Raises Rejected for an empty or too long message."""
        text = text.replace("\r\n", "\n")
        if not text.strip():
            raise Rejected("Please write something first.")
        if len(text) > MESSAGE_LIMIT:
            raise Rejected(f"This message is too long: at most {MESSAGE_LIMIT:,} characters, please.")
        entry = Entry(id=turn_id, who="customer", text=text, at=customer.now())

        async def act(case: Case, who: Customer, emit: Emit) -> TurnRecord:
            return await self.engine.message(case, who, turn_id, text, emit)

        return self._turn(customer, turn_id, entry, act)

    def press(self, customer: Customer, turn_id: str, action: str) -> AsyncIterator[Event]:
        """The customer presses a button."""

        async def act(case: Case, who: Customer, emit: Emit) -> TurnRecord:
            return await self.engine.press(case, who, turn_id, action, emit)

        return self._turn(customer, turn_id, None, act)

    def sign_in(self, customer: Customer, turn_id: str, email: str, password: str) -> AsyncIterator[Event]:
        """The customer signs in. Raises Rejected for a wrong email or password."""
        right = bool(customer.password_hash) and accounts.password_matches(password, customer.password_hash or "")
        if not right or not accounts.same(email.strip().casefold(), (customer.email or "").casefold()):
            raise Rejected("The email or the password is not right.")

        async def act(case: Case, who: Customer, emit: Emit) -> TurnRecord:
            who.signed_in = defects.transport.keeps_sign_in(case, who.defects)
            if who.signed_in:
                await run_in_threadpool(self.db.set_signed_in, who.request_id)
            return await self.engine.signed_in(case, who, turn_id, emit)

        return self._turn(customer, turn_id, None, act)

    def upload(self, customer: Customer, turn_id: str, card: str, name: str, data: bytes) -> AsyncIterator[Event]:
        """A file arrives through a card. Raises Rejected for what is no picture or PDF, empty or too large."""
        if card not in catalogue().files:
            raise Rejected("This upload is not expected here.")
        if not data:
            raise Rejected("The file is empty.")
        if len(data) > UPLOAD_LIMIT:
            raise Rejected(f"The file is too large: at most {UPLOAD_LIMIT // 1024 // 1024} MB, please.")
        content_type = sniff(data)
        if content_type is None:
            raise Rejected("Please upload a picture or a PDF.")
        shown = clean_name(name)
        entry = Entry(id=turn_id, who="customer", text="", file=shown, at=customer.now())

        async def act(case: Case, who: Customer, emit: Emit) -> TurnRecord:
            document = await run_in_threadpool(read_document, data, who.today())
            kept = defects.uploads.bend_bytes(data, case, who.defects)
            upload = Upload(
                id=secrets.token_hex(8),
                name=shown,
                size=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
                kind=document.kind or card,
                content_type=content_type,
                document_date=document.date,
                pages_missing=document.pages_missing,
            )
            await run_in_threadpool(self.files.put, file_key(case.ref, upload.id), kept, content_type)
            if twin := defects.uploads.second_copy(upload, case, who.defects):
                await run_in_threadpool(self.files.put, file_key(case.ref, twin.id), kept, content_type)
                case.uploads = [*case.uploads, twin]
            return await self.engine.uploaded(case, who, turn_id, upload, card, emit)

        return self._turn(customer, turn_id, entry, act)

    async def _turn(self, customer: Customer, turn_id: str, entry: Entry | None, act: Act) -> AsyncIterator[Event]:
        """Run a turn to its end, whether or not anybody is still listening."""
        queue: asyncio.Queue[Event] = asyncio.Queue()
        task = asyncio.create_task(self._run(customer, turn_id, entry, act, queue))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        while True:
            event = await queue.get()
            yield event
            if isinstance(event, Done | Failed):
                return

    async def _run(
        self, customer: Customer, turn_id: str, entry: Entry | None, act: Act, queue: "asyncio.Queue[Event]"
    ) -> None:
        async def emit(text: str) -> None:
            await queue.put(Piece(text))

        lock = self._locks.setdefault(customer.case_ref, asyncio.Lock())
        async with lock:
            try:
                who = await run_in_threadpool(self.db.customer, customer.request_id) or customer
                case = await self.case(who)
                known = next((t for t in case.turns if t.id == turn_id), None)
                if known is None:
                    if entry is not None and all(e.id != entry.id for e in case.entries):
                        case.entries = [*case.entries, entry]
                        await run_in_threadpool(self.db.save, case)
                    if entry is not None:
                        await queue.put(Bubble(entry))
                    if entry is not None:
                        await asyncio.sleep(defects.transport.delay_s(case, who.defects))
                    was = case.stage
                    known = await act(case, who, emit)
                    await run_in_threadpool(self.db.save, case)
                    if was != "submitted" and (beside := defects.ending.second_case(case, who.defects, new_case_ref())):
                        await run_in_threadpool(self.db.save, beside)
                await queue.put(Done(case, who, known))
            except Conflict:
                await queue.put(Failed("This conversation was changed in another window. Please reload the page."))
            except StoreFault as exc:
                log.error("turn %s: %s", turn_id, exc)
                await queue.put(Failed("We could not store that just now. Please try again."))
            except Exception:
                log.exception("turn %s", turn_id)
                await queue.put(Failed("Something went wrong on our side. Please try again."))

    async def breaks(self, customer: Customer, kind: Literal["fails", "stops"]) -> bool:
        """Whether the answer to the message under way fails, or stops in the middle; a fault is switched on for either."""
        if not customer.defects:
            return False
        async with self._locks.setdefault(customer.case_ref, asyncio.Lock()):
            case = await self.case(customer)
            marks, ask = case.marks, {"fails": defects.transport.fails, "stops": defects.transport.stops}
            broken = ask[kind](case, customer.defects)
            if case.marks != marks:
                await run_in_threadpool(self.db.save, case)
            return broken

    # -- staff --------------------------------------------------------------------------------------------------

    async def answer_note(self, ref: str, index: int) -> bool:
        """Staff marks a question or contact request as answered; False if there is none."""
        lock = self._locks.setdefault(ref, asyncio.Lock())
        async with lock:
            case = await run_in_threadpool(self.db.case, ref)
            if case is None or not 0 <= index < len(case.notes):
                return False
            case.notes[index].status = "answered"
            await run_in_threadpool(self.db.save, case)
            return True


def new_case_ref() -> str:
    """A fresh reference; says nothing."""
    return f"c{secrets.token_hex(8)}"


def file_key(case_ref: str, upload_id: str) -> str:
    """Where a file lies in the bucket."""
    return f"{case_ref}/{upload_id}"


def clean_name(name: str) -> str:
    """A file name without folders and control characters, at most 100 characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    flat = "".join(c for c in last if c.isprintable()).strip()
    return flat[-100:] or "file"
