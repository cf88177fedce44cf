"""What of a record is sent again, which differences count, and when a failure came again."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "golden"))

from builder import PACKAGE, Golden
from records import RECORDS

from harness.errors import InputError
from harness.replay import VARIES, read_parent, screen_differences, steady, volatile
from harness.schema.grade import grade
from harness.schema.move import act, say
from harness.schema.package import read_visible
from harness.schema.visible import customer_view
from oracle_scoring.reproduce import Line, failed_lines, judge_again, repeats, scored_lines
from tests.support.runs import manifest, settings


def line(name: str, state: str, turn: int | None = None, follows: bool = False) -> Line:
    return Line(id=name, title=name, state=state, why="w", turn=turn, follows=follows)


def write(root: Path, change: str | None = None) -> tuple[Path, Path]:
    golden = Golden()
    if change is not None:
        RECORDS[change][1](golden)
    return golden.write(root)


def test_the_moves_of_a_record_are_read_with_what_their_screens_wanted(tmp_path: Path) -> None:
    """The customer's own moves in order; what the rig put by itself (a due wish) is left to the rig."""
    attempt, package = write(tmp_path)
    events = attempt / "events.jsonl"
    rows = [json.loads(row) for row in events.read_text(encoding="utf-8").splitlines()]
    seen = next(i for i, r in enumerate(rows) if r["kind"] == "screen" and r["turn"] == 1)
    moves = [(say("9 March"), "rule"), (say("A wish"), "wish"), (say("Anything else?"), "dead_end")]
    new = [
        {"kind": "move", "turn": 1, "move": m.model_dump(), "by": by, "call": None, "decide_ms": 1} for m, by in moves
    ]
    new.append(
        {"kind": "move", "turn": 2, "move": act("wait").model_dump(), "by": "rule", "call": None, "decide_ms": 1}
    )
    base = {"at": rows[seen]["at"], "t_ms": rows[seen]["t_ms"]}
    rows[seen + 1 : seen + 1] = [{**base, **row} for row in new]
    events.write_text("".join(json.dumps({**r, "n": n}) + "\n" for n, r in enumerate(rows, 1)), encoding="utf-8")
    visible = read_visible(package)
    files = customer_view(visible.initial_message, visible.facts, visible.materials, visible.opening).files
    parent = read_parent(attempt, "r/p/t01/a01", files, goes_on=False)
    sent = [(m.move, m.by, m.turn) for m in parent.replay.moves]
    assert sent[:2] == [(say("9 March"), "rule", 1), (act("wait"), "rule", 2)]
    assert len(sent) > 4 and {by for _, by, _ in sent} == {"rule"} and parent.replay.moves[0].wants
    forked = read_parent(attempt, "r/p/t01/a01", files, goes_on=True, fork_turn=2)
    assert {m.turn for m in forked.replay.moves} == {1} and forked.fork_turn == 2


@pytest.mark.parametrize("turn", [0, 99])
def test_a_turn_that_the_journey_does_not_have_cannot_be_forked(turn: int, tmp_path: Path) -> None:
    """The message names the turns that it has."""
    attempt, _ = write(tmp_path)
    with pytest.raises(InputError, match="use 1 to"):
        read_parent(attempt, "n", [], goes_on=True, fork_turn=turn)


def test_half_a_record_is_not_replayed(tmp_path: Path) -> None:
    """A line that cannot be read stops it, by name."""
    attempt, _ = write(tmp_path)
    with (attempt / "events.jsonl").open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(InputError, match="unreadable"):
        read_parent(attempt, "n", [], goes_on=False)


def test_numbers_of_a_single_journey_are_no_difference_and_everything_else_is(tmp_path: Path) -> None:
    """Case number, account and reference of each side are folded away; a day, an amount and a plate are compared."""
    one, _ = write(tmp_path / "a")
    two, _ = write(tmp_path / "b")
    text = (two / "events.jsonl").read_text(encoding="utf-8")
    number = next(token for token in volatile(two) if any(c.isdigit() for c in token))
    assert number in text
    (two / "events.jsonl").write_text(text.replace(number, "ZX-987654-Q"), encoding="utf-8")
    assert "ZX-987654-Q" in volatile(two) and screen_differences(one, two) == []
    changed = text.replace("registration", "number plate")
    assert changed != text
    (two / "events.jsonl").write_text(changed, encoding="utf-8")
    found = screen_differences(one, two)
    assert found and all(d.before != d.now for d in found)
    assert "registration" in str(found[0].before) and "number plate" in str(found[0].now)


def test_days_amounts_and_plates_stay_and_random_ids_go() -> None:
    """What a customer said is compared letter by letter."""
    kept = "On 2026-03-09 at 16:20, £1,284.00, JX24 RVB"
    assert steady(kept, []) == kept
    assert (
        steady("id 7f9c24e88b1d4f60 at 2026-03-11T09:30:00Z, ref K-1", ["K-1"])
        == f"id {VARIES} at {VARIES}, ref {VARIES}"
    )


def test_a_failure_came_again_if_its_causes_did_whatever_else_moved() -> None:
    """A consequence that does not follow this time decides nothing; a cause that is gone does."""
    failed = [line("a", "fail", 3), line("b", "fail", 9, follows=True)]
    again = judge_again(failed, [line("a", "fail", 4), line("b", "pass")], None)
    assert (again.reproduced, again.verdict, again.at_turn) == (True, "reproduced", 4)
    gone = judge_again(failed, [line("a", "pass"), line("b", "fail", 9)], None)
    assert (gone.reproduced, gone.verdict, gone.at_turn) == (False, "did_not_reproduce", 3)
    half = judge_again([line("a", "fail", 3), line("c", "fail", 5)], [line("a", "fail", 3), line("c", "pass")], None)
    assert (half.reproduced, half.verdict) == (False, "partly")


def test_a_replay_that_stopped_says_only_what_it_reached() -> None:
    """A failure of a turn that went otherwise did not come again; one that shows later, or afterwards, was not reached."""
    now = [line("a", "not_checked")]
    assert judge_again([line("a", "fail", 2)], now, 2).reproduced is False
    later = judge_again([line("a", "fail", 5)], now, 2)
    assert (later.reproduced, later.verdict, later.at_turn) == (None, "not_reached", 2)
    assert judge_again([line("a", "fail")], now, 2).verdict == "not_reached"


def test_what_cannot_be_decided_is_neither_yes_nor_no() -> None:
    """No failure in the parent, no scores of the child, and a line that is not checked now."""
    assert judge_again([], [line("a", "pass")], None).verdict == "nothing_failed"
    assert judge_again([line("a", "fail")], [], None).reproduced is None
    assert judge_again([line("a", "fail", 1)], [line("a", "not_checked")], None).verdict == "not_scored"


def test_how_often_a_failure_repeats_has_an_interval_over_what_could_be_judged() -> None:
    """Trials that say nothing stand beside the figure."""
    failed = [line("a", "fail")]
    states = ["fail", "fail", "pass", "not_checked"]
    found = repeats([judge_again(failed, [line("a", s)], None) for s in states])
    assert (found.repeated, found.of, found.unjudged) == (2, 3, 1)
    assert found.interval is not None and 0.2 < found.interval.low < 2 / 3 < found.interval.high < 0.95
    assert repeats([]).interval is None


def test_the_lines_of_a_record_know_their_turn_and_their_cause(tmp_path: Path) -> None:
    """Scored as it stands; only a line that failed can be asked for."""
    attempt, package = write(tmp_path, "journey.repeated_questions")
    lines = scored_lines(attempt, package.parent.parent)
    failed = failed_lines(lines)
    assert "journey.repeated_questions" in {f.id for f in failed if not f.follows and f.turn}
    assert [f.id for f in failed_lines(lines, ["journey.repeated_questions"])] == ["journey.repeated_questions"]
    with pytest.raises(InputError, match="did not fail"):
        failed_lines(lines, [f"facts.{PACKAGE}"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"parent_attempt": "r/p/t01/a01"}, "a replay or fork of r/p/t01/a01"),
        ({"trace": "on"}, "--trace"),
        ({"slow_ms": 300}, "--slow"),
        ({"pause_at": 3}, "--pause-at"),
        ({"customer": "person"}, "the customer is person"),
    ],
)
def test_whoever_looks_or_takes_part_makes_a_rehearsal(changes: dict[str, object], words: str) -> None:
    """Each is told as a reason of its own."""
    verdict, reasons = grade(manifest(settings=settings(**changes)))
    assert verdict == "rehearsal" and any(words in reason for reason in reasons)
