"""What a customer did wrong in one journey, from its events and what it knew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.schema.events import Event, Severity
from harness.schema.spoilt import KEPT_BACK, Delivered, spoilt
from harness.schema.visible import CustomerView
from harness.schema.wording import asked_facts
from oracle_scoring.fidelity.detectors import DETECTORS, Detector, Found
from oracle_scoring.fidelity.models import Finding, GuardOnly, Undecided
from oracle_scoring.fidelity.moves import Gives, Known, Moved, gives, moves, outcome

QUOTE = 300


@dataclass(frozen=True)
class Judged:
    """One journey."""

    moves: list[Moved]
    gives: list[Gives]
    """What each of the moves gave."""
    end: Known
    findings: list[Finding]
    undecided: list[Undecided]
    guard_only: list[GuardOnly]
    spoilt: str | None

    @property
    def telling(self) -> list[Finding]:
        """Slips that reached the product, are more than minor, and were not made good."""
        return [f for f in self.findings if f.delivered and f.severity != "minor" and (standing(f) or not f.about)]

    def unanswered(self) -> list[Finding | Undecided]:
        """What (perhaps) did not answer, of what reached the product."""
        slips: list[Finding | Undecided] = [*self.findings, *self.undecided]
        return [s for s in slips if s.delivered and s.kind in KEPT_BACK]

    def asked_again(self) -> int:
        """How often the product asked once more for what the customer had (perhaps) not answered."""
        unanswered: dict[str, int] = {}
        for slip in self.unanswered():
            unanswered |= {a: min(slip.event, unanswered.get(a, slip.event)) for a in slip.about}
        return sum(
            fact in unanswered and moved.n > unanswered[fact]
            for moved in self._answered()
            for fact in asked_facts(moved.live)
        )

    def turns(self) -> int:
        """How many screens the customer answered."""
        return len(self._answered())

    def _answered(self) -> list[Moved]:
        """The moves that were carried out, each of another screen."""
        return [
            m
            for i, m in enumerate(self.moves)
            if m.by and not any(m.screen.seq == o.screen.seq for o in self.moves[:i])
        ]


def judge(events: Sequence[Event], view: CustomerView, detectors: Mapping[str, Detector] = DETECTORS) -> Judged:
    """Every move held against every detector."""
    made = moves(events, view)
    given = [gives(m, view) for m in made]
    findings: list[Finding] = []
    undecided: list[Undecided] = []
    guard_only: list[GuardOnly] = []
    for index, moved in enumerate(made):
        later: frozenset[str] = frozenset().union(*(g.all for g in given[index + 1 :]))
        found = [f for detector in detectors.values() for f in detector(moved, view)]
        for one in found:
            if one.severity is None:
                undecided.append(
                    Undecided(
                        kind=one.kind, delivered=moved.delivered, event=moved.n, turn=moved.turn, why=one.why[:1000], about=list(one.about)
                    )
                )  # fmt: skip
            else:
                findings.append(_finding(one, one.severity, moved, later))
        kinds = {f.kind for f in found if f.severity is not None}
        guard_only += [
            GuardOnly(kind=s.slip, event=moved.n, turn=moved.turn, delivered=s.delivered, why=s.why)
            for s in moved.flagged
            if s.slip not in kinds
        ]
    why = spoilt(Delivered(f.kind, f.severity, frozenset(standing(f))) for f in findings if f.delivered)
    return Judged(made, given, outcome(events, view), findings, undecided, guard_only, why)


def standing(finding: Finding) -> list[str]:
    """What a slip is about, without what was made good later."""
    return [a for a in finding.about if a not in finding.made_good]


def _finding(found: Found, severity: Severity, moved: Moved, later: frozenset[str]) -> Finding:
    pressed = moved.move.control if moved.move else ""
    return Finding(
        kind=found.kind,
        severity=severity,
        delivered=moved.delivered,
        event=moved.n,
        turn=moved.turn,
        by=moved.by,
        why=found.why[:1000],
        quote=(moved.text or moved.raw or pressed)[:QUOTE],
        about=list(found.about),
        made_good=[a for a in found.about if found.kind in KEPT_BACK and a in later],
        flagged=any(s.slip == found.kind for s in moved.flagged),
    )
