"""The golden inquiry sessions: what they cover, and that the rules say what the manual says."""

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from harness.schema.session import InquirySession
from oracle_scoring.inquiry.evaluate import Judge
from oracle_scoring.inquiry.finding import Finding, Moment
from oracle_scoring.inquiry.grade import MetricResult, grade
from oracle_scoring.inquiry.metric import Check, Metric
from oracle_scoring.inquiry.talk import Conversation
from scripts.inquiry_golden import PAGE, page
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


def graded(golden: Golden, judge: Judge | None = None) -> dict[str, MetricResult]:
    """A session's results by metric."""
    result = grade(InquirySession.model_validate(golden.session), judge=judge)
    return {metric.metric_id: metric for metric in result.metrics}


@cache
def by_rules() -> dict[str, dict[str, MetricResult]]:
    """Session -> its results by rules alone."""
    return {golden.id: graded(golden) for golden in sessions()}


def disagreements(about: Iterable[Golden]) -> list[str]:
    """A line for each session whose metric the rules decide otherwise: metric, session, expected, got."""
    lines = []
    for golden in about:
        got = by_rules()[golden.id][golden.metric]
        expected = "NOT_CHECKED" if golden.awaits else golden.verdict
        if got.result != expected:
            lines.append(f"{golden.metric} {golden.id}: expected {expected}, got {got.result} ({got.reason})")
        elif golden.fails and not golden.awaits:
            states = {check: got.checks[check] for check in golden.fails}
            if "pass" in states.values() or "fail" not in states.values():
                lines.append(f"{golden.metric} {golden.id}: broken {', '.join(golden.fails)}, got {states}")
    return lines


def test_rules_say_what_the_manual_says() -> None:
    """Every session gets the manual's verdict, one that awaits a judge NOT_CHECKED; a broken check never passes."""
    assert disagreements(sessions()) == []


def test_a_verdict_that_differs_is_listed() -> None:
    """Of three sessions with a wrong expectation each is named, with what was expected and what came out."""
    passing = next(golden for golden in sessions() if golden.id == "m004-pass-one")
    failing = next(golden for golden in sessions() if golden.id == "m004-fail-two-marks")
    turned = [
        replace(passing, verdict="FAIL"),
        replace(failing, verdict="N/A", fails=()),
        replace(failing, fails=("check_2",)),
    ]
    assert [line.split(" (")[0] for line in disagreements([passing, failing, *turned])] == [
        "M-004 m004-pass-one: expected FAIL, got PASS",
        "M-004 m004-fail-two-marks: expected N/A, got FAIL",
        "M-004 m004-fail-two-marks: broken check_2, got {'check_2': 'pass'}",
    ]


def test_nothing_fails_that_the_manual_lets_pass() -> None:
    """In no session does a metric fail but its own, if the verdict says so, and those named beside it."""
    astray = [
        f"{golden.id}: {metric.metric_id} ({metric.reason})"
        for golden in sessions()
        for metric in by_rules()[golden.id].values()
        if metric.result == "FAIL" and metric.metric_id not in (golden.metric, *golden.also)
    ]
    assert astray == []


def test_the_evidence_of_a_failure_stands_in_the_session() -> None:
    """What a FAIL gives as evidence is a path into the session or words that occur in it."""
    unfounded = []
    for golden in sessions():
        said = [text for turn in golden.session["turns"] for text in _texts(turn)]
        for metric in by_rules()[golden.id].values():
            path = re.match(r"turns\.(\d+)", metric.evidence)
            founded = (
                int(path[1]) < len(golden.session["turns"]) if path else any(metric.evidence in text for text in said)
            )
            if metric.result == "FAIL" and not (metric.evidence and founded):
                unfounded.append(f"{golden.id}: {metric.metric_id} {metric.evidence!r}")
    assert unfounded == []


def _texts(turn: dict[str, object]) -> list[str]:
    conversion = turn.get("conversion")
    texts = [turn.get("text"), turn.get("reply_text"), conversion["output"] if isinstance(conversion, dict) else None]
    return [text for text in texts if isinstance(text, str)] + [json.dumps(turn, ensure_ascii=False)]


class RecordedJudge:
    """Answers about one golden session as its verdict has it."""

    def __init__(self, golden: Golden) -> None:
        self._golden = golden
        self.asked: set[str] = set()

    def check(self, metric: Metric, check: Check, conversation: Conversation, moment: Moment) -> Finding:
        """A broken check fails, every other passes."""
        if metric.id == self._golden.metric:
            self.asked.add(check.id)
            if check.id in self._golden.fails:
                return Finding("fail", "turns.0", "as recorded")
        return Finding("pass", "", "as recorded")

    def points(self, metric: Metric, conversation: Conversation) -> tuple[int | None, str, str]:
        """The recorded score."""
        self.asked.add("score")
        return self._golden.score, "", "as recorded"


def test_a_judge_settles_what_awaits_one() -> None:
    """A session that awaits a judge asks for just the checks it names, and with them gets the manual's verdict."""
    unsettled = []
    for golden in sessions():
        if golden.awaits:
            judge = RecordedJudge(golden)
            got = graded(golden, judge)[golden.metric]
            if (got.result, got.score) != (golden.verdict, golden.score) or not set(golden.awaits) <= judge.asked:
                unsettled.append(f"{golden.id}: expected {golden.verdict}, got {got.result}, asked {judge.asked}")
    assert unsettled == []


def test_the_table_of_the_documentation_is_what_the_rules_say() -> None:
    """docs/inquiry-golden.md is the page of these sessions, and names a session on which the rules say something else."""
    assert PAGE.read_text("utf-8") == page(sessions(), lambda golden: by_rules()[golden.id][golden.metric].result)
    other = page(of_metric("M-004"), lambda golden: "PASS")
    row = next(line for line in other.splitlines() if line.startswith("| M-004"))
    assert "| 11 | 0 | " in row and "m004-fail-two-marks: PASS" in row
