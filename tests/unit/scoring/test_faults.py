"""Errors of the product's, sign-in, dialogs."""

from pathlib import Path

import pytest
from builder import Golden, made, standard_journey
from records import replied, signed_in

from harness.schema.events import Acted, PageEvent
from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims.faults import fault_lines


def line(golden: Golden, root: Path, line_id: str) -> ScoreLine:
    """One line of the record's scorecard."""
    return made(golden, root, fault_lines, line_id)


@pytest.mark.parametrize(
    "notice",
    [
        "Something went wrong on our side. Please try again.",
        "We could not store that just now. Please try again.",
        "The connection was lost. Please try again.",
        "An unexpected error occurred.",
        "Service unavailable",
        "Something went wrong with your request.",
        "We could not save your message. Please try again.",
        "系统繁忙，请稍后再试。",
        "Đã xảy ra lỗi, vui lòng thử lại.",
    ],
)
def test_an_error_on_the_screen_is_seen(notice: str, tmp_path: Path) -> None:
    """A visible error counts in any language, whether or not the journey went on."""
    golden = Golden()
    replied(f"{notice} Was anyone hurt?")(golden)
    found = line(golden, tmp_path, "journey.server_errors")
    assert found.state == "fail" and found.evidence[0].quote


@pytest.mark.parametrize(
    "words",
    [
        "I am sorry to hear that something broke.",
        "Please try another photo.",
        "Was there a technical problem with the boiler?",
        "Vui lòng thử lại với một ảnh khác.",
        "The file is too large: at most 20 MB, please.",
        "You said: something went wrong with the brakes.",
        "I am sorry that something went wrong with your washing machine.",
        "Did the dashboard show a technical error?",
        "抱歉，请再告诉我一次日期。",
    ],
)
def test_other_words_are_no_error(words: str, tmp_path: Path) -> None:
    """Sympathy, limits, questions and the customer's own account are no errors of the product's."""
    golden = Golden()
    golden.facts["facts"][3]["say"] = "Something went wrong with the brakes."
    replied(f"{words} Was anyone hurt?")(golden)
    assert line(golden, tmp_path, "journey.server_errors").state == "pass"


def test_a_500_that_was_recovered_from_says_what_it_cost(tmp_path: Path) -> None:
    """The answer's place in the log and the acts that had to be tried again in that turn are named."""
    golden = Golden()
    golden.answered("oops", turn=3, status=503)
    golden.journey.events.pop()
    golden.journey.turn = 3
    golden.journey.add(Acted, act="said", text="again", confirmed=True, retries=1, act_ms=1.0)
    golden.journey.end()
    found = line(golden, tmp_path, "journey.server_errors")
    assert found.state == "fail" and "503" in found.why and "tried again in these turns: 1" in found.why
    assert (found.evidence[0].file, found.evidence[0].path) == ("network.jsonl", "1.status")


@pytest.mark.parametrize(
    ("detail", "state"),
    [
        ("POST http://127.0.0.1/say: net::ERR_CONNECTION_RESET", "fail"),
        ("GET http://127.0.0.1/poll: net::ERR_ABORTED", "pass"),
    ],
)
def test_a_request_without_an_answer(detail: str, state: str, tmp_path: Path) -> None:
    """A connection the server dropped is its error; a request that the page gave up is none."""
    golden = Golden()
    golden.journey.events.pop()
    golden.journey.add(PageEvent, what="request_failed", detail=detail, policy="recorded")
    golden.journey.end()
    assert line(golden, tmp_path, "journey.server_errors").state == state


def test_a_retry_button_that_was_needed_is_an_error(tmp_path: Path) -> None:
    """A customer who has to press "Try again" met one."""
    golden = Golden()
    j = standard_journey(5)
    j.press("Try again")
    j.reply("Please upload a photo of the damage.", card="Upload photo of the damage")
    j.end()
    golden.journey = j
    assert "Try again" in line(golden, tmp_path, "journey.server_errors").why


# Sign-in


@pytest.mark.parametrize(
    ("session", "times", "confirmed", "state"),
    [
        ("anonymous", 0, True, "not_applicable"),
        ("anonymous_then_sign_in", 0, True, "not_applicable"),
        ("anonymous_then_sign_in", 1, True, "pass"),
        ("anonymous_then_sign_in", 1, False, "fail"),
        ("new_account", 3, True, "fail"),
    ],
)
def test_sign_in_once(session: str, times: int, confirmed: bool, state: str, tmp_path: Path) -> None:
    """Once and taken is right; again, or not taken, is not; a journey without sign-in is not judged."""
    golden = Golden()
    golden.setup["claimant_session"] = session
    if times:
        signed_in(times)(golden)
        events = golden.journey.events
        events[:] = [
            e.model_copy(update={"confirmed": confirmed}) if isinstance(e, Acted) and e.act == "signed_in" else e
            for e in events
        ]
    assert line(golden, tmp_path, "journey.sign_in").state == state


# Dialogs


def dialogs(tmp_path: Path, *steps: tuple[str, dict[str, object]], status: str = "submitted") -> ScoreLine:
    """The line after presses and the screens that followed them."""
    golden = Golden()
    j = standard_journey(9)
    for name, screen in steps:
        if name:
            j.press(name)
        j.reply("Thank you.", **screen)
    j.end()
    golden.journey = j
    golden.case["status"] = status
    return line(golden, tmp_path, "journey.dialog")


SUMMARY: dict[str, object] = {"dialog": "Date: 9 March 2026", "buttons": ("Yes, send it", "Change")}
DETAILS: dict[str, object] = {"dialog": "Date: 9 March 2026", "buttons": ("Details", "Yes, send it")}


def test_a_dialog_that_goes_at_the_second_press_is_reluctant(tmp_path: Path) -> None:
    """An answer that has no effect counts, though a second one helps."""
    found = dialogs(tmp_path, ("Yes, send it", SUMMARY), ("Yes, send it", {"final": "Case number 7"}))
    assert found.state == "fail" and "only then" in found.why


def test_a_dialog_with_new_words_is_another(tmp_path: Path) -> None:
    """What comes up after a change is a new summary."""
    other = SUMMARY | {"dialog": "Date: 8 March 2026"}
    found = dialogs(tmp_path, ("Change", other), ("Yes, send it", {"final": "Case number 7"}))
    assert found.state == "pass"


def test_a_button_that_answers_nothing_may_leave_it_open(tmp_path: Path) -> None:
    """Looking at details is no attempt to close; never getting rid of it is a fault all the same."""
    assert dialogs(tmp_path / "1", ("", DETAILS), ("Details", DETAILS), ("Yes, send it", {})).state == "pass"
    assert dialogs(tmp_path / "2", ("", DETAILS), ("Details", DETAILS)).state == "fail"


def test_a_dialog_without_a_button_that_ends_the_journey(tmp_path: Path) -> None:
    """What cannot be closed and is not got past is a fault; on a journey that went on it was no obstacle."""
    wall: dict[str, object] = {"dialog": "Please wait while we look at your claim"}
    steps = (("Yes, send it", wall), ("", wall))
    assert dialogs(tmp_path / "1", *steps, status="draft").state == "fail"
    assert dialogs(tmp_path / "2", *steps).state == "pass"


def test_a_journey_without_dialogs_is_not_judged(tmp_path: Path) -> None:
    """No dialog, or none that was answered, is neither good nor bad."""
    golden = Golden()
    golden.journey = standard_journey(4)
    golden.journey.end()
    assert line(golden, tmp_path / "1", "journey.dialog").state == "not_applicable"
    golden = Golden()
    golden.journey = standard_journey(9)
    golden.journey.end()
    assert line(golden, tmp_path / "2", "journey.dialog").state == "not_applicable"
