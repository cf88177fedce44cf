"""Replies that stopped in the middle, and those that did not."""

from pathlib import Path

import pytest
from builder import Golden, made, standard_journey

from harness.schema.events import Acted
from harness.schema.scorecard import ScoreLine
from oracle_scoring.claims import score_attempt
from oracle_scoring.claims.endings import broken_off, closed, ending_lines

WORDS = frozenset(["damage", "photo", "later", "repair"])


def ending(golden: Golden, root: Path) -> ScoreLine:
    """The line of the record's scorecard."""
    return made(golden, root, ending_lines, "journey.replies_complete")


@pytest.mark.parametrize(
    "text",
    [
        "Please upload the repair quote, or tell me if it comes la",
        "Thank you. Can your vehicle still",
        "Thanks, I have noted that. What",
        "I have passed your question on to a colleague,",
        "Please tell me the",
        "谢谢。请问事故发生的时间和",
        "好的，我已记录，",
        "Cảm ơn bạn. Vui lòng cho biết ngày và",
        "Here is what I have so far:\n- the date of the loss\nWe still need your",
        "Please upload a photo of the dam",
    ],
)
def test_what_stops_in_a_sentence_is_seen(text: str) -> None:
    """Half words, half questions, trailing commas and words that cannot end a sentence show that a reply stopped."""
    assert broken_off(text, True, WORDS) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Please upload a photo of the damage",
        "Thank you for your patience",
        "Your case number is CLM-2026-000092",
        "Thank you! 🙂",
        "谢谢您的耐心等待",
        "请上传照片：",
        "Cảm ơn bạn rất nhiều",
        "Please tell me:\n- the date\n- the place\n- whether the",
        "Kind regards,\nYour claims team",
        "With kind regards,",
        "Write to claims@harbour.example",
        "One moment…",
        "**Thank you.**",
        "Please sign in",
        "Please choose plan A",
        "More on\nwww.harbour.example",
        "\u00a0",
        "",
        "That is all that I have",
    ],
)
def test_what_may_end_so_is_let_be(text: str) -> None:
    """Lists, formulas of a letter, addresses, emoji and sentences without their point are no reply cut short."""
    assert broken_off(text, False) is None


def test_only_a_product_that_closes_its_sentences_is_held_to_it() -> None:
    """A half question counts where all other replies are closed by a mark; elsewhere it may be the product's way."""
    assert broken_off("What is your registration", True) is not None
    assert broken_off("What is your registration", False) is None


@pytest.mark.parametrize(
    "text", ["Done.", "What?", "好。", "Really?!", "It is 5", "(see below)", "“yes”", "see https://x.example/a", "✅"]
)
def test_marks_that_close(text: str) -> None:
    """Marks of any script, figures, brackets, quotes, addresses and emoji close a reply."""
    assert closed(text)


def test_an_unmarked_end_is_left_to_a_person(tmp_path: Path) -> None:
    """A whole sentence without its mark, unlike all others, cannot be decided by rule."""
    golden = Golden()
    golden.journey = standard_journey(1)
    golden.journey.say("At 16:20.", told=("incident_time",))
    golden.journey.reply("Please upload a photo of the damage")
    golden.journey.say("Here.")
    golden.journey.reply("Was anyone hurt?")
    golden.journey.end()
    assert ending(golden, tmp_path).state == "needs_human"


@pytest.mark.parametrize(
    ("first_ms", "shown", "state"),
    [
        (100.0, ("About how much will it cost to put right?",), "fail"),
        (None, ("About how much will it cost to put right?",), "pass"),
        (100.0, (), "pass"),
    ],
)
def test_an_unsettled_reply_stopped_if_it_had_begun(
    first_ms: float | None, shown: tuple[str, ...], state: str, tmp_path: Path
) -> None:
    """What was still coming at the cap stopped; where no word had come, nothing stopped in the middle: it was slow."""
    golden = Golden()
    j = standard_journey(2)
    j.say("No, nobody was hurt.", told=("injuries",))
    j.settled(60_000.0, settled=False, first_ms=first_ms)
    j.screen(*shown)
    j.end()
    golden.journey = j
    assert ending(golden, tmp_path).state == state


def test_a_reply_that_came_whole_after_the_cap_was_slow(tmp_path: Path) -> None:
    """A customer who waited on and got the rest had a slow reply, no broken one."""
    golden = Golden()
    j = standard_journey(2)
    j.say("No, nobody was hurt.", told=("injuries",))
    j.settled(60_000.0, settled=False)
    j.screen("About how much will")
    j.add(Acted, act="waited", text="", confirmed=True, act_ms=0.0)
    j.settled()
    j.screen("About how much will it cost to put right?")
    j.end()
    golden.journey = j
    lines = {x.id: x.state for x in score_attempt(*golden.write(tmp_path)).lines}
    assert (lines["journey.replies_complete"], lines["journey.slow_turn"]) == ("pass", "fail")


def stream(*rows: str) -> str:
    """A stream of JSON rows."""
    return "\n".join(f'{{"type": "{row.partition(":")[0]}", "text": "{row.partition(":")[2]}"}}' for row in rows)


@pytest.mark.parametrize(
    ("last", "state"),
    [
        (stream("piece:Thank you, that helps. Can you"), "fail"),
        (stream("piece:Thank you. Was", "piece: anyone hurt?"), "pass"),
        (stream("piece:Thank you.", "done:"), "pass"),
    ],
)
def test_a_stream_that_ends_unlike_the_others(last: str, state: str, tmp_path: Path) -> None:
    """Where all streams of one address end alike, one that ends in a sentence stopped; the screen may have moved on."""
    golden = Golden()
    for turn in (2, 3, 4):
        golden.answered(stream("piece:Thank you.", "done:"), turn=turn)
    golden.answered(last, turn=5)
    assert ending(golden, tmp_path).state == state


def test_a_stream_whose_reply_was_shown_whole_is_let_be(tmp_path: Path) -> None:
    """A connection that broke and was made good in the page is no reply that stopped."""
    golden = Golden()
    for turn in (1, 3, 4):
        golden.answered(stream("piece:Thank you.", "done:"), turn=turn)
    golden.answered(stream("piece:Thank you. Was anyone"), turn=2)
    assert ending(golden, tmp_path).state == "pass"
