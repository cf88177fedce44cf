"""Two versions on the same packages."""

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from builder import Golden
from builder import manifest as plain_manifest
from official import Official, ids, wrong_plate
from typer.testing import CliRunner, Result

from harness.cli.app import app
from harness.errors import EnvironmentFault, InputError, Refused
from harness.report.side_by_side import write_comparison
from harness.schema.run import RunManifest
from harness.schema.scorecard import LineState, Scorecard
from oracle_scoring.claims.score import score_attempt
from oracle_scoring.publish.pairs import Comparison, compare


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Scorecard:
    """The scorecard of a journey on which everything is right."""
    attempt, package = Golden().write(tmp_path_factory.mktemp("one"))
    return score_attempt(attempt, package)


def run(name: str, packages: int = 8, trials: int = 1) -> RunManifest:
    settings = {"packages": {p: "0" * 64 for p in ids(packages)}, "trials": trials}
    return RunManifest.model_validate_json(json.dumps({**plain_manifest(**settings), "run": name}))


def cards(
    card: Scorecard, states: Mapping[str, Mapping[str, LineState]], packages: int = 8, trial: int = 1
) -> list[Scorecard]:
    """A scorecard for each package; `states` gives some lines of some of them another state."""
    return [
        card.model_copy(
            update={
                "package": package, "trial": trial,
                "lines": [x.model_copy(update={"state": states.get(package, {}).get(x.id, x.state)}) for x in card.lines],
            }
        )
        for package in ids(packages)
    ]  # fmt: skip


def plate(*packages: int, state: LineState = "fail") -> dict[str, dict[str, LineState]]:
    return {f"TST-M-{n:03d}": {"facts.plate": state} for n in packages}


def compared(
    card: Scorecard, before: dict[str, dict[str, LineState]], now: dict[str, dict[str, LineState]]
) -> Comparison:
    return compare(run("r1"), run("r2"), cards(card, before), cards(card, now), rescored=False)


def test_lines_are_told_by_package_and_direction(card: Scorecard) -> None:
    """Fail to pass is up, pass to fail is down, to or from what is not decided is neither."""
    found = compared(card, plate(1, 2), plate(2, 3) | plate(4, state="not_checked"))
    moves = {(p.package, m.line): m.direction for p in found.packages for m in p.moves}
    assert moves == {
        ("TST-M-001", "facts.plate"): "up",
        ("TST-M-003", "facts.plate"): "down",
        ("TST-M-004", "facts.plate"): "other",
    }
    assert (found.moved("up"), found.moved("down"), found.moved("other")) == (1, 1, 1)
    (line,) = found.lines
    assert (line.id, line.pairs, line.passed_before, line.passed_now, line.up, line.down) == (
        "facts.plate",
        7,
        5,
        5,
        1,
        1,
    )


@pytest.mark.parametrize(
    ("down", "decides", "words"),
    [(5, False, "fewer than 6 cannot decide"), (6, True, "differ"), (0, False, "no discordant pair")],
)
def test_fewer_than_six_discordant_pairs_cannot_decide(down: int, decides: bool, words: str, card: Scorecard) -> None:
    """Whatever the direction; the test is exact."""
    found = compared(card, {}, plate(*range(1, down + 1)))
    test = next(t for t in found.criteria if t.id == "nothing_failed")
    line = next((t for t in found.lines if t.id == "facts.plate"), None)
    assert (line is None) == (down == 0)
    for one in (test, *([line] if line else [])):
        if one.pairs >= down:
            assert (one.down, one.can_decide) == (down, decides) and words in one.words


def test_repeats_of_a_package_are_one_pair(card: Scorecard) -> None:
    """A line that failed in one of three repeats failed; three plays of one package are no three packages."""
    before = [c for trial in (1, 2, 3) for c in cards(card, plate(1) if trial == 2 else {}, 2, trial)]
    now = [c for trial in (1, 2, 3) for c in cards(card, {}, 2, trial)]
    found = compare(run("r1", 2, 3), run("r2", 2, 3), before, now, rescored=False)
    (line,) = found.lines
    assert (line.pairs, line.up) == (2, 1)
    assert any("repeats count as one" in note for note in found.caveats)


def test_measures_are_compared_within_packages(card: Scorecard) -> None:
    """Each package is its own control: the interval is of the differences, not of the two means."""

    def slower(one: Scorecard, by: float) -> Scorecard:
        measures = [
            m.model_copy(update={"value": (m.value or 0) + by}) if m.id == "wait_product_ms" else m
            for m in one.measures
        ]
        return one.model_copy(update={"measures": measures})

    before = [slower(c, 10_000.0 * n) for n, c in enumerate(cards(card, {}))]
    now = [slower(c, 10_000.0 * n + 1_000.0) for n, c in enumerate(cards(card, {}))]
    found = compare(run("r1"), run("r2"), before, now, rescored=False)
    wait = next(d for d in found.differences if d.id == "wait_product_ms")
    assert (wait.mean, wait.packages) == (pytest.approx(1_000.0), 8)
    assert wait.interval is not None and wait.interval.low == pytest.approx(1_000.0) == wait.interval.high


def test_packages_of_one_run_only_are_in_no_number(card: Scorecard) -> None:
    """They are named; two runs with nothing in common cannot be compared."""
    found = compare(run("r1"), run("r2"), cards(card, {}, 3), cards(card, {}, 2), rescored=False)
    assert (found.only_before, found.only_now, len(found.packages)) == (["TST-M-003"], [], 2)
    void = [c.model_copy(update={"counting": False}) for c in cards(card, {})]
    with pytest.raises(EnvironmentFault, match="no package with a counting journey in both"):
        compare(run("r1"), run("r2"), cards(card, {}), void, rescored=False)


def test_unlike_scores_are_not_compared(card: Scorecard) -> None:
    """Another scoring version, other answers, other packages: refused, until both are scored anew."""
    old = [c.model_copy(update={"scoring_version": "0.9"}) for c in cards(card, {})]
    with pytest.raises(Refused, match=r"unlike versions.*0\.9.*--rescore"):
        compare(run("r1"), run("r2"), old, cards(card, {}), rescored=False)
    other = [c.model_copy(update={"oracle_sha256": "f" * 64}) for c in cards(card, {})]
    with pytest.raises(Refused, match="other answers"):
        compare(run("r1"), run("r2"), other, cards(card, {}), rescored=False)
    changed = run("r2").model_copy(
        update={"settings": run("r2").settings.model_copy(update={"packages": {p: "1" * 64 for p in ids(8)}})}
    )
    with pytest.raises(Refused, match="TST-M-001 as played"):
        compare(run("r1"), changed, cards(card, {}), cards(card, {}), rescored=False)
    found = compare(run("r1"), changed, cards(card, {}), cards(card, {}), rescored=True)
    assert any("8 packages are not the same" in note for note in found.caveats)


def test_another_customer_is_told(card: Scorecard) -> None:
    """What else differs between the runs may be why a line moved."""
    other = run("r2").model_copy(update={"settings": run("r2").settings.model_copy(update={"customer": "scripted"})})
    found = compare(run("r1"), other, cards(card, {}), cards(card, {}), rescored=False)
    assert any("customer is another (rule, now scripted)" in note for note in found.caveats)


# On disk ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Official, Path, Path]:
    """Two runs of one corpus: the second holds a wrong plate, and its product says something hostile."""

    def spoil(golden: Golden) -> None:
        wrong_plate(golden)
        for at, event in enumerate(golden.journey.events):
            if event.kind == "screen" and "Was anyone hurt" in event.screen.reply_text():
                blocks = [
                    b.model_copy(update={"text": "<script>alert(1)</script> 您好 \x1b[31m Was anyone hurt?"})
                    for b in event.screen.blocks
                ]
                screen = event.screen.model_copy(update={"blocks": blocks})
                golden.journey.events[at] = event.model_copy(update={"screen": screen})

    official = Official(tmp_path, monkeypatch)
    now = tmp_path / "results" / "r2"
    for folder, change in (("r2", spoil), ("r1", None)):
        official.play("TST-M-001", spoil=change)
        official.seal()
        if folder == "r2":
            official.run.rename(now)
            text = (now / "run.json").read_text(encoding="utf-8")
            (now / "run.json").write_text(text.replace('"run":"r1"', '"run":"r2"'), encoding="utf-8")
    return official, official.run, now


def rig(official: Official, *args: str) -> Result:
    where = ("--results", str(official.root / "results"), "--corpus", str(official.corpus))
    return CliRunner().invoke(app, ["compare", *args, *where])


def test_the_command_compares_what_was_scored(two: tuple[Official, Path, Path]) -> None:
    """Unscored runs are refused with the way out; scored anew, a line that fails now is exit 1, the other way round 0."""
    official, _, _ = two
    refused = rig(official, "r1", "r2")
    assert refused.exit_code == 3 and "--rescore" in refused.stderr and len(refused.stderr.splitlines()) == 1
    down = rig(official, "r1", "r2", "--rescore")
    assert down.exit_code == 1, down.output
    assert "- TST-M-001 facts.plate: pass -> fail" in down.stdout and "cannot decide" in down.stdout
    up = rig(official, "r2", "r1")
    assert up.exit_code == 0 and "+ TST-M-001 facts.plate: fail -> pass" in up.stdout
    assert json.loads(rig(official, "r1", "r2", "--json").stdout)["packages"][0]["package"] == "TST-M-001"
    for args in (("r1", "r1"), ("r1", "r2", "--package", "TST-M-001"), ("r1", "gone")):
        assert rig(official, *args).exit_code == 2


def test_the_page_shows_both_journeys_and_runs_nothing(two: tuple[Official, Path, Path], tmp_path: Path) -> None:
    """Side by side, turn by turn; what the product says is text, and nothing is loaded from anywhere."""
    official, before, now = two
    page = tmp_path / "out" / "page.html"
    done = rig(official, "r1", "r2", "--rescore", "-o", str(page), "--package", "TST-M-001")
    assert done.exit_code == 1, done.output
    html = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; 您好" in html and "<script" not in html and "\x1b" not in html
    assert 'Other words for the first time in <a href="#p1-t2">' in html and html.count('class="differs"') == 2
    assert html.count("customer says") >= 14 and 'class="down"' in html
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html
    assert not re.search(r"(?:src|href)=\"(?!#)", html)
    again = tmp_path / "again.html"
    found = compare(
        RunManifest.model_validate_json((before / "run.json").read_bytes()),
        RunManifest.model_validate_json((now / "run.json").read_bytes()),
        *([score_attempt(r / "TST-M-001/t01/a01", official.corpus / "claims/TST-M-001")] for r in (before, now)),
        rescored=True,
    )
    assert write_comparison(found, before, now, again).read_bytes() == page.read_bytes()
    with pytest.raises(InputError, match="has no counting journey in both"):
        write_comparison(found, before, now, again, ["TST-M-009"])


def test_a_record_that_is_gone_is_said_on_the_page(two: tuple[Official, Path, Path], tmp_path: Path) -> None:
    """The page is written from what is left."""
    official, _, now = two
    assert rig(official, "r1", "r2", "--rescore").exit_code == 1
    shutil.rmtree(now / "TST-M-001")
    page = tmp_path / "page.html"
    assert rig(official, "r1", "r2", "-o", str(page)).exit_code == 1
    assert "the record of this journey is not there" in page.read_text(encoding="utf-8")
