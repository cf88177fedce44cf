"""After a journey: what staff pages show, what the product holds, what it stored. Read by the parent, never by a worker."""

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from harness.browser import Browser, launch_args
from harness.errors import RigError, one_line
from harness.product import ProductClient, plain
from harness.record import Redactor, write_whole
from harness.schema.inquiry import InquiryStateRead
from harness.schema.product import StaffRead, StaffRow, StateRead
from harness.schema.strict_json import canonical, sha256_hex
from harness.screen.adapter import Adapter, Locator, Staff, Step
from harness.screen.surface import Surface
from harness.seed import Seeded

OBSERVE_TIMEOUT_S = 120.0
AGAIN_S = 0.5
"""Before the state that could not be read is asked for once more."""
ALIVE_S = 10.0
"""For a browser to show that it lives, or its driver to stop."""


class _Quiet:
    """A sink that keeps nothing: staff pages are evidence by their text and pictures."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Dropped."""
        return 0

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Dropped."""
        return "", ""


class Observer:
    """A browser of the parent's own for staff pages. Use as an async context manager; it starts on first use."""

    def __init__(
        self, browser: Browser, adapter: Adapter, client: ProductClient, staff_user: str, staff_password: str
    ) -> None:
        self._found = browser
        self._adapter = adapter
        self._client = client
        self._env = {"env.RIG_STAFF_USER": staff_user, "env.RIG_STAFF_PASSWORD": staff_password}
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._idle: list[Surface] = []
        """Pages on which staff are signed in and no case is being looked up."""
        self._starting = asyncio.Lock()
        self._ahead: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Observer":
        return self

    def start_ahead(self) -> None:
        """Starts the browser while a journey runs, so that it is there afterwards; once. What fails here is tried again then."""

        async def start() -> None:
            with contextlib.suppress(PlaywrightError, RigError, OSError):
                await self._running()

        if self._ahead is None and self._adapter.staff is not None:
            self._ahead = asyncio.create_task(start())

    async def __aexit__(self, *exc: object) -> None:
        if self._ahead is not None:
            await self._ahead
        self._idle.clear()
        if self._browser is not None:
            with contextlib.suppress(PlaywrightError):
                await self._browser.close()
        if self._playwright is not None:
            await self._playwright.stop()

    async def _running(self) -> PlaywrightBrowser:
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                self._idle.clear()
                self._playwright = self._playwright or await async_playwright().start()
                self._browser = await self._playwright.chromium.launch(
                    executable_path=str(self._found.path) if self._found.path else None,
                    args=launch_args(self._found.sandbox),
                    chromium_sandbox=self._found.sandbox,
                )
            return self._browser

    async def observe(self, seeded: Seeded, attempt_dir: Path, redactor: Redactor) -> bool:
        """Write staff.json, state.json (with our own hashes of stored files) and usage.json; True if the staff side was read.

        What cannot be read is written down as not read, with the reason; nothing here raises for a product's fault.
        """
        staff, _ = await asyncio.gather(
            self._staff(seeded, attempt_dir), self._what_it_holds(seeded, attempt_dir, redactor)
        )
        _write(attempt_dir / "staff.json", plain(staff), redactor)
        return staff.found

    async def _what_it_holds(self, seeded: Seeded, attempt_dir: Path, redactor: Redactor) -> None:
        state, why = await self._state(seeded)
        stored = [await self._stored(u.name, u.url) for case in (state.cases if state else []) for u in case.uploads]
        _write(
            attempt_dir / "state.json",
            {"schema": "state-file-v1", "read": plain(state) if state else None, "why": why, "stored": stored},
            redactor,
        )
        try:
            usage = await self._client.usage(seeded.receipt.case_ref)
            if usage is not None:
                _write(
                    attempt_dir / "usage.json", {"schema": "usage-file-v1", "read": plain(usage), "why": None}, redactor
                )
        except RigError as exc:
            _write(attempt_dir / "usage.json", {"schema": "usage-file-v1", "read": None, "why": str(exc)}, redactor)

    async def _state(self, seeded: Seeded) -> tuple[StateRead | InquiryStateRead | None, str | None]:
        """The state, or why there is none; asked for once more if need be, since a record without it says little."""
        try:
            return await self._client.state(seeded.receipt.case_ref), None
        except RigError as exc:
            first = exc
        await asyncio.sleep(AGAIN_S)
        try:
            return await self._client.state(seeded.receipt.case_ref), None
        except RigError as exc:
            return None, f"{first}; asked again: {exc}"

    async def _stored(self, name: str, url: str) -> dict[str, Any]:
        try:
            data = await self._client.file(url)
        except RigError as exc:
            return {"name": name, "url": url, "sha256": None, "size": None, "why": str(exc)}
        return {"name": name, "url": url, "sha256": sha256_hex(data), "size": len(data), "why": None}

    async def _staff(self, seeded: Seeded, attempt_dir: Path) -> StaffRead:
        """The staff pages; read a second time if the browser died meanwhile."""
        if self._adapter.staff is None:
            return _not_found("the adapter names no staff pages")
        for last in (False, True):
            got = await self._staff_once(seeded, attempt_dir)
            if got.found or last or await self._alive():
                break
            await self._forget()
        return got

    async def _alive(self) -> bool:
        """Whether the browser, if there is one, still makes a context."""
        if self._browser is None:
            return True
        try:
            async with asyncio.timeout(ALIVE_S):
                await (await self._browser.new_context()).close()
        except (PlaywrightError, TimeoutError):
            return False
        return True

    async def _forget(self) -> None:
        """The next look starts another browser, with another driver."""
        if self._playwright is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(self._playwright.stop(), ALIVE_S)
        self._browser = self._playwright = None
        self._idle.clear()

    async def _staff_once(self, seeded: Seeded, attempt_dir: Path) -> StaffRead:
        """The staff pages, on a page where staff are signed in already if there is one.

        What such a page does not show, a session that has ended may be the reason for: then a new one is signed in.
        """
        if self._idle:
            got = await self._on_page(self._idle.pop(), seeded, attempt_dir)
            if got.found:
                return got
        return await self._on_page(None, seeded, attempt_dir)

    async def _on_page(self, surface: Surface | None, seeded: Seeded, attempt_dir: Path) -> StaffRead:
        kept = False
        context = surface.page.context if surface is not None else None
        try:
            async with asyncio.timeout(OBSERVE_TIMEOUT_S):
                staff = self._adapter.staff
                if staff is None:
                    return _not_found("the adapter names no staff pages")
                start = self._adapter.base_url + staff.start
                values = {**self._env, "case_ref": seeded.receipt.case_ref, "base_url": self._adapter.base_url}
                if surface is not None:
                    await surface.goto(start)
                    if await surface.shows(_signs_in_by(staff)):
                        return _not_found("the session of staff has ended")
                else:
                    context = await self._context()
                    surface = await Surface.open(context, self._adapter, start, _Quiet(), wait_ready=False)
                    await surface.run_steps(staff.sign_in, values)
                got = await _read_staff(surface, staff, values, attempt_dir)
                kept = got.found and bool(staff.sign_in)
                return got
        except (RigError, PlaywrightError, TimeoutError) as exc:
            return _not_found(one_line(f"{type(exc).__name__}: {str(exc).splitlines()[0] if str(exc) else ''}", 500))
        finally:
            if kept and surface is not None:
                self._idle.append(surface)
            elif context is not None:
                with contextlib.suppress(PlaywrightError):
                    await context.close()

    async def _context(self) -> BrowserContext:
        browser = await self._running()
        return await browser.new_context(
            viewport={"width": 1280, "height": 900}, service_workers="block", locale="en-GB", timezone_id="UTC"
        )


def _signs_in_by(staff: Staff) -> list[Locator]:
    """What stands on the start page for staff who are not signed in."""
    return [where for step in staff.sign_in if (where := step.fill or step.click or step.press) is not None][:1]


async def _read_staff(surface: Surface, staff: Staff, values: Mapping[str, str], attempt_dir: Path) -> StaffRead:
    await surface.run_steps(staff.steps, values)
    pages, pictures = [await surface.visible_page_text()], await _pictures(surface, attempt_dir, "staff-list")
    if staff.case_link is not None:
        if not await surface.shows(staff.case_link):
            return StaffRead(
                schema="staff-read-v1",
                found=False,
                why_not="the case is not in the work list",
                fields={},
                lists={},
                pages=pages,
                pictures=pictures,
            )
        steps = [Step(click=staff.case_link[0]), *(Step(wait_for=ready) for ready in (staff.case_ready or [])[:1])]
        await surface.run_steps(steps, values)
        pages.append(await surface.visible_page_text())
        pictures += await _pictures(surface, attempt_dir, "staff-case")
    texts = await asyncio.gather(*(surface.read_field(where) for where in staff.fields.values()))
    tables = await asyncio.gather(*(surface.read_list(spec) for spec in staff.lists.values()))
    fields = {name: text for name, text in zip(staff.fields, texts, strict=True) if text is not None}
    lists = {name: [StaffRow(cells=row) for row in rows] for name, rows in zip(staff.lists, tables, strict=True)}
    return StaffRead(
        schema="staff-read-v1", found=True, why_not=None, fields=fields, lists=lists, pages=pages, pictures=pictures
    )


async def _pictures(surface: Surface, attempt_dir: Path, name: str) -> list[str]:
    (attempt_dir / "screens").mkdir(exist_ok=True)
    names = []
    for number, data in enumerate(await surface.picture(), start=1):
        names.append(f"screens/{name}-{number}.png")
        (attempt_dir / names[-1]).write_bytes(data)
    return names


def _not_found(why: str) -> StaffRead:
    return StaffRead(schema="staff-read-v1", found=False, why_not=why, fields={}, lists={}, pages=[], pictures=[])


def _write(path: Path, value: Any, redactor: Redactor) -> None:
    write_whole(path, canonical(redactor.json(value)) + b"\n")
