"""The inquiry service: messages come in, are gathered for a moment, and are answered together. One process."""

import asyncio
import hashlib
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from harness.devstack.config import MESSAGE_LIMIT, UPLOAD_LIMIT
from harness.devstack.inquiry.runtime import Agents
from harness.devstack.inquiry.seed import new_ref
from harness.devstack.inquiry.store import TalkStore
from harness.devstack.inquiry.talk import Entry, Picture, Talk
from harness.devstack.inquiry.turns import answer, take_message, take_picture
from harness.devstack.inquiry.world import WALK_IN
from harness.devstack.stores import Files, StoreFault

log = logging.getLogger("inquiry")
T = TypeVar("T")
GATHER_S = 1.5
"""A reply is begun when the customer has neither sent nor typed anything for so long."""
UPLOAD_S = 20.0
"""A reply waits so long for a picture that is on its way."""
LISTEN_S = 20.0
"""A page that listens is answered after this at the latest."""
APOLOGY = "Something went wrong on our side. Please send your message again."
_MAGIC = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}


class Rejected(Exception):
    """The customer asked for something that cannot be done; the message is for the customer."""


@dataclass
class _Line:
    """What goes on in one conversation in this process."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    until: float = 0.0
    """Monotonic time up to which the customer may still add something."""
    task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """A reply is being gathered for or written."""
        return self.task is not None and not self.task.done()


class Inquiry:
    """What the web pages call.

    Args:
        store: conversations.
        files: pictures that customers send.
        agents: the two assistants.
        gather_s: see GATHER_S.
    """

    def __init__(self, store: TalkStore, files: Files, agents: Agents, gather_s: float = GATHER_S) -> None:
        self.store = store
        self.files = files
        self.agents = agents
        self._gather_s = gather_s
        self._lines: defaultdict[str, _Line] = defaultdict(_Line)

    # -- who ------------------------------------------------------------------------------------------------------

    async def start(self, link: str) -> str | None:
        """The session of a start link, once; None for an unknown or used one."""
        session = secrets.token_urlsafe(32)
        return session if await run_in_threadpool(self.store.use_start, link, session) else None

    async def walk_in(self, base_url: str) -> str:
        """The session of somebody who just came to the site."""
        talk = Talk(ref=new_ref(), request_id=f"walk-in-{secrets.token_hex(8)}", world=WALK_IN, base_url=base_url)
        await run_in_threadpool(self.store.save, talk)
        session = secrets.token_urlsafe(32)
        await run_in_threadpool(self.store.add_session, session, {"ref": talk.ref})
        return session

    async def talk(self, session: str | None) -> Talk | None:
        """The conversation of a customer's session."""
        data = await run_in_threadpool(self.store.session, session)
        return await run_in_threadpool(self.store.talk, data["ref"]) if data and "ref" in data else None

    # -- the customer ---------------------------------------------------------------------------------------------

    async def message(self, ref: str, message_id: str, text: str) -> Entry:
        """The customer writes. Raises Rejected for an empty or too long message."""
        text = text.replace("\r\n", "\n")
        if not text.strip():
            raise Rejected("Please write something first.")
        if len(text) > MESSAGE_LIMIT:
            raise Rejected(f"This message is too long: at most {MESSAGE_LIMIT:,} characters, please.")
        return await self._took(ref, message_id, lambda talk: take_message(talk, message_id, text))

    async def picture(self, ref: str, message_id: str, name: str, data: bytes) -> Entry:
        """The customer sends a picture. Raises Rejected for what is none, empty or too large."""
        content_type = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
        if content_type is None or len(data) > UPLOAD_LIMIT:
            raise Rejected("Please send a JPEG or PNG picture of at most 20 MB.")
        talk = await run_in_threadpool(self.store.talk, ref)
        if talk is None:
            raise Rejected("This conversation has ended. Please open your link again.")
        digest = hashlib.sha256(data).hexdigest()
        seen = next((r for r in talk.world.recognition if r.sha256 == digest), None)
        picture = Picture(
            id=secrets.token_hex(8), name=name, size=len(data), sha256=digest, content_type=content_type,
            recognized=seen.recognized if seen else None, clear=seen.clear if seen else None,
        )  # fmt: skip
        await run_in_threadpool(self.files.put, picture_key(ref, picture.id), data, content_type)
        return await self._took(ref, message_id, lambda talk: take_picture(talk, message_id, picture))

    async def typing(self, ref: str, hold_s: float | None = None) -> None:
        """The customer is at it: the reply waits a moment longer, or `hold_s` while a picture is on its way."""
        line = self._lines[ref]
        if line.busy:
            line.until = time.monotonic() + (self._gather_s if hold_s is None else hold_s)

    async def listen(self, ref: str, shown: int) -> tuple[Talk | None, bool]:
        """The conversation once it has more than `shown` bubbles or nobody writes any more, and whether somebody does."""
        line = self._lines[ref]
        deadline = time.monotonic() + LISTEN_S
        while True:
            busy = line.busy
            talk = await run_in_threadpool(self.store.talk, ref)
            if talk is None or not busy or len(talk.entries) > shown or time.monotonic() > deadline:
                return talk, busy
            async with line.changed:
                if line.busy:
                    try:
                        await asyncio.wait_for(line.changed.wait(), max(deadline - time.monotonic(), 0.01))
                    except TimeoutError:
                        return talk, line.busy

    async def _took(self, ref: str, message_id: str, take: Callable[[Talk], Entry]) -> Entry:
        line = self._lines[ref]

        def taken(talk: Talk) -> Entry:
            known = next((e for e in talk.entries if e.id == message_id), None)
            talk.notice = ""
            return known or take(talk)

        entry = await self._change(ref, line, taken)
        line.until = time.monotonic() + self._gather_s
        if not line.busy:
            line.task = asyncio.create_task(self._answer(ref, line))
        return entry

    async def _change(self, ref: str, line: _Line, change: Callable[[Talk], T]) -> T:
        async with line.lock:
            talk = await run_in_threadpool(self.store.talk, ref)
            if talk is None:
                raise Rejected("This conversation has ended. Please open your link again.")
            result = change(talk)
            await run_in_threadpool(self.store.save, talk)
        return result

    async def _answer(self, ref: str, line: _Line) -> None:
        """Gather, answer, and again if something came meanwhile; the page that listens is told."""
        try:
            while True:
                while (left := line.until - time.monotonic()) > 0:
                    await asyncio.sleep(min(left, self._gather_s))
                async with line.lock:
                    talk = await run_in_threadpool(self.store.talk, ref)
                    if talk is None or not talk.waiting:
                        return
                    await self._turn(talk)
                    await run_in_threadpool(self.store.save, talk)
                await _tell(line)
        finally:
            line.task = None
            await _tell(line)

    async def _turn(self, talk: Talk) -> None:
        try:
            await answer(talk, self.agents)
        except Exception:
            log.exception("conversation %s", talk.ref)
            talk.notice = APOLOGY
            talk.done = len(talk.turns)

    # -- staff ----------------------------------------------------------------------------------------------------

    async def staff_session(self, name: str) -> str:
        """A session of a member of staff."""
        session = secrets.token_urlsafe(32)
        await run_in_threadpool(self.store.add_session, session, {"staff": name})
        return session

    async def is_staff(self, session: str | None) -> bool:
        """Whether a session is one of staff."""
        data = await run_in_threadpool(self.store.session, session)
        return bool(data and "staff" in data)

    async def picture_bytes(self, ref: str, picture_id: str) -> tuple[Picture, bytes] | None:
        """A picture of a conversation; None if there is none."""
        talk = await run_in_threadpool(self.store.talk, ref)
        picture = next((p for p in talk.pictures if p.id == picture_id), None) if talk else None
        if picture is None:
            return None
        try:
            return picture, await run_in_threadpool(self.files.get, picture_key(ref, picture_id))
        except StoreFault:
            return None


async def _tell(line: _Line) -> None:
    async with line.changed:
        line.changed.notify_all()


def picture_key(ref: str, picture_id: str) -> str:
    """Where a picture lies in the bucket."""
    return f"inquiry/{ref}/{picture_id}"
