"""The reference product's pages of every kind, as the rig's reader and a camera see them."""

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext

from harness.customer.conduct import Conduct
from harness.customer.ledger import ClaimLedger
from harness.customer.players import RulePlayer
from harness.errors import RigError
from harness.product import ProductClient
from harness.record import Recorder, Redactor
from harness.schema.order import JourneyOrder, Limits
from harness.schema.screen import Screen
from harness.schema.ticket import Login
from harness.screen.adapter import Step, find_adapter, load_adapter
from harness.screen.surface import Surface
from harness.seed import Seeded, seed, seed_request
from harness.stack import StackConnection
from harness.stage import load_package, stage
from harness.worker import Journey
from scripts.ocr_pages import ROOT, Shown, new_context, visible_texts, whole_page

CORPUS = ROOT / "packages" / "claims"
PACKAGES = ("CTL-M-001", "CTL-M-002", "CTL-H-003", "CTL-P-001")
"""A motor claim of a customer who signs in to send it; one with an alert, explained; a home claim with a request for
contact; a claim for belongings."""
KINDS = frozenset({
    "home", "error", "staff sign-in", "staff refused", "staff list", "staff list empty", "staff case",
    "customer", "reply", "tag", "panel", "todo", "card", "upload", "dialog", "sign-in", "notice", "final",
    "alert", "explanation", "review needed", "no review needed", "open question", "contact request", "file",
})  # fmt: skip
"""What must have been on some page: the kinds of page, the parts of the customer's, and what a case can hold for staff."""
WRONG_PASSWORD = "not the password"


class Reference:
    """Takes the pages and counts of what kind they are.

    Attributes:
        kinds: kind (see KINDS) -> pages on which it was.
    """

    def __init__(self, browser: Browser, stack: StackConnection) -> None:
        self.kinds: Counter[str] = Counter()
        self._browser = browser
        self._stack = stack
        self._adapter = load_adapter(find_adapter("reference-claims")).with_base_url(str(stack.base_url))

    async def pages(self, packages: tuple[str, ...] = PACKAGES) -> list[Shown]:
        """Every screen of the rule customer's journeys and each case's staff pages, then the pages of no case.

        Raises:
            RigError: a journey did not end with a case.
        """
        shown: list[Shown] = []
        client = ProductClient(self._adapter, self._stack.seed_token)
        try:
            for name in packages:
                with tempfile.TemporaryDirectory(prefix="rig-ocr-") as folder:
                    seeded, screens = await self._journey(name, client, Path(folder))
                shown += screens
                shown += await self._staff(name, seeded.receipt.case_ref)
        finally:
            await client.aclose()
        return shown + await self._of_no_case()

    async def _journey(self, name: str, client: ProductClient, folder: Path) -> tuple[Seeded, list[Shown]]:
        package = load_package(CORPUS / name)
        staged = stage(package, folder / "staging")
        seeded = await seed(client, seed_request(package.setup, []))
        attempt = folder / "attempt"
        attempt.mkdir()
        record = Recorder(attempt, Redactor({}))
        order = JourneyOrder(
            ticket=seeded.ticket, adapter={}, attempt_dir=str(attempt), staging_dir=str(staged.folder), customer="rule",
            script=None, limits=Limits(turn_limit=60, turn_timeout_s=120, journey_timeout_s=1800), rng_seed=1,
        )  # fmt: skip
        context = await new_context(self._browser)
        try:
            surface = await Surface.open(context, self._adapter, order.ticket.start_url, record)
            conduct = Conduct(RulePlayer(), ClaimLedger(package.view), record, tries=1, stand_in_limit=4)
            journey = _Watched(surface, conduct, record, order, lambda: 0.0)
            journey.name, journey.pages, journey.kinds = name, [], self.kinds
            ending = await journey.run()
            if ending.reason != "completed":
                raise RigError(f"the journey of {name} ended {ending.reason}: {ending.why}")
            await surface.close()
        finally:
            await context.close()
            record.close()
        return seeded, journey.pages

    async def _staff(self, name: str, case_ref: str) -> list[Shown]:
        """The work list, searched for the case, and the case."""
        staff = self._adapter.staff
        if staff is None:
            return []
        values = {
            "env.RIG_STAFF_USER": self._stack.staff_user,
            "env.RIG_STAFF_PASSWORD": self._stack.staff_password,
            "case_ref": case_ref,
        }
        context = await new_context(self._browser)
        try:
            surface = await self._opened(context, staff.start)
            await surface.run_steps([*staff.sign_in, *staff.steps], values)
            shown = [await self._took(surface, f"{name}-staff-list", "staff list")]
            steps = [Step(click=link) for link in (staff.case_link or [])[:1]]
            steps += [Step(wait_for=ready) for ready in (staff.case_ready or [])[:1]]
            await surface.run_steps(steps, values)
            shown.append(await self._took(surface, f"{name}-staff-case", "staff case"))
            rows = {key: await surface.read_list(spec) for key, spec in staff.lists.items()}
            review = await surface.read_field(staff.fields["review_required"])
            self.kinds.update(case_kinds(rows, review))
            await surface.close()
        finally:
            await context.close()
        return shown

    async def _of_no_case(self) -> list[Shown]:
        """The start page, the page of an unknown address, the staff's sign-in, refused too, and a search that finds nothing."""
        shown: list[Shown] = []
        context = await new_context(self._browser)
        try:
            for name, path in (("home", "/"), ("error", "/no-such-page"), ("staff-sign-in", "/staff")):
                surface = await self._opened(context, self._adapter.base_url + path)
                shown.append(await self._took(surface, name, name.replace("staff-", "staff ")))
                await surface.close()
            shown += await self._staff_in_vain(context)
        finally:
            await context.close()
        return shown

    async def _staff_in_vain(self, context: BrowserContext) -> list[Shown]:
        staff = self._adapter.staff
        if staff is None:
            return []
        values = {
            "env.RIG_STAFF_USER": self._stack.staff_user,
            "env.RIG_STAFF_PASSWORD": WRONG_PASSWORD,
            "case_ref": "no case has this",
        }
        surface = await self._opened(context, staff.start)
        to_the_button = next(i for i, step in enumerate(staff.sign_in, start=1) if step.click is not None)
        await surface.run_steps(staff.sign_in[:to_the_button], values)
        await surface.world.again("stillPage", 250, 6000, timeout_s=20)
        shown = [await self._took(surface, "staff-refused", "staff refused")]
        right = {**values, "env.RIG_STAFF_PASSWORD": self._stack.staff_password}
        await surface.run_steps([*staff.sign_in, *staff.steps], right)
        shown.append(await self._took(surface, "staff-list-empty", "staff list empty"))
        await surface.close()
        return shown

    async def _opened(self, context: BrowserContext, address: str) -> Surface:
        url = address if address.startswith("http") else self._adapter.base_url + address
        surface = await Surface.open(context, self._adapter, url, _Nowhere(), wait_ready=False)
        await surface.world.again("stillPage", 250, 6000, timeout_s=20)
        return surface

    async def _took(self, surface: Surface, name: str, kind: str) -> Shown:
        self.kinds[kind] += 1
        return await whole_page(surface, name)


class _Watched(Journey):
    """A journey that has every screen photographed before the customer reads it, and the sign-in before it is used."""

    name: str
    pages: list[Shown]
    kinds: Counter[str]

    async def _look(self) -> Screen:
        whole = await whole_page(self.surface, f"{self.name}-{len(self.pages) + 1:02d}")
        screen = await super()._look()
        whole.visible = list(dict.fromkeys([*visible_texts(screen), *whole.visible]))
        self.pages.append(whole)
        said = any(block.part == "customer" for block in self.surface.transcript)
        self.kinds.update(screen_kinds(screen) | ({"customer"} if said else set()))
        return screen

    async def _sign_in(self) -> None:
        """The form as it is shown, and once more after a wrong password, with the page's complaint."""
        login = self.order.ticket.login
        await self._page("sign-in")
        if login is not None:
            await self.surface.sign_in(Login(email=login.email, password=WRONG_PASSWORD))
            await self._page("sign-in")
            self.kinds.update(screen_kinds(await self.surface.read(0)) & {"notice"})
        await super()._sign_in()

    async def _page(self, kind: str) -> None:
        self.kinds[kind] += 1
        self.pages.append(await whole_page(self.surface, f"{self.name}-{len(self.pages) + 1:02d}"))


class _Nowhere:
    """A sink that keeps nothing."""

    def emit(self, kind: str, **fields: Any) -> int:
        """Dropped."""
        return 0

    def download(self, name: str, data: bytes) -> tuple[str, str]:
        """Dropped."""
        return "", ""


def screen_kinds(screen: Screen) -> set[str]:
    """Parts of the customer's page that are on a screen, `upload` where a file can be handed over."""
    found = {str(b.part) for b in screen.blocks} | {str(c.part) for c in screen.controls}
    found |= {"upload"} if any(c.kind == "upload" for c in screen.controls) else set()
    return (found | ({"final"} if screen.final else set())) & KINDS


def case_kinds(rows: Mapping[str, list[dict[str, str]]], review: str | None) -> set[str]:
    """What a case holds for staff. Words are those of the reference product's page."""
    checks = rows["review_checks"]
    found = {
        "alert": any(check["result"] == "Alert" for check in checks),
        "explanation": any(check["result"] == "Alert" and check["explanation"] for check in checks),
        "review needed": review == "Review needed",
        "no review needed": review == "No review needed",
        "open question": any(note["status"] == "Open" for note in rows["questions"]),
        "contact request": bool(rows["contact_requests"]),
        "file": bool(rows["files"]),
    }
    return {kind for kind, there in found.items() if there}
