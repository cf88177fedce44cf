"""Does tesseract see what the rig's reader sees? Over all fixture pages of the screen and all reference pages.

    scripts/ocr_check [--json] [--only NAME …] [--keep DIR]

What the reader calls visible must be readable on screenshots; what it does not call visible (a fixture's list of unseen
strings, and every text or attribute of the document that the reader left out) must not be. Exceptions stand, each with its
reason, in tests/browser/screen/ocr_exceptions.yaml; one that was not needed is a problem, unless --only left pages out. Every kind of page of the reference product must have been looked at.
Exit 0: no problem; 1: problems; 2: bad input; 4: something is missing.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from harness.browser import find_browser, launch_args
from harness.config import read_config
from harness.errors import InputError, RigError
from harness.progress import Quiet
from harness.screen.adapter import parse_yaml
from harness.stack import StackConnection, for_run
from scripts.ocr_pages import PAGES, ROOT, Shown, fixture_page
from scripts.ocr_reading import READABLE_SHARE, has_chinese, long_enough, missing, read_pictures
from scripts.ocr_reference import KINDS, Reference
from tests.support.ports import stack_ports

EXCEPTIONS = ROOT / "tests" / "browser" / "screen" / "ocr_exceptions.yaml"


@dataclass
class Result:
    """The counts and findings that `--json` prints."""

    pages: int = 0
    blocks_checked: int = 0
    readable: int = 0
    hidden_checked: int = 0
    not_readable: int = 0
    too_short: list[dict[str, str]] = field(default_factory=list)
    """Hidden texts that cannot be told from chance, and are not looked for."""
    exceptions: list[dict[str, str]] = field(default_factory=list)
    problems: list[dict[str, str]] = field(default_factory=list)
    unused_exceptions: list[dict[str, str]] = field(default_factory=list)
    """Exceptions that nothing needed; in a run over all pages each is a problem too."""
    kinds: dict[str, int] = field(default_factory=dict)
    """Kind of page or part of the reference product -> pages on which it was looked at."""

    def plain(self) -> dict[str, Any]:
        """JSON data."""
        return {"readable_share": READABLE_SHARE, **self.__dict__}


def read_exceptions(path: Path = EXCEPTIONS) -> dict[tuple[str, str, str], str]:
    """(page, what, text) -> reason. `what` is `visible` (read by us, not by tesseract) or `hidden` (the reverse)."""
    found: dict[tuple[str, str, str], str] = {}
    for number, entry in enumerate(parse_yaml(path.read_text(encoding="utf-8"), path.name)):
        keys = {"page", "what", "text", "reason"}
        if not isinstance(entry, dict) or set(entry) != keys or entry["what"] not in ("visible", "hidden"):
            raise InputError(f"{path.name}: {number}", "needs page, what (visible or hidden), text and reason")
        if not entry["reason"].strip():
            raise InputError(f"{path.name}: {number}", "has no reason")
        found[entry["page"], entry["what"], entry["text"]] = entry["reason"]
    return found


async def check_page(shown: Shown, exceptions: dict[tuple[str, str, str], str], used: set[Any], result: Result) -> None:
    """Compares one page's pictures with what the reader said; adds to `result`."""
    read = await read_pictures(shown.pictures, shown.visible, has_chinese([*shown.visible, *shown.unseen]))
    result.pages += 1

    def wrong(what: str, text: str, why: str) -> None:
        key = (shown.name, what, text)
        if key in exceptions:
            used.add(key)
            result.exceptions.append({"page": shown.name, "what": what, "text": text, "reason": exceptions[key]})
        else:
            result.problems.append({"page": shown.name, "what": what, "text": text, "why": why})
            sys.stderr.write(f"  problem: {what} {text!r}: {why}\n")

    for text in shown.visible:
        result.blocks_checked += 1
        share = read.share(text)
        if share >= READABLE_SHARE:
            result.readable += 1
        else:
            wrong("visible", text, f"the reader calls it visible; tesseract read {share:.0%} of it")
    for text in shown.unseen:
        if not long_enough(text):
            result.too_short.append({"page": shown.name, "text": text})
            continue
        result.hidden_checked += 1
        if read.shows(text):
            wrong("hidden", text, "the reader does not show it; tesseract read it")
        else:
            result.not_readable += 1


# ---------------------------------------------------------------------- all of it


@contextlib.asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """A Chromium of this command's own."""
    found = find_browser()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=found.path, args=launch_args(found.sandbox), chromium_sandbox=found.sandbox
        )
        try:
            yield browser
        finally:
            await browser.close()


def keep(shown: Shown, folder: Path | None) -> None:
    """Writes a page's pictures below `folder`, if there is one."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(shown.pictures, 1):
            (folder / f"{shown.name}-{number}.png").write_bytes(data)


async def check(
    names: list[str],
    stack: StackConnection | None,
    folder: Path | None = None,
    browser: Browser | None = None,
    everything: bool = False,
) -> Result:
    """Fixture pages by name and, where a stack is given, the reference product's pages.

    Args:
        names: the fixture pages.
        stack: where the reference product runs; None: its pages are left out.
        folder: where the pictures are kept; None: nowhere.
        browser: the browser to use; None: one of this command's own.
        everything: these are all the pages there are, so that an exception which none of them needed is a problem.
    """
    result, exceptions, used = Result(), read_exceptions(), set[Any]()
    seen: set[str] = set()

    async def one(shown: Shown) -> None:
        seen.add(shown.name)
        keep(shown, folder)
        sys.stderr.write(f"{shown.name}: {len(shown.pictures)} pictures\n")
        await check_page(shown, exceptions, used, result)

    async with contextlib.AsyncExitStack() as kept:
        driver: Browser = browser if browser is not None else await kept.enter_async_context(launched())
        for name in names:
            await one(await fixture_page(driver, name))
        if stack is not None:
            reference = Reference(driver, stack)
            for shown in await reference.pages():
                await one(shown)
            result.kinds = dict(sorted(reference.kinds.items()))
            for kind in sorted(KINDS - set(result.kinds)):
                result.problems.append({"page": "reference", "what": "kind", "text": kind, "why": "was on no page"})
    add_unused(result, exceptions, used, None if everything else seen)
    return result


def add_unused(
    result: Result, exceptions: dict[tuple[str, str, str], str], used: set[Any], pages: set[str] | None
) -> None:
    """Notes the exceptions that were not used, those of some pages or, as problems, those of all (`pages` None)."""
    for page, what, text in exceptions:
        if (page, what, text) not in used and (pages is None or page in pages):
            unused = {"page": page, "what": what, "text": text}
            result.unused_exceptions.append(unused)
            if pages is None:
                result.problems.append({**unused, "why": f"the exception ({what}) was not needed; take it out"})


def plain_lines(result: Result) -> list[str]:
    """What is printed for a person."""
    lines = [f"PROBLEM {line['page']}: {line['text']!r}: {line['why']}" for line in result.problems]
    told = [{k: line[k] for k in ("page", "what", "text")} for line in result.problems]
    lines += [
        f"exception not needed on {line['page']}: {line['what']} {line['text']!r}"
        for line in result.unused_exceptions
        if line not in told
    ]
    lines.append(
        f"{result.pages} pages; visible: {result.readable} of {result.blocks_checked} readable; hidden: "
        f"{result.not_readable} of {result.hidden_checked} not readable ({len(result.too_short)} too short to look for); "
        f"{len(result.exceptions)} exceptions, {len(result.unused_exceptions)} more not needed; {len(result.problems)} problems"
    )
    return lines


def main(argv: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="ocr_check", description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print JSON alone")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a fixture page, or `reference`")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the pictures there")
    given = parser.parse_args(argv)
    all_names = sorted(p.stem for p in PAGES.glob("*.html"))
    unknown = [n for n in given.only if n not in all_names and n != "reference"]
    if unknown:
        sys.stderr.write(f"--only {unknown[0]}: there is no such page; there are reference, {', '.join(all_names)}\n")
        return 2
    if why := missing():
        sys.stderr.write(f"{why}\n")
        return 4
    names = [n for n in all_names if not given.only or n in given.only]
    try:
        if not given.only or "reference" in given.only:
            with tempfile.TemporaryDirectory(prefix="rig-ocr-stack-") as state:
                env = {**os.environ, **stack_ports(), "RIG_STATE_DIR": state}
                with for_run("controlled", config=read_config(env), progress=Quiet()) as stack:
                    result = asyncio.run(check(names, stack, given.keep, everything=not given.only))
        else:
            result = asyncio.run(check(names, None, given.keep))
    except RigError as exc:
        sys.stderr.write(f"{exc}\n")
        return exc.exit_code
    if given.json:
        sys.stdout.write(json.dumps(result.plain(), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in plain_lines(result)))
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
