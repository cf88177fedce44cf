"""Questions, time, and where a journey stuck."""

import json
from pathlib import Path

import pytest
from builder import OPENING, Golden, Journey, standard_journey
from records import draft, many_questions, no_state, waited

from harness.errors import InputError
from harness.schema.scorecard import Scorecard, ScoreLine
from oracle_scoring.claims import score_attempt, score_run
from oracle_scoring.claims.person import reading_s, typing_s


def scored(golden: Golden, root: Path) -> tuple[Scorecard, dict[str, ScoreLine]]:
    """The scorecard and its lines by id."""
    card = score_attempt(*golden.write(root))
    return card, {x.id: x for x in card.lines}


def test_reading_follows_the_published_rates() -> None:
    """238 English words or 255 Chinese characters are a minute; figures, addresses and hyphens are one word each."""
    assert reading_s("word " * 238) == pytest.approx(60)
    assert reading_s("字" * 255) == pytest.approx(60)
    assert reading_s("It costs £1,284.00 at 16:20, e-mail a@b.example.") == pytest.approx(60 * 7 / 238)
    assert reading_s("谢谢 Nora") == pytest.approx(60 * (2 / 255 + 1 / 238))
    assert reading_s("🙂 … —") == 0


def test_typing_counts_strokes() -> None:
    """51.56 words of five strokes are a minute; a tone or accent is one stroke more, a Chinese character four."""
    stroke = 60 / 51.56 / 5
    assert typing_s("hello") == pytest.approx(5 * stroke)
    assert typing_s("đẹp") == pytest.approx(5 * stroke)
    assert typing_s("车牌") == pytest.approx(8 * stroke)


def test_the_five_minutes_are_made_of_waits_and_a_persons_time(tmp_path: Path) -> None:
    """The line names its parts, and the measures beside it give them one by one."""
    card, lines = scored(Golden(), tmp_path)
    found = lines["journey.under_five_minutes"]
    assert "waiting for the product" in found.why and "typing" in found.why
    value = {m.id: m.value or 0.0 for m in card.measures}
    parts = value["wait_product_ms"] + sum(value[f"person_{p}_ms"] for p in ("reading", "typing", "pointing"))
    assert value["person_journey_ms"] == pytest.approx(parts, abs=0.01)
    assert found.got == f"{parts / 1000:.0f} s"


@pytest.mark.parametrize("state", ["read", "unread"])
def test_a_journey_that_stuck_was_neither_short_nor_quick(state: str, tmp_path: Path) -> None:
    """How many questions and minutes a claim takes is not known from one that was never sent."""
    golden = Golden()
    draft(golden)
    if state == "unread":
        no_state(golden)
    _, lines = scored(golden, tmp_path)
    assert {lines[f"journey.{x}"].state for x in ("question_count", "under_five_minutes")} == {"not_checked"}


def test_too_many_and_too_long_count_even_so(tmp_path: Path) -> None:
    """Ten questions or five minutes before the end are enough to fail."""
    golden = Golden()
    many_questions(golden)
    waited(200, 200)(golden)
    golden.case["status"], golden.reason, golden.why = "draft", "turn_limit", "forty turns"
    _, lines = scored(golden, tmp_path)
    assert {lines[f"journey.{x}"].state for x in ("question_count", "under_five_minutes")} == {"fail"}


@pytest.mark.parametrize(
    ("limit", "state"), [({}, "pass"), ({"slow_reply_s": "5"}, "fail"), ({"slow_reply_s": 600}, "pass")]
)
def test_an_adapter_may_ask_for_more_speed_and_never_for_less(
    limit: dict[str, object], state: str, tmp_path: Path
) -> None:
    """A stricter limit of the adapter's is used and named; a looser one is not."""
    golden = Golden()
    golden.limits = limit
    waited(0, 6)(golden)
    _, lines = scored(golden, tmp_path)
    found = lines["journey.slow_turn"]
    assert found.state == state
    assert ("adapter" in found.why) == (state == "fail")
    assert found.expected == ("at most 5 s" if state == "fail" else "at most 30 s")


@pytest.mark.parametrize("limit", ["soon", "-1", "0", "inf", "nan", []])
def test_a_limit_that_is_none_is_one_line(limit: object, tmp_path: Path) -> None:
    """A limit that is no number of seconds is bad input, with its field."""
    golden = Golden()
    golden.limits = {"slow_reply_s": limit}
    with pytest.raises(InputError, match=r"limits\.slow_reply_s: is not a number of seconds"):
        scored(golden, tmp_path)


def test_an_unsettled_turn_counts_up_to_the_cap(tmp_path: Path) -> None:
    """What never came is slow, and the line says that it was not over."""
    golden = Golden()
    j = standard_journey(2)
    j.say("No, nobody was hurt.", told=("injuries",))
    j.settled(60_000.0, settled=False, first_ms=None)
    j.screen()
    j.end("nothing_to_do", "two idle replies")
    golden.journey, golden.reason, golden.why = j, "nothing_to_do", "two idle replies"
    _, lines = scored(golden, tmp_path)
    assert lines["journey.slow_turn"].state == "fail" and "not over" in lines["journey.slow_turn"].why


def test_where_it_stuck_shows_screen_and_act(tmp_path: Path) -> None:
    """A journey that did not end says in which turn, before which words, with what to use, and what was not taken."""
    golden = Golden()
    j = Journey()
    j.start()
    j.screen("Hello. What happened?")
    j.say(OPENING, by="opening")
    j.reply("Please upload a photo.", card="Upload photo")
    j.say("Did you get that?", confirmed=False)
    j.end("product_error", "the page does not take what the customer does")
    golden.journey, golden.reason, golden.why = j, "product_error", "the page does not take what the customer does"
    golden.case["status"] = "draft"
    card, lines = scored(golden, tmp_path)
    found = next(m for m in card.measures if m.id == "stuck_in_turn")
    assert found.value == 2
    note = found.note or ""
    for part in (
        "product_error in turn 2",
        "Please upload a photo.",
        "“Upload photo” to use",
        "said “Did you get that?”",
    ):
        assert part in note and part in lines["journey.completed"].why
    assert {e.file for e in found.evidence} == {"events.jsonl", "screens/0002.png"}


def test_the_summary_spreads_measures_and_lists_what_stuck(tmp_path: Path) -> None:
    """Spread of the measures, attempts that stuck and lines that are not built stand in the summary of the run."""
    golden = Golden()
    golden.unimplemented = {"review.*": "comes in spring"}
    draft(golden)
    golden.write(tmp_path)
    run = tmp_path / "results" / "r1"
    score_run(run, tmp_path / "packages")
    summary = json.loads(next((run / "scores").glob("*/summary.json")).read_bytes())
    assert summary["measures"]["questions_asked"]["n"] == 1
    assert summary["measures"]["person_journey_ms"]["p95"] > 0
    assert [(s["name"], s["turn"]) for s in summary["stuck"]] == [("TST-M-001/t01/a01", 5)]
    assert set(summary["not_built"]) == {i for i in summary["lines"] if i.startswith("review.")}
    assert summary["lines"]["review.required"]["rate"] == {"passed": 0, "of": 0}
