"""A run of before a correction is scored by both revisions of the answers."""

import json
from pathlib import Path

import pytest
from builder import PACKAGE, Golden
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from harness.schema.package import INITIAL_MESSAGE, LABELS
from oracle_scoring.claims import score_run
from oracle_scoring.claims.revisions import moved, score_revisions


def corrected(root: Path, level: str = "complex", files: tuple[str, ...] = (LABELS,)) -> Path:
    """A run on revision 1, whose label said another triage level than revision 2 does."""
    golden = Golden()
    right = golden.labels["triage"]
    golden.labels["triage"] = {"level": level, "required_reasons": ["not_drivable"], "allowed_reasons": []}
    _, package = golden.write(root)
    score_run(root / "results" / "r1", root / "packages")
    for name in files:
        kept = root / "packages" / "revisions" / PACKAGE / "1" / name
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes((package / name).read_bytes())
    golden.labels["triage"] = right
    golden.labels["oracle_revision"] = 2
    golden.write_package(root)
    return root / "results" / "r1"


def test_a_run_is_scored_by_both_revisions(tmp_path: Path) -> None:
    """Under two keys; the old scores are byte for byte those of before, and what the correction moved is named."""
    run = corrected(tmp_path)
    (old,) = (run / "scores").glob("*/*/t01-a01.json")
    before = old.read_bytes()
    scores = score_revisions(run, tmp_path / "packages")
    assert [one.revisions for one in scores] == [{PACKAGE: 2}, {PACKAGE: 1}]
    assert len(list((run / "scores").iterdir())) == 2 and old.read_bytes() == before
    by_line = {line.line: (line.earlier, line.now) for line in moved(scores)}
    assert by_line["triage.level"] == ("fail", "pass") and all(name.startswith("triage.") for name in by_line)


def test_scoring_by_all_revisions_again_changes_nothing(tmp_path: Path) -> None:
    """The same keys, the same bytes."""
    run = corrected(tmp_path)
    score_revisions(run, tmp_path / "packages")
    before = {p: p.read_bytes() for p in (run / "scores").rglob("*.json")}
    score_revisions(run, tmp_path / "packages" / "claims")
    assert {p: p.read_bytes() for p in (run / "scores").rglob("*.json")} == before


def test_a_package_that_was_never_corrected_is_scored_once(tmp_path: Path) -> None:
    """As ever."""
    Golden().write(tmp_path)
    (one,) = score_revisions(tmp_path / "results" / "r1", tmp_path / "packages")
    assert one.revisions == {PACKAGE: 1} and one.problem is None and moved([one]) == []


def test_a_run_of_before_a_changed_opening_is_scored_by_its_own_revision(tmp_path: Path) -> None:
    """Today's package is not the one it was played with; the earlier one is put together and is."""
    run = corrected(tmp_path, files=(LABELS, INITIAL_MESSAGE))
    (tmp_path / "packages" / "claims" / PACKAGE / INITIAL_MESSAGE).write_text(
        "Hello, something else.\n", encoding="utf-8"
    )
    now, then = score_revisions(run, tmp_path / "packages")
    assert now.problem is not None and "changed after the run" in now.problem
    assert then.problem is None and then.cards[0].oracle_revision == 1


def test_what_no_revision_can_score_is_one_line(tmp_path: Path) -> None:
    """The reason is that of today's package."""
    run = corrected(tmp_path)
    (run / PACKAGE / "t01" / "a01" / "attempt.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"attempt\.json"):
        score_revisions(run, tmp_path / "packages")
    with pytest.raises(InputError, match="there is no such corpus folder"):
        score_revisions(run, tmp_path / "nowhere")


def test_the_verb_tells_what_a_correction_moved(tmp_path: Path) -> None:
    """In words and as JSON; the exit code is that of today's answers."""
    run = corrected(tmp_path)
    words = ["score", str(run), "--corpus", str(tmp_path / "packages")]
    said = CliRunner().invoke(app, words)
    assert "scored by 2 revisions" in said.stdout
    assert f"{PACKAGE}/t01/a01 triage.level: fail by revision 1, pass by revision 2" in said.stdout
    plain = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert [one["packages"] for one in plain["revisions"]] == [{PACKAGE: 2}, {PACKAGE: 1}]
    assert plain["failed_lines"] == 0
