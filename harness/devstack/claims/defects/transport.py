"""Faults of transport, as HTTP and HTML know them: answers of 500, a stream that stops, a slow turn, a lost sign-in."""

from collections.abc import Iterable

from harness.devstack.claims.case import Case
from harness.devstack.claims.defects.registry import STOPS, Defect, on, once, wait_s

SETTLED_IN = 2
"""Turns after which a fault of transport may come."""

SLOW_TURN = Defect(
    "slow_turn",
    "One reply takes longer than a customer waits.",
    ("journey.slow_turn",),
    {"journey.under_five_minutes": "the wait is a part of the five minutes"},
    waits_s=35.0,
)
DEFECTS = (
    Defect(
        "server_error_once",
        "One message is answered with a 500; sent again, it goes through.",
        ("journey.server_errors",),
    ),
    Defect(
        "server_error_always",
        "From the third turn on every message is answered with a 500.",
        ("journey.server_errors",),
        STOPS,
    ),
    Defect(
        "stream_stops",
        "The stream of the first reply ends in the middle of a word; the next message is answered as usual.",
        ("journey.replies_complete",),
        {
            "journey.nothing_to_do": "half a reply asks for nothing",
            "files.*": "half a request for a file is not answered with the file",
        },
    ),
    SLOW_TURN,
    Defect(
        "sign_in_twice",
        "The first sign-in is forgotten: the form comes back once.",
        ("journey.sign_in",),
        needs=("session:anonymous_then_sign_in",),
    ),
    Defect(
        "sign_in_loop",
        "Every sign-in is forgotten: the form comes back for ever.",
        ("journey.sign_in",),
        STOPS,
        needs=("session:anonymous_then_sign_in",),
    ),
)


def fails(case: Case, defects: Iterable[str]) -> bool:
    """server_error_once, server_error_always: whether this message is answered with a 500 before anything is done."""
    late = len(case.turns) >= SETTLED_IN
    return late and (on(defects, "server_error_always") or once(case, defects, "server_error_once"))


def stops(case: Case, defects: Iterable[str]) -> bool:
    """stream_stops: whether the stream of this turn ends before its reply does."""
    return once(case, defects, "stream_stops")


def delay_s(case: Case, defects: Iterable[str]) -> float:
    """slow_turn: how long this turn waits before the product answers, in seconds."""
    late = len(case.turns) >= SETTLED_IN
    return wait_s(defects, SLOW_TURN) if late and once(case, defects, "slow_turn") else 0.0


def keeps_sign_in(case: Case, defects: Iterable[str]) -> bool:
    """sign_in_twice, sign_in_loop: whether a right sign-in is remembered."""
    return not (on(defects, "sign_in_loop") or once(case, defects, "sign_in_twice"))
