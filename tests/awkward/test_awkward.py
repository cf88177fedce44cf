"""A whole journey through a product that is awkward to drive, told to the rig by a YAML file alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.browser import find_browser
from harness.run import Access, RunOptions, RunResult, execute
from harness.screen.adapter import find_adapter, load_adapter
from harness.verify import verify_run
from oracle_scoring.claims.batch import score_run
from tests.awkward.product import QUESTIONS, Awkward, serving

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
ADAPTER = Path(__file__).with_name("awkward-claims.yaml")
TOKEN, STAFF, WORD = "seed-token-of-a-test", "sam", "staff-word-of-a-test"


class Played:
    """One journey, played once for all tests of this file."""

    def __init__(self, product: Awkward, result: RunResult, run: Path) -> None:
        self.result, self.run = result, run
        self.folder = Path(result.trials[0].folder)
        self.events: list[dict[str, Any]] = [
            json.loads(line) for line in (self.folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        (self.claim,) = product.claims.values()

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Events of one kind."""
        return [e for e in self.events if e["kind"] == kind]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """CTL-M-001, the rule customer, the awkward product."""
    results = tmp_path_factory.mktemp("awkward")
    with serving(TOKEN, STAFF, WORD) as product:
        access = Access(product.base_url, TOKEN, STAFF, WORD, None, stores_configured=False)
        options = RunOptions(
            run="awkward", packages=("CTL-M-001",), product=str(ADAPTER), customer="rule", corpus=ROOT / "packages",
            results=results, max_attempts=1, rehearsal=True,
        )  # fmt: skip
        yield Played(product, execute(options, access), results / "awkward")


def test_the_adapter_needs_no_code_of_its_own() -> None:
    """The adapter is a plain YAML file that names no surface class."""
    assert load_adapter(find_adapter(str(ADAPTER))).surface is None


def test_the_whole_journey_ends_with_the_final_state_on_the_screen(played: Played) -> None:
    """The rule customer comes to the claim number, in one attempt."""
    (trial,) = played.result.trials
    assert (trial.termination_reason, trial.attempts, played.result.exit_code) == ("completed", 1, 0), trial.why
    assert played.events[-1]["final"] == f"Your claim number is {played.claim.number}"


def test_the_product_holds_what_the_customer_said_and_nothing_else(played: Played) -> None:
    """Facts, files and the question arrived whole: paragraphs, plates, bytes."""
    facts = played.claim.facts
    assert facts["incident_date"] == "2026-03-09" and facts["incident_time"] == "16:20"
    assert (facts["plate"], facts["other_vehicle"], facts["estimated_loss"]) == ("JX24 RVB", "TJ19 HNW", "1284.00 GBP")
    assert (facts["injuries"], facts["drivable"], facts["police_reference"]) == ("no", "yes", "none")
    assert facts["other_driver"] == "unknown"
    assert set(QUESTIONS) <= set(facts)
    materials = ROOT / "packages/claims/CTL-M-001/input/materials"
    assert played.claim.files == {
        "photo": ("photo-rear-bumper.jpg", (materials / "photo-rear-bumper.jpg").read_bytes()),
        "quote": ("repair-quote.pdf", (materials / "repair-quote.pdf").read_bytes()),
    }
    assert played.claim.notes == ["Will this affect my no claims bonus?"]


def test_every_act_reached_the_page_once(played: Played) -> None:
    """Each message is one bubble in the product, in order; the one wiped by hydration was typed again and says so."""
    acted = played.of("acted")
    assert all(e["confirmed"] for e in acted)
    said = [e["text"] for e in acted if e["act"] == "said"]
    assert said == [i["text"] for i in played.claim.items if i["who"] == "you" and not i.get("file")]
    assert [e["act"] for e in acted if e["act"] != "said"] == ["uploaded", "uploaded", "signed_in", "pressed"]
    assert sum(e["retries"] for e in acted) <= 2, "wiped by hydration once, and once sent while the product was busy"


def test_text_wiped_while_the_page_came_to_life_was_typed_again(played: Played) -> None:
    """The loss is in the record, whether it was seen before or after Enter."""
    again = [e for e in played.of("page") if e["what"] == "reader_lost"]
    retries = [e["retries"] for e in played.of("acted")]
    assert again or retries[0] == 1


def test_the_list_that_holds_its_newest_rows_only_was_read_reply_by_reply(played: Played) -> None:
    """Every question of the product stands on some screen, although none of the early ones is on the page at the end."""
    seen = "\n".join(b["text"] for e in played.of("screen") for b in e["screen"]["blocks"])
    assert [q for q in QUESTIONS.values() if q not in seen] == []


def test_no_reply_was_taken_for_a_new_one_because_it_was_rendered_again(played: Played) -> None:
    """All turns settled, and no message was sent for a reply that had been answered."""
    assert all(e["settled"] for e in played.of("reply"))
    said = [e for e in played.of("acted") if e["act"] == "said"]
    assert len(said) == 1 + len(QUESTIONS) + len(played.claim.notes)


def test_the_leave_page_dialog_was_answered_and_recorded(played: Played) -> None:
    """Signing in loads the page anew; the browser's question whether to leave is accepted, and the new page is read."""
    dialogs = [e for e in played.of("page") if e["what"] == "dialog"]
    assert [(e["detail"].split(":")[0], e["policy"]) for e in dialogs] == [("beforeunload", "accepted")]
    assert any(e["what"] == "navigated" for e in played.of("page"))


def test_the_record_verifies_and_scores(played: Played) -> None:
    """Hashes, chain and staff pages are in order, and of the lines that score this journey only the number of questions fails."""
    assert verify_run(played.run, ROOT / "packages").problems == []
    staff = json.loads((played.folder / "staff.json").read_bytes())
    assert (staff["found"], staff["fields"]["case_number"]) == (True, played.claim.number), staff["why_not"]
    (card,) = score_run(played.run, ROOT / "packages")
    failed = {line.id: line.why for line in card.lines if line.state == "fail"}
    assert failed.keys() == {"journey.question_count"}, (
        failed
    )  # one thing at a time, and again after the customer's own


def test_the_record_says_whether_the_sandbox_was_on(played: Played) -> None:
    """The first event names the browser and its sandbox, and it is what this user can have."""
    (started,) = played.of("journey_started")
    assert started["browser"]
    assert started["sandbox"] is find_browser().sandbox
