"""Figures of side by side, counted by hand."""

import json
from math import comb
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.app import app
from harness.errors import InputError
from oracle_scoring.gsb.grade import grade_pairs
from oracle_scoring.gsb.models import AgentLine, PairLine
from oracle_scoring.publish.intervals import wilson


def pair(n: int, choice: str, left: str = "A", right: str = "B", by: str = "ann", **more: Any) -> tuple[str, PairLine]:
    """One comparison."""
    data = {"task_id": f"t{n}", "left": left, "right": right, "choice": choice, "by": by, **more}
    return f"line {n}", PairLine.model_validate(data)


def line(lines: list[AgentLine], agent: str, against: str | None = None, by: str = "people") -> AgentLine:
    """The one line of that agent."""
    (found,) = [x for x in lines if (x.agent, x.against, x.by) == (agent, against, by)]
    return found


def test_figures_of_two_agents_are_what_a_person_would_count() -> None:
    """A wins 7 (three of them from the right), loses 1; two both good, one both bad: rates over 8 decisive of 11."""
    given = [pair(n, "left") for n in range(4)] + [pair(n, "right", "B", "A") for n in range(4, 7)]
    given += [pair(7, "right"), pair(8, "both_good"), pair(9, "both_good", "B", "A"), pair(10, "both_bad")]
    lines = grade_pairs(given).lines
    assert len(lines) == 2
    a, b = line(lines, "A"), line(lines, "B")
    assert (a.wins, a.losses, a.both_good, a.both_bad, a.order_ties, a.comparisons) == (7, 1, 2, 1, 0, 11)
    assert (b.wins, b.losses, b.both_good, b.both_bad, b.order_ties, b.comparisons) == (1, 7, 2, 1, 0, 11)
    assert (a.effective_win_rate, a.interval) == (7 / 8, wilson(7 / 8, 8))
    assert a.sign_test_p == pytest.approx(2 * (comb(8, 0) + comb(8, 1)) / 2**8) == b.sign_test_p
    assert (a.net, b.net) == (6 / 11, -6 / 11)
    assert (a.can_decide, a.flip_rate.pairs, a.flip_rate.value) == (True, 0, None)


def test_ties_alone_make_no_rate() -> None:
    """Both good and both bad are in no win rate and no test; they are in (good - bad)/N as nothing."""
    a = line(grade_pairs([pair(1, "both_good"), pair(2, "both_bad")]).lines, "A")
    assert (a.effective_win_rate, a.interval, a.sign_test_p, a.can_decide, a.net) == (None, None, None, False, 0.0)


def test_orders_that_differ_are_a_tie_of_their_own_kind_and_counted() -> None:
    """Of four comparisons in both orders one flipped: it is no win, no loss and no other tie, and the flip rate is 1 of 4."""
    given = [
        pair(1, "left", by="judge:m", orders=["left", "left"]),
        pair(2, "order_tie", by="judge:m", orders=["left", "right"]),
        pair(3, "both_good", by="judge:m", orders=["both_good", "both_good"]),
        pair(4, "left", by="judge:m"), pair(4, "right", "B", "A", by="judge:m"),
    ]  # fmt: skip
    a = line(grade_pairs(given).lines, "A", by="judge")
    assert (a.wins, a.losses, a.both_good, a.order_ties, a.comparisons) == (2, 0, 1, 1, 4)
    assert (a.flip_rate.value, a.flip_rate.pairs, a.flip_rate.interval) == (0.25, 4, wilson(0.25, 4))


def test_two_lines_in_both_orders_that_differ_are_one_flip() -> None:
    """The same side twice means another agent each time."""
    given = [pair(1, "left", by="judge"), pair(1, "left", "B", "A", by="judge")]
    a = line(grade_pairs(given).lines, "A", by="judge")
    assert (a.wins, a.order_ties, a.comparisons, a.flip_rate.value) == (0, 1, 1, 1.0)


def test_people_and_judges_are_never_added_together() -> None:
    """Each has its own lines; one person's choices can be taken alone."""
    given = [pair(1, "left"), pair(1, "right", by="bob"), pair(1, "left", by="judge:m")]
    lines = grade_pairs(given).lines
    assert [(x.agent, x.by, x.wins, x.losses) for x in lines] == [
        ("A", "people", 1, 1), ("B", "people", 1, 1), ("A", "judge", 1, 0), ("B", "judge", 0, 1),
    ]  # fmt: skip
    assert [x.wins for x in grade_pairs(given, "bob").lines] == [0, 1]


def test_more_than_two_agents_have_a_line_for_every_pair_that_met() -> None:
    """Totals first, then each against each; two that never met have no line."""
    given = [pair(1, "left"), pair(2, "left", "B", "C"), pair(3, "both_bad", "C", "B")]
    lines = grade_pairs(given).lines
    assert [(x.agent, x.against) for x in lines] == [
        ("A", None), ("B", None), ("C", None), ("A", "B"), ("B", "A"), ("B", "C"), ("C", "B"),
    ]  # fmt: skip
    assert (line(lines, "B").wins, line(lines, "B").losses, line(lines, "B", "C").wins) == (1, 1, 1)
    assert line(lines, "C", "B").both_bad == 1


def test_what_might_be_orders_or_repeats_is_said() -> None:
    """Three lines of one task in both orders without ids count one by one, and that is said; with ids they are clear."""
    given = [pair(1, "left"), pair(1, "left"), pair(1, "left", "B", "A")]
    graded = grade_pairs(given)
    assert line(graded.lines, "A").comparisons == 3
    assert graded.unclear == ["t1: 3 comparisons of A and B by ann, in both orders"]
    named = [pair(1, "left", pair_id="x"), pair(1, "left", pair_id="y"), pair(1, "left", "B", "A", pair_id="y")]
    graded = grade_pairs(named)
    assert (graded.unclear, line(graded.lines, "A").order_ties, line(graded.lines, "A").wins) == ([], 1, 1)
    with pytest.raises(InputError, match="stands there twice"):
        grade_pairs([pair(1, "left", pair_id="x"), pair(1, "left", pair_id="x")])


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"choice": "links"}, "choice"),
        ({"right": "A"}, "left and right are the same agent"),
        ({"orders": ["left", "right"]}, "the two orders say order_tie"),
        ({"orders": ["left"]}, "two choices"),
        ({"by": ""}, "by"),
        ({"score": 1}, "score"),
    ],
)
def test_a_wrong_comparison_is_one_line(data: dict[str, Any], where: str, tmp_path: Path) -> None:
    """File, line, field and why, exit code 2."""
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        json.dumps({"task_id": "t", "left": "A", "right": "B", "choice": "left", "by": "ann", **data}) + "\n"
    )
    found = CliRunner().invoke(app, ["grade", "gsb", str(path)])
    assert found.exit_code == 2
    assert where in found.stderr
    assert "line 1" in found.stderr
    assert len(found.stderr.splitlines()) == 1


def test_the_command_prints_a_line_for_each_agent(tmp_path: Path) -> None:
    """JSON lines with names, for people a rate with interval and test, and that six decisive comparisons are the least."""
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(x.model_dump_json() + "\n" for _, x in [pair(n, "left", "甲", "乙") for n in range(5)]))
    found = CliRunner().invoke(app, ["grade", "gsb", str(path), "--json"])
    assert [(json.loads(x)["agent"], json.loads(x)["wins"]) for x in found.stdout.splitlines()] == [
        ("乙", 0),
        ("甲", 5),
    ]
    people = CliRunner().invoke(app, ["grade", "gsb", str(path)]).stdout
    assert "effective win rate 100.0% (56.6% to 100.0%); sign test p = 0.0625, too few decisive" in people
