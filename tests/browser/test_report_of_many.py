"""The report of a run of 1,000 attempts in a real Chromium: it opens without a server, sorts and narrows, and hostile text stays text."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "report"))

from record_builder import RunBuilder, line, motor_talk

from harness.report import Limits, write_report
from harness.report.overview import SHOWN_REFS
from harness.schema.product import StaffRead
from harness.schema.scorecard import Measure
from tests.browser.test_report import browser
from tests.support.hostile import INSPECT, PAYLOADS, hostile_run, open_watched
from tests.support.many import repeat_runs

pytestmark = pytest.mark.browser

ATTEMPTS = 1000
MOST_BYTES = 2_000_000
NO_STAFF = StaffRead(schema="staff-read-v1", found=False, why_not="none", fields={}, lists={}, pages=[], pictures=[])
CASES = [
    ("completed", 7.0, [line("facts.plate", "pass"), line("journey.slow_turn", "pass")]),
    ("completed", 12.0, [line("facts.plate", "fail"), line("journey.slow_turn", "pass")]),
    ("turn_limit", 40.0, [line("facts.plate", "fail"), line("journey.slow_turn", "fail")]),
    ("completed", 9.0, [line("facts.plate", "not_checked"), line("review.required", "fail", alarm="false_alarm")]),
    ("simulator_error", 3.0, [line("facts.plate", "not_checked")]),
]
"""(ending, turns, score lines) of the attempts that are repeated."""
__all__ = ["browser"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 1,000 attempts, made by repeating recorded ones."""
    root = tmp_path_factory.mktemp("many")
    builder = RunBuilder(root)
    for at, (reason, turns, lines) in enumerate(CASES):
        package = f"CTL-M-{at:03d}"
        builder.attempt(
            motor_talk(builder.folder(package), pictures=False), package=package, reason=reason, staff=NO_STAFF
        )
        measures = [Measure(id="ended_in_turn", title="Turns", value=turns, unit="turn")]
        builder.score(lines, package=package, reason=reason, counting=reason != "simulator_error", measures=measures)
    return write_report(repeat_runs([builder.dir], root / "r1000", ATTEMPTS), limits=Limits(detail_attempts=3))


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    """The report, opened as a file; it must not ask for anything, say anything or fail."""
    watched = open_watched(browser, report.as_uri())
    yield watched.page
    assert [r for r in watched.requests if not r.startswith("data:image/")] == [report.as_uri()]
    assert watched.dialogs == []
    assert watched.console == []
    watched.page.close()


def shown(page: Page) -> list[list[str]]:
    """Cells of the rows that are shown."""
    script = "[...document.querySelectorAll('#attempts tbody tr')].filter(r => r.offsetParent).map(r => [...r.cells].map(c => c.innerText.trim()))"
    rows: list[list[str]] = page.evaluate(script)
    return rows


def test_a_thousand_attempts_are_one_small_file(report: Path) -> None:
    """The page about all attempts stays under two megabytes, and its attempts are all in its list."""
    assert report.stat().st_size < MOST_BYTES
    assert report.read_text("utf-8").count('<tr class="tone-') == ATTEMPTS
    assert len(list(report.with_suffix("").iterdir())) == 3


def test_the_list_narrows_and_sorts(page: Page) -> None:
    """Choices and words narrow the list together, a heading sorts it as numbers, and a kind of failure leads to its attempts."""
    assert page.locator("#filter output").inner_text() == "1000 of 1000 shown"
    page.select_option("#filter select[name=tone]", "void")
    assert {row[4] for row in shown(page)} == {"simulator error"}
    assert len(shown(page)) == ATTEMPTS // 5
    page.click("#filter button")
    page.fill("#filter input", "ctl-m-002 t17")
    assert [row[1] for row in shown(page)] == ["CTL-M-002/t17/a01", *(f"CTL-M-002/t17{n}/a01" for n in range(10))]
    page.click("#filter button")
    page.click("a.pick[data-name=line] >> nth=0")
    rows = shown(page)
    assert len(rows) == 2 * ATTEMPTS // 5
    assert all("facts.plate" in row[8] for row in rows)
    turns = page.locator("#attempts th:nth-child(6) button")
    turns.click()
    assert [row[5] for row in shown(page)][:: ATTEMPTS // 5] == ["12", "40"]
    turns.click()
    assert shown(page)[0][5] == "40"
    assert page.locator("#attempts th:nth-child(6)").get_attribute("aria-sort") == "descending"
    page.locator("#attempts th:nth-child(1) button").focus()
    page.keyboard.press("Enter")
    assert page.locator("#attempts th:nth-child(1)").get_attribute("aria-sort") == "ascending"


def test_what_is_set_aside_is_apart(page: Page) -> None:
    """Void attempts are counted in a place of their own and in no failure; the first words are the grade."""
    assert page.locator("body").inner_text().startswith("REHEARSAL")
    assert "800 counting attempts" in page.locator("#failed h2").inner_text()
    assert "simulator error" in page.locator("#ended").inner_text()
    first = page.locator("#failed tbody tr").first.locator("td").all_inner_texts()
    assert first[1:3] == ["400", "600"]
    assert page.locator("#failed tbody tr").first.locator(".ref").count() == SHOWN_REFS
    assert page.locator("figure svg").count() == 2


@pytest.mark.parametrize("width", [390, 1280])
def test_many_attempts_do_not_scroll_sideways(page: Page, width: int) -> None:
    """Wide tables scroll by themselves; the page does not."""
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_attempt_is_one_click_away(browser: Browser, report: Path) -> None:
    """A linked attempt opens on a page of its own, which leads back."""
    watched = open_watched(browser, report.as_uri())
    watched.page.click("a.ref >> nth=0")
    assert watched.page.locator("article.attempt").count() == 1
    watched.page.click(".home a")
    assert watched.page.url == report.as_uri()
    watched.page.close()


def test_hostile_text_stays_text_among_many(browser: Browser, tmp_path: Path) -> None:
    """Names, titles, classes and reasons from elsewhere do nothing on the page of many, whose one script is its own."""
    run = hostile_run(tmp_path, [p for p in PAYLOADS if len(p) < 1000])
    report = write_report(run, limits=Limits(detail_attempts=2))
    watched = open_watched(browser, report.as_uri())
    found = watched.page.evaluate(INSPECT)
    allowed = {"script", "input", "button"}
    assert [x for x in found if x not in allowed and not x.startswith("a@report/X-")] == []
    assert (found.count("script"), found.count("input")) == (1, 1)
    watched.page.select_option("#filter select[name=tone]", "fail")
    watched.page.click("#attempts th:nth-child(9) button")
    assert shown(watched.page)
    assert [r for r in watched.requests if not r.startswith("data:image/")] == [report.as_uri()]
    assert watched.dialogs == []
    assert watched.console == []
    watched.page.close()
