"""Faults a real product could have, each switchable for one seeded customer. Without any, the product behaves.

Every fault bends one thing after the sound value was computed, so that it moves only what it names.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from harness.devstack.claims import review, triage
from harness.devstack.claims.case import Case, Fact, Review, Triage
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.parse import NONE, UNKNOWN, swap_day_month


@dataclass(frozen=True)
class Defect:
    """One named fault.

    Args:
        name: what a seed switches on.
        seen: what a customer or a member of staff meets.
        line: the score line that names it; `*` stands for a fact, check or file.
    """

    name: str
    seen: str
    line: str


DEFECTS = {
    d.name: d
    for d in (
        Defect(
            "repeated_question",
            "Once, right after an answer, the same thing is asked again in the same words.",
            "journey.repeated_questions",
        ),
        Defect(
            "nothing_to_do_reply",
            "One reply only thanks: no question, no request, no card, no button. It goes on if the customer writes.",
            "journey.nothing_to_do",
        ),
        Defect(
            "day_month_swapped",
            "On sending, day and month of the incident change places (if the day is 12 or less), in panel and store.",
            "incident_time.date",
        ),
        Defect("fact_lost", "The registration (or another fact) is gone once the claim is sent.", "facts.plate"),
        Defect(
            "fact_invented",
            "A fact nobody said is stored as confirmed: a witness.",
            "facts.invented",
        ),
        Defect("triage_one_level_off", "Staff see the level next to the right one; reasons are right.", "triage.level"),
        Defect(
            "review_false_alarm",
            "Staff see an alert where the check was clear, and the review it leads to.",
            "review.*",
        ),
        Defect("review_missed", "Staff see a check as clear although it hit.", "review.*"),
        Defect(
            "case_number_only_in_json",
            'The customer ends at "Thank you" without a number; it is stored and in the data of the page.',
            "journey.case_number",
        ),
        Defect("upload_damaged", "The first file sent is stored with other bytes than it arrived with.", "files.*"),
    )
}


def unknown_defect(names: Iterable[str]) -> str | None:
    """The first name that is not a defect, None if all are."""
    return next((n for n in names if n not in DEFECTS), None)


def once(case: Case, defects: Iterable[str], name: str) -> bool:
    """True the first time a switched-on defect comes up in a case, and never again."""
    if name not in defects or name in case.marks:
        return False
    case.marks = [*case.marks, name]
    return True


def fact_to_repeat(case: Case, defects: Iterable[str], answered: list[str]) -> str | None:
    """repeated_question: the fact to ask for again, of those just answered; None for a sound product."""
    if "repeated_question" not in defects or "repeated_question" in case.marks:
        return None
    fact = next((f for f in answered if case.value(f) not in (None, UNKNOWN, NONE)), None)
    return fact if fact and once(case, defects, "repeated_question") else None


def bend_triage(sound: Triage, defects: Iterable[str]) -> Triage:
    """triage_one_level_off: the level below, for the lowest the one above."""
    if "triage_one_level_off" not in defects:
        return sound
    at = triage.LEVELS.index(sound.level)
    return Triage(level=triage.LEVELS[at + 1 if at + 1 < len(triage.LEVELS) else at - 1], reasons=sound.reasons)


def bend_review(sound: Review, defects: Iterable[str], said: dict[str, str]) -> Review:
    """Alarms where there is nothing, and none where there is something.

    review_false_alarm: one clear check (a strong one if there is) hits; where none is clear, one that was not checked.
    review_missed: one hit is clear.
    """
    checks = dict(sound.checks)
    strong_first = ("quote_before_incident", *(c for c in review.CHECKS if c != "quote_before_incident"))
    if "review_missed" in defects and (hit := next((c for c in strong_first if checks[c] == "hit"), None)):
        checks[hit] = "clear"
    if "review_false_alarm" in defects:
        fit = [c for result in ("clear", "not_checked") for c in strong_first if sound.checks[c] == result]
        if alarm := next(iter(fit), None):
            checks[alarm] = "hit"
    if checks == sound.checks:
        return sound
    return Review(
        checks=checks,
        required=review.required(checks),
        explanation=review.explanation(checks, said),
        why_not=sound.why_not,
    )


def bend_facts(case: Case, defects: Iterable[str]) -> None:
    """day_month_swapped, fact_lost, fact_invented: what sending the claim does to its facts."""
    facts = dict(case.facts)
    if "day_month_swapped" in defects and "incident_date" in facts:
        held = facts["incident_date"]
        facts["incident_date"] = Fact(value=swap_day_month(held.value), status=held.status)
    if "fact_lost" in defects:
        known = [
            f for f in facts if facts[f].value not in (UNKNOWN, NONE) and f not in ("incident_date", "what_happened")
        ]
        lost = "plate" if "plate" in known else next(iter(known), None)
        if lost:
            del facts[lost]
    if "fact_invented" in defects:
        invented = {
            "witness": "Martin Hale, 14 Quay Street",
            "police_reference": "CR/48213/26",
            "contact_phone": "07700 900461",
        }
        for fact, value in invented.items():
            if fact not in facts and fact in catalogue().facts:
                facts[fact] = Fact(value=value, status="confirmed")
                break
    case.facts = facts


def bend_bytes(data: bytes, case: Case, defects: Iterable[str]) -> bytes:
    """upload_damaged: the first file loses its last bytes on the way to the store."""
    if data and once(case, defects, "upload_damaged"):
        return data[: -max(1, min(1024, len(data) // 10))]
    return data
