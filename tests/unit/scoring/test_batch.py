"""Scoring a run: files, keys, summary."""

import json
import shutil
from pathlib import Path

import pytest
from builder import PACKAGE, Golden, manifest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from harness.schema.scorecard import Scorecard
from oracle_scoring.claims import SCORING_VERSION, score_key, score_run


def run_of(root: Path, *reasons: str) -> Path:
    """A run with attempts that ended so."""
    for number, reason in enumerate(reasons, 1):
        golden = Golden()
        golden.number, golden.reason = number, reason
        golden.write(root)
    return root / "results" / "r1"


def tree(folder: Path) -> dict[str, bytes]:
    """Files below a folder with their bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_scores_lie_under_their_key(tmp_path: Path) -> None:
    """One file per attempt under rubric, version and oracle, readable as a scorecard, and a summary beside them."""
    run = run_of(tmp_path, "completed")
    (card,) = score_run(run, tmp_path / "packages")
    key = f"claims-{SCORING_VERSION}-{card.oracle_sha256[:8]}"
    assert set(tree(run / "scores")) == {f"{key}/{PACKAGE}/t01-a01.json", f"{key}/summary.json"}
    data = (run / "scores" / key / PACKAGE / "t01-a01.json").read_bytes()
    assert Scorecard.model_validate_json(data) == card


def test_a_persons_copies_are_not_scored(tmp_path: Path) -> None:
    """Beside attempts and trials there may be folders of other names; they get no scorecard."""
    run = run_of(tmp_path, "completed")
    trial = run / PACKAGE / "t01"
    for copy in ("a01-copy", "a001"):
        shutil.copytree(trial / "a01", trial / copy)
    for copy in ("t01-copy", "t001", "t²"):
        shutil.copytree(trial, run / PACKAGE / copy)
    (card,) = score_run(run, tmp_path / "packages")
    assert (card.trial, card.attempt) == (1, 1)


def test_scoring_again_changes_no_byte(tmp_path: Path) -> None:
    """The same key gives the same bytes, and files that are right are not written again."""
    run = run_of(tmp_path, "rig_error", "completed")
    score_run(run, tmp_path / "packages")
    before = tree(run / "scores")
    times = {p: p.stat().st_mtime_ns for p in (run / "scores").rglob("*")}
    score_run(run, tmp_path / "packages")
    assert tree(run / "scores") == before
    assert {p: p.stat().st_mtime_ns for p in (run / "scores").rglob("*")} == times


@pytest.mark.parametrize(
    ("reasons", "spoilt", "code"),
    [
        (["completed"], False, 0),
        (["completed"], True, 1),
        (["environment_error", "completed"], True, 1),
        (["environment_error"], True, 4),
        (["rig_error", "simulator_error"], False, 4),
    ],
    ids=["passed", "failed", "failed-second", "nothing-counts", "all-errored"],
)
def test_the_exit_code_says_whether_the_product_failed(
    reasons: list[str], spoilt: bool, code: int, tmp_path: Path
) -> None:
    """`rig score`: 0 where no line of a counting attempt failed, 1 where one did, 4 where no attempt counts, whatever it shows."""
    for number, reason in enumerate(reasons, 1):
        golden = Golden()
        golden.number, golden.reason = number, reason
        if spoilt:
            golden.shown_level("urgent")
        golden.write(tmp_path)
    args = ["score", str(tmp_path / "results" / "r1"), "--corpus", str(tmp_path / "packages"), "--json"]
    done = CliRunner().invoke(app, args)
    assert done.exit_code == code, done.output
    assert (json.loads(done.stdout)["failed_lines"] > 0) == (code == 1)


def test_packages_may_lie_directly_in_the_root(tmp_path: Path) -> None:
    """The folder of claims packages will do as well as the corpus above it."""
    run = run_of(tmp_path, "completed")
    assert score_run(run, tmp_path / "packages" / "claims") == score_run(run, tmp_path / "packages")


def test_another_result_under_the_same_key_is_an_error(tmp_path: Path) -> None:
    """A scorecard is never overwritten."""
    run = run_of(tmp_path, "completed")
    score_run(run, tmp_path / "packages")
    (path,) = (run / "scores").glob("*/*/t01-a01.json")
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(InputError, match="same key"):
        score_run(run, tmp_path / "packages")


def test_a_corrected_oracle_is_another_key(tmp_path: Path) -> None:
    """Old and new scores stay beside each other."""
    run = run_of(tmp_path, "completed")
    score_run(run, tmp_path / "packages")
    golden = Golden()
    golden.labels["oracle_revision"] = 2
    golden.write_package(tmp_path)
    score_run(run, tmp_path / "packages")
    assert len(list((run / "scores").iterdir())) == 2


def test_only_counting_attempts_are_in_the_counts(tmp_path: Path) -> None:
    """Spoilt attempts, attempts after the counting one and unfinished ones are listed, and are in no rate."""
    run = run_of(tmp_path, "simulator_error", "completed", "completed")
    (run / PACKAGE / "t01" / "a04").mkdir()
    cards = score_run(run, tmp_path / "packages")
    summary = json.loads(next((run / "scores").glob("*/summary.json")).read_bytes())
    assert [c.counting for c in cards] == [False, True, False]
    assert summary["counted"] == 1
    assert [a["name"] for a in summary["not_counting"]] == [f"{PACKAGE}/t01/a01", f"{PACKAGE}/t01/a03"]
    assert summary["unfinished"] == [f"{PACKAGE}/t01/a04"]
    assert summary["lines"]["triage.level"]["rate"] == {"passed": 1, "of": 1}
    assert summary["lines"]["assertions.kind_words"]["rate"] == {"passed": 0, "of": 0}
    assert summary["lines"]["assertions.kind_words"]["states"]["needs_human"] == 1


def test_alarms_misses_and_controls_are_counted_apart(tmp_path: Path) -> None:
    """False alarms and misses each have a count, innocent controls another, unchecked checks their own."""
    golden = Golden()
    golden.shown_check("quote_before_incident", "hit")
    golden.shown_check("loss_within_30_days_of_inception", "clear")
    golden.shown_check("prior_claims_within_year", "not_checked")
    golden.shown_required(True)
    golden.write(tmp_path)
    run = tmp_path / "results" / "r1"
    score_run(run, tmp_path / "packages")
    review = json.loads(next((run / "scores").glob("*/summary.json")).read_bytes())["review"]
    assert (review["false_alarms"], review["misses"]) == (1, 1)
    assert (review["required_false_alarms"], review["required_misses"]) == (1, 0)
    assert (review["innocent_controls"]["n"], review["innocent_controls"]["false_alarms"]) == (1, 1)
    assert review["product_not_checked"] == 1


def test_the_summary_grows_with_the_run(tmp_path: Path) -> None:
    """New attempts are added to the summary; a summary changed by hand is an error."""
    run = run_of(tmp_path, "rig_error")
    score_run(run, tmp_path / "packages")
    golden = Golden()
    golden.number = 2
    golden.write(tmp_path)
    score_run(run, tmp_path / "packages")
    (path,) = (run / "scores").glob("*/summary.json")
    assert len(json.loads(path.read_bytes())["attempts"]) == 2
    path.write_bytes(path.read_bytes().replace(b'"counted":1', b'"counted":9'))
    with pytest.raises(InputError, match="same key"):
        score_run(run, tmp_path / "packages")


def test_a_package_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """The run's packages have to be in the corpus."""
    run = run_of(tmp_path, "completed")
    (run / "run.json").write_text(json.dumps(manifest(packages={"TST-M-999": "0" * 64})), encoding="utf-8")
    with pytest.raises(InputError, match="TST-M-999: the run's package is not in this corpus"):
        score_run(run, tmp_path / "packages")


def test_a_run_without_attempts_scores_nothing(tmp_path: Path) -> None:
    """No attempt, no scorecard, and a summary that says so."""
    run = run_of(tmp_path, "completed")
    (run / PACKAGE).rename(tmp_path / "elsewhere")
    assert score_run(run, tmp_path / "packages") == []
    assert json.loads(next((run / "scores").glob("*/summary.json")).read_bytes())["counted"] == 0


def test_the_key_stands_for_all_oracles() -> None:
    """For one package it is its oracle's hash, for several it changes with any of them."""
    one, two = {"A": "a" * 64}, {"A": "a" * 64, "B": "b" * 64}
    assert score_key(one).endswith("-aaaaaaaa")
    assert len({score_key(one), score_key(two), score_key({**two, "B": "c" * 64})}) == 3


def test_a_run_of_buyers_without_a_journey_says_so(tmp_path: Path) -> None:
    """One line that names the packages; nothing was scored: exit code 4."""
    run = run_of(tmp_path, "completed")
    buyer = tmp_path / "packages" / "inquiry" / "INQ-001"
    buyer.mkdir(parents=True)
    settings = json.loads((run / "run.json").read_bytes())
    settings["settings"]["packages"] = {"INQ-001": "a" * 64}
    (run / "run.json").write_text(json.dumps(settings), encoding="utf-8")
    got = CliRunner().invoke(app, ["score", str(run), "--corpus", str(tmp_path / "packages")])
    said = f"rig: run {run}: 1 packages of conversations hold no journey to score (INQ-001)\n"
    assert (got.exit_code, got.stderr) == (4, said)
    as_json = CliRunner().invoke(app, ["score", str(run), "--corpus", str(tmp_path / "packages"), "--json"])
    assert json.loads(as_json.stdout)["left_out"] == ["INQ-001"]
