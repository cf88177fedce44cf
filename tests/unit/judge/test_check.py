"""A judge measured against people: rates, kappa, flips, what is left out, and the files behind it."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.errors import InputError
from oracle_scoring.judge import Bounds, JudgeClient
from oracle_scoring.judge.check import CheckReport, check, share
from oracle_scoring.judge.labelled import read_labelled
from oracle_scoring.judge.reply import Completion
from tests.unit.judge.fakes import Answering, FakeJudge, said, verdict

CHECK = "inquiry/M-003/check_1"


def line(n: int, label: str | None, by: str = "first reader", **more: Any) -> dict[str, Any]:
    """A labelled line; its text says which item it is."""
    return {
        "id": f"i{n}", "rubric": CHECK, "cluster": f"c{n // 2}", "about": "t1", "label": label, "by": by,
        "messages": [{"id": "t0", "speaker": "customer", "text": "What is the MOQ?"},
                     {"id": "t1", "speaker": "assistant", "text": f"item {n} of the list, 500 pcs"}],
        **more,
    }  # fmt: skip


def write(path: Path, lines: list[Any]) -> Path:
    """JSON lines."""
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x, ensure_ascii=False)) + "\n" for x in lines))
    return path


def place(body: dict[str, Any]) -> tuple[int, int, bool]:
    """Item, repeat, and whether the answers are listed the other way round."""
    item = int(re.search(r"item (\d+) of", body["messages"][-1]["content"])[1])  # type: ignore[index]
    answers = body["response_format"]["json_schema"]["schema"]["properties"]["answer"]["enum"]
    return item, body["seed"], answers[0] != "yes"


def measure(path: Path, answering: Answering, repeats: int = 3) -> CheckReport:
    """The report of a fake judge."""
    client = JudgeClient(FakeJudge(answering), None, Bounds(first_wait_s=0.001))
    return asyncio.run(check(read_labelled(path), client, repeats))


def test_figures_are_what_a_person_would_count(tmp_path: Path) -> None:
    """10 yes (9 met), 6 no (3 met, 2 missed, 1 not judged): rates, kappa, flips over repeats and order, each with what was left out."""
    path = write(tmp_path / "l.jsonl", [line(n, "yes" if n < 10 else "no") for n in range(16)])

    def answering(_: int, body: dict[str, Any]) -> Completion:
        item, repeat, turned = place(body)
        yes = item < 9 or item in (10, 11)
        if item == 15 or (item == 14 and repeat):
            return said("nonsense")
        if (item == 0 and repeat == 2) or (item in (2, 3) and turned):
            yes = not yes
        return verdict("yes" if yes else "no", quote="of the list")

    report = measure(path, answering)
    (r,) = report.rubrics
    assert (r.items, r.labels, r.people, r.clusters) == (16, {"yes": 10, "no": 6}, ["first reader"], 8)
    assert (r.judged.part, r.judged.whole, r.not_judged) == (15, 16, {"not_json": 1})
    assert (r.true_positive_rate.part, r.true_positive_rate.whole) == (9, 10)
    assert (r.true_negative_rate.part, r.true_negative_rate.whole) == (3, 5)
    assert (r.agreement.part, r.agreement.whole) == (12, 15)
    assert r.kappa.value == pytest.approx((12 / 15 - 130 / 225) / (1 - 130 / 225))
    assert r.kappa.low is not None
    assert r.kappa.high is not None
    assert r.kappa.low < r.kappa.value < r.kappa.high
    assert (r.repeat_flips.part, r.repeat_flips.whole) == (1, 14)
    assert (r.order_flips.part, r.order_flips.whole) == (2, 15)
    assert r.confusion == {"yes": {"no": 1, "yes": 9}, "no": {"no": 3, "not_judged": 1, "yes": 2}}
    assert report.judge.questions == 16 * 4
    assert report.judge.judged == 16 * 4 - 4 - 2
    assert report.judge.calls == {"not_json": 12, "ok": 58}


def test_a_judge_that_always_agrees_is_seen_through(tmp_path: Path) -> None:
    """18 of 20 right by saying yes to all: true negatives 0 of 2, kappa 0."""
    path = write(tmp_path / "l.jsonl", [line(n, "yes" if n < 18 else "no") for n in range(20)])
    (r,) = measure(path, lambda n, body: verdict("yes", quote="of the list"), 1).rubrics
    assert r.agreement.value == 0.9
    assert (r.true_positive_rate.value, r.true_negative_rate.value, r.kappa.value) == (1.0, 0.0, 0.0)
    assert r.repeat_flips.value is None


def test_intervals_are_wilsons() -> None:
    """0 of 13 reaches up to about 23 %, 90 of 100 from 82.6 to 94.5 %; of nothing there is no share."""
    assert share(0, 13).high == pytest.approx(0.228, abs=0.001)
    assert (share(90, 100).low, share(90, 100).high) == (pytest.approx(0.826, abs=5e-4), pytest.approx(0.945, abs=5e-4))
    assert (share(0, 0).value, share(0, 0).low) == (None, None)


def test_what_people_leave_open_or_differ_on_is_left_out_and_counted(tmp_path: Path) -> None:
    """Items nobody labelled and items on which two people differ are in no figure; agreeing people make one item."""
    path = write(
        tmp_path / "l.jsonl",
        [line(0, "yes"), line(0, "yes", "second"), line(1, "yes"), line(1, "no", "second"), line(2, None, ""), line(3, "no")],
    )  # fmt: skip
    (r,) = measure(path, lambda n, body: verdict("yes", quote="of the list"), 1).rubrics
    assert (r.items, r.unlabelled, r.disputed, r.people) == (2, 1, 1, ["first reader", "second"])


def test_a_scale_is_weighed_by_distance(tmp_path: Path) -> None:
    """On the scale of five, 4 and 5 are good, and a neighbour's disagreement costs kappa less than a far one's."""
    lines = [line(n, str(1 + n % 5), rubric="inquiry/M-028") for n in range(20)]
    path = write(tmp_path / "l.jsonl", lines)

    def off_by(step: int) -> Answering:
        def answering(_: int, body: dict[str, Any]) -> Completion:
            right = 1 + int(re.search(r"item (\d+) of", body["messages"][-1]["content"])[1]) % 5  # type: ignore[index]
            return verdict(str(min(5, right + step) if right < 3 else right), quote="of the list")

        return answering

    (near,) = measure(path, off_by(1), 1).rubrics
    (far,) = measure(path, off_by(3), 1).rubrics
    assert near.true_negative_rate.value == near.true_positive_rate.value == 1.0
    assert far.true_negative_rate.value == pytest.approx(1 / 3)
    assert near.kappa.value is not None
    assert far.kappa.value is not None
    assert far.kappa.value < near.kappa.value < 1


@pytest.mark.parametrize(
    ("lines", "where", "why"),
    [
        ([], "l.jsonl", "holds no line"),
        (["{"], "line 1", "is not JSON"),
        ([line(0, "yes", rubric="inquiry/M-999/check_1")], "line 1: rubric", "is not known"),
        ([line(0, "maybe")], "line 1: label", "takes yes, no, does_not_apply"),
        ([line(0, "4")], "line 1: label", "takes yes"),
        ([line(0, "yes", "")], "line 1: by", "names the person"),
        ([line(0, "yes"), line(0, "no")], "line 2: by", "twice"),
        ([line(0, "yes"), line(0, "yes", "b", about="t0")], "line 2: id", "other material"),
        ([line(0, "yes", about="t9")], "line 1: messages", "which is not there"),
        ([line(0, "yes", messages=[])], "line 1: messages", "at least 1"),
        ([line(0, "yes", messages=[{"id": "x y", "speaker": "customer", "text": ""}])], "line 1: messages", "message id"),
        ([line(0, "yes", messages=[{"id": "x", "speaker": "SYSTEM:", "text": ""}])], "line 1: messages", "speaker"),
        ([line(0, "yes", extra=1)], "line 1: extra", "Extra inputs"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(tmp_path: Path, lines: list[Any], where: str, why: str) -> None:
    """File, line, field and why, for each way to get a label wrong."""
    with pytest.raises(InputError) as exc:
        read_labelled(write(tmp_path / "l.jsonl", lines))
    assert where in exc.value.where
    assert why in exc.value.why
