"""When a simulated customer has spoilt its own journey: one rule, for the worker that ends it and for whoever reads its record.

A slip that was stopped, or that is minor, spoils nothing. What the guard refuses and yet arrived spoils at once: it got past
what should have held it, so nobody knows what else did. Slips of which a few are ordinary are counted by what they are about.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.schema.events import Severity, SlipKind

KEPT_BACK: frozenset[SlipKind] = frozenset({"denied", "missed_action"})
"""The customer knows or has it, was asked, and did not give it; made good once it is given."""
UNASKED: frozenset[SlipKind] = frozenset({"revealed_early", "wrong_sequence"})
"""Told or handed over before anybody asked."""
MOST_KEPT_BACK = 1
"""Facts and files that may stay kept back at the end: with one, its own lines are set apart and the others still stand; with
two, too little of what the product had to collect was put to it."""
MOST_UNASKED = 3
"""Facts and files that may be given unasked: a notice takes up to ten questions, and most of them must have been the product's."""


@dataclass(frozen=True)
class Delivered:
    """A slip that reached the product."""

    kind: SlipKind
    severity: Severity
    about: frozenset[str]
    """Ids of facts and files; of what was kept back only what still is."""

    def given(self, what: str) -> "Delivered":
        """The same after the customer gave it: then it is kept back no longer."""
        return replace(self, about=self.about - {what}) if self.kind in KEPT_BACK else self


def spoilt(slips: Iterable[Delivered]) -> str | None:
    """Why these slips spoil a journey, in a few words; None if they do not."""
    telling = [s for s in slips if s.severity != "minor"]
    worst = next((s for s in telling if s.kind not in KEPT_BACK | UNASKED), None)
    if worst is not None:
        return f"{worst.kind.replace('_', ' ')} reached the product"
    kept = sorted(frozenset().union(*(s.about for s in telling if s.kind in KEPT_BACK)))
    if len(kept) > MOST_KEPT_BACK:
        return f"{len(kept)} things that the customer has were asked for and kept back: {', '.join(kept)}"
    early = sorted(frozenset().union(*(s.about for s in telling if s.kind in UNASKED)))
    if len(early) > MOST_UNASKED:
        return f"{len(early)} things were given without being asked for: {', '.join(early)}"
    return None
