"""An ordinary Playwright script that plays a recorded journey again: what `scripts/bench` holds the rig against.

It is written as a tester writes one by hand, in the quicker (asynchronous) form: `fill`, `click`, wait until the reply is
there and the typing mark gone, a full-page PNG, every network body to disk. It thinks nothing, checks nothing, and knows
each step beforehand. Reads a plan as JSON from a file, prints its figures as JSON.
"""

import argparse
import asyncio
import hashlib
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import httpx
from playwright.async_api import Browser, BrowserContext, Page, Response, async_playwright
from playwright.async_api import Error as PlaywrightError


@dataclass(frozen=True)
class Step:
    """One act and what it was done with."""

    act: Literal["said", "uploaded", "pressed", "signed_in"]
    text: str
    """Message, or name of the button."""
    file: str | None
    """Path of the file, for an upload."""


@dataclass(frozen=True)
class Plan:
    """Everything the script needs.

    Attributes:
        seed: body of the seed request, without its `request_id`.
        staff: also look the case up on the staff pages and read the state, as the rig does after a journey.
        overlap: do that while the next journey runs.
    """

    base_url: str
    token: str
    staff_user: str
    staff_password: str
    browser_path: str | None
    browser_args: list[str]
    sandbox: bool
    viewport: tuple[int, int]
    seed: dict[str, Any]
    steps: list[Step]
    journeys: int
    out: str
    staff: bool
    overlap: bool


def read_plan(path: Path) -> Plan:
    """The plan in a file that `scripts/bench` wrote."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Plan(**{**data, "steps": [Step(**s) for s in data["steps"]], "viewport": tuple(data["viewport"])})


class Bodies:
    """Writes the body of every response of a context, as tests do that keep network evidence."""

    def __init__(self, context: BrowserContext, folder: Path) -> None:
        self.folder = folder
        self.written = 0
        self._tasks: set[asyncio.Task[None]] = set()
        context.on("response", self._came)

    def _came(self, response: Response) -> None:
        task = asyncio.get_running_loop().create_task(self._keep(response))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep(self, response: Response) -> None:
        try:
            body = await response.body()
        except PlaywrightError:
            return  # a redirect, or a streamed body that the browser gave up
        (self.folder / hashlib.sha256(body).hexdigest()).write_bytes(body)
        self.written += len(body)

    async def drain(self) -> None:
        """Wait for the bodies that are still being read."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def take_turn(page: Page, step: Step) -> None:
    """One act, and the wait for what it brings."""
    replies = page.locator("[data-from=assistant]")
    before = await replies.count()
    if step.act == "said":
        await page.get_by_role("textbox", name="Your message").fill(step.text)
        await page.get_by_role("button", name="Send").click()
    elif step.act == "uploaded" and step.file is not None:
        await page.locator("input[type=file]").set_input_files(step.file)
    elif step.act == "pressed":
        await page.get_by_role("button", name=step.text).click()
    if step.act == "pressed":
        await page.get_by_role("form", name="Sign in").wait_for()
    elif step.act != "signed_in":
        await replies.nth(before).wait_for()
    await page.locator(".typing").wait_for(state="hidden")


async def sign_in(page: Page, login: dict[str, str]) -> None:
    """Fill the form and wait for the case number."""
    await page.get_by_label("Email").fill(login["email"])
    await page.get_by_label("Password").fill(login["password"])
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("status", name="Case number").wait_for()


async def play(browser: Browser, plan: Plan, receipt: dict[str, Any], folder: Path) -> dict[str, float]:
    """One journey in a context of its own: milliseconds and bytes of evidence."""
    folder.mkdir(parents=True)
    started = time.time()
    width, height = plan.viewport
    context = await browser.new_context(viewport={"width": width, "height": height}, service_workers="block")
    bodies = Bodies(context, folder)
    page = await context.new_page()
    await page.goto(receipt["start_url"])
    await page.get_by_role("textbox", name="Your message").wait_for()
    await page.screenshot(full_page=True, path=folder / "000.png")
    for number, step in enumerate(plan.steps, start=1):
        if step.act == "signed_in":
            await sign_in(page, receipt["login"])
        else:
            await take_turn(page, step)
        await page.screenshot(full_page=True, path=folder / f"{number:03d}.png")
    await bodies.drain()
    await context.close()
    ended = time.time()
    size = sum(f.stat().st_size for f in folder.iterdir())
    return {"started": started, "ended": ended, "bytes": float(size)}


async def look_up(browser: Browser, plan: Plan, case_ref: str, folder: Path) -> None:
    """The staff pages, work list and case: text and picture of each, as the rig keeps them."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"{plan.base_url}/staff")
    await page.get_by_label("Staff name").fill(plan.staff_user)
    await page.get_by_label("Password").fill(plan.staff_password)
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("table", name="Work list").wait_for()
    await page.get_by_label("Search").fill(case_ref)
    await page.get_by_label("Search").press("Enter")
    await page.get_by_role("table", name="Work list").wait_for()
    (folder / "staff-list.txt").write_text(await page.inner_text("body"), encoding="utf-8")
    await page.screenshot(full_page=True, path=folder / "staff-list.png")
    await page.locator("table[aria-label='Work list'] tbody tr a").first.click()
    await page.get_by_role("heading", name="Case").first.wait_for()
    (folder / "staff.txt").write_text(await page.inner_text("body"), encoding="utf-8")
    await page.screenshot(full_page=True, path=folder / "staff.png")
    await context.close()


async def read_state(client: httpx.AsyncClient, case_ref: str, folder: Path) -> None:
    """The product's state, and the files it stored."""
    state = (await client.get(f"/rig/state/{case_ref}")).raise_for_status()
    (folder / "state.json").write_bytes(state.content)
    for case in state.json()["cases"]:
        for upload in case["uploads"]:
            stored = (await client.get(upload["url"])).raise_for_status()
            (folder / "stored.sha256").open("a").write(hashlib.sha256(stored.content).hexdigest() + "\n")


async def main(plan: Plan) -> dict[str, Any]:
    """All journeys of the plan, one after the other, in one browser."""
    out = Path(plan.out)
    played: list[dict[str, float]] = []
    headers = {"Authorization": f"Bearer {plan.token}"}
    async with async_playwright() as playwright, httpx.AsyncClient(base_url=plan.base_url, headers=headers) as client:
        browser = await playwright.chromium.launch(
            executable_path=plan.browser_path, args=plan.browser_args, chromium_sandbox=plan.sandbox
        )
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        began = 0.0
        looks: list[asyncio.Task[Any]] = []
        for number in range(plan.journeys):
            body = {**plan.seed, "request_id": hashlib.md5(f"{plan.out}{number}".encode()).hexdigest()}
            receipt = (await client.post("/rig/seed", json=body)).raise_for_status().json()
            began = began or time.time()
            folder = out / f"{number:03d}"
            played.append(await play(browser, plan, receipt, folder))
            if plan.staff:
                case = receipt["case_ref"]
                looks.append(asyncio.create_task(look_up(browser, plan, case, folder)))
                looks.append(asyncio.create_task(read_state(client, case, folder)))
                if not plan.overlap:
                    await asyncio.gather(*looks)
        await asyncio.gather(*looks)
        ended = time.time()
        sys.stdout.write(json.dumps({"began": began, "ended": ended, "journeys": played}) + "\n")
        sys.stdout.flush()
        sys.stdin.readline()
        await browser.close()
    return {}


def plan_json(plan: Plan) -> str:
    """The plan as text for `read_plan`."""
    return json.dumps(asdict(plan), ensure_ascii=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path)
    asyncio.run(main(read_plan(parser.parse_args().plan)))
