"""Faults of the staff pages: what is stored is right, and staff see something else."""

from collections.abc import Iterable
from typing import Any

from harness.devstack.claims.case import Case
from harness.devstack.claims.defects.registry import Defect, on

_NOT_FOUND = "staff cannot open a case that they do not find"

DEFECTS = (
    Defect(
        "case_not_listed",
        "The case is in no work list.",
        ("staff.case_listed",),
        {
            "staff.*": _NOT_FOUND,
            "assertions.*": _NOT_FOUND,
        },
    ),
    Defect(
        "staff_number_differs",
        "The staff page shows another case number than the customer has.",
        ("staff.case_listed",),
    ),
    Defect(
        "question_missing_for_staff",
        "The customer reads that a question was passed on, and it is not in the staff list.",
        ("staff.questions",),
        needs=("wish:question",),
    ),
    Defect(
        "question_listed_twice",
        "A question of the customer's stands twice in the staff list.",
        ("staff.questions",),
        needs=("wish:question",),
    ),
    Defect(
        "contact_request_lost",
        "The customer reads that a colleague will call, and the wish is not in the staff list.",
        ("staff.contact_requests",),
        needs=("wish:contact",),
    ),
    Defect(
        "explanation_not_shown",
        "Staff see the alert and not what the customer said about it.",
        ("staff.explanation_beside_alert",),
        needs=("explained",),
    ),
    Defect(
        "staff_fact_open",
        "The place is stored and confirmed, and the staff page says that it is not known.",
        ("staff.nothing_open",),
    ),
    Defect("staff_upload_missing", "A file that is stored is not on the staff page.", ("staff.uploads",)),
    Defect("staff_upload_doubled", "A file that is stored once stands twice on the staff page.", ("staff.uploads",)),
)


def in_work_list(cases: Iterable[Case]) -> list[Case]:
    """case_not_listed: the cases that staff find."""
    return [case for case in cases if not on(case.defects, "case_not_listed")]


def bend_page(case: Case, view: dict[str, Any]) -> dict[str, Any]:
    """The values of a case's staff page as staff get them."""
    defects = case.defects
    if on(defects, "staff_number_differs"):
        view["row"] = {**view["row"], "name": _other_number(view["row"]["name"])}
    if on(defects, "question_missing_for_staff"):
        view["questions"] = view["questions"][1:]
    if on(defects, "question_listed_twice"):
        view["questions"] = [*view["questions"][:1], *view["questions"]]
    if on(defects, "contact_request_lost"):
        view["contacts"] = view["contacts"][1:]
    if on(defects, "explanation_not_shown"):
        view["explanation"] = None
        view["checks"] = [{**check, "explanation": ""} for check in view["checks"]]
    if on(defects, "staff_fact_open"):
        view["facts"] = [{**f, "value": "Not known"} if f["id"] == "place" else f for f in view["facts"]]
    if on(defects, "staff_upload_missing"):
        view["files"] = view["files"][1:]
    if on(defects, "staff_upload_doubled"):
        view["files"] = [*view["files"][:1], *view["files"]]
    return view


def _other_number(name: str) -> str:
    """The number with its last two digits higher by one, modulo a hundred."""
    return f"{name[:-2]}{(int(name[-2:]) + 1) % 100:02d}" if name[-2:].isdigit() else name
