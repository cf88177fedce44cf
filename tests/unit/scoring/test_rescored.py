"""A run that is scored again is held against its earlier scoring."""

import json
from pathlib import Path

import pytest
from builder import Golden
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from oracle_scoring.claims.batch import score_run
from oracle_scoring.claims.rescored import SCORES, against_earlier, earlier_key


def scored(tmp_path: Path) -> tuple[Path, Path]:
    """(run, corpus) of a golden record that was scored."""
    attempt, package = Golden().write(tmp_path)
    run, corpus = attempt.parents[2], package.parent.parent
    score_run(run, corpus)
    return run, corpus


def older(run: Path, version: str) -> str:
    """An earlier scoring that failed the plate, had one line more and one line less."""
    (key,) = [p for p in (run / SCORES).iterdir()]
    name = f"claims-{version}-{key.name[-8:]}"
    for path in key.rglob("t01-a01.json"):
        card = json.loads(path.read_bytes())
        plate = next(line for line in card["lines"] if line["id"] == "facts.plate")
        plate |= {"state": "fail", "got": "XX00 XXX"}
        card["lines"] = [{**plate, "id": "facts.shoe_size"}, *(x for x in card["lines"] if x["id"] != "triage.level")]
        target = run / SCORES / name / path.parent.name / path.name
        target.parent.mkdir(parents=True)
        target.write_text(json.dumps({**card, "scoring_version": version}), encoding="utf-8")
    return name


def test_every_line_that_is_decided_otherwise_is_listed(tmp_path: Path) -> None:
    """Old and new state and value beside each other; lines that came and lines that went among them; the rest is counted."""
    run, corpus = scored(tmp_path)
    key = older(run, "0.1")
    cards = score_run(run, corpus)
    found = against_earlier(run, key, cards)
    assert found is not None and found.compared == 1
    rows = {d.line: (d.before, d.now) for d in found.differences}
    assert rows == {"facts.plate": ("fail", "pass"), "facts.shoe_size": ("fail", None), "triage.level": (None, "pass")}
    assert found.alike == len(cards[0].lines) - 2
    assert next(d for d in found.differences if d.line == "facts.plate").got_before == "XX00 XXX"


def test_the_newest_earlier_scoring_is_meant_unless_one_is_named(tmp_path: Path) -> None:
    """By version as numbers, not as letters; a name that is not there is bad input; nothing to compare with is None."""
    run, _ = scored(tmp_path)
    now = earlier_key(run, None)
    nine = older(run, "0.9")
    assert now is not None and earlier_key(run, None) == now
    for path in sorted((run / SCORES / now).rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    (run / SCORES / now).rmdir()
    (run / SCORES / "claims-0.10-00000000").mkdir()
    assert earlier_key(run, None) == "claims-0.10-00000000" and earlier_key(run, f"scores/{nine}") == nine
    with pytest.raises(InputError, match="no such scoring"):
        earlier_key(run, "claims-7-00000000")
    assert earlier_key(tmp_path / "none", None) is None and against_earlier(run, None, []) is None


def test_the_command_prints_both_side_by_side(tmp_path: Path) -> None:
    """As lines, and as JSON."""
    run, corpus = scored(tmp_path)
    key = older(run, "0.1")
    asked = ["score", str(run), "--corpus", str(corpus), "--against", key]
    said = CliRunner().invoke(app, asked)
    assert f"against {key}: 3 lines differ" in said.stdout and "facts.plate: fail before, pass now" in said.stdout
    data = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert data["against"]["key"] == key and len(data["against"]["differences"]) == 3
    data = json.loads(CliRunner().invoke(app, [*asked[:-2], "--json"]).stdout)
    assert data["against"]["key"] != key and data["against"]["differences"] == []
