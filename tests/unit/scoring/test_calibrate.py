"""The matrix of defects and packages: what counts as found, what as a false alarm, where a defect can show."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import InputError
from harness.schema.product import SwitchableDefect
from harness.schema.scorecard import Evidence, Scorecard, ScoreLine
from oracle_scoring.calibrate import Matrix, compare, effort, holds, judge, read_package
from oracle_scoring.calibrate.conditions import PackageData

PACKAGES = Path(__file__).parents[3] / "packages" / "claims"
SOUND = {
    "facts.plate": "pass",
    "facts.place": "pass",
    "files.a.jpg": "pass",
    "files.b.pdf": "pass",
    "review.required": "pass",
}


def card(package: str = "P1", trial: int = 1, **changes: str | None) -> Scorecard:
    """A scorecard with these states; None takes a line out. `__` stands for a dot."""
    lines = {**SOUND, **{name.replace("__", "."): state for name, state in changes.items()}}
    return Scorecard.model_validate(
        {
            "schema": "scorecard-v1", "rubric": "claims", "scoring_version": "1", "oracle_sha256": "a" * 64, "oracle_revision": 1,
            "run": "r", "package": package, "scenario_class": "motor.theft", "opening_style": "plain", "innocent_control": None,
            "trial": trial, "attempt": 1, "counting": True, "termination_reason": "completed", "grade": "rehearsal",
            "grade_reasons": [], "measures": [], "totals": {},
            "lines": [
                ScoreLine(
                    id=name, group="facts", title=name, state=state, referee="rule", expected=None, got=None, why=f"{name} it is",
                    evidence=[Evidence(file="x")],
                )
                for name, state in lines.items() if state is not None
            ],
        }
    )  # fmt: skip


def defect(name: str = "d", *lines: str, **more: Any) -> SwitchableDefect:
    """A declared defect; its line is `facts.plate` if none is given."""
    base: dict[str, Any] = {"follows": {}, "needs": [], "seen": "Something."}
    return SwitchableDefect(name=name, lines=list(lines) or ["facts.plate"], **{**base, **more})


def matrix(one: SwitchableDefect, bent: Scorecard | None, **changes: Any) -> Matrix:
    """The matrix of one defect in the package P1."""
    given: dict[str, Any] = {
        "planned": {one.name: ["P1"]}, "applies": {one.name: ["P1"]}, "defects": [one], "packages": ["P1"],
        "played": {(one.name, "P1"): (bent, "d/P1/t01/a01")} if bent else {}, "sound": {"P1": [card()]},
    }  # fmt: skip
    return judge(**{**given, **changes})


def test_a_defect_that_its_line_names_is_found() -> None:
    """The line fails, and why stands in the row; nothing else moved: exit code 0."""
    found = matrix(defect(), card(facts__plate="fail"))
    (row,) = found.rows
    assert (row.verdict, row.found, row.expected_line, row.why) == ("found", True, "facts.plate", "facts.plate it is")
    assert row.also_moved == [] and found.exit_code == 0


@pytest.mark.parametrize("state", ["pass", "not_checked", "not_applicable", "needs_human", None])
def test_a_defect_that_its_line_does_not_name_is_missed(state: str | None) -> None:
    """Anything but a fail is a miss, also a line that is gone: exit code 1."""
    found = matrix(defect(), card(facts__plate=state))
    assert [r.verdict for r in found.rows] == ["missed"] and found.exit_code == 1
    assert found.rows[0].found is False and "facts.plate is" in found.rows[0].why


def test_a_line_that_failed_before_names_nothing() -> None:
    """What fails without the defect, too, says nothing of it; and the well-behaved product may fail no line."""
    found = matrix(defect(), card(facts__plate="fail"), sound={"P1": [card(facts__plate="fail")]})
    assert found.rows[0].verdict == "missed"
    assert found.sound == ["P1 trial 1: facts.plate (facts.plate it is)"] and found.exit_code == 1


def test_a_line_that_nobody_has_is_a_miss_that_says_so() -> None:
    """A defect is declared for a line that no scorecard has."""
    found = matrix(defect("d", "journey.no_such"), card())
    assert (found.rows[0].verdict, found.rows[0].why) == ("missed", "no scorecard has such a line")


def test_a_line_that_moves_undeclared_is_a_false_alarm() -> None:
    """Whatever it moves to: exit code 1, although the defect was found."""
    found = matrix(defect(), card(facts__plate="fail", review__required="not_checked"))
    (row,) = found.rows
    assert row.verdict == "found" and found.exit_code == 1
    assert [(m.line, m.sound, m.now) for m in row.undeclared] == [("review.required", "pass", "not_checked")]


def test_a_declared_follower_moves_with_its_reason() -> None:
    """A pattern covers lines; the reason stands in the row."""
    found = matrix(defect(follows={"review.*": "it follows"}), card(facts__plate="fail", review__required="fail"))
    assert [(m.line, m.declared) for m in found.rows[0].also_moved] == [("review.required", "it follows")]
    assert found.exit_code == 0


def test_a_pattern_names_one_line_and_a_second_is_a_false_alarm() -> None:
    """One defect, one line."""
    files = defect("d", "files.*")
    one = compare(files, "P1", card(), card(files__a__jpg="fail"), "x")
    assert (one.expected_line, one.also_moved) == ("files.a.jpg", [])
    both = compare(files, "P1", card(), card(files__a__jpg="fail", files__b__pdf="fail"), "x")
    assert [m.line for m in both.undeclared] == ["files.b.pdf"]


def test_of_several_lines_the_first_that_a_package_has_is_expected() -> None:
    """A defect that bends the plate where there is one, and the place elsewhere."""
    either = defect("d", "facts.plate", "facts.place")
    assert compare(either, "P1", card(), card(facts__place="fail"), "x").verdict == "missed"
    elsewhere = compare(either, "P1", card(facts__plate=None), card(facts__plate=None, facts__place="fail"), "x")
    assert (elsewhere.verdict, elsewhere.expected_line) == ("found", "facts.place")


def test_in_a_conversation_a_line_moves_by_failing_alone() -> None:
    """Whether a metric has an occasion depends on the talk's course; a metric that fails undeclared is a false alarm still."""
    talk = {"facts__plate": "fail", "files__a__jpg": "not_applicable"}
    found = matrix(defect(), card(**talk), fails_only=True)
    assert found.rows[0].also_moved == [] and found.exit_code == 0
    assert [m.line for m in matrix(defect(), card(**talk)).rows[0].undeclared] == ["files.a.jpg"]
    worse = matrix(defect(), card(**talk, review__required="fail"), fails_only=True)
    assert [m.line for m in worse.rows[0].undeclared] == ["review.required"] and worse.exit_code == 1


def test_a_line_that_no_rule_decides_awaits_a_judge() -> None:
    """It is listed as such wherever it could be played, and neither missed nor nowhere to be seen."""
    found = matrix(defect(), None, planned={"d": []}, applies={"d": []}, awaiting=frozenset({"facts.plate"}))
    assert [(r.verdict, r.found) for r in found.rows] == [("awaits_judge", None)]
    assert found.nowhere == [] and found.awaiting == [("d", "facts.plate")]


def test_what_can_show_nowhere_is_an_error() -> None:
    """Not applicable in every package of the corpus: exit code 1, and it is named."""
    found = matrix(defect(), None, planned={"d": []}, applies={"d": []})
    assert found.rows[0].verdict == "not_applicable" and found.nowhere == ["d"] and found.exit_code == 1


def test_what_was_not_played_is_neither_found_nor_missed() -> None:
    """No counting attempt, of the defect or of the well-behaved product: exit code 4, and it is named."""
    assert (matrix(defect(), None).unplayed, matrix(defect(), None).exit_code) == (["d in P1"], 4)
    silent = matrix(defect(), card(facts__plate="fail"), sound={})
    assert silent.unplayed == ["sound in P1", "d in P1"] and silent.exit_code == 4


def test_the_short_form_leaves_the_other_packages_unplayed_and_says_so() -> None:
    """They are rows of their own."""
    found = matrix(defect(), card(facts__plate="fail"), applies={"d": ["P1", "P2"]}, packages=["P1", "P2", "P3"])
    assert [(r.package, r.verdict) for r in found.rows] == [
        ("P1", "found"),
        ("P2", "not_played"),
        ("P3", "not_applicable"),
    ]
    assert found.exit_code == 0


def test_trials_of_the_well_behaved_product_must_agree() -> None:
    """A line that is one thing now and another then is named with trial and states."""
    trials = [card(), card(trial=2, facts__plate="not_checked"), card(trial=3)]
    found = matrix(defect(), card(facts__plate="fail"), sound={"P1": trials})
    assert found.sound == ["P1 trial 2: facts.plate is not_checked, in the first trial pass"] and found.exit_code == 1


# -- conditions -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus() -> dict[str, PackageData]:
    """The ten packages."""
    return {path.name: read_package(path) for path in sorted(PACKAGES.iterdir())}


@pytest.mark.parametrize(
    ("need", "where"),
    [
        ("fact:plate", {"CTL-M-001", "CTL-M-002", "CTL-M-003", "CTL-M-004", "CTL-M-005"}),
        ("fact:injuries=yes", {"CTL-M-003"}),
        ("fact:other_driver", {"CTL-M-002"}),
        ("optional:incident_time=unknown", {"CTL-H-001", "CTL-H-003", "CTL-M-004", "CTL-P-002"}),
        ("wish:contact", {"CTL-H-003", "CTL-M-003"}),
        ("session:anonymous_then_sign_in", {"CTL-H-003", "CTL-M-001", "CTL-M-004"}),
        ("check:quote_before_incident=hit", {"CTL-M-002"}),
        ("check:*=not_checked", {"CTL-H-001", "CTL-H-002", "CTL-M-003", "CTL-P-002"}),
        ("explained", {"CTL-M-002", "CTL-M-004"}),
        ("review_required:yes", {"CTL-M-002", "CTL-M-004"}),
        ("triage:urgent", {"CTL-H-002", "CTL-M-003"}),
    ],
)
def test_a_condition_holds_where_the_package_says_so(
    need: str, where: set[str], corpus: dict[str, PackageData]
) -> None:
    """And its negation in all the others."""
    assert {i for i, p in corpus.items() if holds(p, [need], "d")} == where
    assert {i for i, p in corpus.items() if holds(p, [f"!{need}"], "d")} == set(corpus) - where


def test_day_and_month_can_swap_up_to_the_twelfth(corpus: dict[str, PackageData]) -> None:
    """Not on the sixteenth, and not where both are the same number."""
    one = corpus["CTL-M-001"]
    days = {"2026-03-09": True, "2026-04-16": False, "2026-05-05": False, "2026-01-12": True, "unknown": False}
    for day, can in days.items():
        facts = [
            f.model_copy(update={"value": day}) if f.id == "incident_date" else f for f in one.labels.expected_facts
        ]
        changed = replace(one, labels=one.labels.model_copy(update={"expected_facts": facts}))
        assert holds(changed, ["day_and_month_can_swap"], "d") is can, day


def test_an_unknown_condition_is_bad_input(corpus: dict[str, PackageData]) -> None:
    """One line that names whose it is and what there is."""
    with pytest.raises(InputError, match=r"defect d: needs: there is no condition 'moon'; there are check, day_and"):
        holds(corpus["CTL-M-001"], ["fact:plate", "moon:full"], "defect d")


def test_all_conditions_must_hold(corpus: dict[str, PackageData]) -> None:
    """None of them is an alternative."""
    needs = ["fact:plate", "wish:contact"]
    assert [i for i, p in corpus.items() if holds(p, needs, "d")] == ["CTL-M-003"]


def test_the_shortest_journey_is_told_from_the_package(corpus: dict[str, PackageData]) -> None:
    """What the opening leaves to be told, files and signing in make it longer."""
    one = corpus["CTL-M-001"]
    signed = replace(one, setup=one.setup.model_copy(update={"claimant_session": "anonymous"}))
    assert effort(signed)[0] == effort(one)[0] - 2
    assert effort(corpus["CTL-M-002"]) < effort(one)
