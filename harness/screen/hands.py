"""Trusted input: what a person's mouse, keyboard and file chooser would do, after a look at where it lands.

Every press is aimed at a point where a hit test met the element. Values are never set by script, and nothing is clicked or
submitted by script.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FileChooser, Page

from harness.errors import one_line
from harness.screen.reader import Found
from harness.screen.world import ContextLost, World

YES = frozenset({"yes", "true", "on", "checked", "1", "ja", "oui", "是"})
NO = frozenset({"no", "false", "off", "unchecked", "not checked", "0", "nein", "non", "否"})


class Hands:
    """Input into one page.

    Args:
        page: the page.
        world: its script world.
        control_s: how long something may take to become usable.
        upload_s: how long the page may take to accept a file.
    """

    def __init__(self, page: Page, world: World, control_s: float, upload_s: float) -> None:
        self.page = page
        self.world = world
        self.control_s = control_s
        self.upload_s = upload_s
        self._chooser: asyncio.Future[FileChooser] | None = None
        page.on("filechooser", self._on_chooser)

    def _on_chooser(self, chooser: FileChooser) -> None:
        if self._chooser is not None and not self._chooser.done():
            self._chooser.set_result(chooser)

    async def point(self, function: str, *args: Any) -> dict[str, Any]:
        """Where to press, `{x, y, focused, …}`, or `{why}`; the last argument is how many milliseconds it may take."""
        ms = args[-1]
        try:
            point: dict[str, Any] = await self.world.again(function, *args, timeout_s=ms / 1000 + 10)
        except TimeoutError:
            return {"why": "does not answer"}
        return point

    async def click(self, at: Mapping[str, Any]) -> str:
        """Moves the mouse to a point and presses the left button there; returns what went wrong, or nothing.

        A press that reached nothing at all is made once more; one that met something else is not.
        """
        for _ in range(2):
            await self.press_once(at)
            try:
                landed = await self.world.call("landed", timeout_s=self.control_s)
            except (ContextLost, TimeoutError):
                return ""  # the press began something: another document, or work that keeps the page busy
            if landed is not None:
                return "" if landed else "the press met something else"
        return "the page got no press"

    async def press_once(self, at: Mapping[str, Any]) -> None:
        """The mouse's part of `click`: nothing is asked about where it landed."""
        place = {"x": at["x"], "y": at["y"], "button": "left", "clickCount": 1}
        send = self.world.session.send
        await asyncio.gather(
            send("Input.dispatchMouseEvent", {**place, "type": "mouseMoved", "button": "none", "clickCount": 0}),
            send("Input.dispatchMouseEvent", {**place, "type": "mousePressed", "buttons": 1}),
            send("Input.dispatchMouseEvent", {**place, "type": "mouseReleased"}),
        )

    async def press_at(self, function: str, where: Any, timeout_s: float) -> str:
        """Waits until something can be pressed, and presses it; returns what went wrong, or nothing."""
        at = await self.point(function, where, int(timeout_s * 1000))
        if "x" not in at:
            return str(at["why"])
        return await self.click(at)

    async def click_handle(self, handle: int) -> str:
        """Presses a control of the last reading; returns why not, or nothing."""
        why = await self.press_at("handlePoint", handle, self.control_s)
        return f"control: {why}" if why else ""

    async def fill(self, found: Found, value: str) -> str:
        """Types or chooses a value and looks whether the control shows it; returns what went wrong, or nothing."""
        about = await self.world.again("about", found.element)
        if about is None:
            return "control gone"
        if found.option_handles:
            return await self._choose_option(found, value)
        if about["tag"] == "select":
            return await self._choose_in_select(found, about, value)
        if about["type"] in ("checkbox", "radio") or found.control.value in ("checked", "not checked"):
            return await self._check(found, about, value)
        if why := await self.click_handle(found.handle):
            return why
        if about["type"] in ("date", "time", "datetime-local", "month"):
            return await self._type_date(found, about["type"], value)
        if about["value"]:
            await self.clear()
        await self.insert(value, about["rich"])
        kept = await self.world.again("valueIs", found.element, value, 1000)
        return "" if kept else "not kept"

    async def _choose_option(self, found: Found, value: str) -> str:
        wanted = fold(value)
        for option, handle in zip(found.control.options, found.option_handles, strict=True):
            if fold(option) == wanted:
                return await self.click_handle(handle)
        return f"no option {value!r}; there are {', '.join(found.control.options)}"

    async def _choose_in_select(self, found: Found, about: dict[str, Any], value: str) -> str:
        """By keyboard: a closed list moves by one usable option per arrow key."""
        usable = [i for i, off in enumerate(about["disabledOptions"]) if not off]
        wanted = next((i for i in usable if fold(about["options"][i]) == fold(value)), None)
        if wanted is None:
            return f"no option {value!r}; there are {', '.join(about['options'][i] for i in usable)}"
        await self.world.again("focus", found.element)
        before = [i for i in usable if i < about["index"]]
        after = [i for i in usable if i > about["index"]]
        steps = after.index(wanted) + 1 if wanted in after else 0
        back = len(before) - before.index(wanted) if wanted in before else 0
        for _ in range(steps or back):
            await self.page.keyboard.press("ArrowDown" if steps else "ArrowUp")
        kept = await self.world.again("valueIs", found.element, value, 1000)
        return "" if kept else "not kept"

    async def _check(self, found: Found, about: dict[str, Any], value: str) -> str:
        word = fold(value)
        if word in YES or word == fold(found.control.name):
            wanted = True
        elif word in NO:
            wanted = False
        else:
            return f"{value!r} is neither yes nor no"
        if about["checked"] == wanted:
            return ""
        if why := await self.click_handle(found.handle):
            return why
        now = await self.world.again("about", found.element)
        return "" if now is None or now["checked"] == wanted else "not kept"

    async def _type_date(self, found: Found, kind: str, value: str) -> str:
        """Keys for a date or time field, in the orders that browsers' locales use, until the field holds the value."""
        for keys in _date_keys(kind, value):
            await self.world.again("focus", found.element)
            for _ in range(6):
                await self.page.keyboard.press("ArrowLeft")
            await self.page.keyboard.type(keys)
            if await self.world.again("valueIs", found.element, value, 200):
                return ""
        return "not kept"

    async def insert(self, text: str, rich: bool) -> None:
        """Types at the focus. In an editable box (`rich`) lines are broken by Shift+Enter, since Enter may send."""
        if not rich:
            await self.world.session.send("Input.insertText", {"text": text})
            return
        for i, line in enumerate(text.split("\n")):
            if i:
                await self.page.keyboard.press("Shift+Enter")
            if line:
                await self.world.session.send("Input.insertText", {"text": line})

    async def clear(self) -> None:
        """Empties the field that has the focus."""
        await self.page.keyboard.press("ControlOrMeta+A")
        await self.page.keyboard.press("Backspace")

    async def choose_file(self, path: Path, get: tuple[str, Any]) -> str:
        """Presses what opens a file chooser and chooses the file in it; returns what went wrong, or nothing."""
        self._chooser = asyncio.get_running_loop().create_future()
        try:
            if why := await self.press_at(get[0], get[1], self.control_s):
                return f"control: {why}"
            chooser = await asyncio.wait_for(self._chooser, self.control_s)
            await chooser.set_files(path, timeout=self.upload_s * 1000)
        except TimeoutError:
            return "no file chooser opened"
        except PlaywrightError as exc:
            return f"the page did not take the file: {one_line(exc.message, 120)}"
        finally:
            self._chooser = None
        return ""

    async def after_act(self, timeout_s: float) -> None:
        """A navigation that the act began, if any, has ended."""
        with suppress(ContextLost, TimeoutError):
            await self.world.call("tick", timeout_s=timeout_s)
        await self.world.loaded(timeout_s)


def fold(text: str) -> str:
    """White space folded, case ignored: how names and options are compared."""
    return " ".join(text.split()).casefold()


def _date_keys(kind: str, value: str) -> list[str]:
    """Key sequences that may enter an ISO date or a 24-hour time into a native field."""
    digits = "".join(c for c in value if c.isdigit())
    if kind == "time":
        hour = int(digits[:2] or "0")
        half = "AM" if hour < 12 else "PM"
        return [f"{(hour % 12) or 12:02d}{digits[2:4]}{half}", digits[:4]]
    year, month, day, rest = digits[:4], digits[4:6], digits[6:8], digits[8:]
    if kind == "month":
        return [month + year, year + month]
    tail = [""]
    if kind == "datetime-local":
        tail = ["\t" + keys for keys in _date_keys("time", rest)]
    return [front + end for end in tail for front in (month + day + year, day + month + year, year + month + day)]
