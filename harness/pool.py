"""Worker processes of a run, as the parent holds them."""

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from harness.browser import Browser, launch_args
from harness.errors import EnvironmentFault, GateClosed, RigError, one_line
from harness.schema.order import (
    FROM_WORKER,
    Done,
    Failed,
    JourneyOrder,
    ModelReply,
    ModelRequest,
    PersonReply,
    PersonRequest,
    Ready,
    Start,
    Stop,
    line_of,
)
from harness.schema.strict_json import first_problem

LINE_LIMIT = 64 * 1024 * 1024
READY_TIMEOUT_S = 90.0
STOP_TIMEOUT_S = 15.0
CUSTOMER_PARTS = frozenset(
    {"adapter", "version", "product", "base_url", "origins", "embedded_stack", "surface", "capabilities", "customer"}
)
"""What of an adapter may go to a worker. A part that is not named here stays with the parent, a new one too."""


JOURNEY_GRACE_S = 420.0
"""What a worker gets beyond a journey's time before it is taken for hung; its own limits come first."""


class WorkerDied(RigError):
    """The worker process ended, or hung, in the middle of a journey."""


class CannotRecord(EnvironmentFault):
    """The record cannot be written (a full disk): the run stops."""


def scrubbed_env(home: Path) -> dict[str, str]:
    """All the environment a worker gets: nothing of ours, no key, no path of the corpus."""
    keep = (
        "PATH",
        "SYSTEMROOT",
        "WINDIR",
        "TEMP",
        "TMP",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "FONTCONFIG_PATH",
    )
    env = {name: os.environ[name] for name in keep if name in os.environ}
    return {**env, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": str(home), "TMPDIR": str(home)}


def check_order(order: JourneyOrder) -> None:
    """GateClosed(`pipe`) if an order carries more of the adapter than the customer's half."""
    more = sorted(part for part, value in order.adapter.items() if part not in CUSTOMER_PARTS and value is not None)
    if more:
        raise GateClosed("pipe", f"the order carries the adapter's {', '.join(more)}")


class Worker:
    """One worker process with its browser. Use as an async context manager.

    Attributes:
        program: what Python runs; whatever it is, it speaks the same lines.
        hosts: the only ones that its browser may find; None: any.
    """

    program: tuple[str, ...] = ("-m", "harness.worker")

    def __init__(
        self,
        staging_root: Path,
        browser: Browser,
        forbidden: list[Path],
        headed: bool = False,
        hosts: Collection[str] | None = None,
    ) -> None:
        self._root = staging_root
        self._browser = browser
        self._forbidden = forbidden
        self._headed = headed
        self._hosts = hosts
        self._process: asyncio.subprocess.Process | None = None
        self._stderr: deque[str] = deque(maxlen=40)
        self._reader: asyncio.Task[None] | None = None
        self.version = ""

    @property
    def pid(self) -> int | None:
        """Process id, None before the start."""
        return self._process.pid if self._process else None

    async def start(self) -> None:
        """Start, wait until the browser is up and the process sealed. Raises EnvironmentFault."""
        self._root.mkdir(parents=True, exist_ok=True)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-B", "-X", "utf8", *self.program, cwd=self._root, env=scrubbed_env(self._root),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=LINE_LIMIT,
        )  # fmt: skip
        self._reader = asyncio.create_task(self._read_stderr(self._process))
        self._send(
            Start(
                browser_path=str(self._browser.path), browser_args=launch_args(self._browser.sandbox, self._hosts),
                sandbox=self._browser.sandbox, headed=self._headed, staging_root=str(self._root), forbidden=[str(p) for p in self._forbidden],
            )
        )  # fmt: skip
        try:
            got = await asyncio.wait_for(self._receive(), READY_TIMEOUT_S)
        except TimeoutError as exc:
            await self.kill()
            raise EnvironmentFault(f"the browser did not start within {READY_TIMEOUT_S:g} s") from exc
        if isinstance(got, Failed):
            await self.kill()
            raise EnvironmentFault(got.why)
        if not isinstance(got, Ready):
            await self.kill()
            raise EnvironmentFault(f"the worker did not start: {self.last_words()}")
        self.version = got.browser

    @property
    def root(self) -> Path:
        """The folder it lives in."""
        return self._root

    async def journey(
        self,
        order: JourneyOrder,
        answer: Callable[[ModelRequest], Awaitable[ModelReply]],
        person: Callable[[PersonRequest], Awaitable[PersonReply]] | None = None,
    ) -> Done:
        """Carry out one journey, answering its requests to model and person. Raises WorkerDied, CannotRecord."""
        check_order(order)
        self._send(order)
        limit_s = order.limits.journey_timeout_s + JOURNEY_GRACE_S
        while True:
            try:
                got = await asyncio.wait_for(self._receive(), limit_s)
            except TimeoutError as exc:
                await self.kill()
                raise WorkerDied(f"the worker said nothing for {limit_s:g} s and was ended") from exc
            if isinstance(got, Done):
                return got
            if isinstance(got, ModelRequest):
                self._send(await answer(got))
            elif isinstance(got, PersonRequest) and person is not None:
                self._send(await person(got))
            elif isinstance(got, Failed):
                raise CannotRecord(got.why)
            else:
                code = await self._process.wait() if self._process else None
                raise WorkerDied(
                    f"the worker died ({'signal ' + str(-code) if code and code < 0 else 'exit ' + str(code)}): {self.last_words()}"
                )

    def last_words(self) -> str:
        """The end of its stderr, one line."""
        return one_line(" / ".join(list(self._stderr)[-3:]), 400) or "it said nothing"

    def _send(self, message: Any) -> None:
        if self._process is None or self._process.stdin is None:
            raise WorkerDied("the worker is not running")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(line_of(message))

    async def _receive(self) -> Any:
        if self._process is None or self._process.stdout is None:
            return None
        try:
            line = await self._process.stdout.readline()
            return FROM_WORKER.validate_json(line) if line.endswith(b"\n") else None
        except ValidationError as exc:
            raise WorkerDied(one_line(f"the worker said what is no message: {first_problem(exc, 'line')}")) from exc
        except ValueError as exc:
            raise WorkerDied(f"the worker's line is longer than {LINE_LIMIT} bytes") from exc

    async def _read_stderr(self, process: asyncio.subprocess.Process) -> None:
        if process.stderr is not None:
            async for line in process.stderr:
                self._stderr.append(line.decode(errors="replace").rstrip())

    async def stop(self) -> None:
        """Ask it to end; kill it if it does not."""
        if self._process is None or self._process.returncode is not None:
            return
        self._send(Stop())
        try:
            await asyncio.wait_for(self._process.wait(), STOP_TIMEOUT_S)
        except TimeoutError:
            await self.kill()

    async def kill(self) -> None:
        """End it now, with its browser (which closes when its pipe does)."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def __aenter__(self) -> "Worker":
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()
