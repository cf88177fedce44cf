"""A second opinion on what is visible: tesseract reads pictures of a few pages; `scripts/ocr_check` does it for all."""

import contextlib
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser

from harness.schema.screen import Block, Control, Screen
from scripts import ocr_check
from scripts.ocr_check import Result, add_unused, check, check_page, main, plain_lines, read_exceptions
from scripts.ocr_pages import Shown, fixture_page, unseen_texts
from scripts.ocr_reading import Reading, distance, missing
from scripts.ocr_reference import CORPUS, PACKAGES, case_kinds, screen_kinds

PAGES = Path(__file__).parent / "pages"
SAMPLE = ["opacity-inherited", "screen-reader-only", "covered", "off-page", "same-colour", "fields"]


@pytest.mark.browser
def test_tesseract_sees_what_the_reader_sees(browser: Browser, run: Any) -> None:
    """On pages with the commonest pitfalls, visible text is readable on pictures and unseen text is not."""
    if why := missing():
        pytest.skip(why)
    result = run(check(SAMPLE, None, browser=browser))
    assert result.problems == []
    assert result.pages == len(SAMPLE)
    assert result.readable + len([e for e in result.exceptions if e["what"] == "visible"]) == result.blocks_checked
    assert result.hidden_checked >= 10


@pytest.mark.browser
def test_a_reader_that_is_wrong_is_found_out(browser: Browser, run: Any) -> None:
    """Text that is claimed and not painted, and text that is painted and not claimed, are problems, each by itself."""
    if why := missing():
        pytest.skip(why)

    async def work() -> Result:
        shown = await fixture_page(browser, "same-colour")
        wrong = Shown("same-colour", ["Plain line", "Approved by staff"], ["White on blue"], shown.pictures)
        result = Result()
        await check_page(wrong, {}, set(), result)
        return result

    result = run(work())
    assert [(p["what"], p["text"]) for p in result.problems] == [
        ("visible", "Approved by staff"),
        ("hidden", "White on blue"),
    ]
    assert (result.blocks_checked, result.readable, result.hidden_checked, result.not_readable) == (2, 1, 1, 0)


def test_what_a_document_holds_and_nobody_shows_is_looked_for() -> None:
    """Strings of the document that are no part of the visible text are candidates; fixtures' own lists always are."""
    visible = ["Your claim so far", "Send"]
    found = unseen_texts(["Send", "your claim", "claim your", "secret draft", ""], visible, ["listed"])
    assert found == ["listed", "secret draft"]


def test_every_exception_names_a_page_and_a_reason() -> None:
    """An exception belongs to a fixture page or a page of the reference product."""
    others = (*(f"{package}-" for package in PACKAGES), "home", "error", "staff-sign-in")
    for (name, _, text), reason in read_exceptions().items():
        assert (PAGES / f"{name}.html").is_file() or name.startswith(others), name
        assert text
        assert len(reason) > 10


NEEDED, IDLE, UNSEEN = ("a", "hidden", "drawn"), ("a", "visible", "grey"), ("b", "hidden", "gone")


def test_an_exception_that_nothing_needed_is_a_problem_where_all_was_looked_at() -> None:
    """Over all pages an idle exception is a problem, that of a page which is not there any more too; over some it is told."""
    exceptions = dict.fromkeys((NEEDED, IDLE, UNSEEN), "a reason")
    some, everything = Result(), Result()
    add_unused(some, exceptions, {NEEDED}, {"a"})
    add_unused(everything, exceptions, {NEEDED}, None)
    assert (some.unused_exceptions, some.problems) == ([{"page": "a", "what": "visible", "text": "grey"}], [])
    assert [(p["page"], p["text"]) for p in everything.problems] == [("a", "grey"), ("b", "gone")]
    assert any("not needed on a: visible 'grey'" in line for line in plain_lines(some))
    told = plain_lines(everything)
    assert len(told) == 3 and told[0].startswith("PROBLEM a: 'grey': the exception (visible) was not needed")


@pytest.mark.parametrize(("only", "code"), [([], 1), (["--only", "reference"], 0)], ids=["all", "only"])
def test_an_idle_exception_fails_a_full_run_alone(only: list[str], code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1 over all pages; with --only it is none of the run's business."""
    given: list[bool] = []

    async def checked(*_: Any, everything: bool = False) -> Result:
        given.append(everything)
        result = Result()
        add_unused(result, {IDLE: "a reason"}, set(), None if everything else {"a"})
        return result

    monkeypatch.setattr(ocr_check, "check", checked)
    monkeypatch.setattr(ocr_check, "missing", lambda: None)
    monkeypatch.setattr(ocr_check, "for_run", lambda *_, **__: contextlib.nullcontext())
    assert main(only) == code
    assert given == [not only]


def test_a_motor_a_home_and_a_property_claim_are_looked_at() -> None:
    """The journeys looked at are of packages of the corpus, one of each line of business at least."""
    assert all((CORPUS / package).is_dir() for package in PACKAGES)
    assert {package.split("-")[1] for package in PACKAGES} == {"M", "H", "P"}


def test_kinds_of_page_are_told_by_what_is_on_them() -> None:
    """Parts of the customer's page count once each; a case for staff counts for what it holds, and not for empty tables."""
    screen = Screen(
        seq=1,
        blocks=[Block(part="reply", text="Hello"), Block(part="reply", text="Again"), Block(part="page", text="Foot")],
        controls=[Control(kind="upload", name="Photo", part="card", enabled=True)],
    )
    assert screen_kinds(screen) == {"reply", "card", "upload"}
    empty = {"review_checks": [], "questions": [], "contact_requests": [], "files": []}
    assert case_kinds(empty, None) == set()
    alert = {"check": "Quote dated before the incident", "result": "Alert", "explanation": "An old scratch."}
    calm = {"check": "Other claims within a year", "result": "Clear", "explanation": "Said nothing."}
    note = {"text": "A courtesy car?", "status": "Answered"}
    assert case_kinds({**empty, "review_checks": [calm], "questions": [note]}, "No review needed") == {
        "no review needed"
    }
    full = {
        **empty,
        "review_checks": [calm, alert],
        "contact_requests": [note],
        "questions": [{**note, "status": "Open"}],
    }
    assert case_kinds(full, "Review needed") == {
        "alert", "explanation", "review needed", "open question", "contact request",
    }  # fmt: skip


def test_the_comparison_forgives_a_letter_and_no_more() -> None:
    """One wrong letter in four is tesseract's; another word is not the same word."""
    assert distance("bumper", "therearburnperisdented") <= 2
    reading = Reading(("Your claim number is CLM-2O26-000017", "车牌号 京A12345"))
    assert reading.share("Your claim number is CLM-2026-000017") == 1.0
    assert reading.share("车牌号") == 1.0
    assert reading.share("Your policy was cancelled") < 0.5
    assert reading.shows("claim number is CLM-2026")
    assert not reading.shows("reveal your password")
    assert not reading.shows("numb"), "part of a word is not a short hidden text"
