"""Faults a real product could have, each switchable for one seeded customer. Without any, the product behaves.

Every fault bends one thing after the sound value was computed, so that it moves only what it names. One module for each
part of the product; here is the list of all.
"""

import re
from collections.abc import Iterable

from harness.devstack.claims.defects import ending, facts, review, staff, talk, transport, triage, trivial, uploads
from harness.devstack.claims.defects.registry import Defect

__all__ = [
    "DEFECTS", "Defect", "ending", "facts", "review", "staff", "talk", "transport", "triage", "trivial", "uploads", "wrong",
]  # fmt: skip

_ALL = (
    *talk.DEFECTS, *facts.DEFECTS, *triage.DEFECTS, *review.DEFECTS, *uploads.DEFECTS, *staff.DEFECTS, *ending.DEFECTS,
    *transport.DEFECTS, *trivial.DEFECTS,
)  # fmt: skip
DEFECTS: dict[str, Defect] = {defect.name: defect for defect in _ALL}
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,3})?")


def wrong(names: Iterable[str]) -> str | None:
    """What is wrong with the first entry that cannot be switched on; None if all can."""
    for given in names:
        name, colon, number = given.partition(":")
        if name not in DEFECTS:
            return f"there is no defect {name!r}"
        if colon and DEFECTS[name].waits_s is None:
            return f"the defect {name!r} takes no number"
        if colon and not _NUMBER.fullmatch(number):
            return f"the defect {name!r} takes a number of seconds after the colon"
    return None
