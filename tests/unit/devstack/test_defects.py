"""Each switchable fault does what its name says, and nothing else that is stored."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from harness.devstack.claims.case import Case
from harness.devstack.claims.defects import DEFECTS, ending, review, staff, talk, transport, triage, uploads, wrong
from harness.devstack.claims.review import CHECKS
from harness.devstack.web.staff import _case_view
from harness.devstack.web.view import beyond_the_screen, chat_view
from tests.unit.devstack.talks import WHOLE_CLAIM, Talk, customer, prior

QUIET = ("facts", "triage", "review", "files", "notes", "number", "told_number", "status", "scenario_class", "uploads")
ASKING: list[object] = [*WHOLE_CLAIM[:2], "In Mill Road, Wexley. Will this affect my bonus?", *WHOLE_CLAIM[3:]]
"""The claim of somebody who puts a question on the way."""


def played(*defects: str, moves: list[object] = WHOLE_CLAIM, **more: Any) -> Talk:
    """The whole claim with defects switched on."""
    return Talk(customer(defects=list(defects), **more)).play(moves)


def outcome(talk: Talk) -> dict[str, Any]:
    """What is stored at the end."""
    dumped = talk.case.model_dump()
    return {name: dumped[name] for name in QUIET}


SOUND = outcome(played())


def differing(talk: Talk) -> set[str]:
    """Names of what is stored otherwise than without defects."""
    bent = outcome(talk)
    return {name for name in QUIET if SOUND[name] != bent[name]}


def page_of(talk: Talk) -> dict[str, Any]:
    """What staff see of the case."""
    return staff.bend_page(talk.case, _case_view(talk.case))


# -- the list -------------------------------------------------------------------------------------------------------------


def test_there_are_more_than_forty_and_the_five_trivial_products() -> None:
    """Names are what a seed may switch on."""
    trivial = {"does_nothing", "flags_every_claim", "flags_no_claim", "agrees_with_everything", "number_at_once"}
    assert trivial <= set(DEFECTS) and len(set(DEFECTS) - trivial) >= 40
    assert wrong(DEFECTS) is None and wrong([]) is None


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("no_such", "there is no defect 'no_such'"),
        ("fact_lost:3", "the defect 'fact_lost' takes no number"),
        ("slow_turn:", "the defect 'slow_turn' takes a number of seconds after the colon"),
        ("slow_turn:1e9", "the defect 'slow_turn' takes a number of seconds after the colon"),
    ],
)
def test_what_cannot_be_switched_on_is_named(given: str, why: str) -> None:
    """The first wrong entry, and why."""
    assert wrong(["fact_lost", "slow_turn:2.5", given]) == why


@pytest.mark.parametrize("name", sorted(DEFECTS))
def test_a_defect_says_what_is_seen_which_line_names_it_and_why_others_follow(name: str) -> None:
    """For people who read the registry; each reason is a few words at least."""
    defect = DEFECTS[name]
    assert defect.seen.endswith(".") and defect.lines
    assert all(re.fullmatch(r"[a-z_]+(\.[a-z0-9_*]+)+", line) for line in (*defect.lines, *defect.follows))
    assert all(len(reason.split()) >= 4 for reason in defect.follows.values())


def test_a_sound_product_has_no_mark_of_any_of_them() -> None:
    """With none switched on, nothing is bent and nobody is told another number than the stored one."""
    sound = played()
    assert sound.case.marks == [] and sound.case.told_number == sound.case.number
    assert page_of(sound) == _case_view(sound.case)


# -- the talk -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "first", "again"),
    [
        ("repeated_question", "On what date did it happen", "On what date did it happen"),
        ("repeated_in_other_words", "On what date did it happen", "Which day was it"),
    ],
)
def test_a_repeated_question_comes_once_and_the_claim_still_ends_well(name: str, first: str, again: str) -> None:
    """The same or other words for what was just answered rightly."""
    told = played(name, moves=[*WHOLE_CLAIM[:2], "On 9 March 2026, as I said.", *WHOLE_CLAIM[2:]])
    assert sum(first in r for r in told.replies[:1]) == 1
    assert sum(again in r for r in told.replies[1:]) == 1
    assert told.case.status == "submitted" and differing(told) == set()


def test_one_reply_leaves_nothing_to_do_and_the_claim_goes_on_if_the_customer_writes() -> None:
    """No question, no request, no card, no list, no button; after a word from the customer all is well."""
    told = played("nothing_to_do_reply", moves=WHOLE_CLAIM[:4])
    assert "?" not in told.reply and "lease" not in told.reply
    view = chat_view(told.case, told.who)
    assert not any(view[part] for part in ("card", "todo", "choices", "sign_in", "contact"))
    assert view["summary"] is None
    told.play(["And now?", *WHOLE_CLAIM[4:]])
    assert told.case.status == "submitted"


def test_three_idle_questions_come_with_every_question() -> None:
    """More than ten in the end; none of them is about the claim."""
    told = played("ten_questions")
    assert sum(r.count("?") for r in told.replies) >= sum(r.count("?") for r in played().replies) + 9
    assert differing(told) == set()


def test_every_reply_but_the_last_is_long() -> None:
    """A history of the company before each question."""
    told = played("long_winded")
    assert all(len(r.split()) > 150 for r in told.replies[:-1]) and len(told.reply.split()) < 30
    assert differing(told) == set()


def test_the_words_of_one_reply_end_in_the_middle_of_a_word() -> None:
    """Half a word and no full stop; the card is there all the same."""
    told = played("reply_cut_short", moves=WHOLE_CLAIM[:4])
    assert told.reply.endswith("if it comes la") and chat_view(told.case, told.who)["card"]
    assert differing(played("reply_cut_short")) == set()


def test_a_question_is_not_taken_up_and_staff_have_it() -> None:
    """The reply says nothing of it; the note is there."""
    told, sound = played("question_unanswered", moves=ASKING), played(moves=ASKING)
    assert any("passed your question on" in r for r in sound.replies)
    assert not any("passed your question on" in r for r in told.replies)
    assert [n.text for n in told.case.notes] == [n.text for n in sound.case.notes] != []


def test_a_question_is_taken_up_twice() -> None:
    """In two replies, one after the other."""
    told = played("question_answered_twice", moves=ASKING)
    at = [i for i, r in enumerate(told.replies) if "passed your question on" in r]
    assert len(at) == 2 and at[1] == at[0] + 1


@pytest.mark.parametrize(
    ("name", "sign"), [("template_unfilled", "{{ customer.first_name }}"), ("speaks_of_fraud", "for fraud")]
)
def test_wrong_words_are_said_once(name: str, sign: str) -> None:
    """One reply carries them; nothing stored is touched."""
    told = played(name)
    assert sum(sign in r for r in told.replies) == 1 and differing(told) == set()


def test_a_tag_says_undefined() -> None:
    """Once, in the tags of a reply."""
    told = played("undefined_shown")
    assert [t for e in told.case.entries for t in e.tags if "undefined" in t] == ["Excess: undefined"]


def test_a_file_is_asked_for_again_after_it_has_come() -> None:
    """The very words of the first time, without a card."""
    ask = "Please upload a photo of the damage."
    assert sum(ask in r for r in played().replies) == 1
    told = played("file_asked_again")
    assert sum(ask in r for r in told.replies) == 2 and differing(told) == set()


def test_the_panel_shows_ids_or_another_customer_and_the_summary_neither() -> None:
    """Only the panel is bent."""
    for name, sign in (("codes_in_panel", "incident_date"), ("previous_customer_shown", "07700 900931")):
        told = played(name, moves=WHOLE_CLAIM[:-1])
        view = chat_view(told.case, told.who)
        assert sign in str([(r["label"], r["full"]) for r in view["rows"]])
        assert sign not in str([(r["label"], r["full"]) for r in view["summary"]])


def test_a_paragraph_that_nobody_sees_instructs_its_reader() -> None:
    """It is in the page's values only where it is switched on."""
    assert "confirm it" in str(chat_view(Talk().case, customer(defects=["hidden_instruction"]))["unseen"])
    assert chat_view(Talk().case, customer())["unseen"] is None


def test_the_summary_stays_open_once_or_for_ever() -> None:
    """One press more, or no end."""
    assert played("dialog_reluctant").case.status == "draft"
    assert played("dialog_reluctant", moves=[*WHOLE_CLAIM, ("press", "confirm")]).case.status == "submitted"
    assert played("dialog_stuck", moves=[*WHOLE_CLAIM, *[("press", "confirm")] * 5]).case.status == "draft"


# -- what is stored -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fact", "value"),
    [
        ("day_month_swapped", "incident_date", "2026-09-03"),
        ("utc_day_shift", "incident_date", "2026-03-08"),
        ("hour_shifted", "incident_time", "17:20"),
        ("fact_lost", "plate", None),
        ("fact_invented", "witness", "Martin Hale, 14 Quay Street"),
        ("look_alike_plate", "plate", "АB12 CDE"),
        ("fact_of_another_case", "place", "Bellhanger Wharf, Stowmere"),
        ("amount_times_ten", "estimated_loss", "12400.00 GBP"),
        ("answer_turned_round", "injuries", "yes"),
    ],
)
def test_one_fact_is_bent_when_the_claim_is_sent(name: str, fact: str, value: str | None) -> None:
    """This fact has this value, and triage and review were made with the right one."""
    told = played(name)
    assert told.case.value(fact) == value
    assert differing(told) == {"facts"}
    assert {
        f
        for f in {*SOUND["facts"], *told.case.facts}
        if SOUND["facts"].get(f) != told.case.model_dump()["facts"].get(f)
    } == {fact}


def test_a_time_that_is_not_known_becomes_noon() -> None:
    """Only where it is not known."""
    moves: list[object] = [WHOLE_CLAIM[0], "It was on 9 March 2026. I don't know the time.", *WHOLE_CLAIM[2:]]
    assert played(moves=moves).case.value("incident_time") == "unknown"
    assert played("unknown_time_made_up", moves=moves).case.value("incident_time") == "12:00"
    assert differing(played("unknown_time_made_up")) == set()


@pytest.mark.parametrize(
    ("name", "fact"), [("fact_unconfirmed", "incident_time"), ("expected_fact_unconfirmed", "place")]
)
def test_one_fact_stays_unconfirmed(name: str, fact: str) -> None:
    """Its value is right, its status is not."""
    facts = played(name).case.facts
    assert [f for f in facts if facts[f].status != "confirmed"] == [fact]
    assert facts[fact].value == SOUND["facts"][fact]["value"]


def test_triage_goes_down_up_and_loses_or_gains_a_reason() -> None:
    """Each bends level or reasons, never both."""
    level, reasons = SOUND["triage"]["level"], SOUND["triage"]["reasons"]
    assert level == "standard"
    bent = {name: outcome(played(name))["triage"] for name in ("triage_one_level_off", "triage_one_level_up", "triage_reason_missing", "triage_reason_untrue")}  # fmt: skip
    assert [bent[n]["level"] for n in bent] == ["simple", "complex", level, level]
    assert [bent[n]["reasons"] for n in bent] == [reasons, reasons, reasons[1:], [*reasons, "liability_disputed"]]


def test_the_triage_handed_on_is_another_than_staff_see() -> None:
    """The page has the stored one."""
    told = played("triage_stored_differs")
    handed_on = triage.as_handed_on(told.case.triage, told.case.defects)
    assert handed_on is not None and handed_on.level == "simple" and page_of(told)["row"]["level_code"] == "standard"
    assert triage.as_handed_on(told.case.triage, []) == told.case.triage


# -- review ---------------------------------------------------------------------------------------------------------------


def test_a_false_alarm_leads_to_a_review() -> None:
    """A clear quote becomes an alert."""
    told = played("review_false_alarm")
    assert told.case.review and told.case.review.checks["quote_before_incident"] == "hit" and told.case.review.required
    assert differing(told) == {"review"}


def bent_checks(*names: str, said: dict[str, str] | None = None, **results: str) -> dict[str, str]:
    """The checks after bending; results that are not given are clear."""
    sound = played().case.review
    assert sound is not None
    checks = {**dict.fromkeys(CHECKS, "clear"), **results}
    changed = sound.model_copy(update={"checks": checks})
    got = review.bend_review(changed, names, said or {})
    assert review.bend_review(changed, [], {}) == changed
    return {check: result for check, result in got.checks.items() if result != checks[check]}


def test_where_no_check_is_clear_one_that_was_not_made_alarms() -> None:
    """Checks without data are not checked; one of them hits, a check that does not apply never does."""
    unmade = {**dict.fromkeys(CHECKS, "not_applicable"), "prior_claims_within_year": "not_checked"}
    assert bent_checks("review_false_alarm", **unmade) == {"prior_claims_within_year": "hit"}


@pytest.mark.parametrize("name", [*review.FALSE_ALARM, *review.MISSED])
def test_each_check_is_wrong_in_each_direction(name: str) -> None:
    """The named check and no other; a receipt dated after the incident is left out instead of being missed."""
    alarm = name in review.FALSE_ALARM
    check = {**review.FALSE_ALARM, **review.MISSED}[name]
    assert bent_checks(name, **({} if alarm else {check: "hit"})) == {check: "hit" if alarm else "clear"}


def test_a_check_that_was_not_made_is_called_clear_or_does_not_apply() -> None:
    """Not checked never means clear; a receipt that is there is no missing one."""
    assert bent_checks("unchecked_as_clear", prior_claims_within_year="not_checked") == {
        "prior_claims_within_year": "clear"
    }
    assert bent_checks("receipt_check_left_out") == {"receipt_after_incident": "not_applicable"}


def test_an_explained_alert_is_taken_back() -> None:
    """Only one that was explained."""
    hit = {"quote_before_incident": "hit", "prior_claims_within_year": "hit"}
    said = {"prior_claims_within_year": "two stones"}
    assert bent_checks("explanation_accepted", said=said, **hit) == {"prior_claims_within_year": "clear"}


def test_a_hit_is_missed_and_a_review_is_left_out_or_made_for_nothing() -> None:
    """Early loss is reported as clear; the mark of the review goes its own way."""
    told = played("review_missed")
    assert told.case.review and told.case.review.checks["loss_within_30_days_of_inception"] == "clear"
    assert differing(told) == {"review"}
    two_weak = played("review_missed", prior_claims=prior("2026-01-01", "2026-02-01"))
    assert two_weak.case.review is None or not two_weak.case.review.required
    nothing = played("review_for_nothing").case.review
    assert nothing and nothing.required and nothing.checks == SOUND["review"]["checks"]
    needed = played(
        "review_left_out",
        moves=[*WHOLE_CLAIM[:-2], ("upload", "quote", "2026-03-01"), "An old form.", ("press", "confirm")],
    )
    assert needed.case.review and not needed.case.review.required
    assert needed.case.review.checks["quote_before_incident"] == "hit"


@pytest.mark.parametrize(("name", "result"), [("flags_every_claim", "hit"), ("flags_no_claim", "clear")])
def test_a_trivial_review_says_the_same_of_every_claim(name: str, result: str) -> None:
    """All four checks."""
    found = played(name).case.review
    assert found and set(found.checks.values()) == {result} and found.required == (result == "hit")


# -- files, staff, end ----------------------------------------------------------------------------------------------------


def test_only_the_first_file_is_damaged() -> None:
    """Its bytes differ; the next file is whole."""
    case = Talk().case
    data = bytes(range(256)) * 40
    assert uploads.bend_bytes(data, case, ["upload_damaged"]) != data
    assert uploads.bend_bytes(data, case, ["upload_damaged"]) == data
    assert uploads.bend_bytes(data, Talk().case, []) == data


def test_the_first_file_is_lost_or_stored_twice() -> None:
    """Gone when the claim is sent; or a second entry under another id, once."""
    told = played("upload_lost")
    assert [u.kind for u in told.case.uploads] == ["quote"] and differing(told) == {"uploads"}
    case, sent = Talk().case, told.case.uploads[0]
    twin = uploads.second_copy(sent, case, ["upload_doubled"])
    assert twin and (twin.name, twin.sha256) == (sent.name, sent.sha256) and twin.id != sent.id
    assert uploads.second_copy(sent, case, ["upload_doubled"]) is None


Look = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("name", "look", "sound", "bent"),
    [
        ("staff_number_differs", lambda v: v["row"]["name"], "CLM-2026-000001", "CLM-2026-000002"),
        ("question_missing_for_staff", lambda v: len(v["questions"]), 1, 0),
        ("question_listed_twice", lambda v: len(v["questions"]), 1, 2),
        ("contact_request_lost", lambda v: len(v["contacts"]), 1, 0),
        ("staff_fact_open", lambda v: [f["value"] for f in v["facts"] if f["id"] == "place"], ["In Mill Road, Wexley"], ["Not known"]),
        ("staff_upload_missing", lambda v: [f["kind"] for f in v["files"]], ["Photo of the damage", "Repair quote"], ["Repair quote"]),
        ("staff_upload_doubled", lambda v: len(v["files"]), 2, 3),
        ("explanation_not_shown", lambda v: (v["explanation"], v["checks"][1]["explanation"]), ("An old form.", "An old form."), (None, "")),
    ],
)  # fmt: skip
def test_staff_see_something_else_than_what_is_stored(name: str, look: Look, sound: object, bent: object) -> None:
    """The page is bent, the case is not."""
    moves = [
        *ASKING[:-2],
        ("upload", "quote", "2026-03-01"),
        "An old form.",
        ("press", "contact"),
        ("press", "confirm"),
    ]
    right, told = played(moves=moves), played(name, moves=moves)
    assert look(page_of(right)) == sound and look(page_of(told)) == bent
    assert outcome(right)["facts"] == outcome(told)["facts"]


def test_a_case_is_in_no_work_list() -> None:
    """The others are."""
    gone, there = played("case_not_listed").case, played().case
    assert staff.in_work_list([gone, there]) == [there]


def test_number_status_and_kind_are_bent_at_the_end() -> None:
    """Each of them alone."""
    number = SOUND["number"]
    only_json = played("case_number_only_in_json")
    assert only_json.case.number == number and number not in only_json.reply
    assert chat_view(only_json.case, only_json.who)["final"] == {"number": None}
    assert beyond_the_screen(only_json.case, only_json.who, None)["claim"]["number"] == number
    assert differing(only_json) == {"told_number"}
    not_stored = played("case_number_not_stored")
    assert not_stored.case.number is None and number in not_stored.reply
    other = played("case_number_differs")
    assert other.case.number == number and number not in other.reply and differing(other) == {"told_number"}
    draft = played("draft_left")
    assert draft.case.status == "draft" and number in draft.reply and differing(draft) == {"status"}
    assert differing(played("class_mistaken")) == {"scenario_class"}


def test_a_draft_is_left_beside_the_claim() -> None:
    """With the first words only, and no sooner than the claim is sent."""
    told = played("two_cases")
    beside = ending.second_case(told.case, told.who.defects, "c2")
    assert beside and beside.number is None and beside.facts == {} and len(beside.entries) == 2
    assert ending.second_case(played("two_cases", moves=WHOLE_CLAIM[:3]).case, ["two_cases"], "c2") is None
    assert ending.second_case(told.case, [], "c2") is None


# -- transport and trivial products ---------------------------------------------------------------------------------------


def late() -> Case:
    """A case in which faults of transport may come."""
    return Talk().play(WHOLE_CLAIM[:3]).case


def test_faults_of_transport_come_when_the_talk_is_under_way() -> None:
    """Once or for ever, and not in the first two turns."""
    case, early = late(), Talk().case
    assert [transport.fails(case, ["server_error_once"]) for _ in range(3)] == [True, False, False]
    assert [transport.fails(case, ["server_error_always"]) for _ in range(3)] == [True, True, True]
    assert [transport.stops(case, ["stream_stops"]) for _ in range(2)] == [True, False]
    assert [transport.delay_s(case, ["slow_turn:2.5"]) for _ in range(2)] == [2.5, 0.0]
    assert transport.delay_s(late(), ["slow_turn"]) > 30
    every = ["server_error_always", "slow_turn"]
    assert not transport.fails(early, every) and not transport.delay_s(early, every)
    assert [transport.keeps_sign_in(case, ["sign_in_twice"]) for _ in range(2)] == [False, True]
    assert [transport.keeps_sign_in(case, ["sign_in_loop"]) for _ in range(2)] == [False, False]


def test_a_product_that_does_nothing_only_thanks() -> None:
    """Whatever is said: no question, no card, nothing stored."""
    told = played("does_nothing", moves=WHOLE_CLAIM[:2])
    assert set(told.replies) == {"Thank you for your message."} and told.case.facts == {}
    assert not chat_view(told.case, told.who)["contact"]


def test_a_product_that_gives_a_number_at_once_has_nothing_confirmed() -> None:
    """One message, one number."""
    told = played("number_at_once", moves=WHOLE_CLAIM[:1])
    assert told.case.status == "submitted" and told.case.number in told.reply
    assert {f.status for f in told.case.facts.values()} == {"collected"}


def test_a_product_that_agrees_says_yes_to_all() -> None:
    """Every yes-or-no fact, and every question, which then reaches nobody."""
    told = played("agrees_with_everything", moves=ASKING)
    assert {told.case.value(f) for f in ("injuries", "drivable")} == {"yes"}
    assert any("Yes, of course." in r for r in told.replies) and told.case.notes == []


def test_bends_are_asked_for_one_by_one() -> None:
    """A repeated question needs an answer to repeat, and a sound product never repeats."""
    case = Talk().play(WHOLE_CLAIM[:2]).case
    assert talk.to_repeat(case, ["repeated_question"], ["what_happened"]) is None
    assert talk.to_repeat(case, [], ["incident_date"]) is None
