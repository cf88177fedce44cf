"""One fixture page per way in which text on a page is or is not what a person sees."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser

from harness.screen.look import look_in

pytestmark = pytest.mark.browser
PAGES = Path(__file__).parent / "pages"
NAMES = sorted(p.stem for p in PAGES.glob("*.html"))
AT_ONCE = 6
SCRIPTS = {"English": re.compile(r"[A-Za-z]{2}"), "Chinese": re.compile(r"[\u3400-\u9fff]")}
TAG = re.compile(r"<[^>]*>")


@pytest.fixture(scope="module")
def looks(browser: Browser, run: Any) -> dict[str, dict[str, Any]]:
    """Every page, read once."""

    async def all_pages() -> dict[str, dict[str, Any]]:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(name: str) -> dict[str, Any]:
            async with gate:
                return await look_in(browser, (PAGES / f"{name}.html").as_uri())

        return dict(zip(NAMES, await asyncio.gather(*map(one, NAMES)), strict=True))

    return run(all_pages())  # type: ignore[no-any-return]


def expected(name: str) -> dict[str, Any]:
    """The page's sidecar: visible blocks in order, strings that must not appear, controls, what cannot be read."""
    return json.loads((PAGES / f"{name}.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_there_are_at_least_forty_pages() -> None:
    """Every page has a sidecar, and the pitfalls known so far are covered."""
    assert len(NAMES) >= 40
    assert all((PAGES / f"{name}.json").is_file() for name in NAMES)


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("what", ["visible", "hidden"])
@pytest.mark.parametrize("name", NAMES)
def test_every_page_has_seen_and_unseen_text_in_both_languages(name: str, what: str, language: str) -> None:
    """Each page shows text in English and in Chinese, and holds text in each that must not be read."""
    assert [text for text in expected(name)[what] if SCRIPTS[language].search(text)]


@pytest.mark.parametrize("name", NAMES)
def test_what_must_not_be_read_is_in_the_page(name: str) -> None:
    """Every unseen string stands in the page's source, so that not reading it is a finding; joined tags count as one word."""
    source = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    joined = TAG.sub("", source)
    assert [text for text in expected(name)["hidden"] if text not in source and text not in joined] == []


@pytest.mark.parametrize("name", NAMES)
def test_exactly_the_visible_blocks_are_read(name: str, looks: dict[str, dict[str, Any]]) -> None:
    """The text is exactly what a person sees, block by block."""
    assert looks[name]["text"] == expected(name)["visible"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_unseen_is_read(name: str, looks: dict[str, dict[str, Any]]) -> None:
    """No string that a person does not see is in any text, name, value or placeholder; options of a list aside."""
    look = looks[name]
    parts = [*look["text"]]
    for control in look["controls"]:
        parts += [control["name"], control["value"] or "", control["placeholder"] or ""]
    parts += [str(item) for item in look["unreadable"]]
    everything = "\n".join(parts)
    assert [secret for secret in expected(name)["hidden"] if secret in everything] == []


@pytest.mark.parametrize("name", [n for n in NAMES if "controls" in expected(n)])
def test_controls_are_named_by_what_is_visible(name: str, looks: dict[str, dict[str, Any]]) -> None:
    """Controls have the kind, visible name, state and value a person would tell."""
    want = expected(name)["controls"]
    got = looks[name]["controls"]
    assert [{key: c[key] for key in w} for c, w in zip(got, want, strict=True)] == want


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_read_is_said(name: str, looks: dict[str, dict[str, Any]]) -> None:
    """Canvas, foreign frames and closed shadow roots are reported, never guessed, and nothing else is."""
    assert sorted(u["why"] for u in looks[name]["unreadable"]) == sorted(expected(name).get("unreadable", []))
