"""The plan of the corpus: progress of a draft, a refusal on freezing; checks over many packages."""

import cProfile
import json
import pstats
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.schema.package import find_packages
from oracle_scoring.corpus.check import check_corpus, check_folders, check_paths, corpus_report
from oracle_scoring.corpus.check_show import as_json, as_lines, exit_code
from oracle_scoring.corpus.manifest import write_manifest
from oracle_scoring.corpus.plan import PLAN, Plan, progress, read_plan
from oracle_scoring.corpus.synthetic import make_package
from scripts.corpus_bench import COPIES_SHARE, make_copies

ROOT = Path(__file__).parents[3] / "packages"


def corpus(root: Path, number: int) -> Path:
    """A corpus of so many synthetic packages."""
    for n in range(1, number + 1):
        make_package(root / "claims" / f"SYN-P-{n:03d}")
    write_manifest(root, "t", "t")
    return root


def test_the_plan_is_the_one_of_the_design() -> None:
    """A hundred packages, seventeen reviews, thirteen innocent controls; the file says the same."""
    assert PLAN.groups == {"motor": 50, "home": 30, "property": 20} and sum(PLAN.groups.values()) == 100
    assert (PLAN.review_required, PLAN.innocent_controls) == (17, 13)
    assert read_plan(ROOT) == PLAN


def test_a_draft_reports_progress_and_is_not_refused_for_it(tmp_path: Path) -> None:
    """Counts stand in the report; findings they are only when freezing."""
    report = corpus_report(corpus(tmp_path, 3))
    assert report.findings == []
    assert {c.what: (c.have, c.plan) for c in report.progress}["property packages"] == (3, 20)
    assert "property packages 3 of 20" in "\n".join(as_lines(report))
    assert {f.code for f in check_corpus(tmp_path, freezing=True)} == {"quota"}
    small = Plan(groups={"property": 3}, review_required=3, innocent_controls=0, every_class=False)
    assert check_corpus(tmp_path, freezing=True, plan=small) == []


def test_a_corpus_may_have_a_plan_of_its_own(tmp_path: Path) -> None:
    """`plan.json` beside the manifest; a wrong one is a finding and no crash."""
    corpus(tmp_path, 1)
    plan = {"groups": {"property": 1}, "review_required": 1, "innocent_controls": 0, "every_class": False}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    assert [f.code for f in check_corpus(tmp_path, freezing=True) if f.code == "quota"] == []
    (tmp_path / "plan.json").write_text('{"review_required": -1}')
    with pytest.raises(InputError, match="review_required"):
        read_plan(tmp_path)
    assert "format" in {f.code for f in check_corpus(tmp_path, freezing=True)}


def test_too_many_is_off_as_well(tmp_path: Path) -> None:
    """The plan is no least number, save for classes."""
    report = corpus_report(corpus(tmp_path, 2))
    counts = progress([], Plan(groups={"property": 0}, review_required=0, innocent_controls=0, every_class=False))
    assert all(c.done for c in counts)
    one = Plan(groups={"property": 1}, review_required=2, innocent_controls=0, every_class=False)
    off = [c.what for c in corpus_report(tmp_path, plan=one).progress if not c.done]
    assert off == ["property packages"] and report.packages == ["SYN-P-001", "SYN-P-002"]


def test_processes_find_what_one_process_finds(tmp_path: Path) -> None:
    """The same findings in the same order."""
    corpus(tmp_path, 5)
    (tmp_path / "claims/SYN-P-002/setup.json").write_text("{}")
    (tmp_path / "claims/SYN-P-004/input/initial_message.txt").write_text("Yesterday.\n")
    folders = list(find_packages(tmp_path).values())
    alone, shared = check_folders(folders, 1), check_folders(folders, 2)
    assert [f for found, _ in alone for f in found] == [f for found, _ in shared for f in found]
    assert [s is None for _, s in shared] == [False, True, False, False, False]


def test_all_mistakes_of_form_are_told_at_once(tmp_path: Path) -> None:
    """In each file each, not only the first."""
    folder = make_package(
        tmp_path / "SYN-P-001",
        {
            "labels.review_required": "no",
            "labels.triage.level": "high",
            "setup.now": "soon",
            "facts.persona.patience": 9,
        },
    )
    found = check_paths([folder]).findings
    assert {(f.file.partition("/")[2], f.field) for f in found} == {
        ("oracle/labels.json", "review_required"),
        ("oracle/labels.json", "triage.level"),
        ("setup.json", "now"),
        ("input/facts.json", "persona.patience"),
    }


def test_packages_and_corpora_may_be_given(tmp_path: Path) -> None:
    """What is neither is told; the report is plain data."""
    corpus(tmp_path / "c", 1)
    single = make_package(tmp_path / "SYN-P-009", {"labels.review_required": False})
    report = check_paths([tmp_path / "c", single])
    assert report.packages == ["SYN-P-001", "SYN-P-009"] and exit_code(report) == 2
    plain = json.loads(json.dumps(as_json(report)))
    assert [f["code"] for f in plain["findings"]] == ["review_required_differs"]
    assert set(plain["findings"][0]) == {"code", "file", "field", "what", "mend"}
    with pytest.raises(InputError, match="neither a corpus nor a package"):
        check_paths([tmp_path / "nowhere"])


def test_the_work_grows_in_line_with_the_number_of_packages(tmp_path: Path) -> None:
    """Twice the copies, twice the steps (calls counted, so that no clock decides); files of the same bytes are read once."""
    calls = []
    for copies in (6, 12):
        root = tmp_path / str(copies)
        make_copies([find_packages(ROOT)["CTL-M-001"]], root, copies)
        corpus_report(root, jobs=1)  # everything that is read once is read now
        profile = cProfile.Profile()
        report = profile.runcall(corpus_report, root, jobs=1)
        assert {f.code for f in report.findings} <= COPIES_SHARE
        calls.append(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
    assert 1.8 < calls[1] / calls[0] < 2.1
