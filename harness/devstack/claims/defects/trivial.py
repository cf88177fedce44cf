"""Products that are none: each does one trivial thing whatever the customer says, and must score badly."""

from collections.abc import Iterable

from harness.devstack.claims.case import Case, Fact
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.defects.registry import STOPS, Defect, on

_NOTHING = "nothing of the claim was asked for or stored"
_ALIKE = {"review.*": "every check is reported alike"}
_READS = "the assertion reads whether a person should look"

DEFECTS = (
    Defect("does_nothing", "Every message is thanked for, and nothing comes of it.", ("journey.case_number",), STOPS),
    Defect(
        "flags_every_claim",
        "Every check alerts, in every claim.",
        ("review.required",),
        {
            **_ALIKE,
            "assertions.no_alert": _READS,
            "assertions.not_looked_up": "the assertion reads the result of a check",
        },
        needs=("review_required:no",),
    ),
    Defect(
        "flags_no_claim",
        "No check ever alerts.",
        ("review.required",),
        {
            **_ALIKE,
            "staff.explanation_beside_alert": "an explanation can stand beside an alert only where there is one",
            "assertions.person_looks": _READS,
        },
        needs=("review_required:yes",),
    ),
    Defect(
        "agrees_with_everything",
        "Every yes-or-no answer is stored as yes, and every question of the customer's is answered with yes.",
        ("facts.injuries",),
        {
            "facts.*": "every yes-or-no fact is stored as yes",
            "staff.questions": "a question that was answered with yes reaches nobody",
            "staff.contact_requests": "a wish that was answered with yes reaches nobody",
            "journey.questions_answered": "a yes is no answer to what was asked",
        },
        needs=("fact:injuries=no",),
    ),
    Defect(
        "number_at_once",
        "The first message is answered with a case number.",
        ("incident_time.date",),
        {
            **{group: _NOTHING for group in STOPS if group not in ("journey.*", "incident_time.*")},
            "journey.repeated_questions": "a product that asks nothing repeats nothing",
            "journey.questions_answered": "the customer has no time to ask",
            "journey.sign_in": "nobody is asked to sign in",
            "journey.dialog": "no summary is shown",
        },
    ),
)


def does_nothing(defects: Iterable[str]) -> bool:
    """does_nothing: whether a message is only thanked for."""
    return on(defects, "does_nothing")


def sends_at_once(defects: Iterable[str]) -> bool:
    """number_at_once: whether the first message is sent as the whole claim."""
    return on(defects, "number_at_once")


def agrees(defects: Iterable[str]) -> bool:
    """agrees_with_everything: whether a question or wish is answered with yes instead of being passed on."""
    return on(defects, "agrees_with_everything")


def say_yes(case: Case, defects: Iterable[str]) -> None:
    """agrees_with_everything: every yes-or-no fact of a claim that is sent is yes."""
    if agrees(defects):
        yes_no = {f for f, spec in catalogue().facts.items() if spec.kind == "yes_no"}
        case.facts = {
            f: Fact(value="yes", status=held.status) if f in yes_no else held for f, held in case.facts.items()
        }
