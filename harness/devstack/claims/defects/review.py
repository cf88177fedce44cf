"""Faults of review: checks wrong in each direction, and what follows from them."""

from collections.abc import Iterable

from harness.devstack.claims import review
from harness.devstack.claims.case import Review
from harness.devstack.claims.defects.registry import Defect, on

STRONG_FIRST = ("quote_before_incident", *(c for c in review.CHECKS if c != "quote_before_incident"))
_ONE_CHECK = ("review.*_*",)
"""The line of a check; `review.required` has no underscore."""
_FOLLOWS = "whether a person should look follows from the checks"
_READS = "the assertion reads whether a person should look"
_ALARM = {"review.required": _FOLLOWS, "assertions.no_alert": _READS}
_MISS = {
    "review.required": _FOLLOWS,
    "staff.explanation_beside_alert": "an explanation can stand beside an alert only where there is one",
    "assertions.person_looks": _READS,
}
_SHORT = {
    "receipt_after_incident": "receipt",
    "quote_before_incident": "quote",
    "prior_claims_within_year": "prior_claims",
    "loss_within_30_days_of_inception": "early_loss",
}
_TITLES = {
    "receipt_after_incident": "the receipt is dated after the incident",
    "quote_before_incident": "the quote is dated before the incident",
    "prior_claims_within_year": "there are other claims within a year",
    "loss_within_30_days_of_inception": "the loss came soon after cover began",
}
_NOT_LOOKED_UP = {"assertions.not_looked_up": "the assertion reads the result of the check"}
FALSE_ALARM = {f"false_{short}_alarm": check for check, short in _SHORT.items()}
"""Defect -> the check that alarms although it is clear."""
MISSED = {f"missed_{_SHORT[c]}": c for c in review.CHECKS if c != "receipt_after_incident"}
"""Defect -> the check that is clear although it hits."""

DEFECTS = (
    Defect(
        "review_false_alarm",
        "Staff see an alert where the check was clear, and the review it leads to.",
        _ONE_CHECK,
        _ALARM,
    ),
    Defect("review_missed", "Staff see a check as clear although it hit.", _ONE_CHECK, _MISS, needs=("check:*=hit",)),
    *(
        Defect(
            name,
            f"Staff are told that {_TITLES[check]}, which is not so.",
            (f"review.{check}",),
            _ALARM,
            needs=(f"check:{check}=clear",),
        )
        for name, check in FALSE_ALARM.items()
    ),
    *(
        Defect(
            name,
            f"Staff are not told that {_TITLES[check]}.",
            (f"review.{check}",),
            _MISS,
            needs=(f"check:{check}=hit",),
        )
        for name, check in MISSED.items()
    ),
    Defect(
        "receipt_check_left_out",
        "A receipt is there and can be read, and staff are told that the check of its date does not apply.",
        ("review.receipt_after_incident",),
        needs=("check:receipt_after_incident=clear",),
    ),
    Defect(
        "unchecked_as_clear",
        "A check that could not be made is reported as clear.",
        _ONE_CHECK,
        _NOT_LOOKED_UP,
        needs=("check:*=not_checked",),
    ),
    Defect(
        "review_left_out",
        "The checks alert, and staff are told that no review is needed.",
        ("review.required",),
        {"assertions.person_looks": _READS},
        needs=("review_required:yes",),
    ),
    Defect(
        "review_for_nothing",
        "No check gives a reason, and staff are told that a review is needed.",
        ("review.required",),
        {"assertions.no_alert": _READS},
        needs=("review_required:no",),
    ),
    Defect(
        "explanation_accepted",
        "An alert is taken back because the customer has explained it.",
        _ONE_CHECK,
        _MISS,
        needs=("explained",),
    ),
)


def bend_review(sound: Review, defects: Iterable[str], said: dict[str, str]) -> Review:
    """The review that is stored and that staff see.

    Args:
        sound: as the checks came out.
        defects: those that are switched on.
        said: what the customer said, by check.
    """
    defects = list(defects)
    checks = _bend_checks(sound, defects, said)
    required = sound.required if checks == sound.checks else review.required(checks)
    if on(defects, "review_left_out"):
        required = False
    if on(defects, "review_for_nothing"):
        required = True
    if checks == sound.checks and required == sound.required:
        return sound
    return Review(
        checks=checks,
        required=required,
        explanation=review.explanation(checks, said),
        why_not={c: why for c, why in sound.why_not.items() if checks[c] == "not_checked"},
    )


def _bend_checks(sound: Review, defects: list[str], said: dict[str, str]) -> dict[str, str]:
    checks = dict(sound.checks)
    hits = [c for c in STRONG_FIRST if sound.checks[c] == "hit"]
    if on(defects, "review_missed") and hits:
        checks[hits[0]] = "clear"
    if on(defects, "explanation_accepted"):
        checks |= dict.fromkeys([c for c in hits if c in said][:1], "clear")
    if on(defects, "review_false_alarm"):
        fit = [c for result in ("clear", "not_checked") for c in STRONG_FIRST if sound.checks[c] == result]
        checks |= dict.fromkeys(fit[:1], "hit")
    if on(defects, "unchecked_as_clear"):
        checks |= dict.fromkeys([c for c in review.CHECKS if sound.checks[c] == "not_checked"][:1], "clear")
    if on(defects, "receipt_check_left_out"):
        checks["receipt_after_incident"] = "not_applicable"
    for given in defects:
        if given in FALSE_ALARM:
            checks[FALSE_ALARM[given]] = "hit"
        elif given in MISSED:
            checks[MISSED[given]] = "clear"
    if on(defects, "flags_every_claim"):
        checks = dict.fromkeys(checks, "hit")
    if on(defects, "flags_no_claim"):
        checks = dict.fromkeys(checks, "clear")
    return checks
