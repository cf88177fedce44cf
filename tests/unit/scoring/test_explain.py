"""Why a journey went wrong: what is named first, what follows from it, whose doing it was, and where to look."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from builder import NUMBER, PACKAGE, QUOTE, Golden, Journey, standard_journey
from records import RECORDS, draft, fact, no_state, repeated_question
from typer.testing import CliRunner, Result

from harness.cli.app import app
from harness.report import Limits, write_report
from oracle_scoring.explain import Explanation, explain


def explained(golden: Golden, root: Path) -> Explanation:
    attempt, _ = golden.write(root)
    return explain(attempt, root / "packages")


def rig(root: Path, *args: str) -> Result:
    where = ("--results", str(root / "results"), "--corpus", str(root / "packages"))
    return CliRunner().invoke(app, ["explain", *args, *where])


def to_the_summary(summary: str) -> Journey:
    """The standard journey with another summary to confirm."""
    j = standard_journey(8)
    j.upload("quote.pdf", QUOTE)
    j.reply("Please check your claim.", dialog=summary, buttons=("Yes, send it", "Change"))
    j.press("Yes, send it")
    j.reply(f"Thank you. Your case number is {NUMBER}.", final=f"Case number {NUMBER}")
    j.end(final=f"Case number {NUMBER}")
    return j


def test_a_journey_without_a_fail_is_nobodys_doing(tmp_path: Path) -> None:
    """Nothing is made up where nothing failed."""
    found = explained(Golden(), tmp_path)
    assert (found.first, found.stuck, found.doing) == (None, None, "nobody")


def test_what_could_not_be_decided_is_told_beside_nobodys_doing(tmp_path: Path) -> None:
    """That nothing failed is no praise where much is not known."""
    golden = Golden()
    no_state(golden)
    found = explained(golden, tmp_path)
    assert found.doing == "nobody" and f"{found.undecided} could not be decided" in found.doing_why


def test_a_journey_that_the_customer_spoilt_unnoticed_is_the_customers_doing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended as if it counted, and none of its lines is a verdict."""
    spoilt = SimpleNamespace(spoilt="role flip reached the product")
    monkeypatch.setattr("oracle_scoring.explain.judge", lambda *_: spoilt)
    found = explained(Golden(), tmp_path)
    assert found.doing == "simulator" and "role flip" in found.doing_why


def test_a_wrong_value_is_dated_by_the_screen_that_shows_it(tmp_path: Path) -> None:
    """Not where the customer told the right one, and with the picture of that moment."""
    golden = Golden()
    fact("incident_date", "2026-03-08")(golden)
    golden.journey = to_the_summary("Date: 8 March 2026")
    found = explained(golden, tmp_path)
    assert found.first is not None and found.first.line == "incident_time.date" and found.doing == "product"
    shown = next(e for e in golden.journey.events if e.kind == "screen" and "8 March" in e.screen.visible_text())
    assert (found.first.event, found.first.turn) == (shown.n, shown.turn)
    assert found.first.picture == shown.pictures[0] and "first shows it" in found.first.since


def test_a_wrong_value_that_no_screen_shows_is_dated_by_its_telling(tmp_path: Path) -> None:
    """It went wrong then or later, and that is what it says."""
    golden = Golden()
    fact("plate", "JX24 RV8")(golden)
    found = explained(golden, tmp_path)
    told = next(e for e in golden.journey.events if e.kind == "ledger" and e.id == "plate")
    assert found.first is not None and found.first.event == told.n and "or later" in found.first.since


def test_what_a_wrong_fact_brings_about_follows_from_it(tmp_path: Path) -> None:
    """A triage that is off beside a wrong amount may follow from it; the fact comes first."""
    golden = Golden()
    fact("estimated_loss", "128400.00 GBP")(golden)
    golden.shown_level("complex")
    found = explained(golden, tmp_path)
    assert found.first is not None and found.first.line == "facts.estimated_loss"
    level = next(c for c in found.following if c.line == "triage.level")
    assert level.follows == ["facts.estimated_loss"]


def test_the_earliest_of_unrelated_causes_is_first(tmp_path: Path) -> None:
    """Two faults that have nothing to do with each other are told in order of time."""
    golden = Golden()
    repeated_question(golden)
    golden.shown_required(True)
    found = explained(golden, tmp_path)
    assert found.first is not None and found.first.line == "journey.repeated_questions"
    assert [c.line for c in found.others] == ["review.required"]


def test_a_journey_that_goes_round_in_circles_says_where(tmp_path: Path) -> None:
    """Stuck: which turn, which words, how often; what was never reached follows from that."""
    golden = Golden()
    draft(golden)
    j = standard_journey(4)
    for _ in range(4):
        j.reply("Please tell me more about the weather.")
        j.say("Sorry, I don't know that.")
    j.end("turn_limit", "40 turns without a final state")
    golden.journey = j
    found = explained(golden, tmp_path)
    assert found.stuck is not None and found.stuck.turn == j.turn
    assert "said the same 4 times" in found.stuck.why and "the weather" in found.stuck.why
    case = next(c for c in found.following if c.line == "journey.case_number")
    assert "journey.completed" in case.follows


def test_an_error_of_the_server_in_the_last_turn_is_why_it_stopped(tmp_path: Path) -> None:
    """The claim was not submitted because of it; an error long before would not be the reason."""
    for turn, follows in ((5, True), (1, False)):
        golden = Golden()
        draft(golden)
        golden.reason, golden.why = "product_error", "the page does not answer"
        golden.answered("oops", turn=turn, status=500)
        found = explained(golden, tmp_path / str(turn))
        completed = next(c for c in (*found.following, *found.others) if c.line == "journey.completed")
        assert ("journey.server_errors" in completed.follows) is follows
        assert found.stuck is not None and "HTTP 500" in found.stuck.why


@pytest.mark.parametrize(
    ("reason", "doing"),
    [
        ("simulator_error", "simulator"),
        ("rig_error", "rig"),
        ("environment_error", "environment"),
        ("aborted", "stopped"),
    ],
)
def test_an_attempt_that_does_not_count_is_not_the_products_doing(reason: str, doing: str, tmp_path: Path) -> None:
    """Whatever its lines look like, nothing is held against the product."""
    golden = Golden()
    golden.reason, golden.why = reason, "it broke"
    fact("plate", "JX24 RV8")(golden)
    found = explained(golden, tmp_path)
    assert (found.doing, found.counting, found.first) == (doing, False, None)
    assert found.stuck is not None and "it broke" in found.stuck.why


def test_a_reply_that_never_ended_is_told_with_its_time(tmp_path: Path) -> None:
    """The last turn was waited for up to the cap."""
    golden = Golden()
    draft(golden)
    j = standard_journey(4)
    j.say("My registration is JX24 RVB.", told=("plate",))
    j.settled(60_000.0, settled=False)
    j.end("time_limit", "too long")
    golden.journey, golden.reason = j, "time_limit"
    found = explained(golden, tmp_path)
    assert found.stuck is not None and "waited for 60 s, it began and did not end" in found.stuck.why


def test_every_kind_of_fault_is_named(tmp_path: Path) -> None:
    """For failing records of all groups of lines: the line stands in the explanation, by itself or with what it follows from."""
    sample = list(RECORDS.items())[::6]
    checked = 0
    for number, (line, (_, spoil, _)) in enumerate(sample):
        golden = Golden()
        spoil(golden)
        found = explained(golden, tmp_path / str(number))
        causes = [c for c in (found.first, *found.others, *found.following) if c is not None]
        if line not in {c.line for c in causes}:
            continue
        checked += 1
        assert found.first is not None and not found.first.follows
        known = {c.line for c in causes}
        assert all(set(c.follows) <= known for c in causes)
    assert checked > 0.8 * len(sample)


def test_the_command_takes_attempts_folders_and_runs(tmp_path: Path) -> None:
    """An attempt below the results, its folder, or a run: the newest attempt in which something failed."""
    bad, good = Golden(), Golden()
    fact("plate", "JX24 RV8")(bad)
    good.number = 2
    attempt, _ = bad.write(tmp_path)
    good.write(tmp_path)
    name = f"{PACKAGE}/t01/a01"
    for asked in (f"r1/{name}", str(attempt), "r1"):
        done = rig(tmp_path, asked)
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines()[0].startswith(f"{name} of run r1") and "facts.plate" in done.stdout
    for asked in (f"r1/{PACKAGE}/t09/a01", "no-such-run"):
        refused = rig(tmp_path, asked)
        assert refused.exit_code == 2 and len(refused.stderr.splitlines()) == 1, refused.output


def test_links_lead_to_record_picture_and_report(tmp_path: Path) -> None:
    """Paths that exist, and the report's anchor of that very event."""
    golden = Golden()
    fact("incident_date", "2026-03-08")(golden)
    golden.journey = to_the_summary("Date: 8 March 2026")
    attempt, _ = golden.write(tmp_path)
    assert "report: none that shows it (rig report r1)" in rig(tmp_path, "r1").stdout
    page = write_report(tmp_path / "results" / "r1")
    (attempt / "screens").mkdir()
    found = explain(attempt, tmp_path / "packages")
    assert found.first is not None and found.first.picture is not None
    (attempt / found.first.picture).write_bytes(b"\x89PNG")
    links = json.loads(rig(tmp_path, "r1", "--json").stdout)["links"]
    assert Path(links["attempt"]).is_dir() and Path(links["picture"]).is_file()
    path, _, anchor = links["report"].partition("#")
    assert Path(path) == page and f'id="{anchor}"' in page.read_text(encoding="utf-8")
    write_report(tmp_path / "results" / "r1", limits=Limits(together=0))
    path, _, anchor = json.loads(rig(tmp_path, "r1", "--json").stdout)["links"]["report"].partition("#")
    assert Path(path).parent.name == "report" and f'id="{anchor}"' in Path(path).read_text(encoding="utf-8")


def test_words_of_the_product_cannot_break_the_lines(tmp_path: Path) -> None:
    """Escapes and line breaks in a reply do not reach the terminal; Chinese does."""
    golden = Golden()
    draft(golden)
    j = standard_journey(4)
    j.reply("请稍等\x1b[2J\nsecond: all is well")
    j.end("customer_left", "gave up")
    golden.journey, golden.reason = j, "customer_left"
    golden.write(tmp_path)
    text = rig(tmp_path, "r1").stdout
    assert "\x1b" not in text and "请稍等" in text and "\nsecond" not in text
