"""Each switchable fault does what its name says, and nothing else."""

from typing import Any

import pytest

from harness.devstack.claims.defects import DEFECTS, bend_bytes, bend_review, unknown_defect
from harness.devstack.web.view import beyond_the_screen, chat_view
from tests.unit.devstack.talks import WHOLE_CLAIM, Talk, customer, prior

QUIET = ("facts", "triage", "review", "files", "notes", "number", "status", "scenario_class")


def played(*defects: str, moves: list[object] = WHOLE_CLAIM, **more: Any) -> Talk:
    """The whole claim with defects switched on."""
    return Talk(customer(defects=list(defects), **more)).play(moves)


def outcome(talk: Talk) -> dict[str, Any]:
    """What is stored at the end."""
    dumped = talk.case.model_dump()
    return {name: dumped[name] for name in QUIET}


def differing(talk: Talk) -> set[str]:
    """Names of what is stored otherwise than without defects."""
    sound, bent = outcome(played()), outcome(talk)
    return {name for name in QUIET if sound[name] != bent[name]}


def test_there_are_ten_and_an_unknown_one_is_named() -> None:
    """Names are what a seed may switch on."""
    assert len(DEFECTS) == 10
    assert unknown_defect(["fact_lost", "no_such"]) == "no_such"
    assert unknown_defect(DEFECTS) is None


def test_a_repeated_question_comes_once_and_the_claim_still_ends_well() -> None:
    """The same words again for what was just answered rightly."""
    talk = played("repeated_question", moves=[*WHOLE_CLAIM[:2], "On 9 March 2026, as I said.", *WHOLE_CLAIM[2:]])
    asked = [r for r in talk.replies if "On what date did it happen" in r]
    assert len(asked) == 2
    assert talk.case.status == "submitted" and differing(talk) == set()


def test_one_reply_leaves_nothing_to_do_and_the_claim_goes_on_if_the_customer_writes() -> None:
    """No question, no request, no card, no list, no button; after a word from the customer all is well."""
    talk = played("nothing_to_do_reply", moves=WHOLE_CLAIM[:3])
    assert "?" not in talk.reply and "lease" not in talk.reply
    view = chat_view(talk.case, talk.who)
    assert (
        not (view["card"] or view["todo"] or view["choices"] or view["sign_in"] or view["contact"])
        and view["summary"] is None
    )
    talk.play(["And now?", *WHOLE_CLAIM[3:]])
    assert talk.case.status == "submitted" and differing(talk) == set()


def test_day_and_month_change_places() -> None:
    """9 March is stored as 3 September; the checks were made with the right day."""
    talk = played("day_month_swapped")
    assert talk.case.value("incident_date") == "2026-09-03"
    assert differing(talk) == {"facts"}


def test_a_fact_is_lost_without_a_trace() -> None:
    """The registration is gone, all else is there."""
    talk = played("fact_lost")
    assert set(outcome(played())["facts"]) - set(talk.case.facts) == {"plate"}
    assert differing(talk) == {"facts"}


def test_a_fact_is_invented_as_confirmed() -> None:
    """A witness nobody named."""
    talk = played("fact_invented")
    new = set(talk.case.facts) - set(outcome(played())["facts"])
    assert new == {"witness"} and talk.case.facts["witness"].status == "confirmed"
    assert differing(talk) == {"facts"}


def test_triage_is_one_level_off_with_the_right_reasons() -> None:
    """Simple instead of standard."""
    talk = played("triage_one_level_off")
    assert talk.case.triage and talk.case.triage.level == "simple"
    assert talk.case.triage.reasons == outcome(played())["triage"]["reasons"]
    assert differing(talk) == {"triage"}


def test_a_false_alarm_leads_to_a_review() -> None:
    """A clear quote becomes an alert."""
    talk = played("review_false_alarm")
    assert talk.case.review and talk.case.review.checks["quote_before_incident"] == "hit" and talk.case.review.required
    assert differing(talk) == {"review"}


def test_where_no_check_is_clear_one_that_was_not_made_alarms() -> None:
    """Checks without data are not checked; one of them hits, a check that does not apply never does."""
    sound = played().case.review
    assert sound is not None
    checks = {**dict.fromkeys(sound.checks, "not_applicable"), "prior_claims_within_year": "not_checked"}
    unmade = sound.model_copy(update={"checks": checks})
    assert bend_review(unmade, ["review_false_alarm"], {}).checks == {**checks, "prior_claims_within_year": "hit"}
    assert bend_review(unmade, [], {}) == unmade


def test_a_hit_is_missed() -> None:
    """Early loss is reported as clear; with it a review that two weak signals need does not happen."""
    talk = played("review_missed")
    assert talk.case.review and talk.case.review.checks["loss_within_30_days_of_inception"] == "clear"
    assert differing(talk) == {"review"}
    two_weak = played("review_missed", prior_claims=prior("2026-01-01", "2026-02-01"))
    assert two_weak.case.review is None or not two_weak.case.review.required


def test_the_number_is_only_in_the_data() -> None:
    """Stored, in the JSON, and not on the page."""
    talk = played("case_number_only_in_json")
    number = talk.case.number
    assert number and number not in talk.reply
    assert chat_view(talk.case, talk.who)["final"] == {"number": None}
    assert beyond_the_screen(talk.case, talk.who, None)["claim"]["number"] == number
    assert differing(talk) == set()


def test_only_the_first_file_is_damaged() -> None:
    """Its bytes differ; the next file is whole."""
    case = Talk().case
    data = bytes(range(256)) * 40
    assert bend_bytes(data, case, ["upload_damaged"]) != data
    assert bend_bytes(data, case, ["upload_damaged"]) == data
    assert bend_bytes(data, Talk().case, []) == data


@pytest.mark.parametrize("name", sorted(DEFECTS))
def test_a_defect_says_what_is_seen_and_which_line_names_it(name: str) -> None:
    """For people who read the registry."""
    assert DEFECTS[name].seen and "." in DEFECTS[name].line
