"""Fixed sequences of an adapter: sign-in, the way to a staff page. No conditions, no loops."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Error as PlaywrightError

from harness.schema.screen import Control
from harness.screen.adapter import Adapter, Locator, Step, scripts, substitute
from harness.screen.errors import StepFailed, SurfaceUnreachable
from harness.screen.hands import Hands
from harness.screen.reader import Found
from harness.screen.world import World


@dataclass(frozen=True)
class StepRunner:
    """Carries out steps on one page.

    Attributes:
        goto: opens an address.
        step_s: how long one step may take.
    """

    adapter: Adapter
    world: World
    hands: Hands
    goto: Callable[[str], Awaitable[None]]
    step_s: float

    async def run(self, steps: list[Step], values: Mapping[str, str]) -> None:
        """All steps, one after the other, each waiting for what it needs.

        Raises:
            StepFailed: names the step and what was missing.
        """
        for number, step in enumerate(steps, 1):
            name = f"{number} ({step.verb})"
            try:
                why = await self._one(step, values)
            except (TimeoutError, PlaywrightError, SurfaceUnreachable) as exc:
                raise StepFailed(name, str(exc) or "no answer in time") from exc
            if why:
                raise StepFailed(name, why)

    async def _one(self, step: Step, values: Mapping[str, str]) -> str:
        ms = int(self.step_s * 1000)
        if step.goto is not None:
            url = substitute(step.goto, values)
            if not self.adapter.allowed(url):
                return f"{url} is not among the adapter's origins"
            await self.goto(url)
            return ""
        locator = step.click or step.fill or step.press or step.upload or step.wait_for
        if locator is None:
            return "no locator"
        script = scripts([_with_values(locator, values)])
        if step.wait_for is not None:
            shown = await self.world.again("waitFor", script, ms, False, timeout_s=self.step_s + 5)
            return "" if shown else "it does not show"
        if step.upload is not None:
            return await self.hands.choose_file(Path(substitute(step.file or "", values)), ("pressPoint", script))
        at = await self.hands.point("pressPoint", script, ms)
        if "x" not in at:
            return str(at["why"])
        if step.fill is not None:
            handle = await self.world.again("locate", script)
            found = Found(Control(kind="field", name="", part="page", enabled=True), handle, handle)
            return await self.hands.fill(found, substitute(step.value or "", values))
        if not (step.press is not None and at["focused"]) and (why := await self.hands.click(at)):
            return why
        if step.press is not None:
            await self.hands.page.keyboard.press(step.key or "Enter")
        await self.hands.after_act(self.step_s)
        return ""


def _with_values(locator: Locator, values: Mapping[str, str]) -> Locator:
    put = {
        key: substitute(text, values)
        for key in ("name", "label", "text", "css")
        if (text := getattr(locator, key)) is not None
    }
    return locator.model_copy(update=put)
