"""Journeys of buyers held against their packages' answers, by the commands that show it."""

import json
import shutil
from pathlib import Path

from typer.testing import CliRunner

from harness.cli.app import app
from harness.schema.package import find_packages
from scripts.inquiry_buyers import buyers, journey
from tests.support.buyers_runs import write_run

CORPUS = Path(__file__).parents[3] / "packages"
NAME = "INQ-002"
FOLDER = find_packages(CORPUS, "inquiry")[NAME]


def run_with(tmp_path: Path, *defects: str) -> Path:
    """A run of one journey, played with these faults."""
    return write_run(tmp_path / "run", NAME, journey(buyers([FOLDER])[NAME], defects))


def call(*words: str) -> tuple[int, str, str]:
    """Exit code and both streams of a command."""
    got = CliRunner().invoke(app, [*words, "--corpus", str(CORPUS)])
    return got.exit_code, got.stdout, got.stderr


def test_all_answers_hold_for_a_product_without_fault(tmp_path: Path) -> None:
    """`rig grade inquiry --run` and `rig score` say so, and both end with 0."""
    run = run_with(tmp_path)
    code, shown, _ = call("grade", "inquiry", "--run", str(run))
    assert code == 0 and "answers: 6 of 6 hold" in shown
    code, shown, _ = call("score", str(run))
    assert code == 0 and "answers: 6 of 6 hold" in shown and "1 of 1 planned trials" in shown
    code, shown, _ = call("explain", str(run))
    assert code == 0 and "whose doing: nobody" in shown


def test_an_answer_that_does_not_hold_is_named_by_each_command(tmp_path: Path) -> None:
    """The picture converts nothing: the event's decision and the ending are wrong; exit code 1, and the moment is shown."""
    run = run_with(tmp_path, "picture_ignored")
    code, shown, _ = call("grade", "inquiry", "--run", str(run))
    assert code == 1 and "event.picture_converts FAIL  shouldAutoConvert is False, right is True" in shown
    code, shown, _ = call("score", str(run), "--json")
    (graded,) = json.loads(shown)["conversations"]
    failing = {a["id"]: a["where"] for a in graded["answers"] if a["state"] == "fail"}
    assert code == 1 and {"event.picture_converts", "ends"} <= set(failing)
    code, shown, _ = call("explain", str(run), "--json")
    found = json.loads(shown)
    assert code == 0 and found["doing"] == "product" and found["first"]["line"] == "inquiry.m-101"
    follows = {cause["line"]: cause["follows"] for cause in found["following"]}
    assert "inquiry.m-101" in follows["answers.event.picture_converts"]
    place = next(p for p in found["first"]["places"] if p["file"] == "state.json")
    assert place["path"].startswith("read.cases.0.turns.")


def test_a_package_that_is_not_in_the_corpus_is_counted_and_nothing_is_held_against_it(tmp_path: Path) -> None:
    """The verdicts stand; that no answers were at hand is said, and the result has no answers."""
    run, empty = run_with(tmp_path), tmp_path / "corpus"
    empty.mkdir()
    got = CliRunner().invoke(app, ["grade", "inquiry", "--run", str(run), "--corpus", str(empty), "--json"])
    assert got.exit_code == 0 and "1 not held against answers" in got.stderr
    assert "answers" not in json.loads(got.stdout)


def test_a_package_whose_first_messages_were_changed_since_is_refused(tmp_path: Path) -> None:
    """The answers of another conversation say nothing."""
    run, corpus = run_with(tmp_path), tmp_path / "corpus"
    shutil.copytree(FOLDER, corpus / "inquiry" / NAME)
    opening = corpus / "inquiry" / NAME / "input/opening.json"
    opening.write_text(opening.read_text("utf-8").replace("Can you make this one?", "Can you make that one?"), "utf-8")
    got = CliRunner().invoke(app, ["grade", "inquiry", "--run", str(run), "--corpus", str(corpus)])
    assert got.exit_code == 2 and "INQ-002/input: the first messages are not those" in got.stderr
