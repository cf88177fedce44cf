"""What a page does by itself: listened to, answered by a fixed policy, recorded.

Native dialogs: `alert` and `confirm` are accepted (a confirm follows from what the customer has just pressed), `prompt` is
dismissed (no words are invented), `beforeunload` is accepted; their text is kept for the next Screen, since a person saw it.
Popups are closed, downloads kept and hashed before the context closes; web sockets, refused service workers, errors and
navigations are recorded. Requests are somebody else's.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from playwright.async_api import ConsoleMessage, Dialog, Download, Page, WebSocket
from playwright.async_api import Error as PlaywrightError

from harness.errors import one_line

SERVICE_WORKER_BLOCKED = "Service Worker registration blocked"
"""What the browser driver writes to the console of a context whose service workers are blocked."""


class Sink(Protocol):
    """Where a surface records what happens by itself."""

    def emit(self, kind: str, **fields: Any) -> Any:
        """Records one event (kinds and fields: harness.schema.events)."""

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Keeps a downloaded file; returns its name below the attempt folder and its sha256."""


class PageEvents:
    """Listener of one page.

    Args:
        page: the page, not yet navigated.
        sink: where events go.
        on_crash: called when the page's process dies.
    """

    def __init__(self, page: Page, sink: Sink, on_crash: Callable[[], None]) -> None:
        self.page = page
        self.sink = sink
        self.on_crash = on_crash
        self.closed = False
        self.shown: list[str] = []
        """Texts of native dialogs that no Screen has carried yet."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def finish(self, timeout_s: float) -> None:
        """Waits for downloads and dialogs under way; records nothing afterwards."""
        pending = [t for t in self._tasks if not t.done()]
        if pending:
            await asyncio.wait(pending, timeout=timeout_s)
        self.closed = True

    def listen(self) -> None:
        """Attaches to the page; call it before the page is navigated."""
        page = self.page
        page.on("dialog", lambda d: self._spawn(self._on_dialog(d)))
        page.on("popup", lambda p: self._spawn(self._on_popup(p)))
        page.on("download", lambda d: self._spawn(self._on_download(d)))
        page.on("pageerror", lambda e: self.event("page_error", str(e), "recorded"))
        page.on("console", self._on_console)
        page.on("crash", lambda _: self._on_crash())
        page.on("websocket", self._on_websocket)

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def event(self, what: str, detail: str, policy: str, **fields: Any) -> None:
        """Records one page event, unless the page has been closed."""
        if not self.closed:
            self.sink.emit("page", what=what, detail=one_line(detail, 1000), policy=policy, **fields)

    def navigated(self, url: str) -> None:
        """Records that the page has another document."""
        self.event("navigated", url, "recorded")

    async def _on_dialog(self, dialog: Dialog) -> None:
        accept = dialog.type != "prompt"
        if dialog.type != "beforeunload" and dialog.message:
            self.shown.append(dialog.message)
        self.event("dialog", f"{dialog.type}: {dialog.message}", "accepted" if accept else "dismissed")
        with suppress(PlaywrightError):
            await (dialog.accept() if accept else dialog.dismiss())

    async def _on_popup(self, popup: Page) -> None:
        with suppress(PlaywrightError):
            await popup.wait_for_load_state("domcontentloaded", timeout=2000)
        self.event("popup", popup.url, "closed")
        with suppress(PlaywrightError):
            await popup.close()

    async def _on_download(self, download: Download) -> None:
        try:
            path = await download.path()
            name, sha256 = self.sink.download(download.suggested_filename, await asyncio.to_thread(path.read_bytes))
        except (PlaywrightError, OSError) as exc:
            self.event("download", f"{download.suggested_filename}: not saved ({exc})", "recorded")
            return
        self.event("download", download.suggested_filename, "saved", file=name, sha256=sha256)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.event("console_error", message.text, "recorded")
        elif SERVICE_WORKER_BLOCKED in message.text:
            self.event("service_worker_blocked", message.text, "aborted")

    def _on_crash(self) -> None:
        self.event("crash", "the page's process died", "recorded")
        self.on_crash()

    def _on_websocket(self, socket: WebSocket) -> None:
        self.event("websocket", socket.url, "recorded")
