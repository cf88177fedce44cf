"""The report of a run of many attempts: what it counts, what it leaves apart, and which attempts have pages of their own."""

import base64
import hashlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from record_builder import RunBuilder, line, motor_talk

from harness.errors import InputError
from harness.journal import counting_attempts, open_run, stored_scores
from harness.report import Limits, write_report
from harness.report.overview import filters_of, first_failed, overview_of
from harness.report.page import attempts_with_pages, page_name
from harness.report.rows import ListRow, list_row
from harness.report.run_charts import Spread, spread_chart
from harness.report.text import Marker
from harness.schema.human import LEVELS, Agreement, Answer, HumanVerdicts, Kappa, TriageGrading, Verdict
from harness.schema.product import StaffRead
from harness.schema.scorecard import Evidence, Measure, Scorecard, ScoreLine
from harness.schema.strict_json import canonical
from oracle_scoring.sheets.form import question_of

FAIL_LATE = line("facts.plate", "fail", evidence=[Evidence(file="events.jsonl", event=9)])
FAIL_EARLY = line("journey.slow_turn", "fail", evidence=[Evidence(file="events.jsonl", event=4)])
FAIL_AFTER = line("staff.uploads", "fail", evidence=[Evidence(file="staff.json", path="lists.files")])
TRIAGE = {"expected": "standard", "got": "complex", "evidence": [Evidence(file="staff.json")]}


NO_STAFF = StaffRead(schema="staff-read-v1", found=False, why_not="none", fields={}, lists={}, pages=[], pictures=[])


def run_of(
    root: Path, cards: Sequence[tuple[str, Sequence[ScoreLine]]], measures: Sequence[Measure] | None = None
) -> Path:
    """A run with an attempt for each (ending, lines), each of a package of its own."""
    builder = RunBuilder(root)
    for at, (reason, lines) in enumerate(cards):
        package = f"CTL-M-{at:03d}"
        builder.attempt(
            motor_talk(builder.folder(package), pictures=False), package=package, reason=reason, staff=NO_STAFF
        )
        void = reason in ("environment_error", "simulator_error")
        builder.score(lines, package=package, counting=not void, reason=reason, measures=measures)
    return builder.dir


def rows_of(run: Path) -> list[ListRow]:
    journal = open_run(run)
    scores, counting = stored_scores(run), counting_attempts(journal.attempts)
    return [list_row(at, folder, scores, counting) for at, folder in enumerate(journal.attempts, 1)]


def card(run: Path) -> Scorecard:
    found = rows_of(run)[0].card
    assert found is not None
    return found


MIXED = [
    ("completed", [FAIL_LATE, FAIL_EARLY, line("triage.level", "pass", expected="standard", got="standard")]),
    ("completed", [FAIL_LATE, line("triage.level", "fail", **TRIAGE)]),
    ("turn_limit", [line("facts.plate", "pass"), line("review.required", "fail", alarm="false_alarm")]),
    ("environment_error", [FAIL_LATE, FAIL_EARLY]),
    ("completed", [line("facts.plate", "not_checked"), line("review.required", "pass"), line("staff.uploads", "unimplemented")]),
    ("completed", [line("facts.plate", "needs_human"), line("triage.level", "not_checked")]),
]  # fmt: skip


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a bit of everything; nothing in it is changed but reports."""
    return run_of(tmp_path_factory.mktemp("mixed"), MIXED)


def test_failures_are_counted_by_kind(mixed: Path) -> None:
    """Each failed line has how often it failed, of how many decided, and how often it failed first; set-aside attempts are in none."""
    rows = rows_of(mixed)
    found = overview_of(rows, filters_of(rows), Marker())
    kinds = {k.id: (k.count, k.of, k.first, k.note) for k in found.lines}
    assert kinds == {
        "facts.plate": (2, 3, 1, ""),
        "journey.slow_turn": (1, 1, 1, ""),
        "review.required": (1, 2, 1, "1 false alarm"),
        "triage.level": (1, 2, 0, ""),
    }
    assert found.lines[0].id == "facts.plate"
    assert [r.name for r in found.lines[0].refs] == ["CTL-M-000/t01/a01", "CTL-M-001/t01/a01"]
    assert [(k.id, k.count, k.of) for k in found.endings] == [("turn limit", 1, 5)]
    assert [(k.id, k.count) for k in found.set_aside] == [("environment error", 1)]
    assert found.finished == 4


def test_what_is_not_known_is_apart(mixed: Path) -> None:
    """Lines that are not checked, need a person or are not built stand apart, by line; controls and triage have their own table."""
    rows = rows_of(mixed)
    found = overview_of(rows, filters_of(rows), Marker())
    unknown = {u.id: (u.not_checked, u.needs_human, u.unimplemented) for u in found.unknown}
    assert unknown == {"facts.plate": (1, 1, 0), "staff.uploads": (0, 0, 1), "triage.level": (1, 0, 0)}
    assert (found.controls.attempts, found.controls.false_alarms, found.controls.clear, found.controls.unknown) == (
        5,
        1,
        1,
        3,
    )
    assert found.confusion is not None
    assert (found.confusion.right, found.confusion.decided, found.confusion.outside) == (1, 2, 1)
    assert found.confusion.rows[1] == (0, 1, 1, 0, 0)


def test_first_is_by_evidence(tmp_path: Path) -> None:
    """What failed first is the line with the earliest event; what is seen only afterwards comes last."""
    assert (
        first_failed(card(run_of(tmp_path / "a", [("completed", [FAIL_AFTER, FAIL_LATE, FAIL_EARLY])])))
        == "journey.slow_turn"
    )
    assert first_failed(card(run_of(tmp_path / "b", [("completed", [FAIL_AFTER])]))) == "staff.uploads"
    assert first_failed(card(run_of(tmp_path / "c", [("completed", [line("facts.plate", "pass")])]))) is None


def test_every_kind_has_a_page(tmp_path: Path) -> None:
    """Where not all attempts get a page, some of each kind of failure and ending do before more of the commonest."""
    many = [("completed", [FAIL_LATE, FAIL_EARLY])] * 9 + [("turn_limit", [FAIL_AFTER]), ("environment_error", [])]
    rows = rows_of(run_of(tmp_path, many))
    chosen = attempts_with_pages(rows, 3)
    assert {r.ending for r in chosen} == {"completed", "turn_limit", "environment_error"}
    assert len(attempts_with_pages(rows, 100)) == 11


def test_pages_lie_beside_the_report_and_are_linked(mixed: Path, tmp_path: Path) -> None:
    """A run of more attempts than fit one page is a page without pictures, linked to pages of attempts and back."""
    report = write_report(mixed, tmp_path / "report.html", Limits(together=2, detail_attempts=2))
    html = report.read_text("utf-8")
    links = re.findall(r'href="(report/[^"]+)"', html)
    assert len(set(links)) == 2
    for link in links:
        page = (tmp_path / link).read_text("utf-8")
        assert 'href="../report.html"' in page
        assert "<script" not in page
        assert re.search(r'<body>\s*<p class="grade g-rehearsal">', page)
    assert "<img" not in html
    assert "4</b> of 6 attempts stand in the list only" in html
    assert re.search(r'<body>\s*<p class="grade g-rehearsal"><b>REHEARSAL</b>', html)


def test_only_the_lists_own_script_runs(mixed: Path) -> None:
    """The page of many allows one script, by its hash; a page of few allows none."""
    few = write_report(mixed, limits=Limits(detail_attempts=0)).read_text("utf-8")
    assert "script-src" not in few
    assert "<script" not in few
    html = write_report(mixed, limits=Limits(together=2, detail_attempts=0)).read_text("utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in html
    assert "innerHTML" not in script


def test_the_same_run_gives_the_same_bytes(mixed: Path, tmp_path: Path) -> None:
    """Drawings and tables of many attempts are the same each time; the pages' folder is called as the report is."""
    limits = Limits(together=2, detail_attempts=1)
    one = write_report(mixed, tmp_path / "one.html", limits).read_text("utf-8")
    assert write_report(mixed, tmp_path / "two.html", limits).read_text("utf-8") == one.replace("one/CTL", "two/CTL")
    assert len(list((tmp_path / "one").iterdir())) == 1


def test_a_report_without_an_ending_is_refused(mixed: Path, tmp_path: Path) -> None:
    """The pages' folder is the file's name without its ending, so there has to be one."""
    with pytest.raises(InputError, match="ending"):
        write_report(mixed, tmp_path / "report", Limits(together=2))


def test_names_of_pages_are_plain(mixed: Path) -> None:
    """A package's name cannot lead a page out of its folder, and two names never share a page."""
    rows = rows_of(mixed)
    names = set()
    for package in ("../../x", "a/b", "a_b", "a b", 'x"><img src=x>', "CTL-M-001"):
        folder = type(rows[0].folder)(**{**vars(rows[0].folder), "package": package})
        row = ListRow(**{**vars(rows[0]), "folder": folder})
        name = page_name(row)
        assert re.fullmatch(r"[A-Za-z0-9_-]+-t01-a01\.html", name)
        names.add(name)
    assert len(names) == 6


@pytest.mark.parametrize("values", [[0.0], [3.0, 3.0], [1.0, 500.0], [0.2, 0.4, 90.5], [float(n) for n in range(400)]])
def test_any_numbers_can_be_drawn(values: list[float]) -> None:
    """One value, equal values and wide ranges give a drawing of attributes only, with median and limit in words."""
    svg = spread_chart(Spread("m", "Title", "turns", 1.0, (9.5, "fewer than ten")), values)
    assert svg.startswith("<svg")
    assert "style=" not in svg
    assert "median" in svg


def test_charts_say_who_is_missing(tmp_path: Path) -> None:
    """Attempts without a number are counted beside the drawing."""
    some = [Measure(id="questions_asked", title="Questions", value=4.0, unit="questions")]
    run = run_of(tmp_path, MIXED[:2], some)
    path = next((run / "scores").rglob("t01-a01.json"))
    path.write_text(path.read_text("utf-8").replace('"value":4.0', '"value":null'), encoding="utf-8")
    rows = rows_of(run)
    (chart, *_) = overview_of(rows, filters_of(rows), Marker()).charts
    assert chart.note == "1 attempt; 1 without a value"


def test_what_people_said_is_shown(tmp_path: Path) -> None:
    """Levels that people gave stand with their agreement, and a line left to a person carries their verdict; a spoilt file is said."""
    run = run_of(
        tmp_path, [("completed", [line("assertions.kind", "needs_human"), FAIL_LATE]), ("completed", [FAIL_LATE])]
    )
    folder = rows_of(run)[0].folder
    asked = next(x for x in card(run).lines if x.state == "needs_human")
    answer = Answer(item="x-001", grader="安<b>", grade="fail", comment=None)
    verdict = Verdict(
        package=folder.package, trial=1, attempt=1, attempt_sha256=folder.attempt_sha256 or "", line=asked.id,
        question=question_of(asked), answers=[answer], state="fail", why="people: 1 said fail",
    )  # fmt: skip
    kappas = [Kappa(weights=w, value=0.5, low=None, high=None, note="few") for w in ("linear", "quadratic")]
    between = Agreement(
        one="grader 安<b>", other="product", pairs=1, packages=1, same=1, same_low=0.2, same_high=1.0, kappas=kappas,
        confusion=[[0] * 4] * 4,
    )  # fmt: skip
    grading = TriageGrading(
        schema="human-triage-v1", run="r1", scoring_version="1", levels=list(LEVELS), sheets=["x"], graders=["安<b>"], counting=2,
        graded=1, decided=1, product_as_staff=1, cannot_say=0, missing=0, rng_seed=1, resamples=10, attempts=[], agreements=[between],
    )  # fmt: skip
    human = run / "human"
    human.mkdir()
    (human / "verdicts.json").write_bytes(
        canonical(HumanVerdicts(schema="human-verdicts-v1", run="r1", missing=0, verdicts=[verdict]))
    )
    (human / "triage.json").write_bytes(canonical(grading))
    html = write_report(run).read_text("utf-8")
    assert "people: 1 said fail" in html
    assert "grader 安&lt;b&gt; – product" in html
    assert "in <b>1 of 1</b> attempts" in html
    assert "2 failed" in html
    for name in ("triage.json", "verdicts.json"):
        (human / name).write_text("{}", encoding="utf-8")
    spoilt = write_report(run).read_text("utf-8")
    assert "human/triage.json" in spoilt
    assert "human/verdicts.json" in spoilt
    assert "people: 1 said fail" not in spoilt
