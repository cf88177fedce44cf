"""A buyer's journey as a scorecard, and every reader of scorecards on it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.journal import counting_attempts, open_run, stored_scores
from harness.report.rows import list_row
from harness.schema.package import find_packages
from harness.schema.scorecard import Scorecard
from harness.schema.strict_json import canonical
from oracle_scoring.explain import explain
from oracle_scoring.fidelity.judge import Judged
from oracle_scoring.fidelity.models import Finding
from oracle_scoring.inquiry import card as card_module
from oracle_scoring.inquiry.card import score_buyers
from oracle_scoring.inquiry.metric import metrics
from oracle_scoring.reproduce import scored_lines
from scripts.inquiry_buyers import buyers, journey
from tests.support.buyers_runs import write_run
from tests.unit.inquiry.test_answers import CORPUS, NAME, call, run_with

FAULT = "picture_ignored"


def card_in(run: Path) -> Scorecard:
    """The one scorecard of a run of one journey."""
    (card,), _ = score_buyers(run, CORPUS)
    return card


def spoilt_by(judged: Judged) -> Judged:
    """The same journey with a customer who made the answer up."""
    slip = Finding(
        kind="hallucination", severity="hindered", delivered=True, event=1, turn=1, by="model", why="made it up", quote="x", about=[],
        made_good=[], flagged=False,
    )  # fmt: skip
    return replace(judged, findings=[slip], spoilt="a particular from nowhere")


def test_each_metric_and_each_answer_is_one_line(tmp_path: Path) -> None:
    """States are the verdicts', the answers of the package come behind them, and the totals are those of the lines."""
    run = run_with(tmp_path, FAULT)
    (card,), (result,) = score_buyers(run, CORPUS)
    states = {"PASS": "pass", "FAIL": "fail", "N/A": "not_applicable"}
    wanted = [(f"inquiry.{m.metric_id.lower()}", states.get(m.result, "not_checked")) for m in result.metrics]
    wanted += [(f"answers.{a.id}", a.state) for a in result.answers or ()]
    assert [(line.id, line.state) for line in card.lines] == wanted
    assert len([line for line in card.lines if line.group == "metrics"]) == len(metrics()) == 58
    assert card.totals["fail"] == sum(state == "fail" for _, state in wanted) > 1
    assert (card.package, card.rubric, card.scenario_class, card.counting) == (NAME, "inquiry", "inquiry", True)
    assert card.grade == "rehearsal" and card.grade_reasons
    sent = next(m for m in card.measures if m.id == "messages_sent")
    assert sent.value is not None and sent.value > 0


def test_a_failed_line_leads_to_the_places_that_the_explanation_names(tmp_path: Path) -> None:
    """In what the product holds, and the screen or message; the two verbs name the same lines and places."""
    run = run_with(tmp_path, FAULT)
    card = card_in(run)
    told = explain(run / NAME / "t01/a01", CORPUS)
    causes = {c.line: c for c in [*([told.first] if told.first else []), *told.following, *told.others]}
    failed = {line.id: line for line in card.lines if line.state == "fail"}
    assert set(failed) == set(causes)
    for name, line in failed.items():
        assert [e.model_dump() for e in line.evidence] == [p.model_dump() for p in causes[name].places]
    assert any(e.event is not None for line in failed.values() for e in line.evidence)


def test_scoring_twice_writes_the_same_bytes_and_says_that_nothing_moved(tmp_path: Path) -> None:
    """A card that is there is left alone; the second `rig score` is held against the first."""
    run = run_with(tmp_path)
    code, first, _ = call("score", str(run))
    (path,) = run.glob("scores/inquiry-*/*/t01-a01.json")
    before = path.read_bytes()
    assert code == 0 and "against" not in first and before == canonical(json.loads(before)) + b"\n"
    code, again, _ = call("score", str(run))
    assert code == 0 and f"against {path.parent.parent.name}: 0 lines differ" in again and path.read_bytes() == before
    code, plain, _ = call("score", str(run), "--against", path.parent.parent.name, "--json")
    told = json.loads(plain)
    assert code == 0 and told["against"] is None and told["against_conversations"]["differences"] == []


def test_other_scores_under_the_same_key_are_refused(tmp_path: Path) -> None:
    """A verdict that moved without a new version is no silent rewriting."""
    run = run_with(tmp_path)
    assert call("score", str(run))[0] == 0
    (path,) = run.glob("scores/inquiry-*/*/t01-a01.json")
    path.write_bytes(path.read_bytes().replace(b'"pass"', b'"fail"', 1))
    code, _, said = call("score", str(run))
    assert code == 2 and "holds other scores under the same key" in said


def test_lists_and_pages_show_the_journey_as_scored(tmp_path: Path) -> None:
    """The attempt's row is a failed one, and the static report names the line."""
    run = run_with(tmp_path, FAULT)
    card = card_in(run)
    journal = open_run(run)
    (folder,) = journal.attempts
    row = list_row(1, folder, stored_scores(run), counting_attempts(journal.attempts))
    assert row.tone == "fail" and list(row.failed) == [line.id for line in card.lines if line.state == "fail"]
    got = CliRunner().invoke(app, ["report", str(run), "-o", str(tmp_path / "page.html")])
    assert got.exit_code == 0, got.output
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "inquiry.m-101" in page and "not scored" not in page


def test_two_runs_of_buyers_are_compared_line_by_line(tmp_path: Path) -> None:
    """A line that passed and fails now is named, and the exit code says so; unscored runs can be scored on the way."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.mkdir()
    bad.mkdir()
    runs = [str(run_with(good)), str(run_with(bad, FAULT))]
    code, _, said = call("compare", *runs)
    assert code == 3 and "was not scored" in said
    code, shown, _ = call("compare", *runs, "--rescore", "--json")
    moves = {m["line"]: (m["before"], m["now"]) for p in json.loads(shown)["packages"] for m in p["moves"]}
    assert code == 1 and moves["inquiry.m-101"] == ("pass", "fail")
    assert moves["answers.event.picture_converts"] == ("pass", "fail")


def test_what_the_product_has_not_built_is_nobodys_failure(tmp_path: Path) -> None:
    """Card, `rig score`, `rig explain` and the exit code say the same of it."""
    run = run_with(tmp_path, FAULT)
    failed = {line.id: "not in this release" for line in card_in(run).lines if line.state == "fail"}
    for path in run.glob("scores/*/*/*.json"):
        path.unlink()
    adapter = json.loads((run / "adapter.json").read_bytes())
    adapter["capabilities"]["unimplemented"] = failed
    (run / "adapter.json").write_text(json.dumps(adapter), encoding="utf-8")
    code, shown, _ = call("score", str(run))
    assert code == 0 and shown.count("not held against the product") == len(failed) > 1
    assert f"{next(iter(failed))} unimplemented  the product has not built this: not in this release" in shown
    code, plain, _ = call("score", str(run), "--json")
    told = json.loads(plain)
    assert code == 0 and told["failed_lines"] == 0 and told["counting"] == len(told["cards"]) == 1
    code, why, _ = call("explain", str(run), "--json")
    assert code == 0 and json.loads(why)["first"] is None and json.loads(why)["doing"] == "nobody"


def test_a_failure_of_any_level_is_exit_code_1(tmp_path: Path) -> None:
    """Also one that leaves the manual's conclusion as it is: what the card calls failed has failed."""
    name = "INQ-010"
    talk = journey(buyers([find_packages(CORPUS, "inquiry")[name]])[name], ("one_block",))
    run = write_run(tmp_path / "run", name, talk)
    code, shown, _ = call("score", str(run), "--json")
    told = json.loads(shown)
    assert told["conversations"][0]["conclusion"] != "unqualified"
    assert code == 1 and told["failed_lines"] == 1


def test_a_journey_that_its_customer_spoilt_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines are set apart as those of claims are, with the customer's doing as the reason."""
    run = run_with(tmp_path, FAULT)
    honest = card_module.judge
    monkeypatch.setattr(card_module, "judge", lambda *given: spoilt_by(honest(*given)))
    card = card_in(run)
    assert {line.state for line in card.lines} <= {"not_checked"}
    assert all(
        "the simulated customer spoilt the journey" in line.why for line in card.lines if line.group == "answers"
    )


def test_as_far_as_a_stopped_replay_came_its_lines_are_known(tmp_path: Path) -> None:
    """An attempt that left its record ends `simulator_error` and counts for nothing; what failed before it did fail again."""
    run = run_with(tmp_path, FAULT)
    attempt = run / NAME / "t01/a01"
    failed = {line.id for line in scored_lines(attempt, CORPUS) if line.state == "fail"}
    path = attempt / "attempt.json"
    path.write_bytes(canonical({**json.loads(path.read_bytes()), "termination_reason": "simulator_error"}))
    assert {line.state for line in scored_lines(attempt, CORPUS)} == {"not_checked"}
    assert {line.id for line in scored_lines(attempt, CORPUS, void=False) if line.state == "fail"} == failed


def test_no_figures_are_published_of_conversations_and_it_is_said_why(tmp_path: Path) -> None:
    """One line that names what there is instead."""
    code, _, said = call("publish", str(run_with(tmp_path)), "--rehearsal")
    assert code == 4 and "1 packages are conversations" in said and "rig compare" in said


@pytest.mark.parametrize("reason", ["environment_error", "simulator_error", "aborted"])
def test_an_attempt_that_was_others_fault_says_nothing_of_the_product(tmp_path: Path, reason: str) -> None:
    """Its lines are not checked, whatever was seen up to there, and no result is counted."""
    run = run_with(tmp_path, FAULT)
    path = run / NAME / "t01/a01/attempt.json"
    path.write_bytes(canonical({**json.loads(path.read_bytes()), "termination_reason": reason, "why": "the test"}))
    (card,), results = score_buyers(run, CORPUS)
    assert not card.counting and results == []
    assert {line.state for line in card.lines} == {"not_checked"}
    assert {line.why for line in card.lines} == {
        f"the attempt ended {reason} (the test), which is not the product's doing"
    }
