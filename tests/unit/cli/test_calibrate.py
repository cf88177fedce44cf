"""`rig calibrate`: what is played, what is printed, and bad input."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from harness.cli import calibrate as verb
from harness.cli.app import app
from harness.cli.calibrate import SOUND, Calibrated, choose, jobs, plan, problems, product_adapter, read_corpus, show
from harness.devstack.claims.defects import DEFECTS
from harness.devstack.inquiry.defects import report
from harness.errors import InputError
from harness.schema.product import SwitchableDefect
from oracle_scoring.calibrate import Matrix, Moved, Row, holds

ROOT = Path(__file__).parents[3]
CORPUS = read_corpus(ROOT / "packages", [])
DECLARED = [
    SwitchableDefect(
        name=d.name, seen=d.seen, lines=list(d.lines), follows=dict(d.follows), needs=list(d.needs), waits_s=d.waits_s
    )
    for d in DEFECTS.values()
]
APPLIES = {d.name: [i for i, p in CORPUS.items() if holds(p, d.needs, d.name)] for d in DECLARED}


def test_every_defect_can_show_in_a_package_of_the_corpus() -> None:
    """By its declared conditions; and some cannot show everywhere."""
    assert [name for name, where in APPLIES.items() if not where] == []
    assert APPLIES["missed_quote"] == ["CTL-M-002"] and len(APPLIES["utc_day_shift"]) == 10


def test_the_short_form_plays_each_defect_once_and_the_full_form_wherever_it_can_show() -> None:
    """Short: in few packages, so that the well-behaved product has few to go through."""
    short = plan(DECLARED, APPLIES, CORPUS, full=False)
    assert {len(where) for where in short.values()} == {1}
    assert len({where[0] for where in short.values()}) <= 7
    assert plan(DECLARED, APPLIES, CORPUS, full=True) == APPLIES
    only = {i: p for i, p in CORPUS.items() if i == "CTL-M-001"}
    assert plan(DECLARED, APPLIES, only, full=False)["missed_quote"] == []


def test_the_well_behaved_product_goes_through_every_package_that_is_needed() -> None:
    """Once in the short form, three times in the full one; a defect is a run of its own."""
    adapter = product_adapter("claims")
    for full, trials in ((False, 1), (True, 3)):
        planned = plan(DECLARED, APPLIES, CORPUS, full)
        todo = {job.name: job for job in jobs(DECLARED, planned, adapter, full)}
        assert set(todo) == {SOUND, *DEFECTS}
        assert todo[SOUND].trials == trials and todo[SOUND].defects == ()
        assert set(todo[SOUND].packages) == {p for where in planned.values() for p in where}
        assert todo["fact_lost"].defects == ("fact_lost",) and todo["fact_lost"].packages == tuple(planned["fact_lost"])


def test_only_the_run_of_a_defect_that_waits_is_short_of_time_and_only_in_the_short_form() -> None:
    """A shorter wait against a stricter limit of the adapter, which stands in the run's adapter.json; it begins first."""
    adapter = product_adapter("claims")
    short = list(jobs(DECLARED, plan(DECLARED, APPLIES, CORPUS, False), adapter, False))
    strict = {job.name: job.adapter.limits for job in short if job.adapter.limits is not None}
    assert list(strict) == [short[0].name] == ["slow_turn"]
    limits = strict["slow_turn"]
    assert limits and float(limits.slow_reply_s or 0) < float(short[0].defects[0].partition(":")[2]) < 10
    full = {job.name: job for job in jobs(DECLARED, APPLIES, adapter, True)}
    assert full["slow_turn"].defects == ("slow_turn",) and full["slow_turn"].adapter.limits is None


def row(verdict: str, *undeclared: str, defect: str = "d", package: str = "P1") -> Row:
    """A row of a matrix."""
    found = {"found": True, "missed": False}.get(verdict)
    moved = [Moved(line=i, sound="pass", now="fail", declared=None) for i in undeclared]
    return Row.model_validate(
        {"defect": defect, "package": package, "expected_line": "facts.plate", "verdict": verdict, "found": found, "also_moved": moved, "why": "why"}
    )  # fmt: skip


def matrix(*rows: Row, **more: Any) -> Matrix:
    """A matrix of these rows."""
    return Matrix.model_validate({"rows": list(rows), "sound": [], "nowhere": [], "unplayed": [], **more})


def test_the_table_shows_what_was_played_and_everything_that_is_wrong() -> None:
    """A row for each journey; misses, false alarms and what was not looked at are lines of their own; the summary counts."""
    wrong = matrix(
        row("found"), row("missed", defect="e"), row("found", "staff.uploads", defect="f"), row("not_applicable", package="P2"),
        sound=["P1 trial 2: facts.place"], nowhere=["g"], unplayed=["h in P1"],
    )  # fmt: skip
    out = io.StringIO()
    show(wrong, Console(file=out, width=120))
    text = out.getvalue()
    assert text.count("facts.plate") == 4 and "staff.uploads (NOT DECLARED)" in text
    assert problems(wrong) == [
        "missed: e in P1: facts.plate: why",
        "false alarm: f in P1: staff.uploads is fail, without the fault pass",
        "the well-behaved product: P1 trial 2: facts.place",
        "cannot show in any package: g",
        "not played: h in P1",
        "3 defects, 2 packages: 2 found, 1 missed, 1 false alarms, 1 not applicable, 0 not played",
    ]


@pytest.mark.parametrize(
    ("found", "code"),
    [(matrix(row("found")), 0), (matrix(row("found", "x.y")), 1), (matrix(row("not_played"), unplayed=["d in P1"]), 4)],
)
def test_the_verb_prints_json_alone_and_ends_with_the_matrix_code(
    found: Matrix, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a scheduler reads."""
    monkeypatch.setattr(verb, "calibrate", lambda request: Calibrated(found, {"rows": [], "full": request.full}))
    got = CliRunner().invoke(app, ["calibrate", "--full", "--json"])
    assert got.exit_code == code and got.stdout == '{\n  "rows": [],\n  "full": true\n}\n'


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--package", "CTL-X-999"], "package CTL-X-999: is no claims package of"),
        (["--product", "toasters"], "toasters: no such adapter; there are"),
        (
            ["--product", "inquiry", "--package", "CTL-M-001"],
            "package CTL-M-001: is no inquiry package of packages; there",
        ),
        (["--workers", "0"], "--workers: must be from 1 to 64"),
        (["--corpus", "/no/such/folder"], "/no/such/folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(options: list[str], said: str) -> None:
    """Before anything is started."""
    got = CliRunner().invoke(app, ["calibrate", *options])
    assert got.exit_code == 2 and said in got.stderr and got.stderr.count("\n") == 1


def test_a_defect_that_the_product_does_not_have_is_bad_input() -> None:
    """Named, with those that there are."""
    assert [d.name for d in choose(DECLARED, ["fact_lost"])] == ["fact_lost"] and choose(DECLARED, []) == DECLARED
    with pytest.raises(InputError, match=r"--defect nosuch: the product has no such defect; there are agrees_with"):
        choose(DECLARED, ["nosuch"])


def test_a_fault_of_a_conversation_is_planted_where_the_product_says_that_it_shows() -> None:
    """Short: in one package each; full: in all of them. Conditions of claims are none of a buyer's package."""
    buyers = read_corpus(ROOT / "packages", [], "inquiry")
    declared = [SwitchableDefect.model_validate(one) for one in report()]
    applies = {d.name: [i for i, p in buyers.items() if holds(p, d.needs, d.name)] for d in declared}
    assert applies["catalogue_at_once"] == ["INQ-004"] and applies["picture_ignored"] == ["INQ-002", "INQ-003"]
    short = plan(declared, applies, buyers, full=False)
    assert {len(where) for where in short.values()} == {1} and short["picture_ignored"] == ["INQ-002"]
    assert holds(buyers["INQ-004"], ["applies:M-012", "event:quantity_given", "ends:after_closing"], "x")
    assert not holds(buyers["INQ-002"], ["applies:M-012"], "x") and holds(
        buyers["INQ-002"], ["!ends:after_closing"], "x"
    )
    with pytest.raises(InputError, match="x: needs: there is no condition 'triage'; there are applies, ends, event"):
        holds(buyers["INQ-002"], ["triage:urgent"], "x")


def test_what_only_a_judge_can_tell_is_listed_and_moves_no_exit_code() -> None:
    """A line apart; not among those that are missed, played or nowhere to be seen."""
    both = matrix(row("found"), row("awaits_judge", defect="stiff"), row("awaits_judge", defect="stiff", package="P2"))
    assert both.exit_code == 0 and both.awaiting == [("stiff", "facts.plate")]
    assert problems(both) == [
        "awaits a judge: stiff: facts.plate",
        "2 defects, 2 packages: 1 found, 0 missed, 0 false alarms, 0 not applicable, 0 not played, 1 defects await a judge",
    ]
    assert matrix(row("awaits_judge")).exit_code == 4


def test_a_product_without_faults_to_switch_on_is_bad_input(tmp_path: Path) -> None:
    """Its adapter names no route for them."""
    real = (ROOT / "harness/adapters/reference-claims.yaml").read_text(encoding="utf-8")
    (tmp_path / "a.yaml").write_text(re.sub(r"(?m)^defects: .*\n", "", real), encoding="utf-8")
    with pytest.raises(InputError, match=r"names no defects route"):
        product_adapter(str(tmp_path / "a.yaml"))
