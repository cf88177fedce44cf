"""Particulars of the score lines beyond the golden records."""

from pathlib import Path

import pytest
from builder import CHECKS, NUMBER, OPENING, PHOTO, QUOTE, Golden, Journey, sha, standard_journey
from records import case_number_only_in_json, fact, no_staff, no_state, reasons, rows, staff_blind

from harness.schema.events import LedgerEntry
from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims import score_attempt


def line(golden: Golden, root: Path, line_id: str) -> ScoreLine:
    """One line of the record's scorecard."""
    return next(x for x in score_attempt(*golden.write(root)).lines if x.id == line_id)


# Triage


def test_triage_is_read_from_staff_first(tmp_path: Path) -> None:
    """What staff see decides the level, and the difference from the state is a line of its own."""
    golden = Golden()
    golden.case["triage"]["level"] = "complex"
    card = score_attempt(*golden.write(tmp_path))
    states = {x.id: x.state for x in card.lines}
    assert (states["triage.level"], states["staff.triage_matches_state"]) == ("pass", "fail")


def test_triage_falls_back_to_the_state_and_says_so(tmp_path: Path) -> None:
    """Without staff pages the product's state decides, and the line says why."""
    golden = Golden()
    no_staff(golden)
    found = line(golden, tmp_path, "triage.level")
    assert found.state == "pass"
    assert "in the product's state" in found.why and "staff.json was not recorded" in found.why
    assert found.evidence[0].file == "state.json"


def test_words_outside_the_vocabulary_are_not_guessed(tmp_path: Path) -> None:
    """A word the adapter does not know is no level; without a state nothing can be said."""
    golden = Golden()
    no_state(golden)
    assert golden.staff
    golden.staff["fields"]["triage_level"] = "Standardised"
    found = line(golden, tmp_path, "triage.level")
    assert found.state == "not_checked" and "Standardised" in found.why


@pytest.mark.parametrize(("level", "way"), [("complex", "too high"), ("simple", "too low")])
def test_a_wrong_level_says_which_way(level: str, way: str, tmp_path: Path) -> None:
    """Too high and too low are told apart."""
    golden = Golden()
    golden.shown_level(level)
    assert way in line(golden, tmp_path, "triage.level").why


def test_reasons_are_read_whatever_parts_them(tmp_path: Path) -> None:
    """Reasons that hold commas themselves are read from lists with any separator."""
    golden = Golden()
    assert golden.staff
    golden.staff["fields"]["triage_reasons"] = "• Loss of 1,000 or more; third  party INVOLVED"
    assert line(golden, tmp_path, "triage.required_reasons").got == "loss_at_least_1000 and third_party_involved"


def test_a_product_without_triage_fails_it(tmp_path: Path) -> None:
    """No level where one was due is wrong; whether the absent reasons are allowed does not apply."""
    golden = Golden()
    golden.case["triage"] = None
    assert golden.staff
    golden.staff["fields"].update(triage_level="", triage_reasons="")
    states = {x.id: x.state for x in score_attempt(*golden.write(tmp_path)).lines}
    assert states["triage.level"] == states["triage.required_reasons"] == "fail"
    assert states["triage.allowed_reasons"] == states["staff.triage_matches_state"] == "not_applicable"


# Review


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("want", ["hit", "clear", "not_checked", "not_applicable"])
@pytest.mark.parametrize("got", ["hit", "clear", "not_checked", "not_applicable"])
def test_every_check_in_every_direction(check: str, want: str, got: str, tmp_path: Path) -> None:
    """Equal passes; a hit that should not be is a false alarm, a hit that is not there a miss; the rest only fails."""
    golden = Golden()
    golden.labels["review_checks"][check] = {"result": want, **({"reason": "no_data"} if want == "not_checked" else {})}
    golden.shown_check(check, got)
    found = line(golden, tmp_path, f"review.{check}")
    assert found.state == ("pass" if want == got else "fail")
    assert found.alarm == (
        None if want == got else "miss" if want == "hit" else "false_alarm" if got == "hit" else None
    )


@pytest.mark.parametrize(("want", "got", "alarm"), [(False, True, "false_alarm"), (True, False, "miss")])
def test_review_required_in_both_directions(want: bool, got: bool, alarm: str, tmp_path: Path) -> None:
    """A needless review is a false alarm, a missing one a miss."""
    golden = Golden()
    golden.labels["review_required"] = want
    golden.shown_required(got)
    found = line(golden, tmp_path, "review.required")
    assert (found.state, found.alarm) == ("fail", alarm)


def test_a_product_without_review_fails_it(tmp_path: Path) -> None:
    """No result is not a clear one, and what should have hit was missed."""
    golden = Golden()
    golden.case["review"] = None
    assert golden.staff
    golden.staff["lists"]["review_checks"] = []
    del golden.staff["fields"]["review_required"]
    lines = {x.id: x for x in score_attempt(*golden.write(tmp_path)).lines}
    assert {x.state for i, x in lines.items() if i.startswith("review.")} == {"fail"}
    assert [i for i, x in lines.items() if x.alarm] == ["review.loss_within_30_days_of_inception"]


# Facts


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (fact("incident_date", "2026-09-03"), "day and month swapped"),
        (fact("incident_date", "2026-03-08"), "off by one day"),
        (fact("incident_date", "2026-03"), "lacks day"),
    ],
)
def test_dates_say_how_they_are_wrong(change: object, words: str, tmp_path: Path) -> None:
    """The reason names the kind of the mistake."""
    golden = Golden()
    change(golden)  # type: ignore[operator]
    assert words in line(golden, tmp_path, "incident_time.date").why


def test_the_incident_date_has_one_line(tmp_path: Path) -> None:
    """The date of the incident is scored under incident time alone."""
    ids = [x.id for x in score_attempt(*Golden().write(tmp_path)).lines]
    assert "incident_time.date" in ids and "facts.incident_date" not in ids


def test_a_right_value_has_to_be_confirmed(tmp_path: Path) -> None:
    """Merely collected is not enough, and the reason is not that the value is wrong."""
    golden = Golden()
    fact("plate", "JX24 RVB", "collected")(golden)
    found = line(golden, tmp_path, "facts.plate")
    assert found.state == "fail" and found.why.startswith("not confirmed")


def test_a_lost_fact_says_whether_it_was_told(tmp_path: Path) -> None:
    """Told and lost, asked and not held, never asked: three reasons."""
    golden = Golden()
    fact("injuries")(golden)
    found = line(golden, tmp_path / "1", "facts.injuries")
    assert found.why.startswith("lost") and any(e.event for e in found.evidence)
    golden = Golden()
    golden.journey = standard_journey(1)
    for name in ("injuries", "incident_time"):
        del golden.case["facts"][name]
    card = {x.id: x for x in score_attempt(*golden.write(tmp_path / "2")).lines}
    assert "never asked" in card["facts.injuries"].why
    assert "asked for it" in card["incident_time.time"].why


@pytest.mark.parametrize(
    ("answer", "unknown", "held", "state"),
    [
        ("Let me think.", (), "unknown", "not_checked"),
        ("Let me think.", (), None, "not_checked"),
        ("Let me think.", (), "yes", "fail"),
        ("Sorry, I don't know that.", (), "unknown", "not_checked"),
        ("Sorry, I don't know that.", ("other_driver",), "unknown", "fail"),
    ],
)
def test_what_the_customer_kept_back_is_not_the_products_fault(
    answer: str, unknown: tuple[str, ...], held: str | None, state: str, tmp_path: Path
) -> None:
    """A fact the customer knows and did not tell when asked is not checked; a wrong value, or one never asked for, fails."""
    golden = Golden()
    question = "Was anyone hurt?" if answer.startswith("Let") else "And the other thing?"
    golden.journey = standard_journey(1)
    golden.journey.say("At 16:20.", told=("incident_time",))
    golden.journey.reply(question)
    golden.journey.say(answer, unknown=unknown)
    golden.journey.reply("Thank you.", final=f"Case number {NUMBER}")
    golden.journey.end()
    del golden.case["facts"]["injuries"]
    if held:
        fact("injuries", held)(golden)
    assert line(golden, tmp_path, "facts.injuries").state == state


def test_a_whole_message_may_be_kept_as_the_account(tmp_path: Path) -> None:
    """What the customer wrote, kept word by word, is right if it holds the account; the same words unsaid are not enough."""
    golden = Golden()
    said = f"{OPENING} " + "I had gone shopping and found it like that when I came back to it. " * 3
    golden.journey.say(f"So: {said} my parked car, another car hit my parked car from behind")
    fact("what_happened", f"{said} my parked car, another car hit my parked car from behind")(golden)
    assert line(golden, tmp_path / "1", "facts.what_happened").state == "pass"
    fact("what_happened", f"Somebody says that {said} and another car hit my parked car from behind")(golden)
    golden.journey = standard_journey()
    assert line(golden, tmp_path / "2", "facts.what_happened").state == "needs_human"


def test_an_account_in_other_words_needs_a_person(tmp_path: Path) -> None:
    """Where a rule cannot say whether the account is right, a person has to; unconfirmed it fails all the same."""
    golden = Golden()
    fact("what_happened", "my parked car was hit from behind by a car")(golden)
    found = line(golden, tmp_path / "1", "facts.what_happened")
    assert (found.state, found.referee) == ("needs_human", "human")
    golden = Golden()
    fact("what_happened", "my parked car was hit from behind by a car", "collected")(golden)
    assert line(golden, tmp_path / "2", "facts.what_happened").state == "fail"


@pytest.mark.parametrize(
    ("name", "value", "state"),
    [
        ("police_reference", "unknown", "pass"),
        ("police_reference", "none", "pass"),
        ("contact_name", "Nora Tidewell", "pass"),
        ("policy", "FWM-1", "pass"),
        ("repair_cost", "1284.00 GBP", "pass"),
        ("vehicle_location", "the car park in Mill Road", "pass"),
        ("vehicle_location", "14 Larch Close, Wexley", "fail"),
        ("contact_phone", "07700 900461", "fail"),
        ("repair_cost", "1300.00 GBP", "fail"),
        ("reported_on", "2026-03-10", "fail"),
        ("police_told", "no", "fail"),
        ("other_driver", "Martin Hale", "fail"),
        ("receipt_explanation", "a friend gave it to me", "fail"),
    ],
)
def test_inventions(name: str, value: str, state: str, tmp_path: Path) -> None:
    """A value is no invention if the customer knows or said it, or the insurer held it; "unknown" and "none" never are."""
    golden = Golden()
    fact(name, value)(golden)
    assert line(golden, tmp_path, "facts.invented").state == state


def test_an_answer_to_a_question_is_no_invention(tmp_path: Path) -> None:
    """A yes or no that the product asked for and the customer answered was said."""
    golden = Golden()
    golden.journey = Journey()
    golden.journey.start()
    golden.journey.screen("Can your vehicle still be driven?")
    golden.journey.say("Yes it can.")
    golden.journey.end()
    fact("drivable", "yes")(golden)
    assert line(golden, tmp_path, "facts.invented").state == "pass"


def test_an_unasked_optional_value_is_judged_as_an_invention(tmp_path: Path) -> None:
    """A wrong optional value that nobody asked for or told is invented, not a wrong answer."""
    golden = Golden()
    fact("contact_email", "someone@example.org")(golden)
    states = {x.id: x.state for x in score_attempt(*golden.write(tmp_path)).lines}
    assert (states["facts.optional.contact_email"], states["facts.invented"]) == ("not_applicable", "fail")


# Journey


def test_a_number_in_the_data_only_was_not_shown(tmp_path: Path) -> None:
    """The number is stored, no screen shows it, and the reason says so; the end of the journey is not an idle reply."""
    golden = Golden()
    case_number_only_in_json(golden)
    found = line(golden, tmp_path, "journey.case_number")
    assert "stored but never shown" in found.why and found.expected == NUMBER


def test_a_final_screen_without_a_number_shows_none(tmp_path: Path) -> None:
    """ "Thank you" at the end is no other number."""
    golden = Golden()
    golden.journey = standard_journey(9)
    golden.journey.press("Yes, send it")
    golden.journey.reply("Thank you. Your claim has been sent.", final="Your claim has been sent")
    golden.journey.end()
    found = line(golden, tmp_path, "journey.case_number")
    assert found.state == "fail" and "stored but never shown" in found.why


def test_a_number_inside_a_longer_one_was_not_shown(tmp_path: Path) -> None:
    """The whole number has to stand there by itself."""
    golden = Golden()
    golden.case["number"] = NUMBER[:-1]
    assert line(golden, tmp_path, "journey.case_number").state == "fail"


def test_a_number_shown_but_not_stored_fails(tmp_path: Path) -> None:
    """A number that the product does not hold is none."""
    golden = Golden()
    golden.case["number"] = None
    assert "not stored" in line(golden, tmp_path, "journey.case_number").why


def test_without_state_no_number_on_screen_is_still_none(tmp_path: Path) -> None:
    """A customer who saw no number got none, whatever the state would say; completed fails too."""
    golden = Golden()
    no_state(golden)
    golden.journey = standard_journey(5)
    golden.journey.end("turn_limit", "forty turns")
    golden.reason, golden.why = "turn_limit", "forty turns"
    states = {x.id: x.state for x in score_attempt(*golden.write(tmp_path)).lines}
    assert states["journey.case_number"] == states["journey.completed"] == "fail"


def test_where_it_stuck_is_said(tmp_path: Path) -> None:
    """An unfinished journey names the turn and the reason it ended with."""
    golden = Golden()
    golden.case["status"] = "draft"
    golden.reason, golden.why = "nothing_to_do", "three idle replies"
    why = line(golden, tmp_path, "journey.completed").why
    assert "turn 10" in why and "nothing_to_do" in why and "three idle replies" in why


# Staff


@pytest.mark.parametrize(
    ("texts", "state"),
    [
        (("WILL THIS   affect my bonus?",), "pass"),
        (("The garage says £1,284.00. Will this affect my bonus?",), "pass"),
        (("affect my bonus",), "pass"),
        (("bonus",), "fail"),
        (("Will this affect my bonus?", "Will this affect my bonus?"), "fail"),
        (("Will this affect my bonus?", "Is my neighbour insured?"), "fail"),
        (("No, nobody was hurt.", "Will this affect my bonus?"), "pass"),
        (("Asks whether this will affect the bonus",), "needs_human"),
        ((), "fail"),
    ],
)
def test_questions_as_the_staff_list_shows_them(texts: tuple[str, ...], state: str, tmp_path: Path) -> None:
    """Each question the customer put stands there once, folded or in its message, and nothing the customer never said."""
    golden = Golden()
    rows("questions", *texts)(golden)
    golden.case["notes"] = []
    assert line(golden, tmp_path, "staff.questions").state == state


def test_a_wish_put_by_a_button_is_listed_in_the_products_words(tmp_path: Path) -> None:
    """A pressed button says nothing; one entry in the product's own words stands for it, a second one does not."""
    for number, (texts, state) in enumerate(((("Asked to be contacted.",), "pass"), (("One.", "Two."), "fail"))):
        golden = Golden()
        golden.journey = standard_journey(4)
        golden.journey.press("Contact me")
        golden.journey.add(LedgerEntry, entry="wish_put", id="ring", how="wish")
        golden.journey.end()
        rows("contact_requests", *texts)(golden)
        assert line(golden, tmp_path / str(number), "staff.contact_requests").state == state


def test_order_of_the_list_does_not_matter(tmp_path: Path) -> None:
    """Two wishes listed the other way round are both there."""
    golden = Golden()
    second = {"id": "hire", "kind": "question", "say": "Do I get a hire car?", "after_customer_messages": 3}
    golden.facts["wishes"].append(second)
    golden.journey = standard_journey(5)
    golden.journey.say("Do I get a hire car?", wish="hire")
    golden.journey.end()
    rows("questions", "Do I get a hire car?", "Will this affect my bonus?")(golden)
    assert line(golden, tmp_path, "staff.questions").state == "pass"


def test_a_question_answered_by_the_product_need_not_wait_for_staff(tmp_path: Path) -> None:
    """A question the product stores as answered is not open; one it does not store at all is lost."""
    golden = Golden()
    rows("questions")(golden)
    golden.case["notes"] = [{"kind": "question", "text": "Will this affect my bonus?", "status": "answered"}]
    assert line(golden, tmp_path, "staff.questions").state == "pass"


def test_a_wish_not_put_does_not_apply(tmp_path: Path) -> None:
    """Where the journey ended before the customer put the question, staff cannot have it."""
    golden = Golden()
    golden.journey = standard_journey(2)
    golden.journey.end()
    rows("questions")(golden)
    assert line(golden, tmp_path, "staff.questions").state == "not_applicable"


def test_an_unlisted_case_hides_its_questions(tmp_path: Path) -> None:
    """Staff who cannot find the case do not see the question either; unread pages prove nothing."""
    golden = Golden()
    staff_blind(golden)
    assert line(golden, tmp_path / "1", "staff.questions").state == "fail"
    golden = Golden()
    staff_blind(golden)
    assert golden.staff
    golden.staff["pages"] = []
    card = {x.id: x.state for x in score_attempt(*golden.write(tmp_path / "2")).lines}
    assert card["staff.questions"] == card["staff.case_listed"] == "not_checked"


# Files


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ([("photo.jpg", PHOTO[:-1])], "damaged"),
        ([], "missing"),
        ([("other.jpg", b"x")], "missing"),
        ([("photo.jpg", PHOTO), ("photo.jpg", PHOTO)], "doubled"),
        ([("photo.jpg", PHOTO), ("photo.jpg", PHOTO[:-1])], "doubled"),
        ([("renamed.jpg", PHOTO), ("again.jpg", PHOTO)], "doubled"),
    ],
)
def test_files_say_what_became_of_them(stored: list[tuple[str, bytes]], words: str, tmp_path: Path) -> None:
    """Missing, damaged and doubled are told apart."""
    golden = Golden()
    assert golden.state
    golden.state["stored"] = [
        {"name": n, "url": "http://127.0.0.1/", "sha256": sha(d), "size": len(d)}
        for n, d in (*stored, ("quote.pdf", QUOTE))
    ]
    found = line(golden, tmp_path, "files.photo.jpg")
    assert found.state == "fail" and found.why.startswith(words)


def test_a_renamed_file_is_intact(tmp_path: Path) -> None:
    """The bytes decide, not the name they are stored under."""
    golden = Golden()
    assert golden.state
    golden.state["stored"][0]["name"] = "upload-1"
    assert line(golden, tmp_path, "files.photo.jpg").state == "pass"


def test_a_file_handed_over_twice_may_be_stored_twice(tmp_path: Path) -> None:
    """Copies are the product's doing only beyond what the customer handed over."""
    golden = Golden()
    golden.journey.events.pop()
    golden.journey.upload("photo.jpg", PHOTO)
    golden.journey.end()
    assert golden.state
    golden.state["stored"].append(dict(golden.state["stored"][0]))
    assert line(golden, tmp_path, "files.photo.jpg").state == "pass"


def test_a_file_asked_for_and_not_handed_over_does_not_apply(tmp_path: Path) -> None:
    """The customer's not handing it over is no fault of the store."""
    golden = Golden()
    golden.journey = standard_journey(6)
    golden.journey.add(LedgerEntry, entry="file_asked", id="quote.pdf", how="answer")
    golden.journey.end()
    found = line(golden, tmp_path, "files.quote.pdf")
    assert found.state == "not_applicable" and "did not hand it over" in found.why


@pytest.mark.parametrize(("upto", "words"), [(4, "never asked"), (7, "promised")])
def test_a_file_that_stayed_with_the_customer_does_not_apply(upto: int, words: str, tmp_path: Path) -> None:
    """Never asked for, or promised and the journey over: nothing to store, and the reason says which."""
    golden = Golden()
    golden.journey = standard_journey(upto)
    golden.journey.end()
    found = line(golden, tmp_path, "files.quote.pdf")
    assert found.state == "not_applicable" and words in found.why


def test_an_upload_the_page_never_confirmed_is_not_checked(tmp_path: Path) -> None:
    """Whose doing it was cannot be said."""
    golden = Golden()
    golden.journey = standard_journey(5)
    golden.journey.upload("photo.jpg", PHOTO, confirmed=False)
    golden.journey.end()
    assert line(golden, tmp_path, "files.photo.jpg").state == "not_checked"


def test_other_bytes_in_the_package_are_not_the_products_fault(tmp_path: Path) -> None:
    """If the package's file is not the one that was handed over, nothing is said about the product."""
    golden = Golden()
    golden.files["photo.jpg"] = PHOTO + b"edited later"
    assert line(golden, tmp_path, "files.photo.jpg").state == "not_checked"


# Assertions


@pytest.mark.parametrize(
    ("path", "op", "value", "state"),
    [
        ("cases.0.status", "equals", "submitted", "pass"),
        ("cases.0.status", "equals", "draft", "fail"),
        ("cases.0.review.required", "equals", False, "pass"),
        ("cases.0.review.required", "equals", 0, "fail"),
        ("cases.0.triage.reasons", "contains", "loss_at_least_1000", "pass"),
        ("cases.0.triage.reasons", "contains", "loss", "fail"),
        ("cases.0.facts.place.value", "contains", "mill  ROAD", "pass"),
        ("cases.1", "absent", None, "pass"),
        ("cases.0", "absent", None, "fail"),
        ("cases.0.review.explanation", "present", None, "fail"),
    ],
)
def test_state_assertions(path: str, op: str, value: object, state: str, tmp_path: Path) -> None:
    """Each operator on what the state holds at the path; types count."""
    golden = Golden()
    golden.labels["assertions"] = [
        {"id": "a", "referee": "state", "says": "So it is.", "path": path, "op": op, "value": value}
    ]
    found = line(golden, tmp_path, "assertions.a")
    assert (found.state, found.referee) == (state, "state")


@pytest.mark.parametrize(
    ("where", "op", "value", "state"),
    [
        ("screen", "contains", "UPLOAD photo", "pass"),
        ("reply", "contains", "upload photo of the damage card", "fail"),
        ("reply", "matches", r"case number is \S+", "pass"),
        ("final", "contains", "FW-2026", "pass"),
        ("final", "absent", "fraud", "pass"),
        ("staff", "contains", "work list", "pass"),
        ("staff", "absent", "work list", "fail"),
    ],
)
def test_text_assertions(where: str, op: str, value: str, state: str, tmp_path: Path) -> None:
    """Each place and operator; case and white space do not count, and the quote is verbatim."""
    golden = Golden()
    golden.labels["assertions"] = [
        {"id": "a", "referee": "text", "says": "So it is.", "where": where, "op": op, "value": value}
    ]
    found = line(golden, tmp_path, "assertions.a")
    assert (found.state, found.referee) == (state, "text")


def test_an_absent_word_in_an_absent_text_is_no_pass(tmp_path: Path) -> None:
    """Where there was no final state, nothing was avoided in it."""
    golden = Golden()
    case_number_only_in_json(golden)
    golden.labels["assertions"] = [
        {"id": "a", "referee": "text", "says": "No.", "where": "final", "op": "absent", "value": "fraud"}
    ]
    assert line(golden, tmp_path, "assertions.a").state == "not_applicable"


def test_required_reasons_missing_are_named(tmp_path: Path) -> None:
    """The reason says which reason is not there."""
    golden = Golden()
    reasons("Loss of 1,000 or more")(golden)
    assert "third_party_involved" in line(golden, tmp_path, "triage.required_reasons").why


# Trivial products


def _nothing(golden: Golden) -> None:
    assert golden.state
    golden.state["read"]["cases"] = []
    golden.state["stored"] = []
    staff_blind(golden)
    j = Journey()
    j.start()
    j.screen()
    j.say(OPENING, told=("incident_date", "place", "what_happened"), by="opening")
    j.settled(60_000.0, settled=False, first_ms=None)
    j.screen()
    j.end("nothing_to_do", "no reply")
    golden.journey, golden.reason = j, "nothing_to_do"


def _number_at_once(golden: Golden) -> None:
    golden.case["facts"] = {}
    golden.case["triage"] = golden.case["review"] = None
    j = Journey()
    j.start()
    j.screen("Hello.")
    j.say(OPENING, told=("incident_date", "place", "what_happened"), by="opening")
    j.reply(f"Your case number is {NUMBER}.", final=f"Case number {NUMBER}")
    j.end()
    golden.journey = j
    no_staff(golden)


def _flags(result: str) -> object:
    def change(golden: Golden) -> None:
        for check in CHECKS:
            golden.shown_check(check, result)
        golden.shown_required(result == "hit")

    return change


@pytest.mark.parametrize(
    ("change", "must_fail"),
    [
        (
            _nothing,
            {"journey.case_number", "journey.completed", "journey.nothing_to_do", "triage.level", "facts.plate"},
        ),
        (_number_at_once, {"facts.plate", "incident_time.date", "triage.level", "review.required"}),
        (_flags("hit"), {"review.required", "review.quote_before_incident"}),
        (_flags("clear"), {"review.loss_within_30_days_of_inception", "review.receipt_after_incident"}),
    ],
)
def test_trivial_products_score_badly(change: object, must_fail: set[str], tmp_path: Path) -> None:
    """A product that does nothing, gives a number at once, flags every claim or none fails what it did not do."""
    golden = Golden()
    change(golden)  # type: ignore[operator]
    failed = {x.id for x in score_attempt(*golden.write(tmp_path)).lines if x.state == "fail"}
    assert must_fail <= failed


# Missing data passes nowhere


def test_nothing_is_missing_from_a_case_that_is_not_there(tmp_path: Path) -> None:
    """A product that stored nothing does not pass "no second case"."""
    golden = Golden()
    golden.labels["assertions"].append(
        {"id": "one_only", "referee": "state", "says": "One case.", "path": "cases.1", "op": "absent"}
    )
    assert line(golden, tmp_path / "a", "assertions.one_only").state == "pass"
    assert golden.state
    golden.state["read"]["cases"] = []
    assert line(golden, tmp_path / "b", "assertions.one_only").state == "not_applicable"


def test_what_is_not_in_half_of_the_staff_pages_may_be_in_the_rest(tmp_path: Path) -> None:
    """Only the work list was read: that a word is absent cannot be said."""
    golden = Golden()
    golden.labels["assertions"].append(
        {
            "id": "no_word",
            "referee": "text",
            "says": "No such word.",
            "where": "staff",
            "op": "absent",
            "value": "zebra",
        }
    )
    assert line(golden, tmp_path / "a", "assertions.no_word").state == "pass"
    assert golden.staff
    golden.staff["found"] = False
    golden.staff["why_not"] = "the case is not in the work list"
    assert line(golden, tmp_path / "b", "assertions.no_word").state == "not_checked"
