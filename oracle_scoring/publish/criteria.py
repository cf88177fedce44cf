"""What is counted: one small predicate per figure, from a scorecard to a state. Targets are those of the acceptance.

Source of the targets: the acceptance of the claims scenario: 80 % of the claims need no further contact, staff grade the
severity blind, no false review alarm on the test set, less than five minutes, fewer than ten questions.
"""

from collections.abc import Callable
from dataclasses import dataclass

from harness.schema.scorecard import Group, LineState, Scorecard, ScoreLine
from oracle_scoring.kleene import all_of

NO_CONTACT_SHARE = 0.8
_NOT_EXPECTED = ("facts.optional.", "facts.invented", "facts.unconfirmed")


@dataclass(frozen=True)
class Criterion:
    """One share of journeys."""

    id: str
    title: str
    counts: str
    state: Callable[[Scorecard], LineState]
    at_least: float | None = None
    """Target; 1.0 means every journey."""


def line_of(card: Scorecard, line_id: str) -> ScoreLine | None:
    """The line of that id."""
    return next((line for line in card.lines if line.id == line_id), None)


def state_of(card: Scorecard, line_id: str) -> LineState:
    """State of a line; `not_checked` where the scorecard has no such line."""
    line = line_of(card, line_id)
    return line.state if line else "not_checked"


def expected_facts(card: Scorecard) -> list[ScoreLine]:
    """Lines of the facts a claim must end with, the time of the incident among them."""
    return [
        line for line in card.lines
        if line.group in ("facts", "incident_time") and not line.id.startswith(_NOT_EXPECTED)
    ]  # fmt: skip


def _facts(card: Scorecard) -> LineState:
    lines = expected_facts(card)
    return all_of(line.state for line in lines) if lines else "not_checked"


def no_further_contact(card: Scorecard) -> LineState:
    """A case number, every expected fact right, and nothing missing or open on the staff page."""
    parts = ("journey.case_number", "staff.case_listed", "staff.nothing_open")
    return all_of([_facts(card), *(state_of(card, part) for part in parts)])


def no_false_alarm(card: Scorecard) -> LineState:
    """No call for a review where none is due; a product that gives no answer has not shown that it raises no alarm."""
    line = line_of(card, "review.required")
    if line is None:
        return "not_checked"
    if line.expected == "yes":
        return "not_applicable"
    return "not_checked" if line.state == "fail" and line.alarm is None else line.state


def no_false_alarm_innocent(card: Scorecard) -> LineState:
    """The same, of controls that look suspicious and are not."""
    return no_false_alarm(card) if card.innocent_control else "not_applicable"


def no_false_check(card: Scorecard) -> LineState:
    """No single check says `hit` where it should not."""
    lines = [line for line in card.lines if line.group == "review" and line.id != "review.required"]
    if any(line.alarm == "false_alarm" for line in lines):
        return "fail"
    return all_of("pass" if line.state == "fail" else line.state for line in lines) if lines else "not_checked"


def no_miss(card: Scorecard) -> LineState:
    """A review is called for where one is due."""
    line = line_of(card, "review.required")
    if line is None:
        return "not_checked"
    return line.state if line.expected == "yes" else "not_applicable"


def nothing_failed(card: Scorecard) -> LineState:
    """No score line failed; what is left to people is left aside."""
    return all_of(line.state for line in card.lines if line.state != "needs_human")


def of_line(line_id: str) -> Callable[[Scorecard], LineState]:
    """The state of one line."""
    return lambda card: state_of(card, line_id)


def of_group(group: Group) -> Callable[[Scorecard], LineState]:
    """All lines of a group."""
    return lambda card: all_of(line.state for line in card.lines if line.group == group)


ACCEPTANCE: tuple[Criterion, ...] = (
    Criterion(
        "no_further_contact", "Need no further contact",
        "case number shown and stored, every expected fact right and confirmed, staff find the case, nothing missing or open there",
        no_further_contact, NO_CONTACT_SHARE,
    ),
    Criterion(
        "no_false_review_alarm", "No false review alarm",
        "no review called for, of the journeys where none is due", no_false_alarm, 1.0,
    ),
    Criterion(
        "under_five_minutes", "Under five minutes",
        "the product's waits and the modelled reading and typing together under 300 s", of_line("journey.under_five_minutes"), 1.0,
    ),
    Criterion(
        "under_ten_questions", "Under ten questions",
        "fewer than ten questions asked by the product", of_line("journey.question_count"), 1.0,
    ),
)  # fmt: skip
FURTHER: tuple[Criterion, ...] = (
    Criterion("innocent_controls", "Innocent controls without a false alarm", "no review called for, of the innocent controls alone", no_false_alarm_innocent),
    Criterion("no_false_check", "No false hit of a single check", "no review check says hit where it should not", no_false_check),
    Criterion("review_found", "Reviews that are due are called for", "a review called for, of the journeys where one is due (a fail is a miss)", no_miss),
    Criterion("submitted", "Claims submitted", "the product holds the claim as submitted", of_line("journey.completed")),
    Criterion("case_number", "Case number shown and stored", "one number, shown and stored", of_line("journey.case_number")),
    Criterion("facts_right", "Every expected fact right", "every fact the claim must end with is right and confirmed", _facts),
    Criterion("incident_time", "Date and time of the incident right", "both right, alone", of_group("incident_time")),
    Criterion("triage_by_rule", "Triage level as the rule gives it", "the level is that of the corpus's rule; no person graded it", of_line("triage.level")),
    Criterion("files_whole", "Every file arrived once and whole", "every uploaded file is stored with the bytes that were handed over", of_group("files")),
    Criterion("nothing_failed", "No score line failed", "every line that rules decide passed; lines left to people are not looked at", nothing_failed),
)  # fmt: skip
