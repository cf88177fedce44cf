"""Every check has a passing, a failing and an unscorable record; every defect fails its own line and no other."""

import json
from pathlib import Path

import pytest
from builder import PACKAGE, Golden
from records import DEFECTS, FOLLOWS, RECORDS, no_events

from harness.schema.run import NOT_COUNTING
from harness.schema.scorecard import Scorecard, ScoreLine
from oracle_scoring.claims import card_bytes, score_attempt

EXPECTED = Path(__file__).with_name("expected")


def scored(root: Path, golden: Golden) -> Scorecard:
    """The scorecard of a written record."""
    return score_attempt(*golden.write(root))


def by_id(card: Scorecard) -> dict[str, ScoreLine]:
    """Lines by id; an id stands once."""
    lines = {line.id: line for line in card.lines}
    assert len(lines) == len(card.lines)
    return lines


def test_every_line_has_its_three_records(tmp_path: Path) -> None:
    """No line of a scorecard is without a passing, a failing and an unscorable record, save those left to people."""
    card = scored(tmp_path, Golden())
    assert {line.id for line in card.lines} == {*RECORDS, "assertions.kind_words"}


@pytest.mark.parametrize("line_id", RECORDS)
def test_passing_record(line_id: str, tmp_path: Path) -> None:
    """A record on which the product was right passes the line."""
    golden = Golden()
    change = RECORDS[line_id][0]
    if change:
        change(golden)
    line = by_id(scored(tmp_path, golden))[line_id]
    assert line.state == "pass", line.why


@pytest.mark.parametrize("line_id", RECORDS)
def test_failing_record(line_id: str, tmp_path: Path) -> None:
    """A record on which the product was wrong fails the line, says why, shows where, and fails no line it does not touch."""
    golden = Golden()
    RECORDS[line_id][1](golden)
    lines = by_id(scored(tmp_path, golden))
    line = lines[line_id]
    assert line.state == "fail", line.why
    assert line.why and line.evidence
    assert {i for i, x in lines.items() if x.state == "fail"} == {line_id} | FOLLOWS.get(line_id, set())


@pytest.mark.parametrize("line_id", RECORDS)
def test_unscorable_record(line_id: str, tmp_path: Path) -> None:
    """Where evidence is missing, the line is not checked, never passed or failed, and says what is missing."""
    golden = Golden()
    RECORDS[line_id][2](golden)
    line = by_id(scored(tmp_path, golden))[line_id]
    assert line.state == "not_checked", line.why
    assert line.alarm is None


def test_the_good_record_moves_no_line(tmp_path: Path) -> None:
    """Where the product did everything right, nothing fails and nothing is unknown but what people have to say."""
    states = {line.id: line.state for line in scored(tmp_path, Golden()).lines}
    assert {i for i, s in states.items() if s not in ("pass", "not_applicable")} == {"assertions.kind_words"}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_fails_its_own_line_only(defect: str, tmp_path: Path) -> None:
    """Each of the ten defects is named by exactly one line."""
    change, own = DEFECTS[defect]
    golden = Golden()
    change(golden)
    failed = [line.id for line in scored(tmp_path, golden).lines if line.state == "fail"]
    assert failed == [own]


@pytest.mark.parametrize("name", ["good", *DEFECTS])
def test_scorecards_are_the_recorded_ones(name: str, tmp_path: Path) -> None:
    """The whole scorecard of a golden record is the one on file: a scoring change shows here and moves the version."""
    golden = Golden()
    if name in DEFECTS:
        DEFECTS[name][0](golden)
    card = scored(tmp_path, golden)
    assert json.loads(card_bytes(card)) == json.loads((EXPECTED / f"{name}.json").read_bytes())


@pytest.mark.parametrize("reason", sorted(NOT_COUNTING))
def test_a_spoilt_attempt_fails_nothing(reason: str, tmp_path: Path) -> None:
    """An attempt that ended by a fault that is not the product's decides no line, whatever the record holds."""
    golden = Golden()
    no_events(golden)
    golden.case["facts"] = {}
    golden.shown_level("urgent")
    golden.reason, golden.why = reason, "the customer's model gave nothing"
    card = scored(tmp_path, golden)
    assert {line.state for line in card.lines} == {"not_checked"}
    assert all(reason in line.why for line in card.lines)
    assert not card.counting


@pytest.mark.parametrize(
    ("key", "covered"),
    [
        ("triage.level", {"triage.level"}),
        ("review.*", {i for i in RECORDS if i.startswith("review.")}),
        ("staff", {i for i in RECORDS if i.startswith("staff.")}),
    ],
)
def test_what_is_not_built_is_not_scored(key: str, covered: set[str], tmp_path: Path) -> None:
    """Lines of abilities the adapter declares as not built are `unimplemented`, with the adapter's reason, even if wrong."""
    golden = Golden()
    golden.unimplemented = {key: "comes in spring"}
    golden.shown_level("urgent")
    golden.shown_check("quote_before_incident", "hit")
    lines = by_id(scored(tmp_path, golden))
    found = {i: line for i, line in lines.items() if line.state == "unimplemented"}
    assert set(found) == covered
    assert all("comes in spring" in line.why for line in found.values())


def test_what_people_decide_is_left_to_them(tmp_path: Path) -> None:
    """A `human` assertion is neither passed nor failed."""
    line = by_id(scored(tmp_path, Golden()))["assertions.kind_words"]
    assert (line.state, line.referee) == ("needs_human", "human")


def test_the_same_record_gives_the_same_bytes(tmp_path: Path) -> None:
    """Scoring has no clock and no order of its own; where the folders lie does not matter either."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    assert card_bytes(scored(tmp_path / "one", Golden())) == card_bytes(scored(tmp_path / "two", Golden()))


def test_scorecard_names_its_subject(tmp_path: Path) -> None:
    """Package, class, style, control, revision and grade stand on the card."""
    card = scored(tmp_path, Golden())
    assert (card.package, card.scenario_class, card.opening_style) == (PACKAGE, "motor.parked_hit", "plain")
    assert (card.innocent_control, card.oracle_revision, card.counting) == ("one_weak_signal", 1, True)
    assert card.grade == "rehearsal" and "started with --rehearsal" in card.grade_reasons
