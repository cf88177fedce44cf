"""What may be quoted, and what must stand beside it."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builder import Golden
from official import PRICED, Official, false_alarm, ids, wrong_plate
from typer.testing import CliRunner, Result

from harness.cli.app import app
from harness.errors import EnvironmentFault, InputError, Refused
from harness.schema.package import read_manifest
from harness.schema.strict_json import sha256_hex
from oracle_scoring.corpus.manifest import corpus_files, manifest_bytes
from oracle_scoring.kleene import STATES
from oracle_scoring.publish.criteria import ACCEPTANCE
from oracle_scoring.publish.eligible import run_reasons
from oracle_scoring.publish.models import Publication, Share
from oracle_scoring.publish.publication import publish
from oracle_scoring.publish.show import format_publication


@pytest.fixture
def official(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Official:
    """An empty folder for an official run."""
    return Official(tmp_path, monkeypatch)


def one_run(official: Official, packages: int = 1) -> Official:
    """An official run in which everything is right."""
    for package in ids(packages):
        official.play(package)
    official.seal()
    return official


def rig(official: Official, *args: str) -> Result:
    where = ("--results", str(official.root / "results"), "--corpus", str(official.corpus))
    return CliRunner().invoke(app, ["publish", "r1", *where, *args])


def figure(table: Publication, name: str) -> Share:
    return next(s for s in (*table.acceptance, *table.further) if s.id == name)


def test_an_official_run_is_published(official: Official) -> None:
    """Real models, configured stores, a frozen corpus, a clean tree, a record that verifies: the first line says OFFICIAL."""
    one_run(official, 2)
    table = publish([official.run], official.corpus)
    assert table.published and table.reasons == [] and table.runs[0].grade == "official"
    assert (table.packages, table.packages_in_corpus, table.journeys) == (2, 2, 2)
    assert format_publication(table).splitlines()[0] == "OFFICIAL: figures of run r1"
    done = rig(official, "--json")
    assert json.loads(done.stdout)["published"] is True
    assert done.exit_code == (1 if any(s.met == "not met" for s in table.acceptance) else 0), done.output


CONDITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "a rehearsal": ({"settings": {"rehearsal": True}}, "started with --rehearsal"),
    "no model as customer": ({"settings": {"customer": "rule"}}, "the customer is rule"),
    "an embedded customer": ({"settings": {"customer_endpoint": "embedded"}}, "customer's model is the embedded one"),
    "a controlled product": ({"runtime": {"runtime": "controlled"}}, "runtime is controlled"),
    "an embedded product": ({"product_model_embedded": True}, "product's model is the embedded one"),
    "embedded stores": ({"stores_configured": False}, "MongoDB or S3 is embedded"),
    "switched-on defects": ({"settings": {"defects": ["repeated_question"]}}, "switched-on defects"),
    "a draft": ({"corpus_frozen": False}, "corpus v1 is not frozen"),
    "a dirty tree": ({"git_clean": False}, "work tree is not clean"),
    "no tree": ({"git_clean": None}, "no work tree"),
    "another version": ({"corpus_version": "v2"}, "keeps no frozen version v2"),
    "other packages": ({"settings": {"packages": {"TST-M-001": "0" * 64}}}, "is not the package that was frozen as v1"),
}  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Official]:
    """A run in which everything is right, for tests that only write another run.json."""
    with pytest.MonkeyPatch.context() as patch:
        official = Official(tmp_path_factory.mktemp("played"), patch)
        official.play("TST-M-001")
        yield official


@pytest.mark.parametrize("name", CONDITIONS)
def test_each_condition_that_is_not_met_is_a_reason(name: str, played: Official) -> None:
    """Whatever makes a run a rehearsal is named; with nothing broken no reason is left."""
    changes, reason = CONDITIONS[name]
    assert run_reasons(played.run, played.seal(), [], played.corpus) == []
    reasons = run_reasons(played.run, played.seal(**changes), [], played.corpus)
    assert any(reason in found for found in reasons), reasons


def test_a_rehearsals_table_says_so_in_its_first_line(official: Official) -> None:
    """Without --rehearsal one line and exit 3; with it the same table, never as published."""
    official.play("TST-M-001")
    official.seal(settings={"rehearsal": True}, git_clean=False)
    refused = rig(official)
    assert refused.exit_code == 3 and refused.stdout == ""
    (line,) = refused.stderr.splitlines()
    assert "not official" in line and "started with --rehearsal" in line and "not clean" in line
    first = rig(official, "--rehearsal").stdout.splitlines()[0]
    assert first.startswith("REHEARSAL, no figures to be quoted of run r1: ") and "started with --rehearsal" in first
    table = json.loads(rig(official, "--rehearsal", "--json").stdout)
    assert table["published"] is False and table["runs"][0]["grade"] == "rehearsal"


def _spoil_event(official: Official, attempt: Path) -> None:
    path = attempt / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b"JX24", b"JX25"))


def _take_away(official: Official, attempt: Path) -> None:
    shutil.rmtree(attempt)


def _take_line_and_folder_away(official: Official, attempt: Path) -> None:
    ledger = official.run / "ledger.jsonl"
    rows = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(rows[1:]))
    _take_away(official, attempt)


def _change_package(official: Official, attempt: Path) -> None:
    path = official.corpus / "claims" / "TST-M-001" / "provenance.json"
    path.write_bytes(b'{"changed": true}')


def _change_manifest(official: Official, attempt: Path) -> None:
    _change_package(official, attempt)
    manifest = read_manifest(official.corpus)
    new = manifest.model_copy(update={"files": corpus_files(official.corpus)})
    (official.corpus / "manifest.json").write_bytes(manifest_bytes(new))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_spoil_event, "the record does not verify"),
        (_take_away, "stands in the ledger and its record is gone"),
        (_take_line_and_folder_away, "has no attempt 1"),
        (_change_package, "is not as it was frozen"),
        (_change_manifest, "is not the manifest that was frozen"),
    ],
)
def test_a_record_or_corpus_that_was_changed_refuses(
    spoil: Callable[[Official, Path], None], reason: str, official: Official
) -> None:
    """An attempt altered or taken away, a package changed after freezing: no figure is published."""
    first = official.play("TST-M-001", reason="environment_error")
    official.play("TST-M-001", attempt=2)
    official.seal()
    publish([official.run], official.corpus)
    shutil.rmtree(official.run / "scores")
    spoil(official, first)
    with pytest.raises(Refused, match=reason):
        publish([official.run], official.corpus)


def test_what_verifying_finds_refuses(official: Official) -> None:
    """Whatever else looks at the record, a prompt that the record does not give for instance, is a reason too."""
    one_run(official)
    with pytest.raises(Refused, match="a prompt is not what the record gives"):
        publish([official.run], official.corpus, unverified={"r1": ["a prompt is not what the record gives"]})


def test_figures_have_numerator_denominator_outside_and_interval(official: Official) -> None:
    """Six right, one with a wrong plate, one whose state could not be read: 6 of 7, one outside, Wilson's interval."""
    for number, package in enumerate(ids(8)):
        spoil: Callable[[Golden], None] | None = {6: wrong_plate, 7: _no_state}.get(number)
        official.play(package, spoil=spoil)
    official.seal()
    table = publish([official.run], official.corpus)
    facts = figure(table, "facts_right")
    assert (facts.numerator, facts.denominator, facts.outside.not_checked) == (6, 7, 1)
    assert facts.interval is not None and facts.interval.method == "wilson"
    assert (round(facts.interval.low, 3), round(facts.interval.high, 3)) == (0.487, 0.974)
    assert (facts.if_unknown_failed, facts.if_unknown_passed) == (0.75, 0.875)
    assert facts.failed == ["r1/TST-M-007/t01/a01"] and facts.unknown == ["r1/TST-M-008/t01/a01"]
    contact = figure(table, "no_further_contact")
    assert contact.denominator <= 7 and "r1/TST-M-007/t01/a01" in contact.failed


def _no_state(golden: Golden) -> None:
    golden.state = None


def test_unimplemented_abilities_are_outside_every_rate(official: Official) -> None:
    """What the product has not built is neither passed nor failed, and is counted beside the figure."""

    def unbuilt(golden: Golden) -> None:
        golden.unimplemented = {"review.*": "no review yet"}

    official.play("TST-M-001", spoil=unbuilt)
    official.seal()
    alarm = figure(publish([official.run], official.corpus), "no_false_review_alarm")
    assert (alarm.denominator, alarm.outside.unimplemented, alarm.met) == (0, 1, "not decided")


def test_false_alarms_misses_and_innocent_controls_stand_apart(official: Official) -> None:
    """A false alarm is in the criterion and among the controls; a review that is due is in neither, but among the misses."""

    def due(golden: Golden) -> None:
        golden.labels["review_required"] = True
        golden.labels["innocent_control"] = None

    official.play("TST-M-001", spoil=false_alarm)
    official.play("TST-M-002", spoil=due)
    official.play("TST-M-003")
    official.seal()
    table = publish([official.run], official.corpus)
    alarm, control, miss = (figure(table, n) for n in ("no_false_review_alarm", "innocent_controls", "review_found"))
    assert (alarm.numerator, alarm.denominator, alarm.outside.not_applicable, alarm.met) == (1, 2, 1, "not met")
    assert (control.numerator, control.denominator) == (1, 2)
    assert (miss.numerator, miss.denominator, miss.outside.not_applicable) == (0, 1, 2)


def test_a_product_that_answers_nothing_has_not_shown_that_it_raises_no_alarm(official: Official) -> None:
    """Silence is outside the figure, not in its favour."""

    def silent(golden: Golden) -> None:
        golden.case["review"] = None
        assert golden.staff is not None
        del golden.staff["fields"]["review_required"]
        golden.staff["lists"]["review_checks"] = []

    official.play("TST-M-001", spoil=silent)
    official.seal()
    alarm = figure(publish([official.run], official.corpus), "no_false_review_alarm")
    assert (alarm.numerator, alarm.denominator, alarm.outside.not_checked) == (0, 0, 1)


def test_what_is_unknown_can_leave_a_target_undecided(official: Official) -> None:
    """Four right and one unknown may be 80 % or 100 %; three right, one wrong and two unknown may be 50 % or 83 %."""
    for number, package in enumerate(ids(6)):
        spoil: Callable[[Golden], None] | None = {0: wrong_plate, 1: _no_state, 2: _no_state}.get(number)
        official.play(package, spoil=spoil)
    official.seal()
    contact = figure(publish([official.run], official.corpus), "no_further_contact")
    assert contact.met == "not decided" and contact.met_why is not None and "could turn it" in contact.met_why


def test_attempts_that_do_not_count_are_told_and_cost(official: Official) -> None:
    """An environment's failure is in no rate, stands in the list, and its model calls are in the cost."""
    official.play("TST-M-001", reason="environment_error")
    official.play("TST-M-001", attempt=2)
    official.seal()
    table = publish([official.run], official.corpus)
    (part,) = table.runs
    assert (part.attempts, part.counting, part.not_counting) == (2, 1, {"environment_error": 1})
    assert table.journeys == 1
    customer = next(c for c in table.cost if c.role == "customer")
    assert (customer.attempts, customer.calls, customer.tokens_in, customer.cost) == (2, 8, 8_000, ["0.0200 USD"])
    assert customer.complete
    assert table.cost_by_package["TST-M-001"] == table.cost


@pytest.mark.parametrize(
    ("costs", "role", "why"),
    [
        ([PRICED], "product", "not reported"),
        (
            [{**PRICED, "cost": None, "complete": False, "why_incomplete": "4 calls are unpriced"}],
            "customer",
            "unpriced",
        ),
        ([{**PRICED, "complete": False, "why_incomplete": "a call was under way"}], "customer", "under way"),
        ([], "customer", "not reported"),
    ],
)
def test_cost_that_is_not_whole_says_so(costs: list[dict[str, Any]], role: str, why: str, official: Official) -> None:
    """What was not reported, not priced or cut off makes a cost incomplete, never zero."""
    official.costs = costs
    one_run(official)
    table = publish([official.run], official.corpus)
    cost = next(c for c in table.cost if c.role == role)
    assert not cost.complete and any(why in reason and "1 of 1 attempts" in reason for reason in cost.why_incomplete)
    text = format_publication(table)
    assert (
        f"{role} is incomplete" in text and "0.00" not in text.partition("cost of the models")[2].partition("is inc")[0]
    )


def test_repeats_of_a_package_come_out_as_pass_hat_k(official: Official) -> None:
    """Two packages played three times, one of them right twice: pass^2 is (1 + 1/3) / 2, and the interval is over packages."""
    for trial in (1, 2, 3):
        official.play("TST-M-001", trial=trial)
        official.play("TST-M-002", trial=trial, spoil=wrong_plate if trial == 2 else None)
    official.seal(trials=3)
    table = publish([official.run], official.corpus)
    facts = figure(table, "facts_right")
    assert (facts.numerator, facts.denominator) == (5, 6)
    assert facts.interval is not None and facts.interval.low < 0.3, "six plays of two packages are two packages"
    alarm = {r.k: r for r in table.repeats if r.id == "no_false_review_alarm"}
    assert set(alarm) == {2, 3} and alarm[3].value == 1.0 and alarm[3].packages == 2
    contact = {r.k: r for r in table.repeats if r.id == "no_further_contact"}
    if contact:
        assert contact[2].value == pytest.approx((1 + 1 / 3) / 2)


def test_a_subset_prints_n_of_all(official: Official) -> None:
    """Packages of the corpus that were not played are told in the head, trials without a counting attempt below."""
    official.play("TST-M-001")
    official.play("TST-M-002", reason="rig_error")
    official.play("TST-M-003")
    official.packages.pop("TST-M-003")
    official.seal()
    shutil.rmtree(official.run / "TST-M-003")
    table = publish([official.run], official.corpus, rehearsal=True)
    assert (table.packages, table.packages_in_corpus) == (1, 3)
    assert "1 of 3 packages of corpus v1" in format_publication(table)
    assert any("1 of 2 trials have no counting attempt" in line for line in table.caveats)


def test_a_run_in_which_nothing_counts_has_no_figures(official: Official) -> None:
    """That is the environment's, exit 4, and no table of zeros."""
    official.play("TST-M-001", reason="rig_error")
    official.seal()
    with pytest.raises(EnvironmentFault, match="no journey counts"):
        publish([official.run], official.corpus)


def test_unlike_runs_stand_in_no_common_table(official: Official, tmp_path: Path) -> None:
    """Two runs of two versions of a product, or one run named twice."""
    one_run(official)
    other = official.root / "results" / "r2"
    shutil.copytree(official.run, other)
    text = (other / "run.json").read_text(encoding="utf-8")
    (other / "run.json").write_text(text.replace('"run":"r1"', '"run":"r2"'), encoding="utf-8")
    table = publish([official.run, other], official.corpus, rehearsal=True)
    assert table.journeys == 2 and [part.run for part in table.runs] == ["r1", "r2"]
    (other / "run.json").write_text(
        text.replace('"run":"r1"', '"run":"r2"').replace('"version":"7"', '"version":"8"'), encoding="utf-8"
    )
    with pytest.raises(InputError, match="differs from run r1 in the product's version"):
        publish([official.run, other], official.corpus)
    with pytest.raises(InputError, match="named twice"):
        publish([official.run, official.run], official.corpus)


def test_the_table_says_what_it_does_not_say(official: Official) -> None:
    """The commonest misreading stands below the figures, and triage that nobody graded is called so."""
    one_run(official)
    text = format_publication(publish([official.run], official.corpus), 200)
    assert "A pass shows only that the product follows these rules" in text
    assert "triage graded blind by staff: not graded" in text
    assert all(state in STATES for state in ("not_checked", "unimplemented", "needs_human"))


def test_hostile_names_are_one_line(official: Official) -> None:
    """What the product calls itself cannot break the table or the terminal."""
    official.play("TST-M-001")
    official.seal(runtime={"product": "desk\x1b[31m\nOFFICIAL", "model": "名前"})
    text = format_publication(publish([official.run], official.corpus))
    assert "\x1b" not in text and "\nOFFICIAL" not in text and "名前" in text


def test_triage_that_staff_graded_blind_is_a_figure(official: Official) -> None:
    """Two journeys graded, one as the product's level and one otherwise; grades of another attempt decide nothing."""
    folders = [official.play(package) for package in ids(4)]
    official.seal()
    levels = ["standard", "urgent", "standard", None]
    attempts = [
        {
            "package": package, "trial": 1, "attempt": 1, "grades": {"A": level or "cannot_say"}, "staff_level": level,
            "attempt_sha256": "0" * 64 if number == 2 else sha256_hex((folder / "attempt.json").read_bytes()),
            "product_level": "standard", "product_why": None, "oracle_level": "standard",
        }
        for number, (package, folder, level) in enumerate(zip(ids(4), folders, levels, strict=True))
    ]  # fmt: skip
    grading = {
        "schema": "human-triage-v1", "run": "r1", "scoring_version": "2", "levels": ["simple", "standard", "complex", "urgent"],
        "sheets": ["s"], "graders": ["A"], "counting": 4, "graded": 3, "decided": 3, "product_as_staff": 2, "cannot_say": 1,
        "missing": 0, "rng_seed": 1, "resamples": 1, "attempts": attempts, "agreements": [],
    }  # fmt: skip
    (official.run / "human").mkdir()
    (official.run / "human" / "triage.json").write_text(json.dumps(grading), encoding="utf-8")
    blind = publish([official.run], official.corpus).blind_triage
    assert blind.share is not None and blind.graders == 1
    assert (blind.share.numerator, blind.share.denominator) == (1, 2)
    assert (blind.share.outside.not_checked, blind.share.outside.needs_human) == (1, 1)
    assert blind.share.failed == ["r1/TST-M-002/t01/a01"]


def test_the_page_about_figures_names_every_criterion_and_target() -> None:
    """What is published and what the page says of it do not drift apart."""
    text = (Path(__file__).parents[3] / "docs" / "publishing.md").read_text(encoding="utf-8")
    rows = [row for row in text.splitlines() if row.startswith("| ")]
    for criterion in ACCEPTANCE:
        (row,) = [row for row in rows if row.startswith(f"| {criterion.title} |")]
        assert (
            "every journey" if criterion.at_least == 1.0 else f"at least {100 * (criterion.at_least or 0):.0f} %"
        ) in row
