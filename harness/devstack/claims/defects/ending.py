"""Faults of the end: the case number, the status of the claim, its kind, and how many cases one claim makes."""

from collections.abc import Iterable

from harness.devstack.claims.case import Case
from harness.devstack.claims.defects.registry import Defect, on

DEFECTS = (
    Defect(
        "case_number_only_in_json",
        'The customer ends at "Thank you" without a number; it is stored and in the data of the page.',
        ("journey.case_number",),
    ),
    Defect(
        "case_number_not_stored",
        "The customer gets a number that nobody has stored.",
        ("journey.case_number",),
    ),
    Defect(
        "case_number_differs",
        "The customer gets another number than the one stored: two digits have changed places.",
        ("journey.case_number",),
    ),
    Defect(
        "draft_left",
        "The customer gets a case number, and the claim is still a draft.",
        ("journey.completed",),
        {
            "assertions.case_submitted": "the assertion reads the status of the case",
            "facts.unconfirmed": "a draft has nothing that had to be confirmed",
            "journey.question_count": "how many questions a claim takes is known once it is sent",
            "journey.under_five_minutes": "how long a claim takes is known once it is sent",
            "staff.nothing_open": "in a draft everything is open",
        },
    ),
    Defect(
        "class_mistaken",
        "The claim is filed as a claim of another kind.",
        ("assertions.class_found",),
        {"assertions.home_claim": "the assertion reads the kind of claim on the staff page"},
    ),
    Defect(
        "two_cases",
        "One claim leaves two cases: the one sent, and a draft beside it.",
        ("journey.one_case",),
        {"assertions.one_case_only": "the assertion counts the cases"},
    ),
)


def bend_end(case: Case, defects: Iterable[str]) -> None:
    """What is wrong with the number, the status or the kind of a claim that has just been sent."""
    case.told_number = case.number
    if on(defects, "case_number_only_in_json"):
        case.told_number = None
    if on(defects, "case_number_not_stored"):
        case.number = None
    if on(defects, "case_number_differs") and case.number:
        case.told_number = f"{case.number[:-2]}{case.number[:-3:-1]}"
        if case.told_number == case.number:
            case.told_number = f"{case.number[:-1]}{(int(case.number[-1]) + 1) % 10}"
    if on(defects, "draft_left"):
        case.status = "draft"
    if on(defects, "class_mistaken"):
        case.scenario_class = "motor.weather" if case.scenario_class != "motor.weather" else "motor.theft"


def second_case(case: Case, defects: Iterable[str], ref: str) -> Case | None:
    """two_cases: the draft that is left beside a claim that was sent; None for a sound product.

    Args:
        case: the claim.
        defects: those that are switched on.
        ref: reference of the draft.
    """
    if case.stage != "submitted" or not on(defects, "two_cases"):
        return None
    opening = case.entries[:2]
    return Case(ref=ref, request_id=case.request_id, started=case.started, entries=opening, defects=case.defects)
