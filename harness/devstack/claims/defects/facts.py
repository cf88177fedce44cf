"""Faults of what is stored: facts that are lost, changed, invented or left open when the claim is sent."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from harness.devstack.claims.case import Case, Fact
from harness.devstack.claims.catalogue import catalogue
from harness.devstack.claims.defects.registry import Defect, on
from harness.devstack.claims.parse import NONE, UNKNOWN, swap_day_month

Facts = dict[str, Fact]
_INVENTED = {
    "witness": "Martin Hale, 14 Quay Street",
    "police_reference": "CR/48213/26",
    "contact_phone": "07700 900461",
}
_LOOK_ALIKE = str.maketrans("ABCEHKMOPTX", "АВСЕНКМОРТХ")
"""Latin letters -> Cyrillic ones that look the same."""
ELSEWHERE = "Bellhanger Wharf, Stowmere"
"""The place of a claim of somebody else's."""

_OPEN_FOR_STAFF = {"staff.nothing_open": "staff see that a fact is not settled"}

DEFECTS = (
    Defect(
        "day_month_swapped",
        "On sending, day and month of the incident change places, in panel and store.",
        ("incident_time.date",),
        needs=("day_and_month_can_swap",),
    ),
    Defect(
        "utc_day_shift",
        "The day of the incident is stored as the day before, as if midnight had been in another time zone.",
        ("incident_time.date",),
    ),
    Defect(
        "hour_shifted",
        "The time of the incident is stored one hour late, as if summer time had been added.",
        ("facts.optional.incident_time",),
        needs=("fact:incident_time",),
    ),
    Defect(
        "unknown_time_made_up",
        "A time of the incident that the customer does not know is stored as noon.",
        ("facts.optional.incident_time",),
        {
            "assertions.time_left_open": "the assertion says that no time is made up",
            "facts.invented": "a time that nobody said is an invented fact",
        },
        needs=("optional:incident_time=unknown",),
    ),
    Defect(
        "fact_lost", "The registration (or the place) is gone once the claim is sent.", ("facts.plate", "facts.place")
    ),
    Defect("fact_invented", "A fact nobody said is stored as confirmed: a witness.", ("facts.invented",)),
    Defect(
        "fact_unconfirmed",
        "The time of the incident stays unconfirmed although the customer confirmed the summary.",
        ("facts.unconfirmed",),
        _OPEN_FOR_STAFF,
    ),
    Defect(
        "expected_fact_unconfirmed",
        "The place stays unconfirmed although the customer confirmed the summary.",
        ("facts.place",),
        _OPEN_FOR_STAFF,
    ),
    Defect(
        "look_alike_plate",
        "A letter of the registration is stored as the Cyrillic one that looks the same.",
        ("facts.plate",),
        needs=("fact:plate",),
    ),
    Defect("fact_of_another_case", "The place is that of somebody else's claim.", ("facts.place",)),
    Defect(
        "amount_times_ten",
        "The estimated loss is stored ten times too high: the decimal point was lost.",
        ("facts.estimated_loss",),
        needs=("fact:estimated_loss",),
    ),
    Defect(
        "answer_turned_round",
        "Whether anyone was hurt is stored the wrong way round.",
        ("facts.injuries",),
    ),
)


def bend_facts(case: Case, defects: Iterable[str]) -> None:
    """What sending the claim does to its facts; review and triage were settled before."""
    facts = dict(case.facts)
    for name, bend in _BENDS.items():
        if on(defects, name):
            bend(facts)
    case.facts = facts


def _changed(facts: Facts, fact: str, value: Callable[[str], str]) -> None:
    held = facts.get(fact)
    if held is not None:
        facts[fact] = Fact(value=value(held.value), status=held.status)


def _swap(facts: Facts) -> None:
    _changed(facts, "incident_date", swap_day_month)


def _day_before(value: str) -> str:
    try:
        return (date.fromisoformat(value) - timedelta(days=1)).isoformat()
    except ValueError:
        return value


def _hour_later(value: str) -> str:
    hour, _, minute = value.partition(":")
    return f"{(int(hour) + 1) % 24:02d}:{minute}" if hour.isdigit() else value


def _lose(facts: Facts) -> None:
    facts.pop("plate" if "plate" in facts else "place", None)


def _invent(facts: Facts) -> None:
    for fact, value in _INVENTED.items():
        if fact not in facts and fact in catalogue().facts:
            facts[fact] = Fact(value=value, status="confirmed")
            return


def _unconfirm(fact: str) -> Callable[[Facts], None]:
    def bend(facts: Facts) -> None:
        if held := facts.get(fact):
            facts[fact] = Fact(value=held.value, status="collected")

    return bend


def _look_alike(value: str) -> str:
    at = next((i for i, c in enumerate(value) if c != c.translate(_LOOK_ALIKE)), None)
    return value if at is None else value[:at] + value[at].translate(_LOOK_ALIKE) + value[at + 1 :]


def _times_ten(value: str) -> str:
    amount, _, currency = value.partition(" ")
    try:
        return f"{Decimal(amount) * 10:.2f} {currency}".strip()
    except InvalidOperation:
        return value


def _other_side(value: str) -> str:
    return {"yes": "no", "no": "yes"}.get(value, value)


_BENDS: dict[str, Callable[[Facts], None]] = {
    "day_month_swapped": _swap,
    "utc_day_shift": lambda facts: _changed(facts, "incident_date", _day_before),
    "hour_shifted": lambda facts: _changed(facts, "incident_time", _hour_later),
    "unknown_time_made_up": lambda facts: _changed(
        facts, "incident_time", lambda v: "12:00" if v in (UNKNOWN, NONE) else v
    ),
    "fact_lost": _lose,
    "fact_invented": _invent,
    "fact_unconfirmed": _unconfirm("incident_time"),
    "expected_fact_unconfirmed": _unconfirm("place"),
    "look_alike_plate": lambda facts: _changed(facts, "plate", _look_alike),
    "fact_of_another_case": lambda facts: _changed(facts, "place", lambda _: ELSEWHERE),
    "amount_times_ten": lambda facts: _changed(facts, "estimated_loss", _times_ten),
    "answer_turned_round": lambda facts: _changed(facts, "injuries", _other_side),
}
