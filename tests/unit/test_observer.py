"""The parent's browser for staff pages is there when it is needed, and a failure to start it early is nobody's fault."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.async_api import Error as PlaywrightError

from harness.browser import Browser
from harness.errors import EnvironmentFault
from harness.observe import Observer
from harness.product import ProductClient
from harness.schema.product import StaffRead
from harness.screen.adapter import find_adapter, load_adapter
from harness.seed import Seeded


class _Counting(Observer):
    """Counts starts instead of starting."""

    starts = 0
    wrong: Exception | None = None

    async def _running(self) -> Any:
        self.starts += 1
        if self.wrong is not None:
            raise self.wrong


def _observer(staff: bool = True) -> _Counting:
    adapter = load_adapter(find_adapter("reference-claims"))
    if not staff:
        adapter = adapter.model_copy(update={"staff": None})
    browser = Browser(Path("/nowhere/browser"), "RIG_BROWSER", "Chromium 0", headless_shell=True, sandbox=True)
    return _Counting(browser, adapter, cast(ProductClient, None), "staff", "secret")


@pytest.mark.parametrize("wrong", [None, PlaywrightError("no browser"), OSError("no memory")])
def test_the_browser_is_started_ahead_once(wrong: Exception | None) -> None:
    """However often it is asked for; what fails then is not raised, since the look at the staff pages tries again."""

    async def go() -> int:
        async with _observer() as observer:
            observer.wrong = wrong
            observer.start_ahead()
            observer.start_ahead()
            await asyncio.sleep(0)
        return observer.starts

    assert asyncio.run(go()) == 1


def test_without_staff_pages_no_browser_is_started() -> None:
    """An adapter that names no staff pages needs none."""

    async def go() -> int:
        async with _observer(staff=False) as observer:
            observer.start_ahead()
        return observer.starts

    assert asyncio.run(go()) == 0


class _Page:
    """A page of staff, of which only what the observer asks is there."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.signed_in = False
        self.gone = False
        self.page = self
        self.context = self

    async def goto(self, url: str) -> None:
        await asyncio.sleep(0)
        if self.gone:
            raise PlaywrightError("the page has been closed")

    async def run_steps(self, steps: list[Any], values: dict[str, str]) -> None:
        if steps and steps[0].fill and steps[0].fill.label == "Staff name":
            self.signed_in = True
            self.log.append("sign in")

    async def shows(self, where: list[Any]) -> bool:
        return not self.signed_in

    async def close(self) -> None:
        self.log.append("close")


class _Looking(_Counting):
    """Looks cases up on such pages."""

    def __init__(self, like: _Counting) -> None:
        self.__dict__.update(like.__dict__)
        self.log: list[str] = []
        self.pages: list[_Page] = []

    async def _context(self) -> Any:
        return None

    async def look(self, monkeypatch: pytest.MonkeyPatch) -> bool:
        async def opened(*_: Any, **__: Any) -> _Page:
            self.pages.append(_Page(self.log))
            return self.pages[-1]

        async def read(surface: _Page, staff: Any, values: dict[str, str], folder: Path) -> StaffRead:
            self.log.append(f"read {values['case_ref']}")
            found = surface.signed_in
            return StaffRead(
                schema="staff-read-v1", found=found, why_not=None, fields={}, lists={}, pages=[], pictures=[]
            )

        monkeypatch.setattr("harness.observe.Surface.open", opened)
        monkeypatch.setattr("harness.observe._read_staff", read)
        seeded = SimpleNamespace(receipt=SimpleNamespace(case_ref=f"c{len(self.log)}"))
        return (await self._staff_once(cast(Seeded, seeded), Path())).found


def test_staff_sign_in_once_for_the_cases_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that showed a case shows the next one; with two looks at once there are two pages."""

    async def go() -> list[str]:
        looking = _Looking(_observer())
        assert await looking.look(monkeypatch)
        assert await looking.look(monkeypatch)
        assert all(await asyncio.gather(looking.look(monkeypatch), looking.look(monkeypatch)))
        assert len(looking._idle) == 2
        return looking.log

    assert [e for e in asyncio.run(go()) if e == "sign in"] == ["sign in", "sign in"]


@pytest.mark.parametrize("how", ["ended", "gone"])
def test_a_session_of_staff_that_is_over_is_begun_anew(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Whether the page asks to sign in or is gone: the case is looked up on a new one, and the old one is closed."""

    async def go() -> list[str]:
        looking = _Looking(_observer())
        assert await looking.look(monkeypatch)
        looking.pages[0].signed_in, looking.pages[0].gone = how != "ended", how == "gone"
        assert await looking.look(monkeypatch)
        assert [cast(_Page, page) for page in looking._idle] == [looking.pages[1]]
        return looking.log

    assert asyncio.run(go()) == ["sign in", "read c0", "close", "sign in", "read c2"]


def test_an_adapter_without_sign_in_steps_gets_a_new_page_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then its `steps` begin where nobody is signed in."""

    async def go() -> int:
        looking = _Looking(_observer())
        staff = looking._adapter.staff
        assert staff is not None
        looking._adapter = looking._adapter.model_copy(
            update={"staff": staff.model_copy(update={"sign_in": [], "steps": [*staff.sign_in, *staff.steps]})}
        )
        monkeypatch.setattr(_Page, "signed_in", True, raising=False)
        for _ in range(2):
            await looking.look(monkeypatch)
        return len(looking.pages)

    assert asyncio.run(go()) == 2


@pytest.mark.parametrize(("fails", "why"), [(0, None), (1, None), (2, "no 1; asked again: no 2")])
def test_a_state_that_cannot_be_read_is_asked_for_once_more(
    fails: int, why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer that did not come does not leave the record without a state; two are both told."""
    monkeypatch.setattr("harness.observe.AGAIN_S", 0.0)
    asked: list[str] = []

    class Client:
        async def state(self, case_ref: str) -> str:
            asked.append(case_ref)
            if len(asked) <= fails:
                raise EnvironmentFault(f"no {len(asked)}")
            return "the state"

    observer = _observer()
    observer._client = cast(ProductClient, Client())
    seeded = cast(Seeded, SimpleNamespace(receipt=SimpleNamespace(case_ref="c1")))
    state, told = asyncio.run(observer._state(seeded))
    assert (cast(Any, state), told) == (None if why else "the state", why)
    assert asked == ["c1"] * min(2, fails + 1)
