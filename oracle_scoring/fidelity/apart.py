"""Which lines of a score a customer's own slips leave open: they are set apart, and are neither the product's pass nor its fail."""

import re
from dataclasses import dataclass

from harness.schema.scorecard import Evidence, ScoreLine
from harness.schema.spoilt import KEPT_BACK
from oracle_scoring.fidelity.judge import Judged, standing
from oracle_scoring.fidelity.models import Finding

TRIAGE_FACTS = frozenset(
    {
        "what_happened",
        "injuries",
        "habitable",
        "ongoing_danger",
        "drivable",
        "liability_disputed",
        "estimated_loss",
        "other_vehicle",
        "other_driver",
        "police_reference",
        "emergency_work",
    }
)
"""Facts that the levels and reasons of a triage are made of."""
REVIEW_FACTS = frozenset({"incident_date", "purchase_date"})
"""Facts that review checks compare a paper or the cover with; files are the other side of it."""
MADE_LONGER = frozenset({"journey.question_count", "journey.under_five_minutes"})
"""Lines with a limit that questions put again count towards."""
INCIDENT_TIME = {"incident_date": "incident_time.date", "incident_time": "incident_time.time"}


@dataclass(frozen=True)
class Doing:
    """The customer's doing, for one line."""

    why: str
    event: int


def doing(judged: Judged, line: ScoreLine) -> Doing | None:
    """What of the customer's leaves this line open; None if nothing does.

    A spoilt journey leaves every line open. Below that, what was kept back or given unasked leaves open the lines of those
    facts and files, and those that are made of them.
    """
    telling = judged.telling
    if judged.spoilt is not None and telling:
        return Doing(f"the simulated customer spoilt the journey: {judged.spoilt}", telling[0].event)
    if line.id in MADE_LONGER and line.state == "fail":
        return _made_longer(judged, line)
    for finding in telling:
        about = [a for a in standing(finding) if _touches(a, finding, line, judged)]
        if about:
            did = "kept back" if finding.kind in KEPT_BACK else "gave unasked"
            return Doing(
                f"the simulated customer {did} {', '.join(about)} ({finding.kind.replace('_', ' ')})", finding.event
            )
    return None


def _made_longer(judged: Judged, line: ScoreLine) -> Doing | None:
    """The customer did not answer and was asked again, without which the limit may have been kept.

    A question put again counts as one of the questions, or as a turn that took what a turn of this journey takes.
    """
    again, turns = judged.asked_again(), judged.turns()
    got, limit = (re.search(r"\d+", text or "") for text in (line.got, line.expected))
    if not again:
        return None
    if got and limit:
        own = (
            int(got[0]) - again
            if line.id == "journey.question_count"
            else int(got[0]) * max(turns - again, 0) / max(turns, 1)
        )
        if own >= int(limit[0]):
            return None
    event = min(s.event for s in judged.unanswered())
    return Doing(
        f"{again} questions were put again because the simulated customer had not, or not clearly, answered", event
    )


def set_apart(judged: Judged, line: ScoreLine) -> ScoreLine:
    """The line, not checked where the customer's own doing leaves it open."""
    found = doing(judged, line) if line.state in ("pass", "fail", "needs_human", "not_applicable") else None
    if found is None:
        return line
    here = Evidence(file="events.jsonl", event=found.event)
    update = {"state": "not_checked", "why": found.why, "alarm": None, "evidence": [here, *line.evidence], "got": None}
    return line.model_copy(update=update)


def _touches(what: str, finding: Finding, line: ScoreLine, judged: Judged) -> bool:
    given = finding.kind not in KEPT_BACK
    if given and line.id == "journey.repeated_questions":
        return True
    if given and what in judged.end.asked | judged.end.first_asked.keys():
        return False  # the product asked for it later: it would have had it all the same
    own = {f"facts.{what}", f"facts.optional.{what}", f"files.{what}", INCIDENT_TIME.get(what, "")}
    if line.id in own or any(e.path and re.search(rf"\.facts\.{re.escape(what)}\b", e.path) for e in line.evidence):
        return True
    is_file = "." in what
    if line.group == "triage" or any(
        e.path and ".triage" in e.path for e in line.evidence if line.group == "assertions"
    ):
        return what in TRIAGE_FACTS
    if line.group == "review" or any(
        e.path and ".review" in e.path for e in line.evidence if line.group == "assertions"
    ):
        return is_file or what in REVIEW_FACTS
    return line.id == "staff.explanation_beside_alert" and (
        is_file or what in REVIEW_FACTS or what.endswith("_explanation")
    )
