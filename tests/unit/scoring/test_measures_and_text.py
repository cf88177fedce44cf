"""Numbers beside the verdicts, and the scorecard as text."""

from pathlib import Path

import pytest
from builder import Golden, Journey
from hypothesis import given
from hypothesis import strategies as st
from records import no_events, no_state

from harness.schema.events import Acted, Slip
from harness.schema.scorecard import Measure, Scorecard
from oracle_scoring.claims import format_scorecard, score_attempt
from oracle_scoring.numbers import percentile


def measured(golden: Golden, root: Path) -> dict[str, Measure]:
    """Measures by id; an id stands once."""
    found = score_attempt(*golden.write(root)).measures
    assert len({m.id for m in found}) == len(found)
    return {m.id: m for m in found}


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.01, 1))
def test_percentiles_are_values_that_occurred(values: list[float], share: float) -> None:
    """Nearest rank: at least the share of the values is not above it, and no smaller value does that."""
    got = percentile(values, share)
    assert got in values
    assert sum(v <= got for v in values) >= share * len(values) - 1e-6
    assert sum(v < got for v in values) < share * len(values) + 1e-6


def test_times_are_apart(tmp_path: Path) -> None:
    """Median, p95 and longest turn (the opening of the page is none); waiting for the product apart from the customer's and the rig's time."""
    golden = Golden()
    j = Journey()
    j.start()
    j.settled(5_000.0)
    j.screen("Hello?")
    for total in (100.0, 200.0, 900.0):
        j.say("No.")
        j.settled(total)
        j.screen("Was anyone hurt?")
    j.end("turn_limit", "enough")
    golden.journey, golden.reason, golden.why = j, "turn_limit", "enough"
    found = measured(golden, tmp_path)
    values = {k: m.value for k, m in found.items()}
    assert (values["turn_median_ms"], values["turn_p95_ms"], values["turn_longest_ms"]) == (200.0, 900.0, 900.0)
    assert values["wait_product_ms"] == 1200.0
    assert values["wait_customer_ms"] == 60.0
    assert values["wait_rig_ms"] == 4 * 5.0 + 3 * 40.0 + 4 * 300.0
    assert found["turn_longest_ms"].note == "turn 3"
    assert (values["ended_in_turn"], found["ended_in_turn"].note) == (3.0, "turn_limit: enough")


def test_an_unsettled_turn_is_a_lower_bound(tmp_path: Path) -> None:
    """A reply that never settled counts up to the cap, and the measure says so."""
    golden = Golden()
    j = Journey()
    j.start()
    j.screen("Hello?")
    j.say("No.")
    j.settled(60_000.0, settled=False)
    j.screen("Let me")
    j.end("product_error", "no answer")
    golden.journey = j
    found = measured(golden, tmp_path)
    assert found["unsettled_turns"].value == 1
    assert found["turn_longest_ms"].value == 60_000.0 and "lower bound" in (found["turn_longest_ms"].note or "")


def test_messages_and_retries(tmp_path: Path) -> None:
    """Only messages that reached the page count as sent; every retry counts."""
    golden = Golden()
    golden.journey.events.pop()
    golden.journey.say("lost", confirmed=False)
    golden.journey.add(Acted, act="said", text="again", confirmed=True, retries=2, act_ms=1.0)
    golden.journey.end()
    found = measured(golden, tmp_path)
    assert (found["messages_sent"].value, found["retries"].value) == (8, 2)


def test_slips_are_the_customers_own(tmp_path: Path) -> None:
    """Slips are counted by kind with how many reached the product, and move no line."""
    golden = Golden()
    before = {x.id: x.state for x in score_attempt(*golden.write(tmp_path / "1")).lines}
    golden = Golden()
    golden.journey.events.pop()
    golden.journey.add(Slip, slip="role_flip", severity="hindered", why="spoke as the agent", delivered=False)
    golden.journey.add(Slip, slip="hallucination", severity="helped", why="a plate", delivered=True)
    golden.journey.end()
    card = score_attempt(*golden.write(tmp_path / "2"))
    found = {m.id: m for m in card.measures}
    assert (found["slips"].value, found["slips"].note) == (2, "1 helped, 1 hindered")
    assert found["slips_hallucination"].note == "1 reached the product"
    assert {x.id: x.state for x in card.lines} == before


def test_costs_of_the_product(tmp_path: Path) -> None:
    """A usage report gives the product's cost; unpriced is not zero."""
    golden = Golden()
    report = {
        "schema": "usage-report-v1",
        "request_id": "r-1",
        "calls": 9,
        "tokens_in": 900,
        "tokens_out": 90,
        "cost": None,
    }
    golden.usage = {"schema": "usage-file-v1", "read": report, "why": None}
    found = measured(golden, tmp_path / "1")
    assert found["product_calls"].value == 9
    assert found["product_cost"].value is None and "not zero" in (found["product_cost"].note or "")


def test_a_usage_report_that_failed_is_not_zero(tmp_path: Path) -> None:
    """A product that has a usage endpoint and did not answer has no cost, with the reason."""
    golden = Golden()
    golden.usage = {"schema": "usage-file-v1", "read": None, "why": "timed out"}
    found = measured(golden, tmp_path)
    assert found["product_calls"].value is None and "timed out" in (found["product_calls"].note or "")


def test_checks_that_could_not_be_read_are_not_zero(tmp_path: Path) -> None:
    """Without staff page and state nobody knows which checks the product made."""
    golden = Golden()
    no_state(golden)
    golden.staff = None
    found = measured(golden, tmp_path)["review_not_checked"]
    assert found.value is None and "could not be read" in (found.note or "")


def test_server_errors_are_counted_from_the_network_log(tmp_path: Path) -> None:
    """Answers of 500 and more are counted, others not."""
    golden = Golden()
    base = {
        "at": "2026-03-11T09:30:00Z",
        "t_ms": 1.0,
        "turn": 1,
        "method": "POST",
        "url": "http://127.0.0.1/say",
        "resource": "fetch",
        "request_headers": {},
        "response_headers": {},
        "request_body": None,
        "response_body": None,
        "body_note": None,
        "duration_ms": None,
    }
    golden.network = [{**base, "status": s} for s in (200, 404, 500, 503, None)]
    assert measured(golden, tmp_path)["server_errors"].value == 2


def test_without_events_there_are_no_numbers(tmp_path: Path) -> None:
    """Nothing recorded is not zero messages."""
    golden = Golden()
    no_events(golden)
    found = measured(golden, tmp_path)
    assert all(m.value is None for m in found.values())


@pytest.fixture
def card(tmp_path: Path) -> Scorecard:
    """The scorecard of the good record with one fail."""
    golden = Golden()
    golden.shown_level("complex")
    return score_attempt(*golden.write(tmp_path))


@pytest.mark.parametrize("width", [10, 40, 80, 200])
def test_text_fits_and_is_complete(width: int, card: Scorecard) -> None:
    """No row is wider than asked for, and every line and the totals are there."""
    text = format_scorecard(card, width)
    rows = text.splitlines()
    assert max(len(row) for row in rows) <= max(40, width)
    flat = "".join(text.split())
    assert all(line.id in flat for line in card.lines)
    assert "FAIL" in text and "1 FAIL" in rows[-1] + rows[-2]


def test_text_is_plain(card: Scorecard) -> None:
    """No control character and no markup of a record reaches the terminal."""
    line = card.lines[0].model_copy(update={"why": "\x1b[31m[bold]red[/bold]"})
    text = format_scorecard(card.model_copy(update={"lines": [line, *card.lines[1:]]}), 120)
    assert "\x1b" not in text and "[bold]red[/bold]" in text
