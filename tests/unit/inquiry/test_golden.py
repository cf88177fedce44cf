"""The golden inquiry sessions: what they cover."""

import csv
import re
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from tests.golden.inquiry.build import Golden, load

MANUAL = Path(__file__).parents[3] / "docs" / "manual"
EDGE = re.compile(r"(?:^|(?:PASS|FAIL|N/A)(?:（[^）]*）)? )- (?=\S)")
CITED = re.compile(r"\b\d{3}\b")


@cache
def sessions() -> tuple[Golden, ...]:
    """All golden sessions, laid out once."""
    return tuple(load())


@cache
def cards() -> dict[str, tuple[int, list[str]]]:
    """Metric -> number of its card's first line in the manual, and the card's lines."""
    text = (MANUAL / "inquiry.txt").read_text("utf-8").split("\n")
    with (MANUAL / "inquiry-cards.tsv").open(encoding="utf-8", newline="") as rows:
        spans = {row["id"]: row["seed_lines"].split("-") for row in csv.DictReader(rows, delimiter="\t")}
    return {metric: (int(first), text[int(first) - 1 : int(last)]) for metric, (first, last) in spans.items()}


def of_metric(metric: str) -> list[Golden]:
    """The sessions about one metric."""
    return [golden for golden in sessions() if golden.metric == metric]


def checks_of(metric: str) -> set[str]:
    """The checks that a metric's card lists."""
    return {
        check for line in cards()[metric][1] if line.startswith("check_") for check in re.findall(r"check_\d", line)
    }


def edges_of(metric: str) -> int:
    """How many edges a metric's card lists: the items between its decision and its scale."""
    lines = cards()[metric][1]
    last = next(number for number, line in enumerate(lines) if line.startswith(("二元", "分档")))
    return sum(len(EDGE.findall(line)) for line in lines[:last])


def test_the_cards_are_read_as_the_manual_has_them() -> None:
    """58 cards, each with an edge at least, and each but the one with a scale of five with a check."""
    assert len(cards()) == 58
    assert all(edges_of(metric) for metric in cards())
    assert [metric for metric in cards() if not checks_of(metric)] == ["M-028"]
    assert {metric: edges_of(metric) for metric in ("M-007", "M-022", "M-102", "M-111")} == {
        "M-007": 2,
        "M-022": 1,
        "M-102": 3,
        "M-111": 1,
    }


def test_every_metric_has_sessions_with_names_of_their_own() -> None:
    """Each of the 58 metrics has its file, no two sessions share a name, and each says what it shows."""
    assert [metric for metric, _ in groupby(golden.metric for golden in sessions())] == list(cards())
    names = [golden.id for golden in sessions()]
    assert len(set(names)) == len(names) >= 300
    assert [
        golden.id
        for golden in sessions()
        if not golden.shows.rstrip('"').endswith(".") or not CITED.search(golden.lines)
    ] == []


@pytest.mark.parametrize("metric", list(cards()))
def test_a_metric_has_every_verdict_edge_and_broken_check(metric: str) -> None:
    """A pass, a fail, a not-applicable one where the card knows one, one for each edge, and each check broken once."""
    verdicts = {golden.verdict for golden in of_metric(metric)}
    if metric == "M-028":
        assert verdicts == {"SCORED"}
        assert {golden.score for golden in of_metric(metric)} == {1, 2, 3, 4, 5}
    else:
        expected = {"PASS", "FAIL"}
        if any("二元（PASS / FAIL / N/A）" in line for line in cards()[metric][1]):
            expected.add("N/A")
        assert expected <= verdicts <= {"PASS", "FAIL", "N/A"}
    assert {golden.edge for golden in of_metric(metric)} - {None} == set(range(1, edges_of(metric) + 1))
    assert {check for golden in of_metric(metric) for check in golden.fails} == checks_of(metric)


def test_every_verdict_names_lines_of_its_own_card() -> None:
    """The lines that a session names lie in its metric's card, so that the verdict can be held against them."""
    astray = []
    for golden in sessions():
        first, lines = cards()[golden.metric]
        cited = [int(number) for number in CITED.findall(golden.lines)]
        astray += [golden.id for number in cited if not first <= number < first + len(lines)]
    assert astray == []


def test_only_a_failing_session_names_broken_checks() -> None:
    """Broken checks, and other metrics that fail beside it, are named where there are some."""
    assert [golden.id for golden in sessions() if golden.fails and golden.verdict != "FAIL"] == []
    assert [golden.id for golden in sessions() if golden.metric in golden.also or set(golden.also) - set(cards())] == []
