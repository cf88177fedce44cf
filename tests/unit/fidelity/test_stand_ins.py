"""Customers that play badly, over whole journeys at the reference product's engine: found, stopped, and never the product's doing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.customer import guard
from harness.schema.scorecard import Scorecard
from oracle_scoring.fidelity import AttemptFidelity, fidelity_of_attempt, judge
from oracle_scoring.fidelity.detectors import DETECTORS
from oracle_scoring.record import Record, read_record
from tests.support.desk import Office
from tests.support.stand_ins import STAND_INS, StandIn, adds, good, says

BY_NAME = {s.name: s for s in STAND_INS}
OF_DETECTOR = {
    "invented": "invents",
    "inconsistent": "contradicts itself",
    "denied": "denies what it knows",
    "kept_back": "loops",
    "given_unasked": "volunteers",
    "corrected": "corrects",
    "hinted": "hints",
    "role_flip": "flips roles",
    "reasoning": "thinks aloud",
    "language_drift": "answers in German",
    "empty": "sends nothing",
    "looping": "loops",
    "premature_end": "ends early",
}
"""Detector -> the stand-in in whose journey it finds something."""
Unguarded = Callable[[str], tuple[Office, Record]]


def states(card: Scorecard) -> dict[str, str]:
    """Line -> state."""
    return {line.id: line.state for line in card.lines}


def report(office: Office) -> AttemptFidelity:
    """What is found in the newest attempt."""
    return fidelity_of_attempt(read_record(office.attempts[-1]), office.package.view)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The score of a journey of the rule customer."""
    office, patch = Office(tmp_path_factory.mktemp("clean"), customer="rule"), pytest.MonkeyPatch()
    assert office.play(patch, good).reason == "completed"
    patch.undo()
    office.close()
    return states(office.score())


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unguarded]:
    """Plays a stand-in with the guard switched off, each once."""
    played: dict[str, tuple[Office, Record]] = {}

    def go(name: str) -> tuple[Office, Record]:
        if name not in played:
            office, patch = Office(tmp_path_factory.mktemp("off")), pytest.MonkeyPatch()
            patch.setattr(guard, "check", lambda *_: None)
            office.play(patch, BY_NAME[name].always(), turn_limit=6)
            patch.undo()
            office.close()
            played[name] = office, read_record(office.attempts[-1])
        return played[name]

    yield go


@pytest.mark.parametrize("name", BY_NAME)
def test_a_customer_that_keeps_playing_badly_ends_as_the_simulators_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it does wrong is found under its kind; nothing of it counts, and what can be stopped is stopped."""
    stand_in: StandIn = BY_NAME[name]
    office = Office(tmp_path)
    quick = {} if name == "loops" else {"move_tries": 2, "stand_in_limit": 2}  # a loop needs a first time
    done = office.play(monkeypatch, stand_in.always(), **quick)
    office.close()
    assert done.reason == "simulator_error", done.why
    found = report(office)
    mine = [f for f in found.findings if f.kind == stand_in.kind and f.by != "stand_in"]
    assert any(f.flagged for f in mine)
    assert {f.delivered for f in mine} == {stand_in.kind == "revealed_early"}
    assert not found.counting and not found.missed_by_guard
    assert found.stand_ins or stand_in.kind == "revealed_early"


@pytest.mark.parametrize("name", BY_NAME)
def test_without_the_guard_it_is_found_all_the_same_and_moves_no_line(
    name: str, unguarded: Unguarded, clean: dict[str, str]
) -> None:
    """The report does not go by the guard: the slip is found as delivered, and every line that differs is set apart."""
    office, _ = unguarded(name)
    found = report(office)
    mine = [f for f in found.findings if f.kind == BY_NAME[name].kind]
    assert any(f.delivered for f in mine)
    assert found.spoilt is not None
    card = states(office.score())
    assert {line: state for line, state in card.items() if state != clean[line] and state != "not_checked"} == {}


@pytest.mark.parametrize("detector", DETECTORS)
def test_a_detector_that_is_broken_leaves_its_slip_unfound(detector: str, unguarded: Unguarded) -> None:
    """Each detector is needed: without it nothing else reports what it reports."""
    office, record = unguarded(OF_DETECTOR[detector])
    view = office.package.view
    broken = {name: rule for name, rule in DETECTORS.items() if name != detector}
    whole = {(f.kind, f.event) for f in judge(record.events, view).findings}
    left = {(f.kind, f.event) for f in judge(record.events, view, broken).findings}
    assert whole - left


def test_one_slip_that_is_stopped_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean: dict[str, str]
) -> None:
    """Denied once, refused, asked again: the journey completes, and the score is that of a customer without a fault."""
    office = Office(tmp_path)
    assert office.play(monkeypatch, BY_NAME["denies what it knows"].once()).reason == "completed"
    office.close()
    found = report(office)
    assert [(f.kind, f.delivered, f.about) for f in found.findings] == [
        ("denied", False, ["injuries", "police_reference"])
    ]
    assert found.counting and found.spoilt is None
    assert found.coverage.facts["police_reference"] == "told_when_asked"
    assert states(office.score()) == clean


def test_one_fact_denied_to_the_product_sets_its_lines_apart_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean: dict[str, str]
) -> None:
    """A denial that gets through is the customer's: the fact and the triage made of it are not checked, the rest is scored."""
    words = "No, nobody was hurt. I'm afraid I don't know the police reference."
    denial = StandIn("denies one", "denied", says(words))
    monkeypatch.setattr(guard, "check", lambda *_: None)
    office = Office(tmp_path)
    assert office.play(monkeypatch, denial.once()).reason == "completed"
    office.close()
    found = report(office)
    assert [(f.kind, f.delivered, f.about) for f in found.findings] == [("denied", True, ["police_reference"])]
    card = office.score()
    apart = {line.id for line in card.lines if line.state != clean[line.id]}
    assert apart == {"facts.police_reference", "triage.level", "triage.required_reasons", "triage.allowed_reasons"}
    (line,) = [line for line in card.lines if line.id == "facts.police_reference"]
    assert line.state == "not_checked"
    assert "the customer knows it and did not tell it" in line.why
    (level,) = [line for line in card.lines if line.id == "triage.level"]
    assert "the simulated customer kept back police_reference" in level.why
    assert level.evidence[0].event == found.findings[0].event


def test_a_fact_given_unasked_is_no_pass_of_the_products(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean: dict[str, str]
) -> None:
    """Told before anybody asked, and never asked for afterwards: whether the product would have asked stays open."""
    early = StandIn("tells the plate", "revealed_early", adds("My registration is JX24 RVB."))
    office = Office(tmp_path)
    assert office.play(monkeypatch, early.once()).reason == "completed"
    office.close()
    assert [(f.kind, f.delivered, f.about) for f in report(office).findings] == [("revealed_early", True, ["plate"])]
    card = states(office.score())
    apart = {line for line, state in card.items() if state != clean[line]}
    assert apart == {"facts.plate", "journey.repeated_questions"}
    assert {card[line] for line in apart} == {"not_checked"}


def test_the_trial_goes_on_with_the_next_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean: dict[str, str]
) -> None:
    """The spoilt attempt is kept and set apart; the next one counts, and only its lines are verdicts."""
    office = Office(tmp_path)
    assert office.play(monkeypatch, BY_NAME["volunteers"].always()).reason == "simulator_error"
    assert office.run.counting(office.package.id, 1) is None
    assert office.play(monkeypatch, good).reason == "completed"
    counting = office.run.counting(office.package.id, 1)
    office.close()
    assert counting is not None and counting.attempt == 2
    spoilt = office.score(0)
    assert not spoilt.counting and set(states(spoilt).values()) == {"not_checked"}
    assert office.score(1).counting and states(office.score(1)) == clean
